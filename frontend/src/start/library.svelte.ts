/** What the server offers: its games, in the current language. */
import { learn } from '../games/known.svelte';
import { get } from '../net/api';
import type { GameInfo, Games } from '../protocol';

class Library {
  games: readonly GameInfo[] = $state.raw([]);
  /** Why there are none: no connection, or the server's message. */
  trouble: string | null = $state(null);
  offline = $state(!navigator.onLine);

  /** Load the games; on failure those loaded before stay. */
  async load(): Promise<void> {
    try {
      this.games = (await get<Games>('games')).games;
      learn(this.games);
      this.trouble = null;
      this.offline = false;
    } catch (error) {
      // `fetch` itself fails only if there is no answer.
      this.offline = error instanceof TypeError || !navigator.onLine;
      this.trouble = error instanceof Error ? error.message : String(error);
    }
  }

  titleOf(game: string): string {
    return this.games.find((one) => one.name === game)?.title ?? game;
  }
}

export const library = new Library();
