/** What the choices of all games share. */
import type { Effect } from '../../protocol';
import type { Board } from '../../state/board';

/** Return what a move would do, if the server has already sent it. */
export function effectOf(board: Board, move: string | null): Effect | undefined {
  return board.outlook?.effects.find((effect) => effect.move === move);
}

/** Format points with their sign. */
export function signed(points: number): string {
  return points > 0 ? `+${points}` : points < 0 ? `−${-points}` : '±0';
}

/** Return whether the displayed view is the current one: only then do texts about it fit. */
export function isNow(board: Board): boolean {
  const { frame, view } = board;
  if (!frame || !view || frame.held.length || frame.roundOver !== null) return false;
  return frame.view.tricks[0]?.plays.length === view.tricks[0]?.plays.length;
}
