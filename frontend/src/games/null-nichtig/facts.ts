/** The facts specific to Null & nichtig's view, prepared for display. */
import { say as sayCard, valueOf } from '../../cards/cards';
import type { Colour } from '../../cards/cards';
import type { Gain, View } from '../../protocol';
import type { Board } from '../../state/board';
import { say } from './texts';

/** The colours of the piles, in their fixed order. */
export const PILES: readonly Colour[] = ['R', 'Y', 'G', 'B', 'L'];

export interface Pile {
  top: string;
  size: number;
}
export type Piles = readonly (Pile | null)[];

/** Return the piles of a seat, in the order of the colours. */
export function pilesOf(view: View, seat: number): Piles {
  const all = view.table.piles as readonly Piles[] | undefined;
  return all?.[seat] ?? PILES.map(() => null);
}

/** Return the value of a seat's piles. */
export function pointsOf(view: View, seat: number): number {
  return (view.table.points as readonly number[] | undefined)?.[seat] ?? 0;
}

/** Return all cards of a seat's piles, bottom first. */
export function heapsOf(view: View, seat: number): readonly (readonly string[])[] {
  const all = view.table.heaps as readonly (readonly string[])[][] | undefined;
  return all?.[seat] ?? [];
}

/** A card of a taken trick on its pile: the pile's new height, and the value of all piles. */
export interface Collected {
  play: number;
  pile: number;
  size: number;
  points: number;
}

interface CollectedTrick {
  cards: readonly string[];
  collected: readonly Collected[];
}

/** Return how the held trick goes onto the piles; nothing if the server describes another one. */
export function collectedOf(board: Board): readonly Collected[] {
  const last = board.frame?.held[0]?.last as CollectedTrick | null | undefined;
  const plays = board.frame?.view.tricks[0]?.plays ?? [];
  return last?.cards.join() === plays.map(([, card]) => card).join() ? last.collected : [];
}

/**
 * Return the plays of the trick on the table, from 0, in the order in which they go onto the piles.
 */
export function layingOrder(board: Board): readonly number[] {
  if (board.frame?.held.length) return collectedOf(board).map(({ play }) => play);
  return (board.frame?.view.table.order as readonly number[] | undefined) ?? [];
}

/** Return what the raised card would do to piles, or the trick as it stands. */
export function forecastOf(board: Board): { card: string | null; gain: Gain } | null {
  if (board.frame?.held.length) return null;
  const card = board.myTurn ? board.selection.raised : null;
  const effect = board.outlook?.effects.find((one) => one.move === card);
  const gain = card !== null ? effect?.changes[0] : board.outlook?.standing.tricks[0]?.worth[0];
  return gain ? { card, gain } : null;
}

/** Format points with a sign and an arrow. */
export function signed(points: number): string {
  return points > 0 ? `+${points}` : points < 0 ? `−${-points}` : '±0';
}

export function arrow(points: number): string {
  return points > 0 ? '↑' : points < 0 ? '↓' : '';
}

/** Return a pile in words. */
export function pileWords(pile: Pile | null, at: number): string {
  const colour = sayCard(PILES[at]!);
  if (!pile) return say('no-pile', { colour });
  return say('pile', { colour, value: valueOf(pile.top), count: pile.size });
}
