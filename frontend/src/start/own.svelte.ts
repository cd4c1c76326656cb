/** This browser's tables: those in use, and matches that were played there. */
import { ApiError, get } from '../net/api';
import type { MatchInfo, Matches } from '../protocol';
import { forgetToken, hideTable, ownTables } from '../state/tokens';
import type { Progress } from '../state/tokens';

const MOST_ASKED = 8; // tables: each is a request to the server
const MOST_RUNNING = 4;
const MOST_PLAYED = 8;

export interface OwnTable {
  table: string;
  game: string;
  at: number;
  waiting: boolean;
  progress: Progress | null;
}

class OwnTableList {
  running: readonly OwnTable[] = $state.raw([]);
  played: readonly MatchInfo[] = $state.raw([]);

  /** Check the latest tables. Those that no longer exist are forgotten. */
  async load(): Promise<void> {
    const seats = ownTables()
      .filter(({ seat }) => !seat.hidden)
      .slice(0, MOST_ASKED);
    const found = await Promise.all(
      seats.map(async ({ table, seat }) => ({ table, seat, matches: await matchesOf(table) })),
    );
    const played = found.flatMap(({ matches }) => matches ?? []);
    const over = new Set(played.map((match) => match.match));
    this.played = played
      .sort((one, other) => (other.finished ?? 0) - (one.finished ?? 0))
      .slice(0, MOST_PLAYED);
    this.running = found
      .filter(
        ({ seat, matches }) => matches && seat.stage !== 'over' && !over.has(seat.match ?? ''),
      )
      .map(({ table, seat }) => ({
        table,
        game: seat.game,
        at: seat.at,
        waiting: seat.stage === 'gathering',
        progress: seat.progress ?? null,
      }))
      .slice(0, MOST_RUNNING);
  }

  /** Remove a table from the list; another one may take its place. */
  async remove(table: string): Promise<void> {
    hideTable(table);
    await this.load();
  }
}

/** Return the finished matches of a table; null: the table no longer exists. */
async function matchesOf(table: string): Promise<readonly MatchInfo[] | null> {
  try {
    return (await get<Matches>(`matches?table=${encodeURIComponent(table)}`)).matches;
  } catch (error) {
    if (!(error instanceof ApiError) || error.id !== 'no-such-table') return []; // hidden, or no answer now
    forgetToken(table);
    return null;
  }
}

export const own = new OwnTableList();
