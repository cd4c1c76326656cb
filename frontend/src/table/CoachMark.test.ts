import { fireEvent, render, screen } from '@testing-library/svelte';
import { tick } from 'svelte';
import { beforeEach, expect, test } from 'vitest';

import type { Event } from '../protocol';
import { settings } from '../state/settings.svelte';
import type { TableStore } from '../state/table.svelte';
import CoachMark from './CoachMark.svelte';
import { aView, reactive } from './testing.svelte';

const PLAY: Event = { kind: 'play', seat: 0, move: 'G8', cards: ['G8'] };
const TRICK: Event = { kind: 'trick', seat: 1, cards: ['G8', 'R1', 'B0'] };

function atTable() {
  const facts = reactive({
    seat: 0 as number | null,
    myTurn: false,
    view: aView({ phase: 'play' }),
    events: [] as Event[],
  });
  render(CoachMark, { store: facts as unknown as TableStore });
  return facts;
}

const tip = () => screen.queryByRole('note', { name: 'Tip' })?.textContent ?? '';

beforeEach(() => {
  settings.lang = 'en';
  settings.coached = 0;
});

test('three tips come one after the other, each in its moment, and only once', async () => {
  const table = atTable();
  expect(tip()).toBe('');
  table.myTurn = true;
  await tick();
  expect(tip()).toContain('tap it again');
  expect(tip().trim(), 'its number is no part of the sentence').toMatch(/^Tap a card/);
  await fireEvent.click(screen.getByRole('button', { name: 'Got it' }));
  expect(tip()).toBe('');
  table.events = [PLAY];
  table.myTurn = false;
  await tick();
  expect(tip()).toContain('full trick');
  await fireEvent.click(screen.getByRole('button', { name: 'Got it' }));
  expect(tip()).toBe('');
  table.events = [PLAY, TRICK];
  table.myTurn = true;
  await tick();
  expect(tip()).toContain('Hint');
  await fireEvent.click(screen.getByRole('button', { name: 'Got it' }));
  expect(tip()).toBe('');
  expect(settings.coached).toBe(3);
});

test('all tips can be skipped at once', async () => {
  const table = atTable();
  table.myTurn = true;
  await tick();
  await fireEvent.click(screen.getByRole('button', { name: 'No tips' }));
  table.events = [PLAY, TRICK];
  await tick();
  expect(tip()).toBe('');
});

test('spectators get none', async () => {
  const table = atTable();
  table.seat = null;
  table.myTurn = true;
  await tick();
  expect(tip()).toBe('');
});
