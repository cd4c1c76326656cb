/** What happened, in words: for the log and for the ears. Cards stand in the sentences as codes. */
import { say as sayCard } from '../cards/cards';
import type { Colour } from '../cards/cards';
import { known } from '../games/known.svelte';
import type { ChoicesRevealed, Event, Notes } from '../protocol';
import { filled, words } from '../texts/words';
import de from './news.de.json';
import en from './news.en.json';
import { letterOf } from '../shared/seats';
import { signed } from './numbers';

const say = words(de, en);
type Id = Parameters<typeof say>[0];
type Data = Parameters<typeof say>[1];

/** What one has to know to tell something. */
export interface Teller {
  /** The seat that is told; null for whoever watches. */
  me: number | null;
  game: string;
  seats: number;
  nameOf(seat: number): string;
  /** The name of someone who takes part. */
  personName(person: string): string;
  /** All events of the match: some sentences need what was before. */
  events: readonly Event[];
}

type EventOf<Kind extends Event['kind']> = Extract<Event, { kind: Kind }>;

/** An event as a sentence; '' where there is nothing to tell. */
export function eventText(event: Event, to: Teller): string {
  const own = known(to.game).events[event.kind === 'game' ? event.name : event.kind];
  if (own) return ownText(own, event, to);
  const tell = EVENTS[event.kind] as ((event: Event, to: Teller) => string) | undefined;
  return tell?.(event, to) ?? ''; // a later server may know more kinds
}

/** What a game itself says of an event. */
function ownText(text: string, event: Event, to: Teller): string {
  const { seat, cards = [] } = event as { seat?: number | null; cards?: readonly string[] };
  const name = seat === null || seat === undefined ? '' : to.nameOf(seat);
  return filled(text, { name, cards: cards.join(' '), count: cards.length });
}

/** A note of the table as a sentence; '' where there is nothing to tell. */
export function noteText(note: Notes, to: Teller): string {
  const tell = NOTES[note.note] as (note: Notes, to: Teller) => string;
  return tell(note, to);
}

/** What a round is called in this game. */
export function roundName(game: string, round: number): string {
  return `${known(game).round || say('round')} ${round}`;
}

/** A sentence about someone, in the second person about whoever is told. */
function by(
  to: Teller,
  seat: number | null | undefined,
  other: Id,
  own: Id,
  data: Data = {},
): string {
  if (seat === null || seat === undefined) return say(other, { name: '?', ...data });
  return seat === to.me ? say(own, data) : say(other, { name: to.nameOf(seat), ...data });
}

/** Something about every seat: `you 3 · Ben 4`. */
function listed(to: Teller, facts: readonly unknown[]): string {
  return facts.map((fact, seat) => `${seatName(to, seat)} ${String(fact)}`).join(' · ');
}

function seatName(to: Teller, seat: number): string {
  return seat === to.me ? say('you') : to.nameOf(seat);
}

function cardList(cards: readonly string[]): string {
  return cards.join(', ');
}

// -- Events ---------------------------------------------------------------------------------------

type EventTellers = {
  [Kind in Event['kind']]: (event: EventOf<Kind>, to: Teller) => string;
};

const EVENTS: EventTellers = {
  round: ({ round, starter }, to) =>
    by(to, starter, 'starts', 'you-start', { round: roundName(to.game, round) }),
  hand: ({ cards }) => say('hand', { count: cards.length }),
  play: played,
  trick: taken,
  chosen: ({ seat }, to) => by(to, seat, 'has-chosen', 'you-have-chosen'),
  choice: () => '', // `chosen` follows and tells it
  revealed,
  turned: ({ seat, value }, to) => by(to, seat, 'turns-up', 'you-turn-up', { value }),
  scored: ({ scores }, to) => say('scored', { facts: listed(to, scores.map(signed)) }),
  ended,
  trump: ({ move }) => say('trump-drawn', { colour: sayCard(move as Colour) }),
  partner: ({ value }, to) => say('your-partner', { name: to.nameOf(value) }),
  partners: ({ counts }, to) =>
    say('partners-shown', {
      facts: listed(
        to,
        counts.map((other) => `→ ${seatName(to, other)}`),
      ),
    }),
  aside: ({ counts }, to) => say('aside-now', { facts: listed(to, counts) }),
  named: ({ seat, move }, to) =>
    by(to, seat, 'lays-face-down', 'you-lay-face-down', { colour: sayCard(move as Colour) }),
  veto,
  stays: ({ seat }, to) => by(to, seat, 'trick-stays', 'your-trick-stays'),
  egg: ({ seat }, to) => by(to, seat, 'takes-egg', 'you-take-egg'),
  eggs,
  passed,
  received: ({ seat, cards = [] }, to) => {
    const giver = (seat - 1 + to.seats) % to.seats;
    return say('you-get', { name: to.nameOf(giver), cards: cardList(cards) });
  },
  discard: ({ seat, cards = [] }, to) =>
    by(to, seat, 'discards', 'you-discard', { cards: cardList(cards) }),
  drew: ({ cards = [] }) => (cards.length ? say('drew', { cards: cardList(cards) }) : ''),
  gift,
  sunstroke: ({ seat }, to) => by(to, seat, 'gets-sunstroke', 'you-get-sunstroke'),
  switch: ({ on }) => say(on ? 'switch-on' : 'switch-off'),
  direction: ({ direction }) => say(direction > 0 ? 'turns-clockwise' : 'turns-counterclockwise'),
  game: () => '', // only the game itself can say it
};

function played({ seat, cards = [], place, opens }: EventOf<'play'>, to: Teller): string {
  const card = cards.join('+');
  if (opens) return by(to, seat, 'opens', 'you-open', { card });
  if (typeof place === 'number')
    return by(to, seat, 'plays-to', 'you-play-to', { card, place: place + 1 });
  return by(to, seat, 'plays', 'you-play', { card });
}

function taken({ seat, place }: EventOf<'trick'>, to: Teller): string {
  if (seat === null || seat === undefined) return say('nobody-takes');
  if (place === null || place === undefined) return by(to, seat, 'takes', 'you-take');
  return by(to, seat, 'takes-place', 'you-take-place', { place: place + 1 });
}

function revealed({ choices, round }: ChoicesRevealed, to: Teller): string {
  if (choices.includes('take') || choices.includes('leave')) return pointsTaken(choices, to);
  const facts = listed(
    to,
    choices.map((choice) => choice.replaceAll(',', ' ')),
  );
  const { revealed } = known(to.game);
  const text = revealed ? filled(revealed, { facts }) : say('chosen', { facts });
  return round ? say('revealed-round', { round: roundName(to.game, round), text }) : text;
}

function pointsTaken(choices: readonly string[], to: Teller): string {
  const told = choices.map((choice, seat) => {
    if (choice === 'take') return by(to, seat, 'takes-points', 'you-take-points');
    return choice === 'leave' ? by(to, seat, 'leaves-points', 'you-leave-points') : '';
  });
  return told.filter(Boolean).join(' ');
}

function ended({ ranking }: EventOf<'ended'>, to: Teller): string {
  const winners = ranking[0] ?? [];
  const others = winners.filter((seat) => seat !== to.me).map((seat) => to.nameOf(seat));
  const id = others.length < winners.length ? 'ended-you' : 'ended';
  return say(id, { names: others.join(', '), count: winners.length });
}

function veto({ seat, struck }: EventOf<'veto'>, to: Teller): string {
  if (typeof struck !== 'number') return by(to, seat, 'no-veto', 'you-no-veto');
  const other = struck === to.me ? 'strikes-yours' : 'strikes';
  return by(to, seat, other, 'you-strike', { target: to.nameOf(struck) });
}

/** All eggs are turned up: they were taken one after the other, by those who won them. */
function eggs(event: EventOf<'eggs'>, to: Teller): string {
  const end = to.events.indexOf(event);
  const before = end < 0 ? to.events : to.events.slice(0, end);
  const begin = before.findLastIndex((one) => one.kind === 'round');
  const owners = before.slice(begin + 1).filter((one) => one.kind === 'egg');
  const values: string[] = Array.from({ length: to.seats }, () => '–');
  owners.forEach(({ seat }, at) => {
    const value = event.counts[at];
    if (value === undefined) return;
    values[seat] = values[seat] === '–' ? signed(value) : `${values[seat]} + ${signed(value)}`;
  });
  return say('eggs-shown', { facts: listed(to, values) });
}

function passed({ counts = [] }: EventOf<'passed'>, to: Teller): string {
  if (counts.every(Boolean)) return say('all-pass');
  const names = counts.flatMap((count, seat) => (count ? [seatName(to, seat)] : []));
  return say('some-pass', { names: names.join(', ') });
}

function gift({ seat, cards = [], target }: EventOf<'gift'>, to: Teller): string {
  if (typeof target !== 'number') return '';
  const card = cardList(cards);
  const other = target === to.me ? 'gives-you' : 'gives';
  return by(to, seat, other, 'you-give', { card, target: to.nameOf(target) });
}

// -- Notes ----------------------------------------------------------------------------------------

type NoteTellers = {
  [Name in Notes['note']]: (note: Extract<Notes, { note: Name }>, to: Teller) => string;
};

const NOTES: NoteTellers = {
  joined: ({ name, seat }) => say(seat === null ? 'joined' : 'joined-seat', { name }),
  moved: ({ seat, place }, to) => {
    const data = { place: letterOf(seat) };
    if (place.person) return say('person-sits', { ...data, name: to.personName(place.person) });
    return say(place.level ? 'bot-sits' : 'left-seat', data);
  },
  renamed: ({ name }) => say('renamed', { name }),
  changed: () => say('changed'),
  away: ({ seat }, to) => by(to, seat, 'away', 'you-away'),
  back: ({ seat }, to) => by(to, seat, 'back', 'you-back'),
  sealing: () => say('sealing'),
  sealed: () => '', // the six words tell it
  opened: () => '',
  aborted: ({ seats }, to) =>
    say('deal-failed', { names: seats.map((seat) => seatName(to, seat)).join(', ') || '?' }),
  agreed: ({ seat }, to) => by(to, seat, 'deal-again', 'you-deal-again'),
  begun: () => say('begun'),
  published: () => '', // whoever verifies the deal finds it there
  asked: ({ seat }, to) => by(to, seat, 'asked', 'you-asked'),
  declined: ({ seat }, to) => by(to, seat, 'declined', 'you-declined'),
  'took-back': ({ seat }, to) => by(to, seat, 'took-back', 'you-took-back'),
  hinted: ({ seat }, to) => by(to, seat, 'hinted', 'you-hinted'),
  'stood-in': ({ seat, why }, to) => by(to, seat, `stood-in-${why}`, `you-stood-in-${why}`),
  said: () => '', // told by the chat
  hosts: ({ person, for_good }, to) =>
    say(for_good ? 'hosts-for-good' : 'hosts', { name: to.personName(person) }),
  removed: ({ name }) => say('removed', { name }),
  muted: ({ person, muted }, to) =>
    say(muted ? 'muted' : 'unmuted', { name: to.personName(person) }),
};
