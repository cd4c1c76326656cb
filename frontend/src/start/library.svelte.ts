/** What the server offers: its games, in the language of now. */
import { learn } from '../games/known.svelte';
import { get } from '../net/api';
import type { GameInfo, Games } from '../protocol';

class Library {
  games: readonly GameInfo[] = $state.raw([]);
  /** Why there are none: no connection, or the server's words. */
  trouble: string | null = $state(null);
  offline = $state(!navigator.onLine);

  /** Load the games; what was loaded stays if that fails. */
  async load(): Promise<void> {
    try {
      this.games = (await get<Games>('games')).games;
      learn(this.games);
      this.trouble = null;
      this.offline = false;
    } catch (error) {
      // `fetch` itself fails only where nobody answers.
      this.offline = error instanceof TypeError || !navigator.onLine;
      this.trouble = error instanceof Error ? error.message : String(error);
    }
  }

  titleOf(game: string): string {
    return this.games.find((one) => one.name === game)?.title ?? game;
  }
}

export const library = new Library();
