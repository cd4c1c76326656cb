/** The picture on a card's face, without its index: made once for each card, kept as an address. */
import { SHAPES, colourOf, valueOf } from '../cards';
import type { Colour } from '../cards';
import { crystals } from './crystals';
import { flower } from './flower';
import { moon } from './moon';
import { peak } from './peak';
import { TONES } from './drawing';
import type { Drawing } from './drawing';
import { star } from './star';
import { area, mark, picture } from './svg';
import { town } from './town';

/** The panel of a card, inside its cream edge. */
const PANEL = '3 3 94 134';
const [WIDE, HIGH] = [94, 134];

const DRAWINGS: Readonly<Record<Colour, (value: number) => Drawing>> = {
  R: peak,
  Y: star,
  G: flower,
  B: moon,
  L: crystals,
  S: town,
};

const made = new Map<string, string>();

/** Return the picture of a card; a marked one has a thorned, hatched foot. */
export function faceOf(card: string, marked = false): string {
  const key = marked ? `${card} marked` : card;
  const known = made.get(key);
  if (known) return known;
  const colour = colourOf(card);
  const face = picture(PANEL, sky(colour) + drawn(card) + (marked ? thorns(colour) : ''));
  made.set(key, face);
  return face;
}

/** Return what a card shows, by parts. */
export function drawingOf(card: string): Drawing {
  return DRAWINGS[colourOf(card)](Number(valueOf(card)));
}

function drawn(card: string): string {
  const { behind, grown, before } = drawingOf(card);
  return behind + grown.join('') + before + (grown.length ? '' : outline(colourOf(card)));
}

/** Return the panel: flat at the top, where the index is, then fading to a light horizon. */
function sky(colour: Colour): string {
  const { own, sky } = TONES[colour];
  const stops =
    mark('stop', { offset: 0.36, 'stop-color': own }) +
    mark('stop', { offset: 0.86, 'stop-color': sky });
  return (
    mark('linearGradient', { id: 's', x2: 0, y2: 1 }, stops) +
    mark('rect', { x: 3, y: 3, width: WIDE, height: HIGH, fill: 'url(#s)' })
  );
}

/** Return the stitched outline of a suit's shape, which is all there is at zero. */
function outline(colour: Colour): string {
  return area(SHAPES[colour], 'none', {
    transform: 'translate(34 56) scale(2.3)',
    stroke: TONES[colour].ink,
    'stroke-width': 1.4,
    'stroke-dasharray': '3 2.2',
    'stroke-linecap': 'round',
    'stroke-linejoin': 'round',
  });
}

/** Return the foot of a card that hurts: thorns above a hatched ground. */
function thorns(colour: Colour): string {
  const spikes = `M3 104${'l3-9 3.5 9'.repeat(15)}V137H3Z`;
  const stripes = Array.from({ length: 11 }, (_, at) => `M${3 + at * 13 - 34} 140l34-34`).join('');
  return (
    mark('clipPath', { id: 'f' }, mark('path', { d: 'M3 107H97V137H3Z' })) +
    area(spikes, TONES[colour].deepest, { opacity: 0.94 }) +
    area(stripes, 'none', {
      stroke: '#fffaee',
      'stroke-width': 3,
      opacity: 0.88,
      'clip-path': 'url(#f)',
    })
  );
}
