import { words } from '../texts/words';
import de from './calendar.de.json';
import en from './calendar.en.json';

export const say = words(de, en);
