import { expect, test } from 'vitest';

import { threeSeatView as view } from '../games/board.fixture';
import type { Event } from '../protocol';
import { framesBetween, onlyPlays, still } from './frames';
import { lying } from './moves.testing';

const OPEN = lying({
  place: 0,
  led: 'G',
  plays: [
    [1, 'G5'],
    [2, 'G7'],
  ],
  winning: 2,
});

test('a play that ends no trick makes one frame', () => {
  const after = view({ tricks: [OPEN] });
  const frames = framesBetween(view(), after, [
    { kind: 'play', seat: 2, move: 'G7', cards: ['G7'] },
  ]);
  expect(frames).toEqual([
    {
      view: after,
      held: [],
      played: { kind: 'play', seat: 2, move: 'G7', cards: ['G7'] },
      roundOver: null,
    },
  ]);
});

test('a finished trick is held with its last card and taker', () => {
  const before = view({ tricks: [OPEN] });
  const after = view({ hand: ['R2'], hand_sizes: [1, 1, 1], taken: [1, 0, 0] });
  const events: Event[] = [
    { kind: 'play', seat: 0, move: 'R1', cards: ['R1'] },
    { kind: 'trick', seat: 0, cards: ['G5', 'G7', 'R1'] },
  ];
  const words = ['You play R1.', 'You take the trick.'];
  const [held, last, ...more] = framesBetween(before, after, events, words);
  expect(more).toEqual([]);
  expect(held?.held).toEqual([{ place: 0, taker: 0, words: 'You take the trick.' }]);
  expect(held?.view.tricks[0]?.plays).toEqual([...OPEN.plays, [0, 'R1']]);
  expect(held?.view.tricks[0]?.winning).toBe(0);
  expect(held?.view.taken, 'counted when it has gone').toEqual([0, 0, 0]);
  expect(held?.view.hand, 'the card has left the hand').toEqual(['R2']);
  expect(last?.view).toBe(after);
});

test('only the finished one of several open tricks is held', () => {
  const other = lying({ place: 2, led: 'B', plays: [[1, 'B1']], winning: 1 });
  const before = view({ tricks: [OPEN, other] });
  const events: Event[] = [
    { kind: 'play', seat: 0, move: 'R1>1', cards: ['R1'], place: 0 },
    { kind: 'trick', seat: 0, place: 0, cards: [] },
  ];
  const [held] = framesBetween(before, view({ tricks: [other] }), events);
  expect(held?.view.tricks.map((trick) => trick.plays.length)).toEqual([3, 1]);
});

test('cards turned up together are all in the held trick', () => {
  const events: Event[] = [0, 1, 2].map((seat) => ({
    kind: 'play',
    seat,
    move: `R${seat}`,
    cards: [`R${seat}`],
  }));
  events.push({ kind: 'trick', seat: 2, cards: [] });
  const [held] = framesBetween(view(), view(), events);
  expect(held?.view.tricks[0]?.plays).toEqual([
    [0, 'R0'],
    [1, 'R1'],
    [2, 'R2'],
  ]);
});

test('the end of a round gets a frame between last trick and next deal', () => {
  const before = view({ tricks: [OPEN] });
  const after = view({ round: 2, hand: ['B1'], scores: [[1, 2, 3]] });
  const events: Event[] = [
    { kind: 'play', seat: 0, move: 'R1', cards: ['R1'] },
    { kind: 'trick', seat: 0, cards: [] },
    { kind: 'scored', scores: [1, 2, 3], totals: [1, 2, 3] },
    { kind: 'round', round: 2, starter: 0, stock: 0 },
  ];
  const frames = framesBetween(before, after, events);
  expect(frames.map((frame) => frame.roundOver)).toEqual([null, 1, null]);
  expect(frames[0]?.view.hand, 'nothing of the next deal is shown yet').toEqual([]);
  expect(frames[1]?.view.tricks).toEqual([]);
});

test('another match is shown without held frames', () => {
  const frames = framesBetween(view({ game: 'stichling' }), view(), [
    { kind: 'trick', seat: 1, cards: [] },
  ]);
  expect(frames.map((frame) => frame.held)).toEqual([[]]);
  expect(framesBetween(null, view(), [])).toHaveLength(1);
});

test('what is around the trick may follow cards, but nothing else', () => {
  const lies = still(view({}));
  const played = { ...lies, played: { kind: 'play', seat: 1, move: 'R1', cards: ['R1'] } as const };
  const held = [{ place: 0, taker: 1 }];
  expect(onlyPlays(lies, played)).toBe(true);
  expect(onlyPlays(lies, { ...played, held })).toBe(true);
  expect(onlyPlays({ ...lies, held }, played), 'a trick is collected').toBe(true);
  expect(onlyPlays(null, played)).toBe(false);
  expect(onlyPlays(lies, still(view({})))).toBe(false);
  expect(onlyPlays({ ...lies, roundOver: 1 }, played)).toBe(false);
  expect(onlyPlays(lies, { ...played, roundOver: 1 })).toBe(false);
  expect(onlyPlays(lies, { ...played, view: view({ phase: 'pain' }) })).toBe(false);
});
