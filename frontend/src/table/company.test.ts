import { fireEvent, render, screen } from '@testing-library/svelte';
import { tick } from 'svelte';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { characters } from '../start/characters.svelte';
import { storeOf, tableOf } from '../start/testing';
import { still } from '../state/frames';
import { settings } from '../state/settings.svelte';
import type { TableStore } from '../state/table.svelte';
import { fakeAudio, touch } from './audio.testing';
import Announcer from './Announcer.svelte';
import AwayNote from './AwayNote.svelte';
import Bar from './Bar.svelte';
import ChatBox from './ChatBox.svelte';
import LogList from './LogList.svelte';
import Menu from './Menu.svelte';
import OwnPlate from './OwnPlate.svelte';
import Panels from './Panels.svelte';
import { REACTIONS } from './reactions';
import TapHint, { isNews } from './TapHint.svelte';
import { aView, reactive } from './testing.svelte';
import { trickCount } from './turn';
import type { GameParts } from '../games/parts';
import Waiting from '../games/generic/Waiting.svelte';

const PARTS = {} as GameParts;
const TRICKS = [
  { kind: 'trick', seat: 1, cards: [] },
  { kind: 'play', seat: 1, move: 'R5', cards: ['R5'] },
  { kind: 'trick', seat: 1, cards: ['R5'] },
];

beforeEach(() => {
  vi.spyOn(characters, 'load').mockResolvedValue();
  settings.lang = 'en';
  localStorage.clear();
});
afterEach(() => vi.useRealTimers());

/** Return a table with the facts that the test sets. */
function company(more: object = {}, facts: object = {}): { store: TableStore; asked: unknown[] } {
  const { store } = storeOf('ada', tableOf(facts));
  const asked: unknown[] = [];
  const log = TRICKS.map((event, at) => ({ at, nth: 0, event, words: `line ${at}` }));
  Object.assign(store, {
    chat: [],
    events: TRICKS,
    log,
    nameOf: () => 'Ben',
    deal: { words: [], own: 'unknown', noted: () => true },
    solo: false,
    watching: 0,
    say: (words: object) => asked.push(words),
    ...more,
  });
  return { store, asked };
}

test('a line of an older trick says why the trick cannot be looked at', async () => {
  const { store } = company();
  render(LogList, { store, parts: PARTS });
  await fireEvent.click(screen.getByRole('button', { name: 'line 0' }));
  expect(screen.getByText(/Older tricks stay face down/)).not.toBeNull();
  await fireEvent.click(screen.getByRole('button', { name: 'line 2' }));
  expect(screen.queryByText(/Older tricks stay face down/)).toBeNull();
  expect(screen.getByRole('figure')).not.toBeNull();
});

test.each([
  ['en', 'Your turn', 'You'],
  ['de', 'Du bist dran', 'Du'],
] as const)('your own seat has no name but a pronoun (%s)', (lang, turn, waits) => {
  settings.lang = lang;
  const view = aView({ waiting_for: [0], totals: [4, 0, 0] });
  const parts = { Own: Waiting } as unknown as GameParts;
  for (const [myTurn, title] of [
    [true, turn],
    [false, waits],
  ] as const) {
    const { store } = company({ frame: still(view), around: still(view), view, seat: 0, myTurn });
    const { container, unmount } = render(OwnPlate, { store, parts, seat: 0 });
    expect(container.querySelector('.title')?.textContent).toBe(title);
    unmount();
  }
});

test('while a finished trick rests, your own plate does not say that it is your turn yet', () => {
  settings.lang = 'en';
  const view = aView({ waiting_for: [0], totals: [4, 0, 0] });
  const around = { ...still(view), held: [{ place: 0, taker: 0 }] };
  const { store } = company({ frame: around, around, view, seat: 0, myTurn: true });
  const parts = { Own: Waiting } as unknown as GameParts;
  const { container } = render(OwnPlate, { store, parts, seat: 0 });
  expect(container.querySelector('.title')?.textContent).toBe('You');
});

test('where no trick may be looked at, the last one is not shown', () => {
  const settingsOf = (memory: string) => ({ ...tableOf().settings, memory });
  const shown = (memory: string) => {
    const { store } = company({}, { settings: settingsOf(memory), stage: 'playing' });
    const panel = { store, parts: PARTS, panel: 'last' as const, act: vi.fn(), onclose: vi.fn() };
    const { unmount, baseElement } = render(Panels, panel);
    const text = baseElement.textContent;
    unmount();
    return text;
  };
  expect(shown('none')).toContain('tricks stay face down until the round is over');
  expect(shown('last trick')).not.toContain('face down');
});

test('the six words are in the menu, but not if nobody else plays', () => {
  const words = ['one', 'two', 'three', 'four', 'five', 'six'];
  const deal = { words, own: 'mine', noted: () => true };
  const props = { act: vi.fn(), onclose: vi.fn() };
  const { unmount } = render(Menu, { store: company({ deal }).store, ...props });
  expect(screen.getAllByRole('listitem').map((one) => one.textContent)).toEqual(words);
  unmount();
  render(Menu, { store: company({ deal, solo: true }).store, ...props });
  expect(screen.queryByText('three')).toBeNull();
});

test('the menu switches sounds off and on, and what is on is heard at once', async () => {
  const audio = fakeAudio();
  settings.sound = true;
  touch();
  render(Menu, { store: company().store, act: vi.fn(), onclose: vi.fn() });
  await fireEvent.click(screen.getByRole('button', { name: 'Turn sounds off' }));
  expect(settings.sound).toBe(false);
  expect(audio.started).toEqual([]);
  await fireEvent.click(screen.getByRole('button', { name: 'Turn sounds on' }));
  expect(settings.sound).toBe(true);
  expect(audio.started.length).toBeGreaterThan(0);
  vi.unstubAllGlobals();
});

test('a seat counts down to the bot, silently', async () => {
  vi.useFakeTimers({ now: 0 });
  render(AwayNote, { at: 42_000 });
  expect(screen.getByText('bot takes over in 42 s').getAttribute('aria-hidden')).toBe('true');
  vi.advanceTimersByTime(2_000);
  await tick();
  expect(screen.getByText('bot takes over in 40 s')).not.toBeNull();
});

test('that someone is gone is announced once', async () => {
  vi.useFakeTimers({ now: 0 });
  const { store } = company({
    selection: { asked: null },
    status: 'open',
    spokenOutlook: null,
    view: null,
    log: [],
  });
  const live = reactive(store as unknown as Record<string, unknown>) as unknown as TableStore;
  render(Announcer, { store: live });
  const gone = (here: boolean) => {
    const people = live.table!.people.map((one) =>
      one.id === 'ben' ? { ...one, here, bot_at: here ? null : 60_000 } : one,
    );
    live.table = { ...live.table!, people };
  };
  gone(false);
  await tick();
  vi.advanceTimersByTime(1_000);
  await tick();
  const region = screen.getByRole('status');
  expect(region.textContent).toBe('Ben is away. A bot takes over in 60 seconds.');
  region.textContent = '';
  gone(false);
  await tick();
  vi.advanceTimersByTime(5_000);
  await tick();
  expect(region.textContent).toBe('');
});

test('the bar has a button for the rules of the moment', async () => {
  const onrules = vi.fn();
  render(Bar, { store: company().store, onrules });
  await fireEvent.click(screen.getByRole('button', { name: /rules/i }));
  expect(onrules).toHaveBeenCalledOnce();
});

test('six reactions are sent with one tap, and shown in words', async () => {
  const { store, asked } = company({ chat: [{ note: 'said', person: 'ben', preset: 'oops' }] });
  render(ChatBox, { store });
  const row = screen.getByRole('group');
  const buttons = [...row.querySelectorAll('button')];
  expect(buttons).toHaveLength(6);
  expect(new Set(buttons.map((one) => one.getAttribute('aria-label'))).size).toBe(6);
  for (const button of buttons) await fireEvent.click(button);
  expect(asked).toEqual(REACTIONS.map((preset) => ({ preset })));
  expect(screen.queryByRole('combobox')).toBeNull();
  expect(screen.getByRole('textbox')).not.toBeNull();
  expect(screen.getByText(/Oops/i)).not.toBeNull();
});

test('that a tap goes on is said once', () => {
  expect(isNews()).toBe(true);
  const { unmount } = render(TapHint);
  expect(screen.getByText('Tap to go on')).not.toBeNull();
  unmount();
  expect(isNews()).toBe(false);
});

test('tricks that are put away are counted', () => {
  const view = aView({ phase: 'play', hand_sizes: [3, 3, 3] });
  const put = [0, 1, 2].map((seat) => ({ kind: 'play' as const, seat, move: '' }));
  const events = [...put, { kind: 'trick' as const, seat: 1, cards: [] }];
  expect(trickCount(still(view), view, events)).toEqual({ trick: 2, tricks: 4 });
});
