/** What the six suits have in common: their tones, and how much has grown at a value. */
import type { Colour } from '../cards';

/** The highest value of any game. */
export const HIGHEST = 15;

/**
 * A drawing on the panel of a card, which spans 3 to 97 and 3 to 137. `grown` has as many marks as
 * the card's value: strokes, rays, leaves and a bloom, ripples, crystals, houses.
 */
export interface Drawing {
  behind: string;
  grown: readonly string[];
  before: string;
}

/** Tones of a suit, from its own colour (as measured for colour blindness) to dark and light. */
export interface Tones {
  own: string;
  ink: string;
  deep: string;
  deepest: string;
  light: string;
  pale: string;
  /** Of the horizon, to which the panel fades. */
  sky: string;
}

export const TONES: Readonly<Record<Colour, Tones>> = {
  R: {
    own: '#b90609',
    ink: '#fff',
    deep: '#8a0307',
    deepest: '#5c0104',
    light: '#e4503b',
    pale: '#ffc9a8',
    sky: '#f0653f',
  },
  Y: {
    own: '#fcda3c',
    ink: '#111',
    deep: '#e9ae1b',
    deepest: '#a96b00',
    light: '#ffef9e',
    pale: '#fff9dc',
    sky: '#fff3b0',
  },
  G: {
    own: '#21806d',
    ink: '#fff',
    deep: '#145848',
    deepest: '#0b3a2f',
    light: '#5dbe9f',
    pale: '#d8f3df',
    sky: '#6cc9a6',
  },
  B: {
    own: '#46b1fd',
    ink: '#111',
    deep: '#1e86d8',
    deepest: '#0d559a',
    light: '#9ad8ff',
    pale: '#f2faff',
    sky: '#c4e9ff',
  },
  L: {
    own: '#661888',
    ink: '#fff',
    deep: '#47096a',
    deepest: '#2b0345',
    light: '#a55fd3',
    pale: '#ebcbff',
    sky: '#b46ae0',
  },
  S: {
    own: '#bcc1bc',
    ink: '#111',
    deep: '#7f8781',
    deepest: '#3f4742',
    light: '#dce0db',
    pale: '#fffdf3',
    sky: '#f1f2ec',
  },
};

/** Return how much has grown, from 0 to 1: quickly at first, so that usual values differ. */
export function growth(value: number): number {
  return (Math.min(value, HIGHEST) / HIGHEST) ** 0.75;
}

/** Return as many marks as a value says; each is drawn from its position, counted from 0. */
export function each(value: number, draw: (at: number) => string): string[] {
  return Array.from({ length: value }, (_, at) => draw(at));
}
