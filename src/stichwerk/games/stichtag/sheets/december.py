"""The sheet December."""

from typing import Any

from stichwerk.cards import card_code, card_text
from stichwerk.engine.area import Area
from stichwerk.engine.codes import (
    bit_of,
    card_in,
    card_of,
    half_of,
    half_slot,
    move_of,
    place_of,
    play_at,
)
from stichwerk.engine.constants import NONE, SEATS
from stichwerk.engine.events import BaseEvent, Event, Move
from stichwerk.engine.machine import Bits
from stichwerk.engine.round_rules import Moves
from stichwerk.engine.state import State
from stichwerk.errors import Reason
from stichwerk.games.stichtag.choice_panels import panels_of
from stichwerk.games.stichtag.seat_facts import facts_of
from stichwerk.games.stichtag.sentence import Cards, Name, Sentence
from stichwerk.games.stichtag.sheet import GIVE_TO, Sheet, mask_texts
from stichwerk.games.stichtag.table_facts import shown_by
from stichwerk.games.stichtag.texts import drawing_of, texts_of

GIFT = 6  # phase
EXACTLY_TWELVE = 2  # green sheet
GIVE = 7  # kind of move; argument: `play_at` of the card and the seat that gets it


class GiftGiven(BaseEvent, frozen=True, tag="gift"):
    """The winner of a trick gave a gift card away.

    `seat`: who did it
    `move`: the move, as it is typed
    `cards`: the gift card, alone in a list
    `target`: the seat that gets it
    """

    listed_after = "play"
    names_taken = True

    seat: int
    move: str
    cards: tuple[str, ...] = ()
    target: int | None = None


class December(Sheet):
    """Gift: gift cards that you win go to others."""

    name = "December"
    extends = ("after", "points")
    values = (0,)
    origin = "partly"
    asks = {GIFT: "gift"}
    kinds = {GIVE: "give"}
    card_seat_kinds = (GIVE,)
    seat_separators = {"gift": ">"}
    emits = (GiftGiven,)
    manners = {GIFT: GIVE_TO}
    symbols_help = -1
    questions = {"gift": "ask-gift"}
    tally = "tally-gifts"
    title, symbol_name, short, long, notes = texts_of("december")
    shown = shown_by("december")
    panels = panels_of("december")
    drawing = drawing_of("december")
    facts = facts_of("december")

    def reserve(self, area: Area) -> None:
        """Reserve the gift cards still to be given, and each seat's number of gifts."""
        self.due = area.cards("due")
        self.gifts = area.number("gifts", 0, count=SEATS)

    def after_trick(self, state: State, winner: int) -> None:
        """Every gift card of the trick must be given away, a struck one too."""
        for play in range(state.trick_size[0]):
            self.put_due(state, state.trick_card[play])
            if state.second[play] != NONE:
                self.put_due(state, state.second[play])
        if state.sets[self.due] | state.sets[self.due + 1]:
            self.ask(state, GIFT, winner)

    def put_due(self, state: State, card: int) -> None:
        """Note a gift card that must be given."""
        if self.has_symbol(card):
            state.sets[self.due + half_of(card)] |= bit_of(card)

    def legal(self, state: State, seat: int, moves: Moves) -> None:
        """List each gift card with each other seat."""
        for word in range(2):
            mask = state.sets[self.due + word]
            while mask:
                card = card_in(word, Bits.lowest(mask))
                mask &= mask - 1
                for other in range(self.seats):
                    if other != seat:
                        moves.add(move_of(GIVE, play_at(card, other)))

    def choose(self, state: State, seat: int, move: int) -> None:
        """Give the gift to the other seat."""
        card = card_of(move)
        other = place_of(move)
        state.sets[self.due + half_of(card)] &= ~bit_of(card)
        state.won[half_slot(seat, half_of(card))] &= ~bit_of(card)
        state.collect(other, card)
        state.numbers[self.gifts + other] += 1
        if not state.sets[self.due] | state.sets[self.due + 1]:
            state.owes = 0

    def own_points(self, state: State, seat: int) -> int:
        """A point for each gift."""
        return state.numbers[self.gifts + seat]

    def trick_worth(self, state: State, seat: int, left: int) -> float:
        """A gift helps one of the others; that is harmless where exactly twelve points win."""
        symbols = self.symbols(state)
        if symbols == 0 or self.green_number == EXACTLY_TWELVE:
            return 1.0
        return 1.0 - symbols / (self.seats - 1.0)

    # -- At the table ------------------------------------------------------------------------------

    def step_text(self, step: int) -> str:
        """Return a card and the seat that gets it."""
        return f"{card_text(card_of(step))}>{place_of(step)}"

    def judge(self, state: State, seat: int, text: str) -> Move | Reason:
        """Judge a gift: a gift card of the trick and another seat: `G0>2`."""
        word, _, who = text.partition(">")
        target = self.steps.read_seat(who)
        if isinstance(target, Reason):
            return target
        if target == seat:
            return Reason("not-yourself")
        for step in self.steps.actions(state, seat):
            if self.step_text(step) == f"{word.strip().upper()}>{target}":
                return Move(self.step_text(step), (step,))
        return Reason("not-a-gift", text=word.strip()[:20])

    def known_steps(self, state: State, text: str) -> tuple[int, ...] | None:
        """Return a gift."""
        if state.phase != GIFT:
            return None
        card, _, who = text.partition(">")
        return (move_of(GIVE, play_at(card_code(card), int(who))),)

    def choice_events(self, before: State, seat: int, move: Move) -> list[Event]:
        """Return a gift, and who gets it."""
        step = move.steps[0]
        return [GiftGiven(seat, move.text, (card_text(card_of(step)),), place_of(step))]

    def learn(self, state: State, event: Event) -> bool:
        """Learn a gift by giving it again."""
        if type(event) is not GiftGiven:
            return False
        self.steps.replay_move(state, event.seat, event.move)
        return True

    @classmethod
    def narrate(cls, event: Any, reader: int | None) -> Sentence | None:
        """Say who gets a gift card."""
        gives = "gives-you" if event.target == reader else "gives"
        facts = {"card": Cards(event.cards), "target": Name(event.target)}
        return Sentence(gives, "you-give", event.seat, facts)

    def effect(self, state: State, seat: int, move: Move) -> list[Sentence]:
        """Return who gets the gift."""
        step = move.steps[0]
        facts = {"card": card_text(card_of(step)), "name": Name(place_of(step))}
        return [Sentence("effect-gift", facts=facts)]

    def reason(self, state: State, seat: int, move: Move) -> Sentence | None:
        """Return who gets a gift, and that nobody else has fewer points, if so."""
        step = move.steps[0]
        target = place_of(step)
        totals = [state.totals[other] for other in range(self.seats) if other != seat]
        last = state.totals[target] == min(totals)
        facts = {"card": card_text(card_of(step)), "name": Name(target)}
        return Sentence("advice-gives-last" if last else "advice-gives", facts=facts)

    def table(self, state: State) -> dict[str, object]:
        """Return each seat's number of gifts, and the cards still to be given."""
        return {
            "gifts": [self.own_points(state, seat) for seat in range(self.seats)],
            "to_give": mask_texts(state.sets[self.due], state.sets[self.due + 1]),
        }

    def entry(self, move: Move) -> object:
        """Return the card and the seat."""
        step = move.steps[0]
        return [card_text(card_of(step)), place_of(step)]

    @staticmethod
    def entry_text(value: object) -> str:
        """Return a gift as it is typed."""
        if isinstance(value, list | tuple) and len(value) == 2:
            return f"{value[0]}>{value[1]}"
        return ""

    def for_winner(self, lying: State, after: State) -> list[Sentence]:
        """Return the gifts to give away."""
        if after.phase != GIFT:
            return []
        count = len(mask_texts(after.sets[self.due], after.sets[self.due + 1]))
        return [
            Sentence(
                "then-gifts", "then-your-gifts", seat=after.last_winner, facts={"count": count}
            )
        ]

    def note_matters(self, state: State, other: str) -> bool:
        """Return whether gifts are being given."""
        return state.phase == GIFT

    def tally_count(self, state: State, seat: int) -> int:
        """Return the seat's number of gifts."""
        return state.numbers[self.gifts + seat]
