/**
 * Handles a page that is older than its server: the parts it has not loaded yet no longer exist.
 */

const KEY = 'stichwerk-renewed';
const NOT_AGAIN_WITHIN = 10_000; // milliseconds: a part that is really missing must not cause a loop

/** Reload the page, once, when a part of it cannot be loaded; seats and matches are kept. */
export function renewWhenOutdated(reload: () => void = () => location.reload()): void {
  addEventListener('vite:preloadError', (event) => {
    const last = Number(sessionStorage.getItem(KEY) ?? 0);
    if (!navigator.onLine || Date.now() - last < NOT_AGAIN_WITHIN) return;
    event.preventDefault();
    sessionStorage.setItem(KEY, String(Date.now()));
    reload();
  });
}
