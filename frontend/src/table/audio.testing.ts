/** An audio context for tests: it makes no sound and notes what it was asked for. */
import { vi } from 'vitest';

export interface FakeAudio {
  /** The first pitch of each voice, and when it begins. */
  started: { pitch: number; at: number }[];
  /** How many audio contexts were made. */
  made: number;
  state: AudioContextState;
}

const NOW = 10; // seconds on the clock of the audio context

class Param {
  values: number[] = [];
  setValueAtTime = (value: number) => void this.values.push(value);
  exponentialRampToValueAtTime = this.setValueAtTime;
}

/** One for all tests of a file: the page keeps its audio context. */
const noted: FakeAudio = { started: [], made: 0, state: 'running' };

class Audio {
  currentTime = NOW;
  sampleRate = 8_000;
  destination = {};
  constructor() {
    noted.made += 1;
  }
  get state() {
    return noted.state;
  }
  resume = async () => void (noted.state = 'running');
  #source() {
    const source = { frequency: new Param(), filter: null as { frequency: Param } | null };
    return Object.assign(source, {
      connect: (to: { frequency: Param }) => ((source.filter = to), to),
      stop: () => undefined,
      start: (at: number) => {
        const { values } = source.frequency.values.length
          ? source.frequency
          : source.filter!.frequency;
        noted.started.push({ pitch: values[0]!, at: at - NOW });
      },
    });
  }
  createOscillator = () => this.#source();
  createBufferSource = () => this.#source();
  createGain = () => ({ gain: new Param(), connect: (to: unknown) => to });
  createBiquadFilter = () => ({ frequency: new Param(), connect: (to: unknown) => to });
  createBuffer = () => ({ getChannelData: () => new Float32Array(4) });
}

/** Put the fake in place of the browser's `AudioContext`, with nothing noted yet. */
export function fakeAudio(): FakeAudio {
  Object.assign(noted, { started: [], made: 0, state: 'running' });
  vi.stubGlobal('AudioContext', Audio);
  return noted;
}

/** Touch the page, as a browser requires before it lets a page make sounds. */
export function touch(): void {
  window.dispatchEvent(new Event('pointerdown'));
}
