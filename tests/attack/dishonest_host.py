"""Dishonest hosts: the real server with one fraud built in, against clients that are not changed.

    python -m tests.attack.dishonest_host [--short]               # the table, and what fraud gains
    python -m tests.attack.dishonest_host --serve NAME --port P   # one of them, for a browser
    python -m tests.attack.dishonest_host --list

The host plays in seat 0 with an accomplice who checks nothing; the victim sits in seat 1.
"""

import argparse
import asyncio
import hashlib
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from stichwerk.cards import COLOURS
from stichwerk.engine.events import Event
from stichwerk.errors import StichwerkError
from stichwerk.fairness import Deal, client_commit, server_commit
from stichwerk.hash_words import fingerprint, word_list
from stichwerk.record import Claims, Fairness, Record, decode, verify
from stichwerk.server import wire
from stichwerk.server.clients.deal_check import DealCheck, DealNotice
from stichwerk.server.clients.deal_messages import DealViolationError
from stichwerk.server.clients.deal_shares import Action, CommitShare, OwnShare, RevealShare
from stichwerk.server.clients.table_client import TableClient
from stichwerk.server.clients.table_rules import transcript_of
from stichwerk.server.network.socket_client import SocketClient
from stichwerk.server.network.socket_sessions import SocketSession
from stichwerk.server.random_source import RandomSource
from stichwerk.server.tables import log_entries as log
from stichwerk.server.tables import requests
from stichwerk.server.tables import table_state as table_module
from stichwerk.server.tables.running_match import RunningMatch
from stichwerk.server.tables.shuffle import Shuffle
from stichwerk.terminal.links import SeatStore
from stichwerk.terminal.remote_seat import RemoteSeat
from stichwerk.view import View
from tests.server.harness import Quick, RunningServer, first, running_server
from tests.server.manual_clock import until

HOST, VICTIM = 0, 1
TRIES = 400  # sets of shares of which the best is taken
SHORT: dict[str, Any] = {"game": "sticheln", "seats": 3, "options": {"rounds": 1}}
PATIENCE = 120.0  # seconds; only what hangs needs them

Decide = Callable[[Any, requests.Requester, RandomSource], list[log.Entries]]
_decoder: msgspec.json.Decoder[wire.FromServer] = msgspec.json.Decoder(wire.FromServer)


def worth(deal: Deal | None, seat: int = HOST) -> int:
    """Rate a hand by its high cards, in all games alike."""
    return 0 if deal is None else sum(int(card[1:]) for card in deal.hands[seat])


def drawn(*names: object) -> bytes:
    """Draw a share of the host's own."""
    return hashlib.sha256(repr(names).encode()).digest()


# -- What a fraud can reach ------------------------------------------------------------------------


class Strategy:
    """A way to cheat; this base class is honest.

    `stops`, `says` and `asks`: the ids with which an unmodified terminal ends play, notifies the
    person, or asks before it continues; `counts` and `page_counts`: what terminal and page call
    each time before that. `page`: what the page does, where that is something else.
    `broken`, `share`, `words`: whether `verify` breaks the record by itself, given the victim's
    share, and given the words that the victim saw.
    """

    name = "honest"
    what = "nothing is wrong"
    shuffle: type[Shuffle] = Shuffle
    stops: tuple[str, ...] = ()
    says: str = ""
    asks: str = ""
    counts: str = ""
    page_counts: str = ""
    page: str = ""
    record_made = True
    broken = share = words = False

    def __init__(self, victim: int = VICTIM) -> None:
        self.victim = victim

    def tells(self, message: wire.FromServer, client: SocketClient) -> list[wire.FromServer]:
        """Return what a client is sent instead of a message."""
        return [self.tell(message, client)]

    def tell(self, message: wire.FromServer, client: SocketClient) -> wire.FromServer:
        """Rewrite what a client is sent."""
        if not isinstance(message, wire.Welcome | wire.Update) or message.table is None:
            return message
        return replace(message, table=self.tell_table(message.table, message.seat))

    def tell_table(self, table: wire.Table, seat: int | None) -> wire.Table:
        """Rewrite the table for one seat."""
        if table.dealing is None:
            return table
        return replace(table, dealing=self.tell_deal(table.dealing, seat))

    def tell_deal(self, dealing: wire.Dealing, seat: int | None) -> wire.Dealing:
        """Rewrite the deal for one seat."""
        return dealing

    def record(self, record: Record) -> Record:
        """Rewrite the record."""
        return record

    def decides(self) -> dict[type, Callable[[Decide], Decide]]:
        """Return dishonest decisions by type of request, made from the honest ones."""
        return {}

    def patches(self) -> list[tuple[object, str, object]]:
        """Return what else is patched in the server: where, its name, and the replacement."""
        return []


@contextmanager
def installed(strategy: Strategy) -> Iterator[None]:
    """The server of this process cheats as long as the block runs."""
    send, record = SocketClient.send, RunningMatch.record

    def sent(client: SocketClient, raw: bytes) -> None:
        for message in strategy.tells(_decoder.decode(raw), client):
            send(client, wire.write(message))

    with ExitStack() as stack:
        stack.enter_context(patch.object(table_module, "Shuffle", strategy.shuffle))
        stack.enter_context(patch.object(SocketClient, "send", sent))
        stack.enter_context(
            patch.object(RunningMatch, "record", lambda self: strategy.record(record(self)))
        )
        for where, name, other in strategy.patches():
            stack.enter_context(patch.object(where, name, other))
        for kind, change in strategy.decides().items():
            honest = requests.decide.dispatch(kind)
            requests.decide.register(kind, change(honest))
            stack.callback(requests.decide.register, kind, honest)
        yield


def agreed_again(dealing: wire.Dealing) -> wire.Dealing:
    """Return a deal whose hash and words follow from what it shows."""
    own = transcript_of(dealing)
    words = fingerprint(own) if own else ()
    return replace(dealing, transcript=own.hex() if own else None, words=words)


# -- Shares that are not those of the players ------------------------------------------------------


class OwnShares(Shuffle):
    """A host that puts shares of its own in place of others, and tries many of them."""

    tries = TRIES

    def take_over(self, seats: Sequence[int]) -> None:
        """Own shares for these seats; of the last one the best of many. All are open at once."""
        for seat in seats:
            self._put(seat, drawn(self.match, seat))
        self.seeds = list(self.own)
        options = [drawn(self.match, seats[-1], number) for number in range(self.tries)]
        self._put(seats[-1], max(options, key=partial(self._worth, seats[-1])))
        self.seeds = list(self.own)

    def _put(self, seat: int, seed: bytes) -> None:
        self.own[seat] = self.seeds[seat] = seed
        self.commits[seat] = client_commit(self.match, seat, seed)

    def _worth(self, seat: int, seed: bytes) -> int:
        self._put(seat, seed)
        return worth(self.deal(1, self.first_starter()))

    def check_open(self, seat: int, seed: bytes) -> None:
        return  # whatever is opened is forgotten

    def open(self, seat: int, seed: bytes) -> None:
        return


class Stolen(OwnShares):
    """On arrival."""

    def seal(self, seat: int, commit: bytes) -> None:
        self._put(seat, drawn(self.match, seat))
        self.seeds[seat] = None
        missing = self.unsealed_seats()
        if not missing:
            people = [at for at, trusted in enumerate(self.trusted) if trusted and at != seat]
            for at in people:
                self._put(at, drawn(self.match, at))
            self._settle()
            self.take_over([seat])


class StolenShares(Strategy):
    """The published attack."""

    name = "stolen-shares"
    what = "stores a share of its own for each that arrives, confirms it, and takes the best of 400"
    shuffle = Stolen
    stops: tuple[str, ...] = ("deal-share-replaced",)
    share = True


class SilentSwap(StolenShares):
    """As long as the seal is not answered, the program may think that it is still on its way."""

    name = "silent-swap"
    what = (
        "stores a share of its own for each that arrives, never answers the seal, and tells of the "
        "table only when the match begins and ends"
    )
    stops: tuple[str, ...] = ()
    says = "deal-share-foreign"
    page = "asks `deal-share-replaced`"

    def __init__(self, victim: int = VICTIM) -> None:
        super().__init__(victim)
        self.begun: set[SocketClient] = set()

    def patches(self) -> list[tuple[object, str, object]]:
        """Suppress the answer to the victim's seal."""
        honest = SocketSession._answer

        async def answer(connection: Any, request: Any, moment: Any) -> None:
            client, table = connection.client, connection.live_table.table
            victim = table.seat_of(client.person) == self.victim
            if not (victim and isinstance(request, wire.Commit)):
                await honest(connection, request, moment)
                return
            with patch.object(client, "tell", lambda message: None), suppress(StichwerkError):
                await honest(connection, request, moment)

        return [(SocketSession, "_answer", answer)]

    def tell(self, message: wire.FromServer, client: SocketClient) -> wire.FromServer:
        if not isinstance(message, wire.Update) or message.seat != self.victim:
            return message
        if message.table is None or message.table.stage != "playing":
            return message
        begun = client in self.begun
        self.begun.add(client)
        return replace(message, table=None) if begun else message


class OtherSeat(SilentSwap):
    """A share for another seat is not missed."""

    name = "other-seat"
    what = (
        "stores a share of its own for each that arrives, and names another seat than before to "
        "the player"
    )
    stops = ("deal-seat",)
    says = page = ""

    def tell(self, message: wire.FromServer, client: SocketClient) -> wire.FromServer:
        if isinstance(message, wire.Update) and message.seat == self.victim and message.table:
            dealing = message.table.dealing
            if dealing is not None and dealing.client_commits[self.victim] is not None:
                return replace(message, seat=2)
        return message


class SealedFirst(OwnShares):
    """As soon as a match is set up."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.take_over([seat for seat, trusted in enumerate(self.trusted) if trusted])


class ForeignShares(Strategy):
    """Like another window of the same person."""

    name = "foreign-shares"
    what = "seals for everyone before they can, as if they had done it in another window"
    shuffle = SealedFirst
    says = "deal-share-foreign"
    share = True


class DrawnFirst(SealedFirst):
    """And says so."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.trusted = [False] * len(self.trusted)


class DrawnShares(Strategy):
    """Nobody takes part but the host."""

    name = "drawn-shares"
    what = "draws the shares of all seats itself, and says so (`trusted` false)"
    shuffle = DrawnFirst
    says = "deal-no-share"
    share = True


class LateSwap(OwnShares):
    """When all are sealed."""

    def seal(self, seat: int, commit: bytes) -> None:
        Shuffle.seal(self, seat, commit)
        if self.sealed:
            self.take_over([at for at, trusted in enumerate(self.trusted) if trusted])


class SwappedShares(Strategy):
    """Later than on arrival."""

    name = "swapped-shares"
    what = "keeps each share until all are sealed, then puts its own in their place"
    shuffle = LateSwap
    stops = ("deal-share-replaced", "deal-changed")
    share = True


class SwapInside(Shuffle):
    """Commits as they are; a transcript over others."""

    @property
    def transcript(self) -> bytes:
        shown = list(self.commits)
        self.commits[VICTIM] = drawn(self.match, "other")
        try:
            return super().transcript
        finally:
            self.commits = shown


class SwappedInTranscript(Strategy):
    """The hash is not that of the seals."""

    name = "swapped-in-transcript"
    what = "shows the share that was sealed, and hashes another one into the transcript"
    shuffle = SwapInside
    stops = ("deal-transcript",)
    broken = share = words = True


# -- The server's own seeds ------------------------------------------------------------------------


class LateSeeds(Shuffle):
    """New server seeds once all shares are open."""

    tries = TRIES

    def open(self, seat: int, seed: bytes) -> None:
        super().open(seat, seed)
        if self.opened:
            options = [self._seeds(number) for number in range(self.tries)]
            self._use(max(options, key=self._worth))

    def _seeds(self, number: int) -> tuple[bytes, ...]:
        count = len(self.server_seeds)
        return tuple(drawn(self.match, "server", number, at) for at in range(count))

    def _use(self, seeds: tuple[bytes, ...]) -> None:
        self.server_seeds = seeds
        self.server_commits = tuple(
            server_commit(self.match, number, seed) for number, seed in enumerate(seeds)
        )

    def _worth(self, seeds: tuple[bytes, ...]) -> int:
        self._use(seeds)
        return worth(self.deal(1, self.first_starter()))


class LateServerSeeds(Strategy):
    """Everything fits in itself afterwards."""

    name = "late-server-seeds"
    what = "seals its own seeds anew once it has seen all shares"
    shuffle = LateSeeds
    stops = ("deal-changed",)
    words = True


class OtherSeeds(Shuffle):
    """Seeds that were never sealed."""

    def describe(self, rounds_over: int) -> wire.Dealing:
        honest = super().describe(rounds_over)
        return replace(honest, server_seeds=("ab" * 32,) * len(honest.server_seeds))

    def proof(self, rounds_over: int) -> Fairness:
        honest = super().proof(rounds_over)
        return replace(honest, server_seeds=("ab" * 32,) * len(honest.server_seeds))


class WrongServerSeeds(Strategy):
    """Publishes what it likes."""

    name = "wrong-server-seeds"
    what = "publishes other seeds than it sealed"
    shuffle = OtherSeeds
    stops = ("deal-server-seed",)
    broken = share = words = True


class WithheldSeeds(Strategy):
    """Publishes nothing."""

    name = "withheld-seeds"
    what = "does not publish its seed when a round is over"
    stops = ("deal-seed-missing",)

    def tell_deal(self, dealing: wire.Dealing, seat: int | None) -> wire.Dealing:
        return replace(dealing, server_seeds=dealing.server_seeds[:1])


class IncompleteSeals(Strategy):
    """To seal the rest when it is known."""

    name = "incomplete-seals"
    what = "leaves out its seals of later rounds, to choose those seeds later"
    stops = ("deal-incomplete",)

    def tell_deal(self, dealing: wire.Dealing, seat: int | None) -> wire.Dealing:
        return replace(dealing, server_commits=dealing.server_commits[:1])


# -- Cards, rules, words ---------------------------------------------------------------------------


class OwnCards(Shuffle):
    """The best of the hands goes to the host."""

    def deal(self, round: int, starter: int) -> Deal | None:
        made = super().deal(round, starter)
        assert made is not None
        best = max(range(len(made.hands)), key=lambda seat: worth(made, seat))
        hands = list(made.hands)
        hands[HOST], hands[best] = hands[best], hands[HOST]
        if hands[VICTIM] == made.hands[VICTIM]:
            hands[VICTIM], hands[2] = hands[2], hands[VICTIM]
        return Deal(made.starter, tuple(hands), made.stock, made.specials)


class OtherHands(Strategy):
    """The proof is of other cards."""

    name = "other-hands"
    what = "deals other hands than those that follow from the shares"
    shuffle = OwnCards
    stops = ("deal-hand",)
    broken = share = words = True


class ShownHand(Strategy):
    """The event is true, what the person sees is not."""

    name = "shown-hand"
    what = "deals as agreed, and shows the victim other cards than those"
    stops = ("deal-hand",)
    first_card = 0  # from when on: how many cards of the hand are gone

    def tell(self, message: wire.FromServer, client: SocketClient) -> wire.FromServer:
        if not isinstance(message, wire.Update | wire.Welcome) or message.seat != self.victim:
            return message
        view = message.view
        if view is None or len(view.hand) > max(view.hand_sizes) - self.first_card:
            return message
        return replace(message, view=replace(view, hand=self.show(view)))

    def show(self, view: View) -> tuple[str, ...]:
        """Low cards."""
        low = [f"{colour}{value}" for value in range(8) for colour in COLOURS[:4]]
        return tuple(sorted(low[: len(view.hand)]))


class HiddenCard(ShownHand):
    """When nobody looks at the deal any more."""

    name = "hidden-card"
    what = "deals as agreed, and hides a card of the victim's hand later in the round"

    def tell(self, message: wire.FromServer, client: SocketClient) -> wire.FromServer:
        view = getattr(message, "view", None)
        late = view is not None and view.phase == "play" and 0 < len(view.hand) < 12
        return super().tell(message, client) if late else message

    def show(self, view: View) -> tuple[str, ...]:
        return view.hand[:-1]


class UnannouncedHand(Strategy):
    """No event, nothing to compare."""

    name = "untold-hand"
    what = "begins a round as if the line had been cut, and leaves out which cards were dealt"
    stops = ("deal-hand",)

    def __init__(self, victim: int = VICTIM) -> None:
        super().__init__(victim)
        self.sent_events: dict[SocketClient, list[Event]] = {}

    def tell(self, message: wire.FromServer, client: SocketClient) -> wire.FromServer:
        if not isinstance(message, wire.Update) or message.seat != self.victim:
            return message
        events = [event for step in message.steps for event in step.events]
        if message.view is None or not any(event.kind == "round" for event in events):
            return message
        known = self.sent_events.setdefault(client, [])
        known += [event for event in events if event.kind != "hand"]
        return as_welcome(message, client, known)


def as_welcome(
    message: wire.Update, client: SocketClient, history: Sequence[Event] | None = None
) -> wire.FromServer:
    """Return an update as if the connection had just been lost, with the table, if there is one."""
    if message.table is None:
        return message
    view = message.view
    if view is not None and history is not None:
        view = replace(view, history=tuple(history))
    return wire.Welcome(
        version=wire.VERSION,
        seq=message.seq,
        fresh=True,
        person=client.person,
        seat=message.seat,
        ply=message.ply,
        table=message.table,
        view=view,
        steps=(),
    )


class OtherOptions(Strategy):
    """When all are sealed."""

    name = "changed-options"
    what = "changes the options of the match after the shares are sealed"
    stops = ("deal-changed",)
    words = True

    def tell_table(self, table: wire.Table, seat: int | None) -> wire.Table:
        dealing = table.dealing
        if dealing is None or dealing.transcript is None:
            return table
        options = {**table.options, "rounds": 2}
        text = dealing.options.replace('"rounds":1', '"rounds":2')
        changed = agreed_again(replace(dealing, options=text))
        return replace(table, options=options, dealing=changed)


class NewerRules(Shuffle):
    """Rules that nobody else has."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.setup = replace(self.setup, rules="sticheln/99")


class UnknownRules(Strategy):
    """So that no client can deal the cards again."""

    name = "unknown-rules"
    what = "names rules that no client knows, so that nobody can deal the cards again"
    shuffle = NewerRules
    says = "deal-unknown-rules"
    stops = ("deal-record-broken",)
    page = "stops `deal-rules`"
    broken = share = words = True


class WrongWords(Strategy):
    """As text."""

    name = "wrong-words"
    what = "shows six words of its own, the same to all"
    stops = ("deal-words",)
    words = True

    def tell_deal(self, dealing: wire.Dealing, seat: int | None) -> wire.Dealing:
        return replace(dealing, words=word_list()[:6]) if dealing.words else dealing


class TwoStories(Strategy):
    """What the victim hears is consistent, and differs from what the others hear."""

    name = "two-stories"
    what = "tells the victim of another share of the host than it tells the others"
    stops = ("deal-starter", "deal-hand")
    words = True

    def tell_deal(self, dealing: wire.Dealing, seat: int | None) -> wire.Dealing:
        at = 0 if self.victim else 1
        if seat != self.victim or dealing.client_commits[at] is None:
            return dealing
        share = drawn(dealing.match, "story")
        commits, seeds = list(dealing.client_commits), list(dealing.client_seeds)
        commits[at] = client_commit(dealing.match, at, share).hex()
        seeds[at] = share.hex() if seeds[at] else None
        changed = replace(dealing, client_commits=tuple(commits), client_seeds=tuple(seeds))
        return agreed_again(changed)


class EarlyReveal(Strategy):
    """To know a share while others can still be chosen."""

    name = "early-reveal"
    what = "claims that all are sealed while shares are missing, so that others open theirs"
    stops = ("deal-transcript",)
    words = True

    def tell_deal(self, dealing: wire.Dealing, seat: int | None) -> wire.Dealing:
        if dealing.transcript is not None:
            return dealing
        early = drawn(dealing.match, "early")
        return replace(dealing, transcript=early.hex(), words=fingerprint(early))


class NoDeal(Strategy):
    """No shares, no proof."""

    name = "no-deal"
    what = "plays without a verifiable deal"
    shuffle = DrawnFirst
    says = "deal-unproven"

    def tell_deal(self, dealing: wire.Dealing, seat: int | None) -> Any:
        return None

    def record(self, record: Record) -> Record:
        return replace(record, fairness=UNSET)


# -- Matches that are not played -------------------------------------------------------------------


class LookAndBlame(Strategy):
    """The last to open sees the cards first. `good` is a hand that is worth keeping."""

    name = "look-and-blame"
    what = "looks at the cards when all shares are open, and claims that the host's was not"
    asks = "deal-again-ask"
    counts = "deal-aborted"
    page_counts = "Ada did not open a share"
    good: int | None = None

    def __init__(self, victim: int = VICTIM) -> None:
        super().__init__(victim)
        self.known: dict[str, dict[int, str]] = {}
        self.draws = 0

    def patches(self) -> list[tuple[object, str, object]]:
        """No cap, and never a share of the server's for a seat that was blamed."""
        honest = requests.set_up

        def set_up(table: Any, rng: RandomSource, *, turn: bool, drawn: Any = ()) -> log.SetUp:
            return honest(table, rng, turn=turn)

        return [(table_module, "MOST_ABORTS", 10**9), (requests, "set_up", set_up)]

    def tell_table(self, table: wire.Table, seat: int | None) -> wire.Table:
        return replace(table, aborts=0, agreed=())

    def decides(self) -> dict[type, Callable[[Decide], Decide]]:
        return {wire.Reveal: lambda honest: partial(self.reveal, honest)}

    def reveal(
        self,
        honest: Decide,
        request: wire.Reveal,
        requester: requests.Requester,
        rng: RandomSource,
    ) -> list[log.Entries]:
        """Note opened shares; with the last one the cards are known."""
        shuffle, seat = requester.table.shuffle, requester.seat
        if shuffle is None or seat is None or request.match != shuffle.match:
            return honest(request, requester, rng)
        known = self.known.setdefault(request.match, {})
        known[seat] = request.seed
        if set(known) < {at for at, trusted in enumerate(shuffle.trusted) if trusted}:
            return self.open_before_last(seat, request)
        self.draws += 1
        missing = [log.ShareOpened(seat=at, seed=known[at]) for at in shuffle.unopened_seats()]
        if self.good is not None and self._worth(shuffle, known) >= self.good:
            return list(missing)
        return self.abort(shuffle)

    def _worth(self, shuffle: Shuffle, known: dict[int, str]) -> int:
        kept, seeds = shuffle.seeds, list(shuffle.seeds)
        for seat, seed in known.items():
            seeds[seat] = bytes.fromhex(seed)
        shuffle.seeds = seeds
        try:
            return worth(shuffle.deal(1, shuffle.first_starter()))
        finally:
            shuffle.seeds = kept

    def open_before_last(self, seat: int, request: wire.Reveal) -> list[log.Entries]:
        """Show the victim's share, but not the accomplice's."""
        return [log.ShareOpened(seat=seat, seed=request.seed)] if seat == self.victim else []

    def abort(self, shuffle: Shuffle) -> list[log.Entries]:
        """Blame the accomplice."""
        seed = self.known[shuffle.match][self.victim]
        shown = [log.ShareOpened(seat=self.victim, seed=seed)]
        blamed = log.SetUpFailed(seats=(HOST,))
        return [*(shown if shuffle.seeds[self.victim] is None else []), blamed]


class BlameTheVictim(LookAndBlame):
    """Blames a player whose share is open."""

    name = "blame-the-victim"
    what = "looks at the cards, and blames a player who has opened their share"
    stops = ("deal-blamed",)
    asks = ""

    def open_before_last(self, seat: int, request: wire.Reveal) -> list[log.Entries]:
        return []

    def abort(self, shuffle: Shuffle) -> list[log.Entries]:
        return [log.SetUpFailed(seats=(self.victim,))]


class Abandoned(Strategy):
    """The first move is the last."""

    name = "abandoned-match"
    what = "gives up a match whose cards are dealt, and deals another one"
    stops = ("deal-abandoned",)

    def __init__(self, victim: int = VICTIM) -> None:
        super().__init__(victim)
        self.done = False

    def decides(self) -> dict[type, Callable[[Decide], Decide]]:
        return {wire.Play: lambda honest: partial(self.play, honest)}

    def play(
        self,
        honest: Decide,
        request: wire.Play,
        requester: requests.Requester,
        rng: RandomSource,
    ) -> list[log.Entries]:
        """Instead of the first move the host deals again."""
        if self.done:
            return honest(request, requester, rng)
        self.done = True
        return [requests.set_up(requester.table, rng, turn=False)]


class Redeal(Strategy):
    """Looks at the cards, and deals another match instead of the host's first move."""

    asks = "deal-again-ask"
    page_counts = "The end of a match was not to be seen here"

    def __init__(self, victim: int = VICTIM) -> None:
        super().__init__(victim)
        self.draws = 0
        self.seen: dict[SocketClient, str | None] = {}

    def decides(self) -> dict[type, Callable[[Decide], Decide]]:
        return {wire.Play: lambda honest: partial(self.play, honest)}

    def play(
        self,
        honest: Decide,
        request: wire.Play,
        requester: requests.Requester,
        rng: RandomSource,
    ) -> list[log.Entries]:
        """Moves of a match that is gone come to nothing."""
        running = requester.table.running
        if running is None or running.id != request.match:
            return []
        if requester.seat != HOST:
            return honest(request, requester, rng)
        self.draws += 1
        return [requests.set_up(requester.table, rng, turn=False)]

    def tells(self, message: wire.FromServer, client: SocketClient) -> list[wire.FromServer]:
        if isinstance(message, wire.Update) and message.seat == self.victim and message.table:
            before, self.seen[client] = self.seen.get(client), message.table.match
            if before not in (None, message.table.match):
                return self.tell_next(message, message.table, client)
        return [message]

    def tell_next(
        self, message: wire.Update, table: wire.Table, client: SocketClient
    ) -> list[wire.FromServer]:
        """Return the first message about the next match."""
        return [message]


class TakenSeats(Redeal):
    """Takes the seat away, so that the client does not see how the match ends."""

    name = "taken-seats"
    what = "looks at the cards, takes the seat away for a moment, and deals another match"
    counts = "deal-seat-lost"

    def tell_next(
        self, message: wire.Update, table: wire.Table, client: SocketClient
    ) -> list[wire.FromServer]:
        gone = replace(table, dealing=None, match=None, stage="gathering")
        return [replace(message, steps=(), seat=None, table=gone, view=None), message]


class MissedEnds(Redeal):
    """Cuts the connection, so that the client does not see how the match ends."""

    name = "missed-ends"
    what = "looks at the cards, and tells of another match as if the line had been cut"
    counts = "deal-match-gone"

    def tell_next(
        self, message: wire.Update, table: wire.Table, client: SocketClient
    ) -> list[wire.FromServer]:
        return [as_welcome(message, client)]


class ClaimedEnd(Strategy):
    """Over is what the server says is over."""

    name = "claimed-end"
    what = "looks at the cards, and says that the match is over"
    stops = ("deal-abandoned",)
    record_made = False

    def tell_table(self, table: wire.Table, seat: int | None) -> wire.Table:
        claimed = seat == self.victim and table.stage == "playing"
        return replace(table, stage="over") if claimed else table


class ReplayedMatch(Strategy):
    """All shares of it are known already."""

    name = "replayed-match"
    what = "deals an old match again, whose shares it knows"
    stops = ("deal-replayed",)
    record_made = False

    def __init__(self, victim: int = VICTIM) -> None:
        super().__init__(victim)
        self.first: log.SetUp | None = None

    def decides(self) -> dict[type, Callable[[Decide], Decide]]:
        return {wire.Begin: lambda honest: partial(self.begin, honest)}

    def begin(
        self,
        honest: Decide,
        request: wire.Begin,
        requester: requests.Requester,
        rng: RandomSource,
    ) -> list[log.Entries]:
        """Make the second match the first one again."""
        *others, made = honest(request, requester, rng)
        assert isinstance(made, log.SetUp)
        self.first = self.first or made
        again = replace(made, match=self.first.match, server_seeds=self.first.server_seeds)
        return [*others, again]


# -- Records ---------------------------------------------------------------------------------------


class RecordShare(Strategy):
    """All is well at the table."""

    name = "share-in-record"
    what = "deals as agreed, and puts another share of the victim into the record"
    stops = ("deal-record",)
    broken = share = words = True

    def record(self, record: Record) -> Record:
        proof = record.fairness
        assert isinstance(proof, Fairness)
        share = drawn(proof.match, "record")
        seeds, commits = list(proof.client_seeds), list(proof.client_commits)
        seeds[self.victim] = share.hex()
        commits[self.victim] = client_commit(proof.match, self.victim, share).hex()
        other = replace(proof, client_seeds=tuple(seeds), client_commits=tuple(commits))
        return replace(record, fairness=other)


class RecordWithoutProof(Strategy):
    """The cards could be anything."""

    name = "record-without-proof"
    what = "deals as agreed, and leaves the proof out of the record"
    stops = ("deal-record",)
    share = words = True

    def record(self, record: Record) -> Record:
        return replace(record, fairness=UNSET)


STRATEGIES: tuple[type[Strategy], ...] = (
    StolenShares,
    SilentSwap,
    OtherSeat,
    ForeignShares,
    DrawnShares,
    SwappedShares,
    SwappedInTranscript,
    LateServerSeeds,
    WrongServerSeeds,
    WithheldSeeds,
    IncompleteSeals,
    OtherHands,
    ShownHand,
    HiddenCard,
    UnannouncedHand,
    OtherOptions,
    UnknownRules,
    WrongWords,
    TwoStories,
    EarlyReveal,
    NoDeal,
    LookAndBlame,
    BlameTheVictim,
    Abandoned,
    TakenSeats,
    MissedEnds,
    ClaimedEnd,
    ReplayedMatch,
    RecordShare,
    RecordWithoutProof,
)


# Those that end with a match that is played: hosts that deal again do so without end.
WITH_RECORD = tuple(
    kind for kind in STRATEGIES if kind.record_made and not issubclass(kind, LookAndBlame | Redeal)
)


# -- Clients ---------------------------------------------------------------------------------------


class NoCheck(DealCheck):
    """What clients did before: take part, believe everything."""

    first_words: tuple[str, ...] = ()

    def receive(self, message: wire.Welcome | wire.Update) -> list[Action]:
        """Seal and open when the server says so."""
        self.seat = message.seat
        dealing = message.table.dealing if message.table else None
        if dealing is None or self.seat is None or message.table is None:
            return []
        if self.share is None or self.share.match != dealing.match:
            seed = self.draw()
            self.share = OwnShare(match=dealing.match, seat=self.seat, seed=seed, announced=dealing)
            self.first_words = ()
        self.announced, self.first_words = dealing, self.first_words or dealing.words
        if message.table.stage != "dealing" or not dealing.trusted[self.seat]:
            return []
        if dealing.client_commits[self.seat] is None:
            return [CommitShare(dealing.match, self.share.commit)]
        if dealing.transcript and dealing.client_seeds[self.seat] is None:
            return [RevealShare(dealing.match, self.share.seed)]
        return []

    def done(self, action: Action) -> None:
        return

    def refused(self, action: Action) -> None:
        return


class Careless(TableClient):
    """A client that checks nothing."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.deal: NoCheck = NoCheck(self.rng.seed)

    async def _take_part(self, actions: list[Action]) -> None:
        for action in actions:
            await self._tell(action)


class Terminal(RemoteSeat):
    """The terminal's place as it is; the ids of its notices are noted down."""

    def __init__(self, *args: Any, **more: Any) -> None:
        self.said: list[str] = []
        super().__init__(*args, **more)

    def _on_notices(self, notice: DealNotice) -> None:
        self.said.append(notice.id)
        super()._on_notices(notice)


class Outcome(msgspec.Struct):
    """What a checker came to: the violation that ended it, and the notices before."""

    stopped: str = ""
    sentence: str = ""
    said: tuple[str, ...] = ()
    asked: bool = False
    over: bool = False


def at_the_terminal(url: str, folder: Path, enough: Callable[[Terminal], bool]) -> Outcome:
    """Sit down as the victim, play on, and see what the terminal makes of it. Blocks."""
    player_seat = Terminal(url, "Ben", "en", seat=VICTIM, book=SeatStore(folder))
    outcome = Outcome()
    end = time.monotonic() + PATIENCE
    try:
        while not enough(player_seat) and not player_seat.asked_to_deal:
            assert time.monotonic() < end, f"the terminal is stuck: {player_seat.said}"
            player_seat.wait(0.1)
            if player_seat.owes:
                player_seat.play(player_seat.view.moves[0])
    except DealViolationError as error:
        outcome.stopped, outcome.sentence = error.id, error.text
    finally:
        outcome.said, outcome.asked = tuple(player_seat.said), player_seat.asked_to_deal
        outcome.over = player_seat.over
        player_seat.close()
    return outcome


def compared(player_seat: Terminal) -> bool:
    """Return whether the match is over and its record, if any, was compared."""
    compared = any(id.startswith("deal-record") for id in player_seat.said)
    return player_seat.over and (compared or "deal-unproven" in player_seat.said)


async def against_terminal(
    home: RunningServer, strategy: Strategy, folder: Path, requested: dict[str, Any] = SHORT
) -> Outcome:
    """Play one match of the unmodified terminal at the table of a host."""
    again = isinstance(strategy, ReplayedMatch)
    with installed(strategy):
        made = await home.table(**requested)
        async with Careless(home.ws, made.table, token=made.token) as ada:
            url = f"{home.http}/t/{made.table}"
            enough = (lambda player_seat: False) if again else compared
            terminal = asyncio.create_task(asyncio.to_thread(at_the_terminal, url, folder, enough))
            playing = asyncio.create_task(host_plays(ada, again))
            try:
                return await terminal
            finally:
                playing.cancel()
                await asyncio.gather(playing, return_exceptions=True)


async def host_plays(ada: TableClient, again: bool = False) -> None:
    """Begin when the victim has come, and play on; perhaps a second match."""
    await ada.until(lambda: seated(ada, VICTIM))
    await ada.ask(lambda id: wire.Begin(id=id))
    await ada.play_on(first)
    if again:
        await ada.ask(lambda id: wire.Begin(id=id))


def seated(guest: TableClient, seat: int) -> bool:
    """Return whether a person has this seat."""
    return guest.table is not None and guest.table.places[seat].person is not None


class Played(msgspec.Struct):
    """A match that two careless clients played to its end: its record, and what the victim has."""

    record: Record
    deal: wire.Dealing | None
    claims: Claims


async def against_careless(home: RunningServer, strategy: Strategy) -> Played:
    """Play one match of clients that check nothing, to its end."""
    with installed(strategy):
        made = await home.table(**SHORT)
        ada = Careless(home.ws, made.table, token=made.token)
        ben = Careless(home.ws, made.table)
        async with ada, ben:
            await ben.join("Ben", VICTIM)
            return await _careless_match(home, ada, ben)


async def _careless_match(home: RunningServer, ada: Careless, ben: Careless) -> Played:
    await ada.until(lambda: seated(ada, VICTIM))
    await ada.ask(lambda id: wire.Begin(id=id))
    await asyncio.gather(ada.play_on(first), ben.play_on(first))
    assert ada.table is not None
    raw = await home.get(f"/api/matches/{ada.table.match}")
    share = ben.deal.share
    shares = () if share is None else ((share.seat, share.seed),)
    claims = Claims(shares=shares, words=ben.deal.first_words)
    return Played(decode(raw.content), ben.deal.announced, claims)


def verdicts(played: Played) -> dict[str, bool]:
    """Return whether `verify` breaks the record: by itself, given the share, given the words."""
    given = {
        "broken": Claims(),
        "share": Claims(shares=played.claims.shares),
        "words": Claims(words=played.claims.words),
    }
    return {name: not verify(played.record, claims).ok for name, claims in given.items()}


# -- The table of the documentation ----------------------------------------------------------------


def documented() -> Iterator[str]:
    """Strategy by checker, as `docs/verifiable-deal.md` has it."""
    yield "| The host … | terminal | page | `verify` | with `--share` | with `--words` |"
    yield "|---|---|---|---|---|---|"
    for kind in STRATEGIES:
        terminal = [f"says `{kind.says}`"] if kind.says else []
        terminal += [f"asks `{kind.asks}`"] if kind.asks else []
        terminal += ["stops `" + "` or `".join(kind.stops) + "`"] if kind.stops else []
        client = ", ".join(terminal)
        verified = [found(kind, name) for name in ("broken", "share", "words")]
        cells = [f"{kind.what} (`{kind.name}`)", client, kind.page or "the same", *verified]
        yield "| " + " | ".join(cells) + " |"


def found(kind: type[Strategy], name: str) -> str:
    """Return what `verify` says about the record that such a host publishes."""
    if not kind.record_made:
        return "no record"
    if getattr(kind, name):
        return "broken"
    return "no proof" if kind in (NoDeal, RecordWithoutProof) else "–"


# -- Measuring -------------------------------------------------------------------------------------


class Gain(msgspec.Struct):
    """What the hands of round 1 were worth, in matches that were dealt: the host's, the mean of the
    others'; and how many matches were played to their end."""

    tried: int
    played: int
    host: float = 0.0
    others: float = 0.0

    def __str__(self) -> str:
        if not self.played:
            return f"{self.played:3} of {self.tried} matches played"
        worth = f"host {self.host:5.1f} : {self.others:5.1f} others"
        return f"{self.played:3} of {self.tried} matches played, hands {worth}"


async def gain_of(home: RunningServer, kind: type[Strategy], matches: int) -> Gain:
    """Return how good the host's cards are against clients that check nothing."""
    hands: list[tuple[int, float]] = []
    for _ in range(matches):
        played = await against_careless(home, kind())
        dealt = played.record.rounds[0].hands
        values = [sum(int(card[1:]) for card in hand) for hand in dealt]
        hands.append((values[HOST], statistics.mean(values[1:])))
    host, others = (statistics.mean(column) for column in zip(*hands, strict=True))
    return Gain(matches, matches, host, others)


async def through(home: RunningServer, kind: type[Strategy], matches: int) -> Gain:
    """Return how many matches such a host gets past a terminal that checks."""
    done = 0
    for _ in range(matches):
        with tempfile.TemporaryDirectory() as folder:
            outcome = await against_terminal(home, kind(), Path(folder))
        done += not outcome.stopped and not outcome.asked
    return Gain(matches, done)


async def redraws(home: RunningServer, most: int) -> tuple[int, int]:
    """Return how often a host can look and deal again: clients that check nothing, and the
    terminal."""
    strategy = LookAndBlame()
    with installed(strategy):
        made = await home.table(**SHORT)
        ada = Careless(home.ws, made.table, token=made.token)
        ben = Careless(home.ws, made.table)
        async with ada, ben:
            await ben.join("Ben", VICTIM)
            await ada.ask(lambda id: wire.Begin(id=id))
            await until(lambda: strategy.draws >= most, "that many draws")
    checked = LookAndBlame()
    with tempfile.TemporaryDirectory() as folder:
        await against_terminal(home, checked, Path(folder))
    return strategy.draws, checked.draws


class Report(msgspec.Struct):
    """What was measured, as lines of text."""

    lines: list[str]
    missed: list[str]


async def measure(short: bool) -> Report:
    """Measure each strategy against each checker, and what the published attack gains."""
    lines: list[str] = []
    missed: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        async with running_server(Path(folder), pool=Quick()) as home:
            for kind in STRATEGIES:
                line, caught = await judged(home, kind)
                lines.append(line)
                missed += [] if caught else [kind.name]
            matches = 5 if short else 40
            honest = await gain_of(home, Strategy, matches)
            before = await gain_of(home, StolenShares, matches)
            after = await through(home, StolenShares, matches)
            lines += [
                "",
                f"honest host, clients that check nothing     {honest}",
                f"best of {TRIES}, clients that check nothing      {before}",
                f"best of {TRIES}, the terminal                    {after}",
            ]
            unbounded, capped = await redraws(home, 10 if short else 30)
            lines.append(
                f"look and deal again: {unbounded} times in a row (stopped here) with clients that "
                f"check nothing, {capped} times with the terminal, which then asks"
            )
    return Report(lines, missed)


async def judged(home: RunningServer, kind: type[Strategy]) -> tuple[str, bool]:
    """Run a strategy against the terminal and `verify`; return a line, and whether it was
    caught."""
    with tempfile.TemporaryDirectory() as folder:
        outcome = await against_terminal(home, kind(), Path(folder))
    reported = outcome.stopped or next((id for id in outcome.said if id == kind.says), "")
    reported = reported or ("deal-again-ask" if outcome.asked else "")
    found = {}
    if kind in WITH_RECORD:
        found = verdicts(await against_careless(home, kind()))
    marks = "  ".join(f"{name}: {'yes' if broken else 'no ':3}" for name, broken in found.items())
    return f"{kind.name:24} {reported:22} {marks}", bool(reported)


# -- From the command line -------------------------------------------------------------------------


def strategy_named(name: str) -> type[Strategy]:
    """Return a strategy, or the honest host."""
    kinds: tuple[type[Strategy], ...] = (Strategy, *STRATEGIES)
    return next(kind for kind in kinds if kind.name == name)


def serve_one(name: str, port: int, data: str | None, victim: int) -> int:
    """Serve a dishonest host on a port, until it is stopped."""
    from stichwerk.server.run import serve
    from stichwerk.server.serve_options import ServeOptions

    with ExitStack() as stack:
        folder = data or stack.enter_context(tempfile.TemporaryDirectory())
        stack.enter_context(installed(strategy_named(name)(victim)))
        options = ServeOptions(port=port, data=folder, pace=0, open_browser=False)
        return serve(options, "en")


def run(short: bool) -> Report:
    """For `make attack`."""
    return asyncio.run(measure(short))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--serve", metavar="NAME")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--data")
    parser.add_argument("--victim", type=int, default=VICTIM)
    args = parser.parse_args()
    if args.list:
        print("\n".join(f"{kind.name:24} {kind.what}" for kind in STRATEGIES))
        return 0
    if args.serve:
        return serve_one(args.serve, args.port, args.data, args.victim)
    report = run(args.short)
    print("\n".join(report.lines))
    for name in report.missed:
        print(f"not caught: {name}", file=sys.stderr)
    return 1 if report.missed else 0


if __name__ == "__main__":
    sys.exit(main())
