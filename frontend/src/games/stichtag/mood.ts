/** Stichtag: a sheet of a calendar with a stitched day, and a grid of days. */
import { tiled } from '../../cards/art/back';
import { area, disc, line, mark } from '../../cards/art/svg';
import type { Mood } from '../moods';
import './mood.css';

const [PAPER, HEAD, GRID, DARK] = ['#fff8e8', '#c22a22', '#96604a', '#2b1a14'];

const days = [
  [30, 54],
  [50, 54],
  [70, 54],
  [30, 73],
  [50, 73],
].map(([x, y]) =>
  mark('rect', { x: x! - 5, y: y! - 5, width: 10, height: 10, rx: 2.5, fill: '#d9b08a' }),
);

const sheet =
  mark('rect', { x: 14, y: 20, width: 72, height: 68, rx: 8, fill: PAPER }) +
  area('M14 28a8 8 0 0 1 8-8h56a8 8 0 0 1 8 8v13H14Z', HEAD) +
  line('M32 12v16M50 12v16M68 12v16', DARK, 5) +
  days.join('') +
  disc(70, 73, 9.5, 'none', {
    stroke: HEAD,
    'stroke-width': 3.4,
    'stroke-dasharray': '5.5 3',
    'stroke-linecap': 'round',
  }) +
  disc(70, 73, 4, HEAD);

export const mood: Mood = {
  mat: '#6a3a2a',
  matEdge: '#44231a',
  pattern: tiled(12, 12, line('M0 0h12M0 0v12', GRID, 1.3) + disc(6, 6, 1.6, GRID)),
  emblem: sheet,
  /* Paper: a leaf is turned. */
  trick: [
    { filter: 'bandpass', pitch: 2_200, to: 5_200, length: 0.16, loudness: 1.8 },
    { filter: 'highpass', pitch: 3_600, at: 0.15, length: 0.05, loudness: 1.4 },
  ],
};
