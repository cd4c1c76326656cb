"""Sticheln played by tactics: every card is judged by what the trick will bring with it.

A later seat that wants the trick takes it as often as a card drawn from the unseen ones would win
it; one that does not want it stays below. The rest is what it is worth to part with a card.
"""

from stichwerk.engine.codes import (
    bit_of,
    card_at,
    card_in,
    choice_of,
    colour_of,
    half_of,
    half_slot,
    move_of,
    sum_of,
    value_of,
    values_in,
)
from stichwerk.engine.constants import CHOOSE, COLOURS, NOBODY, PICK
from stichwerk.engine.generator import Generator
from stichwerk.engine.machine import Bits
from stichwerk.engine.round_rules import Moves
from stichwerk.engine.state import State
from stichwerk.engine.tactics import Tactics
from stichwerk.games.sticheln import Sticheln

# Found by many rounds against random play and against earlier versions.
GREED = 0.8  # how often a seat that wants the trick uses a card that would win it
MALICE = 1.6  # others play more pain on a trick than random play would
ZERO = 0.16  # what a zero is worth in hand
HIGH = 0.3  # what each point of another card is worth in hand, in the middle of the round
HIGH_EARLY = 0.1  # how much more that is at the beginning, less at the end
HIGH_LED = 0.2  # how much more is lost by leading it, where it hardly ever wins
PAIN_EARLY = 0.7  # pain cards are kept at the beginning and thrown away towards the end,
PAIN_VALUE_EARLY = 0.32  # the high ones above all,
PAIN_LED = 0.12  # and they are best got rid of by leading them


class StichelnTactics(Tactics):
    """Looks for the card with the best outlook for the current trick."""

    def __init__(self, game: Sticheln) -> None:
        Tactics.__init__(self, game)
        self.rules = game
        self.victory = 15.0
        self.full = [0, 0]
        self.above = [0] * 16
        for card in game.deck.codes:
            self.full[half_of(card)] |= bit_of(card)
        for value in range(16):
            for card in range(64):
                if value_of(card) > value:
                    self.above[value] |= bit_of(card)

    def move(self, state: State, seat: int, generator: Generator, moves: Moves) -> int:
        """Return the pain card, or the card with the best outlook."""
        if state.phase == CHOOSE:
            return move_of(PICK, self.pain_card(state, seat))
        return self.best_card(state, seat)

    # -- The pain colour ---------------------------------------------------------------------------

    def pain_card(self, state: State, seat: int) -> int:
        """Return the lowest card of the longest colour; among equally long ones of the lowest."""
        found = 0
        best = -1000
        for colour in range(COLOURS):
            values = state.colour(seat, colour)
            if values:
                lowest = Bits.lowest(values)
                worth = 100 * Bits.count(values) - 9 * lowest - sum_of(values)
                if worth > best:
                    best = worth
                    found = card_at(colour, lowest)
        return found

    # -- What a seat can know ----------------------------------------------------------------------

    def unseen(self, state: State, seat: int, word: int) -> int:
        """Return half of the cards that others hold in hand, as a mask."""
        mask = self.full[word] & ~state.hands[half_slot(seat, word)] & ~state.gone[word]
        for other in range(self.rules.seats):
            mask &= ~state.won[half_slot(other, word)]
        for at in range(state.trick_size[0]):
            if half_of(state.trick_card[at]) == word:
                mask &= ~bit_of(state.trick_card[at])
        return mask

    def beating(self, low: int, high: int, led: int, strength: int) -> int:
        """Return how many of these cards would beat this strength."""
        led_low = self.rules.spread[half_slot(Bits.bit(led), 0)]
        led_high = self.rules.spread[half_slot(Bits.bit(led), 1)]
        above = self.above[value_of(strength)]
        if strength > 16:  # a trump
            return Bits.count(low & above & ~led_low) + Bits.count(high & above & ~led_high)
        trump = self.above[0]
        count = Bits.count(low & above & led_low) + Bits.count(high & above & led_high)
        return count + Bits.count(low & trump & ~led_low) + Bits.count(high & trump & ~led_high)

    def points(self, state: State, seat: int, card: int) -> int:
        """Return what a card is worth to the seat that takes it."""
        if colour_of(card) == colour_of(choice_of(state, seat)):
            return -value_of(card)
        return 1

    def thrown(self, state: State, seat: int, low: int, high: int) -> float:
        """Return what the cards still to come to this trick are worth to the seat, on average."""
        colour = colour_of(choice_of(state, seat))
        pain = values_in(low, high, colour)
        count = Bits.count(low) + Bits.count(high)
        if count == 0:
            return 0.0
        total = 1.0 * (count - Bits.count(pain))
        while pain:
            total -= MALICE * Bits.lowest(pain)
            pain &= pain - 1
        return total / count * (self.rules.seats - 1 - state.trick_size[0])

    # -- The card ----------------------------------------------------------------------------------

    def best_card(self, state: State, seat: int) -> int:
        """Try every card: what will the trick bring, and what is it worth to lose the card?"""
        totals = [0] * 6
        low = self.unseen(state, seat, 0)
        high = self.unseen(state, seat, 1)
        share = GREED / max(1, Bits.count(low) + Bits.count(high))
        thrown = self.thrown(state, seat, low, high)
        size = state.trick_size[0]
        for other in range(self.rules.seats):
            totals[other] = 0
            for at in range(size):
                totals[other] += self.points(state, other, state.trick_card[at])
        strongest = 0
        winner = NOBODY
        led = colour_of(state.trick_card[0])
        chance = 0.0
        if size:
            play = self.rules.trick_winner(state)
            if play != NOBODY:
                winner = state.trick_seat[play]
                strongest = self.rules.strength(state, play)
            chance = share * self.beating(low, high, led, strongest)
        found = 0
        best = -1000.0
        for word in range(2):
            hand = state.hands[half_slot(seat, word)]
            while hand:
                card = card_in(word, Bits.lowest(hand))
                hand &= hand - 1
                strength = value_of(card)
                if size == 0:
                    led = colour_of(card)
                elif strength and colour_of(card) != led:
                    strength += 16  # a trump
                worth = self.relief(state, seat, card)
                if strength > strongest:
                    beaten = share * self.beating(low, high, led, strength)
                    gain = totals[seat] + self.points(state, seat, card) + thrown
                    worth += self.outlook(state, seat, card, totals, beaten, gain)
                elif winner == NOBODY:
                    worth += self.outlook(state, seat, card, totals, chance, 0.0)
                else:
                    gain = self.envy(totals[winner] + self.points(state, winner, card))
                    worth += self.outlook(state, seat, card, totals, chance, gain)
                if worth > best:
                    best = worth
                    found = card
        return found

    def relief(self, state: State, seat: int, card: int) -> float:
        """Return what it is worth to part with a card, regardless of who gets it."""
        value = value_of(card)
        early = state.hand_size[seat] / 14.0 - 0.5
        leading = state.trick_size[0] == 0
        if colour_of(card) == colour_of(choice_of(state, seat)):
            worth = -early * (PAIN_EARLY + PAIN_VALUE_EARLY * value)
            if leading:
                worth += PAIN_LED * value
            return worth
        if value == 0:
            return -ZERO
        worth = -(HIGH + HIGH_EARLY * early) * value
        if leading:
            worth -= HIGH_LED * value
        return worth

    def envy(self, points: int) -> float:
        """Return what points of another seat are worth to this one: its lead over the mean
        counts."""
        return -points / (self.rules.seats - 1.0)

    def outlook(
        self, state: State, seat: int, card: int, totals: list[int], chance: float, gain: float
    ) -> float:
        """Return what the trick is worth with this card: `gain`, unless a later seat takes it.

        A seat that wants it can take it with this probability; `totals` is what the cards before
        this one are worth to each seat.
        """
        worth = 0.0
        open_still = 1.0
        other = seat
        for _ in range(self.rules.seats - 1 - state.trick_size[0]):
            other += 1
            if other == self.rules.seats:
                other = 0
            points = totals[other] + self.points(state, other, card)
            if points > 0:
                worth += open_still * chance * self.envy(points)
                open_still *= 1.0 - chance
        return worth + open_still * gain
