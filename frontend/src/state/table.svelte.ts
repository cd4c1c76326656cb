/** The store of a table, fed by the socket: what is known, what is shown, what can be done. */
import { tick } from 'svelte';

import { newToken } from '../deal/fairness';
import { DealGuard, MOST_ABORTS } from '../deal/guard.svelte';
import { UNCHANGED, afterStep, receivedAfter } from '../deal/handChange';
import { motion } from '../motion/motion';
import { afterFrame, later } from '../motion/pace';
import { Connection, Refusal } from '../net/connection';
import type { Answer, Hearer, Request, Status } from '../net/connection';
import type {
  Bye,
  Event,
  FromServer,
  HandChange,
  HintDone,
  JoinDone,
  Lang,
  LanguageDone,
  Outlook,
  Pace,
  Presence,
  Preset,
  Renewed,
  Said,
  Step,
  Table,
  TallyDone,
  Update,
  View,
  Welcome,
} from '../protocol';
import type { Board } from './board';
import { framesBetween, onlyPlays, still } from './frames';
import type { Frame } from './frames';
import { withLast, withRenewed, withWords } from './log';
import type { LogLine } from './log';
import { movesWith, partsOf } from './moves';
import { Selection } from './selection.svelte';
import { buzz, moves as mayMove, settings } from './settings.svelte';
import { shared } from './sharing';
import { forgetToken, keepToken, noteStage, tokenOf } from './tokens';
import type { Progress } from './tokens';

export type { LogLine };

const STEP_PAUSE = 280; // milliseconds between frames in which nothing is held
const MOST_BEHIND = 6; // frames: a page further behind jumps to the newest
const LOOK_PAUSE = 250; // milliseconds between requests for texts
const MOST_LINES = 2_000;

/** Return the events of some steps, and the server's words for each of them. */
function happened(steps: readonly Step[]): [Event[], string[]] {
  const words = steps.flatMap((step) => step.events.map((_, nth) => step.words[nth] ?? ''));
  return [steps.flatMap((step) => step.events), words];
}

export class TableStore implements Board {
  readonly id: string;
  readonly selection: Selection = new Selection(this);
  /** Takes part in the deal and checks it. */
  readonly deal: DealGuard;
  status: Status = $state('connecting');
  bye: Bye | null = $state.raw(null);
  /** The table as everyone sees it. */
  table: Table | null = $state.raw(null);
  person: string | null = $state(null);
  seat: number | null = $state(null);
  ply = $state(0);
  watching = $state(0);
  /** Whether our last move can still be taken back, according to the server. */
  canTakeBack = $state(false);
  /** What is known; `frame` is what is shown, and may lag a little behind. */
  view: View | null = $state.raw(null);
  frame: Frame | null = $state.raw(null);
  /**
   * The same for what is around the trick: when a card is played, plates and texts follow as soon as
   * it flies, so that neither makes the other late.
   */
  around: Frame | null = $state.raw(null);
  /** The same for the texts about it, a moment later. */
  told: Frame | null = $state.raw(null);
  /** The hand as it is shown: it closes up when a card has left it. */
  hand: readonly string[] = $state.raw([]);
  /** All events of this match that we may see. */
  events: readonly Event[] = $state.raw([]);
  /** How our hand has changed since the deal; null: unknown. */
  #change: HandChange | null = null;
  /** Cards that came into our hand since our last move. */
  received: readonly string[] = $state.raw([]);
  log: readonly LogLine[] = $state.raw([]);
  /** Whether the words of the log are on their way in another language. */
  wordsPending = $state(false);
  chat: readonly Said[] = $state.raw([]);
  /** The server's texts about the current moves. */
  outlook: Outlook | null = $state.raw(null);
  #outlookLang: string = $state.raw('');
  hint: HintDone | null = $state.raw(null);
  /** The move being sent; it stays until the server has stored it. */
  sending: string | null = $state(null);
  /** A card to be played as soon as possible. */
  queued: string | null = $state(null);
  /** The last refusal, as text. */
  complaint: string | null = $state(null);

  #seq: number | null = null;
  #reads = false;
  #connection: Connection;
  #frames: Frame[] = [];
  /** Calls off what will be shown next. */
  #showing: (() => void) | undefined;
  /** Call off what follows the card in flight. */
  #settling: (() => void)[] = [];
  #wordsLang: Lang | null = null;
  #looked: { view: View; lang: string } | null = null;
  #lookedAt = -Infinity;
  #looking: ReturnType<typeof setTimeout> | undefined;

  constructor(id: string) {
    this.id = id;
    this.deal = new DealGuard(
      id,
      (request) => this.#connection.ask(request),
      () => this.#connection.close(),
      (seat) => this.nameOf(seat),
    );
    const hearer = {
      hello: () => this.#hello(),
      onMessage: (message: FromServer) => this.#receive(message),
      status: (status: Status, bye: Bye | null) => {
        this.status = status;
        this.bye = bye;
        // The token is invalid: with the link alone the person is a stranger.
        if (status === 'gone' && (bye?.error === 'bad-token' || bye?.error === 'removed'))
          forgetToken(id);
      },
      soon: afterFrame,
    };
    this.#connection = new Connection(id, hearer, this.deal.stopped);
  }

  close(): void {
    this.#showing?.();
    this.#settle();
    clearTimeout(this.#looking);
    this.deal.close();
    this.#connection.close();
  }

  // -- State
  // ---------------------------------------------------------------------------------------

  get isHost(): boolean {
    return this.person !== null && this.table?.host === this.person;
  }

  /** Whether the play is hidden: without a seat at a private table. */
  get outside(): boolean {
    return this.seat === null && this.table?.settings.watch === 'none';
  }

  /** Whether we have to move, and nothing of ours is being sent. */
  get myTurn(): boolean {
    return !!this.view?.moves.length && this.sending === null && this.table?.stage === 'playing';
  }

  get playing(): boolean {
    return this.table?.stage === 'playing' || this.table?.stage === 'over';
  }

  /** The seats whose agreement to deal again is missing. */
  get dealAgainMissing(): readonly number[] {
    const { table } = this;
    if (!table || table.stage !== 'gathering' || table.aborts < MOST_ABORTS) return [];
    return table.places.flatMap(({ person, level }, seat) =>
      person !== null && level === null && !table.agreed.includes(seat) ? [seat] : [],
    );
  }

  /** Whether the person is asked to agree, by this page or by the server. */
  get asksToDealAgain(): boolean {
    if (this.seat === null || this.playing) return false;
    return this.deal.mustAgree || this.dealAgainMissing.includes(this.seat);
  }

  /** Return the name of the person in a seat. */
  nameOf(seat: number): string {
    const person = this.table?.places[seat]?.person;
    const name = this.table?.people.find((one) => one.id === person)?.name;
    return name ?? this.view?.names[seat] ?? '';
  }

  /** Whether nobody else plays: then there is no deal to compare with others. */
  get solo(): boolean {
    return (this.table?.places.filter(({ person }) => person !== null).length ?? 0) < 2;
  }

  /**
   * Return the legal moves that contain a card: several where a place or a partner is to be chosen.
   */
  movesWith(card: string): readonly string[] {
    return movesWith(this.view, card);
  }

  // -- Actions
  // -------------------------------------------------------------------------------------

  /**
   * Send a request; a refusal becomes a complaint. After an invalid deal nothing is sent any more.
   */
  async ask(request: Request): Promise<Answer | null> {
    if (this.deal.stopped) return null;
    if (request.type === 'leave') this.deal.leave();
    try {
      const answer = await this.#connection.ask(request);
      this.complaint = null;
      return answer;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.complaint = error.message;
      return null;
    }
  }

  async join(name: string, seat: number | null = null): Promise<boolean> {
    const token = newToken();
    const answer = (await this.ask({ type: 'join', name, seat, token })) as JoinDone | null;
    if (!answer) return false;
    keepToken(this.id, answer.token, this.table?.game ?? '');
    return true;
  }

  async play(move: string): Promise<void> {
    const match = this.table?.match;
    if (!match || this.sending !== null) return;
    this.sending = move;
    this.queued = null;
    this.hint = null;
    buzz();
    this.#catchUp();
    await this.ask({ type: 'play', match, ply: this.ply, move });
    this.sending = null;
    this.#playQueued();
  }

  /** Play a card as soon as it is our turn, if it may be played then. */
  queue(card: string | null): void {
    this.queued = card;
  }

  async askHint(): Promise<void> {
    const match = this.table?.match;
    if (match) this.hint = (await this.ask({ type: 'hint', match })) as HintDone | null;
  }

  async takeBack(): Promise<void> {
    const match = this.table?.match;
    if (match) await this.ask({ type: 'take-back', match });
  }

  async consent(agree: boolean): Promise<void> {
    const match = this.table?.match;
    if (match) await this.ask({ type: 'consent', match, agree });
  }

  async say(words: { text: string } | { preset: Preset }): Promise<void> {
    await this.ask({ type: 'chat', ...words });
  }

  /**
   * Let bots wait while the person reads something, or go on; the server sees to it that nobody else
   * has to wait.
   */
  waitForMe(wait: boolean): void {
    if (wait === this.#reads) return;
    this.#reads = wait;
    this.#sayWhetherReading();
  }

  #sayWhetherReading(): void {
    // Refused or unanswered: then the bots do not wait.
    this.#connection.ask({ type: 'wait-for-me', wait: this.#reads }).catch(() => undefined);
  }

  /** Change how long bots seem to think. */
  async setPace(pace: Pace): Promise<void> {
    settings.pace = pace;
    await this.ask({ type: 'pace', pace });
  }

  /** Ask what an incomplete choice would do, again whenever it changes. */
  async tryOut(move: string): Promise<Outlook | null> {
    const match = this.table?.match;
    if (!match) return null;
    return this.#connection
      .ask({ type: 'look', match, lang: settings.lang, move })
      .then((answer) => answer as Outlook)
      .catch(() => null);
  }

  /** Ask how the points of a round came about. */
  async tally(round: number): Promise<TallyDone | null> {
    const match = this.table?.match;
    if (!match) return null;
    return (await this.ask({
      type: 'tally',
      match,
      round,
      lang: settings.lang,
    })) as TallyDone | null;
  }

  /**
   * Request the texts about the current moves: after every change, and in another language. While
   * things happen fast, one request in a while is enough.
   */
  look(): void {
    clearTimeout(this.#looking);
    const pause = this.#lookedAt + LOOK_PAUSE - performance.now();
    if (pause > 0) this.#looking = setTimeout(() => this.look(), pause);
    else this.#lookNow();
  }

  /**
   * The outlook, if it is in the current language. After a switch the page shows the old texts
   * until the new ones arrive; a screen reader would read them in the wrong voice.
   */
  get spokenOutlook(): Outlook | null {
    return this.#outlookLang === settings.lang ? this.outlook : null;
  }

  #lookNow(): void {
    const match = this.table?.match;
    const { view } = this;
    const { lang } = settings;
    if (!match || !view || (this.#looked?.view === view && this.#looked.lang === lang)) return;
    const looked = { view, lang };
    this.#looked = looked;
    this.#lookedAt = performance.now();
    this.#connection.ask({ type: 'look', match, lang, move: null }).then(
      (answer) => {
        if (this.#looked !== looked) return;
        this.outlook = answer as Outlook;
        this.#outlookLang = lang;
      },
      () => undefined, // the table works without texts
    );
  }

  /** Request the words of the log again after a change of language. */
  renewWords(): void {
    const { lang } = settings;
    if (this.#wordsLang === lang || this.status !== 'open') return;
    this.#wordsLang = lang;
    this.wordsPending = true;
    this.#connection
      .ask({ type: 'language', lang })
      .then(
        (answer) => {
          this.log = withWords(this.log, (answer as LanguageDone).steps);
        },
        () => undefined, // the log stays as it is
      )
      .finally(() => {
        if (this.#wordsLang === lang) this.wordsPending = false;
      });
  }

  /** Ask for what is missing since the last connection; for everything if the language changed. */
  #hello(): ReturnType<Hearer['hello']> {
    const { lang } = settings;
    const since = this.#wordsLang === lang ? this.#seq : null;
    this.#wordsLang = lang;
    return { token: tokenOf(this.id), since, lang };
  }

  // -- Receiving
  // -----------------------------------------------------------------------------------

  #receive(message: FromServer): void {
    if (message.type === 'welcome') this.#welcomed(message);
    else if (message.type === 'update') this.#updated(message);
    else if (message.type === 'presence') this.#present(message);
  }

  #welcomed(message: Welcome): void {
    const resumed = this.#seq !== null && !message.fresh;
    if (this.#reads) this.#sayWhetherReading(); // the server has forgotten it with the connection
    this.table ??= message.table;
    this.person = message.person;
    if (message.fresh) {
      this.log = [];
      this.chat = [];
      this.view = null; // a visible match comes with the message
    }
    const events = this.#note(message.steps, message.fresh ? [] : this.events);
    this.events = message.fresh && message.view ? withLast(message.view.history, events) : events;
    this.#renew(message.renewed);
    if (message.fresh) {
      this.#change = message.hand ?? UNCHANGED;
      this.received = receivedAfter(message.steps, message.seat, []);
    } else this.#follow(message);
    this.#take(message, message.table, resumed ? message.steps : null);
    const token = tokenOf(this.id);
    if (token && message.person) keepToken(this.id, token, message.table.game);
  }

  #updated(message: Update): void {
    this.events = this.#note(message.steps, this.events);
    this.#renew(message.renewed);
    this.#follow(message);
    this.#take(message, message.table ?? this.table, message.steps);
  }

  /** Add up what the steps say about our hand: another seat has another hand. */
  #follow({ seat, steps }: Welcome | Update): void {
    const known = seat === this.seat ? this.#change : null;
    this.#change = steps.reduce(afterStep, known);
    this.received = receivedAfter(steps, seat, this.received);
  }

  /** Take over what a message says; `steps` lead to it from what is shown, null if they do not. */
  #take(message: Welcome | Update, table: Table | null, steps: readonly Step[] | null): void {
    const before = this.#frames.at(-1)?.view ?? this.frame?.view ?? null;
    const sameMatch = this.table?.match === table?.match;
    this.#seq = message.seq;
    this.seat = message.seat;
    this.ply = message.ply;
    this.canTakeBack = message.take_back;
    this.table = table;
    const known = this.view;
    this.view = this.playing ? (shared(known, message.view) ?? known) : message.view;
    if (this.view !== known) this.outlook = null;
    if (table) noteStage(this.id, table.stage, table.match, this.#progress());
    if (table) {
      const live = message.type === 'update';
      const { seat, view, events } = this;
      this.deal.follow({ table, seat, view, events, change: this.#change, live });
    }
    const view = this.view;
    if (!view) this.#show(null);
    else if (!steps || !sameMatch) this.#jump(still(view));
    else this.#enqueue(framesBetween(before, view, ...happened(steps)));
    this.#playQueued();
    this.look();
  }

  /** Return what tells this table from others on the start page. */
  #progress(): Progress {
    const { table, view, seat } = this;
    const seats = table?.places.map((_, at) => at) ?? [];
    const { date } = table?.options ?? {};
    return {
      with: seats
        .filter((at) => at !== seat)
        .map((at) => this.nameOf(at))
        .filter(Boolean),
      round: view?.round ?? 0,
      rounds: typeof view?.options.target === 'number' ? 0 : (view?.rounds ?? 0),
      ...(typeof date === 'string' && { date }),
    };
  }

  /** Replace what may be seen in another form now: of put-away tricks the cards are forgotten. */
  #renew(renewed: readonly Renewed[]): void {
    if (!renewed.length) return;
    const events = [...this.events];
    for (const { back, event } of renewed) if (back) events[events.length - back] = event;
    this.events = events;
    this.log = withRenewed(this.log, renewed);
  }

  #present({ here, watching, bot_at }: Presence): void {
    this.watching = watching;
    if (!this.table) return;
    const people = this.table.people.map((one) => ({
      ...one,
      here: here.includes(one.id),
      bot_at: bot_at[one.id] ?? null,
    }));
    this.table = { ...this.table, people };
  }

  /** Add steps to log and chat; return the match's events with theirs. */
  #note(steps: readonly Step[], known: readonly Event[]): readonly Event[] {
    let events = [...known];
    const lines: LogLine[] = [];
    for (const step of steps) {
      const at = step.seq;
      for (const [nth, note] of step.notes.entries()) {
        // In a rematch people have other seats: what was before is not about these.
        if (note.note === 'sealing' || note.note === 'begun') events = [];
        if (note.note === 'aborted') this.deal.aborted(note);
        if (note.note === 'took-back') events.length = Math.max(0, events.length - note.events);
        if (note.note === 'said') this.chat = [...this.chat, note];
        else lines.push({ at, nth, note, words: step.note_words[nth] ?? '' });
      }
      events.push(...step.events);
      lines.push(
        ...step.events.map((event, nth) => ({ at, nth, event, words: step.words[nth] ?? '' })),
      );
    }
    this.log = [...this.log, ...lines].slice(-MOST_LINES);
    return events;
  }

  // -- Display
  // -------------------------------------------------------------------------------------

  /** Continue at once: a trick was seen, a result was read. */
  goOn(): void {
    this.#showing?.();
    this.#showing = undefined;
    this.#next();
  }

  /** Dismiss what is held, because a move is made. */
  #catchUp(): void {
    const newest = this.#frames.at(-1);
    if (newest && this.#frames.every((one) => one.roundOver === null)) this.#jump(newest);
    else this.goOn();
  }

  /** Whether something is held until the person continues. */
  get waitsForTap(): boolean {
    const frame = this.frame;
    return !!frame && (frame.roundOver !== null || (frame.held.length > 0 && settings.hold === 0));
  }

  #enqueue(frames: readonly Frame[]): void {
    this.#frames.push(...frames);
    if (this.#frames.length > MOST_BEHIND && this.frame?.roundOver === null) {
      this.#frames = this.#frames.filter(
        (one, at, all) => one.roundOver !== null || at >= all.length - 2,
      );
    }
    if (this.#showing === undefined && !this.waitsForTap) this.#showNext(0);
  }

  #jump(frame: Frame): void {
    this.#showing?.();
    this.#showing = undefined;
    this.#frames = [];
    this.#show(frame);
  }

  #next(): void {
    const frame = this.#frames.shift();
    if (!frame) return;
    this.#show(frame);
    if (this.waitsForTap) return;
    const pause = frame.held.length ? 1000 * settings.hold : mayMove() ? STEP_PAUSE : 0;
    this.#showNext(pause);
  }

  #showNext(pause: number): void {
    let shown = false;
    const show = (): void => {
      shown = true;
      this.#showing = undefined;
      this.#next();
    };
    const stop = pause ? later(pause, show) : afterFrame(show);
    if (!shown) this.#showing = stop;
  }

  #show(frame: Frame | null): void {
    const calm = mayMove() && !document.hidden && onlyPlays(this.frame, frame);
    const hand = frame?.view.hand ?? [];
    this.#settle();
    motion.before();
    this.frame = frame;
    if (calm) {
      void tick().then(() => motion.prepare());
      this.#settling = this.#following(frame, hand).map((one) => afterFrame(one));
    } else {
      [this.hand, this.around, this.told] = [hand, frame, frame];
      void tick().then(() => motion.after());
    }
  }

  /** Return what follows when a card is on the table, one after the other: its flight is the first. */
  #following(frame: Frame | null, hand: readonly string[]): (() => void)[] {
    const close = (): void => {
      motion.before('stock');
      this.hand = hand;
      void tick().then(() => motion.after('stock'));
    };
    return [
      () => motion.start(),
      ...(shared(this.hand, hand) === this.hand ? [] : [close]),
      () => (this.around = frame),
      () => (this.told = frame),
    ];
  }

  /** Forget what was to follow: something newer is shown. */
  #settle(): void {
    for (const stop of this.#settling) stop();
    this.#settling = [];
  }

  #playQueued(): void {
    const card = this.queued;
    if (card === null || !this.myTurn) return;
    const moves = this.movesWith(card);
    this.queued = null;
    const { place, seat } = partsOf(this.view, moves[0] ?? null);
    const aimed = place !== undefined || seat !== undefined;
    if (moves.length === 1 && !aimed) void this.play(moves[0]!);
    else if (moves.length) this.selection.raised = card; // its target is still to be chosen
  }
}
