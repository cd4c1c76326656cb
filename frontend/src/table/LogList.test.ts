import { fireEvent, render, screen } from '@testing-library/svelte';
import { tick } from 'svelte';
import { beforeEach, expect, test } from 'vitest';

import { settings } from '../state/settings.svelte';
import type { LogLine, TableStore } from '../state/table.svelte';
import type { GameParts } from '../games/parts';
import type { Event } from '../protocol';
import LogList from './LogList.svelte';
import { reactive } from './testing.svelte';

const LINE = 20; // pixels
const HEIGHT = 100;

beforeEach(() => {
  settings.lang = 'en';
});

function lines(count: number): LogLine[] {
  return Array.from({ length: count }, (_, at) => ({
    at,
    nth: 0,
    words: `Line ${at}`,
    note: { note: 'changed' },
  }));
}

/** Render a log in a box of fixed height, which happy-dom does not lay out. */
function opened(count: number) {
  const store = reactive({ log: lines(count), events: [] });
  render(LogList, { store: store as unknown as TableStore, parts: {} as GameParts });
  const box = screen.getByRole('list', { name: 'Log' });
  Object.defineProperties(box, {
    scrollHeight: { get: () => box.children.length * LINE },
    clientHeight: { get: () => HEIGHT },
  });
  return { store, box };
}

/** Scroll as a person does. */
async function scrollTo(box: HTMLElement, top: number): Promise<void> {
  box.scrollTop = top;
  await fireEvent.scroll(box);
}

test('follows however many lines come at once', async () => {
  const { store, box } = opened(20);
  await scrollTo(box, 20 * LINE - HEIGHT);
  store.log = lines(60);
  await tick();
  expect(box.scrollTop).toBe(60 * LINE);
  expect(screen.queryByRole('button', { name: /^Newest/ })).toBeNull();
});

test('stays where the person reads, and a button leads back', async () => {
  const { store, box } = opened(40);
  await scrollTo(box, 40 * LINE - HEIGHT);
  await scrollTo(box, 40 * LINE - HEIGHT - 60); // less than a screen up
  store.log = lines(41);
  await tick();
  expect(box.scrollTop).toBe(40 * LINE - HEIGHT - 60);
  await fireEvent.click(screen.getByRole('button', { name: /^Newest/ }));
  expect(box.scrollTop).toBe(41 * LINE);
  store.log = lines(50);
  await tick();
  expect(box.scrollTop, 'follows again').toBe(50 * LINE);
});

test('does not run ahead of a trick that still rests on the table', async () => {
  const play: Event = { kind: 'play', seat: 1, move: 'R5', cards: ['R5'] };
  const trick: Event = { kind: 'trick', seat: 1, cards: ['R5'] };
  const next: Event = { kind: 'play', seat: 1, move: 'R6', cards: ['R6'] };
  const events = [play, trick, next];
  const told = events.map((event, nth) => ({ at: 1, nth, event, words: `Event ${nth}` }));
  const store = reactive({
    log: [...told, ...lines(1)] as LogLine[],
    events,
    told: { until: trick } as { until?: Event },
  });
  render(LogList, { store: store as unknown as TableStore, parts: {} as GameParts });
  const shown = () =>
    screen.getAllByRole('listitem').map((item) => (item.textContent ?? '').trim());
  expect(shown()).toEqual(['Event 0', 'Event 1', 'Line 0']);
  store.told = {};
  await tick();
  expect(shown()).toEqual(['Event 0', 'Event 1', 'Event 2', 'Line 0']);
});
