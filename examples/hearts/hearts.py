"""Hearts for three to five: a complete custom game in its own folder.

    stichwerk play examples/hearts/hearts.py
    stichwerk serve --game examples/hearts/hearts.py

This file has the rules and the description. Next to it: rules and texts in both languages, tactics
for bots (`tactics.py`), what a move would do (`outlook.py`), what the line terminal shows
(`lines.py`) and a lesson. Red cards are the hearts, B12 is the queen.
"""

from collections.abc import Mapping
from pathlib import Path

from stichwerk.cards import Deck, card_code
from stichwerk.engine.constants import ALL_COLOURS, CHOOSE, NONE, PICK
from stichwerk.engine.events import CardsPassed, CardsReceived, Event, Move
from stichwerk.engine.plain import (
    Bits,
    Game,
    Moves,
    State,
    card_of,
    choice_slot,
    colour_of,
    has,
    move_of,
    only,
    value_of,
    won_values,
)
from stichwerk.errors import Reason
from stichwerk.games.info import GameDescription, Moment, Spaces
from stichwerk.games.options import Option, Value, starter_option
from stichwerk.games.registry import register

PASSED = 3
QUEEN = card_code("B12")
RED = colour_of(card_code("R12"))
QUEEN_COSTS = 13
LOWEST = {3: 3, 4: 2, 5: 5}  # the lowest value of the deck, so that nothing is left over
TARGETS = {3: (1, 2), 4: (1, 3, 2), 5: (1, 4, 2, 3)}  # round by round, in steps to the left


class Hearts(Game):
    """Hearts with its seats and options fixed."""

    name = "hearts"
    seat_counts = (3, 4, 5)
    phases = ("over", "play", "pass")

    def __init__(self, seats: int, options: Mapping[str, Value]) -> None:
        deck = Deck("RYGB", LOWEST[seats], 14)
        super().__init__(seats, hand_size=len(deck) // seats, deck=deck)
        self.passes = options["passing"] == "on"
        self.has_moon = options["moon"] == "on"
        self.costs = len(deck) // 4 + QUEEN_COSTS  # of all cards together

    @staticmethod
    def options(seats: int) -> tuple[Option, ...]:
        """Return the options: whether cards are passed, the moon can be shot, who starts."""
        return (
            Option("passing", "on", ("on", "off")),
            Option("moon", "on", ("on", "off")),
            starter_option(seats),
        )

    # -- Passing -----------------------------------------------------------------------------------

    def target(self, state: State) -> int:
        """Return how many steps to the left cards are passed in this round; 0: not at all."""
        steps = (*TARGETS[self.seats], 0)
        return steps[(state.round - 1) % len(steps)] if self.passes else 0

    def begin(self, state: State) -> None:
        """Ask everyone to pass; in the last round of a cycle nobody does."""
        if self.target(state):
            self.ask_everyone(state)
        else:
            self.start_play(state)

    def chosen(self, state: State, seat: int) -> list[int]:
        """Return the cards a seat has chosen so far."""
        noted = state.choice[choice_slot(seat, 0) : choice_slot(seat, PASSED)]
        return [card for card in noted if card != NONE]

    def legal_choices(self, state: State, seat: int, moves: Moves) -> None:
        """List cards in rising order, so that every set of three comes once."""
        chosen = self.chosen(state, seat)
        hand = [card_code(card) for card in self.hand(state, seat)]
        after = hand.index(chosen[-1]) + 1 if chosen else 0
        for card in hand[after : len(hand) - PASSED + 1 + len(chosen)]:
            moves.add(move_of(PICK, card))

    def steps(self, state: State) -> int:
        """Return 3 for passing: three cards make one choice."""
        return PASSED if state.phase == CHOOSE else 1

    def judge_choice(self, state: State, seat: int, text: str) -> Move | Reason:
        """Require three different cards of the hand."""
        cards = []
        for part in text.split(","):
            card = self.read_card(state, seat, part)
            if isinstance(card, Reason):
                return card
            cards.append(card)
        if len(set(cards)) != PASSED or len(cards) != PASSED:
            return Reason("wrong-number", needed=PASSED, given=len(set(cards)))
        steps = tuple(move_of(PICK, card) for card in sorted(cards))
        return Move(self.move_text(state, steps), steps)

    def choose(self, state: State, seat: int, move: int) -> None:
        """Note a card; the third settles the choice."""
        count = len(self.chosen(state, seat))
        state.choice[choice_slot(seat, count)] = card_of(move)
        if count + 1 == PASSED:
            self.settle(state, seat)

    def reveal(self, state: State) -> None:
        """Pass all cards at once; nobody sees those of others."""
        given = [self.chosen(state, seat) for seat in range(self.seats)]
        target = self.target(state)
        for seat, cards in enumerate(given):
            for card in cards:
                state.remove(seat, card)
                state.give((seat + target) % self.seats, card)
        state.choice = [NONE] * len(state.choice)
        state.hand_size[: self.seats] = [self.hand_size] * self.seats

    def revealed(self, before: State, after: State) -> list[Event]:
        """Tell everyone that cards were passed, and each seat which ones it got."""
        events: list[Event] = [CardsPassed((PASSED,) * self.seats)]
        for seat in range(self.seats):
            old, new = set(self.hand(before, seat)), self.hand(after, seat)
            came = tuple(card for card in new if card not in old)
            events.append(CardsReceived(seat, came, to=(seat,)))
        return events

    def learn(self, state: State, event: Event) -> None:
        """Account for cards that others passed unseen."""
        if isinstance(event, CardsPassed):
            state.unknown = 0
            self.reveal(state)
            self.start_play(state)
        elif isinstance(event, CardsReceived):
            for card in event.cards:
                state.give(event.seat, card_code(card))
            state.hand_size[event.seat] = self.hand_size
        else:
            super().learn(state, event)

    # -- Playing -----------------------------------------------------------------------------------

    def may_play(self, state: State, seat: int) -> int:
        """Follow if you can; lead red only once red was played, or if nothing else is left."""
        if state.trick_size[0]:
            led = state.led(0)
            return only(led) if state.colour(seat, led) else ALL_COLOURS
        has_others = any(state.colour(seat, colour) for colour in (1, 2, 3))
        if has_others and not self.red_was_played(state):
            return ALL_COLOURS & ~only(RED)
        return ALL_COLOURS

    def red_was_played(self, state: State) -> bool:
        """Return whether a red card is in a won trick; it only matters for leads."""
        return any(won_values(state, seat, RED) for seat in range(self.seats))

    def play_card(self, state: State, seat: int, card: int) -> None:
        """Note the void of a seat that does not follow."""
        if state.trick_size[0] and colour_of(card) != state.led(0):
            state.voids[seat] |= only(state.led(0))
        super().play_card(state, seat, card)

    def strength(self, state: State, play: int) -> int:
        """Let the highest card of the led colour win."""
        card = state.trick_card[play]
        return value_of(card) if colour_of(card) == state.led(0) else 0

    # -- Scoring -----------------------------------------------------------------------------------

    def red_cards(self, state: State, seat: int) -> int:
        """Return how many red cards a seat has taken."""
        return Bits.count(won_values(state, seat, RED))

    def has_queen(self, state: State, seat: int) -> bool:
        """Return whether a seat has taken the queen."""
        return has(won_values(state, seat, colour_of(QUEEN)), value_of(QUEEN))

    def cost(self, state: State, seat: int) -> int:
        """Return what a seat has taken: a point for each red card, 13 for the queen."""
        return self.red_cards(state, seat) + QUEEN_COSTS * self.has_queen(state, seat)

    def card_cost(self, card: int) -> int:
        """Return what one card costs its taker."""
        return QUEEN_COSTS if card == QUEEN else int(colour_of(card) == RED)

    def shooter(self, state: State) -> int | None:
        """Return the seat that took every card that costs something."""
        for seat in range(self.seats):
            if self.has_moon and self.cost(state, seat) == self.costs:
                return seat
        return None

    def score(self, state: State, seat: int) -> int:
        """Return costs as a loss; if someone shot the moon, all others pay everything."""
        shooter = self.shooter(state)
        if shooter is None:
            return -self.cost(state, seat)
        return 0 if seat == shooter else -self.costs

    # -- At the table ------------------------------------------------------------------------------

    def table(self, state: State) -> dict[str, object]:
        """Return what the cards taken so far cost each seat."""
        return {"costs": [self.cost(state, seat) for seat in range(self.seats)]}


register(
    GameDescription(
        rules=Hearts,
        minutes=(15, 30),
        prompts={"pass": "hearts-ask-pass"},
        events={"passed": "hearts-passed", "received": "hearts-received"},
        moments={
            "pass": Moment("Passing", ("hearts-rule-pass",), heading="hearts-do-pass"),
            "lead": Moment(
                "Playing", ("hearts-rule-lead", "hearts-rule-winner"), heading="do-lead"
            ),
            "follow": Moment(
                "Playing", ("hearts-rule-follow", "hearts-rule-winner"), heading="do-follow"
            ),
            "over": Moment("Scoring", ("hearts-rule-cost", "hearts-rule-moon")),
        },
        tactics="tactics.py:HeartsTactics",
        outlook="outlook.py:HeartsOutlook",
        lines="lines.py:HeartsLines",
        lesson="lesson.toml",
        folder=Path(__file__).parent,
        spaces=Spaces(actions=("play", "pick"), blocks=("voids", "choices")),
    )
)
