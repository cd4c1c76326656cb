import { render, screen } from '@testing-library/svelte';
import { tick } from 'svelte';
import { beforeEach, expect, test, vi } from 'vitest';

import { settings } from '../state/settings.svelte';
import { characters } from '../start/characters.svelte';
import { storeOf, tableOf } from '../start/testing';
import People from './People.svelte';

beforeEach(() => {
  vi.spyOn(characters, 'load').mockResolvedValue();
  settings.lang = 'en';
});

function press(name: string): Promise<void> {
  screen.getByRole('button', { name }).click();
  return tick();
}

const CROWD = tableOf({
  people: ['ada', 'ben', 'eve'].map((id) => ({
    id,
    name: id[0]!.toUpperCase() + id.slice(1),
    here: true,
    muted: false,
    bot_at: null,
  })),
  blocked: [{ id: 'x', name: 'Mallory' }],
});

test('the owner can hand over, remove and block, each with a confirmation', async () => {
  const { store, asked } = storeOf('ada', CROWD);
  render(People, { store });
  await press('Hand over the table: Ben');
  expect(asked).toEqual([]);
  await press('Yes, hand the table to Ben');
  await press('Remove from the table: Eve');
  await press('Remove and block: Eve');
  expect(asked, 'another button cancels the question').toHaveLength(1);
  await press('Yes, block Eve');
  await press('Unblock: Mallory');
  expect(asked).toEqual([
    { type: 'hand-over', person: 'ben' },
    { type: 'remove', person: 'eve', block: true },
    { type: 'unblock', person: 'x' },
  ]);
  expect(
    screen.queryByRole('button', { name: 'Hand over the table: Eve' }),
    'without a seat',
  ).toBeNull();
});

test('a deputy host can remove others but not the owner, and cannot hand over', () => {
  const { store } = storeOf('ben', { ...CROWD, host: 'ben' });
  render(People, { store });
  expect(screen.getByRole('button', { name: 'Remove from the table: Eve' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Remove from the table: Ada' })).toBeNull();
  expect(screen.queryByRole('button', { name: /^Hand over/ })).toBeNull();
});

test('other players have no such buttons', () => {
  const { store } = storeOf('eve', { ...CROWD, blocked: [] });
  render(People, { store });
  expect(screen.queryByRole('button', { name: /Remove|Hand over|Unblock/ })).toBeNull();
});

test('in a match a character stays, and says what it is like', () => {
  const style = 'Is miles away.';
  characters.all = [{ bot: 'luna', name: 'Luna', style, ratings: {} }];
  const places = tableOf().places.map((place, seat) =>
    seat === 2 ? { ...place, level: 'luna' } : place,
  );
  const { store } = storeOf('ada', tableOf({ places, stage: 'playing' }));
  render(People, { store });
  expect(screen.getByText(style)).toBeTruthy();
});
