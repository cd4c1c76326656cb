/** The person's identity at tables: personal tokens, stored in this browser. */
import type { Table } from '../protocol';

const PREFIX = 'stichwerk-seat-';

export interface Seat {
  token: string;
  game: string;
  /** When it was last used, in milliseconds since 1970. */
  at: number;
  /** The stage of the table when it was last seen. */
  stage?: Table['stage'];
  match?: string | null;
  progress?: Progress;
  /** The person removed it from the start page. It is back with the next visit. */
  hidden?: boolean;
}

/** What tells a table from others of the same game. */
export interface Progress {
  /** The names of the others. */
  with: readonly string[];
  round: number;
  /** How many rounds there are; 0: that depends. */
  rounds: number;
  /** The day that is played, `MM-DD`. */
  date?: string;
}

/** Return the token for a table, if there is one. */
export function tokenOf(table: string): string | null {
  return seatAt(table)?.token ?? null;
}

function seatAt(table: string): Seat | null {
  try {
    return JSON.parse(localStorage.getItem(PREFIX + table) ?? 'null') as Seat | null;
  } catch {
    return null;
  }
}

/** Store the token for a table. */
export function keepToken(table: string, token: string, game: string): void {
  keepSeat(table, { ...seatAt(table), token, game, at: Date.now() });
}

/** Note the state of a table with our seat, so that it can be resumed from the start page. */
export function noteStage(
  table: string,
  stage: Table['stage'],
  match: string | null,
  progress: Progress | null = null,
): void {
  const seat = seatAt(table);
  if (!seat) return;
  const { hidden: _hidden, ...shown } = seat;
  const now = { ...shown, stage, match, ...(progress && { progress }) };
  if (JSON.stringify(now) !== JSON.stringify(seat)) keepSeat(table, { ...now, at: Date.now() });
}

/** Remove a table from the start page. The seat stays ours: its address still leads there. */
export function hideTable(table: string): void {
  const seat = seatAt(table);
  if (seat) keepSeat(table, { ...seat, hidden: true });
}

function keepSeat(table: string, seat: Seat): void {
  try {
    localStorage.setItem(PREFIX + table, JSON.stringify(seat));
  } catch {
    // Then the seat lasts as long as this page; the personal link still works.
  }
}

/** Forget a table. */
export function forgetToken(table: string): void {
  localStorage.removeItem(PREFIX + table);
}

/** All tables with a seat of ours, the latest first. */
export function ownTables(): { table: string; seat: Seat }[] {
  const found: { table: string; seat: Seat }[] = [];
  for (let at = 0; at < localStorage.length; at += 1) {
    const key = localStorage.key(at) ?? '';
    const seat = key.startsWith(PREFIX) ? seatAt(key.slice(PREFIX.length)) : null;
    if (seat) found.push({ table: key.slice(PREFIX.length), seat });
  }
  return found.sort((one, other) => other.seat.at - one.seat.at);
}

/** Take the token of a personal link, after `#`, out of the address, which others may see. */
export function takeTokenFromAddress(table: string): void {
  const token = location.hash.slice(1);
  if (!/^[A-Za-z0-9_-]{16,64}$/.test(token)) return;
  keepToken(table, token, '');
  history.replaceState(null, '', location.pathname);
}
