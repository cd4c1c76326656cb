"""Hearts for people: what a card would cost, and how the points were scored."""

from collections.abc import Sequence

from stichwerk.cards import COLOURS
from stichwerk.engine.events import Move
from stichwerk.engine.plain import State
from stichwerk.outlook.game_outlook import GameOutlook
from stichwerk.outlook.position import signed
from stichwerk.outlook.structs import Gain, Item


class HeartsOutlook(GameOutlook):
    """The outlook of a position of Hearts."""

    def cards_to_choose(self) -> int:
        """Return three for passing, one for playing."""
        return 3 if self.view.phase == "pass" else 1

    def choice_text(self, move: Move) -> str:
        """Say who gets the cards."""
        assert self.seat is not None
        target = (self.seat + self.rules.target(self.known)) % self.view.seats
        return self.say("hearts-goes-to", name=self.view.names[target])

    # -- The trick ---------------------------------------------------------------------------------

    def gains(self, after: State, winner: int | None, complete: bool) -> tuple[Gain, ...]:
        """Return what the trick costs its taker."""
        if winner is None:
            return ()
        if complete:
            cost = self.rules.cost(after, winner) - self.rules.cost(self.known, winner)
        else:
            cost = sum(map(self.rules.card_cost, self.lying(after)))
        return (Gain(seat=winner, points=-cost),)

    def gain_words(self, gains: Sequence[Gain]) -> list[str]:
        """Say what it costs whom; nothing if it costs nothing."""
        return [
            self.by(gain.seat, "worth-to", "worth-to-you", points=signed(gain.points))
            for gain in gains
            if gain.points
        ]

    def why(self, play: int) -> str:
        """Name the highest card of the led colour."""
        return self.say("why-led", led=COLOURS[self.known.led(0)])

    # -- Points ------------------------------------------------------------------------------------

    def tally(self, seat: int, points: int) -> list[Item]:
        """List red cards and the queen; or the moon."""
        shooter = self.rules.shooter(self.known)
        if shooter is not None:
            id = "hearts-tally-moon" if seat == shooter else "hearts-tally-moon-other"
            return [Item(text=self.say(id, name=self.view.names[shooter]), points=points)]
        red = self.rules.red_cards(self.known, seat)
        items = [Item(text=self.say("hearts-tally-red", count=red), points=-red)]
        if self.rules.has_queen(self.known, seat):
            items.append(Item(text=self.say("hearts-tally-queen"), points=red + points))
        return items
