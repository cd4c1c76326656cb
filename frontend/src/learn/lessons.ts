/** The lessons there are; each is loaded when it is wanted. */
import { ourGames } from '../games/known.svelte';
import { get } from '../net/api';
import type { Script } from './script';

const LOADERS = import.meta.glob<{ default: unknown }>('./lessons/*.json');

/** Our games with a lesson; a game of a host's own has its lesson at the server. */
export const LESSONS: readonly string[] = ourGames()
  .filter(({ lesson }) => lesson)
  .map(({ name }) => name);

/** The lesson of a game; null, if there is none. */
export async function lessonOf(game: string): Promise<Script | null> {
  const load = LOADERS[`./lessons/${game}.json`];
  if (load) return (await load()).default as Script;
  return (await ownLessons(game))?.lesson ?? null;
}

interface Lessons {
  lesson: Script;
  examples: Script;
}

/** What the server has for a game of a host's own; null, if there is nothing. */
export function ownLessons(game: string): Promise<Lessons | null> {
  return get<Lessons>(`lessons/${encodeURIComponent(game)}`).catch(() => null);
}
