import { render, screen, waitFor } from '@testing-library/svelte';
import { tick } from 'svelte';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { known } from '../games/known.svelte';
import { router } from '../state/route.svelte';
import { settings } from '../state/settings.svelte';
import { tokenOf } from '../state/tokens';
import GameCard from './GameCard.svelte';
import Gathering from './Gathering.svelte';
import { isToBegin, markBegin, today } from './play';
import { GAMES, storeOf, tableOf } from './testing';

let sent: { path: string; body: unknown }[] = [];

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
  settings.lang = 'en';
  settings.name = '';
  settings.pace = 'fast';
  sent = [];
  vi.stubGlobal('fetch', async (url: URL | string, init?: RequestInit) => {
    const path = new URL(String(url), location.origin).pathname;
    if (init?.body) sent.push({ path, body: JSON.parse(String(init.body)) });
    const made = { table: 'T1', person: 'ada', token: 'x'.repeat(43), link: '', personal: '' };
    return Response.json(path === '/api/tables' ? made : { games: GAMES });
  });
});

afterEach(() => vi.unstubAllGlobals());

test('one click creates a table full of bots without asking for a name', async () => {
  const go = vi.spyOn(router, 'go').mockImplementation(() => undefined);
  render(GameCard, { game: GAMES[0]!, onfriends: () => undefined });
  screen.getByRole('button', { name: 'Play: Sticheln, against 3 bots, medium' }).click();
  await waitFor(() => expect(go).toHaveBeenCalledWith('/t/T1'));
  expect(sent).toEqual([
    {
      path: '/api/tables',
      body: {
        game: 'sticheln',
        name: 'Guest',
        seats: 4,
        options: {},
        bots: { 1: 'medium', 2: 'medium', 3: 'medium' },
        settings: { level: 'medium', pace: 'fast', running_score: true },
      },
    },
  ]);
  expect(tokenOf('T1')).toBe('x'.repeat(43));
  expect(isToBegin('T1')).toBe(true);
});

test('the match does not begin before it is clear whether bots have to wait', async () => {
  markBegin('T1');
  const { store, asked } = storeOf('ada');
  const { rerender } = render(Gathering, { store, ready: false });
  await tick();
  expect(asked).toEqual([]);
  await rerender({ ready: true });
  await waitFor(() => expect(asked).toEqual([{ type: 'begin' }]));
});

test('the match then begins automatically, once', async () => {
  markBegin('T1');
  const { store, asked } = storeOf('ada');
  render(Gathering, { store });
  await waitFor(() => expect(asked).toEqual([{ type: 'begin' }]));
  expect(isToBegin('T1')).toBe(false);
  render(Gathering, { store });
  expect(asked).toHaveLength(1);
});

test('no match begins automatically for guests or while one is running', async () => {
  markBegin('T1');
  const guest = storeOf('ben');
  render(Gathering, { store: guest.store });
  await waitFor(() => expect(isToBegin('T1')).toBe(false));
  markBegin('T1');
  const running = storeOf('ada', tableOf({ stage: 'playing' }));
  render(Gathering, { store: running.store });
  await waitFor(() => expect(isToBegin('T1')).toBe(false));
  expect([...guest.asked, ...running.asked]).toEqual([]);
});

test('a refusal is shown on the game card', async () => {
  vi.stubGlobal('fetch', async () =>
    Response.json(
      { error: 'too-many-tables', text: 'Too many tables.', data: {} },
      { status: 429 },
    ),
  );
  render(GameCard, { game: GAMES[0]!, onfriends: () => undefined });
  screen.getByRole('button', { name: /^Play:/ }).click();
  expect(await screen.findByText('Too many tables.')).toBeTruthy();
});

test('today is the local date as MM-DD', () => {
  expect(today(new Date(2026, 0, 5, 0, 1))).toBe('01-05');
});

test('a custom game without lesson and rules has no links', () => {
  const presentation = known('own');
  render(GameCard, {
    game: { ...GAMES[0]!, name: 'own', title: 'Own', presentation },
    onfriends: () => undefined,
  });
  expect(screen.queryByRole('link')).toBeNull();
  render(GameCard, { game: GAMES[0]!, onfriends: () => undefined });
  expect(screen.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
    '/learn/sticheln',
    '/rules/sticheln',
  ]);
});
