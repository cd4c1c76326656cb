/** What Sticheln shows, read from the view. */
import { colourOf } from '../../cards/cards';
import type { Colour } from '../../cards/cards';
import type { Board } from '../../state/board';
import { lastTrickOf } from '../../state/lastTrick';
import { words } from '../../texts/words';
import { isNow } from '../asking/asking';
import de from './sticheln.de.json';
import en from './sticheln.en.json';

export const say = words(de, en);

/** Return the pain card of a seat; null while it is face down. */
export function painOf(board: Board, seat: number | null): string | null {
  const pain = board.frame?.view.table.pain as readonly string[] | null | undefined;
  if (seat === null || !pain) return null;
  return pain[seat] ?? null;
}

/** Return the person's pain card while it is still face down for the others. */
export function secretPain(board: Board): string | null {
  return (board.view?.mine.pain as string | undefined) ?? null;
}

/** Return the pain colour of a seat; null while its card is face down. */
export function painColour(board: Board, seat: number | null): Colour | null {
  const colours = board.frame?.view.table.pain_colours as readonly Colour[] | null | undefined;
  return seat === null ? null : (colours?.[seat] ?? null);
}

/** Return whether a card is of the person's pain colour. */
export function hurts(board: Board, card: string): boolean {
  const secret = board.view?.mine.pain_colour as Colour | undefined;
  return colourOf(card) === (painColour(board, board.seat) ?? secret);
}

/** Return what a resting trick brought a seat; null for all who did not take it. */
export function gainOf(board: Board, seat: number | null): number | null {
  return lastTrickOf(board)?.worth.find((gain) => gain.seat === seat)?.points ?? null;
}

/** Return whether a seat takes the resting trick, and loses points by it. */
export function takesPain(board: Board, seat: number | null): boolean {
  return (gainOf(board, seat) ?? 0) < 0;
}

/** Return whether there is no current trick: none is open, or it is already over. */
export function noTrick(board: Board): boolean {
  return !board.frame?.view.tricks.length || board.frame.held.length > 0;
}

/** Return a seat's score in this round so far; null where the table hides it, as the rules do. */
export function runningOf(board: Board, seat: number): number | null {
  const { frame, view } = board;
  if (!frame || frame.roundOver !== null || frame.view.round !== view?.round) return null;
  return board.outlook?.standing.running[seat] ?? null;
}

/**
 * Return what the trick on the table is worth to a seat; null if there is none, or it is unknown.
 */
export function worthTo(board: Board, seat: number): number | null {
  if (!isNow(board) || !board.view?.tricks.length) return null;
  const worth = board.outlook?.standing.tricks[0]?.worth;
  return worth?.find((gain) => gain.seat === seat)?.points ?? null;
}
