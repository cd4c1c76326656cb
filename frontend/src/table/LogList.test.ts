import { fireEvent, render, screen } from '@testing-library/svelte';
import { tick } from 'svelte';
import { beforeEach, expect, test } from 'vitest';

import { settings } from '../state/settings.svelte';
import type { LogLine, TableStore } from '../state/table.svelte';
import type { GameParts } from '../games/parts';
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
