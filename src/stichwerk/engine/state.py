"""The state of a round: integers of fixed size and nothing else.

A hand is two masks of 64 bits: card c is bit c % 64 of mask c // 64. Copying a state is copying one
block of memory. The same class represents what one seat *knows* of a round: hands of others then
contain only the cards known to be there, while `hand_size` is always right.

The named fields serve every game, also those that few games use so far: `second` is the second
card of each play, `aside` cards that a seat has set aside face down, `carried` cards of earlier
tricks that stay on the table. Samples must know of them, as such cards are in no hand. `numbers`
and `sets` are the area that a game and its parts reserve by name, see `area`; `layout` says what is
reserved.

There is room for more than today's games use (tests/test_room.py). Cards without a colour are those
of colour 6 and 7 (codes 96 to 127): hands, tricks and sets of cards can contain them. Second copies
of any card go into sets of cards that a game reserves, for hands, won cards and cards that are
gone. The size of a hand at the start is up to the game in every round (`Game.cards_each`).
"""

from typing import Any

from stichwerk.engine.area import Field, layout, layout_id, read
from stichwerk.engine.constants import SEATS, TWIN
from stichwerk.engine.copying import reduced
from stichwerk.engine.machine import Bits
from stichwerk.errors import CannotPickleError

PLAIN = __file__.endswith(".py")  # a compiled state needs no allocation


class State:
    """One round of a trick-taking game, with what earlier rounds left behind."""

    def __init__(self) -> None:
        self.seats = 0
        self.twins = 0
        self.phase = 0
        self.owes = 0
        self.turn = 0
        self.leader = 0
        self.starter = 0
        self.round = 0
        self.direction = 1
        self.unknown = 0
        self.plays = 0
        self.tricks_done = 0
        self.last_winner = 0
        self.stock_size = 0
        self.stock_top = 0
        self.open_places = 0
        self.layout = 0
        self.hands = [0] * 12
        self.won = [0] * 12
        self.gone = [0] * 2
        self.hand_size = [0] * 6
        self.tricks_won = [0] * 6
        self.voids = [0] * 6
        self.points = [0] * 6
        self.totals = [0] * 6
        self.choice = [0] * 18
        self.trick_size = [0] * 4
        self.trick_card = [0] * 24
        self.trick_seat = [0] * 24
        self.stock = [0] * 96
        self.carried = [0] * 2
        self.aside = [0] * 12
        self.aside_size = [0] * 6
        self.second = [0] * 6
        self.numbers = [0] * 64
        self.sets = [0] * 32

    # -- Cards in hand ---------------------------------------------------------------------------

    def holds(self, seat: int, card: int) -> bool:
        """Return whether the seat has this card in hand."""
        return (self.hands[2 * seat + (card >> 6)] & Bits.bit(card & 63)) != 0

    def colour(self, seat: int, colour: int) -> int:
        """Return the values of this colour in the seat's hand, as bits."""
        return self.hands[2 * seat + (colour >> 2)] >> ((colour & 3) << 4) & 0xFFFF

    def give(self, seat: int, card: int) -> None:
        """Add a card to the seat's hand."""
        at = 2 * seat + (card >> 6)
        bit = Bits.bit(card & 63)
        if self.twins and self.hands[at] & bit:
            bit = Bits.bit((card & 63) + TWIN)
        self.hands[at] |= bit
        self.hand_size[seat] += 1

    def remove(self, seat: int, card: int) -> None:
        """Remove a card from the seat's hand; it need not be known to be there."""
        at = 2 * seat + (card >> 6)
        bit = Bits.bit(card & 63)
        if self.twins and card & 15 == 0 and self.hands[at] & Bits.bit((card & 63) + TWIN):
            bit = Bits.bit((card & 63) + TWIN)
        self.hands[at] &= ~bit
        self.hand_size[seat] -= 1

    def collect(self, seat: int, card: int) -> None:
        """Add a card to what the seat has won."""
        at = 2 * seat + (card >> 6)
        bit = Bits.bit(card & 63)
        if self.twins and self.won[at] & bit:
            bit = Bits.bit((card & 63) + TWIN)
        self.won[at] |= bit

    def dismiss(self, card: int) -> None:
        """Remove a card from the round; it counts for nobody."""
        self.gone[card >> 6] |= Bits.bit(card & 63)

    # -- Tricks on the table ---------------------------------------------------------------------

    def lay(self, place: int, seat: int, card: int) -> int:
        """Add a card to the trick at this place; return how many it has now."""
        if self.trick_size[place] == 0:
            self.open_places |= 1 << place
        at = place * SEATS + self.trick_size[place]
        self.trick_card[at] = card
        self.trick_seat[at] = seat
        self.trick_size[place] += 1
        self.plays += 1
        return self.trick_size[place]

    def led(self, place: int) -> int:
        """Return the colour led to the trick at this place."""
        return self.trick_card[place * SEATS] >> 4

    def sweep(self, place: int) -> None:
        """Clear the trick at this place."""
        self.open_places &= ~(1 << place)
        self.trick_size[place] = 0

    # -- Copies ----------------------------------------------------------------------------------

    def assign(self, other: "State") -> None:
        """Become equal to the other state."""
        self.renew(other)
        self.starter = other.starter
        self.round = other.round
        self.totals[:] = other.totals

    def renew(self, other: "State") -> None:
        """Become equal to the other state in everything that does not outlast a round.

        Field by field: that compiles to plain memory moves and reads the same uncompiled.
        """
        self.seats = other.seats
        self.twins = other.twins
        self.phase = other.phase
        self.owes = other.owes
        self.turn = other.turn
        self.leader = other.leader
        self.direction = other.direction
        self.unknown = other.unknown
        self.plays = other.plays
        self.tricks_done = other.tricks_done
        self.last_winner = other.last_winner
        self.stock_size = other.stock_size
        self.stock_top = other.stock_top
        self.open_places = other.open_places
        self.layout = other.layout
        self.hands[:] = other.hands
        self.won[:] = other.won
        self.gone[:] = other.gone
        self.hand_size[:] = other.hand_size
        self.tricks_won[:] = other.tricks_won
        self.voids[:] = other.voids
        self.points[:] = other.points
        self.choice[:] = other.choice
        self.trick_size[:] = other.trick_size
        self.trick_card[:] = other.trick_card
        self.trick_seat[:] = other.trick_seat
        self.stock[:] = other.stock
        self.carried[:] = other.carried
        self.aside[:] = other.aside
        self.aside_size[:] = other.aside_size
        self.second[:] = other.second
        self.numbers[:] = other.numbers
        self.sets[:] = other.sets

    def copy(self) -> "State":
        """Return an independent copy."""
        twin = State.__new__(State)
        if PLAIN:
            twin.__init__()  # type: ignore[misc]
        twin.assign(self)
        return twin

    def __copy__(self) -> "State":
        return self.copy()

    def __deepcopy__(self, memo: object) -> "State":
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        return reduced(self)

    def __getattr__(self, name: str) -> Any:
        """Return what a game has reserved, by name: read-only, and not for inner loops."""
        if name.startswith("_") or name == "layout":
            raise AttributeError(name)
        return read(self, name)

    def __getstate__(self) -> dict[str, Any]:
        """Return the numbers that differ from those of a new state: most do not."""
        numbers = {name: getattr(self, name) for name in FIELDS}
        kept = {name: it for name, it in numbers.items() if it != getattr(NEW, name)}
        if "layout" in kept:  # its id is valid in this process only
            kept["layout"] = tuple([tuple(field) for field in layout(self.layout).values()])
        return kept

    def __setstate__(self, numbers: dict[str, Any]) -> None:
        for name, number in numbers.items():
            if name == "layout":
                self.layout = layout_id(tuple([Field(*field) for field in number]))
            elif name not in FIELDS:
                raise CannotPickleError("pickled-other-state", field=name)
            else:
                setattr(self, name, number.copy() if isinstance(number, list) else number)


NEW = State()
FIELDS = tuple(
    name for name in dir(NEW) if not name.startswith("_") and not callable(getattr(NEW, name))
)
