/** Animates a taken trick: it goes onto the piles card by card while it is still shown. */
import { tick } from 'svelte';

import { motion } from '../../motion/motion';
import { afterFrame, later } from '../../motion/pace';
import type { Board } from '../../state/board';
import { moves, settings } from '../../state/settings.svelte';
import { collectedOf, heapsOf, pilesOf, pointsOf } from './facts';
import type { Collected, Piles } from './facts';

const UNTIL_TAPPED = 2000; // milliseconds of collecting where a trick stays until it is tapped

class Collecting {
  /** How many cards of the held trick are on the piles by now. */
  laid = $state(0);

  /** Begin with a trick of this many cards; return a function that ends it. */
  begin(cards: number): () => void {
    if (!moves()) return () => undefined;
    const time = settings.hold ? 1000 * settings.hold : UNTIL_TAPPED;
    const stops = Array.from({ length: cards }, (_, at) =>
      later(time * (0.4 + (0.45 * at) / cards), () => this.#lay(at + 1)),
    );
    return () => {
      for (const stop of stops) stop();
      this.laid = 0;
    };
  }

  #lay(laid: number): void {
    motion.before();
    this.laid = laid;
    void tick().then(() => {
      motion.prepare();
      afterFrame(() => motion.start());
    });
  }
}

const all = new WeakMap<Board, Collecting>();

/** Return the collecting of a board: seats, trick and piles share it. */
export function collectingAt(board: Board): Collecting {
  const known = all.get(board) ?? new Collecting();
  all.set(board, known);
  return known;
}

/** Return the part of the held trick that is already on the piles of a seat. */
function laidOn(board: Board, seat: number): readonly (Collected & { card: string })[] {
  const held = board.frame?.held[0];
  if (held?.taker !== seat) return [];
  const plays = board.frame?.view.tricks[0]?.plays ?? [];
  const laid = collectedOf(board).slice(0, collectingAt(board).laid);
  return laid.map((one) => ({ ...one, card: plays[one.play]?.[1] ?? '' }));
}

/** Return the piles of a seat as shown: with the part of the held trick that is already on them. */
export function pilesShown(board: Board, seat: number): Piles {
  if (!board.frame) return [];
  const piles = [...pilesOf(board.frame.view, seat)];
  for (const { card, pile, size } of laidOn(board, seat)) piles[pile] = { top: card, size };
  return piles;
}

/** Return their value. */
export function pointsShown(board: Board, seat: number): number {
  const view = board.frame?.view;
  return laidOn(board, seat).at(-1)?.points ?? (view ? pointsOf(view, seat) : 0);
}

/** Return all their cards, bottom first. */
export function heapsShown(board: Board, seat: number): readonly (readonly string[])[] {
  if (!board.frame) return [];
  const heaps = heapsOf(board.frame.view, seat).map((heap) => [...heap]);
  for (const { card, pile } of laidOn(board, seat)) heaps[pile]?.push(card);
  return heaps;
}
