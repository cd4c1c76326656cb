"""What an observation consists of, block by block: names, shapes and meanings.

Every seat is relative to the observing one: 0 itself, 1 its left neighbour, and so on. The
numbers of the blocks are those that `batch_engine` writes them by. All scales are powers of two, so
that no two different facts become the same number.
"""

from collections.abc import Iterable
from typing import NamedTuple

HAND, UNSEEN, LYING, LED, TAKEN, GONE, VOIDS = range(7)
HAND_SIZES, TRICKS, OWES, LEADER, STARTER, PHASE = range(7, 13)
ROUND, TOTALS, BEFORE, POINTS = range(13, 17)
PAIN = 17
PICKED, TOPS = 18, 19
SCORING, FACE_UP = 20, 21
SHEETS, TRUMP, NAMED, FACE_DOWN, ANNOUNCED, TAKING = range(22, 28)
PASSING, PASSED, PARTNER, VETO_CARD, STRUCK = range(28, 33)
ASIDE_SIZES, SET_ASIDE, DIRECTION, EGGS, SUNSTROKE = range(33, 38)
PENDING, STOCK, CARRIED, CARRIED_TRICKS = range(38, 42)
LANTERNS, GIFTS, TO_GIVE, HEARTS = range(42, 46)
CHOICES, NUMBERS = 46, 47
DRAWN_TRUMPS = 48
BLOCKS = 49

FEW, SOME, MANY = 8, 16, 32  # counts are divided by one of these
ANNOUNCEMENTS = 13


class ObservationBlock(NamedTuple):
    """One kind of fact: its name, its shape in words, and what it says."""

    name: str
    shape: tuple[str, ...]
    meaning: str


ALL: dict[int, ObservationBlock] = {
    HAND: ObservationBlock(
        "hand", ("cards",), "the seat's hand: how many of this card (2 for both twins)"
    ),
    UNSEEN: ObservationBlock(
        "unseen",
        ("cards",),
        "how many of this card the seat cannot see anywhere: others' hands, stock",
    ),
    LYING: ObservationBlock(
        "lying",
        ("places", "seats", "cards"),
        "1: this seat has played this card there",
    ),
    LED: ObservationBlock(
        "led", ("places", "colours"), "1: the colour led to the trick at this place"
    ),
    TAKEN: ObservationBlock("taken", ("seats", "cards"), "cards this seat has won"),
    GONE: ObservationBlock(
        "gone", ("cards",), "1: out of the round, counting for nobody (all saw it go)"
    ),
    VOIDS: ObservationBlock(
        "voids", ("seats", "colours"), "1: this seat has shown not to have this colour"
    ),
    HAND_SIZES: ObservationBlock("hand_sizes", ("seats",), "cards in hand / 16"),
    TRICKS: ObservationBlock("tricks", ("seats",), "tricks taken in this round / 16"),
    OWES: ObservationBlock("owes", ("seats",), "1: this seat owes a move now"),
    LEADER: ObservationBlock(
        "leader", ("seats",), "1: this seat led to the trick, or will; all 0 before play"
    ),
    STARTER: ObservationBlock("starter", ("seats",), "1: this seat started the round"),
    PHASE: ObservationBlock(
        "phase", ("phases",), "1: what is asked for now; all 0: the round is over"
    ),
    ROUND: ObservationBlock("round", ("1",), "number of the round, from 1, / 16"),
    TOTALS: ObservationBlock("totals", ("seats",), "points of the rounds before / 32"),
    BEFORE: ObservationBlock("before", ("seats",), "points of the last round before this one / 32"),
    POINTS: ObservationBlock("points", ("seats",), "points of this round / 32, once it is over"),
    PAIN: ObservationBlock(
        "pain", ("seats", "cards"), "1: pain card; others' once all are turned up"
    ),
    PICKED: ObservationBlock(
        "picked", ("3", "cards"), "1: card laid out first, second, third, while still secret"
    ),
    TOPS: ObservationBlock("tops", ("seats", "cards"), "1: on top of a pile of this seat"),
    SCORING: ObservationBlock(
        "scoring",
        ("seats", "3", "3"),
        "1: this scoring card (from the left) is the low, middle or high one; others' once turned",
    ),
    FACE_UP: ObservationBlock(
        "face_up", ("seats", "3"), "1: this scoring card is face up and counts"
    ),
    SHEETS: ObservationBlock(
        "sheets", ("26",), "1: in force: green 0-3, red 0-9, January-December, in this order"
    ),
    TRUMP: ObservationBlock("trump", ("colours",), "1: trump; all 0: there is none"),
    NAMED: ObservationBlock("named", ("colours",), "red 1: 1: the colour the leader named"),
    FACE_DOWN: ObservationBlock("face_down", ("cards",), "red 1: 1: the seat's face-down card"),
    ANNOUNCED: ObservationBlock(
        "announced", ("seats", "13"), "red 4: 1: announced 0-12; others' once all are revealed"
    ),
    TAKING: ObservationBlock(
        "taking", ("2",), "red 4 with green 2: 1: the seat's choice to leave, to take"
    ),
    PASSING: ObservationBlock("passing", ("cards",), "February: 1: the card chosen to pass on"),
    PASSED: ObservationBlock(
        "passed",
        ("seats", "cards"),
        "February: 1: a card this seat passed on, and who may hold it now",
    ),
    PARTNER: ObservationBlock("partner", ("seats",), "red 6: 1: the seat's secret partner"),
    VETO_CARD: ObservationBlock("veto", ("seats",), "red 7: 1: who has the veto card"),
    STRUCK: ObservationBlock("struck", ("seats",), "red 7: 1: whose play of the trick is struck"),
    ASIDE_SIZES: ObservationBlock("aside_sizes", ("seats",), "red 8: cards set aside / 16"),
    SET_ASIDE: ObservationBlock("aside", ("cards",), "red 8: 1: card the seat has set aside"),
    DIRECTION: ObservationBlock("direction", ("1",), "1 clockwise, -1 the other way (March)"),
    EGGS: ObservationBlock(
        "eggs", ("seats",), "April: eggs taken / 8; what they are worth stays hidden"
    ),
    SUNSTROKE: ObservationBlock("sunstroke", ("seats",), "July: 1: who has the sunstroke card"),
    PENDING: ObservationBlock("pending", ("1",), "August: cards still to be discarded / 8"),
    STOCK: ObservationBlock("stock", ("1",), "cards left in the stock / 32"),
    CARRIED: ObservationBlock(
        "carried", ("cards",), "September: 1: on the table from earlier tricks"
    ),
    CARRIED_TRICKS: ObservationBlock(
        "carried_tricks", ("1",), "September: how many tricks lie there / 16"
    ),
    LANTERNS: ObservationBlock("lanterns", ("seats",), "November: points by lanterns / 8"),
    GIFTS: ObservationBlock("gifts", ("seats",), "December: gifts got / 8"),
    TO_GIVE: ObservationBlock("to_give", ("cards",), "December: 1: gift card still to be given"),
    HEARTS: ObservationBlock("hearts", ("seats",), "green 3: hearts left / 2"),
    CHOICES: ObservationBlock(
        "choices",
        ("seats", "3", "2"),
        "whether this choice is known, and its number / 256; others' if the game reveals them",
    ),
    DRAWN_TRUMPS: ObservationBlock(
        "trumps", ("2", "colours"), "red 0: 1: the first, the second colour drawn"
    ),
    NUMBERS: ObservationBlock("numbers", ("numbers",), "what the game itself adds, see `observed`"),
}

_FIRST = (HAND, UNSEEN, LYING, LED, TAKEN)
_THEN = (HAND_SIZES, TRICKS, OWES, LEADER, STARTER, PHASE, ROUND, TOTALS, BEFORE, POINTS)

OF_OWN_GAME = (*_FIRST, GONE, VOIDS, *_THEN, STOCK, DIRECTION, CHOICES, NUMBERS)


def named(names: Iterable[str]) -> tuple[int, ...]:
    """Return the blocks that all games have and those with these names, in the order of their
    numbers."""
    numbers = {block.name: number for number, block in ALL.items()}
    return tuple(sorted((*_FIRST, *_THEN, *(numbers[name] for name in names))))
