/**
 * A lesson as a board: the components of the games show it as they show a table.
 *
 * It plays back what the real rules made of a script. A good move continues with what was prepared;
 * every other legal one is answered, and can be tried again.
 */
import { tick } from 'svelte';

import { motion } from '../motion/motion';
import type { Event, Outlook, View } from '../protocol';
import type { Board } from '../state/board';
import type { Frame } from '../state/frames';
import { movesWith } from '../state/moves';
import { Selection } from '../state/selection.svelte';
import { settings } from '../state/settings.svelte';
import { asOutlook, stopsOf } from './script';
import type { Script, Stop, Words } from './script';

const STEP = 600; // milliseconds between two cards of the others
const LEAST_HOLD = 1_200; // that a finished trick stays

/** The reply to a move other than the intended one. */
export interface Reply {
  move: string;
  words: Words;
}

export class LessonBoard implements Board {
  readonly table = null;
  readonly sending = null;
  readonly queued = null;
  readonly selection: Selection = new Selection(this);
  readonly stops: readonly Stop[];
  readonly game: string;
  at = $state(0);
  frame: Frame | null = $state.raw(null);
  events: readonly Event[] = $state.raw([]);
  /** Everything before the text has happened. */
  ready = $state(false);
  /** The lesson is over. */
  done = $state(false);
  reply: Reply | null = $state.raw(null);
  /** The praise for the previous good move. */
  praise: Words | null = $state.raw(null);
  #frames: Frame[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #you: () => string;

  constructor(script: Script, you: () => string, at = 0) {
    this.game = script.game;
    this.stops = script.scenes.flatMap((scene, number) => stopsOf(scene, number));
    this.#you = you;
    this.jump(at);
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  // -- State
  // ---------------------------------------------------------------------------------------

  get stop(): Stop {
    return this.stops[this.at]!;
  }

  get view(): View {
    return this.stop.view;
  }

  get seat(): number | null {
    return this.stop.seat;
  }

  /** Whether a move is asked for now. */
  get myTurn(): boolean {
    return this.ready && !this.done && this.stop.good !== undefined;
  }

  get outlook(): Outlook | null {
    return this.ready ? asOutlook(this.stop.outlook[settings.lang]) : null;
  }

  nameOf(seat: number): string {
    return seat === this.seat ? this.#you() : (this.view.names[seat] ?? '');
  }

  movesWith(card: string): readonly string[] {
    if (!this.myTurn) return [];
    return movesWith(this.view, card);
  }

  effectOf(move: string): string {
    return this.outlook?.effects.find((one) => one.move === move)?.text ?? '';
  }

  // -- Actions
  // -------------------------------------------------------------------------------------

  async play(move: string): Promise<void> {
    if (!this.myTurn) return;
    const { good, praise, replies, otherwise } = this.stop;
    if (move === good) {
      this.praise = praise ?? null;
      this.#enter(this.at + 1);
      return;
    }
    const words = replies?.[move] ?? otherwise;
    if (words && this.view.moves.includes(move)) this.reply = { move, words };
  }

  async tryOut(move: string): Promise<Outlook | null> {
    const { outlook, tries } = this.stop;
    const texts = outlook[settings.lang];
    const effect = texts.effects.find((one) => one.move === move);
    const prepared = tries?.[settings.lang].find((one) => one.move === move);
    const one = effect
      ? { move, legal: true, text: effect.text, error: null, effect }
      : (prepared ?? null);
    return asOutlook(texts, one);
  }

  /** Go on to the next text. */
  next(): void {
    if (this.stop.good !== undefined || this.done) return;
    this.praise = null;
    this.#enter(this.at + 1, this.#frames); // first what the text held up
  }

  /** Go back to the previous text. */
  back(): void {
    this.jump(this.done ? this.at : this.at - 1);
  }

  /** Jump to a text, as if everything before it had happened. */
  jump(to: number): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.at = Math.max(0, Math.min(this.stops.length - 1, to));
    this.events = this.stops.slice(0, this.at + 1).flatMap((stop) => stop.events);
    this.done = false;
    this.praise = null;
    this.reply = null;
    this.selection.clear();
    this.#frames = [];
    this.#show(this.stop.frames.at(-1)!);
    this.ready = true;
  }

  /** Skip the rest of this scene. */
  skip(): void {
    const next = this.stops.findIndex((stop) => stop.scene > this.stop.scene);
    if (next < 0) this.finish();
    else this.jump(next);
  }

  finish(): void {
    clearTimeout(this.#timer);
    this.done = true;
    this.ready = false;
    this.selection.clear();
  }

  goOn(): void {
    if (this.ready || this.done) return;
    clearTimeout(this.#timer);
    this.#next();
  }

  // -- Display
  // -------------------------------------------------------------------------------------

  #enter(to: number, first: readonly Frame[] = []): void {
    this.reply = null;
    this.selection.clear();
    const stop = this.stops[to];
    if (!stop) {
      this.finish();
      return;
    }
    const newScene = stop.scene !== this.stop.scene;
    this.ready = false;
    this.at = to;
    this.events = newScene ? stop.events : [...this.events, ...stop.events];
    this.#frames = newScene ? [...stop.frames] : [...first, ...stop.frames];
    this.#next();
  }

  /** Show one frame after the other; the last one stays with the text. */
  #next(): void {
    const frame = this.#frames.shift();
    if (!frame) return;
    this.#show(frame);
    if (!this.#frames.length || this.#wordsHold(frame)) {
      this.ready = true;
      return;
    }
    const pause = frame.held.length ? Math.max(LEAST_HOLD, 1000 * settings.hold) : STEP;
    this.#timer = setTimeout(() => this.#next(), pause);
  }

  /** Return whether text about a finished trick is shown while it is still there. */
  #wordsHold(frame: Frame): boolean {
    const { good, look } = this.stop;
    return (
      frame.held.length > 0 && this.#frames.length === 1 && good === undefined && look === 'middle'
    );
  }

  #show(frame: Frame): void {
    motion.before();
    this.frame = frame;
    void tick().then(() => motion.after());
  }
}
