import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { faceOf } from './face';
import { readAhead } from './ready';

const made: { src: string }[] = [];
let rest = 12; // milliseconds until the next frame

beforeEach(() => {
  made.length = 0;
  vi.useFakeTimers();
  rest = 12;
  vi.stubGlobal('requestIdleCallback', (call: IdleRequestCallback) =>
    setTimeout(() => call({ didTimeout: false, timeRemaining: () => rest }), 10),
  );
  vi.stubGlobal('cancelIdleCallback', (request: number) => clearTimeout(request));
  vi.stubGlobal(
    'Image',
    class {
      src = '';
      constructor() {
        made.push(this);
      }
    },
  );
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('faces are read one by one, and each of them once', () => {
  readAhead(['R1', 'G2']);
  expect(made).toHaveLength(0);
  vi.advanceTimersByTime(10);
  expect(made).toHaveLength(1);
  vi.advanceTimersByTime(100);
  expect(made.map(({ src }) => src).sort()).toEqual([faceOf('R1'), faceOf('G2')].sort());
  readAhead(['G2', 'B3']);
  vi.advanceTimersByTime(100);
  expect(made.slice(2).map(({ src }) => src)).toEqual([faceOf('B3')]);
});

test('nothing is read once it is stopped', () => {
  const stop = readAhead(['L1', 'L2', 'L3']);
  vi.advanceTimersByTime(10);
  stop();
  vi.advanceTimersByTime(100);
  expect(made).toHaveLength(1);
});

test('where something moves there is no time to read: it waits', () => {
  rest = 3;
  readAhead(['S1', 'S2']);
  vi.advanceTimersByTime(100);
  expect(made).toHaveLength(0);
  rest = 12;
  vi.advanceTimersByTime(100);
  expect(made).toHaveLength(2);
});
