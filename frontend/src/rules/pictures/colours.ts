/** The colours of a deck, a card of each. */
export const colours = (): Promise<{ default: unknown }> => import('./ColoursPicture.svelte');
