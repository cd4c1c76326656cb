/** What went wrong, in words. */
import { say } from './texts';

/** Why something could not be done: the server's words, or that it does not answer. */
export function troubleOf(error: unknown): string {
  // `fetch` itself fails only where nobody answers.
  if (error instanceof TypeError) return say('no-answer');
  return error instanceof Error ? error.message : String(error);
}
