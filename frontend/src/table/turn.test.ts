import { expect, test } from 'vitest';

import { settings } from '../state/settings.svelte';
import { gain, signed } from './numbers';
import { aView } from './testing.svelte';
import { playableCards } from './turn';

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
