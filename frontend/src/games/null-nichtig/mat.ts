/** The mat of Null & nichtig: rings round a void, and dust. */
import { repeat, scattered, type MatLook } from '../mats';

const RINGS = 13;
const DUST = 70;

export function mat({ width, height, light }: MatLook): string {
  const [middle, level] = [width / 2, height * 0.45];
  const rings = repeat(RINGS, (at) => {
    const radius = 36 + at * at * 2.6 + at * 24;
    const dotted = at % 2 ? ' stroke-dasharray="2 9" stroke-linecap="round"' : '';
    const faint = Math.max(0.08, 0.36 - at * 0.022).toFixed(2);
    return `<circle cx="${middle}" cy="${level}" r="${radius}" stroke-width="${at % 3 ? 1.4 : 3}" opacity="${faint}"${dotted}/>`;
  });
  const dust = repeat(DUST, (at) => {
    const x = (scattered(at) * width).toFixed();
    const y = (scattered(at + 99) * height).toFixed();
    return `<circle cx="${x}" cy="${y}" r="${0.7 + (at % 4) * 0.45}" opacity="${(0.15 + (at % 5) * 0.09).toFixed(2)}"/>`;
  });
  return `<circle cx="${middle}" cy="${level}" r="${Math.min(width, height) * 0.2}" fill="${light ? '#8f7cc8' : '#0c0720'}" opacity=".55"/>
<g fill="none" stroke="${light ? '#5b45a0' : '#a993f2'}">${rings}</g>
<g fill="${light ? '#4a3590' : '#e7ddff'}">${dust}</g>`;
}
