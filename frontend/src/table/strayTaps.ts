/**
 * Ignores stray second taps: the second tap of a double tap belongs to the card of the first.
 *
 * When a card leaves the hand the others close up, so a hasty second tap would hit a neighbour and
 * raise or queue it by mistake.
 */
const SOON = 300; // milliseconds between the taps of a double tap
const NEAR = 30; // pixels

interface Tap {
  clientX: number;
  clientY: number;
  timeStamp: number;
  /** How many clicks in a row; 0: it was a key. */
  detail: number;
  pointerType?: string;
}

export class LastTap {
  #last: Tap | null = null;
  #on: string | null = null;

  /** Return whether a tap is the rest of a double tap on something else. */
  strays(tap: Tap, on: string): boolean {
    const last = this.#last;
    if (!last || tap.detail === 0 || this.#on === on) return false;
    if (tap.pointerType === 'mouse') return tap.detail > 1; // a mouse reports it
    return (
      tap.timeStamp - last.timeStamp < SOON &&
      Math.hypot(tap.clientX - last.clientX, tap.clientY - last.clientY) < NEAR
    );
  }

  /** Note a tap; after a move (`null`) whatever follows in the same place belongs to it. */
  note(tap: Tap, on: string | null): void {
    this.#last = tap.detail === 0 ? null : tap;
    this.#on = on;
  }
}
