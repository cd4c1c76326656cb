/** Whether the others at a table are only their patches: where their plates would need too much room. */
import { MediaQuery } from 'svelte/reactivity';

import type { Board } from '../state/board';

export const MANY = 4; // others whose whole plates would leave the trick too little room

/** As in the styles of the seats. */
const upright = new MediaQuery('(max-width: 699px) and (min-height: 481px)');
const small = new MediaQuery('(max-width: 699px) and (min-height: 481px) and (max-height: 600px)');
/** Too low for plates, a question and the hand: a small phone, and any phone on its side. */
const low = [
  new MediaQuery('(max-width: 699px) and (max-height: 600px)'),
  new MediaQuery('(max-height: 480px)'),
];

type SeatsShown = Pick<Board, 'table' | 'frame' | 'seat'>;

/** Many seats on an upright phone. Replays and lessons show their seats in another way. */
export function isCrowded({ table, frame, seat }: SeatsShown): boolean {
  const seats = frame?.view.seats ?? 0;
  return table !== null && upright.current && seats - (seat === null ? 0 : 1) >= MANY;
}

/** A small phone, upright. */
export function isSmall(): boolean {
  return small.current;
}

/** Many seats, or a question on a low screen. */
export function isCompact(board: SeatsShown & Pick<Board, 'myTurn' | 'view'>): boolean {
  const isLow = low.some((query) => query.current);
  return isCrowded(board) || (board.table !== null && isLow && isAsked(board));
}

/** Whether the person is asked for something other than a card to play. */
function isAsked({ myTurn, view, frame }: Pick<Board, 'myTurn' | 'view' | 'frame'>): boolean {
  if (!myTurn || !view || view.phase === 'play') return false;
  return frame?.view.phase === view.phase && frame.held.length === 0;
}
