/** What the legal moves of a view name, as the server says it: nothing here reads their texts. */
import type { MoveParts, View } from '../protocol';

type Moves = Pick<View, 'moves' | 'move_parts'>;

const NOTHING: MoveParts = {};

/** Return what a legal move names; nothing for any other text. */
export function partsOf(view: Moves | null, move: string | null): MoveParts {
  if (!view || move === null) return NOTHING;
  return view.move_parts[view.moves.indexOf(move)] ?? NOTHING;
}

/** Return the cards of a legal move. */
export function cardsOf(view: Moves | null, move: string | null): readonly string[] {
  return partsOf(view, move).cards ?? [];
}

/** Return the cards of each legal move, in their order. */
export function cardsOfMoves(view: Moves | null): readonly (readonly string[])[] {
  return view?.moves.map((_, at) => view.move_parts[at]?.cards ?? []) ?? [];
}

/** Return the legal moves that contain a card. */
export function movesWith(view: Moves | null, card: string): readonly string[] {
  return view?.moves.filter((_, at) => view.move_parts[at]?.cards?.includes(card)) ?? [];
}
