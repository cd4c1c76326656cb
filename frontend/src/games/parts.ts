/**
 * What a game provides for the table. The frame around it (bar, seats, hand, log) is the same for
 * all.
 *
 * A component gets the board and reads `board.frame` for what is shown and `board.view` for what
 * can be done. It contains no rules: legal moves are in `view.moves`, their effects in
 * `board.outlook`.
 */
import type { Component } from 'svelte';

import type { View } from '../protocol';
import type { Board } from '../state/board';
import { known } from './known.svelte';
import type { Mat } from './mats';

/** What a seat has left of it: how many, as signs, and in words. */
export interface DecidesFirst {
  count: number;
  text: string;
  spoken: string;
}

export interface GameParts {
  /** Beside a seat's name: piles, a pain card, scoring cards. */
  Seat: Component<{ board: Board; seat: number }>;
  /** The middle of the table: tricks, banners, what the trick means. */
  Middle: Component<{ board: Board }>;
  /** Between the middle and the hand: the person's piles or ladder. */
  Own: Component<{ board: Board }>;
  /** Phases other than playing a card, and plays that need more than a card; by `view.phase`. */
  choices: Readonly<Record<string, Component<{ board: Board }>>>;
  /** The woven picture of the mat; without one it is plain. */
  mat?: Mat;
  /**
   * Phases whose choice shows the cards of the hand itself; in all others the hand stays below it,
   * and taps there raise a card, or pick several where moves name several (`selection.picked`).
   */
  showsHand?: readonly string[];
  /**
   * Whether a person who plays with these options is about to read an introduction: if they are
   * alone, bots wait until it is closed.
   */
  introduces?: (options: View['options']) => boolean;
  /** The middle stays beside a choice even without a trick; otherwise the choice takes its room. */
  keepsMiddle?: boolean;
  /** Whether its middle needs all the room of a small phone: there the others are patches. */
  needsRoom?: boolean;
  /** What the seats have in front of them matters in examples of the rules. */
  seatsInExamples?: boolean;
  /** What decides a match before the points do, such as hearts; null if nothing does. */
  decidesFirst?: (view: View, seat: number) => DecidesFirst | null;
  /** A symbol that a day draws on a card: a path in a square of 24. */
  symbolOf?: (board: Board, card: string) => string;
  /** The name of the same symbol, for screen readers. */
  symbolName?: (board: Board, card: string) => string;
  /** Cards that are hatched, such as those of the person's pain colour. */
  isMarked?: (board: Board, card: string) => boolean;
  /** What the hatching means, for screen readers. */
  markName?: () => string;
}

const LOADERS = import.meta.glob<{ parts: GameParts }>('./*/parts.ts');

const loaded = new Map<string, Promise<GameParts>>();

/**
 * Return the components of a game; one without its own uses the generic table.
 *
 * The same promise every time: `known` depends on the language, and `{#await}` must not rebuild the
 * table when that changes.
 */
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
