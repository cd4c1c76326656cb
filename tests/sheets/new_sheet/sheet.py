"""A sheet that asks a choice no other sheet has, here as January; the test also makes a red one."""

from typing import Any

from stichwerk.cards import COLOURS as LETTERS
from stichwerk.engine.area import Area
from stichwerk.engine.codes import argument_of, move_of
from stichwerk.engine.constants import NONE, SEATS
from stichwerk.engine.events import Event, GameEvent, Move
from stichwerk.engine.generator import Generator
from stichwerk.engine.round_rules import Moves
from stichwerk.engine.state import State
from stichwerk.errors import Reason
from stichwerk.games.stichtag.seat_facts import facts_of
from stichwerk.games.stichtag.sheet import Sheet
from stichwerk.games.stichtag.texts import drawing_of, texts_of

WISH = 9  # phase
FOR = 10  # kind of move; argument: the seat that gets the point


class January(Sheet):
    """After a trick with a clover its winner gives a point to any seat."""

    name = "January"
    extends = ("after", "points")
    values = (7,)
    origin = "own"
    asks = {WISH: "wish"}  # noqa: RUF012
    kinds = {FOR: "wish"}  # noqa: RUF012
    seat_kinds = (FOR,)
    seat_separators = {"wish": " "}  # noqa: RUF012
    questions = {"wish": "ask-wish"}  # noqa: RUF012
    event_words = {"wish": "event-wish"}  # noqa: RUF012
    tally = "tally-wishes"
    specials = ("wishing",)
    title, symbol_name, short, long, notes = texts_of("january")
    drawing = drawing_of("january")
    facts = facts_of("january")

    def reserve(self, area: Area) -> None:
        """The points that each seat was given, and the drawn colour."""
        self.given = area.number("wishes", 0, count=SEATS)
        self.drawn = area.number("wishing", NONE)

    def draw(self, state: State, generator: Generator) -> None:
        """A colour is drawn, for show."""
        state.numbers[self.drawn] = generator.below(len(LETTERS))

    def after_trick(self, state: State, winner: int) -> None:
        """The winner of a trick with a clover is asked."""
        if self.symbols(state):
            self.ask(state, WISH, winner)

    def legal(self, state: State, seat: int, moves: Moves) -> None:
        """Any seat."""
        for other in range(self.seats):
            moves.add(move_of(FOR, other))

    def choose(self, state: State, seat: int, move: int) -> None:
        """The seat gets its point."""
        state.numbers[self.given + argument_of(move)] += 1
        state.owes = 0

    def own_points(self, state: State, seat: int) -> int:
        """What the seat was given."""
        return state.numbers[self.given + seat]

    def settle_points(self, state: State) -> None:
        """Add what each seat was given: only red sheets are asked here, only months above."""
        for seat in range(self.seats):
            state.points[seat] += self.own_points(state, seat)

    def step_text(self, step: int) -> str:
        """`for` and a seat."""
        return f"for {argument_of(step)}"

    def judge(self, state: State, seat: int, text: str) -> Move | Reason:
        """`for` and a seat."""
        target = self.steps.read_seat(text.removeprefix("for "))
        if isinstance(target, Reason):
            return target
        return Move(f"for {target}", (move_of(FOR, target),))

    def known_steps(self, state: State, text: str) -> tuple[int, ...] | None:
        """The seat."""
        return (move_of(FOR, int(text[4:])),) if state.phase == WISH else None

    def table(self, state: State) -> dict[str, object]:
        """The points that each seat was given, and the drawn colour."""
        given = [self.own_points(state, seat) for seat in range(self.seats)]
        return {"wishes": given, "wishing": LETTERS[state.numbers[self.drawn]]}

    def opening_events(self, state: State) -> list[Event]:
        """All see the drawn colour."""
        return [GameEvent("wishing", None, LETTERS[state.numbers[self.drawn]])]

    def learn(self, state: State, event: Event) -> bool:
        """The drawn colour, and choices as on every sheet."""
        if type(event) is GameEvent and event.name == "wishing":
            state.numbers[self.drawn] = LETTERS.index(event.move)
            return True
        return Sheet.learn(self, state, event)

    @classmethod
    def draw_special(cls, stream: Any, seats: int) -> Any:
        """Any colour."""
        return LETTERS[stream.below(len(LETTERS))]

    def is_special(self, value: Any) -> bool:
        """Any colour."""
        return isinstance(value, str) and len(value) == 1 and value in LETTERS

    def place_special(self, state: State, value: Any) -> None:
        """The colour of a record."""
        state.numbers[self.drawn] = LETTERS.index(value)

    def entry(self, move: Move) -> object:
        """The seat."""
        return argument_of(move.steps[0])

    @staticmethod
    def entry_text(value: object) -> str:
        """A wish as it is typed."""
        return f"for {value}" if type(value) is int else ""

    def tally_count(self, state: State, seat: int) -> int:
        """What the seat was given."""
        return self.own_points(state, seat)
