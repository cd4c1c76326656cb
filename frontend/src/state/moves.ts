/** How moves are written. */

/** Return the cards of a move: `G8>2`, `G3+G4`, `R3,R9,B0`. */
export function cardsOf(move: string): string[] {
  return move.split('>')[0]!.split(/[+,]/);
}
