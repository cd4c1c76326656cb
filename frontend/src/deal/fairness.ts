/** The verifiable deal, as far as a player's own client takes part in it. */
import { hex, joined, sha256 } from '../net/sha256';

export const TAG = 'stichwerk-deal-v1';

/** Return a number as four bytes, most significant first. */
export function u32(number: number): Uint8Array {
  const out = new Uint8Array(4);
  new DataView(out.buffer).setUint32(0, number);
  return out;
}

/** Return all fields as bytes, each preceded by its length. */
export function lp(...fields: readonly (string | Uint8Array)[]): Uint8Array {
  const raw = fields.map((one) => (typeof one === 'string' ? new TextEncoder().encode(one) : one));
  return joined(...raw.flatMap((one) => [u32(one.length), one]));
}

/** Return a new share of the shuffle that only we know. */
export function newShare(): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(32));
}

/** Return our share, sealed. */
export function clientCommit(match: string, seat: number, share: Uint8Array): string {
  return hex(sha256(lp(TAG, 'client-commit', match, u32(seat), share)));
}

/** Return a new personal token: 256 random bits. */
export function newToken(): string {
  const raw = String.fromCharCode(...newShare());
  return btoa(raw).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
