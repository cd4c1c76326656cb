"""Explain why no deal fits what a seat has seen: which hands, which cards, which method is suspect.

The unseen cards can be dealt if and only if every group of holders has at least as many possible
cards as hidden ones (Hall's theorem). The smallest group that does not is the reason.
"""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

from stichwerk.cards import COLOURS as LETTERS
from stichwerk.cards import card_text
from stichwerk.engine.codes import colour_of
from stichwerk.engine.constants import ASIDE, NOBODY
from stichwerk.errors import ContradictionError

MOST_CARDS = 12  # listed in a sentence; the rest becomes an ellipsis

Rooms = Mapping[int, int]
"""The number of hidden cards of each holder: a seat, or ASIDE + seat for what it set aside."""

Fitting = Mapping[int, frozenset[int]]
"""For each holder which of the unseen cards it may have, by their index in the list."""


def explained(
    game: Any, viewer: int, unseen: Sequence[int], stock: int, rooms: Rooms, fitting: Fitting
) -> ContradictionError:
    """Return the error for what this viewer knows, with `stock` hidden cards in the stock."""
    who = "-" if viewer == NOBODY else viewer
    hidden = sum(rooms.values())
    group = lacking(rooms, fitting)
    if not group or hidden + stock != len(unseen):
        return ContradictionError(
            "no-deal-sizes",
            game=game.name,
            viewer=who,
            hidden=hidden,
            stock=stock,
            unseen=len(unseen),
            method="learn, play_card, choose",
        )
    seats = sorted({holder % ASIDE for holder in group})
    possible = sorted(frozenset().union(*(fitting[holder] for holder in group)))
    impossible = [at for at in range(len(unseen)) if at not in possible]
    return ContradictionError(
        "no-deal-fits",
        game=game.name,
        viewer=who,
        count=len(seats),
        seats=", ".join(map(str, seats)),
        hidden=sum(rooms[holder] for holder in group),
        fitting=len(possible),
        possible=listed([unseen[at] for at in possible]),
        colours=colours_of([unseen[at] for at in impossible]),
        method=suspect(game),
    )


def lacking(rooms: Rooms, fitting: Fitting) -> tuple[int, ...]:
    """Return the smallest group of holders with more hidden than possible cards; empty for none."""
    holders = [holder for holder, room in rooms.items() if room > 0]
    for size in range(1, len(holders) + 1):
        for group in combinations(holders, size):
            cards = frozenset().union(*(fitting[holder] for holder in group))
            if sum(rooms[holder] for holder in group) > len(cards):
                return group
    return ()


def listed(cards: Sequence[int]) -> str:
    """Return some cards as a text."""
    texts = [card_text(card) for card in cards[:MOST_CARDS]]
    return ", ".join([*texts, "…"] if len(cards) > MOST_CARDS else texts) or "-"


def colours_of(cards: Sequence[int]) -> str:
    """Return the colours of some cards, as letters."""
    return ", ".join(LETTERS[colour] for colour in sorted({colour_of(card) for card in cards}))


def suspect(game: Any) -> str:
    """Return the methods to look at first, by what a custom game overrides."""
    classes = [made for made in type(game).__mro__ if not made.__module__.startswith("stichwerk.")]
    own = {name for made in classes for name in vars(made)}
    if own & {"may_hold", "fits"}:
        return "may_hold"
    if "play_card" in own and not own & {"may_play", "legal_plays"}:
        return "may_play"
    return "may_play, play_card"
