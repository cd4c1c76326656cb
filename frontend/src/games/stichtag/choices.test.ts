/** The trick with its marks, and the widgets of choices, drawn from descriptions of sheets. */
import { fireEvent, render, screen } from '@testing-library/svelte';
import { beforeEach, expect, test, vi } from 'vitest';

import type { Event, PanelInfo, View } from '../../protocol';
import { giving, lying } from '../../state/moves.testing';
import { settings } from '../../state/settings.svelte';
import { boardOf, effect, outlookOf, viewOf } from '../board.fixture';
import DayTrick from './DayTrick.svelte';
import { parts } from './parts';
import { mark, panel, serveSheets, sheet } from './sheets.fixture';
import { learnDay } from './today.svelte';

const Choice = parts.choices['*']!;
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

let days = 0;

/** Return options of a day with one sheet, once its description is loaded. */
async function dayWith(more: Parameters<typeof sheet>[3]): Promise<View['options']> {
  const name = `red 0@${days++}`;
  serveSheets([sheet('red 0', 'red', 0), sheet(name, 'red', 0, more)]);
  const options = { date: null, sheets: [name] };
  await learnDay(viewOf({ options }));
  vi.unstubAllGlobals();
  return options;
}

/** Render the choice of a phase with its panel; the board records moves. */
async function ask(
  asked: PanelInfo,
  view: Partial<View>,
  more: Parameters<typeof boardOf>[1] = {},
): Promise<ReturnType<typeof boardOf> & { unmount: () => void }> {
  const options = await dayWith({ panels: [asked] });
  const board = boardOf(viewOf({ ...view, phase: asked.phase, options }), more);
  return Object.assign(board, { unmount: render(Choice, { board }).unmount });
}

test('a play that an event crosses out is marked while the trick rests', async () => {
  const crossed = mark('whose', 'crossed', { event: 'game', text: 'does not count' });
  const options = await dayWith({ marks: [crossed] });
  const view = viewOf({ options, tricks: [trick] });
  const held = { view, held: [{ place: 0, taker: 0 }], played: null, roundOver: null };
  const events = [
    { kind: 'game', name: 'crossing', whose: 2 },
    { kind: 'trick', seat: 0, cards: ['G5', 'R6', 'G1', 'G9'] },
  ] as unknown as Event[];
  const { rerender } = render(DayTrick, { board: boardOf(view, { frame: held, events }) });
  expect(screen.getByRole('img', { name: /Cleo, red 6.*does not count/ })).toBeTruthy();
  expect(screen.getByRole('img', { name: /Ben, green 5, led$/ })).toBeTruthy();
  await rerender({ board: boardOf(view, { events }) });
  expect(screen.queryByRole('img', { name: /does not count/ }), 'an open trick').toBeNull();
  const other = [{ kind: 'play', seat: 0, move: 'G9' }, ...events.slice(1)] as Event[];
  await rerender({ board: boardOf(view, { frame: held, events: other }) });
  expect(screen.queryByRole('img', { name: /does not count/ }), 'another event').toBeNull();
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

test('a play that the table names is crossed out in the open trick', async () => {
  const options = await dayWith({ marks: [mark('dead', 'crossed', { text: 'lost' })] });
  const { container, rerender } = render(DayTrick, {
    board: boardOf(viewOf({ options, tricks: [trick], table: { dead: 3 } })),
  });
  expect(screen.getByRole('img', { name: /^Dan, green 1, lost/ })).toBeTruthy();
  expect(container.querySelectorAll('.slot.crossed')).toHaveLength(1);
  await rerender({ board: boardOf(viewOf({ options, tricks: [trick], table: { dead: null } })) });
  expect(container.querySelectorAll('.slot.crossed')).toHaveLength(0);
});

test('a covered card is shown only to its player, and its leader is known', async () => {
  const covered = mark('hidden', 'covered', { led: 'named', text: 'face down' });
  const options = await dayWith({ marks: [covered] });
  const view = viewOf({
    options,
    table: { hidden: [0, 1, 2] },
    waiting_for: [3],
    mine: { hidden: 'G5' },
    moves: [],
  });
  const events: Event[] = [{ kind: 'named', seat: 1, move: 'G' }];
  const { rerender } = render(DayTrick, { board: boardOf(view, { events }) });
  expect(screen.getByRole('img', { name: 'you, green 5, face down' })).toBeTruthy();
  expect(screen.getByRole('img', { name: 'Ben, face down, led' })).toBeTruthy();
  expect(screen.getByRole('img', { name: 'Dan, no card yet' })).toBeTruthy();
  await rerender({ board: boardOf({ ...view, tricks: [trick] }, { events }) });
  expect(screen.queryByRole('img', { name: /face down/ }), 'turned up').toBeNull();
});

test('notes that apply are shown with a choice', async () => {
  const outlook = outlookOf();
  const standing = { ...outlook.standing, notes: ['An exact announcement is −5.'] };
  await ask(panel('bid', 'number'), { moves: ['0', '1'] }, { outlook: { ...outlook, standing } });
  expect(screen.getByText('An exact announcement is −5.')).toBeTruthy();
  expect(
    screen.getByRole('button', { name: 'Show the whole note' }).getAttribute('aria-expanded'),
  ).toBe('false');
});

test('a number is picked and confirmed', async () => {
  const moves = Array.from({ length: 13 }, (_, at) => String(at));
  const bid = panel('bid', 'number', {
    action: 'Bid {count} trick||Bid {count} tricks',
    idle: 'Bid',
  });
  const board = await ask({ ...bid, hint: 'Pick one' }, { moves });
  expect(screen.getByRole('button', { name: 'Bid' })).toHaveProperty('disabled', true);
  expect(screen.getByText('Pick one')).toBeTruthy();
  await fireEvent.click(screen.getByRole('radio', { name: '3' }));
  await fireEvent.click(screen.getByRole('button', { name: 'Bid 3 tricks' }));
  expect(board.played).toEqual(['3']);
});

test('the receiver of a card comes from the server', async () => {
  const give = { title: 'For {name}', action: '{card} to {name}', receivers: 'to' };
  const board = await ask(panel('hand-over', 'card', give), { table: { to: [2, 3, 1, 0] } });
  expect(screen.getByRole('heading', { name: 'For Cleo' })).toBeTruthy();
  expect(screen.getByRole('button').textContent).toContain('… to Cleo');
  board.selection.raised = 'R2';
  await fireEvent.click(await screen.findByRole('button', { name: /R2|red 2/ }));
  expect(board.played).toEqual(['R2']);
});

test('several cards are picked in any order', async () => {
  const drop = panel('drop', 'cards', { title: 'Drop one||Drop {count}', action: 'Drop {cards}' });
  const board = await ask(drop, { moves: ['R1,R2', 'R1,G5', 'R2,G5'] });
  expect(screen.getByRole('heading', { name: 'Drop 2' })).toBeTruthy();
  expect(board.selection.picking).toBe(2);
  board.selection.tap('G5');
  board.selection.tap('R1');
  await fireEvent.click(await screen.findByRole('button', { name: /Drop/ }));
  expect(board.played).toEqual(['R1,G5']);
  board.unmount();
  expect(board.selection.picking).toBe(0);
});

test('a card goes to the chosen seat', async () => {
  const outlook = outlookOf({ effects: [effect('B0>2', 'Cleo +1')] });
  const give = panel('giving', 'give', { which: 'Which one?', action: 'for {name}' });
  const board = await ask(give, giving(['G0>1', 'G0>2', 'B0>1', 'B0>2']), { outlook });
  expect(screen.getByRole('heading', { name: 'Which one?' })).toBeTruthy();
  await fireEvent.click(screen.getByRole('button', { name: 'blue 0' }));
  await fireEvent.click(screen.getByRole('button', { name: /for Cleo/ }));
  expect(board.played).toEqual(['B0>2']);
});

test('a single card to give is named', async () => {
  await ask(
    panel('giving', 'give', { title: 'Give {card}', which: '?' }),
    giving(['G0>1', 'G0>2']),
  );
  expect(screen.getByRole('heading', { name: 'Give green 0' })).toBeTruthy();
});

test('striking takes two taps; striking none is the default', async () => {
  const texts = { moves: { pass: 'No' }, idle: 'Strike', action: 'Strike {card}', which: 'Whose?' };
  const moves = ['pass', 'veto 1', 'veto 2', 'veto 3'];
  const board = await ask(panel('cut', 'strike', texts), { tricks: [trick], moves });
  expect(await screen.findByRole('button', { name: 'Strike' })).toHaveProperty('disabled', true);
  expect(document.activeElement?.textContent?.trim()).toBe('No');
  expect(screen.getByRole('group', { name: 'Whose?' })).toBeTruthy();
  const cleo = screen.getAllByRole('button').find((one) => one.textContent?.includes('Cleo'))!;
  await fireEvent.click(cleo);
  expect(board.played).toEqual([]);
  await fireEvent.click(cleo);
  expect(board.played).toEqual(['veto 2']);
});

test('moves are buttons with the names that the sheet gives them', async () => {
  const board = await ask(panel('keep', 'buttons', { moves: { yes: 'Keep' }, note: 'Well?' }), {
    moves: ['no', 'yes'],
  });
  expect(screen.getByText('Well?')).toBeTruthy();
  expect(screen.getAllByRole('button').map((one) => one.textContent?.trim())).toEqual([
    'no',
    'Keep',
  ]);
  await fireEvent.click(screen.getByRole('button', { name: /Keep/ }));
  expect(board.played).toEqual(['yes']);
});

test('one of several colours is chosen', async () => {
  const outlook = outlookOf({ effects: [effect('B', 'trump is blue: you hold 3 cards of it')] });
  const board = await ask(panel('pick', 'colour'), { moves: ['R', 'B'] }, { outlook });
  const buttons = screen.getAllByRole('button');
  expect(buttons.map((one) => one.textContent?.replace(/\s+/g, ' ').trim())).toEqual([
    'red',
    'blue trump is blue: you hold 3 cards of it',
  ]);
  await fireEvent.click(screen.getByRole('button', { name: /^blue/ }));
  expect(board.played).toEqual(['B']);
});

test('the letter of a colour helps who wants it; screen readers get the name alone', async () => {
  settings.letters = true;
  await ask(panel('pick', 'colour'), { moves: ['R', 'B'] });
  expect(screen.getByText('B')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'blue' })).toBeTruthy();
  settings.letters = false;
});

test('a choice without a panel shows a row of buttons', async () => {
  const options = await dayWith({ panels: [panel('other', 'number')] });
  const board = boardOf(viewOf({ options, phase: 'wish', moves: ['for 0', 'for 1', 'for 2'] }));
  render(Choice, { board });
  await fireEvent.click(screen.getByRole('button', { name: /for 2/ }));
  expect(board.played).toEqual(['for 2']);
});

test('a choice waits for its sheet, and does without where that cannot be loaded', async () => {
  const options = { date: null, sheets: ['red 0@late'] };
  let fail = (_: Error): void => undefined;
  vi.stubGlobal('fetch', () => new Promise((_, reject) => (fail = reject)));
  const view = viewOf({ options, phase: 'wish', moves: ['for 0', 'for 1'] });
  render(Choice, { board: boardOf(view) });
  expect(screen.queryByRole('button')).toBeNull();
  fail(new Error('offline'));
  expect(await screen.findByRole('button', { name: /for 1/ })).toBeTruthy();
  vi.unstubAllGlobals();
});

test('what is picked stays while another language loads', async () => {
  const board = await ask(panel('bid', 'number'), { moves: ['0', '1'] });
  await fireEvent.click(screen.getByRole('radio', { name: '1' }));
  vi.stubGlobal('fetch', () => new Promise(() => undefined));
  settings.lang = 'de';
  await Promise.resolve();
  expect(screen.getByRole('radio', { name: '1' })).toHaveProperty('checked', true);
  expect(board.played).toEqual([]);
  vi.unstubAllGlobals();
});
