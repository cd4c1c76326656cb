/** Reactions: what can be said with one tap, and how it is drawn, in a square of 24. */
import type { Preset } from '../protocol';

export const REACTIONS = [
  'hello',
  'well-played',
  'thanks',
  'oops',
  'thinking',
  'hurry',
] as const satisfies readonly Preset[];
export type Reaction = (typeof REACTIONS)[number];

interface ReactionDrawing {
  /** The colour of what is filled. */
  fill: string;
  /** Filled and outlined. */
  body: string;
  /** Outlined only. */
  lines: string;
}

export const DRAWINGS: Readonly<Record<Reaction, ReactionDrawing>> = {
  // A waving hand.
  hello: {
    fill: '#ffd27a',
    body: 'M8 21c-2.8-1.6-4.3-4.6-5-8 -.2-1.4 1.6-1.9 2.1-.6l1.2 2.6V5.6c0-1.6 2.3-1.6 2.4 0L9 11V3.8c0-1.6 2.4-1.6 2.4 0V11l.5-6.2c.1-1.5 2.3-1.4 2.3.1V12l.9-4.6c.3-1.4 2.3-1.1 2.2.3-.2 4.3-.4 7.6-1.9 10.3-1.2 2.3-4.6 4.4-7.4 3z',
    lines: 'M19.5 3.5c1.3.9 2 2 2.2 3.5M18 6.2c.6.5.9 1 1 1.7',
  },
  // A card with a star.
  'well-played': {
    fill: '#9fe08c',
    body: 'M7.5 2.5h9a2 2 0 0 1 2 2v15a2 2 0 0 1-2 2h-9a2 2 0 0 1-2-2v-15a2 2 0 0 1 2-2z',
    lines: 'M12 7.5l1.4 2.9 3.1.4-2.3 2.2.6 3.1-2.8-1.5-2.8 1.5.6-3.1-2.3-2.2 3.1-.4z',
  },
  // A heart.
  thanks: {
    fill: '#ff8f9c',
    body: 'M12 20.5C6 16 2.8 12.6 2.8 8.7c0-5 6.6-6.6 9.2-2 2.6-4.6 9.2-3 9.2 2 0 3.9-3.2 7.3-9.2 11.8z',
    lines: 'M6 8.3c.2-1.2 1-2 2.1-2.2',
  },
  // A face with a round mouth and a drop of sweat.
  oops: {
    fill: '#ffe07a',
    body: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18z',
    lines:
      'M8.5 9.5h.01M15.5 9.5h.01M12 13.5a2 2.3 0 1 0 0 4.6 2 2.3 0 0 0 0-4.6zM20 2.5c1.3 1.7 1.3 3.3 0 3.3s-1.3-1.6 0-3.3z',
  },
  // Thoughts in a cloud.
  thinking: {
    fill: '#b9dcff',
    body: 'M7.5 15.5a4.2 4.2 0 0 1-.9-8.3 5.6 5.6 0 0 1 10.6-.9 4.7 4.7 0 0 1 .1 9.2z',
    lines: 'M8.5 11.2h.01M12 11.2h.01M15.5 11.2h.01M7.5 18.8h.01M4.5 21.3h.01',
  },
  // An hourglass.
  hurry: {
    fill: '#f6c69a',
    body: 'M7 3.5h10c0 4.5-1.6 6.5-3.6 8.5 2 2 3.6 4 3.6 8.5H7c0-4.5 1.6-6.5 3.6-8.5C8.6 10 7 8 7 3.5z',
    lines: 'M5.5 3.5h13M5.5 20.5h13M10 7.5h4M12 12v4.5',
  },
};

/** Return whether a preset is drawn. */
export function isReaction(preset: string | null | undefined): preset is Reaction {
  return REACTIONS.some((one) => one === preset);
}
