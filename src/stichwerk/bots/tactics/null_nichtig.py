"""One-trick tactics of Null & nichtig: what a trick does to the tops of the piles, mine and theirs.

A trick is judged by who will probably collect it, and in which order. Only the tops at the end of
the round count, so a change is worth less the more tricks can still cover it. The numbers were
found by playing many rounds against random bots and against earlier versions of these tactics.
"""

from stichwerk.engine.codes import (
    argument_of,
    below,
    bit_of,
    card_at,
    card_in,
    choice_of,
    choice_slot,
    colour_of,
    colour_slot,
    half_of,
    half_slot,
    has,
    move_of,
    value_of,
    values_in,
)
from stichwerk.engine.constants import CHOOSE, NONE, PICK, TWIN
from stichwerk.engine.events import Move
from stichwerk.engine.generator import Generator
from stichwerk.engine.machine import Bits
from stichwerk.engine.round_rules import Moves
from stichwerk.engine.state import State
from stichwerk.engine.tactics import Tactics
from stichwerk.games.null_nichtig import NullNichtig

HIGHEST = 11
PILES = 5
LAST = 4  # the fifth colour, alone in the high half of a set of cards
SHORT = 24  # sets to lay out that are worth a search
NOTHING = -1e9

# What a card of each value is worth in hand with ten tricks to come: low ones duck, high ones
# take tricks that cover good tops.
HELD = (1.7, 1.5, 1.0, -0.4, -0.5, -1.2, -1.7, -2.0, -2.1, -0.5, -1.8, 2.0)
# What it is worth to lay a card of each value out, besides the top it makes: eights to tens make
# good tops, an eleven takes the trick that is wanted.
LAID = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 3.0, 1.0, -1.0)
TOP = 1.15  # a point on top of a pile, when laid out
FADING = 0.87  # of the chance that a random trick covers a given top
BEATEN = 0.6  # of the chance that a random card of those to come is higher
RIVALS = 0.1  # the tops of all rivals together, compared with the seat's own
BURDEN = 1.1  # what any trick costs its taker: it may only be covered again ...
LATER = 2.2  # ... and this much more with ten tricks to come


class NullNichtigTactics(Tactics):
    """Make high tops early, then duck; take a trick only for what it lays on top."""

    def __init__(self, game: NullNichtig) -> None:
        Tactics.__init__(self, game)
        self.rules = game
        self.victory = 20.0
        self.teams = 0 if game.teams is None else game.teams
        self.target = 0 if game.target is None else game.target
        self.held = [0.0] * 16
        self.laid = [0.0] * 16
        self.lasting = [0.0] * 16
        self.above = [0] * 16
        for value in range(HIGHEST + 1):
            self.held[value] = HELD[value]
            self.laid[value] = LAID[value]
            for higher in range(value + 1, HIGHEST + 1):
                for colour in range(4):
                    self.above[value] |= bit_of(card_at(colour, higher))
        covered = FADING * (1 - 0.8**game.seats) / game.seats
        for tricks in range(16):
            self.lasting[tricks] = (1 - covered) ** tricks

    def move(self, state: State, seat: int, generator: Generator, moves: Moves) -> int:
        """Return what the seat does now."""
        if state.phase == CHOOSE:
            return self.lay_out(state, seat, moves)
        return self.best_card(state, seat)

    # -- Laying out --------------------------------------------------------------------------------

    def lay_out(self, state: State, seat: int, moves: Moves) -> int:
        """Return the next card of the best set that begins with the cards chosen already."""
        at = self.best_set(state, seat, moves)
        if at < 0:  # the chosen cards fit no set in rising order
            self.rules.legal(state, seat, moves)
            return moves.items[moves.size - 1]
        return move_of(PICK, moves.items[at])

    def best_set(self, state: State, seat: int, moves: Moves) -> int:
        """Return where the next card of the best set is in the listed hand; negative for none."""
        laid = self.rules.laid(state, seat)
        first = choice_of(state, seat) if laid > 0 else NONE
        second = state.choice[choice_slot(seat, 1)] if laid > 1 else NONE
        self.list_hand(state, seat, moves)
        best = NOTHING
        found = -1
        for a in range(moves.size):
            if first == NONE or moves.items[a] == first:
                for b in range(a + 1, moves.size):
                    if second == NONE or moves.items[b] == second:
                        start = b + 1
                        end = moves.size
                        if self.rules.lays == 2:  # b is the last: judge each pair once
                            start = b
                            end = b + 1
                        for c in range(start, end):
                            third = moves.items[c] if c > b else NONE
                            worth = self.set_worth(moves.items[a], moves.items[b], third)
                            if worth > best:
                                best = worth
                                found = c
                                if laid == 0:
                                    found = a
                                elif laid == 1:
                                    found = b
        return found

    def list_hand(self, state: State, seat: int, moves: Moves) -> None:
        """List all cards of the hand in rising order, a second zero beside the first."""
        moves.size = 0
        for colour in range(PILES):
            values = state.colour(seat, colour)
            if has(values, TWIN):
                moves.add(card_at(colour, 0))
                values = below(values, TWIN)
            while values:
                moves.add(card_at(colour, Bits.lowest(values)))
                values &= values - 1

    def set_worth(self, first: int, second: int, third: int) -> float:
        """Return what it is worth to lay out these cards in this order; NONE for no third card."""
        worth = self.laid[value_of(first)] + self.laid[value_of(second)]
        if colour_of(second) != colour_of(first):
            worth += TOP * value_of(first)
        if third == NONE or colour_of(third) != colour_of(second):
            worth += TOP * value_of(second)
        if third != NONE:
            worth += TOP * value_of(third) + self.laid[value_of(third)]
        return worth

    def shortlist(self, state: State, seat: int, moves: list[Move]) -> list[Move]:
        """Return the most promising sets to lay out, the best first."""
        if state.phase != CHOOSE or len(moves) <= SHORT:
            return moves
        ranked = [(-self.move_worth(moves[at]), at) for at in range(len(moves))]
        ranked.sort()
        return [moves[at] for _, at in ranked[:SHORT]]

    def move_worth(self, move: Move) -> float:
        """Return `set_worth` of a whole move."""
        cards = [argument_of(step) for step in move.steps] + [NONE]
        return self.set_worth(cards[0], cards[1], cards[2])

    # -- Playing -----------------------------------------------------------------------------------

    def best_card(self, state: State, seat: int) -> int:
        """Return the card whose trick is worth most to the seat; each is tried in turn."""
        low = ~self.seen(state, seat, 0)
        high = ~self.seen(state, seat, 1)
        lying = state.trick_size[0]
        unseen = self.game.deck_size - state.hand_size[seat] - lying
        unseen -= self.game.seats * (self.rules.lays + state.tricks_done)
        leading = -1
        most = -1
        for play in range(lying):
            if value_of(state.trick_card[play]) > most:
                most = value_of(state.trick_card[play])
                leading = play
        left = state.hand_size[seat] - 1
        card_before = state.trick_card[lying]
        seat_before = state.trick_seat[lying]
        state.trick_seat[lying] = seat
        best = NOTHING
        found = NONE
        judged = -1
        chance = 1.0
        for word in range(2):
            mask = state.hands[half_slot(seat, word)]
            while mask:
                card = card_in(word, Bits.lowest(mask))
                mask &= mask - 1
                number = value_of(card)
                if number <= HIGHEST:
                    state.trick_card[lying] = card
                    top = max(number, most)
                    if top != judged:  # otherwise the probability is unchanged
                        judged = top
                        higher = Bits.count(low & self.above[top])
                        higher += Bits.count(values_in(low, high, LAST) & self.above[top])
                        chance = self.chance_to_stay(higher, unseen, self.game.seats - lying - 1)
                    taker = lying if number > most else leading
                    worth = chance * self.taken(state, seat, taker, left)
                    if chance < 1.0:
                        worth += (1.0 - chance) * self.overtaken(state, seat, left)
                    worth -= 0.1 * left * self.held[number]
                    if worth > best:
                        best = worth
                        found = card
        state.trick_card[lying] = card_before
        state.trick_seat[lying] = seat_before
        return found

    def seen(self, state: State, seat: int, word: int) -> int:
        """Return the cards of one word that the seat has seen; a second zero may be missing."""
        cards = state.hands[half_slot(seat, word)]
        for other in range(self.game.seats):
            cards |= state.won[half_slot(other, word)]
        for play in range(state.trick_size[0]):
            if half_of(state.trick_card[play]) == word:
                cards |= bit_of(state.trick_card[play])
        return cards

    def chance_to_stay(self, higher: int, unseen: int, to_come: int) -> float:
        """Return the probability that none of the following seats plays a higher card."""
        chance = 1.0
        for _ in range(to_come):
            chance *= 1.0 - BEATEN * higher / unseen
        return chance

    def taken(self, state: State, seat: int, taker: int, left: int) -> float:
        """Return what it is worth to the seat if this play takes the trick.

        From the card collected last to the first: the first one of a colour is the new top. The
        following seats are expected to play something low.
        """
        seats = self.game.seats
        owner = state.trick_seat[taker]
        uncovered = 0
        for colour in range(PILES):
            uncovered += state.numbers[self.rules.tops + colour_slot(owner, colour)]
        covered = 0
        reach = 1.0
        change = 0.0
        for back in range(1, seats + 1):
            play = self.rules.collected_at(taker, seats - back)
            if play > state.trick_size[0]:
                change -= reach * 0.2 * uncovered
                reach *= 0.8
            else:
                colour = colour_of(state.trick_card[play])
                if not has(covered, colour):
                    covered |= Bits.bit(colour)
                    top = state.numbers[self.rules.tops + colour_slot(owner, colour)]
                    uncovered -= top
                    change += reach * (value_of(state.trick_card[play]) - top)
        if owner == seat:
            return change * self.lasting[left] - BURDEN - LATER * 0.1 * left
        return change * self.lasting[left] * self.sympathy(seat, owner)

    def overtaken(self, state: State, seat: int, left: int) -> float:
        """Return what it is worth if a later seat takes the trick: it gets all cards of it."""
        lying = state.trick_size[0]
        worth = 0.0
        owner = seat
        for _ in range(self.game.seats - lying - 1):
            owner = self.rules.next_seat(state, owner)
            covered = 0
            change = 0
            for back in range(lying + 1):
                card = state.trick_card[lying - back]
                colour = colour_of(card)
                if not has(covered, colour):
                    covered |= Bits.bit(colour)
                    top = state.numbers[self.rules.tops + colour_slot(owner, colour)]
                    change += value_of(card) - top
            worth += change * self.sympathy(seat, owner)
        return worth * self.lasting[left] / (self.game.seats - lying - 1)

    def sympathy(self, seat: int, owner: int) -> float:
        """Return what a point of this owner is worth to the seat: negative, unless both are a
        team."""
        if self.teams and owner % self.teams == seat % self.teams:
            return 1.0
        return -RIVALS / (self.game.seats - 1)

    # -- What a round is worth ---------------------------------------------------------------------

    def worth(self, state: State, seat: int) -> float:
        """Return the mean of the seat's own team above the mean of all others."""
        if self.teams == 0:
            return Tactics.worth(self, state, seat)
        return self.team_worth(state, seat)

    def match_share(self, state: State, seat: int) -> float:
        """Return the share of the match; of a team its own total counts."""
        if self.teams == 0:
            return Tactics.match_share(self, state, seat)
        return self.team_share(state, seat)

    def parties(self) -> int:
        """Return how many teams there are, or seats."""
        return self.teams or self.game.seats

    def standing(self, state: State, seat: int) -> float:
        """Return the total; of a team its own."""
        if self.teams == 0:
            return Tactics.standing(self, state, seat)
        return self.team_total(state, seat)

    def missing(self, state: State) -> float:
        """Return how many points the best seat is from passing the target, if there is one."""
        if self.target == 0:
            return Tactics.missing(self, state)
        best = state.totals[0] + state.points[0]
        for seat in range(1, self.game.seats):
            best = max(best, state.totals[seat] + state.points[seat])
        return self.target - best

    def team_share(self, state: State, seat: int) -> float:
        """Return `match_share` in teams."""
        own = self.team_total(state, seat)
        sharing = 0
        for other in range(self.teams):
            total = self.team_total(state, other)
            if total > own:
                return 0.0
            if total == own:
                sharing += 1
        return 1.0 / sharing

    def team_total(self, state: State, seat: int) -> int:
        """Return what the seat's team has in all rounds together."""
        total = 0
        for other in range(self.game.seats):
            if other % self.teams == seat % self.teams:
                total += state.totals[other] + state.points[other]
        return total

    def team_worth(self, state: State, seat: int) -> float:
        """Return `worth` in teams: all teams are of one size."""
        own = 0.0
        total = 0.0
        for other in range(self.game.seats):
            total += state.points[other]
            if other % self.teams == seat % self.teams:
                own += state.points[other]
        size = self.game.seats // self.teams
        return own / size - (total - own) / (self.game.seats - size)
