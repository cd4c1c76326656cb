/** Statistics of a match, from its events. */
import type { Event } from '../protocol';

export interface Figures {
  tricks: number;
  /** Tricks taken in a finished round, on average; null before the first. */
  tricksPerRound: number | null;
  /** Tricks taken one after the other. */
  longestRun: number;
  highest: { points: number; round: number } | null;
  lowest: { points: number; round: number } | null;
}

interface Count extends Figures {
  inRound: number;
  run: number;
  rounds: number;
}

/** Return the statistics of each seat. */
export function figuresOf(events: readonly Event[], seats: number): Figures[] {
  const counts: Count[] = Array.from({ length: seats }, () => ({
    tricks: 0,
    tricksPerRound: null,
    longestRun: 0,
    highest: null,
    lowest: null,
    inRound: 0,
    run: 0,
    rounds: 0,
  }));
  let round = 0;
  for (const event of events) {
    if (event.kind === 'trick' && typeof event.seat === 'number') countTrick(counts, event.seat);
    if (event.kind !== 'scored') continue;
    round += 1;
    counts.forEach((count, seat) => countRound(count, event.scores?.[seat] ?? 0, round));
  }
  return counts;
}

function countTrick(counts: Count[], taker: number): void {
  counts.forEach((count, seat) => {
    if (seat !== taker) count.run = 0;
  });
  const count = counts[taker];
  if (!count) return;
  count.tricks += 1;
  count.inRound += 1;
  count.run += 1;
  count.longestRun = Math.max(count.longestRun, count.run);
}

function countRound(count: Count, points: number, round: number): void {
  const before = (count.tricksPerRound ?? 0) * count.rounds;
  count.rounds += 1;
  count.tricksPerRound = (before + count.inRound) / count.rounds;
  count.inRound = count.run = 0;
  if (!count.highest || points > count.highest.points) count.highest = { points, round };
  if (!count.lowest || points < count.lowest.points) count.lowest = { points, round };
}

/** Return the rank of each seat: tied seats share one, and the next ones are further down. */
export function placesOf(
  ranking: readonly (readonly number[])[],
): { seat: number; place: number; shared: boolean }[] {
  let place = 1;
  return ranking.flatMap((group) => {
    const ranked = group.map((seat) => ({ seat, place, shared: group.length > 1 }));
    place += group.length;
    return ranked;
  });
}
