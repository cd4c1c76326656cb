import { fireEvent, render, screen, waitFor, within } from '@testing-library/svelte';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { pick } from '../shared/select.testing';
import { settings } from '../state/settings.svelte';
import { keepToken } from '../state/tokens';
import Gathering from './Gathering.svelte';
import { USUAL_SETTINGS } from './choices';
import { GAMES, storeOf, tableOf } from './testing';

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
  settings.lang = 'en';
  settings.name = '';
  vi.stubGlobal('fetch', async (url: URL | string) =>
    String(url).includes('/api/qr')
      ? new Response('<svg/>')
      : Response.json({ games: GAMES, sheets: [], date: '' }),
  );
});

afterEach(() => vi.unstubAllGlobals());

test('the host can place bots by level, free seats and begin', async () => {
  const { store, asked } = storeOf('ada');
  render(Gathering, { store });
  await pick('Who has Seat D', 'Bot: strong');
  await pick('Who has Seat C', 'free');
  screen.getByRole('button', { name: 'Free the seat: Ben' }).click();
  screen.getByRole('button', { name: 'Start the match' }).click();
  expect(asked).toEqual([
    { type: 'place-bot', seat: 3, level: 'hard' },
    { type: 'free-seat', seat: 2 },
    { type: 'free-seat', seat: 1 },
    { type: 'begin' },
  ]);
});

test('the host can change game, seats and settings', async () => {
  const { store, asked } = storeOf(
    'ada',
    tableOf({ options: { all_zero: 'leader', rounds: 4, starter: 3 } }),
  );
  render(Gathering, { store });
  await screen.findByLabelText('Game');
  await fireEvent.click(screen.getByRole('radio', { name: '3' }));
  await fireEvent.click(screen.getByRole('switch', { name: 'Chat' }));
  await pick('Game', 'Stichtag');
  expect(asked[0]).toEqual({ type: 'change', seats: 3, options: { all_zero: 'leader' } });
  expect(asked[1]).toEqual({ type: 'change', settings: { ...USUAL_SETTINGS, chat: false } });
  expect(asked[2]).toMatchObject({
    type: 'change',
    game: 'stichtag',
    seats: 4,
    options: { date: expect.stringMatching(/^\d\d-\d\d$/) },
  });
});

test.each([
  ['none', 'none'],
  ['all', 'open'],
])('the host can let people look back at %s of the tricks', async (label, memory) => {
  const { store, asked } = storeOf('ada');
  render(Gathering, { store });
  await screen.findByLabelText('Game');
  const choice = within(screen.getByRole('group', { name: 'Looking back at tricks' }));
  expect(choice.getByRole<HTMLInputElement>('radio', { name: 'last one only' }).checked).toBe(true);
  await fireEvent.click(choice.getByRole('radio', { name: label }));
  expect(asked).toEqual([{ type: 'change', settings: { ...USUAL_SETTINGS, memory } }]);
});

test('a guest can change or leave the seat and nothing else', () => {
  const { store, asked } = storeOf('ben');
  render(Gathering, { store });
  screen.getByRole('button', { name: 'Sit here: Seat D' }).click();
  screen.getByRole('button', { name: 'Get up' }).click();
  expect(asked).toEqual([{ type: 'sit', seat: 3 }, { type: 'leave' }]);
  expect(screen.queryByRole('button', { name: 'Start the match' })).toBeNull();
  expect(screen.queryByLabelText('Who has Seat C')).toBeNull();
  expect(screen.getByText('Ada starts the match when everyone is here.')).toBeTruthy();
});

test('a newcomer joins with a name, which is stored', async () => {
  const { store, joined } = storeOf(null);
  render(Gathering, { store });
  await fireEvent.input(screen.getByLabelText('Your name'), { target: { value: ' Cleo ' } });
  await fireEvent.submit(screen.getByRole('button', { name: 'Join' }).closest('form')!);
  expect(joined).toEqual(['Cleo']);
  expect(settings.name).toBe('Cleo');
});

test('the personal link becomes a QR code only on request and is never shown in full', async () => {
  keepToken('T1', 'secret'.repeat(8), 'sticheln');
  const { store } = storeOf('ben');
  const { container } = render(Gathering, { store });
  expect(screen.queryByLabelText('Your personal link')).toBeNull();
  const details = container.querySelector('details')!;
  details.open = true;
  await fireEvent(details, new Event('toggle'));
  await waitFor(() => expect(screen.getByLabelText('Your personal link')).toBeTruthy());
  expect(container.innerHTML).not.toContain('secret');
});

test('a newcomer at a private table sees only that a match is running', () => {
  const table = tableOf({ stage: 'playing', settings: { ...USUAL_SETTINGS, watch: 'none' } });
  const { store } = storeOf(null, table);
  render(Gathering, { store: Object.assign(store, { outside: true }) });
  expect(screen.getByText(/A match is on, and nobody may watch here/)).toBeTruthy();
  expect(screen.queryByLabelText('Your name')).toBeNull();
});
