/** Stichling's mat: a pond with ripples, reeds, lily pads and sticklebacks. */
import { repeat, type MatLook } from '../mats';

const REEDS =
  '<path d="M10 200q4-80-4-160M34 200q0-90 8-186M58 200q-4-70 8-130M78 200q2-50 18-90" fill="none" stroke-width="4"/><rect x="1" y="22" width="10" height="44" rx="5"/><rect x="37" y="-8" width="10" height="50" rx="5"/><rect x="62" y="52" width="9" height="40" rx="4.5"/><path d="M20 200Q10 120-20 90 8 140 12 200zM46 200q14-60 46-70-28 30-38 70z" stroke="none"/>';
const FISH =
  'M8 54C24 30 56 28 76 49l17-13c-4 12-4 23 0 35L76 58C56 78 24 77 8 54zM33 36l5-18 7 15zM48 33l7-17 4 19zM61 38l8-13 1 18z';
/** Where stones fell in: shares of width and height. */
const RIPPLES = [
  [0.5, 0.46],
  [0.13, 0.24],
  [0.88, 0.7],
  [0.86, 0.2],
  [0.16, 0.74],
] as const;

function reeds(x: number, height: number, size: number, colour: string, mirrored = false): string {
  return `<g transform="translate(${x} ${height - 200 * size}) scale(${mirrored ? -size : size} ${size})" stroke="${colour}" fill="${colour}" stroke-linecap="round">${REEDS}</g>`;
}

function fish(x: number, y: number, size: number, turn: number): string {
  return `<path transform="translate(${x} ${y}) rotate(${turn}) scale(${size})" d="${FISH}"/>`;
}

function pad(x: number, y: number, radius: number, turn: number): string {
  const notch = radius * 0.28;
  return `<path transform="translate(${x} ${y}) rotate(${turn})" d="M0 0L${radius} ${-notch}A${radius} ${radius} 0 1 0 ${radius} ${notch}z"/>`;
}

function ripple([x, y]: readonly [number, number], first: boolean, look: MatLook): string {
  return repeat(first ? 9 : 5, (at) => {
    const wide = first ? 50 + at * 54 : 26 + at * 24;
    const high = first ? 36 + at * 38 : 15 + at * 15;
    const dashed = at % 2 ? ' stroke-dasharray="26 12"' : '';
    const faint = Math.max(0.04, 0.19 - at * 0.017).toFixed(2);
    return `<ellipse cx="${look.width * x}" cy="${look.height * y}" rx="${wide}" ry="${high}" opacity="${faint}"${dashed}/>`;
  });
}

export function mat(look: MatLook): string {
  const { width, height, light } = look;
  const size = height / 420;
  const near = light ? '#2f8b7a' : '#05222d';
  const far = light ? '#49a391' : '#0b4252';
  const pads =
    pad(width * 0.085, height * 0.11, 34 * size, 30) +
    pad(width * 0.12, height * 0.2, 20 * size, 200) +
    pad(width * 0.93, height * 0.1, 30 * size, 120) +
    pad(width * 0.89, height * 0.9, 26 * size, 20);
  const pale =
    fish(width * 0.03, height * 0.6, 0.5 * size, 8) +
    fish(width * 0.9, height * 0.56, 0.42 * size, -10) +
    fish(width * 0.72, height * 0.03, 0.36 * size, 14);
  const dark =
    fish(width * 0.15, height * 0.42, 0.62 * size, -14) +
    fish(width * 0.79, height * 0.44, 0.5 * size, 12) +
    fish(width * 0.47, height * 0.8, 0.55 * size, 6);
  return `<g fill="none" stroke="${light ? '#1f7c80' : '#8fe6e6'}" stroke-width="1.6">${RIPPLES.map((one, at) => ripple(one, at === 0, look)).join('')}</g>
<g opacity=".5">${reeds(12, height, size * 1.15, near)}${reeds(width - 12, height, size * 1.15, near, true)}${reeds(width * 0.1, height, size * 0.7, far)}${reeds(width * 0.92, height, size * 0.7, far, true)}</g>
<g opacity="${light ? 0.42 : 0.55}" fill="#146153">${pads}</g>
<g opacity="${light ? 0.3 : 0.16}" fill="#9ff0ea">${pale}</g>
<g opacity="${light ? 0.22 : 0.38}" fill="#04202b">${dark}</g>`;
}
