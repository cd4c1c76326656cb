/** What Sticheln shows, read from the view. */
import { colourOf } from '../../cards/cards';
import type { Colour } from '../../cards/cards';
import type { Board } from '../../state/board';
import { words } from '../../texts/words';
import { isNow } from '../asking/asking';
import de from './sticheln.de.json';
import en from './sticheln.en.json';

export const say = words(de, en);

/** The pain card of a seat; null as long as it lies face down. */
export function painOf(board: Board, seat: number | null): string | null {
  const pain = board.frame?.view.table.pain as readonly string[] | null | undefined;
  if (seat === null || !pain) return null;
  return pain[seat] ?? null;
}

/** The own pain card, while it still lies face down for the others. */
export function secretPain(board: Board): string | null {
  return (board.view?.mine.pain as string | undefined) ?? null;
}

/** The pain colour of a seat; null as long as its card lies face down. */
export function painColour(board: Board, seat: number | null): Colour | null {
  const colours = board.frame?.view.table.pain_colours as readonly Colour[] | null | undefined;
  return seat === null ? null : (colours?.[seat] ?? null);
}

/** Whether a card is of the own pain colour. */
export function hurts(board: Board, card: string): boolean {
  const secret = board.view?.mine.pain_colour as Colour | undefined;
  return colourOf(card) === (painColour(board, board.seat) ?? secret);
}

/** Whether there is no trick of which something could be told: none lies, or it is over already. */
export function noTrick(board: Board): boolean {
  return !board.frame?.view.tricks.length || board.frame.held.length > 0;
}

/** What a seat has in this round so far; null where the table keeps it hidden, as the rules do. */
export function runningOf(board: Board, seat: number): number | null {
  const { frame, view } = board;
  if (!frame || frame.roundOver !== null || frame.view.round !== view?.round) return null;
  return board.outlook?.standing.running[seat] ?? null;
}

/** What the trick on the table would bring a seat; null where none lies, or nobody has told yet. */
export function worthTo(board: Board, seat: number): number | null {
  if (!isNow(board) || !board.view?.tricks.length) return null;
  const worth = board.outlook?.standing.tricks[0]?.worth;
  return worth?.find((gain) => gain.seat === seat)?.points ?? null;
}
