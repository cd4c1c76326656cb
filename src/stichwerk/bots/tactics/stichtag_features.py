"""What a net sees of Stichtag, on every date.

The sheets in play are inputs, and the sheets answer what wins and what counts, as they do for the
tactics. The same play is good or bad by the aim of the seat: to take points, to avoid them, to come
to a number, to stay at it. Inputs of a play that depend on it exist once for each aim.

Colours are renamed: trump, the led colour, then those that the seat holds most of. A number is seen
as its height: 0 is the strongest of a colour, also where the lowest wins. Other seats are counted
in the direction of play.
"""

from stichwerk.bots.nets.features import Features
from stichwerk.bots.nets.inputs import OWN
from stichwerk.bots.tactics.stichtag import StichtagTactics
from stichwerk.engine.codes import (
    argument_of,
    card_of,
    colour_of,
    half_slot,
    has,
    place_of,
    value_of,
    values_in,
)
from stichwerk.engine.constants import COLOURS, NOBODY, NONE, PLAY
from stichwerk.engine.machine import Bits
from stichwerk.engine.state import State
from stichwerk.games.stichtag.calendar import SHEETS, find_sheet
from stichwerk.games.stichtag.course import Course
from stichwerk.games.stichtag.sheet import (
    ACCEPT_POINTS,
    BID,
    GIVE_TO,
    NAME_TRUMP,
    PART_WITH,
    STRIKE_PLAY,
)
from stichwerk.games.stichtag.storage import CARRIED_TRICKS, NAMED, STRUCK

SEATS, RIVALS = 5, 4
PHASES = 9
NAMES = 8  # of colours: trump, led, others
HEIGHTS = 12
UNIT = 16  # fractions of a point are counted in these
NEAR = 24  # an exact number so far above the hand's promise is in reach, in units
GAPS, GAP = 13, 6  # differences of points, from -6 on
NEEDS = 8  # what another seat needs, from -1 on
HOPES = 16  # what a hand promises, in halves
MISSING = 26  # what a hand promises too little, in halves from -6 on
WORTHS = 16  # what a trick is worth, in halves from -2 on
CHANCES, EXPECTED, JUDGED = 14, 16, 16
RANKS = 8  # how many unseen cards of its colour beat a card

# Aims.
TAKE, AVOID, COME_TO, STAY_AT, AIMS = 0, 1, 2, 3, 4

# Inputs of a position.
SHEET = OWN
TABLE = SHEET + 26  # from 3 seats on
PHASE = TABLE + 3
HAND = PHASE + PHASES  # of a seat that wants tricks, of one that does not
UNSEEN = HAND + 2 * NAMES * HEIGHTS
SET_ASIDE = UNSEEN + NAMES * HEIGHTS
PLAYED_NAME = SET_ASIDE + NAMES * 3  # by seat
PLAYED_HEIGHT = PLAYED_NAME + SEATS * NAMES
PLAYED_SYMBOL = PLAYED_HEIGHT + SEATS * HEIGHTS
PLAYED_PAIR, WINNING = PLAYED_SYMBOL + SEATS, PLAYED_SYMBOL + 2 * SEATS
WINNING_HEIGHT = WINNING + SEATS  # outside trump, trump
LYING = WINNING_HEIGHT + 2 * HEIGHTS
LEADER = LYING + SEATS + 1
LED = LEADER + SEATS
TURNED = LED + 2  # usually, then in this trick
HAS_TRUMP, SYMBOLS = TURNED + 8, TURNED + 9  # in hand, unseen, in the trick
RED_SYMBOLS = SYMBOLS + 8 + 12 + 4  # in hand, in the trick
LEFT = RED_SYMBOLS + 6 + 1
SIZES = LEFT + 13  # by other seat: cards in hand
ASIDES = SIZES + RIVALS * 14
AIM = ASIDES + SEATS * 7
NEED = AIM + AIMS
NEEDED = NEED + 16  # by other seat
HOPED = NEEDED + RIVALS * NEEDS
SHORT = HOPED + 2 * HOPES
POINTS, TRICKS = SHORT + MISSING, SHORT + MISSING + 16
DISTANCE = TRICKS + 13  # by other seat
BEHIND, AHEAD = [DISTANCE + (RIVALS + at) * GAPS for at in range(2)]
VOIDS = AHEAD + GAPS
PARTNER, BARRED, ASKED = [VOIDS + RIVALS * NAMES + SEATS * at for at in range(3)]
MASTERS = ASKED + SEATS  # outside trump, trump: beaten by none, by one, by two
CARRIED = MASTERS + 2 * 2 * 3 * 4

# Inputs of a play.
VALUE = CARRIED + 6
OWN_VALUES, OTHER_VALUES = VALUE + HEIGHTS, VALUE + 2 * HEIGHTS
RANK = OTHER_VALUES + HEIGHTS  # by aim and trump
UNSEEN_LEFT = RANK + AIMS * 2 * RANKS  # by aim: of its colour
KEPT = UNSEEN_LEFT + AIMS * 4  # by aim: of its colour in hand
MANNER = KEPT + AIMS * 6  # by aim: leads, leads trump, follows, trumps, or throws off
CHANCE = MANNER + AIMS * 5 * HEIGHTS
FATE = CHANCE + AIMS * CHANCES  # by aim and seats to come: may win, cannot
GAIN = FATE + AIMS * 2 * SEATS
EXPECTS = GAIN + AIMS * WORTHS
JUDGEMENT = EXPECTS + AIMS * EXPECTED
SYMBOL = JUDGEMENT + AIMS * JUDGED  # by aim: may win, cannot
RED_SYMBOL = SYMBOL + AIMS * 2 * 3
LOST_TO = RED_SYMBOL + AIMS  # by aim
GIVEN = LOST_TO + AIMS * SEATS
RIVAL = GIVEN + WORTHS  # points of the winner above the seat's
RIVAL_NEED = RIVAL + GAPS
SPARED = RIVAL_NEED + NEEDS
MATE, STAYS, TURNS = SPARED + 2, SPARED + 3, SPARED + 4
NEXT_LEAD = SPARED + 5  # by aim
PAIR = NEXT_LEAD + AIMS * SEATS
SUM = PAIR + AIMS

# Inputs of choices.
BIDS = SUM + 24
BID_SHORT = BIDS + 13
ACCEPTS = BID_SHORT + MISSING
STRIKES = ACCEPTS + 2 * 12
STRUCK_FOR = STRIKES + SEATS + 1  # by aim: who wins then
PRIZE = STRUCK_FOR + AIMS * SEATS
GIVES = PRIZE + WORTHS
GIVES_AHEAD = GIVES + SEATS  # by aim
GIVES_MATE = GIVES_AHEAD + AIMS * GAPS
PARTS = GIVES_MATE + 1  # trump or not
PARTS_RANK = PARTS + 2 * HEIGHTS
PARTS_KEPT = PARTS_RANK + AIMS * RANKS
PARTS_SYMBOL = PARTS_KEPT + AIMS * 6
TRUMP_COUNT = PARTS_SYMBOL + 1
TRUMP_HOPED = TRUMP_COUNT + 8
SIZE = TRUMP_HOPED + HOPES

# Facts for the moves.
NAME = 0  # by colour
LOW, HIGH = 6, 7  # unseen cards
TRUMP, USUAL = 8, 9  # the trump; where the lowest number usually wins
GOAL, WANTED = 10, 11  # the aim; an exact number in reach, or NONE
PROMISED, SCORE = 12, 13  # what the hand promises, in units; points so far
FOLLOW = 14  # the led colour, or NONE
COUNT, OTHERS, ABOVE = 15, 16, 17  # of a move's colour: in hand, unseen, those above its card


class StichtagFeatures(Features):
    """The inputs of Stichtag."""

    def __init__(self, game: Course) -> None:
        Features.__init__(self, game)
        self.rules = game
        self.size = SIZE
        self.tactics = StichtagTactics(game)
        self.top = max([value_of(code) for code in game.deck.codes])
        places = list(SHEETS)
        rules = [find_sheet(name, game.version).rule for name in game.sheet_names]
        self.sheets = sum([1 << places.index(rule) for rule in rules if rule])

    # -- Numbers -----------------------------------------------------------------------------------

    def units(self, number: float) -> int:
        """Return a number below 128 in whole units, towards zero."""
        if number < 0.0:
            return -self.units(-number)
        found = 0
        weight = 64 * UNIT
        part = 64.0
        while weight:
            if number >= part:
                number -= part
                found += weight
            part *= 0.5
            weight >>= 1
        return found

    def height(self, number: int, lowest: bool) -> int:
        """Return how far a number is from the strongest; pairs have numbers up to twice the top."""
        if self.rules.pairs:
            return number // 2 if lowest else (2 * self.top - number) // 2
        return number if lowest else self.top - number

    def heights(self, inputs: list[int], first: int, values: int, lowest: bool) -> None:
        """Turn on the height of each of these single cards."""
        while values:
            value = Bits.lowest(values)
            values &= values - 1
            self.on(inputs, first + (value if lowest else self.top - value))

    def place(self, state: State, seat: int, other: int) -> int:
        """Return how many seats further on the other one plays."""
        steps = self.relative(seat, other)
        if state.direction < 0 and steps:
            return self.rules.seats - steps
        return steps

    # -- The position ------------------------------------------------------------------------------

    def position(self, state: State, seat: int, facts: list[int], inputs: list[int]) -> None:
        """Turn on sheets, cards, trick, aim and what is public of the other seats."""
        self.each(inputs, SHEET, self.sheets)
        self.one_of(inputs, TABLE, self.rules.seats - 3, 3)
        self.one_of(inputs, PHASE, state.phase, PHASES)
        self.prepare(state, seat, facts)
        self.cards(state, seat, facts, inputs)
        self.goal(state, seat, facts, inputs)
        self.trick(state, seat, facts, inputs)
        self.others(state, seat, facts, inputs)

    def prepare(self, state: State, seat: int, facts: list[int]) -> None:
        """Note names of colours, unseen cards and the aim."""
        facts[LOW] = self.tactics.unseen(state, seat, 0)
        facts[HIGH] = self.tactics.unseen(state, seat, 1)
        facts[TRUMP] = self.rules.red.trump(state)
        facts[FOLLOW] = self.rules.led_colour(state)
        facts[USUAL] = self.tactics.usually_turned(state)
        facts[SCORE] = self.tactics.points_so_far(state, seat)
        self.rename(state, seat, facts)
        facts[PROMISED] = self.promised(state, seat, facts, facts[TRUMP])
        wanted = self.tactics.wanted(state, seat)
        if self.tactics.exact_total and UNIT * wanted > facts[PROMISED] + NEAR:
            wanted = NONE  # then every point helps
        facts[WANTED] = wanted
        if wanted != NONE:
            facts[GOAL] = COME_TO if wanted > 0 else STAY_AT
        else:
            facts[GOAL] = TAKE if self.tactics.aim(state, seat) > 0 else AVOID

    def promised(self, state: State, seat: int, facts: list[int], trump: int) -> int:
        """Return how many tricks the hand promises with this trump, in units."""
        hoped = self.tactics.hand_promise(state, seat, facts[LOW], facts[HIGH], trump)
        return self.units(hoped)

    def rename(self, state: State, seat: int, facts: list[int]) -> None:
        """Give every colour its new name."""
        for colour in range(COLOURS):
            facts[NAME + colour] = NOBODY
        trump = facts[TRUMP]
        led = facts[FOLLOW]
        left = COLOURS
        if trump != NONE:
            facts[NAME + trump] = 0
            left -= 1
        if led != NONE and led != trump:
            facts[NAME + led] = 1
            left -= 1
        for name in range(2, 2 + left):
            most = -1
            found = 0
            for colour in range(COLOURS):
                if facts[NAME + colour] == NOBODY:
                    values = state.colour(seat, colour)
                    count = Bits.count(values) << 16 | values
                    if count > most:
                        most = count
                        found = colour
            facts[NAME + found] = name

    def cards(self, state: State, seat: int, facts: list[int], inputs: list[int]) -> None:
        """Turn on own and unseen cards, and how many carry a symbol."""
        trump = facts[TRUMP]
        shy = 1 if facts[GOAL] == AVOID or facts[GOAL] == STAY_AT else 0
        symbols, red_symbols, unseen = 0, 0, 0
        masters = 0  # by rank, trump or not: in four bits each
        for colour in range(COLOURS):
            name = facts[NAME + colour]
            lowest = self.tactics.lowest_in(facts[USUAL], colour, trump)
            values = state.colour(seat, colour)
            others = values_in(facts[LOW], facts[HIGH], colour)
            self.heights(inputs, HAND + HEIGHTS * (NAMES * shy + name), values, lowest)
            self.heights(inputs, UNSEEN + HEIGHTS * name, others, lowest)
            masters += self.masters(values, others, lowest) << (12 if colour == trump else 0)
            symbols += Bits.count(values & self.rules.month.symbol)
            red_symbols += Bits.count(values & self.rules.red.symbol)
            unseen += Bits.count(others & self.rules.month.symbol)
            if self.rules.sets_aside:
                aside = values_in(
                    state.aside[half_slot(seat, 0)], state.aside[half_slot(seat, 1)], colour
                )
                self.up_to(inputs, SET_ASIDE + 3 * name, Bits.count(aside), 3)
        self.up_to(inputs, HOPED + HOPES * shy, 2 * facts[PROMISED] // UNIT, HOPES)
        for at in range(6):
            self.up_to(inputs, MASTERS + 4 * (6 * shy + at), masters >> (4 * at) & 15, 4)
        self.up_to(inputs, SYMBOLS, symbols, 8)
        self.up_to(inputs, SYMBOLS + 8, unseen, 12)
        self.up_to(inputs, SYMBOLS + 20, self.rules.month.symbols(state), 4)
        self.up_to(inputs, RED_SYMBOLS, red_symbols, 6)
        if self.rules.red.symbols(state):
            self.on(inputs, RED_SYMBOLS + 6)
        if trump != NONE:
            self.on(inputs, HAS_TRUMP)
        self.on(inputs, TURNED + facts[USUAL])
        self.up_to(inputs, LEFT, self.tactics.left(state, seat), 13)

    def masters(self, values: int, others: int, lowest: bool) -> int:
        """Count how many values none, one and two of the others beat: in four bits each."""
        found = 0
        while values:
            rank = self.tactics.better(others, Bits.lowest(values), lowest)
            values &= values - 1
            if rank < 3:
                found += 1 << 4 * rank
        return found

    def goal(self, state: State, seat: int, facts: list[int], inputs: list[int]) -> None:
        """Turn on the aim, and what the hand promises for it."""
        self.on(inputs, AIM + facts[GOAL])
        if facts[WANTED] != NONE:
            self.one_of(inputs, NEED, facts[WANTED] + 2, 16)
            short = UNIT * facts[WANTED] - facts[PROMISED]
            self.one_of(inputs, SHORT, (short + 6 * UNIT) * 2 // UNIT, MISSING)
        self.up_to(inputs, POINTS, facts[SCORE], 16)
        self.up_to(inputs, TRICKS, state.tricks_won[seat], 13)
        self.up_to(inputs, CARRIED, state.numbers[CARRIED_TRICKS], 6)

    def trick(self, state: State, seat: int, facts: list[int], inputs: list[int]) -> None:
        """Turn on the plays of the trick, and which of them would win it."""
        size = state.trick_size[0]
        self.on(inputs, LYING + size)
        self.on(inputs, LEADER + self.place(state, seat, state.leader))
        if facts[FOLLOW] != NONE:
            self.on(inputs, LED + facts[NAME + facts[FOLLOW]])
        if size == 0:
            return
        turned = self.rules.turned(state)
        self.on(inputs, TURNED + 4 + turned)
        winner = self.rules.trick_winner(state)
        for play in range(size):
            who = self.place(state, seat, state.trick_seat[play])
            colour = colour_of(state.trick_card[play])
            lowest = self.tactics.lowest_in(turned, colour, facts[TRUMP])
            height = self.height(self.rules.red.number(state, play), lowest)
            self.on(inputs, PLAYED_NAME + NAMES * who + facts[NAME + colour])
            self.one_of(inputs, PLAYED_HEIGHT + HEIGHTS * who, height, HEIGHTS)
            if self.rules.month.symbols_of(state, play):
                self.on(inputs, PLAYED_SYMBOL + who)
            if state.second[play] != NONE:
                self.on(inputs, PLAYED_PAIR + who)
            if play == winner:
                self.on(inputs, WINNING + who)
                first = WINNING_HEIGHT + (HEIGHTS if colour == facts[TRUMP] else 0)
                self.one_of(inputs, first, height, HEIGHTS)

    def others(self, state: State, seat: int, facts: list[int], inputs: list[int]) -> None:
        """Turn on what is public of each seat, and the seat's partner."""
        most, fewest = -GAP, GAP
        phase, owes, asked = state.phase, state.owes, 0
        if self.rules.red.asks_before_settling(state):  # try who it would be
            asked = state.owes
        state.phase, state.owes = phase, owes
        for other in range(self.rules.seats):
            who = self.place(state, seat, other)
            if self.rules.month.is_barred(state, other):
                self.on(inputs, BARRED + who)
            if has(asked, other):
                self.on(inputs, ASKED + who)
            if self.rules.sets_aside:
                self.one_of(inputs, ASIDES + 7 * who, state.aside_size[other], 7)
            if other == seat:
                continue
            self.one_of(inputs, SIZES + 14 * (who - 1), state.hand_size[other], 14)
            gap = self.tactics.points_so_far(state, other) - facts[SCORE]
            most = max(most, gap)
            fewest = min(fewest, gap)
            self.one_of(inputs, DISTANCE + GAPS * (who - 1), gap + GAP, GAPS)
            need = self.need(state, other)
            if need != NONE:
                self.one_of(inputs, NEEDED + NEEDS * (who - 1), need + 1, NEEDS)
            for colour in range(COLOURS):
                if has(state.voids[other], colour):
                    self.on(inputs, VOIDS + NAMES * (who - 1) + facts[NAME + colour])
        self.one_of(inputs, BEHIND, most + GAP, GAPS)
        self.one_of(inputs, AHEAD, fewest + GAP, GAPS)
        partner = self.rules.red.partner_of(state, seat)
        if partner != NOBODY and partner != NONE:
            self.on(inputs, PARTNER + self.place(state, seat, partner))

    def need(self, state: State, other: int) -> int:
        """Return what a seat needs exactly, as far as all can see; NONE without such a number."""
        if has(self.rules.secret_phases, state.phase):
            return NONE
        tricks = self.rules.red.wanted_tricks(state, other)
        if tricks != NONE:
            return tricks - state.tricks_won[other]
        if self.tactics.exact_total:
            points = self.tactics.points_so_far(state, other)
            return self.tactics.exact_total - state.totals[other] - points
        return NONE

    # -- Plays -------------------------------------------------------------------------------------

    def move(self, state: State, seat: int, move: int, facts: list[int], inputs: list[int]) -> None:
        """Turn on what a play does to the trick, or what a choice means."""
        if state.phase == PLAY:
            self.play(state, seat, move, facts, inputs)
        else:
            self.choice(state, seat, move, facts, inputs)

    def play(self, state: State, seat: int, move: int, facts: list[int], inputs: list[int]) -> None:
        """Lay the cards, look at the trick, take them back."""
        lying = state.trick_size[0]
        card_before, seat_before = state.trick_card[lying], state.trick_seat[lying]
        second_before = state.second[lying]
        turned = self.rules.turned(state)
        card = card_of(move)
        second = self.rules.red.second_of(move) if self.rules.pairs else NONE
        state.trick_card[lying] = card
        state.trick_seat[lying] = seat
        state.second[lying] = second
        state.trick_size[0] = lying + 1
        if self.rules.turned(state) != turned:
            self.on(inputs, TURNS)
        self.card(state, seat, card, facts, inputs)
        if second != NONE:
            self.on(inputs, PAIR + facts[GOAL])
        if self.rules.pairs:
            self.up_to(inputs, SUM, self.rules.red.number(state, lying), 24)
        self.fate(state, seat, facts, inputs)
        state.trick_size[0] = lying
        state.trick_card[lying], state.trick_seat[lying] = card_before, seat_before
        state.second[lying] = second_before

    def held(self, state: State, seat: int, card: int, facts: list[int], inputs: list[int]) -> int:
        """Turn on the other cards of the colour of a card, and note them; return its height."""
        colour = colour_of(card)
        lowest = self.tactics.lowest_in(facts[USUAL], colour, facts[TRUMP])
        values = state.colour(seat, colour)
        others = values_in(facts[LOW], facts[HIGH], colour)
        facts[COUNT] = Bits.count(values)
        facts[OTHERS] = Bits.count(others)
        facts[ABOVE] = self.tactics.better(others, value_of(card), lowest)
        self.heights(inputs, OWN_VALUES, values, lowest)
        self.heights(inputs, OTHER_VALUES, others, lowest)
        self.on(inputs, VALUE + value_of(card))
        return value_of(card) if lowest else self.top - value_of(card)

    def card(self, state: State, seat: int, card: int, facts: list[int], inputs: list[int]) -> None:
        """Turn on what the hand loses with a card, and how it is played."""
        colour = colour_of(card)
        aim = facts[GOAL]
        height = self.held(state, seat, card, facts, inputs)
        first = RANK + 2 * RANKS * aim + (RANKS if colour == facts[TRUMP] else 0)
        self.one_of(inputs, first, facts[ABOVE], RANKS)
        self.one_of(inputs, UNSEEN_LEFT + 4 * aim, facts[OTHERS], 4)
        self.one_of(inputs, KEPT + 6 * aim, facts[COUNT] - 1, 6)
        if self.rules.red.has_symbol(card):
            self.on(inputs, RED_SYMBOL + aim)
        manner = 4
        if facts[FOLLOW] == NONE:
            manner = 1 if colour == facts[TRUMP] else 0
        elif colour == facts[FOLLOW]:
            manner = 2
        elif colour == facts[TRUMP]:
            manner = 3
        self.on(inputs, MANNER + HEIGHTS * (5 * aim + manner) + height)

    def fate(self, state: State, seat: int, facts: list[int], inputs: list[int]) -> None:
        """Turn on what becomes of the trick with the last play, the seat's own."""
        aim = facts[GOAL]
        play = state.trick_size[0] - 1
        left = self.tactics.left(state, seat) - 1
        to_come = self.rules.seats - state.trick_size[0]
        chance = self.tactics.chance(state, seat, facts[TRUMP], facts[LOW], facts[HIGH])
        part = self.units(chance)
        worth = self.units(self.rules.month.trick_worth(state, seat, left))
        symbols = self.rules.month.symbols_of(state, play)
        if chance > 0.0:
            self.on(inputs, CHANCE + CHANCES * aim + 1 + part * 3 // 4)
            self.on(inputs, FATE + 2 * SEATS * aim + to_come)
            self.one_of(inputs, GAIN + WORTHS * aim, (worth + 2 * UNIT) * 2 // UNIT, WORTHS)
            expected = (worth * part + UNIT * UNIT) // (5 * UNIT)
            self.one_of(inputs, EXPECTS + EXPECTED * aim, expected, EXPECTED)
            self.one_of(inputs, SYMBOL + 6 * aim, symbols, 3)
        else:
            self.on(inputs, CHANCE + CHANCES * aim)
            self.on(inputs, FATE + 2 * SEATS * aim + SEATS + to_come)
            self.one_of(inputs, SYMBOL + 6 * aim + 3, symbols, 3)
            self.up_to(inputs, SPARED, self.rules.month.given_points(state, play), 2)
            if state.numbers[NAMED] == NONE:
                self.lost(state, seat, left, facts, inputs)
        self.judge(state, seat, chance, left, facts, inputs)
        if to_come == 0:
            winner = self.rules.trick_winner(state)
            if winner != NOBODY:
                leads = self.rules.month.leader(state, state.trick_seat[winner])
                self.on(inputs, NEXT_LEAD + SEATS * aim + self.place(state, seat, leads))
        if self.rules.month.stays(state):
            self.on(inputs, STAYS)

    def lost(self, state: State, seat: int, left: int, facts: list[int], inputs: list[int]) -> None:
        """Turn on who has the trick now instead, and what that seat gains."""
        play = self.rules.trick_winner(state)
        if play == NOBODY or state.trick_seat[play] == seat:
            return
        winner = state.trick_seat[play]
        self.on(inputs, LOST_TO + SEATS * facts[GOAL] + self.place(state, seat, winner))
        worth = self.units(self.rules.month.trick_worth(state, winner, left))
        self.one_of(inputs, GIVEN, (worth + 2 * UNIT) * 2 // UNIT, WORTHS)
        self.rival(state, seat, winner, facts, inputs)

    def rival(
        self, state: State, seat: int, winner: int, facts: list[int], inputs: list[int]
    ) -> None:
        """Turn on how the seat that has the trick stands, and whether it is the partner."""
        gap = self.tactics.points_so_far(state, winner) - facts[SCORE]
        self.one_of(inputs, RIVAL, gap + GAP, GAPS)
        need = self.need(state, winner)
        if need != NONE:
            self.one_of(inputs, RIVAL_NEED, need + 1, NEEDS)
        if self.rules.red.partner_of(state, seat) == winner:
            self.on(inputs, MATE)

    def judge(
        self, state: State, seat: int, chance: float, left: int, facts: list[int], inputs: list[int]
    ) -> None:
        """Turn on how the tactics judge the last play, the seat's own."""
        play = state.trick_size[0] - 1
        card = state.trick_card[play]
        second = state.second[play]
        low, high, trump, turned = facts[LOW], facts[HIGH], facts[TRUMP], facts[USUAL]
        if facts[WANTED] == NONE:
            worth = self.tactics.free_worth(state, seat, chance, left)
            worth -= self.tactics.price(card, low, high, trump, turned, left)
            if second != NONE:
                worth -= self.tactics.price(second, low, high, trump, turned, left)
            if facts[GOAL] == AVOID:
                worth = -worth
        else:
            after = facts[PROMISED] / (1.0 * UNIT)
            after -= self.tactics.promise(card, low, high, trump, turned)
            if second != NONE:
                after -= self.tactics.promise(second, low, high, trump, turned)
            worth = self.tactics.exact_worth(state, seat, chance, left, facts[WANTED] - after)
        step = (self.units(worth) + 4 * UNIT) // 6
        self.one_of(inputs, JUDGEMENT + JUDGED * facts[GOAL], step, JUDGED)

    # -- Choices -----------------------------------------------------------------------------------

    def choice(
        self, state: State, seat: int, move: int, facts: list[int], inputs: list[int]
    ) -> None:
        """Turn on what a choice is about."""
        manner = self.tactics.manners[state.phase]
        if manner == BID:
            tricks = argument_of(move)
            self.one_of(inputs, BIDS, tricks, 13)
            short = UNIT * tricks - facts[PROMISED]
            self.one_of(inputs, BID_SHORT, (short + 6 * UNIT) * 2 // UNIT, MISSING)
        elif manner == ACCEPT_POINTS:
            above = state.totals[seat] + facts[SCORE] - self.tactics.exact_total
            first = ACCEPTS + (12 if argument_of(move) else 0)
            self.one_of(inputs, first, above + 8, 12)
        elif manner == STRIKE_PLAY:
            self.strike(state, seat, argument_of(move), facts, inputs)
        elif manner == GIVE_TO:
            other = place_of(move)
            self.on(inputs, GIVES + self.place(state, seat, other))
            gap = self.tactics.points_so_far(state, other) - facts[SCORE]
            self.one_of(inputs, GIVES_AHEAD + GAPS * facts[GOAL], gap + GAP, GAPS)
            if self.rules.red.partner_of(state, seat) == other:
                self.on(inputs, GIVES_MATE)
        elif manner == PART_WITH:
            self.part_with(state, seat, argument_of(move), facts, inputs)
        elif manner == NAME_TRUMP:
            colour = argument_of(move)
            lowest = self.tactics.lowest_in(facts[USUAL], colour, colour)
            self.heights(inputs, OWN_VALUES, state.colour(seat, colour), lowest)
            self.up_to(inputs, TRUMP_COUNT, Bits.count(state.colour(seat, colour)), 8)
            hoped = self.promised(state, seat, facts, colour)
            self.up_to(inputs, TRUMP_HOPED, 2 * hoped // UNIT, HOPES)

    def strike(
        self, state: State, seat: int, target: int, facts: list[int], inputs: list[int]
    ) -> None:
        """Turn on who takes the trick without the play of this seat, NONE for no seat."""
        aim = facts[GOAL]
        for play in range(state.trick_size[0]):
            if state.trick_seat[play] == target:
                state.numbers[STRUCK] = play
        winner = self.rules.trick_winner(state)
        place = SEATS if target == NONE else self.place(state, seat, target)
        self.on(inputs, STRIKES + place)
        if winner != NOBODY:
            taker = state.trick_seat[winner]
            self.on(inputs, STRUCK_FOR + SEATS * aim + self.place(state, seat, taker))
            left = self.tactics.left(state, seat)
            worth = self.units(self.rules.month.trick_worth(state, taker, left))
            self.one_of(inputs, PRIZE, (worth + 2 * UNIT) * 2 // UNIT, WORTHS)
            if taker != seat:
                self.rival(state, seat, taker, facts, inputs)
        state.numbers[STRUCK] = NOBODY

    def part_with(
        self, state: State, seat: int, card: int, facts: list[int], inputs: list[int]
    ) -> None:
        """Turn on what the hand loses with a card that is passed on or discarded."""
        aim = facts[GOAL]
        height = self.held(state, seat, card, facts, inputs)
        first = PARTS + (HEIGHTS if colour_of(card) == facts[TRUMP] else 0)
        self.on(inputs, first + height)
        self.one_of(inputs, PARTS_RANK + RANKS * aim, facts[ABOVE], RANKS)
        self.one_of(inputs, PARTS_KEPT + 6 * aim, facts[COUNT] - 1, 6)
        if self.rules.month.has_symbol(card):
            self.on(inputs, PARTS_SYMBOL)
