/** What today's sheets place on the table: read from the view, in few words. */
import type { Colour } from '../../cards/cards';
import type { FactInfo, SheetInfo, ShownInfo, View } from '../../protocol';
import type { Board } from '../../state/board';
import { cardsOfMoves } from '../../state/moves';
import { filled } from '../../texts/words';
import { pathOf } from './symbols';

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
type Worded = Omit<SheetFact, 'id' | 'kind' | 'symbol'>;

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

function shown(info: FactInfo, view: View, seat: number): Worded {
  if (info.form === 'signs') return signsOf(info, view, seat);
  if (info.form === 'own') return worded(info, view.mine[info.name] === seat);
  if (info.form === 'holder') return worded(info, view.table[info.name] === seat);
  const count = (view.table[info.name] as Counts)?.[seat];
  const there = info.form === 'number' ? count !== undefined : !!count;
  return worded(info, there, count ?? 0);
}

function worded({ text, short, most }: FactInfo, there: boolean, count = 0): Worded {
  const long = { there, text: filled(text, { count }), widest: filled(text, { count: most }) };
  if (short === null) return long;
  const [now, widest] = [filled(short, { count }), filled(short, { count: most })];
  return { ...long, short: now, shortWidest: widest };
}

function signsOf({ name, lost, signs, text }: FactInfo, view: View, seat: number): Worded {
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

/** Something that a sheet shows on the table, or to the person only. */
export interface Shown {
  id: string;
  sheet: SheetInfo;
  info: ShownInfo;
  text: string;
  cards: readonly string[];
  colours: readonly Colour[];
  sign: string;
}

/** Return what today's sheets show, as far as there is anything: to all, or to the person only. */
export function shownOf(view: View, sheets: readonly SheetInfo[], own: boolean): Shown[] {
  const replaced = sheets.flatMap((sheet) => sheet.replaces);
  return sheets.flatMap((sheet) =>
    sheet.shown
      .filter((info) => info.own === own && !replaced.includes(info.instead))
      .flatMap((info) => shownAs(view, sheet, info)),
  );
}

function shownAs(view: View, sheet: SheetInfo, info: ShownInfo): Shown[] {
  if (info.until && (view.table[info.until] ?? null) !== null) return [];
  const value = (info.own ? view.mine : view.table)[info.name];
  const nothing = { id: info.name, sheet, info, cards: [], colours: [], sign: '' };
  if (info.form === 'state') {
    const { text = '', sign = '' } = info.states[String(value)] ?? {};
    return text ? [{ ...nothing, text, sign }] : [];
  }
  if (info.form === 'colour' || info.form === 'colours') {
    const colours = [value ?? []].flat() as Colour[];
    return colours.length ? [{ ...nothing, text: info.text, colours }] : [];
  }
  const cards = typeof value === 'string' ? [value] : ((value as string[] | undefined) ?? []);
  const count = info.counted ? Number(view.table[info.counted]) : cards.length;
  return cards.length ? [{ ...nothing, text: filled(info.text, { count }), cards }] : [];
}

/** Return cards in the middle besides the trick; without those that the person is asked about. */
export function pilesOf(view: View, sheets: readonly SheetInfo[], asked = false): Shown[] {
  const offered = asked ? cardsOfMoves(view).flat() : [];
  return shownOf(view, sheets, false).filter(
    ({ cards }) => cards.length && !cards.every((card) => offered.includes(card)),
  );
}

/** Return the seats that mean something to the person only, with the facts that say what. */
export function ownSeats(
  view: View,
  sheets: readonly SheetInfo[],
): { info: FactInfo; seat: number }[] {
  return sheets
    .flatMap((sheet) => sheet.facts)
    .flatMap((info) => {
      const seat = info.form === 'own' && info.sentence ? view.mine[info.name] : null;
      return typeof seat === 'number' ? [{ info, seat }] : [];
    });
}
