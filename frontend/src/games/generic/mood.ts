/** Any game: a diamond weave, and a needle with its thread. */
import { tiled } from '../../cards/art/back';
import { area, disc, line } from '../../cards/art/svg';
import type { Mood } from '../moods';

const WEAVE = '#3f6076';
const THREAD = '#f2c14b';

const needle =
  area('M78 14q9 1 8 9L30 86l-14 6 5-15Z', '#e8eef2') +
  line('M80 21 74 28', '#1c3140', 4) +
  line('M74 27C52 8 24 20 34 38s34 6 30 26-30 14-38 24', THREAD, 4.5, {
    'stroke-dasharray': '9 7',
  });

export const mood: Mood = {
  mat: '#24404f',
  matEdge: '#142833',
  pattern: tiled(14, 14, line('M0 7 7 0l7 7-7 7Z', WEAVE, 1.3) + disc(7, 7, 1.3, WEAVE)),
  emblem: needle,
  trick: [
    { wave: 'sine', pitch: 330, length: 0.24 },
    { wave: 'sine', pitch: 247, at: 0.09, length: 0.24 },
  ],
};
