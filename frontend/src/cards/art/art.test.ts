/** The pictures on cards: everything grows with its number, and stays inside the card. */
import { gzipSync } from 'node:zlib';

import { expect, test } from 'vitest';

import { COLOURS } from '../cards';
import type { Colour } from '../cards';
import { faceOf, drawingOf } from './face';
import { HIGHEST } from './drawing';

const VALUES = Array.from({ length: HIGHEST + 1 }, (_, value) => value);
const cardsOf = (colour: Colour) => VALUES.map((value) => `${colour}${value}`);
const CARDS = COLOURS.flatMap(cardsOf);

function textOf(address: string): string {
  return decodeURIComponent(address.slice(address.indexOf(',') + 1));
}

function parsed(address: string): Document {
  return new DOMParser().parseFromString(textOf(address), 'image/svg+xml');
}

type Point = readonly [number, number];

/** How many numbers a command of a path takes, and which of them are its end. */
const TAKES: Readonly<Record<string, number>> = { m: 2, l: 2, q: 4, t: 2, h: 1, v: 1, a: 7, z: 0 };

/** Return the corners of a path: where its commands end. */
function cornersOf(d: string): Point[] {
  const corners: Point[] = [];
  let [x, y]: [number, number] = [0, 0];
  for (const [, command, rest] of d.matchAll(/([a-z])([^a-z]*)/gi)) {
    const name = command!.toLowerCase();
    const takes = TAKES[name];
    expect(takes, command).toBeDefined();
    const numbers = (rest!.match(/-?\d*\.?\d+/g) ?? []).map(Number);
    const relative = command === name;
    for (let at = 0; takes && at < numbers.length; at += takes) {
      const end = numbers.slice(at, at + takes).slice(-2);
      const [dx, dy] =
        name === 'h'
          ? [end[0]!, relative ? 0 : y]
          : name === 'v'
            ? [relative ? 0 : x, end[0]!]
            : [end[0]!, end[1]!];
      [x, y] = relative ? [x + dx, y + dy] : [dx, dy];
      corners.push([x, y]);
    }
  }
  return corners;
}

/** Return the corners of what has grown; blooms are moved and scaled, and checked by their heart. */
function grownCorners(card: string): Point[] {
  const inside = drawingOf(card)
    .grown.join('')
    .replace(/<path [^>]*transform=[^>]*>/g, '');
  const paths = [...inside.matchAll(/ d="([^"]+)"/g)].flatMap(([, d]) => cornersOf(d!));
  const hearts = [...inside.matchAll(/cx="([\d.]+)" cy="([\d.]+)" r="([\d.]+)"/g)];
  return [
    ...paths,
    ...hearts.flatMap(([, x, y, r]): Point[] => [
      [Number(x) - 4 * Number(r), Number(y)],
      [Number(x) + 4 * Number(r), Number(y) - 4 * Number(r)],
    ]),
  ];
}

test.each(COLOURS)('cards of %s show their number', (colour: Colour) => {
  for (const card of cardsOf(colour)) {
    const { grown } = drawingOf(card);
    expect(grown, card).toHaveLength(Number(card.slice(1)));
    expect(new Set(grown).size, 'each has its own place').toBe(grown.length);
  }
});

test.each(COLOURS)('cards of %s are drawings without text', (colour: Colour) => {
  for (const card of cardsOf(colour)) {
    const marked = card.length % 2 === 0;
    const drawn = parsed(faceOf(card, marked));
    expect(drawn.querySelector('parsererror')).toBeNull();
    expect(drawn.querySelectorAll('path').length).toBeGreaterThan(1);
    expect(drawn.querySelector('text')).toBeNull();
    expect(textOf(faceOf(card, marked))).not.toMatch(/NaN|undefined|Infinity/);
  }
});

test.each(COLOURS.filter((colour) => colour !== 'Y'))('what grows stays inside %s', (colour) => {
  for (const [x, y] of cardsOf(colour).flatMap(grownCorners)) {
    expect(x).toBeGreaterThanOrEqual(20);
    expect(x).toBeLessThanOrEqual(97);
    expect(y).toBeGreaterThanOrEqual(24);
    expect(y).toBeLessThanOrEqual(137);
  }
});

test('rays start at a star that is inside the card', () => {
  for (const value of VALUES.slice(1)) {
    const starts = drawingOf(`Y${value}`).grown.map((ray) => /M([\d.]+) ([\d.]+)L/.exec(ray)!);
    for (const [, x, y] of starts) {
      expect([Number(x) > 40, Number(y) > 50, Number(y) < 100]).toEqual([true, true, true]);
    }
  }
});

test.each(COLOURS)('only a zero of %s is a stitched outline', (colour: Colour) => {
  const stitched = VALUES.filter((value) =>
    textOf(faceOf(`${colour}${value}`)).includes('stroke-dasharray'),
  );
  expect(stitched).toEqual([0]);
});

test.each(COLOURS)('all values of %s differ', (colour: Colour) => {
  expect(new Set(VALUES.map((value) => faceOf(`${colour}${value}`))).size).toBe(VALUES.length);
});

test('a marked card has thorns and hatching, and is kept beside the plain one', () => {
  const added = textOf(faceOf('G8', true)).length - textOf(faceOf('G8')).length;
  expect(added).toBeGreaterThan(200);
  expect(textOf(faceOf('G8', true))).toContain('clip-path="url(#f)"');
  expect(faceOf('G8')).not.toBe(faceOf('G8', true));
  expect(faceOf('G8', true)).toBe(faceOf('G8', true));
});

test('pictures are small', () => {
  const sizes = CARDS.map((card) => textOf(faceOf(card, true)).length);
  expect(Math.max(...sizes)).toBeLessThan(8_000);
  const packed = gzipSync(CARDS.map((card) => textOf(faceOf(card))).join('')).length;
  expect(packed / CARDS.length).toBeLessThan(600);
});
