import { render, screen } from '@testing-library/svelte';
import { beforeEach, expect, test, vi } from 'vitest';

import june from '../../../../src/stichwerk/games/stichtag/sheets/texts/june.json';
import type { FactInfo, View } from '../../protocol';
import { giving } from '../../state/moves.testing';
import { settings } from '../../state/settings.svelte';
import { boardOf, viewOf } from '../board.fixture';
import { pilesOf, seatFacts, shownOf } from './facts';
import Own from './Own.svelte';
import { parts } from './parts';
import Seat from './Seat.svelte';
import { pathOf } from './symbols';
import { fact, panel, serveSheets, sheet, shown } from './sheets.fixture';
import TableFacts from './TableFacts.svelte';
import SheetDialog from './SheetDialog.svelte';
import { dayKey, isUnread, learnDay, symbolName, symbolOf, todayOf } from './today.svelte';

const leaf = sheet('September', 'month', 9, { symbol: 'leaf', drawing: 'M2 22z', values: [6] });
beforeEach(() => {
  settings.lang = 'en';
});

const some = (name: string, more: Partial<FactInfo> = {}) =>
  fact(name, 'count', { text: `{count} ${name}||{count} ${name}s`, most: 6, ...more });
const hearts = { text: '{count} heart||{count} hearts', signs: ['♥', '♡'], lost: 'lost' } as const;
const everything = [
  sheet('green 3', 'green', 3, { facts: [fact('hearts', 'signs', hearts)] }),
  sheet('red', 'red', 4, {
    facts: [
      fact('partner', 'own', { short: 'p.' }),
      some('aside'),
      fact('bid', 'number', { text: 'bid {count}', short: '/{count}', most: 12 }),
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

test('in June a seat shows the flowers it has won, beside the flower of the cards', async () => {
  const { facts, drawing } = june;
  const { form, most, text, short } = facts.flowers;
  const flowers = fact('flowers', form as 'count', { most, text: text.en, short: short.en });
  serveSheets([sheet('June', 'month', 6, { drawing, values: [6], facts: [flowers] })]);
  const options = { date: null, sheets: ['June'] };
  const view = viewOf({ options, taken: [1, 4, 2, 0], table: { flowers: [1, 3, 0, 0] } });
  await learnDay(view);
  const board = boardOf(view);
  const shownAt = (seat: number) => {
    const { container, unmount } = render(Seat, { board, seat });
    const place = container.querySelector('.fact')!;
    const found = {
      there: !place.classList.contains('away'),
      text: place.querySelector('.long')?.textContent,
      short: place.querySelector('.short')?.textContent,
      drawing: place.querySelector('path')?.getAttribute('d'),
    };
    unmount();
    return found;
  };
  expect(shownAt(1)).toEqual({ there: true, text: '3 flowers', short: '3', drawing });
  expect(shownAt(2).there, 'a seat without flowers').toBe(false);
  const { container } = render(Own, { board });
  expect(container.textContent).toContain('1 flower');
  vi.unstubAllGlobals();
});

test('signs that decide before the points are shown with the result', async () => {
  serveSheets([sheet('January', 'month', 1, { facts: [fact('hearts', 'signs', hearts)] })]);
  const options = { date: null, sheets: ['January'] };
  const view = viewOf({ options, table: { hearts: [2, 1, 0, 0], lost: [0, 1, 2, 2] } });
  await learnDay(view);
  expect(parts.decidesFirst?.(view, 1)).toEqual({ count: 1, text: '♥♡', spoken: '1 heart' });
  vi.unstubAllGlobals();
});

test('facts of the day have reserved space before they apply', () => {
  const table = { bid: null, sunstroke: null, gift: [0, 0, 0, 0] };
  const facts = seatFacts(viewOf({ table, mine: { partner: 1 } }), 0, everything);
  expect(facts.map((one) => [one.id, one.there, one.widest, one.shortWidest])).toEqual([
    ['bid', false, 'bid 12', '/12'],
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
    shownOf(view, showing, own).map(({ id, text, colours, sign }) => [id, text, colours, sign]);
  expect(seen(false)).toEqual([
    ['named', 'named', ['G'], ''],
    ['way', 'one way', [], '↻'],
  ]);
  expect(seen(true)).toEqual([['hidden', 'hidden', [], '']]);
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

test('colours of which one is chosen are shown with their chooser, until it is', async () => {
  const drawn = shown('drawn', 'colours', { text: 'Trump', by: '{name} chooses:', until: 'trump' });
  const others = shown('others', 'colours', { text: 'Not led:' });
  serveSheets([sheet('red 0', 'red', 0, { shown: [drawn, others], replaces: ['trump'] })]);
  const options = { date: null, sheets: ['red 0'] };
  await learnDay(viewOf({ options }));
  const table = { trump: null as string | null, drawn: ['B', 'R'], others: [] as string[] };
  const facts = (more: Partial<View>, now = table) =>
    boardOf(viewOf({ options, phase: 'elsewhere', moves: [], ...more, table: now }));
  const words = () => screen.getByRole('list').textContent?.replace(/\s+/g, ' ').trim();
  const { rerender } = render(TableFacts, { board: facts({ waiting_for: [2] }) });
  expect(words()).toBe('Cleo chooses: blue or red');
  await rerender({ board: facts({ waiting_for: [0] }) });
  expect(words()).toBe('Trump blue or red');
  const chosen = { ...table, trump: 'R', others: ['G', 'Y'] };
  await rerender({ board: facts({ waiting_for: [2] }, chosen) });
  expect(words()).toBe('Trump red Not led: green or yellow');
  vi.unstubAllGlobals();
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

test('your secrets are shown to you, in the words of the sheets', async () => {
  const beside = shown('beside', 'cards', { own: true, text: 'Beside you:' });
  const hidden = shown('hidden', 'cards', { own: true, text: '' }); // part of the trick
  const friend = fact('friend', 'own', { sentence: 'You also get {name}’s points.' });
  const other = fact('other', 'own'); // without a sentence only its seat shows it
  const bid = panel('bid', 'number', { chosen: 'Your bid: {choice}' });
  const keep = panel('keep', 'buttons', { moves: { yes: 'Keep them' } });
  serveSheets([
    sheet('red 8', 'red', 8, {
      shown: [beside, hidden],
      facts: [friend, other],
      panels: [bid, keep],
    }),
  ]);
  const options = { date: null, sheets: ['red 8'] };
  await learnDay(viewOf({ options }));
  const mine = { friend: 2, other: 1, beside: ['R1', 'B3'], hidden: 'G4' };
  const choosing = (phase: string, chosen: string) =>
    boardOf(viewOf({ options, phase, mine: { ...mine, chosen } }));
  const { rerender } = render(Own, { board: choosing('bid', '4') });
  expect(screen.getByText('You also get Cleo’s points.')).toBeTruthy();
  expect(screen.getByText('Your bid: 4')).toBeTruthy();
  expect(screen.getByRole('list', { name: 'Beside you:' })).toBeTruthy();
  expect(screen.getAllByRole('listitem')).toHaveLength(2);
  await rerender({ board: choosing('keep', 'yes') });
  expect(screen.getByText('You have chosen: Keep them')).toBeTruthy();
  await rerender({ board: choosing('elsewhere', 'no') });
  expect(screen.getByText('You have chosen: no')).toBeTruthy();
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
