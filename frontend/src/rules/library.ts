/** The rules of the games, from the server: fetched once per language. */
import { get } from '../net/api';
import type { Day, Rules, Section } from '../protocol';
import { settings } from '../state/settings.svelte';

const KEPT = 'stichwerk-rules ';
const asked = new Map<string, Promise<Rules>>();
const days = new Map<string, Promise<readonly Section[]>>();

/** Return the rules of a game in the current language. */
export function rulesOf(game: string): Promise<Rules> {
  const key = `${settings.lang} ${game}`;
  const known = asked.get(key);
  if (known) return known;
  const rules = get<Rules>(`rules/${encodeURIComponent(game)}`).then(
    (found) => keep(key, found),
    (error: unknown) =>
      kept(key) ?? kept(`${settings.lang === 'de' ? 'en' : 'de'} ${game}`) ?? Promise.reject(error),
  );
  asked.set(key, rules);
  rules.catch(() => asked.delete(key)); // another try next time
  return rules;
}

/**
 * Return the rules of a day of Stichtag in the current language, by a version of the rules; null:
 * the newest.
 */
export function dayRules(date: string, version: number | null): Promise<readonly Section[]> {
  const query = version === null ? '' : `?rules=${version}`;
  const key = `${settings.lang} ${date}${query}`;
  const known = days.get(key);
  if (known) return known;
  const sections = get<Day>(`calendar/${encodeURIComponent(date)}${query}`).then(
    (day) => day.sections,
  );
  days.set(key, sections);
  sections.catch(() => days.delete(key));
  return sections;
}

/**
 * References to the discussion of a rule: numbers such as `L1` there are not cards, and the file is
 * not a page.
 */
const RULINGS = /\s*(?:Warum|Why)[^`.]*`docs\/rulings\.md` \([^)]*\)\./;

/** Return the first words of the rules, for readers of a page. */
export function introduction(markdown: string): string {
  return markdown.replace(RULINGS, '');
}

/** Store rules, so that they can be read again without a connection. */
function keep(key: string, rules: Rules): Rules {
  try {
    localStorage.setItem(`${KEPT}${key}`, JSON.stringify(rules));
  } catch {
    // Then they need a connection.
  }
  return rules;
}

function kept(key: string): Rules | null {
  try {
    return JSON.parse(localStorage.getItem(`${KEPT}${key}`) ?? 'null') as Rules | null;
  } catch {
    return null;
  }
}

/**
 * Sections on how to write options and moves: useful at a keyboard, not for learning the game. The
 * start page describes the options; their codes are for the command line.
 */
const REFERENCE = new Set(['options', 'typed-moves']);

export function isReference(section: string): boolean {
  return REFERENCE.has(section);
}
