import { tick } from 'svelte';
import { beforeEach, expect, test, vi } from 'vitest';

const KEY = 'stichwerk-settings';

beforeEach(() => localStorage.clear());

/** Load the settings as a page does when it opens. */
async function opened() {
  vi.resetModules();
  return import('./settings.svelte');
}

test('a trick rests 1.2 seconds on a device that has stored nothing', async () => {
  const { settings } = await opened();
  expect(settings.hold).toBe(1.2);
});

test('how long a trick rests is remembered, and the default fills what was never stored', async () => {
  localStorage.setItem(KEY, '{"hold": 3}');
  expect((await opened()).settings.hold).toBe(3);
  localStorage.setItem(KEY, '{"name": "Ada"}');
  expect((await opened()).settings).toMatchObject({ name: 'Ada', hold: 1.2 });
});

test('unreadable settings are reset', async () => {
  localStorage.setItem(KEY, 'nonsense');
  expect((await opened()).settings.hold).toBe(1.2);
});

test('a change is stored and still there when the page opens again', async () => {
  const { keepSettings, settings } = await opened();
  keepSettings();
  settings.folded = true;
  await tick();
  expect((await opened()).settings.folded).toBe(true);
});
