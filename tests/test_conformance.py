"""Every setting passes the conformance suite, and the suite finds what is planted."""

import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

import stichwerk
from stichwerk import match as match_module
from stichwerk import view as view_module
from stichwerk.cards import card_text
from stichwerk.engine.events import BaseEvent, ChoicesRevealed, Event, GameEvent, Move
from stichwerk.engine.frame import Game
from stichwerk.engine.plain import twin
from stichwerk.engine.state import State
from stichwerk.errors import Reason
from stichwerk.games import registry
from stichwerk.match import Setting
from stichwerk.testing import ConformanceError, check_game
from stichwerk.view import Standing, View
from tests.length import by_length
from tests.strategies import (
    all_settings,
    all_sheets,
    has_sheets,
    setting_id,
)

pytestmark = [pytest.mark.game, pytest.mark.slow]

SOURCE = Path(stichwerk.__file__).parent
CHOOSE = 2

# Each game at each number of seats, and each sheet alone at one of them.
usual = {(one.name, one.seats): one for one in reversed(all_settings()) if not has_sheets(one)}
sheets = [setting for at, setting in enumerate(all_sheets()) if setting.seats == 3 + at % 3]
some_settings = [*usual.values(), *sheets]
# What is left to try: a second match of the settings above takes time.
others = [one for one in all_settings() if setting_id(one) not in {*map(setting_id, some_settings)}]


@pytest.mark.parametrize("setting", some_settings, ids=setting_id)
def test_settings_conform(setting: Setting) -> None:
    check_game(setting, matches=1, seed=7)


@pytest.mark.long
@pytest.mark.parametrize("setting", by_length(others, list(all_settings())), ids=setting_id)
def test_every_setting_conforms(setting: Setting) -> None:
    most = 2 if has_sheets(setting) else 6
    check_game(setting, matches=by_length(1, most), seed=100 + len(setting_id(setting)))


def test_a_fault_is_named_with_game_seed_and_place() -> None:
    fault = r"game\('sticheln', seats=3, .*\), seed 4, round 1, ply \d+, seat \d: lists moves out"
    with pytest.raises(ConformanceError, match=fault):
        check_game(planted(ListsBackwards), matches=1, seed=4)


# -- Faults in a game's own rules ------------------------------------------------------------------

if TYPE_CHECKING:
    from stichwerk.games.sticheln import Sticheln
    from stichwerk.games.stichling import Stichling
    from stichwerk.games.stichtag.game import Stichtag
else:
    Sticheln = twin("stichwerk.games.sticheln").Sticheln
    Stichling = twin("stichwerk.games.stichling").Stichling
    Stichtag = twin("stichwerk.games.stichtag.game").Stichtag


class ListsBackwards(Sticheln):
    """The order of moves is not the documented one."""

    def moves(self, state: State, seat: int) -> list[Move]:
        return super().moves(state, seat)[::-1]


class ForgetsAMove(Sticheln):
    """A card that may be played is not listed."""

    def legal_plays(self, state: State, seat: int, moves: Any) -> None:
        super().legal_plays(state, seat, moves)
        moves.size = max(1, moves.size - 1)


class ListsTwice(Sticheln):
    """A move is listed twice."""

    def legal_plays(self, state: State, seat: int, moves: Any) -> None:
        super().legal_plays(state, seat, moves)
        moves.add(moves.items[moves.size - 1])


class AllowsRevoking(Stichtag):
    """The duty to follow shows in the list but is not enforced."""

    def judge_play(self, state: State, seat: int, text: str) -> Move | Reason:
        card = self.read_card(state, seat, text)
        return card if isinstance(card, Reason) else Move(card_text(card), (card,))


class LosesACard(Sticheln):
    """A trick loses its last card on the way to the winner."""

    def take_trick(self, state: State, play: int, winner: int) -> None:
        state.trick_size[0] -= winner >= 0
        super().take_trick(state, play, winner)


class NeverEnds(Sticheln):
    """No round is the last."""

    def match_over(self, scores: Sequence[Sequence[int]]) -> bool:
        return False


class GetsStuck(Sticheln):
    """After the first trick nobody may play any more."""

    def legal_plays(self, state: State, seat: int, moves: Any) -> None:
        if state.tricks_done == 0:
            super().legal_plays(state, seat, moves)


class ShowsACard(Sticheln):
    """The lowest card of seat 0 is visible to everyone."""

    def table(self, state: State) -> dict[str, object]:
        return {**super().table(state), "seen": list(self.hand(state, 0)[:1])}


class ShowsPainCardsEarly(Sticheln):
    """Secret choices are public."""

    def table(self, state: State) -> dict[str, object]:
        return {"pain": state.choice[: 3 * self.seats : 3]}


class CountsLowCards(Sticheln):
    """Only a number, but it depends on hidden cards."""

    def table(self, state: State) -> dict[str, object]:
        low = sum(card[1:] in ("0", "1", "2") for card in self.hand(state, 0))
        return {**super().table(state), "low": low}


class ShowsTheNextScoringCard(Stichling):
    """A scoring card is shown one trick too early."""

    def table(self, state: State) -> dict[str, object]:
        turned = [min(3, state.tricks_won[seat] + 1) for seat in range(self.seats)]
        shown = [state.choice[3 * seat : 3 * seat + count] for seat, count in enumerate(turned)]
        return {"scoring": shown if state.phase != CHOOSE else None}


class TellsAllSecrets(Sticheln):
    """What only one seat may know is shown to the next one, too."""

    def secrets(self, state: State, seat: int) -> dict[str, object]:
        return super().secrets(state, (seat + 1) % self.seats)


class WhispersToAll(Sticheln):
    """The event of a secret choice goes to everyone."""

    def move_events(self, before: State, seat: int, move: Move, after: State) -> list[Event]:
        events = super().move_events(before, seat, move, after)
        return [msgspec.structs.replace(event, to=None) for event in events]


class IgnoresVoids(Stichtag):
    """Samples deal colours to seats that have shown to have none."""

    def may_hold(self, state: State, seat: int, card: int) -> bool:
        return True


class ForgetsPlays(Stichtag):
    """A state rebuilt from a view misses whose turn it is."""

    def learn(self, state: State, event: Event) -> None:
        super().learn(state, event)
        if event.kind == "trick":
            state.leader = 0


class TellsDifferentThings(Sticheln):
    """Replays do not tell the same."""

    calls = 0

    def revealed(self, before: State, after: State) -> list[Event]:
        TellsDifferentThings.calls += 1
        choices = super().revealed(before, after)[0].choices
        return [ChoicesRevealed(choices, round=self.calls)]


class TalksInSets(Sticheln):
    """A view that JSON cannot bring back."""

    def table(self, state: State) -> dict[str, object]:
        return {**super().table(state), "seats": tuple(range(self.seats))}


PLANTED = {
    ListsBackwards: "out of order",
    ForgetsAMove: "not listed",
    ListsTwice: "a move twice",
    AllowsRevoking: "not listed",
    LosesACard: "has lost",
    NeverEnds: "one too many",
    GetsStuck: "has none",
    ShowsACard: "when hidden cards are swapped|in the view of a sample",
    ShowsPainCardsEarly: "when hidden cards are swapped|in the view of a sample",
    CountsLowCards: "when hidden cards are swapped|in the view of a sample",
    ShowsTheNextScoringCard: "when hidden cards are swapped|in the view of a sample",
    TellsAllSecrets: "when hidden cards are swapped|in the view of a sample",
    WhispersToAll: "when hidden cards are swapped|cannot have made|knows the choice",
    IgnoresVoids: "in a sampled deal seat . cannot",
    ForgetsPlays: "a sample has leader|in the view of a sample",
    TellsDifferentThings: "replay|emits",
    TalksInSets: "after JSON",
}


def planted(kind: type[Game], seats: int = 3, **options: object) -> Setting:
    """Return a setting with a faulty game in place of the real one of its name."""
    registry.GAMES[kind.name] = kind  # type: ignore[assignment]
    registry._build.cache_clear()
    return stichwerk.game(kind.name, seats=seats, **options)


@pytest.fixture(autouse=True)
def restored() -> Iterator[None]:
    """The registry as it was."""
    before = dict(registry.GAMES)
    yield
    if before != registry.GAMES:
        registry.GAMES.update(before)
        registry._build.cache_clear()


@pytest.mark.parametrize("kind", [Sticheln, Stichling, Stichtag])
def test_plain_games_without_a_fault_conform(kind: type[Game]) -> None:
    check_game(planted(kind), matches=1)


@pytest.mark.parametrize(("kind", "what"), PLANTED.items(), ids=[kind.__name__ for kind in PLANTED])
def test_a_fault_in_a_game_is_found(kind: type[Game], what: str) -> None:
    with pytest.raises(ConformanceError, match=what):
        check_game(planted(kind), matches=3)


# -- Faults on days of the calendar ----------------------------------------------------------------


class ShowsPartners(Stichtag):
    """All partner cards lie open."""

    def table(self, state: State) -> dict[str, object]:
        return {**super().table(state), "partners": state.partners[: self.seats]}


class ShowsAnEgg(Stichtag):
    """Who takes an egg looks at it."""

    def table(self, state: State) -> dict[str, object]:
        return {**super().table(state), "values": state.eggs[: state.eggs_taken]}


class NamesAsideCards(Stichtag):
    """The lowest card that seat 0 has set aside is seen."""

    def table(self, state: State) -> dict[str, object]:
        return {**super().table(state), "low": state.aside[0] & -state.aside[0]}


class PassesOpenly(Stichtag):
    """Passed cards are shown to everyone."""

    def move_events(self, before: State, seat: int, move: Move, after: State) -> list[Event]:
        events = super().move_events(before, seat, move, after)
        return [
            msgspec.structs.replace(event, to=None) if event.kind == "received" else event
            for event in events
        ]


class DrawsOpenly(Stichtag):
    """Drawn cards are shown to everyone."""

    def move_events(self, before: State, seat: int, move: Move, after: State) -> list[Event]:
        events = super().move_events(before, seat, move, after)
        return [
            msgspec.structs.replace(event, to=None) if event.kind == "drew" else event
            for event in events
        ]


class ShowsTheStock(Stichtag):
    """The next card of the stock is face up."""

    def table(self, state: State) -> dict[str, object]:
        top = state.stock[state.stock_top] if state.stock_size else None
        return {**super().table(state), "top": top}


class SeesThroughCards(Stichtag):
    """Whether a face-down card is high."""

    def table(self, state: State) -> dict[str, object]:
        chosen = [state.choice[3 * seat] for seat in range(self.seats)]
        high = [card % 16 > 4 for card in chosen if card < 128]
        return {**super().table(state), "high": high}


class AnnouncesAloud(Stichtag):
    """Announcements are public at once."""

    def table(self, state: State) -> dict[str, object]:
        announced = [state.choice[3 * seat] for seat in range(self.seats)]
        return {**super().table(state), "announced": announced}


class LosesThePair(Stichtag):
    """The second card of a pair goes nowhere."""

    def take_trick(self, state: State, play: int, winner: int) -> None:
        state.second[0] = 255
        super().take_trick(state, play, winner)


class StrikesAnyone(Stichtag):
    """A veto against oneself is not refused."""

    def judge(self, state: State, seat: int, text: str) -> Move | Reason:
        if text.startswith("veto ") and text[5:].isdecimal():
            step = 5 * 4096 + int(text[5:])
            return Move(text, (step,))
        return super().judge(state, seat, text)


HIDDEN = "when hidden cards are swapped|in the view of a sample"
PLANTED_DAYS = {
    ShowsPartners: (["red 6"], HIDDEN),
    ShowsAnEgg: (["April"], HIDDEN),
    NamesAsideCards: (["red 8"], HIDDEN),
    PassesOpenly: (["February"], "when hidden cards are swapped|in a sampled deal|takes"),
    DrawsOpenly: (["August"], "when hidden cards are swapped|in a sampled deal|takes|has lost"),
    ShowsTheStock: (["August"], HIDDEN),
    SeesThroughCards: (["red 1"], HIDDEN),
    AnnouncesAloud: (["red 4"], HIDDEN),
    LosesThePair: (["red 2"], "has lost"),
    StrikesAnyone: (["red 7"], "not listed"),
}


@pytest.mark.parametrize(
    ("kind", "sheets", "what"),
    [(kind, *planted) for kind, planted in PLANTED_DAYS.items()],
    ids=[kind.__name__ for kind in PLANTED_DAYS],
)
def test_a_fault_on_a_day_is_found(kind: type[Game], sheets: list[str], what: str) -> None:
    with pytest.raises(ConformanceError, match=what):
        check_game(planted(kind, seats=4, sheets=sheets), matches=3)


@pytest.mark.slow
@pytest.mark.parametrize("sheets", [planted[0] for planted in PLANTED_DAYS.values()], ids=str)
def test_plain_days_without_a_fault_conform(sheets: list[str]) -> None:
    check_game(planted(Stichtag, seats=4, sheets=sheets), matches=1)


# -- Faults in match and view ----------------------------------------------------------------------


def leaky(field: str, leak: Callable[[Game, State], object]) -> Callable[..., View]:
    """Return an `assemble` that fills one field of the view from the truth."""
    original = view_module.assemble

    def assemble(
        rules: Game, state: State, seat: int | None, standing: Standing, history: Sequence[Event]
    ) -> View:
        view = original(rules, state, seat, standing, history)
        return msgspec.structs.replace(view, **{field: leak(rules, state)})

    return assemble


def top_of_stock(rules: Game, state: State) -> int:
    return state.stock[0] if state.stock_size else 0


def lowest_cards(rules: Game, state: State) -> tuple[str, ...]:
    return tuple(rules.hand(state, seat)[0] if state.owes else "" for seat in range(rules.seats))


@pytest.mark.parametrize("where", ["match only", "everywhere"])
@pytest.mark.parametrize("field", ["stock", "names"])
def test_a_leak_in_the_view_is_found(
    monkeypatch: pytest.MonkeyPatch, field: str, where: str
) -> None:
    faulty = leaky(field, {"stock": top_of_stock, "names": lowest_cards}[field])
    monkeypatch.setattr(match_module, "assemble", faulty)
    if where == "everywhere":
        monkeypatch.setattr("stichwerk.testing.views.assemble", faulty)
    with pytest.raises(ConformanceError, match=r"in the view|swapped|the view shows"):
        check_game(stichwerk.game("null-nichtig", seats=4), matches=1)


def test_a_history_for_everyone_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(BaseEvent, "visible", lambda event, seat: True)
    with pytest.raises(ConformanceError, match=r"when hidden cards are swapped|takes"):
        check_game(stichwerk.game("stichtag", seats=3), matches=1)


def test_a_refused_move_with_a_trace_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    original = match_module.Match.play

    def play(self: match_module.Match, seat: int, move: str | Move) -> tuple[Event, ...]:
        self._events.append(GameEvent("tried", seat))
        return original(self, seat, move)

    monkeypatch.setattr(match_module.Match, "play", play)
    with pytest.raises(ConformanceError, match="left a trace"):
        check_game(stichwerk.game("stichtag", seats=3), matches=1)


# -- Faults in the engine --------------------------------------------------------------------------

ENGINE_FAULTS = [
    ("state.py", "self.voids[:] = other.voids", "pass", "lose ['voids']"),
    ("state.py", "self.choice[:] = other.choice", "self.choice = other.choice", "share ['choice']"),
    ("state.py", "self.totals[:] = other.totals", "pass", "lose ['totals']"),
    ("state.py", "twin.assign(self)", "twin.renew(self)", "lose ['round', 'starter', 'totals']"),
    ("state.py", "self.hand_size[seat] -= 1", "pass", "cards in a hand of"),
    (
        "unseen_cards.py",
        "or self.mend_voids(state, generator)",
        "or True",
        "in a sampled deal seat",
    ),
    ("unseen_cards.py", "generator.holders[at] = NONE", "generator.holders[at] = 0", "a sample"),
]


@pytest.mark.parametrize(("file", "line", "fault", "what"), ENGINE_FAULTS, ids=lambda text: text)
def test_a_fault_in_the_engine_is_found(
    tmp_path: Path, file: str, line: str, fault: str, what: str
) -> None:
    """The engine is changed in a plain copy of the package, which runs in a process of its own."""
    copy = tmp_path / "stichwerk"
    shutil.copytree(SOURCE, copy, ignore=shutil.ignore_patterns("*.so", "*.pyd", "__pycache__"))
    changed = copy / "engine" / file
    assert line in changed.read_text("utf-8")
    changed.write_text(changed.read_text("utf-8").replace(line, fault), "utf-8")
    code = (
        "import stichwerk; from stichwerk.testing import check_game; "
        "check_game(stichwerk.game('stichtag', seats=3), matches=3)"
    )
    run = subprocess.run(
        [sys.executable, "-c", code],
        env={"PYTHONPATH": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert "ConformanceError" in run.stderr
    assert what in run.stderr
