"""Private tables, hosts, and people who have to leave: a real server on loopback."""

import asyncio
from pathlib import Path
from typing import Any

import msgspec
import pytest

from stichwerk.server import wire
from stichwerk.server.clients.table_client import RequestRefusedError, TableClient
from stichwerk.server.network.limits import Limits
from stichwerk.server.storage.store import LogAppend
from stichwerk.server.tables import live_table as live_tables
from stichwerk.server.tables import log_entries as log
from stichwerk.server.tables import requests
from stichwerk.server.tables import table_state as tables
from tests.server.harness import (
    GENEROUS,
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
from tests.server.table_setup import MessageLog, level, match_id, view
from tests.server.test_tables import place

pytestmark = pytest.mark.slow  # with a real server

SHORT: dict[str, Any] = {"game": "sticheln", "seats": 3, "options": {"rounds": 1}}
PRIVATE = wire.Settings(watch="none")


def raw(received: MessageLog) -> bytes:
    """Return all received messages."""
    return msgspec.json.encode(received.messages)


async def host_is(guest: TableClient, person: str | None) -> None:
    await guest.until(lambda: guest.table is not None and guest.table.host == person)


async def first_message(guest: TableClient, received: MessageLog, kind: type[wire.Outgoing]) -> Any:
    """Return the first message of this kind."""

    def found() -> list[wire.FromServer]:
        return [one for one in received.messages if isinstance(one, kind)]

    await guest.until(lambda: bool(found()))
    return found()[0]


def last_table(received: MessageLog) -> wire.Table:
    tables = [one.table for one in received.messages if isinstance(one, wire.Welcome | wire.Update)]
    return next(one for one in reversed(tables) if one is not None)


# -- A private table -------------------------------------------------------------------------------


def test_a_private_table_hides_match_and_chat_from_outsiders(tmp_path: Path) -> None:
    async def play() -> None:
        logs = [MessageLog(), MessageLog(), MessageLog()]
        async with (
            running_server(tmp_path, pool=Quick()) as home,
            home.party(["Ada", "Ben"], settings=PRIVATE, **SHORT) as (ada, ben),
            home.guest(ada.table_id, on_message=logs[0]) as stranger,
            home.guest(ada.table_id, on_message=logs[1]) as cleo,
        ):
            await ada.ask(lambda id: wire.Chat(id=id, text="old secret"))
            await cleo.join("Cleo")
            await cleo.ask(lambda id: wire.Leave(id=id))
            logs[1].messages.clear()
            talk = cleo.ask(lambda id: wire.Chat(id=id, text="hello?"))
            assert await refused(talk) == "no-seat-of-your-own"
            await ada.ask(lambda id: wire.Chat(id=id, text="new secret"))
            await begin(ada, ben)
            match = match_id(ada)
            await asyncio.gather(*(one.play_on(first) for one in (ada, ben)))
            look = cleo.ask(lambda id: wire.Look(id=id, match=match))
            assert await refused(look) == "not-to-be-watched"
            await stranger.until(lambda: stage(stranger) == "over")
            await cleo.until(lambda: stage(cleo) == "over")
            async with home.guest(ada.table_id, on_message=logs[2]):
                pass
        for received in logs:
            assert b"secret" not in raw(received)
            assert match.encode() not in raw(received)
            assert received.views() == []
            assert received.steps() == []
            assert not any(isinstance(one, wire.Presence) for one in received.messages)
            updates = [one for one in received.messages if isinstance(one, wire.Update)]
            assert len(updates) <= 6, "when moves are made is private, too"
            assert all(one.table is not None and one.seq == 0 for one in updates)
            table = last_table(received)
            assert (table.match, table.dealing) == (None, None)
            assert {one.name for one in table.people} == {"Ada", "Ben"}

    run(play())


@pytest.mark.parametrize(("watch", "watching"), [("all", 1), ("none", 0)])
def test_a_stranger_counts_as_onlooker_only_where_watching_is_allowed(
    watch: wire.Watchers, watching: int, tmp_path: Path
) -> None:
    async def play() -> None:
        received = MessageLog()
        async with running_server(tmp_path, pool=Quick()) as home:
            made = await home.table(settings=wire.Settings(watch=watch), **SHORT)
            async with home.guest(made, on_message=received) as ada, home.guest(made.table):
                await ada.ask(lambda id: wire.Ping(id=id))
                counts = [
                    one.watching for one in received.messages if isinstance(one, wire.Presence)
                ]
                assert counts[-1] == watching

    run(play())


def test_taking_or_losing_a_private_seat_starts_a_fresh_view(tmp_path: Path) -> None:
    async def play() -> None:
        received = MessageLog()
        async with (
            running_server(tmp_path, pool=Quick()) as home,
            home.party(["Ada"], settings=PRIVATE, **SHORT) as (ada,),
            home.guest(ada.table_id, on_message=received) as ben,
        ):
            await ben.join("Ben")
            await ada.ask(lambda id: wire.Chat(id=id, text="for seats"))
            await level(ada, ben)
            await ben.ask(lambda id: wire.Leave(id=id))
            outside = [one for one in received.messages if isinstance(one, wire.Welcome)][-1]
            assert (outside.seq, outside.seat, outside.fresh, outside.steps) == (0, None, True, ())
            await ada.ask(lambda id: wire.Chat(id=id, text="not for Ben"))
            await ben.ask(lambda id: wire.Sit(id=id, seat=2))
            inside = [one for one in received.messages if isinstance(one, wire.Welcome)][-1]
            assert (inside.seat, inside.fresh) == (2, True)
            said = [one.text for one in received.notes() if isinstance(one, wire.Said)]
            assert said == ["for seats"], "what was said while they had a seat"
            ben.seq = None
            await ada.ask(lambda id: wire.Chat(id=id, text="again for seats"))
            await level(ada, ben)
        assert b"not for Ben" not in raw(received)

    run(play())


def test_onlookers_become_outsiders_once_the_table_is_private(tmp_path: Path) -> None:
    async def play() -> None:
        received = MessageLog()
        async with (
            running_server(tmp_path, pool=Quick()) as home,
            home.party(["Ada"], **SHORT) as (ada,),
            home.guest(ada.table_id, on_message=received) as stranger,
        ):
            await begin(ada)
            await ada.play_on(first)
            await level(ada, stranger)
            assert view(stranger).ranking is not None
            await ada.ask(lambda id: wire.Change(id=id, settings=PRIVATE))
            await stranger.until(lambda: stranger.seq == 0)
            assert (stranger.view, last_table(received).match) == (None, None)
            received.messages.clear()
            await begin(ada)
            await ada.play_on(first)
            await stranger.until(lambda: stage(stranger) == "over")
            assert received.steps() == []
            assert match_id(ada).encode() not in raw(received)

    run(play())


def test_the_next_person_in_a_seat_learns_nothing_of_earlier_matches(tmp_path: Path) -> None:
    async def play() -> None:
        for settings in (wire.Settings(), PRIVATE):
            received = MessageLog()
            async with (
                running_server(tmp_path, pool=Quick()) as home,
                home.party(["Ada", "Ben"], settings=settings, **SHORT) as (ada, ben),
            ):
                await ada.ask(lambda id: wire.Chat(id=id, text="between us"))
                await begin(ada, ben)
                await asyncio.gather(*(one.play_on(first) for one in (ada, ben)))
                match = match_id(ada)
                await ben.ask(lambda id: wire.Leave(id=id))
                async with home.guest(ada.table_id, on_message=received) as successor:
                    await successor.join("Dora")
                    assert successor.seat == 1
                    events = [event for one in received.views() for event in one.history]
                    events += [event for step in received.steps() for event in step.events]
                    assert all(event.to is None for event in events)
                    if settings is PRIVATE:
                        assert events == []
                        assert match.encode() not in raw(received)
                        assert b"between us" not in raw(received)
                    await begin(ada, successor)  # the next match is hers as well
                    assert view(successor).hand
                    await asyncio.gather(*(one.play_on(first) for one in (ada, successor)))

    run(play())


# -- Nobody plays on for a stranger ----------------------------------------------------------------


@pytest.mark.parametrize("watch", ["none", "all"])
def test_visitors_do_not_resume_a_paused_match(watch: wire.Watchers, tmp_path: Path) -> None:
    async def play() -> None:
        settings = wire.Settings(watch=watch, clock=30)
        async with running_server(tmp_path, pool=Quick()) as home:
            made = await home.table(settings=settings, **SHORT)
            async with home.guest(made) as ada:
                await begin(ada)
            live_table = home.live_table(made.table)
            await home.away_too_long(made.table, made.person)
            await until(lambda: live_table.table.places[0].level is not None, "a bot for Ada")
            await until(lambda: not live_table.tasks, "peace")
            before = live_table.table.seq
            async with home.guest(made.table) as stranger:
                await stranger.ask(lambda id: wire.Ping(id=id))
                if watch == "all":
                    await stranger.join("Mallory")
                    before += 1
                await stranger.ask(lambda id: wire.Ping(id=id))
                assert live_table.bot_turns.thinking == {}
                assert not {"clock", "shares", "host"} & set(live_table.timers)
                home.clock.advance(86400)
                await until(lambda: not live_table.tasks, "peace")
                assert live_table.table.seq == before
                async with home.guest(made) as ada:
                    await ada.play_on(first)

    run(play())


def test_a_stranger_cannot_end_a_shuffle(tmp_path: Path) -> None:
    async def play() -> None:
        async with running_server(tmp_path, pool=Quick()) as home:
            made = await home.table(settings=PRIVATE, **SHORT)
            stored: list[log.Entries] = [log.Seated(seat=at, level="easy") for at in (1, 2)]
            live_table = home.live_table(made.table)
            table, epoch = live_table.table, live_table.epoch
            set_up = requests.set_up(table, home.lobby.rng, turn=False)
            entries = tuple(log.encode(one) for one in [*stored, set_up])
            await home.lobby.store.append(
                LogAppend(table=made.table, first=table.seq + 1, entries=entries, at=1, epoch=epoch)
            )
            home.lobby.live_tables.pop(made.table).close()
            async with home.guest(made.table):
                live_table = home.live_table(made.table)
                assert stage_of(live_table) == "dealing"
                assert live_table.timers == {}
                async with home.guest(made) as ada:
                    await ada.until(lambda: stage(ada) == "playing")

    run(play())


def stage_of(live_table: live_tables.LiveTable) -> str:
    return live_table.table.stage


def test_bots_play_on_for_spectators_of_an_open_table(tmp_path: Path) -> None:
    async def play() -> None:
        async with (
            running_server(tmp_path, pool=Quick()) as home,
            home.party(["Ada"], **SHORT) as (ada,),
            home.guest(ada.table_id) as stranger,
        ):
            await begin(ada)
            await ada.ask(lambda id: wire.Leave(id=id))
            await stranger.until(lambda: stage(stranger) == "over")

    run(play())


# -- Hosts -----------------------------------------------------------------------------------------


def test_a_seated_person_stands_in_for_an_absent_host(
    tmp_path: Path,
) -> None:
    async def play() -> None:
        received = MessageLog()
        async with running_server(tmp_path, pool=Quick()) as home:
            made = await home.table(bots={"2": "easy"}, **SHORT)
            async with home.guest(made) as ada, home.guest(made.table) as first_one:
                await first_one.join("Mallory")
                await first_one.ask(lambda id: wire.Leave(id=id))
                async with home.guest(made.table, on_message=received) as ben:
                    await ben.join("Ben")
                    await close(ada, home, made)
                    live_table = home.live_table(made.table)
                    home.clock.advance(live_table.limits.host_seconds - 1)
                    await ben.ask(lambda id: wire.Chat(id=id, preset="hello"))
                    assert live_table.table.host == made.person, "not yet"
                    await home.time_is_up(made.table, "host")
                    await host_is(ben, ben.person)
                    assert wire.Hosts(person=ben.person or "") in received.notes()
                    away = ben.ask(lambda id: wire.FreeSeat(id=id, seat=0))
                    assert await refused(away) == "not-the-owner"
                    async with home.guest(made) as ada:
                        await host_is(ben, made.person)
                        begin_ = ben.ask(lambda id: wire.Begin(id=id))
                        assert await refused(begin_) == "only-the-host"
                        await begin(ada, ben)

    run(play())


async def close(guest: TableClient, home: RunningServer, made: wire.TableMade) -> None:
    """Disconnect a client, and wait until the server has noticed."""
    await guest.__aexit__()
    live_table = home.live_table(made.table)
    await until(lambda: made.person not in live_table.here(), "the end of a connection")


def test_the_owner_is_the_host_again_after_joining_with_the_old_token(tmp_path: Path) -> None:
    async def play() -> None:
        async with running_server(tmp_path, pool=Quick()) as home:
            made = await home.table(**SHORT)
            live_table = home.live_table(made.table)
            async with home.guest(made.table) as ben, home.guest(made.table) as ada:
                await ben.join("Ben")
                await live_table.change(lambda: [log.HostPassed(person=ben.person or "")])
                assert live_table.table.host == ben.person
                join = wire.Join(id=99, name="Ada", token=made.token)
                await ada.ask(lambda id: msgspec.structs.replace(join, id=id))
                assert live_table.table.host == made.person

    run(play())


def test_an_onlooker_never_gets_the_rights_of_the_host(tmp_path: Path) -> None:
    async def play() -> None:
        async with running_server(tmp_path, pool=Quick()) as home:
            made = await home.table(bots={"1": "easy", "2": "easy"}, **SHORT)
            async with home.guest(made.table) as mallory:
                await mallory.join("Mallory")
                async with home.guest(made) as ada:
                    await close(ada, home, made)
                live_table = home.live_table(made.table)
                assert "host" not in live_table.timers
                home.clock.advance(86400)
                await mallory.ask(lambda id: wire.Ping(id=id))
                assert live_table.table.host == made.person
                begin_ = mallory.ask(lambda id: wire.Begin(id=id))
                assert await refused(begin_) == "only-the-host"

    run(play())


def test_a_table_is_handed_over_and_stays_with_the_new_owner(tmp_path: Path) -> None:
    async def play() -> None:
        async with (
            running_server(tmp_path, pool=Quick()) as home,
            home.party(["Ada", "Ben"], **SHORT) as (ada, ben),
        ):
            await ada.ask(lambda id: wire.HandOver(id=id, person=ben.person or ""))
            await host_is(ben, ben.person)
            async with home.guest(ada.table_id, token=ada.token) as again:
                assert again.table is not None
                assert (again.table.host, again.table.owner) == (ben.person, ben.person)
            assert await refused(ada.ask(lambda id: wire.Begin(id=id))) == "only-the-host"
            await begin(ben, ada)

    run(play())


def test_a_removed_person_is_notified_and_disconnected(tmp_path: Path) -> None:
    async def play() -> None:
        received = MessageLog()
        async with (
            running_server(tmp_path, pool=Quick()) as home,
            home.party(["Ada"], **SHORT) as (ada,),
        ):
            table = ada.table_id
            eve = home.guest(table, on_message=received)
            async with eve:
                await eve.join("Eve")
                person, token = eve.person or "", eve.token
                await begin(ada, eve)
                await ada.ask(lambda id: wire.Remove(id=id, person=person, block=True))
                with pytest.raises(RequestRefusedError) as caught:
                    await eve.until(lambda: False)
                assert caught.value.id == "removed"
            bye = received.messages[-1]
            assert isinstance(bye, wire.Bye)
            assert (bye.error, bye.text) == ("removed", "You were removed from the table.")
            assert place(ada, 1) == wire.Place(level="medium", mark=1), "a bot plays on"
            assert await refused(home.guest(table, token=token).__aenter__()) == "bad-token"
            await ada.play_on(first)
            async with home.guest(table) as again:
                assert await refused(again.join("Eve")) == "blocked-here"
                async with home.guest(table, local_address="127.0.0.2") as friend:
                    await friend.join("Finn")
                await ada.ask(lambda id: wire.Unblock(id=id, person=person))
                await again.join("Eve")
            stored = await home.lobby.store.read(table)
            assert not any(b"127.0.0" in one for one in stored), "no address is stored"

    run(play())


# -- Limits ----------------------------------------------------------------------------------------


def test_joins_of_one_address_do_not_lock_a_table(tmp_path: Path) -> None:
    async def play() -> None:
        limits = msgspec.structs.replace(GENEROUS, joins=70)
        async with running_server(tmp_path, pool=Quick(), limits=limits) as home:
            made = await home.table(**SHORT)
            for number in range(70):
                async with home.guest(made.table) as one:
                    await one.join(f"N{number}")
            people = home.live_table(made.table).table.people
            assert len(people) <= 3 + limits.beside_per_address
            async with home.guest(made.table) as one:
                assert await refused(one.join("N70")) == "too-many-joins"
            async with home.guest(made.table, local_address="127.0.0.2") as friend:
                await friend.join("Ben")
            home.clock.advance(limits.join_seconds)
            async with home.guest(made.table) as one:
                await one.join("N70")

    run(play())


def test_changes_are_limited_by_person_and_by_address(tmp_path: Path) -> None:
    async def play() -> None:
        limits = msgspec.structs.replace(GENEROUS, changes=5, address_changes=8)
        async with (
            running_server(tmp_path, pool=Quick(), limits=limits) as home,
            home.party(["Ada", "Ben"], **SHORT) as (ada, ben),
        ):

            async def rename(guest: TableClient, name: str) -> str:
                return await refused(guest.ask(lambda id: wire.Rename(id=id, name=name)))

            async def renamed(guest: TableClient, count: int) -> list[str]:
                return [await rename(guest, f"X{guest.seat}{at}") for at in range(count)]

            assert await renamed(ada, 6) == [*[""] * 5, "too-many-changes"]
            assert await renamed(ben, 4) == [*[""] * 3, "too-many-changes"]
            home.clock.advance(limits.change_seconds)
            await begin(ada, ben)
            await asyncio.gather(*(one.play_on(first) for one in (ada, ben)))  # moves are free

    run(play())


def test_the_welcome_of_a_long_table_is_bounded(tmp_path: Path) -> None:
    async def play() -> None:
        async with running_server(tmp_path, pool=Quick(), limits=Limits()) as home:
            made = await home.table(**SHORT)
            talk = log.encode(log.ChatSent(person=made.person, text="\U0001f600" * 280))
            live_table = home.live_table(made.table)
            number, epoch = live_table.table.seq, live_table.epoch
            change = LogAppend(
                table=made.table, first=number + 1, entries=(talk,) * 9000, at=1, epoch=epoch
            )
            await home.lobby.store.append(change)
            home.lobby.live_tables.pop(made.table).close()
            for since in (None, 1, number, number + 9000 - tables.MOST_TOLD, number + 8990):
                received = MessageLog()
                guest = home.guest(made, on_message=received)
                guest.seq = since
                async with guest:
                    welcome = await first_message(guest, received, wire.Welcome)
                size = len(msgspec.json.encode(welcome))
                assert size < live_tables.MOST_BYTES + 10_000
                assert welcome.fresh == (since != number + 8990)
                assert welcome.steps[-1].seq == welcome.seq
                assert len(home.live_table(made.table).table.steps) <= 2 * tables.MOST_STEPS

    run(play())


def test_a_private_match_stays_private_when_the_table_is_opened(tmp_path: Path) -> None:
    async def play() -> None:
        logs = [MessageLog(), MessageLog()]
        async with (
            running_server(tmp_path, pool=Quick()) as home,
            home.party(["Ada"], settings=PRIVATE, **SHORT) as (ada,),
            home.guest(ada.table_id, on_message=logs[0]) as stranger,
        ):
            await ada.ask(lambda id: wire.Chat(id=id, text="between us"))
            await begin(ada)
            await ada.play_on(first)
            match = match_id(ada)
            await ada.ask(lambda id: wire.Change(id=id, settings=wire.Settings()))
            await stranger.until(lambda: stranger.seq != 0)
            listed = await home.get(f"/api/matches?table={ada.table_id}")
            assert listed.json()["matches"] == []
            async with home.guest(ada.table_id, on_message=logs[1]) as late:
                look = late.ask(lambda id: wire.Look(id=id, match=match))
                assert await refused(look) == "not-to-be-watched"
            for received in logs:
                assert received.views() == []
                assert match.encode() not in raw(received)
                assert b"between us" not in raw(received)
            await begin(ada)
            await ada.play_on(first)
            await level(ada, stranger)
            assert view(stranger).ranking is not None, "the next one is open"
            listed = await home.get(f"/api/matches?table={ada.table_id}")
            assert [one["match"] for one in listed.json()["matches"]] == [match_id(ada)]

    run(play())
