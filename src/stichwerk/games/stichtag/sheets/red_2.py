"""The sheet red 2."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

from stichwerk.cards import card_code, card_text
from stichwerk.engine.codes import (
    card_at,
    card_of,
    colour_of,
    half_slot,
    has,
    kind_of,
    move_of,
    place_of,
    play_at,
    value_of,
    values_in,
)
from stichwerk.engine.constants import COLOURS, NOBODY, NONE
from stichwerk.engine.events import Move, MoveParts
from stichwerk.engine.frame import Game
from stichwerk.engine.generator import Generator
from stichwerk.engine.machine import Bits
from stichwerk.engine.round_rules import Moves
from stichwerk.engine.state import State
from stichwerk.errors import Reason
from stichwerk.games.stichtag.sentence import Sentence
from stichwerk.games.stichtag.sheet import Sheet
from stichwerk.games.stichtag.texts import texts_of

PAIR = 3  # kind of move; argument: `play_at` of the lower card and the value of the higher one


class Red2(Sheet):
    """Pairs: one or two cards of one colour, the values add up."""

    name = "red 2"
    replaces = ("plays", "strength")
    origin = "partly"
    kinds = {PAIR: "pair"}
    pairs = True
    own_hook = "number"
    title, symbol_name, short, long, notes = texts_of("red_2")

    def number(self, state: State, play: int) -> int:
        """The sum of the cards."""
        number = value_of(state.trick_card[play])
        if state.second[play] != NONE:
            number += value_of(state.second[play])
        return number

    def more_plays(self, state: State, seat: int, colours: int, moves: Moves) -> None:
        """List pairs of one colour, after the single cards."""
        for colour in range(COLOURS):
            if has(colours, colour):
                self.list_pairs(state.colour(seat, colour), colour, moves)

    def list_pairs(self, values: int, colour: int, moves: Moves) -> None:
        """List every two of these values, the lower one first."""
        while values:
            low = Bits.lowest(values)
            values &= values - 1
            others = values
            while others:
                moves.add(self.pair_of(colour, low, Bits.lowest(others)))
                others &= others - 1

    def random_play(self, state: State, seat: int, colours: int, generator: Generator) -> int:
        """Return a single card or a pair, all equally likely."""
        low = state.hands[half_slot(seat, 0)]
        high = state.hands[half_slot(seat, 1)]
        total = 0
        for colour in range(COLOURS):
            if has(colours, colour):
                count = Bits.count(values_in(low, high, colour))
                total += count * (count + 1) // 2
        at = generator.below(total)
        for colour in range(COLOURS):
            if has(colours, colour):
                values = values_in(low, high, colour)
                count = Bits.count(values)
                if at < count * (count + 1) // 2:
                    return self.nth_play(values, count, at, colour)
                at -= count * (count + 1) // 2
        return NOBODY

    def nth_play(self, values: int, count: int, at: int, colour: int) -> int:
        """Return one of the singles and pairs of one colour, by its number."""
        if at < count:
            return card_at(colour, Bits.nth(values, at))
        at -= count
        low = 0
        while at >= count - 1 - low:
            at -= count - 1 - low
            low += 1
        return self.pair_of(colour, Bits.nth(values, low), Bits.nth(values, low + 1 + at))

    def lay_more(self, state: State, seat: int, play: int, move: int) -> None:
        """Play the second card of a pair."""
        if kind_of(move) == PAIR:
            state.second[play] = card_at(colour_of(card_of(move)), place_of(move))
            state.remove(seat, state.second[play])

    def pair_of(self, colour: int, low: int, high: int) -> int:
        """Return the play of two values of a colour."""
        return move_of(PAIR, play_at(card_at(colour, low), high))

    def second_of(self, move: int) -> int:
        """Return the higher card of a pair."""
        return card_at(colour_of(card_of(move)), place_of(move)) if kind_of(move) == PAIR else NONE

    @classmethod
    def action_arguments(cls, kind: int, game: Game) -> list[int]:
        """Return every two cards of one colour."""
        pairs = combinations(dict.fromkeys(game.deck.codes), 2)
        return [
            play_at(low, value_of(high)) for low, high in pairs if colour_of(low) == colour_of(high)
        ]

    @classmethod
    def action_text(cls, kind: int, argument: int) -> str:
        """Return both cards."""
        low = card_of(argument)
        return f"{card_text(low)}+{card_text(card_at(colour_of(low), place_of(argument)))}"

    # -- At the table ------------------------------------------------------------------------------

    def step_text(self, step: int) -> str:
        """Return both cards of a pair."""
        return f"{card_text(card_of(step))}+{card_text(self.second_of(step))}"

    def step_parts(self, step: int) -> MoveParts:
        """Return both cards of a pair."""
        return MoveParts(cards=(card_text(card_of(step)), card_text(self.second_of(step))))

    def judge_play(self, state: State, seat: int, text: str) -> Move | Reason | None:
        """Judge two cards of one colour; of the led colour, if the hand has it."""
        words = text.split("+")
        if len(words) == 1:
            return None
        if len(words) > 2:
            return Reason("two-cards")
        cards = []
        for word in words:
            card = self.steps.read_card(state, seat, word)
            if isinstance(card, Reason):
                return card
            cards.append(card)
        low, high = sorted(cards)
        if colour_of(low) != colour_of(high):
            return Reason("one-colour", first=card_text(low), second=card_text(high))
        if low == high:
            return Reason("card-twice", card=card_text(low))
        objection = self.steps.follow_objection(state, seat, low)
        if objection is not None:
            return objection
        step = self.pair_of(colour_of(low), value_of(low), value_of(high))
        return Move(self.step_text(step), (step,))

    @classmethod
    def play_question(cls, moves: Sequence[str], table: Mapping[str, Any]) -> Sentence | None:
        """Ask for a card or a pair, while the hand has one."""
        if "+" not in moves[-1]:
            return None
        return Sentence("ask-pair", facts={"card": moves[0], "pair": moves[-1]})

    def known_steps(self, state: State, text: str) -> tuple[int, ...] | None:
        """Return a pair."""
        low, _, high = text.partition("+")
        if not high:
            return None
        first, second = card_code(low), card_code(high)
        return (self.pair_of(colour_of(first), value_of(first), value_of(second)),)
