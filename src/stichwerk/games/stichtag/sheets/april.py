"""The sheet April."""

from itertools import permutations
from typing import Any

from stichwerk.engine.area import Area
from stichwerk.engine.constants import NONE, SEATS
from stichwerk.engine.events import BaseEvent, Event
from stichwerk.engine.generator import Generator
from stichwerk.engine.state import State
from stichwerk.games.stichtag.seat_facts import facts_of
from stichwerk.games.stichtag.sentence import EachSeat, Sentence
from stichwerk.games.stichtag.sheet import Sheet
from stichwerk.games.stichtag.texts import drawing_of, texts_of

EGGS = 6
EGG = 1.5  # the mean value of an egg card


class EggTaken(BaseEvent, frozen=True, tag="egg"):
    """The winner of a trick took an egg; its value is shown at the end of the round.

    `seat`: who did it
    """

    after_trick = True

    seat: int


class EggsShown(BaseEvent, frozen=True, tag="eggs"):
    """The round is over: all eggs are shown, those that nobody took too.

    `counts`: not by seat: the values of the six eggs, in the order they are taken
    `takers`: the seats that took them, in the same order; fewer than six where eggs were left over
    """

    listed_after = "turned"

    counts: tuple[int, ...]
    takers: tuple[int, ...] = ()


class April(Sheet):
    """Egg: a trick with one brings an egg card, unseen until the end of the round."""

    name = "April"
    extends = ("deal", "after", "points")
    values = (8,)  # type: tuple[int, ...]
    origin = "partly"
    specials = ("eggs",)
    egg_cards = (0, 1, 1, 2, 2, 3)
    emits = (EggTaken, EggsShown)
    tally = "tally-eggs"
    title, symbol_name, short, long, notes = texts_of("april")
    drawing = drawing_of("april")
    facts = facts_of("april")

    def reserve(self, area: Area) -> None:
        """Reserve the egg cards, NONE while unknown, and who has taken the first of them."""
        self.taken = area.number("eggs_taken")
        self.eggs = area.number("eggs", NONE, count=EGGS)
        self.owner = area.number("egg_owner", 0, count=EGGS)

    def draw(self, state: State, generator: Generator) -> None:
        """Shuffle the six egg cards 0, 1, 1, 2, 2, 3."""
        for at in range(EGGS):
            generator.cards[at] = (at + 1) // 2
        generator.shuffle(EGGS)
        for at in range(EGGS):
            state.numbers[self.eggs + at] = generator.cards[at]

    def after_trick(self, state: State, winner: int) -> None:
        """A trick with an egg brings its winner one egg card, until they are gone."""
        if self.symbols(state) and state.numbers[self.taken] < EGGS:
            state.numbers[self.owner + state.numbers[self.taken]] = winner
            state.numbers[self.taken] += 1

    def own_points(self, state: State, seat: int) -> int:
        """The egg cards are turned up and added."""
        points = 0
        for at in range(state.numbers[self.taken]):
            egg = state.numbers[self.eggs + at]
            if state.numbers[self.owner + at] == seat and egg != NONE:
                points += egg
        return points

    def seen_points(self, state: State, seat: int) -> int:
        """One for each egg card: their values are hidden."""
        points = 0
        for at in range(state.numbers[self.taken]):
            if state.numbers[self.owner + at] == seat:
                points += 1
        return points

    def trick_worth(self, state: State, seat: int, left: int) -> float:
        """An egg card, until they are gone."""
        if self.symbols(state) and state.numbers[self.taken] < EGGS:
            return 1.0 + EGG
        return 1.0

    def fill(self, state: State, generator: Generator) -> None:
        """Draw the egg cards while they are not shown."""
        if state.numbers[self.eggs] == NONE:
            self.draw(state, generator)

    # -- At the table ------------------------------------------------------------------------------

    def trick_events(self, before: State, after: State) -> list[Event]:
        """Return the egg card taken by the winner."""
        if after.numbers[self.taken] == before.numbers[self.taken]:
            return []
        return [EggTaken(after.last_winner)]

    def closing_events(self, state: State) -> list[Event]:
        """Show the egg cards."""
        eggs = tuple([state.numbers[self.eggs + at] for at in range(EGGS)])
        takers = tuple([state.numbers[self.owner + at] for at in range(state.numbers[self.taken])])
        return [EggsShown(eggs, takers)]

    @classmethod
    def narrate(cls, event: Any, reader: int | None) -> Sentence | None:
        """Say who takes an egg card, and what all are worth when they are turned up."""
        if type(event) is EggTaken:
            return Sentence("takes-egg", "you-take-egg", event.seat)
        return Sentence("eggs-shown", facts={"facts": EachSeat(cls.sums_of(event))})

    @classmethod
    def sums_of(cls, event: EggsShown) -> tuple[str, ...]:
        """Return the eggs of each seat as a sum in words, up to the highest seat there can be."""
        values: list[list[str]] = [[] for _ in range(SEATS)]
        for seat, value in zip(event.takers, event.counts, strict=False):
            values[seat].append(str(value))
        return tuple([" + ".join(own) or "–" for own in values])

    def table(self, state: State) -> dict[str, object]:
        """Return how many egg cards each seat has."""
        taken = [state.numbers[self.owner + at] for at in range(state.numbers[self.taken])]
        return {"eggs": [taken.count(seat) for seat in range(self.seats)]}

    def learn(self, state: State, event: Event) -> bool:
        """Learn the egg cards at the end of the round."""
        if type(event) is not EggsShown:
            return False
        self.place_special(state, event.counts)
        self.steps.recount(state)
        return True

    @classmethod
    def draw_special(cls, stream: Any, seats: int) -> Any:
        """Draw the egg cards in the order in which they are taken."""
        eggs = list(cls.egg_cards)
        stream.shuffle(eggs)
        return tuple(eggs)

    @classmethod
    def special_draws(cls, seats: int) -> list[Any]:
        """Return all orders of the egg cards."""
        return sorted(set(permutations(cls.egg_cards)))

    def is_special(self, value: Any) -> bool:
        """Return whether these are the six egg cards in any order."""
        if not isinstance(value, list | tuple) or set(map(type, value)) != {int}:
            return False
        return tuple(sorted(value)) == self.egg_cards

    def place_special(self, state: State, value: Any) -> None:
        """Place the egg cards in their order."""
        for at in range(EGGS):
            state.numbers[self.eggs + at] = value[at]

    def for_winner(self, lying: State, after: State) -> list[Sentence]:
        """Return an egg card."""
        if after.numbers[self.taken] == lying.numbers[self.taken]:
            return []
        return [Sentence("then-egg", "then-your-egg", seat=after.last_winner)]

    def tally_count(self, state: State, seat: int) -> int:
        """Return the number of egg cards of the seat."""
        owners = [state.numbers[self.owner + at] for at in range(state.numbers[self.taken])]
        return owners.count(seat)


class AprilV1(April):
    """In version 1 of the rules the 1 has an egg too."""

    values = (1, 8)
    title, symbol_name, short, long, notes = texts_of("april", version=1)
