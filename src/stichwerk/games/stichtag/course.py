"""The course of a round of Stichtag, whatever the date: the rules are in the sheets.

Without a date all three sheets are blank, and a blank sheet has the base rules.
"""

from collections.abc import Mapping

from stichwerk.cards import Deck
from stichwerk.engine.codes import (
    bit_of,
    card_of,
    colour_of,
    half_of,
    half_slot,
    has,
    only,
    value_of,
)
from stichwerk.engine.constants import ALL_COLOURS, ASIDE, NOBODY, NONE, OVER, PLAY, SEATS
from stichwerk.engine.frame import Game
from stichwerk.engine.generator import Generator
from stichwerk.engine.round_rules import Moves
from stichwerk.engine.state import State
from stichwerk.games.options import Value
from stichwerk.games.stichtag.calendar import NEWEST, RED_PHASES, Sheets, in_place
from stichwerk.games.stichtag.sheet import AMONG_TRUMPS, IN_COLOURS, Goal, Sheet
from stichwerk.games.stichtag.steps import Steps
from stichwerk.games.stichtag.storage import (
    CARRIED_TRICKS,
    COUNTING,
    LAST_TRICK,
    NAMED,
    NEXT_LEADER,
    OWN,
    STRUCK,
)

OTHER = 64  # strengths: a card that is neither trump nor of the led colour ...
LED = 128
TRUMP = 192


def sheet_names(options: Mapping[str, Value]) -> tuple[str, ...]:
    """Return the names of the sheets in play: those of the date, with custom ones in place of ours,
    or those played alone."""
    date, sheets = options["date"], options["sheets"]
    named = tuple(sheets) if isinstance(sheets, list) else ()
    return in_place(date, named) if isinstance(date, str) else named


class Course(Steps):
    """Deal, tricks, points: the part of Stichtag that runs compiled."""

    # -- Setup -------------------------------------------------------------------------------------

    def __init__(self, seats: int, options: Mapping[str, Value], version: int = NEWEST) -> None:
        Game.__init__(self, seats, 12, Deck("RYGBLS", 0, 11 if seats == 5 else 9), version)
        names = sheet_names(options)
        sheets = Sheets(seats, names, version, Sheet)
        self.sheet_names = names
        self.green = sheets.green
        self.red = sheets.red
        self.month = sheets.month
        self.rounds = options["rounds"]
        self.goal = self.green if isinstance(self.green, Goal) else None
        self.reserve()
        self.at_once = self.red.at_once
        self.pairs = self.red.pairs
        self.sets_aside = self.red.sets_aside
        self.narrows = any(sheet.narrows for sheet in sheets)
        # If two sheets replace the same part, the month's cross-note decides.
        self.low_by = self.month if "low" in self.month.replaces else self.red
        self.trumps_apart = self.low_by.trumps_apart
        self.specials = tuple([kind for sheet in sheets for kind in sheet.specials])
        self.red_bars = "win" in self.red.replaces + self.red.extends
        self.month_bars = "win" in self.month.replaces + self.month.extends
        self.anyone_may_win = not self.red_bars and not self.month_bars
        self.red_phases = RED_PHASES
        for phase in self.red.asks:
            self.red_phases |= only(phase)
        for phase in self.month.asks:
            self.red_phases &= ~only(phase)
        self.secret_phases = 0
        for sheet in sheets:
            for phase in sheet.secret:
                self.secret_phases |= only(phase)

    def reserve(self) -> None:
        """Reserve what every round needs, at the positions that `storage` names, then let the
        sheets in play reserve theirs."""
        reserved = {
            STRUCK: self.area.number("struck", NOBODY),
            NAMED: self.area.number("named", NONE),
            CARRIED_TRICKS: self.area.number("carried_tricks"),
            NEXT_LEADER: self.area.number("next_leader"),
            LAST_TRICK: self.area.number("last_trick"),
            COUNTING: self.area.number("counting"),
            OWN: self.area.number("own", count=SEATS),
        }
        for position, at in reserved.items():
            if position != at:
                raise ValueError(f"`storage` names position {position} where {at} is reserved")
        for sheet in (self.green, self.red, self.month):
            sheet.join(self)
        for sheet in (self.green, self.red, self.month):
            sheet.find(self.area)

    # -- After the deal ----------------------------------------------------------------------------

    def draw_specials(self, state: State, generator: Generator) -> None:
        """Let the red sheet draw, then the month."""
        self.red.draw(state, generator)
        self.month.draw(state, generator)

    def begin(self, state: State) -> None:
        """Let the red sheet act; when it asks nothing, or once it is answered, go on."""
        state.phase = PLAY
        self.red.after_deal(state)
        if state.phase == PLAY:
            self.begin_month(state)

    def begin_month(self, state: State) -> None:
        """Let the month act, then the starter leads."""
        self.month.after_deal(state)
        if state.phase == PLAY:
            self.start_play(state)

    def lead(self, state: State, seat: int) -> None:
        """Let this seat lead; if it has no card, the next one in the direction of play that has
        one."""
        while state.hand_size[seat] == 0:
            seat = self.next_seat(state, seat)
        state.numbers[STRUCK] = NOBODY
        Game.lead(self, state, seat)

    # -- Cards leaving and entering a hand ---------------------------------------------------------

    def after_leaving(self, state: State, seat: int) -> None:
        """Let a sheet act after a card has left the hand: cards set aside may be taken up."""
        if self.sets_aside:
            self.red.after_leaving(state, seat)

    def take_in(self, state: State, seat: int, card: int) -> None:
        """Add a card to the hand, or set it aside; NONE is an unknown card."""
        state.voids[seat] = 0
        if self.sets_aside and self.red.goes_aside(state, seat, card):
            return
        if card == NONE:
            state.hand_size[seat] += 1
        else:
            state.give(seat, card)

    # -- Legal plays -------------------------------------------------------------------------------

    def led_colour(self, state: State) -> int:
        """Return the colour to follow; NONE for the leader."""
        if state.trick_size[0]:
            return state.led(0)
        return state.numbers[NAMED]

    def may_play(self, state: State, seat: int) -> int:
        """The led colour, if the seat has it; otherwise anything."""
        led = self.led_colour(state)
        if led != NONE and state.colour(seat, led):
            return only(led)
        return ALL_COLOURS

    def legal_plays(self, state: State, seat: int, moves: Moves) -> None:
        """List single cards in deck order; then plays of several, if the red sheet has them."""
        Game.legal_plays(self, state, seat, moves)
        if self.pairs:
            self.red.more_plays(state, seat, self.may_play(state, seat), moves)

    def legal(self, state: State, seat: int, moves: Moves) -> None:
        """List plays, or the extra choices of a sheet."""
        moves.size = 0
        if state.phase == PLAY:
            self.legal_plays(state, seat, moves)
        elif self.red_asks(state):
            self.red.legal(state, seat, moves)
        elif state.phase != OVER:
            self.month.legal(state, seat, moves)

    def red_asks(self, state: State) -> bool:
        """Return whether the choice to make now is the red sheet's; all others are the month's."""
        return has(self.red_phases, state.phase)

    # -- Playing -----------------------------------------------------------------------------------

    def play_card(self, state: State, seat: int, move: int) -> None:
        """Play openly and in turn, unless the red sheet lets everyone play at once."""
        if self.at_once:
            self.red.lay_at_once(state, seat, move)
            return
        self.lay_openly(state, seat, move)
        following = self.next_seat(state, seat)
        while following != state.leader and state.hand_size[following] == 0:
            following = self.next_seat(state, following)
        if following == state.leader:
            self.all_lie(state)
        else:
            state.turn = following
            state.owes = only(following)

    def lay_openly(self, state: State, seat: int, move: int) -> None:
        """Play a card, and what the red sheet adds to it; a seat that does not follow shows that it
        has none of the led colour."""
        card = card_of(move)
        if state.trick_size[0] and colour_of(card) != state.led(0):
            state.voids[seat] |= only(state.led(0))
        state.remove(seat, card)
        play = state.lay(0, seat, card) - 1
        state.second[play] = NONE
        if self.pairs:
            self.red.lay_more(state, seat, play, move)
        self.after_leaving(state, seat)

    def choose(self, state: State, seat: int, move: int) -> None:
        """Make an extra choice; when none is missing any more, the round goes on."""
        if self.red_asks(state):
            self.red.choose(state, seat, move)
            if state.owes == 0:
                self.red.settled(state, seat)
                if state.trick_size[0] == 0 and state.tricks_done == 0:
                    state.phase = PLAY
                    self.begin_month(state)
                else:
                    self.go_on(state)
        else:
            self.month.choose(state, seat, move)
            if state.owes == 0:
                self.month.settled(state, seat)
                self.go_on(state)

    def go_on(self, state: State) -> None:
        """Continue from where a sheet asked: before a trick is settled, after the deal, before the
        points are settled, or after a trick."""
        state.phase = PLAY
        if state.trick_size[0]:
            self.settle_trick(state)
        elif state.tricks_done == 0:
            self.start_play(state)
        elif state.numbers[COUNTING]:
            self.count_points(state)
        else:
            self.close_trick(state)

    # -- The trick ---------------------------------------------------------------------------------

    def all_lie(self, state: State) -> None:
        """Handle a complete trick: someone may be asked before the winner is settled."""
        if not self.red.asks_before_settling(state):
            self.settle_trick(state)

    def trick_winner(self, state: State) -> int:
        """Trump beats the led colour, which beats the rest; then the number counts, then who was
        first.

        A card that is neither wins only if no other may.
        """
        turned = self.turned(state)
        trump = self.red.trump(state)
        led = state.led(0)
        best = NOBODY
        most = 0
        for play in range(state.trick_size[0]):
            if self.anyone_may_win or self.may_win(state, play):
                number = value_of(state.trick_card[play])
                if self.pairs:
                    number = self.red.number(state, play)
                colour = colour_of(state.trick_card[play])
                strength = TRUMP if colour == trump else LED if colour == led else OTHER
                lowest = turned & (AMONG_TRUMPS if colour == trump else IN_COLOURS)
                strength += 63 - number if lowest else number
                if strength > most:
                    most = strength
                    best = play
        return best

    def turned(self, state: State) -> int:
        """Return where the lowest number wins: a set of `IN_COLOURS` and `AMONG_TRUMPS`."""
        low = self.low_by.lowest_wins(state)
        low_trump = self.low_by.lowest_trump_wins(state) if self.trumps_apart else low
        return (IN_COLOURS if low else 0) | (AMONG_TRUMPS if low_trump else 0)

    def may_win(self, state: State, play: int) -> bool:
        """Return whether no sheet keeps this play from winning."""
        if self.red_bars and not self.red.may_win(state, play):
            return False
        return not self.month_bars or self.month.may_win(state, play)

    def settle_trick(self, state: State) -> None:
        """The winner takes the trick, or it stays; then the sheets' effects follow, in the fixed
        order."""
        play = self.trick_winner(state)
        winner = state.trick_seat[play]
        state.last_winner = winner
        state.numbers[LAST_TRICK] = 1 if self.few_hold_cards(state) else 0
        if self.month.stays(state):
            self.leave_trick(state)
        else:
            self.take_trick(state, play, winner)
        state.tricks_done += 1
        state.numbers[NEXT_LEADER] = self.month.leader(state, winner)
        self.red.after_trick(state, winner)
        self.month.after_trick(state, winner)
        state.sweep(0)
        if state.phase == PLAY:
            self.close_trick(state)

    def few_hold_cards(self, state: State) -> bool:
        """Return whether fewer than two seats have cards left: then this was the last trick."""
        holding = 0
        for seat in range(self.seats):
            if state.hand_size[seat]:
                holding += 1
        return holding < 2

    def take_trick(self, state: State, play: int, winner: int) -> None:
        """The trick, and those left on the table before, go to the winner."""
        for at in range(state.trick_size[0]):
            state.collect(winner, state.trick_card[at])
            if state.second[at] != NONE:
                state.collect(winner, state.second[at])
        for word in range(2):
            state.won[half_slot(winner, word)] |= state.carried[word]
            state.carried[word] = 0
        state.tricks_won[winner] += 1 + state.numbers[CARRIED_TRICKS]
        state.numbers[CARRIED_TRICKS] = 0

    def leave_trick(self, state: State) -> None:
        """Leave the trick on the table, where the part `trick` is replaced."""
        for at in range(state.trick_size[0]):
            self.carry(state, state.trick_card[at])
            if state.second[at] != NONE:
                self.carry(state, state.second[at])
        state.numbers[CARRIED_TRICKS] += 1

    def carry(self, state: State, card: int) -> None:
        """Leave one card on the table."""
        state.carried[half_of(card)] |= bit_of(card)

    def close_trick(self, state: State) -> None:
        """Let the sheets act last; then the next lead, or the end of the round."""
        self.red.before_lead(state)
        self.month.before_lead(state)
        if state.numbers[LAST_TRICK]:
            self.finish_round(state)
        else:
            self.lead(state, state.numbers[NEXT_LEADER])

    # -- The end of the round ----------------------------------------------------------------------

    def finish_round(self, state: State) -> None:
        """Count each seat's own points; the red sheet may ask someone before the rest is
        counted."""
        self.count_own(state)
        state.numbers[COUNTING] = 1
        if not self.red.asks_at_end(state):
            self.count_points(state)

    def count_own(self, state: State) -> None:
        """Write down each seat's own points."""
        for seat in range(self.seats):
            state.numbers[OWN + seat] = self.own_points(state, seat)

    def own_points(self, state: State, seat: int) -> int:
        """Return a seat's own points so far: tricks, and what the month adds."""
        return state.tricks_won[seat] + self.month.own_points(state, seat)

    def count_points(self, state: State) -> None:
        """Count each seat's own points, then apply the red sheet, then the green sheet."""
        for seat in range(self.seats):
            state.points[seat] = state.numbers[OWN + seat]
        self.red.settle_points(state)
        for seat in range(self.seats):
            state.points[seat] = self.green.score(state, seat)
        state.phase = OVER
        state.owes = 0

    # -- Random play and sampling ------------------------------------------------------------------

    def random_play(self, state: State, seat: int, generator: Generator, moves: Moves) -> int:
        """Play as in every game, unless the red sheet has other plays than single cards."""
        if self.pairs:
            return self.red.random_play(state, seat, self.may_play(state, seat), generator)
        return Game.random_play(self, state, seat, generator, moves)

    def fits(self, state: State, holder: int, card: int) -> bool:
        """Return whether this holder may have this card: by what the sheets know, and by shown
        voids."""
        if self.narrows and not (
            self.red.fits(state, holder, card) and self.month.fits(state, holder, card)
        ):
            return False
        return holder >= ASIDE or self.may_hold(state, holder, card)

    def is_laid_down(self, state: State, holder: int, card: int) -> bool:
        """Return whether a sheet lets this holder have this card face down on the table."""
        return self.at_once and self.red.is_face_down(state, holder, card)

    def spread_unseen(self, state: State, seat: int, generator: Generator) -> bool:
        """Deal as in every game, unless cards are face down."""
        if self.at_once:
            return self.red.spread_unseen(state, seat, generator)
        return Game.spread_unseen(self, state, seat, generator)

    def deal_unseen(self, state: State, seat: int, generator: Generator) -> bool:
        """Find a holder for every unseen card, as in every game."""
        return Game.spread_unseen(self, state, seat, generator)

    def fill_choices(self, state: State, generator: Generator, moves: Moves) -> None:
        """Draw secret choices, and what the sheets keep secret."""
        Game.fill_choices(self, state, generator, moves)
        self.red.fill(state, generator)
        self.month.fill(state, generator)
