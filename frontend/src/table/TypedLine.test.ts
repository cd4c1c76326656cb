import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { tick } from 'svelte';
import { beforeEach, expect, test, vi } from 'vitest';

import { settings } from '../state/settings.svelte';
import { outlookOf } from '../games/board.fixture';
import { TestBoard } from './testing.svelte';
import TypedLine from './TypedLine.svelte';

const MOVES = ['G8>1', 'G8>new', 'R3>1', 'veto 2'];

function typed(moves = MOVES) {
  const board = new TestBoard({ moves });
  const onclose = vi.fn();
  render(TypedLine, { board, onclose });
  return { board, onclose, field: screen.getByRole('combobox') as HTMLInputElement };
}

async function type(field: HTMLInputElement, value: string): Promise<void> {
  await fireEvent.input(field, { target: { value } });
}

beforeEach(() => (settings.lang = 'en'));

test.each(['G8>new', 'g8>NEW', ' g8 > new '])('accepts %j as a move', async (text) => {
  const { board, field } = typed();
  await type(field, text);
  await fireEvent.keyDown(field, { key: 'Enter' });
  expect(board.played).toHaveBeenCalledExactlyOnceWith('G8>new');
  expect(field.value).toBe('');
});

test.each(['yellow 1', 'gelb 1', 'Gelb1', 'y1', 'Y 1'])('accepts %j for Y1', async (text) => {
  for (const lang of ['de', 'en'] as const) {
    settings.lang = lang;
    const { board, field } = typed(['R1', 'Y1', 'Y10']);
    await type(field, text);
    await fireEvent.keyDown(field, { key: 'Enter' });
    expect(board.played).toHaveBeenCalledExactlyOnceWith('Y1');
    cleanup();
  }
});

test.each([
  ['R', 'rot', 'red'],
  ['G', 'grün', 'green'],
  ['B', 'blau', 'blue'],
  ['L', 'lila', 'lilac'],
  ['S', 'grau', 'grey'],
])('lists the cards of colour %s by its names', async (letter, ...names) => {
  const { field } = typed(['Y4', `${letter}4`, `${letter}5>new`]);
  for (const name of names) {
    await type(field, name);
    expect(screen.getAllByRole('option')).toHaveLength(2);
    await type(field, `${name} 5 > new`);
    expect(screen.getAllByRole('option')).toHaveLength(1);
  }
});

test('lists matching moves while typing', async () => {
  const { field } = typed();
  expect(screen.getAllByRole('option')).toHaveLength(4);
  await type(field, 'g');
  expect(screen.getAllByRole('option').map((one) => one.getAttribute('aria-label'))).toEqual([
    'green 8>1',
    'green 8>new',
  ]);
});

test('arrow keys select from the list', async () => {
  const { board, field } = typed();
  await fireEvent.keyDown(field, { key: 'ArrowDown' });
  await fireEvent.keyDown(field, { key: 'ArrowDown' });
  expect(screen.getAllByRole('option')[1]!.id).toBe(field.getAttribute('aria-activedescendant'));
  await fireEvent.keyDown(field, { key: 'Enter' });
  expect(board.played).toHaveBeenCalledWith('G8>new');
});

test('shows the reason when the server rejects a move', async () => {
  const { board, field } = typed();
  board.tried = outlookOf({
    one: {
      move: 'R9',
      legal: false,
      text: 'You do not hold this card.',
      error: 'not-in-hand',
      effect: null,
    },
  });
  await type(field, 'r9');
  await fireEvent.keyDown(field, { key: 'Enter' });
  await tick();
  expect(document.body.textContent).toContain('You do not hold this card.');
  expect(field.getAttribute('aria-invalid')).toBe('true');
  expect(board.played).not.toHaveBeenCalled();
});

test('plays the move as spelled by the server', async () => {
  const { board, field } = typed();
  board.tried = outlookOf({
    one: { move: 'veto 2', legal: true, text: '', error: null, effect: null },
  });
  await type(field, 'strike 2');
  await fireEvent.keyDown(field, { key: 'Enter' });
  await tick();
  expect(board.played).toHaveBeenCalledWith('veto 2');
});

test('sends nothing out of turn, and Esc closes the line', async () => {
  const { board, field, onclose } = typed([]);
  await type(field, 'g8');
  await fireEvent.keyDown(field, { key: 'Enter' });
  expect(document.body.textContent).toContain('It is not your turn.');
  expect(board.played).not.toHaveBeenCalled();
  await fireEvent.keyDown(field, { key: 'Escape' });
  expect(onclose).toHaveBeenCalled();
});
