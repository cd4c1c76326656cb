import { fireEvent, render, screen } from '@testing-library/svelte';
import { tick } from 'svelte';
import { beforeEach, expect, test } from 'vitest';

import { settings } from '../../state/settings.svelte';
import { EFFECT, OUTLOOK, GameTestBoard } from './board.testing.svelte';
import Choice from './Choice.svelte';
import { factsOfSeat, factsOfTable, inWords } from './facts';
import Middle from './Middle.svelte';

beforeEach(() => {
  settings.lang = 'en';
});

test('facts of any type are shown as text at their seat', () => {
  const { view } = new GameTestBoard({
    table: { pain: ['R9', 'G4', null, 'B2'], trump: 'R', face_up: null },
  });
  expect(factsOfTable(view!)).toEqual([{ name: 'Trump', words: 'R' }]);
  expect(factsOfSeat(view!, 1)).toEqual([{ name: 'Pain', words: 'G4' }]);
  expect(factsOfSeat(view!, 2)).toEqual([]);
  expect(inWords({ top: 'R3', size: 2, open: true })).toBe('Top: R3, Size: 2, Open: yes');
});

test('a choice of few moves shows buttons with their effects', async () => {
  const board = new GameTestBoard({ phase: 'veto', moves: ['pass', '1', '2'] });
  board.outlook = { ...OUTLOOK, effects: [{ ...EFFECT, move: '1', text: 'Ben loses it' }] };
  render(Choice, { board });
  await fireEvent.click(screen.getByRole('button', { name: '1 Ben loses it' }));
  expect(board.played).toEqual(['1']);
});

test('a choice of many moves lists those with the picked cards', async () => {
  const hand = ['R1', 'R2', 'R3', 'G1', 'G2', 'G3'];
  const moves = hand.flatMap((one) =>
    hand.filter((other) => other !== one).map((other) => `${one},${other}`),
  );
  const board = new GameTestBoard({ phase: 'pass', hand, moves });
  render(Choice, { board });
  expect(screen.queryByRole('button')).toBeNull();
  board.selection.tap('R1');
  board.selection.tap('G3');
  await tick();
  await fireEvent.click(screen.getByRole('button', { name: /^green 3 ?, red 1$/ }));
  expect(board.played).toEqual(['G3,R1']);
});

test('a card with several moves asks which one', async () => {
  const board = new GameTestBoard({ hand: ['G3', 'G4'], moves: ['G3', 'G3+G4', 'G4'] });
  render(Middle, { board });
  board.selection.tap('G3');
  await tick();
  await fireEvent.click(screen.getByRole('button', { name: 'green 3 + green 4' }));
  expect(board.played).toEqual(['G3+G4']);
});
