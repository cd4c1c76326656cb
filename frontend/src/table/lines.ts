/** The log: everything that happened, one line each, with the trick a line belongs to. */
import type { LogLine, TableStore } from '../state/table.svelte';
import { finishedTricks, isPutAway, tricksByEvent } from './tricks';
import type { Finished } from './tricks';

export interface Line {
  /** How many lines are before it: a stable key when more are added. */
  id: number;
  text: string;
  trick: Finished | undefined;
  /** Its trick is put away: it cannot be looked at now. */
  closed: boolean;
  /** A new round begins here. */
  round: boolean;
}

/** Return the log as far as it is shown: events after a trick that still rests are not told yet. */
function shownLog({ log, told }: TableStore): readonly LogLine[] {
  const until = told?.until;
  if (!until) return log;
  const last = log.findLastIndex((one) => 'event' in one && one.event === until);
  return last < 0 ? log : log.filter((one, at) => at <= last || 'note' in one);
}

/** Return all lines, oldest first. */
export function linesOf(store: TableStore): Line[] {
  const tricks = tricksByEvent(finishedTricks(store.events));
  const index = new Map(store.events.map((event, at) => [event, at]));
  return shownLog(store)
    .map((one) => {
      if ('note' in one) return { text: one.words, trick: undefined, closed: false, round: false };
      const trick = tricks.get(index.get(one.event) ?? -1);
      const closed = isPutAway(one.event);
      return { text: one.words, trick, closed, round: one.event.kind === 'round' };
    })
    .filter((one) => one.text)
    .map((one, id) => ({ ...one, id }));
}
