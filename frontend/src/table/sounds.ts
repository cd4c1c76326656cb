/**
 * Small sounds, synthesized here: nothing to load. A sound is a few voices, each a tone or a filtered
 * noise. What a trick sounds like belongs to the mood of a game.
 */
import { settings } from '../state/settings.svelte';

interface Voice {
  /** When it begins and how long it takes, in seconds. */
  at?: number;
  length: number;
  /** Its pitch in Hertz; for a noise, what the filter lets through. */
  pitch: number;
  /** The pitch it glides to. */
  to?: number;
  loudness?: number;
}

export interface Tone extends Voice {
  wave: OscillatorType;
}

export interface Noise extends Voice {
  filter: BiquadFilterType;
}

export type Chord = readonly (Tone | Noise)[];

export type Sound = 'deal' | 'play' | 'crown' | 'turn' | 'win';

const RING = 0.34; // seconds after which no bell is heard any more

/** A bell; those of one chord fade out together. */
function bell(pitch: number, at = 0, loudness = 1): Chord {
  return [
    { wave: 'sine', pitch, at, length: RING - at, loudness },
    { wave: 'sine', pitch: pitch * 2.01, at, length: 0.16, loudness: 0.35 * loudness },
  ];
}

export const SOUNDS: Readonly<Record<Sound, Chord>> = {
  /** Taps on felt. */
  deal: [0, 0.035, 0.07, 0.105].map((at) => ({
    filter: 'lowpass',
    pitch: 620,
    at,
    length: 0.05,
    loudness: 2.2,
  })),
  /** A card that snaps onto the table. */
  play: [
    { filter: 'bandpass', pitch: 1_700, length: 0.06, loudness: 2.4 },
    { wave: 'sine', pitch: 170, to: 90, length: 0.08, loudness: 0.8 },
  ],
  crown: bell(1_319, 0, 0.5),
  turn: [...bell(523), ...bell(784, 0.09)],
  win: [...bell(523), ...bell(659, 0.05), ...bell(784, 0.1), ...bell(1_047, 0.15, 1.2)],
};

const LOUDNESS = 0.1;
const ATTACK = 0.006; // seconds until a voice is loudest
const SILENT = 0.0001; // what a voice fades to: it must not be zero
const TOO_LATE = 300; // milliseconds after which a sound is pointless

let context: AudioContext | null = null;
let touched = false;

for (const gesture of ['pointerdown', 'keydown'])
  globalThis.addEventListener?.(gesture, () => (touched = true), { capture: true, once: true });

/** Play a sound, if enabled. A page is silent until someone has touched it. */
export function sound(what: Sound | Chord): void {
  if (!settings.sound || !touched || typeof AudioContext === 'undefined') return;
  const audio = (context ??= new AudioContext());
  const chord = typeof what === 'string' ? SOUNDS[what] : what;
  const asked = performance.now();
  const start = () => {
    if (performance.now() - asked > TOO_LATE) return;
    for (const voice of chord) {
      if ('wave' in voice) playTone(audio, voice);
      else playNoise(audio, voice);
    }
  };
  if (audio.state === 'running') start();
  else audio.resume().then(start, () => undefined); // a phone may refuse: then it stays silent
}

function playTone(audio: AudioContext, tone: Tone): void {
  const at = audio.currentTime + (tone.at ?? 0);
  const oscillator = audio.createOscillator();
  oscillator.type = tone.wave;
  glide(oscillator.frequency, tone, at);
  oscillator.connect(fading(audio, at, tone));
  oscillator.start(at);
  oscillator.stop(at + tone.length);
}

function playNoise(audio: AudioContext, noise: Noise): void {
  const at = audio.currentTime + (noise.at ?? 0);
  const source = audio.createBufferSource();
  source.buffer = audio.createBuffer(1, audio.sampleRate * noise.length, audio.sampleRate);
  source.buffer
    .getChannelData(0)
    .forEach((_, sample, samples) => (samples[sample] = Math.random() * 2 - 1));
  const filter = audio.createBiquadFilter();
  filter.type = noise.filter;
  glide(filter.frequency, noise, at);
  source.connect(filter).connect(fading(audio, at, noise));
  source.start(at);
}

function glide(frequency: AudioParam, { pitch, to, length }: Voice, at: number): void {
  frequency.setValueAtTime(pitch, at);
  if (to) frequency.exponentialRampToValueAtTime(to, at + length);
}

function fading(audio: AudioContext, at: number, { loudness = 1, length }: Voice): GainNode {
  const volume = audio.createGain();
  volume.gain.setValueAtTime(SILENT, at);
  volume.gain.exponentialRampToValueAtTime(LOUDNESS * loudness, at + ATTACK);
  volume.gain.exponentialRampToValueAtTime(SILENT, at + length);
  volume.connect(audio.destination);
  return volume;
}
