import { render } from '@testing-library/svelte';
import { tick } from 'svelte';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { settings } from '../state/settings.svelte';
import { GAME_SOUNDS } from './sounds.testing';
import TableSounds from './TableSounds.svelte';
import { aView, reactive } from './testing.svelte';

/** What an audio context was asked for: the first pitch of each voice, and when it begins. */
let started: { pitch: number; at: number }[] = [];
let made = 0;
let state: AudioContextState = 'running';

class Param {
  values: number[] = [];
  setValueAtTime = (value: number) => void this.values.push(value);
  exponentialRampToValueAtTime = this.setValueAtTime;
}

class Audio {
  currentTime = 10;
  sampleRate = 8_000;
  destination = {};
  constructor() {
    made += 1;
  }
  get state() {
    return state;
  }
  resume = async () => void (state = 'running');
  #source() {
    const source = { frequency: new Param(), filter: null as { frequency: Param } | null };
    return Object.assign(source, {
      connect: (to: { frequency: Param }) => ((source.filter = to), to),
      stop: () => undefined,
      start: (at: number) => {
        const { values } = source.frequency.values.length
          ? source.frequency
          : source.filter!.frequency;
        started.push({ pitch: values[0]!, at: at - 10 });
      },
    });
  }
  createOscillator = () => this.#source();
  createBufferSource = () => this.#source();
  createGain = () => ({ gain: new Param(), connect: (to: unknown) => to });
  createBiquadFilter = () => ({ frequency: new Param(), connect: (to: unknown) => to });
  createBuffer = () => ({ getChannelData: () => new Float32Array(4) });
}

/** Load everything anew: no audio context yet, and nobody has touched the page. */
async function fresh() {
  vi.resetModules();
  const [{ SOUNDS, sound }, { settings }] = await Promise.all([
    import('./sounds'),
    import('../state/settings.svelte'),
  ]);
  settings.sound = true;
  return { SOUNDS, sound, settings };
}

const touch = () => window.dispatchEvent(new Event('pointerdown'));

beforeEach(() => {
  [started, made, state] = [[], 0, 'running'];
  vi.stubGlobal('AudioContext', Audio);
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
  expect(made).toBe(0);
  touch();
  sound('turn');
  sound('play');
  expect([made, started.length]).toEqual([1, 6]);
});

test('no audio context is made while sounds are off', async () => {
  const { sound, settings } = await fresh();
  settings.sound = false;
  touch();
  sound('turn');
  expect(made).toBe(0);
});

test('a suspended audio context is resumed first', async () => {
  state = 'suspended';
  const { sound } = await fresh();
  touch();
  sound('crown');
  expect(started).toEqual([]);
  await vi.waitFor(() => expect(started).toHaveLength(2));
});

test('every sound is short, and every game has its own for a trick', async () => {
  const { SOUNDS } = await fresh();
  const { win, ...others } = SOUNDS;
  for (const chord of [...Object.values(others), ...Object.values(GAME_SOUNDS)])
    for (const { at = 0, length } of chord) expect(at + length).toBeLessThanOrEqual(0.37);
  for (const { length } of win) expect(length).toBeLessThanOrEqual(0.35);
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
    all.push(started.map(({ pitch }) => pitch));
    started = [];
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
  expect(started).toEqual([]);
  store.frame = { ...frame, view: store.view };
  await tick();
  expect(started.map(({ pitch }) => pitch)).toEqual([523, 523 * 2.01, 784, 784 * 2.01]);
  store.myTurn = false;
  await tick();
  store.myTurn = true;
  await tick();
  expect(started).toHaveLength(4);
});
