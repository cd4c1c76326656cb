/** The texts of Null & nichtig. */
import { words } from '../../texts/words';
import de from './null-nichtig.de.json';
import en from './null-nichtig.en.json';

export const say = words(de, en);
