"""What a net sees of Sticheln.

Colours are alike except for who suffers from them, so they are renamed: the seat's own pain colour
comes first, then those of the others in their order, then the colours that the seat holds most of.
"""

from stichwerk.bots.nets.features import Features
from stichwerk.bots.nets.inputs import OWN
from stichwerk.engine.codes import (
    bit_of,
    card_of,
    choice_of,
    colour_of,
    half_of,
    half_slot,
    value_of,
    values_in,
)
from stichwerk.engine.constants import CHOOSE, COLOURS, NOBODY
from stichwerk.engine.machine import Bits
from stichwerk.engine.state import State
from stichwerk.games.sticheln import Sticheln

VALUES = 15  # 0 to 14
CARDS = 90
SEATS = 6
STEP = 3  # points in a step of a score
UP, DOWN = 10, 12  # steps that are told apart
POINTS = UP + DOWN
BEST_GAIN, WORST_GAIN = 8, 24  # points of a trick that are told apart
GAINS = BEST_GAIN + WORST_GAIN

# Inputs of a position.
HAND = OWN
UNSEEN = HAND + CARDS
TRICK_COLOUR = UNSEEN + CARDS  # by seat
TRICK_VALUE = TRICK_COLOUR + SEATS * SEATS
LED = TRICK_VALUE + SEATS * VALUES
STRONGEST = LED + SEATS
STRONGEST_TRUMP = STRONGEST + VALUES
WINNING = STRONGEST_TRUMP + VALUES
PAIN = WINNING + SEATS  # by seat
SCORE = PAIN + SEATS * SEATS  # by seat
LEFT = SCORE + SEATS * POINTS
TABLE = LEFT + VALUES + 1
LYING = TABLE + SEATS + 1

# Inputs of a card.
CARD = LYING + SEATS
OWN_VALUES = CARD + CARDS  # of its colour
OTHER_VALUES = OWN_VALUES + VALUES
VALUE = OTHER_VALUES + VALUES
PAIN_VALUE = VALUE + VALUES  # a card of the seat's pain colour
HURTS_WINNER = PAIN_VALUE + VALUES  # a card of the pain colour of who would win
HURTS = HURTS_WINNER + VALUES  # by seat: of its pain colour
WINS = HURTS + SEATS  # by how many seats are to come
LOSES = WINS + SEATS
BEATEN_BY = LOSES + SEATS  # unseen cards, by steps
GAIN = BEATEN_BY + 12  # what the trick is worth if it wins
GIVEN = GAIN + GAINS  # what the trick is worth to its winner if it does not
WANTED = GIVEN + GAINS  # by seat: it wants the trick and is still to come
LEADS = WANTED + SEATS
FOLLOWS = LEADS + VALUES
TRUMPS = FOLLOWS + VALUES

# Inputs of a pain card.
PICKED = TRUMPS + VALUES
PICKED_AMONG = PICKED + VALUES
PICKED_OTHERS = PICKED_AMONG + VALUES
PICKED_COUNT = PICKED_OTHERS + VALUES
SIZE = PICKED_COUNT + VALUES + 1

# Facts for the moves.
RANK = 0  # by colour: its new name
TOTAL = 6  # by seat: what the trick is worth to it
LOW = 12  # unseen cards
HIGH = 13
BEST = 14  # the strength of the winning card
WINNER = 15  # its seat, or NOBODY


class StichelnFeatures(Features):
    """The inputs of Sticheln."""

    def __init__(self, game: Sticheln) -> None:
        Features.__init__(self, game)
        self.rules = game
        self.size = SIZE
        self.full = [0, 0]
        for card in game.deck.codes:
            self.full[half_of(card)] |= bit_of(card)

    # -- The position ------------------------------------------------------------------------------

    def position(self, state: State, seat: int, facts: list[int], inputs: list[int]) -> None:
        """Turn on hand, unseen cards, trick, pain colours and points so far."""
        self.rename(state, seat, facts)
        facts[LOW] = self.unseen(state, seat, 0)
        facts[HIGH] = self.unseen(state, seat, 1)
        for colour in range(COLOURS):
            self.each(inputs, HAND + VALUES * facts[RANK + colour], state.colour(seat, colour))
            others = values_in(facts[LOW], facts[HIGH], colour)
            self.each(inputs, UNSEEN + VALUES * facts[RANK + colour], others)
        self.one_of(inputs, LEFT, state.hand_size[seat], VALUES + 1)
        self.on(inputs, TABLE + self.rules.seats)
        if state.phase != CHOOSE:
            self.trick(state, seat, facts, inputs)
            self.others(state, seat, facts, inputs)

    def rename(self, state: State, seat: int, facts: list[int]) -> None:
        """Give every colour its new name."""
        for colour in range(COLOURS):
            facts[RANK + colour] = NOBODY
        name = 0
        if state.phase != CHOOSE:
            for step in range(self.rules.seats):
                other = seat + step
                if other >= self.rules.seats:
                    other -= self.rules.seats
                pain = colour_of(choice_of(state, other))
                if facts[RANK + pain] == NOBODY:
                    facts[RANK + pain] = name
                    name += 1
        while name < COLOURS:
            most = -1
            found = 0
            for colour in range(COLOURS):
                count = Bits.count(state.colour(seat, colour))
                if facts[RANK + colour] == NOBODY and count > most:
                    most = count
                    found = colour
            facts[RANK + found] = name
            name += 1

    def unseen(self, state: State, seat: int, word: int) -> int:
        """Return half of the cards that others hold in hand, as a mask."""
        mask = self.full[word] & ~state.hands[half_slot(seat, word)] & ~state.gone[word]
        for other in range(self.rules.seats):
            mask &= ~state.won[half_slot(other, word)]
        for at in range(state.trick_size[0]):
            if half_of(state.trick_card[at]) == word:
                mask &= ~bit_of(state.trick_card[at])
        return mask

    def trick(self, state: State, seat: int, facts: list[int], inputs: list[int]) -> None:
        """Turn on the cards of the trick, who would win it, and note what it is worth."""
        size = state.trick_size[0]
        facts[BEST] = 0
        facts[WINNER] = NOBODY
        self.on(inputs, LYING + size)
        for other in range(self.rules.seats):
            facts[TOTAL + other] = 0
        for at in range(size):
            card = state.trick_card[at]
            who = self.relative(seat, state.trick_seat[at])
            self.on(inputs, TRICK_COLOUR + SEATS * who + facts[RANK + colour_of(card)])
            self.on(inputs, TRICK_VALUE + VALUES * who + value_of(card))
            for other in range(self.rules.seats):
                facts[TOTAL + other] += self.points(state, other, card)
        if size:
            self.on(inputs, LED + facts[RANK + state.led(0)])
            play = self.rules.trick_winner(state)
            if play != NOBODY:
                facts[WINNER] = state.trick_seat[play]
                facts[BEST] = self.rules.strength(state, play)
                self.on(inputs, WINNING + self.relative(seat, state.trick_seat[play]))
                first = STRONGEST_TRUMP if facts[BEST] > 16 else STRONGEST
                self.on(inputs, first + value_of(facts[BEST]))

    def others(self, state: State, seat: int, facts: list[int], inputs: list[int]) -> None:
        """Turn on pain colours and points so far."""
        for other in range(self.rules.seats):
            who = self.relative(seat, other)
            pain = colour_of(choice_of(state, other))
            self.on(inputs, PAIN + SEATS * who + facts[RANK + pain])
            score = self.rules.score(state, other)
            steps = (score + STEP - 1) // STEP if score > 0 else -((STEP - 1 - score) // STEP)
            self.signed(inputs, SCORE + POINTS * who, steps, UP, DOWN)

    def points(self, state: State, seat: int, card: int) -> int:
        """Return what a card is worth to the seat that takes it."""
        if colour_of(card) == colour_of(choice_of(state, seat)):
            return -value_of(card)
        return 1

    # -- Moves -------------------------------------------------------------------------------------

    def move(self, state: State, seat: int, move: int, facts: list[int], inputs: list[int]) -> None:
        """Turn on what a card does to the trick, or what a pain card means."""
        card = card_of(move)
        values = state.colour(seat, colour_of(card))
        others = values_in(facts[LOW], facts[HIGH], colour_of(card))
        if state.phase == CHOOSE:
            self.on(inputs, PICKED + value_of(card))
            self.each(inputs, PICKED_AMONG, values)
            self.each(inputs, PICKED_OTHERS, others)
            self.on(inputs, PICKED_COUNT + Bits.count(values))
            return
        self.on(inputs, CARD + VALUES * facts[RANK + colour_of(card)] + value_of(card))
        self.on(inputs, VALUE + value_of(card))
        self.each(inputs, OWN_VALUES, values)
        self.each(inputs, OTHER_VALUES, others)
        if colour_of(choice_of(state, seat)) == colour_of(card):
            self.on(inputs, PAIN_VALUE + value_of(card))
        self.fate(state, seat, card, facts, inputs)

    def fate(self, state: State, seat: int, card: int, facts: list[int], inputs: list[int]) -> None:
        """Turn on what becomes of the trick with this card."""
        size = state.trick_size[0]
        to_come = self.rules.seats - 1 - size
        led = state.led(0) if size else colour_of(card)
        strength = value_of(card)
        if size == 0:
            self.on(inputs, LEADS + value_of(card))
        elif colour_of(card) == led:
            self.on(inputs, FOLLOWS + value_of(card))
        else:
            self.on(inputs, TRUMPS + value_of(card))
            if strength:
                strength += 16
        winner = facts[WINNER]
        if strength > facts[BEST]:
            winner = seat
            self.on(inputs, WINS + to_come)
            gain = facts[TOTAL + seat] + self.points(state, seat, card)
            self.signed(inputs, GAIN, gain, BEST_GAIN, WORST_GAIN)
        else:
            self.on(inputs, LOSES + to_come)
            strength = facts[BEST]
            if winner != NOBODY:
                gain = facts[TOTAL + winner] + self.points(state, winner, card)
                self.signed(inputs, GIVEN, gain, BEST_GAIN, WORST_GAIN)
                if colour_of(choice_of(state, winner)) == colour_of(card):
                    self.on(inputs, HURTS_WINNER + value_of(card))
        if to_come:
            beating = self.beating(facts[LOW], facts[HIGH], led, strength)
            self.on(inputs, BEATEN_BY + self.step_of(beating))
        other = seat
        for step in range(1, self.rules.seats):
            other += 1
            if other == self.rules.seats:
                other = 0
            if colour_of(choice_of(state, other)) == colour_of(card):
                self.on(inputs, HURTS + step)
            if step <= to_come and facts[TOTAL + other] + self.points(state, other, card) > 0:
                self.on(inputs, WANTED + step)

    def beating(self, low: int, high: int, led: int, strength: int) -> int:
        """Return how many of these cards would beat this strength."""
        count = 0
        for colour in range(COLOURS):
            values = values_in(low, high, colour)
            if colour == led:
                if strength < 16:
                    count += Bits.count(values >> (strength + 1))
            elif strength < 16:
                count += Bits.count(values >> 1)
            else:
                count += Bits.count(values >> (value_of(strength) + 1))
        return count

    def step_of(self, count: int) -> int:
        """Return the step of a count: fine for few, coarse for many."""
        if count < 5:
            return count
        if count < 16:
            return 4 + count // 4
        return min(6 + count // 8, 11)
