import { fireEvent, render, screen } from '@testing-library/svelte';
import { beforeEach, expect, test, vi } from 'vitest';

import type { CharacterInfo, Opponent } from '../protocol';
import {
  CHARACTERS,
  characterName,
  characterNamed,
  faceOf,
  isCharacter,
} from '../shared/characters.svelte';
import { FACES } from '../shared/faces';
import { patchOf } from '../shared/patches';
import CharacterField from './CharacterField.svelte';
import { characters } from './characters.svelte';
import SeatRow from './SeatRow.svelte';
import { GAMES, storeOf, tableOf } from './testing';

const ALL: readonly CharacterInfo[] = CHARACTERS.map((bot, at) => ({
  bot,
  name: characterName(bot),
  style: `Plays like ${bot}.`,
  ratings: { sticheln: 500 + 10 * at },
}));

beforeEach(() => {
  characters.all = ALL;
  vi.spyOn(characters, 'load').mockResolvedValue();
});

test('every character has a face that no seat and no other character has', () => {
  expect(Object.keys(FACES)).toEqual(CHARACTERS);
  const drawn = CHARACTERS.map((one) => patchOf(0, FACES[one]));
  expect(new Set([...drawn, patchOf(0)]).size).toBe(CHARACTERS.length + 1);
  for (const svg of drawn.map(decodeURIComponent)) {
    expect(svg).not.toMatch(/NaN|undefined|<text/);
    expect(svg.length).toBeLessThan(4_000);
  }
});

test('faces are loaded when one is needed', async () => {
  expect(faceOf('hard')).toBeUndefined();
  await vi.waitFor(() => expect(faceOf('zora')).toBe(FACES['zora']));
});

test('a character is known by its bot, and in a record by its name', () => {
  expect(['otto', 'expert', null].map(isCharacter)).toEqual([true, false, false]);
  const named = ['Otto', 'Otto 2', 'Ottokar', 'otto'].map(characterNamed);
  expect(named).toEqual(['otto', 'otto', undefined, undefined]);
});

test('as many may be chosen as there are seats, each with style and strength', async () => {
  let chosen: readonly Opponent[] = ['otto'];
  const onpick = (picked: readonly Opponent[]) => (chosen = picked);
  const { rerender } = render(CharacterField, { game: GAMES[0]!, chosen, most: 2, onpick });
  const box = (name: RegExp) => screen.getByRole<HTMLInputElement>('checkbox', { name });
  expect(box(/Otto/).checked).toBe(true);
  expect(screen.getByText('Strength 500')).toBeTruthy();
  expect(screen.getByText('Plays like luna.')).toBeTruthy();
  await fireEvent.click(box(/^Luna/));
  expect(chosen).toEqual(['otto', 'luna']);
  await rerender({ chosen });
  expect(box(/^Kiki/).disabled).toBe(true);
  await fireEvent.click(box(/^Otto/));
  expect(chosen).toEqual(['luna']);
});

test('while people gather, a seat may be given to a character', () => {
  const places = tableOf().places.map((place, seat) =>
    seat === 2 ? { ...place, level: 'luna' } : place,
  );
  render(SeatRow, { store: storeOf('ben', tableOf({ places })).store, seat: 2 });
  expect(screen.getByText('Luna')).toBeTruthy();
  expect(screen.getByText('Plays like luna.')).toBeTruthy();
});
