/** What a won trick sounds like, by game, for tests. */
import type { Mood } from '../games/moods';

const MOODS = import.meta.glob<Mood>('../games/*/mood.ts', { eager: true, import: 'mood' });

export const GAME_SOUNDS = Object.fromEntries(
  Object.entries(MOODS).map(([path, mood]) => [path.split('/').at(-2)!, mood.trick]),
);
