/** Numbers as people read them. */

/** A number with a proper minus. */
export function signed(value: number): string {
  return String(value).replace('-', '−');
}

/** What something brought: with its sign, whichever it is. */
export function gain(value: number): string {
  return value > 0 ? `+${value}` : value === 0 ? '±0' : signed(value);
}
