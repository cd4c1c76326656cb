import { expect, test } from 'vitest';

import type { Event } from '../protocol';
import { finishedTricks, tricksByEvent } from './tricks';

const EVENTS: Event[] = [
  { kind: 'round', round: 1, starter: 0, stock: 0 },
  { kind: 'play', seat: 0, move: 'G3>new', cards: ['G3'], place: 0, opens: true },
  { kind: 'play', seat: 1, move: 'R1>new', cards: ['R1'], place: 1, opens: true },
  { kind: 'play', seat: 2, move: 'G8>1', cards: ['G8'], place: 0 },
  { kind: 'trick', seat: 2, place: 0, cards: ['G3', 'G8'] },
  { kind: 'turned', seat: 2, position: 0, value: 4 },
];

test('plays are assigned to their trick when several are open', () => {
  const [trick] = finishedTricks(EVENTS);
  expect(trick?.plays).toEqual([
    { seat: 0, card: 'G3' },
    { seat: 2, card: 'G8' },
  ]);
  expect(trick?.taker).toBe(2);
});

test('a log line links to its trick once finished', () => {
  const tricks = finishedTricks(EVENTS);
  expect(tricksByEvent(tricks).get(3)).toBe(tricks[0]);
  expect(tricksByEvent(tricks).get(2)).toBeUndefined();
});

test('twins are assigned to the right seats, within a trick and across tricks', () => {
  const events: Event[] = [
    { kind: 'play', seat: 0, move: 'G0', cards: ['G0'] },
    { kind: 'play', seat: 1, move: 'G0', cards: ['G0'] },
    { kind: 'trick', seat: null, cards: ['G0', 'G0'] },
    { kind: 'play', seat: 2, move: 'R0', cards: ['R0'] },
    { kind: 'trick', seat: 2, cards: ['R0'] },
    { kind: 'play', seat: 1, move: 'R0', cards: ['R0'] },
    { kind: 'trick', seat: 1, cards: ['R0'] },
  ];
  expect(finishedTricks(events).map((one) => one.plays.map((play) => play.seat))).toEqual([
    [0, 1],
    [2],
    [1],
  ]);
});
