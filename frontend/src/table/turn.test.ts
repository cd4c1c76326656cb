import { beforeEach, describe, expect, test } from 'vitest';

import { outlookOf, threeSeatView } from '../games/board.fixture';
import type { TrickNow } from '../protocol';
import { framesBetween } from '../state/frames';
import { settings } from '../state/settings.svelte';
import { gain, signed } from './numbers';
import { aView } from './testing.svelte';
import { heldText, playableCards, waitingText } from './turn';

const BEFORE = threeSeatView({
  tricks: [
    {
      place: 0,
      led: 'Y',
      plays: [
        [0, 'Y9'],
        [1, 'G5'],
      ],
      winning: 1,
      cards: [['Y9'], ['G5']],
    },
  ],
});
const [FRAME] = framesBetween(
  BEFORE,
  threeSeatView(),
  [
    { kind: 'play', seat: 2, move: 'Y1', cards: ['Y1'] },
    { kind: 'trick', seat: 1, cards: ['Y9', 'G5', 'Y1'] },
  ],
  ['', 'Ben takes the trick.'],
);
const WHY = 'Ben takes the trick with G5: the highest of the other colours · +3 for Ben';

function telling(last: Partial<TrickNow> | null) {
  const whole = { place: 0, winner: 1, card: 'G5', text: WHY, worth: [], order: [] };
  const outlook = outlookOf();
  return {
    ...outlook,
    standing: { ...outlook.standing, last: last && { ...whole, ...last } },
  };
}

beforeEach(() => {
  settings.lang = 'en';
});

describe('a trick that rests on the table', () => {
  test('says who took it at once, then why and what it was worth', () => {
    const frame = { ...FRAME!, held: [{ ...FRAME!.held[0]! }] };
    expect(heldText({ frame, outlook: null })).toBe('Ben takes the trick.');
    expect(heldText({ frame, outlook: telling({}) })).toBe(WHY);
    expect(heldText({ frame, outlook: null })).toBe(WHY); // the next move asks for a new outlook
  });

  test('does not get the reason of another trick', () => {
    const frame = { ...FRAME!, held: [{ ...FRAME!.held[0]! }] };
    expect(heldText({ frame, outlook: telling({ winner: 0, card: 'R8', text: 'another' }) })).toBe(
      'Ben takes the trick.',
    );
  });

  test('without a resting trick nothing is said', () => {
    expect(heldText({ frame: null, outlook: telling({}) })).toBe('');
  });
});

describe('who is waited for', () => {
  const nameOf = (seat: number) => ['Ada', 'Mia', 'Jonas'][seat]!;

  test('is a person with a turn, never "on turn"', () => {
    const view = threeSeatView({ waiting_for: [1], moves: [] });
    expect(waitingText({ view, seat: 0, nameOf })).toBe('Mia’s turn');
    settings.lang = 'de';
    expect(waitingText({ view, seat: 0, nameOf })).toBe('Mia ist dran');
  });

  test('are all others who still choose', () => {
    const view = threeSeatView({ waiting_for: [0, 1, 2], moves: [] });
    expect(waitingText({ view, seat: 0, nameOf })).toBe('Still choosing: Mia, Jonas');
  });
});

test('both of two equal zeros count as playable', () => {
  const view = aView({ hand: ['G0', 'G0', 'R1', 'B3'], moves: ['G0', 'R1'] });
  expect(playableCards(view)).toBe(3);
});

test('cards that are playable alone and in pairs count once', () => {
  const view = aView({ hand: ['G3', 'G4', 'R1'], moves: ['G3', 'G4', 'G3+G4'] });
  expect(playableCards(view)).toBe(2);
});

test('German has a decimal comma', () => {
  settings.lang = 'de';
  expect([gain(1.5), gain(-0.3), gain(2), signed(-1.2)]).toEqual(['+1,5', '−0,3', '+2', '−1,2']);
  settings.lang = 'en';
  expect([gain(1.5), gain(-0.3), gain(0)]).toEqual(['+1.5', '−0.3', '±0']);
});
