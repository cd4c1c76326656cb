import { render, screen, within } from '@testing-library/svelte';
import { beforeEach, expect, test } from 'vitest';

import { settings } from '../state/settings.svelte';
import Markdown from './Markdown.svelte';
import { blocksOf, inlineOf } from './markdown';

beforeEach(() => {
  settings.lang = 'en';
});

test('parses all kinds of blocks', () => {
  const kinds = blocksOf(
    '# A\n\ntext\nmore\n\n- one\n  on\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```sh\nls\n```',
  );
  expect(kinds.map((block) => block.kind)).toEqual([
    'heading',
    'paragraph',
    'list',
    'table',
    'code',
  ]);
});

test('an item continues on indented lines and may contain a list', () => {
  const [list] = blocksOf('1. first\n   goes on\n   - inner\n2. second');
  expect(list).toMatchObject({ kind: 'list', ordered: true });
  if (list?.kind !== 'list') throw new Error('no list');
  expect(list.items).toHaveLength(2);
  expect(list.items[0]!.map((block) => block.kind)).toEqual(['paragraph', 'list']);
});

test('parses inline marks', () => {
  expect(inlineOf('a **b** `c>1` *d*').map((part) => part.kind)).toEqual([
    'text',
    'bold',
    'text',
    'code',
    'text',
    'italic',
  ]);
  expect(inlineOf('3 * 4 * 5')).toEqual([{ kind: 'text', text: '3 * 4 * 5' }]);
  expect(inlineOf('snake_case_name')).toEqual([{ kind: 'text', text: 'snake_case_name' }]);
});

test('three or more cards are drawn as cards with names below', () => {
  expect(inlineOf('G5 (Ada), G9 (Ben), G2 (Cem).')).toEqual([
    {
      kind: 'cards',
      cards: [
        { card: 'G5', name: 'Ada' },
        { card: 'G9', name: 'Ben' },
        { card: 'G2', name: 'Cem' },
      ],
    },
    { kind: 'text', text: '.' },
  ]);
  render(Markdown, { text: 'R8, Y8, B5: the R8 takes it.' });
  expect(screen.getAllByRole('img').map((it) => it.getAttribute('aria-label'))).toEqual([
    'red 8',
    'yellow 8',
    'blue 5',
  ]);
});

test('a table has column and row headers', () => {
  render(Markdown, { text: '| pile | top |\n|---|---|\n| red | 6 |' });
  const table = screen.getByRole('table');
  expect(
    within(table)
      .getAllByRole('columnheader')
      .map((it) => it.textContent),
  ).toEqual(['pile', 'top']);
  expect(within(table).getByRole('rowheader').textContent).toBe('red');
});

test('markup in a text is shown, never executed', () => {
  const { container } = render(Markdown, {
    text: '<img src=x onerror=alert(1)> [here](javascript:alert(1)) [out](//evil.example) [in](/rules/sticheln)',
  });
  expect(container.querySelector('img')).toBeNull();
  expect(container.textContent).toContain('<img src=x');
  expect([...container.querySelectorAll('a')].map((link) => link.getAttribute('href'))).toEqual([
    '/rules/sticheln',
  ]);
});

test('headings are nested below the surrounding level', () => {
  render(Markdown, { text: '## Inner', under: 2 });
  expect(screen.getByRole('heading', { level: 4 }).textContent).toBe('Inner');
});
