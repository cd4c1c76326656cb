/**
 * Work in step with the frames that the browser draws. What begins just after one has nearly all of
 * the time until the next but one: begun at any other moment it makes the next one late, and a card
 * in flight stumbles.
 */
import { moves } from '../state/settings.svelte';

const LATEST = 100; // milliseconds: a page that is not shown draws no frames

/**
 * Call something as soon as the next frame is drawn; at once where nothing moves. Return what calls it
 * off.
 */
export function afterFrame(call: () => void): () => void {
  if (!moves() || document.hidden) {
    call();
    return () => undefined;
  }
  const start = (): void => {
    stop();
    call();
  };
  const late = setTimeout(start, LATEST);
  let drawn: ReturnType<typeof setTimeout> | undefined;
  const request = requestAnimationFrame(() => {
    drawn = setTimeout(start);
  });
  const stop = (): void => {
    clearTimeout(late);
    clearTimeout(drawn);
    cancelAnimationFrame(request);
  };
  return stop;
}

/** Do the same after a pause. */
export function later(pause: number, call: () => void): () => void {
  let stop = (): void => clearTimeout(timer);
  const timer = setTimeout(() => (stop = afterFrame(call)), pause);
  return () => stop();
}
