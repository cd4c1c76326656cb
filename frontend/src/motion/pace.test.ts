import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { settings } from '../state/settings.svelte';
import { afterFrame, later } from './pace';

let asked: number;
let drawn: Map<number, FrameRequestCallback>;
let called: number;
const call = (): void => void (called += 1);

/** The browser draws a frame, or does not come to it. */
function draw(): void {
  const now = [...drawn.values()];
  drawn.clear();
  for (const one of now) one(0);
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('requestAnimationFrame', (one: FrameRequestCallback) => {
    asked += 1;
    drawn.set(asked, one);
    return asked;
  });
  vi.stubGlobal('cancelAnimationFrame', (request: number) => drawn.delete(request));
  settings.motion = 'on';
  drawn = new Map();
  asked = 0;
  called = 0;
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  settings.motion = 'auto';
});

test('work begins when a frame is drawn, and once', () => {
  afterFrame(call);
  vi.advanceTimersByTime(50);
  expect(called).toBe(0);
  draw();
  expect(called, 'not within the frame').toBe(0);
  vi.advanceTimersByTime(1);
  expect(called).toBe(1);
  vi.advanceTimersByTime(1_000);
  expect(called).toBe(1);
});

test('it begins without a frame, too, where none is drawn', () => {
  afterFrame(call);
  vi.advanceTimersByTime(1_000);
  expect(called).toBe(1);
});

test('nothing waits where nothing moves or nothing is seen', () => {
  settings.motion = 'off';
  afterFrame(call);
  expect(called).toBe(1);
  settings.motion = 'on';
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
  afterFrame(call);
  expect(called).toBe(2);
});

test('it can be called off before and after the frame, and during a pause', () => {
  const first = afterFrame(call);
  first();
  const second = afterFrame(call);
  draw();
  second();
  const third = later(200, call);
  vi.advanceTimersByTime(100);
  third();
  const fourth = later(200, call);
  vi.advanceTimersByTime(200);
  fourth();
  vi.advanceTimersByTime(1_000);
  draw();
  expect(called).toBe(0);
});

test('a pause ends with a frame', () => {
  later(200, call);
  vi.advanceTimersByTime(200);
  expect(called).toBe(0);
  draw();
  vi.advanceTimersByTime(1);
  expect(called).toBe(1);
});
