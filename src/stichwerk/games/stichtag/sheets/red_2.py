"""The sheet red 2."""

from stichwerk.cards import card_code, card_text
from stichwerk.engine.constants import COLOURS, KIND, NOBODY, NONE
from stichwerk.engine.events import Move
from stichwerk.engine.generator import Generator
from stichwerk.engine.machine import Bits
from stichwerk.engine.round_rules import Moves
from stichwerk.engine.state import State
from stichwerk.errors import Reason
from stichwerk.games.stichtag.sheet import Sheet
from stichwerk.games.stichtag.texts import texts_of

PAIR = 3  # kind of move; argument: lower card + 128 * value of the higher one


class Red2(Sheet):
    """Pairs: one or two cards of one colour, the values add up."""

    name = "red 2"
    replaces = ("plays", "strength")
    origin = "partly"
    kinds = {PAIR: "pair"}
    pairs = True
    title, symbol_name, short, long, notes = texts_of("red_2")

    def number(self, state: State, play: int) -> int:
        """The sum of the cards."""
        number = state.trick_card[play] & 15
        return number if state.second[play] == NONE else number + (state.second[play] & 15)

    def more_plays(self, state: State, seat: int, colours: int, moves: Moves) -> None:
        """Pairs of one colour, after the single cards."""
        for colour in range(COLOURS):
            if colours >> colour & 1:
                self.list_pairs(state.colour(seat, colour), 16 * colour, moves)

    def list_pairs(self, values: int, first: int, moves: Moves) -> None:
        """Every two of these values, the lower one first."""
        while values:
            low = Bits.lowest(values)
            values &= values - 1
            others = values
            while others:
                moves.add(PAIR * KIND + first + low + 128 * Bits.lowest(others))
                others &= others - 1

    def random_play(self, state: State, seat: int, colours: int, generator: Generator) -> int:
        """All singles and pairs are equally likely."""
        total = 0
        for colour in range(COLOURS):
            if colours >> colour & 1:
                count = Bits.count(state.colour(seat, colour))
                total += count * (count + 1) // 2
        at = generator.below(total)
        for colour in range(COLOURS):
            if colours >> colour & 1:
                values = state.colour(seat, colour)
                count = Bits.count(values)
                if at < count * (count + 1) // 2:
                    return self.nth_play(values, count, at, 16 * colour)
                at -= count * (count + 1) // 2
        return NOBODY

    def nth_play(self, values: int, count: int, at: int, first: int) -> int:
        """One of the singles and pairs of one colour, by its number."""
        if at < count:
            return first + Bits.nth(values, at)
        at -= count
        low = 0
        while at >= count - 1 - low:
            at -= count - 1 - low
            low += 1
        return PAIR * KIND + first + Bits.nth(values, low) + 128 * Bits.nth(values, low + 1 + at)

    def lay_more(self, state: State, seat: int, play: int, move: int) -> None:
        """The second card of a pair."""
        if move >= PAIR * KIND:
            state.second[play] = (move & 112) + (move >> 7 & 15)
            state.remove(seat, state.second[play])

    # -- At the table ------------------------------------------------------------------------------

    def step_text(self, step: int) -> str:
        """Both cards of a pair."""
        low = step & 127
        return f"{card_text(low)}+{card_text((low & 112) + (step >> 7 & 15))}"

    def judge_play(self, state: State, seat: int, text: str) -> Move | Reason | None:
        """Two cards of one colour; of the led colour, if the hand has it."""
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
        if low >> 4 != high >> 4:
            return Reason("one-colour", first=card_text(low), second=card_text(high))
        if low == high:
            return Reason("card-twice", card=card_text(low))
        objection = self.steps.follow_objection(state, seat, low)
        if objection is not None:
            return objection
        step = PAIR * KIND + low + 128 * (high & 15)
        return Move(self.step_text(step), (step,))

    def known_steps(self, state: State, text: str) -> tuple[int, ...] | None:
        """A pair."""
        low, _, high = text.partition("+")
        if not high:
            return None
        return (PAIR * KIND + card_code(low) + 128 * (card_code(high) & 15),)
