"""The sheet red 1."""

from collections.abc import Mapping, Sequence
from typing import Any

from stichwerk.cards import COLOURS as LETTERS
from stichwerk.cards import card_code, card_text
from stichwerk.engine.codes import all_below, choice_of, choice_slot, colour_of, has, only, value_of
from stichwerk.engine.constants import NONE, PLAY
from stichwerk.engine.events import BaseEvent, CardPlayed, ChoiceHidden, ChoiceMade, Event, Move
from stichwerk.engine.generator import Generator
from stichwerk.engine.state import State
from stichwerk.games.stichtag.sentence import Sentence
from stichwerk.games.stichtag.sheet import Sheet
from stichwerk.games.stichtag.storage import NAMED
from stichwerk.games.stichtag.table_facts import shown_by
from stichwerk.games.stichtag.texts import texts_of
from stichwerk.games.stichtag.trick_marks import marks_of


class ColourNamed(BaseEvent, frozen=True, tag="named"):
    """The leader laid a card face down and named its colour.

    `seat`: who did it
    `move`: the letter of the colour
    """

    listed_after = "choice"

    seat: int
    move: str


class Red1(Sheet):
    """Face down: the leader names a colour, all others choose secretly at once."""

    name = "red 1"
    replaces = ("turn",)
    origin = "partly"
    emits = (ChoiceMade, ColourNamed, ChoiceHidden)
    at_once = True
    play_moment = "face-down"
    title, symbol_name, short, long, notes = texts_of("red_1")
    shown = shown_by("red_1")
    marks = marks_of("red_1")

    def lay_at_once(self, state: State, seat: int, move: int) -> None:
        """The leader names their colour, then all others choose; the last choice reveals all."""
        state.choice[choice_slot(seat, 0)] = move
        if state.numbers[NAMED] == NONE:
            state.numbers[NAMED] = colour_of(move)
            state.owes = all_below(self.seats) & ~only(seat)
            return
        state.owes &= ~only(seat)
        if state.owes == 0:
            self.turn_up(state)

    def turn_up(self, state: State) -> None:
        """All cards are turned up, in the order clockwise from the leader."""
        seat = state.leader
        state.numbers[NAMED] = NONE
        for _ in range(self.seats):
            self.steps.lay_openly(state, seat, choice_of(state, seat))
            state.choice[choice_slot(seat, 0)] = NONE
            seat = (seat + 1) % self.seats
        self.steps.all_lie(state)

    def is_face_down(self, state: State, holder: int, card: int) -> bool:
        """The card of a leader who has only named its colour."""
        if state.numbers[NAMED] == NONE or holder != state.leader:
            return False
        return choice_of(state, holder) == card

    def all_in(self, state: State, seat: int) -> bool:
        """The leader's card alone reveals nothing."""
        return state.numbers[NAMED] != NONE and state.owes == only(seat)

    def has_played(self, state: State, seat: int) -> bool:
        """Once a colour is named, a seat whose card is face down."""
        return state.numbers[NAMED] != NONE and choice_of(state, seat) != NONE

    # -- Sampling ----------------------------------------------------------------------------------

    def spread_unseen(self, state: State, seat: int, generator: Generator) -> bool:
        """A leader with a card face down holds one of the colour they named: find it first."""
        leader = state.leader
        if state.numbers[NAMED] == NONE or choice_of(state, leader) != NONE:
            return self.steps.deal_unseen(state, seat, generator)
        tried = 0
        while True:
            card = self.face_down_card(state, generator, tried)
            if card == NONE:
                return False
            state.give(leader, card)
            state.hand_size[leader] -= 1
            if self.steps.deal_unseen(state, seat, generator):
                state.choice[choice_slot(leader, 0)] = card
                return True
            state.remove(leader, card)
            state.hand_size[leader] += 1
            tried |= only(value_of(card))

    def face_down_card(self, state: State, generator: Generator, tried: int) -> int:
        """Return an unseen card of the named colour that the leader may hold, other than the values
        tried; NONE if there is none."""
        self.steps.gather_unseen(state, generator)
        generator.shuffle(generator.size)
        for at in range(generator.size):
            card = generator.cards[at]
            if colour_of(card) != state.numbers[NAMED] or has(tried, value_of(card)):
                continue
            if self.steps.fits(state, state.leader, card):
                return card
        return NONE

    # -- Events ------------------------------------------------------------------------------------

    def play_events(self, before: State, seat: int, move: Move) -> list[Event]:
        """Return the colour the leader names; with the last card all are turned up."""
        own = ChoiceMade(seat, move.text, to=(seat,))
        if before.numbers[NAMED] == NONE:
            return [own, ColourNamed(seat, move.text[0])]
        events: list[Event] = [own, ChoiceHidden(seat)]
        if before.owes == only(seat):
            for step, card in enumerate(self.last_cards(before, move)):
                events.append(CardPlayed((before.leader + step) % self.seats, card, (card,)))
        return events

    def last_cards(self, before: State, move: Move) -> list[str]:
        """Return all cards that are turned up, clockwise from the leader; the last one is this
        move."""
        cards = []
        for step in range(self.seats):
            other = (before.leader + step) % self.seats
            mine = before.owes == only(other)
            cards.append(move.text if mine else card_text(choice_of(before, other)))
        return cards

    @classmethod
    def narrate(cls, event: Any, reader: int | None) -> Sentence | None:
        """Name the colour of the leader's face-down card."""
        facts = {"colour": event.move}
        return Sentence("lays-face-down", "you-lay-face-down", event.seat, facts)

    @classmethod
    def play_question(cls, moves: Sequence[str], table: Mapping[str, Any]) -> Sentence | None:
        """Ask for a card to lead face down, or to follow."""
        asked = "ask-lead-face-down" if table["named"] is None else "ask-face-down"
        return Sentence(asked, facts={"example": moves[-1]})

    # -- Views -------------------------------------------------------------------------------------

    def table(self, state: State) -> dict[str, object]:
        """Return the named colour, and whose cards are face down."""
        named = state.numbers[NAMED]
        if named == NONE:
            return {"named": None, "face_down": []}
        face_down = [seat for seat in range(self.seats) if not has(state.owes, seat)]
        return {"named": LETTERS[named], "face_down": face_down}

    def secrets(self, state: State, seat: int) -> dict[str, object]:
        """Return the seat's own card that is face down."""
        if state.numbers[NAMED] == NONE or choice_of(state, seat) == NONE:
            return {}
        return {"face_down": card_text(choice_of(state, seat))}

    def learn(self, state: State, event: Event) -> bool:
        """Learn cards that are played face down, and turned up."""
        if type(event) is CardPlayed:
            self.learn_turned_up(state, event.seat, card_code(event.move))
        elif type(event) is ColourNamed:
            state.numbers[NAMED] = LETTERS.index(event.move)
            state.owes = all_below(self.seats) & ~only(event.seat)
        elif type(event) is ChoiceMade and state.phase == PLAY:
            state.choice[choice_slot(event.seat, 0)] = card_code(event.move)
            state.owes &= ~only(event.seat)
        else:
            return False
        return True

    def learn_turned_up(self, state: State, seat: int, card: int) -> None:
        """Learn a card that was turned up; the last one settles the trick."""
        state.unknown = 0
        state.numbers[NAMED] = NONE
        state.choice[choice_slot(seat, 0)] = NONE
        self.steps.lay_openly(state, seat, card)
        if state.trick_size[0] == self.seats:
            state.owes = 0
            self.steps.all_lie(state)
