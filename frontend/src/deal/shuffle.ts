/** Dealing by `stichwerk-deal-v1`: byte-identical to the server. */
import { COLOURS } from '../cards/cards';
import { TAG, lp, u32 } from './fairness';
import { hmac, joined, sha256 } from '../net/sha256';

const EGGS: readonly number[] = [0, 1, 1, 2, 2, 3];

/** The endless bytes of one key, and the uniform draws made from them. */
export class Stream {
  #block: Uint8Array = new Uint8Array();
  #at = 0;
  #blocks = 0;

  constructor(readonly key: Uint8Array) {}

  #next(): number {
    if (this.#at === this.#block.length) {
      this.#block = hmac(this.key, joined(u32(0), u32(this.#blocks))); // the block's number in eight bytes
      this.#blocks += 1;
      this.#at = 0;
    }
    return this.#block[this.#at++]!;
  }

  /** Return one of 0 … m-1, all equally likely: bytes past the last full run of m are discarded. */
  below(m: number): number {
    const fair = 256 - (256 % m);
    for (;;) {
      const byte = this.#next();
      if (byte < fair) return byte % m;
    }
  }

  /** Shuffle in place (Fisher-Yates), from the last item down to the second. */
  shuffle<T>(items: T[]): T[] {
    for (let i = items.length - 1; i > 0; i -= 1) {
      const j = this.below(i + 1);
      [items[i], items[j]] = [items[j]!, items[i]!];
    }
    return items;
  }
}

export interface Dealt {
  hands: string[][];
  stock: string[];
}

/** Shuffle and deal card by card, the starter first; the rest is the stock. */
export function dealRound(
  stream: Stream,
  deck: readonly string[],
  seats: number,
  handSize: number,
  starter: number,
): Dealt {
  const cards = stream.shuffle([...deck]);
  const hands: string[][] = Array.from({ length: seats }, () => []);
  cards.slice(0, seats * handSize).forEach((card, at) => hands[(starter + at) % seats]!.push(card));
  return { hands, stock: cards.slice(seats * handSize) };
}

/** Draw the special card or cards after the deal. */
export function drawSpecial(
  stream: Stream,
  kind: string,
  seats: number,
): string | string[] | number[] {
  if (kind === 'trump') return COLOURS[stream.below(COLOURS.length)]!;
  if (kind === 'trumps') {
    const left = [...COLOURS];
    const [first] = left.splice(stream.below(left.length), 1);
    return [first!, left[stream.below(left.length)]!];
  }
  if (kind === 'eggs') return stream.shuffle([...EGGS]);
  for (;;) {
    // Whole shuffles are repeated until nobody is their own partner.
    const partners = stream.shuffle(Array.from({ length: seats }, (_, seat) => seat));
    if (partners.every((partner, seat) => partner !== seat)) return partners;
  }
}

/**
 * Return cards in the order that shuffles start from: by colour, values rising, twins side by side.
 */
export function inDeckOrder(cards: readonly string[]): string[] {
  const place = (card: string) =>
    COLOURS.findIndex((colour) => card.startsWith(colour)) * 100 + Number(card.slice(1));
  return [...cards].sort((one, other) => place(one) - place(other));
}

/** Return options as the one JSON text that is hashed: keys sorted, no spaces. */
export function optionsText(options: Readonly<Record<string, unknown>>): string {
  const fields = Object.keys(options)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${JSON.stringify(options[key])}`);
  return `{${fields.join(',')}}`;
}

/** Return the server's commitment to its share of a round. */
export function serverCommit(match: string, round: number, seed: Uint8Array): Uint8Array {
  return sha256(lp(TAG, 'server-commit', match, u32(round), seed));
}

export interface AgreedDeal {
  match: string;
  rules: string;
  options: string;
  deck: string;
  seats: number;
  rounds: number;
}

/** Return the hash of everything agreed on. */
export function transcriptOf(
  agreed: AgreedDeal,
  serverCommits: readonly Uint8Array[],
  clientCommits: readonly Uint8Array[],
): Uint8Array {
  const { match, rules, options, deck, seats, rounds } = agreed;
  const facts = [match, rules, options, deck, u32(seats), u32(rounds)];
  return sha256(lp(TAG, 'transcript', ...facts, ...serverCommits, ...clientCommits));
}

/** Return the key of a round: it depends on every share, so that a single honest one is enough. */
export function dealKey(
  serverSeed: Uint8Array,
  transcript: Uint8Array,
  round: number,
  clientSeeds: readonly Uint8Array[],
): Uint8Array {
  return hmac(serverSeed, lp(TAG, 'deal-key', transcript, u32(round), ...clientSeeds));
}

/** Return the key of a round of a match that was dealt from a plain seed. */
export function seedKey(seed: number, round: number): Uint8Array {
  return sha256(lp('stichwerk-seed', String(seed), u32(round)));
}

/** Return six words for a hash: its first 60 bits, ten per word. */
export function fingerprint(hash: Uint8Array, list: readonly string[]): string[] {
  const bits = Array.from(hash.slice(0, 8), (byte) => byte.toString(2).padStart(8, '0')).join('');
  return Array.from(
    { length: 6 },
    (_, at) => list[parseInt(bits.slice(10 * at, 10 * at + 10), 2)]!,
  );
}
