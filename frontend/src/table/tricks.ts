/** Finished tricks, put together from what was told. */
import type { Event } from '../protocol';
import { cardsOf } from '../state/moves';

export interface Finished {
  /** Who played what, in order; null where nobody is known to have played it. */
  plays: readonly { seat: number | null; card: string }[];
  taker: number | null;
  /** Where the events of its plays and its end are. */
  at: readonly number[];
}

/** All finished tricks, and for each event the trick it belongs to. */
export function finishedTricks(events: readonly Event[]): Finished[] {
  const found: Finished[] = [];
  const lying = new Map<string, number[]>(); // card: the events that played it, as there are twins
  events.forEach((event, at) => {
    if (event.kind === 'round') lying.clear();
    else if (event.kind === 'play') {
      for (const card of cardsOf(event.move ?? ''))
        lying.set(card, [...(lying.get(card) ?? []), at]);
    }
    if (event.kind === 'trick') found.push(finished(event, at, events, lying));
  });
  return found;
}

function finished(
  event: Event,
  at: number,
  events: readonly Event[],
  lying: ReadonlyMap<string, number[]>,
): Finished {
  const places: number[] = [];
  const plays = (event.cards ?? []).flatMap(cardsOf).map((card) => {
    const played = lying.get(card)?.shift();
    if (played !== undefined) places.push(played);
    return { seat: played === undefined ? null : (events[played]?.seat ?? null), card };
  });
  return { plays, taker: event.seat ?? null, at: [...places, at] };
}

/** For the place of each event the finished trick it belongs to. */
export function tricksByEvent(tricks: readonly Finished[]): ReadonlyMap<number, Finished> {
  return new Map(tricks.flatMap((trick) => trick.at.map((at) => [at, trick] as const)));
}
