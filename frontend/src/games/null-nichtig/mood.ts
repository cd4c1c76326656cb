/** Null & nichtig: a zero around nothing, and rings. */
import { area, disc } from '../../cards/art/svg';
import type { Mood } from '../moods';
import './mood.css';

const [BRIGHT, VIOLET, RINGS] = ['#ede6ff', '#a98bf5', '#5a4a8c'];

const zero =
  disc(50, 50, 40, 'none', {
    stroke: VIOLET,
    'stroke-width': 3,
    'stroke-dasharray': '7 5',
    'stroke-linecap': 'round',
  }) +
  area(
    'M50 18c18 0 26 16 26 32S68 82 50 82 24 66 24 50s8-32 26-32Zm0 14c-8 0-11 9-11 18s3 18 11 18 11-9 11-18-3-18-11-18Z',
    BRIGHT,
    { 'fill-rule': 'evenodd' },
  ) +
  area('M50 18c18 0 26 16 26 32H61c0-9-3-18-11-18Z', VIOLET);

const rings = Array.from({ length: 7 }, (_, at) =>
  disc(50, 70, 32 + at * 8, 'none', {
    stroke: RINGS,
    'stroke-width': 1.6,
    ...(at % 2 ? { 'stroke-dasharray': '3 3' } : {}),
  }),
).join('');

export const mood: Mood = {
  mat: '#2e2350',
  matEdge: '#1a1233',
  pattern: rings,
  emblem: zero,
  /* A hollow bowl. */
  trick: [
    { wave: 'sine', pitch: 208, length: 0.34, loudness: 1.3 },
    { wave: 'sine', pitch: 573, length: 0.22, loudness: 0.4 },
  ],
};
