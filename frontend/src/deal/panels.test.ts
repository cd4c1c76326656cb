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
import { AnnouncedDeal } from './testing';
import { sentence } from './texts';
import de from './deal.de.json';
import en from './deal.en.json';

const server = new AnnouncedDeal();
const { match } = server.proof;
const LONG_WAIT = { timeout: 10_000 };

beforeEach(() => {
  localStorage.clear();
  settings.lang = 'en';
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

function makeGuard(): DealGuard {
  return new DealGuard(
    'T1',
    () => new Promise(() => undefined),
    () => undefined,
    (seat) => ['Ada', 'Ben'][seat] ?? '',
  );
}

function makeStore(guard: DealGuard, facts: object = {}): TableStore {
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

function storeShare(commit?: string, trusted = [true, true, false, false]): void {
  const share = { ...ownShare(match, 0, server.share(0)), sealed: true, opened: true };
  keepShare({
    ...share,
    commit: commit ?? share.commit,
    table: 'T1',
    dealing: server.dealing(2, { trusted }),
    at: 0,
  });
}

describe('deal findings', () => {
  const ids = Object.keys(en).filter(
    (id) => id.startsWith('deal-') && id !== 'deal-server-seed-start',
  ) as Finding['id'][];
  it.each(['en', 'de'] as const)('are full sentences in %s with all data filled in', (lang) => {
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

describe('DealStopped', () => {
  it('replaces the table and saves the evidence', async () => {
    const guard = makeGuard();
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

  it('asks first if another device may be the cause', async () => {
    const guard = makeGuard();
    guard.findings = [{ id: 'deal-share-replaced', data: { seat: 0 }, askable: true }];
    render(DealStopped, { guard });
    expect(screen.getByRole('alert').textContent).toMatch(/Did you seal on another device/);
    await fireEvent.click(screen.getByRole('button', { name: 'No, that was not me' }));
    expect(screen.getByRole('alert').textContent).toMatch(/Your share was replaced/);
    expect(screen.queryByRole('button', { name: /my other device/ })).toBeNull();
  });
});

describe('DealAgain', () => {
  it('names and counts failed set-ups and lets the player decide', async () => {
    const guard = makeGuard();
    for (const one of ['a', 'b']) guard.aborted({ note: 'aborted', match: one, seats: [1] });
    guard.aborted({ note: 'aborted', match: 'c', seats: [] });
    const agree = vi.spyOn(guard, 'agree');
    render(DealAgain, { store: makeStore(guard) });
    const panel = screen.getByRole('alert');
    expect(panel.textContent).toMatch(/3 deals in a row came to nothing/);
    expect(screen.getAllByRole('listitem').map((one) => one.textContent)).toEqual([
      'Ben did not open a share, 2 times',
      'Once the server did not say who it was.',
    ]);
    await fireEvent.click(screen.getByRole('button', { name: 'Deal again' }));
    expect(agree).toHaveBeenCalledOnce();
  });

  it('lists matches without a visible end separately', () => {
    const guard = makeGuard();
    const now = {
      seat: 0,
      view: server.view(0),
      events: server.events(0, 1).slice(0, 2),
      change: null,
      live: true,
    };
    guard.follow({ ...now, table: server.table('playing') });
    guard.follow({ ...now, table: server.table('playing'), seat: null });
    guard.aborted({ note: 'aborted', match: 'b', seats: [] });
    render(DealAgain, { store: makeStore(guard) });
    expect(screen.getAllByRole('listitem').map((one) => one.textContent)).toEqual([
      'Once the server did not say who it was.',
      'Once the end of a match did not show up here.',
    ]);
  });

  it('says who still has to agree', () => {
    render(DealAgain, {
      store: makeStore(makeGuard(), { asksToDealAgain: false, dealAgainMissing: [1] }),
    });
    expect(screen.getByRole('alert').textContent).toMatch(/You agreed.*Still to agree: Ben\./);
    expect(screen.queryByRole('button')).toBeNull();
  });
});

describe('match without our share', () => {
  const facts = { watching: 0, frame: null, view: null, events: [] };

  it('shows a note in the bar until it is read', async () => {
    const guard = makeGuard();
    guard.own = 'drawn';
    render(Bar, { store: makeStore(guard, facts) });
    expect(screen.getByRole('status').textContent).toMatch(/no share of your own in this shuffle/);
    await fireEvent.click(screen.getByRole('button', { name: 'Shuffled without your share' }));
    await fireEvent.click(screen.getByRole('button', { name: 'Close' }));
    expect(screen.queryByRole('status')).toBeNull();
    expect(screen.queryByRole('button', { name: 'Shuffled without your share' })).toBeNull();
  });

  it('shows no note when our share is in it', () => {
    const guard = makeGuard();
    guard.own = 'mine';
    render(Bar, { store: makeStore(guard, facts) });
    expect(screen.queryByRole('status')).toBeNull();
  });
});

describe('the six words', () => {
  it('are computed by the page, not taken from the server', () => {
    const guard = makeGuard();
    guard.words = ['one', 'two', 'three', 'four', 'five', 'six'];
    render(Dealing, {
      store: makeStore(guard, { table: server.table('dealing', { words: ['nice'] }) }),
    });
    expect(screen.getAllByRole('listitem').map((one) => one.textContent)).toEqual(guard.words);
  });

  it('are not shown where nobody else plays', () => {
    const guard = makeGuard();
    guard.words = ['one', 'two', 'three', 'four', 'five', 'six'];
    const solo = { table: server.table('dealing'), solo: true };
    const { container } = render(Dealing, { store: makeStore(guard, solo) });
    expect(container.textContent).toContain('Everyone at the table helps to shuffle.');
    expect(container.textContent).not.toContain('three');
  });
});

describe('match record', () => {
  const serveRecord = (text: string) => vi.stubGlobal('fetch', async () => new Response(text));

  it('raises no alarm if our share is in it or we have none', async () => {
    serveRecord(sticheln);
    storeShare();
    render(RecordAlarm, { match });
    render(RecordAlarm, { match: 'unknown' });
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it.each([
    ['another share', 'f'.repeat(64), /another share than yours/],
    ['no proof', undefined, /your share is missing/],
  ])('raises an alarm with %s', async (_what, commit, words) => {
    const { fairness, ...bare } = JSON.parse(sticheln) as Record<string, unknown>;
    serveRecord(JSON.stringify(commit ? { ...bare, fairness } : bare));
    storeShare(commit);
    render(RecordAlarm, { match });
    const alarm = await screen.findByRole('alert', {}, LONG_WAIT);
    expect(alarm.textContent).toMatch(words);
  });

  it('proves that nobody chose the cards only if it has our share', async () => {
    serveRecord(sticheln);
    storeShare();
    render(Verify, { match, game: 'sticheln', names: ['Ada', 'Ben', 'Cleo', 'Dora'] });
    await fireEvent.click(screen.getByRole('button', { name: 'Recompute it here' }));
    expect(
      await screen.findByText(/Everything checks out: your own share is in it/, {}, LONG_WAIT),
    ).toBeTruthy();
    expect(screen.getByText(/nobody could choose them|so nobody could choose/)).toBeTruthy();
    expect(screen.getByLabelText('Your share')).toHaveProperty(
      'value',
      server.proof.client_seeds[0],
    );
    expect(screen.getByText(/also delivers the code of this page/)).toBeTruthy();
    await tick();
  });

  it.each([
    ['friends', [true, true, false, false], null, true],
    ['bots alone', [true, false, false, false], null, false],
    ['bots alone, as the table says', [true, true, false, false], true, false],
  ] as const)('has six words after a match with %s', async (_, trusted, solo, has) => {
    serveRecord(sticheln);
    storeShare(undefined, [...trusted]);
    render(Verify, { match, game: 'sticheln', names: ['Ada', 'Ben', 'Cleo', 'Dora'], solo });
    await fireEvent.click(screen.getByRole('button', { name: 'Recompute it here' }));
    await screen.findByText(/Everything checks out/, {}, LONG_WAIT);
    expect(screen.queryByRole('list', { name: 'The six words' }) !== null).toBe(has);
    expect(screen.queryByLabelText('Six words') !== null).toBe(has);
    const command = screen.getByLabelText<HTMLInputElement>('With the record as a file:').value;
    expect(command).toContain('--share');
    expect(command.includes('--words')).toBe(has);
    expect(document.body.textContent.includes('six words')).toBe(has);
  });

  it('fails verification with an alarm if it has another share', async () => {
    serveRecord(sticheln);
    storeShare('f'.repeat(64));
    render(Verify, { match, game: 'sticheln', names: ['Ada', 'Ben', 'Cleo', 'Dora'] });
    await fireEvent.click(screen.getByRole('button', { name: 'Recompute it here' }));
    const alarm = await screen.findByRole('alert', {}, LONG_WAIT);
    expect(alarm.textContent).toMatch(/another share than yours/);
    expect(screen.queryByText(/Everything holds/)).toBeNull();
    expect(screen.queryByText(/nobody could choose/)).toBeNull();
  });
});
