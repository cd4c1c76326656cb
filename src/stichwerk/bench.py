"""How fast the engine and its searches are, next to OpenSpiel's hearts: in one run, single thread.

Every figure is taken several times, ours and theirs in turn, and the best of each counts: a noisy
machine then slows both alike. Without OpenSpiel (`make bench` installs it) only ours are measured.
How long the strongest bot thinks is measured on request, since it takes a minute.
"""

import json
import platform
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from statistics import median
from typing import Any

from stichwerk import bots
from stichwerk.bots.position import Position
from stichwerk.bots.tactics import tactics_of
from stichwerk.engine.frame import Game
from stichwerk.engine.generator import Generator
from stichwerk.engine.search import Search
from stichwerk.engine.state import State
from stichwerk.engine.tactics import Tactics
from stichwerk.games import registry
from stichwerk.games.stichtag.calendar import SHEETS, all_dates
from stichwerk.match import Match, Setting
from stichwerk.view import View

SEATS = 4
GOALS = {info.name: info.trials.speed for info in registry.OUR_GAMES if info.trials.speed}
DAY_GOALS = {"all": 0.85, "slowest": 0.4}  # Stichtag's calendar relative to its base game
ROUNDS = 4_000  # rounds in one sample of ours
ROLLOUTS = 1_000  # roll-outs in one sample of OpenSpiel's
DAY_ROUNDS = 100  # rounds of each date in one sample of the calendar
STEPPED = 60  # rounds in one sample driven from Python
SEARCH_GOAL = 3.0  # our tree search with random play-outs, relative to OpenSpiel's
SEARCHES = 5  # deals in one sample of searches, the same ones in each
SIMULATIONS = 5_000  # of one search
PLAY_OUTS = ("random", "small", "full")  # the play-outs of our searches
DIFFERENCES = (
    "Ours starts where 4 x 14 cards of Sticheln are left (15 each, less the pain card); "
    "OpenSpiel's where 51 of 52 are left in hearts without passing: the first is forced, and a "
    "forced card is not searched.",
    "For every simulation both draw a deal that fits what the player knows. Ours fills in a copy; "
    "OpenSpiel's deals a new state card by card.",
    "OpenSpiel's finds its nodes by the text of what the player to move knows, that "
    "player's hand included; ours are one tree of the moves made since, for all deals.",
    "Both play out once for each simulation; `random` does so at random, as OpenSpiel's does.",
)
EXPERT_GOAL = 1.0  # seconds for the slowest single move, on one core
EXPERT_MOVES = 10  # timed in each setting, besides the first of each phase
EXPERT_SECONDS = 3.0  # spent on these in one setting before the next
DAY_MOVES = 2  # the same on a date of the calendar: there are many

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
    # Elsewhere this figure may include memory of the parent process.
    "except OSError: print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
)


def measure(
    repeats: int = 7, progress: Callable[[str], None] = lambda _: None, experts: bool = False
) -> dict[str, Any]:
    """Return all figures, with their names; ratios to OpenSpiel where it is installed."""
    hearts = _hearts()
    samples: dict[str, list[float]] = {}
    days, trees = Days(), Trees()
    for at in range(repeats):
        progress(f"{at + 1}/{repeats}")
        for name in registry.GAMES:
            samples.setdefault(name, []).append(_random_rounds(name, seed=at))
        days.sample(seed=at)
        samples.setdefault("stepped", []).append(_stepped("sticheln", seed=at))
        samples.setdefault("copies", []).append(1 / _copy_seconds())
        for style in PLAY_OUTS:
            samples.setdefault(f"tree_{style}", []).append(trees.simulations(style, seed=at))
        if hearts:
            samples.setdefault("hearts", []).append(hearts.rollouts(seed=at))
            samples.setdefault("hearts_deal", []).append(hearts.whole_games(seed=at))
            samples.setdefault("hearts_stepped", []).append(hearts.stepped(seed=at))
            samples.setdefault("hearts_search", []).append(hearts.simulations(seed=at))
    best = {name: max(values) for name, values in samples.items()}
    report = _report(best, days, repeats)
    report["search"] = _search_report(best)
    if experts:
        report["expert_seconds"] = Experts().report(progress)
    return report


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


def _search_report(best: dict[str, float]) -> dict[str, Any]:
    """Return simulations per second of tree searches, and what differs in the comparison."""
    rates = {style: round(best[f"tree_{style}"]) for style in PLAY_OUTS}
    report: dict[str, Any] = {
        "game": "sticheln",
        "seats": SEATS,
        "simulations": _simulations(),
        "simulations_per_second": rates,
    }
    if "hearts_search" in best:
        theirs = best["hearts_search"]
        report["openspiel_hearts_ismcts_simulations_per_second"] = round(theirs)
        report["ratios"] = {style: round(rate / theirs, 2) for style, rate in rates.items()}
        report["goal"] = SEARCH_GOAL
        report["differences"] = DIFFERENCES
    return report


# -- Ours ------------------------------------------------------------------------------------------


def _plain() -> bool:
    frame = sys.modules["stichwerk.engine.frame"].__file__ or ""
    return frame.endswith(".py")


def _rules(name: str, **options: object) -> Game:
    return registry.build(name, SEATS, registry.settle_options(name, SEATS, options))


def _random_rounds(name: str, seed: int) -> float:
    """Play whole random rounds, deal and scoring included; return moves per second."""
    rules = _rules(name)
    rounds = ROUNDS // 100 if _plain() else ROUNDS
    begin = time.perf_counter()
    moves = rules.random_rounds(rounds, seed)
    return moves / (time.perf_counter() - begin)


class Days:
    """All settings of Stichtag's calendar and its base game, measured in turn.

    For the base game and each date the shortest time counts, so that a noisy moment on one date
    does not make it the slowest.
    """

    def __init__(self) -> None:
        self.rules: dict[str | None, Game] = {None: _rules("stichtag")}
        self.rules |= {date: _rules("stichtag", date=date) for date in all_dates()}
        self.best: dict[str | None, tuple[int, float]] = {}

    def sample(self, seed: int) -> None:
        """Measure the base game before each month, then the dates of the month."""
        rounds = max(DAY_ROUNDS // 100, 1) if _plain() else DAY_ROUNDS
        for date in all_dates():
            if date.endswith("-00"):
                self.time(None, 5 * rounds, seed)
            self.time(date, rounds, seed)

    def time(self, date: str | None, rounds: int, seed: int) -> None:
        """Take one sample of one setting."""
        begin = time.perf_counter()
        moves = self.rules[date].random_rounds(rounds, seed)
        seconds = time.perf_counter() - begin
        best = self.best.setdefault(date, (moves, seconds))
        if moves / seconds > best[0] / best[1]:
            self.best[date] = moves, seconds

    def report(self) -> dict[str, Any]:
        """Return all moves over all time, and the slowest date, relative to the base game."""
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
    """Play random rounds from Python, move by move, through the numbers of the engine."""
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
    """Return the time of one copy of a state, from Python."""
    state, times = State(), 20_000
    begin = time.perf_counter()
    for _ in range(times):
        state.copy()
    return (time.perf_counter() - begin) / times


def _simulations() -> int:
    return SIMULATIONS // 100 if _plain() else SIMULATIONS


class Trees:
    """Tree searches at the start of Sticheln's rounds, when the pain cards are revealed."""

    def __init__(self) -> None:
        self.positions = [self.position(seed) for seed in range(SEARCHES)]

    def position(self, seed: int) -> Position:
        """Return what the starter knows before the first card."""
        match, bot = Setting("sticheln", SEATS, {}).new(seed=seed), bots.build("random", seed)
        while match.phase != "play":
            seat = match.waiting_for[0]
            match.play(seat, bot.choose(match.view(seat)))
        return Position(match.view(match.waiting_for[0]))

    def simulations(self, style: str, seed: int) -> float:
        """Simulations per second with play-outs of this style."""
        seconds = 0.0
        for position in self.positions:
            search = Search(self.tactics(position.rules, style), seed)
            begin = time.perf_counter()
            search.tree(position.known, position.seat, _simulations())
            seconds += time.perf_counter() - begin
        return SEARCHES * _simulations() / seconds

    @staticmethod
    def tactics(rules: Game, style: str) -> Tactics:
        """Return random play, or the tactics of a greedy bot."""
        return Tactics(rules) if style == "random" else tactics_of(rules, style)


class Experts:
    """How long the strongest bot thinks: in every game, at every number of seats, on every day.

    Its time is processor time, so threads and other users of the machine do not
    matter. In each setting one round is played by greedy bots; of its decisions the first of
    each phase is timed, so that no phase is missed, and some that are spread over the whole round.
    """

    def __init__(self) -> None:
        self.name = "expert" if "expert" in bots.BOTS else "tree@5000"
        self.settings = list(_expert_settings())

    def report(self, progress: Callable[[str], None]) -> dict[str, Any]:
        """Return median and maximum of all timed moves, game by game."""
        times: dict[str, list[tuple[float, str]]] = {}
        for at, setting in enumerate(self.settings):
            progress(f"{self.name} {at + 1}/{len(self.settings)}")
            place = _place(setting)
            found = self.timed(setting)
            times.setdefault(setting.name, []).extend((seconds, place) for seconds in found)
        return {
            "bot": bots.full_name(self.name),
            "goal": EXPERT_GOAL,
            "games": {name: self.game_report(found) for name, found in times.items()},
        }

    def timed(self, setting: Setting) -> list[float]:
        """Return the seconds of single moves, at least of the first of each phase."""
        moves = DAY_MOVES if setting.options.get("date") else EXPERT_MOVES
        first, others = _decisions(setting, moves)
        found: list[float] = []
        for at, view in enumerate([*first, *others]):
            if at >= len(first) and sum(found) > EXPERT_SECONDS:
                break
            bot = bots.build(self.name, at)
            begin = time.process_time()
            bot.choose(view)
            found.append(time.process_time() - begin)
        return found

    @staticmethod
    def game_report(found: list[tuple[float, str]]) -> dict[str, Any]:
        """Return the figures of one game."""
        slowest, place = max(found)
        return {
            "moves": len(found),
            "median": round(median(seconds for seconds, _ in found), 4),
            "maximum": round(slowest, 4),
            "slowest": place,
            "over_goal": sorted({place for seconds, place in found if seconds > EXPERT_GOAL}),
        }


def _expert_settings() -> Iterator[Setting]:
    """Yield each game at each number of seats; of Stichtag also all sheets alone, and every day."""
    for name, kind in registry.GAMES.items():
        for seats in kind.seat_counts:
            yield Setting(name, seats, {})
    for sheet in SHEETS:
        yield Setting("stichtag", SEATS, {"sheets": [sheet]})
    for date in all_dates():
        for seats in registry.calendar_game().rules.seat_counts:
            yield Setting("stichtag", seats, {"date": date})


def _place(setting: Setting) -> str:
    """Return a setting in few words."""
    date, sheets = setting.options.get("date"), setting.options.get("sheets")
    alone = sheets[0] if isinstance(sheets, list) and sheets else ""
    return f"{setting.seats} seats {date or alone}".strip()


def _decisions(setting: Setting, count: int) -> tuple[list[View], list[View]]:
    """Return decisions of one round of greedy bots: the first of each phase, and some others."""
    first: dict[str, View] = {}
    others = []
    for view in _views(setting.new(seed=1)):
        if len(view.moves) > 1:
            if view.phase in first:
                others.append(view)
            first.setdefault(view.phase, view)
    spread = others[:: max(1, len(others) // count)][:count]
    return list(first.values()), random.Random(1).sample(spread, len(spread))


def _views(match: Match) -> Iterator[View]:
    """Yield what each seat sees when it has to move, in a round played by greedy bots."""
    bot = bots.build("greedy", 1)
    while not match.scores:
        seat = match.waiting_for[0]
        view = match.view(seat)
        yield view
        match.play(seat, bot.choose(view))


def _child(program: str) -> str:
    """Return what a fresh process prints."""
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    return run.stdout


# -- OpenSpiel's -----------------------------------------------------------------------------------


class Hearts:
    """OpenSpiel's hearts, its closest game: four seats, 52 cards, C++."""

    def __init__(self, pyspiel: Any) -> None:
        self.pyspiel = pyspiel
        self.game = pyspiel.load_game("hearts")
        self.without_passing = pyspiel.load_game("hearts(pass_cards=false)")

    def dealt(self, pick: random.Random) -> tuple[Any, int]:
        """Return a state after all chance nodes, and the number of moves left."""
        state = self.game.new_initial_state()
        while state.is_chance_node():
            state.apply_action(pick.choice(state.legal_actions()))
        end, moves = state.clone(), 0
        while not end.is_terminal():
            end.apply_action(end.legal_actions()[0])
            moves += 1
        return state, moves

    def rollouts(self, seed: int) -> float:
        """Run roll-outs entirely in C++ after the deal.

        A search of one simulation does nothing but call its RandomRolloutEvaluator at the root.
        """
        state, moves = self.dealt(random.Random(seed))
        evaluator = self.pyspiel.RandomRolloutEvaluator(ROLLOUTS, seed)
        search = self.pyspiel.MCTSBot(self.game, evaluator, 2.0, 1, 100, False, seed, False)
        begin = time.perf_counter()
        search.step(state)
        return ROLLOUTS * moves / (time.perf_counter() - begin)

    def whole_games(self, seed: int) -> float:
        """Play games between OpenSpiel's own random bots in C++, the deal included."""
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
        """Play random games after the deal, driven from Python."""
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

    def simulations(self, seed: int) -> float:
        """Simulations per second of its information-set search, with one random roll-out each."""
        seconds, best = 0.0, self.pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT
        for deal in range(SEARCHES):
            state, pick = self.without_passing.new_initial_state(), random.Random(deal)
            while state.is_chance_node() or len(state.legal_actions()) == 1:
                state.apply_action(pick.choice(state.legal_actions()))
            evaluator = self.pyspiel.RandomRolloutEvaluator(1, seed)
            bot = self.pyspiel.ISMCTSBot(seed, evaluator, 2.0, SIMULATIONS, -1, best, False, False)
            begin = time.perf_counter()
            bot.step(state)
            seconds += time.perf_counter() - begin
        return SEARCHES * SIMULATIONS / seconds


def _hearts() -> Hearts | None:
    try:
        import pyspiel
    except ImportError:
        return None
    return Hearts(pyspiel)


# -- Reporting -------------------------------------------------------------------------------------


def lines(report: dict[str, Any]) -> list[str]:
    """Return the report as lines for people."""
    report_lines = [
        f"{report['engine']}, Python {report['machine']['python']}, best of {report['repeats']}"
    ]
    for name, rate in report["moves_per_second"].items():
        ratio = report.get("ratios", {}).get(name)
        goal = f" (goal {GOALS[name]} x)" if name in GOALS else ""
        beside = f"   {ratio:.2f} x hearts{goal}" if ratio else ""
        report_lines.append(f"  {name:<14}{rate / 1e6:8.2f} M moves/s{beside}")
    report_lines += _day_lines(report["stichtag_days"])
    stepped = report["stepped_moves_per_second"] / 1e6
    ratio = report.get("stepped_ratio")
    report_lines.append(
        f"  from Python   {stepped:8.2f} M moves/s" + (f"   {ratio:.2f} x" if ratio else "")
    )
    report_lines += _search_lines(report["search"])
    report_lines.append(
        f"  copy {report['copy_nanoseconds']} ns, import {report['import_seconds']} s, "
    )
    report_lines[-1] += f"a playing process {report['playing_megabytes']} MB"
    for name, rate in report.get("openspiel_hearts", {}).items():
        report_lines.append(f"  OpenSpiel hearts, {name.replace('_', ' ')}: {rate / 1e6:.2f} M")
    return report_lines + _expert_lines(report.get("expert_seconds"))


def _day_lines(days: dict[str, Any]) -> list[str]:
    slowest, goals = days["slowest"], days["goals"]
    return [
        f"  all 480 days  {days['rate'] / 1e6:8.2f} M moves/s"
        f"   {days['ratio_to_base']:.2f} x stichtag's base game (goal {goals['all']} x)",
        f"  slowest, {slowest['date']}{slowest['rate'] / 1e6:8.2f} M moves/s"
        f"   {slowest['ratio']:.2f} x (goal {goals['slowest']} x)",
    ]


def _search_lines(search: dict[str, Any]) -> list[str]:
    report_lines = []
    for style, rate in search["simulations_per_second"].items():
        ratio = search.get("ratios", {}).get(style)
        beside = f"   {ratio:.2f} x OpenSpiel's ISMCTS on hearts" if ratio else ""
        goal = f" (goal {search['goal']} x)" if ratio and style == "random" else ""
        report_lines.append(
            f"  tree search, {style} play-outs: {rate / 1e3:.0f} k simulations/s{beside}{goal}"
        )
    return report_lines


def _expert_lines(experts: dict[str, Any] | None) -> list[str]:
    if experts is None:
        return []
    return [
        f"  {experts['bot']}, {name}: median {found['median']:.3f} s, slowest of {found['moves']} "
        f"moves {found['maximum']:.3f} s, {found['slowest']} (goal {experts['goal']} s)"
        for name, found in experts["games"].items()
    ]


def run(
    as_json: bool,
    repeats: int = 7,
    experts: bool = False,
    progress: Callable[[str], None] = lambda _: None,
) -> str:
    """Measure, and print as JSON or for people."""
    report = measure(repeats, progress, experts)
    return json.dumps(report, indent=2) if as_json else "\n".join(lines(report))
