"""A red sheet with other choices: secret and by all after the deal, and before a trick is settled.
Cards leave hands and come in, and its events are kinds of their own."""

from typing import Any

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
from stichwerk.engine.constants import NONE, PICK, PLAY, SEATS
from stichwerk.engine.events import BaseEvent, ChoiceHidden, ChoiceMade, Event, Move
from stichwerk.engine.machine import Bits
from stichwerk.engine.round_rules import Moves
from stichwerk.engine.state import State
from stichwerk.errors import Reason
from stichwerk.games.stichtag.sentence import Cards, Name, Sentence
from stichwerk.games.stichtag.sheet import PART_WITH, Sheet, mask_texts
from stichwerk.games.stichtag.table_facts import shown_by
from stichwerk.games.stichtag.texts import texts_of

STAKE = 11  # phases
RAISE = 12
DOUBLE = 12  # kind of move; argument: 1 raise, 0 stay


class StakesShown(BaseEvent, frozen=True, tag="stakes"):
    """Everyone has staked a card: all are turned up, and out of play.

    `cards`: by seat: the card
    """

    listed_after = "choice"

    cards: tuple[str, ...]


class TrickRaised(BaseEvent, frozen=True, tag="raised"):
    """The leader of a complete trick raised it and drew a card, or did not.

    `seat`: who did it
    `move`: the move, as it is typed
    """

    listed_after = "play"
    in_trick = True

    seat: int
    move: str


class RaiseDrawn(BaseEvent, frozen=True, tag="raise-drew"):
    """You drew a card for raising.

    `seat`: who drew it
    `cards`: the card
    """

    listed_after = "play"
    private = True

    seat: int
    cards: tuple[str, ...]


class Red5(Sheet):
    """Everyone stakes a card; each leader may raise one trick by a point, and draws a card."""

    name = "red 5"
    extends = ("deal", "points")
    origin = "own"
    asks = {STAKE: "stake", RAISE: "raise"}  # noqa: RUF012
    secret = (STAKE,)
    kinds = {DOUBLE: "raise"}  # noqa: RUF012
    emits = (ChoiceMade, ChoiceHidden, StakesShown, TrickRaised, RaiseDrawn)
    manners = {STAKE: PART_WITH}  # noqa: RUF012
    questions = {"stake": "ask-stake", "raise": "ask-raise"}  # noqa: RUF012
    labels = {"raise": "label-raise", "stay": "label-stay"}  # noqa: RUF012
    tally = "tally-raised"
    title, symbol_name, short, long, notes = texts_of("red_5")
    shown = shown_by("red_5")

    def reserve(self, area: Area) -> None:
        """Who has raised, whether this trick is raised, points by seat, cards on the table."""
        self.raisers = area.number("raisers")
        self.raised = area.number("raised")
        self.extra = area.number("raised_points", 0, count=SEATS)
        self.stakes = area.cards("stakes")

    def after_deal(self, state: State) -> None:
        """All stake a card."""
        self.ask_everyone(state, STAKE)

    def asks_before_settling(self, state: State) -> bool:
        """The leader, once a round, while there is a stock."""
        if has(state.numbers[self.raisers], state.leader) or state.stock_size == 0:
            return False
        self.ask(state, RAISE, state.leader)
        return True

    def legal(self, state: State, seat: int, moves: Moves) -> None:
        """A card of the hand; or raise and stay."""
        if state.phase == RAISE:
            moves.add(move_of(DOUBLE, 1))
            moves.add(move_of(DOUBLE, 0))
            return
        for word in range(2):
            mask = state.hands[half_slot(seat, word)]
            while mask:
                moves.add(move_of(PICK, card_in(word, Bits.lowest(mask))))
                mask &= mask - 1

    def choose(self, state: State, seat: int, move: int) -> None:
        """A stake is put ready; raising draws at once."""
        if state.phase == STAKE:
            state.choice[choice_slot(seat, 1)] = argument_of(move)
            state.owes &= ~only(seat)
            return
        state.owes = 0
        state.numbers[self.raised] = argument_of(move)

    def settled(self, state: State, seat: int) -> None:
        """All stakes leave the hands; or a card comes in."""
        if state.phase == STAKE:
            for other in range(self.seats):
                self.pay(state, other, state.choice[choice_slot(other, 1)])
        elif state.numbers[self.raised]:
            state.numbers[self.raisers] |= only(seat)
            card = state.stock[state.stock_top]
            state.stock_top += 1
            state.stock_size -= 1
            self.steps.take_in(state, seat, card)

    def pay(self, state: State, seat: int, card: int) -> None:
        """A stake leaves the hand."""
        state.remove(seat, card)
        state.dismiss(card)
        state.sets[self.stakes + card // 64] |= 1 << card % 64
        state.choice[choice_slot(seat, 1)] = NONE
        self.steps.after_leaving(state, seat)

    def after_trick(self, state: State, winner: int) -> None:
        """The winner gets what was raised."""
        state.numbers[self.extra + winner] += state.numbers[self.raised]
        state.numbers[self.raised] = 0

    def settle_points(self, state: State) -> None:
        """Add what each seat won by raised tricks."""
        for seat in range(self.seats):
            state.points[seat] += state.numbers[self.extra + seat]

    @classmethod
    def action_arguments(cls, kind: int, game: Any) -> list[int]:
        """Raise, stay."""
        return [1, 0]

    @classmethod
    def action_text(cls, kind: int, argument: int) -> str:
        """Raise, stay."""
        return "raise" if argument else "stay"

    def step_text(self, step: int) -> str:
        """Raise, stay."""
        return self.action_text(DOUBLE, argument_of(step))

    def judge(self, state: State, seat: int, text: str) -> Move | Reason:
        """A card of the hand; or `raise` and `stay`."""
        if state.phase == RAISE:
            if text in ("raise", "stay"):
                return Move(text, (move_of(DOUBLE, int(text == "raise")),))
            return Reason("raise-or-stay")
        card = self.steps.read_card(state, seat, text)
        if isinstance(card, Reason):
            return card
        return Move(card_text(card), (move_of(PICK, card),))

    def known_steps(self, state: State, text: str) -> tuple[int, ...] | None:
        """Raise, stay."""
        return (move_of(DOUBLE, int(text == "raise")),) if state.phase == RAISE else None

    def chosen_text(self, state: State, seat: int) -> str:
        """The card that is ready."""
        card = state.choice[choice_slot(seat, 1)]
        return "" if card == NONE else card_text(card)

    def choice_events(self, before: State, seat: int, move: Move) -> list[Event]:
        """A secret stake, the last of which turns all up; or an open choice."""
        if before.phase == RAISE:
            events: list[Event] = [TrickRaised(seat, move.text)]
            if move.text == "raise":
                drawn = card_text(before.stock[before.stock_top])
                events.append(RaiseDrawn(seat, (drawn,), to=(seat,)))
            return events
        events = self.secret_events(before, seat, move)
        if before.owes == only(seat):
            events.append(StakesShown(tuple(self.all_chosen(before, seat, move))))
        return events

    def learn(self, state: State, event: Event) -> bool:
        """Stakes and raises."""
        if type(event) is StakesShown:
            state.unknown = 0
            state.owes = 0
            for seat, card in enumerate(event.cards):
                self.pay(state, seat, card_code(card))
            state.phase = PLAY
            self.steps.go_on(state)
        elif type(event) is TrickRaised:
            self.steps.replay_move(state, event.seat, event.move)
        elif type(event) is RaiseDrawn:
            self.steps.learn_cards(state, event.seat, event.cards)
        elif type(event) is ChoiceMade and state.phase == STAKE:
            state.choice[choice_slot(event.seat, 1)] = card_code(event.move)
            state.owes &= ~only(event.seat)
        elif type(event) is ChoiceHidden and state.phase == STAKE:
            state.unknown |= state.owes & only(event.seat)
        else:
            return False
        return True

    def table(self, state: State) -> dict[str, object]:
        """The cards staked."""
        return {"stakes": mask_texts(state.sets[self.stakes], state.sets[self.stakes + 1])}

    @classmethod
    def narrate(cls, event: Any, reader: int | None) -> Sentence | None:
        """What was staked, who raised, what the reader drew."""
        if type(event) is StakesShown:
            return Sentence("stakes-shown", facts={"cards": Cards(event.cards)})
        if type(event) is RaiseDrawn:
            return Sentence("raise-drew", facts={"cards": Cards(event.cards)})
        if event.move == "stay":
            return None
        return Sentence("raises", "you-raise", event.seat)

    def effect(self, state: State, seat: int, move: Move) -> list[Sentence]:
        """What raising does."""
        if state.phase == RAISE and move.text == "raise":
            return [Sentence("effect-raise")]
        return []

    def reason(self, state: State, seat: int, move: Move) -> Sentence | None:
        """The colour of the stake, and who sits next."""
        if state.phase == RAISE:
            return None
        after = Name((seat + 1) % self.seats)
        letter = "RYGBLS"[colour_of(argument_of(move.steps[0]))]
        return Sentence("advice-stakes", facts={"colour": letter, "name": after})

    def entry(self, move: Move) -> object:
        """As it is typed."""
        return move.text

    @staticmethod
    def entry_text(value: object) -> str:
        """As it is typed."""
        return value if isinstance(value, str) else ""

    def tally_count(self, state: State, seat: int) -> int:
        """Points by raised tricks."""
        return state.numbers[self.extra + seat]
