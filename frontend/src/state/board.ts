/** What the parts of a game may use: a table that is played at, a replay, a lesson. */
import type { Event, Outlook, Table, View } from '../protocol';
import type { Frame } from './frames';

export interface Board {
  /** What is known; null before the cards are dealt. */
  readonly view: View | null;
  /** What is shown, which may be a little behind. */
  readonly frame: Frame | null;
  /** The person's seat; null for a spectator. */
  readonly seat: number | null;
  /** The table, where there is one: not in a replay, nor in a lesson. */
  readonly table: Table | null;
  /** What happened so far in this match, where it is kept. */
  readonly events?: readonly Event[];
  /** What the moves of now would mean, in words. */
  readonly outlook: Outlook | null;
  /** Whether a move of ours is wanted, and nothing of ours is on its way. */
  readonly myTurn: boolean;
  /** The move that is on its way. */
  readonly sending: string | null;
  /** A card that is to be played as soon as it may be. */
  readonly queued: string | null;
  /** The card that is raised, and cards picked for a choice of several. */
  readonly selection: Selected;
  nameOf(seat: number): string;
  /** The legal moves that a card is part of. */
  movesWith(card: string): readonly string[];
  play(move: string): Promise<void>;
  /** What a choice that is being made would mean; null where nobody can tell. */
  tryOut(move: string): Promise<Outlook | null>;
  /** Continue at once: dismiss what is held. */
  goOn(): void;
}

export interface Selected {
  raised: string | null;
  picked: readonly string[];
  asked: string | null;
  /** How many cards a choice wants: then a tap picks. 0: a tap raises a card to play it. */
  picking: number;
  /** Whether some move has this card besides those that are picked. */
  canPick(card: string): boolean;
  tap(card: string): void;
  playNow(move: string): void;
  clear(): void;
}
