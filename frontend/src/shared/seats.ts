/** The letter of a seat: names may be the same, letters are not. */
export function letterOf(seat: number): string {
  return 'ABCDEF'.charAt(seat);
}
