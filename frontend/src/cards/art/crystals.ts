/** Lilac: as many crystals as the card is worth; the tallest is in the middle. */
import { TONES, each, growth } from './drawing';
import type { Drawing } from './drawing';
import { area, mark, polygon } from './svg';

const { deep, deepest, light, pale } = TONES.L;
const X = 62;
const GROUND = 126;

export function crystals(value: number): Drawing {
  const t = growth(value);
  const rings = Math.floor(value / 2);
  /** Those at the rim are drawn first, alternately left and right, so that each can be seen. */
  const shard = (at: number) => {
    const nth = value - 1 - at;
    if (nth === 0) return tallest(33 + t * 46, 8 + t * 6);
    const ring = Math.ceil(nth / 2);
    const lean = (nth % 2 ? -1 : 1) * (0.16 + (ring / Math.max(rings, 3)) * 1.02);
    const long = (24 + t * 24) * (1 - (0.42 * ring) / Math.max(rings, 3)) + ((nth * 7) % 5);
    return small(lean, long, value > 9 ? 3.6 : 4.4);
  };
  return {
    behind: sparks + area('M3 112 20 104 38 114 60 102 80 112 97 105V137H3Z', deep),
    grown: each(value, shard),
    before: area('M3 126 16 119 34 127 52 121 72 128 86 120 97 125V137H3Z', deepest),
  };
}

const sparks = area(
  'M84 24l1.6 4 4 1.6-4 1.6-1.6 4-1.6-4-4-1.6 4-1.6ZM72 40l1 2.6 2.6 1-2.6 1-1 2.6-1-2.6-2.6-1 2.6-1Z',
  pale,
  { opacity: 0.8 },
);

/** Return a crystal that leans to one side: a light and a dark face. */
function small(lean: number, long: number, wide: number): string {
  const [dx, dy] = [Math.sin(lean), -Math.cos(lean)];
  const at = (along: number, across: number): [number, number] => [
    X + dx * along - dy * across,
    GROUND - 1 + dy * along + dx * across,
  ];
  const bright = [at(0, -wide / 2), at(0.72 * long, -wide), at(long, 0), at(0, 0)];
  const dark = [at(0, 0), at(long, 0), at(0.72 * long, wide), at(0, wide / 2)];
  return mark('g', {}, polygon(bright, '#d5a9f0') + polygon(dark, light));
}

/** Return the one in the middle, with four faces. */
function tallest(high: number, wide: number): string {
  const [tip, waist] = [GROUND - high, GROUND - 0.55 * high];
  const edge: [number, number] = [X - 0.2 * wide, waist + 4];
  const foot: [number, number] = [X, GROUND + 5];
  return mark(
    'g',
    {},
    polygon([[X, tip], [X - wide, waist], edge], '#fff3ff') +
      polygon([[X, tip], [X + wide, waist], edge], pale) +
      polygon([[X - wide, waist], edge, foot], '#c184ea') +
      polygon([[X + wide, waist], edge, foot], '#8c43be'),
  );
}
