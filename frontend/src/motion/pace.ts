/**
 * Work in step with the frames that the browser draws. What begins just after one has nearly all of
 * the time until the next but one: begun at any other moment it makes the next one late, and a card
 * in flight stumbles.
 *
 * Work that comes together is done one piece after the other, on a slow page each after a frame of its
 * own: what a piece changes must be drawn, too, and two of them hardly fit into the time of one frame.
 */
import { moves } from '../state/settings.svelte';

const LATEST = 100; // milliseconds: a page that is not shown draws no frames
const ROOM = 7; // milliseconds: a frame that took longer to draw leaves no room for work before the next
const QUICK = 3; // milliseconds of a frame after which there is room for one more piece of work
const MOST_FULL = 3; // frames without room: then the page is busy anyway

interface Piece {
  call: () => void;
  urgent: boolean;
}

const waiting: Piece[] = [];
/** Calls off the frame that is awaited. */
let awaited: (() => void) | undefined;

/**
 * Call something as soon as a frame is drawn and it is its turn; at once where nothing moves. What
 * answers a tap is urgent: it comes next, room or not. Return what calls it off.
 */
export function afterFrame(call: () => void, urgent = false): () => void {
  if (!moves() || document.hidden) {
    call();
    return () => undefined;
  }
  const piece = { call, urgent };
  if (urgent) waiting.unshift(piece);
  else waiting.push(piece);
  awaited ??= nextFrame(0);
  return () => {
    const at = waiting.indexOf(piece);
    if (at >= 0) waiting.splice(at, 1);
    if (waiting.length) return;
    awaited?.();
    awaited = undefined;
  };
}

/** Do the next piece after a frame with room for it; `full` frames before had none. */
function nextFrame(full: number): () => void {
  let drawn: ReturnType<typeof setTimeout> | undefined;
  const stop = (): void => {
    clearTimeout(late);
    clearTimeout(drawn);
    cancelAnimationFrame(request);
  };
  const wait = (frames: number): void => {
    stop();
    awaited = waiting.length ? nextFrame(frames) : undefined;
  };
  /** Do a piece; what depends on it is done at its end, so that its time is known only then. */
  const start = (begun: number): void => {
    clearTimeout(late);
    drawn = setTimeout(() => {
      if (waiting.length && performance.now() - begun < QUICK) start(begun);
      else wait(0);
    });
    waiting.shift()?.call();
  };
  const late = setTimeout(() => {
    cancelAnimationFrame(request);
    start(-Infinity);
  }, LATEST);
  const request = requestAnimationFrame((begun) => {
    drawn = setTimeout(() => {
      const room = performance.now() - begun < ROOM;
      if (room || waiting[0]?.urgent || full === MOST_FULL) start(begun);
      else wait(full + 1);
    });
  });
  return stop;
}

/** Do the same after a pause. */
export function later(pause: number, call: () => void): () => void {
  let stop = (): void => clearTimeout(timer);
  const timer = setTimeout(() => (stop = afterFrame(call)), pause);
  return () => stop();
}
