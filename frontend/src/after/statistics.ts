/** Statistics of a match, from its events. */
import type { Event } from '../protocol';
import type { Team } from '../state/teams';

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

/** Return the rank of each team: tied teams share one. */
export function teamPlacesOf(
  ranking: readonly (readonly number[])[],
  teams: readonly Team[],
): { team: Team; place: number; shared: boolean }[] {
  let place = 1;
  return ranking.flatMap((group) => {
    const level = teams.filter((team) => team.seats.some((seat) => group.includes(seat)));
    const ranked = level.map((team) => ({ team, place, shared: level.length > 1 }));
    place += level.length;
    return ranked;
  });
}

/** Who is ranked: a seat, or a team with its sum. */
export interface Party {
  /** The letter of a team; none for a seat that plays alone. */
  letter: string;
  seats: readonly number[];
  points: number;
  place: number;
  shared: boolean;
}

/** Return the ranked sides: teams where there are some, otherwise seats. */
export function sidesOf(
  ranking: readonly (readonly number[])[],
  totals: readonly number[],
  teams: readonly Team[] = [],
): Party[] {
  if (teams.length)
    return teamPlacesOf(ranking, teams).map(({ team, ...rest }) => ({ ...team, ...rest }));
  return placesOf(ranking).map(({ seat, ...rest }) => ({
    letter: '',
    seats: [seat],
    points: totals[seat] ?? 0,
    ...rest,
  }));
}

/** Two seats that are level on points, and the round that put one of them ahead. */
export interface TieBreak {
  ahead: number;
  behind: number;
  round: number;
}

/**
 * Return where a tie was broken: neighbours in the ranking with equal totals. The last round in
 * which they differ decided, unless something else did before the points.
 */
export function tieBreaksOf(
  ranking: readonly (readonly number[])[],
  scores: readonly (readonly number[])[],
  totals: readonly number[],
  decidedFirst: (seat: number) => number = () => 0,
): TieBreak[] {
  return ranking.slice(1).flatMap((group, at) => {
    const ahead = ranking[at]!.at(-1)!;
    const behind = group[0]!;
    if (totals[ahead] !== totals[behind] || decidedFirst(ahead) !== decidedFirst(behind)) return [];
    const round = scores.findLastIndex((points) => points[ahead] !== points[behind]) + 1;
    return round ? [{ ahead, behind, round }] : [];
  });
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
