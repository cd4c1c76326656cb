/** Stichling: a stickleback, and waves. */
import { tiled } from '../../cards/art/back';
import { area, disc, line } from '../../cards/art/svg';
import type { Mood } from '../moods';
import './mood.css';

const [SCALES, FINS, WAVES, DARK] = ['#bff3ec', '#ff9b6a', '#2f8091', '#0a3442'];

const stickleback =
  area('M8 54C24 30 56 28 76 49l17-13q-6 17 0 35L76 58C56 78 24 77 8 54Z', SCALES) +
  area('M33 36l5-18 7 15ZM48 33l7-17 4 19ZM61 38l8-13 1 18Z', FINS) +
  area('M38 62q10 4 14 14-10 0-16-6Z', FINS) +
  line('M30 44q6 10 0 20', DARK, 2.6) +
  line('M46 48q4 6 0 12M56 47q4 6 0 13M66 49q3 5 0 9', DARK, 2, { opacity: 0.6 }) +
  disc(21, 50, 4.2, DARK) +
  disc(20, 49, 1.4, '#fff');

export const mood: Mood = {
  mat: '#0e4a5c',
  matEdge: '#08303f',
  pattern: tiled(18, 12, line('M0 6q4.5-6 9 0t9 0M0 12q4.5-6 9 0t9 0', WAVES, 1.5)),
  emblem: stickleback,
  /* Plop: a stone in the water. */
  trick: [
    { wave: 'sine', pitch: 260, to: 780, length: 0.12, loudness: 1.4 },
    { wave: 'sine', pitch: 420, to: 980, at: 0.13, length: 0.09, loudness: 0.6 },
  ],
};
