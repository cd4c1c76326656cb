/**
 * What tests of the start page need: games as the server sends them, and a table without a server.
 */
import { known } from '../games/known.svelte';
import type { GameInfo, OptionInfo, Table } from '../protocol';
import type { Request } from '../net/connection';
import type { TableStore } from '../state/table.svelte';
import { USUAL_SETTINGS } from './choices';

const NO_WORDS = { title: '', text: '', labels: [], lowest: null, highest: null };

function option(wish: Pick<OptionInfo, 'name' | 'kind'> & Partial<OptionInfo>): OptionInfo {
  return {
    ...NO_WORDS,
    default: null,
    values: [null],
    ...wish,
    title: wish.name,
    labels: (wish.values ?? []).map(String),
  };
}

const starter = (seats: number) =>
  option({ name: 'starter', kind: 'number', lowest: 0, highest: seats - 1 });

const OPTIONS: Readonly<Record<string, (seats: number) => OptionInfo[]>> = {
  sticheln: (seats) => [
    option({ name: 'all_zero', kind: 'choice', default: 'nobody', values: ['nobody', 'leader'] }),
    option({ name: 'rounds', kind: 'number', default: seats, values: [], lowest: 1, highest: 12 }),
    starter(seats),
  ],
  stichtag: (seats) => [
    option({ name: 'date', kind: 'date' }),
    option({ name: 'rounds', kind: 'choice', default: 3, values: [3, 2, null] }),
    option({ name: 'sheets', kind: 'sheets', default: [], values: [] }),
    starter(seats),
  ],
};

function game(
  name: string,
  title: string,
  seats: readonly number[],
  authors: readonly string[],
): GameInfo {
  const options = Object.fromEntries(seats.map((count) => [count, OPTIONS[name]?.(count) ?? []]));
  const presentation = known(name);
  return {
    name,
    title,
    seats,
    authors,
    options,
    presentation,
    sentence: `What ${title} is.`,
    minutes: [25, 40],
    hides_score: name === 'sticheln',
  };
}

export const GAMES: readonly GameInfo[] = [
  game('sticheln', 'Sticheln', [3, 4, 5, 6], ['Klaus Palesch']),
  game('stichtag', 'Stichtag', [3, 4, 5], ['Emely Brand', 'Inka Brand', 'Markus Brand']),
];

/** A table of Sticheln: Ada is host, Ben a guest, the third seat a bot's, the fourth is free. */
export function tableOf(changes: Partial<Table> = {}): Table {
  return {
    id: 'T1',
    game: 'sticheln',
    seats: 4,
    options: { all_zero: 'nobody', rounds: 4, starter: null },
    settings: USUAL_SETTINGS,
    host: 'ada',
    owner: 'ada',
    blocked: [],
    stage: 'gathering',
    match: null,
    dealing: null,
    ask: null,
    deadline: null,
    aborts: 0,
    agreed: [],
    people: [
      { id: 'ada', name: 'Ada', here: true, muted: false, bot_at: null },
      { id: 'ben', name: 'Ben', here: true, muted: false, bot_at: null },
    ],
    places: [
      { person: 'ada', level: null, mark: 0 },
      { person: 'ben', level: null, mark: 1 },
      { person: null, level: 'easy', mark: 2 },
      { person: null, level: null, mark: 3 },
    ],
    ...changes,
  };
}

/** A store that only records requests. */
export function storeOf(
  person: string | null,
  table: Table = tableOf(),
): { store: TableStore; asked: Request[]; joined: string[] } {
  const asked: Request[] = [];
  const joined: string[] = [];
  const store = {
    id: table.id,
    table,
    person,
    isHost: person === table.host,
    watching: 1,
    complaint: null,
    seat: null,
    nameOf: (seat: number) =>
      table.people.find((one) => one.id === table.places[seat]?.person)?.name ?? '',
    asksToDealAgain: false,
    dealAgainMissing: [],
    ask: async (request: Request) => void asked.push(request),
    join: async (name: string) => !!joined.push(name),
  };
  return { store: store as unknown as TableStore, asked, joined };
}
