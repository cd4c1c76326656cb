/** A trick that is taken goes onto the piles card by card while it still lies there for all to see. */
import { tick } from 'svelte';

import { motion } from '../../motion/motion';
import type { Board } from '../../state/board';
import { moves, settings } from '../../state/settings.svelte';
import { layingOrder, pilesOf, withCards } from './facts';
import type { Piles } from './facts';

const UNTIL_TAPPED = 2000; // milliseconds that collecting takes where a trick lies until it is tapped

class Collecting {
  /** How many cards of the held trick lie on the piles by now. */
  laid = $state(0);

  /** Begin with a trick of so many cards; the answer ends it. */
  begin(cards: number): () => void {
    if (!moves()) return () => undefined;
    const time = settings.hold ? 1000 * settings.hold : UNTIL_TAPPED;
    const timers = Array.from({ length: cards }, (_, at) =>
      setTimeout(() => this.#lay(at + 1), time * (0.4 + (0.45 * at) / cards)),
    );
    return () => {
      timers.forEach(clearTimeout);
      this.laid = 0;
    };
  }

  #lay(laid: number): void {
    motion.before();
    this.laid = laid;
    void tick().then(() => motion.after());
  }
}

const all = new WeakMap<Board, Collecting>();

/** The collecting at a board: seats, trick and own piles share it. */
export function collectingAt(board: Board): Collecting {
  const known = all.get(board) ?? new Collecting();
  all.set(board, known);
  return known;
}

/** The piles of a seat as they are shown: with what of the held trick lies on them already. */
export function pilesShown(board: Board, seat: number): Piles {
  const frame = board.frame;
  if (!frame) return [];
  const piles = pilesOf(frame.view, seat);
  if (frame.held[0]?.taker !== seat) return piles;
  const cards = layingOrder(board).map(([, card]) => card);
  return withCards(piles, cards.slice(0, collectingAt(board).laid));
}
