/** Examples of the rules, made by the rules themselves: see `python -m stichwerk.lessons`. */
import { isOurs } from '../games/known.svelte';
import { ownLessons } from '../learn/lessons';
import type { Scene, Script } from '../learn/script';

const LOADERS = import.meta.glob<{ default: unknown }>('./examples/*.json');

/** The examples of a game; none, if nobody has written any. */
export async function examplesOf(game: string): Promise<readonly Scene[]> {
  const load = LOADERS[`./examples/${game}.json`];
  if (load) return ((await load()).default as Script).scenes;
  return isOurs(game) ? [] : ((await ownLessons(game))?.examples.scenes ?? []);
}
