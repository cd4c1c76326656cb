/** A board for tests: it shows the current view, and records moves. */
import type { Effect, Outlook, View } from '../protocol';
import type { Board } from '../state/board';
import { still } from '../state/frames';
import { movesWith } from '../state/moves';
import { moving } from '../state/moves.testing';
import { Selection } from '../state/selection.svelte';

export function viewOf(more: Partial<View> = {}): View {
  return {
    game: 'stichtag',
    rules: 1,
    seats: 4,
    options: {},
    names: ['Ada', 'Ben', 'Cleo', 'Dan'],
    seat: 0,
    round: 1,
    rounds: 3,
    starter: 0,
    phase: 'play',
    waiting_for: [0],
    hand: ['R1', 'R2', 'G5'],
    hand_sizes: [3, 3, 3, 3],
    stock: 0,
    tricks: [],
    taken: [0, 0, 0, 0],
    table: {},
    mine: {},
    ...moving(['R1', 'R2', 'G5']),
    scores: [],
    totals: [0, 0, 0, 0],
    ranking: null,
    history: [],
    ...(more.moves && moving(more.moves)),
    ...more,
  };
}

/** Return a view of a round of Sticheln with three seats. */
export function threeSeatView(more: Partial<View> = {}): View {
  return viewOf({
    game: 'sticheln',
    seats: 3,
    names: ['Ada', 'Ben', 'Cleo'],
    hand: ['R1', 'R2'],
    hand_sizes: [2, 2, 2],
    taken: [0, 0, 0],
    moves: ['R1', 'R2'],
    totals: [0, 0, 0],
    ...more,
  });
}

export function effect(move: string, text: string): Effect {
  const nobody = { winner: null, takes_over: false, complete: false };
  return { move, text, short: '', verdict: '', sentence: '', ...nobody, place: null, changes: [] };
}

export function outlookOf(more: Partial<Outlook> = {}): Outlook {
  return {
    type: 'outlook',
    id: 1,
    seq: 1,
    effects: [],
    reasons: {},
    standing: {
      tricks: [],
      last: null,
      lines: [],
      ladder: [],
      trump: null,
      collected: [],
      running: [],
      notes: [],
      stated: 0,
      lowest: false,
    },
    situation: { heading: '', sentences: [], section: '', anchor: '', sheet: null },
    one: null,
    ...more,
  };
}

export function boardOf(view: View, more: Partial<Board> = {}): Board & { played: string[] } {
  const played: string[] = [];
  const board = {
    view,
    frame: still(view),
    seat: view.seat,
    table: null,
    outlook: null,
    myTurn: view.moves.length > 0,
    sending: null,
    queued: null,
    played,
    nameOf: (seat: number) => view.names[seat] ?? '',
    movesWith: (card: string) => movesWith(view, card),
    play: (move: string) => {
      played.push(move);
      return Promise.resolve();
    },
    tryOut: () => Promise.resolve(null),
    goOn: () => undefined,
    ...more,
  } as Board & { played: string[] };
  return Object.assign(board, { selection: new Selection(board) });
}
