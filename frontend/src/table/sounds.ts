/** Small sounds, made here and now: nothing to load. */
import { settings } from '../state/settings.svelte';

export type Sound = 'play' | 'trick' | 'turn';

/** Pitch in Hertz and length in seconds of each tone, one after the other. */
const TONES: Readonly<Record<Sound, readonly (readonly [number, number])[]>> = {
  play: [[320, 0.05]],
  trick: [[392, 0.07], [523, 0.1]],
  turn: [[660, 0.08], [880, 0.12]],
};
const LOUDNESS = 0.08;

let context: AudioContext | null = null;

/** Let it be heard, if sounds are wanted. */
export function sound(name: Sound): void {
  if (!settings.sound || typeof AudioContext === 'undefined') return;
  context ??= new AudioContext();
  let at = context.currentTime;
  for (const [pitch, length] of TONES[name]) {
    tone(context, pitch, at, length);
    at += length;
  }
}

function tone(audio: AudioContext, pitch: number, at: number, length: number): void {
  const oscillator = audio.createOscillator();
  const volume = audio.createGain();
  oscillator.type = 'triangle';
  oscillator.frequency.value = pitch;
  volume.gain.setValueAtTime(LOUDNESS, at);
  volume.gain.exponentialRampToValueAtTime(0.001, at + length);
  oscillator.connect(volume).connect(audio.destination);
  oscillator.start(at);
  oscillator.stop(at + length);
}
