import { describe, expect, test } from 'vitest';

import { fieldOf, seatsAround, spotsOf } from './geometry';

const words = (others: number) => spotsOf(others).map(({ side, at }) => `${side} ${at}`);

test('others sit clockwise from the left, own seat at the bottom', () => {
  expect(words(1)).toEqual(['top 50']);
  expect(words(2)).toEqual(['top 30', 'top 70']);
  expect(spotsOf(3).map((spot) => spot.side)).toEqual(['left', 'top', 'right']);
  expect(words(4).slice(1, -1)).toEqual(['top 32', 'top 68']);
  expect(words(5).slice(1, -1)).toEqual(['top 24', 'top 50', 'top 76']);
  expect(seatsAround(4, 2)).toEqual([3, 0, 1, 2]);
  expect(seatsAround(3, null)).toEqual([0, 1, 2]);
});

const TALL = 1.4;

interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

function boxes(others: number, own: boolean, width: number, height: number): Box[] {
  const field = fieldOf(others, own);
  const inner = Math.min(width, field.ratio * height);
  const card = Math.min(field.wide * inner, (field.high * height) / (TALL / 1.4));
  return field.landings.map(({ x, y }) => ({
    left: x * (inner - card),
    top: y * (height - TALL * card),
    width: card,
    height: TALL * card,
  }));
}

const apart = (a: Box, b: Box) =>
  a.left + a.width <= b.left + 1 ||
  b.left + b.width <= a.left + 1 ||
  a.top + a.height <= b.top + 1 ||
  b.top + b.height <= a.top + 1;

describe.each([
  [360, 180],
  [308, 150],
  [420, 170],
  [700, 380],
  [1500, 800],
])('in a field of %d x %d', (width, height) => {
  test.each([1, 2, 3, 4, 5, 6])('no card covers another with %d others', (others) => {
    const all = boxes(others, others < 6, width, height);
    expect(all).toHaveLength(others + (others < 6 ? 1 : 0));
    all.forEach((one, at) =>
      all.slice(at + 1).forEach((other) => expect(apart(one, other)).toBe(true)),
    );
  });
});
