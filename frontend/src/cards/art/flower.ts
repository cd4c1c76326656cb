/** Green: a flower; its leaves and its bloom are as many as the card is worth. */
import { SHAPES } from '../cards';
import { TONES, each, growth } from './drawing';
import type { Drawing } from './drawing';
import { area, disc, fixed, line, mark, point } from './svg';

const { deep, deepest, light, pale } = TONES.G;
const X = 62;
const SOIL = 116; // the meadow covers what is below

export function flower(value: number): Drawing {
  const t = growth(value);
  const [top, size] = [97 - t * 47, 1 + t * 0.32];
  /** The stem bends a little: where it is at a height, as a curve through its middle. */
  const stemAt = (y: number) => {
    const f = (128 - y) / (128 - top);
    return X - 10 * f * (1 - f);
  };
  const leaves = value - 1;
  const leaf = (at: number) => {
    const f = (at + 0.6) / (leaves + 0.4);
    const y = SOIL - (SOIL - top - 11 * size) * f;
    const [side, long] = [at % 2 ? 1 : -1, 18 - 6 * f];
    return leafFrom(stemAt(y), y, side, long);
  };
  const stem = line(`M${X} 128Q${X - 5} ${fixed((128 + top) / 2)} ${point(X, top)}`, deepest, 2.8);
  return {
    behind: cloud + area('M3 118Q40 104 97 114V137H3Z', deep) + (value ? stem : ''),
    grown: value ? [...each(leaves, leaf), bloom(top, size)] : [],
    before: area('M3 128Q34 116 97 127V137H3Z', deepest),
  };
}

const cloud = area('M64 32h20a5 5 0 0 0 0-10 8 8 0 0 0-15-1.5 5.8 5.8 0 0 0-5 11.5Z', pale, {
  opacity: 0.22,
});

/** Return a leaf with its vein. */
function leafFrom(x: number, y: number, side: number, long: number): string {
  const by = (dx: number, dy: number) => point(side * dx * long, dy * long);
  const blade = `M${point(x, y)}q${by(0.35, -0.62)} ${by(1, -0.5)}q${by(-0.3, 0.66)} ${by(-1, 0.5)}Z`;
  const vein = `M${point(x + 2 * side, y - 1)}l${by(0.68, -0.37)}`;
  return mark('g', {}, area(blade, side > 0 ? deepest : deep) + line(vein, light, 0.9));
}

/** Return the bloom: the suit's shape, with a yellow heart. */
function bloom(y: number, size: number): string {
  const cross = (scale: number, fill: string) =>
    area(SHAPES.G, fill, {
      transform: `translate(${point(X - 12 * scale, y - 12 * scale)}) scale(${scale.toFixed(3)})`,
    });
  const petals = cross(1.22 * size, deepest) + cross(size, '#fff6ea');
  return mark('g', {}, petals + disc(X, y, 3.6 * size, '#f2c14b'));
}
