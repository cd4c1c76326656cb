import { expect, test } from 'vitest';

import type { Event, Step } from '../protocol';
import { receivedAfter } from './handChange';

function step(events: readonly Event[], entered: readonly string[] = []): Step {
  const hand = entered.length ? { left: [], entered } : null;
  return { seq: 1, notes: [], events, words: [], note_words: [], hand };
}

const passed = step([{ kind: 'chosen', seat: 2 }], ['L7']);
const play = (seat: number) => step([{ kind: 'play', seat, move: 'R1', cards: ['R1'] }]);

test('a card that was passed counts as received until your next move', () => {
  expect(receivedAfter([passed], 0, [])).toEqual(['L7']);
  expect(receivedAfter([passed, play(1)], 0, [])).toEqual(['L7']);
  expect(receivedAfter([play(0)], 0, ['L7'])).toEqual([]);
});

test('someone who chooses last receives in the same step', () => {
  expect(receivedAfter([step([{ kind: 'chosen', seat: 0 }], ['L7'])], 0, ['G1'])).toEqual(['L7']);
});

test('dealt cards do not count', () => {
  const deal = step([{ kind: 'round', round: 2, starter: 0 } as Event], ['B3']);
  expect(receivedAfter([passed, deal], 0, [])).toEqual([]);
});
