"""The course of a round of Stichtag, whatever the date: what the rules are stands on the sheets.

Without a date all three sheets are blank, and a blank sheet holds the base rules.
"""

from collections.abc import Mapping

from stichwerk.cards import Deck
from stichwerk.engine.constants import (
    ALL_COLOURS,
    ASIDE,
    CHOOSE,
    COLOURS,
    DISCARD,
    KIND,
    NOBODY,
    NONE,
    OVER,
    PAIR,
    PASS,
    PLAY,
    RED,
    TAKE,
    VETO,
)
from stichwerk.engine.frame import Game, Moves
from stichwerk.engine.generator import Generator
from stichwerk.engine.machine import Bits
from stichwerk.engine.state import State
from stichwerk.games.options import Value
from stichwerk.games.stichtag.calendar import Sheets, in_place
from stichwerk.games.stichtag.green import Goal
from stichwerk.games.stichtag.sheet import Sheet

OTHER = 64  # strengths: a card that is neither trump nor of the led colour ...
LED = 128
TRUMP = 192
DRAWN_TRUMP, FACE_DOWN, PAIRS, PARTNERS, ODD_LATER = 0, 1, 2, 6, 8  # red sheets
APRIL = 4


def sheet_names(options: Mapping[str, Value]) -> tuple[str, ...]:
    """The sheets in play, by name: those of the date, own ones in place of ours, or those played
    alone.
    """
    date, sheets = options["date"], options["sheets"]
    named = tuple(sheets) if isinstance(sheets, list) else ()
    return in_place(date, named) if isinstance(date, str) else named


class Course(Game):
    """Deal, tricks, points: the part of Stichtag that runs compiled."""

    # -- What is needed --------------------------------------------------------------------------

    def __init__(self, seats: int, options: Mapping[str, Value]) -> None:
        Game.__init__(self, seats, 12, Deck("RYGBLS", 0, 11 if seats == 5 else 9))
        names = sheet_names(options)
        sheets = Sheets(seats, names, Sheet)
        self.sheet_names = names
        self.green = sheets.green
        self.red = sheets.red
        self.month = sheets.month
        self.rounds = options["rounds"]
        self.goal = self.green if isinstance(self.green, Goal) else None
        red, month = self.red.red, self.month.month
        self.at_once = red == FACE_DOWN
        self.pairs = red == PAIRS
        self.odd_later = red == ODD_LATER
        # Where two sheets replace the same part, the month's cross-note settles it.
        self.low_by = self.month if "low" in self.month.replaces else self.red
        drawn = {"trump": red == DRAWN_TRUMP, "partners": red == PARTNERS, "eggs": month == APRIL}
        self.specials = tuple([kind for kind, needed in drawn.items() if needed])
        self.anyone_may_win = not any("win" in sheet.replaces + sheet.extends for sheet in sheets)
        self.blank.trump = RED
        self.blank.struck = NOBODY
        self.blank.named = NONE
        self.blank.veto = NONE
        self.blank.sunstroke = NONE
        self.blank.partners = [NONE] * 6
        self.blank.eggs = [NONE] * 6

    # -- After the deal ----------------------------------------------------------------------------

    def draw_specials(self, state: State, generator: Generator) -> None:
        """Trump, partners and eggs, in this order."""
        self.red.draw(state, generator)
        self.month.draw(state, generator)

    def begin(self, state: State) -> None:
        """What the sheets say, then the starter leads."""
        state.phase = PLAY
        if self.odd_later:
            for seat in range(self.seats):
                self.set_odd_aside(state, seat)
        self.red.after_deal(state)
        self.month.after_deal(state)
        if state.phase == PLAY:
            self.start_play(state)

    def lead(self, state: State, seat: int) -> None:
        """This seat leads; if it has no card, the next in the direction of play that has one."""
        while state.hand_size[seat] == 0:
            seat = self.next_seat(state, seat)
        state.struck = NOBODY
        Game.lead(self, state, seat)

    # -- Red 8: odd cards are set aside ------------------------------------------------------------

    def set_odd_aside(self, state: State, seat: int) -> None:
        """Odd cards leave the hand after the deal; without even ones they come back at once.

        Of a hand that is not known only the numbers change, when they are told.
        """
        for word in range(2):
            mask = state.hands[2 * seat + word]
            while mask:
                card = 64 * word + Bits.lowest(mask)
                mask &= mask - 1
                if card & 1:
                    state.remove(seat, card)
                    self.put_aside(state, seat, card)
        self.after_leaving(state, seat)

    def put_aside(self, state: State, seat: int, card: int) -> None:
        """A card lies face down before its owner and is not in his hand."""
        state.aside[2 * seat + (card >> 6)] |= Bits.bit(card & 63)
        state.aside_size[seat] += 1

    def after_leaving(self, state: State, seat: int) -> None:
        """A card has left the hand: when the last even one is gone, the odd ones are taken up."""
        if self.odd_later and state.hand_size[seat] == 0 and not state.taken_up >> seat & 1:
            state.taken_up |= 1 << seat
            state.voids[seat] = 0
            state.hand_size[seat] = state.aside_size[seat]
            state.aside_size[seat] = 0
            for word in range(2 * seat, 2 * seat + 2):
                state.hands[word] |= state.aside[word]
                state.aside[word] = 0

    def take_in(self, state: State, seat: int, card: int) -> None:
        """A card comes into the hand, or goes aside; NONE is a card that is not known."""
        state.voids[seat] = 0
        state.mixed |= state.taken_up & 1 << seat
        if card == NONE:
            state.hand_size[seat] += 1
        elif self.odd_later and card & 1 and not state.taken_up >> seat & 1:
            self.put_aside(state, seat, card)
        else:
            state.give(seat, card)

    # -- What may be played ------------------------------------------------------------------------

    def led_colour(self, state: State) -> int:
        """The colour to follow; NONE for who leads."""
        if state.trick_size[0]:
            return state.led(0)
        return state.named

    def may_play(self, state: State, seat: int) -> int:
        """The led colour, if the seat has it; otherwise anything."""
        led = self.led_colour(state)
        if led != NONE and state.colour(seat, led):
            return 1 << led
        return ALL_COLOURS

    def legal_plays(self, state: State, seat: int, moves: Moves) -> None:
        """Single cards in deck order; on red 2 then pairs of one colour."""
        Game.legal_plays(self, state, seat, moves)
        if self.pairs:
            colours = self.may_play(state, seat)
            for colour in range(COLOURS):
                if colours >> colour & 1:
                    self.list_pairs(state.colour(seat, colour), 16 * colour, moves)

    def list_pairs(self, values: int, first: int, moves: Moves) -> None:
        """Every two of these values, the lower one first."""
        while values:
            low = Bits.lowest(values)
            values &= values - 1
            others = values
            while others:
                moves.add(PAIR * KIND + first + low + 128 * Bits.lowest(others))
                others &= others - 1

    def legal(self, state: State, seat: int, moves: Moves) -> None:
        """Plays, or the extra choices of a sheet."""
        moves.size = 0
        if state.phase == PLAY:
            self.legal_plays(state, seat, moves)
        elif self.red_asks(state):
            self.red.legal(state, seat, moves)
        elif state.phase != OVER:
            self.month.legal(state, seat, moves)

    def red_asks(self, state: State) -> bool:
        """Whether the choice owed now is the red sheet's; all others are the month's."""
        return state.phase == CHOOSE or state.phase == VETO or state.phase == TAKE

    # -- Playing -----------------------------------------------------------------------------------

    def play_card(self, state: State, seat: int, move: int) -> None:
        """In turn and openly; on red 1 face down, all but the leader at once."""
        if self.at_once:
            self.lay_face_down(state, seat, move)
            return
        self.lay_openly(state, seat, move)
        following = self.next_seat(state, seat)
        while following != state.leader and state.hand_size[following] == 0:
            following = self.next_seat(state, following)
        if following == state.leader:
            self.all_lie(state)
        else:
            state.turn = following
            state.owes = 1 << following

    def lay_openly(self, state: State, seat: int, move: int) -> None:
        """One card or two; who does not follow shows that he has none of the led colour."""
        card = move & 127
        if state.trick_size[0] and card >> 4 != state.led(0):
            state.voids[seat] |= 1 << state.led(0)
        state.remove(seat, card)
        play = state.lay(0, seat, card) - 1
        state.second[play] = NONE
        if move >= PAIR * KIND:
            state.second[play] = (card & 112) + (move >> 7 & 15)
            state.remove(seat, state.second[play])
        self.after_leaving(state, seat)

    def lay_face_down(self, state: State, seat: int, move: int) -> None:
        """The leader names his colour, then all others choose; the last choice turns all up."""
        state.choice[3 * seat] = move
        if state.named == NONE:
            state.named = move >> 4
            state.owes = (1 << self.seats) - 1 & ~(1 << seat)
            return
        state.owes &= ~(1 << seat)
        if state.owes == 0:
            self.turn_up(state)

    def turn_up(self, state: State) -> None:
        """All cards are turned up, in the order clockwise from the leader."""
        seat = state.leader
        state.named = NONE
        for _ in range(self.seats):
            self.lay_openly(state, seat, state.choice[3 * seat])
            state.choice[3 * seat] = NONE
            seat = (seat + 1) % self.seats
        self.all_lie(state)

    def choose(self, state: State, seat: int, move: int) -> None:
        """An extra choice is made; when nobody owes one any more, the round goes on."""
        if self.red_asks(state):
            self.red.choose(state, seat, move)
        else:
            self.month.choose(state, seat, move)
        if state.phase == DISCARD:
            self.after_leaving(state, seat)
        if state.owes == 0:
            self.go_on(state, seat)

    def go_on(self, state: State, seat: int) -> None:
        """What comes after the choice that was owed."""
        phase = state.phase
        state.phase = PLAY
        if phase == CHOOSE:
            self.start_play(state)
        elif phase == VETO:
            self.settle_trick(state)
        elif phase == TAKE:
            self.count_points(state)
        else:
            if phase == PASS:
                self.hand_on(state)
            elif phase == DISCARD:
                self.draw_cards(state, seat)
            self.close_trick(state)

    # -- The trick ---------------------------------------------------------------------------------

    def all_lie(self, state: State) -> None:
        """All cards lie: someone may be asked before the winner is settled."""
        if not self.red.asks_veto(state):
            self.settle_trick(state)

    def trick_winner(self, state: State) -> int:
        """Trump beats the led colour, that the rest; then the number counts, then who was first.

        A card that is neither wins only if no other may.
        """
        low = self.low_by.lowest_wins(state)
        trump = self.red.trump(state)
        led = state.led(0)
        best = NOBODY
        most = 0
        for play in range(state.trick_size[0]):
            if self.anyone_may_win or self.may_win(state, play):
                number = self.red.number(state, play) if self.pairs else state.trick_card[play] & 15
                colour = state.trick_card[play] >> 4
                strength = TRUMP if colour == trump else LED if colour == led else OTHER
                strength += 63 - number if low else number
                if strength > most:
                    most = strength
                    best = play
        return best

    def may_win(self, state: State, play: int) -> bool:
        """Whether no sheet keeps this play from winning."""
        return self.red.may_win(state, play) and self.month.may_win(state, play)

    def settle_trick(self, state: State) -> None:
        """The winner takes the trick, or it stays; then the sheets' effects, in the fixed order."""
        play = self.trick_winner(state)
        winner = state.trick_seat[play]
        state.last_winner = winner
        state.last_trick = 1 if self.few_hold_cards(state) else 0
        state.flip = 0
        if self.month.stays(state):
            self.leave_trick(state)
        else:
            self.take_trick(state, play, winner)
        state.tricks_done += 1
        state.next_leader = self.month.leader(state, winner)
        self.red.after_trick(state, winner)
        self.month.after_trick(state, winner)
        state.sweep(0)
        if state.phase == PLAY:
            self.close_trick(state)

    def few_hold_cards(self, state: State) -> bool:
        """Whether fewer than two seats have cards left: then this was the last trick."""
        holding = 0
        for seat in range(self.seats):
            if state.hand_size[seat]:
                holding += 1
        return holding < 2

    def take_trick(self, state: State, play: int, winner: int) -> None:
        """The trick, and what lies on the table from earlier ones, goes to the winner."""
        for at in range(state.trick_size[0]):
            state.collect(winner, state.trick_card[at])
            if state.second[at] != NONE:
                state.collect(winner, state.second[at])
        for word in range(2):
            state.won[2 * winner + word] |= state.carried[word]
            state.carried[word] = 0
        state.tricks_won[winner] += 1 + state.carried_tricks
        state.carried_tricks = 0

    def leave_trick(self, state: State) -> None:
        """The trick stays on the table."""
        for at in range(state.trick_size[0]):
            self.carry(state, state.trick_card[at])
            if state.second[at] != NONE:
                self.carry(state, state.second[at])
        state.carried_tricks += 1

    def carry(self, state: State, card: int) -> None:
        """One card stays on the table."""
        state.carried[card >> 6] |= Bits.bit(card & 63)

    def hand_on(self, state: State) -> None:
        """February: all give their card to the left, whatever the direction of play.

        First every card leaves, then every card comes in.
        """
        for seat in range(self.seats):
            if state.choice[3 * seat + 1] != NONE:
                state.remove(seat, state.choice[3 * seat + 1])
                self.after_leaving(state, seat)
        for seat in range(self.seats):
            if state.choice[3 * seat + 1] != NONE:
                self.take_in(state, (seat + 1) % self.seats, state.choice[3 * seat + 1])
                state.choice[3 * seat + 1] = NONE

    def draw_cards(self, state: State, seat: int) -> None:
        """August: as many cards from the stock as were discarded."""
        while state.draws:
            card = state.stock[state.stock_top]
            state.stock_top += 1
            state.stock_size -= 1
            state.draws -= 1
            self.take_in(state, seat, card)

    def close_trick(self, state: State) -> None:
        """The switch flips, the direction turns; then the next lead, or the end of the round."""
        self.red.before_lead(state)
        self.month.before_lead(state)
        if state.last_trick:
            self.finish_round(state)
        else:
            self.lead(state, state.next_leader)

    # -- The end of the round ----------------------------------------------------------------------

    def finish_round(self, state: State) -> None:
        """Own points are counted; on red 4 and green 2 someone may be asked first."""
        for seat in range(self.seats):
            state.own[seat] = state.tricks_won[seat] + self.month.own_points(state, seat)
        if not self.red.asks_at_end(state):
            self.count_points(state)

    def count_points(self, state: State) -> None:
        """Own points, then what the red sheet does with them, then the green sheet."""
        for seat in range(self.seats):
            state.points[seat] = state.own[seat]
        self.red.settle_points(state)
        for seat in range(self.seats):
            state.points[seat] = self.green.score(state, seat)
        state.phase = OVER
        state.owes = 0

    # -- Random play and sampling ------------------------------------------------------------------

    def random_play(self, state: State, seat: int, generator: Generator, moves: Moves) -> int:
        """Without pairs as in every game; with pairs all singles and pairs are equally likely."""
        if not self.pairs:
            return Game.random_play(self, state, seat, generator, moves)
        colours = self.may_play(state, seat)
        total = 0
        for colour in range(COLOURS):
            if colours >> colour & 1:
                count = Bits.count(state.colour(seat, colour))
                total += count * (count + 1) // 2
        at = generator.below(total)
        for colour in range(COLOURS):
            if colours >> colour & 1:
                values = state.colour(seat, colour)
                count = Bits.count(values)
                if at < count * (count + 1) // 2:
                    return self.nth_play(values, count, at, 16 * colour)
                at -= count * (count + 1) // 2
        return NOBODY

    def nth_play(self, values: int, count: int, at: int, first: int) -> int:
        """One of the singles and pairs of one colour, by its number."""
        if at < count:
            return first + Bits.nth(values, at)
        at -= count
        low = 0
        while at >= count - 1 - low:
            at -= count - 1 - low
            low += 1
        return PAIR * KIND + first + Bits.nth(values, low) + 128 * Bits.nth(values, low + 1 + at)

    def fits(self, state: State, holder: int, card: int) -> bool:
        """On red 8 what lies aside is odd; a hand is even, and odd once it has taken that up."""
        if holder == NONE:
            return self.traced(state, NONE, card)
        if self.odd_later:
            if holder >= ASIDE:
                return card & 1 == 1 and self.traced(state, holder - ASIDE, card)
            if not state.mixed >> holder & 1 and card & 1 != state.taken_up >> holder & 1:
                return False
        return self.may_hold(state, holder, card) and self.traced(state, holder, card)

    def traced(self, state: State, holder: int, card: int) -> bool:
        """A card that was passed on lies with one of those who can have it."""
        for at in range(12):
            if state.trace_mask[at] and state.trace_card[at] == card:
                return holder != NONE and state.trace_mask[at] >> holder & 1 == 1
        return True

    def spread_unseen(self, state: State, seat: int, generator: Generator) -> bool:
        """A leader who laid a card face down holds one of the colour he named: find it first."""
        leader = state.leader
        if state.named == NONE or state.choice[3 * leader] != NONE:
            return Game.spread_unseen(self, state, seat, generator)
        tried = 0
        while True:
            card = self.face_down_card(state, generator, tried)
            if card == NONE:
                return False
            state.give(leader, card)
            state.hand_size[leader] -= 1
            if Game.spread_unseen(self, state, seat, generator):
                state.choice[3 * leader] = card
                return True
            state.remove(leader, card)
            state.hand_size[leader] += 1
            tried |= 1 << (card & 15)

    def face_down_card(self, state: State, generator: Generator, tried: int) -> int:
        """An unseen card of the named colour that the leader may hold, none of the values tried;
        NONE, if there is no other.
        """
        self.gather_unseen(state, generator)
        generator.shuffle(generator.size)
        for at in range(generator.size):
            card = generator.cards[at]
            if card >> 4 != state.named or tried >> (card & 15) & 1:
                continue
            if self.fits(state, state.leader, card):
                return card
        return NONE

    def fill_choices(self, state: State, generator: Generator, moves: Moves) -> None:
        """Secret choices, partners and eggs."""
        Game.fill_choices(self, state, generator, moves)
        if self.red.red == PARTNERS:
            self.fill_partners(state, generator)
        if self.month.month == APRIL and state.eggs[0] == NONE:
            self.month.draw(state, generator)

    def fill_partners(self, state: State, generator: Generator) -> None:
        """Any draw in which the one partner that is known stays; all, once they are shown."""
        if state.partners[0] != NONE and state.partners[1] != NONE:
            return
        known = 0
        while known < self.seats and state.partners[known] == NONE:
            known += 1
        partner = state.partners[known] if known < self.seats else NONE
        self.red.draw(state, generator)
        while known < self.seats and state.partners[known] != partner:
            self.red.draw(state, generator)
