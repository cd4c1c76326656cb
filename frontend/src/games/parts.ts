/** What a game brings to the table. The frame around it (bar, seats, hand, log) is the same for all.
 *
 * A part gets the board and reads `board.frame` for what is shown and `board.view` for what can be
 * done. It holds no rule: what may be played is in `view.moves`, what it would mean in
 * `board.outlook`.
 */
import type { Component } from 'svelte';

import type { Board } from '../state/board';
import { known } from './known.svelte';

export interface GameParts {
  /** Beside a seat's name: piles, a pain card, scoring cards. */
  Seat: Component<{ board: Board; seat: number }>;
  /** What lies in the middle: tricks, banners, what the trick means. */
  Middle: Component<{ board: Board }>;
  /** Between the middle and our hand: own piles, own ladder. */
  Own: Component<{ board: Board }>;
  /** Phases that are no play of a card, and plays that need more than a card; by `view.phase`. */
  choices: Readonly<Record<string, Component<{ board: Board }>>>;
  /** Phases whose choice shows the cards of the hand itself; in all others the hand stays below it,
   * and taps there raise a card, or pick several where moves name several (`selection.picked`). */
  showsHand?: readonly string[];
  /** The middle stays beside a choice even while no trick lies; otherwise the choice takes its room. */
  keepsMiddle?: boolean;
  /** What lies before the seats matters in examples of the rules. */
  seatsInExamples?: boolean;
  /** A symbol that a day draws on a card: a path in a square of 24. */
  symbolOf?: (board: Board, card: string) => string;
  /** The same symbol in a word, for ears. */
  symbolName?: (board: Board, card: string) => string;
  /** Cards that are hatched, such as those of the own pain colour. */
  isMarked?: (board: Board, card: string) => boolean;
}

const LOADERS = import.meta.glob<{ parts: GameParts }>('./*/parts.ts');

const loaded = new Map<string, Promise<GameParts>>();

/** The parts of a game; one without its own is shown by the plain table.
 *
 * The same promise every time: `known` depends on the language, and `{#await}` must not build the
 * table anew when that changes. */
export function partsOf(game: string): Promise<GameParts> {
  const page = known(game).page;
  const found = loaded.get(page) ?? load(page);
  loaded.set(page, found);
  return found;
}

async function load(page: string): Promise<GameParts> {
  const module = LOADERS[`./${page}/parts.ts`] ?? (() => import('./generic/parts'));
  return (await module()).parts;
}
