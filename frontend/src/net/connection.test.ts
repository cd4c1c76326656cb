import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import type { FromServer } from '../protocol';
import { Connection, Refusal } from './connection';
import type { Status } from './connection';

/** A socket with a fake server. */
class FakeSocket {
  static all: FakeSocket[] = [];
  sent: { type: string; id?: number; since?: number | null }[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;

  constructor(readonly url: string) {
    FakeSocket.all.push(this);
  }

  send(raw: string): void {
    this.sent.push(JSON.parse(raw));
  }

  close(): void {
    this.onclose?.({ code: 1000 });
  }

  receive(message: object): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }

  get asked(): string[] {
    return this.sent.map((one) => one.type);
  }
}

const statuses: Status[] = [];
const received: FromServer[] = [];
let since: number | null = null;
let connection: Connection;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('WebSocket', FakeSocket);
  FakeSocket.all = [];
  statuses.length = received.length = 0;
  since = null;
  connection = new Connection('table', {
    hello: () => ({ token: null, since, lang: 'en' }),
    onMessage: (message) => received.push(message),
    status: (status) => statuses.push(status),
  });
});

afterEach(() => {
  connection.close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function socket(): FakeSocket {
  return FakeSocket.all.at(-1)!;
}

function welcome(): void {
  socket().onopen?.();
  socket().receive({ type: 'welcome' });
}

test('sends hello first, and requests after the welcome', async () => {
  const asked = connection.ask({ type: 'begin' });
  socket().onopen?.();
  expect(socket().asked).toEqual(['hello']);
  socket().receive({ type: 'welcome' });
  expect(socket().asked).toEqual(['hello', 'begin']);
  expect(statuses).toEqual(['open']);
  socket().receive({ type: 'done', id: 1, seq: 5 });
  expect(await asked).toEqual({ type: 'done', id: 1, seq: 5 });
});

test('repeats unanswered requests with the same id after every disconnect', async () => {
  welcome();
  const asked = connection.ask({ type: 'play', match: 'm', ply: 3, move: 'G8' });
  for (const code of [1006, 1012]) {
    socket().onclose?.({ code });
    expect(statuses.at(-1)).toBe('lost');
    since = 17;
    vi.advanceTimersByTime(10_000);
    welcome();
    expect(socket().sent[0]?.since).toBe(17);
    expect(socket().sent[1]).toEqual({ type: 'play', match: 'm', ply: 3, move: 'G8', id: 1 });
  }
  socket().receive({ type: 'done', id: 1, seq: 18 });
  expect((await asked).type).toBe('done');
  socket().onclose?.({ code: 1006 });
  vi.advanceTimersByTime(10_000);
  welcome();
  expect(socket().asked, 'answered once, asked no more').toEqual(['hello']);
});

test('rejects a refused request with its text', async () => {
  welcome();
  const asked = connection.ask({ type: 'begin' });
  socket().receive({
    type: 'refused',
    id: 1,
    error: 'not-host',
    text: 'Only the host may.',
    data: {},
  });
  await expect(asked).rejects.toEqual(new Refusal('not-host', 'Only the host may.'));
});

test('does not reconnect after a final close code', () => {
  welcome();
  socket().onclose?.({ code: 4404 });
  vi.advanceTimersByTime(60_000);
  expect(statuses.at(-1)).toBe('gone');
  expect(FakeSocket.all).toHaveLength(1);
});

test('backs off between attempts, and retries at once when online again', () => {
  for (let attempt = 0; attempt < 8; attempt += 1) {
    socket().onclose?.({ code: 1006 });
    vi.advanceTimersByTime(8_000);
  }
  expect(FakeSocket.all).toHaveLength(9);
  socket().onclose?.({ code: 1006 });
  dispatchEvent(new Event('online'));
  expect(FakeSocket.all).toHaveLength(10);
});

test('pings a silent connection and drops it without an answer', () => {
  welcome();
  vi.advanceTimersByTime(16_500);
  expect(socket().asked).toContain('ping');
  expect(FakeSocket.all).toHaveLength(1);
  vi.advanceTimersByTime(8_000);
  expect(statuses.at(-1)).toBe('lost');
  expect(FakeSocket.all.length).toBeGreaterThan(1);
});

test('messages wait until they may be heard, then all of them are, in their order', () => {
  let hear: (() => void) | null = null;
  const soon = vi.fn<(call: () => void) => void>((call) => (hear = call));
  connection.close();
  connection = new Connection('table', {
    hello: () => ({ token: null, since, lang: 'en' }),
    onMessage: (message) => received.push(message),
    status: (status) => statuses.push(status),
    soon,
  });
  socket().onopen?.();
  socket().receive({ type: 'welcome' });
  socket().receive({ type: 'update' });
  expect(received).toHaveLength(0);
  expect(soon).toHaveBeenCalledTimes(1);
  hear!();
  expect(received.map(({ type }) => type)).toEqual(['welcome', 'update']);
  socket().receive({ type: 'presence' });
  expect(soon).toHaveBeenCalledTimes(2);
  socket().onclose?.({ code: 1006 });
  expect(received.at(-1)?.type, 'what came before the end is heard').toBe('presence');
  hear!();
  expect(received).toHaveLength(3);
});
