"""`UnseenCards`: deals that fit what a seat knows, for searches and samples.

`fill` completes a state; docs/architecture.md, "From a view to states", explains how and why.
"""

from typing import Any

from stichwerk.engine.constants import ASIDE, NOBODY, NONE, SEATS, TWIN
from stichwerk.engine.contradiction import explained
from stichwerk.engine.generator import Generator
from stichwerk.engine.machine import Bits
from stichwerk.engine.round_rules import Moves, RoundRules
from stichwerk.engine.state import State
from stichwerk.errors import ContradictionError

LONGEST_CHOICE = 64  # actions in a secret choice
TRIES = 8  # random shuffles to repair before cards are placed systematically
ENOUGH = 5_000  # sweeps after which a deal is restarted
DOUBTFUL = 64  # sweeps after which to check whether any deal fits at all
SETTLED = 0  # marks of places during the search for a deal that fits: their card fits,
FREE = 1  # has to leave,
VISITED = 2  # or is being moved already


class UnseenCards(RoundRules):
    """Rules that can deal the cards which a seat does not see."""

    def may_hold(self, state: State, seat: int, card: int) -> bool:
        """Return whether what was seen so far allows this seat to hold this card."""
        return state.voids[seat] >> (card >> 4) & 1 == 0

    def is_laid_down(self, state: State, holder: int, card: int) -> bool:
        """Return whether this card of a hand is already face down, so that no other can be
        there."""
        return False

    def fill(self, state: State, seat: int, generator: Generator, moves: Moves) -> bool:
        """Complete what this seat (NOBODY: a spectator) knows to a whole state, uniformly at
        random.

        The given state has hidden hands with only the cards known to be there. Every deal that fits
        what was seen is equally likely; secret choices are drawn at random. If no deal fits, return
        False and leave the state as it was; `contradiction` says why.
        """
        if not self.spread_unseen(state, seat, generator):
            return False
        for at in range(generator.size):
            self.hand_over(state, generator.holders[at], generator.cards[at])
        self.fill_choices(state, generator, moves)
        return True

    def spread_unseen(self, state: State, seat: int, generator: Generator) -> bool:
        """Find a holder for every unseen card; return False only if that is impossible.

        Random shuffles get a few tries, as they make all deals equally likely; then cards are
        placed systematically.
        """
        for _ in range(TRIES):
            self.gather_unseen(state, generator)
            generator.shuffle(generator.size)
            if not self.assign_holders(state, seat, generator):
                return False
            if self.misplaced(state, generator) == 0 or self.mend_voids(state, generator):
                return True
            if not self.can_be_dealt(state, generator):
                return False
        return self.place_misfits(state, generator)

    def gather_unseen(self, state: State, generator: Generator) -> None:
        """Collect every card that is nowhere in this state in the generator's list."""
        low = state.gone[0] | state.carried[0]
        high = state.gone[1] | state.carried[1]
        twins_low = 0
        twins_high = 0
        for seat in range(self.seats):
            low |= state.aside[2 * seat]
            high |= state.aside[2 * seat + 1]
            if state.second[seat] < 64:
                low |= Bits.bit(state.second[seat])
            elif state.second[seat] != NONE:
                high |= Bits.bit(state.second[seat] - 64)
            for pile in range(2):
                a = state.won[2 * seat] if pile else state.hands[2 * seat]
                b = state.won[2 * seat + 1] if pile else state.hands[2 * seat + 1]
                twins_low |= low & a
                twins_high |= high & b
                low |= a
                high |= b
        for place in range(4):
            for at in range(place * SEATS, place * SEATS + state.trick_size[place]):
                bit = Bits.bit(state.trick_card[at] & 63)
                if state.trick_card[at] < 64:
                    twins_low |= low & bit
                    low |= bit
                else:
                    twins_high |= high & bit
                    high |= bit
        generator.size = 0
        previous = NONE
        for at in range(self.deck_size):
            card = self.cards[at]
            bit = Bits.bit(card & 63)
            if card == previous:
                second = Bits.bit((card & 63) + TWIN)
                low_twin = twins_low & bit | low & second
                seen = low_twin if card < 64 else twins_high & bit | high & second
            else:
                seen = low & bit if card < 64 else high & bit
            if not seen:
                generator.cards[generator.size] = card
                generator.size += 1
            previous = card

    def assign_holders(self, state: State, seat: int, generator: Generator) -> bool:
        """Assign a holder to every unseen card: a hand with room, what a seat set aside (ASIDE +
        seat), or NONE for the stock. Return False if there are too few or too many cards for
        that."""
        at = 0
        for holder in range(self.seats):
            if holder != seat:
                room = self.hand_room(state, holder)
                if room < 0 or at + room + state.aside_size[holder] > generator.size:
                    return False
                for _ in range(room):
                    generator.holders[at] = holder
                    at += 1
                for _ in range(state.aside_size[holder]):
                    generator.holders[at] = ASIDE + holder
                    at += 1
        if generator.size - at > self.stock_room(state):
            return False
        while at < generator.size:
            generator.holders[at] = NONE
            at += 1
        return True

    def hand_room(self, state: State, holder: int) -> int:
        """Return how many cards of this hand are unknown."""
        room = state.hand_size[holder] - Bits.count(state.hands[2 * holder])
        return room - Bits.count(state.hands[2 * holder + 1])

    def stock_room(self, state: State) -> int:
        """Return how many cards of the stock are unknown."""
        room = 0
        for at in range(state.stock_top, state.stock_top + state.stock_size):
            if state.stock[at] == NONE:
                room += 1
        return room

    def fits(self, state: State, holder: int, card: int) -> bool:
        """Return whether this holder may have this card; the stock takes any."""
        return holder == NONE or self.may_hold(state, holder, card)

    def misplaced(self, state: State, generator: Generator) -> int:
        """Return how many unseen cards are with a holder that cannot have them."""
        wrong = 0
        for at in range(generator.size):
            if not self.fits(state, generator.holders[at], generator.cards[at]):
                wrong += 1
        return wrong

    def mend_voids(self, state: State, generator: Generator) -> bool:
        """Exchange cards at random until the deal is well mixed and all fit; return whether they
        do.

        Exchanges that make things worse are accepted now and then, so that every deal can be
        reached from every other; whole sweeps only, so that no deal is favoured by stopping at it.
        """
        wrong = self.misplaced(state, generator)
        sweeps = 0
        while sweeps < ENOUGH and (wrong or sweeps * generator.size < 8 * generator.size + 192):
            for _ in range(generator.size):
                a = generator.below(generator.size)
                b = generator.below(generator.size)
                change = self.exchange_cost(state, generator, a, b)
                if change <= 0 or generator.below(8 if change == 1 else 64) == 0:
                    card = generator.cards[a]
                    generator.cards[a] = generator.cards[b]
                    generator.cards[b] = card
                    wrong += change
            sweeps += 1
            if sweeps == DOUBTFUL and wrong and not self.can_be_dealt(state, generator):
                return False
        return wrong == 0

    def can_be_dealt(self, state: State, generator: Generator) -> bool:
        """Return whether some deal fits; the cards stay where they are."""
        for at in range(generator.size):
            generator.kept[at] = generator.cards[at]
        possible = self.place_misfits(state, generator)
        for at in range(generator.size):
            generator.cards[at] = generator.kept[at]
        return possible

    def place_misfits(self, state: State, generator: Generator) -> bool:
        """Find a place for every card that does not fit where it is; return False if no deal fits.

        Exact (augmenting paths in a bipartite matching), so that sampling always ends.
        """
        for at in range(generator.size):
            while not self.fits(state, generator.holders[at], generator.cards[at]):
                self.mark_misfits(state, generator)
                if not self.find_place(state, generator, generator.cards[at], at):
                    return False
        return True

    def mark_misfits(self, state: State, generator: Generator) -> None:
        """Mark the places whose card has to leave; none is visited yet."""
        for at in range(generator.size):
            fitting = self.fits(state, generator.holders[at], generator.cards[at])
            generator.marks[at] = SETTLED if fitting else FREE

    def find_place(self, state: State, generator: Generator, card: int, origin: int) -> bool:
        """Place a card where it fits, and the card that was there elsewhere; return whether that
        works.

        The misfit at the end of such a chain goes to where the chain started.
        """
        for at in range(generator.size):
            mark = generator.marks[at]
            if mark == VISITED or not self.fits(state, generator.holders[at], card):
                continue
            generator.marks[at] = VISITED
            other = generator.cards[at]
            if mark == FREE:
                generator.cards[origin] = other
            elif not self.find_place(state, generator, other, origin):
                continue
            generator.cards[at] = card
            return True
        return False

    def exchange_cost(self, state: State, generator: Generator, a: int, b: int) -> int:
        """Return how many more cards would be misplaced after exchanging two unseen cards."""
        first = generator.cards[a]
        second = generator.cards[b]
        one = generator.holders[a]
        other = generator.holders[b]
        fitting = self.fits(state, one, first) + self.fits(state, other, second)
        return fitting - self.fits(state, one, second) - self.fits(state, other, first)

    def hand_over(self, state: State, holder: int, card: int) -> None:
        """Give an unseen card to its assigned holder; sizes were known before and stay."""
        if holder == NONE:
            at = state.stock_top
            while state.stock[at] != NONE:
                at += 1
            state.stock[at] = card
        elif holder >= ASIDE:
            state.aside[2 * (holder - ASIDE) + (card >> 6)] |= Bits.bit(card & 63)
        else:
            state.give(holder, card)
            state.hand_size[holder] -= 1

    def fill_choices(self, state: State, generator: Generator, moves: Moves) -> None:
        """Give seats that have chosen in secret some choice that they could have made."""
        while state.unknown:
            seat = Bits.lowest(state.unknown)
            state.unknown &= state.unknown - 1
            left = LONGEST_CHOICE
            while state.owes >> seat & 1 and left:
                self.apply(state, seat, self.random_move(state, seat, generator, moves))
                left -= 1

    # -- For callers in Python ---------------------------------------------------------------------

    def complete(self, state: State, seat: int | None, generator: Any) -> None:
        """Call `fill` from Python, possibly with a generator of the other engine."""
        if not isinstance(generator, Generator):
            generator = Generator(generator.number(2**31 - 1))
        viewer = NOBODY if seat is None else seat
        if not self.fill(state, viewer, generator, Moves()):
            raise self.contradiction(state, viewer)

    def can_hold(self, state: State, seat: int, card: int) -> bool:
        """Return whether samples may give this card to this seat; for callers in Python."""
        return self.fits(state, seat, card)

    def contradiction(self, state: State, seat: int) -> ContradictionError:
        """Return why `fill` finds no deal for what this seat knows."""
        generator = Generator(0)
        self.gather_unseen(state, generator)
        unseen = [generator.cards[at] for at in range(generator.size)]
        rooms = {}
        for other in range(self.seats):
            if other != seat:
                rooms[other] = self.hand_room(state, other)
                if state.aside_size[other]:
                    rooms[ASIDE + other] = state.aside_size[other]
        fitting = {}
        for holder in rooms:
            fits = [at for at, card in enumerate(unseen) if self.fits(state, holder, card)]
            fitting[holder] = frozenset(fits)
        return explained(self, seat, unseen, self.stock_room(state), rooms, fitting)
