/** Runs before each test file: clears everything left by others, as if it had its own page. */
import { vi } from 'vitest';

vi.resetModules();
vi.unstubAllGlobals();
vi.restoreAllMocks();
vi.useRealTimers();
localStorage.clear();
sessionStorage.clear();
document.head.replaceChildren();
document.body.replaceChildren();
for (const { name } of [...document.documentElement.attributes])
  document.documentElement.removeAttribute(name);
history.replaceState(null, '', '/');
