/** People who are muted on this device; stored, so that they stay muted. */
import { SvelteSet } from 'svelte/reactivity';

const KEY = 'stichwerk-muted';
const MOST = 200; // people come and go: the latest are kept

export const muted = new SvelteSet<string>(kept());

function kept(): string[] {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(found)
      ? found.filter((one): one is string => typeof one === 'string')
      : [];
  } catch {
    return []; // unreadable data is dropped
  }
}

/** Mute or unmute somebody. */
export function setMuted(person: string, mute: boolean): void {
  if (mute) muted.add(person);
  else muted.delete(person);
  try {
    localStorage.setItem(KEY, JSON.stringify([...muted].slice(-MOST)));
  } catch {
    // Without storage it lasts as long as the page.
  }
}
