import { expect, test } from 'vitest';

import { columnsFor, laid } from './rows';

test('fifteen cards need two rows on a phone, and one on a desk', () => {
  expect(columnsFor(15, 360)).toBe(8);
  expect(columnsFor(15, 928)).toBe(15);
  expect(columnsFor(8, 360)).toBe(8);
});

test.each([320, 360, 390, 640, 768, 928])('targets of 40 pixels in %d', (width) => {
  for (let count = 1; count <= 15; count += 1) {
    const { columns } = laid(count, count, width, 640);
    expect((width - 4 - 2 * (columns - 1)) / columns).toBeGreaterThanOrEqual(39.5);
  }
});

test('the box keeps its height while the hand grows smaller', () => {
  const heights = [15, 12, 8, 3, 1].map((count) => laid(count, 15, 360, 640).height);
  expect(new Set(heights).size).toBe(1);
});
