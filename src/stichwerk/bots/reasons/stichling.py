"""Reasons of Stichling: who gets the trick, and what one more trick is worth to the seat."""

from typing import Any

from stichwerk.bots.advice import AdviceReason, Alternative
from stichwerk.bots.position import Position
from stichwerk.bots.reasons.contrast import OFTEN, Consequences, general
from stichwerk.bots.reasons.play import lying, unseen
from stichwerk.cards import card_text
from stichwerk.engine.codes import argument_of, card_of, colour_of, place_of, value_of
from stichwerk.engine.constants import CHOOSE
from stichwerk.engine.events import Move
from stichwerk.games.stichling import ORDERS

FULL = 4  # cards that make a trick full


def reason(position: Position, move: Move) -> AdviceReason:
    """Say why this order of scoring cards, or why this card goes to this place."""
    if position.known.phase == CHOOSE:
        return order_reason(position, ORDERS[argument_of(move.steps[0])])
    laid = Laid(position, move)
    if laid.size == 0 and laid.higher == 0:
        return AdviceReason("advice-opens-top", {"card": laid.text})
    if laid.size == 0:
        return AdviceReason("advice-opens-trick", {"card": laid.text, "count": laid.higher})
    if laid.size + 1 == FULL:
        return laid.completes()
    return laid.owns() if laid.owner == laid.seat else laid.stays_out()


def order_reason(position: Position, order: tuple[int, ...]) -> AdviceReason:
    """Say that the best scoring card is where the seat expects to end."""
    best = max(order)
    rules: Any = position.rules
    points = max(rules.scoring_values(position.known))
    return AdviceReason("advice-order", {"count": order.index(best) + 1, "points": points})


class Laid:
    """A card played to one of the open tricks."""

    def __init__(self, position: Position, move: Move) -> None:
        self.position = position
        self.seat = position.seat
        self.card = card_of(move.steps[0])
        self.place = place_of(move.steps[0])
        self.text = card_text(self.card)
        self.before = position.known
        self.after = position.after(move.steps)
        self.size = self.before.trick_size[self.place]

    @property
    def where(self) -> dict[str, object]:
        """Return card and place for a sentence; places are counted from 1."""
        return {"card": self.text, "place": self.place + 1}

    @property
    def owner(self) -> int | None:
        """Return who then owns the trick."""
        if self.size + 1 == FULL:
            return self.after.last_winner
        return self.position.rules.winning_seat(self.after, self.place)

    @property
    def owner_before(self) -> int | None:
        """Return who owned the trick before."""
        return self.position.rules.winning_seat(self.before, self.place)

    @property
    def higher(self) -> int:
        """Return how many higher cards of its colour the seat has not seen."""
        same = [card for card in unseen(self.position) if colour_of(card) == colour_of(self.card)]
        return sum(value_of(card) > value_of(self.card) for card in same)

    def score(self, tricks: int) -> int:
        """Return what this number of tricks is worth to the seat."""
        rules: Any = self.position.rules
        worth: int = rules.worth(self.before, self.seat, tricks)
        return worth

    def completes(self) -> AdviceReason:
        """Explain the fourth card: someone takes the trick."""
        won = self.before.tricks_won[self.seat]
        now, then = self.score(won), self.score(won + 1)
        if self.owner != self.seat:
            return self.completes_for(now)
        if self.is_goal(then):
            return AdviceReason("advice-reaches-goal", {"place": self.place + 1, "points": then})
        facts = {"place": self.place + 1, "before": now, "after": then, "worth": then - now}
        return AdviceReason("advice-completes-own", facts)

    def completes_for(self, now: int) -> AdviceReason:
        """Say that the trick goes to someone else."""
        if self.is_goal(now):
            return AdviceReason("advice-has-goal", {"points": now})
        assert self.owner is not None
        name = self.position.view.names[self.owner]
        return AdviceReason("advice-completes-for", {"name": name, "place": self.place + 1})

    def is_goal(self, points: int) -> bool:
        """Return whether this is the most a round can score."""
        return points == max(ORDERS[0]) * self.before.round

    def owns(self) -> AdviceReason:
        """Say that the seat owns the trick, newly or as before."""
        if self.owner_before == self.seat:
            return AdviceReason("advice-fills-own", self.where)
        if self.higher == 0:
            return AdviceReason("advice-sure-of-trick", self.where)
        return AdviceReason("advice-takes-lead", {**self.where, "count": self.higher})

    def stays_out(self) -> AdviceReason:
        """Say that the trick stays someone else's."""
        now = self.score(self.before.tricks_won[self.seat])
        if self.is_goal(now):
            return AdviceReason("advice-has-goal", {"points": now})
        cards = lying(self.before, self.place)
        led = colour_of(cards[0])
        if colour_of(self.card) != led:
            return AdviceReason("advice-throws-off", self.where)
        top = max(card for card in cards if colour_of(card) == led)
        return AdviceReason("advice-stays-under", {"card": card_text(top), "place": self.place + 1})


# -- What another move would lead to ---------------------------------------------------------------


def contrast(
    best: Consequences, other: Consequences, gap: Alternative | None
) -> AdviceReason | None:
    """Say how often the most that a round can score is reached, or else what holds in any game."""
    points = max(ORDERS[0]) * best.position.known.round
    usual, seldom = full_share(best, points), full_share(other, points)
    if usual - seldom < OFTEN:
        return general(best, other, gap)
    facts = {"move": other.move.text, "best": best.move.text, "points": points}
    return AdviceReason(
        "advice-other-goal", {**facts, "chance": round(seldom, 2), "usual": round(usual, 2)}
    )


def full_share(of: Consequences, points: int) -> float:
    """Return in which share of the rounds the seat scores the most that is possible."""
    ends = [of.rules.points_now(end)[of.seat] for end in of.rounds]
    return ends.count(points) / len(ends)
