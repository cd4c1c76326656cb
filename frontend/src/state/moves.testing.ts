/** Moves for tests: their parts, as the server would send them. */
import type { MoveParts, Trick, View } from '../protocol';

/** Return views' `moves` with their parts; `free`: the place where a new trick opens. */
export function moving(moves: readonly string[], free = 3): Pick<View, 'moves' | 'move_parts'> {
  return { moves, move_parts: moves.map((move) => parts(move, free)) };
}

function parts(move: string, free: number): MoveParts {
  if (/^\d+(,\d+)*$/.test(move)) return { numbers: move.split(',').map(Number) };
  if (/^[RYGBLS]$/.test(move)) return { colour: move };
  if (move.startsWith('veto ')) return { seat: Number(move.slice(5)) };
  const [what = '', where] = move.split('>');
  const cards = what.split(/[+,]/).filter((word) => /^[RYGBLS]\d+$/.test(word));
  if (where === undefined) return { cards };
  if (where === 'new') return { cards, place: free, opens: true };
  return { cards, place: Number(where) - 1 };
}

/** Return gifts: moves of one card to a seat. */
export function giving(moves: readonly string[]): Pick<View, 'moves' | 'move_parts'> {
  const split = moves.map((move) => move.split('>') as [string, string]);
  return { moves, move_parts: split.map(([card, to]) => ({ cards: [card], seat: Number(to) })) };
}

/** Return a trick with the cards of its plays. */
export function lying(trick: Omit<Trick, 'cards'>): Trick {
  return { ...trick, cards: trick.plays.map(([, play]) => play.split('+')) };
}
