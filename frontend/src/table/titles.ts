/** The titles of games. */
import { known } from '../games/known.svelte';

/** Return the title of a game; an unknown one is shown by its name. */
export function titleOf(game: string): string {
  return known(game).title;
}
