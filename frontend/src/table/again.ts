/** The second tap of a double tap belongs to the card of the first.
 *
 * When a card leaves the hand the others close up, so that a hasty second tap would hit a neighbour:
 * it would be raised, or put aside for the next turn, and nobody wanted that.
 */
const SOON = 300; // milliseconds within which fingers tap twice
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

  /** Whether a tap on something is the rest of a double tap on something else. */
  strays(tap: Tap, on: string): boolean {
    const last = this.#last;
    if (!last || tap.detail === 0 || this.#on === on) return false;
    if (tap.pointerType === 'mouse') return tap.detail > 1; // a mouse tells
    return (
      tap.timeStamp - last.timeStamp < SOON &&
      Math.hypot(tap.clientX - last.clientX, tap.clientY - last.clientY) < NEAR
    );
  }

  /** There was a tap; after a move (`null`) whatever follows in the same place is no other one. */
  note(tap: Tap, on: string | null): void {
    this.#last = tap.detail === 0 ? null : tap;
    this.#on = on;
  }
}
