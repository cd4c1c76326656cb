"""The queries of the package: effects, reasons, one choice, the table, the current rule, and an
explanation of points."""

import msgspec

from stichwerk.engine.events import Move
from stichwerk.errors import Reason
from stichwerk.outlook.current_rule import heading, moment_of
from stichwerk.outlook.current_rule import situation as situation_of
from stichwerk.outlook.game_outlook import GameOutlook, outlook_for
from stichwerk.outlook.last_trick import last_trick
from stichwerk.outlook.position import OutlookPosition
from stichwerk.outlook.structs import (
    Effect,
    Item,
    SeatTally,
    Situation,
    TableNow,
    TypedMove,
)
from stichwerk.view import View

MOST_CHOICES = 40  # with more, effects are shown one by one


class OutlookResult(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that can be foreseen from one view."""

    effects: tuple[Effect, ...]
    reasons: dict[str, str]
    standing: TableNow
    situation: Situation
    one: TypedMove | None


def look(view: View, lang: str, move: str | None = None, *, running: bool = False) -> OutlookResult:
    """Return everything at once: the view is replayed only once. `running`: with what everyone has
    so far, where the rules hide that."""
    position = OutlookPosition(view, lang)
    return OutlookResult(
        effects=effects_of(position),
        reasons=reasons_of(position),
        standing=whole_table(outlook_for(position), view, lang, running),
        situation=situation_of(position),
        one=None if move is None else judged(position, move),
    )


def whole_table(speaks: GameOutlook, view: View, lang: str, running: bool) -> TableNow:
    """Return the table with the last trick and, if wanted, with what everyone has so far."""
    return msgspec.structs.replace(
        speaks.table(),
        last=last_trick(view, lang),
        running=speaks.running() if running else (),
    )


def effects(view: View, lang: str) -> tuple[Effect, ...]:
    """Return what each legal move would do; none if there are too many, or out of turn."""
    return effects_of(OutlookPosition(view, lang))


def reasons(view: View, lang: str) -> dict[str, str]:
    """Return why cards of the hand cannot be played now; none out of turn."""
    return reasons_of(OutlookPosition(view, lang))


def one(view: View, move: str, lang: str) -> TypedMove:
    """Return what a typed or incomplete choice would do, or why it cannot be made."""
    return judged(OutlookPosition(view, lang), move)


def standing(view: View, lang: str) -> TableNow:
    """Return what is on the table, and what it means."""
    return whole_table(outlook_for(OutlookPosition(view, lang)), view, lang, running=False)


def situation(view: View, lang: str) -> Situation:
    """Return the current rule."""
    return situation_of(OutlookPosition(view, lang))


# -- Effects, reasons, one -------------------------------------------------------------------------


def effects_of(position: OutlookPosition) -> tuple[Effect, ...]:
    """Return the effects in the order of the moves."""
    view = position.view
    if view.phase != "play" and len(view.moves) > MOST_CHOICES:
        return ()
    speaks = outlook_for(position)
    moves = [position.judge(text) for text in view.moves]
    return tuple(speaks.effect(move) for move in moves if isinstance(move, Move))


def reasons_of(position: OutlookPosition) -> dict[str, str]:
    """Return the reasons by card, in the order of the hand."""
    view = position.view
    if not view.moves:
        return {}
    playable = {card for move in view.moves for card in cards_in(move)}
    waits = playable.isdisjoint(view.hand)  # something other than a card of the hand is asked for
    found = {
        card: waiting_reason(position) if waits else card_reason(position, card)
        for card in dict.fromkeys(view.hand)
        if card not in playable
    }
    return found | aside_reasons(position)


def waiting_reason(position: OutlookPosition) -> str:
    """Return why no card can be chosen now."""
    return position.say("cards-wait", what=heading(position, moment_of(position)))


def card_reason(position: OutlookPosition, card: str) -> str:
    """Return why this card cannot be chosen now."""
    answer = position.judge(card)
    return position.object(answer) if isinstance(answer, Reason) else ""


def aside_reasons(position: OutlookPosition) -> dict[str, str]:
    """Return the reasons for cards that are not in the hand yet (Stichtag, red 8)."""
    aside = position.view.mine.get("aside")
    cards = aside if isinstance(aside, list) else []
    return {str(card): position.say("aside-waits", card=card) for card in cards}


def cards_in(move: str) -> list[str]:
    """Return the cards that a move names."""
    return move.partition(">")[0].replace("+", ",").split(",")


def judged(position: OutlookPosition, text: str) -> TypedMove:
    """Return the effect of a choice, or the objection; both if it is incomplete."""
    answer = position.judge(text)
    if isinstance(answer, Move):
        effect = outlook_for(position).effect(answer)
        return TypedMove(move=answer.text, legal=True, text=effect.text, effect=effect)
    half = outlook_for(position).half_made(text) if position.turn else None
    return TypedMove(
        move=text, legal=False, text=position.object(answer), error=answer.id, effect=half
    )


# -- Points ----------------------------------------------------------------------------------------


def tally(view: View, round: int, lang: str) -> tuple[SeatTally, ...]:
    """Explain the points of a finished round, seat by seat; empty if it is not over."""
    if not 1 <= round <= len(view.scores):
        return ()
    speaks = outlook_for(OutlookPosition(round_of(view, round), lang))
    scores = view.scores[round - 1]
    return tuple(
        SeatTally(seat=seat, points=points, items=whole(speaks, seat, points))
        for seat, points in enumerate(scores)
    )


def whole(speaks: GameOutlook, seat: int, points: int) -> tuple[Item, ...]:
    """Return items that add up to the points; a difference (there never is one) is a last item."""
    items = speaks.tally(seat, points)
    rest = points - sum(item.points for item in items)
    if rest:
        items.append(Item(text=speaks.say("tally-round"), points=rest))
    return tuple(items)


def round_of(view: View, round: int) -> View:
    """Return the view as it was when a round had ended."""
    begins = [at for at, event in enumerate(view.history) if event.kind == "round"]
    end = [*begins[1:], len(view.history)][round - 1]
    starter = view.history[begins[round - 1]].starter or 0
    return msgspec.structs.replace(view, round=round, starter=starter, history=view.history[:end])
