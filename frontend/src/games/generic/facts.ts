/** Facts of a view that have no component of their own: formatted generically. */
import type { View } from '../../protocol';
import { say } from './texts';

export interface GenericFact {
  name: string;
  /** Text that may contain card codes. */
  words: string;
}

/** `face_up` → `Face up`. */
export function readable(key: string): string {
  const words = key.replace(/[_-]+/g, ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Return a value in words, also for nested lists and objects. */
export function inWords(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–';
  if (typeof value === 'boolean') return say(value ? 'yes' : 'no');
  if (Array.isArray(value)) return value.length ? value.map(inWords).join(' · ') : '–';
  if (typeof value !== 'object') return String(value);
  const parts = Object.entries(value).map(([key, one]) => `${readable(key)}: ${inWords(one)}`);
  return parts.join(', ') || '–';
}

/** Return whether a fact has one entry per seat. */
function perSeat(value: unknown, view: View): value is readonly unknown[] {
  return Array.isArray(value) && value.length === view.seats;
}

/** Return the public facts of the table, except those shown beside the seats. */
export function factsOfTable(view: View): GenericFact[] {
  return Object.entries(view.table)
    .filter(([, value]) => !perSeat(value, view) && inWords(value) !== '–')
    .map(([key, value]) => ({ name: readable(key), words: inWords(value) }));
}

/** Return the facts of one seat. */
export function factsOfSeat(view: View, seat: number): GenericFact[] {
  return Object.entries(view.table).flatMap(([key, value]) =>
    perSeat(value, view) && inWords(value[seat]) !== '–'
      ? [{ name: readable(key), words: inWords(value[seat]) }]
      : [],
  );
}

/** Return what only our seat knows. */
export function factsOfMine(view: View): GenericFact[] {
  return Object.entries(view.mine).map(([key, value]) => ({
    name: readable(key),
    words: inWords(value),
  }));
}
