import { expect, test } from 'vitest';

import { LastTap } from './strayTaps';

const tap = (timeStamp: number, clientX = 100, detail = 1) => ({
  clientX,
  clientY: 50,
  timeStamp,
  detail,
});

test('the second tap of a double tap does not hit a card that moved there', () => {
  const last = new LastTap();
  expect(last.strays(tap(0), 'G8')).toBe(false);
  last.note(tap(0), 'G8');
  expect(last.strays(tap(150), 'G8')).toBe(false); // double tap on one card: raise and play
  expect(last.strays(tap(150), 'B3')).toBe(true);
  last.note(tap(150), null); // played
  expect(last.strays(tap(300), 'G8')).toBe(true); // its twin
});

test('a tap elsewhere, a later tap or a key press counts', () => {
  const last = new LastTap();
  last.note(tap(0), 'G8');
  expect(last.strays(tap(150, 160), 'B3')).toBe(false);
  expect(last.strays(tap(500), 'B3')).toBe(false);
  expect(last.strays({ ...tap(100), pointerType: 'mouse' }, 'B3')).toBe(false);
  expect(last.strays({ ...tap(100), pointerType: 'mouse', detail: 2 }, 'B3')).toBe(true);
  expect(last.strays(tap(150, 100, 0), 'B3')).toBe(false);
});
