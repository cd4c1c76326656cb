/**
 * Takes part in the deals of one table for its person, and stops everything when one is invalid.
 *
 * It generates, seals and opens our share, and checks everything the server says about a deal
 * before anything else is done with it. After two failed set-ups it seals nothing until the person
 * agrees, whatever the server says.
 */
import type { Answer, Request } from '../net/connection';
import type { Aborted, Dealing, Event, HandChange, Table, View } from '../protocol';
import { letterOf } from '../shared/seats';
import {
  checkBlame,
  checkHands,
  checkKept,
  checkOpen,
  checkOrder,
  checkOwn,
  checkPublished,
  checkReplayed,
  checkSetUp,
  checkSameHands,
  checkShownHand,
  checkHandsAnnounced,
  checkView,
  checkWords,
  announcedHands,
  isPlayed,
  ownShare,
  ownWords,
} from './check';
import type { Finding } from './check';
import { newShare } from './fairness';
import { holding, withHands } from './held';
import type { Held } from './held';
import { timestamp } from './save';
import { dealsAt, keepShare, noteDeals, shareOf, sharesOf } from './shares';
import type { Failed, KeptShare, TableDeals } from './shares';
import { say } from './texts';
import { WORD_LIST } from './words-list';

/** The number of set-ups that may fail before the person is asked. */
export const MOST_ABORTS = 2;
/** Milliseconds until another tab's share must have reached this one through the browser's storage. */
const OTHER_TAB = 700;

const REPLAYED: readonly Finding[] = [{ id: 'deal-replayed', data: {} }];
const ABANDONED: readonly Finding[] = [{ id: 'deal-abandoned', data: {} }];

const begun = ({ stage }: Table) => stage === 'playing' || stage === 'over';

/**
 * Whose share is used for our seat: `mine` of this browser, `elsewhere` of another device of ours,
 * `drawn` by the server, `absent` of somebody unknown to this browser; `unproved`: nobody's, the
 * cards were given.
 */
export type ShareOwner = 'unknown' | 'mine' | 'elsewhere' | 'drawn' | 'absent' | 'unproved';

/** The current state of the table. */
export interface Now {
  table: Table;
  seat: number | null;
  view: View | null;
  events: readonly Event[];
  /** How our hand has changed since the deal, as the server states it; null: unknown. */
  change: HandChange | null;
  /** Whether nothing was missed since the previous message. */
  live: boolean;
}

export class DealGuard {
  /** What is wrong: as long as there is anything, nothing is sent. */
  findings: readonly Finding[] = $state.raw([]);
  own: ShareOwner = $state('unknown');
  /** The six words, computed here. */
  words: readonly string[] = $state.raw([]);
  /** Our share of the current match. */
  share: KeptShare | null = $state.raw(null);
  #deals: TableDeals = $state.raw(dealsAt(''));
  #now: Now | null = null;
  #dealing: Dealing | null = null;
  #held: Held | null = null;
  // eslint-disable-next-line svelte/prefer-svelte-reactivity -- bookkeeping: nothing shows it
  #sent = new Set<string>();
  #later: ReturnType<typeof setTimeout> | undefined;

  constructor(
    readonly id: string,
    readonly ask: (request: Request) => Promise<Answer>,
    readonly stop: () => void,
    readonly nameOf: (seat: number) => string,
  ) {
    this.#deals = dealsAt(id);
    this.findings = this.#deals.findings;
  }

  close(): void {
    clearTimeout(this.#later);
  }

  /** Whether nothing may be sent any more. */
  get stopped(): boolean {
    return this.findings.length > 0;
  }

  /** Whether the person may know better: another device of theirs can have sealed first. */
  get askable(): boolean {
    return this.stopped && this.findings.every((one) => one.askable);
  }

  /** Set-ups that failed in a row. */
  get failed(): readonly Failed[] {
    return this.#deals.failed;
  }

  /** Whether the person has to agree before our share goes into another set-up. */
  get mustAgree(): boolean {
    return this.failed.length >= MOST_ABORTS && this.#deals.agreed < this.failed.length;
  }

  /** Return whether the person knows that this match has no share of theirs. */
  noted(match: string): boolean {
    return this.#deals.noted === match;
  }

  note(match: string): void {
    this.#deals = noteDeals(this.id, { noted: match });
  }

  // -- Receiving ----------------------------------------------------------------------------------

  /** Check who is blamed for a failed set-up. */
  aborted(note: Aborted): void {
    if (this.stopped) return;
    const own = shareOf(note.match);
    const announced = this.#dealing?.match === note.match ? this.#dealing : (own?.dealing ?? null);
    this.#fail(note.match, note.seats);
    this.#report(checkBlame(note, announced, own));
  }

  /** Check the current state, and do our part if it is valid. */
  follow(now: Now): void {
    const before = this.#now;
    this.#now = now;
    if (this.stopped) return;
    this.#keepSeat(now);
    this.#count(now);
    if (this.stopped) return;
    if (now.seat === null && now.table.settings.watch === 'none')
      this.#forget(); // nothing is sent that could be checked
    else this.#look(before, now);
    if (this.stopped) return;
    this.own = this.#whose(now);
    const { dealing, stage, match } = now.table;
    if (this.own === 'unproved' && match && this.#deals.given) {
      this.#deals = noteDeals(this.id, { noted: match, given: false }); // the person chose these cards
    }
    if (dealing && stage === 'dealing') this.#takePart(dealing, now);
  }

  /** Note that the person gives up the seat: this match no longer concerns us. */
  leave(): void {
    this.#deals = noteDeals(this.id, { left: this.#held?.match ?? null });
  }

  /** Check that nobody changes seats while a match is dealt or played. */
  #keepSeat({ table, seat }: Now): void {
    const { dealing, stage } = table;
    if (!dealing || seat === null || stage === 'gathering') return;
    const over = stage === 'over';
    if (this.#held?.match !== dealing.match) this.#held = holding(dealing.match, seat, over);
    else if (over) this.#held.over = true;
    else if (this.#held.seat !== seat && !this.#held.over)
      this.#report([{ id: 'deal-seat', data: {} }]);
  }

  #forget(): void {
    this.#dealing = null;
    this.share = null;
    this.words = [];
  }

  #look(before: Now | null, now: Now): void {
    const { dealing, match } = now.table;
    if (
      now.seat !== null &&
      before?.table.stage === 'playing' &&
      before.table.match !== match &&
      now.live
    ) {
      this.#report(ABANDONED);
    } else if (before && begun(before.table) && before.table.match === match && !begun(now.table)) {
      this.#report(REPLAYED);
    } else if (dealing) {
      if (dealing !== this.#dealing) this.#check(dealing, now);
      else this.#report(this.#checkPlay(dealing, now));
    } else if (this.#dealing && this.#dealing.match === match && now.seat !== null) {
      this.#report([{ id: 'deal-changed', data: { what: 'fairness' } }]);
    } else this.#forget();
  }

  #check(dealing: Dealing, now: Now): void {
    const before = this.#dealing?.match === dealing.match ? this.#dealing : null;
    this.#dealing = dealing;
    try {
      this.share = shareOf(dealing.match, dealing.client_commits);
      this.#report(this.#compare(before ?? this.share?.dealing ?? null, dealing, now));
    } catch {
      this.#report([{ id: 'deal-incomplete', data: {} }]); // unreadable
    }
    if (!this.stopped) this.#remember(dealing);
  }

  /** Return what is wrong; everything after the first kind would only follow from it. */
  #compare(before: Dealing | null, dealing: Dealing, now: Now): readonly Finding[] {
    const { table, seat, events } = now;
    const own = this.#ownShareAt(seat);
    const checks = [
      () => checkSetUp(dealing, table),
      () =>
        seat !== null && this.failed.some((one) => one.match === dealing.match) ? REPLAYED : [],
      () => (before ? checkReplayed(before, dealing) : []),
      () => (own?.sealed ? checkOwn(dealing, own) : []),
      () => (before ? checkKept(before, dealing) : []),
      () => checkOrder(dealing, table.stage),
      () => checkOpen(dealing),
      () => {
        this.words = ownWords(dealing, WORD_LIST);
        return checkWords(dealing, this.words);
      },
      () => (own ? checkOwn(dealing, own) : []),
      () => this.#checkPlay(dealing, now),
      () => (begun(table) ? checkHands(dealing, events) : []),
    ];
    for (const check of checks) {
      const findings = check();
      if (findings.length) return findings;
    }
    return [];
  }

  #ownShareAt(seat: number | null): KeptShare | null {
    return this.share?.seat === seat ? this.share : null;
  }

  /** Check what can be seen to be wrong during play, even without a new deal message. */
  #checkPlay(dealing: Dealing, { table, seat, view, events, change }: Now): readonly Finding[] {
    if (!view) return [];
    if (!begun(table)) return seat === null ? [] : [{ id: 'deal-early', data: {} }];
    if (seat === null) return checkView(dealing, view);
    const checks = [
      ...checkView(dealing, view),
      ...checkPublished(dealing, view),
      ...this.#checkSame(dealing, seat, events),
    ];
    if (table.stage === 'playing') checks.push(...checkShownHand(view, events, seat, change));
    if (this.#ownShareAt(seat)?.sealed)
      checks.push(...checkHandsAnnounced(dealing, view, events, seat));
    return checks.slice(0, 1);
  }

  /** Check that our cards have not changed since they were first sent. */
  #checkSame({ match }: Dealing, seat: number, events: readonly Event[]): readonly Finding[] {
    const held = this.#held;
    if (held?.match !== match || held.seat !== seat) return [];
    const hands = announcedHands(events, seat);
    const findings = checkSameHands(held.hands, hands);
    this.#held = withHands(held, hands);
    return findings;
  }

  /** Remember what the server shows of our share: it cannot take that back later. */
  #remember(dealing: Dealing): void {
    const { share } = this;
    if (!share) return;
    const sealed = share.sealed || dealing.client_commits[share.seat] === share.commit;
    const opened = share.opened || dealing.client_seeds[share.seat] === share.share;
    const now = { ...share, sealed, opened, dealing };
    if (JSON.stringify(now) !== JSON.stringify(share)) this.#keep(now);
  }

  #keep(share: KeptShare): void {
    keepShare(share);
    if (this.#dealing?.match === share.match) this.share = share;
  }

  #whose({ table, seat }: Now): ShareOwner {
    const { dealing, stage } = table;
    if (seat === null || stage === 'gathering') return 'unknown';
    if (!dealing) return stage === 'dealing' ? 'unknown' : 'unproved';
    const announced = dealing.client_commits[seat] ?? null;
    if (announced === null) return 'unknown';
    if (this.share?.seat === seat && this.share.commit === announced) return 'mine';
    if (!dealing.trusted[seat]) return 'drawn';
    return this.share?.elsewhere ? 'elsewhere' : 'absent';
  }

  // -- Our part -----------------------------------------------------------------------------------

  #takePart(dealing: Dealing, { seat }: Now): void {
    if (seat === null) return;
    const announced = dealing.client_commits[seat] ?? null;
    if (announced === null) {
      if (dealing.trusted[seat] && !this.mustAgree) this.#seal(dealing, seat);
    } else if (
      announced === this.share?.commit &&
      dealing.transcript &&
      dealing.client_seeds[seat] === null
    ) {
      this.#open(dealing.match, this.share);
    }
  }

  #seal(dealing: Dealing, seat: number): void {
    const { match } = dealing;
    const known = this.share?.seat === seat ? this.share : null;
    const share = known ?? { ...ownShare(match, seat, newShare()), table: this.id, dealing, at: 0 };
    if (!known) this.#keep(share);
    this.#send({ type: 'commit', match, commit: share.commit }, share, { sealed: true });
  }

  #open(match: string, share: KeptShare): void {
    this.#send({ type: 'reveal', match, seed: share.share }, share, { opened: true });
  }

  /** Send once: a request is repeated until it is answered. What is acknowledged must hold. */
  #send(request: Request, share: KeptShare, done: Partial<KeptShare>): void {
    const name = `${request.type} ${share.match}`;
    if (this.#sent.has(name)) return;
    this.#sent.add(name);
    this.ask(request).then(
      () => this.#acknowledged(share, done),
      () => this.#sent.delete(name), // the next update shows the actual state
    );
  }

  #acknowledged(sent: KeptShare, done: Partial<KeptShare>): void {
    const share = {
      ...(sharesOf(sent.match).find((one) => one.commit === sent.commit) ?? sent),
      ...done,
    };
    this.#keep(share);
    const { seat } = share;
    const blamed = this.failed.some((one) => one.match === share.match && one.seats.includes(seat));
    if (blamed && share.opened) this.#report([{ id: 'deal-blamed', data: { seat } }]);
    const dealing = this.#dealing;
    if (dealing?.match !== share.match || dealing.client_commits[seat] === null) return; // not announced yet
    this.#report(checkOwn(dealing, share));
  }

  // -- Findings
  // ------------------------------------------------------------------------------------

  #report(findings: readonly Finding[]): void {
    if (!findings.length) return;
    if (findings.every((one) => one.askable)) this.#lookAgain(findings);
    else this.#halt(findings);
  }

  /**
   * Check again later: another tab's share may still be on its way through the browser's storage.
   */
  #lookAgain(findings: readonly Finding[]): void {
    const dealing = this.#dealing!;
    clearTimeout(this.#later);
    this.#later = setTimeout(() => {
      const share = shareOf(dealing.match, dealing.client_commits);
      if (this.stopped || this.#dealing?.match !== dealing.match) return;
      this.share = share;
      if (share && checkOwn(dealing, share).length) this.findings = this.#named(findings);
      else if (this.#now) {
        this.#dealing = null; // to be checked again, with the other tab's share
        this.follow(this.#now);
      }
    }, OTHER_TAB);
  }

  #halt(findings: readonly Finding[]): void {
    this.findings = this.#named(findings);
    if (this.askable) return;
    this.#deals = noteDeals(this.id, { findings: this.findings, evidence: this.evidence() });
    this.stop();
  }

  #named(findings: readonly Finding[]): Finding[] {
    return findings.map((one) => {
      const { seat } = one.data;
      return seat === undefined
        ? one
        : { ...one, data: { ...one.data, name: this.#name(Number(seat)) } };
    });
  }

  #name(seat: number): string {
    return this.nameOf(seat) || say('seat', { place: letterOf(seat) });
  }

  /** Accept that another device of the person sealed first. */
  excuse(): void {
    if (!this.askable || !this.share) return;
    this.#keep({ ...this.share, elsewhere: true });
    this.findings = [];
    this.#dealing = null;
    if (this.#now) this.follow(this.#now);
  }

  /** Note that the person has no other device here. */
  accuse(): void {
    this.#halt(this.findings.map(({ id, data }) => ({ id, data })));
  }

  /** Return all evidence of what happened, to be saved outside this page. */
  evidence(): object {
    const { findings, share } = this;
    if (this.#deals.evidence) return this.#deals.evidence;
    const announced = this.#now?.table.dealing ?? null;
    return {
      format: 'stichwerk-evidence/1',
      saved: timestamp(),
      server: location.origin,
      table: this.id,
      findings,
      own_share: share && {
        match: share.match,
        seat: share.seat,
        share: share.share,
        commit: share.commit,
        sealed: share.sealed,
      },
      told_before: share?.dealing ?? null,
      told_last: announced,
      failed_set_ups: this.failed,
    };
  }

  // -- Failed set-ups
  // -------------------------------------------------------------------------------

  /** Count set-ups and matches by their ids; the server's count is not trusted. */
  #count(now: Now): void {
    if (!now.live) this.#deals = dealsAt(this.id); // another tab may have seen more
    this.#countMatch(now);
    if (this.#begins(now)) {
      this.#deals = noteDeals(this.id, { playing: now.table.match });
      this.#countMatch(now); // it may already be over
    }
    this.#countSetUp(now);
  }

  /** Return whether the person plays this match from now on. */
  #begins({ table, seat }: Now): boolean {
    const { dealing, stage, match } = table;
    const { open, playing } = this.#deals;
    const dealt = stage === 'playing' || (stage === 'over' && open === match);
    return (
      dealing !== null && seat !== null && dealt && playing !== match && !this.#hasFailed(match)
    );
  }

  /**
   * Check what happened to the person's match. Someone who knows its cards could make us miss its
   * end: by taking the seat away for a moment, or cutting the connection.
   */
  #countMatch({ table, seat, view, live }: Now): void {
    const { playing } = this.#deals;
    if (playing === null) return;
    const same = table.match === playing;
    if (same && seat !== null && table.stage !== 'over') return;
    if (same && seat !== null) {
      if (!isPlayed(view)) this.#report(ABANDONED);
      else this.#deals = noteDeals(this.id, { playing: null, failed: [], agreed: 0 });
    } else if (seat !== null && live) this.#report(ABANDONED);
    else {
      this.#deals = noteDeals(this.id, { playing: null });
      if (!this.#hasLeft(playing)) this.#fail(playing, [], true);
    }
  }

  #countSetUp({ table, seat }: Now): void {
    const { stage, dealing, match } = table;
    const { open, failed, agreed } = this.#deals;
    if (begun(table) && dealing && seat !== null && !this.#hasFailed(match)) {
      const gone = failed.filter((one) => one.gone);
      if (open !== null || gone.length < failed.length || agreed)
        this.#deals = noteDeals(this.id, { open: null, failed: gone, agreed: 0 });
      return;
    }
    // Without a seat, or without a deal, a set-up for which we sealed has failed.
    const now = seat !== null && stage === 'dealing' ? (dealing?.match ?? match) : null;
    if (open !== null && open !== now && !this.#hasLeft(open)) this.#fail(open, []);
    if (now !== open) this.#deals = noteDeals(this.id, { open: now });
  }

  #hasLeft(match: string): boolean {
    return dealsAt(this.id).left === match; // perhaps in another tab
  }

  #hasFailed(match: string | null): boolean {
    return this.failed.some((one) => one.match === match);
  }

  #fail(match: string, seats: readonly number[], gone = false): void {
    const { failed, open } = this.#deals;
    const known = failed.find((one) => one.match === match);
    if (known && (known.gone || !gone)) return;
    const names = seats.map((seat) => this.#name(seat));
    const one = gone ? { match, names, seats, gone } : { match, names, seats };
    const others = failed.filter((other) => other !== known);
    this.#deals = noteDeals(this.id, {
      failed: [...others, one],
      open: open === match ? null : open,
    });
  }

  /** Agree to another set-up. */
  agree(): void {
    this.#deals = noteDeals(this.id, { agreed: this.failed.length });
    if (this.#now?.table.stage === 'gathering')
      this.ask({ type: 'deal-again' }).catch(() => undefined);
    if (this.#now) this.follow(this.#now);
  }
}
