import { untrack } from 'svelte';

import { afterFrame } from './pace';

/**
 * Follow the raised card, or whatever there may be one of: a frame later when there was none before, at
 * once when it is another one or gone. A card that rises, and all that is said and offered about it,
 * hardly fit into one frame of a slow phone.
 */
export function risen<T>(raised: () => T | null): () => T | null {
  let shown: T | null = $state.raw(null);
  $effect.pre(() => {
    const now = raised();
    if (now !== null && untrack(() => shown) === null) return afterFrame(() => (shown = now), true);
    shown = now;
    return undefined;
  });
  return () => (raised() === shown ? shown : null);
}
