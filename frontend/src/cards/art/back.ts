/** The back of a card: the mat of its game with its pattern, a gold seam and the emblem. */
import type { Mood } from '../../games/moods';
import { disc, mark, picture } from './svg';

const GOLD = '#f2c14b';
const PANEL = { x: 5, y: 5, width: 90, height: 130 };

/** Return the picture inside the cream edge of a back. */
export function drawBack({ mat, matEdge, pattern, emblem }: Mood): string {
  const seam = mark('rect', {
    x: 9.5,
    y: 9.5,
    width: 81,
    height: 121,
    rx: 4,
    fill: 'none',
    stroke: GOLD,
    'stroke-width': 1.4,
    'stroke-dasharray': '5 3.4',
    'stroke-linecap': 'round',
  });
  const medal = disc(50, 70, 29, matEdge, { stroke: GOLD, 'stroke-width': 1.6 });
  return picture(
    '5 5 90 130',
    mark('rect', { ...PANEL, fill: mat }) +
      pattern +
      seam +
      medal +
      mark('g', { transform: 'translate(27 47) scale(.46)' }, emblem),
  );
}

/** Return the panel filled with a tile that is repeated. */
export function tiled(width: number, height: number, tile: string): string {
  const size = { width, height, patternUnits: 'userSpaceOnUse' };
  return mark('pattern', { id: 't', ...size }, tile) + mark('rect', { ...PANEL, fill: 'url(#t)' });
}
