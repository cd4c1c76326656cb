/** The sheets of the day being played, from the server: fetched once per language. */
import { SvelteMap } from 'svelte/reactivity';

import { valueOf } from '../../cards/cards';
import { get } from '../../net/api';
import type { Calendar, CrossNote, Day, SheetInfo } from '../../protocol';
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

const found = new SvelteMap<string, Today>();
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

/** Return the day of a board, if it has one that is already known. */
export function todayOf(board: Board): Today | null {
  const options = board.view?.options ?? board.table?.options;
  return options ? (found.get(`${settings.lang} ${dayKey(options)}`) ?? null) : null;
}

/** Load the day; safe to call often. */
export async function learnDay(options: Options): Promise<void> {
  const key = `${settings.lang} ${dayKey(options)}`;
  if (!dayKey(options) || asked.has(key)) return;
  asked.add(key);
  try {
    found.set(key, await dayOf(options));
  } catch {
    asked.delete(key); // another try with the next move
  }
}

async function dayOf(options: Options): Promise<Today> {
  const own = named(options).filter((name) => name.includes('@'));
  if (typeof options.date === 'string') {
    const { words, date, sheets, notes } = await get<Day>(`calendar/${options.date}`);
    const mine = own.length
      ? (await get<Calendar>('calendar')).sheets.filter((one) => own.includes(one.name))
      : [];
    const today = sheets.map((one) => inPlace(one, own, mine));
    return { words, date, sheets: today, notes: own.length ? notesAmong(today) : notes };
  }
  const all = (await get<Calendar>('calendar')).sheets;
  const names = named(options);
  const places = new Set(names.map(placeOf));
  const sheets = all.filter((one) => places.has(one.name)).map((one) => inPlace(one, own, all));
  return { words: '', date: null, sheets, notes: notesAmong(sheets) };
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
