"""Frauds with matches that are not played, and with records."""

from collections.abc import Callable
from functools import partial
from typing import Any

from msgspec import UNSET
from msgspec.structs import replace

from stichwerk.fairness import client_commit
from stichwerk.record import Fairness, Record
from stichwerk.server import wire
from stichwerk.server.network.socket_client import SocketClient
from stichwerk.server.random_source import RandomSource
from stichwerk.server.tables import log_entries as log
from stichwerk.server.tables import requests
from stichwerk.server.tables import table_state as table_module
from stichwerk.server.tables.shuffle import Shuffle
from tests.attack.deal_frauds import (
    DrawnShares,
    EarlyReveal,
    ForeignShares,
    HiddenCard,
    IncompleteSeals,
    LateServerSeeds,
    NoDeal,
    OtherHands,
    OtherOptions,
    OtherSeat,
    ShownHand,
    SilentSwap,
    StolenShares,
    SwappedInTranscript,
    SwappedShares,
    TwoStories,
    UnannouncedHand,
    UnknownRules,
    WithheldSeeds,
    WrongServerSeeds,
    WrongWords,
    as_welcome,
)
from tests.attack.fraud import HOST, VICTIM, Decide, Strategy, drawn, worth

# -- Matches that are not played -------------------------------------------------------------------


class LookAndBlame(Strategy):
    """The last to open sees the cards first. `good` is a hand that is worth keeping."""

    name = "look-and-blame"
    what = "looks at the cards when all shares are open, and claims that the host's was not"
    asks = "deal-again-ask"
    counts = "deal-aborted"
    page_counts = "Ada did not open a share, {} times"
    good: int | None = None

    def __init__(self, victim: int = VICTIM) -> None:
        super().__init__(victim)
        self.known: dict[str, dict[int, str]] = {}
        self.draws = 0

    def patches(self) -> list[tuple[object, str, object]]:
        """Remove the cap; the server never draws a share for a blamed seat."""
        honest = requests.set_up

        def set_up(
            table: Any, rng: RandomSource, *, turn: bool, drawn: Any = ()
        ) -> log.ShuffleStarted:
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
        """Deal again as the host, instead of making the first move."""
        if self.done:
            return honest(request, requester, rng)
        self.done = True
        return [requests.set_up(requester.table, rng, turn=False)]


class Redeal(Strategy):
    """Looks at the cards, and deals another match instead of the host's first move."""

    asks = "deal-again-ask"
    page_counts = "{} times the end of a match did not show up here"

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
        self.first: log.ShuffleStarted | None = None

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
        assert isinstance(made, log.ShuffleStarted)
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
