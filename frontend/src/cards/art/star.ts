/** Yellow: a star that rises over dunes, with as many rays as the card is worth. */
import { TONES, each, growth } from './drawing';
import type { Drawing } from './drawing';
import { area, disc, mark, point } from './svg';

const { deep, deepest, light, pale } = TONES.Y;
const SPAN = (220 / 180) * Math.PI; // rays are only where no dune hides them
const LONG = 82;

export function star(value: number): Drawing {
  const t = growth(value);
  const [x, y, size] = [60, 96 - t * 26, 14 + t * 14];
  const at = (angle: number, radius: number) =>
    point(x + radius * Math.cos(angle), y + radius * Math.sin(angle));

  const apart = SPAN / Math.max(value, 2);
  const ray = (nth: number) => {
    const angle = -Math.PI / 2 + (nth - (value - 1) / 2) * apart;
    const half = Math.min(0.27 * apart, 0.2);
    return area(`M${point(x, y)}L${at(angle - half, LONG)} ${at(angle + half, LONG)}Z`, 'url(#r)');
  };
  const fade = mark(
    'radialGradient',
    { id: 'r', gradientUnits: 'userSpaceOnUse', cx: x, cy: y, r: LONG },
    mark('stop', { 'stop-color': pale }) +
      mark('stop', { offset: 1, 'stop-color': light, 'stop-opacity': 0.25 }),
  );
  const points = [0, 1, 2, 3, 4].map((nth) => {
    const corner = (part: number) => -Math.PI / 2 + ((2 * nth + part) * Math.PI) / 5;
    const [left, tip, right] = [
      at(corner(-1), 0.45 * size),
      at(corner(0), size),
      at(corner(1), 0.45 * size),
    ];
    return [`M${point(x, y)}L${left} ${tip}Z`, `M${point(x, y)}L${tip} ${right}Z`];
  });
  const shining =
    disc(x, y, 1.26 * size, light) +
    area(points.map(([bright]) => bright).join(''), '#d98a00') +
    area(points.map(([, dark]) => dark).join(''), '#8f5200');
  return {
    behind: value ? fade : '',
    grown: each(value, ray),
    before: (value ? shining : '') + dunes,
  };
}

const dunes =
  area('M3 114Q32 98 60 112T97 106V137H3Z', deep) +
  area('M3 126Q30 110 55 122T97 119V137H3Z', '#c98508') +
  area('M30 137Q50 118 97 124V137Z', deepest);
