"""Reasons of Null & nichtig: what a trick does to the tops of the piles, own and others'."""

from stichwerk.bots.advice import AdviceReason, Alternative
from stichwerk.bots.position import Position
from stichwerk.bots.reasons.contrast import OFTEN, Consequences, by_points, chance, general
from stichwerk.bots.reasons.play import PlayedCard, hand_of, lead_reason
from stichwerk.cards import card_text
from stichwerk.engine.codes import argument_of, card_at, colour_of, colour_slot, value_of
from stichwerk.engine.constants import CHOOSE
from stichwerk.engine.events import Move
from stichwerk.engine.state import State

BURIED = 3  # points that a pile must lose to be worth a word
MOSTLY = 0.6
TEMPTING = 10  # a rival's top that a zero is kept for


def reason(position: Position, move: Move) -> AdviceReason:
    """Say why these cards are laid out, or this card is played."""
    if position.known.phase == CHOOSE:
        return lay_reason(position, move)
    play = PlayedCard(position, move)
    if play.on_top:
        return wins(play)
    return (settles(play) if play.settled else None) or keeps_zero(play) or ducks(play)


# -- Laying out ------------------------------------------------------------------------------------


def lay_reason(position: Position, move: Move) -> AdviceReason:
    """Say what is on top of the piles then."""
    made = tops_made(move)
    most = max(map(tops_made, position.moves()))
    return AdviceReason(
        "advice-lays-most" if made == most else "advice-lays-tops", {"points": made}
    )


def tops_made(move: Move) -> int:
    """Return the sum of the tops after laying out: the last card of each colour."""
    cards = [argument_of(step) for step in move.steps]
    return sum({colour_of(card): value_of(card) for card in cards}.values())


# -- Playing ---------------------------------------------------------------------------------------


def piles(state: State, seat: int) -> int:
    """Return the sum of a seat's tops."""
    return sum(state.tops[colour_slot(seat, 0) : colour_slot(seat + 1, 0)])


def team(play: PlayedCard, seat: int) -> bool:
    """Return whether this seat wins together with our own."""
    teams = play.position.view.options["teams"]
    return isinstance(teams, int) and seat % teams == play.seat % teams


def change(play: PlayedCard, seat: int) -> dict[str, object]:
    """Return what the complete trick does to the piles of a seat."""
    before, after = piles(play.before, seat), piles(play.after, seat)
    return {"before": before, "after": after, "worth": after - before}


def wins(play: PlayedCard) -> AdviceReason:
    """Say that the card takes the trick: for certain, or as it stands."""
    if play.settled:
        return AdviceReason("advice-takes-piles", change(play, play.seat))
    if play.sure:
        return AdviceReason("advice-takes-unbeaten", {"card": card_text(play.card)})
    if play.lying:
        return AdviceReason("advice-goes-for-it", {"card": card_text(play.card)})
    return lead_reason(play.position, play.card)


def settles(play: PlayedCard) -> AdviceReason | None:
    """Say what the last card of another's trick does: it may help a partner or spoil a pile."""
    taker = play.taker
    assert taker is not None, "the highest card always takes the trick"
    if team(play, taker):
        return AdviceReason("advice-for-partner", {"name": play.name(taker), **change(play, taker)})
    pile = colour_slot(taker, colour_of(play.card))
    covered = play.before.tops[pile]
    if play.after.tops[pile] == value_of(play.card) < covered:
        top = card_text(card_at(colour_of(play.card), covered))
        data = {"card": card_text(play.card), "name": play.name(taker), "top": top}
        return AdviceReason("advice-covers-pile", data)
    return None


def keeps_zero(play: PlayedCard) -> AdviceReason | None:
    """Say that a zero stays in hand while a rival has a top that it could spoil."""
    for card in hand_of(play.position):
        if value_of(card) == 0 and value_of(play.card) > 0:
            for rival in range(play.rules.seats):
                top = play.before.tops[colour_slot(rival, colour_of(card))]
                if top >= TEMPTING and rival != play.seat and not team(play, rival):
                    facts = {"card": card_text(card), "top": card_text(card + top)}
                    return AdviceReason("advice-keeps-zero", {**facts, "name": play.name(rival)})
    return None


def ducks(play: PlayedCard) -> AdviceReason:
    """Say that the card stays below the highest one."""
    assert play.to_beat is not None
    under = {"card": card_text(play.to_beat)}
    lower = [value_of(card) for card in hand_of(play.position) if card_cannot_win(play, card)]
    highest = value_of(play.card) == max(lower) > min(lower)
    return AdviceReason("advice-ducks-high" if highest else "advice-ducks", under)


def card_cannot_win(play: PlayedCard, card: int) -> bool:
    """Return whether a card stays below what is on the table; among equals the first wins."""
    return play.to_beat is not None and value_of(card) <= value_of(play.to_beat)


# -- What another card would lead to ---------------------------------------------------------------


def contrast(
    best: Consequences, other: Consequences, gap: Alternative | None
) -> AdviceReason | None:
    """Say which pile another card would ruin, or what the trick would bring otherwise."""
    if best.position.view.options["teams"] or not other.is_play:
        return general(best, other, gap)
    return buries(best, other) or by_points(best, other, gap)


def buries(best: Consequences, other: Consequences) -> AdviceReason | None:
    """Say that the seat would take the trick, and cover a pile of its own with a low card."""
    if other.takes - best.takes < OFTEN or other.mean(other.gain, other.taken) >= 0:
        return None
    piles = range(colour_slot(other.seat, 0), colour_slot(other.seat + 1, 0))
    tops = other.position.known.tops
    lost = {
        pile: sum(tops[pile] - trick.tops[pile] >= BURIED for trick in other.taken)
        for pile in piles
    }
    pile = max(piles, key=lambda one: (lost[one], tops[one]))
    if lost[pile] < MOSTLY * len(other.taken):
        return None
    top = card_text(card_at(pile - piles[0], tops[pile]))
    share = lost[pile] / len(other.tricks)
    return AdviceReason(
        "advice-other-buries", {"move": other.move.text, "top": top} | chance(share)
    )
