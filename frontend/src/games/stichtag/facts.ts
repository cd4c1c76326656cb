/** What lies on the table because of today's sheets: read from the view, put into few words. */
import type { SheetInfo, View } from '../../protocol';
import { say } from './texts';

export interface Fact {
  id: string;
  /** As short as it can be told. */
  text: string;
  /** For ears, where the text is too short for them. */
  spoken?: string;
  /** The kind of sheet that it comes from. */
  kind: SheetInfo['kind'];
}

type Counts = readonly number[] | undefined | null;

/** Facts of the table with a number for each seat, the kind of sheet they belong to. */
const COUNTED = [
  ['aside', 'red'],
  ['eggs', 'month'],
  ['gifts', 'month'],
  ['lanterns', 'month'],
] as const;

/** Cards that one seat holds. */
const HELD = [
  ['veto', 'red'],
  ['sunstroke', 'month'],
] as const;

/** What a seat has before it today. */
export function seatFacts(view: View, seat: number): Fact[] {
  const { table, mine } = view;
  const facts: Fact[] = [];
  const hearts = (table.hearts as Counts)?.[seat];
  if (hearts !== undefined) facts.push(heartsFact(hearts));
  const announced = (table.announced as Counts)?.[seat];
  if (announced !== undefined) {
    facts.push({ id: 'announced', kind: 'red', text: say('announced', { count: announced }) });
  }
  for (const [id, kind] of HELD) {
    if (table[id] === seat) facts.push({ id, kind, text: say(id) });
  }
  for (const [id, kind] of COUNTED) {
    const count = (table[id] as Counts)?.[seat];
    if (count) facts.push({ id, kind, text: say(id, { count }) });
  }
  if (mine.partner === seat) facts.push({ id: 'partner', kind: 'red', text: say('partner') });
  return facts;
}

function heartsFact(count: number): Fact {
  const text = '♥'.repeat(count) + '♡'.repeat(Math.max(0, 2 - count));
  return { id: 'hearts', kind: 'green', text, spoken: say('hearts', { count }) };
}

/** Cards that lie in the middle besides the trick. */
export function pilesOf(view: View): { id: 'lying' | 'discarded' | 'to_give'; cards: readonly string[]; text: string }[] {
  const cards = (id: string): readonly string[] => (view.table[id] as string[] | undefined) ?? [];
  const tricks = Number(view.table.lying_tricks ?? 0);
  return [
    { id: 'lying' as const, cards: cards('lying'), text: say('lying', { count: tricks }) },
    { id: 'discarded' as const, cards: cards('discarded'), text: say('discarded', { count: cards('discarded').length }) },
    { id: 'to_give' as const, cards: cards('to_give'), text: say('to-give', { count: cards('to_give').length }) },
  ].filter((pile) => pile.cards.length);
}

/** Seats whose card of this trick lies face down already: everyone who is not waited for. */
export function faceDownSeats(view: View): readonly number[] {
  if (!view.table.named) return [];
  return Array.from({ length: view.seats }, (_, seat) => seat).filter(
    (seat) => !view.waiting_for.includes(seat),
  );
}
