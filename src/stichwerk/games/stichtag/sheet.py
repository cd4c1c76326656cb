"""A sheet of the calendar: the base rules part by part, as a blank sheet holds them.

`PARTS` is the closed list of what a sheet may change. A sheet says which parts it replaces and
which it extends; two sheets that replace the same part need a cross-note. Parts are small methods
that know only the state and the sheet itself, so that any three sheets can be combined.
"""

from stichwerk.engine.constants import NONE, RED
from stichwerk.engine.frame import Moves
from stichwerk.engine.generator import Generator
from stichwerk.engine.machine import Bits
from stichwerk.engine.state import State

PARTS = {
    "deal": "after the deal",
    "plays": "what may be played",
    "follow": "duty to follow",
    "turn": "in turn or at once",
    "trump": "trump",
    "strength": "strength of a play",
    "low": "high or low",
    "win": "who may win",
    "trick": "where the trick goes",
    "after": "after a trick",
    "direction": "direction",
    "lead": "who leads",
    "points": "points of a round",
    "goal": "goal",
}


class Sheet:
    """The base rules. Sheets of the calendar override the parts they name."""

    # No annotations here: a compiled class would not keep such a name as an attribute of the class.
    name = ""
    replaces = ()  # type: tuple[str, ...]
    extends = ()  # type: tuple[str, ...]
    values = ()  # type: tuple[int, ...]
    origin = ""  # `documented`, `partly` or `own`
    # Texts in German and English; `values` above carry the symbol, `notes` names other sheets.
    title = ("", "")
    symbol_name = ("", "")
    short = ("", "")
    long = ("", "")
    notes = {}  # type: dict[str, tuple[str, str]]

    def __init__(self, seats: int, green: int, red: int, month: int) -> None:
        self.seats = seats
        self.green = green  # the numbers of the sheets in play, NOBODY for none:
        self.red = red  # a cross-note looks at them
        self.month = month
        self.symbol = 0
        for value in self.values:
            self.symbol |= 1 << value

    # -- After the deal ----------------------------------------------------------------------------

    def draw(self, state: State, generator: Generator) -> None:
        """Special cards that are drawn at random after the deal."""

    def after_deal(self, state: State) -> None:
        """What happens between the deal and the first lead."""

    # -- Extra choices: the sheet that asks lists them and carries them out ------------------------

    def legal(self, state: State, seat: int, moves: Moves) -> None:
        """What may be chosen, in the documented order."""

    def choose(self, state: State, seat: int, move: int) -> None:
        """Carry a choice out; nobody owes one any more when it is settled."""

    def ask_everyone(self, state: State, phase: int) -> None:
        """Every seat that has a card owes a secret choice."""
        state.phase = phase
        state.owes = 0
        for seat in range(self.seats):
            if state.hand_size[seat]:
                state.owes |= 1 << seat

    def ask(self, state: State, phase: int, seat: int) -> None:
        """One seat owes an open choice."""
        state.phase = phase
        state.owes = 1 << seat

    # -- Strength of a play ------------------------------------------------------------------------

    def trump(self, state: State) -> int:
        """The trump colour in force, NONE for none: red."""
        return RED

    def number(self, state: State, play: int) -> int:
        """The number of a play: that of its card."""
        return state.trick_card[play] & 15

    def lowest_wins(self, state: State) -> bool:
        """Whether the lowest number wins instead of the highest."""
        return False

    def may_win(self, state: State, play: int) -> bool:
        """Whether this play can win the trick at all."""
        return True

    # -- The trick ---------------------------------------------------------------------------------

    def asks_veto(self, state: State) -> bool:
        """Whether someone is asked before the winner is settled."""
        return False

    def stays(self, state: State) -> bool:
        """Whether the trick stays on the table instead of going to its winner."""
        return False

    def after_trick(self, state: State, winner: int) -> None:
        """What the trick brings about once it is taken; may ask for a choice."""

    def before_lead(self, state: State) -> None:
        """What happens last before the next lead."""

    def leader(self, state: State, winner: int) -> int:
        """Who leads next: the winner."""
        return winner

    # -- Points ------------------------------------------------------------------------------------

    def own_points(self, state: State, seat: int) -> int:
        """What a seat gets besides a point for each trick."""
        return 0

    def asks_at_end(self, state: State) -> bool:
        """Whether someone is asked before the points of the round are settled."""
        return False

    def settle_points(self, state: State) -> None:
        """What happens to the points once everyone's own are counted."""

    def score(self, state: State, seat: int) -> int:
        """What the round adds to the seat's total."""
        return state.points[seat]

    # -- Looking at the trick ----------------------------------------------------------------------

    def symbols_of(self, state: State, play: int) -> int:
        """How many cards of a play carry the symbol; a struck play shows none."""
        if play == state.struck:
            return 0
        count = self.symbol >> (state.trick_card[play] & 15) & 1
        if state.second[play] != NONE:
            count += self.symbol >> (state.second[play] & 15) & 1
        return count

    def symbols(self, state: State) -> int:
        """How many cards with the symbol lie in the trick, struck plays left out."""
        count = 0
        for play in range(state.trick_size[0]):
            count += self.symbols_of(state, play)
        return count

    def won_symbols(self, state: State, seat: int) -> int:
        """How many cards with the symbol the seat has won."""
        count = 0
        for word in range(2):
            mask = state.won[2 * seat + word]
            while mask:
                count += self.symbol >> (Bits.lowest(mask) & 15) & 1
                mask &= mask - 1
        return count
