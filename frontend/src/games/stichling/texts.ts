/** The texts of Stichling. */
import { words } from '../../texts/words';
import de from './stichling.de.json';
import en from './stichling.en.json';

export const say = words(de, en);
