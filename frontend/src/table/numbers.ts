/** Number formats. */
import { settings } from '../state/settings.svelte';

/** Format a number with a proper minus sign, and with a comma where the language has one. */
export function signed(value: number): string {
  // The browser's own formats take long: a whole number looks the same without them.
  const digits = Number.isInteger(value)
    ? String(value)
    : value.toLocaleString(settings.lang, { useGrouping: false });
  return digits.replace('-', '−');
}

/** Format a gain: always with its sign. */
export function gain(value: number): string {
  return value > 0 ? `+${signed(value)}` : value === 0 ? '±0' : signed(value);
}
