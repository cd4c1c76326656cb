/** Examples of the rules, made by the rules themselves: see `python -m stichwerk.lessons`. */
import type { Scene, Script } from '../learn/script';

const LOADERS: Readonly<Record<string, () => Promise<{ default: unknown }>>> = {
  stichling: () => import('./examples/stichling.json'),
  'null-nichtig': () => import('./examples/null-nichtig.json'),
  sticheln: () => import('./examples/sticheln.json'),
  stichtag: () => import('./examples/stichtag.json'),
};

/** The examples of a game; none, if nobody has written any. */
export async function examplesOf(game: string): Promise<readonly Scene[]> {
  const load = LOADERS[game];
  return load ? ((await load()).default as Script).scenes : [];
}
