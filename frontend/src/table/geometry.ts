/**
 * Where people sit round the mat, and where their cards land on it.
 *
 * The person's own seat is always at the bottom. The others sit clockwise from there: one on the
 * left, one on the right, the rest along the top; with one or two of them, all along the top.
 * Positions are shares, so that one table serves every size.
 */

export type Side = 'left' | 'top' | 'right';

export interface Spot {
  side: Side;
  /** Per cent along its side, from the left or from the top. */
  at: number;
}

export interface Landing {
  /** Shares of the room a card has, from 0 to 1: it never leaves the field. */
  x: number;
  y: number;
  /** Degrees: nobody lays a card down straight. */
  tilt: number;
}

export interface Field {
  /** One landing place for each of the others, then the person's own, if they play. */
  landings: readonly Landing[];
  /** The widest a card may be, as a share of the width and of the height of the field. */
  wide: number;
  high: number;
  /** Width of the field by its height: on a wide table the cards stay together. */
  ratio: number;
}

const ALONG_TOP: Readonly<Record<number, readonly number[]>> = {
  0: [],
  1: [50],
  2: [32, 68],
  3: [24, 50, 76],
  4: [15, 38, 62, 85],
};
const PAIR = [30, 70]; // three at the table: nobody sits at a side
const SIDES_AT = 38;

/** Return where the others sit, clockwise from the person's left. */
export function spotsOf(others: number): Spot[] {
  const top = (at: number): Spot => ({ side: 'top', at });
  if (others === 2) return PAIR.map(top);
  if (others < 2) return (ALONG_TOP[others] ?? []).map(top);
  const between = (ALONG_TOP[others - 2] ?? []).map(top);
  return [{ side: 'left', at: SIDES_AT }, ...between, { side: 'right', at: SIDES_AT }];
}

const TILTS = [-4, 2, 4, -3, 3, -2];

/** Where cards land before seats along the top, by how many there are. */
const TOPS: Readonly<Record<number, readonly number[]>> = {
  1: [0.5],
  2: [0.28, 0.72],
  3: [0.2, 0.5, 0.8],
  4: [0.12, 0.38, 0.62, 0.88],
};
/** How far down the cards of both sides land, by the number of others. */
const DOWN: Readonly<Record<number, number>> = { 3: 0.42, 4: 0.55, 5: 0.62, 6: 0.8 };
/** The largest card: two of them and the rule between them fit above each other. */
const WIDE: Readonly<Record<number, number>> = { 1: 0.3, 2: 0.3, 3: 0.27, 4: 0.205, 5: 0.205 };
const HIGH: Readonly<Record<number, number>> = { 5: 0.262, 6: 0.3 };
const RATIO: Readonly<Record<number, number>> = { 1: 1.2, 2: 1.4, 3: 1.6, 4: 1.9 };

/** Return the field of a trick: where the cards of all seats land, own one last. */
export function fieldOf(others: number, own: boolean): Field {
  const spots = spotsOf(others);
  const tops = TOPS[spots.filter((spot) => spot.side === 'top').length] ?? [];
  let top = 0;
  const landings = spots.map(({ side }, at): Landing => {
    const tilt = TILTS[at % TILTS.length] ?? 0;
    if (side === 'top') return { x: tops[top++] ?? 0.5, y: 0, tilt };
    return { x: side === 'left' ? 0 : 1, y: DOWN[others] ?? 0.5, tilt };
  });
  if (own) landings.push({ x: 0.5, y: 1, tilt: -1.5 });
  return {
    landings,
    wide: WIDE[others] ?? 0.18,
    high: HIGH[others] ?? 0.345,
    ratio: RATIO[others] ?? 2.1,
  };
}

/** Return the seats in the order of the landing places: from the person's left, own seat last. */
export function seatsAround(count: number, own: number | null): number[] {
  return Array.from({ length: count }, (_, at) => (own === null ? at : (own + 1 + at) % count));
}
