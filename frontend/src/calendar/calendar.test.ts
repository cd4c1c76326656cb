import { fireEvent, render, screen } from '@testing-library/svelte';
import { beforeEach, expect, test, vi } from 'vitest';

import type { Day } from '../protocol';
import { router } from '../state/route.svelte';
import { settings } from '../state/settings.svelte';
import CalendarPage from './CalendarPage.svelte';
import { anyDate, dateWords, daysOf, isReal, partsOf, turned } from './dates';

function day(date: string, more: Partial<Day> = {}): Day {
  const sheet = {
    text: [],
    symbol: null,
    drawing: '',
    facts: [],
    shown: [],
    marks: [],
    panels: [],
    values: [],
    origin_text: '',
    replaces: [],
    extends: [],
    notes: [],
  };
  return {
    lang: 'en',
    date,
    words: date,
    real: true,
    previous: '09-13',
    next: '09-15',
    notes: [],
    sheets: [
      {
        ...sheet,
        name: 'green 1',
        kind: 'green',
        number: 1,
        label: 'Green 1',
        title: 'Fewest points',
        short: 'Few!',
        origin: 'documented',
      },
      {
        ...sheet,
        name: 'red 4',
        kind: 'red',
        number: 4,
        label: 'Red 4',
        title: 'Announcement',
        short: 'Bid!',
        origin: 'partly',
      },
      {
        ...sheet,
        name: 'September',
        kind: 'month',
        number: 9,
        label: 'September',
        title: 'Leaf pile',
        short: 'Leaf!',
        origin: 'own',
      },
    ],
    sections: [
      { id: 'top', heading: 'Top', level: 1, markdown: 'All holds.' },
      { id: 'end', heading: 'The end', level: 2, markdown: 'Then count.' },
    ],
    ...more,
  };
}

beforeEach(() => {
  settings.lang = 'en';
  settings.favourites = [];
  settings.birthday = '';
  vi.unstubAllGlobals();
});

function stubFetch(found: unknown, status = 200): void {
  vi.stubGlobal('fetch', () => Promise.resolve(new Response(JSON.stringify(found), { status })));
}

test('the calendar has 480 dates, 366 of them real', () => {
  const months = Array.from({ length: 12 }, (_, at) => daysOf(at + 1));
  expect(months.flatMap((one) => one.real)).toHaveLength(366);
  expect(months.flatMap((one) => one.impossible)).toHaveLength(480 - 366);
  expect([isReal('02-29'), isReal('02-30'), isReal('09-00'), isReal('12-39')]).toEqual([
    true,
    false,
    false,
    false,
  ]);
});

test('each sheet steps on its own and wraps around', () => {
  expect(turned('09-14', 'green', 1)).toBe('09-24');
  expect(turned('09-34', 'green', 1)).toBe('09-04');
  expect(turned('09-10', 'red', -1)).toBe('09-19');
  expect(turned('12-14', 'month', 1)).toBe('01-14');
});

test('dates are spelled out, impossible ones too', () => {
  expect(dateWords('02-30')).toBe('30 February');
  settings.lang = 'de';
  expect(dateWords('03-05')).toBe('5. März');
  expect(partsOf('13-01')).toBeNull();
  expect(partsOf(anyDate(() => 0.999))).toEqual({ month: 12, tens: 3, ones: 9 });
});

test('a day shows its sheets, origins and rules, and a play button', async () => {
  stubFetch(day('09-14'));
  render(CalendarPage, { date: '09-14' });
  expect(await screen.findByRole('heading', { level: 1, name: '14 September' })).toBeTruthy();
  expect(screen.getByText('Leaf pile')).toBeTruthy();
  expect(screen.getByText('source known')).toBeTruthy();
  expect(screen.getByRole('heading', { name: 'The end' })).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Play this day now' })).toBeTruthy();
});

test('a favourite can be added and removed', async () => {
  stubFetch(day('09-14'));
  render(CalendarPage, { date: '09-14' });
  await fireEvent.click(await screen.findByRole('button', { name: 'Add to favourites' }));
  expect(settings.favourites).toEqual(['09-14']);
  await fireEvent.click(screen.getByRole('button', { name: 'Remove from favourites' }));
  expect(settings.favourites).toEqual([]);
});

test('the play button creates a table for the date and opens it', async () => {
  stubFetch(day('09-14'));
  render(CalendarPage, { date: '09-14' });
  const play = await screen.findByRole('button', { name: 'Play this day now' });
  const sent: unknown[] = [];
  vi.stubGlobal('fetch', (_: URL, options: RequestInit) => {
    sent.push(JSON.parse(String(options.body)));
    return Promise.resolve(new Response(JSON.stringify({ table: 'T1', token: 'x'.repeat(43) })));
  });
  const go = vi.spyOn(router, 'go').mockImplementation(() => undefined);
  await fireEvent.click(play);
  await vi.waitFor(() => expect(go).toHaveBeenCalledWith('/t/T1'));
  expect(sent).toMatchObject([{ game: 'stichtag', options: { date: '09-14' } }]);
  go.mockRestore();
});

test('an invalid date shows an error and links to other dates', async () => {
  stubFetch({ error: 'bad-date', text: 'No such date.', data: {} }, 404);
  render(CalendarPage, { date: '77-77' });
  expect(await screen.findByText('No such date.')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Today' })).toBeTruthy();
});
