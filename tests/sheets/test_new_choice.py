"""A sheet that asks a new kind of choice is one class: no other file knows anything about it.

The sheet here takes January's place on the plain engine. It is judged, shown, learned, sampled and
recorded like ours.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

import stichwerk
from stichwerk import record
from stichwerk.engine.area import Area
from stichwerk.engine.constants import KIND, SEATS
from stichwerk.engine.events import GameEvent, Move
from stichwerk.engine.plain import Moves, State, twin
from stichwerk.errors import IllegalMoveError, Reason
from stichwerk.games import registry
from stichwerk.games.stichtag import calendar
from stichwerk.match import Match, Setting
from stichwerk.testing import check_game

if TYPE_CHECKING:
    from stichwerk.games.stichtag.game import Stichtag
    from stichwerk.games.stichtag.sheet import Sheet
else:
    Sheet = twin("stichwerk.games.stichtag.sheet").Sheet
    Stichtag = twin("stichwerk.games.stichtag.game").Stichtag

pytestmark = pytest.mark.game("stichtag")

WISH = 8  # phase
FOR = 9  # kind of move; argument: the seat that gets the point


class Wishes(Sheet):
    """After a trick with a clover its winner gives a point to any seat."""

    name = "January"
    extends = ("after", "points")
    values = (7,)
    asks = {WISH: "wish"}  # noqa: RUF012
    kinds = {FOR: "wish"}  # noqa: RUF012

    def reserve(self, area: Area) -> None:
        self.given = area.number("wishes", 0, count=SEATS)

    def after_trick(self, state: State, winner: int) -> None:
        if self.symbols(state):
            self.ask(state, WISH, winner)

    def legal(self, state: State, seat: int, moves: Moves) -> None:
        for other in range(self.seats):
            moves.add(FOR * KIND + other)

    def choose(self, state: State, seat: int, move: int) -> None:
        state.numbers[self.given + move % KIND] += 1
        state.owes = 0

    def own_points(self, state: State, seat: int) -> int:
        return state.numbers[self.given + seat]

    def step_text(self, step: int) -> str:
        return f"for {step % KIND}"

    def judge(self, state: State, seat: int, text: str) -> Move | Reason:
        target = self.steps.read_seat(text.removeprefix("for "))
        if isinstance(target, Reason):
            return target
        return Move(f"for {target}", (FOR * KIND + target,))

    def known_steps(self, state: State, text: str) -> tuple[int, ...] | None:
        return (FOR * KIND + int(text[4:]),) if state.phase == WISH else None

    def table(self, state: State) -> dict[str, object]:
        return {"wishes": [state.numbers[self.given + seat] for seat in range(self.seats)]}

    def entry(self, move: Move) -> object:
        return move.steps[0] % KIND

    @staticmethod
    def entry_text(value: object) -> str:
        return f"for {value}" if type(value) is int else ""


class WithWishes(Stichtag):
    """Stichtag with a calendar that holds the sheet."""

    phases = (*Stichtag.phases, "wish")


@pytest.fixture(autouse=True)
def in_the_calendar(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    plain = {**calendar._plain_sheets(), "January": Wishes}
    monkeypatch.setattr(calendar, "_plain_sheets", lambda: plain)
    monkeypatch.setitem(calendar.ASKED, "wish", Wishes)
    monkeypatch.setitem(registry.GAMES, "stichtag", WithWishes)
    registry._build.cache_clear()
    yield
    registry._build.cache_clear()


def setting(*sheets: str) -> Setting:
    return stichwerk.game("stichtag", seats=3, sheets=list(sheets))


def played() -> Match:
    match = setting("January").new(seed=5)
    mind = stichwerk.bot("random", seed=1)
    while match.waiting_for:
        seat = match.waiting_for[0]
        match.play(seat, mind.choose(match.view(seat)))
    return match


@pytest.mark.parametrize("red", ["red 1", "red 2", "red 8"])
def test_a_new_choice_conforms(red: str) -> None:
    check_game(setting(red, "January"), matches=1)


def test_a_new_choice_is_shown_counted_and_recorded() -> None:
    match = played()
    wishes = [event for event in match.events if isinstance(event, GameEvent)]
    tricks = [event for event in match.events if event.kind == "trick"]
    assert wishes
    assert sum(match.totals) == len(wishes) + len(tricks)
    again = record.decode(record.encode(record.record(match)))
    assert record.verify(again).status == "holds"


def test_a_wrong_new_choice_is_refused() -> None:
    match = setting("January").new(seed=5)
    while match.view(match.waiting_for[0]).phase != "wish":
        match.play(match.waiting_for[0], match.moves(match.waiting_for[0])[0])
    seat = match.waiting_for[0]
    assert [move.text for move in match.moves(seat)] == ["for 0", "for 1", "for 2"]
    with pytest.raises(IllegalMoveError, match="not-a-seat"):
        match.play(seat, "for 3")
    match.play(seat, "for 2")
    assert match.view(seat).table["wishes"] == [0, 0, 1]
