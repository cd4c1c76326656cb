import { fireEvent, render, screen } from '@testing-library/svelte';
import { tick } from 'svelte';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { motion } from '../../motion/motion';
import { tableOf } from '../../start/testing';
import { still } from '../../state/frames';
import { lying } from '../../state/moves.testing';
import { settings } from '../../state/settings.svelte';
import { resize } from '../../table/testing.svelte';
import { boardOf, viewOf } from '../board.fixture';
import { EFFECT, OUTLOOK, GameTestBoard } from '../generic/board.testing.svelte';
import { collectingAt, heapsShown } from './collecting.svelte';
import { teamsAt } from '../../state/teams';
import { layingOrder } from './facts';
import LayChoice from './LayChoice.svelte';
import Middle from './Middle.svelte';
import Own from './Own.svelte';
import Seat from './Seat.svelte';
import Teams from './Teams.svelte';
import Trick from './Trick.svelte';

const EMPTY = [null, null, null, null, null];
const CEM = [{ top: 'R6', size: 1 }, null, { top: 'G11', size: 2 }, null, null];
// The example in the rules: Ben leads, Cem wins and collects, starting with the winning card.
const PLAYS = [
  [1, 'G7'],
  [2, 'L10'],
  [3, 'G0'],
  [0, 'L3'],
] as const;
const TRICK = lying({ place: 0, led: 'G', plays: PLAYS, winning: 2 });

beforeEach(() => {
  settings.lang = 'en';
});
afterEach(() => {
  vi.useRealTimers();
});

/** The last trick as sent by the server: starts with Cem, who had 17. */
const LAST = {
  cards: PLAYS.map(([, card]) => card),
  collected: [
    { play: 1, pile: 4, size: 1, points: 27 },
    { play: 2, pile: 2, size: 3, points: 16 },
    { play: 3, pile: 4, size: 2, points: 9 },
    { play: 0, pile: 2, size: 4, points: 16 },
  ],
};
const TABLE = { piles: [EMPTY, EMPTY, CEM, EMPTY], points: [0, 0, 17, 0] };
const HELD = [{ place: 0, taker: 2, last: LAST }];

describe('facts', () => {
  test('cards go onto the piles in the order sent by the server', () => {
    const board = new GameTestBoard({ tricks: [TRICK], table: { order: [3, 2, 1, 0] } });
    expect(layingOrder(board)).toEqual([3, 2, 1, 0]);
    board.frame = { ...board.frame!, held: HELD };
    expect(layingOrder(board)).toEqual([1, 2, 3, 0]);
    board.frame = { ...board.frame, held: [{ ...HELD[0]!, last: { ...LAST, cards: ['L1'] } }] };
    expect(layingOrder(board)).toEqual([]); // belongs to another trick
  });

  test('piles include the cards of a held trick laid so far', () => {
    const heaps = [[], [], [['R6'], [], ['G2', 'G11'], [], []], []];
    const board = new GameTestBoard({ tricks: [TRICK], table: { ...TABLE, heaps } });
    expect(heapsShown(board, 2)).toEqual(heaps[2]);
    board.frame = { ...board.frame!, held: HELD };
    collectingAt(board).laid = 2;
    expect(heapsShown(board, 2)).toEqual([['R6'], [], ['G2', 'G11', 'G0'], [], ['L10']]);
  });

  test('teams and their points come from the server', () => {
    const table = { teams: [[0, 1], [2]], team_totals: [7, 8] };
    expect(teamsAt(new GameTestBoard({ table }).view!)).toEqual([
      { letter: 'A', seats: [0, 1], points: 7 },
      { letter: 'B', seats: [2], points: 8 },
    ]);
    expect(teamsAt(new GameTestBoard({ table: {} }).view!)).toEqual([]);
  });
});

test('a seat shows tops, sizes and sum; a tap opens the piles', async () => {
  const board = new GameTestBoard({ table: TABLE });
  render(Seat, { board, seat: 2 });
  const label =
    'Cem’s piles, 17 in all: red: 6 on top, alone; yellow: no pile; green: 11 on top, 2 cards; blue: no pile; lilac: no pile';
  await fireEvent.click(screen.getByRole('button', { name: label }));
  screen.getByRole('heading', { name: /Cem’s piles/ });
});

describe('teams', () => {
  const teams = [
    [0, 2],
    [1, 3],
  ];
  const table = { ...TABLE, teams, team_totals: [30, -4] };
  const board = new GameTestBoard({ seat: 0, table });

  test('are listed with who plays with whom and their points, each name isolated', () => {
    const { container } = render(Teams, { board });
    const lines = [...screen.getByRole('list', { name: 'Teams' }).children].map((line) => {
      const shown = line.cloneNode(true) as Element;
      shown.querySelector('.unseen')!.remove();
      return shown.textContent.replace(/\s+/g, ' ').trim();
    });
    expect(lines).toEqual(['Team A you + Cem: 30', 'Team B Ben + Dana: −4']);
    expect(screen.getAllByRole('listitem')[0]!.classList.contains('mine')).toBe(true);
    expect(container.querySelectorAll('.names bdi')).toHaveLength(4);
  });

  test('are listed in the middle of the table', () => {
    render(Middle, { board });
    expect(screen.getByRole('list', { name: 'Teams' }).children).toHaveLength(2);
  });

  test('are not listed where everybody plays alone', () => {
    render(Teams, { board: new GameTestBoard({ table: TABLE }) });
    expect(screen.queryByRole('list')).toBeNull();
  });

  test.each([
    [1, 'B', false],
    [2, 'A', true],
  ])('seat %d has the letter of its team, yours marked', (seat, letter, mine) => {
    const { container } = render(Seat, { board, seat });
    const mark = container.querySelector<HTMLElement>('.team')!;
    expect([mark.dataset.text, mark.classList.contains('mine')]).toEqual([letter, mine]);
    expect(screen.getByRole('button', { name: new RegExp(`^Team ${letter}. `) })).toBeTruthy();
  });

  test('a seat without a team has no letter', () => {
    const { container } = render(Seat, { board: new GameTestBoard({ table: TABLE }), seat: 2 });
    expect(container.querySelector('.team')).toBeNull();
  });
});

test('the trick is numbered in laying order, starting at its winner', () => {
  render(Middle, { board: new GameTestBoard({ tricks: [TRICK], table: { order: [1, 2, 3, 0] } }) });
  screen.getByText('Cem is winning the trick');
  screen.getByLabelText('Cem, lilac 10, winning, goes onto the piles as number 1');
  screen.getByLabelText('Ben, green 7, goes onto the piles as number 4');
});

describe('cards of a trick that is taken', () => {
  const held = [{ place: 0, taker: 2 }];
  afterEach(() => resize());

  /** Return where they fly, at a table of five. */
  function goals(seat: number, size: readonly [number, number]): unknown[] {
    resize(...size);
    const card = vi.spyOn(motion, 'card');
    const view = viewOf({ seats: 5, seat, tricks: [TRICK], table: { order: [1, 2, 3, 0] } });
    const frame = { ...still(view), held };
    render(Trick, { board: boardOf(view, { frame, table: tableOf() }) });
    const found = PLAYS.map(([, played]) => card.mock.calls.find(([name]) => name === played)?.[2]);
    card.mockRestore();
    return [...new Set(found)];
  }

  test('fly to the patch of its taker where that is all one sees of them', () => {
    expect(goals(0, [390, 844])).toEqual(['seat 2']);
  });

  test.each([
    ['the person’s own', 2, [390, 844]],
    ['in sight', 0, [1024, 768]],
  ] as const)('go onto the piles that are %s', (_, seat, size) => {
    expect(goals(seat, size)).toEqual([null]);
  });
});

test('a held trick is taken, not still being won', () => {
  const board = new GameTestBoard({ tricks: [TRICK], seat: 2, table: { order: [1, 2, 3, 0] } });
  board.frame = { ...board.frame!, held: [{ place: 0, taker: 2 }] };
  render(Middle, { board });
  screen.getByLabelText(/^you, lilac 10, you take the trick/);
});

test('a raised card previews its effect on the trick and the piles', async () => {
  const piles = [{ colour: 'G', before: 'G11', after: 'G7', points: -4 }];
  const board = new GameTestBoard({
    seat: 2,
    hand: ['L10'],
    moves: ['L10'],
    table: { piles: [EMPTY, EMPTY, CEM, EMPTY] },
  });
  const changes = [{ seat: 2, points: -4, piles }];
  board.outlook = { ...OUTLOOK, effects: [{ ...EFFECT, move: 'L10', changes }] };
  const middle = render(Middle, { board });
  const own = render(Own, { board });
  board.selection.tap('L10');
  await tick();
  expect(middle.container.querySelector('.worse')?.textContent).toBe('−4↓');
  expect(own.container.querySelector<HTMLElement>('.change')?.dataset.text).toBe('11 → 7');
});

test('a taken trick moves to the piles card by card, updating the sum', async () => {
  vi.useFakeTimers();
  Object.assign(settings, { motion: 'on', hold: 1 });
  const board = new GameTestBoard({
    seat: 2,
    tricks: [TRICK],
    table: TABLE,
  });
  board.frame = { ...board.frame!, held: HELD };
  render(Middle, { board });
  const { container } = render(Own, { board });
  const sums = [];
  // Each card is laid in step with the frames: a little later than its time.
  for (const time of [300, 150, 115, 115, 115]) {
    await vi.advanceTimersByTimeAsync(time);
    sums.push(container.querySelector('.total b')?.textContent);
  }
  expect(sums).toEqual(['17', '27', '16', '9', '16']);
});

describe('LayChoice', () => {
  const hand = ['R3', 'R9', 'B0', 'B0'];
  const moves = ['R3,R9,B0', 'R9,R3,B0', 'R3,B0,B0', 'R9,B0,B0'];

  test('cards are laid in the order they were picked and can be taken back', async () => {
    const board = new GameTestBoard({ phase: 'lay', hand, moves, table: { piles: [EMPTY] } });
    render(LayChoice, { board });
    const lay = screen.getByRole<HTMLButtonElement>('button', { name: 'Confirm' });
    for (const card of ['B0', 'R9', 'R3']) board.selection.tap(card);
    await screen.findByText('tried', { exact: false });
    expect(board.tried.at(-1)).toBe('R9,R3,B0');
    await fireEvent.click(screen.getByRole('button', { name: 'Take back red 3' }));
    expect(lay.disabled).toBe(true);
    board.selection.tap('B0'); // the twin
    await tick();
    await fireEvent.click(lay);
    expect(board.played).toEqual(['R9,B0,B0']);
  });
});
