/**
 * Records as the server writes them (`stichwerk-game/1`), as far as verifying the deal needs them.
 */

export const FORMAT = 'stichwerk-game/1';

export interface RecordFile {
  format: string;
  game: string;
  rules: number;
  seats: number;
  names: readonly string[];
  options: Readonly<Record<string, unknown>>;
  seed?: number;
  rounds: readonly RoundFile[];
  totals: readonly number[] | null;
  ranking: readonly (readonly number[])[] | null;
  fairness?: Proof;
}

export interface RoundFile {
  starter: number;
  hands: readonly (readonly string[])[];
  stock: readonly string[];
  /** Draws have no seat: `[0, null, "trumps", ["G", "R"]]`. */
  extra?: readonly (readonly [number, number | null, string, unknown])[];
  scores?: readonly number[];
}

export interface Proof {
  match: string;
  server_commits: readonly string[];
  client_commits: readonly string[];
  client_seeds: readonly string[];
  server_seeds: readonly string[];
  transcript: string;
}

/** Why something is not a record, or is invalid: the id of a text, and where. */
export class RecordError extends Error {
  constructor(
    readonly id: string,
    readonly data: Readonly<Record<string, string | number>> = {},
    readonly round: number | null = null,
  ) {
    super(id);
  }
}

/** Parse a record; refuse anything else. */
export function readRecord(text: string): RecordFile {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw new RecordError('not-json');
  }
  if (!isObject(parsed)) throw new RecordError('not-an-object');
  if (parsed.format !== FORMAT) throw new RecordError('wrong-format', { expected: FORMAT });
  for (const [field, fits] of Object.entries(FIELDS)) {
    if (!fits(parsed[field])) throw new RecordError('bad-field', { field });
  }
  const { seats, names, rounds, totals, seed, fairness } = parsed as unknown as RecordFile;
  if (names.length !== seats) throw new RecordError('bad-field', { field: 'names' });
  if (totals !== null && totals.length !== seats)
    throw new RecordError('bad-field', { field: 'totals' });
  if (!rounds.length) throw new RecordError('no-rounds');
  if (seed !== undefined && fairness !== undefined) throw new RecordError('seed-and-fairness');
  return parsed as unknown as RecordFile;
}

type Fits = (value: unknown) => boolean;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isText: Fits = (value) => typeof value === 'string';
const isNumber: Fits = (value) => Number.isSafeInteger(value);
const listOf =
  (fits: Fits): Fits =>
  (value) =>
    Array.isArray(value) && value.every(fits);
const either =
  (...all: Fits[]): Fits =>
  (value) =>
    all.some((fits) => fits(value));
const isNull: Fits = (value) => value === null;
const isLeftOut: Fits = (value) => value === undefined;

const isDraw: Fits = (value) => Array.isArray(value) && value.length === 4 && isText(value[2]);
const isRound: Fits = (value) =>
  isObject(value) &&
  isNumber(value.starter) &&
  listOf(listOf(isText))(value.hands) &&
  listOf(isText)(value.stock) &&
  either(isLeftOut, listOf(isDraw))(value.extra) &&
  either(isLeftOut, listOf(isNumber))(value.scores);
const isProof: Fits = (value) =>
  isObject(value) &&
  isText(value.match) &&
  isText(value.transcript) &&
  ['server_commits', 'client_commits', 'client_seeds', 'server_seeds'].every((field) =>
    listOf(isText)(value[field]),
  );

const FIELDS: Readonly<Record<string, Fits>> = {
  game: isText,
  rules: isNumber,
  seats: (value) => isNumber(value) && Number(value) >= 2 && Number(value) <= 6,
  names: listOf(isText),
  options: isObject,
  seed: either(isLeftOut, (value) => isNumber(value) && Number(value) >= 0),
  rounds: listOf(isRound),
  totals: either(isNull, listOf(isNumber)),
  ranking: either(isNull, listOf(listOf(isNumber))),
  fairness: either(isLeftOut, isProof),
};
