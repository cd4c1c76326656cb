/** Whose words are not shown on this device, as long as the page is open. */
import { SvelteSet } from 'svelte/reactivity';

export const muted = new SvelteSet<string>();
