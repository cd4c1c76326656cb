"""Looking at a table: everyone gets what their own seat may foresee, and nothing else happens.

What is said is tested in `tests/test_outlook.py`; that nothing leaks, in `leaks.py`.
"""

from itertools import product
from pathlib import Path
from typing import Any

import pytest

from stichwerk import outlook
from stichwerk.games import registry
from stichwerk.outlook import current_rule
from stichwerk.server import wire
from stichwerk.server.clients.table_client import TableClient
from stichwerk.server.http.game_catalogue import rules_of
from stichwerk.view import View
from tests.server.harness import Quick, begin, first, refused, run, running_server

pytestmark = pytest.mark.slow  # with a real server

SHORT: dict[str, Any] = {"game": "sticheln", "seats": 3, "options": {"rounds": 1}}
CLOSED = {**SHORT, "settings": {"watch": "none"}}


def match_of(guest: TableClient) -> str:
    assert guest.table is not None
    assert guest.table.match is not None
    return guest.table.match


async def look(guest: TableClient, match: str, **more: Any) -> wire.Outlook:
    answer = await guest.ask(lambda id: wire.Look(id=id, match=match, **more))
    assert isinstance(answer, wire.Outlook)
    return answer


async def tally(guest: TableClient, match: str, **more: Any) -> wire.TallyDone:
    answer = await guest.ask(lambda id: wire.AskTally(id=id, match=match, **more))
    assert isinstance(answer, wire.TallyDone)
    return answer


def same_outlook(answer: wire.Outlook, view: View, lang: str, move: str | None = None) -> bool:
    """Return whether this is the outlook of that view."""
    seen = outlook.look(view, lang, move)
    answered = (answer.effects, answer.reasons, answer.standing, answer.situation, answer.one)
    return answered == (seen.effects, seen.reasons, seen.standing, seen.situation, seen.one)


def test_an_outlook_depends_on_the_asking_seat(tmp_path: Path) -> None:
    async def play() -> None:
        async with (
            running_server(tmp_path, pool=Quick()) as home,
            home.party(["Ada", "Ben", "Cem"], **SHORT) as guests,
            home.guest(guests[0].table_id) as stranger,
        ):
            await begin(*guests)
            match = match_of(guests[0])
            table = home.live_table(guests[0].table_id).table
            for guest in (*guests, stranger):
                view = table.view(guest.seat)
                assert view is not None
                assert same_outlook(await look(guest, match), view, "en")
                assert same_outlook(await look(guest, match, lang="de"), view, "de")
                typed = view.moves[0] if view.moves else "R1"
                assert same_outlook(await look(guest, match, move=typed), view, "de", typed)
                assert same_outlook(await look(guest, match, lang="en"), view, "en")
            assert (await look(stranger, match)).effects == ()
            assert (await look(guests[1], match)).seq == table.seq

    run(play())


@pytest.mark.parametrize("wanted", [False, True])
def test_the_running_score_is_a_table_setting(tmp_path: Path, wanted: bool) -> None:
    """Everyone gets the same, spectators included; with the setting off nobody does."""
    settings = {"running_score": True} if wanted else {}

    async def play() -> None:
        async with (
            running_server(tmp_path, pool=Quick()) as home,
            home.party(["Ada", "Ben", "Cem"], **SHORT, settings=settings) as guests,
            home.guest(guests[0].table_id) as stranger,
        ):
            await begin(*guests)
            match = match_of(guests[0])
            table = home.live_table(guests[0].table_id).table
            assert (await look(guests[0], match)).standing.running == ()  # pain cards are secret
            for guest in guests:
                assert guest.seat is not None
                view = table.view(guest.seat)
                assert view is not None
                await guest.play(view.moves[0])
            opened = table.view(None)
            assert opened is not None
            costs = [-int(card[1:]) for card in opened.table["pain"]]  # type: ignore[attr-defined]
            for guest in (*guests, stranger):
                running = (await look(guest, match)).standing.running
                assert list(running) == (costs if wanted else [])

    run(play())


def test_an_outlook_says_nothing_of_a_trick_that_is_put_away(tmp_path: Path) -> None:
    closed = {"game": "stichtag", "seats": 3, "settings": {"memory": "none"}}

    async def play() -> None:
        async with (
            running_server(tmp_path, pool=Quick()) as home,
            home.party(["Ada", "Ben", "Cem"], **closed) as guests,  # type: ignore[arg-type]
        ):
            await begin(*guests)
            match = match_of(guests[0])
            known = []
            for _ in range(4):
                running = home.live_table(guests[0].table_id).table.running
                assert running is not None
                seat = running.match.waiting_for[0]
                await guests[seat].play(running.match.moves(seat)[0].text)
                known.append((await look(guests[0], match)).standing.last is not None)
            assert known == [False, False, True, False]

    run(play())


def test_a_look_changes_nothing_and_is_not_broadcast(tmp_path: Path) -> None:
    async def play() -> None:
        received: list[wire.FromServer] = []
        async with (
            running_server(tmp_path, pool=Quick()) as home,
            home.party(["Ada", "Ben", "Cem"], **SHORT) as (ada, ben, cem),
        ):
            await begin(ada, ben, cem)
            live_table = home.live_table(ada.table_id)
            before, stored = live_table.table.seq, len(await home.lobby.store.read(ada.table_id))
            ben.on_message = received.append
            for _ in range(5):
                await look(ada, match_of(ada), move="x" * 200)
            assert live_table.table.seq == before
            assert len(await home.lobby.store.read(ada.table_id)) == stored
            own = (wire.Done,)  # what Ben asked for while cards were shuffled may come late
            assert [message for message in received if not isinstance(message, own)] == []

    run(play())


def test_a_tally_explains_a_round(tmp_path: Path) -> None:
    async def play() -> None:
        async with (
            running_server(tmp_path, pool=Quick()) as home,
            home.party(["Ada"], **SHORT) as (ada,),
            home.guest(ada.table_id) as stranger,
        ):
            await begin(ada)
            match = match_of(ada)
            assert await refused(tally(ada, match, round=1)) == "round-not-over"
            await ada.play_on(first)
            view = home.live_table(ada.table_id).table.view(None)
            assert view is not None
            for guest in (ada, stranger):
                answer = await tally(guest, match, round=1, lang="de")
                assert [one.points for one in answer.seats] == list(view.scores[0])
                assert answer.seats == outlook.tally(view, 1, "de")
                assert await refused(tally(guest, match, round=2)) == "round-not-over"

    run(play())


def test_outsiders_of_a_private_table_may_not_look(tmp_path: Path) -> None:
    async def play() -> None:
        async with (
            running_server(tmp_path, pool=Quick()) as home,
            home.party(["Ada"], **CLOSED) as (ada,),
            home.guest(ada.table_id) as stranger,
        ):
            await begin(ada)
            match = match_of(ada)
            assert await refused(look(stranger, match)) == "not-to-be-watched"
            assert await refused(tally(stranger, match, round=1)) == "not-to-be-watched"
            assert (await look(ada, match)).effects

    run(play())


def test_an_unknown_match_is_refused(tmp_path: Path) -> None:
    async def play() -> None:
        async with (
            running_server(tmp_path, pool=Quick()) as home,
            home.party(["Ada"], **SHORT) as (ada,),
        ):
            assert await refused(look(ada, "AAAA")) == "no-such-match"
            await begin(ada)
            assert await refused(look(ada, "AAAA")) == "no-such-match"
            assert await refused(tally(ada, "AAAA", round=1)) == "no-such-match"

    run(play())


def test_sections_can_be_linked() -> None:
    """The anchor of a situation is the id of a section of the rules, with its heading."""
    for info, lang in product(registry.OUR_GAMES, ("de", "en")):
        found = {part.id: part.heading for part in rules_of(info.name, lang).sections}
        for moment in info.moments.values():
            title = current_rule.translated(info.name, moment.section, lang)
            assert found[current_rule.slug(moment.section)] == title
