/** Card codes, and how cards look. */
import { words } from '../texts/words';
import de from './cards.de.json';
import en from './cards.en.json';

export const say = words(de, en);

export type Colour = 'R' | 'Y' | 'G' | 'B' | 'L' | 'S';
export const COLOURS: readonly Colour[] = ['R', 'Y', 'G', 'B', 'L', 'S'];

/** Shapes in a square of 24: they identify a colour before its hue does. */
export const SHAPES: Readonly<Record<Colour, string>> = {
  R: 'M12 2 23 21H1Z',
  Y: 'M12 1l3.2 7.2 7.8.8-5.9 5.2 1.7 7.8L12 18l-6.8 4 1.7-7.8L1 9l7.8-.8z',
  G: 'M8.5 2h7v6.5H22v7h-6.5V22h-7v-6.5H2v-7h6.5z',
  B: 'M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20z',
  L: 'M12 1 22 12 12 23 2 12z',
  S: 'M3 3h18v18H3z',
};

/** Return the colour of a card. */
export function colourOf(card: string): Colour {
  return card.slice(0, 1) as Colour;
}

/** Return the value of a card. */
export function valueOf(card: string): string {
  return card.slice(1);
}

/** Return whether a value reads as another one upside down: then it is underlined. */
export function isTurnable(value: string): boolean {
  return value === '6' || value === '9';
}

/** Return a card in words: `green 8`. */
export function cardName(card: string): string {
  return say('card', { colour: say(colourOf(card)), value: valueOf(card) });
}

/**
 * Return all ways to type a text with card codes: as it is, or with the colours in words, of either
 * language: `Y1`, `gelb 1`, `yellow 1`.
 */
export function typedForms(text: string): string[] {
  const parts = withCards(text);
  const inWords = [de, en].map((names) =>
    parts.map((part, at) => (at % 2 ? `${names[colourOf(part)]} ${valueOf(part)}` : part)).join(''),
  );
  return [text, ...inWords];
}

/** Split a text at its card codes, so that they can be drawn: every second part is a card. */
export function withCards(text: string): string[] {
  return text.split(/(?<![A-Za-z0-9])([RYGBLS](?:1[0-5]|[0-9]))(?![A-Za-z0-9])/);
}

/** Return a text with card codes for screen readers: `Ben plays green 8`. */
export function spoken(text: string): string {
  return withCards(text)
    .map((part, at) => (at % 2 ? cardName(part) : part))
    .join('');
}
