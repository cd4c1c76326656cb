"""Events: one struct for each kind, told apart by `kind`, and readable as they were before."""

from importlib import import_module
from typing import Any

import msgspec
import pytest

import stichwerk
from stichwerk.engine import events as common
from stichwerk.engine.events import (
    BaseEvent,
    CardPlayed,
    CardsPassed,
    Event,
    GameEvent,
    RoundScored,
    TrickTaken,
)
from stichwerk.games import stichling_events
from stichwerk.games.events import KINDS, AnyEvent
from stichwerk.games.stichtag.calendar import SHEETS
from stichwerk.games.stichtag.sheets import module_of
from stichwerk.games.stichtag.sheets.july import SunstrokeMoved
from stichwerk.games.stichtag.sheets.march import DirectionTurned
from stichwerk.games.stichtag.sheets.red_5 import SwitchFlipped
from stichwerk.locale import LANGUAGES
from stichwerk.match import Match
from stichwerk.narration import sentences
from stichwerk.terminal.event_text import reader_of

OLD_FORM: Any = Event  # its type says that it is never called
SAMPLES: dict[Any, Any] = {
    int: 3,
    str: "G3",
    bool: True,
    int | None: 2,
    tuple[str, ...]: ("G3", "G4"),
    tuple[int, ...]: (1, 0, 2),
    tuple[int, ...] | None: (1,),
    tuple[tuple[int, ...], ...]: ((0, 1), (2,)),
}


def test_the_union_has_every_kind_once() -> None:
    defined = [
        found
        for module in (common.__name__, stichling_events.__name__, *map(module_of, SHEETS))
        for found in vars(import_module(module)).values()
        if isinstance(found, type) and found.__module__ == module
        if issubclass(found, BaseEvent) and found not in (BaseEvent, Event)
    ]
    assert set(KINDS) == set(defined)
    assert len({kind.kind for kind in KINDS}) == len(KINDS)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.kind)
def test_a_kind_comes_back_from_json(kind: type[BaseEvent]) -> None:
    made: Any = kind
    event = made(**{field.name: SAMPLES[field.type] for field in msgspec.structs.fields(kind)})
    written = msgspec.json.encode(event)
    assert msgspec.json.decode(written)["kind"] == kind.kind == event.kind
    assert msgspec.json.decode(written, type=AnyEvent) == event


def test_facts_of_other_kinds_are_empty() -> None:
    scored, played = RoundScored((1, 2), (1, 2)), CardPlayed(1, "G3", ("G3",))
    assert (scored.seat, scored.move, scored.cards, scored.place) == (None, "", (), None)
    assert (played.counts, played.ranking, played.round) == ((), (), None)
    with pytest.raises(AttributeError):
        played.thunder  # type: ignore[attr-defined] # noqa: B018


def test_what_is_empty_is_left_out() -> None:
    assert msgspec.to_builtins(TrickTaken(cards=("G3",))) == {"kind": "trick", "cards": ("G3",)}
    assert msgspec.to_builtins(CardsPassed()) == {"kind": "passed"}


def test_the_old_form_makes_the_struct_of_its_kind() -> None:
    with pytest.deprecated_call():
        assert OLD_FORM("passed", counts=(1, 1)) == CardsPassed((1, 1))
    with pytest.deprecated_call():
        assert OLD_FORM("moon", seat=2, to=(2,)) == GameEvent("moon", 2, to=(2,))
    with pytest.deprecated_call(), pytest.raises(TypeError):
        OLD_FORM("trick", thunder=1)
    assert isinstance(CardsPassed(), OLD_FORM)
    assert not isinstance("passed", OLD_FORM)
    assert issubclass(GameEvent, OLD_FORM)


# -- Plays and their places ------------------------------------------------------------------------


def test_a_play_says_where_its_cards_go() -> None:
    match = stichwerk.game("stichling", seats=3).new(seed=3)
    while not match.over and len(match.scores) == 0:
        seat = match.waiting_for[0]
        before = {trick.place for trick in match.view(seat).tricks}
        move = match.moves(seat)[-1].text
        for event in match.play(seat, move):
            if isinstance(event, CardPlayed):
                card, _, where = move.partition(">")
                assert (event.cards, event.opens) == ((card,), where == "new")
                assert event.place == (int(where) - 1 if where != "new" else lowest(before))


def lowest(taken: set[int]) -> int:
    return min(set(range(5)) - taken)


def test_a_play_of_two_cards_names_both() -> None:
    match = stichwerk.game("stichtag", seats=3, sheets=["red 2"]).new(seed=1)
    pair = next(move.text for move in match.moves(match.waiting_for[0]) if "+" in move.text)
    (event,) = match.play(match.waiting_for[0], pair)
    assert isinstance(event, CardPlayed)
    assert (event.move, event.cards, event.place) == (pair, tuple(pair.split("+")), None)


# -- What turns, flips and moves on ----------------------------------------------------------------


def changes(match: Match, key: str) -> list[tuple[object, object, list[BaseEvent]]]:
    """Play first moves to the end; of each move the fact before and after it, and its events.

    Moves that end a round are left out: the next one starts anew.
    """
    found = []
    while not match.over:
        before = match.view(None)
        seat = match.waiting_for[0]
        events = list(match.play(seat, match.moves(seat)[0]))
        if not any(isinstance(event, RoundScored) for event in events):
            found.append((before.table[key], match.view(None).table[key], events))
    return found


changing = pytest.mark.parametrize(
    ("sheet", "key", "kind"),
    [
        ("July", "sunstroke", SunstrokeMoved),
        ("red 5", "trump", SwitchFlipped),
        ("March", "direction", DirectionTurned),
    ],
)


@changing
def test_a_change_emits_an_event_when_it_happens(
    sheet: str, key: str, kind: type[BaseEvent]
) -> None:
    match = stichwerk.game("stichtag", seats=4, sheets=[sheet]).new(seed=5)
    seen = changes(match, key)
    assert any(before != after for before, after, _ in seen)
    for before, after, events in seen:
        found = [event for event in events if isinstance(event, kind)]
        assert len(found) == (before != after)
        for event in found:
            assert event.to is None
            if isinstance(event, SunstrokeMoved):
                assert (event.giver, event.seat) == (before, after)
            elif isinstance(event, SwitchFlipped):
                assert event.on == (after == "R")
            elif isinstance(event, DirectionTurned):
                assert event.direction == after


@changing
def test_a_change_is_said_in_the_terminal(sheet: str, key: str, kind: type[BaseEvent]) -> None:
    match = stichwerk.game("stichtag", seats=4, sheets=[sheet]).new(seed=5)
    changes(match, key)
    view = match.view(0)
    for lang in LANGUAGES:
        said = {
            text
            for event in view.history
            if isinstance(event, kind)
            for text in sentences(event, reader_of(view, lang))
        }
        assert len(said) >= 2, "on and off, one way and the other, one seat and another"
        assert all(text.endswith(".") and "{" not in text for text in said)
