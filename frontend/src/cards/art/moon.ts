/** Blue: a moon that rises over water, with as many ripples as the card is worth. */
import { TONES, each, growth } from './drawing';
import type { Drawing } from './drawing';
import { area, disc, fixed, line, point } from './svg';

const { deep, deepest, light } = TONES.B;
const X = 62;
const SHORE = 101;
const LIGHT = '#fffdf0';

export function moon(value: number): Drawing {
  const t = growth(value);
  const [y, size] = [SHORE - 3 - t * 36, 12 + t * 13];
  const step = 31 / Math.max(value, 7);
  const ripple = (at: number) => {
    const half = 0.95 * size * (1 - 0.035 * at) * (at % 2 ? 0.6 : 1);
    const [x, below] = [X + ((at % 3) - 1) * 3, SHORE + 3 + at * step];
    return line(`M${point(x - half, below)}H${fixed(x + half)}`, LIGHT, Math.min(2, 0.5 * step));
  };
  return {
    behind: (value ? disc(X, y, 1.4 * size, light, { opacity: 0.6 }) + body(y, size) : '') + water,
    grown: each(value, ripple),
    before: '',
  };
}

const water =
  area(`M3 ${SHORE}H97V137H3Z`, deep) +
  area(`M3 ${SHORE + 16}q12-5 23 0t24 0 24 0 23 0V137H3Z`, deepest, { opacity: 0.75 });

/** Return the disc with its shaded limb and craters. */
function body(y: number, size: number): string {
  const near = (dx: number, dy: number) => point(X + dx * size, y + dy * size);
  const arc = (radius: number, sweep: number, to: string) =>
    `A${point(radius * size, radius * size)} 0 0 ${sweep} ${to}`;
  const limb = `M${near(0.25, -0.97)}${arc(1, 1, near(0.25, 0.97))}${arc(1.5, 0, near(0.25, -0.97))}Z`;
  const crater = (dx: number, dy: number, r: number) =>
    disc(X + dx * size, y + dy * size, r * size, '#d6ecfa');
  return (
    disc(X, y, size, LIGHT) +
    area(limb, '#bfe4ff') +
    crater(-0.35, -0.2, 0.17) +
    crater(-0.05, 0.42, 0.11) +
    crater(-0.45, 0.3, 0.08)
  );
}
