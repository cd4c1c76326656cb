/** Cards as they are written, and what they look like. */
import { words } from '../texts/words';
import de from './cards.de.json';
import en from './cards.en.json';

export const say = words(de, en);

export type Colour = 'R' | 'Y' | 'G' | 'B' | 'L' | 'S';
export const COLOURS: readonly Colour[] = ['R', 'Y', 'G', 'B', 'L', 'S'];

/** Shapes in a square of 24: the first code of a colour, before its hue. */
export const SHAPES: Readonly<Record<Colour, string>> = {
  R: 'M12 2 23 21H1Z',
  Y: 'M12 1l3.2 7.2 7.8.8-5.9 5.2 1.7 7.8L12 18l-6.8 4 1.7-7.8L1 9l7.8-.8z',
  G: 'M8.5 2h7v6.5H22v7h-6.5V22h-7v-6.5H2v-7h6.5z',
  B: 'M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20z',
  L: 'M12 1 22 12 12 23 2 12z',
  S: 'M3 3h18v18H3z',
};

/** The colour of a card. */
export function colourOf(card: string): Colour {
  return card.slice(0, 1) as Colour;
}

/** The number of a card. */
export function valueOf(card: string): string {
  return card.slice(1);
}

/** A card in words: `green 8`. */
export function cardName(card: string): string {
  return say('card', { colour: say(colourOf(card)), value: valueOf(card) });
}

/** Text with card codes in it, cut so that the codes can be painted: every second part is a card. */
export function withCards(text: string): string[] {
  return text.split(/(?<![A-Za-z0-9])([RYGBLS](?:1[0-5]|[0-9]))(?![A-Za-z0-9])/);
}

/** Text with card codes in it, for ears: `Ben plays green 8`. */
export function spoken(text: string): string {
  return withCards(text)
    .map((part, at) => (at % 2 ? cardName(part) : part))
    .join('');
}
