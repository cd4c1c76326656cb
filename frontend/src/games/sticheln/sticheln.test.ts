import { fireEvent, render, screen } from '@testing-library/svelte';
import { beforeEach, expect, test } from 'vitest';

import type { Table } from '../../protocol';
import { lying } from '../../state/moves.testing';
import { settings } from '../../state/settings.svelte';
import { boardOf, effect, outlookOf, viewOf } from '../board.fixture';
import Middle from './Middle.svelte';
import Own from './Own.svelte';
import PainChoice from './PainChoice.svelte';
import Seat from './Seat.svelte';
import { parts } from './parts';

const trick = lying({
  place: 0,
  led: 'Y',
  plays: [
    [1, 'Y9'],
    [2, 'G5'],
  ],
  winning: 2,
});
const pain = { pain: ['L3', 'R0', 'B4', 'B1'], pain_colours: ['L', 'R', 'B', 'B'] };

function worth(...points: number[]) {
  const gains = points.map((one, seat) => ({ seat, points: one, piles: [] }));
  const now = { place: 0, winner: 2, card: 'G5', text: 'Cleo has it', worth: gains, order: [] };
  return outlookOf({
    standing: {
      tricks: [now],
      last: null,
      lines: [],
      ladder: [],
      trump: null,
      collected: [],
      running: [],
      notes: [],
      stated: 0,
      lowest: false,
    },
  });
}

beforeEach(() => {
  settings.lang = 'en';
});

test('a seat shows its pain card and names its colour', () => {
  render(Seat, { board: boardOf(viewOf({ table: pain })), seat: 2 });
  expect(screen.getByRole('img', { name: 'pain card blue 4, pain colour blue' })).toBeTruthy();
  expect(screen.getByText('blue')).toBeTruthy();
});

test('face-down pain cards are not shown', () => {
  const board = boardOf(viewOf({ phase: 'pain', table: { pain: null }, waiting_for: [0, 1] }));
  const { container } = render(Seat, { board, seat: 2 });
  expect(screen.getByRole('img', { name: 'pain card still face down' })).toBeTruthy();
  expect(container.querySelector('[data-card]')).toBeNull();
});

test('a seat shows what the trick is worth to it', () => {
  const board = boardOf(viewOf({ table: pain, tricks: [trick] }), { outlook: worth(2, 2, -7, 2) });
  render(Seat, { board, seat: 2 });
  expect(screen.getByText('trick −7')).toBeTruthy();
});

test('the worth of the next trick is hidden while the last one is held', () => {
  const view = viewOf({ table: pain, tricks: [trick] });
  const frame = { view, held: [{ place: 0, taker: 2 }], played: null, roundOver: null };
  render(Seat, { board: boardOf(view, { outlook: worth(2, 2, -7, 2), frame }), seat: 2 });
  expect(screen.queryByText(/^trick|No card/)).toBeNull();
});

test('a replay, which has no outlook, does not say that there is no trick', async () => {
  const view = viewOf({ table: pain, tricks: [trick] });
  const { rerender } = render(Seat, { board: boardOf(view), seat: 2 });
  expect(screen.queryByText(/^trick|No card/)).toBeNull();
  await rerender({ board: boardOf(viewOf({ table: pain })), seat: 2 });
  expect(screen.getByText('No card has been played yet.')).toBeTruthy();
});

test('the worth of a trick stays until the next outlook', async () => {
  const view = viewOf({ table: pain, tricks: [trick] });
  const { rerender } = render(Seat, {
    board: boardOf(view, { outlook: worth(2, 2, -7, 2) }),
    seat: 2,
  });
  await rerender({ board: boardOf(view) }); // a move was made, and no new outlook has arrived
  expect(screen.getByText('trick −7')).toBeTruthy();
  await rerender({ board: boardOf(viewOf({ table: pain })) });
  expect(screen.getByText('No card has been played yet.')).toBeTruthy();
});

test('points of the round are shown only if the table allows it', async () => {
  const outlook = worth(2, 2, -7, 2);
  const withScores = { ...outlook, standing: { ...outlook.standing, running: [0, 3, -12, 1] } };
  const view = viewOf({ table: pain, tricks: [trick] });
  const table = (running_score: boolean) => ({ settings: { running_score } }) as unknown as Table;
  const { rerender } = render(Seat, {
    board: boardOf(view, { outlook: withScores, table: table(true) }),
    seat: 2,
  });
  expect(screen.getByText('So far this round: −12.')).toBeTruthy();
  await rerender({ board: boardOf(view, { outlook: withScores, table: table(false) }), seat: 2 });
  expect(screen.queryByText(/So far/)).toBeNull();
});

test('the banner names the start colour', () => {
  render(Middle, { board: boardOf(viewOf({ table: pain, tricks: [trick] })) });
  const banner = screen.getByText(/Start colour/).closest('p')!;
  expect(banner.textContent.replace(/\s+/g, ' ').trim()).toBe(
    'Start colour yellow all others trump · 0 never wins',
  );
});

test('only cards of your pain colour are hatched, and that is what is said of them', () => {
  const board = boardOf(viewOf({ table: pain }));
  expect(parts.markName?.()).toBe('your pain colour');
  expect(parts.isMarked?.(board, 'L9')).toBe(true);
  expect(parts.isMarked?.(board, 'R9')).toBe(false);
  expect(parts.isMarked?.(boardOf(viewOf({ table: pain, seat: null })), 'L9')).toBe(false);
});

test('the pain card is picked, explained and confirmed', async () => {
  const outlook = outlookOf({ effects: [effect('G5', 'pain colour green, −5 at once')] });
  const board = boardOf(viewOf({ phase: 'pain', table: { pain: null } }), { outlook });
  const { rerender } = render(PainChoice, { board });
  expect(screen.getByRole('button')).toHaveProperty('disabled', true);
  board.selection.raised = 'G5';
  await rerender({ board });
  expect(screen.getByText('pain colour green, −5 at once')).toBeTruthy();
  await fireEvent.click(screen.getByRole('button'));
  expect(board.played).toEqual(['G5']);
});

test('after choosing, the question is gone and the choice is shown', () => {
  const view = viewOf({
    phase: 'pain',
    moves: [],
    waiting_for: [1],
    table: { pain: null },
    mine: { pain: 'G5' },
  });
  const { container } = render(PainChoice, { board: boardOf(view) });
  expect(container.querySelector('section')).toBeNull();
  render(Own, { board: boardOf(view) });
  expect(screen.getByText(/is face down/)).toBeTruthy();
});
