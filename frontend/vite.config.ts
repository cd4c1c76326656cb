import { svelte } from '@sveltejs/vite-plugin-svelte';
import { svelteTesting } from '@testing-library/svelte/vite';
import { defineConfig } from 'vitest/config';

/** The server that `npm run dev` talks to: start one with `stichwerk serve --no-open`. */
const SERVER = process.env.STICHWERK_URL ?? 'http://127.0.0.1:8420';

/**
 * Files that pages share, by the modules that begin them; what these import comes along, unless an earlier
 * file has it. Left alone, the modules used by the same pages are a file: about fifty for a table, many of
 * them so small that they hardly compress.
 */
const SHARED: Readonly<Record<string, readonly string[]>> = {
  /** On every page. */
  page: [
    ...['cards/CardText', 'cards/Mini', 'cards/cards.', 'games/known', 'motion/times', 'net/api'],
    ...['rules/library', 'shared/Icon', 'shared/marks', 'shared/seats', 'start/library'],
    ...['start/ready', 'state/route', 'state/settings', 'state/teams', 'state/tokens'],
    ...['table/titles', 'texts/words'],
  ],
  card: ['cards/Card.', 'games/moods'],
  'table-texts': ['table/rounds', 'table/texts'],
  /** Where cards are played: tables, replays, lessons, examples of the rules. */
  play: [
    ...['games/asking/', 'games/mats', 'games/parts', 'games/steady', 'motion/', 'shared/patches'],
    ...['shared/PersonName', 'shared/SeatMark', 'state/frames', 'state/lastTrick', 'state/moves'],
    ...['state/selection', 'table/Field', 'table/Landing', 'table/NameTag', 'table/OrderNumber'],
    ...['table/TrickCrown', 'table/TrickSlot.', 'table/Turning', 'table/geometry', 'table/outcome'],
  ],
};

/** Vite's own module that loads parts on demand: left alone, it is in any of the files. */
const LOADER = 'vite/preload-helper';

const groups = Object.entries(SHARED).map(([name, modules]) => ({
  name,
  test: (id: string) =>
    modules.some((one) => id.includes(`/src/${one}`)) || (name === 'page' && id.includes(LOADER)),
}));

export default defineConfig({
  plugins: [svelte(), svelteTesting()],
  build: {
    outDir: '../src/stichwerk/web/static',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0, // the page's policy allows no inline code
    modulePreload: { polyfill: false },
    rolldownOptions: { output: { codeSplitting: { groups } } },
  },
  server: {
    fs: { allow: ['..'] }, // the words of fingerprints and the rules lie outside
    proxy: {
      '/api': SERVER,
      '/ws': { target: SERVER, ws: true },
    },
  },
  test: {
    environment: 'happy-dom',
    include: ['src/**/*.test.ts'],
    reporters: ['dot'],
    // One page for all files, emptied before each: a page for each takes three times as long.
    isolate: false,
    setupFiles: ['src/fresh.ts'],
  },
});
