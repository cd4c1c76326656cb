/** The log of a table: notes of the table and events of the match, in the words of the server. */
import type { Event, Notes, Renewed, StepWords } from '../protocol';

/** `at`: the number of its step; `nth`: of the step's notes, or of its events. */
interface LineFacts {
  at: number;
  nth: number;
  words: string;
}
/** A line of the log: a note of the table, or an event. */
export type LogLine = LineFacts & ({ note: Notes } | { event: Event });

/** The log with other words, as far as there are any. */
export function withWords(
  log: readonly LogLine[],
  steps: readonly StepWords[],
): readonly LogLine[] {
  const bySeq = new Map(steps.map((step) => [step.seq, step]));
  return log.map((line) => {
    const step = bySeq.get(line.at);
    const words = 'event' in line ? step?.words : step?.note_words;
    return { ...line, words: words?.[line.nth] ?? line.words };
  });
}

/** The log with other events, and their words: of put-away tricks, or of a round that is over. */
export function withRenewed(
  log: readonly LogLine[],
  renewed: readonly Renewed[],
): readonly LogLine[] {
  const key = (seq: number, nth: number) => `${seq} ${nth}`;
  const now = new Map(renewed.map((one) => [key(one.seq, one.nth), one]));
  return log.map((line) => {
    const one = 'event' in line ? now.get(key(line.at, line.nth)) : undefined;
    return one ? { at: line.at, nth: line.nth, event: one.event, words: one.words } : line;
  });
}

/** A history that ends with these events, if they are its own: lines of the log refer to them. */
export function withLast(history: readonly Event[], events: readonly Event[]): readonly Event[] {
  const first = history.length - events.length;
  const same = first >= 0 && events.every(({ kind }, at) => kind === history[first + at]?.kind);
  return same ? [...history.slice(0, first), ...events] : history;
}
