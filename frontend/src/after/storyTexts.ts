/** The texts around the story of a match; its sentences come from the server. */
import { words } from '../texts/words';
import de from './story.de.json';
import en from './story.en.json';

export const say = words(de, en);
