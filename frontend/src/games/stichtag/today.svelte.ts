/** The sheets of the day that is played, as the server tells them: fetched once for each language. */
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
const asked = new Set<string>();

/** The sheets that are named by themselves: `red 4`, or with the hash of an own file behind `@`. */
function named(options: Options): readonly string[] {
  return Array.isArray(options.sheets) ? (options.sheets as string[]) : [];
}

/** What day it is, as a key: empty in the base game. */
export function dayKey(options: Options): string {
  const date = typeof options.date === 'string' ? options.date : '';
  return [date, ...named(options)].filter(Boolean).join(' + ');
}

/** The day of a board, if it has one and it is known already. */
export function todayOf(board: Board): Today | null {
  const options = board.view?.options ?? board.table?.options;
  return options ? (found.get(`${settings.lang} ${dayKey(options)}`) ?? null) : null;
}

/** Learn what day it is; safe to be called often. */
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
  const names = named(options);
  if (typeof options.date === 'string') {
    const { words, date, sheets, notes } = await get<Day>(`calendar/${options.date}`);
    const own = new Set(names.map((name) => name.split('@')[0]));
    return { words, date, notes, sheets: sheets.map((one) => (own.has(one.name) ? ownSheet(one) : one)) };
  }
  const all = (await get<Calendar>('calendar')).sheets;
  const places = names.map((name) => name.split('@')[0]);
  const sheets = all
    .filter((one) => places.includes(one.name))
    .map((one) => (names.includes(one.name) ? one : ownSheet(one)));
  const notes = sheets.flatMap((one) => one.notes).filter((note) => places.includes(note.other));
  return { words: '', date: null, sheets, notes };
}

/** A sheet of someone's own: its place is known, its texts are not. */
function ownSheet(ours: SheetInfo): SheetInfo {
  const nothing = { title: ours.label, short: '', text: [], symbol: null, values: [], notes: [] };
  return { ...ours, ...nothing, origin: 'own', origin_text: '', replaces: [], extends: [] };
}

/** The sheet of today that changes a part of the base rules. */
export function sheetChanging(today: Today | null, part: string): SheetInfo | undefined {
  return today?.sheets.find((one) => one.replaces.includes(part) || one.extends.includes(part));
}

/** The symbol on a card today, as a path. */
export function symbolOf(board: Board, card: string): string {
  const sheet = carriedBy(board, card);
  return sheet ? pathOf(sheet) : '';
}

/** The symbol on a card today, in words. */
export function symbolName(board: Board, card: string): string {
  const sheet = carriedBy(board, card);
  return sheet?.symbol ?? sheet?.title ?? '';
}

function carriedBy(board: Board, card: string): SheetInfo | undefined {
  return todayOf(board)?.sheets.find((one) => one.values.includes(Number(valueOf(card))));
}
