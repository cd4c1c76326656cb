import { render, screen } from '@testing-library/svelte';
import { flushSync } from 'svelte';
import { beforeEach, describe, expect, test, vi } from 'vitest';

import { parts } from '../games/generic/parts';
import { settings } from '../state/settings.svelte';
import Hand from './Hand.svelte';
import { outlookOf } from '../games/board.fixture';
import { TestBoard } from './testing.svelte';

const HAND = ['R3', 'G8', 'B0'];

function renderHand(
  facts: ConstructorParameters<typeof TestBoard>[0],
  queue?: (card: string | null) => void,
) {
  const board = new TestBoard({ hand: HAND, ...facts });
  render(Hand, { board, parts, queue });
  const click = (name: RegExp) => {
    screen.getByRole('button', { name }).click();
    flushSync();
  };
  return { board, click, card: (name: RegExp) => screen.getByRole('button', { name }) };
}

beforeEach(() => {
  settings.lang = 'en';
  settings.oneTap = false;
  settings.leftHanded = false;
});

describe('on turn', () => {
  test('playable and unplayable cards are marked, not only by colour', () => {
    const { card } = renderHand({ moves: ['G8'] });
    expect(card(/green 8/).classList).toContain('legal');
    expect(card(/red 3/).classList).toContain('illegal');
  });

  test('the first tap raises, the second plays', () => {
    const { board, click, card } = renderHand({ moves: ['G8'] });
    click(/green 8/);
    expect(card(/green 8/).getAttribute('aria-pressed')).toBe('true');
    expect(board.played).not.toHaveBeenCalled();
    click(/green 8/);
    expect(board.played).toHaveBeenCalledExactlyOnceWith('G8');
  });

  test('in one-tap mode the first tap plays', () => {
    settings.oneTap = true;
    const { board, click } = renderHand({ moves: ['G8'] });
    click(/green 8/);
    expect(board.played).toHaveBeenCalledWith('G8');
  });

  test('an unplayable card says why', () => {
    const { board, click, card } = renderHand({ moves: ['G8'] });
    board.outlook = outlookOf({ reasons: { R3: 'You have to follow.' } });
    flushSync();
    expect(card(/red 3/).getAttribute('aria-label'), 'once, when asked').toBe(
      'red 3, not playable',
    );
    click(/red 3/);
    expect(board.selection.asked).toBe('R3');
    expect(board.played).not.toHaveBeenCalled();
  });

  test('a choice without cards dims none', () => {
    const { card, click, board } = renderHand({ phase: 'veto', moves: ['pass', 'veto 1'] });
    expect(card(/red 3/).classList).not.toContain('illegal');
    click(/red 3/);
    expect(board.selection.raised).toBeNull();
  });
});

test('the reason is offered once for the hand, not on every card', () => {
  renderHand({ moves: ['G8'] });
  const labels = screen.getAllByRole('button').map((one) => one.getAttribute('aria-label'));
  expect(labels).toEqual(['red 3, not playable', 'green 8', 'blue 0, not playable']);
  const hand = screen.getByRole('group', { name: 'Your cards' });
  const why = document.getElementById(hand.getAttribute('aria-describedby')!);
  expect(why?.textContent).toBe('Choose a card that is not playable to hear why.');
});

test('a card that was passed is marked, also in words', () => {
  const board = Object.assign(new TestBoard({ hand: HAND, moves: ['G8'] }), { received: ['G8'] });
  render(Hand, { board, parts });
  const card = screen.getByRole('button', { name: 'green 8, just received' });
  expect(card.classList).toContain('received');
  expect(document.querySelectorAll('.received')).toHaveLength(1);
});

test('what the hatching means is said in the words of the game', () => {
  const hatched = { ...parts, isMarked: () => true, markName: () => 'your pain colour' };
  render(Hand, { board: new TestBoard({ hand: ['G8'], moves: ['G8'] }), parts: hatched });
  expect(screen.getByRole('button', { name: 'green 8, your pain colour' })).toBeTruthy();
});

describe('out of turn', () => {
  test('a tap queues a card, another one unqueues it', () => {
    const queue = vi.fn();
    const { board, click, card } = renderHand({ moves: [], waiting_for: [1] }, queue);
    click(/green 8/);
    expect(queue).toHaveBeenLastCalledWith('G8');
    board.queued = 'G8';
    flushSync();
    expect(card(/green 8, queued/).classList).toContain('queued');
    click(/green 8/);
    expect(queue).toHaveBeenLastCalledWith(null);
  });
});

test('the hand is one tab stop, with arrow keys inside', () => {
  renderHand({ moves: ['G8'] });
  const buttons = screen.getAllByRole('button');
  expect(buttons.map((one) => one.tabIndex)).toEqual([0, -1, -1]);
  buttons[0]!.dispatchEvent(new KeyboardEvent('keydown', { key: 'End', bubbles: true }));
  flushSync();
  expect(document.activeElement).toBe(buttons[2]);
  expect(buttons.map((one) => one.tabIndex)).toEqual([-1, -1, 0]);
});

test('left-handed mode reverses the order', () => {
  settings.leftHanded = true;
  renderHand({ moves: [] });
  expect(screen.getAllByRole('button').map((one) => one.getAttribute('aria-label'))).toEqual([
    'blue 0',
    'green 8',
    'red 3',
  ]);
});

test('twins are shown as two cards', () => {
  const { board } = renderHand({ hand: ['G0', 'G0', 'R1'], moves: ['G0,R1'] });
  board.selection.picking = 2;
  flushSync();
  expect(screen.getAllByRole('button', { name: 'green 0' })).toHaveLength(2);
  screen.getAllByRole('button', { name: 'green 0' })[0]!.click();
  flushSync();
  const pressed = screen.getAllByRole('button').map((one) => one.getAttribute('aria-pressed'));
  expect(pressed).toEqual(['true', 'false', 'false']);
});
