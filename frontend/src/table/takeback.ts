/** Whether asking to take back a move can lead to anything; the server decides. */
import type { TableStore } from '../state/table.svelte';

const MOVES = new Set(['play', 'choice', 'chosen', 'veto', 'discard', 'gift', 'named']);

/** The last move is our own, and nobody asks already. */
export function mayTakeBack({ events, seat, table }: Pick<TableStore, 'events' | 'seat' | 'table'>): boolean {
  if (seat === null || table?.stage !== 'playing' || table.ask) return false;
  return events.findLast((event) => MOVES.has(event.kind))?.seat === seat;
}
