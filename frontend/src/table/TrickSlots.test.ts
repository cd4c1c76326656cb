import { render, screen } from '@testing-library/svelte';
import { flushSync } from 'svelte';
import { afterEach, expect, test } from 'vitest';

import { lying } from '../state/moves.testing';
import { settings } from '../state/settings.svelte';
import { TestBoard } from './testing.svelte';
import TrickSlots from './TrickSlots.svelte';

test.each([
  ['en', 'You have not played yet', / has not played yet$/],
  ['de', 'Du hast noch nicht gespielt', / hat noch nicht gespielt$/],
] as const)('speaks to the person, and about the others (%s)', (lang, own, other) => {
  settings.lang = lang;
  const board = new TestBoard({ seat: 0, tricks: [] });
  render(TrickSlots, { board });
  expect(screen.getAllByRole('img', { name: own })).toHaveLength(1);
  expect(screen.getAllByRole('img', { name: other })).toHaveLength(2);
});

test.each([
  ['en', 0, 'you, red 5, led, winning', 'you, red 5, led, you take the trick'],
  ['de', 0, 'du, Rot 5, ausgespielt, führst', 'du, Rot 5, ausgespielt, nimmst den Stich'],
  ['en', 1, 'Ben, red 7, winning', 'Ben, red 7, takes the trick'],
  ['de', 1, 'Ben, Rot 7, führt', 'Ben, Rot 7, nimmt den Stich'],
] as const)('says what becomes of a card, yours in the second person (%s, %s)', (...expected) => {
  const [lang, winning, open, taken] = expected;
  settings.lang = lang;
  const plays = [
    [0, 'R5'],
    [1, 'R7'],
  ] as const;
  const names = ['Ada', 'Ben', 'Cleo'];
  const board = new TestBoard({
    seat: 0,
    names,
    tricks: [lying({ place: 0, led: 'R', plays, winning })],
  });
  render(TrickSlots, { board });
  screen.getByRole('img', { name: open });
  board.frame = { ...board.frame, held: [{ place: 0, taker: winning }] };
  flushSync();
  screen.getByRole('img', { name: taken });
});

afterEach(() => {
  settings.lang = 'en';
});

test('names are isolated, so that one from right to left reorders nothing', () => {
  const board = new TestBoard({ seat: 0, names: ['Ada', 'עדה', 'Ben'], tricks: [] });
  const { container } = render(TrickSlots, { board });
  const names = [...container.querySelectorAll('bdi')].map((one) => one.textContent);
  expect(names).toContain('עדה');
  expect(names).toHaveLength(3);
});
