/** What today's sheets place on the table: read from the view, in few words. */
import type { FactInfo, SheetInfo, View } from '../../protocol';
import type { Board } from '../../state/board';
import { filled } from '../../texts/words';
import { pathOf } from './symbols';
import { say } from './texts';

export interface SheetFact {
  id: string;
  /** As short as possible. */
  text: string;
  /** For screen readers, where the text is too short for them. */
  spoken?: string;
  /** The kind of sheet that it comes from. */
  kind: SheetInfo['kind'];
  /** The symbol of that sheet, as a path; empty if it has none. */
  symbol: string;
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
type Shown = Omit<SheetFact, 'id' | 'kind' | 'symbol'>;

/** In the order in which a seat's facts are listed. */
const FORMS: readonly FactInfo['form'][] = ['signs', 'number', 'holder', 'count', 'own'];

/** Return what a seat has in front of it on a day with these sheets, or may have. */
export function seatFacts(view: View, seat: number, sheets: readonly SheetInfo[]): SheetFact[] {
  return sheets
    .flatMap((sheet) => sheet.facts.map((info) => ({ sheet, info })))
    .sort((one, other) => FORMS.indexOf(one.info.form) - FORMS.indexOf(other.info.form))
    .flatMap(({ sheet, info }) => {
      const { form, name } = info;
      const value = (form === 'own' ? view.mine : view.table)[name];
      if (value === undefined) return [];
      return { id: name, kind: sheet.kind, symbol: pathOf(sheet), ...shown(info, view, seat) };
    });
}

function shown(info: FactInfo, view: View, seat: number): Shown {
  if (info.form === 'signs') return signsOf(info, view, seat);
  if (info.form === 'own') return worded(info, view.mine[info.name] === seat);
  if (info.form === 'holder') return worded(info, view.table[info.name] === seat);
  const count = (view.table[info.name] as Counts)?.[seat];
  const there = info.form === 'number' ? count !== undefined : !!count;
  return worded(info, there, count ?? 0);
}

function worded({ text, short, most }: FactInfo, there: boolean, count = 0): Shown {
  const long = { there, text: filled(text, { count }), widest: filled(text, { count: most }) };
  if (short === null) return long;
  const [now, widest] = [filled(short, { count }), filled(short, { count: most })];
  return { ...long, short: now, shortWidest: widest };
}

function signsOf({ name, lost, signs, text }: FactInfo, view: View, seat: number): Shown {
  const count = (view.table[name] as Counts)?.[seat] ?? 0;
  const gone = (view.table[lost] as Counts)?.[seat] ?? 0;
  return {
    text: signs[0].repeat(count) + signs[1].repeat(gone),
    spoken: filled(text, { count }),
    there: true,
    widest: signs[0].repeat(count + gone),
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
