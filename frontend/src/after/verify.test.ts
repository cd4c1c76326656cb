import { describe, expect, it } from 'vitest';

import { hex } from '../net/sha256';
import { COLOURS } from '../cards/cards';
import {
  Stream,
  dealRound,
  drawSpecial,
  fingerprint,
  inDeckOrder,
  optionsText,
  seedKey,
} from '../deal/shuffle';
import nullNichtig from './fixtures/null-nichtig.json?raw';
import sticheln from './fixtures/sticheln.json?raw';
import stichling from './fixtures/stichling.json?raw';
import stichtagChoice from './fixtures/stichtag-choice.json?raw';
import stichtagTrump from './fixtures/stichtag-trump.json?raw';
import stichtag from './fixtures/stichtag.json?raw';
import verdicts from './fixtures/verdicts.json';
import { readRecord } from './record';
import { verify } from './verify';
import { WORD_LIST } from '../deal/words-list';

// Real records of a server's matches, and what `stichwerk verify` says about them and their tampered
// variants: `verdicts.json` was written by Python.
const RECORDS: Record<string, string> = {
  'null-nichtig': nullNichtig,
  sticheln,
  stichling,
  stichtag,
  'stichtag-choice': stichtagChoice,
  'stichtag-trump': stichtagTrump,
};

type Tree = Record<string | number, unknown>;

function changed(text: string, path: readonly (string | number)[], value: unknown): string {
  const record = JSON.parse(text) as Tree;
  let at = record;
  for (const key of path.slice(0, -1)) at = at[key] as Tree;
  at[path.at(-1)!] = value;
  return JSON.stringify(record);
}

describe('verify', () => {
  it.each(Object.keys(RECORDS))('accepts the record of %s', (name) => {
    const verdict = verify(readRecord(RECORDS[name]!), WORD_LIST);
    expect(verdict.refused).toBeNull();
    expect(verdict.words).toEqual(verdicts.words[name as keyof typeof verdicts.words]);
    expect(verdict.checks.map((check) => check.id)).toEqual(
      expect.arrayContaining(['agreed', 'clients', 'server', 'starter', 'round', 'totals']),
    );
  });

  const IN_THE_RULES = 'wrong-specials'; // needs the rules of the day, which the page does not have
  it.each(
    verdicts.tampered
      .filter((one) => one.id !== IN_THE_RULES)
      .map((one) => [one.record, one.path.join('.'), one] as const),
  )('rejects %s with a changed %s, as Python does', (_name, _path, one) => {
    const verdict = verify(
      readRecord(changed(RECORDS[one.record]!, one.path, one.value)),
      WORD_LIST,
    );
    // Without the rules a wrong starter of a later round shows up as a wrong hand.
    const id = one.id === 'wrong-starter' && one.round! > 1 ? 'hand-not-as-dealt' : one.id;
    expect([verdict.refused?.id, verdict.refused?.round]).toEqual([id, one.round]);
  });

  it('reports what it checked before it failed', () => {
    const text = changed(stichling, ['fairness', 'server_seeds', 1], '0'.repeat(64));
    expect(verify(readRecord(text), WORD_LIST).checks.map((one) => one.id)).toEqual([
      'agreed',
      'clients',
    ]);
  });

  it('recognises matches dealt from a plain seed', () => {
    const { fairness: _proof, ...record } = readRecord(sticheln);
    const verdict = verify({ ...record, seed: 7 }, WORD_LIST);
    expect([verdict.source, verdict.refused?.id]).toEqual(['seed', 'wrong-starter']);
    expect(verify(record, WORD_LIST)).toMatchObject({ source: 'none', refused: null });
  });

  it.each([
    ['{"format": ', 'not-json'],
    ['[]', 'not-an-object'],
    ['{"format": "pgn"}', 'wrong-format'],
    [changed(sticheln, ['rounds', 0, 'hands'], 'R1'), 'bad-field'],
    [changed(sticheln, ['rounds'], []), 'no-rounds'],
  ])('rejects %s as a record', (text, id) => {
    expect(() => readRecord(text)).toThrow(id);
  });
});

describe('dealRound', () => {
  it('matches the check values of the format', () => {
    const first = readRecord(sticheln).rounds[0]!;
    const deck = inDeckOrder([...first.hands.flat(), ...first.stock]);
    expect(hex(seedKey(7, 0)).slice(0, 16)).toBe('47151bea23d2549a');
    const starter = new Stream(seedKey(7, 0)).below(4);
    const { hands } = dealRound(new Stream(seedKey(7, 1)), deck, 4, 15, starter);
    expect([starter, hands[3]!.join(' ')]).toEqual([
      3,
      'G5 R9 G3 L4 B3 R2 Y5 R1 B1 G4 G7 G2 Y8 B5 B11',
    ]);
  });
});

describe('drawSpecial', () => {
  it.each([
    [3, 12, ['YB', 'YL', 'BR']],
    [4, 12, ['YB', 'YL', 'BR']],
    [5, 12, ['RS', 'LY', 'LS']],
  ])('draws the two trump colours of the format with %i seats', (seats, size, expected) => {
    const deck = COLOURS.flatMap((colour) =>
      Array.from({ length: seats === 5 ? 12 : 10 }, (_, value) => `${colour}${value}`),
    );
    const drawn = [1, 2, 3].map((round) => {
      const stream = new Stream(seedKey(7, round));
      dealRound(stream, deck, seats, size, 0);
      return (drawSpecial(stream, 'trumps', seats) as string[]).join('');
    });
    expect(drawn).toEqual(expected);
  });
});

describe('word list', () => {
  it('has 1,024 words, ten bits each', () => {
    expect(new Set(WORD_LIST).size).toBe(1024);
    expect(fingerprint(new Uint8Array(32), WORD_LIST)).toEqual(Array(6).fill(WORD_LIST[0]));
    expect(fingerprint(new Uint8Array(32).fill(255), WORD_LIST)).toEqual(
      Array(6).fill(WORD_LIST[1023]),
    );
  });
});

describe('hash of the options', () => {
  it('uses sorted keys and no spaces', () => {
    expect(optionsText({ starter: null, date: '09-14', sheets: ['red 0'] })).toBe(
      '{"date":"09-14","sheets":["red 0"],"starter":null}',
    );
  });
});
