"""The ladder: every contest that measures how strong our bots are, and the goals they must meet.

`python -m stichwerk.arena.ladder run` plays what is not measured yet and stores each contest in
`docs/ladder.json` as soon as it is finished, so an interrupted ladder continues where it stopped.
What was measured before the code of bots, engine or games changed counts as not measured. `python
-m stichwerk.arena.ladder page` writes `docs/bots.md` and its pictures from that file;
`ladder_ratings` makes the ratings that people see.

Long because every part of the ladder is here, a few lines each, beside what runs them.
"""

import argparse
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from hashlib import blake2b
from importlib.resources import files
from importlib.resources.abc import Traversable
from itertools import groupby, pairwise, permutations
from pathlib import Path
from typing import Any

import msgspec

from stichwerk import bots
from stichwerk.arena.deals import Plan, make_plan
from stichwerk.arena.runner import Play, workplace
from stichwerk.arena.tournament import Result, Tournament
from stichwerk.bots.registry import BUILT_IN
from stichwerk.engine.constants import CHOOSE
from stichwerk.errors import StichwerkError, UnknownBotError
from stichwerk.games import registry
from stichwerk.games.info import Ladder
from stichwerk.games.options import Value
from stichwerk.games.stichtag.calendar import SHEETS
from stichwerk.match import Setting

FORMAT = "stichwerk-ladder/1"
FOLDER, RESULTS = "docs", "ladder.json"
SEED = 1
SEATS = 4
FEWEST = 2  # deals: one alone has no interval
# One deal of Stichtag is a match of three rounds, of the others a round; each is played once with A
# in every seat. Where several bots search, deals are expensive.
CONTESTS: dict[str, Ladder] = dict(
    sorted(
        (
            (info.name, info.trials.ladder)
            for info in registry.OUR_GAMES
            if info.trials.ladder is not None
        ),
        key=lambda contest: contest[1].place,
    )
)
GAMES = tuple(CONTESTS)
OTHER_SEATS = (2, 3, 5, 6)
POOL = ("random-1", "greedy-1", "greedy-2", "flat@200", "tree@200", "expert-1", "net")
LEVELS = ("easy", "medium", "hard", "expert")
STYLES = ("highest", "lowest", "hoarder", "moody")
OLDER_NETS = tuple(
    one.full_name
    for one in BUILT_IN
    if one.name == "net" and one.version < bots.registry.BOTS["net"].version
)
BELIEFS = "beliefs"  # a part that is no contests, see `ladder_beliefs.py`
IN_MATCHES = ("hard-1", "expert-1", "net", "master")  # bots that play whole matches
MATCH_RIVALS = ("greedy-1", "lowest", "expert-1")
BEFORE = "master-2"  # the version before the newest, for whole matches
MATCH_GOALS = {"expert-1": 0, "greedy-1": 2}  # rivals whose goal for rounds is one for matches, too
CHARACTERS = tuple(one.name for one in bots.registry.BUILT_IN if one.kind == "character")
MEASURED = (
    "medium-1",
    "hard-1",
    "expert-1",
    "tree@200",
    "net",
    "master",
)  # bots that meet strangers
FOUND_BY = (".py", ".pxd", ".pyx", ".net")  # files that decide how bots play
DIGITS = 6  # of the stored figures: more would only add noise to diffs


class LadderGoal(msgspec.Struct, frozen=True):
    """What A must reach: a win `share`, a `gap` above a number, or `no loss`."""

    kind: str
    number: float = 0.0


class LadderContest(msgspec.Struct, frozen=True, kw_only=True):
    """One contest of the ladder: one A against B on all other seats."""

    part: str
    game: str
    a: str
    b: str
    deals: int
    goal: LadderGoal | None = None
    slowest: float | None = None  # seconds that A may take for a move
    seats: int = SEATS
    sheet: str | None = None  # of Stichtag's calendar, alone over the base rules
    date: str | None = None  # of that calendar, with all its sheets
    unit: str | None = None  # what a deal is, if not what is usual in this game

    @property
    def table(self) -> str:
        """The setting in short."""
        day = self.sheet or self.date
        return f"{self.game}-{self.seats}" + (f"/{day}" if day else "")

    @property
    def key(self) -> str:
        """The key of its figures in the file."""
        return f"{self.part}/{self.table}/{self.a}/{self.b}"

    @property
    def setting(self) -> Setting:
        """The game that is played."""
        options: dict[str, Value] = {"sheets": [self.sheet]} if self.sheet else {}
        options |= {"date": self.date} if self.date else {}
        return Setting(self.game, self.seats, options)


# -- The table of contests -------------------------------------------------------------------------

CHEAPER = 5  # times as many deals of levels that do not search
FLAT_SECONDS = 0.3
MASTER_SECONDS = 0.01
SHEET_GOAL = 0.35
LEVEL_GOAL = 1.4  # times the equal share
GRAND_GOAL = 0.32
DAY_DEALS = 3  # a day of the calendar alone says little, all of them together do
ALONE_RIVALS = {"random-1": 0.55, "tree@200": 0.30}  # with the goal for the mean of all sheets
DATE_BOTS, DATE_RIVAL = ("master", "greedy-2"), "greedy-1"
HELD_OUT = (7, 17, 27)  # days of each month that the nets never saw
# Stichtag's base game has no choice before the round; on this sheet tricks are bid.
CHOICE_SHEET = next(name for name, sheet in SHEETS.items() if CHOOSE in sheet.asks)


def deals_of(part: str, game: str) -> int:
    """Return how many deals each contest of a part gets."""
    return CONTESTS[game].deals[part]


def greedy_rungs() -> Iterator[LadderContest]:
    """Measure tactics alone against random play."""
    for name in ("greedy-1", "greedy-2"):
        for game, goals in CONTESTS.items():
            yield rung("greedy", game, name, "random-1", goal=LadderGoal("share", goals.greedy))


def flat_rungs() -> Iterator[LadderContest]:
    """Measure search against the tactics of its play-outs, within a time limit."""
    for game, goals in CONTESTS.items():
        goal = LadderGoal("share", goals.flat)
        yield rung("flat", game, "flat", "greedy-1", goal=goal, slowest=FLAT_SECONDS)


def tree_rungs() -> Iterator[LadderContest]:
    """Check that the tree, which can play any game, does not pay for that."""
    for game in GAMES:
        yield rung("tree", game, "tree", "flat", goal=LadderGoal("no loss"))


def sheet_rungs() -> Iterator[LadderContest]:
    """Check that the tree can play every sheet of the calendar."""
    for sheet in SHEETS:
        goal = LadderGoal("share", SHEET_GOAL)
        game = registry.calendar_game().name
        yield rung("sheets", game, "tree@200", "random-1", goal=goal, sheet=sheet)


def choice_rungs() -> Iterator[LadderContest]:
    """Compare bots that play alike and differ only in their choices before the round."""
    for version in (1, 2):
        for game in GAMES:
            sheet = CHOICE_SHEET if registry.has_calendar(game) else None
            a, b = f"chooser-{version}", f"greedy-{version}"
            yield rung("choices", game, a, b, goal=LadderGoal("gap"), sheet=sheet)


def level_rungs() -> Iterator[LadderContest]:
    """Check that the difference between levels is noticeable, with any number of seats."""
    for below, level in pairwise(LEVELS):
        for game in GAMES:
            for seats in registry.kind(game).seat_counts:
                goal = LadderGoal("share", LEVEL_GOAL / seats)
                times = (1 if level == "expert" else 2) * (1 if seats == SEATS else 0.5)
                yield rung("levels", game, level, below, goal=goal, times=times, seats=seats)


def seat_rungs() -> Iterator[LadderContest]:
    """Play with fewer and more seats: no goals, but nothing may break."""
    for game in GAMES:
        for seats in OTHER_SEATS:
            if seats in registry.kind(game).seat_counts:
                yield rung("seats", game, "greedy-2", "random-1", seats=seats)
                yield rung("seats", game, "flat", "greedy-1", seats=seats)


def master_rungs() -> Iterator[LadderContest]:
    """Measure net and search together against what was there before, within a time limit."""
    for game, goals in CONTESTS.items():
        rivals = ("expert-1", strangers(game)[0], "greedy-1")
        for rival, share in zip(rivals, goals.master, strict=True):
            goal = LadderGoal("share", share)
            yield rung("master", game, "master", rival, goal=goal, slowest=MASTER_SECONDS)


def grand_rungs() -> Iterator[LadderContest]:
    """Measure what a hundred times the time is worth."""
    for game in GAMES:
        goal = LadderGoal("share", GRAND_GOAL)
        deals = deals_of("pool", game)
        yield LadderContest(
            part="grand", game=game, a="grandmaster", b="master", deals=deals, goal=goal
        )


def alone_rungs() -> Iterator[LadderContest]:
    """Play every sheet of the calendar alone; the goals are for the means."""
    game = registry.calendar_game().name
    for rival in ALONE_RIVALS:
        for sheet in SHEETS:
            yield LadderContest(
                part="alone", game=game, a="master", b=rival, deals=DAY_DEALS, sheet=sheet
            )


def date_rungs() -> Iterator[LadderContest]:
    """Play dates that the nets were trained on, and dates that they were not."""
    game = registry.calendar_game().name
    unseen = [f"{month:02}-{day:02}" for month in range(1, 13) for day in HELD_OUT]
    for a in DATE_BOTS:
        for date in (*unseen, *trained_dates(game)):
            yield LadderContest(
                part="dates", game=game, a=a, b=DATE_RIVAL, deals=DAY_DEALS, date=date
            )


def trained_dates(game: str) -> list[str]:
    """Return the dates on which the net of a game was trained with the usual seats."""
    training = registry.info_of(game).training
    tables = training.tables if training else ()
    return [str(options["date"]) for seats, options, _ in tables if seats == SEATS and options]


def is_held_out(rung: LadderContest) -> bool:
    """Return whether the nets were not trained on the date of a contest."""
    return rung.date is not None and int(rung.date[-2:]) in HELD_OUT


def match_rungs() -> Iterator[LadderContest]:
    """Play whole matches: who leads at the end counts there, not who wins most rounds."""
    for game in GAMES:
        for rival in MATCH_RIVALS:
            for a in IN_MATCHES:
                if bots.full_name(a) != bots.full_name(rival):
                    yield rung(
                        "matches", game, a, rival, unit="match", goal=match_goal(a, game, rival)
                    )
        yield rung("matches", game, "master", BEFORE, unit="match")


def match_goal(a: str, game: str, rival: str) -> LadderGoal | None:
    """Return the share of matches that `master` should win: as high as that of rounds."""
    if a != "master" or rival not in MATCH_GOALS:
        return None
    return LadderGoal("share", CONTESTS[game].master[MATCH_GOALS[rival]])


def pool_rungs() -> Iterator[LadderContest]:
    """Play everyone against everyone: who beats whom need not follow from rank.

    What the part `strangers` plays, with more deals, is not played again.
    """
    for game in GAMES:
        for a, b in permutations(pool(game), 2):
            if a not in MEASURED or b not in strangers(game):
                yield rung("pool", game, a, b)


def pool(game: str) -> tuple[str, ...]:
    """Return the bots of the cross-table: ours, then strangers."""
    return *POOL, *strangers(game)


def stranger_rungs() -> Iterator[LadderContest]:
    """Play against styles that our tactics do not model: no goals yet."""
    for game in GAMES:
        for a in MEASURED:
            for b in strangers(game):
                yield rung("strangers", game, a, b)


def character_rungs() -> Iterator[LadderContest]:
    """Compare characters and levels with the first levels, for their ratings; `expert-1` alone
    among characters is cheaper."""
    for game in GAMES:
        for level in ("easy", "medium", "hard"):
            yield rung("characters", game, level, "random-1", times=CHEAPER)
        yield rung("characters", game, "expert", "expert-1")
        for name in CHARACTERS:
            for level in ("random-1", "medium-1", "hard-1"):
                yield rung("characters", game, name, level, times=CHEAPER)
            yield rung("characters", game, "expert-1", name)


def strangers(game: str) -> tuple[str, ...]:
    """Return bots whose play ours do not model; the search among them thinks as long as expert."""
    return f"ismcts@{CONTESTS[game].ismcts}", *STYLES, *OLDER_NETS


def rung(part: str, game: str, a: str, b: str, *, times: float = 1, **more: Any) -> LadderContest:
    """Make a contest with the deals of its part, or a multiple of them; `more` are fields of it."""
    deals = int(times * deals_of(part, game))
    return LadderContest(part=part, game=game, a=a, b=b, deals=deals, **more)


# In playing order: contests with goals first, supplementary ones last.
PARTS: dict[str, Callable[[], Iterator[LadderContest]]] = {
    "greedy": greedy_rungs,
    "flat": flat_rungs,
    "tree": tree_rungs,
    "choices": choice_rungs,
    "levels": level_rungs,
    "master": master_rungs,
    "grand": grand_rungs,
    "sheets": sheet_rungs,
    "alone": alone_rungs,
    "dates": date_rungs,
    "seats": seat_rungs,
    "matches": match_rungs,
    "pool": pool_rungs,
    "strangers": stranger_rungs,
    "characters": character_rungs,
}


def all_rungs(parts: Sequence[str] = ()) -> list[LadderContest]:
    """Return the whole ladder, or some parts of it."""
    return [rung for part, rungs in PARTS.items() if not parts or part in parts for rung in rungs()]


# -- What was measured -----------------------------------------------------------------------------


class Figures(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The figures of a contest; intervals are of 95 %, shares between 0 and 1."""

    plan: Plan
    code: str  # fingerprint of bots, engine and games
    deals: int
    win_share: float
    win_share_ci: tuple[float, float]
    gap: float
    gap_ci: tuple[float, float]
    moves: int
    seconds_per_move: float
    took: float  # wall-clock seconds, for planning a run
    round_share: float | None = None  # of the rounds, where a deal is a match
    round_share_ci: tuple[float, float] | None = None


Known = dict[str, Figures]


class LadderFile(msgspec.Struct, frozen=True):
    """The whole file."""

    format: str
    contests: Known


def read_results(path: Path) -> Known:
    """Read the measured figures by key of the rung; none if there is no file yet.

    Figures of an earlier version of a bot are not those of the bot: they are left out.
    """
    if not path.exists():
        return {}
    contests = msgspec.json.decode(path.read_bytes(), type=LadderFile).contests
    versions = {rung.key: (rung.a, rung.b) for rung in all_rungs()}
    return {
        key: figures
        for key, figures in contests.items()
        if key not in versions or figures.plan.bots == tuple(map(bots.full_name, versions[key]))
    }


def write_results(path: Path, known: Known) -> None:
    """Replace the file atomically: an interruption loses nothing."""
    order = {rung.key: place for place, rung in enumerate(all_rungs())}
    ordered = dict(sorted(known.items(), key=lambda one: order.get(one[0], len(order))))
    data = msgspec.json.format(msgspec.json.encode(LadderFile(FORMAT, ordered)), indent=1)
    beside = path.with_suffix(".new")
    beside.write_bytes(data + b"\n")
    beside.replace(path)


@cache
def code_state() -> str:
    """Return a fingerprint of everything that decides how bots play."""
    digest = blake2b(digest_size=6)
    for part in ("bots", "engine", "games"):
        for name, text in source_files(files("stichwerk") / part, part):
            digest.update(name.encode() + b"\0" + text + b"\0")
    return digest.hexdigest()


def source_files(folder: Traversable, name: str) -> Iterator[tuple[str, bytes]]:
    """Yield all source files below a folder, always in the same order."""
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        path = f"{name}/{entry.name}"
        if entry.is_dir():
            yield from source_files(entry, path)
        elif entry.name.endswith(FOUND_BY):
            yield path, entry.read_bytes().replace(b"\r\n", b"\n")


def is_measured(rung: LadderContest, known: Known, deals: int) -> bool:
    """Return whether these figures are of the current bots, and of enough deals."""
    figures = known.get(rung.key)
    if figures is None or figures.deals < deals or figures.code != code_state():
        return False
    return figures.plan == plan_of([rung])


# -- Playing ---------------------------------------------------------------------------------------


class LadderOptions(msgspec.Struct, frozen=True, kw_only=True):
    """How the ladder is to be played."""

    scale: float = 1.0
    jobs: int | None = None
    minutes: float | None = None
    new: bool = False  # play only what has no figures at all

    def after(self, seconds: float) -> "LadderOptions":
        """Return the options for the rest of a run."""
        if self.minutes is None:
            return self
        return msgspec.structs.replace(self, minutes=self.minutes - seconds / 60)

    def deals(self, rung: LadderContest) -> int:
        """Return how many deals a contest gets."""
        return max(FEWEST, round(rung.deals * self.scale))


def plan_of(rungs: Sequence[LadderContest]) -> Plan:
    """Make one plan for contests with the same setting, so that workers start only once."""
    names = dict.fromkeys(name for rung in rungs for name in (rung.a, rung.b))
    return make_plan(rungs[0].setting, tuple(names), SEED, rungs[0].unit)


def climb(
    rungs: Sequence[LadderContest],
    path: Path,
    run_options: LadderOptions,
    tell: Callable[[str], object],
) -> Known:
    """Play what is not measured yet and store each contest when it is finished."""
    known = read_results(path)
    end = time.monotonic() + 60 * run_options.minutes if run_options.minutes is not None else None
    missing = [
        rung for rung in rungs if can_be_held(rung, tell) and is_due(rung, known, run_options)
    ]
    tell(
        f"{len(missing)} of {len(rungs)} contests to be played"
        f"{expected(missing, known, run_options)}"
    )
    for rung, figures in played(missing, run_options, end):
        known[rung.key] = figures
        write_results(path, known)
        tell(f"{rung.key}: {figures.win_share:.1%}, {figures.took:.1f} s")
    return known


def is_due(rung: LadderContest, known: Known, run_options: LadderOptions) -> bool:
    """Return whether a contest is to be played now."""
    if run_options.new:
        return rung.key not in known
    return not is_measured(rung, known, run_options.deals(rung))


def expected(rungs: Sequence[LadderContest], known: Known, run_options: LadderOptions) -> str:
    """Estimate how long that takes from earlier runs on this machine or another."""
    earlier = [rung for rung in rungs if rung.key in known]
    rates = [known[rung.key].took / known[rung.key].deals for rung in earlier]
    seconds = sum(rate * run_options.deals(rung) for rate, rung in zip(rates, earlier, strict=True))
    return f"; {len(earlier)} of them took {seconds / 60:.0f} minutes before" if earlier else ""


def can_be_held(rung: LadderContest, tell: Callable[[str], object]) -> bool:
    """Return whether both bots exist; one that is not there yet must not stop the others."""
    try:
        bots.full_name(rung.a), bots.full_name(rung.b)
    except UnknownBotError as error:
        tell(f"{rung.key}: left out, no bot {error.data['bot']}")
        return False
    return True


def played(
    rungs: Sequence[LadderContest], run_options: LadderOptions, end: float | None
) -> Iterator[tuple[LadderContest, Figures]]:
    """Yield contests as they finish, table by table; start none after the time limit."""
    for _, group in groupby(rungs, key=lambda rung: (rung.part, rung.table)):
        at_table = list(group)
        if end is not None and time.monotonic() > end:
            return
        plan = plan_of(at_table)
        with workplace("local", plan, run_options.jobs) as play:
            for rung in at_table:
                if end is not None and time.monotonic() > end:
                    return
                yield rung, held(rung, plan, play, run_options.deals(rung))


def held(rung: LadderContest, plan: Plan, play: Play, deals: int) -> Figures:
    """Play one contest."""
    begin = time.monotonic()
    a, b = (plan.bots.index(bots.full_name(name)) for name in (rung.a, rung.b))
    result = Tournament(plan=plan, deals=deals).result(a, b, play, lambda result: None)
    return figures_of(result, time.monotonic() - begin)


def figures_of(result: Result, took: float) -> Figures:
    """Return the figures of a contest as they are stored."""
    return Figures(
        plan=msgspec.structs.replace(result.plan, bots=result.names),
        code=code_state(),
        deals=result.gaps.count,
        win_share=rounded(result.win_shares.mean),
        win_share_ci=interval(result.win_share_interval),
        gap=rounded(result.gaps.mean),
        gap_ci=interval(result.gaps.interval or (0.0, 0.0)),  # never None: there are FEWEST deals
        moves=result.moves,
        seconds_per_move=rounded(result.seconds_per_move),
        took=round(took, 1),
        round_share=rounded(result.round_shares.mean) if result.round_shares.count else None,
        round_share_ci=(
            interval(result.round_share_interval) if result.round_shares.count else None
        ),
    )


def interval(ends: tuple[float, float]) -> tuple[float, float]:
    """Return an interval as it is stored."""
    return rounded(ends[0]), rounded(ends[1])


def rounded(value: float) -> float:
    """Return a figure as it is stored."""
    return round(value, DIGITS)


# -- Goals -----------------------------------------------------------------------------------------

CLEAR, UNCLEAR, MISSED = "met, clear", "met, not clear of the interval", "missed"
MET = "met"  # where the goal applies to the interval itself
PRELIMINARY = "preliminary: "  # of fewer deals than the table asks for
UNMEASURED = "not measured"


def verdict(rung: LadderContest, figures: Figures | None) -> str:
    """Return whether the goal is met; an empty text where none is set."""
    if rung.goal is None:
        return "" if figures else UNMEASURED
    if figures is None:
        return UNMEASURED
    said = judged(rung.goal, figures)
    if rung.slowest is not None and figures.seconds_per_move > rung.slowest:
        said = f"{MISSED} (too slow)"
    return said if figures.deals >= rung.deals else PRELIMINARY + said


def judged(goal: LadderGoal, figures: Figures) -> str:
    """Return whether the figures reach the goal, and how certain that is."""
    if goal.kind == "no loss":
        return MET if figures.gap_ci[1] >= 0 else MISSED
    mean, low = (
        (figures.win_share, figures.win_share_ci[0])
        if goal.kind == "share"
        else (figures.gap, figures.gap_ci[0])
    )
    if low > goal.number:
        return CLEAR
    return UNCLEAR if mean > goal.number else MISSED


# -- The command -----------------------------------------------------------------------------------


def read_arguments(given: Sequence[str] | None) -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(prog="python -m stichwerk.arena.ladder", description=__doc__)
    parser.add_argument("--folder", default=FOLDER, help="where page and figures lie")
    commands = parser.add_subparsers(dest="command", required=True)
    run = commands.add_parser("run", help="play what is not measured yet")
    run.add_argument(
        "--only", action="append", default=[], choices=(*PARTS, BELIEFS), metavar="PART"
    )
    run.add_argument("--scale", type=float, default=1.0, help="part of the deals, as in 0.1")
    run.add_argument("--jobs", type=int, help="deals at a time (default: one for each core)")
    run.add_argument("--minutes", type=float, help="begin no contest after so many")
    run.add_argument("--new", action="store_true", help="only what has no figures yet, old or new")
    commands.add_parser("page", help="write page and pictures from the figures")
    return parser.parse_args(given)


def main(given: Sequence[str] | None = None) -> int:
    """Play the ladder, or write its page."""
    arguments = read_arguments(given)
    folder = Path(arguments.folder)
    if arguments.command == "page":
        from stichwerk.arena.ladder_page import write  # it reads the table above

        write(folder)
        return 0
    run_options = LadderOptions(
        scale=arguments.scale,
        jobs=arguments.jobs,
        minutes=arguments.minutes,
        new=arguments.new,
    )
    begin = time.monotonic()
    try:
        climb(all_rungs(arguments.only), folder / RESULTS, run_options, tell)
        if not arguments.only or BELIEFS in arguments.only:
            from stichwerk.arena import ladder_beliefs

            ladder_beliefs.climb(folder, run_options.after(time.monotonic() - begin), tell)
    except StichwerkError as error:
        tell(str(error))
        return 1
    except KeyboardInterrupt:
        tell("interrupted; finished contests are kept")
        return 130
    return 0


def tell(line: str) -> None:
    """Print the progress."""
    print(line, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
