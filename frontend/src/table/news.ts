/** What happens at a table beside the play, in words. The server words what happens in the play. */
import { known } from '../games/known.svelte';
import type { Notes } from '../protocol';
import { words } from '../texts/words';
import de from './news.de.json';
import en from './news.en.json';
import { letterOf } from '../shared/seats';

const say = words(de, en);
type Id = Parameters<typeof say>[0];
type Data = Parameters<typeof say>[1];

/** Who reads a note, and the names in it. */
export interface Teller {
  /** The seat that reads it; null for a spectator. */
  me: number | null;
  nameOf(seat: number): string;
  /** The name of someone who takes part. */
  personName(person: string): string;
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

/** A sentence about a seat, in the second person about that of the reader. */
function by(to: Teller, seat: number, other: Id, own: Id, data: Data = {}): string {
  return seat === to.me ? say(own, data) : say(other, { name: to.nameOf(seat), ...data });
}

function seatName(to: Teller, seat: number): string {
  return seat === to.me ? say('you') : to.nameOf(seat);
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
  published: () => '', // shown where the deal is verified
  asked: ({ seat }, to) => by(to, seat, 'asked', 'you-asked'),
  declined: ({ seat }, to) => by(to, seat, 'declined', 'you-declined'),
  'took-back': ({ seat }, to) => by(to, seat, 'took-back', 'you-took-back'),
  hinted: ({ seat }, to) => by(to, seat, 'hinted', 'you-hinted'),
  'stood-in': ({ seat, why }, to) => by(to, seat, `stood-in-${why}`, `you-stood-in-${why}`),
  said: () => '', // the chat shows it
  hosts: ({ person, for_good }, to) =>
    say(for_good ? 'hosts-for-good' : 'hosts', { name: to.personName(person) }),
  removed: ({ name }) => say('removed', { name }),
  muted: ({ person, muted }, to) =>
    say(muted ? 'muted' : 'unmuted', { name: to.personName(person) }),
};
