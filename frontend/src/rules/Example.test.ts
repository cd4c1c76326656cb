import { render, screen, waitFor } from '@testing-library/svelte';
import { beforeEach, expect, test, vi } from 'vitest';

import { settings } from '../state/settings.svelte';
import Example from './Example.svelte';
import { ExampleBoard } from './exampleBoard.svelte';
import { examplesOf } from './examples';
import RuleDialogContent from './RuleDialogContent.svelte';

beforeEach(() => {
  settings.lang = 'en';
});

const GAMES = ['stichling', 'null-nichtig', 'sticheln', 'stichtag'];

test.each(GAMES)('the examples of %s step forward and back', async (game) => {
  const scenes = await examplesOf(game);
  expect(scenes.length).toBeGreaterThanOrEqual(2);
  for (const scene of scenes) {
    const board = new ExampleBoard(scene);
    const first = board.frame;
    for (let at = 1; at < board.stops.length; at += 1) board.go(1);
    expect(board.isLast).toBe(true);
    expect(board.view.moves).toEqual([]);
    for (let at = 1; at < board.stops.length; at += 1) board.go(-1);
    expect(board.frame).toBe(first);
  }
});

test('the last step of a trick shows its taker', async () => {
  const [scene] = await examplesOf('sticheln');
  const board = new ExampleBoard(scene!);
  board.go(99);
  expect(board.frame.held).toEqual([{ place: 0, taker: 2 }]);
  expect(board.stop.say.en).toContain('Ben takes the trick');
});

test('an example explains each step', async () => {
  const [scene] = await examplesOf('sticheln');
  render(Example, { game: 'sticheln', scene: scene! });
  expect(screen.getByText(/leads/)).toBeTruthy();
  screen.getByRole('button', { name: 'Next' }).click();
  await waitFor(() => expect(screen.getByText(/There is only yellow/)).toBeTruthy());
  await waitFor(() => expect(screen.getByRole('img', { name: /Ben, yellow 8/ })).toBeTruthy(), {
    timeout: 5_000,
  });
});

test('the rule dialog starts with the current section', async () => {
  const sections = [
    { id: 'x', heading: 'X', level: 1, markdown: 'intro' },
    { id: 'playing', heading: 'Playing', level: 2, markdown: 'any card' },
    { id: 'scoring', heading: 'Scoring', level: 2, markdown: 'count' },
    { id: 'options', heading: 'Options', level: 2, markdown: 'none' },
  ];
  const rules = { game: 'x', title: 'X', lang: 'en', seats: null, sections };
  vi.stubGlobal('fetch', async () => new Response(JSON.stringify(rules)));
  render(RuleDialogContent, { props: { game: 'x', anchor: 'scoring', options: {} } });
  await waitFor(() => expect(screen.getByRole('heading', { name: 'Scoring' })).toBeTruthy());
  expect(screen.getByText('Playing').closest('details')).not.toBeNull();
  expect(screen.queryByText('Options')).toBeNull();
  vi.unstubAllGlobals();
});
