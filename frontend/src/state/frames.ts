/**
 * Frames: what is shown one after the other.
 *
 * The server sends the outcome at once; people want to see a trick before it is cleared. So each
 * message becomes one or more frames. Nothing here knows a rule: a held trick is what was there
 * before, with the cards that the events add to it.
 */
import { colourOf } from '../cards/cards';
import {
  SETTLING,
  type CardPlayed,
  type Event,
  type SettlingEvent,
  type Trick,
  type View,
} from '../protocol';

export interface Frame {
  view: View;
  /**
   * Places whose finished trick is still shown, each with its taker, with the server's words for
   * that, and with the game's facts about it: `last_trick` on the table of the view after it.
   */
  held: readonly { place: number; taker: number | null; words?: string; last?: unknown }[];
  /** The last play: its card lifts for a moment. */
  played: CardPlayed | null;
  /** The finished round: its result is shown until the person goes on. */
  roundOver: number | null;
  /** While a trick is held: what has completed it. Nothing later is shown yet. */
  until?: Event;
}

/** Return a frame in which nothing is held. */
export function still(view: View): Frame {
  return { view, held: [], played: null, roundOver: null };
}

/** Return whether cards move from one frame to the next, within a phase of a round. */
export function onlyPlays(before: Frame | null, after: Frame | null): boolean {
  if (!before || !after?.played || before.roundOver !== null || after.roundOver !== null)
    return false;
  return before.view.phase === after.view.phase && before.view.round === after.view.round;
}

/** Return whether an event completes a trick: it is taken, or stays on the table. */
export function endsTrick(event: Event): event is SettlingEvent {
  return SETTLING.includes(event.kind);
}

/**
 * Return the frames that lead from one view to the next, by the events in between and the server's
 * words for them.
 */
export function framesBetween(
  before: View | null,
  after: View,
  events: readonly Event[],
  words: readonly string[] = [],
): Frame[] {
  if (!before || before.game !== after.game || before.seats !== after.seats) return [still(after)];
  const frames: Frame[] = [];
  const open = new Map(before.tricks.map((trick) => [trick.place, trick]));
  let played: Frame['played'] = null;
  for (const [nth, event] of events.entries()) {
    if (event.kind === 'play') {
      played = event;
      layDown(open, event);
    } else if (endsTrick(event)) {
      const place = (event.kind === 'trick' && event.place) || 0;
      const trick = open.get(place);
      if (trick) {
        const taker = event.kind === 'trick' ? (event.seat ?? null) : null;
        const held = { place, taker, ...(words[nth] && { words: words[nth] }) };
        frames.push({ ...holding(before, after, [...open.values()], held, played), until: event });
      }
      open.delete(place);
    } else if (event.kind === 'scored') {
      const empty = { ...before, tricks: [], hand: [], moves: [], waiting_for: [] };
      frames.push({ ...still(empty), roundOver: after.scores.length });
    }
  }
  frames.push({ ...still(after), played });
  return frames;
}

function layDown(open: Map<number, Trick>, played: CardPlayed): void {
  const trick = withPlay(open.get(played.place ?? 0), played);
  open.set(trick.place, trick);
}

/** Return a trick with one more play; without a trick, the one that this play opens. */
export function withPlay(trick: Trick | undefined, played: CardPlayed): Trick {
  const { seat, place, cards = [] } = played;
  const led = cards[0] === undefined ? '' : colourOf(cards[0]);
  const old = trick ?? { place: place ?? 0, led, plays: [], winning: null, cards: [] };
  return { ...old, plays: [...old.plays, [seat, cards.join('+')]], cards: [...old.cards, cards] };
}

function holding(
  before: View,
  after: View,
  tricks: readonly Trick[],
  held: Frame['held'][number],
  played: Frame['played'],
): Frame {
  const shown = tricks.map((one) =>
    one.place === held.place ? { ...one, winning: held.taker ?? one.winning } : one,
  );
  const sameRound = before.round === after.round;
  const view = {
    ...before,
    tricks: shown,
    hand: sameRound ? after.hand : [],
    hand_sizes: sameRound ? after.hand_sizes : before.hand_sizes.map(() => 0),
    moves: sameRound ? after.moves : [],
    move_parts: after.move_parts,
    waiting_for: sameRound ? after.waiting_for : [],
  };
  const last = after.table.last_trick;
  return { view, held: [{ ...held, last }], played, roundOver: null };
}
