"""What a sheet may call: the steps of a round, which `Course` implements."""

from stichwerk.cards import card_code
from stichwerk.engine.frame import Game
from stichwerk.engine.generator import Generator
from stichwerk.engine.state import State
from stichwerk.errors import Reason


class Steps(Game):
    """The steps of a round that a sheet may call; `Course` implements them."""

    def lay_openly(self, state: State, seat: int, move: int) -> None:
        """Play openly to the trick."""

    def all_lie(self, state: State) -> None:
        """Handle a complete trick."""

    def settle_trick(self, state: State) -> None:
        """Decide who wins the trick, and let the sheets act on it."""

    def close_trick(self, state: State) -> None:
        """Go on to the next lead, or to the end of the round."""

    def count_points(self, state: State) -> None:
        """Count the points of the round, which ends it."""

    def go_on(self, state: State) -> None:
        """Go on after all choices are made."""

    def after_leaving(self, state: State, seat: int) -> None:
        """Handle a card that has left the hand of this seat."""

    def take_in(self, state: State, seat: int, card: int) -> None:
        """Add a card to the hand; NONE is an unknown card."""

    def deal_unseen(self, state: State, seat: int, generator: Generator) -> bool:
        """Find a holder for every unseen card; see `Game.spread_unseen`."""
        return False

    def read_seat(self, text: str) -> int | Reason:
        """Return a seat by its number."""
        text = text.strip()
        if text.isascii() and text.isdigit() and len(text) < 3 and int(text) < self.seats:
            return int(text)
        return Reason("not-a-seat", text=text[:20], highest=self.seats - 1)

    def follow_objection(self, state: State, seat: int, card: int) -> Reason | None:
        """Return why a card of this colour cannot be played; None if it can."""
        return None

    def learn_cards(self, state: State, seat: int, cards: tuple[str, ...]) -> None:
        """Learn cards of this seat that came in: their number is known already."""
        for text in cards:
            card = card_code(text)
            state.hand_size[seat] -= 1
            voids = state.voids[seat]
            self.take_in(state, seat, card)
            state.voids[seat] = voids

    def recount(self, state: State) -> None:
        """Count the points again with what is shown only at the end of a round."""
