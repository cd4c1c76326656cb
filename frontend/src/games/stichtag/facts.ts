/** What today's sheets place on the table: read from the view, in few words. */
import type { SheetInfo, View } from '../../protocol';
import type { Board } from '../../state/board';
import { say } from './texts';

export interface Fact {
  id: string;
  /** As short as possible. */
  text: string;
  /** For screen readers, where the text is too short for them. */
  spoken?: string;
  /** The kind of sheet that it comes from. */
  kind: SheetInfo['kind'];
  /**
   * Whether the seat has it now; its place is reserved all day, so that nothing moves when it
   * appears.
   */
  there: boolean;
  /** The longest possible text. */
  widest: string;
  /** For little room; the text, if there is nothing shorter. */
  short?: string;
  /** The longest possible short text. */
  shortWidest?: string;
}

type Counts = readonly number[] | undefined | null;

/**
 * Facts of the table with a number per seat, the kind of sheet they belong to, and the longest
 * number.
 */
const COUNTED = [
  ['aside', 'red', 12],
  ['eggs', 'month', 6],
  ['gifts', 'month', 6],
  ['lanterns', 'month', 6],
] as const;

/** Cards that one seat holds. */
const HELD = [
  ['veto', 'red'],
  ['sunstroke', 'month'],
] as const;

/** Return what a seat has in front of it today, or may have. */
export function seatFacts(view: View, seat: number): Fact[] {
  const { table, mine } = view;
  const facts: Fact[] = [];
  const hearts = (table.hearts as Counts)?.[seat];
  const lost = (table.lost_hearts as Counts)?.[seat] ?? 0;
  if (hearts !== undefined) facts.push(heartsFact(hearts, lost));
  if ('announced' in table) {
    const count = (table.announced as Counts)?.[seat];
    facts.push({
      id: 'announced',
      kind: 'red',
      there: count !== undefined,
      text: say('announced', { count: count ?? 0 }),
      widest: say('announced', { count: 12 }),
      short: say('announced-short', { count: count ?? 0 }),
      shortWidest: say('announced-short', { count: 12 }),
    });
  }
  for (const [id, kind] of HELD) {
    if (!(id in table)) continue;
    const short = id === 'veto' ? say('veto-short') : '';
    facts.push({
      id,
      kind,
      text: say(id),
      there: table[id] === seat,
      widest: say(id),
      short,
      shortWidest: short,
    });
  }
  for (const [id, kind, most] of COUNTED) {
    const count = (table[id] as Counts)?.[seat];
    if (count === undefined) continue;
    facts.push({
      id,
      kind,
      there: count > 0,
      text: say(id, { count }),
      widest: say(id, { count: most }),
      ...(kind === 'month' ? { short: String(count), shortWidest: String(most) } : {}),
    });
  }
  if (mine.partner !== undefined) {
    const [text, short] = [say('partner'), say('partner-short')];
    facts.push({
      id: 'partner',
      kind: 'red',
      text,
      there: mine.partner === seat,
      widest: text,
      short,
      shortWidest: short,
    });
  }
  return facts;
}

function heartsFact(count: number, lost: number): Fact {
  const text = '♥'.repeat(count) + '♡'.repeat(lost);
  return {
    id: 'hearts',
    kind: 'green',
    text,
    spoken: say('hearts', { count }),
    there: true,
    widest: '♥'.repeat(count + lost),
  };
}

/** Return the cross-notes of today that matter now, as one text. */
export function notesOf(board: Board): string {
  return board.outlook?.standing.notes.join(' ') ?? '';
}

/** Return cards in the middle besides the trick. */
export function pilesOf(
  view: View,
): { id: 'lying' | 'discarded' | 'to_give'; cards: readonly string[]; text: string }[] {
  const cards = (id: string): readonly string[] => (view.table[id] as string[] | undefined) ?? [];
  const tricks = Number(view.table.lying_tricks ?? 0);
  return [
    { id: 'lying' as const, cards: cards('lying'), text: say('lying', { count: tricks }) },
    {
      id: 'discarded' as const,
      cards: cards('discarded'),
      text: say('discarded', { count: cards('discarded').length }),
    },
    {
      id: 'to_give' as const,
      cards: cards('to_give'),
      text: say('to-give', { count: cards('to_give').length }),
    },
  ].filter((pile) => pile.cards.length);
}

/** Return the seats whose card of this trick is face down. */
export function faceDownSeats(view: View): readonly number[] {
  return (view.table.face_down as readonly number[] | undefined) ?? [];
}
