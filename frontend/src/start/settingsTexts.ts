/** The texts of the settings. */
import { words } from '../texts/words';
import de from './settings.de.json';
import en from './settings.en.json';

export const say = words(de, en);
