import { createHash, createHmac } from 'node:crypto';
import { expect, test } from 'vitest';

import { hex, hmac, sha256, unhex } from './sha256';

function bytes(length: number): Uint8Array {
  return Uint8Array.from({ length }, (_, at) => (7 * at + length) % 256);
}

test('hashes input of every length up to three blocks', () => {
  for (let length = 0; length < 200; length += 1) {
    const data = bytes(length);
    expect(hex(sha256(data))).toBe(createHash('sha256').update(data).digest('hex'));
  }
});

test('computes HMAC with short and long keys', () => {
  for (const length of [0, 1, 32, 64, 65, 200]) {
    const expected = createHmac('sha256', bytes(length)).update(bytes(99)).digest('hex');
    expect(hex(hmac(bytes(length), bytes(99)))).toBe(expected);
  }
});

test('hex encoding round-trips', () => {
  expect(unhex(hex(bytes(40)))).toEqual(bytes(40));
});
