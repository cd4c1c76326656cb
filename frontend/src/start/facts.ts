/** The basic facts of a game: for how many it is, and how long it takes. */
import type { GameInfo } from '../protocol';
import { say } from './texts';

const span = (low: number, high: number) => (low === high ? String(low) : `${low}–${high}`);

/** Return seats and length in words; short where there is little room. */
export function factsOf({ seats, minutes }: GameInfo, short = false): [string, string] {
  const people = span(seats[0] ?? 0, seats.at(-1) ?? 0);
  return [
    short ? people : say('players', { span: people }),
    say('minutes', { span: span(...minutes) }),
  ];
}
