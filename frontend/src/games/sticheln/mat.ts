/** Sticheln's mat: a desert moon, dunes, cacti and needles in the sand. */
import { repeat, scattered, type MatLook } from '../mats';

const CACTUS =
  'M41 92V28a10 10 0 0 1 20 0v24h7a5 5 0 0 0 5-5v-7a6.5 6.5 0 0 1 13 0v8a17 17 0 0 1-17 17h-8v27zM41 74h-9a17 17 0 0 1-17-17v-9a6.5 6.5 0 0 1 13 0v8a5 5 0 0 0 5 5h8z';
/** The pads of a prickly pear: middle, radii, lean. */
const PEAR = [
  [50, 74, 17, 24, 0],
  [28, 42, 13, 20, -28],
  [72, 40, 13, 20, 30],
  [51, 32, 11, 17, 0],
  [88, 18, 8, 12, 34],
];
const NEEDLES = 46;

function cactus(x: number, foot: number, size: number, fill: string): string {
  return `<path transform="translate(${x} ${foot - 92 * size}) scale(${size})" fill="${fill}" d="${CACTUS}"/>`;
}

function pear(x: number, foot: number, size: number, fill: string): string {
  const pads = PEAR.map(
    ([cx, cy, rx, ry, lean]) =>
      `<ellipse cx="${cx}" cy="${cy}" rx="${rx}" ry="${ry}" transform="rotate(${lean} ${cx} ${cy})"/>`,
  );
  return `<g transform="translate(${x} ${foot - 97 * size}) scale(${size})" fill="${fill}">${pads.join('')}</g>`;
}

export function mat({ width, height, light }: MatLook): string {
  const [middle, level] = [width / 2, height * 0.45];
  const least = Math.min(width, height);
  const near = light ? '#6e8f4a' : '#0a241d';
  const far = light ? '#86a45c' : '#164536';
  const moon = light ? '#fff3cf' : '#5fa887';
  const size = height / 420;
  const needles = repeat(NEEDLES, (at) => {
    const x = scattered(at) * width;
    const y = 8 + scattered(at + 99) * height * 0.66;
    if (Math.hypot(x - middle, y - level) < least * 0.45) return '';
    return `<path d="M${x.toFixed()} ${y.toFixed()}l4-6 4 6m-4-6v7"/>`;
  });
  return `<circle cx="${middle}" cy="${level}" r="${least * 0.42}" fill="${moon}" opacity="${light ? 0.5 : 0.13}"/>
<circle cx="${middle}" cy="${level}" r="${least * 0.52}" fill="none" stroke="${moon}" stroke-width="2" stroke-dasharray="10 9" stroke-linecap="round" opacity="${light ? 0.9 : 0.3}"/>
<path d="M0 ${height * 0.8}Q${width * 0.22} ${height * 0.68} ${middle} ${height * 0.79}T${width} ${height * 0.72}V${height}H0z" fill="${light ? '#d8ae6c' : '#2a6450'}" opacity="${light ? 0.55 : 0.42}"/>
<path d="M0 ${height * 0.92}Q${width * 0.3} ${height * 0.78} ${width * 0.62} ${height * 0.9}T${width} ${height * 0.86}V${height}H0z" fill="${light ? '#b98a4a' : '#0a241d'}" opacity="${light ? 0.34 : 0.5}"/>
<g opacity="${light ? 0.5 : 0.62}">${cactus(-8, height * 0.8, size * 1.45, near)}${cactus(width * 0.135, height * 0.77, size * 0.7, far)}${pear(width - 132 * size, height * 0.87, size * 1.1, near)}${cactus(width * 0.8, height * 0.75, size * 0.62, far)}</g>
<g fill="none" stroke="${light ? '#a87b38' : '#7fc3a2'}" stroke-width="1.6" stroke-linecap="round" opacity="${light ? 0.5 : 0.28}">${needles}</g>`;
}
