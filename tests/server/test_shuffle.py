"""Verifiable deals at a table: shares that come, that come late, that are wrong; and cheating."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import msgspec
import pytest

from stichwerk import record
from stichwerk.errors import BadDealError
from stichwerk.fairness import client_commit, server_commit
from stichwerk.hash_words import fingerprint
from stichwerk.match import Setting
from stichwerk.server import wire
from stichwerk.server.clients.deal_messages import DealViolationError, check_announced, check_kept
from stichwerk.server.clients.deal_shares import Action, MemoryShareStore, RevealShare
from stichwerk.server.clients.table_client import TableClient
from stichwerk.server.clients.table_rules import rules_of
from stichwerk.server.random_source import RandomSource
from stichwerk.server.tables import log_entries as log
from stichwerk.server.tables.live_table import LiveTable
from stichwerk.server.tables.share_deadline import SHARE_SECONDS, ShareDeadline
from stichwerk.server.tables.shuffle import BadShareError, Shuffle, seeds_needed
from stichwerk.server.tables.table_state import TableState
from tests.server.harness import (
    Quick,
    RunningServer,
    begin,
    first,
    refused,
    run,
    running_server,
    stage,
)
from tests.server.manual_clock import until

pytestmark = pytest.mark.slow  # with a real server

SHORT: dict[str, Any] = {"game": "sticheln", "seats": 3, "options": {"rounds": 2}}
SETTING = Setting("sticheln", 3, {"rounds": 2})


def shuffle(*shares: bytes | None) -> Shuffle:
    seeds = [bytes([100 + number]) * 32 for number in range(seeds_needed(SETTING))]
    return Shuffle("m1", SETTING, seeds, shares)


def finished_shuffle() -> Shuffle:
    one = shuffle(None, None, b"c" * 32)
    for seat, share in enumerate((b"a" * 32, b"b" * 32)):
        one.seal(seat, client_commit("m1", seat, share))
    for seat, share in enumerate((b"a" * 32, b"b" * 32)):
        one.open(seat, share)
    return one


def check(dealing: wire.Dealing) -> None:
    """Check a deal as a client that sees it for the first time."""
    table = wire.Table(
        id="t",
        game="sticheln",
        seats=3,
        options=SETTING.options,
        settings=wire.Settings(),
        host="a",
        people=(),
        places=(wire.Place(person="a"),) * 3,
        stage="playing" if dealing.server_seeds else "dealing",
        match=dealing.match,
        dealing=dealing,
    )
    check_announced(table, dealing, rules_of(table, dealing))


# -- Shares ----------------------------------------------------------------------------------------


def test_no_share_is_opened_before_all_are_sealed() -> None:
    one = shuffle(None, None, b"c" * 32)
    dealing = one.describe(0)
    assert dealing.client_commits[:2] == (None, None)
    assert dealing.client_commits[2] is not None
    assert dealing.client_seeds == (None, None, None), "not even the server's share for a bot"
    assert (dealing.transcript, dealing.words, dealing.server_seeds) == (None, (), ())
    assert dealing.trusted == (True, True, False)
    one.seal(0, client_commit("m1", 0, b"a" * 32))
    with pytest.raises(BadShareError, match="shares-missing"):
        one.open(0, b"a" * 32)
    one.seal(1, client_commit("m1", 1, b"b" * 32))
    assert one.describe(0).client_seeds == (None, None, (b"c" * 32).hex())
    assert one.describe(0).words == fingerprint(one.transcript)
    assert one.describe(0).server_seeds == (), "the server is the last to open"
    with pytest.raises(BadShareError, match="share-not-as-sealed"):
        one.open(0, b"b" * 32)
    with pytest.raises(BadShareError, match="share-sealed-already"):
        one.seal(0, client_commit("m1", 0, b"x" * 32))


def test_only_seeds_of_finished_rounds_are_published() -> None:
    one = finished_shuffle()
    for over in range(3):
        dealing = one.describe(over)
        assert len(dealing.server_seeds) == over + 1
        assert len(dealing.server_commits) == 3
        check(dealing)


def test_a_share_of_another_seat_cannot_be_copied() -> None:
    one = shuffle(None, None, None)
    for seat in range(3):
        one.seal(seat, client_commit("m1", 0, b"a" * 32))
    one.open(0, b"a" * 32)
    for seat in (1, 2):
        with pytest.raises(BadShareError, match="share-not-as-sealed"):
            one.open(seat, b"a" * 32)


# -- A client that checks --------------------------------------------------------------------------


def doctored(dealing: wire.Dealing, **other: object) -> wire.Dealing:
    return msgspec.structs.replace(dealing, **other)


def test_a_client_detects_inconsistencies() -> None:
    dealing = finished_shuffle().describe(1)
    check(dealing)
    other = "00" * 32
    for name in ("client_seeds", "client_commits", "server_seeds", "server_commits"):
        values = getattr(dealing, name)
        for at in range(len(values)):
            with pytest.raises(DealViolationError):
                check(doctored(dealing, **{name: (*values[:at], other, *values[at + 1 :])}))
    for change in ({"transcript": other}, {"options": "{}"}, {"deck": "R1"}, {"rules": "x/1"}):
        with pytest.raises(DealViolationError):
            check(doctored(dealing, **change))
    with pytest.raises(DealViolationError):
        check(doctored(dealing, match="m2"))
    with pytest.raises((DealViolationError, BadDealError)):
        check(doctored(dealing, rounds=dealing.rounds + 1))


def test_a_client_detects_later_changes() -> None:
    """A set of seals that fits in itself, but is not the one that was sent first."""
    dealing = finished_shuffle().describe(0)
    seeds = [bytes([200 + number]) * 32 for number in range(3)]
    other = Shuffle("m1", SETTING, seeds, (b"a" * 32, b"b" * 32, b"c" * 32)).describe(0)
    check(other)
    with pytest.raises(DealViolationError):
        check_kept(dealing, other)
    check_kept(shuffle(None, None, b"c" * 32).describe(0), dealing)
    check_kept(dealing, finished_shuffle().describe(2))
    with pytest.raises(DealViolationError):
        check_kept(finished_shuffle().describe(2), dealing)


class Cheat(Shuffle):
    """A server that shows other seeds than it sealed."""

    def describe(self, rounds_over: int) -> wire.Dealing:
        honest = super().describe(rounds_over)
        return doctored(honest, server_seeds=("ab" * 32,) * len(honest.server_seeds))


class Regret(Shuffle):
    """A server that seals again when it has seen all shares; what it shows then fits in itself."""

    def describe(self, rounds_over: int) -> wire.Dealing:
        honest = super().describe(rounds_over)
        if not self.opened:
            return honest
        seeds = [bytes([number]) * 32 for number in range(len(self.server_seeds))]
        other = Shuffle(self.match, self.setting, seeds, self.seeds).describe(rounds_over)
        return doctored(other, trusted=honest.trusted)


@pytest.mark.parametrize("kind", [Cheat, Regret])
def test_a_client_stops_playing_with_a_cheating_server(
    kind: type[Shuffle], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play() -> None:
        monkeypatch.setattr("stichwerk.server.tables.table_state.Shuffle", kind)
        async with running_server(tmp_path, pool=Quick()) as home:
            made = await home.table(**SHORT)
            async with home.guest(made) as ada:
                await ada.ask(lambda id: wire.Begin(id=id))
                with pytest.raises(DealViolationError):
                    await ada.until(lambda: stage(ada) == "over")

    run(play())


# -- Records ---------------------------------------------------------------------------------------


def test_the_record_proves_the_deals_and_forgeries_fail(tmp_path: Path) -> None:
    async def play() -> tuple[record.Record, tuple[str, ...]]:
        async with (
            running_server(tmp_path, pool=Quick()) as home,
            home.party(["Ada", "Ben"], **SHORT) as (ada, ben),
        ):
            await begin(ada, ben)
            await asyncio.gather(ada.play_on(first), ben.play_on(first))
            assert ada.table is not None
            assert ada.table.dealing is not None
            assert ada.table.dealing.trusted == (True, True, False)
            raw = await home.get(f"/api/matches/{ada.table.match}")
            return record.decode(raw.content), ada.table.dealing.words

    match_record, words = run(play())
    assert record.verify(match_record).status == "holds"
    proof = match_record.fairness
    assert isinstance(proof, record.Fairness)
    assert fingerprint(bytes.fromhex(proof.transcript)) == words
    assert len(words) == 6
    other = "00" * 32
    forgeries: list[dict[str, object]] = [{"transcript": other}, {"match": "another"}]
    for name in ("server_commits", "client_commits", "client_seeds", "server_seeds"):
        values = getattr(proof, name)
        forgeries.append({name: (other, *values[1:])})
        forgeries.append({name: (*values[:-1], other)})
    for forged in forgeries:
        wrong = msgspec.structs.replace(proof, **forged)
        assert (
            record.verify(msgspec.structs.replace(match_record, fairness=wrong)).status == "broken"
        )
    for number, dealt in enumerate(match_record.rounds):
        hands = (dealt.hands[1], dealt.hands[0], *dealt.hands[2:])
        swapped = list(match_record.rounds)
        swapped[number] = msgspec.structs.replace(dealt, hands=hands)
        forged_deal = msgspec.structs.replace(match_record, rounds=tuple(swapped))
        assert record.verify(forged_deal).status == "broken"


def test_no_message_contains_a_seed_too_early(tmp_path: Path) -> None:
    """Every byte that anyone was sent, against the secrets in the log."""

    async def play() -> tuple[list[tuple[wire.FromServer, int]], log.ShuffleStarted]:
        received: list[tuple[wire.FromServer, int]] = []
        async with running_server(tmp_path, pool=Quick()) as home:
            made = await home.table(**SHORT)
            live_table = home.live_table(made.table)

            def on_message(message: wire.FromServer) -> None:
                running = live_table.table.running
                received.append((message, -1 if running is None else running.rounds_over))

            async with (
                home.guest(made, on_message=on_message) as ada,
                home.guest(made.table, on_message=on_message),
            ):
                await begin(ada)
                await ada.play_on(first)
            stored = log.decode_all(await home.lobby.store.read(made.table))
        return received, next(entry for entry in stored if isinstance(entry, log.ShuffleStarted))

    received, set_up = run(play())
    found = set()
    for message, rounds_over in received:
        raw = wire.write(message).decode()
        for number, seed in enumerate(set_up.server_seeds):
            if seed in raw:
                found.add(number)
                assert number <= rounds_over, "a seed before its round is over"
        for share in set_up.shares:
            assert share is None or share not in raw or '"transcript":"' in raw
    assert found == {0, 1, 2}, "each is published in the end"


# -- Shares that do not come -----------------------------------------------------------------------


class Mute(TableClient):
    """Takes no part in the shuffle."""

    async def _take_part(self, actions: list[Action]) -> None:
        return


class Coy(TableClient):
    """Seals, but does not open."""

    async def _tell(self, action: Action) -> None:
        if not isinstance(action, RevealShare):
            await super()._tell(action)


async def with_two(
    home: RunningServer, kind: type[TableClient]
) -> tuple[TableClient, TableClient, list[wire.Notes]]:
    """Return a table of Ada, who is honest, and one of another kind."""
    made = await home.table(**SHORT)
    notes: list[wire.Notes] = []

    def on_message(message: wire.FromServer) -> None:
        if isinstance(message, wire.Update):
            notes.extend(note for step in message.steps for note in step.notes)

    ada = home.guest(made, on_message=on_message)
    ben = kind(home.ws, made.table)
    await ada.__aenter__()
    await ben.__aenter__()
    await ben.join("Ben")
    return ada, ben, notes


async def time_is_up(
    home: RunningServer, guest: TableClient, missing: Callable[[Shuffle], bool]
) -> None:
    """Let the time for shares run out, once just those are missing that never come."""
    live_table = home.live_table(guest.table_id)

    def is_so() -> bool:
        return live_table.table.shuffle is not None and missing(live_table.table.shuffle)

    await until(is_so, "a set-up with these shares")
    home.clock.advance(SHARE_SECONDS)


def unsealed(*seats: int) -> Callable[[Shuffle], bool]:
    return lambda shuffle: shuffle.unsealed_seats() == seats


def unopened(*seats: int) -> Callable[[Shuffle], bool]:
    return lambda shuffle: shuffle.sealed and shuffle.unopened_seats() == seats


def test_a_missing_seal_is_replaced_by_an_untrusted_server_share(tmp_path: Path) -> None:
    async def play() -> None:
        async with running_server(tmp_path, pool=Quick()) as home:
            ada, ben, notes = await with_two(home, Mute)
            await asyncio.gather(begin(ada, ben), time_is_up(home, ada, unsealed(1)))
            assert ada.table is not None
            assert ada.table.dealing is not None
            assert ada.table.dealing.trusted == (True, False, False)
            assert not any(isinstance(note, wire.Aborted) for note in notes)
            await asyncio.gather(ada.play_on(first), ben.play_on(first))
            raw = await home.get(f"/api/matches/{ada.table.match}")
            assert record.verify(record.decode(raw.content)).status == "holds"
            for guest in (ada, ben):
                await guest.__aexit__()

    run(play())


def test_an_unopened_share_fails_the_set_up_once(tmp_path: Path) -> None:
    async def play() -> None:
        async with running_server(tmp_path, pool=Quick()) as home:
            ada, ben, notes = await with_two(home, Coy)
            await asyncio.gather(begin(ada, ben), time_is_up(home, ada, unopened(1)))
            sealing = [note.match for note in notes if isinstance(note, wire.Sealing)]
            aborted = [note for note in notes if isinstance(note, wire.Aborted)]
            assert len(set(sealing)) == 2, "a new set-up has a new id"
            assert aborted == [wire.Aborted(match=sealing[0], seats=(1,))]
            assert ada.table is not None
            assert ada.table.match == sealing[1]
            assert ada.table.dealing is not None
            assert ada.table.dealing.trusted == (True, False, False)
            await asyncio.gather(ada.play_on(first), ben.play_on(first))
            for guest in (ada, ben):
                await guest.__aexit__()

    run(play())


class CoyOnce(Coy):
    """Opens no share of the second set-up."""

    async def _tell(self, action: Action) -> None:
        second = shares_drawn(self) == 2
        await (super()._tell(action) if second else super(Coy, self)._tell(action))


@asynccontextmanager
async def coy_table(
    path: Path,
) -> AsyncIterator[tuple[RunningServer, TableClient, TableClient, TableClient]]:
    """Seat Ada, Ben who opens no share, and Cleo who opens none in the second set-up."""
    async with running_server(path, pool=Quick()) as home:
        made = await home.table(**SHORT)
        async with (
            home.guest(made) as ada,
            Coy(home.ws, made.table) as ben,
            CoyOnce(home.ws, made.table) as cleo,
        ):
            await ben.join("Ben")
            await cleo.join("Cleo")
            yield home, ada, ben, cleo


def shares_drawn(guest: TableClient) -> int:
    assert isinstance(guest.deal.store, MemoryShareStore)
    return len(guest.deal.store.shares)


def test_a_person_who_failed_a_set_up_gets_a_server_share(tmp_path: Path) -> None:
    async def play() -> None:
        async with coy_table(tmp_path) as (home, ada, ben, cleo):
            beginning = asyncio.create_task(begin(ada, ben, cleo))
            await time_is_up(home, ada, unopened(1))
            await time_is_up(home, ada, unopened(2))
            for guest in (ada, ben, cleo):
                await guest.until(lambda: guest.deal.must_ask)  # noqa: B023
                await guest.deal_again()
            await beginning
            assert ada.table is not None
            assert ada.table.dealing is not None
            assert ada.table.dealing.trusted == (True, False, False)
            assert shares_drawn(ada) == 3, "each of both spoiled one set-up"

    run(play())


async def spoiled_twice(
    home: RunningServer, ada: TableClient, ben: TableClient, cleo: TableClient
) -> None:
    """Let two set-ups fail, one because of Ben, one because of Cleo."""
    await ada.ask(lambda id: wire.Begin(id=id))
    await time_is_up(home, ada, unopened(1))
    await time_is_up(home, ada, unopened(2))
    for guest in (ada, ben, cleo):
        await guest.until(lambda: stage(guest) == "gathering" and guest.deal.must_ask)  # noqa: B023


def test_after_two_failed_set_ups_the_table_must_agree(tmp_path: Path) -> None:
    async def play() -> None:
        async with coy_table(tmp_path) as (home, ada, ben, cleo):
            assert await refused(ben.ask(lambda id: wire.DealAgain(id=id))) == (
                "nothing-to-agree-to"
            )
            await spoiled_twice(home, ada, ben, cleo)
            assert ada.table is not None
            assert (ada.table.aborts, ada.table.agreed, ada.table.dealing) == (2, (), None)
            await ada.begin()
            there = home.live_table(ada.table_id).table
            assert (there.stage, there.agreed) == ("gathering", {0}), (
                "they agree for themselves alone"
            )
            assert await refused(ada.begin()) == "not-all-agreed"
            await ben.deal_again()
            await ben.deal_again()
            await ada.until(lambda: ada.table is not None and ada.table.agreed == (0, 1))
            await cleo.deal_again()
            await ada.until(lambda: stage(ada) == "playing")
            assert (ada.table.aborts, ada.table.agreed) == (0, ())
            assert ada.table.dealing is not None
            assert ada.table.dealing.trusted == (True, False, False)

    run(play())


def test_a_set_up_does_not_wait_for_people_who_leave(tmp_path: Path) -> None:
    async def play() -> None:
        async with coy_table(tmp_path) as (home, ada, ben, cleo):
            await spoiled_twice(home, ada, ben, cleo)
            await ada.deal_again()
            await ben.deal_again()
            await cleo.ask(lambda id: wire.Leave(id=id))
            await ada.until(lambda: stage(ada) == "playing")

    run(play())


def table_after(*new_entries: log.Entries) -> TableState:
    """Ada and Ben and a bot, and what happened to them."""
    made = log.TableCreated(
        table="t",
        salt="",
        game="sticheln",
        seats=3,
        options=SETTING.options,
        settings=wire.Settings(),
    )
    people = [
        log.PersonJoined(person=name, name=name, token=name, seat=seat)
        for seat, name in enumerate(("ada", "ben"))
    ]
    return TableState.replay([made, *people, log.Seated(seat=2, level="easy"), *new_entries])


def failed(match: str, *seats: int) -> list[log.Entries]:
    """Return a set-up that failed because of these seats."""
    seeds = tuple("00" * 32 for _ in range(seeds_needed(SETTING)))
    shares = (None, None, "11" * 32)
    return [
        log.ShuffleStarted(match=match, server_seeds=seeds, shares=shares),
        log.SetUpFailed(seats=seats),
    ]


def test_the_next_set_up_waits_only_for_those_who_opened_their_shares() -> None:
    stored: list[log.Entries] = []

    async def store(decide: Callable[[], list[log.Entries]], *_: object) -> None:
        stored.extend(decide())

    live_table = SimpleNamespace(
        table=table_after(*failed("m1", 1)),
        lobby=SimpleNamespace(rng=RandomSource()),
        change_or_retry=store,
    )
    asyncio.run(ShareDeadline(cast(LiveTable, live_table))._set_up_again())
    (again,) = stored
    assert isinstance(again, log.ShuffleStarted)
    assert [share is None for share in again.shares] == [True, False, False]


def test_consent_holds_for_one_match_and_one_person() -> None:
    twice = [*failed("m1", 1), *failed("m2", 1)]
    agreed = [log.DealAgainAgreed(seat=0), log.DealAgainAgreed(seat=1)]
    assert not table_after(*twice).deals_again
    assert not table_after(*twice, agreed[0]).deals_again
    assert table_after(*twice, *agreed).deals_again
    assert table_after(*twice[:2]).deals_again, "after one it is dealt again without asking"
    gone = log.BotTookOver(seat=1)
    assert table_after(*twice, agreed[0], gone).deals_again
    assert not table_after(*twice, agreed[0], gone, log.PlayerReturned(seat=1)).deals_again
    assert not table_after(*twice, gone, log.BotTookOver(seat=0)).deals_again, "nobody has agreed"
    assert not table_after(*twice, *agreed, *failed("m3", 1)).deals_again, "each needs consent"
    other = log.TableChanged(
        settings=wire.Settings(), game="sticheln", seats=3, options={"rounds": 1}
    )
    assert not table_after(*twice, *agreed, other).deals_again, "another match than agreed on"
    moved: list[log.Entries] = [
        log.Seated(seat=1),
        log.PersonJoined(person="c", name="c", token="c", seat=1),
    ]
    table = table_after(*twice, *agreed, *moved)
    assert (table.not_agreed(), table.failed_to_open) == ((1,), ()), "who is new spoiled nothing"


def test_shares_out_of_turn_are_refused(tmp_path: Path) -> None:
    async def play() -> None:
        async with running_server(tmp_path, pool=Quick()) as home:
            ada, ben, _ = await with_two(home, Mute)
            await ada.ask(lambda id: wire.Begin(id=id))
            await ben.until(lambda: stage(ben) == "dealing")
            assert ben.table is not None
            match = ben.table.match or ""
            share = b"\7" * 32

            async def seal(seed: bytes, match: str = match) -> str:
                commit = client_commit(match, 1, seed).hex()
                return await refused(
                    ben.ask(lambda id: wire.Commit(id=id, match=match, commit=commit))
                )

            async def reveal(seed: bytes, match: str = match) -> str:
                return await refused(
                    ben.ask(lambda id: wire.Reveal(id=id, match=match, seed=seed.hex()))
                )

            assert await reveal(share) == "shares-missing"
            assert await seal(share, "another") == "no-such-set-up"
            assert await seal(share) == ""
            assert await seal(share) == "", "sent again"
            assert await seal(b"\1" * 32) == "share-sealed-already"
            assert await reveal(b"\1" * 32) == "share-not-as-sealed"
            assert await reveal(share) == ""
            await ada.until(lambda: stage(ada) == "playing")
            assert await reveal(share) == "", "sent again, though cards are dealt"
            assert await reveal(b"\1" * 32) == "share-not-as-sealed"
            assert await seal(share) == "no-such-set-up"
            for guest in (ada, ben):
                await guest.__aexit__()

    run(play())


def test_commits_are_bound_to_match_and_number() -> None:
    made = {
        server_commit(match, number, bytes([3]) * 32) for match in ("a", "b") for number in range(5)
    }
    assert len(made) == 10
