import { fireEvent, render, screen } from '@testing-library/svelte';
import { beforeEach, expect, test, vi } from 'vitest';

import type { GameInfo } from '../protocol';
import { settings } from '../state/settings.svelte';
import type { TableStore } from '../state/table.svelte';
import MakeTable from './MakeTable.svelte';
import OwnName from './OwnName.svelte';
import { ownName } from './play';

beforeEach(() => {
  settings.lang = 'en';
  settings.name = '';
});

test('without a name a person is a guest, never a pronoun', () => {
  expect(ownName()).toBe('Guest');
  settings.lang = 'de';
  expect(ownName()).toBe('Gast');
});

test('a table for friends needs a name', () => {
  const game = {
    name: 'sticheln',
    title: 'Sticheln',
    sentence: '',
    seats: [3, 4],
    options: [],
    minutes: [20, 30],
  };
  const games = [game] as unknown as readonly GameInfo[];
  render(MakeTable, { games, first: 'sticheln', onclose: () => undefined });
  const field = screen.getByLabelText<HTMLInputElement>('Your name');
  expect(field.required).toBe(true);
  expect(field.checkValidity()).toBe(false);
});

test('a name can be changed at the table and is remembered', async () => {
  const ask = vi.fn(() => Promise.resolve({}));
  const table = { people: [{ id: 'p', name: 'Guest' }] };
  const store = { table, person: 'p', ask } as unknown as TableStore;
  render(OwnName, { store });
  await fireEvent.input(screen.getByLabelText('Your name'), { target: { value: ' Mia ' } });
  await fireEvent.submit(screen.getByRole('button', { name: 'Save' }).closest('form')!);
  expect(ask).toHaveBeenCalledWith({ type: 'rename', name: 'Mia' });
  expect(settings.name).toBe('Mia');
});
