import { render, screen } from '@testing-library/svelte';
import { expect, test } from 'vitest';

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

test('names are isolated, so that one from right to left reorders nothing', () => {
  const board = new TestBoard({ seat: 0, names: ['Ada', 'עדה', 'Ben'], tricks: [] });
  const { container } = render(TrickSlots, { board });
  const names = [...container.querySelectorAll('bdi')].map((one) => one.textContent);
  expect(names).toContain('עדה');
  expect(names).toHaveLength(3);
});
