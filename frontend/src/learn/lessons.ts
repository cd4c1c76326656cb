/** The available lessons; each is loaded on demand. */
import { ourGames } from '../games/known.svelte';
import { get } from '../net/api';
import type { Script } from './script';

const LOADERS = import.meta.glob<{ default: unknown }>('./lessons/*.json');

/** Our games with a lesson; the server has the lesson of a custom game. */
export const LESSONS: readonly string[] = ourGames()
  .filter(({ lesson }) => lesson)
  .map(({ name }) => name);

/** Return the lesson of a game; null if there is none. */
export async function lessonOf(game: string): Promise<Script | null> {
  const load = LOADERS[`./lessons/${game}.json`];
  if (load) return (await load()).default as Script;
  return (await ownLessons(game))?.lesson ?? null;
}

interface Lessons {
  lesson: Script;
  examples: Script;
}

/** Return the server's lesson of a custom game; null if there is none. */
export function ownLessons(game: string): Promise<Lessons | null> {
  return get<Lessons>(`lessons/${encodeURIComponent(game)}`).catch(() => null);
}
