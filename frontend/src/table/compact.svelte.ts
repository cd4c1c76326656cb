/** Whether the others at a table are only their patches: many seats on an upright phone. */
import { MediaQuery } from 'svelte/reactivity';

import type { Board } from '../state/board';

const MANY = 4; // others whose whole plates would leave the trick too little room

/** As in the styles of the seats. */
const upright = new MediaQuery('(max-width: 699px) and (min-height: 481px)');

/** Replays and lessons show their seats in another way. */
export function isCompact({
  table,
  frame,
  seat,
}: Pick<Board, 'table' | 'frame' | 'seat'>): boolean {
  const seats = frame?.view.seats ?? 0;
  return table !== null && upright.current && seats - (seat === null ? 0 : 1) >= MANY;
}
