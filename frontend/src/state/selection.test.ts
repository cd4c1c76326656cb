import { beforeEach, expect, test } from 'vitest';

import { boardOf, viewOf } from '../games/board.fixture';
import { settings } from './settings.svelte';

beforeEach(() => {
  settings.oneTap = false;
});

const pairs = viewOf({ hand: ['G2', 'G5', 'R1'], moves: ['G2', 'G2+G5', 'G5', 'R1'] });

test('a second tapped card makes a pair, and another tap plays both', () => {
  const board = boardOf(pairs);
  board.selection.tap('G2');
  board.selection.tap('G5');
  expect([board.selection.raised, board.selection.picked]).toEqual(['G2', ['G2', 'G5']]);
  expect(board.played).toEqual([]);
  board.selection.tap('G5');
  expect(board.played).toEqual(['G2+G5']);
  expect(board.selection.picked).toEqual([]);
});

test('tapping the first card drops the second; tapping a card that fits no pair raises it', () => {
  const board = boardOf(pairs);
  board.selection.tap('G2');
  board.selection.tap('G5');
  board.selection.tap('G2');
  expect([board.selection.raised, board.selection.picked]).toEqual(['G2', []]);
  board.selection.tap('G5');
  board.selection.tap('R1');
  expect([board.selection.raised, board.selection.picked]).toEqual(['R1', []]);
  board.selection.tap('R1');
  expect(board.played).toEqual(['R1']);
});

test('in one-tap mode a pair takes two taps', () => {
  settings.oneTap = true;
  const board = boardOf(pairs);
  board.selection.tap('G2');
  board.selection.tap('G5');
  expect(board.played).toEqual(['G2+G5']);
});
