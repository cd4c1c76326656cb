import { fireEvent, render, screen } from '@testing-library/svelte';
import { beforeEach, describe, expect, test, vi } from 'vitest';

import type { View } from '../../protocol';
import { lying, moving } from '../../state/moves.testing';
import { settings } from '../../state/settings.svelte';
import { EFFECT, OUTLOOK, GameTestBoard } from '../generic/board.testing.svelte';
import { bestCard, targetsOf } from './facts';
import Middle from './Middle.svelte';
import OrderChoice from './OrderChoice.svelte';
import Own from './Own.svelte';
import Seat from './Seat.svelte';

const TRICKS = [
  lying({
    place: 0,
    led: 'G',
    plays: [
      [0, 'G8'],
      [1, 'G3'],
      [0, 'G5'],
    ],
    winning: 0,
  }),
  lying({ place: 1, led: 'B', plays: [[1, 'B4']], winning: 1 }),
] as const;
const SCORING = { turned: [4, null, null], face_up: 0 };
const NONE = { turned: [null, null, null], face_up: null };

beforeEach(() => {
  settings.lang = 'en';
});

/** Return a Stichling table with the facts of a server. */
function boardOf(view: Partial<View>): GameTestBoard {
  const table = { full: 4, new_place: 2, best_cards: ['G8', 'B4', null, null], ...view.table };
  const moves = moving(view.moves ?? [], table.new_place);
  return new GameTestBoard({ game: 'stichling', ...view, ...moves, table });
}

describe('facts', () => {
  test('a new trick goes to the place sent by the server', () => {
    const moves = ['B9>2', 'B9>new'];
    const { view } = boardOf({ tricks: [TRICKS[1]!], moves, table: { new_place: 3 } });
    expect([...targetsOf(view!, moves)]).toEqual([
      [1, 'B9>2'],
      [3, 'B9>new'],
    ]);
  });

  test('the winning card of open and held tricks comes from the server', () => {
    const board = boardOf({ tricks: TRICKS });
    expect([0, 1, 2].map((place) => bestCard(board, place))).toEqual(['G8', 'B4', null]);
    const cards = TRICKS[0].plays.map(([, card]) => card);
    const held = (last: unknown) => ({ ...board.frame!, held: [{ place: 0, taker: 0, last }] });
    board.frame = held({ cards, best_card: 'G5' });
    expect([0, 1].map((place) => bestCard(board, place))).toEqual(['G5', 'B4']);
    board.frame = held({ cards: ['L1'], best_card: 'L1' }); // belongs to another trick
    expect(bestCard(board, 0)).toBeNull();
  });
});

describe('places', () => {
  const moves = ['B9>2', 'B9>new'];

  test('a raised card turns its places into buttons that name the effect and play it', async () => {
    const board = boardOf({ tricks: TRICKS, hand: ['B9'], moves });
    board.outlook = {
      ...OUTLOOK,
      effects: [{ ...EFFECT, move: 'B9>2', text: 'you take over from Ben', short: 'yours' }],
    };
    const { container } = render(Middle, { board });
    expect(screen.queryByRole('button')).toBeNull();
    board.selection.tap('B9');
    await vi.waitFor(() => expect(container.querySelector('.choose')).not.toBeNull());
    expect(container.querySelector('.effect.short')?.textContent).toBe('yours');
    // Not what flies above everything, where it would cover the words.
    expect(container.querySelectorAll('.preview')).toHaveLength(2);
    expect(container.querySelector('.ghost')).toBeNull();
    expect(screen.getAllByRole('button').map((one) => one.dataset.place)).toEqual(['2', 'new']);
    await fireEvent.click(
      screen.getByRole('button', { name: 'blue 9 to place 2: you take over from Ben' }),
    );
    expect(board.played).toEqual(['B9>2']);
  });

  test('places work before the outlook arrives', async () => {
    const board = boardOf({ tricks: TRICKS, hand: ['B9'], moves });
    render(Middle, { board });
    board.selection.tap('B9');
    await fireEvent.click(await screen.findByRole('button', { name: 'blue 9: Open a new trick' }));
    expect(board.played).toEqual(['B9>new']);
  });

  test('each place shows its colour, how full it is and who wins it', () => {
    render(Middle, { board: boardOf({ tricks: TRICKS }) });
    screen.getByText('Place 1: green, 3 of 4, you are winning');
    screen.getByText('Place 2: blue, 1 of 4, Ben is winning');
    screen.getByText('Place 3: free');
    screen.getByLabelText('green 8, you, winning');
    screen.getByLabelText('green 5, you');
  });

  test('a held trick shows its taker', () => {
    const board = boardOf({
      tricks: [lying({ ...TRICKS[0], plays: [...TRICKS[0].plays, [1, 'G12']], winning: 1 })],
    });
    board.frame = { ...board.frame!, held: [{ place: 0, taker: 1 }] };
    const { container } = render(Middle, { board });
    expect(container.querySelector('.held .owner')?.textContent).toContain('Ben');
    expect(container.querySelector('.held .takes')).not.toBeNull();
    screen.getByText('Place 1: green, full, Ben takes the trick');
    expect(screen.queryByText(/is winning|are winning/)).toBeNull();
  });
});

describe('scoring cards', () => {
  test('other seats show turned-up cards and the backs of the rest', () => {
    const board = new GameTestBoard({
      table: { scoring: [NONE, SCORING], values: [2, 4, 6] },
      taken: [0, 1, 0, 0],
    });
    const { container } = render(Seat, { board, seat: 1 });
    screen.getByLabelText('Ben’s scoring cards: 4, face up, unknown, unknown');
    const cards = [...container.querySelectorAll('.scoring')];
    expect(cards.map((one) => one.textContent)).toEqual(['4', '', '']);
    expect(cards.map((one) => one.querySelectorAll('img').length)).toEqual([0, 1, 1]);
  });

  test('the ladder marks the current step', () => {
    const steps = (taken: number) => {
      const board = new GameTestBoard({
        table: { scoring: [SCORING] },
        mine: { order: [4, 6, 2], worth: [0, 4, 6, 2, 4] },
        taken: [taken, 0, 0, 0],
      });
      const { container } = render(Own, { board });
      const words = (one: Element | null) => one?.textContent.replace(/\s+/g, ' ').trim();
      return [
        words(container.querySelector('[aria-current]')),
        container.querySelectorAll('.ladder li:not(.on)').length,
      ];
    };
    expect(steps(0)).toEqual(['no trick → 0', 5]);
    expect(steps(1)).toEqual(['1 trick → 4', 4]);
    expect(steps(2)).toEqual(['2 → 6', 4]);
  });
});

describe('OrderChoice', () => {
  const moves = ['2,4,6', '2,6,4', '4,2,6', '4,6,2', '6,2,4', '6,4,2'];

  test('cards are reordered by button and arrow key, previewed, then laid', async () => {
    const board = new GameTestBoard({ phase: 'order', table: { values: [2, 4, 6] }, moves });
    render(OrderChoice, { board });
    await fireEvent.click(screen.getByRole('button', { name: 'Swap 2 and 4' }));
    await fireEvent.keyDown(screen.getByRole('button', { name: '6, place 3 of 3' }), {
      key: 'ArrowLeft',
    });
    await screen.findByText('tried 4,6,2');
    await fireEvent.click(screen.getByRole('button', { name: 'Confirm' }));
    expect(board.played).toEqual(['4,6,2']);
  });

  test('after laying, it says who is still choosing', () => {
    const board = new GameTestBoard({
      phase: 'order',
      table: { values: [2, 4, 6] },
      waiting_for: [1, 3],
    });
    render(OrderChoice, { board });
    screen.getByText('Still choosing: Ben, Dana');
  });
});
