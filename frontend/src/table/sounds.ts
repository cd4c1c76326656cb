/** Small sounds, synthesized here: nothing to load. */
import { settings } from '../state/settings.svelte';

export type Sound = 'play' | 'trick' | 'turn';

/** The notes of a sound: pitch in Hertz, and when each begins. */
const NOTES: Readonly<Record<Exclude<Sound, 'play'>, readonly (readonly [number, number])[]>> = {
  trick: [
    [330, 0],
    [247, 0.09],
  ],
  turn: [
    [523, 0],
    [784, 0.1],
  ],
};
const LOUDNESS = 0.1;
const NOTE_SECONDS = 0.28; // seconds until a note has faded
const NOISE_SECONDS = 0.07; // seconds of noise for a card
const TOO_LATE = 300; // milliseconds after which a sound is pointless

let context: AudioContext | null = null;

/** Play a sound, if enabled. Browsers keep a page silent until someone has touched it. */
export function sound(name: Sound): void {
  if (!settings.sound || typeof AudioContext === 'undefined') return;
  if (navigator.userActivation?.hasBeenActive === false) return;
  const audio = (context ??= new AudioContext());
  const asked = performance.now();
  const start = () => {
    if (performance.now() - asked > TOO_LATE) return;
    if (name === 'play') cardNoise(audio);
    else for (const [pitch, after] of NOTES[name]) note(audio, pitch, audio.currentTime + after);
  };
  if (audio.state === 'running') start();
  else audio.resume().then(start, () => undefined); // a phone may refuse: then it stays silent
}

/** Play a soft note that swells for a moment and fades. */
function note(audio: AudioContext, pitch: number, at: number): void {
  const oscillator = audio.createOscillator();
  oscillator.type = 'sine';
  oscillator.frequency.value = pitch;
  oscillator.connect(fading(audio, at, LOUDNESS, NOTE_SECONDS));
  oscillator.start(at);
  oscillator.stop(at + NOTE_SECONDS);
}

/** Play the sound of a card on felt: a short noise. */
function cardNoise(audio: AudioContext): void {
  const noise = audio.createBufferSource();
  noise.buffer = audio.createBuffer(1, audio.sampleRate * NOISE_SECONDS, audio.sampleRate);
  noise.buffer.getChannelData(0).forEach((_, at, samples) => (samples[at] = Math.random() * 2 - 1));
  const felt = audio.createBiquadFilter();
  felt.type = 'bandpass';
  felt.frequency.value = 1_400;
  noise.connect(felt).connect(fading(audio, audio.currentTime, 2.5 * LOUDNESS, NOISE_SECONDS));
  noise.start();
}

function fading(audio: AudioContext, at: number, loudness: number, length: number): GainNode {
  const volume = audio.createGain();
  volume.gain.setValueAtTime(0.0001, at);
  volume.gain.exponentialRampToValueAtTime(loudness, at + 0.008);
  volume.gain.exponentialRampToValueAtTime(0.0001, at + length);
  volume.connect(audio.destination);
  return volume;
}
