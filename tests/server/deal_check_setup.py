"""A deal, message by message."""

from typing import Any

from stichwerk.fairness import client_commit
from stichwerk.match import Match, Setting
from stichwerk.server import wire
from stichwerk.server.clients.deal_check import DealCheck
from stichwerk.server.clients.deal_shares import (
    CommitShare,
    RevealShare,
    ShareStore,
)
from stichwerk.server.tables.shuffle import Shuffle, seeds_needed

SETTING = Setting("sticheln", 3, {"rounds": 2})

OWN, BENS, BOTS = (bytes([sign]) * 32 for sign in b"abc")


def shuffle(match: str = "m1") -> Shuffle:
    """Return a set-up for Ada in seat 0, Ben, and a bot."""
    seeds = [bytes([100 + number]) * 32 for number in range(seeds_needed(SETTING))]
    return Shuffle(match, SETTING, seeds, (None, None, BOTS))


def commit(seat: int, share: bytes, match: str = "m1") -> bytes:
    return client_commit(match, seat, share)


def table(dealing: wire.Dealing | None, stage: Any = "dealing", **more: Any) -> wire.Table:
    return wire.Table(
        id="t",
        game="sticheln",
        seats=3,
        options=SETTING.options,
        settings=more.pop("settings", wire.Settings()),
        host="a",
        people=(),
        places=(wire.Place(person="a"), wire.Place(person="b"), wire.Place(level="easy")),
        stage=stage,
        match=dealing.match if dealing else None,
        dealing=dealing,
        **more,
    )


def update(announced: wire.Table, *notes: wire.Notes, seat: int | None = 0) -> wire.Update:
    step = wire.Step(seq=1, notes=notes)
    return wire.Update(seq=1, steps=(step,), seat=seat, ply=0, table=announced)


def checker(store: ShareStore | None = None, share: bytes = OWN) -> DealCheck:
    return DealCheck(lambda: share.hex(), store)


def ids(check: DealCheck) -> list[str]:
    return [notice.id for notice in check.notices()]


SEAL = CommitShare("m1", commit(0, OWN).hex())

OPEN = RevealShare("m1", OWN.hex())


def dealt(one: Shuffle) -> Match:
    """Return the match of a shuffle, with its first cards."""
    return Match(SETTING, one, ["Ada", "Ben", "Cleo"])


def played(one: Shuffle, at: int = 0) -> Match:
    """Return the match of a shuffle, to its end."""
    match = dealt(one)
    while not match.over:
        seat = match.waiting_for[-1]
        match.play(seat, match.moves(seat)[at])
    return match


def sealed_by_us(check: DealCheck) -> Shuffle:
    """Run up to the server's answer to our seal."""
    one = shuffle()
    assert check.receive(update(table(one.describe(0)))) == [SEAL]
    one.seal(0, commit(0, OWN))
    assert check.receive(update(table(one.describe(0)))) == []
    check.done(SEAL)
    return one
