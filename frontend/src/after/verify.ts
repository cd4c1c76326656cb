/**
 * Verifies that a match was dealt as it was sealed, by recomputing a record's deal in the browser.
 *
 * The order of the checks and the ids of errors are those of `stichwerk verify`. Moves are not
 * checked here, nor who starts a later round or which special cards a day needs: that requires the
 * rules, which only the server and that command have.
 */
import { clientCommit } from '../deal/fairness';
import { hex, unhex } from '../net/sha256';
import {
  Stream,
  dealKey,
  dealRound,
  drawSpecial,
  fingerprint,
  inDeckOrder,
  optionsText,
  seedKey,
  serverCommit,
  transcriptOf,
} from '../deal/shuffle';
import { RecordError } from './record';
import type { Proof, RecordFile, RoundFile } from './record';

/** One check that passed; `data` is for its text. */
export interface Check {
  id: 'agreed' | 'clients' | 'server' | 'starter' | 'starter-fixed' | 'round' | 'totals' | 'seed';
  data: Readonly<Record<string, string | number>>;
}

export interface Verdict {
  /** The checks that passed, in order; after a failure those before it. */
  checks: readonly Check[];
  /** Why the record was refused; null: it is valid. */
  refused: RecordError | null;
  words: readonly string[];
  /** How the cards were dealt: `proof`, `seed`, or nothing to check at all. */
  source: 'proof' | 'seed' | 'none';
}

/** Check everything that can be checked. `list` are the words of fingerprints. */
export function verify(record: RecordFile, list: readonly string[]): Verdict {
  const checks: Check[] = [];
  const source = record.fairness ? 'proof' : record.seed === undefined ? 'none' : 'seed';
  let words: string[] = [];
  let refused: RecordError | null = null;
  try {
    const { fairness, seed } = record;
    let dealt: Source = { stream: () => null, deck: null };
    if (fairness) dealt = provenSource(record, fairness, checks);
    else if (seed !== undefined) dealt = seededSource(seed, checks);
    if (fairness) words = fingerprint(unhex(fairness.transcript), list);
    checkRounds(record, dealt, checks);
    checkTotals(record, checks);
  } catch (error) {
    if (!(error instanceof RecordError)) throw error;
    refused = error;
  }
  return { checks, refused, words, source };
}

/** Where the cards came from. */
interface Source {
  /** The stream of a round; null while its seed is secret. */
  stream(round: number): Stream | null;
  /** The deck that was agreed on, where it was. */
  deck: string | null;
}

function seededSource(seed: number, checks: Check[]): Source {
  checks.push({ id: 'seed', data: { seed } });
  return { stream: (round) => new Stream(seedKey(seed, round)), deck: null };
}

// -- Seals ----------------------------------------------------------------------------------------

function provenSource(record: RecordFile, proof: Proof, checks: Check[]): Source {
  const clientSeeds = hashes('client_seeds', proof.client_seeds);
  const serverSeeds = hashes('server_seeds', proof.server_seeds);
  const serverCommits = hashes('server_commits', proof.server_commits);
  const clientCommits = hashes('client_commits', proof.client_commits);
  const [transcript] = hashes('transcript', [proof.transcript]) as [Uint8Array];
  checkCount('client_commits', clientCommits.length, record.seats);
  const deck = agreedDeck(record, proof, serverCommits, clientCommits);
  checks.push({ id: 'agreed', data: { count: serverCommits.length + clientCommits.length } });
  checkCount('client_seeds', clientSeeds.length, record.seats);
  checkServerCount(record, serverSeeds.length, serverCommits.length - 1);
  clientSeeds.forEach((seed, seat) => {
    if (clientCommit(proof.match, seat, seed) !== proof.client_commits[seat]) {
      throw new RecordError('wrong-client-seed', { seat });
    }
  });
  checks.push({ id: 'clients', data: { count: record.seats } });
  serverSeeds.forEach((seed, round) => {
    if (hex(serverCommit(proof.match, round, seed)) !== proof.server_commits[round]) {
      throw new RecordError('wrong-server-seed', { round });
    }
  });
  checks.push({ id: 'server', data: { count: serverSeeds.length } });
  const stream = (round: number) => {
    const seed = serverSeeds[round];
    return seed ? new Stream(dealKey(seed, transcript, round, clientSeeds)) : null;
  };
  return { stream, deck };
}

function hashes(field: string, texts: readonly string[]): Uint8Array[] {
  for (const text of texts) {
    if (!/^[0-9a-f]{64}$/.test(text))
      throw new RecordError('not-a-hash', { field, text: text.slice(0, 60) });
  }
  return texts.map(unhex);
}

function checkCount(field: string, count: number, expected: number): void {
  if (count !== expected) throw new RecordError('bad-count', { field, count, expected });
}

/**
 * Check the number of seeds: one is published when its round is over, so the last may be missing.
 */
function checkServerCount(record: RecordFile, count: number, mostRounds: number): void {
  const over = record.rounds.filter((round) => round.scores).length;
  const most = Math.min(record.rounds.length, mostRounds);
  if (count <= over || count > most + 1) {
    throw new RecordError('bad-count', { field: 'server_seeds', count, expected: over + 1 });
  }
}

/** Return the deck in the transcript. It must be the same in every round. */
function agreedDeck(
  record: RecordFile,
  proof: Proof,
  serverCommits: readonly Uint8Array[],
  clientCommits: readonly Uint8Array[],
): string {
  const agreed = {
    match: proof.match,
    rules: `${record.game}/${record.rules}`,
    options: optionsText(record.options),
    seats: record.seats,
    rounds: serverCommits.length - 1,
  };
  const decks = new Set(record.rounds.map((round) => deckOf(round).join('\n')));
  for (const deck of decks) {
    const found = transcriptOf({ ...agreed, deck }, serverCommits, clientCommits);
    if (hex(found) === proof.transcript) return deck;
  }
  throw new RecordError('wrong-transcript');
}

function deckOf(round: RoundFile): string[] {
  return inDeckOrder([...round.hands.flat(), ...round.stock]);
}

// -- Deals ----------------------------------------------------------------------------------------

function checkRounds(record: RecordFile, source: Source, checks: Check[]): void {
  const deck = source.deck ?? deckOf(record.rounds[0]!).join('\n');
  checkFirstStarter(record, source, checks);
  record.rounds.forEach((round, at) => {
    checkHands(record, round, at + 1);
    if (deckOf(round).join('\n') !== deck) throw new RecordError('not-the-deck', {}, at + 1);
    checkRound(record, round, at + 1, source, checks);
  });
}

/**
 * Check the first starter, who was drawn or fixed. Later starters follow from the rules: here they
 * are taken from the record, and since dealing begins there, a wrong one gives other hands.
 */
function checkFirstStarter(record: RecordFile, source: Source, checks: Check[]): void {
  const given = record.options['starter'];
  const fixed = typeof given === 'number';
  const starter = fixed ? given : (source.stream(0)?.below(record.seats) ?? null);
  if (starter === null) return;
  const recorded = record.rounds[0]!.starter;
  if (recorded !== starter)
    throw new RecordError('wrong-starter', { starter: recorded, expected: starter }, 1);
  checks.push({ id: fixed ? 'starter-fixed' : 'starter', data: { seat: starter } });
}

function checkHands(record: RecordFile, round: RoundFile, number: number): void {
  if (round.hands.length !== record.seats)
    throw new RecordError('bad-hands', { seats: record.seats }, number);
  const size = record.rounds[0]!.hands[0]!.length;
  round.hands.forEach((hand, seat) => {
    if (hand.length !== size)
      throw new RecordError('bad-hand', { seat, cards: hand.length, expected: size }, number);
  });
}

function checkRound(
  record: RecordFile,
  round: RoundFile,
  number: number,
  source: Source,
  checks: Check[],
): void {
  const draws = (round.extra ?? []).filter((entry) => entry[1] === null);
  const stream = source.stream(number);
  if (!stream) return;
  const size = round.hands[0]!.length;
  const dealt = dealRound(stream, deckOf(round), record.seats, size, round.starter);
  dealt.hands.forEach((hand, seat) => {
    if (String(hand) !== String(round.hands[seat]))
      throw new RecordError('hand-not-as-dealt', { seat }, number);
  });
  if (String(dealt.stock) !== String(round.stock))
    throw new RecordError('stock-not-as-dealt', {}, number);
  for (const [, , kind, value] of draws) {
    const drawn = drawSpecial(stream, kind, record.seats);
    if (JSON.stringify(drawn) !== JSON.stringify(value))
      throw new RecordError('special-not-as-drawn', { kind }, number);
  }
  const cards = record.seats * size + round.stock.length;
  checks.push({ id: 'round', data: { round: number, cards, specials: draws.length } });
}

// -- Results --------------------------------------------------------------------------------------

function checkTotals(record: RecordFile, checks: Check[]): void {
  if (!record.totals) return;
  record.totals.forEach((total, seat) => {
    const expected = record.rounds.reduce((sum, round) => sum + (round.scores?.[seat] ?? 0), 0);
    if (total !== expected) throw new RecordError('wrong-totals', { given: total, expected });
  });
  checks.push({ id: 'totals', data: { count: record.rounds.length } });
}
