"""A client's checks of the verifiable deal. No I/O: messages go in; requests, notices and
violations come out.

The server is not trusted here. A `DealCheck` generates our share, keeps it with everything
announced before it was sealed, and compares that with everything announced later: when the share is
sealed, before it is opened, when cards are dealt, when a round is over, and in the record. A
contradiction is a `DealViolationError`, which ends the play; what a person should know is a
`DealNotice`.

The page does the same in TypeScript. `docs/verifiable-deal.md` describes the checks in their order.
"""

from collections.abc import Callable, Iterable

import msgspec

from stichwerk.engine.events import Event
from stichwerk.hash_words import fingerprint
from stichwerk.server import wire
from stichwerk.server.clients.deal_messages import DealViolationError, check_announced, check_kept
from stichwerk.server.clients.deal_shares import (
    Action,
    CommitShare,
    MemoryShareStore,
    OwnShare,
    RevealShare,
    ShareStore,
)
from stichwerk.server.clients.dealt_cards import (
    DealtHand,
    OwnHand,
    check_round,
    check_starter,
    is_put_away,
    of_this_match,
    rounds_in,
)
from stichwerk.server.clients.table_rules import TableRules, rules_of, transcript_of
from stichwerk.view import View

MOST_ABORTS = 2  # set-ups that may fail in a row before the user is asked


class DealNotice(msgspec.Struct, frozen=True):
    """Something a person should know about the deal: a text of `locale/terminal-table.*.json`."""

    id: str
    data: dict[str, object] = {}


# -- A client's state at one table -----------------------------------------------------------------


class DealCheck:
    """Takes part in the shuffle for one client at one table, and checks everything about it.

    `receive` must get every `welcome` and `update` before anything else is done with it. It returns
    the actions to send; `done` and `refused` take their outcomes. `notices()` returns texts for the
    person; `agree()` is their consent to go on after too many failed set-ups, `leave()` their
    decision to leave the seat.
    """

    def __init__(self, draw: Callable[[], str], store: ShareStore | None = None) -> None:
        self.draw = draw
        self.store: ShareStore = store or MemoryShareStore()
        self.table: wire.Table | None = None
        self.seat: int | None = None
        self.aborts = 0  # set-ups failed in a row since the last match began
        self._agreed_after = -1  # the number of aborts after which the person agreed to go on
        self._blamed: tuple[str, int] | None = None  # for which match, and in which seat
        self._failed: set[str] = set()  # the matches of these set-ups
        self._gone = 0  # matches in a row that were dealt but not seen to their end
        self._past: set[str] = set()  # matches that are over, or were never dealt
        self._notices: list[DealNotice] = []
        self._forget_match()

    def _forget_match(self) -> None:
        """Reset what is known about the current match."""
        self.announced: wire.Dealing | None = None
        self.share: OwnShare | None = None
        self.rules: TableRules | None = None
        self.rounds: dict[int, DealtHand] = {}
        self.words: tuple[str, ...] = ()
        self._sealing = False  # the seal is sent but not answered
        self._acknowledged = False  # the server has confirmed the seal, or shown it
        self._opened = False  # the server has confirmed the opened share
        self._begun = self._over = False
        self._held: int | None = None  # our current or former seat in this match
        self._left = False  # our person left it
        self._lost = False  # we no longer have it
        self._hand = OwnHand()
        self._checked = 0  # rounds whose deal was verified
        self._said: set[str] = set()

    # -- Receiving ---------------------------------------------------------------------------------

    def receive(self, message: wire.Welcome | wire.Update) -> list[Action]:
        """Check a message; return what to send now."""
        live = isinstance(message, wire.Update)
        ended = self.announced.match if self.announced is not None and self._over else None
        self.seat = message.seat
        self._receive_notes(message)
        self._follow_seat(message)
        actions: list[Action] = []
        if message.table is not None:
            self.table = message.table
            if message.seat is None and message.table.settings.watch == "none":
                self._stop_watching()  # a stranger receives nothing that could be checked
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
        """Check whom the server blames for the failed set-up: not a seat whose share was open
        already."""
        if self.seat is None and self._held is None:
            return  # a set-up of others
        if self.announced is not None and self.announced.match == note.match:
            opened = {
                seat for seat, seed in enumerate(self.announced.client_seeds) if seed is not None
            }
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
        """Reset the failures once all shares and the server's first seed are open, but not the
        count of matches whose end was never seen."""
        self.aborts = self._gone
        self._agreed_after = -1
        self._failed = set()

    def _match_gone(self, id: str = "deal-match-gone") -> None:
        """Count a match that was dealt but whose end we did not see, for lack of a connection or a
        seat. A host could provoke that whenever it does not like the cards."""
        self._gone += 1
        self.aborts += 1
        self._notices.append(DealNotice(id))

    # -- Our seat ----------------------------------------------------------------------------------

    def leave(self) -> None:
        """Note that our person gives up the seat: this match no longer concerns us."""
        self._left = self._held is not None

    def _follow_seat(self, message: wire.Welcome | wire.Update) -> None:
        """Check our seat: nobody changes seats while a match is dealt or played, but one can be
        taken away."""
        table = message.table or self.table
        if self._held is None or self._over or table is None or self._is_over(table):
            return
        if message.seat is None:
            self._lose_seat()
        elif message.seat != self._held and self._is_same_match(table):
            raise DealViolationError("deal-seat")

    def _is_same_match(self, table: wire.Table) -> bool:
        return self.announced is not None and table.match == self.announced.match

    def _is_over(self, table: wire.Table) -> bool:
        """Return whether this message ends our match, so that we may have left the seat after
        it."""
        return table.stage == "over" and self._is_same_match(table) and self.seat is not None

    def _lose_seat(self) -> None:
        if self._lost:
            return
        self._lost = True
        if self._left or self.announced is None:
            return
        if self._begun:
            self._match_gone("deal-seat-lost")
        elif self.share is not None:
            self._set_up_failed(self.announced.match)

    # -- The table ---------------------------------------------------------------------------------

    def _look(self, table: wire.Table, live: bool) -> list[Action]:
        dealing = table.dealing
        if dealing is None:
            self._look_without_deal(table, live)
        else:
            if self.announced is None or self.announced.match != dealing.match:
                self._end_match(live)
                self._enter_match(dealing)
            else:
                if self._begun and table.stage == "dealing":
                    raise DealViolationError("deal-replayed")
                self._check_own_first(dealing)
                check_kept(self.announced, dealing)
            self.rules = rules_of(table, dealing) if self.rules is None else self.rules
            check_announced(table, dealing, self.rules)
            self.announced = dealing
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
        self._announce_words(dealing)
        return self._take_part()

    def _look_without_deal(self, table: wire.Table, live: bool) -> None:
        """Handle a table without a deal. That is usual between matches and without a seat. For a
        player it means that nothing can be proved about the running match."""
        if self.seat is None:
            self._stop_watching()
            return
        playing = table.stage in ("playing", "over")
        if playing and self.announced is not None and self.announced.match == table.match:
            raise DealViolationError("deal-changed", what="fairness")
        self._end_match(live)
        if table.stage == "playing":
            self._say_once(f"deal-unproven {table.match}", "deal-unproven")

    def _stop_watching(self) -> None:
        """Stop checking: without a seat the deal may be hidden. The match is remembered: it may
        reappear, or another one in its place."""
        if not self._begun:
            self._forget_match()

    def _end_match(self, live: bool) -> None:
        """Check that the previous match ended or failed before another one takes its place."""
        if self.announced is None:
            return
        if not self._begun:
            if self._held is not None and not self._left:
                self._set_up_failed(self.announced.match)
        elif self._over or self._lost or self._held is None:
            pass  # it has ended, is already counted, or was a match of others
        elif live:
            raise DealViolationError("deal-abandoned")
        else:
            self._match_gone()
        self._past.add(self.announced.match)
        self._forget_match()

    def _enter_match(self, dealing: wire.Dealing) -> None:
        """Begin to check a match when it is first seen, perhaps after a restart."""
        if dealing.match in self._past:
            raise DealViolationError("deal-replayed")
        for share in self.store.of_match(dealing.match):
            self._restore_state(share, dealing)

    def _restore_state(self, share: OwnShare, dealing: wire.Dealing) -> None:
        """Restore a share from before a restart: what was known then must still hold."""
        if self.seat not in (None, share.seat):
            return  # of someone else who plays on this device
        if share.announced.transcript is not None and dealing.transcript is None:
            raise DealViolationError("deal-replayed")
        if dealing.client_commits[share.seat : share.seat + 1] == (share.commit,):
            self.share, self._acknowledged = share, True
            check_kept(share.announced, dealing)
        elif share.announced.transcript is not None:
            raise DealViolationError("deal-share-replaced")

    def _check_own_first(self, dealing: wire.Dealing) -> None:
        """Report the most specific violation first: what happened to our seal."""
        share = self.share
        if share is None or not self._acknowledged or share.seat >= len(dealing.client_commits):
            return
        sealed = dealing.client_commits[share.seat]
        if sealed is None:
            raise DealViolationError("deal-share-missing")
        if sealed != share.commit:
            raise DealViolationError("deal-share-replaced")

    def _announce_words(self, dealing: wire.Dealing) -> None:
        """Announce the six words, from the transcript that was computed here."""
        agreed = transcript_of(dealing)
        if agreed is None:
            return
        self.words = fingerprint(agreed)
        self._say_once("the-six-words", "the-six-words", words=" ".join(self.words))
        if self.seat is not None and self.rules is None:
            self._say_once("deal-unknown-rules", "deal-unknown-rules", rules=dealing.rules)

    # -- Our share -----------------------------------------------------------------------------

    def _take_part(self) -> list[Action]:
        """Seal when a match is set up; open when all are sealed, including ours."""
        dealing, seat = self.announced, self.seat
        if dealing is None or seat is None:
            return []
        if self._over and self._held != seat:
            return []  # sat down here after the match
        sealed = dealing.client_commits[seat]
        if self.share is not None and self.share.seat != seat:  # perhaps another person's
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
            self.share = OwnShare(
                match=dealing.match, seat=seat, seed=self.draw(), announced=dealing
            )
            self.store.keep(self.share)  # before anyone knows of it
        self._sealing = True
        return [CommitShare(dealing.match, self.share.commit)]

    def _look_for_share(self, dealing: wire.Dealing, seat: int, sealed: str) -> None:
        """Look for a share sealed by another window of this person; on the same device it is
        stored."""
        if self._acknowledged:
            raise DealViolationError("deal-share-replaced")
        for share in self.store.of_match(dealing.match):
            if share.seat == seat and share.commit == sealed:
                check_kept(share.announced, dealing)
                self.share, self._sealing, self._acknowledged = share, False, True

    def _without_own_share(self, dealing: wire.Dealing, seat: int) -> None:
        """Report a missing share once; wait for an answer to our seal at most until the cards are
        dealt."""
        if self._sealing and not self._begun:
            return
        id = "deal-share-foreign" if dealing.trusted[seat] else "deal-no-share"
        self._say_once("no own share", id)

    def _store_share(self, dealing: wire.Dealing) -> None:
        """Store the deal once all shares are sealed: records are compared with it."""
        assert self.share is not None
        if self.share.announced.transcript is None:
            self.share = msgspec.structs.replace(self.share, announced=dealing)
            self.store.keep(self.share)

    @property
    def has_own_share(self) -> bool:
        """Return whether this client generated its share of the current match."""
        announced, share = self.announced, self.share
        return (
            announced is not None
            and share is not None
            and announced.client_commits[share.seat] == (share.commit)
        )

    # -- Outcomes ----------------------------------------------------------------------------------

    def done(self, action: Action) -> None:
        """Handle the server's confirmation. Its announcements must show that by now."""
        if isinstance(action, RevealShare) and self._blamed and self._blamed[0] == action.match:
            raise DealViolationError("deal-blamed", seat=self._blamed[1])
        if self.share is None or self.announced is None or action.match != self.share.match:
            return
        if isinstance(action, RevealShare):
            self._opened = True
            return
        self._sealing, self._acknowledged = False, True
        self._check_own_first(self.announced)

    def refused(self, action: Action) -> None:
        """Handle a refusal: the match has no share of ours, which is reported."""
        if (
            isinstance(action, RevealShare)
            or self.announced is None
            or action.match != self.announced.match
        ):
            return
        self._sealing = False
        self._take_part_silently()

    def _take_part_silently(self) -> None:
        """Report what happened to our share; nothing is sent again after a refusal."""
        assert self.announced is not None
        if self.seat is not None and self.announced.client_commits[self.seat] is not None:
            self._take_part()

    # -- Cards -------------------------------------------------------------------------------------

    def _receive_events(self, message: wire.Welcome | wire.Update, ended: str | None) -> None:
        """Note what was dealt to us. `ended`: the match that was over before this message."""
        live = isinstance(message, wire.Update)
        if isinstance(message, wire.Welcome) and message.fresh:
            events = [] if message.view is None else list(message.view.history)
            self._hand.receive(events)
            self._hand.start_with(message.hand)
        else:
            events = self._receive_steps(of_this_match(message.steps))
            if live and any(map(is_put_away, events)):
                raise DealViolationError("deal-hand", round=max(self.rounds, default=1))
        for number, dealt in rounds_in(events, self.seat).items():
            if self.announced is not None and not self._may_be_dealt(live, ended):
                raise DealViolationError("deal-early")
            if live and self.seat is not None and dealt.hand is None:
                raise DealViolationError("deal-hand", round=number)  # nothing to compare
            self._note_round(number, dealt)

    def _receive_steps(self, steps: Iterable[wire.Step]) -> list[Event]:
        events: list[Event] = []
        for step in steps:
            for note in step.notes:
                if isinstance(note, wire.TookBack):
                    self._hand.take_back(note.events)
            self._hand.receive(step.events)
            self._hand.receive_change(step)
            events += step.events
        return events

    def _may_be_dealt(self, live: bool, ended: str | None) -> bool:
        """Return whether cards may be dealt: when all shares are open, and not after the end."""
        assert self.announced is not None
        return self._begun and not (live and self.announced.match == ended)

    def _note_round(self, number: int, dealt: DealtHand) -> None:
        """Note our cards of a round; they must not change later."""
        known = self.rounds.get(number)
        if known is None or known.hand is None:
            self.rounds[number] = dealt
        elif known.seat == dealt.seat and dealt.hand not in (None, known.hand):
            raise DealViolationError("deal-hand", round=number)

    def _check_rounds(self, message: wire.Welcome | wire.Update) -> None:
        """Verify the deal of every round whose seed is published; after a round it must be."""
        announced = self.announced
        if announced is None or self.seat is None or not self._begun:
            return
        if message.view is not None and len(announced.server_seeds) <= len(message.view.scores):
            raise DealViolationError("deal-seed-missing", round=len(announced.server_seeds))
        first = self.rounds.get(1)
        if self.rules is not None and first is not None and self._checked == 0:
            check_starter(self.rules, announced, first)
        for number in range(self._checked + 1, len(announced.server_seeds)):
            self._must_know_hand(number)
            if number in self.rounds and self.rules is not None:
                check_round(self.rules, announced, number, self.rounds[number])
            self._checked = number

    def _must_know_hand(self, round: int) -> tuple[str, ...] | None:
        """Return our cards of a round. With a share of our own we must have received them:
        otherwise nothing could be compared."""
        dealt = self.rounds.get(round)
        if dealt is not None and dealt.hand is not None and dealt.seat == self.seat:
            return dealt.hand
        if self.has_own_share and self.share is not None and self.share.seat == self.seat:
            raise DealViolationError("deal-hand", round=round)
        return None

    def _check_end(self, view: View | None, ended: str | None) -> None:
        """Check the end: our match is over when it is played to its end, not when the server says
        so."""
        announced = self.announced
        if announced is None or not self._over or announced.match == ended:
            return
        if self._held is None or self._lost:
            return
        if view is None or not view.scores:
            raise DealViolationError("deal-abandoned")
        if self.rules is not None and not self.rules.match_over(view):
            raise DealViolationError("deal-abandoned")
        self._gone = self.aborts = 0

    def _check_shown(self, view: View | None) -> None:
        """Check that the displayed hand is what is left of the cards dealt to us."""
        if view is None or self.announced is None or self.seat is None or self._over:
            return
        if not self._begun:
            raise DealViolationError("deal-early")
        dealt = self._must_know_hand(view.round)
        if dealt is not None and self.rules is not None:
            self._hand.check(self.rules, view, self.seat, dealt)

    # -- Consent and notices -----------------------------------------------------------------------

    @property
    def must_ask(self) -> bool:
        """Return whether so many set-ups failed that the person must agree before the next
        share."""
        return self.aborts >= MOST_ABORTS and self._agreed_after != self.aborts

    def agree(self) -> list[Action]:
        """Record the person's consent to go on; a share may have to be sealed at once."""
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
        """Return the notices since the last call."""
        new, self._notices = self._notices, []
        return new
