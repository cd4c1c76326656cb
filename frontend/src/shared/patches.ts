/**
 * The patches of the seats: an animal on the seat's colour inside a stitched ring. Animals are drawn
 * in a square of 100, so that nobody is known by hue alone.
 */
import { area, disc, line, mark, picture } from '../cards/art/svg';

const eyes = (x: number, y: number, r: number, fill: string) =>
  disc(x, y, r, fill) + disc(100 - x, y, r, fill);

const ellipse = (cx: number, cy: number, rx: number, ry: number, fill: string) =>
  mark('ellipse', { cx, cy, rx, ry, fill });

function hedgehog(): string {
  const [spines, face, ink] = ['#6b4226', '#ffe3c2', '#2a160c'];
  const quills = Array.from({ length: 11 }, (_, at) => {
    const turn = -96 + at * 19.2;
    return area('M41 20 50 1l9 19Z', spines, { transform: `rotate(${turn} 50 54)` });
  });
  return (
    quills.join('') +
    ellipse(50, 54, 39, 39, spines) +
    area('M20 60c0-20 14-24 22-22q8-5 16 0c8-2 22 2 22 22 0 20-16 30-30 30S20 80 20 60Z', face) +
    eyes(38, 56, 4.8, ink) +
    ellipse(50, 70, 7, 5.4, ink) +
    line('M42 79q8 6 16 0', ink, 3)
  );
}

function bear(): string {
  const [fur, muzzle, ink] = ['#8b572f', '#ebc79c', '#1f120a'];
  return (
    eyes(24, 28, 14, '#7a4b2a') +
    eyes(24, 28, 6.5, '#d9a878') +
    ellipse(50, 56, 37, 34, fur) +
    ellipse(50, 69, 19, 15, muzzle) +
    eyes(35, 50, 4.8, ink) +
    ellipse(50, 63, 7.5, 5.4, ink) +
    line('M50 68v5M43 75q7 5 14 0', ink, 3)
  );
}

function owl(): string {
  const [feathers, disk, ink] = ['#51658f', '#edf3ff', '#17213a'];
  return (
    area('M14 16 34 26h32l20-10q8 34-4 58-14 18-32 18T18 74Q6 50 14 16Z', feathers) +
    eyes(33, 48, 19, disk) +
    eyes(35, 48, 9.5, ink) +
    disc(38, 45, 3.2, '#fff') +
    disc(68, 45, 3.2, '#fff') +
    area('M50 53l7 11-7 9-7-9Z', '#f2a33a') +
    line('M34 81q6-5 11 0 5-5 10 0 6-5 11 0', '#a9bee8', 3)
  );
}

function fox(): string {
  const [fur, cheeks, ink] = ['#e2702d', '#fff4e2', '#2b1307'];
  return (
    area('M11 10 38 30h24l27-20q5 36-7 50L50 93 18 60Q6 46 11 10Z', fur) +
    area('M17 20l15 13-13 11ZM83 20 68 33l13 11Z', '#5b2a12') +
    area('M14 52l22 4 14 34 14-34 22-4-4 8-32 33-32-33Z', cheeks) +
    eyes(35, 51, 4.9, ink) +
    ellipse(50, 85, 7, 5.6, ink)
  );
}

function frog(): string {
  const [skin, ink] = ['#5fb062', '#14401a'];
  return (
    eyes(28, 27, 17, '#57a05a') +
    area('M9 59q0-27 41-27t41 27-41 32S9 77 9 59Z', skin) +
    eyes(28, 26, 10.5, '#f7fff0') +
    eyes(30, 27, 5.6, '#14260f') +
    line('M22 60q28 25 56 0', ink, 4) +
    eyes(43, 48, 2.1, ink) +
    eyes(21, 67, 5, '#f29a9a')
  );
}

function badger(): string {
  const [white, stripe, ink] = ['#f8f6f0', '#33363c', '#15161a'];
  return (
    eyes(19, 31, 11, stripe) +
    eyes(19, 31, 5, white) +
    area('M50 12c22 0 38 16 36 38-2 20-20 41-36 43-16-2-34-23-36-43-2-22 14-38 36-38Z', white) +
    area('M36 15C20 22 13 38 16 56q4 14 14 24 6-14 8-30t-2-35Z', stripe) +
    area('M64 15c16 7 23 23 20 41q-4 14-14 24-6-14-8-30t2-35Z', stripe) +
    eyes(31, 50, 6.2, white) +
    eyes(31.5, 50, 4.2, ink) +
    ellipse(50, 80, 8, 6, ink) +
    line('M50 86v4', ink, 3)
  );
}

/** Colours and animals by seat. */
const PATCHES: readonly { colour: string; animal: () => string }[] = [
  { colour: '#ffb26b', animal: hedgehog },
  { colour: '#a3e48f', animal: bear },
  { colour: '#94d0ff', animal: owl },
  { colour: '#f6f0e0', animal: fox },
  { colour: '#e6b3ff', animal: frog },
  { colour: '#ffe27a', animal: badger },
];

const made = new Map<string, string>();

/** Draws an animal. */
export type Face = () => string;

/** Return the patch of a seat, as an address of a picture: with its animal, or another face. */
export function patchOf(seat: number, face: Face = PATCHES[seat % PATCHES.length]!.animal): string {
  const key = `${seat} ${face.name}`;
  const found = made.get(key) ?? drawn(seat, face);
  made.set(key, found);
  return found;
}

/** Return the colour of a seat, for stones and bars. */
export function seatColour(seat: number): string {
  return PATCHES[seat % PATCHES.length]!.colour;
}

function drawn(seat: number, face: Face): string {
  const stitches = {
    stroke: '#0007',
    'stroke-width': 2.6,
    'stroke-dasharray': '7 5',
    'stroke-linecap': 'round',
  };
  return picture(
    '0 0 120 120',
    disc(60, 60, 59, '#0009') +
      disc(60, 60, 56, seatColour(seat)) +
      mark('clipPath', { id: 'c' }, disc(60, 60, 50, '#000')) +
      mark(
        'g',
        { 'clip-path': 'url(#c)' },
        mark('g', { transform: 'translate(18 20) scale(.84)' }, face()),
      ) +
      disc(60, 60, 51, 'none', stitches),
  );
}
