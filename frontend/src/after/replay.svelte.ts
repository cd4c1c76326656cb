/** A finished match, moment by moment, shown by the same components as a running one. */
import { tick } from 'svelte';

import { motion } from '../motion/motion';
import type { Event, Replay, ReplayRound, ReplayStep, Trick, View } from '../protocol';
import type { Board } from '../state/board';
import { framesBetween, still, withPlay } from '../state/frames';
import type { Frame } from '../state/frames';
import { Selection } from '../state/selection.svelte';
import { clearNames, say } from './texts';

/**
 * What is shown at once. A play after which new cards are dealt makes two moments: the end of its
 * round, and the deal.
 */
export interface Moment {
  kind: 'deal' | 'play';
  step: ReplayStep;
  frame: Frame;
  /** All hands, where they are open. */
  hands: readonly (readonly string[])[] | null;
}

/** Return the moments of a match. */
export function momentsOf(replay: Replay): Moment[] {
  const moments: Moment[] = [];
  let before: ReplayStep | null = null;
  for (const step of replay.steps) {
    const goesOn = step.events.some((event) => event.kind === 'round');
    if (before) moments.push(playMoment(before, step, goesOn));
    if (goesOn) moments.push({ kind: 'deal', step, frame: still(step.view), hands: step.hands });
    before = step;
  }
  return moments;
}

/** Return the moment of a play; a trick that it completed is still shown. */
function playMoment(before: ReplayStep, step: ReplayStep, goesOn: boolean): Moment {
  const frames = framesBetween(before.view, step.view, step.events, step.words);
  const held = frames.filter((frame) => frame.held.length).at(-1);
  const played = frames.at(-1)?.played ?? null;
  if (!goesOn) {
    const frame = held ?? { ...still(step.view), played };
    return { kind: 'play', step, frame, hands: step.hands };
  }
  // The view after it already shows the next round.
  const left = step.left_over ?? { ...before.view, hands: before.hands };
  const { scores, totals } = step.view;
  const shown = held?.view ?? { ...before.view, tricks: laid(before.view, played) };
  const view = {
    ...shown,
    hand: left.hand,
    hand_sizes: left.hand_sizes,
    moves: [],
    waiting_for: [],
    scores,
    totals,
  };
  const frame = { held: held?.held ?? [], played, roundOver: null, view };
  return { kind: 'play', step, frame, hands: left.hands };
}

/** Return the tricks with one more card. */
function laid(view: View, played: Frame['played']): readonly Trick[] {
  if (!played) return view.tricks;
  const old = view.tricks.find((trick) => trick.place === (played.place ?? 0));
  return [...view.tricks.filter((one) => one !== old), withPlay(old, played)];
}

/** A read-only board: it shows one moment after the other. */
export class ReplayBoard implements Board {
  readonly table = null;
  readonly outlook = null;
  readonly myTurn = false;
  readonly sending = null;
  readonly queued = null;
  readonly selection: Selection = new Selection(this);
  readonly moments: readonly Moment[];
  /** Everything that happened, as far as it may be known here. */
  readonly events: readonly Event[];
  /** Which moment is shown. */
  at = $state(0);

  constructor(
    readonly replay: Replay,
    play: number,
    kind: Moment['kind'] = 'play',
    /** The seat that the person had in this match, if any: whatever is shown, that is "you". */
    readonly you: number | null = null,
  ) {
    this.moments = momentsOf(replay);
    this.events = replay.steps.flatMap((step) => step.events);
    this.at = this.momentOf(play, kind);
  }

  get moment(): Moment {
    return this.moments[this.at]!;
  }

  get frame(): Frame {
    return this.moment.frame;
  }

  get view(): View {
    return this.moment.frame.view;
  }

  get seat(): number | null {
    return this.replay.seat;
  }

  /** The number of the current play. */
  get index(): number {
    return this.moment.step.index;
  }

  get names(): readonly string[] {
    return clearNames(this.replay.names);
  }

  /** The names for tables and lists: the person reads "You". */
  get called(): readonly string[] {
    return this.names.map((name, seat) => (seat === this.you ? say('you-name') : name));
  }

  get isFirst(): boolean {
    return this.at === 0;
  }

  get isLast(): boolean {
    return this.at === this.moments.length - 1;
  }

  nameOf(seat: number): string {
    return this.names[seat] ?? '';
  }

  movesWith(): readonly string[] {
    return [];
  }

  async play(): Promise<void> {
    // Nobody plays here.
  }

  async tryOut(): Promise<null> {
    return null;
  }

  /** Show the next moment, on a tap. */
  goOn(): void {
    this.go(this.at + 1);
  }

  /** Show a moment; cards fly from their previous positions. */
  go(at: number): void {
    const wanted = Math.max(0, Math.min(this.moments.length - 1, at));
    if (wanted === this.at) return;
    motion.before();
    this.at = wanted;
    void tick().then(() => motion.after());
  }

  /** Return the moment of a play, or of the deal after it. */
  momentOf(play: number, kind: Moment['kind'] = 'play'): number {
    const fits = (one: Moment) => one.step.index === play && (one.kind === kind || play === 0);
    const found = this.moments.findIndex(fits);
    if (found >= 0) return found;
    const near = this.moments.findIndex((one) => one.step.index >= play);
    return near >= 0 ? near : this.moments.length - 1;
  }

  /** Return where a round begins. */
  momentOfRound(round: ReplayRound): number {
    return this.momentOf(round.index, 'deal');
  }

  /** Return where the previous or next trick begins. */
  trickFrom(direction: 1 | -1): number {
    const starts = this.#trickStarts();
    if (direction > 0) return starts.find((at) => at > this.at) ?? this.moments.length - 1;
    return starts.findLast((at) => at < this.at) ?? 0;
  }

  #trickStarts(): number[] {
    const key = ({ kind, step }: Moment) => `${kind} ${step.round} ${step.trick}`;
    return this.moments.flatMap((one, at, all) =>
      at && key(all[at - 1]!) === key(one) ? [] : [at],
    );
  }
}
