"""How fast the engine is, beside OpenSpiel's hearts: measured in one run, single thread.

Every figure is taken several times, ours and theirs in turn, and the best of each counts: a noisy
machine then slows both alike. Without OpenSpiel (`make bench` installs it) only ours are measured.
"""

import json
import platform
import random
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

from stichwerk.engine.frame import Game
from stichwerk.engine.generator import Generator
from stichwerk.engine.state import State
from stichwerk.games import registry
from stichwerk.games.stichtag.calendar import all_dates

SEATS = 4
GOALS = {"sticheln": 3.0, "null-nichtig": 3.0, "stichtag": 2.0, "stichling": 1.5}
DAY_GOALS = {"all": 0.5, "slowest": 0.2}  # Stichtag's calendar beside its base game
ROUNDS = 4_000  # rounds in one sample of ours
ROLLOUTS = 1_000  # roll-outs in one sample of OpenSpiel's
DAY_ROUNDS = 100  # rounds of each date in one sample of the calendar
STEPPED = 60  # rounds in one sample driven from Python

IMPORT = (
    "import time; begin = time.perf_counter(); import stichwerk;print(time.perf_counter() - begin)"
)
FIRST_MATCH = (
    "import time; begin = time.perf_counter(); import stichwerk;"
    "stichwerk.game('sticheln').new(seed=1).view(0); print(time.perf_counter() - begin)"
)
PLAYING = (
    "import resource, stichwerk; match = stichwerk.game('sticheln').new(seed=1);"
    "bot = stichwerk.bot('random')\n"
    "while match.waiting_for: match.play(s := match.waiting_for[0], bot.choose(match.view(s)))\n"
    "try: print(next(at.split()[1] for at in open('/proc/self/status') if 'VmHWM' in at))\n"
    # Elsewhere as good as it gets: this figure may contain what the parent process had.
    "except OSError: print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
)


def measure(repeats: int = 7, progress: Callable[[str], None] = lambda _: None) -> dict[str, Any]:
    """All figures, with their names; ratios to OpenSpiel where it is installed."""
    hearts = _hearts()
    samples: dict[str, list[float]] = {}
    days = Days()
    for at in range(repeats):
        progress(f"{at + 1}/{repeats}")
        for name in registry.GAMES:
            samples.setdefault(name, []).append(_random_rounds(name, seed=at))
        days.sample(seed=at)
        samples.setdefault("stepped", []).append(_stepped("sticheln", seed=at))
        samples.setdefault("copies", []).append(1 / _copy_seconds())
        if hearts:
            samples.setdefault("hearts", []).append(hearts.rollouts(seed=at))
            samples.setdefault("hearts_deal", []).append(hearts.whole_games(seed=at))
            samples.setdefault("hearts_stepped", []).append(hearts.stepped(seed=at))
    best = {name: max(values) for name, values in samples.items()}
    return _report(best, days, repeats)


def _report(best: dict[str, float], days: "Days", repeats: int) -> dict[str, Any]:
    """Name every figure; rates in moves per second."""
    ours = {name: round(best[name]) for name in registry.GAMES}
    report: dict[str, Any] = {
        "machine": {"python": platform.python_version(), "processor": platform.machine()},
        "engine": "plain Python" if _plain() else "compiled",
        "repeats": repeats,
        "seats": SEATS,
        "moves_per_second": ours,
        "stichtag_days": days.report(),
        "stepped_moves_per_second": round(best["stepped"]),
        "copy_nanoseconds": round(1e9 / best["copies"], 1),
        "import_seconds": round(min(float(_child(IMPORT)) for _ in range(5)), 4),
        "import_and_first_match_seconds": round(
            min(float(_child(FIRST_MATCH)) for _ in range(5)), 4
        ),
        "playing_megabytes": round(int(_child(PLAYING)) / 1024, 1),
    }
    if "hearts" in best:
        report["openspiel_hearts"] = {
            "rollouts_after_deal_moves_per_second": round(best["hearts"]),
            "evaluate_bots_with_deal_moves_per_second": round(best["hearts_deal"]),
            "stepped_moves_per_second": round(best["hearts_stepped"]),
        }
        report["ratios"] = {name: round(best[name] / best["hearts"], 2) for name in ours}
        report["stepped_ratio"] = round(best["stepped"] / best["hearts_stepped"], 2)
        report["goals"] = GOALS
    return report


# -- Ours ----------------------------------------------------------------------------------------


def _plain() -> bool:
    frame = sys.modules["stichwerk.engine.frame"].__file__ or ""
    return frame.endswith(".py")


def _rules(name: str, **options: object) -> Game:
    return registry.build(name, SEATS, registry.settle_options(name, SEATS, options))


def _random_rounds(name: str, seed: int) -> float:
    """Whole random rounds, deal and scoring included, in moves per second."""
    rules = _rules(name)
    rounds = ROUNDS // 100 if _plain() else ROUNDS
    begin = time.perf_counter()
    moves = rules.random_rounds(rounds, seed)
    return moves / (time.perf_counter() - begin)


class Days:
    """All settings of Stichtag's calendar beside its base game, measured in turn.

    For the base game and each date the shortest time counts, so that a noisy moment on one date
    does not make it the slowest.
    """

    def __init__(self) -> None:
        self.rules: dict[str | None, Game] = {None: _rules("stichtag")}
        self.rules |= {date: _rules("stichtag", date=date) for date in all_dates()}
        self.best: dict[str | None, tuple[int, float]] = {}

    def sample(self, seed: int) -> None:
        """The base game before each month, then the dates of the month."""
        rounds = max(DAY_ROUNDS // 100, 1) if _plain() else DAY_ROUNDS
        for date in all_dates():
            if date.endswith("-00"):
                self.time(None, 5 * rounds, seed)
            self.time(date, rounds, seed)

    def time(self, date: str | None, rounds: int, seed: int) -> None:
        """One sample of one setting."""
        begin = time.perf_counter()
        moves = self.rules[date].random_rounds(rounds, seed)
        seconds = time.perf_counter() - begin
        best = self.best.setdefault(date, (moves, seconds))
        if moves / seconds > best[0] / best[1]:
            self.best[date] = moves, seconds

    def report(self) -> dict[str, Any]:
        """All moves over all time, and the slowest date, relative to the base game."""
        rates = {date: moves / seconds for date, (moves, seconds) in self.best.items()}
        base = rates.pop(None)
        dated = [best for date, best in self.best.items() if date is not None]
        together = sum(moves for moves, _ in dated) / sum(seconds for _, seconds in dated)
        rate, date = min((rate, date) for date, rate in rates.items() if date is not None)
        return {
            "rate": round(together),
            "ratio_to_base": round(together / base, 2),
            "slowest": {"date": date, "rate": round(rate), "ratio": round(rate / base, 2)},
            "base": round(base),
            "goals": DAY_GOALS,
        }


def _stepped(name: str, seed: int) -> float:
    """Random rounds driven from Python, move by move, through the numbers of the engine."""
    rules = _rules(name)
    generator, pick, moves = Generator(seed), random.Random(seed), 0
    begin = time.perf_counter()
    for _ in range(STEPPED):
        state = State()
        state.round = 1
        rules.shuffled_round(state, generator)
        while owes := state.owes:
            seat = owes.bit_length() - 1
            actions = rules.actions(state, seat)
            rules.play(state, seat, actions[int(pick.random() * len(actions))])
            moves += 1
    return moves / (time.perf_counter() - begin)


def _copy_seconds() -> float:
    """One copy of a state, from Python."""
    state, times = State(), 20_000
    begin = time.perf_counter()
    for _ in range(times):
        state.copy()
    return (time.perf_counter() - begin) / times


def _child(program: str) -> str:
    """What a fresh process prints."""
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    return run.stdout


# -- OpenSpiel's -----------------------------------------------------------------------------------


class Hearts:
    """OpenSpiel's hearts, the nearest relative there: four seats, 52 cards, C++."""

    def __init__(self, pyspiel: Any) -> None:
        self.pyspiel = pyspiel
        self.game = pyspiel.load_game("hearts")

    def dealt(self, pick: random.Random) -> tuple[Any, int]:
        """A state after all chance, and how many moves are left until the end."""
        state = self.game.new_initial_state()
        while state.is_chance_node():
            state.apply_action(pick.choice(state.legal_actions()))
        end, moves = state.clone(), 0
        while not end.is_terminal():
            end.apply_action(end.legal_actions()[0])
            moves += 1
        return state, moves

    def rollouts(self, seed: int) -> float:
        """Roll-outs wholly in C++ after the deal.

        A search of one simulation does nothing but call its RandomRolloutEvaluator at the root.
        """
        state, moves = self.dealt(random.Random(seed))
        evaluator = self.pyspiel.RandomRolloutEvaluator(ROLLOUTS, seed)
        search = self.pyspiel.MCTSBot(self.game, evaluator, 2.0, 1, 100, False, seed, False)
        begin = time.perf_counter()
        search.step(state)
        return ROLLOUTS * moves / (time.perf_counter() - begin)

    def whole_games(self, seed: int) -> float:
        """Games between OpenSpiel's own random bots in C++, the deal included."""
        bots = [self.pyspiel.make_uniform_random_bot(seat, seed + seat) for seat in range(SEATS)]
        moves, seconds = 0, 0.0
        for at in range(20):
            state = self.game.new_initial_state()
            begin = time.perf_counter()
            self.pyspiel.evaluate_bots(state, bots, seed * 100 + at)
            seconds += time.perf_counter() - begin
            moves += sum(1 for action in state.full_history() if action.player >= 0)
        return moves / seconds

    def stepped(self, seed: int) -> float:
        """Random games after the deal, driven from Python."""
        pick, moves, seconds = random.Random(seed), 0, 0.0
        for _ in range(STEPPED):
            state, _ = self.dealt(pick)
            begin = time.perf_counter()
            while not state.is_terminal():
                actions = state.legal_actions()
                state.apply_action(actions[int(pick.random() * len(actions))])
                moves += 1
            seconds += time.perf_counter() - begin
        return moves / seconds


def _hearts() -> Hearts | None:
    try:
        import pyspiel
    except ImportError:
        return None
    return Hearts(pyspiel)


# -- Telling -------------------------------------------------------------------------------------


def lines(report: dict[str, Any]) -> list[str]:
    """The report as lines for people."""
    told = [
        f"{report['engine']}, Python {report['machine']['python']}, best of {report['repeats']}"
    ]
    for name, rate in report["moves_per_second"].items():
        ratio = report.get("ratios", {}).get(name)
        beside = f"   {ratio:.2f} x hearts (goal {GOALS[name]} x)" if ratio else ""
        told.append(f"  {name:<14}{rate / 1e6:8.2f} M moves/s{beside}")
    told += _day_lines(report["stichtag_days"])
    stepped = report["stepped_moves_per_second"] / 1e6
    ratio = report.get("stepped_ratio")
    told.append(
        f"  from Python   {stepped:8.2f} M moves/s" + (f"   {ratio:.2f} x" if ratio else "")
    )
    told.append(f"  copy {report['copy_nanoseconds']} ns, import {report['import_seconds']} s, ")
    told[-1] += f"a playing process {report['playing_megabytes']} MB"
    for name, rate in report.get("openspiel_hearts", {}).items():
        told.append(f"  OpenSpiel hearts, {name.replace('_', ' ')}: {rate / 1e6:.2f} M")
    return told


def _day_lines(days: dict[str, Any]) -> list[str]:
    slowest, goals = days["slowest"], days["goals"]
    return [
        f"  all 480 days  {days['rate'] / 1e6:8.2f} M moves/s"
        f"   {days['ratio_to_base']:.2f} x stichtag's base game (goal {goals['all']} x)",
        f"  slowest, {slowest['date']}{slowest['rate'] / 1e6:8.2f} M moves/s"
        f"   {slowest['ratio']:.2f} x (goal {goals['slowest']} x)",
    ]


def run(as_json: bool, repeats: int = 7, progress: Callable[[str], None] = lambda _: None) -> str:
    """Measure, and tell as JSON or for people."""
    report = measure(repeats, progress)
    return json.dumps(report, indent=2) if as_json else "\n".join(lines(report))
