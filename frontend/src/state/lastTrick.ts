/** The trick that still rests on the table: what the server says about it. */
import type { TrickNow } from '../protocol';
import type { Board } from './board';

type Resting = Pick<Board, 'frame' | 'outlook'>;

/** The answer stays for as long as the trick does, while the next moves bring new outlooks. */
const known = new WeakMap<object, TrickNow>();

/** Return who won the resting trick, why, and what it was worth; null if that is not known yet. */
export function lastTrickOf({ frame, outlook }: Resting): TrickNow | null {
  const held = frame?.held[0];
  if (!held) return null;
  const last = outlook?.standing.last;
  const plays = frame.view.tricks.find((trick) => trick.place === held.place)?.plays ?? [];
  const isIt =
    last?.place === held.place &&
    (last.winner === null
      ? held.taker === null
      : plays.some(([seat, card]) => seat === last.winner && card === last.card));
  if (last && isIt) known.set(held, last);
  return known.get(held) ?? null;
}
