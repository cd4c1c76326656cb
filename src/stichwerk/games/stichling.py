"""Stichling by Ralf zur Linde, for two to five.

Up to four tricks are open at once, and three scoring cards laid face down decide what each number
of tricks is worth.
"""

from collections.abc import Mapping, Sequence
from itertools import permutations

from stichwerk.cards import COLOURS as LETTERS
from stichwerk.cards import Deck, card_code, card_text
from stichwerk.engine.codes import (
    argument_of,
    card_at,
    card_of,
    choice_slot,
    colour_of,
    has,
    move_of,
    place_of,
    play_at,
    trick_slot,
)
from stichwerk.engine.constants import (
    CHOOSE,
    COLOURS,
    NOBODY,
    NONE,
    ORDER,
    OVER,
    PLACES,
    PLAY,
)
from stichwerk.engine.events import (
    CardPlayed,
    ChoiceHidden,
    ChoicesRevealed,
    Event,
    Move,
    MoveParts,
    TrickTaken,
)
from stichwerk.engine.frame import Game
from stichwerk.engine.generator import Generator
from stichwerk.engine.machine import Bits
from stichwerk.engine.round_rules import Moves
from stichwerk.engine.state import State
from stichwerk.errors import Reason
from stichwerk.games.options import Option, Value, starter_option
from stichwerk.games.stichling_events import ScoringCardTurned

ORDERS = tuple(permutations((1, 2, 3)))
FULL = 4  # cards in a full trick
SCORING = 3  # scoring cards of a seat
ALL_OPEN = 15  # four places as bits
NEW = 16  # the bit that stands for opening a new trick


class Stichling(Game):
    """Stichling with its seats and options fixed."""

    name = "stichling"
    hidden_to_the_end = True
    seat_counts = (2, 3, 4, 5)
    phases = ("over", "play", "order")

    # -- Setup -------------------------------------------------------------------------------------

    def __init__(self, seats: int, options: Mapping[str, Value]) -> None:
        Game.__init__(self, seats, 12, Deck("YGBL", 1, 3 * seats))
        self.led_places = self.area.number("led_places", count=COLOURS)  # places by led colour
        self.whole_hand = options["discard"] == "hand"
        self.orders = [0] * 18
        for at in range(18):
            self.orders[at] = ORDERS[at // 3][at % 3]

    @staticmethod
    def options(seats: int) -> tuple[Option, ...]:
        """Return the options: when a card of another colour may be thrown off, who starts."""
        return (Option("discard", "card", ("card", "hand")), starter_option(seats))

    # -- The scoring cards -----------------------------------------------------------------------

    def begin(self, state: State) -> None:
        """After the deal everyone lays three scoring cards face down, in an order of their
        choice."""
        self.ask_everyone(state)

    def legal_choices(self, state: State, seat: int, moves: Moves) -> None:
        """The six orders of the round's values: 1 2 3, then 2 4 6, then 3 6 9."""
        for order in range(6):
            moves.add(move_of(ORDER, order))

    def choose(self, state: State, seat: int, move: int) -> None:
        """Lay the scoring cards from left to right."""
        order = argument_of(move)
        for at in range(3):
            value = self.scoring_value(state, self.orders[3 * order + at])
            state.choice[choice_slot(seat, at)] = value
        self.settle(state, seat)

    def scoring_value(self, state: State, number: int) -> int:
        """Return the value of the lowest, the middle or the highest scoring card of the round."""
        return number * state.round

    # -- Where a card may go ---------------------------------------------------------------------

    def may_lay(self, state: State, seat: int, colour: int) -> int:
        """Return the places a card of this colour may go to, as bits; NEW stands for opening a
        trick.

        To open tricks of its colour, or to a free place; only when all four places are open and
        none has its colour may the card be thrown on any of them.
        """
        matching = state.numbers[self.led_places + colour]
        if state.open_places != ALL_OPEN:
            return matching | NEW
        if matching or (self.whole_hand and self.could_follow(state, seat)):
            return matching
        return ALL_OPEN

    def free_place(self, state: State) -> int:
        """Return the lowest free place; 4 if all are open."""
        return Bits.lowest((ALL_OPEN | NEW) & ~state.open_places)

    def could_follow(self, state: State, seat: int) -> bool:
        """Return whether any card of the hand has the colour of an open trick."""
        for colour in range(COLOURS):
            if state.numbers[self.led_places + colour] and state.colour(seat, colour):
                return True
        return False

    def legal_plays(self, state: State, seat: int, moves: Moves) -> None:
        """List cards in deck order, for each the places from left to right, then a new trick."""
        free = self.free_place(state)
        for colour in range(COLOURS):
            values = state.colour(seat, colour)
            places = self.may_lay(state, seat, colour) if values else 0
            while values and places:
                card = card_at(colour, Bits.lowest(values))
                values &= values - 1  # without the lowest
                for place in range(PLACES):
                    if has(places, place):
                        moves.add(play_at(card, place))
                if places & NEW:
                    moves.add(play_at(card, free))

    # -- Playing a card --------------------------------------------------------------------------

    def play_card(self, state: State, seat: int, move: int) -> None:
        """Play the card to its place: the fourth card fills the trick. The left neighbour is
        next."""
        card = card_of(move)
        place = place_of(move)
        if self.whole_hand and state.trick_size[place] and state.led(place) != colour_of(card):
            self.note_voids(state, seat)
        state.remove(seat, card)
        if state.trick_size[place] == 0:
            state.numbers[self.led_places + colour_of(card)] |= Bits.bit(place)
        if state.lay(place, seat, card) == FULL:
            self.remove_full_trick(state, place)
        state.turn = self.next_seat(state, seat)
        state.owes = Bits.bit(state.turn)
        if state.hand_size[state.turn] == 0:
            self.finish_round(state)

    def note_voids(self, state: State, seat: int) -> None:
        """Under the stricter rule a card thrown off shows that the hand has no open colour."""
        for colour in range(COLOURS):
            if state.numbers[self.led_places + colour]:
                state.voids[seat] |= Bits.bit(colour)

    def owner(self, state: State, place: int) -> int:
        """Return whose trick it is: who played the best card."""
        return state.trick_seat[self.best(state, place)]

    def best(self, state: State, place: int) -> int:
        """Return the index of a trick's best card: the highest of the led colour."""
        first = trick_slot(place, 0)
        best = first
        for at in range(first + 1, first + state.trick_size[place]):
            card = state.trick_card[at]
            if colour_of(card) == state.led(place) and card > state.trick_card[best]:
                best = at
        return best

    def remove_full_trick(self, state: State, place: int) -> None:
        """The owner of a full trick takes it and turns up their next scoring card."""
        winner = self.owner(state, place)
        for at in range(trick_slot(place, 0), trick_slot(place, FULL)):
            state.collect(winner, state.trick_card[at])
        state.numbers[self.led_places + state.led(place)] &= ~Bits.bit(place)
        state.sweep(place)
        state.tricks_won[winner] += 1
        state.tricks_done += 1
        state.last_winner = winner

    # -- The end of the round --------------------------------------------------------------------

    def score(self, state: State, seat: int) -> int:
        """The value of the scoring card that is face up; nothing without a trick."""
        return self.worth(state, seat, state.tricks_won[seat])

    def worth(self, state: State, seat: int, tricks: int) -> int:
        """Return what this many tricks are worth to a seat."""
        if tricks == 0:
            return 0
        return state.choice[choice_slot(seat, self.face_up(tricks))]

    def face_up(self, tricks: int) -> int:
        """Return which scoring card is face up after this many tricks; after the third the first
        again."""
        return (tricks - 1) % 3

    # -- The end of the match --------------------------------------------------------------------

    def most_rounds(self) -> int:
        """Three rounds."""
        return 3

    def standing(self, scores: Sequence[Sequence[int]], seat: int) -> tuple[int, ...]:
        """The total; ties are broken by the third round, then the second."""
        return (sum(points[seat] for points in scores), *(points[seat] for points in scores[:0:-1]))

    # -- Random play and sampling ----------------------------------------------------------------

    def random_play(self, state: State, seat: int, generator: Generator, moves: Moves) -> int:
        """Return one of the pairs of card and place, all equally likely, found without listing
        them."""
        total = 0
        for colour in range(1, 5):
            count = Bits.count(state.colour(seat, colour))
            moves.items[colour] = self.may_lay(state, seat, colour) if count else 0
            total += count * Bits.count(moves.items[colour])
        at = generator.below(total)
        for colour in range(1, 5):
            values = state.colour(seat, colour)
            places = moves.items[colour]
            ways = Bits.count(places)
            if at < ways * Bits.count(values):
                place = Bits.nth(places, at % ways)
                card = card_at(colour, Bits.nth(values, at // ways))
                return play_at(card, self.free_place(state) if place == PLACES else place)
            at -= ways * Bits.count(values)
        return NOBODY

    def fill_choices(self, state: State, generator: Generator, moves: Moves) -> None:
        """Draw the others' scoring cards: those never turned up are in random order."""
        for seat in range(self.seats):
            if state.phase == PLAY or not has(state.owes, seat):
                self.fill_order(state, seat, generator)

    def fill_order(self, state: State, seat: int, generator: Generator) -> None:
        """Place the missing values of one seat at random."""
        missing = 0
        for value in range(1, 4):
            at = 0
            points = self.scoring_value(state, value)
            while at < 3 and state.choice[choice_slot(seat, at)] != points:
                at += 1
            if at == 3:
                generator.cards[missing] = points
                missing += 1
        generator.shuffle(missing)
        for at in range(3):
            if state.choice[choice_slot(seat, at)] == NONE:
                missing -= 1
                state.choice[choice_slot(seat, at)] = generator.cards[missing]

    # -- At the table ----------------------------------------------------------------------------

    def move_text(self, state: State, steps: tuple[int, ...]) -> str:
        """Return `4,6,2` for an order, `G8>2` and `G8>new` for a play."""
        step = steps[0]
        if state.phase == CHOOSE:
            return self.order_text(state, ORDERS[argument_of(step)])
        place = place_of(step)
        return f"{card_text(card_of(step))}>{place + 1 if state.trick_size[place] else 'new'}"

    def move_parts(self, state: State, move: Move) -> MoveParts:
        """Return the values of an order; of a play its card and place, and whether it opens a
        trick there."""
        step = move.steps[0]
        if state.phase == CHOOSE:
            values = tuple([value * state.round for value in ORDERS[argument_of(step)]])
            return MoveParts(numbers=values)
        place = place_of(step)
        return MoveParts(
            cards=(card_text(card_of(step)),), place=place, opens=not state.trick_size[place]
        )

    def judge_choice(self, state: State, seat: int, text: str) -> Move | Reason:
        """Judge an order: each of the three values once."""
        for order, values in enumerate(ORDERS):
            written = self.order_text(state, values)
            if text.replace(" ", "") == written:
                return Move(written, (move_of(ORDER, order),))
        return Reason("not-an-order", values=", ".join(map(str, self.scoring_values(state))))

    def order_text(self, state: State, order: Sequence[int]) -> str:
        """Return the values of scoring cards in this order, as they are typed."""
        return ",".join([str(self.scoring_value(state, number)) for number in order])

    def scoring_values(self, state: State) -> list[int]:
        """Return the values of the scoring cards in this round, rising."""
        return [self.scoring_value(state, number) for number in range(1, SCORING + 1)]

    def judge_play(self, state: State, seat: int, text: str) -> Move | Reason:
        """Judge a play: a card and its place, which may be omitted if only one is possible."""
        word, _, where = text.partition(">")
        card = self.read_card(state, seat, word)
        if isinstance(card, Reason):
            return card
        places = self.may_lay(state, seat, colour_of(card))
        if ">" not in text:
            if Bits.count(places) != 1:
                return self.why_no_place(state, seat, card, places)
            where = "new" if places == NEW else str(Bits.lowest(places) + 1)
        where = where.strip().lower()
        if where == "new":
            if not places & NEW:
                return Reason("no-free-place")
            place = self.free_place(state)
        elif where in ("1", "2", "3", "4"):
            place = int(where) - 1
            if not has(places, place):
                return self.why_not_there(state, card, place)
        else:
            return Reason("not-a-place", text=where)
        steps = (play_at(card, place),)
        return Move(self.move_text(state, steps), steps)

    def why_no_place(self, state: State, seat: int, card: int, places: int) -> Reason:
        """Return why a card without a place is refused: there is not exactly one place."""
        if places == 0:
            return Reason("could-follow", card=card_text(card))
        return Reason("place-needed", card=card_text(card))

    def why_not_there(self, state: State, card: int, place: int) -> Reason:
        """Return why this card may not go to this place."""
        data = {"card": card_text(card), "place": place + 1}
        if state.trick_size[place] == 0:
            return Reason("place-not-open", **data)
        if state.open_places != ALL_OPEN:
            return Reason("open-new-instead", led=LETTERS[state.led(place)], **data)
        if state.numbers[self.led_places + colour_of(card)]:
            return Reason("colour-is-open", colour=LETTERS[colour_of(card)], **data)
        return Reason("could-follow", card=card_text(card))

    def play_event(self, before: State, seat: int, move: Move) -> CardPlayed:
        """Return a play with its place."""
        card, place = card_text(card_of(move.steps[0])), place_of(move.steps[0])
        return CardPlayed(seat, move.text, (card,), place, before.trick_size[place] == 0)

    def trick_events(self, before: State, move: Move, after: State) -> list[Event]:
        """Return the full trick that is taken, and the scoring card that its owner turns up."""
        if after.tricks_done == before.tricks_done:
            return []
        place = place_of(move.steps[0])
        lying = [before.trick_card[trick_slot(place, at)] for at in range(FULL - 1)]
        cards = tuple([card_text(card) for card in [*lying, card_of(move.steps[0])]])
        winner = after.last_winner
        position = self.face_up(after.tricks_won[winner])
        value = after.choice[choice_slot(winner, position)]
        return [
            TrickTaken(seat=winner, place=place, cards=cards),
            ScoringCardTurned(winner, position, value),
        ]

    def winning_seat(self, state: State, place: int) -> int | None:
        """Return whose marker is at this place."""
        return self.owner(state, place)

    def table(self, state: State) -> dict[str, object]:
        """Return for each seat the scoring cards turned up so far, and which one is face up."""
        shown = []
        for seat in range(self.seats):
            turned = min(SCORING, state.tricks_won[seat])
            values = [state.choice[choice_slot(seat, at)] for at in range(turned)]
            up = self.face_up(state.tricks_won[seat]) if turned else None
            shown.append({"turned": values + [None] * (SCORING - turned), "face_up": up})
        free = self.free_place(state)
        return {
            "scoring": shown,
            "values": self.scoring_values(state),
            "best_cards": [self.best_card(state, place) for place in range(PLACES)],
            "new_place": free if free < PLACES else None,
            "full": FULL,
        }

    def best_card(self, state: State, place: int) -> str | None:
        """Return the winning card of the trick at this place; None if there is no trick."""
        if state.trick_size[place] == 0:
            return None
        return card_text(state.trick_card[self.best(state, place)])

    def open_history_at_deal(self, history: Mapping[str, object]) -> dict[str, object]:
        """Keep the last trick, which is still shown when the next round begins."""
        return {"last_trick": history.get("last_trick")}

    def open_history_after(
        self, history: dict[str, object], before: State, seat: int, move: Move, after: State
    ) -> dict[str, object]:
        """Return which card took the last trick."""
        if after.tricks_done == before.tricks_done:
            return history
        return {"last_trick": self.taken_trick(before.copy(), seat, move.steps[0])}

    def taken_trick(self, state: State, seat: int, play: int) -> dict[str, object]:
        """Return the trick that this play fills, and the winning card. Plays the card."""
        place = place_of(play)
        state.lay(place, seat, card_of(play))
        slots = range(trick_slot(place, 0), trick_slot(place, FULL))
        cards = [card_text(state.trick_card[at]) for at in slots]
        return {"cards": cards, "best_card": self.best_card(state, place)}

    def secrets(self, state: State, seat: int) -> dict[str, object]:
        """Return the seat's order, and what numbers of tricks are worth to it: from zero until the
        first scoring card counts again, and at least some more than the seat has."""
        if state.phase == CHOOSE and has(state.owes, seat):
            return {}
        most = max(4, state.tricks_won[seat] + 2)
        return {
            "order": [state.choice[choice_slot(seat, at)] for at in range(SCORING)],
            "worth": [self.worth(state, seat, tricks) for tricks in range(most + 1)],
        }

    def learn(self, state: State, event: Event) -> None:
        """Learn an event: orders of others stay unknown except for the cards turned up."""
        if type(event) is ChoiceHidden:
            if has(state.owes, event.seat) and state.phase == CHOOSE:
                self.settle(state, event.seat)
        elif type(event) is ScoringCardTurned:
            state.choice[choice_slot(event.seat, event.position)] = event.value
        elif type(event) is ChoicesRevealed and event.round == state.round:
            for seat, text in enumerate(event.choices):
                for at, value in enumerate(text.split(",")):
                    state.choice[choice_slot(seat, at)] = int(value)
        else:
            Game.learn(self, state, event)
        if state.phase == OVER:
            for seat in range(self.seats):
                state.points[seat] = self.score(state, seat)

    def known_steps(self, state: State, text: str) -> tuple[int, ...]:
        """Return the actions of the seat's order, or of anyone's play."""
        if state.phase == CHOOSE:
            texts = [self.order_text(state, order) for order in ORDERS]
            return (move_of(ORDER, texts.index(text)),)
        card, _, where = text.partition(">")
        place = self.free_place(state) if where == "new" else int(where) - 1
        return (play_at(card_code(card), place),)

    # -- Records ---------------------------------------------------------------------------------

    def choice_entry(self, move: Move) -> object:
        """Return the values from left to right."""
        return [int(value) for value in move.text.split(",")]

    def choice_text(self, entry: object) -> str:
        """Return a record's order as it is typed."""
        return ",".join(str(value) for value in entry) if isinstance(entry, list) else ""

    def play_entry(self, seat: int, move: Move) -> list[object]:
        """Return the card and its place, counted from 0."""
        return [seat, card_text(card_of(move.steps[0])), place_of(move.steps[0])]

    def play_text(self, state: State, entry: Sequence[object]) -> str:
        """Return a record's play as it is typed; a new trick must take the lowest free place."""
        if len(entry) != 2 or isinstance(entry[1], bool) or entry[1] not in range(PLACES):
            return ""
        card, place = str(entry[0]), int(str(entry[1]))
        return f"{card}>new" if place == self.free_place(state) else f"{card}>{place + 1}"
