import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { AnnouncedDeal } from '../deal/testing';
import { threeSeatView } from '../games/board.fixture';
import type { Event, Notes, Renewed, Table, View } from '../protocol';
import { linesOf } from '../table/lines';
import { withWords } from './log';
import { moving } from './moves.testing';
import { motion } from '../motion/motion';
import { settings } from './settings.svelte';
import { TableStore } from './table.svelte';
import { ownTables } from './tokens';

type Sent = { type: string; id: number } & Record<string, unknown>;

/** A socket with a fake server. */
class FakeSocket {
  static last: FakeSocket;
  sent: Sent[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;

  constructor() {
    FakeSocket.last = this;
  }

  send(raw: string): void {
    this.sent.push(JSON.parse(raw));
  }

  close(): void {
    this.onclose?.({ code: 1000 });
  }
}

const VIEW: View = threeSeatView({ names: ['Ada', 'Ben', 'Mia'] });

const TABLE: Table = {
  id: 'table',
  game: 'sticheln',
  seats: 3,
  options: {},
  host: 'p',
  settings: {
    watch: 'all',
    clock: null,
    away: 60,
    level: 'medium',
    hints: true,
    take_back: true,
    chat: true,
    running_score: false,
    pace: 'normal',
    memory: 'last trick',
    listed: false,
  },
  people: [{ id: 'p', name: 'Ada', here: true, muted: false, bot_at: null }],
  places: [
    { person: 'p', level: null, mark: 0 },
    { person: null, level: 'easy', mark: 1 },
    { person: null, level: 'easy', mark: 2 },
  ],
  stage: 'playing',
  match: 'm',
  dealing: null,
  ask: null,
  deadline: null,
  owner: 'p',
  blocked: [],
  aborts: 0,
  agreed: [],
};

let store: TableStore;
let seq = 0;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('WebSocket', FakeSocket);
  settings.motion = 'off';
  settings.hold = 1;
  settings.oneTap = false;
  localStorage.clear();
  seq = 0;
  store = new TableStore('table');
});

afterEach(() => {
  store.close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function receive(message: object): void {
  FakeSocket.last.onmessage?.({ data: JSON.stringify(message) });
}

function welcome(more: object = {}): void {
  FakeSocket.last.onopen?.();
  seq += 1;
  const here = { version: 1, seq, fresh: true, person: 'p', seat: 0, ply: 0, take_back: false };
  receive({ type: 'welcome', renewed: [], ...here, table: TABLE, view: VIEW, steps: [], ...more });
}

function update(view: Partial<View> | null, events: Event[] = [], notes: Notes[] = []): void {
  seq += 1;
  const words = events.map((event) => `${event.kind} in words`);
  const note_words = notes.map((one) => `${one.note} in words`);
  const step = { seq, notes, events, words, note_words };
  const sent = view && { ...VIEW, ...view };
  receive({
    type: 'update',
    seq,
    steps: [step],
    seat: 0,
    ply: 1,
    table: null,
    view: sent,
    take_back: false,
    renewed: [],
  });
}

function asked(type: string): Sent[] {
  return FakeSocket.last.sent.filter((one) => one.type === type);
}

test('the server decides whether a move can be taken back', () => {
  welcome();
  expect(store.canTakeBack).toBe(false);
  receive({
    type: 'update',
    seq: (seq += 1),
    steps: [],
    seat: 0,
    ply: 1,
    table: null,
    view: null,
    take_back: true,
    renewed: [],
  });
  expect(store.canTakeBack).toBe(true);
  update({});
  expect(store.canTakeBack).toBe(false);
});

test('a move is pending until the server stores it', async () => {
  welcome();
  expect(store.myTurn).toBe(true);
  const playing = store.play('R1');
  expect(store.sending).toBe('R1');
  expect(store.myTurn, 'not twice').toBe(false);
  void store.play('R2');
  expect(asked('play')).toEqual([
    { type: 'play', match: 'm', ply: 0, move: 'R1', id: expect.any(Number) },
  ]);
  receive({ type: 'done', id: asked('play')[0]!.id, seq: 2 });
  await playing;
  expect(store.sending).toBeNull();
});

test('a refused move shows the reason and can be retried', async () => {
  welcome();
  const playing = store.play('R1');
  const id = asked('play')[0]!.id;
  receive({ type: 'refused', id, error: 'not-your-turn', text: 'Ben is on turn.', data: {} });
  await playing;
  expect(store.complaint).toBe('Ben is on turn.');
  expect(store.myTurn).toBe(true);
});

test('a finished trick is held before the next frame is shown', () => {
  welcome({
    view: {
      ...VIEW,
      tricks: [
        {
          place: 0,
          led: 'G',
          plays: [
            [1, 'G1'],
            [2, 'G2'],
          ],
          winning: 2,
          cards: [['G1'], ['G2']],
        },
      ],
    },
  });
  update({ hand: ['R2'], taken: [1, 0, 0] }, [
    { kind: 'play', seat: 0, move: 'R1', cards: ['R1'] },
    { kind: 'trick', seat: 0, cards: [] },
  ]);
  expect(store.view?.taken, 'known at once').toEqual([1, 0, 0]);
  expect(store.frame?.held).toEqual([{ place: 0, taker: 0, words: 'trick in words' }]);
  vi.advanceTimersByTime(900);
  expect(store.frame?.held).toHaveLength(1);
  vi.advanceTimersByTime(200);
  expect(store.frame?.held).toEqual([]);
  expect(store.frame?.view.taken).toEqual([1, 0, 0]);
});

test('with a hold of 0 a finished trick stays until tapped', () => {
  settings.hold = 0;
  welcome({
    view: {
      ...VIEW,
      tricks: [{ place: 0, led: 'G', plays: [[1, 'G1']], winning: 1, cards: [['G1']] }],
    },
  });
  update({}, [{ kind: 'trick', seat: 1, cards: [] }]);
  vi.advanceTimersByTime(60_000);
  expect(store.waitsForTap).toBe(true);
  store.goOn();
  expect(store.frame?.held).toEqual([]);
});

test('the result of a round stays until dismissed, whatever happens meanwhile', () => {
  welcome();
  update({ round: 2, scores: [[1, 2, 3]] }, [
    { kind: 'scored', scores: [1, 2, 3], totals: [1, 2, 3] },
  ]);
  for (let play = 0; play < 9; play += 1)
    update({ round: 2 }, [{ kind: 'play', seat: 1, move: `B${play}` }]);
  vi.advanceTimersByTime(60_000);
  expect(store.frame?.roundOver).toBe(1);
  store.goOn();
  vi.advanceTimersByTime(5_000);
  expect(store.frame?.roundOver).toBeNull();
  expect(store.frame?.view).toEqual(store.view);
});

test('a queued card is played once legal, and dropped when illegal', async () => {
  welcome({ view: { ...VIEW, moves: [], waiting_for: [1] } });
  store.queue('R1');
  update({});
  expect(asked('play').map((one) => one.move)).toEqual(['R1']);
  receive({ type: 'done', id: asked('play')[0]!.id, seq });
  store.queue('R2');
  update(moving(['R1']));
  await vi.advanceTimersByTimeAsync(0);
  expect(store.queued).toBeNull();
  expect(asked('play')).toHaveLength(1);
});

test('a taken-back move is removed from the events', () => {
  welcome();
  update({}, [{ kind: 'play', seat: 0, move: 'R1', cards: ['R1'] }]);
  expect(store.events.map((event) => event.kind)).toEqual(['play']);
  update({}, [], [{ note: 'took-back', seat: 0, events: 1 }]);
  expect(store.log.at(-1)).toMatchObject({ nth: 0, words: 'took-back in words' });
  expect(store.events).toEqual([]);
});

test('the outlook is requested after changes, but throttled', () => {
  welcome();
  expect(asked('look')).toHaveLength(1);
  for (let play = 0; play < 20; play += 1)
    update({ stock: play }, [{ kind: 'play', seat: 1, move: `B${play}` }]);
  expect(asked('look')).toHaveLength(1);
  vi.advanceTimersByTime(300);
  expect(asked('look')).toHaveLength(2);
  settings.lang = settings.lang === 'de' ? 'en' : 'de';
  vi.advanceTimersByTime(300);
  store.look();
  expect(asked('look')).toHaveLength(3);
});

test('the log shows texts of the server and reloads them on a language switch', async () => {
  welcome();
  update({}, [{ kind: 'play', seat: 0, move: 'R1', cards: ['R1'] }]);
  expect(store.log.at(-1)).toMatchObject({ event: { kind: 'play' }, words: 'play in words' });
  store.renewWords();
  expect(asked('language')).toHaveLength(0);
  const { frame } = store;
  settings.lang = settings.lang === 'de' ? 'en' : 'de';
  store.renewWords();
  store.renewWords();
  expect(asked('language')).toEqual([
    { type: 'language', lang: settings.lang, id: expect.any(Number) },
  ]);
  const steps = [{ seq, words: ['Ein Spiel.'], note_words: [] }];
  receive({ type: 'language', id: asked('language')[0]!.id, steps });
  await vi.advanceTimersByTimeAsync(0);
  expect(store.log.at(-1)).toMatchObject({ event: { kind: 'play' }, words: 'Ein Spiel.' });
  expect(store.frame, 'nothing else changes').toBe(frame);
});

test('plates and texts follow a card that is played once it flies', () => {
  settings.motion = 'on';
  const drawn: FrameRequestCallback[] = [];
  vi.stubGlobal('requestAnimationFrame', (one: FrameRequestCallback) => drawn.push(one));
  const draw = (): void => {
    for (const one of drawn.splice(0)) one(performance.now() - 5); // no room for two pieces of work
    vi.advanceTimersByTime(1);
  };
  welcome();
  draw();
  draw();
  const before = store.frame;
  expect(store.around).toBe(before);
  update({ hand: ['B9'] }, [{ kind: 'play', seat: 1, move: 'G2', cards: ['G2'] }]);
  expect(store.frame, 'a message is heard after a frame').toBe(before);
  draw();
  expect(store.frame, 'it is shown after the next').toBe(before);
  draw();
  expect(store.frame).not.toBe(before);
  const flying = vi.spyOn(motion, 'start');
  draw();
  expect(flying).toHaveBeenCalledOnce();
  expect(store.hand).toBe(before?.view.hand);
  draw();
  expect(store.hand).toEqual(['B9']);
  expect(store.around).toBe(before);
  draw();
  expect([store.around, store.told]).toEqual([store.frame, before]);
  draw();
  expect(store.told).toBe(store.frame);
});

test('each event of a step gets its own words in another language', () => {
  const event = (seat: number): Event => ({ kind: 'chosen', seat });
  const log = [0, 1].map((seat) => ({ at: 7, nth: seat, event: event(seat), words: 'before' }));
  const note = { at: 7, nth: 1, note: { note: 'changed' } as const, words: 'before' };
  const steps = [{ seq: 7, words: ['first', 'second'], note_words: ['', 'third'] }];
  const words = withWords([note, ...log], steps).map((line) => line.words);
  expect(words).toEqual(['third', 'first', 'second']);
});

test('after a fresh welcome log lines still refer to events of the match', () => {
  const events = [
    { kind: 'egg', seat: 1 },
    { kind: 'egg', seat: 2 },
  ];
  const step = { seq: 1, notes: [], events: events.slice(1), words: ['An egg.'], note_words: [] };
  welcome({ view: { ...VIEW, history: events }, steps: [step] });
  expect(store.events).toEqual(events);
  expect(store.log).toEqual([{ at: 1, nth: 0, event: events[1], words: 'An egg.' }]);
  expect(store.events.includes((store.log[0] as { event: Event }).event)).toBe(true);
  welcome({ view: { ...VIEW, history: [{ kind: 'trick', cards: [] }] }, steps: [step] });
  expect(store.events.map((event) => event.kind)).toEqual(['trick']);
});

test('texts in the previous language are not read aloud', async () => {
  const situation = { heading: 'Lay out', sentences: [], section: '', anchor: '', sheet: null };
  welcome();
  receive({ type: 'outlook', id: asked('look')[0]!.id, seq, situation });
  await vi.advanceTimersByTimeAsync(0);
  expect(store.spokenOutlook?.situation.heading).toBe('Lay out');
  settings.lang = settings.lang === 'de' ? 'en' : 'de';
  expect(store.spokenOutlook).toBeNull();
  expect(store.outlook).not.toBeNull();
  vi.advanceTimersByTime(300);
  store.look();
  receive({ type: 'outlook', id: asked('look')[1]!.id, seq, situation });
  await vi.advanceTimersByTimeAsync(0);
  expect(store.spokenOutlook).not.toBeNull();
});

test('after a failed deal check nothing is sent, also after a reload', async () => {
  const server = new AnnouncedDeal();
  welcome({ table: server.table('dealing'), view: null });
  receive({ type: 'done', id: asked('commit')[0]!.id, seq });
  await vi.advanceTimersByTimeAsync(0);
  const commits = ['f'.repeat(64), null, ...server.proof.client_commits.slice(2)];
  const replaced = server.table('dealing', { client_commits: commits });
  receive({
    type: 'update',
    seq: 2,
    steps: [],
    seat: 0,
    ply: 0,
    view: null,
    table: replaced,
    take_back: false,
    renewed: [],
  });
  vi.advanceTimersByTime(2_000);
  expect(store.deal.findings.map((one) => one.id)).toEqual(['deal-share-replaced']);
  const before = FakeSocket.last.sent.length;
  void store.ask({ type: 'begin' });
  void store.play('R1');
  vi.advanceTimersByTime(60_000);
  expect(FakeSocket.last.sent).toHaveLength(before);
  const again = new TableStore('table');
  expect(again.deal.stopped).toBe(true);
  again.close();
});

test('moves are sent if the deal check passes', async () => {
  const server = new AnnouncedDeal();
  welcome({ table: server.table('playing'), view: { ...server.view(0), ...moving(['R1']) } });
  expect(store.deal.findings).toEqual([]);
  void store.play('R1');
  expect(asked('play')).toHaveLength(1);
});

test('losing the seat at a private table clears the match', () => {
  welcome();
  update(
    {},
    [{ kind: 'play', seat: 0, move: 'R1', cards: ['R1'] } as Event],
    [{ note: 'said', person: 'p', text: 'hi', preset: null, name: 'Ada' }],
  );
  expect([store.chat.length, store.view !== null]).toEqual([1, true]);
  const table = { ...TABLE, settings: { ...TABLE.settings, watch: 'none' }, match: null };
  welcome({ seq: 0, seat: null, table, view: null });
  expect([store.outside, store.view, store.frame, store.chat, store.events]).toEqual([
    true,
    null,
    null,
    [],
    [],
  ]);
});

test('a take-back of unknown events is ignored', () => {
  welcome({
    steps: [
      {
        seq: 9,
        notes: [{ note: 'took-back', seat: 0, events: 2 }],
        events: [],
        words: [],
        note_words: [],
      },
    ],
  });
  expect(store.events).toEqual([]);
});

test('the token is deleted after a removal', () => {
  localStorage.setItem(
    'stichwerk-seat-table',
    JSON.stringify({ token: 't'.repeat(43), game: '', at: 1 }),
  );
  welcome();
  receive({ type: 'bye', error: 'removed', text: 'You were removed.' });
  FakeSocket.last.onclose?.({ code: 4410 });
  expect([store.status, store.bye?.text]).toEqual(['gone', 'You were removed.']);
  expect(localStorage.getItem('stichwerk-seat-table')).toBeNull();
});

test('bots are asked to wait while the person reads, again after a reconnection', () => {
  welcome();
  store.waitForMe(false);
  expect(asked('wait-for-me')).toEqual([]);
  store.waitForMe(true);
  store.waitForMe(true);
  expect(asked('wait-for-me').map((one) => one.wait)).toEqual([true]);
  FakeSocket.last.onclose?.({ code: 1006 });
  vi.advanceTimersByTime(60_000);
  welcome({ fresh: false });
  expect(asked('wait-for-me').length, 'at a new socket').toBeGreaterThan(0);
  store.waitForMe(false);
  expect(asked('wait-for-me').at(-1)?.wait).toBe(false);
});

test('the pace of the bots is sent and remembered', () => {
  welcome();
  void store.setPace('slow');
  expect(asked('pace').map((one) => one.pace)).toEqual(['slow']);
  expect(settings.pace).toBe('slow');
});

test('the start page learns who plays and how far it is', () => {
  localStorage.setItem(
    'stichwerk-seat-table',
    JSON.stringify({ token: 't'.repeat(43), game: 'sticheln', at: 1 }),
  );
  welcome({ view: { ...VIEW, round: 2, rounds: 3 } });
  const { seat } = ownTables()[0]!;
  expect(seat.progress).toEqual({ with: ['Ben', 'Mia'], round: 2, rounds: 3 });
});

test('a card that was passed is received until your next move', () => {
  welcome();
  seq += 1;
  const passed = { notes: [], events: [{ kind: 'chosen', seat: 1 }], words: [], note_words: [] };
  receive({
    type: 'update',
    seq,
    steps: [{ seq, ...passed, hand: { left: ['R1'], entered: ['L7'] } }],
    ...{ seat: 0, ply: 1, table: null, view: VIEW, take_back: false, renewed: [] },
  });
  expect(store.received).toEqual(['L7']);
  update({}, [{ kind: 'play', seat: 0, move: 'L7', cards: ['L7'] } as Event]);
  expect(store.received).toEqual([]);
});

test('leaving the seat notifies the deal guard', () => {
  welcome();
  const leave = vi.spyOn(store.deal, 'leave');
  void store.ask({ type: 'sit', seat: 1 });
  expect(leave).not.toHaveBeenCalled();
  void store.ask({ type: 'leave' });
  expect(leave).toHaveBeenCalledOnce();
});

const PLAYED: Event = { kind: 'play', seat: 1, move: 'R5', cards: ['R5'] };
const TAKEN: Event = { kind: 'trick', seat: 1, cards: ['R5'] };

/** The same trick when it is put away: steps from `first` on, `back` events before the end. */
function putAway(first: number, back: number): Renewed[] {
  return [
    { seq: first, nth: 0, back, event: { kind: 'play', seat: 1, move: '' }, words: '' },
    {
      seq: first,
      nth: 1,
      back: back - 1,
      event: { kind: 'trick', seat: 1, cards: [] },
      words: 'Ben takes the trick.',
    },
  ];
}

test('the cards of a trick that is put away are forgotten, in the log too', () => {
  welcome();
  update({}, [PLAYED, TAKEN]);
  const first = seq;
  expect(linesOf(store).map((line) => line.trick?.plays[0]?.card)).toEqual(['R5', 'R5']);
  seq += 1;
  const step = { seq, notes: [], events: [PLAYED, TAKEN], words: ['again', 'too'], note_words: [] };
  const here = { seat: 0, ply: 1, table: null, view: VIEW, take_back: false };
  receive({ type: 'update', seq, steps: [step], ...here, renewed: putAway(first, 4) });
  expect(JSON.stringify(store.events.slice(0, 2))).not.toContain('R5');
  const lines = linesOf(store);
  expect(lines.map(({ text, closed }) => [text, closed])).toEqual([
    ['Ben takes the trick.', true],
    ['again', false],
    ['too', false],
  ]);
  expect(lines[0]?.trick).toBeUndefined();
  expect(lines[2]?.trick?.plays[0]?.card).toBe('R5');
});

test('a rematch has other seats: tricks of the last match are not read with them', () => {
  welcome();
  update({}, [PLAYED, TAKEN]);
  update(null, [], [{ note: 'sealing', match: 'm2' }]);
  expect(linesOf(store).filter((line) => line.trick)).toEqual([]);
  expect(linesOf(store).map((line) => line.text)).toEqual([
    'play in words',
    'trick in words',
    'sealing in words',
  ]);
});

test('the table says when a bot takes over for someone who is gone', () => {
  welcome();
  receive({ type: 'presence', here: [], watching: 0, bot_at: { p: 42_000 } });
  expect(store.table?.people[0]).toMatchObject({ here: false, bot_at: 42_000 });
  receive({ type: 'presence', here: ['p'], watching: 0, bot_at: {} });
  expect(store.table?.people[0]).toMatchObject({ here: true, bot_at: null });
});

test('with one person among bots there is nobody to compare words with', () => {
  welcome();
  expect(store.solo).toBe(true);
  const [own, , bot] = TABLE.places;
  const places = [own!, { person: 'q', level: null, mark: 1 }, bot!];
  welcome({ table: { ...TABLE, places } });
  expect(store.solo).toBe(false);
});
