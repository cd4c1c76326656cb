/** What becomes of a card in a trick, for labels of cards. */
import { say } from './texts';

/** Return that a card is winning its trick, or takes it; the person's own in the second person. */
export function outcomeWords(own: boolean, done: boolean): string {
  if (own) return say(done ? 'takes-it-you' : 'winning-you');
  return say(done ? 'takes-it' : 'winning');
}
