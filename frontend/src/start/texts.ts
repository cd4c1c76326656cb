/** The texts of the start page, of settings and of gathering at a table. */
import { words } from '../texts/words';
import de from './start.de.json';
import en from './start.en.json';

export const say = words(de, en);
