/** The lessons there are; each is loaded when it is wanted. */
import type { Script } from './script';

const LOADERS: Readonly<Record<string, () => Promise<{ default: unknown }>>> = {
  stichling: () => import('./lessons/stichling.json'),
  'null-nichtig': () => import('./lessons/null-nichtig.json'),
  sticheln: () => import('./lessons/sticheln.json'),
  stichtag: () => import('./lessons/stichtag.json'),
};

export const LESSONS: readonly string[] = Object.keys(LOADERS);

/** The lesson of a game; null, if there is none. */
export async function lessonOf(game: string): Promise<Script | null> {
  const load = LOADERS[game];
  return load ? ((await load()).default as Script) : null;
}
