/** What games are called. */
import { known } from '../games/known.svelte';

/** What a game is called; one that nobody has told of goes by its name. */
export function titleOf(game: string): string {
  return known(game).title;
}
