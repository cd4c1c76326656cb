"""docs/events-and-views.md documents everything the games report, and nothing else.

The golden records hold a match of every game, option and sheet of the calendar. They are played
again here, and whatever appears on the way is compared with `stichwerk.reference`, from which the
page is made.
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import NoneType
from typing import Any, get_args

import msgspec
import pytest

import stichwerk
from stichwerk import reference
from stichwerk.engine.events import BaseEvent, Event
from stichwerk.games import registry
from stichwerk.games.events import KINDS, facts_of, meaning_of
from stichwerk.games.info import Key
from stichwerk.games.stichtag.calendar import SHEETS, SHEETS_OF
from stichwerk.games.stichtag.course import sheet_names
from stichwerk.match import Match
from stichwerk.record import Record, decode, replay_with_moves
from stichwerk.reference import EVENTS, MINE, PHASES, TABLE
from stichwerk.view import View
from tests.doc_pages import ROOT
from tools.golden import FOLDER

PAGE = ROOT / "docs" / reference.PAGE
FACTS = sorted({field for kind in KINDS for field in kind.__struct_fields__} - {"to", "name"})


class Walk:
    """Matches of one game, played again: `wrong` is what the reference does not document, `seen`
    what appeared of what it documents, by game or sheet."""

    def __init__(self, game: str) -> None:
        self.game = game
        self.wrong: set[str] = set()
        self.seen: set[tuple[object, ...]] = set()
        self.places: set[str] = set()  # the game, and the sheets in play ...
        self.older: set[str] = set()  # ... that have changed since the rules of the record

    def play(self, match_record: Record) -> None:
        """Play one match from the first deal to the ranking."""
        match, moves = replay_with_moves(match_record)
        self.places = {self.game}
        if self.game == "stichtag":
            sheets = sheet_names(match_record.options)
            played = SHEETS_OF[match_record.rules]
            self.places |= set(sheets)
            self.older = {sheet for sheet in sheets if played[sheet] is not SHEETS[sheet]}
        self.look_at_order(match.events)
        for seat, move in moves:
            self.look_at_decision(match, seat, move)
            self.look_at_views(match)
            self.look_at_order(match.play(seat, move))
        self.look_at_views(match)
        for event in match.events:
            self.look_at_event(event, match_record.seats)

    def note(self, *fact: object) -> None:
        """Note that something documented has appeared, in all these places."""
        self.seen.update((*fact, place) for place in self.places)

    def belongs(self, where: Sequence[str]) -> bool:
        """Return whether something may appear here."""
        return not where or not self.places.isdisjoint(where)

    def always(self, where: Sequence[str]) -> bool:
        """Return whether something must appear here, in every version of the rules."""
        return not where or not (self.places - self.older).isdisjoint(where)

    # -- Events ------------------------------------------------------------------------------------

    def look_at_event(self, event: Event, seats: int) -> None:
        kind = EVENTS.get(event.kind)
        if kind is None or not self.belongs(kind.where):
            self.wrong.add(f"event {event.kind} in {sorted(self.places)}")
            return
        self.note("event", event.kind)
        if event.to != ((event.seat,) if kind.private else None):
            self.wrong.add(f"event {event.kind} is visible to {event.to}")
        if event.counts and len(event.counts) != (seats if event.kind != "eggs" else 6):
            self.wrong.add(f"event {event.kind} has {len(event.counts)} counts")
        found = msgspec.to_builtins(event)  # as in JSON: what is empty is left out
        for field in FACTS:
            self.look_at_fact(event, field, there=field in found)

    def look_at_fact(self, event: Event, field: str, there: bool) -> None:
        fact = EVENTS[event.kind].facts.get(field)
        if there and (fact is None or not self.belongs(fact.where)):
            self.wrong.add(f"event {event.kind} has {field} in {self.game}")
        if fact is None or not self.belongs(fact.where):
            return
        if not there and self.game not in fact.absent_in:
            self.wrong.add(f"event {event.kind} lacks {field} in {self.game}")
        self.note("fact" if there else "no fact", event.kind, field)

    def look_at_order(self, events: Sequence[Event]) -> None:
        """Check the events of a move against the reference's order; a new round starts over."""
        order = list(EVENTS)
        last = -1
        for event in events:
            if event.kind not in order:
                continue
            at = order.index(event.kind)
            if event.kind == "revealed" and event.round is not None:
                at = order.index("ended")
            if event.kind == "aside" and last >= order.index("round"):
                at = len(order)
            if at < last:
                self.wrong.add(f"event {event.kind} comes after {order[last]}")
            last = at

    # -- Views -------------------------------------------------------------------------------------

    def look_at_views(self, match: Match) -> None:
        views = match.views([None, *range(match.rules.seats)])
        for seat, view in views.items():
            self.look_at_keys("mine", MINE[self.game], view.mine, view)
            if seat is None and view.mine:
                self.wrong.add("a spectator has secrets")
        shown = views[None]
        self.look_at_keys("table", TABLE[self.game], shown.table, shown)
        for name, key in TABLE[self.game].items():
            if self.always(key.where) and name not in shown.table:
                self.wrong.add(f"table {name} is missing in {sorted(self.places)}")
        phase = PHASES[self.game].get(shown.phase)
        if phase is None or not self.belongs(phase.where):
            self.wrong.add(f"phase {shown.phase} in {sorted(self.places)}")
        else:
            self.note("phase", shown.phase)

    def look_at_keys(
        self, name: str, keys: dict[str, Key], found: dict[str, object], view: View
    ) -> None:
        for key, value in found.items():
            fact = keys.get(key)
            if fact is None or not self.belongs(fact.where):
                self.wrong.add(f"{name} {key} in {sorted(self.places)}")
                continue
            try:
                msgspec.convert(value, fact.type, strict=True)
            except msgspec.ValidationError as error:
                self.wrong.add(f"{name} {key} is {value!r}: {error}")
            if fact.meaning.startswith("by seat") and len(value or "x" * view.seats) != view.seats:  # type: ignore[arg-type]
                self.wrong.add(f"{name} {key} is not by seat: {value!r}")
            self.note(name, key)
            self.note(f"{name} is null", key, value is None)

    # -- Moves -------------------------------------------------------------------------------------

    def look_at_decision(self, match: Match, seat: int, move: str) -> None:
        phase = PHASES[self.game].get(match.phase)
        if phase is None:
            return
        if match.entry_kind != phase.entry:
            self.wrong.add(f"phase {match.phase} is recorded in {match.entry_kind}")
        face_down = match.phase == "play" and "red 1" in self.places
        if match.rules.secret(match._state) != (phase.secret or face_down):
            self.wrong.add(f"phase {match.phase} is wrongly listed as open or secret")
        texts = [one.text for one in match.moves(seat)]
        for text in texts:
            forms = [form for form in phase.forms if re.fullmatch(form.pattern, text)]
            if len(forms) != 1:
                self.wrong.add(f"move {text} in phase {match.phase}")
            for form in forms:
                self.note("form", match.phase, form.pattern)
        for text in also_typed(self.game, match.phase, move, texts):
            why_not = match.objection(seat, text)
            if why_not is not None:
                self.wrong.add(f"typed {text!r} for {move} in phase {match.phase}: {why_not}")

    # -- What never appeared -----------------------------------------------------------------------

    def missing(self) -> Iterator[tuple[object, ...]]:
        """Yield everything documented for this game that did not appear."""
        for wanted in self.documented():
            if wanted not in self.seen:
                yield wanted

    def documented(self) -> Iterator[tuple[object, ...]]:
        for kind, event in EVENTS.items():
            for place in self.own_places(event.where):
                yield "event", kind, place
            if any(self.own_places(event.where)):
                for field, fact in event.facts.items():
                    if self.game in fact.where or not fact.where:
                        yield "fact", kind, field, self.game
                    if self.game in fact.absent_in:
                        yield "no fact", kind, field, self.game
        for name, keys in (("table", TABLE), ("mine", MINE)):
            for key, described in keys[self.game].items():
                for place in self.own_places(described.where):
                    yield name, key, place
                if NoneType in get_args(described.type):
                    yield f"{name} is null", key, True, self.game
                    yield f"{name} is null", key, False, self.game
        for phase, asked in PHASES[self.game].items():
            for place in self.own_places(asked.where):
                yield "phase", phase, place
            for form in asked.forms:
                yield "form", phase, form.pattern, self.game

    def own_places(self, where: Sequence[str]) -> list[str]:
        """Those of these places that belong to this game."""
        if not where:
            return [self.game]
        own = [place for place in where if place == self.game]
        return own + [place for place in where if self.game == "stichtag" and place in SHEETS]


def also_typed(game: str, phase: str, move: str, moves: Sequence[str]) -> Iterator[str]:
    """Yield what else people may type for this move, as the page says."""
    yield move.lower()
    yield re.sub(r"([,>+])", r" \1 ", move)
    if "+" in move or phase == "discard":
        yield (
            "+".join(reversed(move.split("+"))) if "+" in move else ",".join(move.split(",")[::-1])
        )
    if phase == "lay" and len({card[0] for card in move.split(",")}) == move.count(",") + 1:
        yield ",".join(reversed(move.split(",")))
    card = move.partition(">")[0]
    if game == "stichling" and sum(text.startswith(f"{card}>") for text in moves) == 1:
        yield card


def golden(game: str) -> list[Record]:
    """Return the golden records of a game."""
    files = sorted(FOLDER.glob(f"{game}-[0-9].jsonl"))
    return [decode(line) for file in files for line in file.read_bytes().splitlines()]


@pytest.mark.slow
@pytest.mark.parametrize("game", registry.GAMES)
def test_the_reference_equals_what_is_played(game: str) -> None:
    walk = Walk(game)
    for match_record in golden(game):
        walk.play(match_record)
    assert sorted(walk.wrong) == []
    assert sorted(walk.missing(), key=str) == []


def test_the_page_is_up_to_date() -> None:
    assert PAGE.read_text("utf-8") == reference.page(), reference.COMMAND


# -- What the walk notices -------------------------------------------------------------------------


def short_walk() -> Walk:
    """Play two rounds of Stichling, which have everything but the end of a match."""
    walk = Walk("stichling")
    walk.play(golden("stichling")[0])
    return walk


def test_a_short_run_finds_everything_documented() -> None:
    walk = short_walk()
    assert (walk.wrong, list(walk.missing())) == (set(), [])


@pytest.mark.parametrize(
    ("part", "name"),
    [
        (EVENTS, "turned"),
        (EVENTS["turned"].facts, "value"),
        (TABLE["stichling"], "values"),
        (MINE["stichling"], "order"),
        (PHASES["stichling"], "order"),
    ],
    ids=["event", "fact", "table", "mine", "phase"],
)
def test_undocumented_facts_are_noticed(
    part: dict[str, Any], name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(part, name)
    assert any(name in line for line in short_walk().wrong)


def test_an_undocumented_form_of_move_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    play = PHASES["stichling"]["play"]
    fewer = msgspec.structs.replace(play, forms=play.forms[:1])
    monkeypatch.setitem(PHASES["stichling"], "play", fewer)
    assert any(">new" in line for line in short_walk().wrong)


def test_documented_facts_that_never_appear_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(EVENTS, "thunder", EVENTS["play"])
    monkeypatch.setitem(EVENTS["play"].facts, "round", EVENTS["round"].facts["round"])
    monkeypatch.setitem(TABLE["stichling"], "weather", Key(str, "sunny"))
    monkeypatch.setitem(MINE["stichling"], "mood", Key(str, "good"))
    monkeypatch.setitem(PHASES["stichling"], "rest", PHASES["stichling"]["order"])
    missing = {str(part) for wanted in short_walk().missing() for part in wanted}
    assert {"thunder", "round", "weather", "mood", "rest"} <= missing


def test_a_value_of_another_type_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(TABLE["stichling"], "values", Key(list[str], "by seat"))
    assert any("values" in line for line in short_walk().wrong)


# -- The page --------------------------------------------------------------------------------------


def test_games_phases_and_examples_are_those_of_the_code() -> None:
    assert set(PHASES) == set(TABLE) == set(MINE) == set(registry.GAMES)
    for game, phases in PHASES.items():
        assert set(phases) == set(stichwerk.game(game).rules.phases)
        for phase in phases.values():
            for form in phase.forms:
                assert re.fullmatch(form.pattern, form.example)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.kind)
def test_the_docstring_of_a_kind_says_what_each_field_means(kind: type[BaseEvent]) -> None:
    assert meaning_of(kind)
    assert {*facts_of(kind), "to"} == {*kind.__struct_fields__}


def test_names_for_seats() -> None:
    """`veto Anna` and `G0>Anna`, as the page says."""
    for sheet, phase in (("red 7", "veto"), ("December", "gift")):
        names = ["Anna", "Ben", "Cem"]
        match = stichwerk.game("stichtag", seats=3, sheets=[sheet]).new(seed=1, names=names)
        while match.phase != phase:
            match.play(match.waiting_for[0], match.moves(match.waiting_for[0])[0])
        seat, move = match.waiting_for[0], match.moves(match.waiting_for[0])[0].text
        assert match.objection(seat, move[:-1] + names[int(move[-1])]) is None


@pytest.mark.parametrize(
    "page",
    [
        "writing-bots.md",
        "environments.md",
        "reference/library.md",
        "reference/view.md",
        "protocol.md",
    ],
)
def test_the_page_is_linked_from(page: str) -> None:
    link = "../" * page.count("/") + reference.PAGE
    assert f"]({link}" in Path(ROOT, "docs", page).read_text("utf-8")


def test_the_page_is_in_the_navigation() -> None:
    assert f": {reference.PAGE}" in (ROOT / "mkdocs.yml").read_text("utf-8")
