/** Targets of moves, and what they are called. */
import type { MoveParts } from '../protocol';
import { say } from './texts';

/** Return the key of a move's target: `new`, the number of a place, or a seat; null without one. */
export function targetOf({ place, opens, seat }: MoveParts): string | null {
  if (opens) return 'new';
  if (place != null) return String(place + 1);
  return seat == null ? null : String(seat);
}

/** Return the target of a move in words: a gift goes to a person, a card to a place. */
export function targetName(parts: MoveParts, nameOf: (seat: number) => string): string | null {
  if (parts.opens) return say('target-new');
  if (parts.place != null) return say('target-place', { place: parts.place + 1 });
  return parts.seat == null ? null : nameOf(parts.seat);
}
