/** The page shows what the server sends and computes no rule. */
import { expect, test } from 'vitest';

const SOURCES = import.meta.glob<string>(['../**/*.ts', '../**/*.svelte', '!../**/*.test.ts'], {
  query: '?raw',
  import: 'default',
  eager: true,
});

/** Patterns of rules in the page, and the files where a match is fine. */
const SIGNS: readonly (readonly [string, RegExp, readonly string[]])[] = [
  ['a helper that was a rule', /\b(winningCard|totalOf|fromTaker|teamsOf)\b/, []],
  ['a sentence of the server taken apart', /\.split\((['"`])\s*·\s*\1/, []],
  // The calendar lists the numbers that have a symbol.
  ['the number on a card counted or compared', /Number\(valueOf\(/, ['./stichtag/today.svelte.ts']],
];

test.each(SIGNS)('no file of the page has %s', (_, sign, allowed) => {
  const found = Object.entries(SOURCES).filter(([, text]) => sign.test(text));
  expect(found.map(([path]) => path)).toEqual(allowed);
});

test('the scan covers the parts of all games', () => {
  const games = ['null-nichtig', 'sticheln', 'stichling', 'stichtag', 'generic'];
  const paths = Object.keys(SOURCES);
  expect(games.filter((game) => paths.some((path) => path.startsWith(`./${game}/`)))).toEqual(
    games,
  );
});
