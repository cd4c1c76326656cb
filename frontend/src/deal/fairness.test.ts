import { expect, test } from 'vitest';

import { clientCommit, newToken } from './fairness';

test('the commitment of a share is the same as in Python', () => {
  const share = Uint8Array.from({ length: 32 }, (_, at) => at);
  // stichwerk.fairness.client_commit("match-1", 2, bytes(range(32))).hex()
  expect(clientCommit('match-1', 2, share)).toBe(
    '1f8d4edec34b147738740032e7a3441cddd357997df1ef9aaca1662c19ac251c',
  );
});

test('tokens have 256 random bits', () => {
  const tokens = new Set(Array.from({ length: 50 }, newToken));
  expect(tokens.size).toBe(50);
  for (const token of tokens) expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
});
