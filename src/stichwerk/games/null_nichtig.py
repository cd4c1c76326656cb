"""Null & nichtig by Reiner Stockhausen, for three to five, six as a variant.

Of each colour pile only the top card counts, and the order in which a trick is collected decides
it.
"""

from collections.abc import Mapping, Sequence

from stichwerk.cards import COLOURS as LETTERS
from stichwerk.cards import Deck, card_text
from stichwerk.engine.codes import (
    argument_of,
    below,
    card_at,
    choice_slot,
    colour_of,
    colour_slot,
    has,
    move_of,
    value_of,
    won_values,
)
from stichwerk.engine.constants import CHOOSE, COLOURS, NONE, PICK, SEATS, TWIN
from stichwerk.engine.events import ChoicesRevealed, Event, Move
from stichwerk.engine.frame import Game
from stichwerk.engine.machine import Bits
from stichwerk.engine.round_rules import Moves
from stichwerk.engine.state import State
from stichwerk.errors import Reason
from stichwerk.games.options import Option, Value, number_or_none, starter_option

CLOCKWISE, PLAYED = "clockwise", "played"  # the order in which a trick is collected
VERSIONS = (1, 2)
MOST_ROUNDS = 64  # a match to a target ends here at the latest
PILES = 5  # colours of the deck
NO_HEAPS: list[list[str]] = [[] for _ in range(PILES)]


def grown(heaps: list[list[str]], cards: Sequence[str]) -> list[list[str]]:
    """Return all cards of a seat's piles, bottom first, with more cards on top of them."""
    return [
        [*heap, *[card for card in cards if card.startswith(LETTERS[pile])]]
        for pile, heap in enumerate(heaps)
    ]


class NullNichtig(Game):
    """Null & nichtig with its seats and options fixed."""

    name = "null-nichtig"
    seat_counts = (3, 4, 5, 6)
    phases = ("over", "play", "lay")
    versions = VERSIONS

    # -- Setup -------------------------------------------------------------------------------------

    def __init__(self, seats: int, options: Mapping[str, Value], version: int = 2) -> None:
        deck = Deck("RYGBL", 0, 11, twin_zeros=True)
        Game.__init__(self, seats, 10 if seats == 6 else 13, deck, version)
        self.tops = self.area.number("tops", count=SEATS * COLOURS)  # the values on top of piles
        self.lays = 2 if seats == 6 else 3
        self.target = number_or_none(options["target"])
        self.teams = number_or_none(options["teams"])
        self.as_played = options.get("collect") == PLAYED

    @staticmethod
    def options(seats: int) -> tuple[Option, ...]:
        """Return the options: a target instead of a fixed number of rounds, teams, who starts, how
        a trick is collected."""
        teams: dict[int, tuple[Value, ...]] = {4: (None, 2), 6: (None, 2, 3)}
        return (
            Option("collect", CLOCKWISE, (CLOCKWISE, PLAYED), since=2),
            Option("target", None, (None,), 1, 500),
            Option("teams", None, teams.get(seats, (None,))),
            starter_option(seats),
        )

    # -- Laying out ------------------------------------------------------------------------------

    def begin(self, state: State) -> None:
        """After the deal everyone secretly chooses three cards to lay out (two, with six seats)."""
        self.ask_everyone(state)

    def laid(self, state: State, seat: int) -> int:
        """Return how many cards the seat has chosen to lay out so far."""
        count = 0
        while count < self.lays and state.choice[choice_slot(seat, count)] != NONE:
            count += 1
        return count

    def legal_choices(self, state: State, seat: int, moves: Moves) -> None:
        """List cards of the hand, colour by colour: within a colour the order is free.

        Colours only rise from card to card, since only the order within a colour matters; a colour
        after which too few cards would be left is skipped.
        """
        laid = self.laid(state, seat)
        # The colour of the last chosen card: lower ones are no longer offered.
        first = colour_of(state.choice[choice_slot(seat, laid - 1)]) if laid else 0
        left = 0  # cards from this colour on
        for colour in range(first, COLOURS):
            left += Bits.count(self.choosable(state, seat, colour))
        for colour in range(first, COLOURS):
            values = self.choosable(state, seat, colour)
            if left >= self.lays - laid:
                self.list_colour(colour, values, moves)
            left -= Bits.count(values)

    def choosable(self, state: State, seat: int, colour: int) -> int:
        """Return the values of this colour that are not chosen yet; a second zero is bit TWIN."""
        values = state.colour(seat, colour)
        for at in range(choice_slot(seat, 0), choice_slot(seat, self.lays)):
            card = state.choice[at]
            if colour_of(card) == colour:
                twin = value_of(card) == 0 and has(values, TWIN)
                values &= ~Bits.bit(TWIN if twin else value_of(card))
        return values

    def list_colour(self, colour: int, values: int, moves: Moves) -> None:
        """List the cards of one colour, twins as one."""
        values = below(values, TWIN)
        while values:
            moves.add(move_of(PICK, card_at(colour, Bits.lowest(values))))
            values &= values - 1  # without the lowest

    def choose(self, state: State, seat: int, move: int) -> None:
        """Choose one more card; with the last one the seat is ready."""
        laid = self.laid(state, seat)
        state.choice[choice_slot(seat, laid)] = argument_of(move)
        if laid + 1 == self.lays:
            self.settle(state, seat)

    def reveal(self, state: State) -> None:
        """Everyone lays out their cards, in the chosen order."""
        for seat in range(self.seats):
            for at in range(self.lays):
                card = state.choice[choice_slot(seat, at)]
                state.remove(seat, card)
                self.pile_up(state, seat, card)

    def pile_up(self, state: State, seat: int, card: int) -> None:
        """Put a card on top of the seat's pile of its colour, or start that pile."""
        state.numbers[self.tops + colour_slot(seat, colour_of(card))] = value_of(card)
        state.collect(seat, card)

    # -- Who gets the trick ----------------------------------------------------------------------

    def strength(self, state: State, play: int) -> int:
        """The higher number, whatever its colour; a zero wins among zeros."""
        return 1 + value_of(state.trick_card[play])

    # -- How it is collected ---------------------------------------------------------------------

    def take_trick(self, state: State, play: int, winner: int) -> None:
        """The winner's own card first, then the others, each on the pile of its colour."""
        for at in range(self.seats):
            self.pile_up(state, winner, state.trick_card[self.collected_at(play, at)])
        state.tricks_won[winner] += 1

    def collected_at(self, best: int, at: int) -> int:
        """Return which play is collected at this position, from 0, when play `best` has won.

        Clockwise from the winner round the table, past the leader; or as they were played, from the
        leader on.
        """
        if self.as_played:
            return best if at == 0 else at - 1 if at <= best else at
        return best + at if best + at < self.seats else best + at - self.seats

    # -- The end of the round and the match --------------------------------------------------------

    def score(self, state: State, seat: int) -> int:
        """The numbers on top of the piles."""
        points = 0
        for colour in range(COLOURS):
            points += state.numbers[self.tops + colour_slot(seat, colour)]
        return points

    def next_starter(self, starter: int, scores: Sequence[Sequence[int]]) -> int:
        """Fewest points of the last round; among equals the first from the last starter on."""
        last = scores[-1]
        seats = [(starter + step) % self.seats for step in range(self.seats)]
        return min(seats, key=lambda seat: last[seat])

    def most_rounds(self) -> int:
        """As many rounds as seats, or until a target is passed."""
        return self.seats if self.target is None else MOST_ROUNDS

    def match_over(self, scores: Sequence[Sequence[int]]) -> bool:
        """After the last round, or when someone is above the target."""
        if len(scores) >= self.most_rounds():
            return True
        return self.target is not None and any(
            sum(points[seat] for points in scores) > self.target for seat in range(self.seats)
        )

    # -- Teams -----------------------------------------------------------------------------------

    def standing(self, scores: Sequence[Sequence[int]], seat: int) -> tuple[int, ...]:
        """The seat's total, or in teams the team's total."""
        return (sum(points[mate] for points in scores for mate in self.team(seat)),)

    def team(self, seat: int) -> list[int]:
        """Return the seats that win together with this one: neighbours are never in one team."""
        if self.teams is None:
            return [seat]
        return list(range(seat % self.teams, self.seats, self.teams))

    def match_facts(self, scores: Sequence[Sequence[int]]) -> dict[str, object]:
        """Return the teams and their totals so far; nothing if everyone plays alone."""
        teams = [self.team(seat) for seat in range(self.teams or 0)]
        points = [self.standing(scores, team[0])[0] for team in teams]
        return {"teams": teams, "team_totals": points}

    # -- At the table ----------------------------------------------------------------------------

    def steps(self, state: State) -> int:
        """All cards to lay out are one move."""
        return self.lays if state.phase == CHOOSE else 1

    def judge_choice(self, state: State, seat: int, text: str) -> Move | Reason:
        """Judge a choice: the right number of cards of the hand, none more often than it is
        there."""
        cards = []
        for word in text.split(","):
            card = self.read_card(state, seat, word)
            if isinstance(card, Reason):
                return card
            cards.append(card)
        if len(cards) != self.lays:
            return Reason("wrong-number", needed=self.lays, given=len(cards))
        held = self.hand(state, seat)
        for card in cards:
            if cards.count(card) > held.count(card_text(card)):
                return Reason("card-twice", card=card_text(card))
        cards.sort(key=colour_of)  # stable: keeps the order within a colour
        return Move(",".join(map(card_text, cards)), tuple([move_of(PICK, card) for card in cards]))

    def revealed(self, before: State, after: State) -> list[Event]:
        """Show everyone what was laid out."""
        laid = [self.laid_text(after, seat) for seat in range(self.seats)]
        return [ChoicesRevealed(tuple(laid))]

    def laid_text(self, state: State, seat: int) -> str:
        """Return the cards a seat has laid out, as they are typed."""
        return ",".join([card_text(state.choice[choice_slot(seat, at)]) for at in range(self.lays)])

    def table(self, state: State) -> dict[str, object]:
        """Return for each seat and colour the top card and the height of the pile, or None; the
        value of a seat's piles; and how the open trick would be collected."""
        seats = range(self.seats)
        return {
            "piles": [self.piles(state, seat) for seat in seats],
            "points": [self.score(state, seat) for seat in seats],
            "order": self.collecting_order(state),
        }

    def collecting_order(self, state: State) -> list[int]:
        """Return the plays of the trick in the order in which its winner would put them on
        piles."""
        best = self.trick_winner(state) if state.trick_size[0] else 0
        plays = [self.collected_at(best, at) for at in range(self.seats)]
        return [play for play in plays if play < state.trick_size[0]]

    def open_history_at_deal(self, history: Mapping[str, object]) -> dict[str, object]:
        """Start with empty piles; the last trick is still shown when the next round begins."""
        heaps = [grown(NO_HEAPS, []) for _ in range(self.seats)]
        return {"heaps": heaps, "last_trick": history.get("last_trick")}

    def open_history_after(
        self, history: dict[str, object], before: State, seat: int, move: Move, after: State
    ) -> dict[str, object]:
        """Return all cards of all piles, and how the last trick was collected."""
        if before.phase == CHOOSE:
            if after.phase == CHOOSE:
                return history
            laid = [self.laid_text(after, other).split(",") for other in range(self.seats)]
            return {**history, "heaps": [grown(NO_HEAPS, cards) for cards in laid]}
        if after.tricks_done == before.tricks_done:
            return history
        heaps: list[list[list[str]]] = list(history["heaps"])  # type: ignore[call-overload]
        last = self.taken_trick(before.copy(), seat, move.steps[0], heaps)
        return {"heaps": heaps, "last_trick": last}

    def taken_trick(
        self, state: State, seat: int, card: int, heaps: list[list[list[str]]]
    ) -> dict[str, object]:
        """Collect the trick that this card completes, replacing the winner's heaps; return the
        trick and how it is collected."""
        state.lay(0, seat, card)
        cards = [card_text(state.trick_card[at]) for at in range(self.seats)]
        winner = state.trick_seat[self.trick_winner(state)]
        order = self.collecting_order(state)
        heaps[winner] = grown(heaps[winner], [cards[play] for play in order])
        collected = [self.collected(state, winner, play) for play in order]
        return {"cards": cards, "collected": collected}

    def collected(self, state: State, seat: int, play: int) -> dict[str, object]:
        """Put one card of a full trick on its pile; return which play it was, which pile, its new
        height, and the value of all piles of the seat."""
        card = state.trick_card[play]
        self.pile_up(state, seat, card)
        pile = colour_of(card)
        size = Bits.count(won_values(state, seat, pile))
        return {"play": play, "pile": pile, "size": size, "points": self.score(state, seat)}

    def piles(self, state: State, seat: int) -> list[dict[str, object] | None]:
        """Return one seat's piles in the order of the colours."""
        shown: list[dict[str, object] | None] = []
        for colour in range(PILES):
            won = won_values(state, seat, colour)
            top = card_text(card_at(colour, state.numbers[self.tops + colour_slot(seat, colour)]))
            shown.append({"top": top, "size": Bits.count(won)} if won else None)
        return shown

    def secrets(self, state: State, seat: int) -> dict[str, object]:
        """Return the seat's choice, while the others are still choosing."""
        if state.phase == CHOOSE and not has(state.owes, seat):
            return {"laid": self.laid_text(state, seat).split(","), **self.laid_out(state, seat)}
        return {}

    def laid_out(self, state: State, seat: int) -> dict[str, object]:
        """Return the piles that a seat's secret choice makes, and their value."""
        after = state.copy()
        for at in range(self.lays):
            self.pile_up(after, seat, state.choice[choice_slot(seat, at)])
        return {"piles": self.piles(after, seat), "points": self.score(after, seat)}

    def choice_entry(self, move: Move) -> object:
        """Return the cards as a list."""
        return move.text.split(",")

    def choice_text(self, entry: object) -> str:
        """Return a record's list of cards as it is typed."""
        return ",".join(str(card) for card in entry) if isinstance(entry, list) else ""
