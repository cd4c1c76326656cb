import { fireEvent, render, screen } from '@testing-library/svelte';
import { beforeEach, expect, test, vi } from 'vitest';

import type { Event, FactInfo, SheetInfo, ShownInfo, View } from '../../protocol';
import { giving, lying } from '../../state/moves.testing';
import { settings } from '../../state/settings.svelte';
import { boardOf, effect, outlookOf, viewOf } from '../board.fixture';
import Announce from './Announce.svelte';
import DayTrick from './DayTrick.svelte';
import Discard from './Discard.svelte';
import { faceDownSeats, pilesOf, seatFacts, shownOf } from './facts';
import Gift from './Gift.svelte';
import Own from './Own.svelte';
import { parts } from './parts';
import PassOn from './PassOn.svelte';
import { pathOf } from './symbols';
import TableFacts from './TableFacts.svelte';
import Take from './Take.svelte';
import SheetDialog from './SheetDialog.svelte';
import { dayKey, isUnread, learnDay, symbolName, symbolOf, todayOf } from './today.svelte';
import TrumpChoice from './TrumpChoice.svelte';
import Veto from './Veto.svelte';

function sheet(
  name: string,
  kind: SheetInfo['kind'],
  number: number,
  more: Partial<SheetInfo> = {},
): SheetInfo {
  return {
    name,
    kind,
    number,
    label: name,
    title: name,
    short: 'short',
    text: [],
    symbol: null,
    drawing: '',
    facts: [],
    shown: [],
    values: [],
    origin: 'own',
    origin_text: '',
    replaces: [],
    extends: [],
    notes: [],
    ...more,
  };
}

const leaf = sheet('September', 'month', 9, { symbol: 'leaf', drawing: 'M2 22z', values: [6] });
const trick = lying({
  place: 0,
  led: 'G',
  plays: [
    [1, 'G5'],
    [2, 'R6'],
    [3, 'G1'],
    [0, 'G9'],
  ],
  winning: 2,
});

beforeEach(() => {
  settings.lang = 'en';
});

function fact(name: string, form: FactInfo['form'], more: Partial<FactInfo> = {}): FactInfo {
  return { name, form, text: name, short: null, most: 0, signs: ['', ''], lost: '', ...more };
}

const some = (name: string, more: Partial<FactInfo> = {}) =>
  fact(name, 'count', { text: `{count} ${name}||{count} ${name}s`, most: 6, ...more });
const hearts = { text: '{count} heart||{count} hearts', signs: ['♥', '♡'], lost: 'lost' } as const;
const everything = [
  sheet('green 3', 'green', 3, { facts: [fact('hearts', 'signs', hearts)] }),
  sheet('red', 'red', 4, {
    facts: [
      fact('partner', 'own', { short: 'p.' }),
      some('aside'),
      fact('bid', 'number', { text: 'bid {count}', short: 'of {count}', most: 12 }),
    ],
  }),
  sheet('July', 'month', 7, {
    drawing: 'M7 7z',
    values: [7],
    facts: [fact('sunstroke', 'holder', { short: '' }), some('gift', { short: '{count}' })],
  }),
];

const there = (view: View, seat: number) =>
  seatFacts(view, seat, everything)
    .filter((fact) => fact.there)
    .map((fact) => fact.text);

test('every fact of a seat is shown', () => {
  const table = {
    hearts: [1, 2, 0, 2],
    lost: [1, 0, 2, 0],
    bid: [3, 0, 1, 2],
    sunstroke: 0,
    aside: [2, 0, 0, 0],
    gift: [1, 0, 0, 0],
  };
  const view = viewOf({ table, mine: { partner: 1 } });
  expect(there(view, 0)).toEqual(['♥♡', 'bid 3', 'sunstroke', '2 asides', '1 gift']);
  expect(there(view, 1)).toEqual(['♥♥', 'bid 0', 'partner']);
  expect(seatFacts(view, 2, everything)[0]?.spoken).toBe('0 hearts');
});

test('facts of the day have reserved space before they apply', () => {
  const table = { bid: null, sunstroke: null, gift: [0, 0, 0, 0] };
  const facts = seatFacts(viewOf({ table, mine: { partner: 1 } }), 0, everything);
  expect(facts.map((one) => [one.id, one.there, one.widest, one.shortWidest])).toEqual([
    ['bid', false, 'bid 12', 'of 12'],
    ['sunstroke', false, 'sunstroke', ''],
    ['gift', false, '6 gifts', '6'],
    ['partner', false, 'partner', 'p.'],
  ]);
  expect(facts.map((one) => [one.kind, one.symbol])).toEqual([
    ['red', ''],
    ['month', 'M7 7z'],
    ['month', 'M7 7z'],
    ['red', ''],
  ]);
});

function shown(name: string, form: ShownInfo['form'], more: Partial<ShownInfo> = {}): ShownInfo {
  const texts = { text: name, counted: '', states: {}, instead: '', event: '', by: '' };
  return { name, form, own: false, stock: false, ...texts, ...more };
}

const one = { text: 'one way', sign: '↻' };
const showing = [
  sheet('red', 'red', 1, {
    shown: [shown('named', 'colour'), shown('hidden', 'cards', { own: true })],
  }),
  sheet('month', 'month', 9, {
    shown: [
      shown('heap', 'cards', { text: '{count} trick||{count} tricks', counted: 'tricks' }),
      shown('to_give', 'cards', { text: '{count} gift||{count} gifts' }),
      shown('way', 'state', { states: { '1': one } }),
    ],
  }),
];

test('piles in the middle are listed with their cards', () => {
  const view = viewOf({ table: { heap: ['G6', 'R1'], tricks: 1, to_give: ['B0'] } });
  expect(pilesOf(view, showing).map((pile) => [pile.id, pile.cards.length, pile.text])).toEqual([
    ['heap', 2, '1 trick'],
    ['to_give', 1, '1 gift'],
  ]);
  const asked = { ...view, ...giving(['B0>1', 'B0>2']) };
  expect(pilesOf(asked, showing, true).map((pile) => pile.id)).toEqual(['heap']);
  expect(pilesOf(viewOf({ table: { heap: [] } }), showing)).toEqual([]);
});

test('what sheets show on the table is read from their descriptions', () => {
  const view = viewOf({ table: { named: 'G', way: 1 }, mine: { hidden: 'R3' } });
  const seen = (own: boolean) =>
    shownOf(view, showing, own).map(({ id, text, colour, sign }) => [id, text, colour, sign]);
  expect(seen(false)).toEqual([
    ['named', 'named', 'G', ''],
    ['way', 'one way', null, '↻'],
  ]);
  expect(seen(true)).toEqual([['hidden', 'hidden', null, '']]);
  expect(shownOf(viewOf({ table: { named: null, way: 2 } }), showing, false)).toEqual([]);
});

test('what another sheet of the day replaces is not shown', () => {
  const turning = shown('way', 'state', { states: { '1': one }, instead: 'turn' });
  const day = [
    sheet('red', 'red', 1, { replaces: ['turn'] }),
    sheet('month', 'month', 3, { shown: [turning] }),
  ];
  const view = viewOf({ table: { way: 1 } });
  expect(shownOf(view, day, false)).toEqual([]);
  expect(shownOf(view, day.slice(1), false).map((fact) => fact.text)).toEqual(['one way']);
});

test('seats with face-down cards come from the server', () => {
  expect(faceDownSeats(viewOf({ table: { named: 'G', face_down: [1, 2] } }))).toEqual([1, 2]);
  expect(faceDownSeats(viewOf({ table: {} }))).toEqual([]);
});

test('a sheet draws its own symbol, a neutral one if it has none, nothing on no cards', () => {
  expect(pathOf(leaf)).toBe('M2 22z');
  expect(pathOf(sheet('May@ab12', 'month', 5, { values: [1] }))).toMatch(/^M12 1l/);
  expect(pathOf(sheet('red 4', 'red', 4, { drawing: 'M2 22z' }))).toBe('');
});

test('the symbol is drawn only on its cards, once the day is loaded', async () => {
  const day = { words: '14 September', date: '09-14', sheets: [leaf], notes: [] };
  vi.stubGlobal('fetch', () => Promise.resolve(new Response(JSON.stringify(day))));
  const board = boardOf(viewOf({ options: { date: '09-14', sheets: [] } }));
  expect(symbolOf(board, 'G6')).toBe('');
  await learnDay(board.view!);
  expect(todayOf(board)?.words).toBe('14 September');
  expect(symbolOf(board, 'G6')).toBe('M2 22z');
  expect(symbolName(board, 'G6')).toBe('leaf');
  expect(symbolOf(board, 'G7')).toBe('');
  vi.unstubAllGlobals();
});

function serveSheets(all: readonly SheetInfo[]): void {
  const body = JSON.stringify({ sheets: all, parts: [] });
  vi.stubGlobal('fetch', () => Promise.resolve(new Response(body)));
}

test('sheets without a date form a day, and a custom sheet uses its texts', async () => {
  const mine = sheet('September@ab12', 'month', 9, {
    title: 'Windfall',
    short: 'Apples fall',
    symbol: 'apple',
    values: [4],
  });
  serveSheets([leaf, sheet('red 4', 'red', 4), mine]);
  const board = boardOf(viewOf({ options: { date: null, sheets: ['September@ab12', 'red 4'] } }));
  expect(dayKey(board.view!.options)).toBe('September@ab12 + red 4');
  expect(dayKey({ date: null, sheets: [] })).toBe('');
  await learnDay(board.view!);
  expect(todayOf(board)?.sheets.map((one) => [one.title, one.values, one.short])).toEqual([
    ['Windfall', [4], 'Apples fall'],
    ['red 4', [], 'short'],
  ]);
  expect(symbolName(board, 'G4')).toBe('apple');
  vi.unstubAllGlobals();
});

test('a custom sheet that the server no longer has does not get built-in texts', async () => {
  serveSheets([leaf]);
  const board = boardOf(viewOf({ options: { date: null, sheets: ['September@cd34'] } }));
  await learnDay(board.view!);
  expect(todayOf(board)?.sheets.map((one) => [one.name, one.values, one.short])).toEqual([
    ['September', [], ''],
  ]);
  vi.unstubAllGlobals();
});

test('a sheet that can reverse the winner shows who wins, with its dot', async () => {
  serveSheets([sheet('red 9', 'red', 9, { replaces: ['low'] })]);
  const board = boardOf(
    viewOf({ options: { date: null, sheets: ['red 9'] }, table: { trump: 'R' } }),
  );
  await learnDay(board.view!);
  const { rerender } = render(TableFacts, { board, lowest: true });
  expect(screen.getByText('lowest wins')).toBeTruthy();
  expect(screen.getByRole('img', { name: 'new today, red 9' })).toBeTruthy();
  await rerender({ board, lowest: false });
  expect(screen.getByText('highest wins')).toBeTruthy();
  vi.unstubAllGlobals();
});

test('notes that apply are shown with a choice', () => {
  const outlook = outlookOf();
  const standing = { ...outlook.standing, notes: ['An exact announcement is −5.'] };
  render(Announce, {
    board: boardOf(viewOf({ phase: 'announce', moves: ['0', '1'] }), {
      outlook: { ...outlook, standing },
    }),
  });
  expect(screen.getByText('An exact announcement is −5.')).toBeTruthy();
  expect(
    screen.getByRole('button', { name: 'Show the whole note' }).getAttribute('aria-expanded'),
  ).toBe('false');
});

test('trump is shown, and what sheets show beside it', async () => {
  const named = shown('named', 'colour', { event: 'named', by: '{name} names' });
  const way = shown('way', 'state', { states: { '-1': { text: 'anticlockwise', sign: '↺' } } });
  serveSheets([
    sheet('red 1', 'red', 1, { shown: [named] }),
    sheet('March', 'month', 3, { shown: [way] }),
  ]);
  const options = { date: null, sheets: ['red 1', 'March'] };
  const view = viewOf({ options, table: { trump: null, way: -1, named: 'G' } });
  const own = boardOf(view, { events: [{ kind: 'named', seat: 0, move: 'G' }] });
  const { container, unmount } = render(TableFacts, { board: own });
  expect(container.textContent).not.toContain('names');
  unmount();
  const board = boardOf(view, { events: [{ kind: 'named', seat: 2, move: 'G' }] });
  await learnDay(viewOf({ options }));
  render(TableFacts, { board });
  expect(screen.getByText('no trump')).toBeTruthy();
  expect(screen.getByText(/anticlockwise/)).toBeTruthy();
  expect(screen.getByText(/Cleo names/).textContent).toContain('green');
  expect(screen.getByRole('img', { name: 'new today, March' })).toBeTruthy();
  vi.unstubAllGlobals();
});

test('a struck card is marked, also in a held trick', () => {
  const view = viewOf({ tricks: [trick], table: { veto: 0, struck: null } });
  const frame = { view, held: [{ place: 0, taker: 0 }], played: null, roundOver: null };
  const events: Event[] = [
    { kind: 'veto', seat: 0, move: 'veto 2', struck: 2 },
    { kind: 'trick', seat: 0, cards: ['G5', 'R6', 'G1', 'G9'] },
  ];
  render(DayTrick, { board: boardOf(view, { frame, events }) });
  expect(screen.getByRole('img', { name: /Cleo, red 6.*struck/ })).toBeTruthy();
  expect(screen.getByRole('img', { name: /Ben, green 5, led$/ })).toBeTruthy();
});

test('a trick that stays on the table is taken by nobody', () => {
  const view = viewOf({ tricks: [trick] });
  const frame = (taker: number | null) => ({
    ...{ view, held: [{ place: 0, taker }], played: null, roundOver: null },
  });
  const { unmount } = render(DayTrick, { board: boardOf(view, { frame: frame(2) }) });
  screen.getByRole('img', { name: 'Cleo, red 6, takes the trick' });
  unmount();
  render(DayTrick, { board: boardOf(view, { frame: frame(null) }) });
  screen.getByRole('img', { name: 'Cleo, red 6, winning' });
});

test('a face-down card is shown only to its player', () => {
  const view = viewOf({
    table: { named: 'G', face_down: [0, 1, 2] },
    waiting_for: [3],
    mine: { face_down: 'G5' },
    moves: [],
  });
  render(DayTrick, { board: boardOf(view) });
  expect(screen.getByRole('img', { name: 'you, green 5, face down' })).toBeTruthy();
  expect(screen.getByRole('img', { name: 'Ben, face down' })).toBeTruthy();
  expect(screen.getByRole('img', { name: 'Dan, no card yet' })).toBeTruthy();
});

test('an announcement is picked and confirmed', async () => {
  const moves = Array.from({ length: 13 }, (_, at) => String(at));
  const board = boardOf(viewOf({ phase: 'announce', moves }));
  render(Announce, { board });
  await fireEvent.click(screen.getByRole('radio', { name: '3' }));
  await fireEvent.click(screen.getByRole('button', { name: 'Announce 3 tricks' }));
  expect(board.played).toEqual(['3']);
});

test('the receiver of a passed card comes from the server', async () => {
  const board = boardOf(viewOf({ phase: 'pass', table: { passes_to: [2, 3, 1, 0] } }));
  board.selection.raised = 'R2';
  render(PassOn, { board });
  expect(screen.getByRole('heading', { name: 'Give a card to Cleo' })).toBeTruthy();
  await fireEvent.click(screen.getByRole('button'));
  expect(board.played).toEqual(['R2']);
});

test('discards are picked in any order', async () => {
  const board = boardOf(viewOf({ phase: 'discard', moves: ['R1,R2', 'R1,G5', 'R2,G5'] }));
  const { unmount } = render(Discard, { board });
  expect(board.selection.picking).toBe(2);
  board.selection.tap('G5');
  board.selection.tap('R1');
  await fireEvent.click(await screen.findByRole('button', { name: /Discard/ }));
  expect(board.played).toEqual(['R1,G5']);
  unmount();
  expect(board.selection.picking).toBe(0);
});

test('a gift goes to the chosen seat', async () => {
  const outlook = outlookOf({ effects: [effect('B0>2', 'Cleo +1')] });
  const board = boardOf(viewOf({ phase: 'gift', ...giving(['G0>1', 'G0>2', 'B0>1', 'B0>2']) }), {
    outlook,
  });
  render(Gift, { board });
  await fireEvent.click(screen.getByRole('button', { name: 'blue 0' }));
  await fireEvent.click(screen.getByRole('button', { name: /to Cleo/ }));
  expect(board.played).toEqual(['B0>2']);
});

test('the veto defaults to passing; striking takes two taps', async () => {
  const board = boardOf(
    viewOf({ phase: 'veto', tricks: [trick], moves: ['pass', 'veto 1', 'veto 2', 'veto 3'] }),
  );
  render(Veto, { board });
  expect(document.activeElement?.textContent?.trim()).toBe('Pass');
  const cleo = screen.getAllByRole('button').find((one) => one.textContent?.includes('Cleo'))!;
  await fireEvent.click(cleo);
  expect(board.played).toEqual([]);
  await fireEvent.click(cleo);
  expect(board.played).toEqual(['veto 2']);
});

test('points can be taken or left', async () => {
  const board = boardOf(viewOf({ phase: 'take', moves: ['leave', 'take'] }));
  render(Take, { board });
  await fireEvent.click(screen.getByRole('button', { name: /Leave/ }));
  expect(board.played).toEqual(['leave']);
});

test('one of the drawn colours is chosen as trump', async () => {
  const outlook = outlookOf({ effects: [effect('B', 'trump is blue: you hold 3 cards of it')] });
  const board = boardOf(viewOf({ phase: 'trump', moves: ['R', 'B'] }), { outlook });
  render(parts.choices['trump']!, { board });
  const buttons = screen.getAllByRole('button');
  expect(buttons.map((one) => one.textContent?.replace(/\s+/g, ' ').trim())).toEqual([
    'red',
    'blue trump is blue: you hold 3 cards of it',
  ]);
  await fireEvent.click(screen.getByRole('button', { name: /^blue/ }));
  expect(board.played).toEqual(['B']);
});

test('the letter of a colour helps who wants it; screen readers get the name alone', () => {
  settings.letters = true;
  render(TrumpChoice, { board: boardOf(viewOf({ phase: 'trump', moves: ['R', 'B'] })) });
  expect(screen.getByText('B')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'blue' })).toBeTruthy();
  settings.letters = false;
});

test('drawn colours are shown with their chooser until one is trump', async () => {
  const drawn = (more: Partial<View>, trump: string | null = null) =>
    boardOf(viewOf({ phase: 'trump', moves: [], table: { trump, trumps: ['B', 'R'] }, ...more }));
  const words = () => screen.getByRole('list').textContent?.replace(/\s+/g, ' ').trim();
  const { rerender } = render(TableFacts, { board: drawn({ waiting_for: [2] }) });
  expect(words()).toBe('Cleo chooses trump: blue or red');
  await rerender({ board: drawn({ waiting_for: [0] }) });
  expect(words()).toBe('Trump blue or red');
  await rerender({ board: drawn({ waiting_for: [2] }, 'R') });
  expect(words()).toBe('Trump red');
});

test('texts are those of the version that is played', async () => {
  const asked: string[] = [];
  const day = { words: '10 May', date: '05-10', sheets: [leaf], notes: [] };
  vi.stubGlobal('fetch', (url: URL) => {
    asked.push(decodeURIComponent(url.pathname + url.search));
    const sheets = { sheets: [leaf, sheet('red 0', 'red', 0)] };
    const body = url.pathname.endsWith('05-10') ? day : sheets;
    return Promise.resolve(new Response(JSON.stringify(body)));
  });
  const options = { date: '05-10', sheets: [] };
  for (const rules of [1, 2, 2]) await learnDay(viewOf({ options, rules }));
  await learnDay(viewOf({ options: { date: null, sheets: ['red 0', 'September'] }, rules: 1 }));
  expect(asked).toEqual([
    '/api/calendar/05-10?rules=1&lang=en',
    '/api/calendar/05-10?rules=2&lang=en',
    '/api/calendar?rules=1&sheets=red+0,September&lang=en',
  ]);
  expect(todayOf(boardOf(viewOf({ options, rules: 1 })))?.words).toBe('10 May');
  expect(todayOf(boardOf(viewOf({ options, rules: 3 })))).toBeNull();
  vi.unstubAllGlobals();
});

test('an unknown choice shows a row of buttons', async () => {
  const board = boardOf(viewOf({ phase: 'wish', moves: ['for 0', 'for 1', 'for 2'] }));
  render(parts.choices['wish'] ?? parts.choices['*']!, { board });
  await fireEvent.click(screen.getByRole('button', { name: /for 2/ }));
  expect(board.played).toEqual(['for 2']);
});

test('your secrets are shown to you', async () => {
  const aside = shown('aside', 'cards', { own: true, text: 'Aside:' });
  const hidden = shown('hidden', 'cards', { own: true, text: '' }); // part of the trick
  serveSheets([sheet('red 8', 'red', 8, { shown: [aside, hidden] })]);
  const options = { date: null, sheets: ['red 8'] };
  await learnDay(viewOf({ options }));
  const mine = { partner: 2, aside: ['R1', 'B3'], hidden: 'G4', chosen: '4' };
  render(Own, { board: boardOf(viewOf({ options, phase: 'announce', mine })) });
  expect(screen.getByText(/Cleo’s points/)).toBeTruthy();
  expect(screen.getByText(/Your announcement: 4/)).toBeTruthy();
  expect(screen.getByRole('list', { name: 'Aside:' })).toBeTruthy();
  expect(screen.getAllByRole('listitem')).toHaveLength(2);
  vi.unstubAllGlobals();
});

test('the introduction says the sentence of a sheet once, and what every day has in common', () => {
  HTMLDialogElement.prototype.showModal ??= vi.fn();
  const today = { words: '10 May', date: '05-10', sheets: [leaf], notes: [] };
  const { container } = render(SheetDialog, { today, at: 0, walk: true, onclose: () => undefined });
  expect(container.textContent.split(leaf.short)).toHaveLength(2);
  expect(container.textContent).toContain('each trick is worth 1 point');
});

test('bots wait for the introduction: until it was read, and not if it cannot be shown', async () => {
  const options = { date: '06-11', sheets: [] };
  settings.seen = [];
  expect(isUnread(options)).toBe(true);
  expect(isUnread({ date: null, sheets: [] }), 'the base game has none').toBe(false);
  settings.seen = ['day 06-11'];
  expect(isUnread(options)).toBe(false);
  settings.seen = [];
  vi.stubGlobal('fetch', () => Promise.reject(new Error('offline')));
  await learnDay(viewOf({ options }));
  expect(isUnread(options), 'nobody can read it').toBe(false);
});
