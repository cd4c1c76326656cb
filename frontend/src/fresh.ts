/** Before each test file: nothing of the files before is left, as if it had a page of its own. */
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
