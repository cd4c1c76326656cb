// Made from src/stichwerk/server/wire by `python -m stichwerk.server.protocol_generator`.

/**
 * All messages between clients and the server, defined in one place.
 *
 * A WebSocket belongs to one person (or spectator) at one table. The first message is `hello`.
 * Every later request carries an `id` chosen by the client and is answered by `done` or `refused`
 * with the same `id`. `done` is sent only after the change has been stored durably. Changes at the
 * table arrive as numbered `update` messages: a client that says `hello` with the last `seq` it saw
 * receives what it missed.
 */

export const PROTOCOL_VERSION = 1;

/** Bytes of the longest message that a client may send. */
export const LARGEST_MESSAGE = 4096;

export type Lang = "de" | "en";

export type Level = "easy" | "medium" | "hard" | "expert";

export type Opponent =
  | "easy"
  | "medium"
  | "hard"
  | "expert"
  | "rocco"
  | "tilda"
  | "zora"
  | "otto"
  | "luna"
  | "kiki";

export type Pace = "slow" | "normal" | "fast" | "instant";

export type Watchers = "all" | "none";

export type Memory = "last trick" | "none" | "open";

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
  | SetPace
  | WaitForMe
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
 * The first message. Without a `token` the client is a stranger, who may watch if the table allows
 * it, or `join`. `since`: the last `seq` seen, to resume; without it the server sends everything
 * again.
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
 * Take part under this name, in this seat, or in any free one. The answer contains the personal
 * token, which is the only proof of identity, on this device or another. A client may generate its
 * own `token` of 256 random bits; it can then resend this message without joining twice.
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

/** Give up your seat; a bot takes over. */
export interface Leave {
  readonly type: "leave";
  /** 0 to 2,147,483,647. */
  readonly id: number;
}

/** Change your name; a running match keeps the old one. */
export interface Rename {
  readonly type: "rename";
  /** 0 to 2,147,483,647. */
  readonly id: number;
  /** 1 to 24 characters. */
  readonly name: string;
}

/**
 * Host: place a bot in a free seat, or another one instead of a bot: one of some level, or a
 * character.
 */
export interface PlaceBot {
  readonly type: "place-bot";
  /** 0 to 2,147,483,647. */
  readonly id: number;
  /** 0 to 5. */
  readonly seat: number;
  readonly level: Opponent;
}

/**
 * Host: remove a bot or a person from a seat, before a match or between two. During a match a bot
 * takes over the person's seat permanently.
 */
export interface FreeSeat {
  readonly type: "free-seat";
  /** 0 to 2,147,483,647. */
  readonly id: number;
  /** 0 to 5. */
  readonly seat: number;
}

/**
 * Host: change the settings (send all of them), or the game, before a match or between two. Omitted
 * fields stay as they are.
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

/** Host: change how long bots seem to think, at any time. */
export interface SetPace {
  readonly type: "pace";
  /** 0 to 2,147,483,647. */
  readonly id: number;
  readonly pace: Pace;
}

/**
 * Let bots wait, or go on, while you read something. Lasts as long as the connection, and counts
 * only while you are the only person who plays: nobody can hold up others. Nothing is stored, and
 * nobody else learns of it.
 */
export interface WaitForMe {
  readonly type: "wait-for-me";
  /** 0 to 2,147,483,647. */
  readonly id: number;
  readonly wait: boolean;
}

/**
 * Host: begin a match; bots of the table's level take the free seats. After a match: a rematch, in
 * which everyone moves on by one seat.
 */
export interface Begin {
  readonly type: "begin";
  /** 0 to 2,147,483,647. */
  readonly id: number;
}

/**
 * Agree to another set-up after two in a row failed (`aborts` of [Table](#table)). The server deals
 * again when every seated person who is not replaced by a bot has agreed. `begin` from a seated
 * host counts as the host's own agreement only.
 */
export interface DealAgain {
  readonly type: "deal-again";
  /** 0 to 2,147,483,647. */
  readonly id: number;
}

/** Your share of the shuffle, sealed: SHA-256 as the verifiable deal defines it. */
export interface Commit {
  readonly type: "commit";
  /** 0 to 2,147,483,647. */
  readonly id: number;
  /** 1 to 40 characters; matches `^[A-Za-z0-9_-]+$`. */
  readonly match: string;
  /** Matches `^[0-9a-f]{64}$`. */
  readonly commit: string;
}

/** Your share of the shuffle, opened, once all shares are sealed. */
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
 * Make a move. `ply` counts the moves this seat has made in this match, including those taken back:
 * a move that is sent twice is answered twice but made only once.
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
 * Ask to take back your last move. Possible only while nobody has moved since and the move revealed
 * nothing hidden.
 */
export interface TakeBack {
  readonly type: "take-back";
  /** 0 to 2,147,483,647. */
  readonly id: number;
  /** 1 to 40 characters; matches `^[A-Za-z0-9_-]+$`. */
  readonly match: string;
}

/** Agree to another player's take-back, or decline it. */
export interface Consent {
  readonly type: "consent";
  /** 0 to 2,147,483,647. */
  readonly id: number;
  /** 1 to 40 characters; matches `^[A-Za-z0-9_-]+$`. */
  readonly match: string;
  readonly agree: boolean;
}

/** Ask what a strong bot would play in your position. Everyone learns that a hint was requested. */
export interface Hint {
  readonly type: "hint";
  /** 0 to 2,147,483,647. */
  readonly id: number;
  /** 1 to 40 characters; matches `^[A-Za-z0-9_-]+$`. */
  readonly match: string;
}

/**
 * Ask about the current position. Answered by `outlook`: effects of moves, reasons, what the trick
 * means, the rule that applies now. `move`: a choice, typed or incomplete, to be judged as well.
 * Changes nothing and is not announced. Spectators may ask too, where they may watch. `lang` sets
 * the language of all later answers; without it, the language does not change.
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
 * Ask how the points of a finished round (from 1) came about. Answered by `tallied`. Changes
 * nothing and is not announced. Without `lang`, the language of `hello` is used.
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
 * Send a chat message to everyone at the table: free text, or a preset that everyone reads in their
 * own language.
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

/** Host: mute someone in the chat, or unmute them. */
export interface Mute {
  readonly type: "mute";
  /** 0 to 2,147,483,647. */
  readonly id: number;
  /** 1 to 40 characters; matches `^[A-Za-z0-9_-]+$`. */
  readonly person: string;
  readonly muted: boolean;
}

/** Owner: make another seated person the owner and host of the table. */
export interface HandOver {
  readonly type: "hand-over";
  /** 0 to 2,147,483,647. */
  readonly id: number;
  /** 1 to 40 characters; matches `^[A-Za-z0-9_-]+$`. */
  readonly person: string;
}

/**
 * Host: remove someone from the table: the seat is freed as by `free-seat`, the personal token
 * becomes invalid, and the connections are closed. The owner cannot be removed. With `block` the
 * person cannot join again, neither with the same token nor from the same network address.
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

/** Host: let someone from the table's `blocked` list join again. */
export interface Unblock {
  readonly type: "unblock";
  /** 0 to 2,147,483,647. */
  readonly id: number;
  /** 1 to 40 characters; matches `^[A-Za-z0-9_-]+$`. */
  readonly person: string;
}

/** Check the connection. Answered by `pong`. */
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
 * The answer to `hello`; sent again when the client may see more, or less, than before. `person`
 * and `seat`: who the client is here. `steps`: what was missed since `since`. With `fresh`, discard
 * everything known before: `view` contains the history of the match, and `steps` are the most
 * recent ones, at most 600 and 256 KiB. They contain private events of finished rounds only if the
 * person had the seat then. Without a seat at a table with `watch: none`, `seq` is 0 and there are
 * no `steps`. `ply`: the number of your next move. `take_back`: whether your last move can still be
 * taken back if the others agree. `hand`: how your hand differs from the cards dealt to you in this
 * round; null if it does not, or with `fresh` false: the steps say what changed since. `renewed`:
 * with `fresh` false, events of tricks that you know already, as they may be seen now.
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
  readonly hand: HandChange | null;
  readonly renewed: readonly Renewed[];
}

/**
 * Something happened. `view` is what the client may see now, without its history: the events are in
 * `steps`. `renewed`: events sent before that may be seen in another form from now on. `table` is
 * null if it did not change. `take_back` is as in `welcome`.
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
  readonly renewed: readonly Renewed[];
}

/**
 * Who is connected now. Not numbered, and never missed: `welcome` contains it too. `bot_at`: as in
 * [Person](#person), by the ids of absent people.
 */
export interface Presence {
  readonly type: "presence";
  readonly here: readonly string[];
  readonly watching: number;
  readonly bot_at: Readonly<Record<string, number>>;
}

/** The request is carried out and stored. `seq`: the table's number afterwards. */
export interface Done {
  readonly type: "done";
  readonly id: number;
  readonly seq: number;
}

/** The answer to `join`: the person's id and the personal token. */
export interface JoinDone {
  readonly type: "joined";
  readonly id: number;
  readonly seq: number;
  readonly person: string;
  readonly seat: number | null;
  readonly token: string;
}

/**
 * The answer to `hint`: a move, the reason, and the moves it was compared with. `text`: the reason,
 * and what another natural move would lead to; `verdict`: how clear it is, to go before the list of
 * the others.
 */
export interface HintDone {
  readonly type: "hint";
  readonly id: number;
  readonly move: string;
  readonly reason: string;
  readonly text: string;
  readonly alternatives: readonly MoveEstimate[];
  readonly verdict: string;
}

/**
 * The answer to `look`, valid at `seq`. `effects`: of every legal move; empty if there are too many
 * (ask for one with `move`) or if it is not your turn. `reasons`: for each card of the hand that
 * cannot be played now, why; empty if it is not your turn. `one`: about the `move` asked for.
 */
export interface Outlook {
  readonly type: "outlook";
  readonly id: number;
  readonly seq: number;
  readonly effects: readonly Effect[];
  readonly reasons: Readonly<Record<string, string>>;
  readonly standing: TableNow;
  readonly situation: Situation;
  readonly one: TypedMove | null;
}

/** The answer to `tally`: how each seat's points of the round came about. */
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
 * The request is refused. `error` is a stable id, `text` is in the person's language. `id` is null
 * if the message could not be read.
 */
export interface Refused {
  readonly type: "refused";
  readonly id: number | null;
  readonly error: string;
  readonly text: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The server closes the connection, with the reason. */
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

/** Someone joined, possibly in a seat. */
export interface Joined {
  readonly note: "joined";
  readonly person: string;
  readonly name: string;
  readonly seat: number | null;
}

/** The occupant of a seat changed: a person, a bot, or nobody. */
export interface Moved {
  readonly note: "moved";
  readonly seat: number;
  readonly place: Place;
}

/** Someone changed their name. */
export interface Renamed {
  readonly note: "renamed";
  readonly person: string;
  readonly name: string;
}

/** The host changed the settings or the game. */
export interface Changed {
  readonly note: "changed";
}

/** Someone is away: a bot plays for them. */
export interface Away {
  readonly note: "away";
  readonly seat: number;
}

/** Someone is back and plays for themselves again. */
export interface Back {
  readonly note: "back";
  readonly seat: number;
}

/** A match is being set up: all shares of the shuffle must be sealed. */
export interface Sealing {
  readonly note: "sealing";
  readonly match: string;
}

/** A share was sealed; with the last one the words are final. */
export interface Sealed {
  readonly note: "sealed";
  readonly seat: number;
}

/** A share was opened. */
export interface Opened {
  readonly note: "opened";
  readonly seat: number;
}

/** The set-up failed because these seats did not open their shares; the next one has a new id. */
export interface Aborted {
  readonly note: "aborted";
  readonly match: string;
  readonly seats: readonly number[];
}

/** Someone agreed to deal again after two failed set-ups. */
export interface Agreed {
  readonly note: "agreed";
  readonly seat: number;
}

/** The cards are dealt. */
export interface Begun {
  readonly note: "begun";
  readonly match: string;
}

/** A round is over (0: the draw of the first starter); `seed` is the server's share for it. */
export interface Published {
  readonly note: "published";
  readonly round: number;
  readonly seed: string;
}

/** Someone asked to take back their last move. */
export interface Asked {
  readonly note: "asked";
  readonly seat: number;
}

/** Someone declined the take-back, or another move was made first. */
export interface Declined {
  readonly note: "declined";
  readonly seat: number;
}

/**
 * The last move was taken back. `events`: how many of the events the receiver saw of this match are
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

/** A move was made for someone: the `clock` ran out, or a `bot` failed. */
export interface StoodIn {
  readonly note: "stood-in";
  readonly seat: number;
  readonly why: "clock" | "bot";
}

/**
 * A chat message: free text or a preset. `name`: the sender's name then, in case they have left.
 */
export interface Said {
  readonly note: "said";
  readonly person: string;
  readonly text: string | null;
  readonly preset: string | null;
  readonly name: string;
}

/** Someone was muted or unmuted. */
export interface Muted {
  readonly note: "muted";
  readonly person: string;
  readonly muted: boolean;
}

/**
 * Someone else has the host's rights. `for_good`: the table was handed over; otherwise the owner is
 * away, or is back.
 */
export interface Hosts {
  readonly note: "hosts";
  readonly person: string;
  readonly for_good: boolean;
}

/** The host removed someone from the table. `name`: the one they had then. */
export interface Removed {
  readonly note: "removed";
  readonly person: string;
  readonly name: string;
  readonly blocked: boolean;
}

// -- Event

export type Event =
  | ChoiceMade
  | TrumpChosen
  | ColourNamed
  | ChoiceHidden
  | ChoicesRevealed
  | CardsPassed
  | CardsReceived
  | CardPlayed
  | VetoAnswered
  | CardsDiscarded
  | CardsDrawn
  | GiftGiven
  | TrickTaken
  | SwitchFlipped
  | AsideChanged
  | DirectionTurned
  | EggTaken
  | SunstrokeMoved
  | TrickStays
  | ScoringCardTurned
  | PartnersShown
  | EggsShown
  | RoundScored
  | MatchEnded
  | RoundStarted
  | HandDealt
  | TrumpDrawn
  | TrumpsDrawn
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
 * The starter chose the trump of the round.
 *
 * `seat`: who did it; `move`: the letter of the colour.
 */
export interface TrumpChosen {
  readonly kind: "trump-chosen";
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
 * All secret moves are made and shown. If they stay hidden during the match, only after `ended`,
 * one event for each round.
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
 * `seat`: who did it; `move`: the move, as it is typed; `cards`: the card, or all cards of the
 * play, in the order of the move; `place`: where several tricks are open, the place it went to,
 * from 0; `opens`: true if it opens a trick at that place; otherwise absent.
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
 * The trump colour of the round was drawn (rules version 1).
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
 * Two trump colours were drawn; the starter of the round chooses one.
 *
 * `colours`: the letters of both, in the order drawn.
 */
export interface TrumpsDrawn {
  readonly kind: "trumps";
  readonly colours: readonly string[];
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
 * Something specific to one game that no other kind covers. The meaning of its facts is up to the
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

/** An event that completes a trick. */
export type SettlingEvent = TrickTaken | TrickStays;

/** The kinds of events that complete a trick. */
export const SETTLING: readonly string[] = ["trick", "stays"];

// -- Structs in messages

/**
 * The host's settings for a table; all of them can be changed between matches, and `pace` at any
 * time.
 *
 * `clock`: seconds per move, after which a bot moves (null: no clock). `away`: seconds until a bot
 * takes over the seat of a disconnected person. `level`: the level of bots that fill seats.
 * `listed`: whether the lobby shows the table to strangers. `running_score`: whether everyone sees
 * the current scores in a game whose rules hide them until a round is over (`hides_score` of
 * [GameInfo](#gameinfo)). `pace`: how long bots seem to think; `instant` is `fast` while several
 * people play. `memory`: which put-away tricks of the running round may be looked at: the `last
 * trick`, `none`, or all of them (`open`). After the round all are open.
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
  readonly pace: Pace;
  readonly memory: Memory;
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
  /** Left out: `"normal"`. */
  readonly pace?: Pace;
  /** Left out: `"last trick"`. */
  readonly memory?: Memory;
}

/**
 * A table. `stage`: `gathering` before the first match, `dealing` while shares of the shuffle are
 * exchanged, `playing`, and `over` after a match. `deadline`: when the clock runs out, in
 * milliseconds since 1970. `aborts`: how many set-ups have failed since the last match began
 * because a share was not opened. After one the server deals again by itself; after two or more it
 * waits, in the stage `gathering`, for `deal-again` from every seat played by a person. `agreed`:
 * the seats that have sent it. `owner`: the person who owns the table; `host`: the person with the
 * host's rights now: the owner, or a seated person during a long absence of the owner. `blocked`:
 * sent to the host only.
 *
 * Without a seat at a table with `watch: none` a client gets what an invitation needs: of `people`
 * only the host and those in seats, all of them as `here`; no bot that plays for a person; and
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

/**
 * A person at the table. `here`: connected now. `bot_at`: when a bot takes over the seat of an
 * absent person, in milliseconds since 1970; null if it has, or if nobody waits for them.
 */
export interface Person {
  readonly id: string;
  readonly name: string;
  readonly here: boolean;
  readonly muted: boolean;
  readonly bot_at: number | null;
}

/**
 * A seat: taken by a `person`, by a bot, or free. `level`: that of the bot, or the character that
 * plays. With both, the bot plays until the person returns. `mark`: the number of the colour and
 * letter by which the table knows who sits there; people keep it when they move on for a rematch.
 */
export interface Place {
  readonly person: string | null;
  readonly level: string | null;
  readonly mark: number;
}

/**
 * The progress of the verifiable deal.
 *
 * `server_commits` are sealed first, then everyone's share (`client_commits`, null where missing).
 * `trusted` says for each seat whether a person's own client generated its share: shares generated
 * by the server add no trust. When all are sealed, `transcript` and its six `words` are final; then
 * the players' shares are opened (`client_seeds`), and the server's, round by round
 * (`server_seeds`).
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

/** A pending take-back request and the seats that have not agreed yet. */
export interface Ask {
  readonly seat: number;
  readonly waiting: readonly number[];
}

/** A person who was removed and may not join again; `name` is the one they had then. */
export interface Blocked {
  readonly id: string;
  readonly name: string;
}

/**
 * A match as one seat sees it (`seat` null: a spectator), with everything it has seen so far.
 * `move_parts`: what each of the `moves` names, in their order.
 */
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
  readonly move_parts: readonly MoveParts[];
}

/**
 * A trick on the table: its place, led colour, plays in order, and who would take it now. `cards`:
 * those of each play.
 */
export interface Trick {
  readonly place: number;
  readonly led: string;
  readonly plays: readonly (readonly [number, string])[];
  readonly winning: number | null;
  readonly cards: readonly (readonly string[])[];
}

/**
 * What a move names, part by part, so that no client has to take its text apart. Parts that a move
 * does not have are left out. `cards`: in the order of the text. `place`: of the trick, from 0, if
 * several may be open; `opens`: the card opens a new trick there. `seat`: whom the move concerns,
 * such as the receiver of a card. `numbers`: those that are chosen, such as an order of scoring
 * cards. `colour`: the letter of a colour that is chosen, such as trump.
 */
export interface MoveParts {
  /** Left out: `[]`. */
  readonly cards?: readonly string[];
  /** Left out: `null`. */
  readonly place?: number | null;
  /** Left out: `false`. */
  readonly opens?: boolean;
  /** Left out: `null`. */
  readonly seat?: number | null;
  /** Left out: `[]`. */
  readonly numbers?: readonly number[];
  /** Left out: `null`. */
  readonly colour?: string | null;
}

/**
 * The result of one entry of the table's log: notes, and the match events the receiver may see.
 * `words`: one sentence for each event, in the receiver's language; empty if there is nothing to
 * say. Cards are codes. `note_words`: the same for each note; none at all if there is nothing to
 * say about any. `hand`: how the step changed your hand; null if it did not. For a step that dealt
 * a round: how your hand differs from the cards dealt.
 */
export interface Step {
  readonly seq: number;
  readonly notes: readonly Notes[];
  readonly events: readonly Event[];
  readonly words: readonly string[];
  readonly note_words: readonly string[];
  readonly hand: HandChange | null;
}

/** Cards that left your hand and cards that entered it, by whatever rule. */
export interface HandChange {
  readonly left: readonly string[];
  readonly entered: readonly string[];
}

/**
 * An event sent before, as you may see it now: without its cards once its trick is put away
 * (`memory` of [Settings](#settings)), with them when the round is over. `seq` and `nth`: which
 * event of which step. `back`: its place in the history of the match after the steps of this
 * message, from the end: 1 is the last event; 0 if it was taken back. `words`: those of the event.
 */
export interface Renewed {
  readonly seq: number;
  readonly nth: number;
  readonly back: number;
  readonly event: Event;
  readonly words: string;
}

/**
 * A move and its estimated value, in points above the others' mean, with its standard error.
 * `behind` is how much less than the best move it is worth, with an error of its own.
 */
export interface MoveEstimate {
  readonly move: string;
  readonly value: number | null;
  readonly error: number | null;
  readonly behind: number | null;
  readonly behind_error: number | null;
}

/**
 * What a move would do, as far as its seat can know.
 *
 * `text` says it in words, cards as codes (`G8`). `short`: Stichling, the same where there is
 * little room; else empty. `verdict` and `sentence`: a play in whole sentences, first what matters
 * most; the second may be empty, and for choices both are. `winner`: who takes the trick, or holds
 * it as it then stands; null for nobody and where it is not a card to a trick. `takes_over`: the
 * seat then holds it and did not before. `complete`: the move fills the trick, so the winner is
 * certain. `place`: where the card goes, from 0 (Stichling; else 0 in play, null otherwise).
 * `changes`: what the trick, as it then stands, brings its taker, and others if it affects them.
 */
export interface Effect {
  readonly move: string;
  readonly text: string;
  readonly short: string;
  readonly verdict: string;
  readonly sentence: string;
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
 * cross-notes that apply now. `stated`: Stichtag, how many of the first `lines` say what `trump`
 * and `lowest` say, for clients that show these apart. `lowest`: Stichtag, whether the lowest
 * number wins this trick. `ladder`: Stichling, what the seat's tricks are worth. `trump`: Stichtag,
 * the colour in force. `last`: the last finished trick, also when a new round has begun: who took
 * it, why, and what it was worth to whom; null before the first one. A table hides it from people
 * once its `memory` closes the trick, and `collected` too. `collected`: Null & nichtig, the cards
 * of the last trick in the order in which they were laid on their piles, also when a new round has
 * begun; none before the first trick. `running`: what each seat has in this round so far, if the
 * rules hide it and the table shows it anyway.
 */
export interface TableNow {
  readonly tricks: readonly TrickNow[];
  readonly lines: readonly string[];
  readonly notes: readonly string[];
  readonly stated: number;
  readonly lowest: boolean;
  readonly ladder: readonly Rung[];
  readonly trump: string | null;
  readonly collected: readonly string[];
  readonly running: readonly number[];
  readonly last: TrickNow | null;
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
export interface TypedMove {
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

/** The `words` and `note_words` of a step once more, in another language. */
export interface StepWords {
  readonly seq: number;
  readonly words: readonly string[];
  readonly note_words: readonly string[];
}

// -- Over HTTP

/**
 * A request for a new table. `name`: of the host. `bots`: levels or characters of bots to seat at
 * once, by seat.
 */
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
  readonly bots?: Readonly<Record<string, Opponent>>;
}

/** A link to this server, to be drawn as a QR code. */
export interface QrText {
  /** 1 to 400 characters. */
  readonly text: string;
}

/**
 * Continue a finished match from some point: the first `moves` of it are replayed, then you play
 * `seat` and bots play the others.
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

/** `ok`, or `storage` if the server currently cannot store anything. */
export interface Health {
  readonly status: "ok" | "storage";
}

/** Why an HTTP request was refused. */
export interface Problem {
  readonly error: string;
  readonly text: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The versions of the program and of this protocol, and which engine is running. */
export interface VersionInfo {
  readonly program: string;
  readonly protocol: number;
  readonly engine: "compiled" | "plain";
}

/** The open tables, newest first. */
export interface Lobby {
  readonly tables: readonly LobbyTable[];
}

/** An open table: `free` of `seats` are free; `stage` is as in `table`. */
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
  readonly memory: Memory;
}

/** The available bots; a table accepts those that are levels or characters. */
export interface Bots {
  readonly bots: readonly BotInfo[];
}

/** A bot in the registry. */
export interface BotInfo {
  readonly name: string;
  readonly version: number;
  readonly level: boolean;
  readonly character: boolean;
}

/**
 * The characters, and for comparison the `levels` with their ratings by game: 0 plays at random,
 * 1000 like an expert.
 */
export interface Characters {
  readonly characters: readonly CharacterInfo[];
  readonly levels: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

/**
 * A bot with a style of its own. `bot`: what a table accepts; `name`: what people call it; `style`:
 * a sentence about it. `ratings`: how strong it is, by game.
 */
export interface CharacterInfo {
  readonly bot: Opponent;
  readonly name: string;
  readonly style: string;
  readonly ratings: Readonly<Record<string, number>>;
}

/** The available games. */
export interface Games {
  readonly games: readonly GameInfo[];
}

/**
 * A game: its number of players, one sentence about it, how long it takes with the default options
 * (`minutes`: from, to), its authors, and its options by number of seats. `hides_score`: its rules
 * hide the scores until a round is over, unless the table's `running_score` is on.
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
 * An option of a game. Allowed are the `values`, and integers from `lowest` to `highest`; `labels`
 * name the values in the same order. `kind` says how to ask for it: a `choice` of the values, a
 * `number` (or one of the values), a `date` (`MM-DD`) or `sheets` (names of sheets).
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
 * How clients present a game. `page`: the table component that draws it; `generic` draws any game.
 * `picture`: the subject of its picture on the page, or empty. `round`: the name of a round.
 * `counts`: whether progress in a round is counted in tricks or in cards played. `places`: how many
 * tricks can be open at once. `calendar`: whether the options `date` and `sheets` change the rules.
 * `lesson`, `rules`: whether the game has them. `first_choice`: whether it is suggested to people
 * who have not chosen a game yet.
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

/**
 * The new table. `link` is for friends; `personal` is for the host only, since it contains the
 * token.
 */
export interface TableMade {
  readonly table: string;
  readonly person: string;
  readonly token: string;
  readonly link: string;
  readonly personal: string;
}

/**
 * The rules of a game, section by section. With `seats`, tables in the text cover only that number.
 */
export interface Rules {
  readonly game: string;
  readonly title: string;
  readonly lang: Lang;
  readonly seats: number | null;
  readonly sections: readonly Section[];
}

/**
 * A section of a text. `id` is for links and, where possible, the same in all languages; `level` is
 * that of the heading, 1 to 3; `markdown` is the text below it.
 */
export interface Section {
  readonly id: string;
  readonly heading: string;
  readonly level: number;
  readonly markdown: string;
}

/** All sheets of the calendar and the parts of the base rules. `today` is the server's date. */
export interface Calendar {
  readonly lang: Lang;
  readonly today: string;
  readonly sheets: readonly SheetInfo[];
  readonly parts: readonly PartInfo[];
}

/**
 * A sheet of the calendar. `name` is used in options; `label` and `title` are for people, `short`
 * is one sentence, `text` the complete rule in paragraphs. Months have a `symbol` and the `values`
 * of the cards that carry it (red 5 has a value but no symbol); `drawing` is what such cards show,
 * an SVG path in a square of 24 to be filled evenodd, empty if the sheet has none. `facts`: what it
 * shows for each seat; `shown`: what else; `marks`: on plays of a trick; `panels`: how to ask for
 * its choices, those without one as a list of moves. `replaces` and `extends` name parts of the
 * base rules.
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
  readonly drawing: string;
  readonly facts: readonly FactInfo[];
  readonly shown: readonly ShownInfo[];
  readonly marks: readonly MarkInfo[];
  readonly panels: readonly PanelInfo[];
  readonly values: readonly number[];
  readonly origin: "documented" | "partly" | "own";
  readonly origin_text: string;
  readonly replaces: readonly string[];
  readonly extends: readonly string[];
  readonly notes: readonly CrossNote[];
}

/**
 * What a seat has in front of it on days of a sheet: at the key `name` of the view's `table`, or of
 * `mine` for the form `own`. `form` says what is there: `signs`: by seat how many are left, each
 * drawn as the first of `signs`, and those lost, at the key `lost`, as the second; `number`: by
 * seat a number, null until all are known; `holder`: the seat that has it, or null; `count`: by
 * seat how many, shown from 1 on; `own`: a seat that only you know. Facts of a day are listed in
 * this order of forms. `text` and `short` (for little room, if it differs) contain `{count}`, and
 * `one||many` where the wording depends on it; `most` is the highest number. `sentence`, if it is
 * not empty, says what an `own` fact means to you, with the `{name}` of that seat.
 */
export interface FactInfo {
  readonly name: string;
  readonly form: "signs" | "number" | "holder" | "count" | "own";
  readonly text: string;
  readonly short: string | null;
  readonly sentence: string;
  readonly most: number;
  readonly signs: readonly [string, string];
  readonly lost: string;
}

/**
 * What is on the table on days of a sheet: at the key `name` of the view's `table`, or of `mine` if
 * it is your `own`. `form` says what is there: `cards`: a list of them, or one; `colour`: a letter;
 * `colours`: a list of letters, of which one will be chosen; nothing is shown where that is empty
 * or null; `state`: a key of `states`. `text` contains `{count}`, and `one||many` where the wording
 * depends on it: how many cards, or the number at the key `counted` of the `table`; where it is
 * empty, the cards are part of the trick. The seat of the last event of the kind `event` is the
 * `{name}` in `by`, which then takes the place of `text`; if `event` is empty and `by` is not, it
 * is the seat that is waited for, unless that is yours. Nothing of it is shown where a sheet of the
 * day replaces the part `instead`, or once the `table` has something at the key `until`. `stock`:
 * the number of cards in the stock matters.
 */
export interface ShownInfo {
  readonly name: string;
  readonly form: "cards" | "colour" | "colours" | "state";
  readonly own: boolean;
  readonly text: string;
  readonly counted: string;
  readonly states: Readonly<Record<string, StateInfo>>;
  readonly instead: string;
  readonly until: string;
  readonly event: string;
  readonly by: string;
  readonly stock: boolean;
}

/** A value that something on the table can have: its `text`, and a `sign` for it. */
export interface StateInfo {
  readonly text: string;
  readonly sign: string;
}

/**
 * What plays of a trick look like on days of a sheet. `look`: `crossed`: what was played is crossed
 * out; `covered`: a card that is not in the trick yet is there face down. The seats, one or a list,
 * are at the key `name` of the view's `table`; if `event` is not empty, they are the fact `name` of
 * the event of this kind just before the one that completes a trick, and marked while that trick
 * rests on the table. Your own covered card is at the key `name` of `mine`. The seat of the last
 * event of the kind `led` led the covered cards. `text` is for screen readers.
 */
export interface MarkInfo {
  readonly name: string;
  readonly look: "crossed" | "covered";
  readonly text: string;
  readonly event: string;
  readonly led: string;
}

/**
 * How to ask for a choice in a `phase`. `widget`: `number`: pick one of several, then confirm;
 * `card`: pick one of the hand, which goes to the seat at your place in the list at the key
 * `receivers` of the `table`; `cards`: pick several of the hand; `colour`: one of several; `give`:
 * a card, and the seat that gets it; `strike`: a play of the trick, or none; `buttons`: one of a
 * few moves. `title` is the question, `note` a sentence below it; `which` asks which of several
 * cards; `action` is on the button that makes the choice, `idle` while nothing is picked, `hint`
 * says what to do until then. They contain `{count}`, `{card}`, `{cards}`, `{name}`, and
 * `one||many`. `moves` names single moves. `chosen` repeats your secret choice, `{choice}`. Texts
 * that are not needed are empty.
 */
export interface PanelInfo {
  readonly phase: string;
  readonly widget: "number" | "card" | "cards" | "colour" | "give" | "strike" | "buttons";
  readonly title: string;
  readonly note: string;
  readonly which: string;
  readonly action: string;
  readonly idle: string;
  readonly hint: string;
  readonly chosen: string;
  readonly moves: Readonly<Record<string, string>>;
  readonly receivers: string;
}

/** A note of one sheet about another, for days on which both apply. */
export interface CrossNote {
  readonly sheet: string;
  readonly other: string;
  readonly heading: string;
  readonly text: string;
}

/** A part of the base rules, which sheets can change. */
export interface PartInfo {
  readonly name: string;
  readonly title: string;
  readonly text: string;
}

/**
 * One day of the calendar. `real`: whether the date exists in a real calendar. `sheets` are without
 * what a cross-note of this day cancels. `notes`: those that apply on this day; `sections`: the
 * complete rules of the day; `previous` and `next`: dates.
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

/** The finished matches of a table, newest first. */
export interface Matches {
  readonly table: string;
  readonly matches: readonly MatchInfo[];
}

/** A finished match of a table; `finished` is in milliseconds since 1970, if known. */
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
 * six words of the verifiable deal. `of`: the number of steps; more than 4,000 come in several
 * responses, each starting at step `first` (ask with `from`).
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
 * A complete round of a finished match, the same for every viewer: the cards as dealt, the choices,
 * the scores, and the `index` of its first step. `choice_labels`: the choices as a list shows them.
 */
export interface ReplayRound {
  readonly round: number;
  readonly index: number;
  readonly starter: number;
  readonly hands: readonly (readonly string[])[];
  readonly stock: readonly string[];
  readonly choices: readonly string[];
  readonly scores: readonly number[];
  readonly choice_labels: readonly string[];
}

/**
 * A match after a move: who moved, in which round and trick (if several are open: with which card
 * of the seat; null before play), the events, and what was visible then. The first step is the deal
 * and has no move. `move` is also null if the viewing seat could not know it. The last move of a
 * round also deals the next one, which `view` already shows. `words`: one sentence for each event,
 * as spectators read it; empty if there is nothing to say. `label`: the move as a list shows it,
 * empty without one. `hands`: all hands, only for `open`. `left_over`: for a move that ends a round
 * and deals the next one, what was left in the hands.
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
  readonly label: string;
  readonly left_over: LeftOver | null;
}

/**
 * Cards left in the hands at the end of a round: those of the viewing seat, how many each seat has,
 * and all hands, only for `open`.
 */
export interface LeftOver {
  readonly hand: readonly string[];
  readonly hand_sizes: readonly number[];
  readonly hands: readonly (readonly string[])[] | null;
}

/**
 * A finished match, judged by a bot. `title` and `meaning` are for people: what was reviewed and
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
 * A seat's account, in points above the mean of the others; errors are standard errors. `mistakes`
 * counts the clear ones among its `decisions`; `moments` are the costliest.
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

/** A seat's account for one round: result = luck - cost + rest. */
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
 * A decision that cost points, judged by what its seat could know. `index`: the replay step that it
 * led to. `played` cost `cost` points (± two `error`s) compared with `better`; `why` gives the
 * reason. `when` is for people.
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
 * A review in progress: `done` of `of` decisions are judged. Ask again soon. `of` is 0 until they
 * are counted.
 */
export interface ReviewProgress {
  readonly done: number;
  readonly of: number;
}

/**
 * A finished match, told to a seat, or to spectators (`seat` null). `sentences`: how it ended and
 * what decided it. `places`: by seat; teams share one place, and so do seats that are level.
 * `lead_changes`: how often another seat or team took the lead. `swing_round`: the round that set
 * the players furthest apart.
 */
export interface Story {
  readonly game: string;
  readonly seat: number | null;
  readonly places: readonly number[];
  readonly lead_changes: number;
  readonly swing_round: number;
  readonly sentences: readonly string[];
  readonly moments: readonly StoryMoment[];
}

/**
 * A trick worth a second look. `kind`: the best trick of the reader (for spectators: of the
 * winner), the sharpest one of the match, or the one that decided it. `index`: the replay step that
 * completed it; `trick`: counted in its `round`, from 1; `cards`: in the order played. `seat` took
 * it, with `card`; both are absent if nobody did. `changes`: by seat, what it did to the points of
 * the round. `title` and `text` are for people.
 */
export interface StoryMoment {
  readonly kind: "best" | "sharpest" | "decided";
  readonly index: number;
  readonly round: number;
  readonly trick: number;
  readonly cards: readonly string[];
  readonly seat: number | null;
  readonly card: string | null;
  readonly changes: readonly number[];
  readonly title: string;
  readonly text: string;
}
