/** The geometry of the score chart: totals after each round as points. */

// All in screen pixels, so that text has its usual size at every width.
export const HEIGHT = 280;
export const LEFT = 44;
export const RIGHT = 104; // room for a mark, a letter and a name
const TOP = 14;
const BOTTOM = 28;
const LABEL = 20; // between two names at the right

export interface ChartLine {
  seat: number;
  points: readonly { x: number; y: number; total: number }[];
  /**
   * The position of the name: beside the last point, or moved a little, so that names do not
   * overlap.
   */
  labelY: number;
}

export interface Chart {
  lines: readonly ChartLine[];
  /** Horizontal grid lines with their labels. */
  ticks: readonly { y: number; value: number }[];
  /** The position of each round; 0 is the beginning. */
  rounds: readonly { x: number; round: number }[];
}

/** Return the totals after each round, starting with zero. */
export function runningTotals(scores: readonly (readonly number[])[], seats: number): number[][] {
  const totals = [Array<number>(seats).fill(0)];
  for (const round of scores)
    totals.push(totals.at(-1)!.map((sum, seat) => sum + (round[seat] ?? 0)));
  return totals;
}

export function chartOf(
  scores: readonly (readonly number[])[],
  seats: number,
  width: number,
): Chart {
  const totals = runningTotals(scores, seats);
  const values = ticksOf(Math.min(...totals.flat()), Math.max(...totals.flat()));
  const low = values[0]!;
  const high = values.at(-1)!;
  const x = (round: number) => LEFT + ((width - LEFT - RIGHT) * round) / Math.max(1, scores.length);
  const y = (value: number) => TOP + ((HEIGHT - TOP - BOTTOM) * (high - value)) / (high - low);
  const lines = Array.from({ length: seats }, (_, seat) => ({
    seat,
    points: totals.map((sums, round) => ({ x: x(round), y: y(sums[seat]!), total: sums[seat]! })),
  }));
  const labels = apart(lines.map((line) => line.points.at(-1)!.y));
  return {
    lines: lines.map((line, at) => ({ ...line, labelY: labels[at]! })),
    ticks: values.map((value) => ({ value, y: y(value) })),
    rounds: totals.map((_, round) => ({ round, x: x(round) })),
  };
}

/** Return at most seven round numbers from below the least to above the greatest value. */
export function ticksOf(least: number, greatest: number): number[] {
  const spread = Math.max(1, greatest - least);
  const rough = 10 ** Math.floor(Math.log10(spread / 5));
  const step = Math.max(
    1,
    [1, 2, 5, 10].map((by) => by * rough).find((by) => spread / by <= 5) ?? spread,
  );
  const first = Math.floor(least / step) * step;
  const last = Math.max(first + step, Math.ceil(greatest / step) * step);
  return Array.from(
    { length: Math.round((last - first) / step) + 1 },
    (_, at) => first + at * step,
  );
}

/** Move labels apart until none overlap, within the chart. */
export function apart(places: readonly number[]): number[] {
  const order = places.map((_, at) => at).sort((one, other) => places[one]! - places[other]!);
  const moved = [...places];
  order.forEach((at, rank) => {
    if (rank) moved[at] = Math.max(moved[at]!, moved[order[rank - 1]!]! + LABEL);
  });
  let floor = HEIGHT - BOTTOM + 4;
  for (const at of order.toReversed()) {
    moved[at] = Math.min(moved[at]!, floor);
    floor = moved[at]! - LABEL;
  }
  return moved;
}
