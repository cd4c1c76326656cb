import { fireEvent, render, screen } from '@testing-library/svelte';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { settings } from '../state/settings.svelte';
import { hideTable, keepToken, noteStage, ownTables } from '../state/tokens';
import { own } from './own.svelte';
import OwnTables from './OwnTables.svelte';

beforeEach(() => {
  localStorage.clear();
  settings.lang = 'en';
  vi.stubGlobal('fetch', async () => new Response('{"matches": []}'));
});
afterEach(() => vi.unstubAllGlobals());

function keep(table: string, opponents: string[], round: number, date?: string): void {
  keepToken(table, `token-of-${table}`, 'stichtag');
  const progress = { with: opponents, round, rounds: 3, ...(date && { date }) };
  noteStage(table, 'playing', `match-of-${table}`, progress);
}

test('tiles name opponents, progress and the day', async () => {
  keep('T1', ['Mia', 'Ole'], 2, '02-29');
  keep('T2', ['Ben'], 1);
  await own.load();
  render(OwnTables);
  const tiles = screen.getAllByRole('link').map((one) => one.textContent.replace(/\s+/g, ' '));
  const [one, two] = [/T1$/, /T2$/].map(
    (id) =>
      tiles[screen.getAllByRole('link').findIndex((tile) => id.test(tile.getAttribute('href')!))],
  );
  expect(one).toContain('February 29');
  expect(one).toContain('with Mia and Ole');
  expect(one).toMatch(/2 of 3/);
  expect(two).toContain('with Ben');
  expect(two).toMatch(/1 of 3/);
});

test('a tile can be removed, and the seat stays', async () => {
  keep('T1', ['Mia'], 2);
  keep('T2', ['Ben'], 1);
  await own.load();
  render(OwnTables);
  const gone = screen.getAllByRole('link')[0]!.getAttribute('href')!;
  await fireEvent.click(screen.getAllByRole('button', { name: /^Remove from this list/ })[0]!);
  await vi.waitFor(() => expect(screen.getAllByRole('link')).toHaveLength(1));
  expect(screen.getByRole('link').getAttribute('href')).not.toBe(gone);
  expect(ownTables()).toHaveLength(2);
});

test('a table that is visited again is shown again', async () => {
  keep('T1', ['Mia'], 2);
  hideTable('T1');
  await own.load();
  expect(own.running).toEqual([]);
  noteStage('T1', 'playing', 'match-of-T1');
  await own.load();
  expect(own.running.map(({ table }) => table)).toEqual(['T1']);
});
