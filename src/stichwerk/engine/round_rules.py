"""`RoundRules`: a round in numbers, the half of a game that runs in inner loops.

It knows how a round runs: deal, choices before play, trick after trick, points. `Game` in
`frame.py` adds what matches and people need; games extend that. Everything here is compiled and
runs without Python objects, except for the last part.
"""

from collections.abc import Sequence

from stichwerk.cards import Deck
from stichwerk.engine.area import Area
from stichwerk.engine.constants import ALL_COLOURS, CHOOSE, NOBODY, NONE, OVER, PLAY, SEATS, TWIN
from stichwerk.engine.generator import Generator
from stichwerk.engine.machine import Bits, Demand, Lock
from stichwerk.engine.state import State
from stichwerk.errors import BadGameError

MOST_CARDS = 96  # in a deck
ONLY_VERSION: tuple[int, ...] = (1,)
PLAIN = __file__.endswith(".py")  # compiled lists need no allocation


class Moves:
    """A list of moves with room for every situation, reused instead of reallocated."""

    def __init__(self) -> None:
        if PLAIN:
            self.items = [0] * 192
        self.size = 0

    def add(self, move: int) -> None:
        """Add a move."""
        self.items[self.size] = move
        self.size += 1

    def listed(self) -> list[int]:
        """Return the moves as a Python list."""
        return [self.items[at] for at in range(self.size)]


def check_limits(game: str, seats: int, hand_size: int, deck: Deck) -> None:
    """Refuse what a state has no room for, or what cannot be dealt."""
    cards = len(deck.codes)
    if not 2 <= seats <= SEATS:
        raise BadGameError("own-game-seats", game=game, seats=seats, most=SEATS)
    if cards > MOST_CARDS:
        raise BadGameError("own-game-deck", game=game, cards=cards, most=MOST_CARDS)
    if deck.twin_zeros and deck.highest >= TWIN:
        raise BadGameError("own-game-twins", game=game, highest=deck.highest, most=TWIN - 1)
    if hand_size < 1 or seats * hand_size > cards:
        raise BadGameError("own-game-hands", game=game, seats=seats, hand=hand_size, cards=cards)


class RoundRules:
    """The rules of a round, with seats and deck fixed. Immutable, so they can be shared freely."""

    name = ""
    # Versions of its rules that can be played, the newest last. A game with several takes the
    # version as the third argument of its constructor.
    versions = ONLY_VERSION

    def __init__(self, seats: int, hand_size: int, deck: Deck, version: int = 0) -> None:
        check_limits(self.name, seats, hand_size, deck)
        self.version = version or self.versions[-1]
        self.seats = seats
        self.hand_size = hand_size
        self.deck = deck
        self.deck_size = len(deck.codes)
        self.cards = [0] * 96
        self.spread = [0] * 128
        for at, code in enumerate(deck.codes):
            self.cards[at] = code
        # For every set of colours the mask of all their cards, without twins: twins are one move.
        values = (1 << TWIN) - 1 if deck.twin_zeros else 0xFFFF
        for colours in range(64):
            for colour in range(SEATS):
                if colours >> colour & 1:
                    self.spread[2 * colours + (colour >> 2)] |= values << ((colour & 3) << 4)
        self.specials = ()  # type: tuple[str, ...]
        self.recipe = None  # type: tuple[object, ...] | None
        self.blank = State()
        self.blank.seats = seats
        self.blank.twins = int(deck.twin_zeros)
        self.blank.direction = 1
        self.blank.choice = [NONE] * 18
        self.blank.second = [NONE] * 6
        self.area = Area(self.name, self.blank)

    # -- Before play -------------------------------------------------------------------------------

    def clear(self, state: State) -> None:
        """Clear the table for the round, starter and totals that the state already names."""
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
        """Return how many cards each seat is dealt in the round that the state names."""
        return self.hand_size

    def draw_specials(self, state: State, generator: Generator) -> None:
        """Draw special cards after the deal, where a game has them."""

    def begin(self, state: State) -> None:
        """Begin after the deal: by default the starter leads at once."""
        self.start_play(state)

    def ask_everyone(self, state: State) -> None:
        """Ask every seat for a secret choice."""
        state.phase = CHOOSE
        state.owes = (1 << self.seats) - 1

    def start_play(self, state: State) -> None:
        """Let the starter lead to the first trick."""
        state.phase = PLAY
        self.lead(state, state.starter)

    def lead(self, state: State, seat: int) -> None:
        """Let this seat lead to the next trick."""
        state.leader = seat
        state.turn = seat
        state.owes = 1 << seat

    # -- Legal moves -------------------------------------------------------------------------------

    def legal(self, state: State, seat: int, moves: Moves) -> None:
        """List what the seat may do now, in the documented order."""
        moves.size = 0
        if state.phase == PLAY:
            self.legal_plays(state, seat, moves)
        elif state.phase == CHOOSE:
            self.legal_choices(state, seat, moves)

    def legal_plays(self, state: State, seat: int, moves: Moves) -> None:
        """List every card of the colours that may be played, in deck order."""
        colours = self.may_play(state, seat)
        for word in range(2):
            mask = state.hands[2 * seat + word] & self.spread[2 * colours + word]
            while mask:
                moves.add(64 * word + Bits.lowest(mask))
                mask &= mask - 1

    def may_play(self, state: State, seat: int) -> int:
        """Return the colours the seat may play, as bits: any, unless the game has a duty to
        follow."""
        return ALL_COLOURS

    def legal_choices(self, state: State, seat: int, moves: Moves) -> None:
        """List the choices before play, in the documented order."""

    # -- Moves -------------------------------------------------------------------------------------

    def apply(self, state: State, seat: int, move: int) -> None:
        """Make a legal move."""
        if state.phase == PLAY:
            self.play_card(state, seat, move)
        else:
            self.choose(state, seat, move)

    def choose(self, state: State, seat: int, move: int) -> None:
        """Store a secret choice before play."""

    def settle(self, state: State, seat: int) -> None:
        """Note that this seat has chosen; after the last one, reveal all choices and start play."""
        state.owes &= ~(1 << seat)
        if state.owes == 0:
            self.reveal(state)
            self.start_play(state)

    def reveal(self, state: State) -> None:
        """Apply the choices once everyone has chosen."""

    def play_card(self, state: State, seat: int, card: int) -> None:
        """Play a card to the trick; the last card completes it."""
        state.remove(seat, card)
        if state.lay(0, seat, card) == self.seats:
            self.finish_trick(state)
        else:
            state.turn = self.next_seat(state, seat)
            state.owes = 1 << state.turn

    def next_seat(self, state: State, seat: int) -> int:
        """Return who follows this seat in the direction of play: clockwise, unless something turned
        it."""
        seat += state.direction
        if seat == self.seats:
            return 0
        return self.seats - 1 if seat < 0 else seat

    # -- The trick ---------------------------------------------------------------------------------

    def strength(self, state: State, play: int) -> int:
        """Return how strong this play of the trick is; 0 can never win."""
        return 1

    def trick_winner(self, state: State) -> int:
        """Return the winning play: the strongest, among equals the first; NOBODY if none can
        win."""
        best = NOBODY
        most = 0
        for play in range(state.trick_size[0]):
            strength = self.strength(state, play)
            if strength > most:
                most = strength
                best = play
        return best

    def finish_trick(self, state: State) -> None:
        """Complete the trick: someone takes it and leads, or the round is over."""
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
        """Move the cards of the trick: to its winner."""
        Demand.winner(self, state, winner)
        for at in range(state.trick_size[0]):
            state.collect(winner, state.trick_card[at])
        state.tricks_won[winner] += 1

    def next_leader(self, state: State, winner: int) -> int:
        """Return who leads next: the winner."""
        Demand.winner(self, state, winner)
        return winner

    # -- The end of the round ----------------------------------------------------------------------

    def finish_round(self, state: State) -> None:
        """End the round and count the points."""
        state.phase = OVER
        state.owes = 0
        for seat in range(self.seats):
            state.points[seat] = self.score(state, seat)

    def score(self, state: State, seat: int) -> int:
        """Return the points of this round for one seat."""
        return state.tricks_won[seat]

    # -- Random play -------------------------------------------------------------------------------

    def random_move(self, state: State, seat: int, generator: Generator, moves: Moves) -> int:
        """Return one of the legal moves, all equally likely."""
        if state.phase == PLAY:
            return self.random_play(state, seat, generator, moves)
        self.legal(state, seat, moves)
        Demand.moves(self, state, seat, moves.size)
        return moves.items[generator.below(moves.size)]

    def random_play(self, state: State, seat: int, generator: Generator, moves: Moves) -> int:
        """Return one of the cards that may be played, found without listing them."""
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
        """Play to the end of the round at random; return the number of moves made."""
        made = 0
        while state.owes:
            seat = Bits.lowest(state.owes)
            self.apply(state, seat, self.random_move(state, seat, generator, moves))
            made += 1
        return made

    def run_rounds(self, state: State, rounds: int, generator: Generator, moves: Moves) -> int:
        """Run `random_rounds` in compiled numbers, without the interpreter lock."""
        made = 0
        token = Lock.release()
        for at in range(rounds):
            state.starter = at % self.seats
            self.deal(state, generator)
            made += self.play_out(state, generator, moves)
        Lock.take(token)
        return made

    # -- For callers in Python ---------------------------------------------------------------------

    def actions(self, state: State, seat: int) -> list[int]:
        """Return what the seat may do now, as numbers, in the documented order; empty out of
        turn."""
        moves = Moves()
        if state.owes >> seat & 1:
            self.legal(state, seat, moves)
        return moves.listed()

    def play(self, state: State, seat: int, action: int) -> None:
        """Make a move without checking whether it is legal."""
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
        """Return an empty state of the kind these rules work on, compiled or plain."""
        return State()

    def shuffled_round(self, state: State, generator: Generator) -> None:
        """Start the round the state names with cards from the fast generator."""
        self.deal(state, generator)

    def random_rounds(self, rounds: int, seed: int) -> int:
        """Deal, play and score this many random rounds; return the number of moves."""
        state = State()
        generator = Generator(seed)
        moves = Moves()
        state.round = 1
        return self.run_rounds(state, rounds, generator, moves)

    def finish(self, state: State, generator: Generator) -> int:
        """Play this round to its end at random; return the number of moves."""
        return self.play_out(state, generator, Moves())

    def perft(self, state: State, depth: int) -> int:
        """Return how many different sequences of `depth` moves there are from here."""
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
