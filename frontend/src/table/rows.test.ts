import { expect, test } from 'vitest';

import { laid } from './rows';

const rows = (count: number, width: number, height: number) =>
  Math.ceil(count / laid(count, count, width, height).columns);

test('fifteen cards take two rows on a phone and one on a desktop', () => {
  expect(rows(15, 360, 640)).toBe(2);
  expect(rows(15, 912, 800)).toBe(1);
  expect(rows(8, 348, 640)).toBe(1);
});

test('a tablet uses a second row for larger cards', () => {
  expect(rows(15, 752, 1024)).toBe(2);
  expect(laid(15, 15, 752, 1024).card).toBeGreaterThan(60);
  expect(rows(10, 752, 1024)).toBe(1);
});

test('a phone in landscape uses one row', () => {
  expect(rows(13, 628, 360)).toBe(1);
});

test.each([308, 348, 374, 628, 752, 912])(
  'touch targets are at least 40 pixels at a width of %d',
  (width) => {
    for (const height of [360, 640, 844, 1024]) {
      for (let count = 1; count <= 15; count += 1) {
        const { columns } = laid(count, count, width, height);
        expect((width - 2 * (columns - 1)) / columns).toBeGreaterThanOrEqual(39.5);
      }
    }
  },
);

test('the hand keeps its height while cards are played', () => {
  const heights = [15, 12, 8, 3, 1].map((count) => laid(count, 15, 360, 640).height);
  expect(new Set(heights).size).toBe(1);
});
