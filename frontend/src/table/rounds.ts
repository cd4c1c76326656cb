/** What rounds are called. */
import { known } from '../games/known.svelte';
import { say } from './texts';

/** What a round is called in this game. */
export function roundName(game: string, round: number): string {
  return `${known(game).round || say('round')} ${round}`;
}
