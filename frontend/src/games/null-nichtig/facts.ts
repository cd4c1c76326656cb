/** What Null & nichtig's view holds besides the usual, made ready for the eye. */
import { colourOf, say as sayCard, valueOf } from '../../cards/cards';
import type { Colour } from '../../cards/cards';
import type { Event, Gain, Trick, View } from '../../protocol';
import type { Board } from '../../state/board';
import { say } from './texts';

/** The colours of the piles, in their fixed order. */
export const PILES: readonly Colour[] = ['R', 'Y', 'G', 'B', 'L'];

export interface Pile {
  top: string;
  size: number;
}
export type Piles = readonly (Pile | null)[];

/** The piles of a seat, in the order of the colours. */
export function pilesOf(view: View, seat: number): Piles {
  const all = view.table.piles as readonly Piles[] | undefined;
  return all?.[seat] ?? PILES.map(() => null);
}

/** Piles with more cards on them, one after the other. */
export function withCards(piles: Piles, cards: readonly string[]): Piles {
  const now = [...piles];
  for (const card of cards) {
    const at = PILES.indexOf(colourOf(card));
    now[at] = { top: card, size: (now[at]?.size ?? 0) + 1 };
  }
  return now;
}

/** The numbers on top, added up. */
export function totalOf(piles: Piles): number {
  return piles.reduce((sum, pile) => sum + (pile ? Number(valueOf(pile.top)) : 0), 0);
}

/** The plays of the trick on the table in the order in which they go onto the piles.
 *
 * The server tells it; in the moment before it does, it is plain to see: from the taker on.
 */
export function layingOrder(board: Board): Trick['plays'] {
  const trick = board.frame?.view.tricks[0];
  if (!trick) return [];
  const standing = board.outlook?.standing;
  const told = board.frame?.held.length
    ? byCards(trick, standing?.collected ?? [])
    : standing?.tricks[0]?.order.flatMap((at) => trick.plays.slice(at, at + 1));
  return told?.length === trick.plays.length ? told : fromTaker(trick);
}

/** The plays that brought these cards, of twins one after the other. */
function byCards(trick: Trick, cards: readonly string[]): Trick['plays'] {
  const left = [...trick.plays];
  return cards.flatMap((card) => {
    const at = left.findIndex((play) => play[1] === card);
    return at < 0 ? [] : left.splice(at, 1);
  });
}

function fromTaker(trick: Trick): Trick['plays'] {
  const first = Math.max(
    0,
    trick.plays.findIndex(([seat]) => seat === trick.winning),
  );
  return [...trick.plays.slice(first), ...trick.plays.slice(0, first)];
}

/** Every card of a seat's piles, bottom first, as the round's events tell; null where they do not. */
export function heapsOf(board: Board, seat: number, piles: Piles): (readonly string[] | null)[] {
  const heaps = new Map<Colour, string[]>(PILES.map((colour) => [colour, []]));
  let plays: [number, string][] = [];
  for (const event of eventsOfRound(board.events ?? [], board.frame?.view.round ?? 0)) {
    if (event.kind === 'revealed') lay(heaps, event.choices?.[seat]?.split(',') ?? []);
    else if (event.kind === 'play') plays.push([event.seat ?? 0, event.move ?? '']);
    else if (event.kind === 'trick') {
      const trick = { place: 0, led: '', plays, winning: event.seat ?? null };
      if (event.seat === seat)
        lay(
          heaps,
          fromTaker(trick).map(([, card]) => card),
        );
      plays = [];
    }
  }
  return PILES.map((colour, at) => {
    const pile = piles[at];
    const heap = heaps.get(colour)!.slice(0, pile?.size ?? 0); // what is shown may be behind
    return pile && heap.length === pile.size && heap.at(-1) === pile.top ? heap : null;
  });
}

function lay(heaps: Map<Colour, string[]>, cards: readonly string[]): void {
  for (const card of cards) heaps.get(colourOf(card))?.push(card);
}

function eventsOfRound(events: readonly Event[], round: number): readonly Event[] {
  const begin = events.findIndex((event) => event.kind === 'round' && event.round === round);
  const next = events.findIndex((event, at) => at > begin && event.kind === 'round');
  return begin < 0 ? [] : events.slice(begin, next < 0 ? undefined : next);
}

/** What the raised card would do to piles, or the trick as it lies. */
export function forecastOf(board: Board): { card: string | null; gain: Gain } | null {
  if (board.frame?.held.length) return null;
  const card = board.myTurn ? board.selection.raised : null;
  const effect = board.outlook?.effects.find((one) => one.move === card);
  const gain = card !== null ? effect?.changes[0] : board.outlook?.standing.tricks[0]?.worth[0];
  return gain ? { card, gain } : null;
}

/** Points with a sign, and an arrow for the eye. */
export function signed(points: number): string {
  return points > 0 ? `+${points}` : points < 0 ? `−${-points}` : '±0';
}

export function arrow(points: number): string {
  return points > 0 ? '↑' : points < 0 ? '↓' : '';
}

/** A pile in words. */
export function pileWords(pile: Pile | null, at: number): string {
  const colour = sayCard(PILES[at]!);
  if (!pile) return say('no-pile', { colour });
  return say('pile', { colour, value: valueOf(pile.top), count: pile.size });
}

/** The seats of each team; none where everyone plays alone. */
export function teamsOf(view: View): readonly (readonly number[])[] {
  const teams = Number(view.options.teams ?? 0);
  const seats = Array.from({ length: view.seats }, (_, seat) => seat);
  return Array.from({ length: teams }, (_, team) => seats.filter((seat) => seat % teams === team));
}
