/** Stichtag's mat: a leather desk pad with a grid, corners, and the ring of a coffee cup. */
import { repeat, type MatLook } from '../mats';

const SQUARE = 34;

export function mat({ width, height, light }: MatLook): string {
  const corner = Math.min(120, width * 0.16);
  const [right, low] = [width - corner, height - corner];
  const lines =
    repeat(Math.ceil(width / SQUARE), (at) => `M${at * SQUARE} 0V${height}`) +
    repeat(Math.ceil(height / SQUARE), (at) => `M0 ${at * SQUARE}H${width}`);
  const [x, y] = [width * 0.2, height * 0.8];
  return `<path d="${lines}" stroke="${light ? '#6a3a12' : '#ffe1b8'}" opacity="${light ? 0.14 : 0.09}"/>
<path d="M0 0H${corner}L0 ${corner}zM${width} 0H${right}L${width} ${corner}zM0 ${height}H${corner}L0 ${low}zM${width} ${height}H${right}L${width} ${low}z" fill="${light ? '#8a4b22' : '#2e160f'}" opacity="${light ? 0.5 : 0.62}"/>
<path d="M${corner - 8} 6L6 ${corner - 8}M${right + 8} 6L${width - 6} ${corner - 8}" stroke="#f2c14b" stroke-width="2" stroke-dasharray="8 6" stroke-linecap="round" opacity=".5"/>
<g fill="none" stroke="#2b130b" opacity=".34"><circle cx="${x}" cy="${y}" r="52" stroke-width="7" stroke-dasharray="240 20 40 12"/><circle cx="${x + 3}" cy="${y - 2}" r="45" stroke-width="1.5"/></g>`;
}
