/**
 * The picture of a result, for people who were not there: mat, headline, podium, game and date.
 *
 * It shows names, places and totals, and a sentence that the server tells to spectators; nothing
 * else of the match is passed to it.
 */
import { letterOf } from '../shared/seats';
import { figure } from './texts';

export const WIDTH = 1200;
export const HEIGHT = 630;

/** A seat on the podium, or a team with its sum. */
export interface PictureStep {
  /** The marks of the people on it. */
  marks: readonly number[];
  /** Their patches: addresses of pictures. */
  patches?: readonly string[];
  place: number;
  name: string;
  points: number;
  /** What decided before the points did, such as hearts. */
  decides: string;
}

/** What the picture says. */
export interface PictureFacts {
  title: string;
  date: string;
  headline: string;
  sentence: string;
  steps: readonly PictureStep[];
}

/** The colours of the mat at which it was played. */
export interface PictureColours {
  mat: string;
  edge: string;
  seam: string;
  ink: string;
  plate: string;
}

type Brush = CanvasRenderingContext2D;

/** Patches that can be drawn, by their address. */
type Drawn = ReadonlyMap<string, CanvasImageSource>;

const SERIF = "Fraunces, 'Iowan Old Style', Georgia, serif";
const SANS = 'Figtree, system-ui, sans-serif';
const DIGITS = 'Gabarito, Figtree, system-ui, sans-serif';
const PATCHES = ['#ff9f5a', '#a3e48f', '#94d0ff', '#ffffff', '#e6b3ff', '#ffe27a'];
const GOLD = '#f2c14b';
const DARK = '#2a1b00';
const FLOOR = 540; // where the podium stands
const LINE = 68; // between two lines of the headline
const RADIUS = 36; // of a patch
const PATCH = 76; // between two patches on one step
const STEP = 26; // by which a place is lower than the one before

/** Draw the whole picture. */
export function drawPicture(
  brush: Brush,
  facts: PictureFacts,
  colours: PictureColours,
  drawn: Drawn = new Map(),
): void {
  drawMat(brush, colours);
  brush.fillStyle = colours.ink;
  brush.textAlign = 'center';
  const lines = fitted(brush, facts.headline, 64, 1040);
  lines.forEach((line, at) => {
    brush.fillText(line, WIDTH / 2, 116 + at * LINE);
  });
  brush.font = `500 28px ${SANS}`;
  brush.fillText(
    shortened(brush, facts.sentence, 1040),
    WIDTH / 2,
    168 + (lines.length - 1) * LINE,
  );
  drawPodium(brush, facts, colours, drawn);
  brush.fillStyle = colours.ink;
  brush.font = `700 26px ${SERIF}`;
  brush.textAlign = 'left';
  brush.fillText(`Stichwerk · ${facts.title}`, 64, 590);
  brush.font = `500 22px ${SANS}`;
  brush.textAlign = 'right';
  brush.fillText(facts.date, WIDTH - 64, 590);
}

function drawMat(brush: Brush, { mat, edge, seam }: PictureColours): void {
  const felt = brush.createRadialGradient(600, 260, 60, 600, 300, 720);
  felt.addColorStop(0, mat);
  felt.addColorStop(1, edge);
  brush.fillStyle = felt;
  brush.fillRect(0, 0, WIDTH, HEIGHT);
  brush.strokeStyle = seam;
  brush.lineWidth = 3;
  brush.setLineDash([14, 9]);
  brush.beginPath();
  brush.roundRect(22, 22, WIDTH - 44, HEIGHT - 44, 30);
  brush.stroke();
  brush.setLineDash([]);
}

function drawPodium(
  brush: Brush,
  { steps }: PictureFacts,
  { ink, plate }: PictureColours,
  drawn: Drawn,
): void {
  const most = Math.max(...steps.map((step) => step.marks.length));
  const wide = Math.min(100 + 80 * most, 1060 / steps.length - 12);
  const left = (WIDTH - steps.length * (wide + 12) + 12) / 2;
  steps.forEach((step, at) => {
    const x = left + (at === 0 ? Math.min(1, steps.length - 1) : at === 1 ? 0 : at) * (wide + 12);
    const top = 340 + STEP * (Math.min(step.place, 5) - 1);
    const first = step.place === 1;
    brush.fillStyle = first ? GOLD : plate;
    brush.beginPath();
    brush.roundRect(x, top, wide, FLOOR - top, [16, 16, 4, 4]);
    brush.fill();
    step.marks.forEach((mark, nth) => {
      const beside = (nth - (step.marks.length - 1) / 2) * PATCH;
      const patch = drawn.get(step.patches?.[nth] ?? '');
      drawPatch(brush, patch ?? mark, x + wide / 2 + beside, top - 8);
      if (first) drawCrown(brush, x + wide / 2 + beside, top - 8);
    });
    brush.fillStyle = first ? DARK : ink;
    brush.textAlign = 'center';
    brush.font = `700 24px ${SANS}`;
    const name = shortened(brush, `${step.place}. ${step.name}`, wide - 16);
    brush.fillText(name, x + wide / 2, top + 62);
    brush.font = `800 42px ${DIGITS}`;
    brush.fillText(pointsOf(step), x + wide / 2, top + 108);
  });
}

const pointsOf = ({ decides, points }: PictureStep) => `${decides} ${figure(points)}`.trim();

/** Draw a patch; where it cannot be drawn, its colour and a letter. */
function drawPatch(brush: Brush, patch: CanvasImageSource | number, x: number, y: number): void {
  if (typeof patch !== 'number') {
    brush.drawImage(patch, x - RADIUS, y - RADIUS, 2 * RADIUS, 2 * RADIUS);
    return;
  }
  brush.fillStyle = PATCHES[patch] ?? '#ffffff';
  brush.beginPath();
  brush.arc(x, y, RADIUS, 0, 2 * Math.PI);
  brush.fill();
  brush.fillStyle = '#111111';
  brush.textAlign = 'center';
  brush.font = `800 32px ${SANS}`;
  brush.fillText(letterOf(patch), x, y + 11);
}

function drawCrown(brush: Brush, x: number, y: number): void {
  brush.fillStyle = GOLD;
  brush.strokeStyle = '#6b4300';
  brush.lineWidth = 3;
  const crown = new Path2D(`M${x - 24} ${y - 34}l-3-26 14 10 13-18 13 18 14-10-3 26z`);
  brush.fill(crown);
  brush.stroke(crown);
}

/** Return a headline in one or two lines; the brush then has the font in which they fit. */
function fitted(brush: Brush, text: string, size: number, width: number): string[] {
  for (let now = size; ; now -= 4) {
    brush.font = `700 ${now}px ${SERIF}`;
    const lines = broken(brush, text, width);
    if (lines.length <= 2) return lines.length < 2 ? lines : balanced(brush, text, lines, width);
    if (now <= 36) return [lines[0] ?? '', shortened(brush, lines.slice(1).join(' '), width)];
  }
}

/** Return two lines of about the same length: no last word stands alone. */
function balanced(brush: Brush, text: string, lines: string[], width: number): string[] {
  let best = lines;
  for (let narrower = width - 40; narrower > width / 2; narrower -= 40) {
    const now = broken(brush, text, narrower);
    if (now.length > 2 || now.some((line) => brush.measureText(line).width > narrower)) break;
    best = now;
  }
  return best;
}

function broken(brush: Brush, text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    const longer = `${last} ${word}`;
    if (last !== undefined && brush.measureText(longer).width <= width)
      lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

/** Return a text that fits, with an ellipsis if it has to be cut. */
function shortened(brush: Brush, text: string, width: number): string {
  const signs = [...text];
  let shown = text;
  while (brush.measureText(shown).width > width && signs.length) {
    signs.pop();
    shown = `${signs.join('').trimEnd()}…`;
  }
  return shown;
}

/** Return the patches on the podium, as far as they can be loaded. */
async function loaded(steps: readonly PictureStep[]): Promise<Drawn> {
  const found = new Map<string, CanvasImageSource>();
  const load = async (address: string) => {
    const image = new Image(2 * RADIUS, 2 * RADIUS);
    // Not every browser draws a picture that says nothing of its size.
    const side = 2 * RADIUS;
    image.src = address.replace(
      '%3Csvg',
      `%3Csvg%20width%3D%22${side}%22%20height%3D%22${side}%22`,
    );
    await image.decode();
    found.set(address, image);
  };
  await Promise.allSettled(steps.flatMap((step) => step.patches ?? []).map(load));
  return found;
}

/** Return the picture as a PNG file; null where the browser cannot draw. */
export async function pictureOf(
  facts: PictureFacts,
  colours: PictureColours,
): Promise<Blob | null> {
  const canvas = document.createElement('canvas');
  canvas.width = WIDTH;
  canvas.height = HEIGHT;
  const brush = canvas.getContext('2d');
  if (!brush) return null;
  const fonts = ['700 64px Fraunces', '700 24px Figtree', '800 42px Gabarito'];
  await Promise.all(fonts.map((font) => document.fonts.load(font))).catch(() => undefined);
  drawPicture(brush, facts, colours, await loaded(facts.steps));
  return new Promise((resolve) => {
    canvas.toBlob(resolve, 'image/png');
  });
}

/** Return the colours of an element's mat. */
export function coloursOf(element: Element): PictureColours {
  const style = getComputedStyle(element);
  const value = (name: string) => style.getPropertyValue(name).trim();
  return {
    mat: value('--mat'),
    edge: value('--mat-edge'),
    seam: value('--seam'),
    ink: value('--ink'),
    plate: value('--plate'),
  };
}

/** Return the result as text, for where no picture can be shared. */
export function textOf({ title, date, headline, steps }: PictureFacts): string {
  const rows = steps.map((step) => `${step.place}. ${step.name}: ${pointsOf(step)}`);
  return [`Stichwerk · ${title} · ${date}`, headline, ...rows].join('\n');
}
