/** The facts specific to Stichling's view, and the targets of moves. */
import type { View } from '../../protocol';
import type { Board } from '../../state/board';
import { partsOf } from '../../state/moves';
import { known } from '../known.svelte';

/** Return the places of tricks. */
export function placesOf(view: View): readonly number[] {
  return Array.from({ length: known(view.game).places }, (_, place) => place);
}

/** Return how many cards fill a place. */
export function fullAt(view: View): number {
  return (view.table.full as number | undefined) ?? 0;
}

/** A seat's three scoring cards: what is turned up so far, and which of them is face up. */
export interface Scoring {
  turned: readonly (number | null)[];
  face_up: number | null;
}

export function scoringOf(view: View, seat: number): Scoring {
  const all = view.table.scoring as readonly Scoring[] | undefined;
  return all?.[seat] ?? { turned: [null, null, null], face_up: null };
}

/** Return the values of this round's scoring cards. */
export function valuesOf(view: View): readonly number[] {
  return (view.table.values as readonly number[] | undefined) ?? [];
}

/** Return the person's order, once it is chosen. */
export function orderOf(view: View): readonly number[] | null {
  return (view.mine.order as readonly number[] | undefined) ?? null;
}

/**
 * Return what each number of tricks is worth to the person, from zero on; once the order is chosen.
 */
export function worthOf(view: View): readonly number[] {
  return (view.mine.worth as readonly number[] | undefined) ?? [];
}

/** Return for each place the move that plays a card there. */
export function targetsOf(view: View, moves: readonly string[]): Map<number, string> {
  return new Map(moves.map((move) => [partsOf(view, move).place ?? -1, move]));
}

interface LastTrick {
  cards: readonly string[];
  best_card: string;
}

/** Return which card is winning the trick at a place, or has taken the one that is held there. */
export function bestCard(board: Board, place: number): string | null {
  const view = board.frame?.view;
  const held = board.frame?.held.find((one) => one.place === place);
  if (!held)
    return (view?.table.best_cards as readonly (string | null)[] | undefined)?.[place] ?? null;
  const last = held.last as LastTrick | null | undefined;
  const plays = view?.tricks.find((one) => one.place === place)?.plays ?? [];
  return last?.cards.join() === plays.map(([, card]) => card).join() ? last.best_card : null;
}
