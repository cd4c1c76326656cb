/** The interface for the components of a game: a live table, a replay, a lesson. */
import type { Event, Outlook, Table, View } from '../protocol';
import type { Frame } from './frames';

export interface Board {
  /** What is known; null before the cards are dealt. */
  readonly view: View | null;
  /** What is shown, which may lag a little behind. */
  readonly frame: Frame | null;
  /** The hand as it is shown, where cards stay for a moment after they were played. */
  readonly hand?: readonly string[];
  /** The person's seat; null for a spectator. */
  readonly seat: number | null;
  /** Who is addressed as "you", where that is somebody else: in a replay with all cards open. */
  readonly you?: number | null;
  /** The table, where there is one: not in a replay, nor in a lesson. */
  readonly table: Table | null;
  /** The events of this match so far, where they are kept. */
  readonly events?: readonly Event[];
  /** Cards that came into the hand since the person's last move, such as one that was passed. */
  readonly received?: readonly string[];
  /** The effects of the current moves, in words. */
  readonly outlook: Outlook | null;
  /** Whether we have to move, and nothing of ours is being sent. */
  readonly myTurn: boolean;
  /** The move being sent. */
  readonly sending: string | null;
  /** A card to be played as soon as possible. */
  readonly queued: string | null;
  /** The card that is raised, and cards picked for a choice of several. */
  readonly selection: Selected;
  nameOf(seat: number): string;
  /** Returns the legal moves that contain a card. */
  movesWith(card: string): readonly string[];
  play(move: string): Promise<void>;
  /** Asks what an incomplete choice would do; null where that is unknown. */
  tryOut(move: string): Promise<Outlook | null>;
  /** Continue at once: dismiss what is held. */
  goOn(): void;
}

export interface Selected {
  raised: string | null;
  picked: readonly string[];
  asked: string | null;
  /** How many cards a choice needs: then a tap picks. 0: a tap raises a card to play it. */
  picking: number;
  /** Returns whether some move has this card besides those that are picked. */
  canPick(card: string): boolean;
  tap(card: string): void;
  playNow(move: string): void;
  clear(): void;
}
