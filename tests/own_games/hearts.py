"""Hearts for four: pass three cards to the left, follow, avoid red cards and B12.

Red cards may not be led before one was discarded. Every red card costs a point, B12 costs 13; who
takes all of them pays nothing, and the others 26 each.
"""

from collections.abc import Mapping

from stichwerk.cards import Deck, card_code
from stichwerk.engine.constants import ALL_COLOURS, CHOOSE, NONE, PICK, RED
from stichwerk.engine.events import CardsPassed, CardsReceived, Event, Move
from stichwerk.engine.plain import (
    Bits,
    Game,
    Moves,
    State,
    argument_of,
    choice_slot,
    colour_of,
    has,
    move_of,
    value_of,
    won_values,
)
from stichwerk.errors import Reason
from stichwerk.games.options import Option, Value, starter_option
from stichwerk.games.registry import register

PASSED = 3
BLUE = 3
QUEEN = 12


class Hearts(Game):
    """Hearts with its options fixed."""

    name = "hearts"
    seat_counts = (4,)
    phases = ("over", "play", "pass")
    dealt = 13

    def __init__(self, seats: int, options: Mapping[str, Value]) -> None:
        super().__init__(seats, hand_size=self.dealt, deck=Deck("RYGB", 2, 14))
        self.broken = self.area.number("broken")

    @staticmethod
    def options(seats: int) -> tuple[Option, ...]:
        """Return who starts."""
        return (starter_option(seats),)

    # -- Passing -----------------------------------------------------------------------------------

    def begin(self, state: State) -> None:
        """Everyone passes first."""
        self.ask_everyone(state)

    def chosen(self, state: State, seat: int) -> list[int]:
        """Return the cards a seat has chosen so far."""
        noted = state.choice[choice_slot(seat, 0) : choice_slot(seat, PASSED)]
        return [card for card in noted if card != NONE]

    def legal_choices(self, state: State, seat: int, moves: Moves) -> None:
        """Cards in rising order, so that every three come once."""
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
        state.choice[choice_slot(seat, count)] = argument_of(move)
        if count + 1 == PASSED:
            self.settle(state, seat)

    def reveal(self, state: State) -> None:
        """Pass all cards at once; nobody sees those of others."""
        given = [self.chosen(state, seat) for seat in range(self.seats)]
        for seat, cards in enumerate(given):
            for card in cards:
                state.remove(seat, card)
                state.give((seat + 1) % self.seats, card)
        state.choice = [NONE] * 18
        state.hand_size[: self.seats] = [self.hand_size] * self.seats

    def revealed(self, before: State, after: State) -> list[Event]:
        """Everyone hears that cards went on, and sees those that came."""
        told: list[Event] = [CardsPassed()]
        for seat in range(self.seats):
            old, new = set(self.hand(before, seat)), self.hand(after, seat)
            came = tuple(card for card in new if card not in old)
            told.append(CardsReceived(seat, came, to=(seat,)))
        return told

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

    # -- Play --------------------------------------------------------------------------------------

    def may_play(self, state: State, seat: int) -> int:
        """Follow if you can; lead red only when it was discarded, or nothing else is left."""
        if state.trick_size[0]:
            led = state.led(0)
            return Bits.bit(led) if state.colour(seat, led) else ALL_COLOURS
        others = any(state.colour(seat, colour) for colour in (1, 2, 3))
        broken = state.numbers[self.broken]
        return ALL_COLOURS & ~Bits.bit(RED) if others and not broken else ALL_COLOURS

    def play_card(self, state: State, seat: int, card: int) -> None:
        """Note the void of a seat that does not follow; red may be led once it was discarded."""
        if state.trick_size[0] and colour_of(card) != state.led(0):
            state.voids[seat] |= Bits.bit(state.led(0))
        if colour_of(card) == RED:
            state.numbers[self.broken] = 1
        super().play_card(state, seat, card)

    def strength(self, state: State, play: int) -> int:
        """Let the highest card of the led colour win."""
        card = state.trick_card[play]
        return value_of(card) if colour_of(card) == state.led(0) else 0

    # -- Scoring -----------------------------------------------------------------------------------

    def pain(self, state: State, seat: int) -> int:
        """Return what the cards taken by a seat cost."""
        queen = has(won_values(state, seat, BLUE), QUEEN)
        return Bits.count(won_values(state, seat, RED)) + 13 * queen

    def score(self, state: State, seat: int) -> int:
        """As a loss; who takes everything pays nothing."""
        costs = [self.pain(state, other) for other in range(self.seats)]
        if 26 in costs:
            return 0 if costs[seat] == 26 else -26
        return -costs[seat]

    def describe(self, scores: object) -> str:
        """Called by nothing here; its name is like no name of the frame."""
        return f"hearts: {scores}"


register(Hearts)
