/** Error messages. */
import { say } from './texts';

/** Return why something failed: the server's message, or that it does not answer. */
export function troubleOf(error: unknown): string {
  // `fetch` itself fails only if there is no answer.
  if (error instanceof TypeError) return say('no-answer');
  return error instanceof Error ? error.message : String(error);
}
