/** Whose turn it is, in words, and the progress of a round. */
import type { Event, View } from '../protocol';
import type { Board } from '../state/board';
import type { Frame } from '../state/frames';
import { lastTrickOf } from '../state/lastTrick';
import { cardsOfMoves } from '../state/moves';
import { say } from './texts';

/** Return how many cards of the hand can be played; of twins, which share their name, both count. */
export function playableCards(view: View): number {
  const playable = new Set(cardsOfMoves(view).flat());
  return view.hand.filter((card) => playable.has(card)).length;
}

interface Waited {
  view: View | null;
  seat: number | null;
  nameOf(seat: number): string;
}

/** Return whose move is awaited, in words. */
export function waitingText(board: Waited): string {
  const { view, seat } = board;
  const waited = view?.waiting_for.filter((one) => one !== seat) ?? [];
  if (!waited.length) return say('waiting-nobody');
  const names = waited.map((one) => board.nameOf(one)).join(', ');
  return say('waiting', { names, count: view?.phase === 'play' ? waited.length : 2 });
}

/**
 * Return who gets the trick that is still shown, why and what it was worth, in the server's words;
 * '' if none is held.
 */
export function heldText(board: Pick<Board, 'frame' | 'outlook'>): string {
  return lastTrickOf(board)?.text ?? board.frame?.held[0]?.words ?? '';
}

/** Return which trick is being played, of how many: as many as anyone has cards in this round. */
export function trickCount(
  shown: Frame,
  known: View,
  events: readonly Event[],
): { trick: number; tricks: number } | null {
  if (shown.view.phase !== 'play' || shown.view.round !== known.round) return null;
  const begin = events.findLastIndex((event) => event.kind === 'round');
  const cards = [...known.hand_sizes];
  for (const event of events.slice(begin + 1)) {
    // A play in a trick that is put away has no cards any more.
    if (event.kind === 'play') cards[event.seat]! += event.cards?.length || 1;
  }
  const tricks = Math.max(...cards);
  const left = Math.max(...shown.view.hand_sizes);
  const trick = tricks - left + (shown.held.length ? 0 : 1);
  return { trick: Math.min(Math.max(trick, 1), tricks), tricks };
}
