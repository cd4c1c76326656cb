/**
 * What this browser remembers of deals: its own shares, by match, and failed set-ups, by table.
 *
 * Each share has its own entry, so that tabs cannot overwrite each other's. Where storage is
 * blocked, all this lasts as long as the page.
 */
import type { Dealing } from '../protocol';
import type { Finding, OwnShare } from './check';

const SHARE = 'stichwerk-share-';
const TABLE = 'stichwerk-deals-';
const MOST = 40; // entries of either kind: the oldest are dropped first

/** Our share, and what the server sent last about its match. */
export interface KeptShare extends OwnShare {
  table: string;
  dealing: Dealing | null;
  at: number;
}

/** A failed set-up, and who did not open their share according to the server. */
export interface Failed {
  match: string;
  names: readonly string[];
  seats: readonly number[];
  /** Its cards were already dealt, and we did not see how it ended. */
  gone?: boolean;
}

/** What is remembered of the set-ups at a table. */
export interface TableDeals {
  /** The set-up in progress. */
  open: string | null;
  /** The match that the person plays, from its first card to its end. */
  playing: string | null;
  /** The match whose seat the person has given up, in any tab. */
  left: string | null;
  /**
   * Set-ups that failed since the last match began, and matches lost since the last one that we saw
   * to its end.
   */
  failed: readonly Failed[];
  /** How many had failed when the person agreed to deal again. */
  agreed: number;
  /** What was wrong: from then on nothing is sent to this table. */
  findings: readonly Finding[];
  evidence: object | null;
  /** The match whose missing proof the person has read about. */
  noted: string | null;
  /** The person created this table to continue from given cards. */
  given: boolean;
  at: number;
}

const NONE: TableDeals = {
  open: null,
  playing: null,
  left: null,
  failed: [],
  agreed: 0,
  findings: [],
  evidence: null,
  noted: null,
  given: false,
  at: 0,
};

/** What could not be stored. */
const memory = new Map<string, string>();

function read<T>(key: string): T | null {
  try {
    return JSON.parse(stored(key) ?? 'null') as T | null;
  } catch {
    return null;
  }
}

function stored(key: string): string | null {
  try {
    return memory.get(key) ?? localStorage.getItem(key);
  } catch {
    return null;
  }
}

function write(key: string, value: object): void {
  const text = JSON.stringify(value);
  try {
    localStorage.setItem(key, text);
    memory.delete(key);
  } catch {
    memory.set(key, text); // then it lasts as long as this page
  }
}

function keys(prefix: string): string[] {
  const found = new Set(memory.keys());
  try {
    for (let at = 0; at < localStorage.length; at += 1) found.add(localStorage.key(at) ?? '');
  } catch {
    // Only what this page knows itself.
  }
  return [...found].filter((key) => key.startsWith(prefix));
}

function prune(prefix: string): void {
  const all = keys(prefix);
  if (all.length <= MOST) return;
  const age = (key: string) => read<{ at: number }>(key)?.at ?? 0;
  const old = all.map((key) => ({ key, at: age(key) })).sort((one, other) => other.at - one.at);
  for (const { key } of old.slice(MOST)) {
    memory.delete(key);
    try {
      localStorage.removeItem(key);
    } catch {
      // It was never there.
    }
  }
}

/** Store a share, or an update of it. */
export function keepShare(share: KeptShare): void {
  write(`${SHARE}${share.match}-${share.commit.slice(0, 12)}`, { ...share, at: Date.now() });
  prune(SHARE);
}

/**
 * Return the shares that this browser generated for a match, latest first: several tabs may have
 * generated one each.
 */
export function sharesOf(match: string): KeptShare[] {
  const found = keys(`${SHARE}${match}-`).map((key) => read<KeptShare>(key));
  return found
    .filter((one) => one?.match === match)
    .map((one) => one!)
    .sort((one, other) => other.at - one.at);
}

/** Return the one that counts: which the server has, or shows for its seat. */
export function shareOf(match: string, commits: readonly (string | null)[] = []): KeptShare | null {
  const all = sharesOf(match);
  return (
    all.find((one) => commits[one.seat] === one.commit) ??
    all.find((one) => one.sealed) ??
    all[0] ??
    null
  );
}

/** Return what is remembered of the set-ups at a table. */
export function dealsAt(table: string): TableDeals {
  return { ...NONE, ...read<TableDeals>(TABLE + table) };
}

/** Remember something about the set-ups at a table. */
export function noteDeals(table: string, news: Partial<TableDeals>): TableDeals {
  const deals = { ...dealsAt(table), ...news, at: Date.now() };
  write(TABLE + table, deals);
  prune(TABLE);
  return deals;
}
