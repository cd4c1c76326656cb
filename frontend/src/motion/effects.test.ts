import { render } from '@testing-library/svelte';
import { tick } from 'svelte';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import Leaf from '../calendar/Leaf.svelte';
import { outlookOf } from '../games/board.fixture';
import { GameTestBoard } from '../games/generic/board.testing.svelte';
import GenericSeat from '../games/generic/Seat.svelte';
import NullSeat from '../games/null-nichtig/Seat.svelte';
import StichelnSeat from '../games/sticheln/Seat.svelte';
import Places from '../games/stichling/Middle.svelte';
import StichlingSeat from '../games/stichling/Seat.svelte';
import DaySeat from '../games/stichtag/Seat.svelte';
import type { SheetInfo } from '../protocol';
import { lying } from '../state/moves.testing';
import { settings } from '../state/settings.svelte';
import { TestBoard } from '../table/testing.svelte';
import Turning from '../table/Turning.svelte';
import TrickSlots from '../table/TrickSlots.svelte';
import { recordAnimations } from './animations.testing';
import type { Recorded } from './animations.testing';

let animations: Recorded[];
beforeEach(() => {
  settings.motion = 'on';
  animations = recordAnimations();
});
afterEach(() => {
  vi.restoreAllMocks();
  settings.motion = 'auto';
});

const durations = () => animations.map(({ timing }) => timing.duration);

test.each([
  ['generic', GenericSeat],
  ['sticheln', StichelnSeat],
  ['stichling', StichlingSeat],
  ['stichtag', DaySeat],
] as const)('the counter of tricks ticks when one was taken (%s)', async (game, Seat) => {
  const board = new GameTestBoard({ game, taken: [0, 1, 0, 0] });
  render(Seat, { board, seat: 1 });
  expect(animations).toEqual([]);
  board.show({ taken: [1, 1, 0, 0] }); // somebody else
  await tick();
  expect(animations).toEqual([]);
  board.show({ taken: [1, 2, 0, 0] });
  await tick();
  expect(durations()).toEqual([200]);
  expect(animations[0]?.element.textContent).toContain('2');
});

test('the sum of the piles ticks along', async () => {
  const pile = [{ top: 'R7', size: 1 }, null, null, null, null];
  const table = (points: number) => ({ piles: [[], pile], points: [0, points] });
  const board = new GameTestBoard({ game: 'null-nichtig', table: table(7) });
  render(NullSeat, { board, seat: 1 });
  board.show({ table: table(4) });
  await tick();
  expect(durations()).toEqual([200]);
});

test('counters stay calm when motion is off', async () => {
  settings.motion = 'off';
  const board = new GameTestBoard({ game: 'sticheln', taken: [0, 1, 0, 0] });
  render(StichelnSeat, { board, seat: 1 });
  board.show({ taken: [0, 2, 0, 0] });
  await tick();
  expect(animations).toEqual([]);
});

/** Show that seat 2 takes a trick of Sticheln that brings it some points. */
async function taking(points: number) {
  const trick = lying({ place: 0, led: 'Y', plays: [[2, 'G5']], winning: 2 });
  const board = new GameTestBoard({ game: 'sticheln', tricks: [trick] });
  for (const seat of [1, 2]) {
    const target = document.createElement('div');
    target.className = 'plate';
    target.dataset.seat = String(seat);
    document.body.append(target);
    render(StichelnSeat, { target, props: { board, seat } });
  }
  board.frame = { ...board.frame!, held: [{ place: 0, taker: 2 }] };
  const worth = [{ seat: 2, points, piles: [] }];
  const last = { place: 0, winner: 2, card: 'G5', text: '', worth, order: [] };
  const outlook = outlookOf();
  board.outlook = { ...outlook, standing: { ...outlook.standing, last } };
  await tick();
}

test('the plate of a seat shakes that takes pain', async () => {
  await taking(-5);
  expect(durations()).toEqual([180]);
  expect((animations[0]?.element as HTMLElement).dataset.seat).toBe('2');
});

test('where only the patch of a seat is shown, that shakes', async () => {
  const chip = document.createElement('button');
  chip.className = 'chip';
  document.body.append(chip); // beside the plate, as in a seat
  await taking(-5);
  chip.remove();
  expect(animations.map(({ element }) => element)).toEqual([chip]);
});

test('no plate shakes at a trick that brings points', async () => {
  await taking(3);
  expect(animations).toEqual([]);
});

test('a pool ripples when a card falls into it', async () => {
  const [one, two] = [
    lying({ place: 0, led: 'G', plays: [[0, 'G8']], winning: 0 }),
    lying({ place: 1, led: 'B', plays: [[1, 'B4']], winning: 1 }),
  ] as const;
  const table = { full: 4, new_place: 2, best_cards: ['G8', 'B4', null, null] };
  const board = new GameTestBoard({ game: 'stichling', table, tricks: [one] });
  const { container } = render(Places, { board });
  expect(animations).toEqual([]);
  board.show({ tricks: [one, two] });
  await tick();
  expect(durations()).toEqual([600]);
  expect(animations[0]?.element).toBe(container.querySelectorAll('.ripple')[1]);
  board.show({ tricks: [one] }); // taken
  await tick();
  expect(animations).toHaveLength(1);
});

test('a leaf of the calendar turns when another sheet replaces it', async () => {
  const sheet = { name: 'july', kind: 'month', label: 'July', title: 'Sun', short: '' };
  const first = { ...sheet, number: 7, origin: 'book', values: [] } as unknown as SheetInfo;
  const { rerender } = render(Leaf, { sheet: first });
  expect(durations()).toEqual([420]);
  await rerender({ sheet: { ...first, title: 'Sunny' } });
  expect(animations).toHaveLength(1);
  await rerender({ sheet: { ...first, name: 'august' } });
  expect(durations()).toEqual([420, 420]);
  expect(animations[1]?.first).toContain('rotateX');
});

test('a card that was face down turns, and shows its back until it has', async () => {
  const { container, rerender } = render(Turning, { card: null });
  const turning = () => container.querySelector<HTMLElement>('.turns');
  expect(turning()).toBeNull();
  await rerender({ card: 'R7' });
  expect(turning()?.style.getPropertyValue('--flip')).toBe('320ms');
  expect(turning()?.querySelectorAll('.card').length).toBe(2);
  turning()?.dispatchEvent(new Event('animationend'));
  await tick();
  expect(turning()).toBeNull();
  expect(container.querySelectorAll('.card').length).toBe(1);
});

test('nothing turns when motion is off', async () => {
  settings.motion = 'off';
  const { container, rerender } = render(Turning, { card: null });
  await rerender({ card: 'R7' });
  expect(container.querySelector('.turns')).toBeNull();
});

test('the crown is on the winning card, and drops onto it when the card has landed', () => {
  const plays = [
    [1, 'R3'],
    [2, 'R9'],
  ] as const;
  const trick = lying({ place: 0, led: 'R', plays: plays.map(([...play]) => play), winning: 2 });
  const { container } = render(TrickSlots, { board: new TestBoard({ tricks: [trick] }) });
  const crowns = [...container.querySelectorAll<HTMLElement>('.crown')];
  expect(crowns).toHaveLength(1);
  expect(crowns[0]?.closest('.slot')?.querySelector('[data-card]')?.getAttribute('data-card')).toBe(
    'R9',
  );
  const { animationDelay, animationDuration } = crowns[0]!.style;
  expect([animationDelay, animationDuration]).toEqual(['170ms', '240ms']);
});
