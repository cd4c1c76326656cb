"""The sheet red 0."""

from itertools import permutations
from typing import Any

from stichwerk.cards import COLOURS as LETTERS
from stichwerk.engine.area import Area
from stichwerk.engine.codes import argument_of, move_of
from stichwerk.engine.constants import COLOURS, NONE
from stichwerk.engine.events import BaseEvent, Event, Move, MoveParts
from stichwerk.engine.frame import Game
from stichwerk.engine.generator import Generator
from stichwerk.engine.round_rules import Moves
from stichwerk.engine.state import State
from stichwerk.errors import Reason
from stichwerk.games.stichtag.choice_panels import panels_of
from stichwerk.games.stichtag.constants import RED
from stichwerk.games.stichtag.sentence import Sentence
from stichwerk.games.stichtag.sheet import NAME_TRUMP, Sheet
from stichwerk.games.stichtag.table_facts import shown_by
from stichwerk.games.stichtag.texts import texts_of

TRUMP = 8  # phase
TRUMP_COLOUR = 9  # kind of move; argument: the colour chosen as trump


class TrumpsDrawn(BaseEvent, frozen=True, tag="trumps"):
    """Two trump colours were drawn; the starter of the round chooses one.

    `colours`: the letters of both, in the order drawn
    """

    listed_after = "hand"

    colours: tuple[str, ...]


class TrumpChosen(BaseEvent, frozen=True, tag="trump-chosen"):
    """The starter chose the trump of the round.

    `seat`: who did it
    `move`: the letter of the colour
    """

    listed_after = "choice"

    seat: int
    move: str


class TrumpDrawn(BaseEvent, frozen=True, tag="trump"):
    """The trump colour of the round was drawn (rules version 1).

    `move`: the letter of the colour
    """

    listed_after = "hand"

    move: str


class Red0(Sheet):
    """Trump choice: of two drawn trump-colour cards the starter chooses one."""

    name = "red 0"
    replaces = ("trump",)
    extends = ("deal",)
    origin = "own"
    asks = {TRUMP: "trump"}
    kinds = {TRUMP_COLOUR: "trump"}
    emits = (TrumpsDrawn, TrumpChosen)
    specials = ("trumps",)
    manners = {TRUMP: NAME_TRUMP}
    questions = {"trump": "ask-trump"}
    title, symbol_name, short, long, notes = texts_of("red_0")
    shown = shown_by("red_0")
    panels = panels_of("red_0")

    def reserve(self, area: Area) -> None:
        """Reserve the trump of the round, NONE before it is chosen, and the two drawn colours."""
        self.chosen = area.number("trump", NONE)
        self.first = area.number("first_trump", NONE)
        self.second = area.number("second_trump", NONE)

    def draw(self, state: State, generator: Generator) -> None:
        """Two of the six trump-colour cards are drawn openly."""
        first = generator.below(COLOURS)
        second = generator.below(COLOURS - 1)
        state.numbers[self.first] = first
        state.numbers[self.second] = second + 1 if second >= first else second

    def after_deal(self, state: State) -> None:
        """The starter chooses before anything else is asked."""
        self.ask(state, TRUMP, state.starter)

    def legal(self, state: State, seat: int, moves: Moves) -> None:
        """List the two drawn colours in the order of colours."""
        first, second = state.numbers[self.first], state.numbers[self.second]
        moves.add(move_of(TRUMP_COLOUR, min(first, second)))
        moves.add(move_of(TRUMP_COLOUR, max(first, second)))

    def choose(self, state: State, seat: int, move: int) -> None:
        """The chosen colour is trump for the round."""
        state.numbers[self.chosen] = argument_of(move)
        state.owes = 0

    def trump(self, state: State) -> int:
        """The chosen colour, none before the choice."""
        return state.numbers[self.chosen]

    @classmethod
    def action_arguments(cls, kind: int, game: Game) -> list[int]:
        """Return the six colours."""
        return list(range(COLOURS))

    @classmethod
    def action_text(cls, kind: int, argument: int) -> str:
        """Return the letter of a colour."""
        return LETTERS[argument]

    # -- At the table ------------------------------------------------------------------------------

    def step_text(self, step: int) -> str:
        """Return the letter of the colour."""
        return LETTERS[argument_of(step)]

    def step_parts(self, step: int) -> MoveParts:
        """Return the colour."""
        return MoveParts(colour=self.step_text(step))

    def judge(self, state: State, seat: int, text: str) -> Move | Reason:
        """Judge the letter of one of the two drawn colours."""
        letter = text.upper() if text.isascii() else text  # U+017F, the long s, is no S
        first, second = sorted(self.drawn(state), key=LETTERS.index)
        if letter not in (first, second):
            return Reason("not-a-drawn-trump", trump=first, other_trump=second)
        return Move(letter, (move_of(TRUMP_COLOUR, LETTERS.index(letter)),))

    def drawn(self, state: State) -> list[str]:
        """Return the letters of the two drawn colours, in the order drawn."""
        return [LETTERS[state.numbers[at]] for at in (self.first, self.second)]

    def known_steps(self, state: State, text: str) -> tuple[int, ...] | None:
        """Return the choice of a colour."""
        return (move_of(TRUMP_COLOUR, LETTERS.index(text)),) if state.phase == TRUMP else None

    def opening_events(self, state: State) -> list[Event]:
        """Show the two drawn colours to all."""
        return [TrumpsDrawn(tuple(self.drawn(state)))]

    def choice_events(self, before: State, seat: int, move: Move) -> list[Event]:
        """Show the chosen colour to all."""
        return [TrumpChosen(seat, move.text)]

    @classmethod
    def narrate(cls, event: Any, reader: int | None) -> Sentence | None:
        """Name the two drawn colours, or the chosen one and who chose it."""
        if isinstance(event, TrumpsDrawn):
            first, second = event.colours
            return Sentence("trumps-drawn", facts={"trump": first, "other_trump": second})
        return Sentence("trump-chosen", "you-choose-trump", event.seat, {"trump": event.move})

    def effect(self, state: State, seat: int, move: Move) -> list[Sentence]:
        """Return how many cards of the trump colour the seat would have."""
        held = [card for card in self.steps.hand(state, seat) if card.startswith(move.text)]
        return [Sentence("effect-chosen-trump", facts={"trump": move.text, "count": len(held)})]

    def reason(self, state: State, seat: int, move: Move) -> Sentence | None:
        """Return how many cards of the trump colour the seat has."""
        held = [card for card in self.steps.hand(state, seat) if card.startswith(move.text)]
        return Sentence("advice-chosen-trump", facts={"trump": move.text, "count": len(held)})

    def learn(self, state: State, event: Event) -> bool:
        """Learn the drawn colours, and the choice by making it again."""
        if type(event) is TrumpsDrawn:
            self.place_special(state, event.colours)
            return True
        if type(event) is TrumpChosen:
            self.steps.replay_move(state, event.seat, event.move)
            return True
        return False

    def table(self, state: State) -> dict[str, object]:
        """Return the two drawn colours."""
        return {"trumps": self.drawn(state)}

    @staticmethod
    def entry_text(value: object) -> str:
        """Return the colour as it is typed."""
        return value if isinstance(value, str) else ""

    @classmethod
    def draw_special(cls, stream: Any, seats: int) -> Any:
        """Draw one of the six colours, then one of the other five in the same order."""
        left = list(LETTERS)
        first = left.pop(stream.below(len(left)))
        return first, left[stream.below(len(left))]

    @classmethod
    def special_draws(cls, seats: int) -> list[Any]:
        """Return all ordered pairs of colours."""
        return list(permutations(LETTERS, 2))

    def is_special(self, value: Any) -> bool:
        """Return whether these are two different colours."""
        return isinstance(value, list | tuple) and tuple(value) in self.special_draws(self.seats)

    def place_special(self, state: State, value: Any) -> None:
        """Place the two drawn colours of a record."""
        state.numbers[self.first] = LETTERS.index(value[0])
        state.numbers[self.second] = LETTERS.index(value[1])


class Red0V1(Sheet):
    """In version 1 of the rules one trump-colour card is drawn, and nobody chooses."""

    name = "red 0"
    replaces = ("trump",)
    extends = ("deal",)
    origin = "own"
    emits = (TrumpDrawn,)
    specials = ("trump",)
    title, symbol_name, short, long, notes = texts_of("red_0", version=1)

    def reserve(self, area: Area) -> None:
        """Reserve the drawn colour."""
        self.drawn = area.number("trump", RED)

    def draw(self, state: State, generator: Generator) -> None:
        """One of the six trump-colour cards is drawn openly."""
        state.numbers[self.drawn] = generator.below(COLOURS)

    def trump(self, state: State) -> int:
        """The drawn colour."""
        return state.numbers[self.drawn]

    # -- At the table ------------------------------------------------------------------------------

    def opening_events(self, state: State) -> list[Event]:
        """Show the drawn colour to all."""
        return [TrumpDrawn(LETTERS[state.numbers[self.drawn]])]

    @classmethod
    def narrate(cls, event: Any, reader: int | None) -> Sentence | None:
        """Name the trump colour of the round."""
        return Sentence("trump-drawn", facts={"trump": event.move})

    def learn(self, state: State, event: Event) -> bool:
        """Learn the drawn colour."""
        if type(event) is not TrumpDrawn:
            return False
        state.numbers[self.drawn] = LETTERS.index(event.move)
        return True

    @classmethod
    def draw_special(cls, stream: Any, seats: int) -> Any:
        """Draw one of the six colours."""
        return LETTERS[stream.below(len(LETTERS))]

    @classmethod
    def special_draws(cls, seats: int) -> list[Any]:
        """Return the six colours."""
        return list(LETTERS)

    def is_special(self, value: Any) -> bool:
        """Return whether this is one of the six colours."""
        return isinstance(value, str) and len(value) == 1 and value in LETTERS

    def place_special(self, state: State, value: Any) -> None:
        """Place the drawn colour of a record."""
        state.numbers[self.drawn] = LETTERS.index(value)
