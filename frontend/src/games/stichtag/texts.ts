import { words } from '../../texts/words';
import de from './stichtag.de.json';
import en from './stichtag.en.json';

export const say = words(de, en);
