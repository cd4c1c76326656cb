"""Put-away tricks in the terminal: the log and the last trick follow the table's `memory`."""

from typing import get_args

import msgspec
import pytest

import stichwerk
from stichwerk.engine.events import CardPlayed
from stichwerk.server import wire
from stichwerk.server.tables.audience import hidden
from stichwerk.terminal.event_text import event_lines
from stichwerk.terminal.full.board import log_lines
from stichwerk.terminal.full.board_state import BoardState
from stichwerk.terminal.full.pages import last_trick_page, log_page, rules_page
from stichwerk.terminal.looking_back import lacks_cards, looked_back
from stichwerk.terminal.remote_input import complete
from stichwerk.terminal.seat import LocalSeat
from stichwerk.terminal.table import last_trick_line
from stichwerk.view import View


def played(moves: int) -> View:
    """Return what seat 0 sees after some moves of Stichtag."""
    match = stichwerk.game("stichtag", seats=3, rounds=2).new(seed=4)
    for _ in range(moves):
        seat = match.waiting_for[0]
        match.play(seat, match.moves(seat)[0])
    return match.view(0)


def cards_of_tricks(view: View) -> list[tuple[str, ...]]:
    return [event.cards for event in view.history if event.kind == "trick"]


@pytest.mark.parametrize(
    ("memory", "named"),
    [("last trick", [False, True]), ("none", [False] * 2), ("open", [True] * 2)],
)
def test_the_log_names_the_cards_that_may_be_looked_at(
    memory: wire.Memory, named: list[bool]
) -> None:
    view = played(6)
    first, last = cards_of_tricks(view)
    log = log_page(view, "en", (), memory).plain
    assert [any(card in log for card in cards) for cards in (first, last)] == named
    assert log.count("the trick") >= 2
    assert ("face down until the round is over" in log) == (memory != "open")


@pytest.mark.parametrize(
    ("memory", "named"),
    [("last trick", [False, True]), ("none", [False] * 2), ("open", [True] * 2)],
)
def test_the_log_beside_the_table_names_no_other_cards(
    memory: wire.Memory, named: list[bool]
) -> None:
    view = played(6)
    lines = " ".join(log_lines(BoardState(view, "en", memory=memory)))
    tricks = cards_of_tricks(view)
    assert [any(card in lines for card in cards) for cards in tricks] == named


def test_why_the_last_trick_was_taken_is_said_while_it_may_be_looked_at() -> None:
    view = played(6)
    for memory in get_args(wire.Memory):
        said = "the highest trump" in " ".join(event_lines(view, 0, "en", memory))
        assert said == (memory != "none"), memory


def test_without_a_server_the_last_trick_may_be_looked_at() -> None:
    match = stichwerk.game("stichtag", seats=3, rounds=2).new(seed=4)
    seat = LocalSeat(match, 0, {}, "en")
    assert seat.memory == "last trick"
    seat.close()


def test_the_last_trick_stays_closed_where_none_may_be_looked_at() -> None:
    view = played(7)
    assert "face down" in last_trick_page(view, "en", "none").plain
    assert "verdeckt" in last_trick_line(view, "de", "none")
    for memory in ("last trick", "open"):
        assert cards_of_tricks(view)[-1][0] in last_trick_line(view, "en", memory)


def test_after_the_round_all_is_open() -> None:
    view = played(3 * 12)
    assert looked_back(view, "none") == view
    assert cards_of_tricks(view)[-1][0] in last_trick_line(view, "en", "none")


def test_who_comes_in_the_middle_of_a_round_can_still_play() -> None:
    view = played(9)
    while not view.moves:
        view = played(len([event for event in view.history if event.kind == "play"]) + 1)
    late = looked_back(view, "last trick")
    assert lacks_cards(late)
    assert not lacks_cards(view)
    state = BoardState(late, "en")
    assert state.look.situation.heading
    assert state.outcome is None
    assert rules_page(late, "en")


def test_events_of_a_finished_round_are_completed_and_none_is_forgotten() -> None:
    view = played(6)
    late = list(looked_back(view, "last trick").history)
    back = [
        wire.Renewed(seq=1, nth=0, back=len(late) - at, event=event)
        for at, event in enumerate(view.history)
        if isinstance(event, CardPlayed) or event.settles
    ]
    complete(late, back)
    assert tuple(late) == view.history
    complete(late, [msgspec.structs.replace(one, event=hidden(one.event)) for one in back])
    assert tuple(late) == view.history
