"""The sheet August."""

from typing import Any

from stichwerk.cards import card_code, card_text
from stichwerk.engine.area import Area
from stichwerk.engine.codes import argument_of, card_in, half_slot, move_of
from stichwerk.engine.constants import NOBODY
from stichwerk.engine.events import BaseEvent, Event, Move
from stichwerk.engine.machine import Bits
from stichwerk.engine.round_rules import Moves
from stichwerk.engine.state import State
from stichwerk.errors import Reason
from stichwerk.games.stichtag.choice_panels import panels_of
from stichwerk.games.stichtag.sentence import Cards, Sentence
from stichwerk.games.stichtag.sheet import PART_WITH, Sheet, mask_texts
from stichwerk.games.stichtag.storage import LAST_TRICK
from stichwerk.games.stichtag.table_facts import shown_by
from stichwerk.games.stichtag.texts import drawing_of, texts_of

DISCARD = 5  # phase
DROP = 6  # kind of move; argument: card to discard
EXCHANGE = 0.25  # the value of exchanging a card for one from the stock


class CardsDiscarded(BaseEvent, frozen=True, tag="discard"):
    """The winner of a trick discarded cards.

    `seat`: who did it
    `move`: the move, as it is typed
    `cards`: the cards discarded
    """

    listed_after = "play"

    seat: int
    move: str
    cards: tuple[str, ...] = ()


class CardsDrawn(BaseEvent, frozen=True, tag="drew"):
    """You drew cards from the stock for those you discarded.

    `seat`: who drew them
    `cards`: the cards drawn
    """

    listed_after = "play"
    private = True

    seat: int
    cards: tuple[str, ...] = ()


class August(Sheet):
    """Sunglasses: the winner discards and draws from the stock."""

    name = "August"
    extends = ("after",)
    values = (2, 7)
    origin = "partly"
    asks = {DISCARD: "discard"}
    kinds = {DROP: "discard"}
    emits = (CardsDiscarded, CardsDrawn)
    manners = {DISCARD: PART_WITH}
    questions = {"discard": "ask-discard"}
    card_sets = ("discard",)
    title, symbol_name, short, long, notes = texts_of("august")
    shown = shown_by("august")
    panels = panels_of("august")
    drawing = drawing_of("august")

    def reserve(self, area: Area) -> None:
        """Reserve the cards still to discard, those to draw then, and the last discarded card."""
        self.pending = area.number("pending")
        self.draws = area.number("draws")
        self.last_card = area.number("last_card")

    def after_trick(self, state: State, winner: int) -> None:
        """One card for each symbol, as far as hand and stock suffice; fixed before the first."""
        count = min(self.symbols(state), state.hand_size[winner], state.stock_size)
        if count and not state.numbers[LAST_TRICK]:
            state.numbers[self.pending] = count
            state.numbers[self.draws] = count
            state.numbers[self.last_card] = NOBODY
            self.ask(state, DISCARD, winner)

    def legal(self, state: State, seat: int, moves: Moves) -> None:
        """List cards in rising order, so that every set is listed once; enough must be left."""
        last = state.numbers[self.last_card]
        left = self.above(state, seat, last)
        for word in range(2):
            mask = state.hands[half_slot(seat, word)]
            while mask:
                card = card_in(word, Bits.lowest(mask))
                mask &= mask - 1
                if card > last:
                    if left >= state.numbers[self.pending]:
                        moves.add(move_of(DROP, card))
                    left -= 1

    def above(self, state: State, seat: int, last: int) -> int:
        """Return how many hand cards come after this one in deck order."""
        count = 0
        for word in range(2):
            mask = state.hands[half_slot(seat, word)]
            while mask:
                if card_in(word, Bits.lowest(mask)) > last:
                    count += 1
                mask &= mask - 1
        return count

    def choose(self, state: State, seat: int, move: int) -> None:
        """Discard face up."""
        card = argument_of(move)
        state.remove(seat, card)
        state.dismiss(card)
        state.numbers[self.last_card] = card
        state.numbers[self.pending] -= 1
        if state.numbers[self.pending] == 0:
            state.owes = 0
        self.steps.after_leaving(state, seat)

    def settled(self, state: State, seat: int) -> None:
        """Draw as many cards from the stock as were discarded."""
        while state.numbers[self.draws]:
            card = state.stock[state.stock_top]
            state.stock_top += 1
            state.stock_size -= 1
            state.numbers[self.draws] -= 1
            self.steps.take_in(state, seat, card)

    def trick_worth(self, state: State, seat: int, left: int) -> float:
        """Each symbol is a card to exchange, as long as there are any."""
        return 1.0 + EXCHANGE * self.symbols(state) if left else 1.0

    # -- At the table ------------------------------------------------------------------------------

    def step_count(self, state: State) -> int:
        """Return one step for each card to discard: together they are one choice."""
        return state.numbers[self.pending]

    def judge(self, state: State, seat: int, text: str) -> Move | Reason:
        """Judge a choice: as many different cards of the hand as must be discarded."""
        cards = []
        for word in text.split(","):
            card = self.steps.read_card(state, seat, word)
            if isinstance(card, Reason):
                return card
            if card in cards:
                return Reason("card-twice", card=card_text(card))
            cards.append(card)
        needed = state.numbers[self.pending]
        if len(cards) != needed:
            return Reason("wrong-number", needed=needed, given=len(cards))
        cards.sort()
        steps = tuple([move_of(DROP, card) for card in cards])
        return Move(self.steps.move_text(state, steps), steps)

    def known_steps(self, state: State, text: str) -> tuple[int, ...] | None:
        """Return the discarded cards."""
        if state.phase != DISCARD:
            return None
        return tuple([move_of(DROP, card_code(card)) for card in text.split(",")])

    def choice_events(self, before: State, seat: int, move: Move) -> list[Event]:
        """Everyone sees what is discarded, only the seat what it draws."""
        discarded = CardsDiscarded(seat, move.text, tuple(move.text.split(",")))
        count = before.numbers[self.pending]
        drawn = [before.stock[before.stock_top + at] for at in range(count)]
        cards = tuple([card_text(card) for card in drawn])
        return [discarded, CardsDrawn(seat, cards, to=(seat,))]

    @classmethod
    def narrate(cls, event: Any, reader: int | None) -> Sentence | None:
        """Name the cards that are discarded; only to the seat those that it draws."""
        facts = {"cards": Cards(event.cards)}
        if type(event) is CardsDiscarded:
            return Sentence("discards", "you-discard", event.seat, facts)
        if not event.cards or event.seat != reader:
            return None
        return Sentence("you-draw", facts=facts)

    def effect(self, state: State, seat: int, move: Move) -> list[Sentence]:
        """Return how many cards are drawn for those discarded."""
        return [Sentence("effect-discarded", facts={"count": len(move.steps)})]

    def reason(self, state: State, seat: int, move: Move) -> Sentence | None:
        """Return which cards are exchanged."""
        facts = {"cards": Cards(tuple(move.text.split(","))), "count": len(move.steps)}
        return Sentence("advice-discards", facts=facts)

    def table(self, state: State) -> dict[str, object]:
        """Return the discarded cards."""
        return {"discarded": mask_texts(state.gone[0], state.gone[1])}

    def learn(self, state: State, event: Event) -> bool:
        """Learn cards that were discarded, and drawn."""
        if type(event) is CardsDiscarded:
            self.steps.replay_move(state, event.seat, event.move)
        elif type(event) is CardsDrawn:
            self.steps.learn_cards(state, event.seat, event.cards)
        else:
            return False
        return True

    def entry(self, move: Move) -> object:
        """Return the cards."""
        return move.text.split(",")

    @staticmethod
    def entry_text(value: object) -> str:
        """Return the cards as they are typed."""
        return ",".join([str(card) for card in value]) if isinstance(value, list | tuple) else ""

    def for_winner(self, lying: State, after: State) -> list[Sentence]:
        """Return the cards to exchange."""
        if after.phase != DISCARD:
            return []
        count = after.numbers[self.pending]
        winner = after.last_winner
        return [
            Sentence("then-exchange", "then-your-exchange", seat=winner, facts={"count": count})
        ]

    def note_matters(self, state: State, other: str) -> bool:
        """Return whether cards are being discarded."""
        return state.phase == DISCARD
