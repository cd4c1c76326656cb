"""Small rules that say in a few lines what a beginner learns first: the tactics of `greedy-1`.

Frozen: other bots are measured against them, so they must never choose another move than they do
now (`tests/test_bots.py` checks that). What has been learned since is in the other modules of this
folder.
"""

from stichwerk.engine.codes import (
    argument_of,
    below,
    card_of,
    choice_slot,
    colour_of,
    colour_slot,
    move_of,
    place_of,
    sum_of,
    trick_slot,
    value_of,
)
from stichwerk.engine.constants import CHOOSE, COLOURS, ORDER, PLACES, TWIN
from stichwerk.engine.generator import Generator
from stichwerk.engine.machine import Bits
from stichwerk.engine.round_rules import Moves
from stichwerk.engine.state import State
from stichwerk.engine.tactics import Tactics
from stichwerk.games.null_nichtig import NullNichtig
from stichwerk.games.sticheln import Sticheln
from stichwerk.games.stichling import Stichling

WORST = -1_000_000


class SmallSticheln(Tactics):
    """Pain colour long and low; lead low pain; take what pays, duck under what hurts."""

    def __init__(self, game: Sticheln) -> None:
        Tactics.__init__(self, game)
        self.rules = game
        self.victory = 15.0

    def move(self, state: State, seat: int, generator: Generator, moves: Moves) -> int:
        """Return the listed move that the rule likes best."""
        self.rules.legal(state, seat, moves)
        best = WORST - 1
        found = 0
        gain = self.gain(state, seat)
        most = self.strongest(state)
        for at in range(moves.size):
            card = argument_of(moves.items[at])
            if state.phase == CHOOSE:
                liking = self.comfort(state, seat, card)
            elif state.trick_size[0] == 0:
                liking = self.lead_liking(state, seat, card)
            else:
                liking = self.follow_liking(state, seat, card, gain, most)
            if liking > best:
                best = liking
                found = moves.items[at]
        return found

    def comfort(self, state: State, seat: int, card: int) -> int:
        """Rate the lowest card of the longest colour highest; of equally long ones the lower."""
        values = state.colour(seat, colour_of(card))
        return 100 * (100 * Bits.count(values) - sum_of(values)) - value_of(card)

    def lead_liking(self, state: State, seat: int, card: int) -> int:
        """Rate the lowest pain card highest, else the lowest card."""
        liking = -value_of(card)
        if colour_of(card) == self.rules.pain_colour(state, seat):
            liking += 100
        return liking

    def follow_liking(self, state: State, seat: int, card: int, gain: int, most: int) -> int:
        """Take a trick that pays, lowest if last, else highest; duck with high cards, pain first.

        A seat that must take plays low, and no pain.
        """
        strength = self.card_strength(state, card)
        pain = colour_of(card) == self.rules.pain_colour(state, seat)
        last = state.trick_size[0] == self.rules.seats - 1
        if strength > most:
            if gain > 0 and not pain:
                return 2_000 - strength if last else 2_000 + strength
            return -1_000 - strength - (100 if pain else 0)
        return value_of(card) + (100 if pain else 0)

    def gain(self, state: State, seat: int) -> int:
        """Return what the cards on the table would bring to the seat."""
        gain = 0
        for play in range(state.trick_size[0]):
            card = state.trick_card[play]
            if colour_of(card) == self.rules.pain_colour(state, seat):
                gain -= value_of(card)
            else:
                gain += 1
        return gain

    def card_strength(self, state: State, card: int) -> int:
        """Return how strong a card is in the current trick."""
        if value_of(card) == 0:
            return 0
        if colour_of(card) == state.led(0):
            return value_of(card)
        return 16 + value_of(card)  # a trump

    def strongest(self, state: State) -> int:
        """Return the strength of the best play on the table."""
        most = 0
        for play in range(state.trick_size[0]):
            most = max(most, self.card_strength(state, state.trick_card[play]))
        return most


class SmallNullNichtig(Tactics):
    """Lay out high cards of three colours; take what makes the piles better, else duck high."""

    def __init__(self, game: NullNichtig) -> None:
        Tactics.__init__(self, game)
        self.rules = game
        self.victory = 20.0

    def move(self, state: State, seat: int, generator: Generator, moves: Moves) -> int:
        """Return the listed move that the rule likes best."""
        self.rules.legal(state, seat, moves)
        if state.phase == CHOOSE:
            return self.next_high(state, seat, moves)
        best = WORST - 1
        found = 0
        for at in range(moves.size):
            liking = self.liking(state, seat, moves.items[at])
            if liking > best:
                best = liking
                found = moves.items[at]
        return found

    # -- Laying out --------------------------------------------------------------------------------

    def next_high(self, state: State, seat: int, moves: Moves) -> int:
        """Return the next of the highest cards of the best colours; colours may only rise.

        So the next is the first that is among the best of those that are left; if none of them can
        be laid any more, the last card that can.
        """
        laid = self.rules.laid(state, seat)
        first = colour_of(state.choice[choice_slot(seat, laid - 1)]) + 1 if laid else 0
        for at in range(moves.size):
            card = argument_of(moves.items[at])
            colour = colour_of(card)
            if (
                colour >= first
                and value_of(card) == self.top(state, seat, colour)
                and self.better_colours(state, seat, colour, first) < self.rules.lays - laid
            ):
                return moves.items[at]
        return moves.items[moves.size - 1]

    def better_colours(self, state: State, seat: int, colour: int, first: int) -> int:
        """Count the colours left that have a higher top card, or as high a one earlier."""
        better = 0
        top = self.top(state, seat, colour)
        for other in range(first, COLOURS):
            if self.top(state, seat, other) + (1 if other < colour else 0) > top:
                better += 1
        return better

    def top(self, state: State, seat: int, colour: int) -> int:
        """Return the highest value of a colour in hand; -1, if there is none."""
        values = below(state.colour(seat, colour), TWIN)
        if values:
            return Bits.highest(values)
        return -1

    # -- Playing -----------------------------------------------------------------------------------

    def liking(self, state: State, seat: int, card: int) -> int:
        """Lead low; take with what makes the piles better, else duck as high as can be."""
        if state.trick_size[0] == 0:
            return -value_of(card)
        if value_of(card) <= self.highest(state):
            return value_of(card)
        change = self.change(state, seat, card)
        if change > 0:
            return 10_000 + 100 * change + value_of(card)
        return -10_000 + 100 * change + value_of(card)

    def highest(self, state: State) -> int:
        """Return the highest number on the table."""
        most = 0
        for play in range(state.trick_size[0]):
            most = max(most, value_of(state.trick_card[play]))
        return most

    def change(self, state: State, seat: int, card: int) -> int:
        """Return what the seat's card and then those on the table would change on its piles."""
        change = 0
        for colour in range(COLOURS):
            top = -1
            if colour_of(card) == colour:
                top = value_of(card)
            for play in range(state.trick_size[0]):
                if colour_of(state.trick_card[play]) == colour:
                    top = value_of(state.trick_card[play])
            if top >= 0:
                change += top - state.numbers[self.rules.tops + colour_slot(seat, colour)]
        return change


class SmallStichling(Tactics):
    """As many tricks as high cards: take them until the best scoring card is up, then duck."""

    def __init__(self, game: Stichling) -> None:
        Tactics.__init__(self, game)
        self.rules = game
        self.victory = 1.0

    def more_is_hidden(self, state: State) -> bool:
        """Return the orders of scoring cards that are not all turned up."""
        return True

    def move(self, state: State, seat: int, generator: Generator, moves: Moves) -> int:
        """Return the order that fits the hand, or the listed play that the rule likes best."""
        if state.phase == CHOOSE:
            return move_of(ORDER, self.order(state, seat))
        self.rules.legal(state, seat, moves)
        hungry = self.hungry(state, seat)
        best = WORST - 1
        found = 0
        for at in range(moves.size):
            liking = self.liking(
                state, seat, card_of(moves.items[at]), place_of(moves.items[at]), hungry
            )
            if liking > best:
                best = liking
                found = moves.items[at]
        return found

    def order(self, state: State, seat: int) -> int:
        """Put the best scoring card first for hands with few high cards, last for those with
        many."""
        highest = 3 * self.rules.seats
        high = 0
        for colour in range(COLOURS):
            values = state.colour(seat, colour)
            while values:
                if Bits.lowest(values) > highest - 2:
                    high += 1
                values &= values - 1
        if high <= 3:
            return 5
        return 3 if high <= 5 else 0

    def hungry(self, state: State, seat: int) -> bool:
        """Return whether one more trick turns up a better scoring card than the current one.

        Open tricks that the seat holds count as won.
        """
        tricks = state.tricks_won[seat]
        for place in range(PLACES):
            if state.trick_size[place] and self.rules.owner(state, place) == seat:
                tricks += 1
        if tricks == 0:
            return True
        now = state.choice[choice_slot(seat, self.rules.face_up(tricks))]
        return state.choice[choice_slot(seat, self.rules.face_up(tricks + 1))] > now

    def liking(self, state: State, seat: int, card: int, place: int, hungry: bool) -> int:
        """Hungry: win tricks of others, surely or with high cards, else throw low cards.

        Sated: lose tricks, high cards first, and lead low.
        """
        value = value_of(card)
        size = state.trick_size[place]
        if size == 0:
            return 2 * value if hungry else -value
        mine = self.rules.owner(state, place) == seat
        wins = colour_of(card) == state.led(place) and card > self.best(state, place)
        if hungry:
            if wins and not mine:
                return 300 - value if size == 3 else 2 * value + 10 * size
            return -value
        if wins:
            return -100 - value
        if mine:
            return -50 * size - value
        return 100 + value

    def best(self, state: State, place: int) -> int:
        """Return the card that holds the trick at this place."""
        best = state.trick_card[trick_slot(place, 0)]
        for at in range(trick_slot(place, 1), trick_slot(place, state.trick_size[place])):
            card = state.trick_card[at]
            if colour_of(card) == colour_of(best) and card > best:
                best = card
        return best
