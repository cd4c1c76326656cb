import { flushSync } from 'svelte';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { settings } from '../state/settings.svelte';
import { risen } from './risen.svelte';

let frames: FrameRequestCallback[];
let end: () => void;
let card: () => string | null;
let raised: string | null = $state(null);

/** Let the browser draw a frame, and do what waited for it. */
function draw(): void {
  for (const frame of frames.splice(0)) frame(performance.now());
  vi.advanceTimersByTime(1);
  flushSync();
}

function raise(one: string | null): void {
  raised = one;
  flushSync();
}

/** Follow the raised card, with or without motion. */
function follow(motion: 'on' | 'off'): void {
  settings.motion = motion;
  end = $effect.root(() => void (card = risen(() => raised)));
  flushSync();
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('requestAnimationFrame', (frame: FrameRequestCallback) => frames.push(frame));
  vi.stubGlobal('cancelAnimationFrame', () => (frames = []));
  frames = [];
  raised = null;
});
afterEach(() => {
  end();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  settings.motion = 'auto';
});

test('a card is followed when it has risen, another one or none at once', () => {
  follow('on');
  raise('R1');
  expect(card()).toBeNull();
  draw();
  expect(card()).toBe('R1');
  raise('R2');
  expect(card(), 'never what the last one may do').toBe('R2');
  raise(null);
  expect(card()).toBeNull();
});

test('a card that sinks before the frame is never followed', () => {
  follow('on');
  raise('R1');
  raise(null);
  draw();
  expect(card()).toBeNull();
  raise('R2');
  draw();
  expect(card()).toBe('R2');
});

test('everything is followed at once where nothing moves', () => {
  follow('off');
  raise('R1');
  expect(card()).toBe('R1');
});
