/** The texts of the lessons. */
import { words } from '../texts/words';
import de from './learn.de.json';
import en from './learn.en.json';

export const say = words(de, en);
