"""Play with the new sheet in a copy of the package; print what each part of the package says."""

import json

import stichwerk
from stichwerk import outlook, record
from stichwerk.bots.position import Position
from stichwerk.bots.reasons import reason_for
from stichwerk.errors import IllegalMoveError
from stichwerk.games.stichtag.yearbook import sheet_of
from stichwerk.match import Match
from stichwerk.reference import PHASES, TABLE
from stichwerk.terminal.event_text import event_lines
from stichwerk.terminal.table import before_seat, question
from stichwerk.testing import check_game

Told = dict[str, object]


def wished_at() -> Match:
    """A match in which someone owes a wish."""
    match = stichwerk.game("stichtag", 3, sheets=["January"]).new(
        seed=5, names=["Ada", "Ben", "Cem"]
    )
    while match.view(match.waiting_for[0]).phase != "wish":
        match.play(match.waiting_for[0], match.moves(match.waiting_for[0])[0])
    return match


def played(bots: str) -> tuple[Match, int]:
    """A whole match, and how many wishes were made in it."""
    wishes = 0
    match = stichwerk.game("stichtag", 3, sheets=["January"]).new(seed=5)
    players = [stichwerk.bot(bots, seed=seat) for seat in range(3)]
    while match.waiting_for:
        seat = match.waiting_for[0]
        view = match.view(seat)
        wishes += view.phase == "wish"
        match.play(seat, players[seat].choose(view))
    return match, wishes


def asked() -> Told:
    """What is said to the seat that owes the choice."""
    match = wished_at()
    seat = match.waiting_for[0]
    view = match.view(seat)
    now = outlook.situation(view, "en")
    return {
        "moves": view.moves,
        "question": question(view, "de"),
        "heading": now.heading,
        "rule": now.sentences,
        "sheet": now.sheet,
        "effects": [effect.move for effect in outlook.effects(view, "en")],
        "reason": reason_for(Position(view), match.moves(seat)[0]).id,
    }


def chosen() -> Told:
    """Try a wrong choice, which is refused, and a right one, which all see."""
    match = wished_at()
    seat = match.waiting_for[0]
    refused = ""
    try:
        match.play(seat, "for 3")
    except IllegalMoveError as error:
        refused = str(error)
    watching = (seat + 1) % 3
    seen = len(match.view(watching).history)
    match.play(seat, "for 2")
    view = match.view(watching)
    return {
        "refused": refused,
        "table": view.table["wishes"],
        "before": before_seat(view, 2, "en"),
        "lines": list(event_lines(view, seen, "en")),
    }


def chooser() -> str:
    """Who makes that choice."""
    match = wished_at()
    return match.view(None).names[match.waiting_for[0]]


def recorded() -> Told:
    """A whole match, counted and kept in a record."""
    match, wishes = played("greedy")
    again = record.decode(record.encode(record.record(match)))
    tally = outlook.tally(match.view(None), 1, "en")
    return {
        "wishes": wishes,
        "tricks": sum(event.kind == "trick" for event in match.events),
        "points": sum(match.totals),
        "record": record.verify(again).status,
        "tally": [item.text for one in tally for item in one.items],
    }


def described() -> Told:
    """What the calendar and the reference say of it."""
    phase = PHASES["stichtag"]["wish"]
    return {
        "title": sheet_of("January").title,
        "where": [phase.where, TABLE["stichtag"]["wishes"].where],
        "example": phase.forms[0].example,
    }


def main() -> None:
    """Play, then print."""
    for red in ("red 1", "red 2", "red 8"):
        check_game(stichwerk.game("stichtag", 3, sheets=[red, "January"]), matches=1)
    told = {
        "package": stichwerk.__file__,
        "asked": asked(),
        "chosen": chosen(),
        "chooser": chooser(),
        "recorded": recorded(),
        "described": described(),
    }
    print(json.dumps(told))


if __name__ == "__main__":
    main()
