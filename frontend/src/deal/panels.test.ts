import { fireEvent, render, screen } from '@testing-library/svelte';
import { tick } from 'svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import sticheln from '../after/fixtures/sticheln.json?raw';
import Verify from '../after/Verify.svelte';
import { settings } from '../state/settings.svelte';
import type { TableStore } from '../state/table.svelte';
import Bar from '../table/Bar.svelte';
import Dealing from '../table/Dealing.svelte';
import { reactive } from '../table/testing.svelte';
import { ownShare } from './check';
import type { Finding } from './check';
import DealAgain from './DealAgain.svelte';
import DealStopped from './DealStopped.svelte';
import { DealGuard } from './guard.svelte';
import RecordAlarm from './RecordAlarm.svelte';
import { keepShare } from './shares';
import { ToldDeal } from './testing';
import { sentence } from './texts';
import de from './deal.de.json';
import en from './deal.en.json';

const server = new ToldDeal();
const { match } = server.proof;
const PATIENCE = { timeout: 10_000 };

beforeEach(() => {
  localStorage.clear();
  settings.lang = 'en';
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

function aGuard(): DealGuard {
  return new DealGuard(
    'T1',
    () => new Promise(() => undefined),
    () => undefined,
    (seat) => ['Ada', 'Ben'][seat] ?? '',
  );
}

function aStore(guard: DealGuard, facts: object = {}): TableStore {
  const table = server.table('playing');
  const nameOf = (seat: number) => ['Ada', 'Ben'][seat] ?? '';
  return reactive({
    deal: guard,
    table,
    seat: 0,
    nameOf,
    asksToDealAgain: true,
    dealAgainMissing: [],
    ...facts,
  }) as unknown as TableStore;
}

function keepOwn(commit?: string): void {
  const share = { ...ownShare(match, 0, server.share(0)), sealed: true, opened: true };
  keepShare({
    ...share,
    commit: commit ?? share.commit,
    table: 'T1',
    dealing: server.dealing(2),
    at: 0,
  });
}

describe('sentences', () => {
  const ids = Object.keys(en).filter(
    (id) => id.startsWith('deal-') && id !== 'deal-server-seed-start',
  ) as Finding['id'][];
  it.each(['en', 'de'] as const)('name what does not fit, in %s, with all facts put in', (lang) => {
    settings.lang = lang;
    const data = { seat: 1, name: 'Ben', round: 2, told: 'a b', own: 'c d' };
    const whole = /^[^{}]{20,}\.$/;
    for (const id of ids.filter((one) => !['deal-changed', 'deal-record'].includes(one))) {
      expect(sentence({ id, data }), id).toMatch(whole);
    }
    for (const [id, kind] of [
      ['deal-changed', 'changed-'],
      ['deal-record', 'record-'],
    ] as const) {
      const all = Object.keys(de)
        .filter((one) => one.startsWith(kind))
        .map((one) => one.slice(kind.length));
      expect(all.length).toBeGreaterThan(3);
      for (const what of all) expect(sentence({ id, data: { what } }), what).toMatch(whole);
    }
    expect(sentence({ id: 'deal-server-seed', data: { round: 0 } })).not.toMatch(/0/);
  });
});

describe('a deal that does not fit', () => {
  it('takes the place of the table, and its evidence can be saved', async () => {
    const guard = aGuard();
    guard.findings = [
      { id: 'deal-hand', data: { round: 2 } },
      { id: 'deal-words', data: { told: 'x', own: 'y' } },
    ];
    render(DealStopped, { guard });
    const alarm = screen.getByRole('alert');
    expect(alarm.textContent).toMatch(/Your cards of round 2 are not those/);
    expect(alarm.textContent).toMatch(/no move and no share is sent/);
    expect(screen.getByRole('heading', { level: 1 }).textContent).toMatch(/does not check out/);
    expect(screen.getByRole('link', { name: 'Leave the table' }).getAttribute('href')).toBe('/');
    const saved: string[] = [];
    vi.stubGlobal(
      'URL',
      Object.assign(URL, { createObjectURL: () => 'blob:x', revokeObjectURL: () => undefined }),
    );
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(
      this: HTMLAnchorElement,
    ) {
      saved.push(this.download);
    });
    await fireEvent.click(screen.getByRole('button', { name: 'Save the evidence' }));
    expect(saved).toEqual(['stichwerk-evidence-T1.json']);
  });

  it('is a question first where another device may be the reason', async () => {
    const guard = aGuard();
    guard.findings = [{ id: 'deal-share-replaced', data: { seat: 0 }, askable: true }];
    render(DealStopped, { guard });
    expect(screen.getByRole('alert').textContent).toMatch(/Did you seal on another device/);
    await fireEvent.click(screen.getByRole('button', { name: 'No, that was not me' }));
    expect(screen.getByRole('alert').textContent).toMatch(/Your share was replaced/);
    expect(screen.queryByRole('button', { name: /my other device/ })).toBeNull();
  });
});

describe('failed set-ups', () => {
  it('are named and counted, and the person decides', async () => {
    const guard = aGuard();
    for (const one of ['a', 'b']) guard.aborted({ note: 'aborted', match: one, seats: [1] });
    guard.aborted({ note: 'aborted', match: 'c', seats: [] });
    const agree = vi.spyOn(guard, 'agree');
    render(DealAgain, { store: aStore(guard) });
    const panel = screen.getByRole('alert');
    expect(panel.textContent).toMatch(/3 deals in a row came to nothing/);
    expect(screen.getAllByRole('listitem').map((one) => one.textContent)).toEqual([
      'Ben did not open a share: 2 times',
      'The server did not say who: once',
    ]);
    await fireEvent.click(screen.getByRole('button', { name: 'Deal again' }));
    expect(agree).toHaveBeenCalledOnce();
  });

  it('are told apart from matches whose end was not seen', () => {
    const guard = aGuard();
    const now = {
      seat: 0,
      view: server.view(0),
      events: server.events(0, 1).slice(0, 2),
      live: true,
    };
    guard.follow({ ...now, table: server.table('playing') });
    guard.follow({ ...now, table: server.table('playing'), seat: null });
    guard.aborted({ note: 'aborted', match: 'b', seats: [] });
    render(DealAgain, { store: aStore(guard) });
    expect(screen.getAllByRole('listitem').map((one) => one.textContent)).toEqual([
      'The server did not say who: once',
      'The end of a match was not to be seen here: once',
    ]);
  });

  it('say for whom one waits', () => {
    render(DealAgain, {
      store: aStore(aGuard(), { asksToDealAgain: false, dealAgainMissing: [1] }),
    });
    expect(screen.getByRole('alert').textContent).toMatch(/You agreed.*Still to agree: Ben\./);
    expect(screen.queryByRole('button')).toBeNull();
  });
});

describe('a match without a share of ours', () => {
  const facts = { watching: 0, frame: null, view: null, events: [] };

  it('says so in the bar until it was read', async () => {
    const guard = aGuard();
    guard.own = 'drawn';
    render(Bar, { store: aStore(guard, facts) });
    expect(screen.getByRole('status').textContent).toMatch(/no share of your own in this shuffle/);
    await fireEvent.click(screen.getByRole('button', { name: 'Shuffled without your share' }));
    await fireEvent.click(screen.getByRole('button', { name: 'Close' }));
    expect(screen.queryByRole('status')).toBeNull();
    expect(screen.queryByRole('button', { name: 'Shuffled without your share' })).toBeNull();
  });

  it('has nothing to say about our own', () => {
    const guard = aGuard();
    guard.own = 'mine';
    render(Bar, { store: aStore(guard, facts) });
    expect(screen.queryByRole('status')).toBeNull();
  });
});

describe('the six words', () => {
  it('are those of this page, not those of the server', () => {
    const guard = aGuard();
    guard.words = ['one', 'two', 'three', 'four', 'five', 'six'];
    render(Dealing, {
      store: aStore(guard, { table: server.table('dealing', { words: ['nice'] }) }),
    });
    expect(screen.getAllByRole('listitem').map((one) => one.textContent)).toEqual(guard.words);
  });
});

describe('the record of a match', () => {
  const told = (text: string) => vi.stubGlobal('fetch', async () => new Response(text));

  it('is silent if our share is in it, and if we have none', async () => {
    told(sticheln);
    keepOwn();
    render(RecordAlarm, { match });
    render(RecordAlarm, { match: 'unknown' });
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it.each([
    ['another share', 'f'.repeat(64), /another share than yours/],
    ['no proof', undefined, /your share is missing/],
  ])('is an alarm with %s', async (_what, commit, words) => {
    const { fairness, ...bare } = JSON.parse(sticheln) as Record<string, unknown>;
    told(JSON.stringify(commit ? { ...bare, fairness } : bare));
    keepOwn(commit);
    render(RecordAlarm, { match });
    const alarm = await screen.findByRole('alert', {}, PATIENCE);
    expect(alarm.textContent).toMatch(words);
  });

  it('proves that nobody chose the cards only with our own share in it', async () => {
    told(sticheln);
    keepOwn();
    render(Verify, { match, game: 'sticheln', names: ['Ada', 'Ben', 'Cleo', 'Dora'] });
    await fireEvent.click(screen.getByRole('button', { name: 'Recompute it here' }));
    expect(
      await screen.findByText(/Everything holds: your own share is in it/, {}, PATIENCE),
    ).toBeTruthy();
    expect(screen.getByText(/nobody could choose them|so nobody could choose/)).toBeTruthy();
    expect(screen.getByLabelText('Your share')).toHaveProperty(
      'value',
      server.proof.client_seeds[0],
    );
    expect(screen.getByText(/also delivers the code of this page/)).toBeTruthy();
    await tick();
  });

  it('is refused aloud where it is checked and has another share', async () => {
    told(sticheln);
    keepOwn('f'.repeat(64));
    render(Verify, { match, game: 'sticheln', names: ['Ada', 'Ben', 'Cleo', 'Dora'] });
    await fireEvent.click(screen.getByRole('button', { name: 'Recompute it here' }));
    const alarm = await screen.findByRole('alert', {}, PATIENCE);
    expect(alarm.textContent).toMatch(/another share than yours/);
    expect(screen.queryByText(/Everything holds/)).toBeNull();
    expect(screen.queryByText(/nobody could choose/)).toBeNull();
  });
});
