/** Dates of Stichtag's calendar: any tens digit, any ones digit, any month, `MM-DD`. */
import { settings } from '../state/settings.svelte';

const TENS = 4;
const ONES = 10;
const MONTHS = 12;
const LENGTHS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

export interface DateParts {
  tens: number;
  ones: number;
  month: number;
}

/** Return the three parts of a date; null if it is not one. */
export function partsOf(date: string): DateParts | null {
  const found = /^(0[1-9]|1[0-2])-([0-3])([0-9])$/.exec(date);
  return found && { month: Number(found[1]), tens: Number(found[2]), ones: Number(found[3]) };
}

/** Return the date of three parts, each of which may overflow. */
export function dateOf({ tens, ones, month }: DateParts): string {
  const within = (number: number, size: number): number => ((number % size) + size) % size;
  const two = String(within(month - 1, MONTHS) + 1).padStart(2, '0');
  return `${two}-${within(tens, TENS)}${within(ones, ONES)}`;
}

/** Return the date with one sheet turned forwards or backwards. */
export function turned(date: string, kind: 'green' | 'red' | 'month', by: number): string {
  const parts = partsOf(date);
  if (!parts) return date;
  const part = ({ green: 'tens', red: 'ones', month: 'month' } as const)[kind];
  return dateOf({ ...parts, [part]: parts[part] + by });
}

/** Return whether the date exists in a real calendar. */
export function isReal(date: string): boolean {
  const parts = partsOf(date);
  const day = parts ? 10 * parts.tens + parts.ones : 0;
  return day >= 1 && day <= (LENGTHS[(parts?.month ?? 0) - 1] ?? 0);
}

/** Return all days of a month: the real ones, and those that only the game has. */
export function daysOf(month: number): { real: string[]; impossible: string[] } {
  const all = Array.from({ length: TENS * ONES }, (_, day) =>
    dateOf({ tens: Math.floor(day / ONES), ones: day % ONES, month }),
  );
  return { real: all.filter(isReal), impossible: all.filter((date) => !isReal(date)) };
}

/** Return a random date of the 480. */
export function anyDate(random: () => number = Math.random): string {
  const upTo = (size: number): number => Math.floor(random() * size);
  return dateOf({ tens: upTo(TENS), ones: upTo(ONES), month: upTo(MONTHS) + 1 });
}

/** Return the name of a month. */
export function monthName(month: number): string {
  const day = new Date(2024, month - 1, 1);
  return new Intl.DateTimeFormat(settings.lang, { month: 'long' }).format(day);
}

/** Return a date in words, also for impossible ones: `14 September`. */
export function dateWords(date: string): string {
  const parts = partsOf(date);
  if (!parts) return date;
  const day = 10 * parts.tens + parts.ones;
  return `${settings.lang === 'de' ? `${day}.` : day} ${monthName(parts.month)}`;
}
