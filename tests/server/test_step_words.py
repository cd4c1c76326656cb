"""What happened in words, as each client of a table receives it."""

from pathlib import Path

import pytest

from stichwerk import narration
from stichwerk.server import wire
from stichwerk.server.tables import log_entries as log
from stichwerk.server.tables.audience import LogStep
from tests.server.harness import Quick, begin, first, run, running_server
from tests.server.request_setup import Bench
from tests.server.table_setup import MessageLog, view


def words_for(bench: Bench, step: LogStep, seat: int | None, lang: str = "en") -> tuple[str, ...]:
    """Return the words of a step with the names that people have now."""
    return step.describe(seat, lang, bench.table.people_names()).words


@pytest.mark.parametrize("game", ["sticheln", "stichling"])
def test_words_say_the_events_that_the_receiver_may_know(game: str) -> None:
    bench = Bench(game, 3)
    bench.begin()
    for _ in range(12):
        bench.play(bench.turn())
    for seat in (None, 0, 1, 2):
        view = bench.table.view(seat)
        assert view is not None
        reader = narration.reader_of(view, "de")
        described = [
            step.describe(seat, "de", bench.table.people_names()) for step in bench.table.steps
        ]
        events = [event for step in described for event in step.events]
        assert events == list(view.history)
        words = [one for step in described for one in step.words]
        assert words == [narration.words(event, reader) for event in view.history]


def test_words_follow_people_not_their_seats() -> None:
    """A new name counts, and so does who sat there when it happened."""
    bench = Bench("sticheln", 3)
    bench.begin()
    for _ in range(3):
        bench.play(bench.turn())
    who = bench.turn()
    (step,) = bench.play(who)
    old = bench.table.people[bench.people[who]].name
    assert words_for(bench, step, None)[0].startswith(f"{old} plays ")
    assert words_for(bench, step, who)[0].startswith("You play ")
    bench.ask(who, wire.Rename(id=0, name="Zoe"))
    bench.ask(who, wire.Leave(id=0))
    assert words_for(bench, step, None)[0].startswith("Zoe plays ")
    bench.happen([log.PersonRemoved(person=bench.people[who])])
    assert words_for(bench, step, None)[0].startswith(f"{old} plays ")


def test_notes_are_worded_for_each_reader_by_the_seat_they_had() -> None:
    bench = Bench("sticheln", 3)
    bench.begin()
    (step,) = bench.happen([log.BotTookOver(seat=1)])
    names = bench.table.people_names()
    assert step.describe(None, "en", names).note_words == (
        f"{names[bench.people[1]]} is away. A bot is filling in.",
    )
    assert step.describe(1, "de", names).note_words == (
        "Du warst weg. Solange hat ein Bot gespielt.",
    )
    for described in (one.describe(0, "en", names) for one in bench.table.steps):
        assert len(described.note_words) in (0, len(described.notes))


def test_notes_without_words_send_none() -> None:
    bench = Bench("sticheln", 3)
    bench.begin()
    (step,) = bench.ask(0, wire.Chat(id=0, text="hello"))
    assert step.notes
    assert step.describe(0).note_words == ()


def test_old_steps_keep_their_match_after_a_change_of_game() -> None:
    bench = Bench("sticheln", 3, rounds=1)
    bench.begin()
    (step,) = [one for one in bench.table.steps if one.events]
    while bench.table.stage == "playing":
        bench.play(bench.turn())
    before = words_for(bench, step, None)
    assert before[0].startswith("Round 1 of 1: ")
    bench.ask(0, wire.Change(id=0, game="stichtag", seats=5, options={}))
    assert words_for(bench, step, None) == before


@pytest.mark.slow  # with a real server
def test_another_language_brings_the_last_steps_anew(tmp_path: Path) -> None:
    async def play() -> None:
        received = MessageLog()
        async with (
            running_server(tmp_path, pool=Quick()) as home,
            home.party(["Ada", "Ben", "Cem"], game="sticheln", seats=3) as guests,
            home.guest(guests[0].table_id, on_message=received) as stranger,
        ):
            await begin(*guests)
            await stranger.until(lambda: stranger.view is not None)
            sent_words = [one for step in received.steps() for one in step.words]
            assert [one for one in sent_words if one.startswith("Round 1 of ")]
            received.messages.clear()
            done = await stranger.ask(lambda id: wire.SetLanguage(id=id, lang="de"))
            assert isinstance(done, wire.LanguageDone)
            again = [one for step in done.steps for one in step.words]
            assert len(again) == len(sent_words)
            assert [one for one in again if one.startswith("Runde 1 von ")]
            noted = [one for step in done.steps for one in step.note_words]
            assert "Ben setzt sich an den Tisch." in noted
            assert "Die Karten sind verteilt." in noted
            await guests[0].play(first(view(guests[0])))
            await stranger.until(lambda: bool(received.steps()))
            assert [one for step in received.steps() for one in step.words] == ["Ada hat gewählt."]

    run(play())
