"""Dishonest hosts: the real server with one fraud built in, against clients that are not changed.

    python -m tests.attack.dishonest_host [--short]               # the table, and what fraud gains
    python -m tests.attack.dishonest_host --serve NAME --port P   # one of them, for a browser
    python -m tests.attack.dishonest_host --list

The host plays in seat 0 with an accomplice who checks nothing; the victim sits in seat 1.
"""

import argparse
import asyncio
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import msgspec

from stichwerk.record import Claims, Record, decode, verify
from stichwerk.server import wire
from stichwerk.server.clients.deal_check import DealCheck, DealNotice
from stichwerk.server.clients.deal_messages import DealViolationError
from stichwerk.server.clients.deal_shares import Action, CommitShare, OwnShare, RevealShare
from stichwerk.server.clients.table_client import TableClient
from stichwerk.terminal.links import SeatStore
from stichwerk.terminal.remote_seat import RemoteSeat
from tests.attack.deal_frauds import NoDeal, StolenShares
from tests.attack.fraud import HOST, TRIES, VICTIM, Strategy, installed
from tests.attack.match_frauds import (
    STRATEGIES,
    WITH_RECORD,
    LookAndBlame,
    RecordWithoutProof,
    ReplayedMatch,
)
from tests.server.harness import Quick, RunningServer, first, running_server
from tests.server.manual_clock import until

SHORT: dict[str, Any] = {"game": "sticheln", "seats": 3, "options": {"rounds": 1}}

PATIENCE = 120.0  # seconds; only what hangs needs them


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
    """Yield the results by strategy and checker in `docs/verifiable-deal.md`."""
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
    """Run everything for `make attack`."""
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
