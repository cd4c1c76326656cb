import { expect, test, vi } from 'vitest';

import { renewWhenOutdated } from './renewal';

test('an outdated page reloads once, not in a loop', () => {
  const reload = vi.fn();
  sessionStorage.clear();
  renewWhenOutdated(reload);
  const missing = new Event('vite:preloadError', { cancelable: true });
  dispatchEvent(missing);
  expect(missing.defaultPrevented, 'no error is thrown').toBe(true);
  dispatchEvent(new Event('vite:preloadError', { cancelable: true }));
  expect(reload).toHaveBeenCalledTimes(1);
});
