/** The log of a table: notes of the table, and events in the words of the server. */
import type { Event, Notes, StepWords } from '../protocol';

/** An event of the match. `at`: the number of its step. */
export type EventLine = { at: number; event: Event; words: string };
/** A line of the log: a note of the table, or an event. */
export type LogLine = { at: number; note: Notes } | EventLine;

/** The log with other words, as far as there are any. */
export function withWords(
  log: readonly LogLine[],
  steps: readonly StepWords[],
): readonly LogLine[] {
  const wordsBySeq = new Map(steps.map(({ seq, words }) => [seq, [...words]]));
  return log.map((line) =>
    'event' in line ? { ...line, words: wordsBySeq.get(line.at)?.shift() ?? line.words } : line,
  );
}

/** A history that ends with these events, if they are its own: lines of the log refer to them. */
export function withLast(history: readonly Event[], events: readonly Event[]): readonly Event[] {
  const first = history.length - events.length;
  const same = first >= 0 && events.every(({ kind }, at) => kind === history[first + at]?.kind);
  return same ? [...history.slice(0, first), ...events] : history;
}
