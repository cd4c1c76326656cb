/** The texts of any game's choices and facts. */
import { words } from '../../texts/words';
import de from './generic.de.json';
import en from './generic.en.json';

export const say = words(de, en);
