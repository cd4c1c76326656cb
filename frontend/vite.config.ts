import { svelte } from '@sveltejs/vite-plugin-svelte';
import { svelteTesting } from '@testing-library/svelte/vite';
import { defineConfig } from 'vitest/config';

/** The server that `npm run dev` talks to: start one with `stichwerk serve --no-open`. */
const SERVER = process.env.STICHWERK_URL ?? 'http://127.0.0.1:8420';

export default defineConfig({
  plugins: [svelte(), svelteTesting()],
  build: {
    outDir: '../src/stichwerk/web/static',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0, // the page's policy allows no inline code
    modulePreload: { polyfill: false },
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
