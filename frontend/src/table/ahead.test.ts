import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { AT_REST, loadAhead, loadPanels } from './ahead';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

test('panels are loaded ahead once the table is at rest', () => {
  const load = vi.fn(() => Promise.resolve());
  loadAhead(load);
  vi.advanceTimersByTime(AT_REST - 1);
  expect(load).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(load).toHaveBeenCalledOnce();
});

test('without a connection nothing is loaded ahead', () => {
  const load = vi.fn(() => Promise.resolve());
  loadAhead(load)();
  vi.advanceTimersByTime(2 * AT_REST);
  expect(load).not.toHaveBeenCalled();
});

test('what could not be loaded ahead is no error: it is loaded again when it is opened', async () => {
  const load = vi.fn(() => Promise.reject(new Error('gone')));
  loadAhead(load);
  await vi.advanceTimersByTimeAsync(AT_REST);
  expect(load).toHaveBeenCalledOnce();
  expect((await loadPanels()).default).toBeTypeOf('function');
});
