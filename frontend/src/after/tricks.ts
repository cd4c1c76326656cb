/** Every trick of a match, as it was when it was taken. */
import type { Replay } from '../protocol';
import { momentsOf } from './replay.svelte';

export interface Taken {
  round: number;
  /** Within its round, from 1. */
  number: number;
  /** Who played which cards, in order. */
  plays: readonly { seat: number; cards: readonly string[] }[];
  taker: number | null;
  /** The play that completed it. */
  index: number;
}

export function tricksOf(replay: Replay): Taken[] {
  const tricks: Taken[] = [];
  for (const { kind, step, frame } of momentsOf(replay)) {
    if (kind === 'deal') continue;
    for (const { place, taker } of frame.held) {
      const trick = frame.view.tricks.find((one) => one.place === place);
      if (!trick) continue;
      const number = tricks.filter((one) => one.round === step.round).length + 1;
      const plays = trick.plays.map(([seat], at) => ({ seat, cards: trick.cards[at] ?? [] }));
      tricks.push({ round: step.round, number, plays, taker, index: step.index });
    }
  }
  return tricks;
}
