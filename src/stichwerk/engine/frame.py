"""`Game`: the frame every trick-taking game fills in.

The frame knows how a round runs: deal, choices before play, one trick after the other, points. A
game overrides the single rules in which it differs. The first half runs compiled and without Python
objects; the second half, from "At the table" on, is for matches and people.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from stichwerk.cards import COLOURS as LETTERS
from stichwerk.cards import Deck, card_code, card_text
from stichwerk.engine.area import Area
from stichwerk.engine.constants import (
    ALL_COLOURS,
    ASIDE,
    CHOOSE,
    COLOURS,
    KIND,
    NOBODY,
    NONE,
    OVER,
    PLAY,
    SEATS,
    TWIN,
)
from stichwerk.engine.contradiction import explained
from stichwerk.engine.events import Event, Move
from stichwerk.engine.generator import Generator
from stichwerk.engine.machine import Bits, Demand, Lock
from stichwerk.engine.state import State
from stichwerk.errors import (
    BadCardError,
    BadGameError,
    CannotPickleError,
    ContradictionError,
    Reason,
)

MOST_CARDS = 96  # of a deck
MOST_STOCK = 32  # cards that are not dealt
LONGEST_CHOICE = 64  # actions of which a secret choice may consist
TRIES = 8  # shuffles that are mended at random before cards are placed on purpose
ENOUGH = 5_000  # sweeps after which a deal is tried afresh
DOUBTFUL = 64  # sweeps after which it is asked whether any deal fits at all
SETTLED = 0  # marks of places while a deal that fits is looked for: their card fits,
FREE = 1  # has to leave,
VISITED = 2  # or is being moved already
PLAIN = __file__.endswith(".py")  # compiled, new lists are empty without being told


class Moves:
    """A list of moves with room for every situation, reused instead of made anew."""

    def __init__(self) -> None:
        if PLAIN:
            self.items = [0] * 192
        self.size = 0

    def add(self, move: int) -> None:
        """One more move."""
        self.items[self.size] = move
        self.size += 1

    def listed(self) -> list[int]:
        """The moves as a list of Python's."""
        return [self.items[at] for at in range(self.size)]


def check_limits(game: str, seats: int, hand_size: int, deck: Deck) -> None:
    """Refuse what a state has no room for, or what cannot be dealt."""
    cards = len(deck.codes)
    stock = cards - seats * hand_size
    if not 2 <= seats <= SEATS:
        raise BadGameError("own-game-seats", game=game, seats=seats, most=SEATS)
    if cards > MOST_CARDS:
        raise BadGameError("own-game-deck", game=game, cards=cards, most=MOST_CARDS)
    if deck.twin_zeros and deck.highest >= TWIN:
        raise BadGameError("own-game-twins", game=game, highest=deck.highest, most=TWIN - 1)
    if hand_size < 1 or stock < 0:
        raise BadGameError("own-game-hands", game=game, seats=seats, hand=hand_size, cards=cards)
    if stock > MOST_STOCK:
        raise BadGameError("own-game-stock", game=game, stock=stock, most=MOST_STOCK)


class Game:
    """A trick-taking game with its seats and options fixed. Shared freely: it never changes."""

    name = ""
    version = 1
    hidden_to_the_end = False  # choices that are shown only after the match
    phases = ("over", "play", "choose")  # type: tuple[str, ...]

    def __init__(self, seats: int, hand_size: int, deck: Deck) -> None:
        check_limits(self.name, seats, hand_size, deck)
        self.seats = seats
        self.hand_size = hand_size
        self.deck = deck
        self.deck_size = len(deck.codes)
        self.cards = [0] * 96
        self.spread = [0] * 128
        for at, code in enumerate(deck.codes):
            self.cards[at] = code
        # For every set of colours the mask of all their cards, twins left out: twins are one move.
        values = (1 << TWIN) - 1 if deck.twin_zeros else 0xFFFF
        for colours in range(64):
            for colour in range(SEATS):
                if colours >> colour & 1:
                    self.spread[2 * colours + (colour >> 2)] |= values << ((colour & 3) << 4)
        self.specials = ()  # type: tuple[str, ...]
        self.recipe = None  # type: tuple[Any, ...] | None
        self.blank = State()
        self.blank.seats = seats
        self.blank.twins = int(deck.twin_zeros)
        self.blank.direction = 1
        self.blank.choice = [NONE] * 18
        self.blank.second = [NONE] * 6
        self.area = Area(self.name, self.blank)

    @staticmethod
    def open_options(options: tuple[Any, ...], given: Mapping[str, object]) -> tuple[Any, ...]:
        """The options with the values that the given ones leave open; as a rule all."""
        return options

    @staticmethod
    def settle_options(options: dict[str, Any], given: Mapping[str, object]) -> None:
        """Options that depend on one another; as a rule none do."""

    # -- Copies ----------------------------------------------------------------------------------

    def __copy__(self) -> "Game":
        return self

    def __deepcopy__(self, memo: object) -> "Game":
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """Built again where they are unpickled, by the recipe that the registry left here: a
        function and its arguments."""
        if self.recipe is None:
            raise CannotPickleError("rules-built-directly", game=self.name)
        return self.recipe

    # -- Before play -----------------------------------------------------------------------------

    def clear(self, state: State) -> None:
        """An empty table for the round, starter and totals that the state already names."""
        state.renew(self.blank)

    def deal(self, state: State, generator: Generator) -> None:
        """Shuffle with the fast generator, deal one card after the other, start the round."""
        self.clear(state)
        for at in range(self.deck_size):
            generator.cards[at] = self.cards[at]
        generator.shuffle(self.deck_size)
        dealt = self.seats * self.cards_each(state)
        seat = state.starter
        for at in range(dealt):
            state.give(seat, generator.cards[at])
            seat += 1
            if seat == self.seats:
                seat = 0
        for at in range(dealt, self.deck_size):
            state.stock[at - dealt] = generator.cards[at]
        state.stock_size = self.deck_size - dealt
        self.draw_specials(state, generator)
        self.begin(state)

    def cards_each(self, state: State) -> int:
        """How many cards each seat is dealt in the round that the state names."""
        return self.hand_size

    def draw_specials(self, state: State, generator: Generator) -> None:
        """Special cards that are drawn after the deal, where a game has them."""

    def begin(self, state: State) -> None:
        """After the deal: as a rule the starter leads at once."""
        self.start_play(state)

    def ask_everyone(self, state: State) -> None:
        """Every seat owes a secret choice."""
        state.phase = CHOOSE
        state.owes = (1 << self.seats) - 1

    def start_play(self, state: State) -> None:
        """The starter leads to the first trick."""
        state.phase = PLAY
        self.lead(state, state.starter)

    def lead(self, state: State, seat: int) -> None:
        """This seat leads to the next trick."""
        state.leader = seat
        state.turn = seat
        state.owes = 1 << seat

    # -- What may be done ------------------------------------------------------------------------

    def legal(self, state: State, seat: int, moves: Moves) -> None:
        """List what the seat may do now, in the documented order."""
        moves.size = 0
        if state.phase == PLAY:
            self.legal_plays(state, seat, moves)
        elif state.phase == CHOOSE:
            self.legal_choices(state, seat, moves)

    def legal_plays(self, state: State, seat: int, moves: Moves) -> None:
        """Every card of the colours that may be played, in deck order."""
        colours = self.may_play(state, seat)
        for word in range(2):
            mask = state.hands[2 * seat + word] & self.spread[2 * colours + word]
            while mask:
                moves.add(64 * word + Bits.lowest(mask))
                mask &= mask - 1

    def may_play(self, state: State, seat: int) -> int:
        """The colours the seat may play, as bits: any, unless the game knows a duty to follow."""
        return ALL_COLOURS

    def legal_choices(self, state: State, seat: int, moves: Moves) -> None:
        """The choices before play, in the documented order."""

    # -- Moves -----------------------------------------------------------------------------------

    def apply(self, state: State, seat: int, move: int) -> None:
        """Make a legal move."""
        if state.phase == PLAY:
            self.play_card(state, seat, move)
        else:
            self.choose(state, seat, move)

    def choose(self, state: State, seat: int, move: int) -> None:
        """Take down a secret choice before play."""

    def settle(self, state: State, seat: int) -> None:
        """This seat has chosen; when it was the last, all choices are turned up and play starts."""
        state.owes &= ~(1 << seat)
        if state.owes == 0:
            self.reveal(state)
            self.start_play(state)

    def reveal(self, state: State) -> None:
        """All have chosen: what happens with the choices."""

    def play_card(self, state: State, seat: int, card: int) -> None:
        """Lay a card to the trick; with the last one the trick is settled."""
        state.remove(seat, card)
        if state.lay(0, seat, card) == self.seats:
            self.finish_trick(state)
        else:
            state.turn = self.next_seat(state, seat)
            state.owes = 1 << state.turn

    def next_seat(self, state: State, seat: int) -> int:
        """Who follows this seat in the direction of play: clockwise, unless something turned it."""
        seat += state.direction
        if seat == self.seats:
            return 0
        return self.seats - 1 if seat < 0 else seat

    # -- The trick -------------------------------------------------------------------------------

    def strength(self, state: State, play: int) -> int:
        """How strong this play of the trick is; 0 can never win."""
        return 1

    def trick_winner(self, state: State) -> int:
        """The winning play: the strongest, among equals the first; NOBODY, if none can win."""
        best = NOBODY
        most = 0
        for play in range(state.trick_size[0]):
            strength = self.strength(state, play)
            if strength > most:
                most = strength
                best = play
        return best

    def finish_trick(self, state: State) -> None:
        """All cards lie: someone takes them and leads, or the round is over."""
        play = self.trick_winner(state)
        winner = NOBODY if play == NOBODY else state.trick_seat[play]
        state.last_winner = winner
        self.take_trick(state, play, winner)
        state.tricks_done += 1
        state.sweep(0)
        if state.hand_size[state.leader]:
            self.lead(state, self.next_leader(state, winner))
        else:
            self.finish_round(state)

    def take_trick(self, state: State, play: int, winner: int) -> None:
        """Where the trick goes: to its winner."""
        Demand.winner(self, state, winner)
        for at in range(state.trick_size[0]):
            state.collect(winner, state.trick_card[at])
        state.tricks_won[winner] += 1

    def next_leader(self, state: State, winner: int) -> int:
        """Who leads next: the winner."""
        Demand.winner(self, state, winner)
        return winner

    def no_move(self, state: State, seat: int) -> BadGameError:
        """What is raised when a seat owes a move and has none."""
        return BadGameError(
            "own-game-no-move",
            game=self.name,
            seat=seat,
            phase=self.phases[state.phase],
            hand=", ".join(self.hand(state, seat)),
            method="may_play" if state.phase == PLAY else "legal_choices",
        )

    def no_winner(self, state: State) -> BadGameError:
        """What is raised when a trick goes to nobody and the game has no rule for that."""
        cards = ", ".join([card_text(state.trick_card[at]) for at in range(self.seats)])
        return BadGameError("own-game-no-winner", game=self.name, cards=cards)

    # -- The end of the round --------------------------------------------------------------------

    def finish_round(self, state: State) -> None:
        """Nobody owes a move any more; the points are counted."""
        state.phase = OVER
        state.owes = 0
        for seat in range(self.seats):
            state.points[seat] = self.score(state, seat)

    def score(self, state: State, seat: int) -> int:
        """The points of this round for one seat."""
        return state.tricks_won[seat]

    # -- Random play -----------------------------------------------------------------------------

    def random_move(self, state: State, seat: int, generator: Generator, moves: Moves) -> int:
        """One of the legal moves, all equally likely."""
        if state.phase == PLAY:
            return self.random_play(state, seat, generator, moves)
        self.legal(state, seat, moves)
        Demand.moves(self, state, seat, moves.size)
        return moves.items[generator.below(moves.size)]

    def random_play(self, state: State, seat: int, generator: Generator, moves: Moves) -> int:
        """One of the cards that may be played, found without listing them."""
        colours = self.may_play(state, seat)
        low = state.hands[2 * seat] & self.spread[2 * colours]
        high = state.hands[2 * seat + 1] & self.spread[2 * colours + 1]
        few = Bits.count(low)
        count = few + Bits.count(high)
        Demand.moves(self, state, seat, count)
        at = generator.below(count)
        if at < few:
            return Bits.nth(low, at)
        return 64 + Bits.nth(high, at - few)

    def play_out(self, state: State, generator: Generator, moves: Moves) -> int:
        """Play to the end of the round at random; the answer is the number of moves made."""
        made = 0
        while state.owes:
            seat = Bits.lowest(state.owes)
            self.apply(state, seat, self.random_move(state, seat, generator, moves))
            made += 1
        return made

    # -- What a seat cannot see ------------------------------------------------------------------

    def may_hold(self, state: State, seat: int, card: int) -> bool:
        """Whether what was seen so far allows this seat to hold this card."""
        return state.voids[seat] >> (card >> 4) & 1 == 0

    def is_laid_down(self, state: State, holder: int, card: int) -> bool:
        """Whether this card of a hand lies face down already, so that no other can be there."""
        return False

    def fill(self, state: State, seat: int, generator: Generator, moves: Moves) -> bool:
        """Complete what this seat (NOBODY: a spectator) knows to a whole state, evenly at random.

        Comes in: a state whose hidden hands hold only the cards known to be there. Every deal that
        fits what was seen is equally likely; secret choices are drawn at random. If no deal fits,
        the answer is False and the state stays as it was; `contradiction` says why.
        """
        if not self.spread_unseen(state, seat, generator):
            return False
        for at in range(generator.size):
            self.hand_over(state, generator.holders[at], generator.cards[at])
        self.fill_choices(state, generator, moves)
        return True

    def spread_unseen(self, state: State, seat: int, generator: Generator) -> bool:
        """Find a holder for every unseen card; False only if there is no way to do it.

        Chance gets a few tries, as it makes all deals equally likely; then cards are placed on
        purpose.
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
        """Bring every card that lies nowhere in this state into the generator's list."""
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
        """Every unseen card gets a holder: a hand with room, what a seat set aside (ASIDE + seat),
        or NONE for the stock. False, if there are too few or too many cards for that.
        """
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
        """How many cards of this hand are not known."""
        room = state.hand_size[holder] - Bits.count(state.hands[2 * holder])
        return room - Bits.count(state.hands[2 * holder + 1])

    def stock_room(self, state: State) -> int:
        """How many cards of the stock are not known."""
        room = 0
        for at in range(state.stock_top, state.stock_top + state.stock_size):
            if state.stock[at] == NONE:
                room += 1
        return room

    def fits(self, state: State, holder: int, card: int) -> bool:
        """Whether this card may lie with this holder; the stock takes any."""
        return holder == NONE or self.may_hold(state, holder, card)

    def misplaced(self, state: State, generator: Generator) -> int:
        """How many unseen cards lie with a holder that cannot have them."""
        wrong = 0
        for at in range(generator.size):
            if not self.fits(state, generator.holders[at], generator.cards[at]):
                wrong += 1
        return wrong

    def mend_voids(self, state: State, generator: Generator) -> bool:
        """Exchange cards at random until the deal is well mixed and all fit; whether they do.

        Exchanges that make things worse are accepted now and then: so every deal can be reached
        from every other; whole sweeps only, so that no deal is favoured by stopping at it.
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
        """Whether some deal fits; the cards stay where they are."""
        for at in range(generator.size):
            generator.kept[at] = generator.cards[at]
        possible = self.place_misfits(state, generator)
        for at in range(generator.size):
            generator.cards[at] = generator.kept[at]
        return possible

    def place_misfits(self, state: State, generator: Generator) -> bool:
        """Find a place for every card that does not fit where it is; False, if no deal fits.

        Exact (augmenting paths in a bipartite matching), so that sampling ends in any case.
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
        """Place a card where it fits, and the card that was there elsewhere; whether that works.

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
        """How many more cards would be misplaced after exchanging two unseen cards."""
        first = generator.cards[a]
        second = generator.cards[b]
        one = generator.holders[a]
        other = generator.holders[b]
        fitting = self.fits(state, one, first) + self.fits(state, other, second)
        return fitting - self.fits(state, one, second) - self.fits(state, other, first)

    def hand_over(self, state: State, holder: int, card: int) -> None:
        """An unseen card goes where it was assigned; sizes were known before and stay."""
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
        """Seats that have chosen in secret get some choice that they could have made."""
        while state.unknown:
            seat = Bits.lowest(state.unknown)
            state.unknown &= state.unknown - 1
            left = LONGEST_CHOICE
            while state.owes >> seat & 1 and left:
                self.apply(state, seat, self.random_move(state, seat, generator, moves))
                left -= 1

    # -- At the table: Python objects, for matches and people, not for loops ----------------------

    def actions(self, state: State, seat: int) -> list[int]:
        """What the seat may do now, as numbers, in the documented order; empty out of turn."""
        moves = Moves()
        if state.owes >> seat & 1:
            self.legal(state, seat, moves)
        return moves.listed()

    def play(self, state: State, seat: int, action: int) -> None:
        """Make a move without asking whether it is legal."""
        self.apply(state, seat, action)

    def new_round(self, state: State, hands: Sequence[Sequence[int]], stock: Sequence[int]) -> None:
        """Start the round the state names with these cards: a whole deal, or a known part."""
        self.clear(state)
        for seat, cards in enumerate(hands):
            for card in cards:
                state.give(seat, card)
            state.hand_size[seat] = self.cards_each(state)
        for at, card in enumerate(stock):
            state.stock[at] = card
        state.stock_size = len(stock)
        self.begin(state)

    def new_state(self) -> State:
        """An empty state of the kind these rules work on, compiled or plain."""
        return State()

    def shuffled_round(self, state: State, generator: Generator) -> None:
        """Start the round the state names with cards from the fast generator."""
        self.deal(state, generator)

    def random_rounds(self, rounds: int, seed: int) -> int:
        """Deal, play and count this many rounds at random; the answer is the number of moves."""
        state = State()
        generator = Generator(seed)
        moves = Moves()
        state.round = 1
        return self.run_rounds(state, rounds, generator, moves)

    def run_rounds(self, state: State, rounds: int, generator: Generator, moves: Moves) -> int:
        """`random_rounds` in compiled numbers, other threads running beside it."""
        made = 0
        token = Lock.release()
        for at in range(rounds):
            state.starter = at % self.seats
            self.deal(state, generator)
            made += self.play_out(state, generator, moves)
        Lock.take(token)
        return made

    def finish(self, state: State, generator: Generator) -> int:
        """Play this round to its end at random; the answer is the number of moves."""
        return self.play_out(state, generator, Moves())

    def complete(self, state: State, seat: int | None, generator: Any) -> None:
        """`fill` for callers in Python, who may bring a generator of the other engine."""
        if not isinstance(generator, Generator):
            generator = Generator(generator.number(2**31 - 1))
        viewer = NOBODY if seat is None else seat
        if not self.fill(state, viewer, generator, Moves()):
            raise self.contradiction(state, viewer)

    def can_hold(self, state: State, seat: int, card: int) -> bool:
        """Whether samples may give this card to this seat; for callers in Python."""
        return self.fits(state, seat, card)

    def contradiction(self, state: State, seat: int) -> ContradictionError:
        """Why `fill` finds no deal for what this seat knows: what cannot be where."""
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

    def perft(self, state: State, depth: int) -> int:
        """How many different sequences of `depth` moves there are from here."""
        if depth == 0 or state.owes == 0:
            return 1
        seat = Bits.lowest(state.owes)
        actions = self.actions(state, seat)
        if depth == 1:
            return len(actions)
        total = 0
        for action in actions:
            after = state.copy()
            self.apply(after, seat, action)
            total += self.perft(after, depth - 1)
        return total

    # -- Moves as people write them ----------------------------------------------------------------

    def steps(self, state: State) -> int:
        """How many actions make one move at the table now."""
        return 1

    def moves(self, state: State, seat: int) -> list[Move]:
        """Everything the seat may do now, in the documented order."""
        if not state.owes >> seat & 1:
            return []
        sequences = self._sequences(state, seat, self.steps(state))
        return [Move(self.move_text(state, steps), steps) for steps in sequences]

    def _sequences(self, state: State, seat: int, length: int) -> list[tuple[int, ...]]:
        """All ways to make this many actions in a row."""
        if length == 1:
            return [(action,) for action in self.actions(state, seat)]
        found = []
        for action in self.actions(state, seat):
            after = state.copy()
            self.apply(after, seat, action)
            found += [(action, *rest) for rest in self._sequences(after, seat, length - 1)]
        return found

    def move_text(self, state: State, steps: tuple[int, ...]) -> str:
        """A move as it is typed: cards joined by commas."""
        return ",".join([card_text(step % KIND) for step in steps])

    def judge(self, state: State, seat: int, text: str) -> Move | Reason:
        """The move a typed text means, or why the seat cannot make it. The seat owes a move."""
        if state.phase == PLAY:
            return self.judge_play(state, seat, text)
        return self.judge_choice(state, seat, text)

    def judge_play(self, state: State, seat: int, text: str) -> Move | Reason:
        """One card of the hand, of a colour that may be played."""
        card = self.read_card(state, seat, text)
        if isinstance(card, Reason):
            return card
        colours = self.may_play(state, seat)
        if not colours >> (card >> 4) & 1:
            return self.colour_objection(state, seat, card, colours)
        return Move(card_text(card), (card,))

    def colour_objection(self, state: State, seat: int, card: int, colours: int) -> Reason:
        """Why a card of another colour than these cannot be played: only the led colour may be, or
        the game has a rule of its own.
        """
        held = [colour for colour in range(COLOURS) if state.colour(seat, colour)]
        playable = [colour for colour in held if colours >> colour & 1]
        if state.trick_size[0] and playable == [state.led(0)]:
            return Reason("must-follow", card=card_text(card), colour=LETTERS[state.led(0)])
        words = "".join([LETTERS[colour] for colour in playable])
        return Reason(
            "must-play" if state.trick_size[0] else "cannot-lead",
            card=card_text(card),
            playable=words,
        )

    def judge_choice(self, state: State, seat: int, text: str) -> Move | Reason:
        """A choice before play."""
        return Reason("not-a-move", text=text)

    def read_card(self, state: State, seat: int, text: str) -> int | Reason:
        """A card of this deck that the seat has in hand."""
        try:
            card = card_code(text.strip())
        except BadCardError:
            return Reason("not-a-card", text=text.strip())
        if card not in self.deck.codes:
            return Reason("not-in-deck", card=card_text(card))
        if not state.holds(seat, card):
            return Reason("not-in-hand", card=card_text(card))
        return card

    # -- What happened -----------------------------------------------------------------------------

    def move_events(self, before: State, seat: int, move: Move, after: State) -> list[Event]:
        """What a move brought about, told to those who may know it."""
        if before.phase == CHOOSE:
            own = Event("choice", seat=seat, move=move.text, to=(seat,))
            told = [own, Event("chosen", seat=seat)]
            return told + self.revealed(before, after) if after.phase != CHOOSE else told
        played = Event("play", seat=seat, move=move.text)
        return [played, *self.trick_events(before, move, after)]

    def opening_events(self, state: State) -> list[Event]:
        """What is told after the deal, besides the hands."""
        return []

    def revealed(self, before: State, after: State) -> list[Event]:
        """What everyone learns when the last secret choice is in."""
        return []

    def trick_events(self, before: State, move: Move, after: State) -> list[Event]:
        """The trick that this move completed, if it did."""
        if after.tricks_done == before.tricks_done:
            return []
        lying = [before.trick_card[at] for at in range(before.trick_size[0])]
        cards = tuple([card_text(card) for card in [*lying, move.steps[0] % 128]])
        winner = after.last_winner
        return [Event("trick", seat=None if winner == NOBODY else winner, cards=cards)]

    # -- What is seen ------------------------------------------------------------------------------

    def winning_seat(self, state: State, place: int) -> int | None:
        """Who would take the trick at this place as it lies now."""
        play = self.trick_winner(state)
        return None if play == NOBODY else state.trick_seat[play]

    def hand(self, state: State, seat: int) -> tuple[str, ...]:
        """The seat's hand in deck order, twins both named."""
        cards = []
        for colour in range(SEATS):
            mask = state.colour(seat, colour)
            if state.twins and mask >> TWIN & 1:
                cards.append(16 * colour)
                mask &= (1 << TWIN) - 1
            while mask:
                cards.append(16 * colour + Bits.lowest(mask))
                mask &= mask - 1
        return tuple([card_text(card) for card in sorted(cards)])

    def table(self, state: State) -> dict[str, object]:
        """What lies open before everyone, besides the tricks: each game names its own things."""
        return {}

    def match_facts(self, scores: Sequence[Sequence[int]]) -> dict[str, object]:
        """What lies open and outlasts a round, besides the scores."""
        return {}

    def secrets(self, state: State, seat: int) -> dict[str, object]:
        """What only this seat knows, besides its hand."""
        return {}

    def learn(self, state: State, event: Event) -> None:
        """Bring an event into a state that holds only what one seat knows.

        Moves are made again; choices of others that stay secret are marked as unknown.
        """
        if (event.kind == "play" and event.seat is not None) or (
            event.kind == "choice" and event.seat is not None
        ):
            self.replay_move(state, event.seat, event.move)
        elif event.kind == "chosen" and event.seat is not None:
            state.unknown |= state.owes & 1 << event.seat
        elif event.kind == "revealed":
            state.unknown = 0
            for seat, text in enumerate(event.choices):
                if state.phase == CHOOSE and state.owes >> seat & 1:
                    self.replay_move(state, seat, text)

    def replay_move(self, state: State, seat: int, text: str) -> None:
        """Make a move again that is known to have been legal; its cards need not be known."""
        for step in self.known_steps(state, text):
            self.apply(state, seat, step)

    def known_steps(self, state: State, text: str) -> tuple[int, ...]:
        """The actions of a move that is known to be legal, read from its text alone."""
        return tuple([card_code(card) for card in text.split(",")])

    def place_specials(self, state: State, specials: Mapping[str, object]) -> None:
        """Lay the special cards that were drawn after the deal."""

    def secret(self, state: State) -> bool:
        """Whether moves are made secretly now, and shown when the last one is in."""
        return state.phase == CHOOSE

    def all_in(self, state: State, seat: int) -> bool:
        """Whether a secret move of this seat is the last that is awaited."""
        return state.owes == 1 << seat

    def has_chosen(self, state: State, seat: int) -> bool:
        """Whether a seat that owes nothing has made its secret move already."""
        return state.phase == CHOOSE

    # -- Records -----------------------------------------------------------------------------------

    def choice_entry(self, move: Move) -> object:
        """A choice as a record holds it."""
        return move.text

    def choice_text(self, entry: object) -> str:
        """A record's choice as it is typed."""
        return str(entry)

    def entry_kind(self, state: State) -> str:
        """Where a record keeps the move owed now: `plays`, `choices`, or a kind of `extra`."""
        return "plays" if state.phase == PLAY else "choices"

    def extra_entry(self, move: Move) -> object:
        """An extra choice as a record holds it."""
        return move.text

    def extra_text(self, kind: str, value: object) -> str:
        """A record's extra choice as it is typed; empty, if it has no such form."""
        return ""

    def entry_order(self, state: State) -> list[int]:
        """In which order secret moves enter a record: by seat."""
        return list(range(self.seats))

    def play_entry(self, seat: int, move: Move) -> list[object]:
        """A play as a record holds it."""
        return [seat, move.text]

    def play_text(self, state: State, entry: Sequence[object]) -> str:
        """A record's play, without its seat, as it is typed."""
        return str(entry[0]) if len(entry) == 1 else ""

    # -- The match ---------------------------------------------------------------------------------

    def most_rounds(self) -> int:
        """The most rounds a match can have."""
        return self.seats

    def match_over(self, scores: Sequence[Sequence[int]]) -> bool:
        """Whether the match ends after these rounds."""
        return len(scores) >= self.most_rounds()

    def next_starter(self, starter: int, scores: Sequence[Sequence[int]]) -> int:
        """Who starts the next round: the left neighbour of the last starter."""
        return (starter + 1) % self.seats

    def ranking(self, scores: Sequence[Sequence[int]]) -> list[list[int]]:
        """Seats from best to worst; those who share a rank stand together."""
        groups: dict[tuple[int, ...], list[int]] = {}
        for seat in range(self.seats):
            groups.setdefault(self.standing(scores, seat), []).append(seat)
        return [groups[key] for key in sorted(groups, reverse=True)]

    def standing(self, scores: Sequence[Sequence[int]], seat: int) -> tuple[int, ...]:
        """What seats are compared by, the larger the better: the sum of all rounds."""
        return (sum(points[seat] for points in scores),)
