"""Helpers for tests of outlooks."""

from collections.abc import Sequence
from typing import Any

from stichwerk.engine.events import Event
from stichwerk.games import registry
from stichwerk.outlook.structs import Effect
from stichwerk.view import View


def gains(effect: Effect) -> list[tuple[int, int]]:
    return [(gain.seat, gain.points) for gain in effect.changes]


# -- Properties ------------------------------------------------------------------------------------


def came_true(before: View, foreseen: Effect, after: View) -> bool:
    """Return whether a play had its predicted effect."""
    news = after.history[len(before.history) :]
    if before.table.get("named") or (before.table.get("trump") and "named" in before.table):
        return foreseen.winner is None and not foreseen.complete  # face down
    tricks = [event for event in news if event.kind in ("trick", "stays")]
    if foreseen.complete != bool(tricks):
        return False
    holders = {trick.place: trick.winning for trick in before.tricks}
    had = holders.get(foreseen.place or 0)
    takes_over = foreseen.winner == before.seat and had not in (None, before.seat)
    if foreseen.takes_over != takes_over:
        return False
    if tricks:
        return foreseen.winner == tricks[0].seat and gained(before, foreseen, after, tricks[0])
    if after.round != before.round or after.phase == "over":
        return True  # the table is cleared
    lying = {trick.place: trick.winning for trick in after.tricks}
    return foreseen.winner == lying[foreseen.place or 0]


def gained(before: View, foreseen: Effect, after: View, trick: Event) -> bool:
    """Return whether the points are right, recounted from the table."""
    gains = {gain.seat: gain.points for gain in foreseen.changes}
    if after.round != before.round or after.phase == "over":
        return True  # the table is cleared
    recount = RECOUNTS.get(before.game)
    return recount is None or recount(gains, before, after, trick)


Gains = dict[int, int]


def piles_grow(gains: Gains, before: View, after: View, trick: Event) -> bool:
    """Null & nichtig: what is on top of the winner's piles."""
    return gains == {trick.seat: tops(after, trick.seat) - tops(before, trick.seat)}


def cards_count(gains: Gains, before: View, after: View, trick: Event) -> bool:
    """Sticheln: the cards of the trick, by the winner's pain colour."""
    return gains == ({} if trick.seat is None else {trick.seat: worth(before, trick)})


def scoring_turns(gains: Gains, before: View, after: View, trick: Event) -> bool:
    """Stichling: the scoring cards that are face up."""
    shown: Any = [view.table["scoring"] for view in (before, after)]
    points = [face_up(scoring[trick.seat]) for scoring in shown]
    return gains in ({}, {trick.seat: points[1] - points[0]})


def tricks_count(gains: Gains, before: View, after: View, trick: Event) -> bool:
    """Stichtag: a point for a trick, where no month gives others."""
    counted = ("January", "April", "June", "November", "December")
    if any(sheet in counted for sheet in sheet_names(before)):
        return True
    more = {
        seat: after.taken[seat] - before.taken[seat]
        for seat in range(before.seats)
        if after.taken[seat] != before.taken[seat]
    }
    return gains == more


RECOUNTS = {
    "stichling": scoring_turns,
    "null-nichtig": piles_grow,
    "sticheln": cards_count,
    "stichtag": tricks_count,
}
"""Independent of the rules; a game without one is not recounted."""


def sheet_names(view: View) -> Sequence[str]:
    names: Sequence[str] = registry.build(
        view.game, view.seats, view.options, view.rules
    ).sheet_names  # type: ignore[attr-defined]
    return names


def tops(view: View, seat: int | None) -> int:
    piles: Any = view.table["piles"]
    return sum(int(pile["top"][1:]) for pile in piles[seat] if pile)


def worth(view: View, trick: Event) -> int:
    pain: Any = view.table["pain"]
    colour = pain[trick.seat][0]
    return sum(-int(card[1:]) if card[0] == colour else 1 for card in trick.cards)


def face_up(scoring: dict[str, Any]) -> int:
    at = scoring["face_up"]
    return 0 if at is None else int(scoring["turned"][at])
