import { render, screen } from '@testing-library/svelte';
import { beforeEach, expect, test } from 'vitest';

import { outlookOf } from '../games/board.fixture';
import { still } from '../state/frames';
import { settings } from '../state/settings.svelte';
import type { TableStore } from '../state/table.svelte';
import { lying } from '../state/moves.testing';
import StatusLine from './StatusLine.svelte';
import { TestBoard } from './testing.svelte';

beforeEach(() => {
  settings.lang = 'en';
});

/** Show the line while a trick that Ben has taken rests, or once it is collected. */
function lineWhile(rests: boolean): string {
  const plays = [
    [0, 'Y9'],
    [1, 'G5'],
  ] as const;
  const board = new TestBoard({ moves: ['R1'], hand: ['R1'] });
  const view = { ...board.view, tricks: [lying({ place: 0, led: 'Y', plays, winning: 1 })] };
  const told = rests ? { ...still(view), held: [{ place: 0, taker: 1 }] } : still(board.view);
  const text = 'Ben takes the trick with G5: the highest of the other colours · +3 for Ben';
  const last = { place: 0, winner: 1, card: 'G5', text, worth: [], order: [] };
  const outlook = outlookOf({ standing: { ...outlookOf().standing, last } });
  const store = Object.assign(board, { told, outlook, complaint: null });
  render(StatusLine, { store: store as unknown as TableStore });
  return document.querySelector('.status')!.textContent.replace(/\s+/g, ' ').trim();
}

test('a trick that rests is explained: who took it, why, and what it was worth', () => {
  const said = lineWhile(true);
  expect(said).toMatch(/^Ben takes the trick with .* the highest of the other colours/);
  expect(said).toMatch(/\+3 for Ben$/);
});

test('once it is collected, the line says whose turn it is', () => {
  expect(lineWhile(false)).toBe('Your turn: you can play one card.');
  expect(screen.queryByText(/takes the trick/)).toBeNull();
});
