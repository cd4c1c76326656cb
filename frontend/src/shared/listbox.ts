/** How a list of options opens beside its button, and what keys mean in it. */

const EDGE = 8; // pixels between the list and the edge of the window
const GAP = 4; // pixels between the list and its button
const LEAST = 200; // pixels of height below which a list rather covers its button
const PAGE = 10; // options that a page key passes
const PAUSE = 700; // milliseconds after which a letter begins another word

export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** Return where a list is in a window: below its button, above it, or where neither fits, on it. */
export function placeOf(
  button: Box,
  wanted: { width: number; height: number },
  page: { width: number; height: number },
): Box {
  const width = Math.min(Math.max(wanted.width, button.width), page.width - 2 * EDGE);
  const left = between(button.left, EDGE, page.width - EDGE - width);
  const end = button.top + button.height;
  const below = page.height - EDGE - GAP - end;
  const above = button.top - EDGE - GAP;
  const isBelow = wanted.height <= below || below >= above;
  const room = Math.max(isBelow ? below : above, 0);
  if (wanted.height > room && room < LEAST) {
    const height = Math.min(wanted.height, page.height - 2 * EDGE);
    const top = button.top + button.height / 2 - height / 2;
    return { left, top: between(top, EDGE, page.height - EDGE - height), width, height };
  }
  const height = Math.min(wanted.height, room);
  return { left, top: isBelow ? end + GAP : button.top - GAP - height, width, height };
}

function between(value: number, low: number, high: number): number {
  return Math.max(low, Math.min(value, high));
}

/** Return the option to which a key leads, or null if it leads nowhere. */
export function stepTo(key: string, at: number, count: number): number | null {
  const ways: Readonly<Record<string, number>> = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    PageDown: at + PAGE,
    PageUp: at - PAGE,
    Home: 0,
    End: count - 1,
  };
  const to = ways[key];
  return to === undefined ? null : between(to, 0, count - 1);
}

/** Finds options by their first letters; the same letter again and again goes on to the next one. */
export class TypeAhead {
  #typed = '';
  #last = -Infinity;

  /** Whether the next letter continues a word: then a space belongs to it. */
  isTyping(now: number): boolean {
    return this.#typed !== '' && now - this.#last < PAUSE;
  }

  /** Return the option that is meant, or the current one if none begins like that. */
  find(letter: string, labels: readonly string[], at: number, now: number): number {
    this.#typed = (this.isTyping(now) ? this.#typed : '') + letter.toLocaleLowerCase();
    this.#last = now;
    const repeats = [...this.#typed].every((one) => one === this.#typed[0]);
    const sought = repeats ? this.#typed[0]! : this.#typed;
    const from = repeats ? at + 1 : at;
    for (let step = 0; step < labels.length; step += 1) {
      const one = (from + step) % labels.length;
      if (labels[one]!.toLocaleLowerCase().startsWith(sought)) return one;
    }
    return at;
  }
}
