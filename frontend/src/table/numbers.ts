/** Number formats. */

/** Format a number with a proper minus sign. */
export function signed(value: number): string {
  return String(value).replace('-', '−');
}

/** Format a gain: always with its sign. */
export function gain(value: number): string {
  return value > 0 ? `+${value}` : value === 0 ? '±0' : signed(value);
}
