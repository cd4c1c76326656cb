"""The sheet February."""

from stichwerk.cards import card_code, card_text
from stichwerk.engine.area import Area
from stichwerk.engine.codes import (
    argument_of,
    card_in,
    choice_slot,
    colour_of,
    half_slot,
    has,
    move_of,
    only,
)
from stichwerk.engine.constants import ASIDE, NONE, PICK, PLAY
from stichwerk.engine.events import (
    CardsPassed,
    CardsReceived,
    ChoiceHidden,
    ChoiceMade,
    Event,
    Move,
)
from stichwerk.engine.machine import Bits
from stichwerk.engine.round_rules import Moves
from stichwerk.engine.state import State
from stichwerk.errors import Reason
from stichwerk.games.stichtag.choice_panels import panels_of
from stichwerk.games.stichtag.sentence import Name, Sentence
from stichwerk.games.stichtag.sheet import PART_WITH, Sheet
from stichwerk.games.stichtag.storage import LAST_TRICK
from stichwerk.games.stichtag.texts import drawing_of, texts_of

PASS = 4  # phase
TRACES = 12  # cards that a seat can have passed on in a round


class February(Sheet):
    """Mask: everyone gives a card to the left."""

    name = "February"
    extends = ("after",)
    values = (6,)
    origin = "partly"
    asks = {PASS: "pass"}
    secret = (PASS,)
    narrows = True
    emits = (ChoiceMade, ChoiceHidden, CardsPassed, CardsReceived)
    manners = {PASS: PART_WITH}
    passes_left = (PASS,)
    questions = {"pass": "ask-pass"}
    title, symbol_name, short, long, notes = texts_of("february")
    panels = panels_of("february")
    drawing = drawing_of("february")

    def reserve(self, area: Area) -> None:
        """Reserve what a seat knows of cards it has passed on: which they are, and the seats that
        may hold them."""
        self.trace_card = area.number("trace_card", 0, count=TRACES)
        self.trace_mask = area.number("trace_mask", 0, count=TRACES)

    def after_trick(self, state: State, winner: int) -> None:
        """After a trick with a mask everyone gives one hand card to the left, all at once."""
        if self.symbols(state) and not state.numbers[LAST_TRICK]:
            self.ask_everyone(state, PASS)

    def legal(self, state: State, seat: int, moves: Moves) -> None:
        """Any card of the hand."""
        for word in range(2):
            mask = state.hands[half_slot(seat, word)]
            while mask:
                moves.add(move_of(PICK, card_in(word, Bits.lowest(mask))))
                mask &= mask - 1

    def choose(self, state: State, seat: int, move: int) -> None:
        """Put the card ready; with the last one all are passed."""
        state.choice[choice_slot(seat, 1)] = argument_of(move)
        state.owes &= ~only(seat)

    def settled(self, state: State, seat: int) -> None:
        """Everyone passes their card to the left, whatever the direction of play.

        First every card leaves, then every card comes in.
        """
        for giver in range(self.seats):
            card = state.choice[choice_slot(giver, 1)]
            if card != NONE:
                state.remove(giver, card)
                self.steps.after_leaving(state, giver)
        for giver in range(self.seats):
            card = state.choice[choice_slot(giver, 1)]
            if card != NONE:
                self.steps.take_in(state, (giver + 1) % self.seats, card)
                state.choice[choice_slot(giver, 1)] = NONE

    def fits(self, state: State, holder: int, card: int) -> bool:
        """Return whether the holder may have the card: a passed card is with one of those who can
        have it."""
        for at in range(TRACES):
            mask = state.numbers[self.trace_mask + at]
            if mask and state.numbers[self.trace_card + at] == card:
                return holder != NONE and has(mask, holder % ASIDE)
        return True

    # -- At the table ------------------------------------------------------------------------------

    def judge(self, state: State, seat: int, text: str) -> Move | Reason:
        """Judge a card of the hand for the left neighbour."""
        card = self.steps.read_card(state, seat, text)
        if isinstance(card, Reason):
            return card
        return Move(card_text(card), (move_of(PICK, card),))

    def chosen_text(self, state: State, seat: int) -> str:
        """Return the card that is ready."""
        card = state.choice[choice_slot(seat, 1)]
        return "" if card == NONE else card_text(card)

    def choice_events(self, before: State, seat: int, move: Move) -> list[Event]:
        """Return a secret choice; with the last one the cards are passed."""
        events = self.secret_events(before, seat, move)
        if before.owes != only(seat):
            return events
        texts = self.all_chosen(before, seat, move)
        events.append(CardsPassed(tuple([int(text != "") for text in texts])))
        for other, text in enumerate(texts):
            left = (other + 1) % self.seats
            if text:
                events.append(CardsReceived(left, (text,), to=(left,)))
        return events

    @staticmethod
    def entry_text(value: object) -> str:
        """Return the card."""
        return value if isinstance(value, str) else ""

    # -- What a seat learns ------------------------------------------------------------------------

    def learn(self, state: State, event: Event) -> bool:
        """Learn this seat's cards that are passed and received; of others only that they were."""
        if type(event) is CardsPassed:
            self.learn_passed(state, event.counts)
        elif type(event) is CardsReceived:
            self.steps.learn_cards(state, event.seat, event.cards)
        elif type(event) is ChoiceMade and state.phase == PASS:
            state.choice[choice_slot(event.seat, 1)] = card_code(event.move)
            state.owes &= ~only(event.seat)
        elif type(event) is ChoiceHidden and state.phase == PASS:
            state.unknown |= state.owes & only(event.seat)
        else:
            return False
        return True

    def learn_passed(self, state: State, counts: tuple[int, ...]) -> None:
        """Learn that cards went to the left: those of this seat are known."""
        self.trace_on(state, counts)
        for seat in range(self.seats):
            if counts[seat]:
                card = state.choice[choice_slot(seat, 1)]
                if card == NONE:
                    state.hand_size[seat] -= 1
                else:
                    state.remove(seat, card)
                    self.trace(state, card, (seat + 1) % self.seats)
                self.steps.after_leaving(state, seat)
        for seat in range(self.seats):
            if counts[seat]:
                self.steps.take_in(state, (seat + 1) % self.seats, NONE)
            state.choice[choice_slot(seat, 1)] = NONE
        state.unknown = 0
        state.owes = 0
        state.phase = PLAY
        self.steps.close_trick(state)

    def trace(self, state: State, card: int, holder: int) -> None:
        """Remember where a card is that the seat has given away."""
        for at in range(TRACES):
            mask = state.numbers[self.trace_mask + at]
            if mask == 0 or state.numbers[self.trace_card + at] == card:
                state.numbers[self.trace_card + at] = card
                state.numbers[self.trace_mask + at] = only(holder)
                return

    def trace_on(self, state: State, counts: tuple[int, ...]) -> None:
        """Before more cards are passed: a seat that may hold a traced card may pass it on."""
        for at in range(TRACES):
            mask = state.numbers[self.trace_mask + at]
            more = 0
            for seat in range(self.seats):
                if has(mask, seat) and counts[seat]:
                    more |= only((seat + 1) % self.seats)
            state.numbers[self.trace_mask + at] = mask | more

    def table(self, state: State) -> dict[str, object]:
        """Return to whom each seat passes its card."""
        return {"passes_to": [(seat + 1) % self.seats for seat in range(self.seats)]}

    def for_all(self, lying: State, after: State) -> list[Sentence]:
        """Return the cards to pass on."""
        return [Sentence("then-pass")] if after.phase == PASS else []

    def reason(self, state: State, seat: int, move: Move) -> Sentence | None:
        """Return which card the left neighbour gets, and whether it is the last of its colour."""
        card = argument_of(move.steps[0])
        facts = {"card": card_text(card), "name": Name((seat + 1) % self.seats)}
        alone = Bits.count(state.colour(seat, colour_of(card))) == 1
        return Sentence("advice-passes-last" if alone else "advice-passes-on", facts=facts)

    def note_matters(self, state: State, other: str) -> bool:
        """Return whether cards are being passed."""
        return state.phase == PASS
