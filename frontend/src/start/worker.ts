/** The service worker: with it the page can be installed, and opens without a connection. */
import { ourGames } from '../games/known.svelte';
import { rulesOf } from '../rules/library';
import { keepReady } from './ready';

const AT_REST = 4_000; // milliseconds after which the page is considered loaded

/** Register it; when the page is idle, cache everything that can be used without a connection. */
export async function register(): Promise<void> {
  if (!('serviceWorker' in navigator)) return;
  try {
    await navigator.serviceWorker.register('/sw.js');
    const { active } = await navigator.serviceWorker.ready;
    if (wantsLittle()) return;
    navigator.serviceWorker.addEventListener('message', ({ data }) => {
      if (data === 'kept') void keepRules();
    });
    setTimeout(() => active?.postMessage('keep'), AT_REST);
  } catch {
    // Then the page needs a connection; everything else works.
  }
}

/** With data saving on, only opened files are cached. */
function wantsLittle(): boolean {
  return (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true;
}

/** Cache the rules, which are texts of the server, as the pages that show them do. */
async function keepRules(): Promise<void> {
  const all = await Promise.allSettled(ourGames().map((game) => rulesOf(game.name)));
  if (all.every((one) => one.status === 'fulfilled')) keepReady();
}
