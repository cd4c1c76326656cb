import { render } from '@testing-library/svelte';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { tableOf } from '../start/testing';
import { settings } from '../state/settings.svelte';
import TablePage from './TablePage.svelte';

/** A socket that notes what is sent. */
class NotingSocket {
  static last: NotingSocket;
  sent: { type: string; wait?: boolean }[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;

  constructor() {
    NotingSocket.last = this;
  }

  send(raw: string): void {
    this.sent.push(JSON.parse(raw));
  }

  close(): void {
    // Nobody waits for it.
  }
}

// The game is loaded first: slow while other tests run in parallel.
vi.setConfig({ testTimeout: 30_000 });
const LONG_WAIT = { timeout: 20_000 };

beforeEach(() => {
  vi.stubGlobal('WebSocket', NotingSocket);
  vi.stubGlobal('fetch', async () => new Response('{}', { status: 503 }));
  settings.lang = 'en';
  settings.motion = 'off';
  settings.seen = [];
  localStorage.clear();
});
afterEach(() => vi.unstubAllGlobals());

test('who opens a day that is new to them lets the bots wait for the introduction', async () => {
  render(TablePage, { id: 'T1' });
  const socket = NotingSocket.last;
  socket.onopen?.();
  const table = tableOf({ game: 'stichtag', options: { date: '09-01', sheets: [] } });
  const here = { version: 1, seq: 1, fresh: true, person: 'ada', seat: 0, ply: 0 };
  const nothing = { take_back: false, renewed: [], view: null, steps: [] };
  socket.onmessage?.({ data: JSON.stringify({ type: 'welcome', ...here, ...nothing, table }) });
  const waits = () => socket.sent.filter((one) => one.type === 'wait-for-me');
  await vi.waitFor(() => expect(waits().map((one) => one.wait)).toEqual([true]), LONG_WAIT);
});
