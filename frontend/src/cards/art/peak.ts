/** Red: a peak that grows, with as many hatch strokes on its dark side as the card is worth. */
import { TONES, each, growth } from './drawing';
import type { Drawing } from './drawing';
import { area, line, point, polygon } from './svg';

const { deep, deepest, light } = TONES.R;
const SNOW = '#fff6ea';
const FOOT = 126;
const VISIBLE_FOOT = 115; // the hill covers what is below

export function peak(value: number): Drawing {
  const t = growth(value);
  const [x, high, wide] = [62, 26 + t * 56, 18 + t * 20];
  const top = FOOT - high;

  /** Return where the ridge, which parts the light side from the dark one, is at a height. */
  const ridge = (y: number) => {
    const f = (y - top) / high;
    return f < 0.62
      ? x - 0.1 * wide * (f / 0.62)
      : x - 0.1 * wide + 0.28 * wide * ((f - 0.62) / 0.38);
  };
  /** Strokes run down the dark side and end before its slope; every other one is shorter. */
  const [first, fall] = [top + 0.36 * high, 0.5];
  const step = (VISIBLE_FOOT - first) / Math.max(value, 5);
  const stroke = (at: number) => {
    const y = first + at * step;
    const start = ridge(y) + 1.6;
    const room = x + ((y - top) * wide) / high - start - 2;
    const long = (room / (1 - (fall * wide) / high)) * (at % 2 ? 0.6 : 0.92);
    const run = Math.min(long, (VISIBLE_FOOT + 4 - y) / fall);
    return line(`M${point(start, y)}l${point(run, fall * run)}`, light, Math.min(1.4, 0.45 * step));
  };

  const mountain =
    polygon(
      [
        [x, top],
        [x + wide, FOOT],
        [x - wide, FOOT],
      ],
      light,
    ) +
    polygon(
      [
        [x, top],
        [x + wide, FOOT],
        [ridge(FOOT), FOOT],
        [x - 0.1 * wide, top + 0.62 * high],
      ],
      deepest,
    );
  return {
    behind: birds + range + (value ? mountain : ''),
    grown: each(value, stroke),
    before: (value ? snow(x, top, 0.3 * wide, 0.3 * high) : '') + hill,
  };
}

const birds = line('M76 34q3-4 6 0 3-4 6 0M67 44q2-3 4.5 0 2-3 4.5 0', deepest, 1.6);
const range = area('M3 104 18 84 29 97 44 76 60 100 78 82 97 102V137H3Z', deep);
const hill =
  area('M3 122Q30 111 56 121T97 117V137H3Z', deepest) +
  area('M14 114l3 9h-6ZM24 111l4 12h-8ZM86 112l4 11h-8Z', '#3e0003');

/** Return the cap of a peak: half as wide and as high as given. */
function snow(x: number, top: number, wide: number, high: number): string {
  return polygon(
    [
      [x, top],
      [x + wide, top + high],
      [x + 0.45 * wide, top + 0.8 * high],
      [x + 0.1 * wide, top + 1.25 * high],
      [x - 0.35 * wide, top + 0.85 * high],
      [x - wide, top + high],
    ],
    SNOW,
  );
}
