# cython: boundscheck=False, wraparound=False
"""What a seat may know as a row of numbers, compiled.

`Observer` writes such rows into an array that someone else has made. `Memory` holds what seats know
that the state of a round does not.
"""

from collections.abc import Sequence
from typing import Any

from stichwerk.engine.codes import (
    card_at,
    choice_of,
    choice_slot,
    colour_slot,
    half_slot,
    has,
    trick_slot,
    won_values,
)
from stichwerk.engine.constants import CHOOSE, COLOURS, NOBODY, NONE, OVER, PLACES, SEATS, TWIN
from stichwerk.engine.frame import Game
from stichwerk.engine.machine import Bits, Caller
from stichwerk.engine.state import State
from stichwerk.envs.blocks import (
    ANNOUNCED,
    ANNOUNCEMENTS,
    ASIDE_SIZES,
    BEFORE,
    CARRIED,
    CARRIED_TRICKS,
    CHOICES,
    DIRECTION,
    DRAWN_TRUMPS,
    EGGS,
    FACE_DOWN,
    FACE_UP,
    FEW,
    GIFTS,
    GONE,
    HAND,
    HAND_SIZES,
    HEARTS,
    LANTERNS,
    LEADER,
    LED,
    LYING,
    MANY,
    NAMED,
    OWES,
    PAIN,
    PARTNER,
    PASSED,
    PASSING,
    PENDING,
    PHASE,
    PICKED,
    POINTS,
    ROUND,
    SCORING,
    SET_ASIDE,
    SHEETS,
    SOME,
    STARTER,
    STOCK,
    STRUCK,
    SUNSTROKE,
    TAKEN,
    TAKING,
    TO_GIVE,
    TOPS,
    TOTALS,
    TRICKS,
    TRUMP,
    UNSEEN,
    VETO_CARD,
    VOIDS,
)
from stichwerk.games.stichtag.storage import CARRIED_TRICKS as CARRIED_COUNT
from stichwerk.games.stichtag.storage import NAMED as NAMED_COLOUR
from stichwerk.games.stichtag.storage import STRUCK as STRUCK_PLAY

TRACES = 12  # cards that a seat can have passed on in a round
NO_TRACES = [0] * TRACES
PLAIN = __file__.endswith(".py")  # compiled, new lists are empty without being told


class Memory:
    """What seats know that the state of a round does not hold."""

    def __init__(self) -> None:
        if PLAIN:
            self.trace_card = [0] * 72
            self.trace_mask = [0] * 72
            self.before = [0] * 6
            self.hearts = [0] * 6

    def __getstate__(self) -> tuple[list[int], ...]:
        cards = [self.trace_card[at] for at in range(SEATS * TRACES)]
        masks = [self.trace_mask[at] for at in range(SEATS * TRACES)]
        before = [self.before[seat] for seat in range(SEATS)]
        hearts = [self.hearts[seat] for seat in range(SEATS)]
        return cards, masks, before, hearts

    def __setstate__(self, kept: tuple[Sequence[int], ...]) -> None:
        cards, masks, before, hearts = kept
        self.fill(before, hearts)
        for at in range(SEATS * TRACES):
            self.trace_card[at] = cards[at]
            self.trace_mask[at] = masks[at]

    def forget_traces(self) -> None:
        """Reset the traces for a new round: nobody has passed a card on."""
        for at in range(SEATS * TRACES):
            self.trace_mask[at] = 0

    def fill(self, before: Sequence[int], hearts: Sequence[int]) -> None:
        """Points of the last round, and the hearts that are left."""
        for seat in range(SEATS):
            self.before[seat] = before[seat] if seat < len(before) else 0
            self.hearts[seat] = hearts[seat] if seat < len(hearts) else 0

    def take_traces(self, state: State, seat: int) -> None:
        """Copy what the state known to one seat says about the cards it passed on."""
        cards = getattr(state, "trace_card", NO_TRACES)
        masks = getattr(state, "trace_mask", NO_TRACES)
        for at in range(TRACES):
            self.trace_card[TRACES * seat + at] = cards[at]
            self.trace_mask[TRACES * seat + at] = masks[at]

    def note_passes(self, state: State, seats: int, last: int, card: int) -> None:
        """Note the passes when the last seat has chosen: all cards go to the left now.

        Each seat knows where its own went. Who may hold an earlier one may be giving it on.
        """
        for seat in range(seats):
            for at in range(TRACES * seat, TRACES * seat + TRACES):
                more = 0
                for other in range(seats):
                    gives = other == last or state.choice[choice_slot(other, 1)] != NONE
                    if gives and has(self.trace_mask[at], other):
                        more |= 1 << (other + 1) % seats
                self.trace_mask[at] |= more
            own = card if seat == last else state.choice[choice_slot(seat, 1)]
            if own != NONE:
                self.note_pass(seat, own, (seat + 1) % seats)

    def note_pass(self, seat: int, card: int, holder: int) -> None:
        """Note for this seat where its card went."""
        at = TRACES * seat
        while self.trace_mask[at] and self.trace_card[at] != card:
            at += 1
        self.trace_card[at] = card
        self.trace_mask[at] = 1 << holder


class Observer:
    """Writes what one seat may know into a row of numbers. Facts go in one by one."""

    def __init__(self, game: Game, out: Any, width: int, offsets: Sequence[int]) -> None:
        self.game = game
        self.seats = game.seats
        self.out = out
        self.width = width
        self.announces = False
        self.at_once = False
        self.passing_phases = 0
        self.taking_phases = 0
        self.fixed_trump = NOBODY
        self.reveals = False
        self.asked = None  # type: Caller | None
        if PLAIN:
            self.offsets = [0] * 56
            self.sheets = [0] * 3
            self.place = [0] * 128
            self.colour_place = [0] * 6
            self.copies = [0] * 96
        for block, offset in enumerate(offsets):
            self.offsets[block] = offset
        self.sheet_count = 0
        # Positions in the state of what some sheets keep; NOBODY, if none in play does.
        self.tops_at = game.area.find("tops")
        self.trump_at = game.area.find("trump")
        self.drawn_trumps_at = game.area.find("first_trump")  # the second one is next to it
        self.veto_at = game.area.find("veto")
        self.sunstroke_at = game.area.find("sunstroke")
        self.pending_at = game.area.find("pending")
        self.due_at = game.area.find("due")
        self.eggs_at = game.area.find("eggs_taken")
        self.owner_at = game.area.find("egg_owner")
        self.lanterns_at = game.area.find("lanterns")
        self.gifts_at = game.area.find("gifts")
        self.partners_at = game.area.find("partners")
        self.know_deck(tuple(dict.fromkeys(game.deck.codes)))

    def know_deck(self, cards: Sequence[int]) -> None:
        """Compute the column of each card; a second zero shares that of the first."""
        codes = self.game.deck.codes
        self.cards = len(cards)
        self.deck_low = 0
        self.deck_high = 0
        for at, card in enumerate(cards):
            if card < 64:
                self.deck_low |= Bits.bit(card)
            else:
                self.deck_high |= Bits.bit(card - 64)
            self.place[card] = at
            self.copies[at] = codes.count(card)
            if self.copies[at] == 2:
                self.place[card + TWIN] = at
        self.colours = len(self.game.deck.colours)
        for at, letter in enumerate("RYGBLS"):
            self.colour_place[at] = self.game.deck.colours.find(letter)

    def know_game(
        self, fixed_trump: int, sheets: Sequence[int], reveals: bool, asked: Caller | None
    ) -> None:
        """Store what holds for the whole match: today's sheets, and how the game treats secrets."""
        self.fixed_trump = fixed_trump
        self.reveals = reveals
        self.asked = asked
        self.sheet_count = len(sheets)
        for at, sheet in enumerate(sheets):
            self.sheets[at] = sheet

    def know_red_sheet(self, announces: bool, at_once: bool) -> None:
        """Learn whether tricks are announced before play, and cards played face down."""
        self.announces = announces
        self.at_once = at_once

    def know_choices(self, passing_phases: int, taking_phases: int) -> None:
        """Learn, as sets, in which phases cards are chosen for the left neighbours, and points are
        taken or left."""
        self.passing_phases = passing_phases
        self.taking_phases = taking_phases

    # -- One row -----------------------------------------------------------------------------------

    def write(self, state: State, seat: int, memory: Memory, row: int) -> None:
        """Write everything the seat may know now."""
        first = row * self.width
        for at in range(first, first + self.width):
            self.out[at] = 0.0
        self.write_cards(state, seat, first)
        self.write_table(state, seat, memory, first)
        if self.offsets[PAIN] >= 0:
            self.write_pain(state, seat, first)
        if self.offsets[TOPS] >= 0:
            self.write_piles(state, seat, first)
        if self.offsets[SCORING] >= 0:
            self.write_scoring(state, seat, first)
        if self.offsets[SHEETS] >= 0:
            self.write_calendar(state, seat, memory, first)
        if self.offsets[CHOICES] >= 0:
            self.write_choices(state, seat, first)
        if self.asked is not None:
            # Plain Python answers: the row and the seat share one number.
            self.asked.call(state, SEATS * row + seat, memory, self)

    def relative(self, other: int, seat: int) -> int:
        """Return how many steps to the left of the seat the other sits."""
        return other - seat if other >= seat else other - seat + self.seats

    def mark(self, low: int, high: int, at: int) -> None:
        """Count every card of two masks."""
        while low:
            self.out[at + self.place[Bits.lowest(low)]] += 1.0
            low &= low - 1
        while high:
            self.out[at + self.place[64 + Bits.lowest(high)]] += 1.0
            high &= high - 1

    def unmark(self, low: int, high: int, at: int) -> None:
        """Count them less."""
        while low:
            self.out[at + self.place[Bits.lowest(low)]] -= 1.0
            low &= low - 1
        while high:
            self.out[at + self.place[64 + Bits.lowest(high)]] -= 1.0
            high &= high - 1

    def mark_card(self, card: int, at: int) -> None:
        """Mark one card."""
        self.out[at + self.place[card]] += 1.0

    # -- Cards -------------------------------------------------------------------------------------

    def write_cards(self, state: State, seat: int, first: int) -> None:
        """Write the seat's hand, the tricks on the table, and the cards each seat has won."""
        self.mark(
            state.hands[half_slot(seat, 0)],
            state.hands[half_slot(seat, 1)],
            first + self.offsets[HAND],
        )
        for other in range(self.seats):
            to = first + self.offsets[TAKEN] + self.cards * self.relative(other, seat)
            self.mark(state.won[half_slot(other, 0)], state.won[half_slot(other, 1)], to)
        if self.offsets[GONE] >= 0:
            self.mark(state.gone[0], state.gone[1], first + self.offsets[GONE])
        places = state.open_places
        while places:
            self.write_trick(state, seat, Bits.lowest(places), first)
            places &= places - 1
        if state.twins:
            self.write_unseen_twins(state, seat, first + self.offsets[UNSEEN])
        else:
            self.write_unseen(state, seat, first + self.offsets[UNSEEN])

    def write_trick(self, state: State, seat: int, place: int, first: int) -> None:
        """Write the trick at one place."""
        lying = first + self.offsets[LYING] + place * self.seats * self.cards
        for play in range(trick_slot(place, 0), trick_slot(place, state.trick_size[place])):
            row = lying + self.cards * self.relative(state.trick_seat[play], seat)
            self.mark_card(state.trick_card[play], row)
            if play < SEATS and state.second[play] != NONE:
                self.mark_card(state.second[play], row)
        colour = self.colour_place[state.led(place)]
        self.out[first + self.offsets[LED] + place * self.colours + colour] = 1.0

    def write_unseen(self, state: State, seat: int, to: int) -> None:
        """Write the deck without the cards the seat sees or has seen."""
        low = (
            state.hands[half_slot(seat, 0)]
            | state.aside[half_slot(seat, 0)]
            | state.gone[0]
            | state.carried[0]
        )
        high = state.hands[half_slot(seat, 1)] | state.aside[half_slot(seat, 1)]
        high |= state.gone[1] | state.carried[1]
        for other in range(self.seats):
            low |= state.won[half_slot(other, 0)]
            high |= state.won[half_slot(other, 1)]
        for place in range(PLACES):
            for play in range(trick_slot(place, 0), trick_slot(place, state.trick_size[place])):
                if state.trick_card[play] < 64:
                    low |= Bits.bit(state.trick_card[play])
                else:
                    high |= Bits.bit(state.trick_card[play] - 64)
                if play < SEATS and state.second[play] < 64:
                    low |= Bits.bit(state.second[play])
                elif play < SEATS and state.second[play] != NONE:
                    high |= Bits.bit(state.second[play] - 64)
        self.mark(self.deck_low & ~low, self.deck_high & ~high, to)

    def write_unseen_twins(self, state: State, seat: int, to: int) -> None:
        """Do the same for a deck with twins."""
        for at in range(self.cards):
            self.out[to + at] = self.copies[at]
        self.unmark(state.hands[half_slot(seat, 0)], state.hands[half_slot(seat, 1)], to)
        for other in range(self.seats):
            self.unmark(state.won[half_slot(other, 0)], state.won[half_slot(other, 1)], to)
        for place in range(PLACES):
            for play in range(trick_slot(place, 0), trick_slot(place, state.trick_size[place])):
                self.out[to + self.place[state.trick_card[play]]] -= 1.0

    # -- What every table has ----------------------------------------------------------------------

    def write_table(self, state: State, seat: int, memory: Memory, first: int) -> None:
        """Write sizes, tricks, whose move it is, and points."""
        for other in range(self.seats):
            to = first + self.relative(other, seat)
            self.out[to + self.offsets[HAND_SIZES]] = state.hand_size[other] / float(SOME)
            self.out[to + self.offsets[TRICKS]] = state.tricks_won[other] / float(SOME)
            self.out[to + self.offsets[OWES]] = has(state.owes & ~state.unknown, other)
            self.out[to + self.offsets[TOTALS]] = state.totals[other] / float(MANY)
            self.out[to + self.offsets[BEFORE]] = memory.before[other] / float(MANY)
            if state.phase == OVER:
                self.out[to + self.offsets[POINTS]] = state.points[other] / float(MANY)
            if self.offsets[VOIDS] >= 0 and state.voids[other]:
                self.write_voids(state.voids[other], to - first, first)
        if state.phase != CHOOSE:  # before play nobody leads
            self.out[first + self.offsets[LEADER] + self.relative(state.leader, seat)] = 1.0
        self.out[first + self.offsets[STARTER] + self.relative(state.starter, seat)] = 1.0
        if state.phase != OVER:
            self.out[first + self.offsets[PHASE] + state.phase - 1] = 1.0
        self.out[first + self.offsets[ROUND]] = state.round / float(SOME)
        if self.offsets[STOCK] >= 0:
            self.out[first + self.offsets[STOCK]] = state.stock_size / float(MANY)
        if self.offsets[DIRECTION] >= 0:
            self.out[first + self.offsets[DIRECTION]] = state.direction

    def write_voids(self, voids: int, steps: int, first: int) -> None:
        """Write the colours a seat has shown not to have."""
        to = first + self.offsets[VOIDS] + steps * self.colours
        for colour in range(COLOURS):
            if has(voids, colour) and self.colour_place[colour] >= 0:
                self.out[to + self.colour_place[colour]] = 1.0

    # -- Sticheln, Null & nichtig, Stichling -------------------------------------------------------

    def write_pain(self, state: State, seat: int, first: int) -> None:
        """Write the seat's pain card, and all of them once they are turned up."""
        for other in range(self.seats):
            card = choice_of(state, other)
            if card != NONE and (other == seat or state.phase != CHOOSE):
                steps = self.relative(other, seat)
                self.mark_card(card, first + self.offsets[PAIN] + self.cards * steps)

    def write_piles(self, state: State, seat: int, first: int) -> None:
        """Own cards that were chosen to be laid out; the tops of all piles."""
        if state.phase == CHOOSE:
            for at in range(3):
                card = state.choice[choice_slot(seat, at)]
                if card != NONE:
                    self.mark_card(card, first + self.offsets[PICKED] + self.cards * at)
        for other in range(self.seats):
            to = first + self.offsets[TOPS] + self.cards * self.relative(other, seat)
            for colour in range(COLOURS):
                if won_values(state, other, colour):
                    top = state.numbers[self.tops_at + colour_slot(other, colour)]
                    self.mark_card(card_at(colour, top), to)

    def write_scoring(self, state: State, seat: int, first: int) -> None:
        """Write the seat's scoring cards, and those of others that were turned up."""
        for other in range(self.seats):
            steps = self.relative(other, seat)
            tricks = state.tricks_won[other]
            known = 3 if other == seat or tricks > 3 else tricks
            for at in range(known):
                value = state.choice[choice_slot(other, at)]
                if value != NONE:
                    to = first + self.offsets[SCORING] + 9 * steps + 3 * at
                    self.out[to + value // state.round - 1] = 1.0
            if tricks:
                self.out[first + self.offsets[FACE_UP] + 3 * steps + (tricks - 1) % 3] = 1.0

    # -- Stichtag ----------------------------------------------------------------------------------

    def write_calendar(self, state: State, seat: int, memory: Memory, first: int) -> None:
        """Write what today's sheets put on the table."""
        for at in range(self.sheet_count):
            self.out[first + self.offsets[SHEETS] + self.sheets[at]] = 1.0
        trump = self.fixed_trump
        if trump == NOBODY:
            trump = state.numbers[self.trump_at]
        if trump != NONE:
            self.out[first + self.offsets[TRUMP] + trump] = 1.0
        if self.drawn_trumps_at >= 0:
            to = first + self.offsets[DRAWN_TRUMPS]
            self.out[to + state.numbers[self.drawn_trumps_at]] = 1.0
            self.out[to + self.colours + state.numbers[self.drawn_trumps_at + 1]] = 1.0
        named = state.numbers[NAMED_COLOUR]
        if named != NONE:
            self.out[first + self.offsets[NAMED] + named] = 1.0
        if self.veto_at != NOBODY:
            veto = first + self.offsets[VETO_CARD]
            self.write_seat(state.numbers[self.veto_at], seat, veto)
        if self.sunstroke_at != NOBODY:
            sunstroke = first + self.offsets[SUNSTROKE]
            self.write_seat(state.numbers[self.sunstroke_at], seat, sunstroke)
        struck = state.numbers[STRUCK_PLAY]
        if struck != NOBODY and state.trick_size[0]:
            self.write_seat(state.trick_seat[struck], seat, first + self.offsets[STRUCK])
        if self.pending_at != NOBODY:
            pending = state.numbers[self.pending_at]
            self.out[first + self.offsets[PENDING]] = pending / float(FEW)
        carried = state.numbers[CARRIED_COUNT]
        self.out[first + self.offsets[CARRIED_TRICKS]] = carried / float(SOME)
        if carried:
            self.mark(state.carried[0], state.carried[1], first + self.offsets[CARRIED])
        if self.due_at != NOBODY:
            to_give = first + self.offsets[TO_GIVE]
            self.mark(state.sets[self.due_at], state.sets[self.due_at + 1], to_give)
        self.write_counts(state, seat, memory, first)
        self.write_secrets(state, seat, first)
        if memory.trace_mask[TRACES * seat]:
            self.write_traces(seat, memory, first)

    def write_seat(self, other: int, seat: int, to: int) -> None:
        """Write one seat, or none."""
        if other != NONE:
            self.out[to + self.relative(other, seat)] = 1.0

    def write_counts(self, state: State, seat: int, memory: Memory, first: int) -> None:
        """Write what is counted for each seat, and announcements once they are open."""
        if self.eggs_at != NOBODY:
            for at in range(state.numbers[self.eggs_at]):
                steps = self.relative(state.numbers[self.owner_at + at], seat)
                self.out[first + self.offsets[EGGS] + steps] += 1 / float(FEW)
        for other in range(self.seats):
            to = first + self.relative(other, seat)
            self.out[to + self.offsets[ASIDE_SIZES]] = state.aside_size[other] / float(SOME)
            if self.lanterns_at != NOBODY:
                lanterns = state.numbers[self.lanterns_at + other]
                self.out[to + self.offsets[LANTERNS]] = lanterns / float(FEW)
            if self.gifts_at != NOBODY:
                gifts = state.numbers[self.gifts_at + other]
                self.out[to + self.offsets[GIFTS]] = gifts / float(FEW)
            self.out[to + self.offsets[HEARTS]] = memory.hearts[other] / 2.0
            if self.announces and (other == seat or state.phase != CHOOSE):
                number = choice_of(state, other)
                if number < ANNOUNCEMENTS:
                    steps = to - first
                    to = first + self.offsets[ANNOUNCED] + ANNOUNCEMENTS * steps
                    self.out[to + number] = 1.0

    def write_secrets(self, state: State, seat: int, first: int) -> None:
        """Write what only this seat knows."""
        if self.partners_at != NOBODY:
            partner = state.numbers[self.partners_at + seat]
            self.write_seat(partner, seat, first + self.offsets[PARTNER])
        aside = first + self.offsets[SET_ASIDE]
        self.mark(state.aside[half_slot(seat, 0)], state.aside[half_slot(seat, 1)], aside)
        if self.at_once and choice_of(state, seat) != NONE:
            self.mark_card(choice_of(state, seat), first + self.offsets[FACE_DOWN])
        if state.choice[choice_slot(seat, 1)] != NONE:
            self.mark_card(state.choice[choice_slot(seat, 1)], first + self.offsets[PASSING])
        if has(self.taking_phases, state.phase) and state.choice[choice_slot(seat, 2)] != NONE:
            self.out[first + self.offsets[TAKING] + state.choice[choice_slot(seat, 2)]] = 1.0

    def write_traces(self, seat: int, memory: Memory, first: int) -> None:
        """Cards this seat passed on and has not seen again: who may hold them."""
        for at in range(TRACES * seat, TRACES * seat + TRACES):
            card = self.place[memory.trace_card[at]]
            if memory.trace_mask[at] and self.out[first + self.offsets[UNSEEN] + card] > 0.0:
                for other in range(self.seats):
                    if has(memory.trace_mask[at], other):
                        steps = self.relative(other, seat)
                        to = first + self.offsets[PASSED] + self.cards * steps
                        self.out[to + card] = 1.0

    # -- Games of one's own ------------------------------------------------------------------------

    def write_choices(self, state: State, seat: int, first: int) -> None:
        """Own choices; those of others, if the game reveals them, once all are in."""
        for other in range(self.seats):
            if other == seat or (self.reveals and state.phase != CHOOSE):
                steps = self.relative(other, seat)
                for at in range(3):
                    value = state.choice[choice_slot(other, at)]
                    if value != NONE:
                        to = first + self.offsets[CHOICES] + 6 * steps + 2 * at
                        self.out[to] = 1.0
                        self.out[to + 1] = value / 256.0

    def observe(self, state: State, seat: int, memory: Memory, row: int) -> None:
        """Call `write` from Python."""
        self.write(state, seat, memory, row)
        self.check()

    def check(self) -> None:
        """Raise what a game of one's own raised when it was asked."""
        if self.asked is not None:
            self.asked.check()
