/** Finished tricks, assembled from events. */
import type { CardPlayed, Event, TrickTaken } from '../protocol';
import { endsTrick } from '../state/frames';

export interface Finished {
  /** Who played what, in order; null if it is unknown who did. */
  plays: readonly { seat: number | null; card: string }[];
  taker: number | null;
  /** The indices of the events of its plays and its end. */
  at: readonly number[];
}

/** Return whether an event ends a trick whose cards may not be looked at now. */
export function isPutAway(event: Event): boolean {
  return endsTrick(event) && !event.cards.length;
}

/** Return all finished tricks that may be looked at, and for each event the trick it belongs to. */
export function finishedTricks(events: readonly Event[]): Finished[] {
  const found: Finished[] = [];
  const open = new Map<string, Played[]>(); // by card: its plays, as there are twins
  events.forEach((event, at) => {
    if (event.kind === 'round') open.clear();
    else if (event.kind === 'play') {
      for (const card of event.cards ?? [])
        open.set(card, [...(open.get(card) ?? []), { event, at }]);
    } else if (event.kind === 'trick' && !isPutAway(event)) found.push(finished(event, at, open));
  });
  return found;
}

/** A play, and the index of its event. */
interface Played {
  event: CardPlayed;
  at: number;
}

function finished(event: TrickTaken, at: number, open: ReadonlyMap<string, Played[]>): Finished {
  const places: number[] = [];
  const plays = event.cards.map((card) => {
    const played = open.get(card)?.shift();
    if (played) places.push(played.at);
    return { seat: played?.event.seat ?? null, card };
  });
  return { plays, taker: event.seat ?? null, at: [...places, at] };
}

/** Return for the index of each event the finished trick it belongs to. */
export function tricksByEvent(tricks: readonly Finished[]): ReadonlyMap<number, Finished> {
  return new Map(tricks.flatMap((trick) => trick.at.map((at) => [at, trick] as const)));
}
