/** What a player's page checks about the deal it takes part in, before it sends anything of its own.
 *
 * Pure: what the server sent and what this browser stored go in, findings come out. The ids are those of
 * `stichwerk.server.clients.deal_check`, which does the same for programs and the terminal.
 */
import { isOurs } from '../games/known.svelte';
import { hex, unhex } from '../net/sha256';
import type { Aborted, Dealing, Event, Table, View } from '../protocol';
import { clientCommit } from './fairness';
import {
  Stream,
  dealKey,
  dealRound,
  fingerprint,
  optionsText,
  serverCommit,
  transcriptOf,
} from './shuffle';
import type { TextId } from './texts';

/** Each has a sentence. */
export type FindingId = Extract<
  TextId,
  | 'deal-abandoned'
  | 'deal-blamed'
  | 'deal-changed'
  | 'deal-early'
  | 'deal-hand'
  | 'deal-incomplete'
  | 'deal-match'
  | 'deal-record'
  | 'deal-replayed'
  | 'deal-rules'
  | 'deal-seed-missing'
  | 'deal-server-seed'
  | 'deal-share-missing'
  | 'deal-seat'
  | 'deal-share-replaced'
  | 'deal-share-wrong'
  | 'deal-starter'
  | 'deal-transcript'
  | 'deal-unopened'
  | 'deal-words'
>;

/** Something that does not fit, and the facts for its sentence. */
export interface Finding {
  id: FindingId;
  data: Readonly<Record<string, string | number>>;
  /** Another device of the same person may be the reason: only that person knows. */
  askable?: boolean;
}

/** A share of the shuffle that this browser drew. */
export interface OwnShare {
  match: string;
  seat: number;
  /** 64 hexadecimal digits. */
  share: string;
  commit: string;
  /** The server has acknowledged the seal, or shown it to us. */
  sealed: boolean;
  /** The server has acknowledged the opened share, or shown it to us. */
  opened: boolean;
  /** Its person says that another device of theirs sealed first. */
  elsewhere: boolean;
}

const found = (id: FindingId, data: Finding['data'] = {}): Finding => ({ id, data });
const isHash = (text: string | null | undefined) => /^[0-9a-f]{64}$/.test(text ?? '');

/** Our own share for a seat of a match. */
export function ownShare(match: string, seat: number, share: Uint8Array): OwnShare {
  const commit = clientCommit(match, seat, share);
  return { match, seat, share: hex(share), commit, sealed: false, opened: false, elsewhere: false };
}

/** Whether the deal is about this table's match, by its rules, and complete: the server seals all of its own
 * shares before anyone else seals one. */
export function checkSetUp(dealing: Dealing, table: Table): Finding[] {
  if (!isComplete(dealing, table.seats)) return [found('deal-incomplete')];
  if (dealing.match !== table.match) return [found('deal-match')];
  const [game] = dealing.rules.split('/');
  const same = game === table.game && dealing.options === optionsText(table.options);
  return same ? [] : [found('deal-rules')];
}

function isComplete(dealing: Dealing, seats: number): boolean {
  const { server_commits, server_seeds, client_commits, client_seeds, trusted, rounds } = dealing;
  const hashes = [...server_commits, ...server_seeds, ...client_commits, ...client_seeds];
  return (
    server_commits.length === rounds + 1 &&
    server_seeds.length <= server_commits.length &&
    [client_commits, client_seeds, trusted].every((list) => list.length === seats) &&
    [...server_commits, ...server_seeds].every(isHash) &&
    hashes.every((one) => one === null || isHash(one))
  );
}

/** Whether everything came in its turn: all seal, then all open, then cards are dealt. */
export function checkOrder(dealing: Dealing, stage: Table['stage']): Finding[] {
  const { client_commits, client_seeds, server_seeds } = dealing;
  const unopened = client_seeds.indexOf(null);
  if (
    client_commits.includes(null) &&
    (stage !== 'dealing' || client_seeds.some((one) => one !== null))
  ) {
    return [found('deal-early')];
  }
  if (unopened >= 0 && (stage !== 'dealing' || server_seeds.length))
    return [found('deal-unopened', { seat: unopened })];
  return [];
}

/** Whether everything that is open fits what was sealed. */
export function checkOpen(dealing: Dealing): Finding[] {
  const { match, client_commits, client_seeds, server_commits, server_seeds, transcript } = dealing;
  const findings: Finding[] = [];
  client_seeds.forEach((seed, seat) => {
    if (seed !== null && clientCommit(match, seat, unhex(seed)) !== client_commits[seat]) {
      findings.push(found('deal-share-wrong', { seat }));
    }
  });
  server_seeds.forEach((seed, round) => {
    if (hex(serverCommit(match, round, unhex(seed))) !== server_commits[round]) {
      findings.push(found('deal-server-seed', { round }));
    }
  });
  if (transcript !== ownTranscript(dealing)) findings.push(found('deal-transcript'));
  return findings;
}

/** The transcript, computed here; null as long as a seal is missing. */
export function ownTranscript(dealing: Dealing): string | null {
  const { match, rules, options, deck, rounds, client_commits, server_commits } = dealing;
  if (client_commits.includes(null)) return null;
  const agreed = { match, rules, options, deck, rounds, seats: client_commits.length };
  return hex(
    transcriptOf(
      agreed,
      server_commits.map(unhex),
      client_commits.map((one) => unhex(one!)),
    ),
  );
}

/** The six words, computed here; none as long as a seal is missing. */
export function ownWords(dealing: Dealing, list: readonly string[]): readonly string[] {
  const transcript = ownTranscript(dealing);
  return transcript === null ? [] : fingerprint(unhex(transcript), list);
}

/** Whether the server shows the words that belong to the transcript. */
export function checkWords(dealing: Dealing, words: readonly string[]): Finding[] {
  const told = dealing.words.join(' ').slice(0, 120);
  const own = words.join(' ');
  return told === own ? [] : [found('deal-words', { told, own })];
}

/** Whether nothing has changed that was sent once. */
export function checkKept(before: Dealing, now: Dealing): Finding[] {
  const changed: string[] = [];
  for (const what of ['rules', 'options', 'deck', 'rounds'] as const) {
    if (before[what] !== now[what]) changed.push(what);
  }
  if (String(before.server_commits) !== String(now.server_commits)) changed.push('server_commits');
  for (const what of ['client_commits', 'client_seeds', 'server_seeds'] as const) {
    const differs = (one: string | null, at: number) => one !== null && now[what][at] !== one;
    if (before[what].some(differs)) changed.push(what);
  }
  if (before.transcript !== null && before.transcript !== now.transcript)
    changed.push('transcript');
  const sealed = (seat: number) => before.client_commits[seat] !== null;
  if (now.trusted.some((one, seat) => sealed(seat) && before.trusted[seat] !== one))
    changed.push('trusted');
  return changed.map((what) => found('deal-changed', { what }));
}

/** Whether a match is dealt again whose shares were all sealed already, and may be known. */
export function checkReplayed(before: Dealing, now: Dealing): Finding[] {
  return before.transcript !== null && now.transcript === null ? [found('deal-replayed')] : [];
}

/** Whether our share is the one that stands for our seat, whatever the server calls it. */
export function checkOwn(dealing: Dealing, own: OwnShare): Finding[] {
  const { seat } = own;
  const told = dealing.client_commits[seat] ?? null;
  if (told === own.commit)
    return dealing.trusted[seat] ? [] : [found('deal-changed', { what: 'trusted' })];
  if (own.sealed)
    return [found(told === null ? 'deal-share-missing' : 'deal-share-replaced', { seat })];
  if (told === null || own.elsewhere || !dealing.trusted[seat]) return [];
  return [{ ...found('deal-share-replaced', { seat }), askable: true }];
}

/** Whether the match that is played is the one that was sealed. */
export function checkView(dealing: Dealing, view: View): Finding[] {
  const same =
    `${view.game}/${view.rules}` === dealing.rules &&
    view.seats === dealing.client_commits.length &&
    optionsText(view.options) === dealing.options;
  return same ? [] : [found('deal-rules')];
}

/** Whether a seed is published for every round that is over. */
export function checkPublished(dealing: Dealing, view: View): Finding[] {
  const round = dealing.server_seeds.length;
  return round <= view.scores.length ? [found('deal-seed-missing', { round })] : [];
}

/** Whether the cards that we saw dealt are those that all shares together give. */
export function checkHands(dealing: Dealing, events: readonly Event[]): Finding[] {
  const { client_seeds, server_seeds, transcript } = dealing;
  if (transcript === null || client_seeds.includes(null)) return [];
  const stream = (round: number) =>
    new Stream(
      dealKey(
        unhex(server_seeds[round]!),
        unhex(transcript),
        round,
        client_seeds.map((one) => unhex(one!)),
      ),
    );
  const findings: Finding[] = [];
  let round = 0;
  let starter = 0;
  for (const event of events) {
    if (event.kind === 'round') {
      round = event.round;
      starter = event.starter;
      if (round === 1 && server_seeds[0] && !fitsDraw(dealing, starter, stream))
        findings.push(found('deal-starter'));
    } else if (event.kind === 'hand' && round && server_seeds[round]) {
      const { cards, seat } = event;
      const deck = dealing.deck.split('\n');
      const dealt = dealRound(stream(round), deck, client_seeds.length, cards.length, starter);
      if (String(dealt.hands[seat]) !== String(cards)) findings.push(found('deal-hand', { round }));
    }
  }
  return findings;
}

/** The cards dealt to a seat according to the server, by round. */
export function handsTold(events: readonly Event[], seat: number): Map<number, string> {
  const hands = new Map<number, string>();
  let round = 0;
  for (const event of events) {
    if (event.kind === 'round') round = event.round;
    else if (event.kind === 'hand' && event.seat === seat && !hands.has(round))
      hands.set(round, String(event.cards));
  }
  return hands;
}

/** Whether the server sent our cards of every round that is over, and of this one: otherwise nothing could be
 * compared. */
export function checkToldHands(
  dealing: Dealing,
  view: View,
  events: readonly Event[],
  seat: number,
): Finding[] {
  const told = handsTold(events, seat);
  const over = Array.from({ length: dealing.server_seeds.length - 1 }, (_, at) => at + 1);
  const untold = [...over, view.round].find((round) => !told.has(round));
  return untold === undefined ? [] : [found('deal-hand', { round: untold })];
}

/** Whether our cards are still those that were sent first. */
export function checkSameHands(
  before: ReadonlyMap<number, string>,
  now: ReadonlyMap<number, string>,
): Finding[] {
  const other = [...now].find(([round, cards]) => (before.get(round) ?? cards) !== cards);
  return other ? [found('deal-hand', { round: other[0] })] : [];
}

/** Whether the hand that is shown is what is left of the cards that were dealt. For games whose rules this page
 * does not know that can be said only right after the deal. */
export function checkShownHand(view: View, events: readonly Event[], seat: number): Finding[] {
  const round = events.slice(events.findLastIndex((event) => event.kind === 'round'));
  const isDealt = round.some((event) => event.kind === 'hand' && event.seat === seat);
  if (!isDealt || !(isPlain(view) || round.every((event) => OPENING.includes(event.kind))))
    return [];
  const { held, perhaps } = ownCards(round, seat);
  const shown = [...view.hand];
  const fits =
    held.every((card) => take(shown, card)) && shown.every((card) => take(perhaps, card));
  return fits ? [] : [found('deal-hand', { round: view.round })];
}

const OPENING: readonly string[] = ['round', 'hand', 'trump', 'partner', 'aside'];

/** One of the games that come with the page, without sheets of somebody's own: their names end in a hash. */
function isPlain({ game, options }: View): boolean {
  return isOurs(game) && !/[0-9a-f]{64}/.test(JSON.stringify(options));
}

/** What a seat has in its hand: the cards it must hold, and those that it may still hold. A card that was chosen
 * leaves the hand now or when all have chosen; on some days cards go aside, and nobody says which. */
function ownCards(round: readonly Event[], seat: number): { held: string[]; perhaps: string[] } {
  const held: string[] = [];
  const chosen: string[] = [];
  const aside: string[] = [];
  for (const event of round) {
    if (event.kind === 'passed' || event.kind === 'revealed') chosen.length = 0;
    else if (event.kind === 'aside') aside.push(...held.splice(0));
    else if (event.kind === 'hand' || event.kind === 'received' || event.kind === 'drew') {
      if (event.seat === seat) held.push(...(event.cards ?? []));
    } else if (event.kind === 'choice') {
      if (event.seat !== seat) continue;
      const cards = event.move.match(/[A-Z]\d+/g) ?? [];
      for (const card of cards)
        if ([held, aside].some((held) => take(held, card))) chosen.push(card);
    } else if (event.kind === 'play' || event.kind === 'discard') {
      if (event.seat !== seat) continue;
      for (const card of event.cards ?? [])
        [chosen, held, aside].some((cards) => take(cards, card));
    }
  }
  return { held, perhaps: [...chosen, ...aside] };
}

/** Take a card out of some, if it is there. */
function take(cards: string[], card: string): boolean {
  const at = cards.indexOf(card);
  if (at >= 0) cards.splice(at, 1);
  return at >= 0;
}

/** Whether a match was played to its end: there is a result. */
export function isPlayed(view: View | null): boolean {
  return view !== null && view.scores.length > 0 && view.ranking !== null;
}

/** Who starts the first round was drawn, unless an option names a seat. */
function fitsDraw(dealing: Dealing, starter: number, stream: (round: number) => Stream): boolean {
  const fixed = (JSON.parse(dealing.options) as Record<string, unknown>)['starter'];
  return (
    starter === (typeof fixed === 'number' ? fixed : stream(0).below(dealing.client_seeds.length))
  );
}

/** Whether someone is blamed for a failed set-up whose share was open, ours or another's. */
export function checkBlame(
  note: Aborted,
  dealing: Dealing | null,
  own: OwnShare | null,
): Finding[] {
  const opened = (seat: number) =>
    (own?.seat === seat && own.opened) ||
    (dealing?.match === note.match && (dealing.client_seeds[seat] ?? null) !== null);
  return note.seats.filter(opened).map((seat) => found('deal-blamed', { seat }));
}

/** What a record says about the deal, as far as our share is concerned. */
export interface RecordedDeal {
  fairness?: {
    match: string;
    client_commits: readonly string[];
    client_seeds: readonly string[];
    transcript: string;
  };
}

/** Whether our share, and the transcript that it went into, are in the record of the match. */
export function checkRecord(
  record: RecordedDeal,
  own: OwnShare,
  transcript: string | null,
): Finding[] {
  const { fairness } = record;
  const { seat } = own;
  const wrong = (what: string) => [found('deal-record', { what })];
  if (!fairness) return wrong('fairness');
  if (fairness.match !== own.match) return wrong('match');
  const same =
    fairness.client_commits[seat] === own.commit && fairness.client_seeds[seat] === own.share;
  if (!same) return wrong('client_seeds');
  return transcript !== null && fairness.transcript !== transcript ? wrong('transcript') : [];
}
