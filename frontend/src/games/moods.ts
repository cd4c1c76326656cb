/**
 * The mood of a game: its emblem, the back of its cards, and what a won trick sounds like. Its palette is in `mood.css` beside it,
 * and holds inside anything with `data-game`.
 *
 * A game without a mood of its own has the generic one.
 */
import { getContext, setContext } from 'svelte';

import { drawBack } from '../cards/art/back';
import { mark, picture } from '../cards/art/svg';
import type { Chord } from '../table/sounds';
import { mood as generic } from './generic/mood';
import { known } from './known.svelte';

export interface Mood {
  /** The mat's two colours by night; backs keep them by day. */
  mat: string;
  matEdge: string;
  /** Marks on a card of 100 by 140, drawn between mat and seam. */
  pattern: string;
  /** Marks in a square of 100. */
  emblem: string;
  /** What a won trick sounds like. */
  trick: Chord;
}

const MOODS = import.meta.glob<Mood>('./*/mood.ts', { eager: true, import: 'mood' });

function moodOf(game: string): Mood {
  return MOODS[`./${known(game).page}/mood.ts`] ?? generic;
}

const backs = new Map<Mood, string>();
const emblems = new Map<Mood, string>();

/** Return what `make` draws of a game's mood, drawn once. */
function kept(drawn: Map<Mood, string>, game: string, make: (mood: Mood) => string): string {
  const mood = moodOf(game);
  const found = drawn.get(mood) ?? make(mood);
  drawn.set(mood, found);
  return found;
}

/** Return the back of a game's cards, as an address of a picture. */
export function backOf(game: string): string {
  return kept(backs, game, drawBack);
}

/** Return the emblem of a game on a patch of its mat, as an address of a picture. */
export function emblemOf(game: string): string {
  return kept(emblems, game, ({ emblem, matEdge }) =>
    picture(
      '0 0 100 100',
      mark('rect', { x: 1, y: 1, width: 98, height: 98, rx: 24, fill: matEdge, stroke: '#8888' }) +
        mark('g', { transform: 'translate(14 14) scale(.72)' }, emblem),
    ),
  );
}

/** Return what a won trick sounds like in a game. */
export function trickSoundOf(game: string): Chord {
  return moodOf(game).trick;
}

/** The key of the context in which `useMood` keeps the game. */
export const MOOD = Symbol('mood');

/** Make everything inside this component show the backs of a game. */
export function useMood(game: () => string): void {
  setContext(MOOD, game);
}

/** Return the game around this component; none outside of games. */
export function moodHere(): () => string {
  return getContext<(() => string) | undefined>(MOOD) ?? (() => '');
}
