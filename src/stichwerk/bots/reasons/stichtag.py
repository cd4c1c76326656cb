"""Reasons of Stichtag: valid on every day, whatever the sheets say."""

from typing import TYPE_CHECKING, cast

from stichwerk.bots.advice import AdviceReason, Alternative
from stichwerk.bots.position import Position
from stichwerk.bots.reasons.contrast import OFTEN, Consequences, by_points, general
from stichwerk.bots.reasons.play import PlayedCard, hand_of, lead_reason
from stichwerk.cards import COLOURS, card_text
from stichwerk.engine.codes import card_of, choice_of, colour_of, value_of
from stichwerk.engine.constants import CHOOSE, NONE, PLAY
from stichwerk.engine.events import Move
from stichwerk.games.stichtag.sentence import Cards, Name

if TYPE_CHECKING:
    from stichwerk.games.stichtag.game import Stichtag

# If a sheet changes one of these, a later card can change a trick in other ways than by beating.
TWISTS = {"low", "strength", "turn", "win"}


def rules_of(position: Position) -> "Stichtag":
    """Return the rules with their sheets."""
    return cast("Stichtag", position.rules)


def reason(position: Position, move: Move) -> AdviceReason:
    """Say why this card is played, or this choice made."""
    if position.known.phase == PLAY:
        if rules_of(position).red.at_once:
            return face_down(position, move)
        return play_reason(PlayedCard(position, move), move)
    return choice_reason(position, move)


# -- Playing ---------------------------------------------------------------------------------------


def trump_of(position: Position) -> int:
    """Return the trump colour in force, NONE for none."""
    letter = position.rules.table(position.known)["trump"]
    return COLOURS.index(letter) if isinstance(letter, str) else NONE


def is_straight(position: Position) -> bool:
    """Return whether a beaten card stays beaten, and one that nothing can beat wins."""
    rules = rules_of(position)
    sheets = (rules.green, rules.red, rules.month)
    return not any(TWISTS & {*sheet.replaces, *sheet.extends} for sheet in sheets)


def face_down(position: Position, move: Move) -> AdviceReason:
    """Explain a hidden card: only the seat's own can be mentioned."""
    card = card_of(move.steps[0])
    if position.known.named == NONE:
        return lead_reason(position, card)
    if colour_of(card) == position.known.named:
        return AdviceReason("advice-follows", {"card": card_text(card)})
    return without_colour(position, card, position.known.named)


def play_reason(play: PlayedCard, move: Move) -> AdviceReason:
    """Explain a lead, the end of a trick, or a card in the middle of it."""
    position, card = play.position, play.card
    if play.settled:
        return settles(play)
    if play.on_top and is_straight(position) and play.sure:
        return AdviceReason("advice-takes-unbeaten", {"card": move.text})
    if not play.lying:
        if colour_of(card) == trump_of(position):
            return AdviceReason("advice-leads-trump", {"card": move.text})
        return lead_reason(position, card)
    if play.on_top:
        return goes_for(play, move)
    if colour_of(card) != colour_of(play.lying[0]):
        return without_colour(position, card, colour_of(play.lying[0]))
    return beneath(play)


def settles(play: PlayedCard) -> AdviceReason:
    """Explain the last card of the trick."""
    if not play.on_top:
        if colour_of(play.card) != colour_of(play.lying[0]):
            return without_colour(play.position, play.card, colour_of(play.lying[0]))
        return leaves_trick(play)
    if play.after.tricks_won[play.seat] == play.before.tricks_won[play.seat]:
        return AdviceReason("advice-trick-stays")
    values = rules_of(play.position).month.values
    symbols = sum(value_of(card) in values for card in [*play.lying, play.card])
    if symbols:
        return AdviceReason("advice-takes-symbols", {"count": symbols})
    return AdviceReason("advice-takes-it")


def leaves_trick(play: PlayedCard) -> AdviceReason:
    """Say that the complete trick goes to another seat."""
    assert play.taker is not None
    return AdviceReason("advice-leaves-trick", {"name": play.name(play.taker)})


def goes_for(play: PlayedCard, move: Move) -> AdviceReason:
    """Say that the card takes the trick as it stands; trump may have helped."""
    trump = trump_of(play.position)
    if colour_of(play.card) == trump != colour_of(play.lying[0]):
        return AdviceReason("advice-trumps-in", {"card": move.text})
    return AdviceReason("advice-goes-for-it", {"card": move.text})


def without_colour(position: Position, card: int, led: int) -> AdviceReason:
    """Explain a card that does not follow: discarded, with trump kept or not."""
    trump = trump_of(position)
    has_trump = trump not in (NONE, led) and any(
        colour_of(one) == trump for one in hand_of(position)
    )
    facts = {"card": card_text(card), "led": COLOURS[led]}
    if has_trump and colour_of(card) == trump:
        return AdviceReason("advice-plays-trump", facts)
    return AdviceReason("advice-saves-trump" if has_trump else "advice-throws-card", facts)


def beneath(play: PlayedCard) -> AdviceReason:
    """Say that the card follows and does not take the trick as it stands."""
    if play.to_beat is None or not is_straight(play.position):
        return AdviceReason("advice-follows", {"card": card_text(play.card)})
    return AdviceReason("advice-ducks", {"card": card_text(play.to_beat)})


# -- Other choices ---------------------------------------------------------------------------------


def choice_reason(position: Position, move: Move) -> AdviceReason:
    """Return what the sheet that asks says about a choice."""
    asker = rules_of(position).asker(position.known)
    said = asker.reason(position.known, position.seat, move)
    if said is None:
        return AdviceReason("advice-best")
    return AdviceReason(said.id, {name: shown(fact, position) for name, fact in said.facts.items()})


def shown(fact: object, position: Position) -> object:
    """Return a fact of a sheet's sentence in words."""
    if isinstance(fact, Name):
        return position.view.names[fact.seat]
    return ", ".join(fact.cards) if isinstance(fact, Cards) else fact


# -- What another move would lead to ---------------------------------------------------------------


def contrast(
    best: Consequences, other: Consequences, gap: Alternative | None
) -> AdviceReason | None:
    """Say what a trick brings where points only add up; on other days what it means in the end."""
    if counts_tricks(best.position):
        number = choice_of(best.position.known, best.seat)
        return announced(best, other, number) or general(best, other, gap)
    rules = rules_of(best.position)
    sheets = (rules.green, rules.red, rules.month)
    adds_up = not any((*sheet.replaces, *sheet.extends) for sheet in sheets)
    return (by_points if adds_up else general)(best, other, gap)


def counts_tricks(position: Position) -> bool:
    """Return whether each seat has named the number of tricks that it means to take exactly."""
    red = rules_of(position).red
    return position.known.phase == PLAY and CHOOSE in red.asks and bool(red.tally)


def announced(best: Consequences, other: Consequences, number: int) -> AdviceReason | None:
    """Say how often the announced number of tricks is met."""
    usual, seldom = (share_of(one, number) for one in (best, other))
    if usual - seldom < OFTEN:
        return None
    facts = {"move": other.move.text, "best": best.move.text, "count": number}
    return AdviceReason(
        "advice-other-number", {**facts, "chance": round(seldom, 2), "usual": round(usual, 2)}
    )


def share_of(of: Consequences, number: int) -> float:
    """Return in which share of the rounds the seat takes exactly so many tricks."""
    return [end.tricks_won[of.seat] for end in of.rounds].count(number) / len(of.rounds)
