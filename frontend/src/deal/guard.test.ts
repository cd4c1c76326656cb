import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import type { Answer, Request } from '../net/connection';
import { hex, unhex } from '../net/sha256';
import type { Dealing, Event, HandDealt, RoundStarted, Table, View } from '../protocol';
import { ownShare, ownTranscript, ownWords } from './check';
import { DealGuard } from './guard.svelte';
import { dealsAt, keepShare, noteDeals, shareOf, sharesOf } from './shares';
import { Stream, dealKey, serverCommit } from './shuffle';
import { ToldDeal } from './testing';
import { WORD_LIST } from './words-list';

const server = new ToldDeal();
const { match } = server.proof;
const OTHER = 'f'.repeat(64);
const NAMES = ['Ada', 'Ben', 'Cleo', 'Dora'];

/** A guard whose server is the test. */
class Client {
  asked: Request[] = [];
  stops = 0;
  #answers: { resolve: () => void; reject: () => void }[] = [];
  readonly guard: DealGuard;

  constructor(readonly seat: number | null = 0) {
    const ask = (request: Request) => {
      this.asked.push(request);
      return new Promise<Answer>((resolve, reject) => {
        this.#answers.push({
          resolve: () => resolve({ type: 'done', id: 1, seq: 1 }),
          reject: () => reject(new Error()),
        });
      });
    };
    this.guard = new DealGuard(
      'T1',
      ask,
      () => (this.stops += 1),
      (seat) => NAMES[seat]!,
    );
  }

  hears(table: Table, rounds = 0, live = true): this {
    const events = table.stage === 'dealing' ? [] : server.events(0, rounds + 1);
    const view = table.stage === 'dealing' ? null : server.view(rounds);
    this.guard.follow({ table, seat: this.seat, view, events, live });
    return this;
  }

  deals(dealing: Dealing): this {
    return this.hears(server.tableWith('dealing', dealing));
  }

  async answered(done = true): Promise<this> {
    const answer = this.#answers.at(-1)!;
    if (done) answer.resolve();
    else answer.reject();
    await Promise.resolve();
    await Promise.resolve();
    return this;
  }

  sent(type: string): Request[] {
    return this.asked.filter((one) => one.type === type);
  }

  get found(): string[] {
    return this.guard.findings.map((one) => one.id);
  }
}

let client: Client;

beforeEach(() => {
  vi.useFakeTimers();
  localStorage.clear();
  vi.spyOn(crypto, 'getRandomValues').mockImplementation((array) => {
    (array as Uint8Array).set(server.share(0));
    return array;
  });
  client = new Client();
});

afterEach(() => {
  client.guard.close();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('an honest match', () => {
  it('is sealed, opened, played and kept', async () => {
    client.deals(server.asking());
    expect(client.sent('commit')).toEqual([
      { type: 'commit', match, commit: server.proof.client_commits[0] },
    ]);
    await client.answered();
    client.deals(
      server.asking({
        client_commits: [
          server.proof.client_commits[0]!,
          null,
          ...server.proof.client_commits.slice(2),
        ],
      }),
    );
    expect(client.sent('reveal')).toEqual([]);
    client.deals(server.sealed());
    expect(client.sent('reveal')).toEqual([
      { type: 'reveal', match, seed: server.proof.client_seeds[0] },
    ]);
    expect(client.guard.words).toHaveLength(6);
    client.hears(server.table('playing'));
    client.hears(server.table('playing', {}, 1), 1);
    client.hears(server.table('over', {}, 2), 2);
    expect(client.found).toEqual([]);
    expect(client.guard.own).toBe('mine');
    expect(shareOf(match)).toMatchObject({ sealed: true, opened: true, seat: 0 });
    expect(client.asked).toHaveLength(2);
  });

  it('goes on after a reload with the same share', () => {
    client.deals(server.asking());
    const again = new Client().deals(server.asking());
    expect(again.sent('commit')).toEqual(client.sent('commit'));
    expect(again.deals(server.sealed()).sent('reveal')).toHaveLength(1);
  });

  it('works where storage is blocked', () => {
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new Error('blocked');
    });
    client.deals(server.asking()).deals(server.sealed()).hears(server.table('playing'));
    expect([client.sent('reveal').length, client.guard.own, client.found]).toEqual([1, 'mine', []]);
  });
});

describe('a share that is not ours', () => {
  const sealedBy = (commit: string, changes: Partial<Dealing> = {}) =>
    server.asking({
      client_commits: [commit, null, ...server.proof.client_commits.slice(2)],
      ...changes,
    });
  const replaced = sealedBy(OTHER);

  it('stops everything if ours was acknowledged, before or after', async () => {
    (await client.deals(server.asking()).answered()).deals(replaced);
    expect([client.found, client.guard.askable, client.stops]).toEqual([
      ['deal-share-replaced'],
      false,
      1,
    ]);
    localStorage.clear();
    const late = new Client().deals(server.asking()).deals(replaced);
    await late.answered();
    expect([late.found, late.stops]).toEqual([['deal-share-replaced'], 1]);
  });

  it('is asked about if ours was refused: only the person knows of another device', async () => {
    (await client.deals(server.asking()).answered(false)).deals(replaced);
    expect(client.found).toEqual([]);
    vi.advanceTimersByTime(1_000);
    expect([client.found, client.guard.askable, client.stops]).toEqual([
      ['deal-share-replaced'],
      true,
      0,
    ]);
    client.guard.excuse();
    expect([client.found, client.guard.own]).toEqual([[], 'elsewhere']);
    expect(client.sent('reveal')).toEqual([]);
  });

  it('is no matter of asking if the person has no other device', () => {
    client.deals(server.asking()).deals(replaced);
    vi.advanceTimersByTime(1_000);
    client.guard.accuse();
    expect([client.guard.stopped, client.guard.askable, client.stops]).toEqual([true, false, 1]);
    expect(new Client().guard.stopped, 'after a reload').toBe(true);
  });

  it('may be that of another tab, and is used then', () => {
    client.deals(server.asking());
    const ours = sharesOf(match)[0]!;
    const tab = { ...ours, share: server.proof.client_seeds[1]!, commit: 'e'.repeat(64) };
    client.deals(sealedBy(tab.commit));
    keepShare(tab); // it comes through the browser's storage a little later
    vi.advanceTimersByTime(1_000);
    expect([client.found, client.guard.own]).toEqual([[], 'mine']);
  });

  it('is mentioned calmly if the server says that it drew it', () => {
    client.deals(sealedBy(OTHER, { trusted: [false, true, false, false] }));
    vi.advanceTimersByTime(1_000);
    expect([client.found, client.guard.own, client.asked]).toEqual([[], 'drawn', []]);
  });

  it('is mentioned calmly to people who came later, and to nobody who watches', () => {
    expect(client.hears(server.table('playing')).guard.own).toBe('absent');
    expect(new Client(null).hears(server.table('playing')).guard.own).toBe('unknown');
    expect(new Client().hears(server.tableWith('playing', null, { match: 'm' })).guard.own).toBe(
      'unproved',
    );
  });
});

describe('a share of ours', () => {
  it('is not sealed before the server has sealed all of its own', () => {
    client.deals(server.asking({ server_commits: [] }));
    expect([client.found, client.asked]).toEqual([['deal-incomplete'], []]);
  });

  it('is not opened for another transcript, other words, or changed terms', () => {
    for (const [changes, id] of [
      [{ transcript: OTHER }, 'deal-transcript'],
      [{ words: ['nice'] }, 'deal-words'],
      [{ deck: 'R1' }, 'deal-changed'],
      [{ server_commits: [OTHER, OTHER, OTHER] }, 'deal-changed'],
    ] as const) {
      localStorage.clear();
      const one = new Client().deals(server.asking()).deals(server.sealed(changes));
      expect([one.found, one.sent('reveal'), one.stops]).toEqual([[id], [], 1]);
    }
  });

  it('is not sealed again once it was open', async () => {
    client.deals(server.asking()).deals(server.sealed());
    await client.answered();
    client.guard.aborted({ note: 'aborted', match, seats: [1] });
    client.hears(server.tableWith('gathering', null)).deals(server.asking());
    expect([client.found, client.sent('commit').length]).toEqual([['deal-replayed'], 1]);
  });
});

describe('what the server says', () => {
  it('cannot crash the checks', () => {
    client.deals({ match } as Dealing);
    expect(client.found).toEqual(['deal-incomplete']);
  });

  it('is compared with what was told before a reload', () => {
    client.deals(server.asking()).deals(server.sealed());
    const again = new Client().hears(
      server.table('playing', { rounds: 3, server_commits: [OTHER, OTHER, OTHER, OTHER] }),
    );
    expect(again.found).toEqual(['deal-changed', 'deal-changed']);
  });

  it('may not leave the proof out later, nor replace a match that runs', () => {
    client.hears(server.table('playing'));
    client.hears(server.tableWith('playing', null, { match }));
    expect(client.found).toEqual(['deal-changed']);
    localStorage.clear();
    const other = new Client()
      .hears(server.table('playing'))
      .hears(server.tableWith('playing', null, { match: 'n' }));
    expect(other.found).toEqual(['deal-abandoned']);
  });

  it('may not deal a match again that has begun', () => {
    client.hears(server.table('playing')).deals(server.sealed());
    expect(client.found).toEqual(['deal-replayed']);
  });

  it('is found out by the cards of a round, and by a seed that does not come', () => {
    client.deals(server.asking()).deals(server.sealed()).hears(server.table('playing'));
    expect(client.hears(server.table('playing'), 0).found).toEqual([]);
    client.hears(server.table('playing'), 1);
    expect(client.found).toEqual(['deal-seed-missing']);
    localStorage.clear();
    const told = server.table('playing');
    const silent = new Client().hears(told).hears(told, 1);
    expect(silent.found, 'though nothing new is said of the deal').toEqual(['deal-seed-missing']);
  });
});

describe('set-ups that fail', () => {
  const another = (name: string) =>
    server.tableWith('dealing', server.asking({ match: name }), { match: name });

  it('are counted by their ids, told or not, until a match begins', () => {
    client.hears(another('a'));
    client.guard.aborted({ note: 'aborted', match: 'a', seats: [1] });
    client.guard.aborted({ note: 'aborted', match: 'a', seats: [1] });
    client.hears(another('b')).hears(another('c'));
    expect(client.guard.failed).toEqual([
      { match: 'a', names: ['Ben'], seats: [1] },
      { match: 'b', names: [], seats: [] },
    ]);
    expect(new Client().guard.failed, 'after a reload').toHaveLength(2);
    client.guard.agree();
    client.hears(server.table('playing'));
    expect(client.guard.failed).toEqual([]);
  });

  it('are counted, too, if the seat is taken away or the deal left out', () => {
    client.hears(another('a'));
    client.guard.follow({ table: another('a'), seat: null, view: null, events: [], live: true });
    client.hears(another('b')).hears(server.tableWith('playing', null, { match: 'b' }));
    expect(client.guard.failed.map((one) => one.match)).toEqual(['a', 'b']);
  });

  it('stop our share after two, until the person agrees, each time anew', () => {
    client.hears(another('a')).hears(another('b'));
    expect(client.sent('commit')).toHaveLength(2);
    client.hears(another('c'));
    expect([client.guard.mustAgree, client.sent('commit').length]).toEqual([true, 2]);
    client.guard.agree();
    expect([client.guard.mustAgree, client.sent('commit').length]).toEqual([false, 3]);
    expect(client.sent('deal-again'), 'the server did not ask').toEqual([]);
    client.hears(another('d'));
    expect(client.sent('commit')).toHaveLength(3);
  });

  it('are agreed to with the server where it waits', () => {
    client.hears(another('a')).hears(another('b')).hears(server.tableWith('gathering', null));
    client.guard.agree();
    expect(client.sent('deal-again')).toHaveLength(1);
  });

  it('stop everything if we are blamed and our share is acknowledged afterwards', async () => {
    client.deals(server.asking()).deals(server.sealed());
    client.guard.aborted({ note: 'aborted', match, seats: [0] });
    expect(client.found, 'it may have been lost on the way').toEqual([]);
    await client.answered();
    expect(client.found).toEqual(['deal-blamed']);
  });

  it('stop everything if someone is blamed whose share was open', () => {
    client
      .deals(server.asking())
      .deals(server.sealed({ client_seeds: [null, ...server.proof.client_seeds.slice(1)] }));
    client.guard.aborted({ note: 'aborted', match, seats: [1] });
    expect(client.guard.findings).toEqual([{ id: 'deal-blamed', data: { seat: 1, name: 'Ben' } }]);
  });
});

describe('matches whose end we do not see', () => {
  const named = (name: string) => ({ match: name, ...agreedFor(name) });
  const agreedFor = (name: string): Partial<Dealing> => {
    const seal = (seed: string, seat: number) => ownShare(name, seat, unhex(seed)).commit;
    const client_commits = server.proof.client_seeds.map(seal);
    const server_commits = server.proof.server_seeds.map((seed, round) =>
      hex(serverCommit(name, round, unhex(seed))),
    );
    const changes = {
      match: name,
      client_commits,
      server_commits,
      transcript: null as string | null,
    };
    changes.transcript = ownTranscript(server.dealing(0, changes));
    return { ...changes, words: ownWords(server.dealing(0, changes), WORD_LIST) };
  };
  /** A match of this name: its cards are dealt. */
  const plays = (name: string, live = true) => {
    const table = server.tableWith('playing', server.dealing(0, named(name)));
    const starter = new Stream(
      dealKey(
        unhex(server.proof.server_seeds[0]!),
        unhex(table.dealing!.transcript!),
        0,
        server.proof.client_seeds.map(unhex),
      ),
    ).below(4);
    const events = server
      .events(0, 1)
      .map((one) => (one.kind === 'round' ? { ...one, starter } : one));
    client.guard.follow({ table, seat: 0, view: server.view(0), events: events.slice(0, 2), live });
  };
  const unseated = (table: Table = server.tableWith('gathering', null)) =>
    client.guard.follow({ table, seat: null, view: null, events: [], live: true });
  const failed = () => client.guard.failed.map((one) => [one.match, one.gone ?? false]);

  it('are counted if the seat was taken away, and not forgotten when the next one begins', () => {
    for (const name of ['a', 'b']) {
      plays(name);
      expect(client.found).toEqual([]);
      unseated();
      client.hears(server.tableWith('gathering', null));
    }
    expect([failed(), client.guard.mustAgree]).toEqual([
      [
        ['a', true],
        ['b', true],
      ],
      true,
    ]);
    expect(new Client().guard.mustAgree, 'after a reload').toBe(true);
    client.guard.agree();
    plays('c');
    expect(failed()).toHaveLength(2);
  });

  it('are counted at private tables, and where the match seems to go on without us', () => {
    plays('a');
    unseated(
      server.tableWith('playing', null, {
        settings: { ...server.table('playing').settings, watch: 'none' },
      }),
    );
    plays('b', false);
    unseated(server.tableWith('over', server.dealing(1, named('b'))));
    expect(failed()).toEqual([
      ['a', true],
      ['b', true],
    ]);
  });

  it('are counted if they are gone after a cut, or a reload', () => {
    plays('a', false);
    plays('b', false);
    client = new Client();
    plays('c', false);
    expect([failed(), client.found]).toEqual([
      [
        ['a', true],
        ['b', true],
      ],
      [],
    ]);
  });

  it('are forgotten when one is played to its end', () => {
    plays('a', false);
    client.hears(server.table('playing'), 0, false);
    expect(failed()).toEqual([['a', true]]);
    client.hears(server.table('playing', {}, 1), 1);
    client.hears(server.table('over', {}, 2), 2);
    expect([failed(), client.found]).toEqual([[], []]);
  });

  it('are no matter if our person has left the seat', () => {
    client.hears(server.table('playing'));
    client.guard.leave();
    unseated();
    client.deals(server.asking({ match: 'n' }));
    client.guard.leave();
    unseated();
    expect([failed(), client.found]).toEqual([[], []]);
    plays('a');
    unseated();
    expect(failed(), 'only that one').toEqual([['a', true]]);
  });

  it('are no matter if our person has left the seat in another tab', () => {
    const other = new Client().hears(server.table('playing'));
    client.hears(server.table('playing'));
    other.guard.leave();
    unseated();
    expect([failed(), new Client().guard.failed]).toEqual([[], []]);
  });

  it('are not passed off as set-ups that failed', () => {
    plays('a');
    client.guard.aborted({ note: 'aborted', match: 'a', seats: [] });
    plays('b', false);
    expect(failed()).toEqual([['a', true]]);
  });

  it('are no matter if they were those of others', () => {
    client = new Client(null);
    client.hears(server.table('playing')).hears(server.tableWith('gathering', null), 0, false);
    expect(failed()).toEqual([]);
  });

  it('stop everything if the server only says that they are over', () => {
    client.hears(server.table('playing')).hears(server.table('over'));
    expect(client.found).toEqual(['deal-abandoned']);
    localStorage.clear();
    const atOnce = new Client().deals(server.asking()).hears(server.table('over'));
    expect(atOnce.found).toEqual(['deal-abandoned']);
  });

  it('count, too, if the seat is taken away while shares are open', () => {
    client.deals(server.asking()).deals(server.sealed());
    unseated(server.tableWith('dealing', server.sealed()));
    unseated(server.table('playing'));
    expect(failed()).toEqual([[match, false]]);
  });
});

describe('our seat', () => {
  it('stays the same while a match is dealt and played', () => {
    const at = (seat: number, table: Table) =>
      client.guard.follow({ table, seat, view: null, events: [], live: true });
    at(0, server.tableWith('dealing', server.asking()));
    at(1, server.tableWith('dealing', server.asking()));
    expect(client.found).toEqual(['deal-seat']);
    localStorage.clear();
    client = new Client().hears(server.table('playing')).hears(server.table('over', {}, 2), 2);
    at(2, server.table('over', {}, 2));
    at(1, server.tableWith('dealing', server.asking({ match: 'n' }), { match: 'n' }));
    expect(client.found, 'between matches').toEqual([]);
  });
});

describe('the cards that are shown', () => {
  const [round, hand] = server.events(0, 1) as [RoundStarted, HandDealt];
  const sees = (
    view: View | null,
    events: readonly Event[],
    live = true,
    stage: Table['stage'] = 'playing',
  ) => client.guard.follow({ table: server.table(stage), seat: 0, view, events, live });

  it('are those that were dealt', () => {
    sees(server.view(0), [round, hand]);
    sees(server.view(0, { hand: server.view(0).hand.slice(1) }), [
      round,
      hand,
      { kind: 'play', seat: 0, move: 'X1', cards: ['X1'] },
    ]);
    expect(client.found).toEqual(['deal-hand']);
  });
  it('must be told when a round begins, if our share is in it', () => {
    client.deals(server.asking()).deals(server.sealed());
    sees(server.view(0), [round], false);
    expect(client.found).toEqual(['deal-hand']);
  });
  it('are the same after a cut', () => {
    sees(server.view(0), [round, hand]);
    const other = server.record.rounds[0]!.hands[1]!;
    sees(server.view(0, { hand: other }), [round, { ...hand, cards: other }], false);
    expect(client.found).toEqual(['deal-hand']);
  });
  it('are not there before all is open', () => {
    sees(server.view(0), [], true, 'dealing');
    expect(client.found).toEqual(['deal-early']);
  });
});

describe('cards that our person chose to play on with', () => {
  it('need no note, those of the next match do', () => {
    noteDeals('T1', { given: true });
    client = new Client().hears(server.tableWith('playing', null, { match: 'fork' }));
    expect([client.guard.own, client.guard.noted('fork')]).toEqual(['unproved', true]);
    client
      .hears(server.tableWith('over', null, { match: 'fork' }))
      .hears(server.tableWith('playing', null, { match: 'next' }));
    expect([client.guard.own, client.guard.noted('next')]).toEqual(['unproved', false]);
  });
});

describe('what is kept', () => {
  it('is bounded', () => {
    const share = {
      match: '',
      seat: 0,
      share: '',
      commit: OTHER,
      sealed: true,
      opened: true,
      elsewhere: false,
    };
    for (let at = 0; at < 60; at += 1) {
      vi.setSystemTime(at);
      keepShare({ ...share, match: `m${at}`, table: 't', dealing: null, at });
      noteDeals(`t${at}`, {});
    }
    expect(localStorage).toHaveLength(80);
    expect([sharesOf('m0').length, sharesOf('m59').length, dealsAt('t59').failed]).toEqual([
      0,
      1,
      [],
    ]);
  });

  it('is evidence', () => {
    client.deals(server.asking()).deals(server.sealed({ transcript: OTHER }));
    const evidence = JSON.parse(JSON.stringify(client.guard.evidence()));
    expect(new Client().guard.evidence(), 'after a reload').toEqual(evidence);
    expect(evidence).toMatchObject({
      table: 'T1',
      findings: [{ id: 'deal-transcript' }],
      told_last: { transcript: OTHER },
      own_share: {
        match,
        seat: 0,
        share: server.proof.client_seeds[0],
        commit: server.proof.client_commits[0],
      },
    });
  });
});
