/** A moment of a replay in words. Card codes in them are shown as cards, or spoken. */
import { known } from '../games/known.svelte';
import type { Event, ReplayStep } from '../protocol';
import type { Moment, ReplayBoard } from './replay.svelte';
import { roundName, say } from './texts';

/** A move in the words of the server; one that was hidden has none. */
export function moveText({ move, label }: Pick<ReplayStep, 'move' | 'label'>): string {
  return move === null ? say('hidden-move') : label;
}

/** What happened at a moment of a replay, in the words of the server. */
export function narrate(moment: Moment): string[] {
  const events = eventsAt(moment);
  const chose = new Set(
    events.flatMap(({ event }) => (event.kind === 'choice' ? [event.seat] : [])),
  );
  return events
    .filter(({ event }) => !(event.kind === 'revealed' && event.round))
    .filter(({ event }) => !(event.kind === 'chosen' && chose.has(event.seat)))
    .map(({ words }) => words)
    .filter(Boolean);
}

/** A play that ends a round makes two moments: the deal has what comes from the next round on. */
function eventsAt({ kind, step }: Moment): { event: Event; words: string }[] {
  const events = step.events.map((event, at) => ({ event, words: step.words[at] ?? '' }));
  const deal = step.events.findIndex((event) => event.kind === 'round');
  if (kind === 'deal') return events.slice(deal);
  return deal < 0 ? events : events.slice(0, deal);
}

/** Where in the match a moment is: `Runde 1, 4. Stich`. */
export function whereabouts(moment: Moment, board: ReplayBoard): string {
  const { game } = board.replay;
  if (moment.kind === 'deal') return `${roundName(game, moment.frame.view.round)}, ${say('deal')}`;
  const { round, trick } = moment.step;
  const at =
    trick === null ? say('choice') : say(`${known(game).counts}-number`, { number: trick });
  return `${roundName(game, round)}, ${at}`;
}
