"""Which deals are plausible for one seat, given the moves of the others.

Every deal that fits the moves is possible, but not all are equally likely: a seat that would have
played a card long ago probably does not hold it. A belief knows all moves since the deal and counts
how often a seat surprises the tactics in a given deal. It then walks from deal to deal (a
Metropolis chain): each step swaps two unseen cards, and is undone the more often the more
surprising it makes the deal. Only the seats whose cards changed are evaluated again.

Not all seats play alike. A belief can hold two models of the others, two tactics: in each deal a
seat is assumed to play by the one that it surprised less often. A careful belief also allows for
slips, and for seats that play by no model: their moves say nothing about their cards. A belief that
is sure of a wrong model is worse than none.
"""

from stichwerk.engine.codes import (
    card_in,
    card_of,
    choice_slot,
    half_slot,
    has,
    value_of,
)
from stichwerk.engine.constants import NONE, PLAY, SEATS, TWIN
from stichwerk.engine.generator import Generator
from stichwerk.engine.machine import Bits
from stichwerk.engine.round_rules import Moves
from stichwerk.engine.state import State
from stichwerk.engine.tactics import Tactics

CHOICES = choice_slot(SEATS, 0)
DOUBT = 256  # how many times less likely each further surprise makes a deal
# For careful beliefs: how often a seat that plays by a model makes any move instead, and how often
# a stranger makes the move that its own rules, which nobody knows, demand.
SLIPS, HABIT = 0.25, 0.2
FEW_MOVES = 2  # fewer moves of a seat do not show how it plays
SELDOM = 8  # one surprise in so many moves may be chance
CERTAIN = 65536  # probabilities are drawn in these fractions
SETTLING = 16  # times the usual steps until the first deal of a walk is plausible
RECHOOSE = 4  # one in this many steps changes hidden choices instead of cards
PLAIN = __file__.endswith(".py")  # compiled lists need no allocation


class Belief:
    """Draws deals for one seat: any that fit, or, with a memory, plausible ones."""

    def __init__(
        self, tactics: Tactics, second: Tactics | None = None, careful: bool = False
    ) -> None:
        self.tactics = tactics
        self.careful = careful
        self.second = tactics if second is None else second
        self.two_pictures = self.second is not tactics
        self.game = tactics.game
        self.known = State()
        self.deal = State()
        self.proposed = State()
        self.start = State()
        self.past = State()
        self.moves = Moves()
        self.seat = 0
        self.everyone = 0
        self.steps = 0
        self.trail_size = 0
        self.walking = False
        self.stuck = False  # no deal fits what is known; `check` raises it
        self.choices_hidden = False
        self.unseen = 0
        if PLAIN:
            self.trail_seat = [0] * 512
            self.trail_move = [0] * 512
            self.card = [0] * 96
            self.holder = [0] * 96
            self.surprises = [0] * 6
            self.moves_seen = [0] * 6
            self.weight = [1.0] * 6
            self.proposed_weight = [1.0] * 6
            self.by_chance = [1.0] * 6
            self.by_model = [1.0] * 6
            self.by_second = [1.0] * 6
            self.understood = [0] * 6
            self.proposed_understood = [0] * 6
            self.proposed_surprises = [0] * 6
            self.second_surprises = [0] * 6
            self.plays_second = [0] * 6
            self.proposed_second = [0] * 6

    # -- For callers in Python ---------------------------------------------------------------------

    def remember(self, start: State, trail: list[tuple[int, int]], steps: int) -> None:
        """Prefer deals in which the others would have played as they did.

        `start` is what the seat knew when the others began to reveal something, `trail` the moves
        since then as (seat, move), `steps` how far to walk from one deal to the next.
        """
        self.start.assign(start)
        self.steps = steps
        self.trail_size = len(trail)
        for seat in range(SEATS):
            self.moves_seen[seat] = 0
        for at, (seat, move) in enumerate(trail):
            self.trail_seat[at] = seat
            self.trail_move[at] = move
            self.moves_seen[seat] += 1

    def forget(self) -> None:
        """Make all deals that fit equally likely again."""
        self.trail_size = 0
        for seat in range(SEATS):
            self.moves_seen[seat] = 0

    def drawn(self, known: State, seat: int, seed: int, count: int) -> list[State]:
        """Return several deals, one after the other."""
        generator = Generator(seed)
        self.take_in(known, seat)
        deals = []
        for _ in range(count):
            self.draw(generator)
            self.check()
            deals.append(self.deal.copy())
        return deals

    def check(self) -> None:
        """Raise the error that kept the last draw from finding a deal."""
        if self.stuck:
            raise self.game.contradiction(self.known, self.seat)

    def surprise(self, deal: State) -> int:
        """Return how often the others, in this deal, moved otherwise than expected since the
        start."""
        generator = Generator(0)
        self.count_surprises(deal, self.everyone, generator)
        return sum([self.proposed_surprises[seat] for seat in range(self.game.seats)])

    def understood_share(self) -> float:
        """Return how many of the others seem to play by a model, as a share of them; 0 for a belief
        that is not careful."""
        count = sum([self.understood[seat] for seat in range(self.game.seats)])
        return count / (self.game.seats - 1)

    def predicts_all(self) -> bool:
        """Return whether all of the others moved as expected in the current deal, nearly always.

        A strong player often moves as the tactics do, too, but its other moves are the ones that
        matter: to be understood is not enough here.
        """
        for seat in range(self.game.seats):
            moves = self.moves_seen[seat]
            if has(self.everyone, seat) and (
                moves < FEW_MOVES or self.surprises[seat] * SELDOM > moves
            ):
                return False
        return True

    # -- Drawing -----------------------------------------------------------------------------------

    def take_in(self, known: State, seat: int) -> None:
        """Set what this seat knows, which is where every deal starts from.

        Seats with a secret choice choose again in each deal, by the tactics: that is closer to what
        people do than a random choice.
        """
        self.seat = seat
        self.known.assign(known)
        self.known.unknown = 0
        self.everyone = (1 << self.game.seats) - 1 - (1 << seat)  # except the seat itself
        self.choices_hidden = self.tactics.more_is_hidden(self.known)
        self.walking = False
        self.stuck = False
        for at in range(self.game.seats):
            self.plays_second[at] = 0
            self.understood[at] = 0

    def draw(self, generator: Generator) -> None:
        """Draw the next deal; if none fits, the belief is stuck."""
        if self.walking and self.trail_size:
            self.walk(self.steps, generator)
            return
        self.deal.assign(self.known)
        if not self.game.fill(self.deal, self.seat, generator, self.moves):
            self.stuck = True
            return
        if self.trail_size:
            self.list_unseen()
            self.count_surprises(self.deal, self.everyone, generator)
            self.keep_counts(self.everyone)
            self.walk(SETTLING * self.steps, generator)
            self.walking = True

    def walk(self, steps: int, generator: Generator) -> None:
        """Walk on from the last deal."""
        if self.careful:
            self.try_new_deal(generator)
        for _ in range(steps):
            if self.choices_hidden and generator.below(RECHOOSE) == 0:
                self.try_other_choices(generator)
            elif self.unseen:
                one = generator.below(self.unseen)
                other = generator.below(self.unseen)
                if self.can_be_exchanged(one, other):
                    self.try_exchange(one, other, generator)

    def list_unseen(self) -> None:
        """List who holds which of the cards that could be elsewhere."""
        self.unseen = 0
        for seat in range(self.game.seats):
            if seat != self.seat:
                self.list_hand(seat, 0)
                self.list_hand(seat, 1)
        for at in range(self.deal.stock_top, self.deal.stock_top + self.deal.stock_size):
            if self.known.stock[at] == NONE and self.deal.stock[at] != NONE:
                self.list_card(self.deal.stock[at], NONE)

    def list_hand(self, seat: int, word: int) -> None:
        """List the cards in one half of a hand that are not known to be there."""
        cards = self.deal.hands[half_slot(seat, word)] & ~self.known.hands[half_slot(seat, word)]
        while cards:
            card = card_in(word, Bits.lowest(cards))
            if self.deal.twins and value_of(card) == TWIN:
                card -= TWIN
            self.list_card(card, seat)
            cards &= cards - 1

    def list_card(self, card: int, holder: int) -> None:
        """List one card."""
        self.card[self.unseen] = card
        self.holder[self.unseen] = holder
        self.unseen += 1

    # -- Steps from deal to deal -------------------------------------------------------------------

    def can_be_exchanged(self, one: int, other: int) -> bool:
        """Return whether these two cards have different holders, differ, and may change places.

        A card laid face down stays with its seat.
        """
        a = self.holder[one]
        b = self.holder[other]
        if a == b or self.card[one] == self.card[other]:
            return False
        if self.is_laid_down(a, self.card[one]) or self.is_laid_down(b, self.card[other]):
            return False
        return self.game.fits(self.known, a, self.card[other]) and self.game.fits(
            self.known, b, self.card[one]
        )

    def is_laid_down(self, holder: int, card: int) -> bool:
        """Return whether this is a hidden card that is face down on the table."""
        return holder != NONE and self.game.is_laid_down(self.deal, holder, card)

    def try_exchange(self, one: int, other: int, generator: Generator) -> None:
        """Exchange two unseen cards, if the deal stays plausible."""
        a = self.holder[one]
        b = self.holder[other]
        self.proposed.assign(self.deal)
        self.replace(self.proposed, a, self.card[one], self.card[other])
        self.replace(self.proposed, b, self.card[other], self.card[one])
        asked = (0 if a == NONE else 1 << a) | (0 if b == NONE else 1 << b)
        if self.is_accepted(asked, generator):
            card = self.card[one]
            self.card[one] = self.card[other]
            self.card[other] = card

    def replace(self, deal: State, holder: int, card: int, instead: int) -> None:
        """Replace a card of a seat, or of the stock, with another one."""
        if holder == NONE:
            at = deal.stock_top
            while deal.stock[at] != card or self.known.stock[at] != NONE:
                at += 1
            deal.stock[at] = instead
        else:
            deal.remove(holder, card)
            deal.give(holder, instead)

    def try_new_deal(self, generator: Generator) -> None:
        """Deal anew, if that is as plausible: among strangers deals do not depend on each other."""
        self.proposed.assign(self.known)
        if self.game.fill(self.proposed, self.seat, generator, self.moves) and self.is_accepted(
            self.everyone, generator
        ):
            self.list_unseen()

    def try_other_choices(self, generator: Generator) -> None:
        """Draw other choices for the others, as far as they were not shown."""
        self.proposed.assign(self.deal)
        for at in range(CHOICES):
            self.proposed.choice[at] = self.known.choice[at]
        self.game.fill_choices(self.proposed, generator, self.moves)
        self.is_accepted(self.everyone, generator)

    def is_accepted(self, asked: int, generator: Generator) -> bool:
        """Decide whether to accept the proposed deal: always if it is no more surprising, else
        rarely."""
        self.count_surprises(self.proposed, asked, generator)
        if self.careful:
            if not self.is_likely(asked, generator):
                return False
            self.keep_counts(asked)
            self.deal.assign(self.proposed)
            return True
        more = 0
        for seat in range(self.game.seats):
            if has(asked, seat):
                more += self.proposed_surprises[seat] - self.surprises[seat]
        while more > 0:
            if generator.below(DOUBT):
                return False
            more -= 1
        self.keep_counts(asked)
        self.deal.assign(self.proposed)
        return True

    def is_likely(self, asked: int, generator: Generator) -> bool:
        """Decide by how much more or less likely the proposed deal is than the current one."""
        ratio = 1.0
        for seat in range(self.game.seats):
            if has(asked, seat):
                ratio *= self.proposed_weight[seat] / self.weight[seat]
        return ratio >= 1.0 or generator.below(CERTAIN) < ratio * CERTAIN

    def likelihood(self, seat: int) -> float:
        """Return how likely the moves of a seat are in the proposed deal.

        It may play by either model, with slips, or by rules of its own that say nothing about its
        cards. So a seat that the models do not understand cannot make a deal unlikely.
        """
        known = self.by_model[seat] + self.by_second[seat]
        self.proposed_understood[seat] = known > self.by_chance[seat]
        return known + self.by_chance[seat]

    def keep_counts(self, asked: int) -> None:
        """Keep the counts of the proposed deal for the current one."""
        for seat in range(self.game.seats):
            if has(asked, seat):
                self.surprises[seat] = self.proposed_surprises[seat]
                self.weight[seat] = self.proposed_weight[seat]
                self.understood[seat] = self.proposed_understood[seat]
                self.plays_second[seat] = self.proposed_second[seat]

    # -- How surprising a deal is ------------------------------------------------------------------

    def count_surprises(self, deal: State, asked: int, generator: Generator) -> None:
        """Count how often each of the seats asked moved otherwise than the tactics would have in
        this deal.

        With two models the one that was surprised less often counts; if equal, the first.
        """
        self.rewind(self.past, deal)
        for seat in range(self.game.seats):
            self.proposed_surprises[seat] = 0
            self.second_surprises[seat] = 0
            self.by_chance[seat] = 1.0
            self.by_model[seat] = 1.0
            self.by_second[seat] = 1.0 if self.two_pictures else 0.0
        for at in range(self.trail_size):
            seat = self.trail_seat[at]
            if has(asked, seat):
                self.ask(seat, self.trail_move[at], generator)
            self.game.apply(self.past, seat, self.trail_move[at])
        for seat in range(self.game.seats):
            if self.careful:
                self.proposed_weight[seat] = self.likelihood(seat)
            self.proposed_second[seat] = 0
            if self.two_pictures and self.second_surprises[seat] < self.proposed_surprises[seat]:
                self.proposed_second[seat] = 1
                self.proposed_surprises[seat] = self.second_surprises[seat]

    def ask(self, seat: int, move: int, generator: Generator) -> None:
        """Count a move if it surprises."""
        first = self.tactics.surprised(self.past, seat, move, generator, self.moves)
        second = self.two_pictures and self.second.surprised(
            self.past, seat, move, generator, self.moves
        )
        self.proposed_surprises[seat] += first
        self.second_surprises[seat] += second
        if self.careful:
            self.game.legal(self.past, seat, self.moves)
            chance = 1.0 / max(1, self.moves.size)
            slip = SLIPS * chance
            self.by_chance[seat] *= HABIT + (1.0 - HABIT) * chance
            self.by_model[seat] *= slip if first else slip + 1.0 - SLIPS
            self.by_second[seat] *= slip if second else slip + 1.0 - SLIPS

    def rewind(self, past: State, deal: State) -> None:
        """Rewind this deal to its start: each seat gets back what it has played since."""
        past.assign(self.start)
        for seat in range(self.game.seats):
            if seat != self.seat:
                if past.phase == PLAY:
                    for at in range(choice_slot(seat, 0), choice_slot(seat, 3)):
                        past.choice[at] = deal.choice[at]
                for at in range(half_slot(seat, 0), half_slot(seat, 2)):
                    past.hands[at] = deal.hands[at]
        for at in range(self.trail_size):
            seat = self.trail_seat[at]
            if seat != self.seat:
                past.give(seat, card_of(self.trail_move[at]))
                past.hand_size[seat] -= 1
