import { expect, test } from 'vitest';

import { laid } from './rows';

const rows = (count: number, width: number, height: number) =>
  Math.ceil(count / laid(count, count, width, height).columns);

test('more than eight cards take two rows on a phone and one on a desktop', () => {
  expect(rows(15, 356, 640)).toBe(2);
  expect(rows(9, 386, 844)).toBe(2);
  expect(rows(15, 936, 800)).toBe(1);
  expect(rows(8, 386, 844)).toBe(1);
});

test('a phone in landscape uses one row, and may lose its lower fifth', () => {
  const { columns, card, height } = laid(15, 15, 580, 360);
  expect(columns).toBe(15);
  expect(height).toBeGreaterThanOrEqual(0.8 * 1.4 * (card - 1));
});

test.each([
  [312, 568, 34],
  [352, 640, 34],
  [386, 844, 42],
  [580, 360, 34],
  [776, 390, 44],
  [720, 1024, 44],
  [936, 800, 44],
  [1056, 900, 44],
])('of each card enough is free at a width of %d and a height of %d', (width, height, least) => {
  for (let count = 1; count <= 15; count += 1) {
    const { step, places, card } = laid(count, count, width, height);
    expect(step).toBeGreaterThanOrEqual(least);
    for (const { x } of places) expect(Math.abs(x) + card / 2).toBeLessThanOrEqual(width / 2 + 1);
  }
});

test('a fan bends down at both ends, alike', () => {
  const { places } = laid(7, 7, 1056, 900);
  expect(places[0]!.turn).toBeCloseTo(-places[6]!.turn);
  expect(places[0]!.y).toBeGreaterThan(places[3]!.y);
  expect(places[0]!.y).toBeCloseTo(places[6]!.y);
});

test('the hand keeps its height while cards are played', () => {
  for (const [width, height] of [
    [356, 640],
    [936, 800],
    [580, 360],
  ] as const) {
    const heights = [15, 12, 8, 3, 1].map((count) => laid(count, 15, width, height).height);
    expect(new Set(heights).size).toBe(1);
  }
});
