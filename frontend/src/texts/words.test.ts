import { expect, test } from 'vitest';

import { settings } from '../state/settings.svelte';
import { filled, words } from './words';

test('data is put in; one and many', () => {
  const text = '{count} card of {name}||{count} cards of {name}';
  expect(filled(text, { count: 1, name: 'Ada' })).toBe('1 card of Ada');
  expect(filled(text, { count: 0, name: 'Ada' })).toBe('0 cards of Ada');
});

test('what is missing stays to be seen', () => {
  expect(filled('{who} plays', {})).toBe('{who} plays');
});

test('the language of now', () => {
  const say = words({ yes: 'Ja' }, { yes: 'Yes' });
  settings.lang = 'de';
  expect(say('yes')).toBe('Ja');
  settings.lang = 'en';
  expect(say('yes')).toBe('Yes');
});

test('a name from right to left does not turn the sentence around it', () => {
  expect(filled('{name} 3', { name: 'עדה' })).toBe('\u2068עדה\u2069 3');
  expect(filled('{name} 3', { name: 'Ädá' })).toBe('Ädá 3');
});
