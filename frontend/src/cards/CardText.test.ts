import { render } from '@testing-library/svelte';
import { expect, test } from 'vitest';

import CardText from './CardText.svelte';

test('a right-to-left name does not reorder the card after it', () => {
  const { container } = render(CardText, { text: 'עדה בן 2 גל: G8, 3 points' });
  expect(container.querySelector('bdi')?.textContent).toBe('עדה בן 2 גל');
  expect(container.querySelectorAll('bdi')).toHaveLength(1);
  expect(container.querySelector('.chip')?.getAttribute('dir')).toBe('ltr');
  expect(container.textContent).toContain(', 3 points');
});

test('other texts stay whole', () => {
  const { container } = render(CardText, { text: 'Ada plays R3.' });
  expect(container.querySelector('bdi')).toBeNull();
});

test('signs beside a card stay in its line', () => {
  const { container } = render(CardText, { text: '(R3, Y4): G8 … and (again' });
  const lines = [...container.querySelectorAll('.together')].map((one) =>
    one.textContent.replace(/[a-z]+ \d+/, '#').replace(/\d+/, ''),
  );
  expect(lines).toEqual(['(#,', '#):', '#']);
  expect(container.textContent).toMatch(/…\s?and \(again$/);
});

test('a line begins neither with a dot nor between two cards of which one becomes the other', () => {
  const { container } = render(CardText, { text: 'B4, R3→R8→R9, G2 · Ada' });
  const lines = [...container.querySelectorAll('.together')].map(
    (one) => one.querySelectorAll('.chip').length,
  );
  expect(lines).toEqual([1, 3, 1]);
  expect(container.textContent).toMatch(/→.*→.*\u00a0· Ada$/);
  const alone = render(CardText, { text: '→R3→' }).container;
  expect(alone.querySelectorAll('.chip')).toHaveLength(1);
  expect(alone.textContent).toMatch(/^→.*→$/);
});
