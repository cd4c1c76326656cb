import { render } from '@testing-library/svelte';
import { tick } from 'svelte';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { settings } from '../state/settings.svelte';
import { fakeAudio, touch } from './audio.testing';
import type { FakeAudio } from './audio.testing';
import { GAME_SOUNDS } from './sounds.testing';
import TableSounds from './TableSounds.svelte';
import { aView, reactive } from './testing.svelte';

/** Load the modules again: no audio context yet, and nobody has touched the page. */
async function fresh() {
  vi.resetModules();
  const [{ SOUNDS, sound }, { settings }] = await Promise.all([
    import('./sounds'),
    import('../state/settings.svelte'),
  ]);
  settings.sound = true;
  return { SOUNDS, sound, settings };
}

let audio: FakeAudio;

beforeEach(() => {
  audio = fakeAudio();
});
afterEach(() => vi.unstubAllGlobals());

test('sounds are wanted unless somebody says otherwise', async () => {
  localStorage.clear();
  vi.resetModules();
  const { settings } = await import('../state/settings.svelte');
  expect(settings.sound).toBe(true);
});

test('the page is silent until it is touched, and no audio context is made', async () => {
  const { sound } = await fresh();
  sound('turn');
  expect(audio.made).toBe(0);
  touch();
  sound('turn');
  sound('play');
  expect([audio.made, audio.started.length]).toEqual([1, 6]);
});

test('no audio context is made while sounds are off', async () => {
  const { sound, settings } = await fresh();
  settings.sound = false;
  touch();
  sound('turn');
  expect(audio.made).toBe(0);
});

test('a suspended audio context is resumed first', async () => {
  audio.state = 'suspended';
  const { sound } = await fresh();
  touch();
  sound('crown');
  expect(audio.started).toEqual([]);
  await vi.waitFor(() => expect(audio.started).toHaveLength(2));
});

test('every sound is short, and every game has its own for a trick', async () => {
  const { SOUNDS } = await fresh();
  for (const [name, chord] of Object.entries({ ...SOUNDS, ...GAME_SOUNDS }))
    for (const { at = 0, length } of chord) expect(at + length, name).toBeLessThan(0.35);
  const pitches = Object.values(GAME_SOUNDS).map((chord) => chord[0]?.pitch);
  expect(new Set(pitches).size).toBe(pitches.length);
  expect(pitches.length).toBeGreaterThan(4);
});

/** Show frames of a table one after the other, and return the first pitch of what each brings. */
async function heard(game: string, ...frames: Record<string, unknown>[]): Promise<number[][]> {
  settings.sound = true;
  touch();
  const view = (facts: object) => aView({ game, moves: [], ...facts });
  const shown = frames.map(({ held = [], played = null, ...facts }) => ({
    view: view(facts),
    held,
    played,
    roundOver: null,
  }));
  const store = reactive({
    frame: null as unknown,
    view: null,
    myTurn: false,
    ply: 1,
    table: null,
  });
  render(TableSounds, { store: store as never });
  const all = [];
  for (const frame of shown) {
    store.frame = frame;
    await tick();
    all.push(audio.started.map(({ pitch }) => pitch));
    audio.started = [];
  }
  return all.slice(1);
}

const lies = (...plays: [number, string][]) => ({ place: 0, led: 'R', cards: [], plays });

test('what is dealt and played is heard, and nothing when the page opens', async () => {
  const played = { kind: 'play', seat: 1, cards: ['R3'] };
  const tricks = [{ ...lies([1, 'R3']), winning: 1 }];
  const [deal, play, nothing] = await heard(
    'sticheln',
    { hand: [] },
    { hand: ['R1'] },
    { hand: ['R1'], played, tricks },
    { hand: ['R1'], played, tricks },
  );
  expect(deal).toEqual([620, 620, 620, 620]);
  expect(play).toEqual([1_700, 170]);
  expect(nothing).toEqual([]);
});

test('the crown rings when it goes to another card', async () => {
  const [, stays, goes] = await heard(
    'sticheln',
    {},
    { tricks: [{ ...lies([1, 'R3']), winning: 1 }] },
    { tricks: [{ ...lies([1, 'R3'], [2, 'R1']), winning: 1 }] },
    { tricks: [{ ...lies([1, 'R3'], [2, 'R1'], [0, 'R9']), winning: 0 }] },
  );
  expect(stays).toEqual([]);
  expect(goes?.[0]).toBe(1_319);
});

test.each(Object.entries(GAME_SOUNDS))('a won trick sounds as in %s', async (game, chord) => {
  const tricks = [{ ...lies([1, 'R3']), winning: 1 }];
  const held = [{ place: 0, taker: 1 }];
  const [won, still] = await heard(game, { tricks }, { tricks, held }, { tricks, held });
  expect(won).toEqual(chord.map(({ pitch }) => pitch));
  expect(still).toEqual([]);
});

test('my turn is heard once, when everything before it was seen', async () => {
  settings.sound = true;
  touch();
  const view = aView({ game: 'sticheln', moves: ['R1'] });
  const frame = { view: aView({ game: 'sticheln' }), held: [], played: null, roundOver: null };
  const store = reactive({ frame, view, myTurn: true, ply: 7, table: { match: 'm' } });
  render(TableSounds, { store: store as never });
  await tick();
  expect(audio.started).toEqual([]);
  store.frame = { ...frame, view: store.view };
  await tick();
  expect(audio.started.map(({ pitch }) => pitch)).toEqual([523, 523 * 2.01, 784, 784 * 2.01]);
  store.myTurn = false;
  await tick();
  store.myTurn = true;
  await tick();
  expect(audio.started).toHaveLength(4);
});
