import { render, screen } from '@testing-library/svelte';
import { tick } from 'svelte';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import type { Outlook } from '../protocol';
import { settings } from '../state/settings.svelte';
import type { TableStore } from '../state/table.svelte';
import Announcer from './Announcer.svelte';
import { outlookOf } from '../games/board.fixture';
import { aView, reactive } from './testing.svelte';

const SITUATION = { sentences: [], section: '', anchor: '', sheet: null };

/** Return a table that waits for a choice; `outlook` is in another language. */
function choosing(): TableStore & { spokenOutlook: Outlook | null } {
  const store = reactive({
    view: aView({ phase: 'lay', moves: ['R1'] }),
    table: { match: 'm', people: [] },
    myTurn: true,
    ply: 0,
    log: [],
    chat: [],
    events: [],
    status: 'open',
    complaint: null,
    person: 'p',
    seat: 0,
    selection: { asked: null },
    outlook: outlookOf({ situation: { heading: 'Lay out your piles', ...SITUATION } }),
    spokenOutlook: null,
  });
  return store as unknown as ReturnType<typeof choosing>;
}

beforeEach(() => {
  vi.useFakeTimers();
  settings.lang = 'de';
});
afterEach(() => vi.useRealTimers());

async function announced(): Promise<string> {
  await tick();
  return screen.getByRole('status').textContent ?? '';
}

test('a choice is announced with the text of the server', async () => {
  const outlook = outlookOf({ situation: { heading: 'Lege deine Stapel aus', ...SITUATION } });
  const store = choosing();
  render(Announcer, { store });
  store.spokenOutlook = outlook;
  expect(await announced()).toBe('Lege deine Stapel aus.');
});

test('text in another language is not read aloud', async () => {
  render(Announcer, { store: choosing() });
  vi.advanceTimersByTime(1000);
  const words = await announced();
  expect(words).not.toBe('');
  expect(words).not.toContain('Lay out');
});
