import { fireEvent, render, screen } from '@testing-library/svelte';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { boardOf, viewOf } from '../games/board.fixture';
import GenericMiddle from '../games/generic/Middle.svelte';
import GenericOwn from '../games/generic/Own.svelte';
import GenericSeat from '../games/generic/Seat.svelte';
import { tableOf } from '../start/testing';
import { settings } from '../state/settings.svelte';
import type { TableStore } from '../state/table.svelte';
import Seats from './Seats.svelte';
import { resize } from './testing.svelte';

const PARTS = { Seat: GenericSeat, Own: GenericOwn, Middle: GenericMiddle, choices: {} };
const NAMES = ['Ada', 'Ben', 'Cleo', 'Dan', 'Eve', 'Fay'];
const UPRIGHT = [390, 844] as const;
const WIDE = [1024, 768] as const;

beforeEach(() => {
  settings.lang = 'en';
});
afterEach(() => resize());

function opened(seats: number, more: object = {}, held: object[] = []): void {
  const zeros = Array<number>(seats).fill(0);
  const view = viewOf({
    seats,
    names: NAMES.slice(0, seats),
    totals: zeros.map((_, seat) => 3 * seat - 5),
    taken: zeros,
    hand_sizes: zeros,
    waiting_for: [2],
    phase: 'myTurn' in more ? 'pain' : 'play',
  });
  const places = zeros.map((_, seat) => ({ person: null, level: 'easy', mark: seat }));
  const board = boardOf(view, {
    table: { ...tableOf(), seats, places } as never,
    ...more,
  });
  render(Seats, {
    store: { ...board, around: { ...board.frame, held } } as unknown as TableStore,
    parts: PARTS,
  });
}

const chip = (name: RegExp) => screen.getByRole('button', { name });
const state = (name: RegExp) => chip(name).getAttribute('aria-expanded');
const open = () => [...document.querySelectorAll('.seat.open .plate .name')];
const shown = () => open().map((one) => one.textContent);

test.each([
  ['a wide window', WIDE, 6],
  ['few seats on an upright phone', UPRIGHT, 4],
] as const)('whole plates, nothing to tap: %s', (_, size, seats) => {
  resize(...size);
  opened(seats);
  expect(screen.queryAllByRole('button')).toEqual([]);
  expect(document.querySelectorAll('.seat .plate')).toHaveLength(seats - 1);
  expect(document.querySelector('.compact')).toBeNull();
});

test('many seats on an upright phone are buttons that say who sits there, and how they stand', () => {
  resize(...UPRIGHT);
  opened(6);
  expect(screen.getAllByRole('button')).toHaveLength(5);
  screen.getByRole('button', { name: 'Ben −2 points, bot' });
  screen.getByRole('button', { name: 'Cleo 1 point, to play, bot' });
  screen.getByRole('button', { name: 'Fay 10 points, bot' });
  expect(shown()).toEqual([]);
});

test('while a finished trick rests it is nobody’s turn', () => {
  resize(...WIDE);
  opened(4);
  expect(screen.getAllByText('to play')).toHaveLength(1);
  document.body.replaceChildren();
  opened(4, {}, [{}]);
  expect(screen.queryByText('to play')).toBeNull();
  expect(document.querySelector('.on-turn')).toBeNull();
});

test('the plate of someone who is gone says when a bot takes over', () => {
  resize(...WIDE);
  const table = tableOf();
  const [ada, ben] = table.people;
  const gone = { ...ben!, here: false, bot_at: Date.now() + 42_000 };
  opened(4, { table: { ...table, people: [ada!, gone] } });
  expect(screen.getAllByText(/^bot takes over in \d+ s$/)).toHaveLength(1);
});

test('where only the patch of someone who is gone is shown, it has the seconds', () => {
  resize(...UPRIGHT);
  const table = tableOf();
  const gone = { ...table.people[1]!, here: false, bot_at: Date.now() + 42_000 };
  opened(6, { table: { ...table, people: [table.people[0]!, gone] } });
  expect(chip(/^Ben/).textContent).toMatch(/\d+ s /);
  expect(document.querySelectorAll('.chip .away')).toHaveLength(1);
});

test('five at the table are four others', () => {
  resize(...UPRIGHT);
  opened(5);
  expect(screen.getAllByRole('button')).toHaveLength(4);
});

test.each([
  ['an upright phone', [320, 568], true],
  ['a phone on its side', [844, 390], true],
  ['a higher phone', UPRIGHT, false],
  ['a wide window', WIDE, false],
] as const)('beside a question few seats are patches where it is low: %s', (_, size, low) => {
  resize(...size);
  opened(4, { myTurn: true });
  expect(screen.queryAllByRole('button')).toHaveLength(low ? 3 : 0);
  expect(document.querySelectorAll('.seats.compact.line')).toHaveLength(low ? 1 : 0);
});

test('a turn to play is no question', () => {
  resize(320, 568);
  opened(4);
  expect(screen.queryAllByRole('button')).toEqual([]);
});

test('a tap shows the plate of a seat, a second one hides it', async () => {
  resize(...UPRIGHT);
  opened(6);
  expect(state(/^Dan/)).toBe('false');
  await fireEvent.click(chip(/^Dan/));
  expect(state(/^Dan/)).toBe('true');
  expect(shown()).toEqual(['Dan']);
  const plate = document.getElementById(chip(/^Dan/).getAttribute('aria-controls') ?? '');
  expect(plate?.textContent).toContain('0 tricks');
  await fireEvent.click(chip(/^Dan/));
  expect(state(/^Dan/)).toBe('false');
  expect(shown()).toEqual([]);
});

test('only one plate is shown', async () => {
  resize(...UPRIGHT);
  opened(6);
  await fireEvent.click(chip(/^Dan/));
  await fireEvent.pointerDown(chip(/^Ben/));
  await fireEvent.click(chip(/^Ben/));
  expect(shown()).toEqual(['Ben']);
});

test.each([
  ['a tap elsewhere', () => fireEvent.pointerDown(document.body)],
  ['the focus elsewhere', () => fireEvent.focusIn(document.body)],
  ['Escape', () => fireEvent.keyDown(document.body, { key: 'Escape' })],
])('%s hides the plate', async (_, act) => {
  resize(...UPRIGHT);
  opened(6);
  await fireEvent.click(chip(/^Dan/));
  await fireEvent.pointerDown(open()[0]!);
  expect(shown()).toEqual(['Dan']);
  await act();
  expect(shown()).toEqual([]);
});

test('Escape is used up by the plate, and the patch has the focus', async () => {
  resize(...UPRIGHT);
  opened(6);
  await fireEvent.click(chip(/^Dan/));
  const press = () => new KeyboardEvent('keydown', { key: 'Escape', cancelable: true });
  const [first, second] = [press(), press()];
  await fireEvent(window, first);
  expect(first.defaultPrevented).toBe(true);
  expect(document.activeElement).toBe(chip(/^Dan/));
  await fireEvent(window, second);
  expect(second.defaultPrevented).toBe(false);
});
