/** Teams: seats whose totals are added up, in games that have them. */
import type { View } from '../protocol';

export interface Team {
  /** `A`, `B` … */
  letter: string;
  seats: readonly number[];
  points: number;
}

/** Return the teams; none if everyone plays alone. */
export function teamsAt(view: View): readonly Team[] {
  const teams = (view.table.teams as readonly (readonly number[])[] | undefined) ?? [];
  const totals = (view.table.team_totals as readonly number[] | undefined) ?? [];
  return teams.map((seats, at) => ({
    letter: 'ABC'.charAt(at),
    seats,
    points: totals[at] ?? 0,
  }));
}

/** Return whether these winners are one team, and not several that are level. */
export function isTeam(teams: readonly Team[], seats: readonly number[]): boolean {
  return teams.some(
    (team) =>
      team.seats.length === seats.length && seats.every((seat) => team.seats.includes(seat)),
  );
}
