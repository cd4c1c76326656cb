import { expect, test } from 'vitest';

import { shared } from './sharing';

test('equal parts are the old objects, others are new', () => {
  const old = { hand: ['R1', 'G2'], tricks: [{ led: 'R' }, { led: 'G' }], seat: 1 };
  const fresh = { hand: ['R1', 'G2'], tricks: [{ led: 'R' }, { led: 'B' }], seat: 1 };
  const found = shared(old, fresh);
  expect(found).toEqual(fresh);
  expect(found).not.toBe(old);
  expect(found.hand).toBe(old.hand);
  expect(found.tricks[0]).toBe(old.tricks[0]);
  expect(found.tricks[1]).not.toBe(old.tricks[1]);
});

test('something that is equal throughout is the old object', () => {
  const old = { hand: ['R1'], mine: { pain: null } };
  expect(shared(old, { hand: ['R1'], mine: { pain: null } })).toBe(old);
});

test.each([
  [['R1', 'R2'], ['R1']],
  [['R1'], ['R1', 'R2']],
  [{ seat: 1 }, {}],
  [{}, { seat: undefined }],
  [{ seat: 1 }, { place: 1 }],
  [[], {}],
  [null, { seat: 1 }],
  [{ 0: 'R1' }, ['R1']],
  [1, '1'],
])('%j does not become %j', (old, fresh) => {
  expect(shared(old, fresh)).toStrictEqual(fresh);
});

test('neither argument is changed', () => {
  const old = Object.freeze({ hand: Object.freeze(['R1']), round: 1 });
  const fresh = Object.freeze({ hand: Object.freeze(['R1']), round: 2 });
  expect(shared(old, fresh).hand).toBe(old.hand);
  expect(fresh.hand).not.toBe(old.hand);
});
