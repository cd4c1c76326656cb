/** The same figures in the same words as in Python (`tests/test_precision.py`). */
import { expect, test } from 'vitest';

import examples from '../../../tests/precision.json';
import { rounded, sure } from './precision';

test.each(examples.rounded)('%s with an error of %s is %s', (value, error, shown) => {
  expect(rounded(value!, error!)).toBe(shown);
});

test('what may be nothing is shown as nothing', () => {
  expect(sure(-3, 2)).toBe(0);
  expect(sure(-3, 0.4)).toBe(-3);
});
