/** Put-away tricks: why one cannot be looked at. */
import type { TableStore } from '../state/table.svelte';
import { say } from './texts';

/** Return why a trick stays face down at this table. */
export function putAway(store: TableStore): string {
  return say(store.table?.settings.memory === 'none' ? 'put-away-none' : 'put-away-older');
}

/** Return whether the last trick of this round may be looked at. */
export function mayLookBack(store: TableStore): boolean {
  return store.table?.settings.memory !== 'none' || store.table.stage === 'over';
}
