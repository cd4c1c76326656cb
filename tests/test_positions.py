"""The bench of positions: its data is valid, and it distinguishes good bots from bad ones."""

import json
from collections import Counter
from itertools import islice

import pytest

from stichwerk import cli
from stichwerk.arena.positions import endgame_check
from stichwerk.arena.positions.command import GAMES
from stichwerk.arena.positions.decisions import (
    JudgedDecision,
    RecordPoint,
    cut,
    decisions,
    decisions_with_views,
    records,
)
from stichwerk.arena.positions.endgame_check import agreement
from stichwerk.arena.positions.generate import SURE, compared, differ, judged
from stichwerk.arena.positions.scoring import Score, score, scores
from stichwerk.bots import full_name
from stichwerk.bots.position import Position
from stichwerk.engine import frame
from stichwerk.engine.endgame import Endgame
from stichwerk.engine.frame import Game
from stichwerk.engine.state import State
from stichwerk.engine.tactics import Tactics
from stichwerk.games import registry
from stichwerk.record import decode, encode, replay, verify
from stichwerk.view import View

PLAIN = str(frame.__file__).endswith(".py")

pytestmark = pytest.mark.skipif(PLAIN, reason="takes far too long uncompiled")
every_game = pytest.mark.parametrize("game", GAMES)

Figures = dict[str, Score]


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "C.UTF-8")


def figures(game: str, *names: str) -> Figures:
    return {one.bot: one for one in scores(game, names)}


# -- The data --------------------------------------------------------------------------------------


@every_game
def test_records_hold(game: str) -> None:
    for record in records(game):
        assert record.game == game
        assert verify(record).status == "holds"
        assert decode(encode(record)) == record


@every_game
def test_there_are_decisions_of_every_match_as_planned(game: str) -> None:
    result = Counter(decision.record for decision in decisions(game))
    planned = [wanted for _, _, wanted in registry.info_of(game).trials.positions]
    assert [result[number] for number in range(len(planned))] == planned
    seats = [record.seats for record in records(game)]
    assert seats == [count for count, _, _ in registry.info_of(game).trials.positions]


@every_game
def test_decisions_are_real_ones_and_all_different(game: str) -> None:
    places = set()
    for decision, view in decisions_with_views(game):
        assert decision.seat in view.waiting_for
        assert set(decision.values) <= set(view.moves)
        assert set(decision.values) == {move.text for move in compared(Position(view))} or (
            len(view.moves) > len(decision.values) >= 24
        )
        assert differ(list(decision.values.values()), SURE)
        places.add((decision.record, decision.place, decision.seat))
    assert len(places) == len(decisions(game)) == 40


@every_game
def test_some_decisions_are_before_play(game: str) -> None:
    phases = Counter(view.phase == "play" for _, view in decisions_with_views(game))
    assert phases[True] >= 20
    assert phases[False] or game == "stichtag"


@every_game
def test_a_cut_record_is_an_unfinished_one(game: str) -> None:
    known = records(game)
    for decision in decisions(game)[::9]:
        begun = cut(known[decision.record], decision.place)
        assert verify(begun).status == "unfinished"
        assert replay(begun).view(decision.seat).round == decision.place.round


@pytest.mark.slow
@every_game
def test_the_long_search_still_agrees(game: str) -> None:
    """From another seed, and perhaps with better tactics, the best move is among the good ones."""
    for decision, view in islice(decisions_with_views(game), 5, 6):
        again = judged(view, seed=99)
        values = [value for value, _ in again.values()]
        assert again[decision.best][0] > max(values) - 0.25 * (max(values) - min(values))


# -- Regret ----------------------------------------------------------------------------------------

THREE = JudgedDecision(
    record=0,
    place=RecordPoint(round=1, choices=0, plays=0, extra=0),
    seat=0,
    values={"R1": (2.0, 0.1), "R2": (2.2, 0.1), "R3": (-1.0, 0.2)},
)


def test_regret_is_counted_against_the_best_move() -> None:
    assert THREE.best == "R2"
    assert THREE.regret("R2") == 0.0
    assert THREE.regret("R3") == pytest.approx(3.2)
    assert THREE.regret("Y9") == pytest.approx(3.2), "never judged: like the worst"
    assert [THREE.is_best(move) for move in ("R1", "R2", "R3", "Y9")] == [True, True, False, False]


class Perfect:
    """Knows the stored values."""

    name, version = "perfect", 1

    def __init__(self, game: str) -> None:
        self.answers = [decision.best for decision, _ in decisions_with_views(game)]

    def choose(self, view: View) -> str:
        return self.answers.pop(0)


@every_game
def test_a_bot_that_knows_the_values_loses_nothing(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("stichwerk.bots.registry.build", lambda name, seed=0: Perfect(game))
    found = score(game, "random", list(decisions_with_views(game)))
    assert (found.regret, found.best) == (0.0, 1.0)


@pytest.mark.slow
@every_game
def test_better_bots_lose_less(game: str) -> None:
    """Each rung gives away clearly less than the one below; a broken bot as much or more.

    The judge expects others to play by full tactics; `flat` expects the small rules.
    """
    found = figures(game, "random", "greedy", "flat@300", "tree@300")
    random, greedy, flat, tree = (one.regret for one in found.values())
    assert greedy < 0.8 * random
    assert flat < 0.9 * random
    assert tree < 0.9 * greedy
    by_bot = list(found.values())
    assert by_bot[0].best < by_bot[1].best < by_bot[3].best
    assert all(one.decisions == 40 for one in by_bot)


def test_the_same_bot_gives_the_same_figures() -> None:
    first, second = (figures("sticheln", "flat@50")[full_name("flat@50")] for _ in range(2))
    assert (first.regret, first.best) == (second.regret, second.best)


# -- Endings ---------------------------------------------------------------------------------------


@every_game
def test_endings_are_exact(game: str) -> None:
    found = agreement(game)
    assert found.equal == found.checked == endgame_check.ENDINGS


def test_hidden_endings_are_among_them() -> None:
    few = 0
    for view in endgame_check.endings("sticheln"):
        position = Position(view)
        deals = Endgame(position.tactics, 0).count(position.known, position.seat)
        few += 1 < deals <= endgame_check.FEW_DEALS
    assert few >= 2


@every_game
def test_a_wrong_solution_is_found(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The plain solution makes a mistake: it takes the worst move."""
    monkeypatch.setattr(endgame_check, "perfect_values", worst_values)
    found = agreement(game)
    assert found.equal < found.checked


def worst_values(rules: Game, tactics: Tactics, state: State) -> list[float]:
    if not state.owes:
        return [tactics.value(state, seat) for seat in range(rules.seats)]
    seat = next(seat for seat in range(rules.seats) if state.owes >> seat & 1)
    found = []
    for action in rules.actions(state, seat):
        after = state.copy()
        rules.play(after, seat, action)
        found.append(worst_values(rules, tactics, after))
    return min(found, key=lambda values: values[seat])


# -- The command -----------------------------------------------------------------------------------


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["positions", "sticheln", "--bots", "random, greedy"]) == 0
    shown = capsys.readouterr().out
    lines = [line for line in shown.splitlines() if "Sticheln │" in line]
    names = [line.split("│")[2].strip() for line in lines]
    assert names == [full_name("random"), full_name("greedy")]
    assert "12 endings" in shown
    assert "the same in 12" in shown


def test_the_command_in_german(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["positions", "stichtag", "--bots", "greedy", "--lang", "de"]) == 0
    shown = capsys.readouterr().out
    assert "verschenkte Punkte" in shown
    assert "12 Endspielen" in shown


@pytest.mark.slow
def test_all_games_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["positions", "--bots", "greedy,flat@200", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    result = [(one["game"], one["bot"]) for one in found["scores"]]
    bots = (full_name("greedy"), full_name("flat@200"))
    assert result == [(game, bot) for game in GAMES for bot in bots]
    assert set(found["endings"]) == set(GAMES)
    assert all(one["seconds_per_move"] > 0 for one in found["scores"])


def test_a_disagreement_is_exit_code_1(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(endgame_check, "perfect_values", worst_values)
    assert cli.main(["positions", "sticheln", "--bots", "random"]) == 1


@pytest.mark.parametrize(
    "args", [["nope"], ["sticheln", "--bots", "nobody"], ["sticheln", "--bots", ""]]
)
def test_bad_input_is_refused_in_one_line(
    args: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["positions", *args]) == 2
    result = capsys.readouterr()
    assert result.out == ""
    assert len(result.err.splitlines()) == 1
