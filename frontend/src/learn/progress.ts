/** The progress in lessons: stored among what was seen on this device. */
import { settings } from '../state/settings.svelte';

const doneKey = (game: string) => `lesson ${game}`;
const atKey = (game: string) => `lesson ${game} at `;

/** Return whether the lesson was finished once. */
export function isDone(game: string): boolean {
  return settings.seen.includes(doneKey(game));
}

/** Return where the person left off; 0: at the beginning. */
export function leftAt(game: string): number {
  const kept = settings.seen.find((one) => one.startsWith(atKey(game)));
  return Number(kept?.slice(atKey(game).length)) || 0;
}

/** Store where the person is. */
export function keepAt(game: string, at: number): void {
  const others = settings.seen.filter((one) => !one.startsWith(atKey(game)));
  settings.seen = at ? [...others, `${atKey(game)}${at}`] : others;
}

/** Note that the lesson is finished; next time it starts over. */
export function keepDone(game: string): void {
  keepAt(game, 0);
  if (!isDone(game)) settings.seen = [...settings.seen, doneKey(game)];
}
