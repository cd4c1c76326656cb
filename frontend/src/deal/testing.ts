/** A deal for tests, as a server sends it: that of a real match of Sticheln, whose record Python wrote. */
import sticheln from '../after/fixtures/sticheln.json?raw';
import { readRecord } from '../after/record';
import type { Proof, RecordFile } from '../after/record';
import { unhex } from '../net/sha256';
import type { Dealing, Event, Table, View } from '../protocol';
import { tableOf } from '../start/testing';
import { aView } from '../table/testing.svelte';
import { ownWords } from './check';
import { inDeckOrder, optionsText } from './shuffle';
import { WORD_LIST } from './words-list';

export class AnnouncedDeal {
  readonly record: RecordFile = readRecord(sticheln);
  readonly proof: Proof = this.record.fairness!;

  /** Return the share of a seat: what its page generates with the mocked random source. */
  share(seat: number): Uint8Array {
    return unhex(this.proof.client_seeds[seat]!);
  }

  /** All sealed and opened; this many rounds are over. */
  dealing(over: number, changes: Partial<Dealing> = {}): Dealing {
    const { record, proof } = this;
    const first = record.rounds[0]!;
    const whole: Dealing = {
      match: proof.match,
      rules: `${record.game}/${record.rules}`,
      options: optionsText(record.options),
      deck: inDeckOrder([...first.hands.flat(), ...first.stock]).join('\n'),
      rounds: proof.server_commits.length - 1,
      server_commits: proof.server_commits,
      client_commits: proof.client_commits,
      trusted: [true, true, false, false],
      transcript: proof.transcript,
      words: [],
      client_seeds: proof.client_seeds,
      server_seeds: proof.server_seeds.slice(0, over + 1),
    };
    return { ...whole, words: ownWords(whole, WORD_LIST), ...changes };
  }

  /** Bots have sealed, people have not. */
  asking(changes: Partial<Dealing> = {}): Dealing {
    const [, , ...bots] = this.proof.client_commits;
    const nothing = {
      transcript: null,
      words: [],
      client_seeds: [null, null, null, null],
      server_seeds: [],
    };
    return this.dealing(0, { client_commits: [null, null, ...bots], ...nothing, ...changes });
  }

  /** All have sealed, people have not opened yet. */
  sealed(changes: Partial<Dealing> = {}): Dealing {
    const [, , ...bots] = this.proof.client_seeds;
    return this.dealing(0, { client_seeds: [null, null, ...bots], server_seeds: [], ...changes });
  }

  table(stage: Table['stage'], changes: Partial<Dealing> = {}, over = 0): Table {
    const dealing = stage === 'dealing' ? this.asking(changes) : this.dealing(over, changes);
    return this.tableWith(stage, dealing);
  }

  tableWith(stage: Table['stage'], dealing: Dealing | null, changes: Partial<Table> = {}): Table {
    const options = this.record.options as Table['options'];
    return tableOf({ stage, options, dealing, match: dealing?.match ?? null, ...changes });
  }

  /** What seat 0 sees when some rounds are over, and the next one is dealt. */
  view(over: number, facts: Partial<View> = {}): View {
    const { game, rules, seats, names, rounds } = this.record;
    const scores = rounds.slice(0, over).map((round) => round.scores!);
    const now = rounds[over];
    return aView({
      game,
      rules,
      seats,
      names,
      scores,
      options: this.record.options as View['options'],
      round: now ? over + 1 : over,
      hand: inDeckOrder(now?.hands[0] ?? []),
      ranking: now ? null : [[0], [1], [2], [3]],
      ...facts,
    });
  }

  /** What a seat saw of the first rounds. */
  events(seat: number, rounds: number): Event[] {
    return this.record.rounds.slice(0, rounds).flatMap(({ starter, hands }, at): Event[] => [
      { kind: 'round', round: at + 1, starter, stock: 0 },
      { kind: 'hand', seat, cards: hands[seat]! },
      { kind: 'scored', scores: [], totals: [] },
    ]);
  }
}
