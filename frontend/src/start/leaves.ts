/** A date of the calendar as three leaves: the tens, the ones, the month. */
import { settings } from '../state/settings.svelte';

export interface LeafText {
  kind: 'green' | 'red' | 'month';
  text: string;
}

/** Return the leaves of a date such as `09-14`. */
export function leavesOf(date: string): LeafText[] {
  return [
    { kind: 'green', text: date.slice(3, 4) },
    { kind: 'red', text: date.slice(4, 5) },
    { kind: 'month', text: monthName(Number(date.slice(0, 2))) },
  ];
}

/** Return a date such as `09-14` in words. */
export function dayInWords(date: string): string {
  const [month = 1, day = 1] = date.split('-').map(Number);
  const inLeapYear = new Date(2000, month - 1, day);
  return inLeapYear.toLocaleDateString(settings.lang, { day: 'numeric', month: 'long' });
}

function monthName(month: number): string {
  const name = new Date(2000, month - 1, 1).toLocaleDateString(settings.lang, { month: 'short' });
  return name.replace('.', '').slice(0, 4);
}
