/** What plays of the trick look like today, besides their cards: as the sheets describe it. */
import type { MarkInfo, SheetInfo } from '../../protocol';
import type { Board } from '../../state/board';
import { endsTrick } from '../../state/frames';

/** A mark on the play of one seat. */
export interface Mark {
  seat: number;
  info: MarkInfo;
}

/** Return the marks of the trick that is shown. */
export function marksOf(board: Board, sheets: readonly SheetInfo[]): Mark[] {
  return sheets
    .flatMap((sheet) => sheet.marks)
    .flatMap((info) => marked(board, info).map((seat) => ({ seat, info })));
}

/** Return the seats whose play has a mark: by the view or, in a trick that rests, by an event. */
function marked(board: Board, { name, event }: MarkInfo): readonly number[] {
  if (!event) return seatsIn(board.frame?.view.table[name]);
  const before = eventBeforeEnd(board);
  return before?.kind === event ? seatsIn((before as { [fact: string]: unknown })[name]) : [];
}

function seatsIn(fact: unknown): readonly number[] {
  return typeof fact === 'number' ? [fact] : Array.isArray(fact) ? (fact as number[]) : [];
}

/** Return the event just before the one that completed the resting trick. */
function eventBeforeEnd({ frame, events = [] }: Board): { kind: string } | undefined {
  if (!frame?.held.length) return undefined;
  const first = frame.view.tricks[0]?.cards[0]?.[0];
  const over = events.findLastIndex((event) => endsTrick(event) && event.cards[0] === first);
  return over > 0 ? events[over - 1] : undefined;
}

/** Return who led the covered cards; undefined if none are there, or nobody knows. */
export function leaderOf(board: Board, marks: readonly Mark[]): number | undefined {
  const kinds = marks.filter(({ info }) => info.look === 'covered').map(({ info }) => info.led);
  const led = board.events?.findLast((event) => kinds.includes(event.kind));
  return led && 'seat' in led && typeof led.seat === 'number' ? led.seat : undefined;
}
