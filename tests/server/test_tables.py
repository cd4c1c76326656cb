"""Tables as people at them see them: a real server on loopback, programs as guests."""

import asyncio
import random
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import pytest
from websockets.asyncio.client import connect

from stichwerk import record
from stichwerk.engine.events import Event
from stichwerk.games.options import Value
from stichwerk.server import wire
from stichwerk.server.bots.bot_pool import NO_REQUESTER, BotAdvice, BotMove
from stichwerk.server.bots.fair_queue import Path as Turn
from stichwerk.server.clients.table_client import TableClient
from stichwerk.server.storage.sqlite_store import SqliteStore
from stichwerk.server.storage.store import LogAppend, StorageError
from stichwerk.server.tables import live_table as live_tables
from stichwerk.server.tables import lobby as halls
from stichwerk.server.tables import log_entries as log
from stichwerk.server.tables.bot_turns import seed_of
from stichwerk.server.tables.table_state import TableState
from stichwerk.view import View
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
from tests.server.manual_clock import BEGIN

pytestmark = pytest.mark.slow  # with a real server, or thousands of cases

GAMES: dict[str, tuple[int, dict[str, Value]]] = {
    "sticheln": (4, {"rounds": 2}),
    "null-nichtig": (3, {"target": 40}),
    "stichling": (2, {}),
    "stichtag": (4, {"date": "08-12"}),
}
SHORT: dict[str, Any] = {"game": "sticheln", "seats": 3, "options": {"rounds": 1}}

_decoder: msgspec.json.Decoder[wire.FromServer] = msgspec.json.Decoder(wire.FromServer)


class Held(Quick):
    """Bots that think until they are let go."""

    def __init__(self) -> None:
        super().__init__()
        self.go = asyncio.Event()
        self.asked = 0

    async def move(
        self, bot: str, seed: int, view: View, requester: Turn = NO_REQUESTER
    ) -> BotMove:
        self.asked += 1
        await self.go.wait()
        return await super().move(bot, seed, view)


class Ear:
    """Everything a client has received, and the resulting state by number."""

    def __init__(self) -> None:
        self.messages: list[wire.FromServer] = []

    def __call__(self, message: wire.FromServer) -> None:
        self.messages.append(message)

    def steps(self) -> list[wire.Step]:
        found: list[wire.Step] = []
        for message in self.messages:
            if isinstance(message, wire.Welcome) and message.fresh:
                found = []
            if isinstance(message, wire.Welcome | wire.Update):
                found += message.steps
        return found

    def notes(self) -> list[wire.Notes]:
        return [note for step in self.steps() for note in step.notes]

    def views(self) -> list[View]:
        updates = [one for one in self.messages if isinstance(one, wire.Welcome | wire.Update)]
        return [one.view for one in updates if one.view is not None]


async def level(*guests: TableClient) -> None:
    """All have heard what the first has."""
    seq = guests[0].seq or 0
    for guest in guests:
        await guest.until(lambda: (guest.seq or 0) >= seq)  # noqa: B023


async def reached(guest: TableClient, seq: int) -> None:
    """Wait until a client has received this step, or the last one."""
    await guest.until(lambda: (guest.seq or 0) >= seq or stage(guest) == "over")


def place(guest: TableClient, seat: int) -> wire.Place:
    assert guest.table is not None
    return guest.table.places[seat]


def match_id(guest: TableClient) -> str:
    assert guest.table is not None
    assert guest.table.match is not None
    return guest.table.match


def view(guest: TableClient) -> View:
    assert guest.view is not None
    return guest.view


async def cut(guest: TableClient) -> None:
    """The connection breaks, without a goodbye."""
    socket = guest._socket
    if socket is not None:
        socket.transport.abort()
        await socket.wait_closed()


async def here(guest: TableClient, ear: Ear, *people: str | None) -> None:
    """Wait until just these are connected."""
    wanted = tuple(sorted(one for one in people if one))

    def present() -> bool:
        found = [one.here for one in ear.messages if isinstance(one, wire.Presence)]
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
        ear = Ear()
        async with running_server(tmp_path, pool=Quick()) as home:
            made = await home.table(**SHORT)
            async with home.guest(made) as left, home.guest(made.table, on_message=ear) as watcher:
                async with home.guest(made) as right:
                    await begin(left, right)
                    move = view(left).moves[0]
                    await left.play(move)
                    await level(left, right)
                    assert msgspec.structs.replace(
                        view(left), history=()
                    ) == msgspec.structs.replace(view(right), history=())
                    await here(watcher, ear, made.person)
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
        ear = Ear()
        async with running_server(tmp_path, pool=Quick()) as home:
            made = await home.table(**SHORT)
            async with home.guest(made, on_message=ear) as ada:
                async with home.guest(made.table) as ben:
                    await ben.join("Ben")
                    await begin(ada, ben)
                    token = ben.token
                await home.away_too_long(made.table, ben.person)
                await ada.until(lambda: place(ada, 1).level == "medium")
                assert place(ada, 1).person == ben.person, "the seat is still theirs"
                assert wire.Away(seat=1) in ear.notes()
                await ada.play(view(ada).moves[0])
                await ada.until(lambda: len(view(ada).waiting_for) == 1)  # bots have chosen
                async with home.guest(made.table, token=token) as back:
                    assert (back.seat, place(back, 1)) == (1, wire.Place(person=ben.person))
                    await level(back, ada)
                    assert wire.Back(seat=1) in ear.notes()
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
        ear = Ear()
        async with (
            running_server(tmp_path, pool=Quick()) as home,
            home.party(["Ada"], **SHORT) as (ada,),
            home.guest(ada.table_id, on_message=ear) as watcher,
        ):
            assert await refused(watcher.ask(lambda id: wire.Leave(id=id))) == "not-taking-part"
            await begin(ada)
            await ada.play_on(first)
            await level(ada, watcher)
        assert all(one.seat is None and one.hand == one.moves == () for one in ear.views())
        events = [event for step in ear.steps() for event in step.events]
        assert {event.to for event in events} == {None}
        assert {"play", "trick", "chosen", "ended"} <= {event.kind for event in events}

    run(play())


# -- Talk ------------------------------------------------------------------------------------------


def test_chat_is_limited_and_reaches_all(tmp_path: Path) -> None:
    async def play() -> None:
        ear = Ear()
        async with (
            running_server(tmp_path, pool=Quick()) as home,
            home.party(["Ada", "Ben"], **SHORT) as (ada, ben),
            home.guest(ada.table_id, on_message=ear) as watcher,
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
            ada.on_message = own = Ear()
            await ada._say(msgspec.json.encode(wire.Chat(id=99, text="x" * 281)))
            await ada.until(lambda: any(isinstance(one, wire.Refused) for one in own.messages))
            (refusal,) = [one for one in own.messages if isinstance(one, wire.Refused)]
            assert (refusal.id, refusal.error) == (99, "message-unreadable")
        said = [note for note in ear.notes() if isinstance(note, wire.Said)]
        assert [one.text for one in said[:-2]] == [
            f"nr {number}" for number in range(live_tables.CHATS)
        ]
        thanks = [(one.person, "thanks") for one in (ben, ada)]
        assert [(one.person, one.preset) for one in said[-2:]] == thanks
        assert isinstance(ear.notes()[-1], wire.Muted)

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
                heard = []
                async for raw in socket:
                    heard.append(_decoder.decode(raw))
                    if len([one for one in heard if isinstance(one, wire.Refused)]) == 2:
                        return heard
        return []

    first_one, second = [one for one in run(talk()) if isinstance(one, wire.Refused)]
    assert (first_one.id, first_one.error) == (7, "nothing-to-agree-to")
    assert (second.id, second.error) == (None, "message-unreadable")
    other = words["en" if lang == "de" else "de"]
    assert first_one.text != other
    if lang == "de":
        assert first_one.text == words["de"]
        assert unreadable["de"] in second.text


# -- Taking back, over the wire --------------------------------------------------------------------


def test_a_take_back_by_consent_voids_events(tmp_path: Path) -> None:
    async def play() -> None:
        ears = [Ear(), Ear(), Ear()]
        async with running_server(tmp_path, pool=Quick()) as home:
            made = await home.table(**SHORT)
            async with (
                home.guest(made, on_message=ears[0]) as ada,
                home.guest(made.table, on_message=ears[1]) as ben,
                home.guest(made.table, on_message=ears[2]) as cleo,
            ):
                await ben.join("Ben")
                await cleo.join("Cleo")
                guests = [ada, ben, cleo]
                await begin(*guests)
                await ben.play(view(ben).moves[0])
                await ben.ask(lambda id: wire.TakeBack(id=id, match=match_id(ben)))
                for other in (ada, cleo):
                    await other.ask(lambda id: wire.Consent(id=id, match=match_id(ada), agree=True))
                await level(cleo, ben, ada)
                assert 1 in view(ada).waiting_for
                await asyncio.gather(*(guest.play_on(first) for guest in guests))
                for guest, ear in zip(guests, ears, strict=True):
                    assert surviving(ear) == await seen(home, guest)

    run(play())


def surviving(ear: Ear) -> list[Event]:
    """Return the events of the match as a client keeps them, void ones dropped."""
    kept: list[Event] = []
    for step in ear.steps():
        for note in step.notes:
            if isinstance(note, wire.TookBack):
                assert note.events
                del kept[-note.events :]
        kept += step.events
    return kept


async def seen(home: RunningServer, guest: TableClient) -> list[Event]:
    """Return the history that the server has for a client."""
    found = home.live_table(guest.table_id).table.view(guest.seat)
    assert found is not None
    return list(found.history)


def test_bots_wait_for_take_backs_and_forget_the_move(tmp_path: Path) -> None:
    """A bot that thinks about a card which is taken back must not answer it."""

    async def play() -> None:
        held = Held()
        async with running_server(tmp_path, pool=held) as home:
            request = {**SHORT, "options": {"rounds": 1, "starter": 0}}
            async with home.party(["Ada"], **request) as (ada,):
                held.go.set()
                await begin(ada)
                await ada.play(view(ada).moves[0])
                await ada.until(lambda: view(ada).phase == "play" and bool(view(ada).moves))
                held.go.clear()
                ply, (one, other, *_) = ada.ply, view(ada).moves
                asked = held.asked
                await ada.play(one)
                assert held.asked == asked + 1, "a bot thinks already"
                await ada.ask(lambda id: wire.TakeBack(id=id, match=match_id(ada)))
                assert view(ada).moves[0] == one
                assert ada.ply == ply + 1
                held.go.set()
                await ada.play(other)
                await ada.play_on(first)
                live_table = home.live_table(ada.table_id)
                assert not live_table.unsure
                stored = log.decode_all(await home.lobby.store.read(ada.table_id))
        assert TableState.replay(stored).describe() == live_table.table.describe()

    run(play())


def test_an_unanswered_take_back_request_expires(tmp_path: Path) -> None:
    async def play() -> None:
        ear = Ear()
        async with (
            running_server(tmp_path, pool=Quick()) as home,
            home.party(["Ada", "Ben"], **SHORT) as (ada, ben),
        ):
            ben.on_message = ear
            held = Held()
            home.lobby.pool = held
            await begin(ada, ben)
            await ada.play(view(ada).moves[0])
            await ada.ask(lambda id: wire.TakeBack(id=id, match=match_id(ada)))
            await home.time_is_up(ada.table_id, "answer")
            await ben.until(lambda: wire.Declined(seat=1) in ear.notes())
            assert ben.table is not None
            assert ben.table.ask is None
            held.go.set()
            await asyncio.gather(ada.play_on(first), ben.play_on(first))

    run(play())


# -- Rematch ---------------------------------------------------------------------------------------


def test_a_rematch_rotates_seats_without_leaking_cards(tmp_path: Path) -> None:
    async def play() -> None:
        ear = Ear()
        async with (
            running_server(tmp_path, pool=Quick()) as home,
            home.party(["Ada", "Ben"], **SHORT) as (ada, ben),
        ):
            await begin(ada, ben)
            before = match_id(ada)
            await asyncio.gather(ada.play_on(first), ben.play_on(first))
            await level(ada, ben)
            assert (ada.seat, ben.seat) == (0, 1)
            ben.on_message = ear
            await begin(ada, ben)
            assert (ada.seat, ben.seat) == (1, 2)
            assert match_id(ada) != before
            async with home.guest(ada.table_id, token=ada.token, on_message=ear) as again:
                assert view(again).seat == 1
                kinds = [event.kind for event in view(again).history]
                assert (kinds.count("round"), kinds.count("hand")) == (1, 1)
            for step in ear.steps():
                assert all(event.to in (None, (1,), (2,)) for event in step.events)
            missed = Ear()
            late = home.guest(ada.table_id, token=ada.token, on_message=missed)
            late.seq = 5  # of the first match, in which Ada had another seat
            async with late:
                await late.until(lambda: late.view is not None)
            events = [event for step in missed.steps() for event in step.events]
            private = [event.to for event in events if event.to is not None]
            assert set(private) == {(0,), (1,)}
            assert private == sorted(private), "each match as she saw it then"
            await asyncio.gather(ada.play_on(first), ben.play_on(first))
            for match in (before, match_id(ada)):
                kept = record.decode((await home.get(f"/api/matches/{match}")).content)
                assert record.verify(kept).status == "holds"

    run(play())


# -- Hints -----------------------------------------------------------------------------------------


class Adviser(Quick):
    """Knows one reason for everything."""

    async def advise(
        self, bot: str, seed: int, view: View, requester: Turn = NO_REQUESTER
    ) -> BotAdvice | None:
        move = view.moves[-1]
        return BotAdvice(
            move=move, reason="only-move", data={"move": move}, alternatives=((move, 1.0, 0.5),)
        )


def test_a_hint_goes_to_its_requester_and_is_announced(tmp_path: Path) -> None:
    async def play() -> None:
        ear = Ear()
        async with (
            running_server(tmp_path, pool=Adviser()) as home,
            home.party(["Ada", "Ben"], **SHORT) as (ada, ben),
        ):
            ben.on_message = ear
            await begin(ada, ben)
            answer = await ada.ask(lambda id: wire.Hint(id=id, match=match_id(ada)))
            assert isinstance(answer, wire.HintDone)
            assert answer.move == view(ada).moves[-1]
            assert answer.alternatives[0].value == 1.0
            assert answer.text != answer.reason
            await level(ada, ben)
            assert wire.Hinted(seat=0) in ear.notes()
            assert not any(isinstance(one, wire.HintDone) for one in ear.messages)
            assert ada.table is not None
            await ada.play(view(ada).moves[0])
            late = ada.ask(lambda id: wire.Hint(id=id, match=match_id(ada)))
            assert await refused(late) == "no-hint-now"

    run(play())


@pytest.mark.slow
def test_a_real_hint_is_available_in_both_languages(tmp_path: Path) -> None:
    async def play() -> dict[str, wire.HintDone]:
        found = {}
        async with running_server(tmp_path) as home:
            made = await home.table(**SHORT)
            async with home.guest(made) as ada:
                await begin(ada)
                match = match_id(ada)
                for lang in ("de", "en"):
                    async with connect(home.ws) as socket:
                        hello = wire.Hello(version=1, table=made.table, token=made.token, lang=lang)
                        for said in (hello, wire.Hint(id=3, match=match)):
                            await socket.send(msgspec.json.encode(said).decode())
                        async for raw in socket:
                            message = _decoder.decode(raw)
                            assert not isinstance(message, wire.Refused)
                            if isinstance(message, wire.HintDone):
                                found[lang] = message
                                assert message.move in view(ada).moves
                                break
        return found

    found = run(play())
    assert found["de"].text != found["en"].text
    assert all(one.text not in ("", one.reason) for one in found.values())


# -- Forks -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_a_finished_match_can_be_continued_from_any_play(game: str, tmp_path: Path) -> None:
    async def play() -> None:
        seats, options = GAMES[game]
        async with running_server(tmp_path, pool=Quick()) as home:
            async with home.party(["Ada"], game, seats, options=options) as (ada,):
                await begin(ada)
                await ada.play_on(first)
                match = match_id(ada)
            match_record = record.decode((await home.get(f"/api/matches/{match}")).content)
            moves = record.moves_of(match_record)
            in_round_two = len(moves) * 3 // 4
            for made in (0, in_round_two, len(moves) - 1):
                request = {"name": "Eva", "seat": 1, "moves": made, "level": "easy"}
                answer = await home.post(f"/api/matches/{match}/fork", request)
                assert answer.status_code == 201, answer.text
                fork = msgspec.json.decode(answer.content, type=wire.TableMade)
                async with home.guest(fork) as eva:
                    assert (eva.seat, stage(eva)) == (1, "playing")
                    await eva.play_on(lambda one: one.moves[-1])
                    raw = await home.get(f"/api/matches/{match_id(eva)}")
                    played = record.decode(raw.content)
                    assert record.verify(played).status == "holds"
                    assert record.moves_of(played)[:made] == moves[:made]
                    assert played.names[1] == "Eva"

    run(play())


# -- Clocks ----------------------------------------------------------------------------------------


def test_a_move_is_made_for_a_player_who_is_too_slow(tmp_path: Path) -> None:
    async def play() -> None:
        ear = Ear()
        async with running_server(tmp_path, pool=Quick()) as home:
            settings = wire.Settings(clock=5)
            made = await home.table(settings=settings, **SHORT)
            async with home.guest(made, on_message=ear) as ada:
                await ada.ask(lambda id: wire.Begin(id=id))
                while stage(ada) != "over":  # without a move of her own
                    if "clock" in home.live_table(made.table).timers:
                        await home.time_is_up(made.table, "clock")
                    await asyncio.sleep(0.002)
        slow = [note for note in ear.notes() if isinstance(note, wire.StoodIn)]
        cards = [
            event
            for step in ear.steps()
            for event in step.events
            if event.kind in ("play", "chosen") and event.seat == 0
        ]
        assert slow == [wire.StoodIn(seat=0, why="clock")] * len(cards)
        deadlines = [
            message.table.deadline
            for message in ear.messages
            if isinstance(message, wire.Update) and message.table is not None
        ]
        assert BEGIN + 5000 in deadlines

    run(play())


def test_chat_and_new_connections_do_not_stop_the_clock(tmp_path: Path) -> None:
    async def play() -> None:
        async with running_server(tmp_path, pool=Quick()) as home:
            settings = wire.Settings(clock=3600)
            made = await home.table(settings=settings, **SHORT)
            async with home.guest(made) as ada:
                await begin(ada)
                await ada.until(lambda: view(ada).waiting_for == (ada.seat,))  # bots have chosen
                live_table = home.live_table(made.table)
                timer, deadline = live_table.timers["clock"], live_table.move_clock.deadline
                assert deadline is not None
                await ada.ask(lambda id: wire.Chat(id=id, preset="thinking"))
                async with home.guest(made), home.guest(made.table):
                    pass
                assert live_table.timers["clock"] is timer
                assert live_table.move_clock.deadline == deadline
                await ada.play(view(ada).moves[0])
                assert live_table.timers.get("clock") is not timer

    run(play())


# -- Resuming --------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_a_reconnecting_client_gets_every_step_exactly_once(game: str, tmp_path: Path) -> None:
    async def play() -> None:
        whole, patched = Ear(), Ear()
        choice = random.Random(game)
        seats, options = GAMES[game]
        async with running_server(tmp_path, pool=Quick()) as home:
            made = await home.table(game, seats, options=options)
            async with (
                home.guest(made, on_message=whole) as calm,
                home.guest(made, on_message=patched) as shaky,
            ):
                for guest in (calm, shaky):
                    await guest.until(lambda: guest.seq is not None)  # noqa: B023
                begun = len(whole.steps())

                async def trouble() -> None:
                    while stage(calm) != "over":
                        while shaky._socket is None:
                            await asyncio.sleep(0.002)
                        await cut(shaky)
                        await reached(calm, (calm.seq or 0) + choice.randint(1, 8))
                        await asyncio.sleep(choice.uniform(0, 0.01))

                await calm.ask(lambda id: wire.Begin(id=id))
                await level(calm, shaky)
                cutting = asyncio.create_task(trouble())
                await shaky.play_on(first)
                await cutting
                await level(calm, shaky)
                await shaky.until(lambda: shaky.seq == calm.seq)
                assert shaky.resumed > 1, "the wire was not cut"
                assert msgspec.structs.replace(view(shaky), history=()) == (
                    msgspec.structs.replace(view(calm), history=())
                )
        steps = patched.steps()
        assert steps == whole.steps()
        assert all(one.seq + 1 == other.seq for one, other in pairwise(steps[begun:]))
        fresh = [one for one in patched.messages if isinstance(one, wire.Welcome) and one.fresh]
        assert len(fresh) == 1, "only the first hello"

    run(play())


@pytest.mark.parametrize("since", [0, 2**31 - 1])
def test_an_unknown_sequence_number_gets_a_fresh_snapshot(since: int, tmp_path: Path) -> None:
    async def play() -> None:
        ear = Ear()
        async with running_server(tmp_path, pool=Quick()) as home:
            made = await home.table(**SHORT)
            async with home.guest(made) as ada:
                await begin(ada)
                late = home.guest(made, on_message=ear)
                late.seq = since
                async with late:
                    await late.until(lambda: bool(ear.views()))
                    welcome = ear.messages[0]
                    assert isinstance(welcome, wire.Welcome)
                    assert welcome.fresh
                    assert welcome.view is not None
                    assert welcome.view.history

    run(play())


def test_a_move_from_two_tabs_ten_times_is_made_once(tmp_path: Path) -> None:
    async def play() -> None:
        ear = Ear()
        async with running_server(tmp_path, pool=Held()) as home:
            made = await home.table(**SHORT)
            async with home.guest(made, on_message=ear) as left, home.guest(made) as right:
                await begin(left, right)
                match, (move, other, *_) = match_id(left), view(left).moves
                same = lambda id: wire.Play(id=id, match=match, ply=0, move=move)  # noqa: E731
                answers = await asyncio.gather(
                    *((left, right)[turn % 2].ask(same) for turn in range(10))
                )
                assert all(isinstance(answer, wire.Done) for answer in answers)
                differs = lambda id: wire.Play(id=id, match=match, ply=0, move=other)  # noqa: E731
                assert await refused(right.ask(differs)) == "move-made-already"
                await level(left, right)
                assert (left.ply, right.ply) == (1, 1)
                stored = log.decode_all(await home.lobby.store.read(made.table))
        assert [entry for entry in stored if isinstance(entry, log.MovePlayed)] == [
            log.MovePlayed(seat=0, move=move)
        ]
        chosen = [event for step in ear.steps() for event in step.events if event.kind == "chosen"]
        assert len(chosen) == 1

    run(play())


# -- Memory ----------------------------------------------------------------------------------------


def test_an_unused_table_is_unloaded(tmp_path: Path) -> None:
    async def play() -> None:
        async with running_server(tmp_path, pool=Quick()) as home:
            left, used = await home.table(**SHORT), await home.table(**SHORT)
            async with home.guest(used):
                while home.live_table(left.table).tasks:
                    await asyncio.sleep(0.002)
                for _ in range(int(halls.IDLE_SECONDS / halls.SWEEP_SECONDS)):
                    assert left.table in home.lobby.live_tables
                    await home.clock.expire(halls.SWEEP_SECONDS)
                for _ in range(2):
                    await home.clock.expire(halls.SWEEP_SECONDS)
                assert left.table not in home.lobby.live_tables
                assert used.table in home.lobby.live_tables
            async with home.guest(left) as ada:
                assert ada.seat == 0, "it is read from the store again"

    run(play())


# -- Restarts --------------------------------------------------------------------------------------


def everything(table: TableState) -> list[object]:
    seats: list[int | None] = [None, *range(table.seats)]
    described = [step.describe(seat) for seat in seats for step in table.steps]
    return [table.describe(), table.seq, [table.view(seat) for seat in seats], described]


def test_a_restart_continues_matches_of_all_games(tmp_path: Path) -> None:
    async def play() -> None:
        guests: list[tuple[TableClient, Ear]] = []
        before: dict[str, list[object]] = {}
        try:
            async with running_server(tmp_path, pool=Quick()) as home:
                for game, (seats, options) in GAMES.items():
                    made = await home.table(game, seats, options=options)
                    guests.append((await connected(home, made), Ear()))
                    guests[-1][0].on_message = guests[-1][1]
                for guest, _ in guests:
                    await begin(guest)
                    await guest.until(lambda: bool(view(guest).moves))  # noqa: B023
                    await guest.play(view(guest).moves[0])
                home.lobby.pool = Held()
                for guest, _ in guests:
                    live_table = home.live_table(guest.table_id)
                    while live_table.tasks:  # what is under way
                        await asyncio.sleep(0.01)
                        if all(
                            "make_bot_move" in str(task.get_coro()) for task in live_table.tasks
                        ):
                            break
                    before[guest.table_id] = everything(live_table.table)
            async with running_server(tmp_path, pool=Quick()) as home:
                for guest, _ in guests:
                    live_table = await home.lobby.live_table(guest.table_id)
                    assert everything(live_table.table) == before[guest.table_id]
                for guest, _ in guests:
                    guest.url = home.ws
                await asyncio.gather(*(guest.play_on(first) for guest, _ in guests))
                for guest, ear in guests:
                    assert guest.resumed
                    numbers = [step.seq for step in ear.steps()]
                    assert numbers == list(range(numbers[0], numbers[-1] + 1))
                    raw = await home.get(f"/api/matches/{match_id(guest)}")
                    assert record.verify(record.decode(raw.content)).status == "holds"
        finally:
            for guest, _ in guests:
                await guest.__aexit__()

    run(play())


async def connected(home: RunningServer, made: wire.TableMade) -> TableClient:
    return await home.guest(made).__aenter__()


def test_a_restart_continues_a_shuffle(tmp_path: Path) -> None:
    async def play() -> None:
        ada = ben = None
        try:
            async with running_server(tmp_path, pool=Quick()) as home:
                made = await home.table(**SHORT)
                ada = await connected(home, made)
                async with home.guest(made.table) as joining:
                    await joining.join("Ben")
                    token = joining.token
                await ada.ask(lambda id: wire.Begin(id=id))
                await ada.until(lambda: sealed(ada) == [True, False, True])
                match = match_id(ada)
            async with running_server(tmp_path, pool=Quick()) as home:
                ada.url = home.ws
                ben = await home.guest(made.table, token=token).__aenter__()
                await ada.until(lambda: stage(ada) == "playing")
                assert match_id(ada) == match, "the same set-up goes on"
                await asyncio.gather(ada.play_on(first), ben.play_on(first))
                assert ada.table is not None
                assert ada.table.dealing is not None
                assert ada.table.dealing.trusted == (True, True, False)
        finally:
            for guest in (ada, ben):
                if guest is not None:
                    await guest.__aexit__()

    run(play())


def sealed(guest: TableClient) -> list[bool]:
    dealing = guest.table.dealing if guest.table else None
    return [one is not None for one in dealing.client_commits] if dealing else []


def test_public_data_does_not_reveal_a_bots_seed() -> None:
    seeds = {seed_of(salt, "match", 1) for salt in ("one", "other")}
    assert len(seeds) == 2, "the salt never leaves the server"
    assert len({seed_of("one", match, seat) for match in "ab" for seat in range(3)}) == 6
