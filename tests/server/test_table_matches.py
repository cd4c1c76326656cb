"""Matches at tables: taking back, rematches, hints, forks and clocks."""

import asyncio
from pathlib import Path

import msgspec
import pytest
from websockets.asyncio.client import connect

from stichwerk import record
from stichwerk.bots.advice import Advice, AdviceReason, Alternative
from stichwerk.engine.events import Event
from stichwerk.server import wire
from stichwerk.server.bots.bot_pool import NO_REQUESTER
from stichwerk.server.bots.fair_queue import Path as Turn
from stichwerk.server.clients.table_client import TableClient
from stichwerk.server.tables import log_entries as log
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
from tests.server.table_setup import GAMES, SHORT, Held, MessageLog, _decoder, level, match_id, view

pytestmark = pytest.mark.slow  # with a real server, or thousands of cases


# -- Taking back, over the wire --------------------------------------------------------------------


def test_a_take_back_by_consent_voids_events(tmp_path: Path) -> None:
    async def play() -> None:
        logs = [MessageLog(), MessageLog(), MessageLog()]
        async with running_server(tmp_path, pool=Quick()) as home:
            made = await home.table(**SHORT)
            async with (
                home.guest(made, on_message=logs[0]) as ada,
                home.guest(made.table, on_message=logs[1]) as ben,
                home.guest(made.table, on_message=logs[2]) as cleo,
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
                for guest, received in zip(guests, logs, strict=True):
                    assert surviving(received) == await seen(home, guest)

    run(play())


def surviving(received: MessageLog) -> list[Event]:
    """Return the events of the match as a client keeps them, void ones dropped."""
    kept: list[Event] = []
    for step in received.steps():
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
        received = MessageLog()
        async with (
            running_server(tmp_path, pool=Quick()) as home,
            home.party(["Ada", "Ben"], **SHORT) as (ada, ben),
        ):
            ben.on_message = received
            held = Held()
            home.lobby.pool = held
            await begin(ada, ben)
            await ada.play(view(ada).moves[0])
            await ada.ask(lambda id: wire.TakeBack(id=id, match=match_id(ada)))
            await home.time_is_up(ada.table_id, "answer")
            await ben.until(lambda: wire.Declined(seat=1) in received.notes())
            assert ben.table is not None
            assert ben.table.ask is None
            held.go.set()
            await asyncio.gather(ada.play_on(first), ben.play_on(first))

    run(play())


# -- Rematch ---------------------------------------------------------------------------------------


def test_a_rematch_rotates_seats_without_leaking_cards(tmp_path: Path) -> None:
    async def play() -> None:
        received = MessageLog()
        async with (
            running_server(tmp_path, pool=Quick()) as home,
            home.party(["Ada", "Ben"], **SHORT) as (ada, ben),
        ):
            await begin(ada, ben)
            before = match_id(ada)
            await asyncio.gather(ada.play_on(first), ben.play_on(first))
            await level(ada, ben)
            assert (ada.seat, ben.seat) == (0, 1)
            ben.on_message = received
            await begin(ada, ben)
            assert (ada.seat, ben.seat) == (1, 2)
            assert match_id(ada) != before
            async with home.guest(ada.table_id, token=ada.token, on_message=received) as again:
                assert view(again).seat == 1
                kinds = [event.kind for event in view(again).history]
                assert (kinds.count("round"), kinds.count("hand")) == (1, 1)
            for step in received.steps():
                assert all(event.to in (None, (1,), (2,)) for event in step.events)
            missed = MessageLog()
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
    ) -> Advice | None:
        move = view.moves[-1]
        return Advice(move, (Alternative(move, 1.0, 0.5),), AdviceReason("advice-only-move"))


def test_a_hint_goes_to_its_requester_and_is_announced(tmp_path: Path) -> None:
    async def play() -> None:
        received = MessageLog()
        async with (
            running_server(tmp_path, pool=Adviser()) as home,
            home.party(["Ada", "Ben"], **SHORT) as (ada, ben),
        ):
            ben.on_message = received
            await begin(ada, ben)
            answer = await ada.ask(lambda id: wire.Hint(id=id, match=match_id(ada)))
            assert isinstance(answer, wire.HintDone)
            assert answer.move == view(ada).moves[-1]
            assert answer.alternatives[0].value == 1.0
            assert answer.text != answer.reason
            await level(ada, ben)
            assert wire.Hinted(seat=0) in received.notes()
            assert not any(isinstance(one, wire.HintDone) for one in received.messages)
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
        received = MessageLog()
        async with running_server(tmp_path, pool=Quick()) as home:
            settings = wire.Settings(clock=5)
            made = await home.table(settings=settings, **SHORT)
            async with home.guest(made, on_message=received) as ada:
                await ada.ask(lambda id: wire.Begin(id=id))
                while stage(ada) != "over":  # without a move of her own
                    if "clock" in home.live_table(made.table).timers:
                        await home.time_is_up(made.table, "clock")
                    await asyncio.sleep(0.002)
        slow = [note for note in received.notes() if isinstance(note, wire.StoodIn)]
        cards = [
            event
            for step in received.steps()
            for event in step.events
            if event.kind in ("play", "chosen") and event.seat == 0
        ]
        assert slow == [wire.StoodIn(seat=0, why="clock")] * len(cards)
        deadlines = [
            message.table.deadline
            for message in received.messages
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
