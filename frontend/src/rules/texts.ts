/** The texts around the rules; the rules themselves come from the server. */
import { words } from '../texts/words';
import de from './rules.de.json';
import en from './rules.en.json';

export const say = words(de, en);
