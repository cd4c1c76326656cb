/** How our hand has changed since the deal, as the server states it step by step. */
import type { HandChange, Step } from '../protocol';

export const UNCHANGED: HandChange = { left: [], entered: [] };

/** Return the changes since the deal after another step; null stands for unknown changes. */
export function afterStep(before: HandChange | null, step: Step): HandChange | null {
  const change = step.hand ?? UNCHANGED;
  if (step.events.some((event) => event.kind === 'round')) return change;
  if (!before) return null;
  return {
    left: [...before.left, ...change.left],
    entered: [...before.entered, ...change.entered],
  };
}

/**
 * Return which cards have come into a seat's hand since its last move, except by the deal: one that
 * was passed, for example.
 */
export function receivedAfter(
  steps: readonly Step[],
  seat: number | null,
  before: readonly string[],
): readonly string[] {
  let received = before;
  for (const step of steps) {
    const moved = step.events.some(
      (event) => (event.kind === 'play' || event.kind === 'chosen') && event.seat === seat,
    );
    const dealt = step.events.some((event) => event.kind === 'round');
    if (moved || dealt) received = [];
    if (step.hand?.entered.length && !dealt) received = [...received, ...step.hand.entered];
  }
  return received;
}

/** Return the hand that dealt cards have become; null if a card left that was not held. */
export function changedHand(dealt: readonly string[], change: HandChange): string[] | null {
  const held = [...dealt, ...change.entered];
  return change.left.every((card) => take(held, card)) ? held : null;
}

/** Return the cards of the first list that the second one lacks. */
export function missingFrom(cards: readonly string[], others: readonly string[]): string[] {
  const left = [...others];
  return cards.filter((card) => !take(left, card));
}

/** Remove a card from some; return whether it was there. */
function take(cards: string[], card: string): boolean {
  const at = cards.indexOf(card);
  if (at >= 0) cards.splice(at, 1);
  return at >= 0;
}
