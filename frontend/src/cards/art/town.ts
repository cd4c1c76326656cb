/** Grey: a town of as many houses as the card is worth, built upwards from the street. */
import { TONES, each } from './drawing';
import type { Drawing } from './drawing';
import { area, fixed, mark } from './svg';

const { deep, deepest } = TONES.S;
const SIDE = 15.6;
const LEFT = 33;
const STREET = 126;
const WALLS = [deepest, '#59625c', '#4b544e'];

/** Where houses stand, in the order in which they are built: column and storey. */
const PLOTS: readonly (readonly [number, number])[] = [
  [1, 0],
  [2, 0],
  [1, 1],
  [3, 0],
  [2, 1],
  [0, 0],
  [2, 2],
  [1, 2],
  [3, 1],
  [2, 3],
  [0, 1],
  [3, 2],
  [1, 3],
  [3, 3],
  [0, 2],
];

export function town(value: number): Drawing {
  return { behind: skyline, grown: each(Math.min(value, PLOTS.length), house), before: street };
}

const skyline =
  area('M3 112H14V100H28V108H40V96H52V106H70V98H84V110H97V137H3Z', '#a2a9a3') +
  area('M3 120H9V112H20V118H34V113H44V120H97V137H3Z', deep, { opacity: 0.6 });
const street =
  area('M3 126H97V137H3Z', '#2c332f') +
  area('M9 131h9v1.4H9ZM28 131h9v1.4h-9ZM47 131h9v1.4h-9ZM66 131h9v1.4h-9ZM85 131h9v1.4h-9Z', deep);

/** Return a house: a wall with a ledge, and a window, lit in some. */
function house(at: number): string {
  const [column, storey] = PLOTS[at]!;
  const [x, y] = [fixed(LEFT + column * SIDE), fixed(STREET - (storey + 1) * SIDE)];
  const wall = area(`M${x} ${y}h${SIDE}v${SIDE}h-${SIDE}Z`, WALLS[(column + storey) % 3]!, {
    stroke: TONES.S.own,
    'stroke-width': 0.7,
  });
  const ledge = area(`M${x} ${y}h${SIDE}v1.8h-${SIDE}Z`, '#8b948d');
  const pane = area(
    `M${fixed(x + 4.5)} ${fixed(y + 4.7)}h6.6v6.6h-6.6Z`,
    at % 4 === 1 ? '#f2c14b' : TONES.S.pale,
  );
  return mark('g', {}, wall + ledge + pane);
}
