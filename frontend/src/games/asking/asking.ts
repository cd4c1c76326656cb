/** What the choices of games have in common. */
import type { Effect } from '../../protocol';
import type { Board } from '../../state/board';

/** What a move would do, if the server has told already. */
export function effectOf(board: Board, move: string | null): Effect | undefined {
  return board.outlook?.effects.find((effect) => effect.move === move);
}

/** Points with their sign, as people write them. */
export function signed(points: number): string {
  return points > 0 ? `+${points}` : points < 0 ? `−${-points}` : '±0';
}

/** Whether what is shown is what is known: words about now fit only then. */
export function isNow(board: Board): boolean {
  const { frame, view } = board;
  if (!frame || !view || frame.held.length || frame.roundOver !== null) return false;
  return frame.view.tricks[0]?.plays.length === view.tricks[0]?.plays.length;
}
