/** What the page knows about games: ours come with it, the server describes others (`learn`). */
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

let announced: readonly Known[] = $state.raw([]);

/** Register a host's custom games, as described by the server. */
export function learn(games: readonly GameInfo[]): void {
  announced = games
    .filter(({ name }) => !isOurs(name))
    .map(({ name, title, presentation }) => ({ name, title, ...presentation }));
}

/** Return the games that come with the page, in the current language. */
export function ourGames(): readonly Known[] {
  return OURS[settings.lang];
}

export function isOurs(game: string): boolean {
  return OURS.en.some(({ name }) => name === game);
}

/** Return a game by its name; an unknown one is shown by its name. */
export function known(game: string): Known {
  const all = [...ourGames(), ...announced];
  return all.find(({ name }) => name === game) ?? { ...UNKNOWN, name: game, title: game };
}

/** Return the game with dates and calendar sheets. */
export function calendarGame(): string {
  return OURS.en.find(({ calendar }) => calendar)?.name ?? '';
}
