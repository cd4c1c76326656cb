import { render, screen, within } from '@testing-library/svelte';
import { beforeEach, expect, test } from 'vitest';

import type { View } from '../protocol';
import { settings } from '../state/settings.svelte';
import type { TableStore } from '../state/table.svelte';
import ScoreTable from './ScoreTable.svelte';
import Standings from './Standings.svelte';
import { aView } from './testing.svelte';

/** Ada and Cem play against Ben and דנה. */
const TEAMS: Partial<View> = {
  game: 'null-nichtig',
  seats: 4,
  names: ['Ada', 'Ben', 'Cem', 'דנה'],
  table: {
    teams: [
      [0, 2],
      [1, 3],
    ],
    team_totals: [30, -4],
  },
  scores: [[12, 3, 18, -7]],
  totals: [12, 3, 18, -7],
};

beforeEach(() => {
  settings.lang = 'en';
});

/** Return a table where one sits in the first seat. */
function storeOf(facts: Partial<View>): TableStore {
  const view = aView({ seat: 0, ...facts });
  const nameOf = (seat: number) => view.names[seat] ?? '';
  return { view, seat: 0, nameOf, events: [] } as unknown as TableStore;
}

const wordsOf = (element: Element) => element.textContent.replace(/\s+/g, ' ').trim();

test('partners stand together under the sum of their team', () => {
  const { container } = render(Standings, { store: storeOf(TEAMS) });
  const teams = [...container.querySelectorAll('.standings > li')].map((team) => ({
    sum: wordsOf(team.querySelector('.sum')!),
    partners: [...team.querySelectorAll('li')].map(wordsOf),
  }));
  expect(teams).toEqual([
    { sum: 'Team A 30', partners: ['you 12 12', 'Cem 18 18'] },
    { sum: 'Team B −4', partners: ['Ben 3 3', 'דנה −7 −7'] },
  ]);
});

test('without teams everybody stands alone, in the order of the seats', () => {
  const alone = { ...TEAMS, table: {} };
  const { container } = render(Standings, { store: storeOf(alone) });
  expect([...container.querySelectorAll('.standings > li')].map(wordsOf)).toEqual([
    'you 12 12',
    'Ben 3 3',
    'Cem 18 18',
    'דנה −7 −7',
  ]);
  expect(screen.queryByText(/^Team/)).toBeNull();
});

test('a name written from right to left is isolated in the standings', () => {
  const { container } = render(Standings, { store: storeOf(TEAMS) });
  const names = [...container.querySelectorAll('.standings bdi')].map(wordsOf);
  expect(names).toEqual(['you', 'Cem', 'Ben', 'דנה']);
});

test('round by round, each column names the team, and the last row has its sum', () => {
  render(ScoreTable, { store: storeOf(TEAMS) });
  const [, ...heads] = screen.getAllByRole('columnheader').map(wordsOf);
  expect(heads).toEqual(['youTeam A', 'BenTeam B', 'CemTeam A', 'דנהTeam B']);
  const sums = screen.getByRole('rowheader', { name: 'Team' }).closest('tr')!;
  expect(within(sums).getAllByRole('cell').map(wordsOf)).toEqual(['30', '−4', '30', '−4']);
});

test('the sums of teams are left out while a round before the last is shown', () => {
  const later = {
    ...TEAMS,
    scores: [
      [1, 1, 1, 1],
      [11, 2, 17, -8],
    ],
  };
  const { unmount } = render(ScoreTable, { store: storeOf(later), upTo: 1 });
  expect(screen.queryByRole('rowheader', { name: 'Team' })).toBeNull();
  unmount();
  render(ScoreTable, { store: storeOf(later), upTo: 2 });
  expect(screen.getByRole('rowheader', { name: 'Team' })).toBeTruthy();
});

test('a match without teams has no row for them', () => {
  render(ScoreTable, { store: storeOf({ ...TEAMS, table: {} }) });
  expect(screen.queryByText(/Team/)).toBeNull();
});
