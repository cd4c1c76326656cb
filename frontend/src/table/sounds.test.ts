import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { settings } from '../state/settings.svelte';

/** A fake audio context that counts started sounds. */
class Audio {
  static made = 0;
  static started = 0;
  static state: AudioContextState = 'running';
  currentTime = 0;
  sampleRate = 8_000;
  destination = {};
  constructor() {
    Audio.made += 1;
  }
  get state() {
    return Audio.state;
  }
  resume = async () => void (Audio.state = 'running');
  #node = () => ({
    frequency: {},
    connect: (to: unknown) => to,
    stop: () => undefined,
    start: () => void (Audio.started += 1),
    gain: { setValueAtTime: () => undefined, exponentialRampToValueAtTime: () => undefined },
  });
  createOscillator = this.#node;
  createGain = this.#node;
  createBiquadFilter = this.#node;
  createBufferSource = this.#node;
  createBuffer = () => ({ getChannelData: () => new Float32Array(4) });
}

async function fresh() {
  vi.resetModules();
  const [{ sound }, fresh] = await Promise.all([
    import('./sounds'),
    import('../state/settings.svelte'),
  ]);
  return { sound, settings: fresh.settings };
}

beforeEach(() => {
  Object.assign(Audio, { made: 0, started: 0, state: 'running' });
  vi.stubGlobal('AudioContext', Audio);
});
afterEach(() => {
  vi.unstubAllGlobals();
  settings.sound = false;
});

test('no audio context is created while sounds are off', async () => {
  const { sound } = await fresh();
  sound('turn');
  expect(Audio.made).toBe(0);
});

test('a turn plays two notes, a card one noise', async () => {
  const { sound, settings } = await fresh();
  settings.sound = true;
  sound('turn');
  expect(Audio.started).toBe(2);
  sound('play');
  expect([Audio.made, Audio.started]).toEqual([1, 3]);
});

test('a suspended audio context is resumed first', async () => {
  Audio.state = 'suspended';
  const { sound, settings } = await fresh();
  settings.sound = true;
  sound('trick');
  expect(Audio.started).toBe(0);
  await vi.waitFor(() => expect(Audio.started).toBe(2));
});

test('no sound is played before the first user interaction', async () => {
  const { sound, settings } = await fresh();
  vi.stubGlobal('navigator', { userActivation: { hasBeenActive: false } });
  settings.sound = true;
  sound('turn');
  expect(Audio.made).toBe(0);
});
