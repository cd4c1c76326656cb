"""Stichling played by tactics: every play is judged by the number of tricks it leads to.

What counts is the scoring card that is up at the end, so four situations matter: no trick yet, or
the first, second or third scoring card is up. Each has a value; a trick won moves on to the next.
"""

from stichwerk.engine.codes import (
    above,
    bit_of,
    card_at,
    choice_slot,
    colour_of,
    half_of,
    half_slot,
    has,
    move_of,
    play_at,
    trick_slot,
    value_of,
    values_in,
)
from stichwerk.engine.constants import CHOOSE, ORDER, PLACES, PLAY
from stichwerk.engine.generator import Generator
from stichwerk.engine.machine import Bits
from stichwerk.engine.round_rules import Moves
from stichwerk.engine.state import State
from stichwerk.engine.tactics import Tactics
from stichwerk.games.stichling import Stichling

FULL = 4  # cards that make a trick full
NEW = 16  # the bit that stands for opening a new trick

# Found by many rounds against random play and against earlier versions.
TAKE = 0.84  # how surely the best card wins a trick that is wanted
STUCK = 0.5  # how often the best card wins a trick that is not wanted
TOO_LATE = 3.0  # how few cards must be left until those probabilities halve
OVERTAKEN = 0.3  # how often a card that could be beaten is, for each card still to come
UNFINISHED = 1.6  # how often a trick stays open at the end of the round
ENVY = 0.008  # what others gain decides only between equals


class StichlingTactics(Tactics):
    """Looks for the play after which the seat's scoring cards promise most."""

    def __init__(self, game: Stichling) -> None:
        Tactics.__init__(self, game)
        self.rules = game
        self.victory = 1.0
        self.full = [0, 0]
        for card in game.deck.codes:
            self.full[half_of(card)] |= bit_of(card)

    def more_is_hidden(self, state: State) -> bool:
        """Return the orders of scoring cards that are not all turned up."""
        return True

    def move(self, state: State, seat: int, generator: Generator, moves: Moves) -> int:
        """Return the most promising order of the scoring cards, or the most promising play."""
        if state.phase == CHOOSE:
            return move_of(ORDER, self.best_order(state, seat))
        return self.best_play(state, seat)

    # -- Cards that others may hold ----------------------------------------------------------------

    def unseen(self, state: State, seat: int, word: int) -> int:
        """Return half of the cards that are neither visible nor in the seat's hand, as a mask."""
        mask = self.full[word] & ~state.hands[half_slot(seat, word)]
        for other in range(self.rules.seats):
            mask &= ~state.won[half_slot(other, word)]
        for place in range(PLACES):
            for at in range(trick_slot(place, 0), trick_slot(place, state.trick_size[place])):
                if half_of(state.trick_card[at]) == word:
                    mask &= ~bit_of(state.trick_card[at])
        return mask

    def rank(self, low: int, high: int, card: int) -> float:
        """Return the share of the unseen cards of its colour that a card beats."""
        values = values_in(low, high, colour_of(card))
        if values == 0:
            return 1.0
        return 1.0 - Bits.count(above(values, value_of(card))) / (1.0 * Bits.count(values))

    def stays(self, rank: float, lacking: int, left: int) -> float:
        """Return the probability that a trick fills up while a card of this rank is its best.

        `lacking` cards are still to come to the trick, `left` cards to the whole round.
        """
        if lacking == 0:
            return 1.0
        chance = 1.0 - UNFINISHED * lacking / (left + 1.0)
        if lacking > left or chance < 0.0:
            return 0.0
        for _ in range(lacking):
            chance *= 1.0 - OVERTAKEN * (1.0 - rank)
        return chance

    def weigh_hand(
        self, state: State, seat: int, low: int, high: int, cards: list[int], powers: list[float]
    ) -> int:
        """List the cards of the hand and how much each can do for its tricks; their number."""
        size = 0
        rest = state.hand_size[seat] - 1.0
        share = 1.0
        if state.phase == PLAY:
            share = rest / (rest + TOO_LATE)
        for colour in range(1, 5):
            values = state.colour(seat, colour)
            while values:
                cards[size] = card_at(colour, Bits.lowest(values))
                rank = self.rank(low, high, cards[size])
                powers[size] = rank * rank * share
                values &= values - 1
                size += 1
        return size

    # -- From the values after something to those before it ----------------------------------------

    def before_cards(self, values: list[float], powers: list[float], start: int, end: int) -> None:
        """Account for the hand: each card wins a trick where that is good, else avoids one."""
        none = values[0]
        first = values[1]
        second = values[2]
        third = values[3]
        for at in range(start, end):
            stuck = STUCK * powers[at]
            more = TAKE * powers[at] - stuck
            gain = first - none
            again = first - third
            none += stuck * gain + more * max(gain, 0.0)
            gain = second - first
            first += stuck * gain + more * max(gain, 0.0)
            gain = third - second
            second += stuck * gain + more * max(gain, 0.0)
            third += stuck * again + more * max(again, 0.0)
        values[0] = none
        values[1] = first
        values[2] = second
        values[3] = third

    def with_tricks(
        self, values: list[float], later: list[float], holds: list[float], owned: int
    ) -> None:
        """Account for open tricks at these places (as bits): each is won with its probability."""
        for at in range(4):
            values[at] = later[at]
        while owned:
            chance = holds[Bits.lowest(owned)]
            owned &= owned - 1
            first = values[1]
            for at in range(3):
                values[at] += chance * (values[at + 1] - values[at])
            values[3] += chance * (first - values[3])

    # -- The scoring cards -------------------------------------------------------------------------

    def best_order(self, state: State, seat: int) -> int:
        """Return the order of scoring cards that is worth most with this hand."""
        cards = [0] * 12
        powers = [0.0] * 12
        values = [0.0] * 4
        low = self.unseen(state, seat, 0)
        high = self.unseen(state, seat, 1)
        size = self.weigh_hand(state, seat, low, high, cards, powers)
        found = 0
        best = -1.0
        for order in range(6):
            values[0] = 0.0
            for at in range(3):
                values[at + 1] = self.rules.orders[3 * order + at]
            self.before_cards(values, powers, 0, size)
            if values[0] > best:
                best = values[0]
                found = order
        return found

    # -- The play ----------------------------------------------------------------------------------

    def best_play(self, state: State, seat: int) -> int:
        """Try every card at every place: what are the seat's scoring cards worth after it?"""
        tops = [0] * 4
        owners = [0] * 4
        holds = [0.0] * 4
        gains = [0.0] * 4
        cards = [0] * 12
        powers = [0.0] * 12
        later = [0.0] * 4
        base = [0.0] * 4
        whole = [0.0] * 4
        values = [0.0] * 4
        low = self.unseen(state, seat, 0)
        high = self.unseen(state, seat, 1)
        left = self.cards_left(state) - 1
        self.survey(state, low, high, left, tops, owners, holds)
        owned = self.owned_places(state, seat, tops, owners, gains)
        size = self.weigh_hand(state, seat, low, high, cards, powers)
        now = self.situation(state.tricks_won[seat])
        after = self.rules.face_up(now + 1) + 1
        free = self.rules.free_place(state)
        self.scoring_values(state, seat, later)
        found = 0
        best = -1000.0
        for mine in range(size):
            card = cards[mine]
            places = self.places_for(state, seat, card, free)
            if mine and powers[mine] == powers[mine - 1] and self.alike(cards, mine, tops):
                places = 0  # the card before it was tried and is equivalent
            # The values with all cards of the hand except this one.
            if places:
                for at in range(4):
                    base[at] = later[at]
                self.before_cards(base, powers, mine + 1, size)
                self.with_tricks(whole, base, holds, owned)
            rank = self.rank(low, high, card)
            while places:
                place = Bits.lowest(places)
                places &= places - 1
                if has(owned, place):
                    self.with_tricks(values, base, holds, owned & ~Bits.bit(place))
                    here = values[now]
                    there = values[after]
                else:
                    here = whole[now]
                    there = whole[after]
                lacking = FULL - 1 - state.trick_size[place]
                top = tops[place]
                if self.beats(card, top):
                    worth = here + self.stays(rank, lacking, left) * (there - here)
                elif has(owned, place):
                    top_rank = self.rank(low, high, top)
                    worth = here + self.stays(top_rank, lacking, left) * (there - here)
                else:
                    worth = here - self.envy(holds[place], lacking, gains[place])
                if worth > best:
                    best = worth
                    found = play_at(card, place)
            self.before_cards(later, powers, mine, mine + 1)
        return found

    def situation(self, tricks: int) -> int:
        """Return which of the four situations these tricks make: 0, or the scoring card that is
        up."""
        if tricks > 3:
            return self.rules.face_up(tricks) + 1
        return tricks

    def owned_places(
        self, state: State, seat: int, tops: list[int], owners: list[int], gains: list[float]
    ) -> int:
        """Return the places of the seat's own tricks; at the others, what the trick gains its
        owner."""
        owned = 0
        for place in range(PLACES):
            if tops[place] and owners[place] == seat:
                owned |= Bits.bit(place)
            elif tops[place]:
                gains[place] = self.gain(state, owners[place])
        return owned

    def places_for(self, state: State, seat: int, card: int, free: int) -> int:
        """Return the places this card may go to, with the free one for a new trick, as bits."""
        places = self.rules.may_lay(state, seat, colour_of(card))
        if places & NEW:
            return places & ~NEW | Bits.bit(free)
        return places

    def cards_left(self, state: State) -> int:
        """Return how many cards are still in all hands."""
        left = 0
        for seat in range(self.rules.seats):
            left += state.hand_size[seat]
        return left

    def scoring_values(self, state: State, seat: int, values: list[float]) -> None:
        """Fill in what each situation is worth at the end, scored as in the first round."""
        values[0] = 0.0
        for at in range(3):
            values[at + 1] = state.choice[choice_slot(seat, at)] / (1.0 * state.round)

    def envy(self, hold: float, lacking: int, gain: float) -> float:
        """Return what it costs to give a card to another seat's trick, weighted by its probability.

        What is open can still change hands, a full trick cannot.
        """
        chance = 2.0 * hold if lacking else 1.0
        return ENVY * chance * gain

    def beats(self, card: int, top: int) -> bool:
        """Return whether a card is better than the best of a trick, 0 where none is open."""
        return top == 0 or (card > top and colour_of(card) == colour_of(top))

    def survey(
        self,
        state: State,
        low: int,
        high: int,
        left: int,
        tops: list[int],
        owners: list[int],
        holds: list[float],
    ) -> None:
        """Find for each open trick its best card, its owner and their probability to get it."""
        for place in range(PLACES):
            first = trick_slot(place, 0)
            size = state.trick_size[place]
            tops[place] = 0
            owners[place] = 0
            holds[place] = 0.0
            for at in range(first, first + size):
                card = state.trick_card[at]
                if card > tops[place] and colour_of(card) == state.led(place):
                    tops[place] = card
                    owners[place] = state.trick_seat[at]
            if size:
                holds[place] = self.stays(self.rank(low, high, tops[place]), FULL - size, left)

    def alike(self, cards: list[int], at: int, tops: list[int]) -> bool:
        """Return whether a card and the one before it have one colour and no best card between
        them."""
        for place in range(PLACES):
            if cards[at - 1] < tops[place] and tops[place] < cards[at]:
                return False
        return colour_of(cards[at - 1]) == colour_of(cards[at])

    def gain(self, state: State, seat: int) -> float:
        """Return what one more trick gains another seat, as far as its scoring cards were turned
        up."""
        won = state.tricks_won[seat]
        now = 0.0
        if won:
            now = 1.0 * state.choice[choice_slot(seat, self.rules.face_up(won))]
        if won >= 3:
            following = state.choice[choice_slot(seat, self.rules.face_up(won + 1))]
            return (following - now) / state.round
        hidden = 6.0 * state.round
        for at in range(won):
            hidden -= state.choice[choice_slot(seat, at)]
        return (hidden / (3 - won) - now) / state.round
