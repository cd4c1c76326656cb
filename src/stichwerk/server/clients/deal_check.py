"""What a client checks about the verifiable deal. No input or output: messages go in, requests,
notices and violations come out.

The server is not trusted here. A `DealCheck` draws our share, keeps it with everything that was
told before it was sealed, and compares that with all that is told later: when the share is sealed,
before it is opened, when cards are dealt, when a round is over, and in the record. What cannot be
right is a `DealViolationError`, which ends the play; what a person should know is a `DealNotice`.

The page does the same in TypeScript. `docs/verifiable-deal.md` describes the checks in their order.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Protocol

import msgspec
from msgspec import UNSET

from stichwerk.engine.events import Event
from stichwerk.engine.state import State
from stichwerk.errors import StichwerkError
from stichwerk.fairness import (
    Deal,
    Setup,
    Stream,
    client_commit,
    deal_key,
    first_starter,
    options_text,
    server_commit,
    transcript,
)
from stichwerk.hash_words import fingerprint
from stichwerk.match import Setting, deal_from
from stichwerk.record import Record, replay
from stichwerk.server import wire
from stichwerk.view import View, first_knowledge

MOST_ABORTS = 2  # set-ups in a row that may fail before the user is asked
AGREED_ON = ("rules", "options", "deck", "rounds", "server_commits")  # fixed before anyone seals

# What the rules raise about events that cannot have happened.
NONSENSE = (ArithmeticError, AssertionError, LookupError, StichwerkError, TypeError, ValueError)

_HASH = re.compile(r"[0-9a-f]{64}", re.ASCII)


class DealViolationError(StichwerkError):
    """The deal is not what was agreed on. `id` and `data` say what does not fit; `text` says it in
    the person's language, once someone has worded it."""

    text = ""


class DealNotice(msgspec.Struct, frozen=True):
    """Something a person should know about the deal: a sentence of `locale/place.*.json`."""

    id: str
    data: dict[str, object] = {}


class CommitShare(msgspec.Struct, frozen=True):
    """To be sent as `commit`."""

    match: str
    commit: str


class RevealShare(msgspec.Struct, frozen=True):
    """To be sent as `reveal`."""

    match: str
    seed: str


Action = CommitShare | RevealShare


# -- Our share -----------------------------------------------------------------------------------


class OwnShare(msgspec.Struct, frozen=True, kw_only=True):
    """A share that this client drew. `told`: the deal as it stood when the share was drawn, and
    from the moment on when all were sealed, as it stood then."""

    match: str
    seat: int
    seed: str
    told: wire.Dealing

    @property
    def commit(self) -> str:
        """What is sealed."""
        return client_commit(self.match, self.seat, bytes.fromhex(self.seed)).hex()


class ShareStore(Protocol):
    """Where own shares are kept. A store that outlives the program allows a restart between seal
    and reveal, and comparing a record later."""

    def keep(self, share: OwnShare) -> None:
        """Remember a share; one of the same match with the same seed is replaced."""

    def of_match(self, match: str) -> Sequence[OwnShare]:
        """The shares drawn for a match; several, if several windows of one person drew one."""


class MemoryShareStore:
    """Shares kept as long as the program runs."""

    def __init__(self) -> None:
        self.shares: dict[tuple[str, str], OwnShare] = {}

    def keep(self, share: OwnShare) -> None:
        """Remember a share."""
        self.shares[share.match, share.seed] = share

    def of_match(self, match: str) -> Sequence[OwnShare]:
        """The shares drawn for a match."""
        return [share for share in self.shares.values() if share.match == match]


# -- What one message tells, looked at by itself ---------------------------------------------------


def check_announced(table: wire.Table, dealing: wire.Dealing, rules: "TableRules | None") -> None:
    """Whether the deal is complete, about this table's match, and fits in itself. `rules` are
    those of the table, if this program knows them."""
    if table.match != dealing.match:
        raise DealViolationError("deal-match")
    _check_complete(dealing, table.seats)
    game, _, _ = dealing.rules.rpartition("/")
    if (game, dealing.options) != (table.game, options_text(table.options)):
        raise DealViolationError("deal-rules")
    if rules is not None and rules.setup(dealing.match) != setup(dealing):
        raise DealViolationError("deal-rules")
    _check_order(dealing, table.stage)
    check_open(dealing)
    _check_transcript(dealing)


def _check_complete(dealing: wire.Dealing, seats: int) -> None:
    """All the server's seals are there, and one place for each seat, before anyone seals."""
    per_seat = (dealing.client_commits, dealing.client_seeds, dealing.trusted)
    hashes = [*dealing.server_commits, *dealing.server_seeds]
    hashes += [one for one in (*dealing.client_commits, *dealing.client_seeds) if one is not None]
    complete = len(dealing.server_commits) == dealing.rounds + 1
    if not complete or any(len(values) != seats for values in per_seat):
        raise DealViolationError("deal-incomplete")
    if len(dealing.server_seeds) > len(dealing.server_commits):
        raise DealViolationError("deal-incomplete")
    if not all(_HASH.fullmatch(one) for one in hashes):
        raise DealViolationError("deal-incomplete")


def _check_order(dealing: wire.Dealing, stage: str) -> None:
    """Shares are opened when all are sealed, the server's when all others are open."""
    opened = [seed is not None for seed in dealing.client_seeds]
    if None in dealing.client_commits and (any(opened) or stage != "dealing"):
        raise DealViolationError("deal-early")
    if not all(opened) and (dealing.server_seeds or stage != "dealing"):
        raise DealViolationError("deal-unopened", seat=opened.index(False))
    if stage != "dealing" and not dealing.server_seeds:
        raise DealViolationError("deal-seed-missing", round=0)


def check_open(dealing: wire.Dealing) -> None:
    """Whether all that is open is what was sealed."""
    match = dealing.match
    for seat, seed in enumerate(dealing.client_seeds):
        if seed is None:
            continue
        if client_commit(match, seat, bytes.fromhex(seed)).hex() != dealing.client_commits[seat]:
            raise DealViolationError("deal-share-wrong", seat=seat)
    for number, seed in enumerate(dealing.server_seeds):
        sealed = server_commit(match, number, bytes.fromhex(seed)).hex()
        if sealed != dealing.server_commits[number]:
            raise DealViolationError("deal-server-seed", round=number)


def _check_transcript(dealing: wire.Dealing) -> None:
    """Hash and words of the server must be those that the client computes from the seals."""
    own = transcript_of(dealing)
    if dealing.transcript != (own.hex() if own else None):
        raise DealViolationError("deal-transcript")
    if dealing.words != (fingerprint(own) if own else ()):
        raise DealViolationError("deal-words", words=" ".join(fingerprint(own)) if own else "")


def setup(dealing: wire.Dealing) -> Setup:
    """What was fixed before anyone sealed."""
    return Setup(
        match=dealing.match,
        rules=dealing.rules,
        options=dealing.options,
        deck=dealing.deck,
        seats=len(dealing.client_commits),
        rounds=dealing.rounds,
    )


def transcript_of(dealing: wire.Dealing) -> bytes | None:
    """The transcript, computed from the seals; None as long as one is missing."""
    clients = [bytes.fromhex(one) for one in dealing.client_commits if one is not None]
    if len(clients) < len(dealing.client_commits):
        return None
    server = [bytes.fromhex(one) for one in dealing.server_commits]
    return transcript(setup(dealing), server, clients)


# -- What was told before must stand ---------------------------------------------------------------


def check_kept(before: wire.Dealing, now: wire.Dealing) -> None:
    """Whether everything that was told once about a match still stands."""
    for name in AGREED_ON:
        if getattr(before, name) != getattr(now, name):
            raise DealViolationError("deal-changed", what=name)
    for name in ("client_commits", "client_seeds", "server_seeds"):
        told, kept = getattr(before, name), getattr(now, name)
        for number, value in enumerate(told):
            if value is not None and (number >= len(kept) or kept[number] != value):
                raise DealViolationError("deal-changed", what=name)
    for seat, sealed in enumerate(before.client_commits):
        if sealed is not None and before.trusted[seat] != now.trusted[seat]:
            raise DealViolationError("deal-changed", what="trusted")
    if before.transcript not in (None, now.transcript):
        raise DealViolationError("deal-changed", what="transcript")


# -- Cards -----------------------------------------------------------------------------------------


class TableRules:
    """The rules of a table as this program knows them."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self.name = f"{setting.rules.name}/{setting.rules.version}"

    def setup(self, match: str) -> Setup:
        """What must be sealed for a match by these rules."""
        rules = self.setting.rules
        return Setup(
            match=match,
            rules=self.name,
            options=options_text(self.setting.options),
            deck=rules.deck.text,
            seats=self.setting.seats,
            rounds=rules.most_rounds(),
        )

    def first_starter(self, dealing: wire.Dealing) -> int:
        """Who must begin round 1."""
        fixed = self.setting.options["starter"]
        if isinstance(fixed, int):
            return fixed
        return first_starter(stream_of(dealing, 0), self.setting.seats)

    def deal(self, dealing: wire.Dealing, round: int, starter: int) -> Deal:
        """The cards of a round whose seed is published."""
        return deal_from(stream_of(dealing, round), self.setting.rules, starter)

    def match_over(self, view: View) -> bool:
        """Whether a match with these scores is over."""
        return bool(self.setting.rules.match_over(view.scores))


def rules_of(table: wire.Table, dealing: wire.Dealing) -> TableRules | None:
    """The rules of a table; None for a game, a version or sheets that this program lacks."""
    try:
        rules = TableRules(Setting(table.game, table.seats, table.options))
    except StichwerkError:
        return None
    return rules if rules.name == dealing.rules else None


def stream_of(dealing: wire.Dealing, round: int) -> Stream:
    """The stream from which a round was dealt, from all shares; 0 is the draw of the starter."""
    agreed = transcript_of(dealing)
    assert agreed is not None, "all are sealed"
    seeds = [bytes.fromhex(seed) for seed in dealing.client_seeds if seed is not None]
    return Stream(deal_key(bytes.fromhex(dealing.server_seeds[round]), agreed, round, seeds))


class DealtHand(msgspec.Struct):
    """What one saw when a round began: who starts, and the hand of our seat."""

    seat: int | None
    starter: int
    hand: tuple[str, ...] | None = None


def rounds_in(events: Iterable[Event], seat: int | None) -> dict[int, DealtHand]:
    """The rounds that these events begin, as a seat saw them."""
    found: dict[int, DealtHand] = {}
    now: DealtHand | None = None
    for event in events:
        if event.kind == "round" and event.round is not None:
            now = found[event.round] = DealtHand(seat, event.starter or 0)
        elif event.kind == "hand" and now is not None and now.hand is None and event.seat == seat:
            now.hand = event.cards
    return found


def of_this_match(steps: Sequence[wire.Step]) -> Sequence[wire.Step]:
    """The steps of the match that runs now: those of a resumption may begin with another one."""
    borders = [
        at
        for at, step in enumerate(steps)
        if any(isinstance(note, wire.Sealing | wire.Begun) for note in step.notes)
    ]
    return steps[borders[-1] :] if borders else steps


class OwnHand:
    """Our hand in the round that is played: what was dealt, and what happened to it since."""

    def __init__(self) -> None:
        self._events: list[Event] = []  # of this round
        self._state: State | None = None
        self._learned = 0  # so many of the events are in the state

    def receive(self, events: Iterable[Event]) -> None:
        """Something happened; a round begins with nothing."""
        for event in events:
            if event.kind == "round":
                self._events, self._state = [], None
            self._events.append(event)

    def take_back(self, count: int) -> None:
        """The last events are void."""
        del self._events[max(0, len(self._events) - count) :]
        self._state = None

    def check(self, rules: TableRules, view: View, seat: int, dealt: tuple[str, ...]) -> None:
        """Whether a view shows the cards that are left of those that were dealt to us."""
        told = [event.cards for event in self._events if event.kind == "hand"]
        try:
            shown = told == [dealt] and view.hand == self._cards(rules, view, seat)
        except NONSENSE:
            shown = False  # these cards do not allow what the server says
        if not shown:
            raise DealViolationError("deal-hand", round=view.round)

    def _cards(self, rules: TableRules, view: View, seat: int) -> tuple[str, ...]:
        game = rules.setting.rules
        if self._state is None:
            begun = msgspec.structs.replace(view, history=tuple(self._events))
            self._state, self._learned = first_knowledge(begun), 1
        for event in self._events[self._learned :]:
            if event.seat is not None and not 0 <= event.seat < view.seats:
                raise ValueError(event.seat)
            game.learn(self._state, event)
        self._learned = len(self._events)
        cards: tuple[str, ...] = game.hand(self._state, seat)
        return cards


def check_starter(rules: TableRules, dealing: wire.Dealing, first: DealtHand) -> None:
    """Whether round 1 is begun by the seat that was drawn, or named by the options."""
    if first.starter != rules.first_starter(dealing):
        raise DealViolationError("deal-starter")


def check_round(rules: TableRules, dealing: wire.Dealing, round: int, dealt: DealtHand) -> None:
    """Deal a round again from all shares: our hand must be the one that was dealt."""
    if dealt.seat is None or dealt.hand is None:
        return
    again = rules.deal(dealing, round, dealt.starter)
    if dealt.hand != again.hands[dealt.seat]:
        raise DealViolationError("deal-hand", round=round)


# -- The record ------------------------------------------------------------------------------------


COMPARED = frozenset({"round", "hand", "play", "scored", "ended"})  # the same in every replay


def check_record(
    record: Record,
    told: wire.Dealing,
    rounds: Mapping[int, DealtHand],
    seen: Iterable[Event] = (),
) -> None:
    """Whether the record of a finished match tells the same deal as the table did, and the match
    that a seat has `seen`: all of that, and no move that it has not."""
    proof = record.fairness
    if proof is UNSET:
        raise DealViolationError("deal-record", what="fairness")
    for name in ("match", "transcript", "server_commits", "client_commits", "client_seeds"):
        if getattr(proof, name) != getattr(told, name):
            raise DealViolationError("deal-record", what=name)
    if proof.server_seeds[: len(told.server_seeds)] != told.server_seeds:
        raise DealViolationError("deal-record", what="server_seeds")
    try:
        match = replay(record)
    except StichwerkError:
        raise DealViolationError("deal-record-broken") from None
    recorded = Counter(event for event in match.events if event.kind in COMPARED)
    known = Counter(event for event in seen if event.kind in COMPARED)
    public = Counter({event: count for event, count in recorded.items() if event.to is None})
    if known - recorded or (known and public - known):
        raise DealViolationError("deal-record", what="events")
    for number, dealt in rounds.items():
        if dealt.seat is None or dealt.hand is None:
            continue
        if number > len(record.rounds) or record.rounds[number - 1].hands[dealt.seat] != dealt.hand:
            raise DealViolationError("deal-record", what="hands")


# -- A client's memory of one table ----------------------------------------------------------------


class DealCheck:
    """Takes part in the shuffle for one client at one table, and checks everything about it.

    `receive` takes every `welcome` and `update` before anything is done with it. Its answer are the
    actions to send; `done` and `refused` take what becomes of them. `notices()` are sentences for
    the person; `agree()` is his consent to go on after too many set-ups that failed, `leave()` his
    wish to leave the seat.
    """

    def __init__(self, draw: Callable[[], str], store: ShareStore | None = None) -> None:
        self.draw = draw
        self.store: ShareStore = store or MemoryShareStore()
        self.table: wire.Table | None = None
        self.seat: int | None = None
        self.aborts = 0  # set-ups in a row that failed, since the last match that began
        self._agreed_after = -1  # with so many aborts the person agreed to go on
        self._blamed: tuple[str, int] | None = None  # for which match, and in which seat
        self._failed: set[str] = set()  # the matches of these set-ups
        self._gone = 0  # matches in a row that were dealt and not seen to their end
        self._past: set[str] = set()  # matches that are over, or were never dealt
        self._notices: list[DealNotice] = []
        self._forget_match()

    def _forget_match(self) -> None:
        """Nothing is known of the next match."""
        self.told: wire.Dealing | None = None
        self.share: OwnShare | None = None
        self.rules: TableRules | None = None
        self.rounds: dict[int, DealtHand] = {}
        self.words: tuple[str, ...] = ()
        self._sealing = False  # the seal is sent, not answered
        self._acknowledged = False  # the server has confirmed the seal, or shown it
        self._opened = False  # the server said that it has stored the opened share
        self._begun = self._over = False
        self._held: int | None = None  # the seat that we have, or had, in this match
        self._left = False  # it was our person who left it
        self._lost = False  # we do not have it any more
        self._hand = OwnHand()
        self._checked = 0  # rounds that were dealt again
        self._said: set[str] = set()

    # -- Hearing -----------------------------------------------------------------------------------

    def receive(self, message: wire.Welcome | wire.Update) -> list[Action]:
        """Check a message; the answer is what to send now."""
        live = isinstance(message, wire.Update)
        ended = self.told.match if self.told is not None and self._over else None
        self.seat = message.seat
        self._receive_notes(message)
        self._follow_seat(message)
        actions: list[Action] = []
        if message.table is not None:
            self.table = message.table
            if message.seat is None and message.table.settings.watch == "none":
                self._stop_watching()  # a stranger learns nothing here that could be checked
                return []
            actions = self._look(message.table, live)
        self._receive_events(message, ended)
        self._check_rounds(message)
        self._check_end(message.view, ended)
        self._check_shown(message.view)
        return actions

    def _receive_notes(self, message: wire.Welcome | wire.Update) -> None:
        for step in message.steps:
            for note in step.notes:
                if isinstance(note, wire.Aborted):
                    self._aborted(note)

    def _aborted(self, note: wire.Aborted) -> None:
        """The server says who spoiled the set-up: not one whose share was open already."""
        if self.seat is None and self._held is None:
            return  # a set-up of others
        if self.told is not None and self.told.match == note.match:
            opened = {seat for seat, seed in enumerate(self.told.client_seeds) if seed is not None}
            if self._opened and self.share is not None:
                opened.add(self.share.seat)
            for seat in opened.intersection(note.seats):
                raise DealViolationError("deal-blamed", seat=seat)
            if self.share is not None and self.share.seat in note.seats:
                self._blamed = (note.match, self.share.seat)
        self._set_up_failed(note.match, note.seats)

    def _set_up_failed(self, match: str, seats: tuple[int, ...] = ()) -> None:
        if match in self._failed:
            return
        self._failed.add(match)
        self.aborts += 1
        self._notices.append(DealNotice("deal-aborted", {"count": self.aborts, "seats": seats}))

    def _match_began(self) -> None:
        """All shares and the server's first seed are open: what failed before does not count any
        more, but for matches whose end was never seen."""
        self.aborts = self._gone
        self._agreed_after = -1
        self._failed = set()

    def _match_gone(self, id: str = "deal-match-gone") -> None:
        """We did not see how a match ended that was dealt: while there was no line, or no seat. A
        host could make that so whenever it does not like the cards."""
        self._gone += 1
        self.aborts += 1
        self._notices.append(DealNotice(id))

    # -- Our seat ----------------------------------------------------------------------------------

    def leave(self) -> None:
        """Our person gives up the seat: what becomes of this match is no concern of ours."""
        self._left = self._held is not None

    def _follow_seat(self, message: wire.Welcome | wire.Update) -> None:
        """While a match is dealt or played nobody changes seats, but one can be taken away."""
        table = message.table or self.table
        if self._held is None or self._over or table is None or self._is_over(table):
            return
        if message.seat is None:
            self._lose_seat()
        elif message.seat != self._held and self._is_same_match(table):
            raise DealViolationError("deal-seat")

    def _is_same_match(self, table: wire.Table) -> bool:
        return self.told is not None and table.match == self.told.match

    def _is_over(self, table: wire.Table) -> bool:
        """Whether our match has ended by this message, and we may have got up after it."""
        return table.stage == "over" and self._is_same_match(table) and self.seat is not None

    def _lose_seat(self) -> None:
        if self._lost:
            return
        self._lost = True
        if self._left or self.told is None:
            return
        if self._begun:
            self._match_gone("deal-seat-lost")
        elif self.share is not None:
            self._set_up_failed(self.told.match)

    # -- The table ---------------------------------------------------------------------------------

    def _look(self, table: wire.Table, live: bool) -> list[Action]:
        dealing = table.dealing
        if dealing is None:
            self._look_without_deal(table, live)
        else:
            if self.told is None or self.told.match != dealing.match:
                self._end_match(live)
                self._enter_match(dealing)
            else:
                if self._begun and table.stage == "dealing":
                    raise DealViolationError("deal-replayed")
                self._check_own_first(dealing)
                check_kept(self.told, dealing)
            self.rules = rules_of(table, dealing) if self.rules is None else self.rules
            check_announced(table, dealing, self.rules)
            self.told = dealing
        if dealing is not None and self.seat is not None and table.stage != "over":
            self._held = self.seat
        if table.stage in ("playing", "over") and dealing is not None:
            if self.seat is not None and not self._lost:
                self._match_began()
            self._begun, self._over = True, self._over or table.stage == "over"
        elif self.seat is not None:
            self.aborts = max(self.aborts, table.aborts)
        if dealing is None:
            self._ask_user()
            return []
        self._tell_words(dealing)
        return self._take_part()

    def _look_without_deal(self, table: wire.Table, live: bool) -> None:
        """Between matches that is usual, and for those without a seat. For a player it means that
        nothing can be proved about the match that runs."""
        if self.seat is None:
            self._stop_watching()
            return
        playing = table.stage in ("playing", "over")
        if playing and self.told is not None and self.told.match == table.match:
            raise DealViolationError("deal-changed", what="fairness")
        self._end_match(live)
        if table.stage == "playing":
            self._say_once(f"deal-unproven {table.match}", "deal-unproven")

    def _stop_watching(self) -> None:
        """Without a seat one may not be told of the deal. What was dealt is remembered: it may be
        there again, or another match in its place."""
        if not self._begun:
            self._forget_match()

    def _end_match(self, live: bool) -> None:
        """Another match takes the place of the one before, which must have ended or failed."""
        if self.told is None:
            return
        if not self._begun:
            if self._held is not None and not self._left:
                self._set_up_failed(self.told.match)
        elif self._over or self._lost or self._held is None:
            pass  # it has ended, is counted already, or was the match of others
        elif live:
            raise DealViolationError("deal-abandoned")
        else:
            self._match_gone()
        self._past.add(self.told.match)
        self._forget_match()

    def _enter_match(self, dealing: wire.Dealing) -> None:
        """The first time that a match is seen, perhaps after a restart."""
        if dealing.match in self._past:
            raise DealViolationError("deal-replayed")
        for share in self.store.of_match(dealing.match):
            self._restore_state(share, dealing)

    def _restore_state(self, share: OwnShare, dealing: wire.Dealing) -> None:
        """A share from before a restart: as far as it came then, it must still stand."""
        if self.seat not in (None, share.seat):
            return  # of someone else who plays on this device
        if share.told.transcript is not None and dealing.transcript is None:
            raise DealViolationError("deal-replayed")
        if dealing.client_commits[share.seat : share.seat + 1] == (share.commit,):
            self.share, self._acknowledged = share, True
            check_kept(share.told, dealing)
        elif share.told.transcript is not None:
            raise DealViolationError("deal-share-replaced")

    def _check_own_first(self, dealing: wire.Dealing) -> None:
        """The most telling finding first: what became of our seal."""
        share = self.share
        if share is None or not self._acknowledged or share.seat >= len(dealing.client_commits):
            return
        sealed = dealing.client_commits[share.seat]
        if sealed is None:
            raise DealViolationError("deal-share-missing")
        if sealed != share.commit:
            raise DealViolationError("deal-share-replaced")

    def _tell_words(self, dealing: wire.Dealing) -> None:
        """The six words, from the transcript that was computed here."""
        agreed = transcript_of(dealing)
        if agreed is None:
            return
        self.words = fingerprint(agreed)
        self._say_once("the-six-words", "the-six-words", words=" ".join(self.words))
        if self.seat is not None and self.rules is None:
            self._say_once("deal-unknown-rules", "deal-unknown-rules", rules=dealing.rules)

    # -- Our share -----------------------------------------------------------------------------

    def _take_part(self) -> list[Action]:
        """Seal when a match is set up, open when all are sealed with our seal among them."""
        dealing, seat = self.told, self.seat
        if dealing is None or seat is None:
            return []
        if self._over and self._held != seat:
            return []  # one sat down here after the match
        sealed = dealing.client_commits[seat]
        if self.share is not None and self.share.seat != seat:  # that of another person, perhaps
            self.share, self._sealing, self._acknowledged = None, False, False
        if sealed is None:
            if self._acknowledged:
                raise DealViolationError("deal-share-missing")
            return self._seal(dealing, seat)
        if self.share is None or sealed != self.share.commit:
            self._look_for_share(dealing, seat, sealed)
        if self.share is None or sealed != self.share.commit:
            self._without_own_share(dealing, seat)
            return []
        self._sealing, self._acknowledged = False, True
        if not dealing.trusted[seat]:
            raise DealViolationError("deal-changed", what="trusted")
        if dealing.transcript is None or dealing.client_seeds[seat] is not None:
            return []
        self._store_share(dealing)
        return [RevealShare(dealing.match, self.share.seed)]

    def _seal(self, dealing: wire.Dealing, seat: int) -> list[Action]:
        if self.must_ask:
            self._ask_user()
            return []
        if self.share is None:
            self.share = OwnShare(match=dealing.match, seat=seat, seed=self.draw(), told=dealing)
            self.store.keep(self.share)  # before anyone knows of it
        self._sealing = True
        return [CommitShare(dealing.match, self.share.commit)]

    def _look_for_share(self, dealing: wire.Dealing, seat: int, sealed: str) -> None:
        """Another window of this person may have sealed; on the same device its share is kept."""
        if self._acknowledged:
            raise DealViolationError("deal-share-replaced")
        for share in self.store.of_match(dealing.match):
            if share.seat == seat and share.commit == sealed:
                check_kept(share.told, dealing)
                self.share, self._sealing, self._acknowledged = share, False, True

    def _without_own_share(self, dealing: wire.Dealing, seat: int) -> None:
        """Said once; an answer to our seal is waited for, but not longer than until the cards are
        dealt."""
        if self._sealing and not self._begun:
            return
        id = "deal-share-foreign" if dealing.trusted[seat] else "deal-no-share"
        self._say_once("no own share", id)

    def _store_share(self, dealing: wire.Dealing) -> None:
        """All are sealed: what stands now is what a record is compared with."""
        assert self.share is not None
        if self.share.told.transcript is None:
            self.share = msgspec.structs.replace(self.share, told=dealing)
            self.store.keep(self.share)

    @property
    def has_own_share(self) -> bool:
        """Whether the match that is dealt or played has a share of this client's own."""
        told, share = self.told, self.share
        return (
            told is not None
            and share is not None
            and told.client_commits[share.seat] == (share.commit)
        )

    # -- Answers -----------------------------------------------------------------------------------

    def done(self, action: Action) -> None:
        """The server says that it is stored. What it tells must show that by now."""
        if isinstance(action, RevealShare) and self._blamed and self._blamed[0] == action.match:
            raise DealViolationError("deal-blamed", seat=self._blamed[1])
        if self.share is None or self.told is None or action.match != self.share.match:
            return
        if isinstance(action, RevealShare):
            self._opened = True
            return
        self._sealing, self._acknowledged = False, True
        self._check_own_first(self.told)

    def refused(self, action: Action) -> None:
        """The server did not take it: then the match has no share of ours, and that is said."""
        if isinstance(action, RevealShare) or self.told is None or action.match != self.told.match:
            return
        self._sealing = False
        self._take_part_silently()

    def _take_part_silently(self) -> None:
        """Say what became of our share; nothing is sent again after a refusal."""
        assert self.told is not None
        if self.seat is not None and self.told.client_commits[self.seat] is not None:
            self._take_part()

    # -- Cards -------------------------------------------------------------------------------------

    def _receive_events(self, message: wire.Welcome | wire.Update, ended: str | None) -> None:
        """Note what was dealt to us. `ended`: the match that was over before this message."""
        live = isinstance(message, wire.Update)
        if isinstance(message, wire.Welcome) and message.fresh:
            events = [] if message.view is None else list(message.view.history)
            self._hand.receive(events)
        else:
            events = self._receive_steps(of_this_match(message.steps))
        for number, dealt in rounds_in(events, self.seat).items():
            if self.told is not None and not self._may_be_dealt(live, ended):
                raise DealViolationError("deal-early")
            if live and self.seat is not None and dealt.hand is None:
                raise DealViolationError(
                    "deal-hand", round=number
                )  # nothing that could be compared
            self._note_round(number, dealt)

    def _receive_steps(self, steps: Iterable[wire.Step]) -> list[Event]:
        events: list[Event] = []
        for step in steps:
            for note in step.notes:
                if isinstance(note, wire.TookBack):
                    self._hand.take_back(note.events)
            self._hand.receive(step.events)
            events += step.events
        return events

    def _may_be_dealt(self, live: bool, ended: str | None) -> bool:
        """Cards are dealt when all shares are open, and not after the end."""
        assert self.told is not None
        return self._begun and not (live and self.told.match == ended)

    def _note_round(self, number: int, dealt: DealtHand) -> None:
        """What was told first about our cards must stand."""
        known = self.rounds.get(number)
        if known is None or known.hand is None:
            self.rounds[number] = dealt
        elif known.seat == dealt.seat and dealt.hand not in (None, known.hand):
            raise DealViolationError("deal-hand", round=number)

    def _check_rounds(self, message: wire.Welcome | wire.Update) -> None:
        """Deal every round again whose seed is published; after a round it must be."""
        told = self.told
        if told is None or self.seat is None or not self._begun:
            return
        if message.view is not None and len(told.server_seeds) <= len(message.view.scores):
            raise DealViolationError("deal-seed-missing", round=len(told.server_seeds))
        first = self.rounds.get(1)
        if self.rules is not None and first is not None and self._checked == 0:
            check_starter(self.rules, told, first)
        for number in range(self._checked + 1, len(told.server_seeds)):
            self._must_know_hand(number)
            if number in self.rounds and self.rules is not None:
                check_round(self.rules, told, number, self.rounds[number])
            self._checked = number

    def _must_know_hand(self, round: int) -> tuple[str, ...] | None:
        """Our cards of a round. With a share of our own they must have been told to us: otherwise
        nothing could be compared."""
        dealt = self.rounds.get(round)
        if dealt is not None and dealt.hand is not None and dealt.seat == self.seat:
            return dealt.hand
        if self.has_own_share and self.share is not None and self.share.seat == self.seat:
            raise DealViolationError("deal-hand", round=round)
        return None

    def _check_end(self, view: View | None, ended: str | None) -> None:
        """Our match is over when it is played to its end, not when the server says so."""
        told = self.told
        if told is None or not self._over or told.match == ended:
            return
        if self._held is None or self._lost:
            return
        if view is None or not view.scores:
            raise DealViolationError("deal-abandoned")
        if self.rules is not None and not self.rules.match_over(view):
            raise DealViolationError("deal-abandoned")
        self._gone = self.aborts = 0

    def _check_shown(self, view: View | None) -> None:
        """The hand that is shown to our person must be what is left of the cards dealt to us."""
        if view is None or self.told is None or self.seat is None or self._over:
            return
        if not self._begun:
            raise DealViolationError("deal-early")
        dealt = self._must_know_hand(view.round)
        if dealt is not None and self.rules is not None:
            self._hand.check(self.rules, view, self.seat, dealt)

    # -- Consent, and words for the person ---------------------------------------------------------

    @property
    def must_ask(self) -> bool:
        """Whether so many set-ups failed that the person must agree before the next share."""
        return self.aborts >= MOST_ABORTS and self._agreed_after != self.aborts

    def agree(self) -> list[Action]:
        """The person wants to go on; perhaps a share is to be sealed at once."""
        self._agreed_after = self.aborts
        return self._take_part()

    def _ask_user(self) -> None:
        if self.must_ask and self.seat is not None:
            self._say_once(f"ask {self.aborts}", "deal-again-ask", count=self.aborts)

    def _say_once(self, key: str, id: str, **data: object) -> None:
        if key not in self._said:
            self._said.add(key)
            self._notices.append(DealNotice(id, data))

    def notices(self) -> list[DealNotice]:
        """What the person should know, since this was last asked."""
        told, self._notices = self._notices, []
        return told
