/** The page shows what the server sends and computes no rule. */
import { expect, test } from 'vitest';

const SOURCES = import.meta.glob<string>(['../**/*.ts', '../**/*.svelte', '!../**/*.test.ts'], {
  query: '?raw',
  import: 'default',
  eager: true,
});

interface Sign {
  /** What a rule does, whatever its name. */
  what: string;
  pattern: RegExp;
  /** Files where a match is fine. */
  allowed: readonly string[];
  /** Rules that must be found. */
  planted: readonly string[];
}

const SIGNS: readonly Sign[] = [
  {
    what: 'the number on a card counted or compared',
    pattern:
      /(?:Number|parseInt|parseFloat)\(\s*(?:valueOf\(|card\w*\.(?:slice|substring)\()|\+(?:valueOf\(|card\.slice\()|\bvalueOf\([^()]*\)\s*(?:[<>-]|[!=]==)|(?:[<>]=?|[!=]==|[-+*])\s*valueOf\(/,
    // A picture shows as much as its number says; the calendar lists the numbers that have a symbol;
    // a shuffle starts from the deck's order.
    allowed: ['../cards/art/face.ts', '../deal/shuffle.ts', './stichtag/today.svelte.ts'],
    planted: [
      'const best = (cards) => cards.sort((a, b) => Number(valueOf(b)) - Number(valueOf(a)))[0];',
      'const worth = piles.reduce((sum, pile) => sum + parseInt(card.slice(1), 10), 0);',
      'if (valueOf(card) > valueOf(other)) winner = seat;',
      'return valueOf(card) === "0";',
      'const points = 2 + +valueOf(top);',
    ],
  },
  {
    what: 'the colour of a card compared',
    pattern: /colourOf\([^()]*\)\s*[!=]==|[!=]==\s*colourOf\(|\bcard\[0\]\s*[!=]==/,
    // With a colour that the server names, or to sort picked cards onto the piles on the screen.
    allowed: [
      './null-nichtig/LayChoice.svelte',
      './sticheln/sticheln.ts',
      './stichling/Place.svelte',
    ],
    planted: [
      'const follows = plays.filter(([, card]) => colourOf(card) === trick.led);',
      'const trumps = hand.filter((card) => table.trump === colourOf(card));',
      "const pain = cards.filter((card) => card[0] !== 'R');",
    ],
  },
  {
    what: 'points added up',
    pattern: /\.reduce\(\s*\((?:sum|total|points|all)\b/,
    // The length of bytes; totals in a record that is being verified.
    allowed: ['../after/verify.ts', '../net/sha256.ts'],
    planted: [
      'const totals = seats.map((seat) => scores.reduce((sum, round) => sum + round[seat]!, 0));',
      'return cards.reduce(\n  (total, card) => total + worthOf(card),\n  0,\n);',
    ],
  },
  {
    what: 'plays put into another order',
    pattern: /plays\s*(?:\.filter\([^;]*?\)\s*)?\.(?:sort|toSorted|reduce|slice|toReversed)\(/,
    allowed: [],
    planted: [
      'return [...trick.plays.slice(first), ...trick.plays.slice(0, first)];',
      'const taker = plays.reduce((best, play) => (beats(play, best) ? play : best));',
      'trick.plays\n  .filter(([seat]) => seat === 1)\n  .sort(byValue)',
    ],
  },
  {
    what: 'seats computed from their number',
    pattern: /%\s*(?:[\w.]+\.)?(?:seats|teams|players|names\.length)\b/,
    // Where seats are on the screen; the deal of the cards, checked here.
    allowed: ['../after/ReplayStage.svelte', '../deal/shuffle.ts'],
    planted: [
      'const teams = seats.filter((seat) => seat % teams === team);',
      'const next = (seat + 1) % view.seats;',
      'const left = (seat + direction + view.seats) % board.view.seats;',
    ],
  },
  {
    what: 'a sentence of the server taken apart',
    pattern: /\.split\((['"`/])\s*·\s*\1/,
    allowed: [],
    planted: ["const [first] = words.split(' · ');", 'const parts = text.split(/ · /);'],
  },
  {
    what: 'a move taken apart',
    pattern: /\bmove\w*\??\.(?:match|split|startsWith|replace)\(/,
    allowed: ['../state/moves.testing.ts'], // makes the parts of moves for tests
    planted: [
      'const cards = event.move.match(/[A-Z]\\d+/g) ?? [];',
      "const [card, place] = move.split('>');",
    ],
  },
];

const filesWith = (pattern: RegExp) =>
  Object.entries(SOURCES)
    .filter(([, text]) => pattern.test(text))
    .map(([path]) => path)
    .sort();

test.each(SIGNS)('the page has no $what', ({ pattern, allowed }) => {
  expect(filesWith(pattern)).toEqual([...allowed].sort());
});

test.each(
  SIGNS.flatMap(({ what, pattern, planted }) => planted.map((rule) => ({ what, pattern, rule }))),
)('finds $what: $rule', ({ pattern, rule }) => {
  expect(pattern.test(rule)).toBe(true);
});

test('the scan covers the parts of all games', () => {
  const games = ['null-nichtig', 'sticheln', 'stichling', 'stichtag', 'generic'];
  const paths = Object.keys(SOURCES);
  expect(games.filter((game) => paths.some((path) => path.startsWith(`./${game}/`)))).toEqual(
    games,
  );
});
