/** What the page knows about games: ours come with it, others are told by the server (`learn`). */
import type { GameInfo, Presentation } from '../protocol';
import { settings } from '../state/settings.svelte';
import ours from './games.json';

interface Known extends Presentation {
  name: string;
  title: string;
}

const OURS = ours as { de: readonly Known[]; en: readonly Known[] };
const UNKNOWN: Presentation = {
  page: 'generic',
  picture: '',
  round: '',
  counts: 'trick',
  places: 1,
  calendar: false,
  lesson: false,
  rules: false,
  first_choice: false,
};

let told: readonly Known[] = $state.raw([]);

/** Games of a host's own, as the server tells them. */
export function learn(games: readonly GameInfo[]): void {
  told = games
    .filter(({ name }) => !isOurs(name))
    .map(({ name, title, presentation }) => ({ name, title, ...presentation }));
}

/** The games that come with the page, in the language of now. */
export function ourGames(): readonly Known[] {
  return OURS[settings.lang];
}

export function isOurs(game: string): boolean {
  return OURS.en.some(({ name }) => name === game);
}

/** A game by its name; one that nobody has told of goes by it. */
export function known(game: string): Known {
  const all = [...ourGames(), ...told];
  return all.find(({ name }) => name === game) ?? { ...UNKNOWN, name: game, title: game };
}

/** Whether the page was told about a game. */
export function isKnown(game: string): boolean {
  return isOurs(game) || told.some(({ name }) => name === game);
}

/** The game with dates and calendar sheets. */
export function calendarGame(): string {
  return OURS.en.find(({ calendar }) => calendar)?.name ?? '';
}
