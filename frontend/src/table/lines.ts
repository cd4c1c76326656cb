/** The log: all that happened, one line each, with the trick a line belongs to. */
import type { Event } from '../protocol';
import type { LogLine, TableStore } from '../state/table.svelte';
import { eventText, noteText } from './news';
import type { Teller } from './news';
import { finishedTricks, tricksByEvent } from './tricks';
import type { Finished } from './tricks';

export interface Line {
  /** How many lines are before it: it stays the same line when more come. */
  id: number;
  text: string;
  trick: Finished | undefined;
  /** A new round begins here. */
  round: boolean;
}

/** Who tells, and to whom. */
export function tellerOf(store: TableStore): Teller {
  return {
    me: store.seat,
    game: store.table?.game ?? '',
    seats: store.view?.seats ?? store.table?.seats ?? 0,
    nameOf: (seat) => store.nameOf(seat),
    personName: (person) => store.table?.people.find((one) => one.id === person)?.name ?? '?',
    events: store.events,
  };
}

/** All lines, the oldest first. What the log forgot is told from the events of the match. */
export function linesOf(store: TableStore): Line[] {
  const to = tellerOf(store);
  const tricks = tricksByEvent(finishedTricks(store.events));
  const index = new Map(store.events.map((event, at) => [event, at]));
  const line = (event: Event): Omit<Line, 'id'> => ({
    text: eventText(event, to),
    trick: tricks.get(index.get(event) ?? -1),
    round: event.kind === 'round',
  });
  const logged = store.log.map((one) =>
    'event' in one
      ? line(one.event)
      : { text: noteText(one.note, to), trick: undefined, round: false },
  );
  return [...forgotten(store.events, store.log).map(line), ...logged]
    .filter((one) => one.text)
    .map((one, id) => ({ ...one, id }));
}

/** Events of this match from before the log begins. */
export function forgotten(events: readonly Event[], log: readonly LogLine[]): readonly Event[] {
  const logged = new Set(log.flatMap((one) => ('event' in one ? [one.event] : [])));
  const begun = log.some((one) => 'note' in one && one.note.note === 'begun');
  if (begun) return [];
  const first = events.findIndex((event) => logged.has(event));
  if (first >= 0) return events.slice(0, first);
  return events.slice(0, Math.max(0, events.length - logged.size));
}
