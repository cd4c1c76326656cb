/**
 * Pictures of cards, read before they are played. The browser reads a picture as a document of its
 * own, which takes a slow phone half a frame, just when its card should fly.
 */
import { faceOf } from './face';

const ENOUGH = 10; // milliseconds in which a slow phone reads a picture

const read = new Map<string, HTMLImageElement>();

/** Read the faces of some cards, one whenever the page is at rest. Return what stops that. */
export function readAhead(cards: readonly string[]): () => void {
  const missing = cards.filter((card) => !read.has(card));
  let stop = (): void => undefined;
  const next = (): void => {
    const card = missing.pop();
    if (card === undefined) return;
    const image = new Image();
    image.src = faceOf(card);
    read.set(card, image); // while it is kept, the browser does not read it again
    stop = whenIdle(next);
  };
  stop = whenIdle(next);
  return () => stop();
}

/**
 * Call something when the page is at rest for long enough that no frame is late; Safari does not say
 * when. Return what calls it off.
 */
function whenIdle(call: () => void): () => void {
  if (!('requestIdleCallback' in globalThis)) {
    const timer = setTimeout(call, 100);
    return () => clearTimeout(timer);
  }
  const look = (rest: IdleDeadline): void => {
    if (rest.timeRemaining() >= ENOUGH) call();
    else request = requestIdleCallback(look);
  };
  let request = requestIdleCallback(look);
  return () => cancelIdleCallback(request);
}
