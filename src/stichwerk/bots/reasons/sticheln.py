"""Reasons of Sticheln: what a trick is worth to the seat, and whom its cards hurt."""

from stichwerk.bots.advice import AdviceReason
from stichwerk.bots.position import Position
from stichwerk.bots.reasons.play import PlayedCard, hand_of, lead_reason
from stichwerk.cards import COLOURS, card_text
from stichwerk.engine.codes import card_of, choice_of, colour_of, value_of
from stichwerk.engine.constants import CHOOSE
from stichwerk.engine.events import Move
from stichwerk.engine.state import State


def reason(position: Position, move: Move) -> AdviceReason:
    """Say why this pain card, this lead or this card."""
    if position.known.phase == CHOOSE:
        return pain_reason(position, card_of(move.steps[0]))
    play = PlayedCard(position, move)
    if not play.lying:
        return leads(play)
    return wins(play) if play.on_top else stays_out(play)


# -- The pain colour -------------------------------------------------------------------------------


def pain_reason(position: Position, card: int) -> AdviceReason:
    """Say that the colour is long, low, or both."""
    hand = hand_of(position)
    same = [value_of(held) for held in hand if colour_of(held) == colour_of(card)]
    counts = [sum(colour_of(held) == other for held in hand) for other in range(len(COLOURS))]
    is_long = len(same) == max(counts)
    is_low = sum(same) * len(hand) < sum(map(value_of, hand)) * len(same)
    data = {"colour": COLOURS[colour_of(card)], "count": len(same)}
    if is_long and is_low:
        return AdviceReason("advice-pain-long-and-low", data)
    if is_long:
        return AdviceReason("advice-pain-long", data)
    if is_low:
        return AdviceReason("advice-pain-low", {"colour": data["colour"], "highest": max(same)})
    return AdviceReason("advice-best")


def is_pain(state: State, seat: int, card: int) -> bool:
    """Return whether this card costs the seat something."""
    return colour_of(card) == colour_of(choice_of(state, seat)) and value_of(card) > 0


def points(state: State, seat: int, cards: list[int]) -> int:
    """Return what these cards are worth to the seat."""
    pain = colour_of(choice_of(state, seat))
    return sum(-value_of(card) if colour_of(card) == pain else 1 for card in cards)


# -- Playing ---------------------------------------------------------------------------------------


def leads(play: PlayedCard) -> AdviceReason:
    """Explain a lead: a zero, pain that others will beat, or any other card."""
    card = play.card
    if value_of(card) == 0 and play.position.view.options["all_zero"] == "nobody":
        return AdviceReason("advice-leads-zero", {"card": card_text(card)})
    if is_pain(play.before, play.seat, card):
        held = [other for other in hand_of(play.position) if colour_of(other) == colour_of(card)]
        lowest = value_of(card) == min(map(value_of, held))
        id = "advice-leads-low-pain" if lowest else "advice-leads-pain"
        return AdviceReason(id, {"card": card_text(card)})
    return lead_reason(play.position, card)


def wins(play: PlayedCard) -> AdviceReason:
    """Say that the card takes the trick: for certain, or as it stands."""
    worth = {"worth": points(play.before, play.seat, [*play.lying, play.card])}
    if play.settled:
        return AdviceReason("advice-takes-trick", worth)
    if play.sure:
        return AdviceReason("advice-takes-so-far", worth)
    if is_pain(play.before, play.seat, play.card) and colour_of(play.card) == play.led:
        return AdviceReason("advice-follows-pain", {"card": card_text(play.card)})
    return AdviceReason("advice-goes-for-trick", worth)


def stays_out(play: PlayedCard) -> AdviceReason:
    """Say that the card cannot win any more: whom it hurts, and what the seat is spared."""
    card, taker = card_text(play.card), play.taker
    if taker is not None and is_pain(play.before, taker, play.card):
        data = {"card": card, "name": play.name(taker), "points": value_of(play.card)}
        return AdviceReason("advice-gives-pain" if play.sure else "advice-offers-pain", data)
    if is_pain(play.before, play.seat, play.card):
        return AdviceReason("advice-sheds-pain", {"card": card})
    if value_of(play.card) == 0 or play.to_beat is None:
        return AdviceReason("advice-plays-zero", {"card": card})
    under, worth = card_text(play.to_beat), points(play.before, play.seat, play.lying)
    if worth < 0:
        return AdviceReason("advice-ducks-pain", {"card": under, "worth": worth})
    return AdviceReason("advice-ducks", {"card": under})
