"""What a net sees of Stichling.

Colours and places are alike, so they are renamed: colours by how many cards the seat holds, open
tricks by how full they are. Values count from the highest card of the deck downwards, as decks
differ in height. Scoring cards count 1, 2 and 3, as in the first round.

Of the scoring cards of others only those that were turned up are read; after two of them the third
is known. A move also carries what the tactics without a net expect of it, in whole numbers.
"""

from stichwerk.bots.nets.features import Features
from stichwerk.bots.nets.inputs import OWN
from stichwerk.bots.tactics.stichling import StichlingTactics
from stichwerk.engine.codes import (
    argument_of,
    card_at,
    card_of,
    choice_slot,
    colour_of,
    has,
    place_of,
    value_of,
    values_in,
)
from stichwerk.engine.constants import CHOOSE, NOBODY, PLACES
from stichwerk.engine.machine import Bits
from stichwerk.engine.state import State
from stichwerk.games.stichling import Stichling

SUITS = 4
FIRST_SUIT = 1  # the colours are 1 to 4
VALUES = 15  # places of a value, from the highest of the deck
CARDS = 60
SEATS = 5
HELD_MOST = 12  # cards of a hand
FULL = 4  # cards of a full trick
ONE = 1024  # one, in fixed point
LEVELS = 11  # of a gain
WANTS = 5  # own gains: -2, -1, 1, 2, 3
STANDINGS = 24  # six orders, each without a trick or with one of three cards up
SHOWN = 22  # what is known of another seat's scoring cards
STEPS = 12  # of a count of cards
KINDS = 7  # what a play does to its trick
TAKES = 1  # a trick of another
UNDER = 3  # another's best card
THROWN = 5  # off, on a trick of another
FINE = 32  # steps of an outlook
COARSE = 8
LATE = 8  # steps of cards left
FEW = 6  # steps of a count that is 5 or more

# Of the tactics without a net, see `bots/tactics/stichling.py`.
TAKE = 860
TOO_LATE = 3
OVERTAKEN = 307
UNFINISHED = 1638

# Inputs of a position: cards.
HAND = OWN
UNSEEN = HAND + CARDS
STRONG = UNSEEN + CARDS  # cards of the hand that at most 0, 1 or 3 unseen ones beat
WEAK = STRONG + 3 * HELD_MOST  # cards that beat at most 2
OPEN_COUNT = WEAK + HELD_MOST
LEFT = OPEN_COUNT + PLACES + 1
ALL_LEFT = LEFT + HELD_MOST
TABLE = ALL_LEFT + 20
STARTER = TABLE + SEATS + 1
STRICT = STARTER + SEATS

# Open tricks, by slot.
TRICK_SIZE = STRICT + 1
TRICK_OWNER = TRICK_SIZE + PLACES * FULL
TRICK_SUIT = TRICK_OWNER + PLACES * SEATS
TRICK_TOP = TRICK_SUIT + PLACES * SUITS
TRICK_BEATEN = TRICK_TOP + PLACES * VALUES  # unseen cards that beat it
TRICK_OVER = TRICK_BEATEN + PLACES * STEPS  # own cards that beat it
TRICK_BELOW = TRICK_OVER + PLACES * 6  # own cards of its colour that do not
TRICK_GAIN = TRICK_BELOW + PLACES * 6  # what it is worth to its owner
TRICK_FILL = TRICK_GAIN + PLACES * LEVELS  # unseen cards of its colour that do not beat it
LYING = TRICK_FILL + PLACES * STEPS  # cards of all open tricks

# Seats.
STANDING = LYING + 13  # of the seat itself
SHOWING = STANDING + STANDINGS  # by seat, from the next one on
WON = SHOWING + (SEATS - 1) * SHOWN
HOLDING = WON + SEATS * 8  # open tricks
NEXT = HOLDING + SEATS * PLACES  # what one more trick is worth
WANTING = NEXT + SEATS * LEVELS  # how many others want tricks
REFUSING = WANTING + SEATS
VOID = REFUSING + SEATS  # by seat, from the next one on

# Inputs of a card.
CARD = VOID + (SEATS - 1) * SUITS
PLACE_OF_VALUE = CARD + CARDS
OWN_VALUES = PLACE_OF_VALUE + VALUES  # of its colour
OTHER_VALUES = OWN_VALUES + VALUES
ABOVE = OTHER_VALUES + VALUES  # unseen cards of its colour
BELOW = ABOVE + STEPS
OWN_ABOVE = BELOW + STEPS
OWN_BELOW = OWN_ABOVE + 6
STRONG_LEFT = OWN_BELOW + 6  # as STRONG, without the card

# Inputs of what becomes of the trick.
SLOT = STRONG_LEFT + 3 * HELD_MOST
FATE = SLOT + PLACES + 1
TO_WHOM = FATE + KINDS * FULL * WANTS
GIVEN = TO_WHOM + SEATS * FULL  # what the trick is worth to another who holds it then
DENIED = GIVEN + FULL * LEVELS  # what it was worth to who loses it
BEATEN = DENIED + FULL * LEVELS  # unseen cards that beat a trick of the seat, then another's
FILLED = BEATEN + 2 * (FULL - 1) * STEPS  # unseen cards that can fill it and do not
TIME = FILLED + 2 * (FULL - 1) * STEPS  # cards left, by what it lacks and who wants it
AFTER = TIME + 4 * FULL * LATE  # the seat's scoring cards then
HELD = AFTER + STANDINGS  # own open tricks then
PROMISE = HELD + PLACES + 1  # its card that is up if they all come in
FUTURE = PROMISE + 4  # what one trick more gains the seat
OPEN_AFTER = FUTURE + WANTS
CAN = OPEN_AFTER + PLACES + 1  # what the other cards of the hand could do then
OUTLOOK = CAN + 4 * 2 * FEW
OUTLOOK_FINE = OUTLOOK + COARSE

# Inputs of an order of scoring cards.
ORDER = OUTLOOK_FINE + FINE
ORDER_POWER = ORDER + 6
ORDER_STRONG = ORDER_POWER + 6 * 16
ORDER_WEAK = ORDER_STRONG + 6 * 8
ORDER_TABLE = ORDER_WEAK + 6 * 8
SIZE = ORDER_TABLE + 6 * (SEATS + 1)

# Facts for the moves.
OWN_ORDER = 0
RANK = 0  # by colour, from 1 on: its new name
TOP = 5  # by place: the best card, 0 where no trick is open
OWNER = 9
NAMED = 13  # its slot
HOLD = 17  # how likely the owner gets it
GAIN = 21  # by seat: the level of what one more trick is worth
LOW = 26  # unseen cards
HIGH = 27
CARDS_LEFT = 28  # in all hands
SITUATION = 29  # 0, or which of the seat's scoring cards is up
OWNED = 30  # places of own tricks
WEAK_COUNT = 31
WORTH = 32  # by situation
IN_HAND = 36  # cards in deck order, above them how much each can do
STRONG_COUNT = 48  # three counts
WANT = 51  # its gain, 0 to 4
PLAYED = 52  # the card or the order of a move
PLACE = 53
KIND = 54
BEST = 55  # the best card of the trick then
TAKER = 56  # its seat
LACKING = 57  # how many cards the trick lacks then
HUNGRY = 58  # whether another trick is good then
OPENED = 59  # how many tricks are open then
POWER = 60  # what all cards of the hand can do


class StichlingFeatures(Features):
    """The inputs of Stichling."""

    def __init__(self, game: Stichling) -> None:
        Features.__init__(self, game)
        self.rules = game
        self.size = SIZE
        self.highest = 3 * game.seats
        self.tactics = StichlingTactics(game)

    # -- The position ------------------------------------------------------------------------------

    def position(self, state: State, seat: int, facts: list[int], inputs: list[int]) -> None:
        """Turn on hand, unseen cards, open tricks and scoring cards."""
        facts[LOW] = self.tactics.unseen(state, seat, 0)
        facts[HIGH] = self.tactics.unseen(state, seat, 1)
        self.rename(state, seat, facts)
        self.cards(state, seat, facts, inputs)
        self.weigh_hand(state, seat, facts, inputs)
        self.on(inputs, TABLE + self.rules.seats)
        self.on(inputs, STARTER + self.relative(seat, state.starter))
        if self.rules.whole_hand:
            self.on(inputs, STRICT)
        if state.phase != CHOOSE:
            self.own_scoring(state, seat, facts, inputs)
            self.others(state, seat, facts, inputs)
            self.survey(state, seat, facts)
            self.tricks(state, seat, facts, inputs)

    def rename(self, state: State, seat: int, facts: list[int]) -> None:
        """Name colours: most cards of the hand first, then the highest, then by unseen cards."""
        for colour in range(FIRST_SUIT, FIRST_SUIT + SUITS):
            facts[RANK + colour] = 0
            for other in range(FIRST_SUIT, colour):
                before = self.weight(state, seat, facts, colour)
                if before > self.weight(state, seat, facts, other):
                    facts[RANK + other] += 1
                else:
                    facts[RANK + colour] += 1

    def weight(self, state: State, seat: int, facts: list[int], colour: int) -> int:
        """Return a number by which colours are named, the largest first."""
        own = state.colour(seat, colour)
        return (Bits.count(own) << 16 | own) << 16 | values_in(facts[LOW], facts[HIGH], colour)

    def cards(self, state: State, seat: int, facts: list[int], inputs: list[int]) -> None:
        """Turn on hand and unseen cards, and how many are left."""
        for colour in range(FIRST_SUIT, FIRST_SUIT + SUITS):
            others = values_in(facts[LOW], facts[HIGH], colour)
            at = VALUES * facts[RANK + colour]
            self.from_top(inputs, HAND + at, state.colour(seat, colour))
            self.from_top(inputs, UNSEEN + at, others)
        left = 0
        for other in range(self.rules.seats):
            left += state.hand_size[other]
        facts[CARDS_LEFT] = left
        self.one_of(inputs, ALL_LEFT, left, 20)
        self.up_to(inputs, LEFT, state.hand_size[seat], HELD_MOST)

    def from_top(self, inputs: list[int], first: int, values: int) -> None:
        """Turn an input on for each of these values, counted from the highest of the deck."""
        while values:
            self.on(inputs, first + self.highest - Bits.lowest(values))
            values &= values - 1

    def weigh_hand(self, state: State, seat: int, facts: list[int], inputs: list[int]) -> None:
        """List the hand with what each card can do; turn on how many are strong or weak."""
        size = 0
        share = ONE
        rest = state.hand_size[seat] - 1
        if state.phase != CHOOSE:
            share = ONE * rest // (rest + TOO_LATE)
        facts[POWER] = 0
        facts[WEAK_COUNT] = 0
        for at in range(3):
            facts[STRONG_COUNT + at] = 0
        for colour in range(FIRST_SUIT, FIRST_SUIT + SUITS):
            values = state.colour(seat, colour)
            others = values_in(facts[LOW], facts[HIGH], colour)
            while values:
                value = Bits.lowest(values)
                values &= values - 1
                above = Bits.count(others >> value)
                rank = self.rank(others, value)
                power = (rank * rank >> 10) * share >> 10
                facts[IN_HAND + size] = power << 7 | card_at(colour, value)
                facts[POWER] += power
                size += 1
                for at in range(3):
                    facts[STRONG_COUNT + at] += above <= at + at // 2
                facts[WEAK_COUNT] += above >= Bits.count(others) - 2
        for at in range(3):
            self.up_to(inputs, STRONG + HELD_MOST * at, facts[STRONG_COUNT + at], HELD_MOST)
        self.up_to(inputs, WEAK, facts[WEAK_COUNT], HELD_MOST)

    def rank(self, others: int, value: int) -> int:
        """Return the share of the unseen cards of its colour that a value beats."""
        if others == 0:
            return ONE
        return ONE - ONE * Bits.count(others >> value) // Bits.count(others)

    # -- Scoring cards -----------------------------------------------------------------------------

    def scoring(self, state: State, seat: int, at: int) -> int:
        """Return a scoring card as in the first round; it or the two others must be known."""
        if at == 2:
            return 6 - self.scoring(state, seat, 0) - self.scoring(state, seat, 1)
        return state.choice[choice_slot(seat, at)] // state.round

    def order_of(self, state: State, seat: int) -> int:
        """Return the number of a seat's order, of which at least two cards must be known."""
        larger = self.scoring(state, seat, 1) > self.scoring(state, seat, 2)
        return 2 * (self.scoring(state, seat, 0) - 1) + larger

    def situation(self, tricks: int) -> int:
        """Return 0 without a trick, else which scoring card is up, from 1 on."""
        if tricks == 0:
            return 0
        return (tricks - 1) % 3 + 1

    def own_scoring(self, state: State, seat: int, facts: list[int], inputs: list[int]) -> None:
        """Turn on the seat's scoring cards and note what each situation is worth."""
        facts[WORTH] = 0
        for at in range(3):
            facts[WORTH + 1 + at] = self.scoring(state, seat, at)
        now = self.situation(state.tricks_won[seat])
        gain = facts[WORTH + now % 3 + 1] - facts[WORTH + now]
        facts[OWN_ORDER] = self.order_of(state, seat)
        facts[SITUATION] = now
        facts[WANT] = gain + 2 - (gain > 0)
        self.on(inputs, STANDING + 4 * facts[OWN_ORDER] + now)
        facts[GAIN + seat] = 2 * gain + 4
        self.one_of(inputs, NEXT, facts[GAIN + seat], LEVELS)
        self.up_to(inputs, WON, state.tricks_won[seat], 8)

    def others(self, state: State, seat: int, facts: list[int], inputs: list[int]) -> None:
        """Turn on what the scoring cards of the others show."""
        wanting = 0
        refusing = 0
        for other in range(self.rules.seats):
            if other == seat:
                continue
            who = self.relative(seat, other)
            won = state.tricks_won[other]
            self.up_to(inputs, WON + 8 * who, won, 8)
            shown = 0
            gain = 4  # twice what is expected of three unknown cards
            if won == 1:
                shown = self.scoring(state, other, 0)
                gain = 6 - 3 * shown
            elif won:
                at = (won - 1) % 3
                shown = 4 + 3 * self.order_of(state, other) + at
                up = self.scoring(state, other, at)
                gain = 2 * (self.scoring(state, other, won % 3) - up)
            wanting += gain > 0
            refusing += gain < 0
            facts[GAIN + other] = gain + 4
            self.on(inputs, SHOWING + SHOWN * (who - 1) + shown)
            self.one_of(inputs, NEXT + LEVELS * who, gain + 4, LEVELS)
            for colour in range(FIRST_SUIT, FIRST_SUIT + SUITS):
                if has(state.voids[other], colour):
                    self.on(inputs, VOID + SUITS * (who - 1) + facts[RANK + colour])
        self.on(inputs, WANTING + wanting)
        self.on(inputs, REFUSING + refusing)

    # -- Open tricks -------------------------------------------------------------------------------

    def survey(self, state: State, seat: int, facts: list[int]) -> None:
        """Note for each trick its best card, its owner and how likely that one gets it."""
        left = facts[CARDS_LEFT] - 1
        facts[OWNED] = 0
        for place in range(PLACES):
            facts[TOP + place] = 0
            facts[OWNER + place] = NOBODY
            size = state.trick_size[place]
            if size:
                best = self.rules.best(state, place)
                card = state.trick_card[best]
                facts[TOP + place] = card
                facts[OWNER + place] = state.trick_seat[best]
                others = values_in(facts[LOW], facts[HIGH], colour_of(card))
                rank = self.rank(others, value_of(card))
                facts[HOLD + place] = self.stays(rank, FULL - size, left)
                if state.trick_seat[best] == seat:
                    facts[OWNED] |= Bits.bit(place)
            facts[NAMED + place] = 0
            for other in range(place):
                before = self.fullness(state, seat, facts, place)
                if before > self.fullness(state, seat, facts, other):
                    facts[NAMED + other] += 1
                else:
                    facts[NAMED + place] += 1

    def fullness(self, state: State, seat: int, facts: list[int], place: int) -> int:
        """Return a number by which tricks are named: by size, owner, colour and best card."""
        if state.trick_size[place] == 0:
            return 0
        who = self.relative(seat, facts[OWNER + place])
        name = facts[RANK + colour_of(facts[TOP + place])]
        weight = (state.trick_size[place] << 3 | 7 - who) << 3 | 7 - name
        return weight << 4 | value_of(facts[TOP + place])

    def tricks(self, state: State, seat: int, facts: list[int], inputs: list[int]) -> None:
        """Turn on the open tricks and who holds how many."""
        self.on(inputs, OPEN_COUNT + Bits.count(state.open_places))
        lying = 0
        for place in range(PLACES):
            lying += state.trick_size[place]
            if state.trick_size[place]:
                facts[PLACE] = place
                self.trick(state, seat, facts, inputs)
        self.on(inputs, LYING + lying)
        for other in range(self.rules.seats):
            count = 0
            for place in range(PLACES):
                count += facts[OWNER + place] == other
            first = HOLDING + PLACES * self.relative(seat, other)
            self.up_to(inputs, first, count, PLACES)

    def trick(self, state: State, seat: int, facts: list[int], inputs: list[int]) -> None:
        """Turn on what an open trick shows."""
        place = facts[PLACE]
        slot = facts[NAMED + place]
        card = facts[TOP + place]
        owner = facts[OWNER + place]
        values = state.colour(seat, colour_of(card))
        over = Bits.count(values >> value_of(card))
        others = values_in(facts[LOW], facts[HIGH], colour_of(card))
        beaten = Bits.count(others >> value_of(card))
        self.on(inputs, TRICK_SIZE + FULL * slot + state.trick_size[place])
        self.on(inputs, TRICK_OWNER + SEATS * slot + self.relative(seat, owner))
        self.on(inputs, TRICK_SUIT + SUITS * slot + facts[RANK + colour_of(card)])
        self.on(inputs, TRICK_TOP + VALUES * slot + self.highest - value_of(card))
        self.on(inputs, TRICK_BEATEN + STEPS * slot + self.step_of(beaten))
        self.on(inputs, TRICK_FILL + STEPS * slot + self.step_of(Bits.count(others) - beaten))
        self.one_of(inputs, TRICK_OVER + 6 * slot, over, 6)
        self.one_of(inputs, TRICK_BELOW + 6 * slot, Bits.count(values) - over, 6)
        self.one_of(inputs, TRICK_GAIN + LEVELS * slot, facts[GAIN + owner], LEVELS)

    # -- Moves -------------------------------------------------------------------------------------

    def move(self, state: State, seat: int, move: int, facts: list[int], inputs: list[int]) -> None:
        """Turn on what a card is and does, or what an order means."""
        if state.phase == CHOOSE:
            facts[PLAYED] = argument_of(move)
            self.order(state, seat, facts, inputs)
            return
        card = facts[PLAYED] = card_of(move)
        place = facts[PLACE] = place_of(move)
        top = facts[TOP + place]
        facts[LACKING] = FULL - 1 - state.trick_size[place]
        facts[KIND] = 0
        if top:
            facts[KIND] = TAKES if card > top else UNDER
            if colour_of(card) != colour_of(top):
                facts[KIND] = THROWN
            facts[KIND] += facts[OWNER + place] == seat
        facts[BEST] = card if facts[KIND] < UNDER else top
        facts[TAKER] = seat if facts[KIND] < UNDER else facts[OWNER + place]
        self.card(state, seat, facts, inputs)
        self.fate(seat, facts, inputs)
        self.after(state, seat, facts, inputs)
        self.rest_of_trick(state, seat, facts, inputs)
        self.other_cards(state, seat, facts, inputs)
        self.show_outlook(inputs, self.outlook(state, seat, facts))

    def card(self, state: State, seat: int, facts: list[int], inputs: list[int]) -> None:
        """Turn on a card, its colour and what the hand loses with it."""
        card = facts[PLAYED]
        value = value_of(card)
        values = state.colour(seat, colour_of(card))
        others = values_in(facts[LOW], facts[HIGH], colour_of(card))
        above = Bits.count(others >> value)
        own_above = Bits.count(values >> (value + 1))
        place = self.highest - value
        self.on(inputs, CARD + VALUES * facts[RANK + colour_of(card)] + place)
        self.on(inputs, PLACE_OF_VALUE + place)
        self.from_top(inputs, OWN_VALUES, values)
        self.from_top(inputs, OTHER_VALUES, others)
        self.on(inputs, ABOVE + self.step_of(above))
        self.on(inputs, BELOW + self.step_of(Bits.count(others) - above))
        self.one_of(inputs, OWN_ABOVE, own_above, 6)
        self.one_of(inputs, OWN_BELOW, Bits.count(values) - own_above - 1, 6)
        for at in range(3):
            count = facts[STRONG_COUNT + at] - (above <= at + at // 2)
            self.one_of(inputs, STRONG_LEFT + HELD_MOST * at, count, HELD_MOST)

    def fate(self, seat: int, facts: list[int], inputs: list[int]) -> None:
        """Turn on who has the trick with this card, and what that means to them."""
        lacking = facts[LACKING]
        taker = facts[TAKER]
        self.on(inputs, SLOT + (facts[NAMED + facts[PLACE]] if facts[KIND] else PLACES))
        self.on(inputs, FATE + (FULL * facts[KIND] + lacking) * WANTS + facts[WANT])
        self.on(inputs, TO_WHOM + FULL * self.relative(seat, taker) + lacking)
        if taker != seat:
            self.on(inputs, GIVEN + LEVELS * lacking + facts[GAIN + taker])
        if facts[KIND] == TAKES:
            gain = facts[GAIN + facts[OWNER + facts[PLACE]]]
            self.on(inputs, DENIED + LEVELS * lacking + gain)

    def after(self, state: State, seat: int, facts: list[int], inputs: list[int]) -> None:
        """Turn on the seat's scoring cards and open tricks after the play."""
        tricks = state.tricks_won[seat]
        held = facts[OWNED] & ~Bits.bit(facts[PLACE])
        if facts[TAKER] == seat and facts[LACKING]:
            held |= Bits.bit(facts[PLACE])
        elif facts[TAKER] == seat:
            tricks += 1
        self.on(inputs, AFTER + 4 * facts[OWN_ORDER] + self.situation(tricks))
        self.on(inputs, HELD + Bits.count(held))
        now = self.situation(tricks + Bits.count(held))
        gain = facts[WORTH + now % 3 + 1] - facts[WORTH + now]
        facts[HUNGRY] = gain > 0
        self.on(inputs, PROMISE + facts[WORTH + now])
        self.on(inputs, FUTURE + gain + 2 - (gain > 0))
        facts[OPENED] = Bits.count(state.open_places) + (facts[KIND] == 0) - (facts[LACKING] == 0)
        self.on(inputs, OPEN_AFTER + facts[OPENED])

    def rest_of_trick(self, state: State, seat: int, facts: list[int], inputs: list[int]) -> None:
        """Turn on how many unseen cards can still beat the trick or fill it."""
        lacking = facts[LACKING]
        wish = 2 * (facts[TAKER] != seat) + (facts[GAIN + facts[TAKER]] > 4)
        late = min(facts[CARDS_LEFT] - 1, LATE - 1)
        self.on(inputs, TIME + (FULL * wish + lacking) * LATE + late)
        if lacking == 0:
            return
        led = colour_of(facts[BEST])
        others = values_in(facts[LOW], facts[HIGH], led)
        beating = Bits.count(others >> value_of(facts[BEST]))
        filling = Bits.count(others) - beating
        if facts[OPENED] == PLACES:
            for colour in range(FIRST_SUIT, FIRST_SUIT + SUITS):
                if colour != led and state.numbers[self.rules.led_places + colour] == 0:
                    filling += Bits.count(values_in(facts[LOW], facts[HIGH], colour))
        at = STEPS * (lacking - 1)
        if facts[TAKER] != seat:
            at += STEPS * (FULL - 1)
        self.on(inputs, BEATEN + at + self.step_of(beating))
        self.on(inputs, FILLED + at + self.step_of(filling))

    def other_cards(self, state: State, seat: int, facts: list[int], inputs: list[int]) -> None:
        """Turn on how many other cards could take, win at once, duck or fill a trick then."""
        counts = [0] * 4
        for colour in range(FIRST_SUIT, FIRST_SUIT + SUITS):
            values = state.colour(seat, colour)
            if colour == colour_of(facts[PLAYED]):
                values &= ~Bits.bit(value_of(facts[PLAYED]))
            taking = 0
            winning = 0
            ducking = 0
            filling = 0
            for place in range(PLACES):
                here = place == facts[PLACE]
                size = state.trick_size[place] + here
                top = facts[BEST] if here else facts[TOP + place]
                if size % FULL == 0 or colour_of(top) != colour:
                    continue
                over = values >> value_of(top) << value_of(top)
                if (facts[TAKER] if here else facts[OWNER + place]) != seat:
                    taking |= over
                    ducking |= values & ~over
                    winning |= over if size == FULL - 1 else 0
                elif size == FULL - 1:
                    filling |= values
            counts[0] += Bits.count(taking)
            counts[1] += Bits.count(winning)
            counts[2] += Bits.count(ducking)
            counts[3] += Bits.count(filling)
        for at in range(4):
            self.one_of(inputs, CAN + FEW * (2 * at + facts[HUNGRY]), counts[at], FEW)

    def step_of(self, count: int) -> int:
        """Return the step of a count: fine for few, coarse for many."""
        if count < 9:
            return count
        return min(9 + (count - 9) // 2, STEPS - 1)

    # -- The outlook of the tactics without a net --------------------------------------------------

    def outlook(self, state: State, seat: int, facts: list[int]) -> int:
        """Return what the seat's scoring cards promise after the play."""
        values = [0] * 4
        for at in range(4):
            values[at] = ONE * facts[WORTH + at]
        self.add_cards(facts, state.hand_size[seat], facts[PLAYED], values)
        for place in range(PLACES):
            if place != facts[PLACE] and has(facts[OWNED], place):
                self.add_trick(values, facts[HOLD + place], facts[HOLD + place])
        if facts[TAKER] == seat:
            others = values_in(facts[LOW], facts[HIGH], colour_of(facts[BEST]))
            rank = self.rank(others, value_of(facts[BEST]))
            chance = self.stays(rank, facts[LACKING], facts[CARDS_LEFT] - 1)
            self.add_trick(values, chance, chance)
        return values[facts[SITUATION]]

    def add_cards(self, facts: list[int], size: int, without: int, values: list[int]) -> None:
        """Account for the hand: each card wins a trick where that is good, else avoids one."""
        for at in range(size):
            power = facts[IN_HAND + at] >> 7
            if card_of(facts[IN_HAND + at]) != without:
                self.add_trick(values, power >> 1, power * TAKE >> 10)

    def add_trick(self, values: list[int], stuck: int, wanted: int) -> None:
        """Account for a trick, with its probabilities if it is unwelcome and if it is wanted."""
        first = values[1]
        for at in range(4):
            gain = (values[at + 1] if at < 3 else first) - values[at]
            values[at] += (wanted if gain > 0 else stuck) * gain >> 10

    def stays(self, rank: int, lacking: int, left: int) -> int:
        """Return the probability that a trick fills up while a card of this rank is its best."""
        if lacking == 0:
            return ONE
        if lacking > left:
            return 0
        chance = max(ONE - UNFINISHED * lacking // (left + 1), 0)
        for _ in range(lacking):
            chance = chance * (ONE - (OVERTAKEN * (ONE - rank) >> 10)) >> 10
        return chance

    def show_outlook(self, inputs: list[int], outlook: int) -> None:
        """Turn an outlook on, coarsely and finely."""
        outlook += ONE // 21  # no whole value is near the border of a step
        self.up_to(inputs, OUTLOOK, outlook * COARSE // (3 * ONE), COARSE)
        self.one_of(inputs, OUTLOOK_FINE, outlook * FINE // (3 * ONE), FINE)

    # -- The order of the scoring cards ------------------------------------------------------------

    def order(self, state: State, seat: int, facts: list[int], inputs: list[int]) -> None:
        """Turn on an order with the shape of the hand."""
        order = facts[PLAYED]
        values = [0] * 4
        for at in range(3):
            values[at + 1] = ONE * self.rules.orders[3 * order + at]
        self.add_cards(facts, state.hand_size[seat], 0, values)
        self.show_outlook(inputs, values[0])
        self.on(inputs, ORDER + order)
        self.one_of(inputs, ORDER_POWER + 16 * order, (facts[POWER] >> 9) - 1, 16)
        self.one_of(inputs, ORDER_STRONG + 8 * order, facts[STRONG_COUNT + 1], 8)
        self.one_of(inputs, ORDER_WEAK + 8 * order, facts[WEAK_COUNT], 8)
        self.on(inputs, ORDER_TABLE + (SEATS + 1) * order + self.rules.seats)
