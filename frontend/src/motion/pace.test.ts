import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { settings } from '../state/settings.svelte';
import { afterFrame, later } from './pace';

let asked: number;
let drawn: Map<number, FrameRequestCallback>;
let called: number;
const call = (): void => void (called += 1);

/** The browser draws a frame, or does not come to it. */
function draw(begun = performance.now()): void {
  const now = [...drawn.values()];
  drawn.clear();
  for (const one of now) one(begun);
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

test('each piece of work has a frame of its own, unless all of them are quick', () => {
  const done: string[] = [];
  const clock = vi.spyOn(performance, 'now').mockReturnValue(5);
  const stops = ['hand', 'seats', 'texts'].map((one) => afterFrame(() => done.push(one)));
  draw(0);
  vi.advanceTimersByTime(1);
  expect(done).toEqual(['hand']);
  stops[1]?.();
  draw(0);
  vi.advanceTimersByTime(1);
  expect(done).toEqual(['hand', 'texts']);
  expect(drawn.size, 'no frame is asked for without work').toBe(0);
  clock.mockReturnValue(2);
  for (const one of ['hand', 'seats']) afterFrame(() => done.push(one));
  draw(0);
  vi.advanceTimersByTime(2);
  expect(done.slice(2)).toEqual(['hand', 'seats']);
});

test('what fails does not keep the rest from its turn', () => {
  afterFrame(() => {
    throw new Error('planted');
  });
  afterFrame(call);
  draw();
  expect(() => vi.advanceTimersByTime(1)).toThrow('planted');
  vi.advanceTimersByTime(1_000);
  expect(called).toBe(1);
});

test('a frame that took long leaves its time to the next ones, up to a limit', () => {
  const clock = vi.spyOn(performance, 'now').mockReturnValue(0);
  afterFrame(call);
  clock.mockReturnValue(12);
  for (let full = 0; full < 3; full += 1) {
    draw(0);
    vi.advanceTimersByTime(1);
    expect(called).toBe(0);
  }
  draw(0);
  vi.advanceTimersByTime(1);
  expect(called).toBe(1);
  afterFrame(call);
  draw(8);
  vi.advanceTimersByTime(1);
  expect(called, 'a quick one leaves enough').toBe(2);
});

test('the answer to a tap comes next, even after a frame without room', () => {
  const done: string[] = [];
  vi.spyOn(performance, 'now').mockReturnValue(12);
  afterFrame(() => done.push('seats'));
  draw(0);
  vi.advanceTimersByTime(1);
  afterFrame(() => done.push('answer'), true);
  expect(done).toEqual([]);
  draw(0);
  vi.advanceTimersByTime(1);
  expect(done).toEqual(['answer']);
  vi.advanceTimersByTime(1_000);
  expect(done).toEqual(['answer', 'seats']);
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
