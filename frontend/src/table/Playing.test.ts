import { fireEvent, render, screen } from '@testing-library/svelte';
import { tick } from 'svelte';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { parts } from '../games/generic/parts';
import { tableOf } from '../start/testing';
import { still } from '../state/frames';
import type { Frame } from '../state/frames';
import { settings } from '../state/settings.svelte';
import type { TableStore } from '../state/table.svelte';
import Playing from './Playing.svelte';
import { TestBoard } from './testing.svelte';

// What is behind the buttons is loaded first: slow while other tests run in parallel.
vi.setConfig({ testTimeout: 30_000 });
const LONG_WAIT = { timeout: 20_000 };

beforeEach(() => {
  vi.stubGlobal('fetch', async () => new Response('{}', { status: 503 }));
  settings.lang = 'en';
  settings.motion = 'off';
  settings.hold = 1;
  settings.coached = 3;
  localStorage.clear();
});
afterEach(() => vi.unstubAllGlobals());

/** Show a table at which it is the person's turn. */
function opened(held: Frame['held'] = []): void {
  const board = new TestBoard({ moves: ['R1', 'R2'], hand: ['R1', 'R2'], waiting_for: [0] });
  const frame = { ...still(board.view), held };
  const store = Object.assign(board, {
    ...{ frame, around: frame, told: frame, hand: board.view.hand, events: [], log: [], chat: [] },
    ...{ table: tableOf({ stage: 'playing' }), status: 'lost', watching: 0, hint: null },
    ...{ complaint: null, received: [], canTakeBack: false, person: 'ada', queue: vi.fn() },
    deal: { words: [], own: 'unknown', noted: () => true },
  });
  render(Playing, { store: store as unknown as TableStore, parts });
}

const typed = () => screen.queryByRole('combobox', { name: 'Type a move' });

test('Esc in the typed line leads to the hand', async () => {
  opened();
  await fireEvent.keyDown(window, { key: 't' });
  expect(document.activeElement).toBe(typed());
  await fireEvent.keyDown(typed()!, { key: 'Escape' });
  await tick();
  expect(typed()).toBeNull();
  expect(document.activeElement?.matches('.hand [tabindex="0"]')).toBe(true);
});

test('the rules of the moment open by a button', async () => {
  opened();
  await fireEvent.click(screen.getByRole('button', { name: 'Rules' }));
  expect(await screen.findByRole('heading', { name: 'Rules right now' }, LONG_WAIT)).toBeTruthy();
});

test('while the first trick rests, one learns that a tap goes on', () => {
  opened([{ place: 0, taker: 1 }]);
  expect(screen.getByText('Tap to go on')).toBeTruthy();
});
