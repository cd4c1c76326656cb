"""Tables as people at them see them: a real server on loopback, programs as guests."""

import asyncio
from pathlib import Path

import msgspec
import pytest
from websockets.asyncio.client import connect

from stichwerk import record
from stichwerk.server import wire
from stichwerk.server.clients.table_client import TableClient
from stichwerk.server.storage.sqlite_store import SqliteStore
from stichwerk.server.storage.store import LogAppend, StorageError
from stichwerk.server.tables import live_table as live_tables
from tests.server.harness import (
    Quick,
    begin,
    first,
    refused,
    run,
    running_server,
    stage,
)
from tests.server.table_setup import GAMES, SHORT, MessageLog, _decoder, level, match_id, view

pytestmark = pytest.mark.slow  # with a real server, or thousands of cases


def place(guest: TableClient, seat: int) -> wire.Place:
    assert guest.table is not None
    return guest.table.places[seat]


async def here(guest: TableClient, received: MessageLog, *people: str | None) -> None:
    """Wait until just these are connected."""
    wanted = tuple(sorted(one for one in people if one))

    def present() -> bool:
        found = [one.here for one in received.messages if isinstance(one, wire.Presence)]
        return bool(found) and found[-1] == wanted

    await guest.until(present)


# -- Whole matches ---------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_people_and_bots_play_every_game_to_the_end(game: str, tmp_path: Path) -> None:
    async def play() -> None:
        seats, options = GAMES[game]
        people = ["Ada", "Ben", "Cleo"][: max(2, seats - 1)]
        async with (
            running_server(tmp_path, pool=Quick()) as home,
            home.party(people, game, seats, options=options) as guests,
        ):
            watcher = home.guest(guests[0].table_id)
            async with watcher:
                await begin(*guests)
                await asyncio.gather(*(guest.play_on(first) for guest in guests))
                await level(guests[0], watcher)
                assert view(watcher).ranking == view(guests[0]).ranking is not None
                content = (await home.get(f"/api/matches/{match_id(watcher)}")).content
        written = record.decode(content)
        assert record.verify(written).status == "holds"
        assert written.names[: len(people)] == tuple(people)
        assert len({*written.names}) == len(written.names), "bots have names of their own"
        assert {**written.options, **options} == written.options

    run(play())


def test_bots_from_the_pool_play_too(tmp_path: Path) -> None:
    async def play() -> None:
        async with running_server(tmp_path) as home:
            settings = wire.Settings(level="easy")
            async with home.party(["Ada"], settings=settings, **SHORT) as (ada,):
                await begin(ada)
                await ada.play_on(first)
                assert view(ada).names == ("Ada", "Ben", "Mia")
                assert [place(ada, seat).level for seat in (1, 2)] == ["easy", "easy"]

    run(play())


# -- Links -----------------------------------------------------------------------------------------


def test_a_personal_link_is_the_person_on_every_device(tmp_path: Path) -> None:
    async def play() -> None:
        async with (
            running_server(tmp_path, pool=Quick()) as home,
            home.party(["Ada", "Ben"], **SHORT) as (ada, ben),
        ):
            await begin(ada, ben)
            async with home.guest(ben.table_id, token=ben.token) as phone:
                assert (phone.person, phone.seat) == (ben.person, ben.seat)
                assert view(phone).hand == view(ben).hand != view(ada).hand
                assert view(phone).history, "the whole match so far"
                assert await refused(phone.join("Ben again")) == "taking-part-already"
            stranger = home.guest(ben.table_id, token="x" * 43)
            assert await refused(stranger.__aenter__()) == "bad-token"
            lost = home.guest("no-such-table", token=ben.token)
            assert await refused(lost.__aenter__()) == "no-such-table"

    run(play())


def test_one_person_can_be_at_several_tables(tmp_path: Path) -> None:
    async def play() -> None:
        async with running_server(tmp_path, pool=Quick()) as home:
            made = [await home.table(**SHORT) for _ in range(3)]
            assert len({one.token for one in made} | {one.table for one in made}) == 6
            guests = [home.guest(one) for one in made]
            async with guests[0], guests[1], guests[2]:
                for guest in guests:
                    await begin(guest)
                await asyncio.gather(*(guest.play_on(first) for guest in guests))
                assert len({match_id(guest) for guest in guests}) == 3
                elsewhere = home.guest(made[0].table, token=made[1].token)
                assert await refused(elsewhere.__aenter__()) == "bad-token"

    run(play())


def test_two_tabs_of_one_person_get_the_same_updates(tmp_path: Path) -> None:
    async def play() -> None:
        received = MessageLog()
        async with running_server(tmp_path, pool=Quick()) as home:
            made = await home.table(**SHORT)
            async with (
                home.guest(made) as left,
                home.guest(made.table, on_message=received) as watcher,
            ):
                async with home.guest(made) as right:
                    await begin(left, right)
                    move = view(left).moves[0]
                    await left.play(move)
                    await level(left, right)
                    assert msgspec.structs.replace(
                        view(left), history=()
                    ) == msgspec.structs.replace(view(right), history=())
                    await here(watcher, received, made.person)
                await watcher.ask(lambda id: wire.Ping(id=id))
                live_table = home.live_table(made.table)
                assert live_table.here() == {made.person}, "one tab is left"
                assert f"gone {made.person}" not in live_table.timers
            while live_table.here():  # the last goodbye is under way
                await asyncio.sleep(0.01)
            assert f"gone {made.person}" in live_table.timers or not live_table.clients

    run(play())


def test_joining_again_with_the_same_token_is_joining_once(tmp_path: Path) -> None:
    token = "t" * 43

    async def play() -> None:
        async with running_server(tmp_path, pool=Quick()) as home:
            made = await home.table(**SHORT)
            persons = []
            for _ in range(2):  # the first answer was lost with the connection
                async with home.guest(made.table) as ben:
                    answer = await ben.ask(lambda id: wire.Join(id=id, name="Ben", token=token))
                    assert isinstance(answer, wire.JoinDone)
                    assert answer.token == token
                    persons.append((answer.person, answer.seat))
            assert persons[0] == persons[1]
            assert len(home.live_table(made.table).table.people) == 2

    run(play())


# -- Seats -----------------------------------------------------------------------------------------


def test_a_bot_replaces_an_absent_person_until_they_return(tmp_path: Path) -> None:
    async def play() -> None:
        received = MessageLog()
        async with running_server(tmp_path, pool=Quick()) as home:
            made = await home.table(**SHORT)
            async with home.guest(made, on_message=received) as ada:
                async with home.guest(made.table) as ben:
                    await ben.join("Ben")
                    await begin(ada, ben)
                    token = ben.token
                await home.away_too_long(made.table, ben.person)
                await ada.until(lambda: place(ada, 1).level == "medium")
                assert place(ada, 1).person == ben.person, "the seat is still theirs"
                assert wire.Away(seat=1) in received.notes()
                await ada.play(view(ada).moves[0])
                await ada.until(lambda: len(view(ada).waiting_for) == 1)  # bots have chosen
                async with home.guest(made.table, token=token) as back:
                    assert (back.seat, place(back, 1)) == (1, wire.Place(person=ben.person, mark=1))
                    await level(back, ada)
                    assert wire.Back(seat=1) in received.notes()
                    await asyncio.gather(ada.play_on(first), back.play_on(first))
                    assert stage(back) == "over"

    run(play())


class Full(SqliteStore):
    """A store whose disk is full on demand."""

    full = False

    async def append(self, change: LogAppend) -> None:
        if self.full:
            raise StorageError("storage-full")
        await super().append(change)


def test_a_seat_is_not_given_back_to_someone_who_has_left_again(tmp_path: Path) -> None:
    async def play() -> None:
        store = Full(tmp_path / "stichwerk.db")
        async with running_server(tmp_path, pool=Quick(), store=store) as home:
            made = await home.table(**SHORT)
            async with home.guest(made) as ada:
                async with home.guest(made.table) as ben:
                    await ben.join("Ben")
                    await begin(ada, ben)
                    token = ben.token
                await home.away_too_long(made.table, ben.person)
                await ada.until(lambda: place(ada, 1).level == "medium")
                live_table = home.live_table(made.table)
                store.full = True
                async with home.guest(made.table, token=token) as back:
                    assert place(back, 1).level == "medium", "it cannot be stored now"
                    assert f"back {ben.person}" in live_table.timers
                while len(live_table.clients) > 1:
                    await asyncio.sleep(0.01)
                assert f"back {ben.person}" not in live_table.timers

    run(play())


def test_absent_people_are_not_waited_for_after_a_restart_or_rematch(tmp_path: Path) -> None:
    async def play() -> None:
        async with (
            running_server(tmp_path, pool=Quick()) as home,
            home.party(["Ada", "Ben"], **SHORT) as (ada, ben),
        ):
            await begin(ada, ben)
            table, token, ghost = ada.table_id, ada.token, ben.person
        async with (
            running_server(tmp_path, pool=Quick()) as home,
            home.guest(table, token=token) as ada,
        ):
            await home.away_too_long(table, ghost)
            await ada.until(lambda: place(ada, 1).level is not None)
            await ada.play_on(first)
            await asyncio.gather(begin(ada), home.time_is_up(table, "shares"))
            await home.away_too_long(table, ghost)
            await ada.play_on(first)

    run(play())


def test_a_person_who_leaves_is_replaced_for_good(tmp_path: Path) -> None:
    async def play() -> None:
        async with (
            running_server(tmp_path, pool=Quick()) as home,
            home.party(["Ada", "Ben", "Cleo"], **SHORT) as (ada, ben, cleo),
        ):
            await begin(ada, ben, cleo)
            await ben.ask(lambda id: wire.Leave(id=id))
            await ada.ask(lambda id: wire.FreeSeat(id=id, seat=2))
            await level(ada, ben, cleo)
            assert (ben.seat, cleo.seat) == (None, None)
            assert view(ben).seat is None
            assert view(ben).hand == view(cleo).hand == (), "a spectator's view"
            await ada.play_on(first)
            await level(ada, ben)
            assert await refused(ben.ask(lambda id: wire.Sit(id=id, seat=1))) == "seat-taken"
            await ada.ask(lambda id: wire.FreeSeat(id=id, seat=1))
            await ben.ask(lambda id: wire.Sit(id=id, seat=1))
            assert ben.seat == 1

    run(play())


# -- Spectators ------------------------------------------------------------------------------------


def test_spectators_see_public_information_only(tmp_path: Path) -> None:
    async def play() -> None:
        received = MessageLog()
        async with (
            running_server(tmp_path, pool=Quick()) as home,
            home.party(["Ada"], **SHORT) as (ada,),
            home.guest(ada.table_id, on_message=received) as watcher,
        ):
            assert await refused(watcher.ask(lambda id: wire.Leave(id=id))) == "not-taking-part"
            await begin(ada)
            await ada.play_on(first)
            await level(ada, watcher)
        assert all(one.seat is None and one.hand == one.moves == () for one in received.views())
        events = [event for step in received.steps() for event in step.events]
        assert {event.to for event in events} == {None}
        assert {"play", "trick", "chosen", "ended"} <= {event.kind for event in events}

    run(play())


# -- Talk ------------------------------------------------------------------------------------------


def test_chat_is_limited_and_reaches_all(tmp_path: Path) -> None:
    async def play() -> None:
        received = MessageLog()
        async with (
            running_server(tmp_path, pool=Quick()) as home,
            home.party(["Ada", "Ben"], **SHORT) as (ada, ben),
            home.guest(ada.table_id, on_message=received) as watcher,
        ):
            for number in range(live_tables.CHATS):
                await ben.ask(lambda id: wire.Chat(id=id, text=f"nr {number}"))  # noqa: B023
            talk = lambda id: wire.Chat(id=id, preset="thanks")  # noqa: E731
            assert await refused(ben.ask(talk)) == "said-too-much"
            home.clock.advance(live_tables.CHAT_SECONDS - 1)
            assert await refused(ben.ask(talk)) == "said-too-much"
            home.clock.advance(1)
            await ben.ask(talk)
            await ada.ask(talk)
            await ada.ask(lambda id: wire.Mute(id=id, person=ben.person or "", muted=True))
            await level(ada, watcher)
            ada.on_message = own = MessageLog()
            await ada._say(msgspec.json.encode(wire.Chat(id=99, text="x" * 281)))
            await ada.until(lambda: any(isinstance(one, wire.Refused) for one in own.messages))
            (refusal,) = [one for one in own.messages if isinstance(one, wire.Refused)]
            assert (refusal.id, refusal.error) == (99, "message-unreadable")
        said = [note for note in received.notes() if isinstance(note, wire.Said)]
        assert [one.text for one in said[:-2]] == [
            f"nr {number}" for number in range(live_tables.CHATS)
        ]
        thanks = [(one.person, "thanks") for one in (ben, ada)]
        assert [(one.person, one.preset) for one in said[-2:]] == thanks
        assert isinstance(received.notes()[-1], wire.Muted)

    run(play())


@pytest.mark.parametrize("lang", ["de", "en"])
def test_refusals_are_in_the_language_of_the_person(lang: str, tmp_path: Path) -> None:
    words = {"de": "Gerade ist nichts zu entscheiden.", "en": "There is nothing to decide now."}
    unreadable = {"de": "nicht zu verstehen", "en": "cannot be"}

    async def talk() -> list[wire.FromServer]:
        async with running_server(tmp_path, pool=Quick()) as home:
            made = await home.table(**SHORT)
            async with home.guest(made) as ada:
                await begin(ada)
                match = match_id(ada)
            async with connect(home.ws) as socket:
                hello = {"type": "hello", "version": 1, "table": made.table, "token": made.token}
                consent = {"type": "consent", "id": 7, "match": match, "agree": True}
                for message in ({**hello, "lang": lang}, consent, {"type": "nonsense"}):
                    await socket.send(msgspec.json.encode(message).decode())
                received = []
                async for raw in socket:
                    received.append(_decoder.decode(raw))
                    if len([one for one in received if isinstance(one, wire.Refused)]) == 2:
                        return received
        return []

    first_one, second = [one for one in run(talk()) if isinstance(one, wire.Refused)]
    assert (first_one.id, first_one.error) == (7, "nothing-to-agree-to")
    assert (second.id, second.error) == (None, "message-unreadable")
    other = words["en" if lang == "de" else "de"]
    assert first_one.text != other
    if lang == "de":
        assert first_one.text == words["de"]
        assert unreadable["de"] in second.text
