"""What the table says about people: marks that they keep, and when a bot takes over."""

import asyncio
from pathlib import Path

import pytest

import stichwerk
from stichwerk.server import wire
from stichwerk.server.clients.table_client import TableClient
from stichwerk.server.tables import log_entries as log
from stichwerk.server.tables.table_state import TableState
from tests.server import leak_table, leak_worlds
from tests.server.harness import Quick, begin, first, run, running_server
from tests.server.table_setup import SHORT, MessageLog, level


def finished() -> TableState:
    """Return a table with two people and a bot after a match."""
    setting = stichwerk.game("stichtag", seats=3, rounds=2)
    plan = leak_worlds.plan_of(setting, 1, 0)._replace(watch="all", bot=2, clock=None)
    scene = leak_table.Scene(plan, setting.new(seed=5).deals, [], 1000, b"")
    match = scene.running.match
    while not match.over:
        seat = match.waiting_for[0]
        by = "bot" if seat == 2 else ""
        scene.table.apply(log.MovePlayed(seat=seat, move=match.moves(seat)[0].text, by=by))
    return scene.table


def rematch(table: TableState) -> None:
    table.apply(
        log.ShuffleStarted(
            match="m2",
            server_seeds=tuple(f"{at:064x}" for at in range(3)),
            shares=("ab" * 32,) * 3,
            turn=True,
            bots=("Zed",),
            rules=table.next_setting.rules.version,
        )
    )


def marks(table: TableState) -> dict[str | None, int]:
    return {place.person: place.mark for place in table.describe().places}


def test_people_keep_their_marks_in_a_rematch() -> None:
    table = finished()
    before = marks(table)
    assert before == {"seat-0": 0, "seat-1": 1, None: 2}
    rematch(table)
    assert [place.person for place in table.places] == [None, "seat-0", "seat-1"]
    assert marks(table) == before


@pytest.mark.parametrize("lang", ["de", "en"])
def test_the_log_of_the_last_match_is_about_the_same_people(lang: str) -> None:
    table = finished()

    def words() -> dict[int, wire.Step]:
        names = table.people_names()
        return {
            step.seq: step.describe(step.seat_of("seat-0"), lang, names)
            for step in table.steps
            if step.seq <= last
        }

    last = table.seq
    before = words()
    rematch(table)
    assert words() == before
    assert any("Ben" in sentence for step in before.values() for sentence in step.words)


def test_who_changes_seats_takes_their_mark_along() -> None:
    made = log.TableCreated(
        table="t", salt="s", game="sticheln", seats=3, options={}, settings=wire.Settings()
    )
    table = TableState.replay([made, leak_table.joined("ada", "Ada", 0)])
    table.apply(log.Seated(seat=2, person="ada"))
    assert [place.mark for place in table.places] == [2, 1, 0]
    table.apply(log.TableChanged(settings=wire.Settings(), game="sticheln", seats=5, options={}))
    assert [place.mark for place in table.places] == [2, 1, 0, 3, 4]
    step = table.apply(log.Seated(seat=0, level="easy"))
    assert "seat C" in step.describe(None).note_words[0]


def bot_at(guest: TableClient, person: str | None) -> int | None:
    assert guest.table is not None
    return next(one.bot_at for one in guest.table.people if one.id == person)


@pytest.mark.slow
def test_the_table_says_when_a_bot_takes_over(tmp_path: Path) -> None:
    async def play() -> None:
        received = MessageLog()
        async with (
            running_server(tmp_path, pool=Quick()) as home,
            home.party(["Ada", "Ben"], **SHORT) as (ada, ben),
        ):
            await begin(ada, ben)
            person, table = ben.person, ada.table_id
            ada.on_message = received
            now = home.clock.milliseconds()
            await ben.__aexit__()
            await ada.until(lambda: presences(received)[-1:] != [] and gone(received, person))
            assert presences(received)[-1].bot_at == {person: now + 60_000}
            async with home.guest(table) as watcher:
                assert bot_at(watcher, person) == now + 60_000
            async with home.guest(table, token=ben.token) as again:
                await level(ada, again)
                await ada.until(lambda: not presences(received)[-1].bot_at)
                await asyncio.gather(ada.play_on(first), again.play_on(first))

    run(play())


def presences(received: MessageLog) -> list[wire.Presence]:
    return [one for one in received.messages if isinstance(one, wire.Presence)]


def gone(received: MessageLog, person: str | None) -> bool:
    return person not in presences(received)[-1].here
