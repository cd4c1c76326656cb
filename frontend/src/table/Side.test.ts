import { fireEvent, render, screen } from '@testing-library/svelte';
import { tick } from 'svelte';
import { afterEach, beforeEach, expect, test } from 'vitest';

import type { GameParts } from '../games/parts';
import { storeOf } from '../start/testing';
import { keepSettings, settings } from '../state/settings.svelte';
import Side from './Side.svelte';
import { aView } from './testing.svelte';

keepSettings();
const stored = () => JSON.parse(localStorage.getItem('stichwerk-settings') ?? '{}') as object;
const FOLD = 'Hide scores, log and chat';
const UNFOLD = 'Show scores, log and chat';

beforeEach(() => {
  settings.lang = 'en';
  settings.folded = false;
});
afterEach(() => {
  settings.folded = false;
});

function opened() {
  const { store } = storeOf('ada');
  Object.assign(store, { view: aView({ seat: 0 }), events: [], log: [], chat: [], seat: 0 });
  render(Side, { store, parts: {} as GameParts });
}

const headings = () => screen.queryAllByRole('heading').map((one) => one.textContent);

test('the side panel folds away with all it shows, stays so, and unfolds again', async () => {
  opened();
  expect(headings()).toEqual(['Scores', 'Log', 'Chat']);
  const fold = screen.getByRole('button', { name: FOLD });
  expect(fold.getAttribute('aria-expanded')).toBe('true');

  await fireEvent.click(fold);
  await tick();
  expect(headings()).toEqual([]);
  expect(screen.queryByRole('list')).toBeNull();
  expect(stored()).toMatchObject({ folded: true });
  const unfold = screen.getByRole('button', { name: UNFOLD });
  expect(unfold.getAttribute('aria-expanded')).toBe('false');

  await fireEvent.click(unfold);
  await tick();
  expect(headings()).toEqual(['Scores', 'Log', 'Chat']);
  expect(stored()).toMatchObject({ folded: false });
  expect(screen.getByRole('button', { name: FOLD }).getAttribute('aria-expanded')).toBe('true');
});

test('a panel that was folded away is folded when the table opens', () => {
  settings.folded = true;
  opened();
  expect(headings()).toEqual([]);
  expect(screen.getByRole('button', { name: UNFOLD })).toBeTruthy();
});
