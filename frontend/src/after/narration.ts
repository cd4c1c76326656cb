/** A moment of a replay in words. Card codes in them are shown as cards, or spoken. */
import { known } from '../games/known.svelte';
import type { ChoiceMade, Event } from '../protocol';
import { eventText } from '../table/news';
import type { Moment, ReplayBoard } from './replay.svelte';
import { roundName, say } from './texts';

/** What is told to one seat in the second person, or is in sight anyway. */
const UNTOLD = new Set(['hand', 'partner', 'received', 'drew']);

/** A move as people read it: a place has an arrow, one that was hidden has no cards. */
export function moveText(move: string | null): string {
  if (move === null) return say('hidden-move');
  const [what = '', where] = move.split('>');
  const cards = what.replaceAll('+', ' + ').replaceAll(',', ', ');
  if (where === undefined) return cards;
  return `${cards} → ${where === 'new' ? say('new-trick') : where}`;
}

/** What happened at a moment of a replay, in sentences. */
export function narrate(moment: Moment, board: ReplayBoard): string[] {
  const { game, seats } = board.replay;
  const nameOf = (seat: number) => board.nameOf(seat);
  const to = { me: null, game, seats, nameOf, personName: String, events: board.events };
  const events = eventsOf(moment);
  const choices = new Set(events.flatMap((event) => (event.kind === 'choice' ? [event.seat] : [])));
  return events
    .filter((event) => !UNTOLD.has(event.kind) && !(event.kind === 'revealed' && event.round))
    .filter((event) => !(event.kind === 'chosen' && choices.has(event.seat)))
    .map((event) => (event.kind === 'choice' ? choiceText(event, board) : eventText(event, to)))
    .filter(Boolean);
}

/** A play that ends a round makes two moments: the deal has what comes from the next round on. */
function eventsOf({ kind, step }: Moment): readonly Event[] {
  const deal = step.events.findIndex((event) => event.kind === 'round');
  if (kind === 'deal') return step.events.slice(deal);
  return deal < 0 ? step.events : step.events.slice(0, deal);
}

function choiceText({ seat, move }: ChoiceMade, board: ReplayBoard): string {
  return say('chooses', { name: board.nameOf(seat), move: moveText(move) });
}

/** Where in the match a moment is: `Durchgang 1, 4. Stich`. */
export function whereabouts(moment: Moment, board: ReplayBoard): string {
  const { game } = board.replay;
  if (moment.kind === 'deal') return `${roundName(game, moment.frame.view.round)}, ${say('deal')}`;
  const { round, trick } = moment.step;
  const at =
    trick === null ? say('choice') : say(`${known(game).counts}-number`, { number: trick });
  return `${roundName(game, round)}, ${at}`;
}
