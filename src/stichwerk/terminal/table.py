"""The table as lines of text: who sits where, open cards, the seat's own hand."""

from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise

from rich.cells import cell_len

from stichwerk import narration
from stichwerk.engine.events import CardPlayed
from stichwerk.locale import game_name, text
from stichwerk.server import wire
from stichwerk.terminal import day
from stichwerk.terminal.lines import lines_of, seat_name
from stichwerk.terminal.looking_back import hides_last_trick
from stichwerk.terminal.screen import SHAPES
from stichwerk.view import View

TEAMS = "ABC"
WIDTH = 72
SHOWN_ROUNDS = 6


def table_lines(view: View, lang: str, shapes: bool = False) -> Iterator[str]:
    """Yield everything the seat needs to see before it decides."""
    yield from ("", heading(view, lang))
    yield from seat_lines(view, lang)
    yield from lines_of(view, lang).common_lines()
    yield from trick_lines(view, lang)
    yield from own_lines(view, lang, shapes)
    yield question(view, lang)


def question(view: View, lang: str) -> str:
    """Return what the seat is asked for, with an example of how to type it."""
    return lines_of(view, lang).question()


def heading(view: View, lang: str) -> str:
    """Return `── Sticheln · Round 2 of 4 ──────`."""
    title = f"── {game_name(view.game, lang)} · {round_name(view, view.round, lang)} "
    return title + "─" * max(2, WIDTH - cell_len(title))


def round_name(view: View, round: int, lang: str) -> str:
    """Return `Round 2 of 4`, or `Round 2` if the end is open."""
    return narration.round_name(view.game, view.options, round, view.rounds, lang)


# -- Seats -----------------------------------------------------------------------------------------


def seat_lines(view: View, lang: str) -> list[str]:
    """Return one line per seat: whose turn it is, name, open cards, tricks, points."""
    return columns([seat_row(view, seat, lang) for seat in range(view.seats)])


def seat_row(view: View, seat: int, lang: str) -> list[str]:
    """Return the cells of one seat."""
    return [
        "▸" if seat in view.waiting_for else " ",
        own_name(view, seat, lang),
        before_seat(view, seat, lang),
        text("tricks", lang, count=view.taken[seat]),
        points(view, seat, lang),
    ]


def before_seat(view: View, seat: int, lang: str) -> str:
    """Return what a seat has open in front of it, according to the view."""
    return lines_of(view, lang).before_seat(seat)


def points(view: View, seat: int, lang: str) -> str:
    """Return the total and its parts: `12 points (5 7)`."""
    total = text(
        "points", lang, count=view.totals[seat], points=narration.signed(view.totals[seat])
    )
    if not 1 < len(view.scores) <= SHOWN_ROUNDS:
        return total
    return f"{total} ({' '.join(narration.signed(scores[seat]) for scores in view.scores)})"


# -- The middle of the table -----------------------------------------------------------------------


def trick_lines(view: View, lang: str) -> list[str]:
    """Return open tricks with who played what and who would take them now."""
    return lines_of(view, lang).trick_lines()


# -- The seat's own cards --------------------------------------------------------------------------


def own_lines(view: View, lang: str, shapes: bool) -> Iterator[str]:
    """Yield what only the seat knows, its hand, and which of its cards can be played."""
    yield from lines_of(view, lang).own_lines()
    cards = [day.marked(view, card) for card in view.hand]
    yield text("your-hand", lang, count=len(view.hand), cards=hand_text(cards, shapes))
    playable = playable_cards(view)
    if view.phase == "play" and 0 < len(playable) < len(set(view.hand)):
        shown = " ".join(day.marked(view, card) for card in playable)
        yield text("playable", lang, cards=shown)


def hand_text(hand: Sequence[str], shapes: bool) -> str:
    """Return the hand, colour by colour."""
    groups = [(colour, list(cards)) for colour, cards in groupby(hand, key=lambda card: card[0])]
    marks = [f"{SHAPES[colour]} " if shapes else "" for colour, _ in groups]
    return "   ".join(
        mark + " ".join(cards) for mark, (_, cards) in zip(marks, groups, strict=True)
    )


def playable_cards(view: View) -> list[str]:
    """Return the cards that appear in the listed moves, each once."""
    moves = [move.partition(">")[0] for move in view.moves]
    return list(dict.fromkeys(card for move in moves for card in move.split("+")))


# -- Score sheet, last trick, ranking --------------------------------------------------------------


def sheet_lines(view: View, lang: str) -> list[str]:
    """Return all rounds, one line each, and the totals below."""
    seats = range(view.seats)
    rows = [["", *(own_name(view, seat, lang) for seat in seats)]]
    for number, scores in enumerate(view.scores, 1):
        rows.append([str(number), *map(narration.signed, scores)])
    rows.append([text("total", lang), *map(narration.signed, view.totals)])
    sums = team_sums(view, lang)
    if sums:
        rows.append([text("team-total", lang), *(narration.signed(sums[seat]) for seat in seats)])
    return columns(rows, right=True)


def own_name(view: View, seat: int, lang: str) -> str:
    """Return the name of a seat in a list, with its team: `you (A)`."""
    letters = [TEAMS[at] for at, team in enumerate(lines_of(view, lang).teams()) if seat in team]
    return " ".join([seat_name(view, seat, lang), *(f"({letter})" for letter in letters)])


def team_sums(view: View, lang: str) -> dict[int, int]:
    """Return by seat the total of its team; nothing without teams."""
    teams = lines_of(view, lang).teams()
    return {seat: total for team, total in teams.items() for seat in team}


def last_trick_line(view: View, lang: str, memory: wire.Memory = "open") -> str:
    """Return the last completed trick, and who played what to it, or why it stays closed."""
    if hides_last_trick(view, memory):
        return text("put-away-none", lang)
    found = [at for at, event in enumerate(view.history) if event.kind in ("trick", "stays")]
    if not found:
        return text("no-last-trick", lang)
    trick = view.history[found[-1]]
    plays = " · ".join(plays_of(view, found[-1], lang))
    if trick.seat is None:
        return text("last-trick-nobody", lang, plays=plays)
    if trick.kind == "stays":
        return text("last-trick-stays", lang, plays=plays)
    if trick.seat == view.seat:
        return text("last-trick-own", lang, plays=plays)
    return text("last-trick", lang, plays=plays, name=view.names[trick.seat])


def plays_of(view: View, at: int, lang: str) -> list[str]:
    """Return who played what to the trick taken at this point of the history: `Ben G3`."""
    missing = list(view.history[at].cards)
    found = []
    for event in reversed(view.history[:at]):
        if isinstance(event, CardPlayed) and event.cards and {*event.cards} <= {*missing}:
            for card in event.cards:
                missing.remove(card)
            who = seat_name(view, event.seat, lang)
            found.append(f"{who} {day.marked(view, '+'.join(event.cards))}")
    return found[::-1]


def ranking_lines(view: View, lang: str) -> Iterator[str]:
    """Yield the result: `1. Ada 23`, with tied seats on one line, and where a tie was broken."""
    rank = 1
    for group in view.ranking or ():
        yield f"{rank}. {', '.join(results(view, group, lang))}"
        rank += len(teams_in(view, group, lang)) or len(group)
    yield from tie_lines(view, lang)
    yield verdict(view, lang)


def teams_in(view: View, group: Sequence[int], lang: str) -> list[tuple[int, ...]]:
    """Return the teams of a group of the ranking."""
    return [team for team in lines_of(view, lang).teams() if team[0] in group]


def results(view: View, group: Sequence[int], lang: str) -> list[str]:
    """Return the results of a group: of teams where there are any, else of seats."""
    sums = team_sums(view, lang)
    teams = teams_in(view, group, lang)
    if not teams:
        return [result(view, seat, lang) for seat in group]
    return [
        text("and", lang).join(result(view, seat, lang) for seat in team)
        + f" = {narration.signed(sums[team[0]])}"
        for team in teams
    ]


def result(view: View, seat: int, lang: str) -> str:
    """Return a seat with its total, and with what else decides: `Ada 23 ♥♥`."""
    shown = f"{seat_name(view, seat, lang)} {narration.signed(view.totals[seat])}"
    return f"{shown} {lines_of(view, lang).result(seat)}".rstrip()


def tie_lines(view: View, lang: str) -> Iterator[str]:
    """Yield where equal totals were told apart by the last round in which they differ."""
    lines = lines_of(view, lang)
    for ahead, behind in pairwise(view.ranking or ()):
        first, second = ahead[-1], behind[0]
        decided = lines.result(first) != lines.result(second) or lines.teams()
        if view.totals[first] != view.totals[second] or decided:
            continue
        rounds = enumerate(view.scores, 1)
        differ = [number for number, points in rounds if points[first] != points[second]]
        if differ:
            names = [seat_name(view, seat, lang) for seat in (first, second)]
            yield text("tie-broken", lang, round=differ[-1], name=names[0], other=names[1])


def verdict(view: View, lang: str) -> str:
    """Return who won, addressed to the viewing seat."""
    winners = view.ranking[0] if view.ranking else ()
    names = text("and", lang).join(view.names[seat] for seat in winners if seat != view.seat)
    return lines_of(view, lang).verdict(winners, names)


def columns(rows: Sequence[Sequence[str]], right: bool = False) -> list[str]:
    """Return rows with aligned cells; a column without any text takes no space."""
    widths = [max(map(cell_len, cells)) for cells in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        cells = [pad(cell, width, right) for cell, width in zip(row, widths, strict=True) if width]
        lines.append("  ".join(cells).rstrip())
    return lines


def pad(cell: str, width: int, right: bool) -> str:
    """Pad a cell with spaces to a display width."""
    fill = " " * (width - cell_len(cell))
    return fill + cell if right else cell + fill
