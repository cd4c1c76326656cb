/** The texts of gathering at a table, and of the fields that say what a table is to be. */
import { words } from '../texts/words';
import de from './gather.de.json';
import en from './gather.en.json';

export const say = words(de, en);
