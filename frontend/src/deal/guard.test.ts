import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import type { Answer, Request } from '../net/connection';
import { hex, unhex } from '../net/sha256';
import type { Dealing, Event, HandDealt, RoundStarted, Table, View } from '../protocol';
import { ownShare, ownTranscript, ownWords } from './check';
import { UNCHANGED } from './handChange';
import { DealGuard } from './guard.svelte';
import { dealsAt, keepShare, noteDeals, shareOf, sharesOf } from './shares';
import { Stream, dealKey, serverCommit } from './shuffle';
import { AnnouncedDeal } from './testing';
import { WORD_LIST } from './words-list';

const server = new AnnouncedDeal();
const { match } = server.proof;
const OTHER = 'f'.repeat(64);
const NAMES = ['Ada', 'Ben', 'Cleo', 'Dora'];

/** A guard with a fake server. */
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

  receives(table: Table, rounds = 0, live = true): this {
    const events = table.stage === 'dealing' ? [] : server.events(0, rounds + 1);
    const view = table.stage === 'dealing' ? null : server.view(rounds);
    this.guard.follow({ table, seat: this.seat, view, events, change: UNCHANGED, live });
    return this;
  }

  deals(dealing: Dealing): this {
    return this.receives(server.tableWith('dealing', dealing));
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

describe('honest match', () => {
  it('is committed, revealed, played and stored', async () => {
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
    client.receives(server.table('playing'));
    client.receives(server.table('playing', {}, 1), 1);
    client.receives(server.table('over', {}, 2), 2);
    expect(client.found).toEqual([]);
    expect(client.guard.own).toBe('mine');
    expect(shareOf(match)).toMatchObject({ sealed: true, opened: true, seat: 0 });
    expect(client.asked).toHaveLength(2);
  });

  it('continues after a reload with the same share', () => {
    client.deals(server.asking());
    const again = new Client().deals(server.asking());
    expect(again.sent('commit')).toEqual(client.sent('commit'));
    expect(again.deals(server.sealed()).sent('reveal')).toHaveLength(1);
  });

  it('works with storage blocked', () => {
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new Error('blocked');
    });
    client.deals(server.asking()).deals(server.sealed()).receives(server.table('playing'));
    expect([client.sent('reveal').length, client.guard.own, client.found]).toEqual([1, 'mine', []]);
  });
});

describe('foreign share at our seat', () => {
  const sealedBy = (commit: string, changes: Partial<Dealing> = {}) =>
    server.asking({
      client_commits: [commit, null, ...server.proof.client_commits.slice(2)],
      ...changes,
    });
  const replaced = sealedBy(OTHER);

  it('stops the table if ours was acknowledged, before or after', async () => {
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

  it('raises a question if ours was refused: it may come from another device', async () => {
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

  it('stops the table if the player denies having another device', () => {
    client.deals(server.asking()).deals(replaced);
    vi.advanceTimersByTime(1_000);
    client.guard.accuse();
    expect([client.guard.stopped, client.guard.askable, client.stops]).toEqual([true, false, 1]);
    expect(new Client().guard.stopped, 'after a reload').toBe(true);
  });

  it('is used if it comes from another tab', () => {
    client.deals(server.asking());
    const ours = sharesOf(match)[0]!;
    const tab = { ...ours, share: server.proof.client_seeds[1]!, commit: 'e'.repeat(64) };
    client.deals(sealedBy(tab.commit));
    keepShare(tab); // arrives through localStorage with a delay
    vi.advanceTimersByTime(1_000);
    expect([client.found, client.guard.own]).toEqual([[], 'mine']);
  });

  it('is only noted if the server says that it drew it', () => {
    client.deals(sealedBy(OTHER, { trusted: [false, true, false, false] }));
    vi.advanceTimersByTime(1_000);
    expect([client.found, client.guard.own, client.asked]).toEqual([[], 'drawn', []]);
  });

  it('is only noted for late joiners, and not for spectators', () => {
    expect(client.receives(server.table('playing')).guard.own).toBe('absent');
    expect(new Client(null).receives(server.table('playing')).guard.own).toBe('unknown');
    expect(new Client().receives(server.tableWith('playing', null, { match: 'm' })).guard.own).toBe(
      'unproved',
    );
  });
});

describe('our share', () => {
  it('is not committed before all commitments of the server', () => {
    client.deals(server.asking({ server_commits: [] }));
    expect([client.found, client.asked]).toEqual([['deal-incomplete'], []]);
  });

  it('is not revealed for a wrong transcript, wrong words or changed terms', () => {
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

  it('is not committed again after it was revealed', async () => {
    client.deals(server.asking()).deals(server.sealed());
    await client.answered();
    client.guard.aborted({ note: 'aborted', match, seats: [1] });
    client.receives(server.tableWith('gathering', null)).deals(server.asking());
    expect([client.found, client.sent('commit').length]).toEqual([['deal-replayed'], 1]);
  });
});

describe('messages of the server', () => {
  it('cannot crash the checks', () => {
    client.deals({ match } as Dealing);
    expect(client.found).toEqual(['deal-incomplete']);
  });

  it('are compared with facts from before a reload', () => {
    client.deals(server.asking()).deals(server.sealed());
    const again = new Client().receives(
      server.table('playing', { rounds: 3, server_commits: [OTHER, OTHER, OTHER, OTHER] }),
    );
    expect(again.found).toEqual(['deal-changed', 'deal-changed']);
  });

  it('must not drop the proof or replace a running match', () => {
    client.receives(server.table('playing'));
    client.receives(server.tableWith('playing', null, { match }));
    expect(client.found).toEqual(['deal-changed']);
    localStorage.clear();
    const other = new Client()
      .receives(server.table('playing'))
      .receives(server.tableWith('playing', null, { match: 'n' }));
    expect(other.found).toEqual(['deal-abandoned']);
  });

  it('must not deal a match again after it began', () => {
    client.receives(server.table('playing')).deals(server.sealed());
    expect(client.found).toEqual(['deal-replayed']);
  });

  it('are caught by a missing seed', () => {
    client.deals(server.asking()).deals(server.sealed()).receives(server.table('playing'));
    expect(client.receives(server.table('playing'), 0).found).toEqual([]);
    client.receives(server.table('playing'), 1);
    expect(client.found).toEqual(['deal-seed-missing']);
    localStorage.clear();
    const told = server.table('playing');
    const silent = new Client().receives(told).receives(told, 1);
    expect(silent.found, 'without news about the deal').toEqual(['deal-seed-missing']);
  });
});

describe('failed set-ups', () => {
  const another = (name: string) =>
    server.tableWith('dealing', server.asking({ match: name }), { match: name });

  it('are counted by id, announced or not, until a match begins', () => {
    client.receives(another('a'));
    client.guard.aborted({ note: 'aborted', match: 'a', seats: [1] });
    client.guard.aborted({ note: 'aborted', match: 'a', seats: [1] });
    client.receives(another('b')).receives(another('c'));
    expect(client.guard.failed).toEqual([
      { match: 'a', names: ['Ben'], seats: [1] },
      { match: 'b', names: [], seats: [] },
    ]);
    expect(new Client().guard.failed, 'after a reload').toHaveLength(2);
    client.guard.agree();
    client.receives(server.table('playing'));
    expect(client.guard.failed).toEqual([]);
  });

  it('are counted when we lose the seat or the deal is skipped', () => {
    client.receives(another('a'));
    client.guard.follow({
      table: another('a'),
      seat: null,
      view: null,
      events: [],
      change: null,
      live: true,
    });
    client.receives(another('b')).receives(server.tableWith('playing', null, { match: 'b' }));
    expect(client.guard.failed.map((one) => one.match)).toEqual(['a', 'b']);
  });

  it('block our share after two, until the player agrees each time', () => {
    client.receives(another('a')).receives(another('b'));
    expect(client.sent('commit')).toHaveLength(2);
    client.receives(another('c'));
    expect([client.guard.mustAgree, client.sent('commit').length]).toEqual([true, 2]);
    client.guard.agree();
    expect([client.guard.mustAgree, client.sent('commit').length]).toEqual([false, 3]);
    expect(client.sent('deal-again'), 'the server did not ask').toEqual([]);
    client.receives(another('d'));
    expect(client.sent('commit')).toHaveLength(3);
  });

  it('send the agreement if the server waits for it', () => {
    client
      .receives(another('a'))
      .receives(another('b'))
      .receives(server.tableWith('gathering', null));
    client.guard.agree();
    expect(client.sent('deal-again')).toHaveLength(1);
  });

  it('stop the table if we are blamed and our share is acknowledged later', async () => {
    client.deals(server.asking()).deals(server.sealed());
    client.guard.aborted({ note: 'aborted', match, seats: [0] });
    expect(client.found, 'the message may be lost').toEqual([]);
    await client.answered();
    expect(client.found).toEqual(['deal-blamed']);
  });

  it('stop the table if a seat is blamed that revealed its share', () => {
    client
      .deals(server.asking())
      .deals(server.sealed({ client_seeds: [null, ...server.proof.client_seeds.slice(1)] }));
    client.guard.aborted({ note: 'aborted', match, seats: [1] });
    expect(client.guard.findings).toEqual([{ id: 'deal-blamed', data: { seat: 1, name: 'Ben' } }]);
  });
});

describe('matches without a visible end', () => {
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
  /** Start a match with this id and deal its cards. */
  const startMatch = (name: string, live = true) => {
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
    client.guard.follow({
      table,
      seat: 0,
      view: server.view(0),
      events: events.slice(0, 2),
      change: UNCHANGED,
      live,
    });
  };
  const loseSeat = (table: Table = server.tableWith('gathering', null)) =>
    client.guard.follow({ table, seat: null, view: null, events: [], change: null, live: true });
  const failed = () => client.guard.failed.map((one) => [one.match, one.gone ?? false]);

  it('are counted when we lose the seat, also after the next match begins', () => {
    for (const name of ['a', 'b']) {
      startMatch(name);
      expect(client.found).toEqual([]);
      loseSeat();
      client.receives(server.tableWith('gathering', null));
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
    startMatch('c');
    expect(failed()).toHaveLength(2);
  });

  it('are counted at private tables and when the match continues without us', () => {
    startMatch('a');
    loseSeat(
      server.tableWith('playing', null, {
        settings: { ...server.table('playing').settings, watch: 'none' },
      }),
    );
    startMatch('b', false);
    loseSeat(server.tableWith('over', server.dealing(1, named('b'))));
    expect(failed()).toEqual([
      ['a', true],
      ['b', true],
    ]);
  });

  it('are counted if they vanish during a disconnect or reload', () => {
    startMatch('a', false);
    startMatch('b', false);
    client = new Client();
    startMatch('c', false);
    expect([failed(), client.found]).toEqual([
      [
        ['a', true],
        ['b', true],
      ],
      [],
    ]);
  });

  it('are reset when a match is played to its end', () => {
    startMatch('a', false);
    client.receives(server.table('playing'), 0, false);
    expect(failed()).toEqual([['a', true]]);
    client.receives(server.table('playing', {}, 1), 1);
    client.receives(server.table('over', {}, 2), 2);
    expect([failed(), client.found]).toEqual([[], []]);
  });

  it('are not counted if the player left the seat', () => {
    client.receives(server.table('playing'));
    client.guard.leave();
    loseSeat();
    client.deals(server.asking({ match: 'n' }));
    client.guard.leave();
    loseSeat();
    expect([failed(), client.found]).toEqual([[], []]);
    startMatch('a');
    loseSeat();
    expect(failed(), 'only that one').toEqual([['a', true]]);
  });

  it('are not counted if the player left the seat in another tab', () => {
    const other = new Client().receives(server.table('playing'));
    client.receives(server.table('playing'));
    other.guard.leave();
    loseSeat();
    expect([failed(), new Client().guard.failed]).toEqual([[], []]);
  });

  it('are not counted as failed set-ups', () => {
    startMatch('a');
    client.guard.aborted({ note: 'aborted', match: 'a', seats: [] });
    startMatch('b', false);
    expect(failed()).toEqual([['a', true]]);
  });

  it('are not counted for spectators', () => {
    client = new Client(null);
    client
      .receives(server.table('playing'))
      .receives(server.tableWith('gathering', null), 0, false);
    expect(failed()).toEqual([]);
  });

  it('stop the table if the server only claims that they are over', () => {
    client.receives(server.table('playing')).receives(server.table('over'));
    expect(client.found).toEqual(['deal-abandoned']);
    localStorage.clear();
    const atOnce = new Client().deals(server.asking()).receives(server.table('over'));
    expect(atOnce.found).toEqual(['deal-abandoned']);
  });

  it('are counted when we lose the seat while shares are revealed', () => {
    client.deals(server.asking()).deals(server.sealed());
    loseSeat(server.tableWith('dealing', server.sealed()));
    loseSeat(server.table('playing'));
    expect(failed()).toEqual([[match, false]]);
  });
});

describe('our seat', () => {
  it('must not change while a match is dealt and played', () => {
    const at = (seat: number, table: Table) =>
      client.guard.follow({ table, seat, view: null, events: [], change: null, live: true });
    at(0, server.tableWith('dealing', server.asking()));
    at(1, server.tableWith('dealing', server.asking()));
    expect(client.found).toEqual(['deal-seat']);
    localStorage.clear();
    client = new Client()
      .receives(server.table('playing'))
      .receives(server.table('over', {}, 2), 2);
    at(2, server.table('over', {}, 2));
    at(1, server.tableWith('dealing', server.asking({ match: 'n' }), { match: 'n' }));
    expect(client.found, 'between matches').toEqual([]);
  });
});

describe('shown cards', () => {
  const [round, hand] = server.events(0, 1) as [RoundStarted, HandDealt];
  const follow = (
    view: View | null,
    events: readonly Event[],
    live = true,
    stage: Table['stage'] = 'playing',
  ) =>
    client.guard.follow({
      table: server.table(stage),
      seat: 0,
      view,
      events,
      change: UNCHANGED,
      live,
    });

  it('must be the dealt ones', () => {
    follow(server.view(0), [round, hand]);
    follow(server.view(0, { hand: server.view(0).hand.slice(1) }), [
      round,
      hand,
      { kind: 'play', seat: 0, move: 'X1', cards: ['X1'] },
    ]);
    expect(client.found).toEqual(['deal-hand']);
  });
  it('must be sent at the start of a round if our share is in it', () => {
    client.deals(server.asking()).deals(server.sealed());
    follow(server.view(0), [round], false);
    expect(client.found).toEqual(['deal-hand']);
  });
  it('must be the same after a disconnect', () => {
    follow(server.view(0), [round, hand]);
    const other = server.record.rounds[0]!.hands[1]!;
    follow(server.view(0, { hand: other }), [round, { ...hand, cards: other }], false);
    expect(client.found).toEqual(['deal-hand']);
  });
  it('must not appear before all shares are revealed', () => {
    follow(server.view(0), [], true, 'dealing');
    expect(client.found).toEqual(['deal-early']);
  });
});

describe('match forked from known cards', () => {
  it('needs no note, but the next match does', () => {
    noteDeals('T1', { given: true });
    client = new Client().receives(server.tableWith('playing', null, { match: 'fork' }));
    expect([client.guard.own, client.guard.noted('fork')]).toEqual(['unproved', true]);
    client
      .receives(server.tableWith('over', null, { match: 'fork' }))
      .receives(server.tableWith('playing', null, { match: 'next' }));
    expect([client.guard.own, client.guard.noted('next')]).toEqual(['unproved', false]);
  });
});

describe('stored deals', () => {
  it('are limited in number', () => {
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

  it('contain the evidence', () => {
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
