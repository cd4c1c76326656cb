"""Curves of trainings on the page of the ladder: from `training/*/curve.jsonl` to pictures."""

from collections.abc import Iterator, Mapping, Sequence
from math import sqrt
from pathlib import Path

import msgspec

from stichwerk.arena.ladder import GAMES, SEATS
from stichwerk.arena.ladder_text import commands, game_name, paragraph, points, table
from stichwerk.arena.statistics import NORMAL
from stichwerk.bots import nets
from stichwerk.svg import Scale, line, picture, text

TRAINING, EXPLOITERS, CURVE, MADE = "training", "exploiters", "curve.jsonl", "made.json"
USUAL_ROUNDS = 1600  # of a measurement, where a curve does not say how many
LEFT, TOP, PLOT, HEIGHT, ASIDE = 56, 64, 480, 240, 150
WIDTH = LEFT + PLOT + ASIDE
APART = 15  # between two labels
MARKS = ("month", "green", "red", "base", "ink", "soft")
DASHES = ("", "7 3", "2 3", "9 3 2 3", "4 4", "1 5")  # so that colour is not needed


class CurvePoint(msgspec.Struct, frozen=True, kw_only=True):
    """A point of a curve: win shares of one net against three of each rival."""

    iteration: int
    decisions: int
    error: float | None
    shares: dict[str, float]
    leads: dict[str, float] = {}
    rounds: int = USUAL_ROUNDS


Curve = list[CurvePoint]


class Curves(msgspec.Struct, frozen=True):
    """All curves: of the nets by game, of the exploiters by folder, with their commands."""

    nets: dict[str, Curve] = {}
    exploiters: dict[str, Curve] = {}
    made: dict[str, str] = {}


# -- Reading ---------------------------------------------------------------------------------------


def read_curves(folder: Path) -> Curves:
    """Read the curves of all trainings below a folder; none where there are none."""
    found = {game: read_curve(folder / game / CURVE) for game in GAMES}
    exploiters = {path.parent.name: path for path in sorted(folder.glob(f"{EXPLOITERS}/*/{CURVE}"))}
    return Curves(
        {game: curve for game, curve in found.items() if curve},
        {name: read_curve(path) for name, path in exploiters.items()},
        {name: command_in(path.with_name(MADE)) for name, path in exploiters.items()},
    )


def read_curve(path: Path) -> Curve:
    """Read a curve; of an iteration that was repeated, the last point."""
    lines = path.read_bytes().splitlines() if path.exists() else []
    found = [msgspec.json.decode(one, type=CurvePoint) for one in lines]
    return sorted({point.iteration: point for point in found}.values(), key=iteration_of)


def iteration_of(point: CurvePoint) -> int:
    """Return how far a point is."""
    return point.iteration


def command_in(path: Path) -> str:
    """Return the command of a training, if it is known."""
    return str(msgspec.json.decode(path.read_bytes())["command"]) if path.exists() else ""


# -- On the page -----------------------------------------------------------------------------------


def picture_of(game: str) -> str:
    """Return the file name of the picture of a game's training."""
    return f"training-{game}.svg"


EXPLOITER_PICTURE = "training-exploiters.svg"
PICTURES = {
    picture_of(game): (
        f"Training of the net of {game_name(game)}: the win share of one net among three of each "
        "rival, over the decisions that it has learned from, a line for each rival. The last "
        "figures stand in the table."
    )
    for game in GAMES
} | {
    EXPLOITER_PICTURE: (
        "Training of exploiters: the win share of one of them among three frozen copies of a bot, "
        "over the decisions that it has learned from, a line for each training. All figures stand "
        "in the table."
    )
}


def training_section(curves: Curves) -> Iterator[str]:
    """Write the curves of the nets, and what they came to."""
    yield "### How the nets learned"
    yield paragraph(
        "Win share of one net among three of each rival while it was trained, in rounds at four "
        f"seats ({USUAL_ROUNDS:,} against each rival, so an interval is about ± 2.5 points wide). "
        "The rivals are those of its pool: `full` is what `greedy-2` plays by, `small` what "
        "`greedy-1` plays by. Every fifth shard of its training is against them."
    )
    for game in curves.nets:
        yield f"![{PICTURES[picture_of(game)]}](img/{picture_of(game)})"
    rivals = list(
        dict.fromkeys(name for curve in curves.nets.values() for name in curve[-1].shares)
    )
    yield table(
        ("game", "decisions", *(f"`{rival}`" for rival in rivals)),
        [
            (
                game_name(game),
                millions(curve[-1].decisions),
                *(share_text(curve[-1].shares.get(rival)) for rival in rivals),
            )
            for game, curve in curves.nets.items()
        ],
        words=1,
    )
    yield commands(nets.weights_of(game, nets.NEWEST)[0].command for game in curves.nets)


def exploiter_section(curves: Curves) -> Iterator[str]:
    """Write what learners gain that play against copies of one bot only."""
    yield "### Exploiters"
    yield paragraph(
        "A net that is trained in one seat, among frozen copies of one bot on all others, finds "
        "out what can be gained from the habits of that bot (`stichwerk train GAME --against BOT`, "
        "see [training](training.md)). Win share of the exploiter in rounds at four seats; equal "
        "would be 25 %. With `--from` it begins as a copy of a trained net. *Worth gained* is in "
        "points of a round above the mean of the others, with a bonus for the best: what it learns."
    )
    if curves.exploiters:
        yield f"![{PICTURES[EXPLOITER_PICTURE]}](img/{EXPLOITER_PICTURE})"
    head = ("training", "decisions", "before", "after", "gain", "worth gained")
    yield table(head, list(exploiter_rows(curves)), words=1)
    if known := [made for made in curves.made.values() if made]:
        yield commands(known)


def exploiter_rows(curves: Curves) -> Iterator[tuple[str, ...]]:
    """Write one training after the other as a table row."""
    for name, curve in curves.exploiters.items():
        first, last = curve[0], curve[-1]
        before, after = (next(iter(point.shares.values())) for point in (first, last))
        worths = [next(iter(point.leads.values()), 0.0) for point in (first, last)]
        yield (
            name,
            millions(last.decisions),
            within(before, first.rounds),
            within(after, last.rounds),
            f"{100 * (after - before):+.1f} %".replace("-", "−"),
            points(worths[1] - worths[0]),
        )


def within(share: float, rounds: int) -> str:
    """Format a share with its 95 % interval, as if every round were won or lost on its own."""
    margin = NORMAL * sqrt(share * (1 - share) / rounds)
    return f"{100 * share:.1f} % ± {100 * margin:.1f}"


def share_text(share: float | None) -> str:
    """Format a share that may be missing."""
    return "" if share is None else f"{100 * share:.0f} %"


def millions(count: int) -> str:
    """Format a number of decisions."""
    return f"{count / 1e6:.1f} million"


# -- Pictures --------------------------------------------------------------------------------------


def made(curves: Curves) -> dict[str, str]:
    """Return the pictures, by file name; an empty one where a training is missing."""
    pictures = {}
    for game in GAMES:
        curve = curves.nets.get(game, [])
        heading = f"{game_name(game)}: win share among three of each rival"
        pictures[picture_of(game)] = curve_picture(picture_of(game), heading, by_rival(curve))
    exploited = {
        name: [(point.decisions, next(iter(point.shares.values()))) for point in curve]
        for name, curve in curves.exploiters.items()
    }
    pictures[EXPLOITER_PICTURE] = curve_picture(
        EXPLOITER_PICTURE, "Win share of an exploiter among three copies", exploited
    )
    return pictures


Series = Mapping[str, Sequence[tuple[int, float]]]


def by_rival(curve: Curve) -> Series:
    """Return the points of each rival: decisions and win share."""
    rivals = curve[-1].shares if curve else {}
    return {
        rival: [(one.decisions, one.shares[rival]) for one in curve if rival in one.shares]
        for rival in rivals
    }


def curve_picture(name: str, heading: str, series: Series) -> str:
    """Draw win shares over decisions, a line with its label for each of a series."""
    most = max((x for found in series.values() for x, _ in found), default=1)
    across, up = Scale(LEFT, PLOT, 0, most), Scale(0, HEIGHT, 0.0, 1.0)
    floor = TOP + HEIGHT
    marks = [text(16, 30, heading, "ink bold")]
    for tick in (0.0, 0.25, 0.5, 0.75, 1.0):
        y = floor - up.at(tick)
        equal = tick == 1 / SEATS
        marks.append(line(LEFT, y, LEFT + PLOT, y, "soft-line dash" if equal else "rule-line"))
        marks.append(text(LEFT - 6, y + 4, f"{100 * tick:.0f} %", "soft small end"))
    step = round_step(most)
    for x in range(0, most + 1, step):
        label = f"{x / 1e6:.1f}".removesuffix(".0")
        marks.append(text(across.at(x), floor + 18, label, "soft small middle"))
    marks.append(text(LEFT + PLOT, floor + 36, "million decisions learned from", "soft small end"))
    places = label_places({key: floor - up.at(found[-1][1]) for key, found in series.items()})
    for at, (key, found) in enumerate(series.items()):
        colour, dashes = MARKS[at % len(MARKS)], DASHES[at % len(DASHES)]
        path = "L".join(f"{across.at(x):.1f} {floor - up.at(y):.1f}" for x, y in found)
        marks.append(
            f'<path d="M{path}" class="{colour}-line outline" stroke-width="2" '
            f'stroke-dasharray="{dashes}"/>'
        )
        end = floor - up.at(found[-1][1])
        marks.append(line(LEFT + PLOT, end, LEFT + PLOT + 10, places[key], "soft-line"))
        shown = f"{key} {100 * found[-1][1]:.0f} %"
        marks.append(text(LEFT + PLOT + 14, places[key] + 4, shown, f"{colour} small"))
    return picture(heading, PICTURES[name], WIDTH, floor + 52, marks)


def round_step(most: int) -> int:
    """Return a round number of which three to eight fit into this one."""
    power = int(10 ** (len(str(most)) - 1))
    sizes = (power // 5, power // 2, power, 2 * power)
    return next((size for size in sizes if size and most < 8 * size), max(1, 2 * power))


def label_places(wanted: Mapping[str, float]) -> dict[str, float]:
    """Return where labels go that would overlap: one below the other, within the picture."""
    order = sorted(wanted, key=lambda key: wanted[key])
    places: dict[str, float] = {}
    last = 0.0
    for key in order:
        last = places[key] = max(wanted[key], last + APART)
    lowest = float(TOP + HEIGHT + APART)
    for key in reversed(order):
        lowest = places[key] = min(places[key], lowest - APART)
    return places
