/** Return the letter of a seat: names may be equal, letters are not. */
export function letterOf(seat: number): string {
  return 'ABCDEF'.charAt(seat);
}
