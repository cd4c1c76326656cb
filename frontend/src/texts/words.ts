/**
 * Texts in two languages, chosen by the settings, with placeholders: `{name}`.
 *
 * Each part of the page has its own pair of files, and its own function made by `words`; the
 * compiler ensures that both languages have the same texts.
 */
import { settings } from '../state/settings.svelte';

type TextData = Readonly<Record<string, string | number>>;
export type Say<Id extends string> = (id: Id, data?: TextData) => string;

/** Return a function that returns the texts of one part of the page, in the current language. */
export function words<Id extends string>(
  de: Readonly<Record<Id, string>>,
  en: Readonly<Record<Id, string>>,
): Say<Id> {
  return (id, data = {}) => filled((settings.lang === 'de' ? de : en)[id], data);
}

/** Put data into a text: `{count} card||{count} cards` has one form for one, one for all else. */
export function filled(text: string, data: TextData): string {
  const [one = '', many] = text.split('||');
  const form = many === undefined || data.count === 1 ? one : many;
  return form.replace(/\{(\w+)\}/g, (whole, name: string) => isolated(String(data[name] ?? whole)));
}

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;
const RIGHT_TO_LEFT_RUN = new RegExp(
  `(${RIGHT_TO_LEFT.source}+(?:[\\s\\d]*${RIGHT_TO_LEFT.source}+)*)`,
);

/** Split a text at what is written from right to left: every second part is. */
export function rightToLeft(text: string): string[] {
  return text.split(RIGHT_TO_LEFT_RUN);
}

/** Isolate a name that is written from right to left, so that it does not reorder the sentence. */
function isolated(text: string): string {
  return RIGHT_TO_LEFT.test(text) ? `\u2068${text}\u2069` : text;
}
