/** Sticheln: a cactus in bloom, and spines. */
import { tiled } from '../../cards/art/back';
import { area, line } from '../../cards/art/svg';
import type { Mood } from '../moods';
import './mood.css';

const [GREEN, BLOOM, SPINE, DARK] = ['#8fd8a8', '#ff8fa0', '#3c7a63', '#0f2f26'];

const cactus =
  area(
    'M41 92V28a10 10 0 0 1 20 0v24h7a5 5 0 0 0 5-5v-7a6.5 6.5 0 0 1 13 0v8a17 17 0 0 1-17 17h-8v27Z',
    GREEN,
  ) +
  area('M41 74h-9a17 17 0 0 1-17-17v-9a6.5 6.5 0 0 1 13 0v8a5 5 0 0 0 5 5h8Z', GREEN) +
  line('M51 30v56M79 42v6M21 50v6', DARK, 2.2) +
  line(
    'M47 40l-4-3M47 52l-4-3M47 64l-4-3M47 76l-4-3M55 36l4-3M55 48l4-3M55 60l4-3M55 72l4-3',
    DARK,
    2.2,
  ) +
  area('M51 20q-11-2-10-11 6 1 8 5 0-7 2-10 3 4 3 10 2-4 8-5 0 9-11 11Z', BLOOM);

export const mood: Mood = {
  mat: '#1d4a3b',
  matEdge: DARK,
  pattern: tiled(
    14,
    14,
    line('M3 5l4-3v4M7 2l4 3M-4 12l4-3v4M0 9l4 3M10 12l4-3v4M14 9l4 3', SPINE, 1.5),
  ),
  emblem: cactus,
  /* A plucked string. */
  trick: [
    { wave: 'triangle', pitch: 392, length: 0.28 },
    { wave: 'triangle', pitch: 587, at: 0.05, length: 0.24, loudness: 0.7 },
    { filter: 'highpass', pitch: 3_000, length: 0.02, loudness: 0.8 },
  ],
};
