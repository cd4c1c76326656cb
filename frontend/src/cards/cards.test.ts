/** Cards in their forms: large, small, face down, in a text. */
import { render, screen } from '@testing-library/svelte';
import { expect, test } from 'vitest';

import { ourGames } from '../games/known.svelte';
import { MOOD, backOf, emblemOf } from '../games/moods';
import { settings } from '../state/settings.svelte';
import Card from './Card.svelte';
import CardText from './CardText.svelte';
import { COLOURS, SHAPES } from './cards';
import ColourChip from './ColourChip.svelte';
import Mini from './Mini.svelte';

const one = (container: Element, selector: string) => container.querySelector(selector);

test('a card is named once: digits and pictures are no text', () => {
  const { container } = render(Card, { card: 'G8' });
  expect(screen.getByRole('img', { name: 'green 8' }).textContent.trim()).toBe('');
  expect(one(container, 'img.art')?.getAttribute('alt')).toBe('');
  expect(one(container, '.value')?.getAttribute('data-text')).toBe('8');
});

test('a silent card has no name', () => {
  render(Card, { card: 'G8', silent: true });
  expect(screen.queryByRole('img')).toBeNull();
});

test.each(COLOURS)('the index of %s has its shape', (colour) => {
  const forms = [render(Card, { card: `${colour}7` }), render(Mini, { card: `${colour}7` })];
  for (const { container } of forms) {
    expect(one(container, 'svg path')?.getAttribute('d')).toBe(SHAPES[colour]);
  }
});

test('6 and 9 are underlined in every form, others are not', () => {
  for (const value of [0, 1, 6, 8, 9, 11, 15]) {
    const card = `B${value}`;
    const forms = [
      render(Card, { card }),
      render(Mini, { card }),
      render(CardText, { text: card }),
    ];
    for (const { container, unmount } of forms) {
      expect(one(container, '.turnable') !== null, card).toBe(value === 6 || value === 9);
      unmount();
    }
  }
});

test('states add something to see, not only a hue', () => {
  const plain = render(Card, { card: 'R5' }).container;
  const marked = render(Card, { card: 'R5', marked: true }).container;
  const winning = render(Card, { card: 'R5', winning: true }).container;
  const source = (container: Element) => one(container, 'img.art')?.getAttribute('src');
  expect(source(marked)).not.toBe(source(plain));
  expect(source(winning)).toBe(source(plain));
  expect(one(plain, '.crown')).toBeNull();
  expect(one(winning, '.crown svg[aria-hidden=true]')).not.toBeNull();
});

test('the symbol of a day is a medal below the shape', () => {
  const { container } = render(Card, { card: 'R5', symbol: SHAPES.Y });
  const parts = [...(one(container, '.index')?.children ?? [])];
  expect(parts.map((part) => part.getAttribute('class')?.split(' ')[0])).toEqual([
    'value',
    'shape',
    'symbol',
  ]);
});

test('letters are shown on request', () => {
  settings.letters = true;
  const { container } = render(Card, { card: 'L3' });
  expect(one(container, '.letter')?.getAttribute('data-text')).toBe('L');
  settings.letters = false;
});

test('each game has a back and an emblem, a game of others the generic ones', () => {
  const games = [...ourGames().map(({ name }) => name), 'hearts'];
  expect(new Set(games.map(backOf)).size).toBe(games.length);
  expect(new Set(games.map(emblemOf)).size).toBe(games.length);
  expect(backOf('hearts')).toBe(backOf('whist'));
});

test('a card face down shows the back of the game around it', () => {
  const { container } = render(Card, { card: null });
  expect(one(container, 'img.art')?.getAttribute('src')).toBe(backOf(''));
  screen.getByRole('img', { name: 'face-down card' });
  const [game] = ourGames();
  const inside = render(Card, {
    props: { card: null },
    context: new Map([[MOOD, () => game!.name]]),
  });
  expect(one(inside.container, 'img.art')?.getAttribute('src')).toBe(backOf(game!.name));
});

test('codes in a text are chips: shape and digit to see, words to hear', () => {
  const { container } = render(CardText, { text: 'Ada leads R5, Mia wins with G11.' });
  expect([...container.querySelectorAll('.seen')].map((chip) => chip.textContent)).toEqual([
    '5',
    '11',
  ]);
  expect([...container.querySelectorAll('.unseen')].map((chip) => chip.textContent)).toEqual([
    'red 5',
    'green 11',
  ]);
});

test('a colour is a chip with its shape and its name', () => {
  const { container } = render(ColourChip, { colour: 'L' });
  expect(container.textContent).toBe('lilac');
  expect(one(container, 'path')?.getAttribute('d')).toBe(SHAPES.L);
});
