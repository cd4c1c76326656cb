/** Targets of moves, and what they are called. */
import { say } from './texts';

/** Return the target of a move: `2` in `G8>2`, null if it has none. */
export function targetOf(move: string): string | null {
  const at = move.indexOf('>');
  return at < 0 ? null : move.slice(at + 1);
}

/** Return the target of a move in words; a gift goes to a person, a card to a place. */
export function targetName(move: string, phase: string, nameOf: (seat: number) => string): string {
  const target = targetOf(move);
  if (target === null) return move;
  if (target === 'new') return say('target-new');
  return phase === 'play' ? say('target-place', { place: target }) : nameOf(Number(target));
}

/** Return the move with this target. */
export function moveTo(moves: readonly string[], target: string): string | undefined {
  return moves.find((move) => targetOf(move) === target);
}
