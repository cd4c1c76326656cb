// Made from src/stichwerk/server/wire by `python -m stichwerk.server.protocol_generator`.

/**
 * Every message between a client and the server, defined once.
 *
 * One WebSocket belongs to one person (or spectator) at one table. The first message is `hello`;
 * each later request carries an `id` of the client's choice and is answered by `done` or `refused`
 * with the same `id`. `done` comes only after what was asked for is stored for good. What happens
 * at the table comes as `update`, numbered: whoever says `hello` with the last `seq` he saw gets
 * what he missed.
 */

export const PROTOCOL_VERSION = 1;

/** Bytes of the longest message that a client may send. */
export const LARGEST_MESSAGE = 4096;

export type Lang = "de" | "en";

export type Level = "easy" | "medium" | "hard" | "expert";

export type Watchers = "all" | "none";

export type Preset =
  | "hello"
  | "well-played"
  | "oops"
  | "thanks"
  | "hurry"
  | "thinking"
  | "again"
  | "bye";

// -- From the client

export type FromClient =
  | Hello
  | Join
  | Sit
  | Leave
  | Rename
  | PlaceBot
  | FreeSeat
  | Change
  | Begin
  | DealAgain
  | Commit
  | Reveal
  | Play
  | TakeBack
  | Consent
  | Hint
  | Look
  | AskTally
  | SetLanguage
  | Chat
  | Mute
  | HandOver
  | Remove
  | Unblock
  | Ping;

/**
 * The first message. Without a `token` one is a stranger, who may watch, if the table allows it, or
 * `join`. `since`: the last `seq` seen, to resume; without it all is told anew.
 */
export interface Hello {
  readonly type: "hello";
  readonly version: number;
  /** 1 to 40 characters; matches `^[A-Za-z0-9_-]+$`. */
  readonly table: string;
  /** 16 to 64 characters; matches `^[A-Za-z0-9_-]+$`; left out: `null`. */
  readonly token?: string | null;
  /** 0 to 2,147,483,647; left out: `null`. */
  readonly since?: number | null;
  /** Left out: `"en"`. */
  readonly lang?: Lang;
}

/**
 * Take part under this name, in this seat, or in any that is free. The answer holds the personal
 * token: it is all that says who one is, on this device or another. A client may draw its own
 * `token`, of 256 random bits: then it can send this again without joining twice.
 */
export interface Join {
  readonly type: "join";
  /** 0 to 2,147,483,647. */
  readonly id: number;
  /** 1 to 24 characters. */
  readonly name: string;
  /** 0 to 5; left out: `null`. */
  readonly seat?: number | null;
  /** 43 to 64 characters; matches `^[A-Za-z0-9_-]+$`; left out: `null`. */
  readonly token?: string | null;
}

/** Change to a free seat, before a match or between two. */
export interface Sit {
  readonly type: "sit";
  /** 0 to 2,147,483,647. */
  readonly id: number;
  /** 0 to 5. */
  readonly seat: number;
}

/** Give up the own seat; a bot plays on. */
export interface Leave {
  readonly type: "leave";
  /** 0 to 2,147,483,647. */
  readonly id: number;
}

/** Change the own name; a match that runs keeps the old one. */
export interface Rename {
  readonly type: "rename";
  /** 0 to 2,147,483,647. */
  readonly id: number;
  /** 1 to 24 characters. */
  readonly name: string;
}

/** Host: a bot of this level takes a free seat, or another level plays on in a bot's seat. */
export interface PlaceBot {
  readonly type: "place-bot";
  /** 0 to 2,147,483,647. */
  readonly id: number;
  /** 0 to 5. */
  readonly seat: number;
  readonly level: Level;
}

/**
 * Host: a bot gets up, or someone is asked to leave, before a match or between two. During a match
 * the seat of a person goes to a bot for good.
 */
export interface FreeSeat {
  readonly type: "free-seat";
  /** 0 to 2,147,483,647. */
  readonly id: number;
  /** 0 to 5. */
  readonly seat: number;
}

/**
 * Host: other settings (all of them, as they are to be), or another game, before a match or between
 * two. What is left out stays.
 */
export interface Change {
  readonly type: "change";
  /** 0 to 2,147,483,647. */
  readonly id: number;
  /** Left out: `null`. */
  readonly settings?: SettingsSent | null;
  /** At most 40 characters; left out: `null`. */
  readonly game?: string | null;
  /** 2 to 6; left out: `null`. */
  readonly seats?: number | null;
  /** Left out: `null`. */
  readonly options?: Readonly<Record<string, null | number | string | readonly string[]>> | null;
}

/**
 * Host: begin a match; bots of the table's level take the seats that are free. After a match: a
 * rematch, in which everyone moves on by one seat.
 */
export interface Begin {
  readonly type: "begin";
  /** 0 to 2,147,483,647. */
  readonly id: number;
}

/**
 * Agree to another set-up after two in a row failed (`aborts` of [Table](#table)). The server deals
 * again when all have agreed who sit here and play themselves. `begin` of a host who sits is his
 * own agreement, and no more than that.
 */
export interface DealAgain {
  readonly type: "deal-again";
  /** 0 to 2,147,483,647. */
  readonly id: number;
}

/** The own share of the shuffle, sealed: SHA-256 as the verifiable deal defines it. */
export interface Commit {
  readonly type: "commit";
  /** 0 to 2,147,483,647. */
  readonly id: number;
  /** 1 to 40 characters; matches `^[A-Za-z0-9_-]+$`. */
  readonly match: string;
  /** Matches `^[0-9a-f]{64}$`. */
  readonly commit: string;
}

/** The own share of the shuffle, opened, once all shares are sealed. */
export interface Reveal {
  readonly type: "reveal";
  /** 0 to 2,147,483,647. */
  readonly id: number;
  /** 1 to 40 characters; matches `^[A-Za-z0-9_-]+$`. */
  readonly match: string;
  /** Matches `^[0-9a-f]{64}$`. */
  readonly seed: string;
}

/**
 * Make a move. `ply` counts the moves this seat has made in this match, those taken back included:
 * sent again, a move is answered again, and made only once.
 */
export interface Play {
  readonly type: "play";
  /** 0 to 2,147,483,647. */
  readonly id: number;
  /** 1 to 40 characters; matches `^[A-Za-z0-9_-]+$`. */
  readonly match: string;
  /** 0 to 2,147,483,647. */
  readonly ply: number;
  /** 1 to 200 characters. */
  readonly move: string;
}

/**
 * Ask to take back the own last move. Possible only while nobody has moved since and nothing hidden
 * was shown by it.
 */
export interface TakeBack {
  readonly type: "take-back";
  /** 0 to 2,147,483,647. */
  readonly id: number;
  /** 1 to 40 characters; matches `^[A-Za-z0-9_-]+$`. */
  readonly match: string;
}

/** Agree, or not, to what another asked for. */
export interface Consent {
  readonly type: "consent";
  /** 0 to 2,147,483,647. */
  readonly id: number;
  /** 1 to 40 characters; matches `^[A-Za-z0-9_-]+$`. */
  readonly match: string;
  readonly agree: boolean;
}

/** What would a strong bot do in my place? Everyone learns that a hint was asked for. */
export interface Hint {
  readonly type: "hint";
  /** 0 to 2,147,483,647. */
  readonly id: number;
  /** 1 to 40 characters; matches `^[A-Za-z0-9_-]+$`. */
  readonly match: string;
}

/**
 * What is there to see for me now? Answered by `outlook`: effects of moves, reasons, what the trick
 * means, the rule of the moment. `move`: one choice, typed or half-made, to be judged as well.
 * Changes nothing, and nobody learns of it. Spectators may ask, too, where they may watch. `lang`
 * is from now on the language of all answers; without it, that of before.
 */
export interface Look {
  readonly type: "look";
  /** 0 to 2,147,483,647. */
  readonly id: number;
  /** 1 to 40 characters; matches `^[A-Za-z0-9_-]+$`. */
  readonly match: string;
  /** Left out: `null`. */
  readonly lang?: Lang | null;
  /** At most 200 characters; left out: `null`. */
  readonly move?: string | null;
}

/**
 * How did the points of a finished round (from 1) come about? Answered by `tallied`. Changes
 * nothing, and nobody learns of it. Without `lang` in the language of `hello`.
 */
export interface AskTally {
  readonly type: "tally";
  /** 0 to 2,147,483,647. */
  readonly id: number;
  /** 1 to 40 characters; matches `^[A-Za-z0-9_-]+$`. */
  readonly match: string;
  /** 1 to 1,000. */
  readonly round: number;
  /** Left out: `null`. */
  readonly lang?: Lang | null;
}

/**
 * Read the words of the server in another language from now on. Answered by `language`, with the
 * words of the last steps again.
 */
export interface SetLanguage {
  readonly type: "language";
  /** 0 to 2,147,483,647. */
  readonly id: number;
  readonly lang: Lang;
}

/**
 * Say something to all at the table: words of one's own, or a preset that everyone reads in his
 * language.
 */
export interface Chat {
  readonly type: "chat";
  /** 0 to 2,147,483,647. */
  readonly id: number;
  /** 1 to 280 characters; left out: `null`. */
  readonly text?: string | null;
  /** Left out: `null`. */
  readonly preset?: Preset | null;
}

/** Host: someone may not chat any more, or may again. */
export interface Mute {
  readonly type: "mute";
  /** 0 to 2,147,483,647. */
  readonly id: number;
  /** 1 to 40 characters; matches `^[A-Za-z0-9_-]+$`. */
  readonly person: string;
  readonly muted: boolean;
}

/** Owner: another seated person owns the table from now on, and is its host. */
export interface HandOver {
  readonly type: "hand-over";
  /** 0 to 2,147,483,647. */
  readonly id: number;
  /** 1 to 40 characters; matches `^[A-Za-z0-9_-]+$`. */
  readonly person: string;
}

/**
 * Host: someone has to leave the table: the seat is freed as by `free-seat`, the personal token is
 * void, and the connections are closed. The owner cannot be removed. With `block` the person cannot
 * join again, neither with the same token nor from the same network address.
 */
export interface Remove {
  readonly type: "remove";
  /** 0 to 2,147,483,647. */
  readonly id: number;
  /** 1 to 40 characters; matches `^[A-Za-z0-9_-]+$`. */
  readonly person: string;
  /** Left out: `false`. */
  readonly block?: boolean;
}

/** Host: someone of the `blocked` of the table may join again. */
export interface Unblock {
  readonly type: "unblock";
  /** 0 to 2,147,483,647. */
  readonly id: number;
  /** 1 to 40 characters; matches `^[A-Za-z0-9_-]+$`. */
  readonly person: string;
}

/** Is anyone there? Answered by `pong`. */
export interface Ping {
  readonly type: "ping";
  /** 0 to 2,147,483,647. */
  readonly id: number;
}

// -- From the server

export type FromServer =
  | Welcome
  | Update
  | Presence
  | Done
  | JoinDone
  | HintDone
  | Outlook
  | TallyDone
  | LanguageDone
  | Pong
  | Refused
  | Bye;

/**
 * The answer to `hello`, and sent again when one may know more, or less, than before. `person` and
 * `seat`: who one is here. `steps`: what was missed since `since`. With `fresh` all known before is
 * void: `view` has the history of the match, and `steps` are the last of it that the server sends
 * at once, at most 600 and 256 KiB. Private events of finished rounds are in them only if one had
 * the seat then. Without a seat at a table with `watch: none`, `seq` is 0 and there are no `steps`.
 * `ply`: the number of your next move. `take_back`: whether your last move can still be taken back,
 * if those agree who have to.
 */
export interface Welcome {
  readonly type: "welcome";
  readonly version: number;
  readonly seq: number;
  readonly fresh: boolean;
  readonly person: string | null;
  readonly seat: number | null;
  readonly ply: number;
  readonly table: Table;
  readonly view: View | null;
  readonly steps: readonly Step[];
  readonly take_back: boolean;
}

/**
 * Something happened. `view` is what one may know now, its history left out: the events are in
 * `steps`. `table` is null where it did not change. `take_back` as in `welcome`.
 */
export interface Update {
  readonly type: "update";
  readonly seq: number;
  readonly steps: readonly Step[];
  readonly seat: number | null;
  readonly ply: number;
  readonly table: Table | null;
  readonly view: View | null;
  readonly take_back: boolean;
}

/** Who is connected now. Not numbered, and never missed: `welcome` tells it too. */
export interface Presence {
  readonly type: "presence";
  readonly here: readonly string[];
  readonly watching: number;
}

/** What was asked for is done, and stored. `seq`: of the table after it. */
export interface Done {
  readonly type: "done";
  readonly id: number;
  readonly seq: number;
}

/** The answer to `join`: who one is, and the personal token. */
export interface JoinDone {
  readonly type: "joined";
  readonly id: number;
  readonly seq: number;
  readonly person: string;
  readonly seat: number | null;
  readonly token: string;
}

/** The answer to `hint`: a move, why, and what was compared. */
export interface HintDone {
  readonly type: "hint";
  readonly id: number;
  readonly move: string;
  readonly reason: string;
  readonly text: string;
  readonly alternatives: readonly MoveEstimate[];
}

/**
 * The answer to `look`, true at `seq`. `effects`: of every move one can make now; none where there
 * are too many (then ask for one with `move`) and out of turn. `reasons`: for each card of the hand
 * that cannot be played now, why; none out of turn. `one`: about the `move` asked for.
 */
export interface Outlook {
  readonly type: "outlook";
  readonly id: number;
  readonly seq: number;
  readonly effects: readonly Effect[];
  readonly reasons: Readonly<Record<string, string>>;
  readonly standing: TableNow;
  readonly situation: Situation;
  readonly one: One | null;
}

/** The answer to `tally`: for each seat how its points of the round came about. */
export interface TallyDone {
  readonly type: "tallied";
  readonly id: number;
  readonly round: number;
  readonly seats: readonly SeatTally[];
}

/**
 * The answer to `language`: the words of the last steps, at most 600 and 256 KiB, in the new
 * language. Steps without words are left out.
 */
export interface LanguageDone {
  readonly type: "language";
  readonly id: number;
  readonly steps: readonly StepWords[];
}

/** The answer to `ping`. */
export interface Pong {
  readonly type: "pong";
  readonly id: number;
}

/**
 * What was asked for is not done, and why: `error` is stable, `text` in the person's language. `id`
 * is null where the message could not be read.
 */
export interface Refused {
  readonly type: "refused";
  readonly id: number | null;
  readonly error: string;
  readonly text: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The server closes the connection, and why. */
export interface Bye {
  readonly type: "bye";
  readonly error: string;
  readonly text: string;
}

// -- Notes

export type Notes =
  | Joined
  | Moved
  | Renamed
  | Changed
  | Away
  | Back
  | Sealing
  | Sealed
  | Opened
  | Aborted
  | Agreed
  | Begun
  | Published
  | Asked
  | Declined
  | TookBack
  | Hinted
  | StoodIn
  | Said
  | Muted
  | Hosts
  | Removed;

/** Someone takes part now, perhaps in a seat. */
export interface Joined {
  readonly note: "joined";
  readonly person: string;
  readonly name: string;
  readonly seat: number | null;
}

/** Who sits in a seat has changed: a person, a bot, or nobody. */
export interface Moved {
  readonly note: "moved";
  readonly seat: number;
  readonly place: Place;
}

/** Someone has another name. */
export interface Renamed {
  readonly note: "renamed";
  readonly person: string;
  readonly name: string;
}

/** The host changed settings or game. */
export interface Changed {
  readonly note: "changed";
}

/** Someone is gone for a while: a bot plays for him. */
export interface Away {
  readonly note: "away";
  readonly seat: number;
}

/** Someone is back and plays himself again. */
export interface Back {
  readonly note: "back";
  readonly seat: number;
}

/** A match is being set up: all shares of the shuffle are to be sealed. */
export interface Sealing {
  readonly note: "sealing";
  readonly match: string;
}

/** A share is in; with the last one the words stand. */
export interface Sealed {
  readonly note: "sealed";
  readonly seat: number;
}

/** A share was opened. */
export interface Opened {
  readonly note: "opened";
  readonly seat: number;
}

/** The set-up failed, as these seats did not open their share; the next one has another id. */
export interface Aborted {
  readonly note: "aborted";
  readonly match: string;
  readonly seats: readonly number[];
}

/** Someone agrees to deal again after two set-ups that failed. */
export interface Agreed {
  readonly note: "agreed";
  readonly seat: number;
}

/** The cards are dealt. */
export interface Begun {
  readonly note: "begun";
  readonly match: string;
}

/** A round is over (0: the draw of the first starter): the server's share for it. */
export interface Published {
  readonly note: "published";
  readonly round: number;
  readonly seed: string;
}

/** Someone asks to take back his last move. */
export interface Asked {
  readonly note: "asked";
  readonly seat: number;
}

/** Someone does not agree, or a move was made meanwhile. */
export interface Declined {
  readonly note: "declined";
  readonly seat: number;
}

/**
 * The last move was taken back. `events`: how many of the events one has seen of this match are
 * void.
 */
export interface TookBack {
  readonly note: "took-back";
  readonly seat: number;
  readonly events: number;
}

/** Someone asked for a hint. */
export interface Hinted {
  readonly note: "hinted";
  readonly seat: number;
}

/** A move was made for someone: the `clock` had run out, or a `bot` had failed. */
export interface StoodIn {
  readonly note: "stood-in";
  readonly seat: number;
  readonly why: "clock" | "bot";
}

/**
 * Someone said something: own words, or a preset. `name`: that of then, for people who are not at
 * the table any more.
 */
export interface Said {
  readonly note: "said";
  readonly person: string;
  readonly text: string | null;
  readonly preset: string | null;
  readonly name: string;
}

/** Someone may not chat any more, or may again. */
export interface Muted {
  readonly note: "muted";
  readonly person: string;
  readonly muted: boolean;
}

/**
 * Someone else has the rights of the host. `for_good`: the table was handed over; otherwise the
 * owner is away for long, or is back.
 */
export interface Hosts {
  readonly note: "hosts";
  readonly person: string;
  readonly for_good: boolean;
}

/** The host removed someone from the table. `name`: that of then. */
export interface Removed {
  readonly note: "removed";
  readonly person: string;
  readonly name: string;
  readonly blocked: boolean;
}

// -- Event

export type Event =
  | ChoiceMade
  | ColourNamed
  | ChoiceHidden
  | ChoicesRevealed
  | CardsPassed
  | CardsReceived
  | CardPlayed
  | VetoAnswered
  | CardsDiscarded
  | GiftGiven
  | CardsDrawn
  | TrickTaken
  | TrickStays
  | ScoringCardTurned
  | EggTaken
  | SunstrokeMoved
  | SwitchFlipped
  | AsideChanged
  | DirectionTurned
  | PartnersShown
  | EggsShown
  | RoundScored
  | MatchEnded
  | RoundStarted
  | HandDealt
  | TrumpDrawn
  | PartnerDrawn
  | GameEvent;

/**
 * You made a secret move.
 *
 * `seat`: who did it; `move`: the move, as it is typed.
 */
export interface ChoiceMade {
  readonly kind: "choice";
  readonly seat: number;
  readonly move: string;
  /** Left out: `null`. */
  readonly to?: readonly number[] | null;
}

/**
 * The leader laid a card face down and named its colour.
 *
 * `seat`: who did it; `move`: the letter of the colour.
 */
export interface ColourNamed {
  readonly kind: "named";
  readonly seat: number;
  readonly move: string;
  /** Left out: `null`. */
  readonly to?: readonly number[] | null;
}

/**
 * Someone made a secret move; which one stays secret.
 *
 * `seat`: who did it.
 */
export interface ChoiceHidden {
  readonly kind: "chosen";
  readonly seat: number;
  /** Left out: `null`. */
  readonly to?: readonly number[] | null;
}

/**
 * All secret moves are in and are shown. Where they stay hidden during the match, only after
 * `ended`, an event for each round.
 *
 * `choices`: the moves by seat, as they are typed; an empty text for a seat that was not asked;
 * `round`: after `ended` the round they belong to.
 */
export interface ChoicesRevealed {
  readonly kind: "revealed";
  readonly choices: readonly string[];
  /** Left out: `null`. */
  readonly round?: number | null;
  /** Left out: `null`. */
  readonly to?: readonly number[] | null;
}

/**
 * Everyone passed cards to another seat; which ones stays secret.
 *
 * `counts`: by seat: how many cards it passed, 0 where it had none.
 */
export interface CardsPassed {
  readonly kind: "passed";
  /** Left out: `[]`. */
  readonly counts?: readonly number[];
  /** Left out: `null`. */
  readonly to?: readonly number[] | null;
}

/**
 * You got cards that another seat passed.
 *
 * `seat`: who got them; `cards`: the cards.
 */
export interface CardsReceived {
  readonly kind: "received";
  readonly seat: number;
  /** Left out: `[]`. */
  readonly cards?: readonly string[];
  /** Left out: `null`. */
  readonly to?: readonly number[] | null;
}

/**
 * A card was played or, if all play at once, turned up.
 *
 * `seat`: who did it; `move`: the move, as it is typed; `cards`: the card, or both cards of a pair,
 * in the order of the move; `place`: where several tricks are open, the place it went to, from 0;
 * `opens`: true if it opens a trick at that place; otherwise absent.
 */
export interface CardPlayed {
  readonly kind: "play";
  readonly seat: number;
  readonly move: string;
  /** Left out: `[]`. */
  readonly cards?: readonly string[];
  /** Left out: `null`. */
  readonly place?: number | null;
  /** Left out: `false`. */
  readonly opens?: boolean;
  /** Left out: `null`. */
  readonly to?: readonly number[] | null;
}

/**
 * The holder of the veto card struck a card of the trick, or passed.
 *
 * `seat`: who did it; `move`: the move, as it is typed; `struck`: the seat whose card is struck;
 * absent where the holder passed.
 */
export interface VetoAnswered {
  readonly kind: "veto";
  readonly seat: number;
  readonly move: string;
  /** Left out: `null`. */
  readonly struck?: number | null;
  /** Left out: `null`. */
  readonly to?: readonly number[] | null;
}

/**
 * The winner of a trick discarded cards.
 *
 * `seat`: who did it; `move`: the move, as it is typed; `cards`: the cards discarded.
 */
export interface CardsDiscarded {
  readonly kind: "discard";
  readonly seat: number;
  readonly move: string;
  /** Left out: `[]`. */
  readonly cards?: readonly string[];
  /** Left out: `null`. */
  readonly to?: readonly number[] | null;
}

/**
 * The winner of a trick gave a gift card away.
 *
 * `seat`: who did it; `move`: the move, as it is typed; `cards`: the gift card, alone in a list;
 * `target`: the seat that gets it.
 */
export interface GiftGiven {
  readonly kind: "gift";
  readonly seat: number;
  readonly move: string;
  /** Left out: `[]`. */
  readonly cards?: readonly string[];
  /** Left out: `null`. */
  readonly target?: number | null;
  /** Left out: `null`. */
  readonly to?: readonly number[] | null;
}

/**
 * You drew cards from the stock for those you discarded.
 *
 * `seat`: who drew them; `cards`: the cards drawn.
 */
export interface CardsDrawn {
  readonly kind: "drew";
  readonly seat: number;
  /** Left out: `[]`. */
  readonly cards?: readonly string[];
  /** Left out: `null`. */
  readonly to?: readonly number[] | null;
}

/**
 * A trick is complete and taken, or put away if nobody takes it.
 *
 * `seat`: who takes it; absent where nobody does; `place`: where several tricks are open, the place
 * it was at, from 0; `cards`: its cards in the order played.
 */
export interface TrickTaken {
  readonly kind: "trick";
  /** Left out: `null`. */
  readonly to?: readonly number[] | null;
  /** Left out: `null`. */
  readonly seat?: number | null;
  /** Left out: `null`. */
  readonly place?: number | null;
  readonly cards: readonly string[];
}

/**
 * A trick is complete and stays on the table.
 *
 * `seat`: who won it, and leads; `cards`: its cards in the order played.
 */
export interface TrickStays {
  readonly kind: "stays";
  readonly seat: number;
  readonly cards: readonly string[];
  /** Left out: `null`. */
  readonly to?: readonly number[] | null;
}

/**
 * The winner of a trick turned up a scoring card.
 *
 * `seat`: who did it; `position`: which one from the left, from 0; `value`: its value.
 */
export interface ScoringCardTurned {
  readonly kind: "turned";
  readonly seat: number;
  readonly position: number;
  readonly value: number;
  /** Left out: `null`. */
  readonly to?: readonly number[] | null;
}

/**
 * The winner of a trick took an egg; its value is shown at the end of the round.
 *
 * `seat`: who did it.
 */
export interface EggTaken {
  readonly kind: "egg";
  readonly seat: number;
  /** Left out: `null`. */
  readonly to?: readonly number[] | null;
}

/**
 * The winner of a trick took the Sonnenstich card, from the stock of cards or from its holder.
 *
 * `seat`: who holds it now; `giver`: who held it before; absent where nobody did.
 */
export interface SunstrokeMoved {
  readonly kind: "sunstroke";
  readonly seat: number;
  /** Left out: `null`. */
  readonly giver?: number | null;
  /** Left out: `null`. */
  readonly to?: readonly number[] | null;
}

/**
 * The switch flipped: from the next trick on red is trump, or no colour is.
 *
 * `on`: true if red is trump now.
 */
export interface SwitchFlipped {
  readonly kind: "switch";
  readonly on: boolean;
  /** Left out: `null`. */
  readonly to?: readonly number[] | null;
}

/**
 * How many odd cards are set aside: after the deal, and whenever that changes.
 *
 * `counts`: by seat: the number of cards aside.
 */
export interface AsideChanged {
  readonly kind: "aside";
  readonly counts: readonly number[];
  /** Left out: `null`. */
  readonly to?: readonly number[] | null;
}

/**
 * The direction of play turned round, from the next lead on.
 *
 * `direction`: 1 clockwise, -1 the other way.
 */
export interface DirectionTurned {
  readonly kind: "direction";
  readonly direction: number;
  /** Left out: `null`. */
  readonly to?: readonly number[] | null;
}

/**
 * The round is over: all partner cards are shown.
 *
 * `counts`: by seat: the seat of the partner.
 */
export interface PartnersShown {
  readonly kind: "partners";
  readonly counts: readonly number[];
  /** Left out: `null`. */
  readonly to?: readonly number[] | null;
}

/**
 * The round is over: all eggs are shown, those that nobody took too.
 *
 * `counts`: not by seat: the values of the six eggs, in the order they are taken; `takers`: the
 * seats that took them, in the same order; fewer than six where eggs were left over.
 */
export interface EggsShown {
  readonly kind: "eggs";
  readonly counts: readonly number[];
  /** Left out: `[]`. */
  readonly takers?: readonly number[];
  /** Left out: `null`. */
  readonly to?: readonly number[] | null;
}

/**
 * A round is over and its points are counted.
 *
 * `scores`: by seat: points of the round; `totals`: by seat: sums so far.
 */
export interface RoundScored {
  readonly kind: "scored";
  readonly scores: readonly number[];
  readonly totals: readonly number[];
  /** Left out: `null`. */
  readonly to?: readonly number[] | null;
}

/**
 * The match is over.
 *
 * `ranking`: groups of seats, best first; those level share a group.
 */
export interface MatchEnded {
  readonly kind: "ended";
  readonly ranking: readonly (readonly number[])[];
  /** Left out: `null`. */
  readonly to?: readonly number[] | null;
}

/**
 * A round begins: the cards are dealt.
 *
 * `round`: its number, from 1; `starter`: the seat that starts; `stock`: how many cards were not
 * dealt.
 */
export interface RoundStarted {
  readonly kind: "round";
  readonly round: number;
  readonly starter: number;
  readonly stock: number;
  /** Left out: `null`. */
  readonly to?: readonly number[] | null;
}

/**
 * You got your cards.
 *
 * `seat`: whose cards; `cards`: in the order dealt.
 */
export interface HandDealt {
  readonly kind: "hand";
  readonly seat: number;
  readonly cards: readonly string[];
  /** Left out: `null`. */
  readonly to?: readonly number[] | null;
}

/**
 * The trump colour of the round was drawn.
 *
 * `move`: the letter of the colour.
 */
export interface TrumpDrawn {
  readonly kind: "trump";
  readonly move: string;
  /** Left out: `null`. */
  readonly to?: readonly number[] | null;
}

/**
 * You drew a partner card.
 *
 * `seat`: who drew it; `value`: the seat of the partner.
 */
export interface PartnerDrawn {
  readonly kind: "partner";
  readonly seat: number;
  readonly value: number;
  /** Left out: `null`. */
  readonly to?: readonly number[] | null;
}

/**
 * Something that only one game has, and that no other kind says. What its facts mean is up to the
 * game.
 *
 * `name`: what happened, a word of the game; `seat`: who did it, or whom it is about; `move`: a
 * text of the game; `place`: a place on the table, from 0; `cards`: cards; `value`: a number;
 * `counts`: numbers, usually by seat.
 */
export interface GameEvent {
  readonly kind: "game";
  readonly name: string;
  /** Left out: `null`. */
  readonly seat?: number | null;
  /** Left out: `""`. */
  readonly move?: string;
  /** Left out: `null`. */
  readonly place?: number | null;
  /** Left out: `[]`. */
  readonly cards?: readonly string[];
  /** Left out: `null`. */
  readonly value?: number | null;
  /** Left out: `[]`. */
  readonly counts?: readonly number[];
  /** Left out: `null`. */
  readonly to?: readonly number[] | null;
}

// -- What stands in messages

/**
 * What the host decides about a table; all can be changed between matches.
 *
 * `clock`: seconds for a move, then a bot makes it (null: no clock). `away`: seconds until a bot
 * takes over the seat of someone who is not connected. `level` is that of the bots that fill seats.
 * `listed`: whether strangers find the table in the lobby. `running_score`: whether all are told
 * what everyone has so far, in a game whose rules hide it until a round is over (`hides_score` of
 * [GameInfo](#gameinfo)).
 */
export interface Settings {
  readonly watch: Watchers;
  /** 5 to 3,600. */
  readonly clock: number | null;
  /** 5 to 86,400. */
  readonly away: number;
  readonly level: Level;
  readonly hints: boolean;
  readonly take_back: boolean;
  readonly chat: boolean;
  readonly listed: boolean;
  readonly running_score: boolean;
}

/** Settings as a client sends it: what is left out has its default. */
export interface SettingsSent {
  /** Left out: `"all"`. */
  readonly watch?: Watchers;
  /** 5 to 3,600; left out: `null`. */
  readonly clock?: number | null;
  /** 5 to 86,400; left out: `60`. */
  readonly away?: number;
  /** Left out: `"medium"`. */
  readonly level?: Level;
  /** Left out: `true`. */
  readonly hints?: boolean;
  /** Left out: `true`. */
  readonly take_back?: boolean;
  /** Left out: `true`. */
  readonly chat?: boolean;
  /** Left out: `false`. */
  readonly listed?: boolean;
  /** Left out: `false`. */
  readonly running_score?: boolean;
}

/**
 * A table. `stage`: `gathering` before the first match, `dealing` while shares of the shuffle are
 * exchanged, `playing`, and `over` after a match. `deadline`: when the clock runs out, in
 * milliseconds since 1970. `aborts`: how many set-ups have failed since the last match that began,
 * as a share was not opened. After one the server deals again by itself; after two or more it
 * waits, in the stage `gathering`, for `deal-again` of every seat that a person plays himself.
 * `agreed`: the seats that have sent it. `owner`: the person to whom the table belongs; `host`: the
 * person with the rights of the host now, which is the owner, or a seated person while the owner is
 * away for long. `blocked`: told to the host only.
 *
 * Without a seat at a table with `watch: none` a client gets what an invitation needs: of `people`
 * only the host and those in seats, all of them as `here`, no bot that plays for someone, and
 * neither `match`, `dealing`, `ask`, `deadline`, `aborts` nor `agreed`. Someone who takes a seat
 * there after a match gets no `match` and no `dealing` of it.
 */
export interface Table {
  readonly id: string;
  readonly game: string;
  readonly seats: number;
  readonly options: Readonly<Record<string, null | number | string | readonly string[]>>;
  readonly settings: Settings;
  readonly host: string;
  readonly people: readonly Person[];
  readonly places: readonly Place[];
  readonly stage: "gathering" | "dealing" | "playing" | "over";
  readonly match: string | null;
  readonly dealing: Dealing | null;
  readonly ask: Ask | null;
  readonly deadline: number | null;
  readonly aborts: number;
  readonly agreed: readonly number[];
  readonly owner: string;
  readonly blocked: readonly Blocked[];
}

/** Someone who takes part. `here`: connected now. */
export interface Person {
  readonly id: string;
  readonly name: string;
  readonly here: boolean;
  readonly muted: boolean;
}

/**
 * A seat: of a `person`, of a bot of some `level`, or free. With both, the bot plays until the
 * person is back.
 */
export interface Place {
  readonly person: string | null;
  readonly level: string | null;
}

/**
 * How far the verifiable deal has come.
 *
 * `server_commits` are sealed first; then everyone's share (`client_commits`, null where it is
 * missing). `trusted` tells for each seat whether a person's own client drew its share: the
 * server's own add no trust. When all are sealed, `transcript` and its six `words` stand; shares
 * are opened (`client_seeds`), then the server's, round by round (`server_seeds`).
 */
export interface Dealing {
  readonly match: string;
  readonly rules: string;
  readonly options: string;
  readonly deck: string;
  readonly rounds: number;
  readonly server_commits: readonly string[];
  readonly client_commits: readonly (string | null)[];
  readonly trusted: readonly boolean[];
  readonly transcript: string | null;
  readonly words: readonly string[];
  readonly client_seeds: readonly (string | null)[];
  readonly server_seeds: readonly string[];
}

/** A take-back that someone asked for, and the seats that have not agreed yet. */
export interface Ask {
  readonly seat: number;
  readonly waiting: readonly number[];
}

/** Someone who was removed and may not join again: the id and the name of then. */
export interface Blocked {
  readonly id: string;
  readonly name: string;
}

/** A match as one seat sees it (`seat` null: a spectator), with everything it has seen so far. */
export interface View {
  readonly game: string;
  readonly rules: number;
  readonly seats: number;
  readonly options: Readonly<Record<string, null | number | string | readonly string[]>>;
  readonly names: readonly string[];
  readonly seat: number | null;
  readonly round: number;
  readonly rounds: number;
  readonly starter: number;
  readonly phase: string;
  readonly waiting_for: readonly number[];
  readonly hand: readonly string[];
  readonly hand_sizes: readonly number[];
  readonly stock: number;
  readonly tricks: readonly Trick[];
  readonly taken: readonly number[];
  readonly table: Readonly<Record<string, unknown>>;
  readonly mine: Readonly<Record<string, unknown>>;
  readonly moves: readonly string[];
  readonly scores: readonly (readonly number[])[];
  readonly totals: readonly number[];
  readonly ranking: readonly (readonly number[])[] | null;
  readonly history: readonly Event[];
}

/** A trick on the table: its place, led colour, plays in order, and who would take it now. */
export interface Trick {
  readonly place: number;
  readonly led: string;
  readonly plays: readonly (readonly [number, string])[];
  readonly winning: number | null;
}

/**
 * What one entry of the table's log brought: notes, and the events of the match that the receiver
 * may know. `words`: for each event what happened, in the receiver's language, or an empty text
 * where there is nothing to say; cards are codes.
 */
export interface Step {
  readonly seq: number;
  readonly notes: readonly Notes[];
  readonly events: readonly Event[];
  readonly words: readonly string[];
}

/** A move with what it is worth, in points above the others' mean, and how sure that is. */
export interface MoveEstimate {
  readonly move: string;
  readonly value: number | null;
  readonly error: number | null;
}

/**
 * What a move would do, as far as its seat can know.
 *
 * `text` says it in words, cards as codes (`G8`). `short`: Stichling, the same where there is
 * little room; else empty. `winner`: who takes the trick, or holds it as it then stands; null for
 * nobody and where it is not a card to a trick. `takes_over`: the seat then holds it and did not
 * before. `complete`: the move fills the trick, so the winner is certain. `place`: where the card
 * goes, from 0 (Stichling; else 0 in play, null otherwise). `changes`: what the trick, as it then
 * stands, brings its taker, and others if it affects them.
 */
export interface Effect {
  readonly move: string;
  readonly text: string;
  readonly short: string;
  readonly winner: number | null;
  readonly takes_over: boolean;
  readonly complete: boolean;
  readonly place: number | null;
  readonly changes: readonly Gain[];
}

/** What something means to one seat, in points. `piles`: in Null & nichtig, where it comes from. */
export interface Gain {
  readonly seat: number;
  readonly points: number;
  readonly piles: readonly PileChange[];
}

/**
 * Null & nichtig: what happens to one pile. `before` and `after` are its top cards, null where
 * there is no pile; `points` is the change.
 */
export interface PileChange {
  readonly colour: string;
  readonly before: string | null;
  readonly after: string | null;
  readonly points: number;
}

/**
 * What is on the table now, and what it means.
 *
 * `tricks`: one for each open trick. `lines`: what else holds for this trick (Sticheln: start
 * colour; Stichtag: trump, low or high, what the symbols in it will do). `notes`: Stichtag, the
 * cross-notes that apply now. `lowest`: Stichtag, whether the lowest number wins this trick.
 * `ladder`: Stichling, what the seat's tricks are worth. `trump`: Stichtag, the colour in force.
 * `collected`: Null & nichtig, the cards of the last trick in the order in which they were laid on
 * their piles, also when a new round has begun; none before the first trick. `running`: what each
 * seat has in this round so far, if the rules hide it and the table shows it anyway.
 */
export interface TableNow {
  readonly tricks: readonly TrickNow[];
  readonly lines: readonly string[];
  readonly notes: readonly string[];
  readonly lowest: boolean;
  readonly ladder: readonly Rung[];
  readonly trump: string | null;
  readonly collected: readonly string[];
  readonly running: readonly number[];
}

/**
 * A trick on the table as it stands. `winner` holds it, with `card` (a pair: `G3+G4`); null: nobody
 * yet. `text`: who would take it, and why. `worth`: what it is worth to whom. In Sticheln for every
 * seat that might take it; in Null & nichtig and Stichtag for the winner. `order`: Null & nichtig,
 * its plays (from 0) in the order in which they would be collected.
 */
export interface TrickNow {
  readonly place: number;
  readonly winner: number | null;
  readonly card: string | null;
  readonly text: string;
  readonly worth: readonly Gain[];
  readonly order: readonly number[];
}

/** Stichling: what a number of tricks is worth. `now`: the seat has that many. */
export interface Rung {
  readonly tricks: number;
  readonly points: number;
  readonly now: boolean;
}

/**
 * The current rule. `section` is the heading in the rules of the game where it is, `anchor` the id
 * of that section. `sheet`: Stichtag, the sheet that asks, or that changes how cards are played.
 * Both are empty where there is none.
 */
export interface Situation {
  readonly heading: string;
  readonly sentences: readonly string[];
  readonly section: string;
  readonly anchor: string;
  readonly sheet: string | null;
}

/**
 * One typed or incomplete choice. `move`: as the rules write it, or as it was typed. `legal`: it
 * can be made like this; otherwise `error` is the id of the objection, and `text` its words.
 * `effect`: what it does; a choice that is not complete yet has one too, as far as it goes.
 */
export interface One {
  readonly move: string;
  readonly legal: boolean;
  readonly text: string;
  readonly error: string | null;
  readonly effect: Effect | null;
}

/** Explanation of a seat's points in a round: the items add up to `points`. */
export interface SeatTally {
  readonly seat: number;
  readonly points: number;
  readonly items: readonly Item[];
}

/** One reason for points. */
export interface Item {
  readonly text: string;
  readonly points: number;
}

/** The `words` of a step once more, in another language. */
export interface StepWords {
  readonly seq: number;
  readonly words: readonly string[];
}

// -- Over HTTP

/** What a new table is to be. `name`: of the host. `bots`: levels for some seats at once. */
export interface NewTable {
  /** At most 40 characters. */
  readonly game: string;
  /** 1 to 24 characters. */
  readonly name: string;
  /** 2 to 6; left out: `4`. */
  readonly seats?: number;
  /** Left out: `{}`. */
  readonly options?: Readonly<Record<string, null | number | string | readonly string[]>>;
  /** Left out: `{}`. */
  readonly settings?: SettingsSent;
  /** 0 to 5; left out: `0`. */
  readonly seat?: number | null;
  /** Left out: `{}`. */
  readonly bots?: Readonly<Record<string, Level>>;
}

/** A link of this server that is to be drawn as a QR code. */
export interface QrText {
  /** 1 to 400 characters. */
  readonly text: string;
}

/**
 * Play on from a finished match: `moves` of it are made, then `seat` is one's own, and bots have
 * the others.
 */
export interface NewFork {
  /** 1 to 24 characters. */
  readonly name: string;
  /** 0 to 5. */
  readonly seat: number;
  /** 0 to 100,000. */
  readonly moves: number;
  /** Left out: `"medium"`. */
  readonly level?: Level;
}

/** `ok`, or `storage` if nothing can be stored now. */
export interface Health {
  readonly status: "ok" | "storage";
}

/** Why a request over HTTP was refused. */
export interface Problem {
  readonly error: string;
  readonly text: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The versions of the program, of these messages, and of the engine that runs. */
export interface VersionInfo {
  readonly program: string;
  readonly protocol: number;
  readonly engine: "compiled" | "plain";
}

/** The open tables, the newest first. */
export interface Lobby {
  readonly tables: readonly LobbyTable[];
}

/** An open table: `free` seats of `seats`, `stage` as in `table`. */
export interface LobbyTable {
  readonly table: string;
  readonly game: string;
  readonly seats: number;
  readonly options: Readonly<Record<string, null | number | string | readonly string[]>>;
  readonly free: number;
  readonly stage: string;
  readonly host: string;
  readonly watch: string;
  readonly people: readonly string[];
  readonly listed: boolean;
}

/** The bots there are; a table takes those that are levels. */
export interface Bots {
  readonly bots: readonly BotInfo[];
}

/** A bot of the registry. */
export interface BotInfo {
  readonly name: string;
  readonly version: number;
  readonly level: boolean;
}

/** The games there are. */
export interface Games {
  readonly games: readonly GameInfo[];
}

/**
 * A game: for how many, in one sentence, how long it takes with the usual options (`minutes`: from,
 * to), by whom it is, and its options by number of seats. `hides_score`: its rules hide what
 * everyone has until a round is over, unless the table's `running_score` is on.
 */
export interface GameInfo {
  readonly name: string;
  readonly title: string;
  readonly sentence: string;
  readonly minutes: readonly [number, number];
  readonly authors: readonly string[];
  readonly seats: readonly number[];
  readonly options: Readonly<Record<string, readonly OptionInfo[]>>;
  readonly hides_score: boolean;
  readonly presentation: Presentation;
}

/**
 * An option of a game. `values` are allowed, and whole numbers from `lowest` to `highest`; `labels`
 * name the values, in their order. `kind` says how it is best asked for: `choice` of the values,
 * `number` (or one of the values), `date` (`MM-DD`) or `sheets` (names of sheets).
 */
export interface OptionInfo {
  readonly name: string;
  readonly title: string;
  readonly text: string;
  readonly kind: "choice" | "number" | "date" | "sheets";
  readonly default: null | number | string | readonly string[];
  readonly values: readonly (null | number | string | readonly string[])[];
  readonly labels: readonly string[];
  readonly lowest: number | null;
  readonly highest: number | null;
}

/**
 * How clients present a game. `page`: which of the page's own tables draws it, `generic` for any
 * game. `picture`: what its picture on the page shows; empty, if it has none. `round`: what a round
 * is called. `counts`: whether a moment of a round is told by its trick or by the card of the seat.
 * `places`: how many tricks can be open at once. `calendar`: the options `date` and `sheets` change
 * the rules. `lesson`, `rules`: whether there are any to read. `first_choice`: shown first to
 * people who have not chosen a game yet.
 */
export interface Presentation {
  readonly page: string;
  readonly picture: string;
  readonly round: string;
  readonly counts: "trick" | "card";
  readonly places: number;
  readonly calendar: boolean;
  readonly lesson: boolean;
  readonly rules: boolean;
  readonly first_choice: boolean;
}

/** The new table: `link` is for friends, `personal` only for the host, as it holds the token. */
export interface TableMade {
  readonly table: string;
  readonly person: string;
  readonly token: string;
  readonly link: string;
  readonly personal: string;
}

/** The rules of a game, part by part. With `seats` the tables tell only of so many. */
export interface Rules {
  readonly game: string;
  readonly title: string;
  readonly lang: Lang;
  readonly seats: number | null;
  readonly sections: readonly Section[];
}

/**
 * A part of a text under its heading: `id` is for links and the same in all languages where it can
 * be, `level` 1 to 3 that of the heading, `markdown` what stands under it.
 */
export interface Section {
  readonly id: string;
  readonly heading: string;
  readonly level: number;
  readonly markdown: string;
}

/** All sheets of the calendar, and the parts of the base rules. `today` is the server's date. */
export interface Calendar {
  readonly lang: Lang;
  readonly today: string;
  readonly sheets: readonly SheetInfo[];
  readonly parts: readonly PartInfo[];
}

/**
 * A sheet of the calendar. `name` is for options; `label` and `title` for people, `short` one
 * sentence, `text` the whole rule by paragraphs. `symbol` and the `values` of the cards that carry
 * it are those of months (red 5 has a value without one). `replaces` and `extends` name parts of
 * the base rules.
 */
export interface SheetInfo {
  readonly name: string;
  readonly kind: "green" | "red" | "month";
  readonly number: number;
  readonly label: string;
  readonly title: string;
  readonly short: string;
  readonly text: readonly string[];
  readonly symbol: string | null;
  readonly values: readonly number[];
  readonly origin: "documented" | "partly" | "own";
  readonly origin_text: string;
  readonly replaces: readonly string[];
  readonly extends: readonly string[];
  readonly notes: readonly CrossNote[];
}

/** What a sheet says about another, where both lie side by side. */
export interface CrossNote {
  readonly sheet: string;
  readonly other: string;
  readonly heading: string;
  readonly text: string;
}

/** A part of the base rules, which sheets may change. */
export interface PartInfo {
  readonly name: string;
  readonly title: string;
  readonly text: string;
}

/**
 * One day of the calendar. `real`: whether the date is in a real calendar, too. `notes` are those
 * that apply today; `sections` the whole rules of the day; `previous` and `next` dates.
 */
export interface Day {
  readonly lang: Lang;
  readonly date: string;
  readonly words: string;
  readonly real: boolean;
  readonly previous: string;
  readonly next: string;
  readonly sheets: readonly SheetInfo[];
  readonly notes: readonly CrossNote[];
  readonly sections: readonly Section[];
}

/** The finished matches of a table, the newest first. */
export interface Matches {
  readonly table: string;
  readonly matches: readonly MatchInfo[];
}

/** A finished match of a table; `finished` in milliseconds since 1970, if known. */
export interface MatchInfo {
  readonly match: string;
  readonly game: string;
  readonly seats: number;
  readonly options: Readonly<Record<string, null | number | string | readonly string[]>>;
  readonly names: readonly string[];
  readonly rounds: number;
  readonly totals: readonly number[];
  readonly ranking: readonly (readonly number[])[];
  readonly finished: number | null;
}

/**
 * A finished match, step by step, as `seat` saw it, or open to all (`seat` null). `fairness`: the
 * six words of the verifiable deal. `of`: how many steps there are; more than 4,000 come in several
 * answers, each from step `first` on (ask with `from`).
 */
export interface Replay {
  readonly match: string;
  readonly game: string;
  readonly rules: number;
  readonly seats: number;
  readonly options: Readonly<Record<string, null | number | string | readonly string[]>>;
  readonly names: readonly string[];
  readonly seat: number | null;
  readonly fairness: readonly string[] | null;
  readonly rounds: readonly ReplayRound[];
  readonly totals: readonly number[];
  readonly ranking: readonly (readonly number[])[];
  readonly of: number;
  readonly first: number;
  readonly steps: readonly ReplayStep[];
}

/**
 * A round of a finished match, told whole whoever looks on: the cards as dealt, the choices, what
 * it scored, and the `index` of the step with which it begins.
 */
export interface ReplayRound {
  readonly round: number;
  readonly index: number;
  readonly starter: number;
  readonly hands: readonly (readonly string[])[];
  readonly stock: readonly string[];
  readonly choices: readonly string[];
  readonly scores: readonly number[];
}

/**
 * A match after a move: by whom, in which round and trick (where several are open: with which card
 * of the seat; null before play), what happened, and what could be seen then. The first step is the
 * deal, without a move. `move` is null, too, where the seat that looks on could not know it. With
 * the last move of a round the next one is dealt: `view` shows that already. `words`: for each
 * event what happened, as spectators read it, or an empty text where there is nothing to say.
 * `hands`: all of them, for `open` only.
 */
export interface ReplayStep {
  readonly index: number;
  readonly seat: number | null;
  readonly move: string | null;
  readonly round: number;
  readonly trick: number | null;
  readonly events: readonly Event[];
  readonly words: readonly string[];
  readonly view: View;
  readonly hands: readonly (readonly string[])[] | null;
}

/**
 * A finished match, judged by a bot. `title` and `meaning` are for people: what was reviewed, and
 * what the figures mean.
 */
export interface Review {
  readonly match: string;
  readonly game: string;
  readonly seats: number;
  readonly bot: string;
  readonly title: string;
  readonly meaning: string;
  readonly players: readonly ReviewPlayer[];
}

/**
 * The account of a seat, in points above the mean of the others; errors are standard errors.
 * `mistakes` of its `decisions` were clear ones; `moments` are the costliest of them.
 */
export interface ReviewPlayer {
  readonly seat: number;
  readonly name: string;
  readonly points: number;
  readonly result: number;
  readonly luck: number;
  readonly luck_error: number;
  readonly cost: number;
  readonly cost_error: number;
  readonly rest: number;
  readonly decisions: number;
  readonly mistakes: number;
  readonly rounds: readonly ReviewRound[];
  readonly moments: readonly ReviewMoment[];
}

/** The account of a seat for one round: result = luck - cost + rest. */
export interface ReviewRound {
  readonly round: number;
  readonly points: number;
  readonly result: number;
  readonly luck: number;
  readonly luck_error: number;
  readonly cost: number;
  readonly cost_error: number;
  readonly rest: number;
}

/**
 * A decision that cost something, seen from what its seat could know. `index`: of the step of the
 * replay that it led to. `played` cost `cost` points (± two `error`s) against `better`, and `why`.
 * `when` is for people.
 */
export interface ReviewMoment {
  readonly index: number;
  readonly round: number;
  readonly trick: number | null;
  readonly when: string;
  readonly phase: string;
  readonly hand: readonly string[];
  readonly tricks: readonly Trick[];
  readonly played: string;
  readonly better: string;
  readonly cost: number;
  readonly error: number;
  readonly cost_text: string;
  readonly why: string;
  readonly alternatives: readonly MoveEstimate[];
}

/**
 * A review that is not ready: so many decisions `of` so many are judged. Ask again soon. `of` is 0
 * as long as they are not counted.
 */
export interface ReviewProgress {
  readonly done: number;
  readonly of: number;
}
