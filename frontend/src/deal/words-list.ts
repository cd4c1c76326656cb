/** The 1,024 words of fingerprints: the server's own file, read when the page is built. */
import text from '../../../src/stichwerk/hash_words.txt?raw';

export const WORD_LIST: readonly string[] = text.trim().split(/\s+/);
