"""What a net sees of Null & nichtig.

The number on a card decides who takes a trick, so hands are also counted by number. Colours are
alike, so they are renamed by the tops of the seat's piles, the highest top first.
"""

from stichwerk.bots.nets.features import Features
from stichwerk.bots.nets.inputs import OWN
from stichwerk.engine.codes import (
    below,
    card_of,
    choice_slot,
    colour_of,
    colour_slot,
    has,
    value_of,
    won_values,
)
from stichwerk.engine.constants import CHOOSE, NOBODY, TWIN
from stichwerk.engine.machine import Bits
from stichwerk.engine.state import State
from stichwerk.games.null_nichtig import NullNichtig

VALUES = 12  # 0 to 11
WITH_TWIN = 13  # the second zero is one more
PILES = 5
SEATS = 6
SEATS_TO_COME = 6
STEPS = 12  # of counts, see `step_of`
SHARES = 11  # tenths
POINTS = 11  # steps of points
STEP = 5  # points in a step
STAGES = 5  # of a round
POWERS = 16
GAINS = 20  # steps of two points, from WORST on
WORST = -20
LATER_GAINS = 12  # steps of three points, from LATER_WORST on
LATER_WORST = -18
COUNTS = 6
HIGH_CARD = 8  # from here on a card makes a good top
LOW_CARD = 3  # up to here it spoils one
FEW = 22  # unseen cards that are listed one by one
WHOLE = 1024  # fixed-point 1
FIFTH = 205
BEATEN = 614  # of the chance that a random card is higher, as the seats to come mostly duck
LOW_EXPECTED = 2  # what a seat to come plays if it does not take the trick
HIGH_EXPECTED = 9  # and if it does

# Inputs of a position.
TABLE = OWN
TEAMS = TABLE + SEATS + 1
MATE = TEAMS + 4  # by seat
AS_PLAYED = MATE + SEATS
HELD = AS_PLAYED + 1  # by number: how many the seat holds
LEFT = HELD + VALUES * PILES
HAND = LEFT + WITH_TWIN
OTHERS = HAND + PILES * WITH_TWIN  # by number: how many are unseen
OTHERS_IN = OTHERS + VALUES * SEATS  # by colour: how many are unseen,
OTHERS_LOW = OTHERS_IN + PILES * STEPS  # low ones of them,
OTHERS_HIGH = OTHERS_LOW + PILES * SEATS  # and high ones
UNSEEN = OTHERS_HIGH + PILES * SEATS
TOPS = UNSEEN + PILES * WITH_TWIN  # by seat and colour
SCORE = TOPS + SEATS * PILES * (VALUES - 1)  # by seat
MARGIN = SCORE + SEATS * POINTS
LYING = MARGIN + GAINS
RICHNESS = LYING + SEATS  # the mean of the unseen cards
TRICK_COLOUR = RICHNESS + STEPS  # by other seat
TRICK_VALUE = TRICK_COLOUR + (SEATS - 1) * PILES
COVER = TRICK_VALUE + (SEATS - 1) * VALUES  # by colour: the last card of the trick
BEST_VALUE = COVER + PILES * VALUES
WINNING = BEST_VALUE + VALUES

# Inputs of a card.
CARD = WINNING + SEATS
VALUE = CARD + PILES * VALUES
OWN_TOP = VALUE + VALUES  # of its colour
RISE = OWN_TOP + VALUES  # from that top to the card
RIVAL_TOP = RISE + 2 * VALUES  # the highest one of its colour
OWN_VALUES = RIVAL_TOP + VALUES  # of its colour
OTHER_VALUES = OWN_VALUES + WITH_TWIN
LOWER = OTHER_VALUES + WITH_TWIN  # cards in hand
HIGHER = LOWER + WITH_TWIN
WINS = HIGHER + WITH_TWIN  # by how many seats are to come
LOSES = WINS + SEATS_TO_COME
BEATEN_BY = LOSES + SEATS_TO_COME  # unseen cards
STAYS = BEATEN_BY + STEPS  # tenths of the chance that nobody to come plays higher
CHEAPER = STAYS + SHARES  # other cards in hand between this card and the best one lying
DEPTH = CHEAPER + 2 * COUNTS  # how far below the best one
GAIN = DEPTH + VALUES  # by stage, or at any: what the trick is worth to the seat if it takes it
GIVEN = GAIN + (STAGES + 1) * GAINS  # the same for the rival who would take it,
GIVEN_BEST = GIVEN + (STAGES + 1) * GAINS  # if no rival has more points,
GIVEN_MATE = GIVEN_BEST + GAINS  # or for the mate
TAKEN_MARGIN = GIVEN_MATE + GAINS  # to the best rival, then
GIVEN_MARGIN = TAKEN_MARGIN + GAINS
AFTER = GIVEN_MARGIN + GAINS  # by colour: the seat's tops if it takes the trick
LATER = AFTER + PILES * VALUES  # by seat to come: what the trick is worth to it
LATER_MATE = LATER + (SEATS - 1) * LATER_GAINS  # or to the mate
MOST_LATER = LATER_MATE + LATER_GAINS  # to the rival to come who wants it most
LOWEST_LEFT = MOST_LATER + LATER_GAINS
NEXT_LOWEST = LOWEST_LEFT + VALUES
HIGHEST_LEFT = NEXT_LOWEST + VALUES
NEXT_HIGHEST = HIGHEST_LEFT + VALUES
DUCKS = NEXT_HIGHEST + VALUES  # tenths of the unseen cards above the lowest one left
DUCKS_TWICE = DUCKS + SHARES
COMMANDS = DUCKS_TWICE + SHARES  # unseen cards above the highest one left
POWER = COMMANDS + STEPS  # tricks that the hand left would win from random cards, in quarters

# Inputs of a card to lay out.
PICK = POWER + POWERS  # by how many are laid out
COVERED = PICK + 3 * VALUES
PICKED_TOPS = COVERED + VALUES  # from the highest one on
FILLED_SUM = PICKED_TOPS + 3 * VALUES  # the sum with the highest cards that may follow
FOLLOWING = FILLED_SUM + 3 * VALUES  # the two highest of these
PASSED = FOLLOWING + 2 * WITH_TWIN  # the highest card that can no longer be laid out
KEPT = PASSED + WITH_TWIN  # by number
SIZE = KEPT + VALUES * PILES

# Facts for the moves.
RANK = 0  # by colour: its new name
ABOVE = 5  # by number: unseen cards above it
COUNT = 17  # by number: cards in hand
HIDDEN = 29  # by colour: unseen values
BEST = 34  # the highest number of the trick, or NOBODY
LEADING = 35  # its play
UNSEEN_COUNT = 36
BEST_RIVAL = 37  # points of the best rival
PILE = 38  # by colour: tops after a trick
NUMBER = 43  # by number: cards in hand after a pick
TRICKS = 43  # by number: the chance to win a trick of random cards
ALL_TRICKS = 55  # of the hand


class NullNichtigFeatures(Features):
    """The inputs of Null & nichtig."""

    def __init__(self, game: NullNichtig) -> None:
        Features.__init__(self, game)
        self.rules = game
        self.size = SIZE
        self.teams = 0 if game.teams is None else game.teams

    # -- The position ------------------------------------------------------------------------------

    def position(self, state: State, seat: int, facts: list[int], inputs: list[int]) -> None:
        """Turn on hand, unseen cards, piles, points and trick."""
        self.on(inputs, TABLE + self.rules.seats)
        self.on(inputs, TEAMS + self.teams)
        for step in range(self.rules.seats):
            if self.is_mate(step):
                self.on(inputs, MATE + step)
        if self.rules.as_played:
            self.on(inputs, AS_PLAYED)
        self.count_hand(state, seat, facts, inputs)
        if state.phase == CHOOSE:
            return
        self.rename(state, seat, facts)
        for colour in range(PILES):
            first = HAND + WITH_TWIN * facts[RANK + colour]
            self.each(inputs, first, state.colour(seat, colour))
        self.up_to(inputs, LEFT, state.hand_size[seat], WITH_TWIN)
        self.unseen(state, seat, facts, inputs)
        self.piles(state, seat, facts, inputs)
        self.trick(state, seat, facts, inputs)

    def is_mate(self, step: int) -> bool:
        """Return whether the seat so many steps further on is in the same team, but another."""
        return self.teams != 0 and step != 0 and step % self.teams == 0

    def count_hand(self, state: State, seat: int, facts: list[int], inputs: list[int]) -> None:
        """Count the cards of the hand by number."""
        for value in range(VALUES):
            facts[COUNT + value] = 0
        for colour in range(PILES):
            values = state.colour(seat, colour)
            while values:
                value = Bits.lowest(values)
                facts[COUNT + (0 if value == TWIN else value)] += 1
                values &= values - 1
        for value in range(VALUES):
            self.up_to(inputs, HELD + PILES * value, facts[COUNT + value], PILES)

    def rename(self, state: State, seat: int, facts: list[int]) -> None:
        """Give every colour its new name: by the seat's top, among equals by the hand."""
        for colour in range(PILES):
            name = 0
            key = self.key(state, seat, colour)
            for other in range(PILES):
                if self.key(state, seat, other) > key:
                    name += 1
            facts[RANK + colour] = name

    def key(self, state: State, seat: int, colour: int) -> int:
        """Return what colours are ranked by, different for each."""
        values = state.colour(seat, colour)
        top = state.numbers[self.rules.tops + colour_slot(seat, colour)]
        return (16 * top + Bits.count(values)) * 65536 * 8 + 8 * values + colour

    def unseen(self, state: State, seat: int, facts: list[int], inputs: list[int]) -> None:
        """Turn on the cards that the seat has not seen, by number and by colour."""
        for value in range(VALUES):
            facts[ABOVE + value] = 0
        total = 0
        for colour in range(PILES):
            values = self.hidden(state, seat, colour)
            facts[HIDDEN + colour] = values
            name = facts[RANK + colour]
            self.on(inputs, OTHERS_IN + STEPS * name + self.step_of(Bits.count(values)))
            low = Bits.count(below(values, LOW_CARD + 1)) + (1 if has(values, TWIN) else 0)
            self.one_of(inputs, OTHERS_LOW + SEATS * name, low, SEATS)
            high = Bits.count(below(values, TWIN) >> HIGH_CARD)
            self.one_of(inputs, OTHERS_HIGH + SEATS * name, high, SEATS)
            total += Bits.count(values)
            while values:
                value = Bits.lowest(values)
                facts[ABOVE + (0 if value == TWIN else value)] += 1
                values &= values - 1
        facts[UNSEEN_COUNT] = total
        above = 0
        points = 0
        for back in range(VALUES):
            value = VALUES - 1 - back
            count = facts[ABOVE + value]
            if value == 0:
                count = (count + 1) // 2
            self.one_of(inputs, OTHERS + SEATS * value, count, SEATS)
            count = facts[ABOVE + value]
            points += count * value
            facts[ABOVE + value] = above
            above += count
        total = max(total, 1)
        self.up_to(inputs, RICHNESS, (2 * points + total - 1) // total - 4, STEPS)
        self.power(facts)
        if total <= FEW:
            for colour in range(PILES):
                first = UNSEEN + WITH_TWIN * facts[RANK + colour]
                self.each(inputs, first, facts[HIDDEN + colour])

    def power(self, facts: list[int]) -> None:
        """Note how likely each number wins a trick of random cards."""
        unseen = max(facts[UNSEEN_COUNT], 1)
        facts[ALL_TRICKS] = 0
        for value in range(VALUES):
            share = WHOLE * (unseen - facts[ABOVE + value]) // unseen
            chance = WHOLE
            for _ in range(1, self.rules.seats):
                chance = chance * share // WHOLE
            facts[TRICKS + value] = chance
            facts[ALL_TRICKS] += chance * facts[COUNT + value]

    def hidden(self, state: State, seat: int, colour: int) -> int:
        """Return the unseen values of a colour; the second of two unseen zeros is bit TWIN."""
        own = state.colour(seat, colour)
        seen = own
        zeros = (own & 1) + (own >> TWIN & 1)
        for other in range(self.rules.seats):
            won = won_values(state, other, colour)
            seen |= won
            zeros += (won & 1) + (won >> TWIN & 1)
        for at in range(state.trick_size[0]):
            card = state.trick_card[at]
            if colour_of(card) == colour:
                seen |= 1 << value_of(card)
                if value_of(card) == 0:
                    zeros += 1
        values = ~seen & 0xFFE
        if zeros < 2:
            values |= 1
        if zeros < 1:
            values |= 1 << TWIN
        return values

    def piles(self, state: State, seat: int, facts: list[int], inputs: list[int]) -> None:
        """Turn on the tops of all piles and the points that they make."""
        best = 0
        for other in range(self.rules.seats):
            who = self.relative(seat, other)
            first = TOPS + (VALUES - 1) * PILES * who
            for colour in range(PILES):
                top = state.numbers[self.rules.tops + colour_slot(other, colour)]
                if top:
                    self.on(inputs, first + (VALUES - 1) * facts[RANK + colour] + top - 1)
            points = self.rules.score(state, other)
            self.up_to(inputs, SCORE + POINTS * who, (points + STEP - 1) // STEP, POINTS)
            if who and not self.is_mate(who):
                best = max(best, points)
        facts[BEST_RIVAL] = best
        self.gain(inputs, MARGIN, self.rules.score(state, seat) - best)

    def gain(self, inputs: list[int], first: int, points: int) -> None:
        """Turn on a number of points, in steps of two."""
        self.up_to(inputs, first, (max(points - WORST, 0) + 1) // 2, GAINS)

    def staged_gain(self, inputs: list[int], first: int, stage: int, points: int) -> None:
        """Turn on a number of points, once for the stage of the round and once for any."""
        steps = (max(points - WORST, 0) + 1) // 2
        self.one_of(inputs, first + GAINS * stage, steps, GAINS)
        self.up_to(inputs, first + GAINS * STAGES, steps, GAINS)

    def trick(self, state: State, seat: int, facts: list[int], inputs: list[int]) -> None:
        """Turn on the cards of the trick and who would take it."""
        size = state.trick_size[0]
        facts[BEST] = NOBODY
        facts[LEADING] = NOBODY
        self.on(inputs, LYING + size)
        covered = 0
        for back in range(size):
            at = size - 1 - back
            card = state.trick_card[at]
            name = facts[RANK + colour_of(card)]
            who = self.relative(seat, state.trick_seat[at])
            self.on(inputs, TRICK_COLOUR + PILES * (who - 1) + name)
            self.on(inputs, TRICK_VALUE + VALUES * (who - 1) + value_of(card))
            if not has(covered, name):
                covered |= 1 << name
                self.on(inputs, COVER + VALUES * name + value_of(card))
            if value_of(card) >= facts[BEST]:  # the earlier one of equals
                facts[BEST] = value_of(card)
                facts[LEADING] = at
        if size:
            self.up_to(inputs, BEST_VALUE, facts[BEST] + 1, VALUES)
            self.on(inputs, WINNING + self.relative(seat, state.trick_seat[facts[LEADING]]))

    # -- Moves -------------------------------------------------------------------------------------

    def move(self, state: State, seat: int, move: int, facts: list[int], inputs: list[int]) -> None:
        """Turn on what a card does to the trick and the hand, or which piles a choice makes."""
        card = card_of(move)
        self.each(inputs, OWN_VALUES, state.colour(seat, colour_of(card)))
        if state.phase == CHOOSE:
            self.laying(state, seat, card, facts, inputs)
            return
        value = value_of(card)
        colour = colour_of(card)
        self.on(inputs, CARD + VALUES * facts[RANK + colour] + value)
        self.on(inputs, VALUE + value)
        self.each(inputs, OTHER_VALUES, facts[HIDDEN + colour])
        own = state.numbers[self.rules.tops + colour_slot(seat, colour)]
        self.on(inputs, OWN_TOP + own)
        self.on(inputs, RISE + VALUES + value - own)
        highest = 0
        for other in range(self.rules.seats):
            if other != seat and not self.is_mate(self.relative(seat, other)):
                top = state.numbers[self.rules.tops + colour_slot(other, colour)]
                highest = max(highest, top)
        self.on(inputs, RIVAL_TOP + highest)
        self.hand_left(value, facts, inputs)
        self.fate(state, seat, card, facts, inputs)
        self.later(state, seat, card, inputs)

    def hand_left(self, value: int, facts: list[int], inputs: list[int]) -> None:
        """Turn on what is left in hand without a card of this number."""
        lower = 0
        higher = 0
        lowest = NOBODY
        next_lowest = NOBODY
        highest = NOBODY
        next_highest = NOBODY
        for at in range(VALUES):
            count = facts[COUNT + at]
            if at < value:
                lower += count
            elif at > value:
                higher += count
            else:
                count -= 1
            if count:
                if lowest == NOBODY:
                    lowest = at
                    if count > 1:
                        next_lowest = at
                elif next_lowest == NOBODY:
                    next_lowest = at
                next_highest = at if count > 1 else highest
                highest = at
        self.one_of(inputs, LOWER, lower, WITH_TWIN)
        self.one_of(inputs, HIGHER, higher, WITH_TWIN)
        tricks = facts[ALL_TRICKS] - facts[TRICKS + value]
        self.up_to(inputs, POWER, (4 * tricks + WHOLE // 2) // WHOLE, POWERS)
        if lowest == NOBODY:
            return
        self.on(inputs, LOWEST_LEFT + lowest)
        self.on(inputs, HIGHEST_LEFT + highest)
        unseen = max(facts[UNSEEN_COUNT], 1)
        self.on(inputs, DUCKS + 10 * facts[ABOVE + lowest] // unseen)
        self.on(inputs, COMMANDS + self.step_of(facts[ABOVE + highest]))
        if next_lowest != NOBODY:
            self.on(inputs, NEXT_LOWEST + next_lowest)
            self.on(inputs, NEXT_HIGHEST + next_highest)
            self.on(inputs, DUCKS_TWICE + 10 * facts[ABOVE + next_lowest] // unseen)

    def fate(self, state: State, seat: int, card: int, facts: list[int], inputs: list[int]) -> None:
        """Turn on who would take the trick with this card, and what that changes."""
        size = state.trick_size[0]
        to_come = self.rules.seats - 1 - size
        value = value_of(card)
        best = facts[BEST]
        stage = self.stage(state.hand_size[seat] - 1)
        own = self.rules.score(state, seat)
        between = 0
        if value > best:
            for at in range(best + 1, value):
                between += facts[COUNT + at]
            self.one_of(inputs, CHEAPER, between, COUNTS)
            self.on(inputs, WINS + to_come)
            change = self.change(state, seat, size, card)
            self.staged_gain(inputs, GAIN, stage, change)
            self.gain(inputs, TAKEN_MARGIN, own + change - facts[BEST_RIVAL])
            self.after(state, seat, card, facts, inputs)
        else:
            for at in range(value + 1, best + 1):
                between += facts[COUNT + at]
            self.one_of(inputs, CHEAPER + COUNTS, between, COUNTS)
            self.on(inputs, LOSES + to_come)
            self.on(inputs, DEPTH + best - value)
            owner = state.trick_seat[facts[LEADING]]
            change = self.change(state, owner, facts[LEADING], card)
            if self.is_mate(self.relative(seat, owner)):
                self.gain(inputs, GIVEN_MATE, change)
            else:
                self.staged_gain(inputs, GIVEN, stage, change)
                reached = self.rules.score(state, owner) + change
                if reached - change == facts[BEST_RIVAL]:
                    self.gain(inputs, GIVEN_BEST, change)
                self.gain(inputs, GIVEN_MARGIN, own - max(facts[BEST_RIVAL], reached))
        if to_come:
            higher = facts[ABOVE + max(value, best)]
            self.on(inputs, BEATEN_BY + self.step_of(higher))
            unseen = max(facts[UNSEEN_COUNT], 1)
            chance = WHOLE
            for _ in range(to_come):
                chance = chance * (WHOLE - BEATEN * higher // unseen) // WHOLE
            self.on(inputs, STAYS + 10 * chance // WHOLE)

    def stage(self, left: int) -> int:
        """Return the stage of the round with so many cards left after this one."""
        if left < 3:
            return max(left - 1, 0)
        return min((left + 1) // 2, STAGES - 1)

    def change(self, state: State, owner: int, taker: int, card: int) -> int:
        """Return by how many points the owner's tops change if its play takes the trick, with this
        card as the next one.

        From the card collected last to the first: the first one of a colour is the new top. Unseen
        cards have any colour.
        """
        size = state.trick_size[0]
        seats = self.rules.seats
        uncovered = self.rules.score(state, owner)
        piles = PILES
        covered = 0
        reach = WHOLE
        change = WHOLE // 2  # to round
        for back in range(1, seats + 1):
            play = self.rules.collected_at(taker, seats - back)
            if play > size:
                expected = HIGH_EXPECTED if play == taker else LOW_EXPECTED
                change += reach * FIFTH // WHOLE * (piles * expected - uncovered)
                reach = reach * (WHOLE - FIFTH) // WHOLE
            else:
                lying = card if play == size else state.trick_card[play]
                colour = colour_of(lying)
                if not has(covered, colour):
                    covered |= 1 << colour
                    top = state.numbers[self.rules.tops + colour_slot(owner, colour)]
                    uncovered -= top
                    piles -= 1
                    change += reach * (value_of(lying) - top)
        return change >> 10

    def after(
        self, state: State, seat: int, card: int, facts: list[int], inputs: list[int]
    ) -> None:
        """Turn on the seat's tops if this card takes the trick as it is."""
        size = state.trick_size[0]
        for colour in range(PILES):
            facts[PILE + colour] = state.numbers[self.rules.tops + colour_slot(seat, colour)]
        facts[PILE + colour_of(card)] = value_of(card)
        for play in range(size):  # either way of collecting keeps this order
            lying = state.trick_card[play]
            facts[PILE + colour_of(lying)] = value_of(lying)
        for colour in range(PILES):
            if facts[PILE + colour]:
                self.on(inputs, AFTER + VALUES * facts[RANK + colour] + facts[PILE + colour])

    def later(self, state: State, seat: int, card: int, inputs: list[int]) -> None:
        """Turn on what the trick with this card is worth to each seat to come."""
        size = state.trick_size[0]
        other = seat
        most = LATER_WORST
        mates = LATER_WORST
        for step in range(1, self.rules.seats - size):
            other += 1
            if other == self.rules.seats:
                other = 0
            change = self.change(state, other, size + step, card)
            if self.is_mate(step):
                mates = max(mates, change)
            else:
                steps = max(change - LATER_WORST, 0) // 3
                self.one_of(inputs, LATER + LATER_GAINS * (step - 1), steps, LATER_GAINS)
                most = max(most, change)
        self.up_to(inputs, MOST_LATER, (most - LATER_WORST) // 3, LATER_GAINS)
        self.up_to(inputs, LATER_MATE, (mates - LATER_WORST) // 3, LATER_GAINS)

    def step_of(self, count: int) -> int:
        """Return the step of a count: fine for few, coarse for many."""
        if count < 6:
            return count
        return min(4 + count // 3, STEPS - 1)

    # -- Laying out --------------------------------------------------------------------------------

    def laying(
        self, state: State, seat: int, card: int, facts: list[int], inputs: list[int]
    ) -> None:
        """Turn on the piles with one more card, the hand that is left and what may follow."""
        laid = self.rules.laid(state, seat)
        value = value_of(card)
        self.on(inputs, PICK + VALUES * laid + value)
        for at in range(VALUES):
            facts[NUMBER + at] = facts[COUNT + at]
        facts[NUMBER + value] -= 1
        # The tops of up to three piles; colours rise, so only the last pile can be covered.
        highest = value
        middle = 0
        lowest = 0
        colour = colour_of(card)
        for back in range(1, laid + 1):
            earlier = state.choice[choice_slot(seat, laid - back)]
            number = value_of(earlier)
            facts[NUMBER + number] -= 1
            if colour_of(earlier) == colour:
                if back == 1:
                    self.on(inputs, COVERED + number)
                continue
            colour = colour_of(earlier)
            if number > highest:
                lowest = middle
                middle = highest
                highest = number
            elif number > middle:
                lowest = middle
                middle = number
            else:
                lowest = number
        self.up_to(inputs, PICKED_TOPS, highest, VALUES)
        self.up_to(inputs, PICKED_TOPS + VALUES, middle, VALUES)
        self.up_to(inputs, PICKED_TOPS + 2 * VALUES, lowest, VALUES)
        for at in range(VALUES):
            self.up_to(inputs, KEPT + PILES * at, facts[NUMBER + at], PILES)
        missing = self.rules.lays - laid - 1
        self.following(state, seat, card, missing, highest + middle + lowest, inputs)

    def following(
        self, state: State, seat: int, card: int, missing: int, points: int, inputs: list[int]
    ) -> None:
        """Turn on the highest cards that may still be laid out after this one, and the highest
        one that may not."""
        first = NOBODY
        second = NOBODY
        passed = NOBODY
        for colour in range(PILES):
            values = below(state.colour(seat, colour), TWIN)
            if values == 0 or colour == colour_of(card):
                continue
            value = Bits.count(self.filled(values)) - 1
            if colour < colour_of(card):
                passed = max(passed, value)
            elif value > first:
                second = first
                first = value
            else:
                second = max(second, value)
        self.on(inputs, PASSED + passed + 1)
        if missing:
            self.on(inputs, FOLLOWING + first + 1)
            self.on(inputs, FOLLOWING + WITH_TWIN + second + 1)
            points += max(first, 0)
            if missing > 1:
                points += max(second, 0)
        self.up_to(inputs, FILLED_SUM, points, 3 * VALUES)

    def filled(self, values: int) -> int:
        """Return a set of numbers with all smaller ones added."""
        values |= values >> 1
        values |= values >> 2
        values |= values >> 4
        return values | values >> 8
