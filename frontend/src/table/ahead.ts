/** Parts of the table that nobody needs for playing: loaded when they are opened, or at rest. */

export const AT_REST = 2_000; // milliseconds after which the table is up, and nothing else is on its way

/** Load what is behind the buttons: menu, rules, log, scores, chat. */
export const loadPanels = (): Promise<typeof import('./Panels.svelte')> =>
  import('./Panels.svelte');

/**
 * Load it ahead, so that it opens at once, and also without a connection. Return what calls that off:
 * when the connection is lost, since a part that cannot be loaded renews the page.
 */
export function loadAhead(load: () => Promise<unknown> = loadPanels): () => void {
  const timer = setTimeout(() => {
    load().catch(() => undefined); // then again when it is opened
  }, AT_REST);
  return () => clearTimeout(timer);
}
