/** Which tip someone new gets, and when. */
import type { Event, View } from '../protocol';

/** The tips, in their order. */
export const TIPS = ['play', 'trick', 'help'] as const;
export type Tip = (typeof TIPS)[number];

interface Newcomer {
  seat: number | null;
  myTurn: boolean;
  view: View | null;
  events: readonly Event[];
}

const TIMES: Readonly<Record<Tip, (table: Newcomer) => boolean>> = {
  play: ({ myTurn, view }) => myTurn && view?.phase === 'play',
  trick: ({ events, seat }) => events.some((event) => event.kind === 'play' && event.seat === seat),
  help: ({ events, myTurn }) => myTurn && events.some((event) => event.kind === 'trick'),
};

/** Return the next tip if it is time for it; `read`: how many the person has read. */
export function coachTip(table: Newcomer, read: number): Tip | null {
  const tip = TIPS[read];
  if (tip === undefined || table.seat === null || !TIMES[tip](table)) return null;
  return tip;
}
