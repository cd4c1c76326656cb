import { describe, expect, it } from 'vitest';

import { HEIGHT, RIGHT, apart, chartOf, runningTotals, ticksOf } from './chart';
import type { Event } from '../protocol';
import { figuresOf, placesOf } from './statistics';

const SCORES = [
  [3, -2, 0],
  [1, 5, -4],
];

describe('score chart', () => {
  it('adds up rounds starting at zero', () => {
    expect(runningTotals(SCORES, 3)).toEqual([
      [0, 0, 0],
      [3, -2, 0],
      [4, 3, -4],
    ]);
  });

  it('draws one line per seat, higher for more points', () => {
    const { lines, rounds } = chartOf(SCORES, 3, 320);
    expect(lines.map((line) => line.points.map((point) => point.total))).toEqual([
      [0, 3, 4],
      [0, -2, 3],
      [0, 0, -4],
    ]);
    expect(lines[0]!.points[2]!.y).toBeLessThan(lines[2]!.points[2]!.y);
    expect(rounds.map((one) => one.round)).toEqual([0, 1, 2]);
  });

  it.each([300, 900])('leaves room for names on the right at a width of %d', (width) => {
    const { lines } = chartOf(SCORES, 3, width);
    expect(lines[0]!.points.at(-1)!.x).toBe(width - RIGHT);
  });

  it.each([
    [0, 0],
    [-123, 16],
    [0, 7],
    [-1, 1],
    [12, 980],
  ])('has integer axis ticks from %d to %d', (least, greatest) => {
    const ticks = ticksOf(Math.min(0, least), greatest);
    expect(ticks[0]).toBeLessThanOrEqual(least);
    expect(ticks.at(-1)).toBeGreaterThanOrEqual(greatest);
    expect(ticks.length).toBeGreaterThan(1);
    expect(ticks.length).toBeLessThanOrEqual(8);
    expect(ticks.every(Number.isInteger)).toBe(true);
  });

  it('keeps names inside the chart without overlap', () => {
    const places = apart([100, 101, 99, HEIGHT, HEIGHT, HEIGHT]);
    const sorted = [...places].sort((one, other) => one - other);
    expect(sorted.slice(1).every((place, at) => place - sorted[at]! >= 20)).toBe(true);
    expect(Math.max(...places)).toBeLessThan(HEIGHT);
  });
});

describe('ranks', () => {
  it('are shared by tied seats', () => {
    expect(placesOf([[2], [0, 3], [1]]).map(({ seat, place }) => [seat, place])).toEqual([
      [2, 1],
      [0, 2],
      [3, 2],
      [1, 4],
    ]);
  });
});

describe('statistics', () => {
  it('count tricks, runs and best and worst rounds', () => {
    const trick = (seat: number | null): Event => ({ kind: 'trick', seat, cards: [] });
    const events: Event[] = [
      trick(0),
      trick(0),
      trick(1),
      { kind: 'scored', scores: [5, -1], totals: [5, -1] },
      trick(0),
      trick(null),
      trick(1),
      trick(1),
      trick(1),
      { kind: 'scored', scores: [2, 7], totals: [7, 6] },
    ];
    const [ada, ben] = figuresOf(events, 2);
    expect(ada).toMatchObject({
      tricks: 3,
      tricksPerRound: 1.5,
      longestRun: 2,
      highest: { points: 5, round: 1 },
      lowest: { points: 2, round: 2 },
    });
    expect(ben).toMatchObject({
      tricks: 4,
      tricksPerRound: 2,
      longestRun: 3,
      highest: { points: 7, round: 2 },
    });
  });
});
