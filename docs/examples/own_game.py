"""Odd & Even: a small custom game, in plain Python and in one file.

Three to five players, eight cards each, the rest stays hidden. Follow if you can. If the led card
is odd, the highest card of its colour takes the trick; if it is even, the lowest. At the end every
odd card you took is worth a point and every even one costs a point, or the other way round. As many
rounds as seats.

    python docs/examples/own_game.py
    stichwerk play docs/examples/own_game.py
    stichwerk serve --game docs/examples/own_game.py
"""

from collections.abc import Mapping

import stichwerk
from stichwerk.cards import Deck
from stichwerk.engine.constants import ALL_COLOURS
from stichwerk.engine.plain import Bits, Game, State, colour_of, half_slot, value_of
from stichwerk.games.options import Option, Value, starter_option
from stichwerk.games.registry import register

ODD = 0xAAAA_AAAA_AAAA_AAAA  # the odd values of four colours, sixteen bits each


class OddEven(Game):
    """Odd & Even with its seats and options fixed."""

    name = "odd-even"
    seat_counts = (3, 4, 5)

    def __init__(self, seats: int, options: Mapping[str, Value]) -> None:
        super().__init__(seats, hand_size=8, deck=Deck("RYGB", 1, 11))
        self.even_wanted = options["wanted"] == "even"

    @staticmethod
    def options(seats: int) -> tuple[Option, ...]:
        """Return the options: which cards are wanted, who starts."""
        return (Option("wanted", "odd", ("odd", "even")), starter_option(seats))

    # -- Duty to follow --------------------------------------------------------------------------

    def may_play(self, state: State, seat: int) -> int:
        """Return the led colour if the seat has it, otherwise all colours."""
        if state.trick_size[0] and state.colour(seat, state.led(0)):
            return Bits.bit(state.led(0))
        return ALL_COLOURS

    def play_card(self, state: State, seat: int, card: int) -> None:
        """Note the void of a seat that does not follow: samples must respect it."""
        if state.trick_size[0] and colour_of(card) != state.led(0):
            state.voids[seat] |= Bits.bit(state.led(0))
        super().play_card(state, seat, card)

    # -- Who takes the trick ---------------------------------------------------------------------

    def strength(self, state: State, play: int) -> int:
        """The led colour's highest card wins after an odd lead, its lowest after an even one."""
        lead, card = state.trick_card[0], state.trick_card[play]
        if colour_of(card) != colour_of(lead):
            return 0
        value = value_of(card)
        return value if value_of(lead) % 2 else 16 - value

    # -- Scoring ---------------------------------------------------------------------------------

    def score(self, state: State, seat: int) -> int:
        """Count a point for each wanted card, minus one for each of the others."""
        taken = state.won[half_slot(seat, 0)]
        odd = Bits.count(taken & ODD)
        even = Bits.count(taken & ~ODD)
        return even - odd if self.even_wanted else odd - even


register(OddEven)


def main() -> None:
    """Play one match between bots and print it in a few lines."""
    match = stichwerk.game("odd-even", seats=4, wanted="even").new(seed=7)
    bot = stichwerk.bot("greedy")
    while match.waiting_for:
        seat = match.waiting_for[0]
        match.play(seat, bot.choose(match.view(seat)))
    for number, scores in enumerate(match.scores, 1):
        print(f"round {number}: {scores}")
    print(f"totals: {match.totals}, best first: {match.ranking}")


if __name__ == "__main__":
    main()
