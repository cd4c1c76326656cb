/** What Stichling's view holds besides the usual, and where moves lead to. */
import { colourOf, valueOf } from '../../cards/cards';
import type { Trick, View } from '../../protocol';

/** Cards that fill a place. */
export const FULL = 4;
export const PLACES = [0, 1, 2, 3] as const;

/** A seat's three scoring cards: what was turned up so far, and which of them lies face up. */
export interface Scoring {
  turned: readonly (number | null)[];
  face_up: number | null;
}

export function scoringOf(view: View, seat: number): Scoring {
  const all = view.table.scoring as readonly Scoring[] | undefined;
  return all?.[seat] ?? { turned: [null, null, null], face_up: null };
}

/** The values of this round's scoring cards. */
export function valuesOf(view: View): readonly number[] {
  return (view.table.values as readonly number[] | undefined) ?? [];
}

/** The own order, once it is laid. */
export function orderOf(view: View): readonly number[] | null {
  return (view.mine.order as readonly number[] | undefined) ?? null;
}

/** For each place the move that brings a card there; a new trick goes to the first free place. */
export function targetsOf(view: View, moves: readonly string[]): Map<number, string> {
  const open = new Set(view.tricks.map((trick) => trick.place));
  const free = PLACES.find((place) => !open.has(place)) ?? 0;
  return new Map(
    moves.map((move) => {
      const where = move.split('>')[1] ?? '';
      return [where === 'new' ? free : Number(where) - 1, move];
    }),
  );
}

/** Which card of a trick has it: of whoever has it, the highest in the led colour. */
export function winningCard(trick: Trick): string | null {
  const own = trick.plays
    .filter(([seat, card]) => seat === trick.winning && colourOf(card) === trick.led)
    .map(([, card]) => card);
  return own.sort((one, other) => Number(valueOf(other)) - Number(valueOf(one)))[0] ?? null;
}
