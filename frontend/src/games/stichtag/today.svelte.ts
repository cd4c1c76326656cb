/**
 * The sheets of the day being played, from the server: fetched once per language and version of the
 * rules.
 */
import { SvelteMap, SvelteSet } from 'svelte/reactivity';

import { valueOf } from '../../cards/cards';
import { get } from '../../net/api';
import type { Calendar, CrossNote, Day, SheetInfo, View } from '../../protocol';
import type { Board } from '../../state/board';
import { settings } from '../../state/settings.svelte';
import { pathOf } from './symbols';

export interface Today {
  /** The date in words; empty where sheets are played without one. */
  words: string;
  date: string | null;
  sheets: readonly SheetInfo[];
  /** Cross-notes that apply today. */
  notes: readonly CrossNote[];
}

type Options = Readonly<Record<string, unknown>>;
/** What is played: options and the version of the rules. */
type PlayedDay = Pick<View, 'options' | 'rules'>;

const found = new SvelteMap<string, Today>();
/** Days whose sheets could not be fetched: nobody can read about them. */
const unknownDays = new SvelteSet<string>();
// eslint-disable-next-line svelte/prefer-svelte-reactivity -- bookkeeping: nothing shows it
const asked = new Set<string>();

/**
 * Return the sheets that are named explicitly: `red 4`, or with the hash of a custom file after
 * `@`.
 */
function named(options: Options): readonly string[] {
  return Array.isArray(options.sheets) ? (options.sheets as string[]) : [];
}

/** Return a key of the day: empty in the base game. */
export function dayKey(options: Options): string {
  const date = typeof options.date === 'string' ? options.date : '';
  return [date, ...named(options)].filter(Boolean).join(' + ');
}

/** Return the name under which a day counts as seen. */
export function seenName(options: Options): string {
  return `day ${dayKey(options)}`;
}

/** Return whether the sheets of a day will be explained: for the first time, and if they are known. */
export function isUnread(options: Options): boolean {
  return isAwaited(options) && !settings.seen.includes(seenName(options));
}

/** Return whether the sheets of a day are still to come. */
export function isAwaited(options: Options): boolean {
  const key = dayKey(options);
  return key !== '' && !unknownDays.has(key);
}

function keyOf({ options, rules }: PlayedDay): string {
  return `${settings.lang} ${rules} ${dayKey(options)}`;
}

/** Return the day of a board, if it has one that is already known. */
export function todayOf(board: Pick<Board, 'view'>): Today | null {
  return board.view ? (found.get(keyOf(board.view)) ?? null) : null;
}

/** Load the day; safe to call often. */
export async function learnDay(played: PlayedDay): Promise<void> {
  const key = keyOf(played);
  if (!dayKey(played.options) || asked.has(key)) return;
  asked.add(key);
  try {
    const today = await dayOf(played);
    found.set(key, today);
    if (!today.sheets.length) unknownDays.add(dayKey(played.options));
  } catch {
    unknownDays.add(dayKey(played.options));
    asked.delete(key); // another try with the next move
  }
}

/** Return the day with the texts of the version that is played, as they are on that day. */
async function dayOf({ options, rules }: PlayedDay): Promise<Today> {
  if (typeof options.date !== 'string') return together('', null, named(options), rules);
  const { words, date, sheets, notes } = await get<Day>(`calendar/${options.date}?rules=${rules}`);
  const own = named(options);
  if (!own.length) return { words, date, sheets, notes };
  const names = sheets.map(({ name }) => own.find((one) => placeOf(one) === name) ?? name);
  return together(words, date, names, rules);
}

/** Return the day with these sheets. */
async function together(
  words: string,
  date: string | null,
  names: readonly string[],
  rules: number,
): Promise<Today> {
  const wanted = encodeURIComponent(names.join(','));
  const all = (await get<Calendar>(`calendar?rules=${rules}&sheets=${wanted}`)).sheets;
  const own = names.filter((name) => name.includes('@'));
  const places = new Set(names.map(placeOf));
  const sheets = all.filter((one) => places.has(one.name)).map((one) => inPlace(one, own, all));
  return { words, date, sheets, notes: notesAmong(sheets) };
}

/** `January@ab12` → `January`. */
function placeOf(name: string): string {
  return name.split('@')[0]!;
}

/** Return the sheet at the place of one of ours: the custom one, if there is one. */
function inPlace(ours: SheetInfo, own: readonly string[], known: readonly SheetInfo[]): SheetInfo {
  const name = own.find((one) => placeOf(one) === ours.name);
  if (name === undefined) return ours;
  return known.find((one) => one.name === name) ?? unknownSheet(ours);
}

/** Return the cross-notes that sheets have for each other. */
function notesAmong(sheets: readonly SheetInfo[]): CrossNote[] {
  const places = sheets.map((one) => placeOf(one.name));
  return sheets.flatMap((one) => one.notes).filter((note) => places.includes(note.other));
}

/** Return a custom sheet that this server no longer has: its place is known, its texts are not. */
function unknownSheet(ours: SheetInfo): SheetInfo {
  const nothing = { title: ours.label, short: '', text: [], symbol: null, values: [], notes: [] };
  return { ...ours, ...nothing, origin: 'own', origin_text: '', replaces: [], extends: [] };
}

/** Return the sheet of today that changes a part of the base rules. */
export function sheetChanging(today: Today | null, part: string): SheetInfo | undefined {
  return today?.sheets.find((one) => one.replaces.includes(part) || one.extends.includes(part));
}

/** Return the symbol on a card today, as a path. */
export function symbolOf(board: Board, card: string): string {
  const sheet = carriedBy(board, card);
  return sheet ? pathOf(sheet) : '';
}

/** Return the symbol on a card today, in words. */
export function symbolName(board: Board, card: string): string {
  const sheet = carriedBy(board, card);
  return sheet?.symbol ?? sheet?.title ?? '';
}

function carriedBy(board: Board, card: string): SheetInfo | undefined {
  return todayOf(board)?.sheets.find((one) => one.values.includes(Number(valueOf(card))));
}
