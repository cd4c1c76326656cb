import { expect, test } from 'vitest';

import { settings } from '../state/settings.svelte';
import { filled, words } from './words';

test('data and plural forms are filled in', () => {
  const text = '{count} card of {name}||{count} cards of {name}';
  expect(filled(text, { count: 1, name: 'Ada' })).toBe('1 card of Ada');
  expect(filled(text, { count: 0, name: 'Ada' })).toBe('0 cards of Ada');
});

test('missing data leaves the placeholder', () => {
  expect(filled('{who} plays', {})).toBe('{who} plays');
});

test('uses the current language', () => {
  const say = words({ yes: 'Ja' }, { yes: 'Yes' });
  settings.lang = 'de';
  expect(say('yes')).toBe('Ja');
  settings.lang = 'en';
  expect(say('yes')).toBe('Yes');
});

test('a right-to-left name does not reorder the sentence', () => {
  expect(filled('{name} 3', { name: 'עדה' })).toBe('\u2068עדה\u2069 3');
  expect(filled('{name} 3', { name: 'Ädá' })).toBe('Ädá 3');
});
