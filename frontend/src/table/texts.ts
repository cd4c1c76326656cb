/** The texts of the table. */
import type { Preset } from '../protocol';
import { words } from '../texts/words';
import de from './table.de.json';
import en from './table.en.json';

export const say = words(de, en);

/** What can be said with one tap. */
export const PRESETS: readonly Preset[] = [
  'hello',
  'well-played',
  'oops',
  'thanks',
  'hurry',
  'thinking',
  'again',
  'bye',
];
