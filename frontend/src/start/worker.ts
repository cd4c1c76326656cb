/** The service worker: with it the page can be installed, and opens without a connection. */

/** Register it, and tell it what was loaded before it could see that. */
export async function register(): Promise<void> {
  if (!('serviceWorker' in navigator)) return;
  try {
    await navigator.serviceWorker.register('/sw.js');
    const { active } = await navigator.serviceWorker.ready;
    const tell = () => active?.postMessage(loaded());
    tell();
    setTimeout(tell, 3_000); // what was on its way just now
  } catch {
    // Then there is no page without a connection; all else works.
  }
}

/** The files of the page that were loaded so far. */
function loaded(): string[] {
  const urls = performance.getEntriesByType('resource').map((entry) => entry.name);
  return urls.filter((url) => url.startsWith(`${location.origin}/assets/`));
}
