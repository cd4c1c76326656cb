import { fireEvent, render, screen, within } from '@testing-library/svelte';
import { createRawSnippet, tick } from 'svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { keepShare } from '../deal/shares';
import type { KeptShare } from '../deal/shares';
import { parts } from '../games/generic/parts';
import type { Replay } from '../protocol';
import { settings } from '../state/settings.svelte';
import de from './after.de.json';
import en from './after.en.json';
import sticheln from './fixtures/sticheln.json?raw';
import open from './fixtures/replay-stichling.json';
import Fold from './Fold.svelte';
import Ranking from './Ranking.svelte';
import { ReplayBoard } from './replay.svelte';
import ReplayPage from './ReplayPage.svelte';
import ReplayTools from './ReplayTools.svelte';
import ReplayView from './ReplayView.svelte';
import ReviewPanel from './ReviewPanel.svelte';
import ScoreTable from './ScoreTable.svelte';
import { figure, signed } from './texts';
import Verify from './Verify.svelte';

// Rendering a whole replay is slow while other tests run in parallel.
vi.setConfig({ testTimeout: 30_000 });
const LONG_WAIT = { timeout: 10_000 };

beforeEach(() => {
  settings.lang = 'en';
  settings.motion = 'off';
});
afterEach(() => vi.unstubAllGlobals());

describe('after-match texts', () => {
  it('have the same sorted ids in both languages', () => {
    expect(Object.keys(de)).toEqual(Object.keys(en));
    expect(Object.keys(en)).toEqual([...Object.keys(en)].sort());
  });
});

describe('figures after a match', () => {
  it('have a decimal comma in German', () => {
    expect([figure(1.5), signed(-2.25)]).toEqual(['1.5', '−2.3']);
    settings.lang = 'de';
    expect([figure(1.5), signed(-2.25)]).toEqual(['1,5', '−2,3']);
  });
});

describe('Ranking', () => {
  it('gives tied players the same rank', () => {
    render(Ranking, {
      names: ['Ada', 'Ben', 'Cleo'],
      totals: [3, 5, 3],
      ranking: [[1], [0, 2]],
      own: 2,
    });
    const rows = screen.getAllByRole('listitem').map((row) => row.textContent.replace(/\s+/g, ' '));
    expect(rows[0]).toMatch(/1\..*Ben.*5 points/);
    expect(rows[1]).toMatch(/2\..*tied.*Ada/);
    expect(rows[2]).toMatch(/2\..*You.*tied/);
  });

  it('ranks teams with their sums: the second team is second', () => {
    render(Ranking, {
      names: ['Ada', 'Ben', 'Cleo', 'Dan'],
      totals: [3, 9, 4, 8],
      ranking: [
        [1, 3],
        [0, 2],
      ],
      teams: [
        { letter: 'A', seats: [0, 2], points: 7 },
        { letter: 'B', seats: [1, 3], points: 17 },
      ],
      own: 1,
    });
    const rows = screen.getAllByRole('listitem').map((row) => row.textContent.replace(/\s+/g, ' '));
    expect(rows).toHaveLength(2);
    expect(rows[0]).toMatch(/1\..*You and Dan.*9 \+ 8.*17 points/);
    expect(rows[1]).toMatch(/2\..*Ada and Cleo.*3 \+ 4.*7 points/);
  });

  it('says which round broke a tie', () => {
    const level = {
      names: ['Ada', 'Ben'],
      totals: [11, 11],
      ranking: [[1], [0]],
      scores: [
        [3, 1],
        [2, 4],
        [6, 6],
      ],
      own: 0,
    };
    render(Ranking, level);
    screen.getByText('You and Ben are level on points: round 2 decided it for Ben.');
  });

  it('shows what decided before the points, and then speaks of no tie', () => {
    const hearts = (seat: number) => ({
      count: 2 - seat,
      text: '♥'.repeat(2 - seat),
      spoken: `${2 - seat} hearts`,
    });
    render(Ranking, {
      names: ['Ada', 'Ben'],
      totals: [5, 5],
      ranking: [[0], [1]],
      scores: [
        [2, 3],
        [3, 2],
      ],
      first: hearts,
    });
    const rows = screen.getAllByRole('listitem').map((row) => row.textContent.replace(/\s+/g, ' '));
    expect(rows[0]).toMatch(/Ada.*♥♥.*5 points/);
    expect(screen.queryByText(/level on points/)).toBeNull();
  });
});

describe('ScoreTable', () => {
  it('shows points and running totals per round, and the final total', () => {
    render(ScoreTable, {
      game: 'sticheln',
      names: ['Ada', 'Ben'],
      scores: [
        [3, -2],
        [-4, 0],
      ],
    });
    const rows = [...document.querySelectorAll('tr')].map((row) =>
      [...row.cells].map((cell) => cell.textContent.trim()),
    );
    expect(rows[1]).toEqual(['Round 1', '+3 3', '−2 −2']);
    expect(rows[3]).toEqual(['Total', '−1', '−2']);
  });
});

describe('ReplayView', () => {
  it('steps by buttons and keys and marks the current play in the log', async () => {
    const board = new ReplayBoard(open as unknown as Replay, 4);
    render(ReplayView, { board, parts, show: async () => undefined });
    await fireEvent.click(screen.getByRole('button', { name: 'Forward one move' }));
    expect(board.index).toBe(5);
    await fireEvent.keyDown(window, { key: 'ArrowLeft' });
    expect(board.index).toBe(4);
    await fireEvent.keyDown(window, { key: 'End' });
    await tick();
    expect(board.isLast).toBe(true);
    const current = document.querySelectorAll('.log [aria-current=step]');
    expect([...current].map((one) => one.getAttribute('data-at'))).toEqual([String(board.at)]);
    expect(screen.getByRole('button', { name: 'Forward one move' })).toHaveProperty(
      'disabled',
      true,
    );
  });

  it('puts the current play into the URL', async () => {
    vi.useFakeTimers();
    const board = new ReplayBoard(open as unknown as Replay, 4);
    render(ReplayView, { board, parts, show: async () => undefined });
    board.go(7);
    await tick();
    vi.advanceTimersByTime(300);
    vi.useRealTimers();
    expect(location.pathname).toBe('/replay/m/7');
  });
});

describe('the replay of a match of mine', () => {
  const replay = { ...(open as unknown as Replay), names: ['Ada', 'Guest'] };
  const asked: string[] = [];

  beforeEach(() => {
    asked.length = 0;
    vi.stubGlobal('fetch', async (address: URL | string) => {
      asked.push(String(address));
      return Response.json(replay);
    });
  });
  afterEach(() => localStorage.clear());

  it('asks for words that address me, and calls me "You"', async () => {
    keepShare({ match: 'mine', seat: 1, commit: 'c' } as KeptShare);
    const { container } = render(ReplayPage, { match: 'mine', play: 4 });
    await screen.findByRole('heading', { name: /^Replay:? .+/ }, LONG_WAIT);
    expect(asked).toContainEqual(expect.stringMatching(/matches\/mine\/replay\?seat=open&you=1\b/));
    expect(container.querySelectorAll('.stage .name')[1]?.textContent).toBe('You');
    expect(container.querySelector('.log')?.textContent).toContain('You');
    screen.getByLabelText('Your cards');
    expect(container.textContent, 'nowhere').not.toContain('Guest');
    expect(container.innerHTML, 'nor in a label').not.toContain('Guest');
  });

  it('calls everyone by name where no seat was mine', async () => {
    const { container } = render(ReplayPage, { match: 'theirs', play: 4 });
    await screen.findByRole('heading', { name: /^Replay:? .+/ }, LONG_WAIT);
    expect(asked).toContainEqual(
      expect.stringMatching(/matches\/theirs\/replay\?seat=open(?!&you)/),
    );
    expect(container.querySelectorAll('.stage .name')[1]?.textContent).toBe('Guest');
    expect(container.querySelector('.stage')?.textContent).not.toContain('You');
  });
});

describe('Play on from here', () => {
  it('suggests the seat that this browser had in the match, not the one on turn', async () => {
    HTMLDialogElement.prototype.showModal ??= vi.fn();
    const replay = open as unknown as Replay;
    const board = new ReplayBoard(replay, 4);
    const other = (board.view.waiting_for[0]! + 1) % replay.seats;
    const mine = new ReplayBoard(replay, 4, 'play', other);
    render(ReplayTools, { board: mine, pace: 1, address: '/replay/m/4' });
    await fireEvent.click(screen.getByRole('button', { name: 'Play on from here' }));
    expect(screen.getByLabelText('Whose cards do you play?')).toHaveProperty(
      'dataset.value',
      String(other),
    );
  });
});

describe('the review', () => {
  const review = {
    title: 'Reviewed',
    meaning: 'What it means.',
    players: [0, 1].map((seat) => ({
      seat,
      name: ['Ada', 'Ben'][seat],
      ...{ luck: 1.5, luck_error: 0.1, cost: 0, cost_error: 0, rest: 0, result: 1.5 },
      ...{ mistakes: 0, decisions: 3, rounds: [], moments: [] },
    })),
  };

  it('is open and as it was for someone who comes back', async () => {
    history.replaceState(null, '');
    vi.stubGlobal('fetch', async () => new Response(JSON.stringify(review)));
    const names = ['Ada', 'Ben'];
    const first = render(ReviewPanel, { match: 'm', game: 'stichling', names });
    await fireEvent.click(screen.getByRole('button', { name: 'Review the match' }));
    await fireEvent.click(await screen.findByRole('button', { name: /Ben/ }));
    await tick();
    first.unmount();
    const again = render(ReviewPanel, { match: 'm', game: 'stichling', names });
    const ben = await screen.findByRole('button', { name: /Ben/ });
    expect(ben.getAttribute('aria-pressed')).toBe('true');
    again.unmount();
    render(ReviewPanel, { match: 'another', game: 'stichling', names });
    expect(screen.getByRole('button', { name: 'Review the match' })).toBeTruthy();
  });

  it('calls your seat "You"', async () => {
    history.replaceState(null, '');
    vi.stubGlobal('fetch', async () => new Response(JSON.stringify(review)));
    const facts = { match: 'mine', game: 'stichling', names: ['Ada', 'Ben'], seat: 1 };
    render(ReviewPanel, { ...facts, second: true });
    await fireEvent.click(screen.getByRole('button', { name: 'Review the match' }));
    expect(await screen.findByRole('button', { name: 'You' })).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Ben' })).toBeNull();
  });

  it('is in a fold that stays open for someone who comes back', async () => {
    history.replaceState(null, '');
    const children = createRawSnippet(() => ({ render: () => '<p>inside</p>' }));
    const facts = { title: 'Review', id: 'review', match: 'm', children };
    const first = render(Fold, facts);
    expect(first.container.querySelector('details')?.open, 'closed at first').toBe(false);
    first.container.querySelector('details')!.open = true;
    await fireEvent(first.container.querySelector('details')!, new Event('toggle'));
    first.unmount();
    expect(render(Fold, facts).container.querySelector('details')?.open).toBe(true);
  });
});

describe('Verify', () => {
  const serveRecord = (text: string) => vi.stubGlobal('fetch', async () => new Response(text));

  it('shows what is proved, the six words and the limits of the proof', async () => {
    serveRecord(sticheln);
    render(Verify, {
      match: 'm',
      game: 'sticheln',
      names: ['Ada', 'Ben', 'Cleo', 'Dora'],
      trusted: [true, false, false, false],
    });
    await fireEvent.click(screen.getByRole('button', { name: 'Recompute it here' }));
    expect(
      await screen.findByText(/record is consistent: its cards follow/, {}, LONG_WAIT),
    ).toBeTruthy();
    expect(screen.getByText(/kept no share of this match/)).toBeTruthy();
    expect(
      screen.getByText(/According to the server these drew their shares themselves: Ada/),
    ).toBeTruthy();
    expect(screen.queryByText(/nobody could choose/)).toBeNull();
    expect(screen.getByText(/can look at all cards/)).toBeTruthy();
    expect(
      within(screen.getByRole('list', { name: 'The six words' })).getAllByRole('listitem').length,
    ).toBe(6);
  });

  it('rejects a tampered record and says why', async () => {
    const record = JSON.parse(sticheln) as { rounds: { hands: string[][] }[] };
    record.rounds[1]!.hands[2]!.reverse();
    serveRecord(JSON.stringify(record));
    render(Verify, { match: 'm', game: 'sticheln', names: ['Ada', 'Ben', 'Cleo', 'Dora'] });
    await fireEvent.click(screen.getByRole('button', { name: 'Recompute it here' }));
    expect(
      await screen.findByText(
        'Round 2: The hand of Cleo is not the one that was dealt.',
        {},
        LONG_WAIT,
      ),
    ).toBeTruthy();
    expect(screen.queryByText(/Everything holds/)).toBeNull();
  });
});
