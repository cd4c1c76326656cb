"""One-trick tactics of Stichtag, for every date: the sheets say what wins and what counts.

Each play is judged by the chance that it takes the trick, by what the trick brings under today's
sheets, and by what the card might still be good for. The aim gives the sign: to take points, to
avoid them, or to meet a number exactly. The numbers were found by playing many rounds against
random bots and against earlier versions of these tactics.
"""

from stichwerk.engine.codes import (
    above,
    argument_of,
    below,
    bit_of,
    card_in,
    card_of,
    colour_of,
    half_of,
    half_slot,
    has,
    place_of,
    value_of,
    values_in,
)
from stichwerk.engine.constants import NOBODY, NONE, PLAY
from stichwerk.engine.generator import Generator
from stichwerk.engine.machine import Bits
from stichwerk.engine.round_rules import Moves
from stichwerk.engine.state import State
from stichwerk.engine.tactics import Tactics
from stichwerk.games.stichtag.course import Course
from stichwerk.games.stichtag.sheet import (
    ACCEPT_POINTS,
    AMONG_TRUMPS,
    BID,
    GIVE_TO,
    IN_COLOURS,
    NAME_TRUMP,
    PART_WITH,
    STRIKE_PLAY,
)
from stichwerk.games.stichtag.storage import CARRIED_TRICKS, NAMED, OWN, STRUCK

MOST_TRICKS = 12
HIGHEST = 16  # above every number of a card
NOTHING = -1e9
PARTS = 32  # into how many parts a share of the unseen cards is rounded
COUNTS = 16  # numbers of cards for which each part has an entry

RANKS = 5  # beaten by more unseen cards than this, a card is as good as any low one
# By how many unseen cards of its colour beat it, a card outside trump ...
PROMISE = (0.15, 0.06, 0.14, 0.04, 0.04)  # takes a trick so often, played with care
PRICE = (0.39, 0.36, 0.33, 0.31, 0.08)  # is worth so much in hand, to a seat that wants tricks
ALONE, NEARLY_ALONE = 0.58, 0.26  # less, if none or one of its colour is unseen: it wins only led
# The same for trumps: the highest, less for each unseen one above it, at least; a trump is worth
# more towards the end.
TRUMP_PROMISE, TRUMP_LESS, TRUMP_LEAST = 1.08, 0.04, 0.3
TRUMP_PRICE, TRUMP_CHEAPER, TRUMP_EARLY, TRUMP_CHEAPEST = 4.0, 0.25, 0.48, 0.82
BEATEN = 0.38  # how often a seat that could beat a card does so
TRICK = 1.17  # weight of what a trick brings ...
LEAD, LEAD_EARLY = 2.6, 0.05  # ... and of taking the lead: so much at the end, less with cards left
VOID = 0.23  # to have no more of a colour, for who avoids tricks
FAR = 1.5  # so much above the hand's promise an exact number is out of reach
PAIRED = 5  # where pairs may be played, a seat that could add a card plays this much above its own
PARTNER_LEADS, PARTNER_MAY = 0.7, 0.3  # chance that the partner takes a trick that is not mine
SPARED = 0.48  # a symbol that helps, if another takes it
RID = 0.27  # to be rid of a symbol that is a burden
HUMBLE = 1.0  # announce so much less where fewest points win
CAREFUL = 0.37  # announce so much more than the cards promise one by one
VETO_CARD = 0.2  # to keep the veto card
HEART = 4.0  # points a heart is worth


class StichtagTactics(Tactics):
    """Win cheaply where winning pays; elsewhere get rid of dangerous cards."""

    def __init__(self, game: Course) -> None:
        Tactics.__init__(self, game)
        self.rules = game
        self.victory = 1.0
        self.fewest_win = game.green.fewest_win
        self.exact_total = game.green.exact_total()
        self.hurts_last = game.green.hurts_last
        self.lifts_last = game.red.lifts_last
        self.symbols_help = game.month.symbols_help
        self.manners = [0] * 32
        for sheet in (game.red, game.month):
            for phase, manner in sheet.manners.items():
                self.manners[phase] = manner
        self.deck_masks = [0] * 2
        for code in game.deck.codes:
            self.deck_masks[half_of(code)] |= bit_of(code)
        self.promises = [0.0] * 16
        self.prices = [0.0] * 16
        for rank in range(RANKS):
            self.promises[rank] = PROMISE[rank]
            self.prices[rank] = PRICE[rank]
        # The chance that a seat which holds a share of the unseen cards has none of so many.
        self.misses = [0.0] * 512
        for part in range(PARTS):
            for cards in range(COUNTS):
                self.misses[COUNTS * part + cards] = (1 - (part + 0.5) / PARTS) ** cards

    def move(self, state: State, seat: int, generator: Generator, moves: Moves) -> int:
        """Return what the seat does now."""
        self.rules.legal(state, seat, moves)
        if moves.size == 1:
            return moves.items[0]
        if state.phase == PLAY:
            return self.best_play(state, seat, moves)
        manner = self.manners[state.phase]
        if manner == BID:
            return self.bid(state, seat, moves)
        if manner == ACCEPT_POINTS:
            return self.accept(state, seat, moves)
        if manner == STRIKE_PLAY:
            return self.strike(state, seat, moves)
        if manner == GIVE_TO:
            return self.give_to(state, seat, moves)
        if manner == PART_WITH:
            return self.part_with(state, seat, moves)
        if manner == NAME_TRUMP:
            return self.name_trump(state, seat, moves)
        return moves.items[generator.below(moves.size)]

    # -- What is seen ------------------------------------------------------------------------------

    def unseen(self, state: State, seat: int, word: int) -> int:
        """Return the cards of one word that the seat has not seen."""
        seen = state.hands[half_slot(seat, word)] | state.aside[half_slot(seat, word)]
        seen |= state.gone[word] | state.carried[word]
        for other in range(self.game.seats):
            seen |= state.won[half_slot(other, word)]
        for play in range(state.trick_size[0]):
            if half_of(state.trick_card[play]) == word:
                seen |= bit_of(state.trick_card[play])
            if state.second[play] != NONE and half_of(state.second[play]) == word:
                seen |= bit_of(state.second[play])
        return self.deck_masks[word] & ~seen

    def better(self, values: int, number: int, lowest: bool) -> int:
        """Return how many of these values beat the number."""
        if lowest:
            return Bits.count(below(values, min(number, HIGHEST)))
        return Bits.count(above(values, min(number, HIGHEST)))

    def usually_turned(self, state: State) -> int:
        """Return where the lowest number wins in a trick without symbols: see `Course.turned`."""
        lying = state.trick_size[0]
        state.trick_size[0] = 0
        turned = self.rules.turned(state)
        state.trick_size[0] = lying
        return turned

    def lowest_in(self, turned: int, colour: int, trump: int) -> bool:
        """Return whether the lowest number wins in this colour."""
        return turned & (AMONG_TRUMPS if colour == trump else IN_COLOURS) != 0

    def left(self, state: State, seat: int) -> int:
        """Return how many cards the seat still has, those set aside included."""
        return state.hand_size[seat] + state.aside_size[seat]

    # -- What a card is good for later -------------------------------------------------------------

    def promise(self, card: int, low: int, high: int, trump: int, turned: int) -> float:
        """Return the chance that this card ever takes a trick, by the unseen cards above it."""
        lowest = self.lowest_in(turned, colour_of(card), trump)
        beaten_by = self.better(values_in(low, high, colour_of(card)), value_of(card), lowest)
        if colour_of(card) == trump:
            return max(TRUMP_LEAST, TRUMP_PROMISE - TRUMP_LESS * beaten_by)
        return self.promises[beaten_by]

    def price(self, card: int, low: int, high: int, trump: int, turned: int, left: int) -> float:
        """Return what the card is worth in hand to a seat that wants tricks."""
        others = values_in(low, high, colour_of(card))
        lowest = self.lowest_in(turned, colour_of(card), trump)
        beaten_by = self.better(others, value_of(card), lowest)
        if colour_of(card) == trump:
            price = TRUMP_PRICE - TRUMP_CHEAPER * beaten_by - TRUMP_EARLY * left / MOST_TRICKS
            return max(TRUMP_CHEAPEST, price)
        price = self.prices[beaten_by]
        if others == 0:
            return price - ALONE
        if others & (others - 1) == 0:
            return price - NEARLY_ALONE
        return price

    def hand_promise(self, state: State, seat: int, low: int, high: int, trump: int) -> float:
        """Return how many tricks the whole hand promises with this trump."""
        turned = self.usually_turned(state)
        total = 0.0
        for word in range(2):
            mask = state.hands[half_slot(seat, word)] | state.aside[half_slot(seat, word)]
            while mask:
                card = card_in(word, Bits.lowest(mask))
                mask &= mask - 1
                total += self.promise(card, low, high, trump, turned)
        return total

    # -- The aim -----------------------------------------------------------------------------------

    def points_so_far(self, state: State, seat: int) -> int:
        """Return the seat's points in this round as far as they are public."""
        return state.tricks_won[seat] + self.rules.month.seen_points(state, seat)

    def aim(self, state: State, seat: int) -> int:
        """Return 1 to take points, -1 to avoid them: under some red sheets the last seat wins."""
        if not self.fewest_win:
            return -1 if self.lifts_last else 1
        if not self.lifts_last:
            return -1
        own = self.points_so_far(state, seat)
        for other in range(self.game.seats):
            if other != seat and self.points_so_far(state, other) < own:
                return -1
        return 1

    def wanted(self, state: State, seat: int) -> int:
        """Return how many points or tricks are still needed exactly; NONE without such a number."""
        if self.exact_total:
            points = self.points_so_far(state, seat)
            partner = self.rules.red.partner_of(state, seat)
            if partner != NOBODY:
                points += self.points_so_far(state, partner)
            return self.exact_total - state.totals[seat] - points
        tricks = self.rules.red.wanted_tricks(state, seat)
        if tricks != NONE:
            need = tricks - state.tricks_won[seat]
            if 0 <= need <= self.left(state, seat) + state.numbers[CARRIED_TRICKS]:
                return need
        return NONE

    # -- Playing -----------------------------------------------------------------------------------

    def best_play(self, state: State, seat: int, moves: Moves) -> int:
        """Return the play that is worth most; each is tried and judged by the rules."""
        low = self.unseen(state, seat, 0)
        high = self.unseen(state, seat, 1)
        trump = self.rules.red.trump(state)
        turned = self.usually_turned(state)
        wanted = self.wanted(state, seat)
        hoped = 0.0
        if wanted != NONE:
            hoped = self.hand_promise(state, seat, low, high, trump)
            if self.exact_total and wanted > hoped + FAR:
                wanted = NONE  # then every point helps
        aim = self.aim(state, seat)
        left = self.left(state, seat) - 1
        lying = state.trick_size[0]
        card_before = state.trick_card[lying]
        seat_before = state.trick_seat[lying]
        second_before = state.second[lying]
        state.trick_seat[lying] = seat
        state.trick_size[0] = lying + 1
        best = NOTHING
        found = moves.items[0]
        for at in range(moves.size):
            card = card_of(moves.items[at])
            second = NONE
            if self.rules.pairs:
                second = self.rules.red.second_of(moves.items[at])
            state.trick_card[lying] = card
            state.second[lying] = second
            chance = self.chance(state, seat, trump, low, high)
            if wanted == NONE:
                kept = self.price(card, low, high, trump, turned, left)
                if second != NONE:
                    kept += self.price(second, low, high, trump, turned, left)
                worth = self.free_worth(state, seat, chance, left) - kept
                worth *= aim
                if aim < 0 and colour_of(card) != trump and self.is_last(state, seat, card):
                    worth += VOID
            else:
                after = hoped - self.promise(card, low, high, trump, turned)
                if second != NONE:
                    after -= self.promise(second, low, high, trump, turned)
                worth = self.exact_worth(state, seat, chance, left, wanted - after)
            if worth > best:
                best = worth
                found = moves.items[at]
        state.trick_size[0] = lying
        state.trick_card[lying] = card_before
        state.trick_seat[lying] = seat_before
        state.second[lying] = second_before
        return found

    def is_last(self, state: State, seat: int, card: int) -> bool:
        """Return whether the seat has no other card of this colour."""
        values = state.colour(seat, colour_of(card))
        return values & (values - 1) == 0

    def free_worth(self, state: State, seat: int, chance: float, left: int) -> float:
        """Return what the trick brings to a seat that wants points; the last play is its own."""
        worth = chance * (LEAD - LEAD_EARLY * left / MOST_TRICKS)
        mine = chance
        partner = self.rules.red.partner_of(state, seat)
        if partner != NOBODY:
            mine += (1.0 - chance) * self.partner_takes(state, partner)
        worth += TRICK * mine * self.rules.month.trick_worth(state, seat, left)
        worth += (1.0 - mine) * self.given_away(state)
        return worth

    def exact_worth(
        self, state: State, seat: int, chance: float, left: int, missing: float
    ) -> float:
        """Return how near the trick brings the seat to its number, with this much left to the hand.

        A red sheet may want tricks, the goal of an exact total wants points.
        """
        lost = 0.0
        if self.exact_total:
            won = self.rules.month.trick_worth(state, seat, left)
            lost = self.rules.month.given_points(state, state.trick_size[0] - 1)
        else:
            won = 1.0 + state.numbers[CARRIED_TRICKS]
            if self.rules.month.stays(state):
                won = 0.0
        return -chance * abs(missing - won) - (1.0 - chance) * abs(missing - lost)

    def partner_takes(self, state: State, partner: int) -> float:
        """Return the chance that the partner takes the trick if the seat does not."""
        play = self.rules.trick_winner(state)
        if play != NOBODY and state.trick_seat[play] == partner:
            return PARTNER_LEADS
        return PARTNER_MAY

    def chance(self, state: State, seat: int, trump: int, low: int, high: int) -> float:
        """Return the chance that the last play, the seat's own, takes the trick."""
        play = state.trick_size[0] - 1
        colour = colour_of(state.trick_card[play])
        led = state.led(0)
        if state.numbers[NAMED] != NONE:  # face down: the others' cards are not seen
            led = state.numbers[NAMED]
            if colour != led and colour != trump:
                return 0.0
        elif self.rules.trick_winner(state) != play:
            return 0.0
        if not self.rules.anyone_may_win and not self.rules.may_win(state, play):
            return 0.0
        lowest = self.lowest_in(self.rules.turned(state), colour, trump)
        number = value_of(state.trick_card[play])
        if self.rules.pairs:
            number = self.rules.red.number(state, play)
            if not lowest:
                number = max(0, number - PAIRED)
        trumps = 0
        if trump != NONE:
            trumps = values_in(low, high, trump)
        following = values_in(low, high, led)
        by_trump = Bits.count(trumps)
        by_following = Bits.count(following)
        if colour == trump:
            by_trump = self.better(trumps, number, lowest)
            by_following = 0
        elif colour == led:
            by_following = self.better(following, number, lowest)
        if led == trump:
            by_following = by_trump
            by_trump = 0
        unseen = max(1, Bits.count(low) + Bits.count(high))
        chance = 1.0
        other = seat
        for _ in range(self.game.seats - 1):
            other = self.rules.next_seat(state, other)
            if other == state.leader and not self.rules.at_once:
                return chance
            if state.hand_size[other] and not self.rules.month.is_barred(state, other):
                share = COUNTS * min(PARTS - 1, PARTS * state.hand_size[other] // unseen)
                beaten = 0.0
                void = 1.0
                if not has(state.voids[other], led):
                    void = self.misses[share + Bits.count(following)]
                    beaten = 1.0 - self.misses[share + by_following]
                beaten += void * (1.0 - self.misses[share + by_trump])
                chance *= 1.0 - BEATEN * beaten
        return chance

    def given_away(self, state: State) -> float:
        """Return what it is worth to have played symbols to a trick that another takes."""
        play = state.trick_size[0] - 1
        symbols = self.rules.month.symbols_of(state, play)
        if symbols == 0:
            return 0.0
        if self.symbols_help > 0:
            return -SPARED * symbols
        if self.symbols_help < 0:
            return RID
        return TRICK * self.rules.month.given_points(state, play)

    # -- Choices -----------------------------------------------------------------------------------

    def bid(self, state: State, seat: int, moves: Moves) -> int:
        """Bid as many tricks as the hand promises; the moves are bids from 0 on."""
        low = self.unseen(state, seat, 0)
        high = self.unseen(state, seat, 1)
        hoped = self.hand_promise(state, seat, low, high, self.rules.red.trump(state)) + CAREFUL
        if self.fewest_win:
            hoped -= HUMBLE
        number = 0
        while number < moves.size - 1 and number + 0.5 < hoped:
            number += 1
        return moves.items[number]

    def name_trump(self, state: State, seat: int, moves: Moves) -> int:
        """Name the colour with which the hand promises most; least, for a seat that avoids points;
        or what comes nearest to an exact number."""
        low = self.unseen(state, seat, 0)
        high = self.unseen(state, seat, 1)
        aim = self.aim(state, seat)
        wanted = self.wanted(state, seat)
        best = NOTHING
        found = moves.items[0]
        for at in range(moves.size):
            hoped = self.hand_promise(state, seat, low, high, argument_of(moves.items[at]))
            worth = aim * hoped
            if wanted != NONE and wanted < hoped:
                worth = wanted - hoped
            if worth > best:
                best = worth
                found = moves.items[at]
        return found

    def accept(self, state: State, seat: int, moves: Moves) -> int:
        """Take the points, the first move, unless they would carry the total too far."""
        total = state.totals[seat] + state.numbers[OWN + seat]
        return moves.items[0] if total <= self.exact_total else moves.items[1]

    def strike(self, state: State, seat: int, moves: Moves) -> int:
        """Strike the card whose loss helps most, if it helps."""
        prize = self.rules.month.trick_worth(state, seat, self.left(state, seat))
        prize *= self.aim(state, seat)
        wanted = self.wanted(state, seat)
        if wanted != NONE and wanted <= 0:
            prize = -1.0
        best = NOTHING
        found = moves.items[0]
        for at in range(moves.size):
            worth = VETO_CARD
            for play in range(state.trick_size[0]):
                if state.trick_seat[play] == argument_of(moves.items[at]):
                    state.numbers[STRUCK] = play
                    worth = 0.0
            play = self.rules.trick_winner(state)
            state.numbers[STRUCK] = NOBODY
            if play != NOBODY and state.trick_seat[play] == seat:
                worth += prize
            if worth > best:
                best = worth
                found = moves.items[at]
        return found

    def give_to(self, state: State, seat: int, moves: Moves) -> int:
        """Give to the seat with the fewest points; to a partner where points are good."""
        best = -1000
        found = moves.items[0]
        for at in range(moves.size):
            other = place_of(moves.items[at])
            worth = -self.points_so_far(state, other)
            if other == self.rules.red.partner_of(state, seat):
                worth += 100 * self.aim(state, seat)
            if worth > best:
                best = worth
                found = moves.items[at]
        return found

    def part_with(self, state: State, seat: int, moves: Moves) -> int:
        """Pass on or discard the card that serves the aim least."""
        low = self.unseen(state, seat, 0)
        high = self.unseen(state, seat, 1)
        trump = self.rules.red.trump(state)
        turned = self.usually_turned(state)
        aim = self.aim(state, seat)
        wanted = self.wanted(state, seat)
        if wanted != NONE and wanted < self.hand_promise(state, seat, low, high, trump):
            aim = -1
        best = NOTHING
        found = moves.items[0]
        for at in range(moves.size):
            card = argument_of(moves.items[at])
            number = value_of(card)
            if self.lowest_in(turned, colour_of(card), trump):
                number = -number
            worth = -aim * (self.promise(card, low, high, trump, turned) + 0.001 * number)
            if worth > best:
                best = worth
                found = moves.items[at]
        return found

    # -- What a round is worth ---------------------------------------------------------------------

    def worth(self, state: State, seat: int) -> float:
        """Return the points above the mean of the others, counted as the green sheet does."""
        return self.gap(state, seat)

    def match_share(self, state: State, seat: int) -> float:
        """Return the share of the match where totals alone decide it; 0 on other days."""
        if self.fewest_win or self.exact_total or self.hurts_last:
            return 0.0
        return Tactics.match_share(self, state, seat)

    def parties(self) -> int:
        """Return how many seats there are; 0 on days on which totals alone decide nothing."""
        return 0 if self.exact_total or self.hurts_last else self.game.seats

    def standing(self, state: State, seat: int) -> float:
        """Return the total, negated where the fewest win."""
        total = state.totals[seat] + state.points[seat]
        return -total if self.fewest_win else total

    def gap(self, state: State, seat: int) -> float:
        """Return `worth` as a C double."""
        fewest = state.points[0]
        most = state.points[0]
        for other in range(1, self.game.seats):
            fewest = min(fewest, state.points[other])
            most = max(most, state.points[other])
        total = 0.0
        own = 0.0
        for other in range(self.game.seats):
            points = 1.0 * state.points[other]
            if self.fewest_win:
                points = -points
            elif self.exact_total and state.totals[other] + state.points[other] == self.exact_total:
                points += self.exact_total
            elif self.hurts_last and state.points[other] == fewest and fewest < most:
                points -= HEART
            total += points
            if other == seat:
                own = points
        return own - (total - own) / (self.game.seats - 1)

    def hides(self, state: State) -> bool:
        """Return whether the others see this choice only later."""
        if state.phase == PLAY:
            return self.rules.at_once
        return has(self.rules.secret_phases, state.phase)
