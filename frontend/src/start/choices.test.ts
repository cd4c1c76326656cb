import { beforeEach, describe, expect, test } from 'vitest';

import {
  askable,
  choiceFor,
  chosenOf,
  keepChoice,
  optionsOf,
  picked,
  sentOptions,
  stillPossible,
} from './choices';
import { GAMES } from './testing';

const sticheln = GAMES.find((game) => game.name === 'sticheln')!;
const stichtag = GAMES.find((game) => game.name === 'stichtag')!;
const NOW = new Date(2026, 8, 14, 23, 59);

beforeEach(() => localStorage.clear());

describe('stored choice for a game', () => {
  test('starts with the defaults', () => {
    expect(choiceFor(sticheln)).toEqual({
      seats: 4,
      level: 'medium',
      characters: [],
      options: {},
      running: true,
    });
  });

  test('is remembered', () => {
    keepChoice(sticheln, {
      seats: 5,
      level: 'hard',
      characters: ['otto', 'kiki'],
      options: { rounds: 2 },
      running: false,
    });
    expect(choiceFor(sticheln)).toEqual({
      seats: 5,
      level: 'hard',
      characters: ['otto', 'kiki'],
      options: { rounds: 2 },
      running: false,
    });
    expect(choiceFor(stichtag).seats).toBe(4);
  });

  test('drops values that are no longer valid', () => {
    localStorage.setItem(
      'stichwerk-choices',
      '{"sticheln":{"seats":9,"level":"god","characters":["zeus"],"options":{"rounds":99,"old":1}}}',
    );
    expect(choiceFor(sticheln)).toEqual({
      seats: 4,
      level: 'medium',
      characters: [],
      options: {},
      running: true,
    });
    localStorage.setItem('stichwerk-choices', 'nonsense');
    expect(choiceFor(sticheln).seats).toBe(4);
  });

  const easy = { seats: 3, level: 'easy', characters: [], running: true } as const;

  test('stores no date, but stores that there was none', () => {
    keepChoice(stichtag, { ...easy, options: { date: '09-14' } });
    expect(choiceFor(stichtag).options).toEqual({});
    keepChoice(stichtag, { ...easy, options: { date: null } });
    expect(choiceFor(stichtag).options).toEqual({ date: null });
  });
});

describe('options', () => {
  const options = optionsOf(stichtag, 4);

  test('the default date is today in local time', () => {
    expect(sentOptions(options, {}, NOW)).toEqual({ date: '09-14' });
    expect(sentOptions(options, { date: null }, NOW)).toEqual({ date: null });
    expect(sentOptions(optionsOf(sticheln, 4), {}, NOW)).toEqual({});
  });

  test('a date replaces rounds and sheets', () => {
    const alone = picked(picked({}, 'date', null), 'sheets', ['red 4']);
    expect(sentOptions(options, { ...alone, rounds: null })).toEqual({
      date: null,
      sheets: ['red 4'],
    });
    expect(picked(alone, 'date', undefined)).toEqual({});
    expect(picked(alone, 'date', '02-30')).toEqual({ date: '02-30' });
    expect(askable(options, {}).map((option) => option.name)).toEqual(['date', 'starter']);
    expect(askable(options, { date: null }).map((option) => option.name)).toContain('sheets');
  });

  test('a change of seats drops impossible options', () => {
    expect(stillPossible(optionsOf(sticheln, 3), { starter: 3, rounds: 2 })).toEqual({ rounds: 2 });
  });

  test('a choice contains only non-default options', () => {
    expect(
      chosenOf(optionsOf(sticheln, 4), { all_zero: 'nobody', rounds: 2, starter: null }),
    ).toEqual({ rounds: 2 });
  });
});
