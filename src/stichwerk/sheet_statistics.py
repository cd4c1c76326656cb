"""What each sheet of Stichtag's calendar does to the game: random rounds, a table and pictures.

`python -m stichwerk.sheet_statistics docs` writes `sheet-effects.md` and its pictures into a
folder. Every sheet is played alone over the base rules, whole matches of random moves, seeded: the
same command gives the same page. The pictures are SVG.
"""

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from pathlib import Path
from statistics import fmean, pstdev

import msgspec

from stichwerk.engine.codes import has, value_of
from stichwerk.engine.constants import PLAY
from stichwerk.engine.frame import Game
from stichwerk.engine.generator import Generator
from stichwerk.engine.state import State
from stichwerk.games import registry
from stichwerk.games.stichtag.calendar import GREEN, REDS, SHEETS
from stichwerk.svg import Scale, dot, line, minus, picture, text

SEATS = 4
ROUNDS = 2_000
SEED = 1
BASE = "base game"
NAMES = (BASE, *SHEETS)
COMMAND = "python -m stichwerk.sheet_statistics docs"


class Round(msgspec.Struct, frozen=True):
    """One random round: decisions, tricks, those of them with a symbol, what each seat got."""

    starter: int
    moves: int
    tricks: int
    marked: int
    points: tuple[int, ...]


class SheetStatistics(msgspec.Struct, frozen=True):
    """How the game plays with one sheet. Shares are between 0 and 1."""

    name: str
    rounds: int
    moves: float
    tricks: float
    mean: float  # points of a seat in a round ...
    spread: float  # ... and their standard deviation
    starter: float  # share of rounds in which the starter is best; shared by k, it counts 1/k
    marked: float | None  # share of tricks with a symbol; None, where the sheet has none
    points: dict[int, float]  # how often a seat gets how many points
    match_rounds: float
    early: float  # share of matches that end before their last round
    shared: float  # share of matches with more than one winner
    winner: float  # total of a winner
    loser: float  # total of the last


# -- Playing ---------------------------------------------------------------------------------------


def effects(rounds: int = ROUNDS, names: Iterable[str] = NAMES) -> Iterator[SheetStatistics]:
    """Yield the base game and each sheet alone, one after the other."""
    for name in names:
        yield effect(name, rounds)


def effect(name: str, rounds: int = ROUNDS) -> SheetStatistics:
    """Play random matches with this sheet until enough rounds are played."""
    options = {} if name == BASE else {"sheets": [name]}
    game = registry.calendar_game().name
    rules = registry.build(game, SEATS, registry.settle_options(game, SEATS, options))
    generator = Generator(SEED)
    matches: list[list[Round]] = []
    while sum(map(len, matches)) < rounds:
        matches.append(random_match(rules, len(matches) % SEATS, symbol(name), generator))
    return counted(name, rules, matches)


def symbol(name: str) -> int:
    """Return the values that carry the symbol of this sheet, as bits."""
    return sum(1 << value for value in SHEETS[name].values) if name in SHEETS else 0


def random_match(rules: Game, starter: int, symbol: int, generator: Generator) -> list[Round]:
    """Play a whole match of random moves."""
    state, rounds, scores = rules.new_state(), list[Round](), list[tuple[int, ...]]()
    state.starter = starter
    while not scores or not rules.match_over(scores):
        state.round = len(scores) + 1
        rounds.append(random_round(rules, state, symbol, generator))
        scores.append(rounds[-1].points)
        totals = [sum(column) for column in zip(*scores, strict=True)]
        state.totals = totals + [0] * (len(state.totals) - SEATS)
        state.starter = rules.next_starter(state.starter, scores)
    return rounds


def random_round(rules: Game, state: State, symbol: int, generator: Generator) -> Round:
    """Deal the next round of the state and play it at random, one decision after the other."""
    moves = marked = lying = tricks = 0
    rules.shuffled_round(state, generator)
    while owes := state.owes:
        seat = (owes & -owes).bit_length() - 1
        actions = rules.actions(state, seat)
        action = actions[generator.number(len(actions))]
        lying |= state.phase == PLAY and has(symbol, value_of(action))
        rules.play(state, seat, action)
        moves += 1
        if state.tricks_done > tricks:
            tricks, marked, lying = state.tricks_done, marked + lying, 0
    points = tuple(state.points[seat] for seat in range(SEATS))
    return Round(state.starter, moves, tricks, marked, points)


def counted(name: str, rules: Game, matches: Sequence[Sequence[Round]]) -> SheetStatistics:
    """Return the figures of all these matches."""
    rounds = [round for match in matches for round in match]
    points = [got for round in rounds for got in round.points]
    tricks = sum(round.tricks for round in rounds)
    scores = [[round.points for round in match] for match in matches]
    rankings = [rules.ranking(match) for match in scores]
    totals = [[sum(column) for column in zip(*match, strict=True)] for match in scores]
    return SheetStatistics(
        name=name,
        rounds=len(rounds),
        moves=fmean(round.moves for round in rounds),
        tricks=tricks / len(rounds),
        mean=fmean(points),
        spread=pstdev(points),
        starter=fmean(starter_share(rules, round) for round in rounds),
        marked=sum(round.marked for round in rounds) / tricks if symbol(name) else None,
        points={got: times / len(points) for got, times in sorted(Counter(points).items())},
        match_rounds=len(rounds) / len(matches),
        early=fmean(len(match) < rules.most_rounds() for match in matches),
        shared=fmean(len(ranking[0]) > 1 for ranking in rankings),
        winner=fmean(total[r[0][0]] for total, r in zip(totals, rankings, strict=True)),
        loser=fmean(total[r[-1][0]] for total, r in zip(totals, rankings, strict=True)),
    )


def starter_share(rules: Game, round: Round) -> float:
    """Return the starter's share in being best of the round, as the goal compares seats."""
    best = rules.ranking([round.points])[0]
    return (round.starter in best) / len(best)


# -- The page --------------------------------------------------------------------------------------

PICTURES = {
    "sheet-effects.svg": (
        "Four dot charts with a row for each sheet: moves per round, points of a seat per round "
        "with their spread, how often the starter is best, and tricks with a symbol; dashed lines "
        "show the base game. All figures stand in the table."
    ),
    "sheet-points.svg": (
        "A small bar chart for each sheet: how often a seat gets how many points in a round, with "
        "the outline of the base game behind it."
    ),
}


def page(found: Sequence[SheetStatistics]) -> str:
    """Return the whole page in Markdown."""
    opening, points = (f"![{said}](img/{file})" for file, said in PICTURES.items())
    parts = [
        "# What the sheets do",
        "How each sheet of [Stichtag's calendar](calendar.en.md) changes the game, when it is\n"
        f"played alone over the base rules: {ROUNDS:,} rounds each, {SEATS} seats. This page and\n"
        "its pictures are made by a command that anyone can repeat, to the same figures:",
        f"```sh\n{COMMAND}\n```",
        "**All seats play at random.** That shows what the rules do by themselves, not what\n"
        "people make of them: nobody here saves a veto, collects flowers or announces what the\n"
        "hand is good for. Chance alone moves the share of the starter by about 2 percentage\n"
        "points either way, the mean of points by less than 0.1.",
        opening,
        "## Rounds",
        "Moves are single decisions: plays and all extra choices, a discard card by card. Points\n"
        "are what a round adds to the total of a seat, *± spread* is their standard deviation.\n"
        "The starter is best where it would win a match of this round alone; shared by k it is\n"
        "1/k, so 25 % would be fair. *Symbol* is the share of tricks with a symbol of the sheet.",
        table(
            ("sheet", "", "moves", "tricks", "points", "± spread", "starter best", "symbol"),
            [round_row(effect) for effect in found],
        ),
        points,
        "## Matches: the green sheets",
        "Green sheets leave tricks and play as they are and change only the goal (on green 2 also\n"
        "the sign of points that would lead above 12, which is why their mean is lower). What\n"
        "they change is the match:",
        table(
            ("sheet", "", "rounds", "ends early", "shared victory", "winner's total", "last"),
            [match_row(effect) for effect in found if effect.name in (BASE, *greens())],
        ),
    ]
    return "\n\n".join(parts) + "\n"


def greens() -> list[str]:
    """Return the names of the green sheets."""
    return [sheet.name for sheet in GREEN]


def label(name: str) -> tuple[str, str]:
    """Return a sheet as the pages name it, and its title."""
    return name[0].upper() + name[1:], SHEETS[name].title[1] if name in SHEETS else ""


def round_row(effect: SheetStatistics) -> tuple[str, ...]:
    """Return the figures of a round."""
    return (
        *label(effect.name),
        f"{effect.moves:.1f}",
        f"{effect.tricks:.1f}",
        f"{effect.mean:.2f}",
        f"{effect.spread:.2f}",
        percent(effect.starter),
        "" if effect.marked is None else percent(effect.marked),
    )


def match_row(effect: SheetStatistics) -> tuple[str, ...]:
    """Return the figures of a match."""
    return (
        *label(effect.name),
        f"{effect.match_rounds:.2f}",
        percent(effect.early),
        percent(effect.shared),
        f"{effect.winner:.1f}",
        f"{effect.loser:.1f}",
    )


def percent(share: float) -> str:
    """Format a share as a percentage."""
    return f"{100 * share:.0f} %"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a Markdown table; figures from the third column on, aligned right."""
    rules = ["---"] * 2 + ["--:"] * (len(head) - 2)
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (head, rules, *rows))


# -- Pictures --------------------------------------------------------------------------------------


def kind(name: str) -> str:
    """Return green, red or month: the colour of a sheet in the charts."""
    if name == BASE:
        return "base"
    if name in greens():
        return "green"
    return "red" if SHEETS[name] in REDS else "month"


ROW, TOP, SIDE, COLUMN = 21, 62, 236, 172


def overview(found: Sequence[SheetStatistics]) -> str:
    """Draw a row for each sheet, a column for each figure, dashed lines for the base game."""
    places = dict(row_places(found))
    height = max(places.values()) + 34
    columns = [
        ("Moves per round", [effect.moves for effect in found], (30.0, 70.0)),
        ("Points of a seat ± spread", [effect.mean for effect in found], (-1.0, 9.0)),
        ("Starter is best, %", [100 * effect.starter for effect in found], (15.0, 35.0)),
        ("Tricks with a symbol, %", [100 * (effect.marked or 0) for effect in found], (0.0, 70.0)),
    ]
    marks = [text(24, 30, "Each sheet alone over the base rules", "ink bold")]
    for effect in found:
        name, title = label(effect.name)
        y = places[effect.name]
        marks += [text(24, y + 4, name, "ink bold small"), text(98, y + 4, title)]
    for at, (heading, values, ends) in enumerate(columns):
        spread = [effect.spread if at == 1 else 0.0 for effect in found]
        scale = Scale(SIDE + at * COLUMN + 8, COLUMN - 82, *ends)
        marks.append(text(scale.left, TOP - 12, heading, "soft"))
        if at < 3:
            base = scale.at(values[0])
            marks.append(line(base, TOP - 4, base, height - 20, "soft-line dash"))
        for effect, value, more in zip(found, values, spread, strict=True):
            y, colour = places[effect.name], kind(effect.name)
            marks.append(line(scale.left, y, scale.left + scale.width, y, "rule-line"))
            if at == 3 and effect.marked is None:
                continue
            if more:
                low, high = scale.at(value - more), scale.at(value + more)
                marks.append(line(low, y, high, y, f"{colour}-line span"))
            marks.append(dot(scale.at(value), y, colour))
            shown = f"{value:.1f}" if at < 2 else f"{value:.0f}"
            shown += f" ± {more:.1f}" if more else ""
            marks.append(text(SIDE + (at + 1) * COLUMN - 14, y + 4, shown, "soft small end"))
    said = PICTURES["sheet-effects.svg"]
    return picture("What the sheets do", said, SIDE + 4 * COLUMN + 10, height, marks)


def row_places(found: Sequence[SheetStatistics]) -> Iterator[tuple[str, int]]:
    """Yield the height of each row, with a gap between the kinds."""
    y, before = TOP + 8, BASE
    for effect in found:
        y += 10 if kind(effect.name) != kind(before) else 0
        yield effect.name, y
        y, before = y + ROW, effect.name


ACROSS, PANEL_WIDTH, PANEL_HEIGHT = 6, 156, 118
FEWEST, MOST, TALLEST = -6, 15, 0.28


def small_multiples(found: Sequence[SheetStatistics]) -> str:
    """Draw how often a seat gets how many points: a panel for each sheet."""
    marks, base = [text(24, 30, "Points of a seat in a round", "ink bold")], found[0]
    note = (
        f"how often, from {minus(FEWEST)} to {MOST}; beyond counts at the ends; outline: base game"
    )
    marks.append(text(218, 30, note, "soft"))
    column, row, before = 0, 0, BASE
    for effect in found:
        if column == ACROSS or (kind(effect.name) != kind(before) and before != BASE):
            column, row = 0, row + 1
        marks += panel(effect, base, 24 + column * PANEL_WIDTH, 46 + row * PANEL_HEIGHT)
        column, before = column + 1, effect.name
    height = 46 + (row + 1) * PANEL_HEIGHT + 6
    said = PICTURES["sheet-points.svg"]
    return picture("Points with each sheet", said, 24 + ACROSS * PANEL_WIDTH + 6, height, marks)


def panel(effect: SheetStatistics, base: SheetStatistics, left: float, top: float) -> Iterator[str]:
    """Draw the bars of one sheet, and the outline of the base game's."""
    name, title = label(effect.name)
    floor, step = top + PANEL_HEIGHT - 22, (PANEL_WIDTH - 18) / (MOST - FEWEST + 1)
    tall = (PANEL_HEIGHT - 58) / TALLEST
    yield text(left, top + 14, name, "ink bold small")
    yield text(left, top + 28, title, "ink small")
    yield f"<g><title>{escape(f'{name} {title}: mean {effect.mean:.1f}')}</title>"
    shares, outline = clipped(effect), clipped(base)
    for at, share in enumerate(shares):
        high = tall * share
        if high:
            yield (
                f'<rect x="{left + at * step + 0.6:.1f}" y="{floor - high:.1f}" '
                f'width="{step - 1.2:.1f}" height="{high:.1f}" class="{kind(effect.name)}"/>'
            )
    yield "</g>"
    if effect.name != BASE:
        path = "".join(
            f"V{floor - tall * share:.1f}H{left + (at + 1) * step:.1f}"
            for at, share in enumerate(outline)
        )
        yield f'<path d="M{left:.1f} {floor:.1f}{path}" class="soft-line outline"/>'
    yield line(left, floor, left + PANEL_WIDTH - 18, floor, "rule-line")
    for value in (-5, 0, 5, 10, 15):
        yield text(
            left + (value - FEWEST + 0.5) * step, floor + 12, minus(value), "soft small middle"
        )


def clipped(effect: SheetStatistics) -> list[float]:
    """Return the shares of all points shown; values beyond count at the ends."""
    shares = [0.0] * (MOST - FEWEST + 1)
    for points, share in effect.points.items():
        shares[min(max(points, FEWEST), MOST) - FEWEST] += share
    return shares


# -- The command -----------------------------------------------------------------------------------


def files(found: Sequence[SheetStatistics]) -> dict[str, str]:
    """Return the page and its pictures, by path."""
    return {
        "sheet-effects.md": page(found),
        "img/sheet-effects.svg": overview(found),
        "img/sheet-points.svg": small_multiples(found),
    }


def watched(found: Iterator[SheetStatistics]) -> Iterator[SheetStatistics]:
    """Show a progress bar on a terminal."""
    from rich.console import Console
    from rich.progress import track

    console = Console(stderr=True)
    return iter(track(found, total=len(NAMES), console=console, disable=not console.is_terminal))


def main(folder: str) -> None:
    """Play, and write the page and its pictures into a folder."""
    made = files(list(watched(effects())))
    Path(folder, "img").mkdir(parents=True, exist_ok=True)
    for name, written in made.items():
        Path(folder, name).write_text(written, "utf-8")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(f"usage: {COMMAND}")
    main(sys.argv[1])
