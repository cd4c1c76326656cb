/** Create tables: against bots at once, or with friends. */
import { makeTable } from '../net/api';
import type { Level, NewTable, Opponent, SettingsSent } from '../protocol';
import { router } from '../state/route.svelte';
import { settings } from '../state/settings.svelte';
import { keepToken } from '../state/tokens';
import { say } from './gatherTexts';

export type Value = null | number | string | readonly string[];
export type Chosen = Readonly<Record<string, Value>>;

const MARK = 'stichwerk-begin';
let marked: string | null = null;

/**
 * Return the person's name. Someone who only wants to play against bots is not asked for it; the
 * page says "you" to them, and a record needs a name that is no pronoun.
 */
export function ownName(): string {
  return settings.name.trim() || say('guest');
}

/** Return today's date as the calendar of Stichtag writes it, in the person's time zone. */
export function today(now: Date = new Date()): string {
  const two = (number: number) => String(number).padStart(2, '0');
  return `${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}

/**
 * Create a match against bots that begins by itself: they have all other seats already, characters
 * first.
 */
export async function playAgainstBots(
  game: string,
  seats: number,
  level: Level = 'medium',
  options: Chosen = {},
  more: SettingsSent = {},
  characters: readonly Opponent[] = [],
): Promise<void> {
  const others = Array.from(
    { length: seats - 1 },
    (_, at) => [String(at + 1), characters[at] ?? level] as const,
  );
  const bots = Object.fromEntries(others);
  await open(
    {
      game,
      seats,
      options,
      bots,
      settings: { level, pace: settings.pace, ...more },
      name: ownName(),
    },
    true,
  );
}

/** Create a table to wait for friends. */
export async function openTable(wish: NewTable): Promise<void> {
  await open(wish, false);
}

async function open(wish: NewTable, begin: boolean): Promise<void> {
  const made = await makeTable(wish);
  keepToken(made.table, made.token, wish.game);
  if (begin) markBegin(made.table);
  router.go(`/t/${made.table}`);
}

// -- A match that begins by itself --------------------------------------------------------------

/**
 * Note that a table was created to be played at once. The note survives a reload, but not the tab.
 */
export function markBegin(table: string): void {
  marked = table;
  try {
    sessionStorage.setItem(MARK, table);
  } catch {
    // Then it lasts as long as the page.
  }
}

/** Return whether a table was created to be played at once. */
export function isToBegin(table: string): boolean {
  try {
    return (sessionStorage.getItem(MARK) ?? marked) === table;
  } catch {
    return marked === table;
  }
}

/** Forget the note: the match has begun, or cannot. */
export function forgetBegin(): void {
  marked = null;
  try {
    sessionStorage.removeItem(MARK);
  } catch {
    // There was none.
  }
}
