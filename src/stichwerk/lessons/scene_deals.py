"""Cards for a scene: those that matter are given, the others come from the rest of the deck."""

from collections.abc import Iterator

from stichwerk.cards import card_text
from stichwerk.lessons.script import Scene
from stichwerk.match import Setting


class ScriptError(Exception):
    """A script that cannot be played as it is written."""


def deal_for(setting: Setting, scene: Scene) -> dict[str, object]:
    """Return a whole deal."""
    seats, size = setting.seats, setting.rules.hand_size
    hands = [wanted(scene, seat) for seat in range(seats)]
    rest = [card_text(code) for code in setting.rules.deck.codes]
    for card in (card for hand in hands for card in hand):
        if card not in rest:
            raise ScriptError(f"{scene.title.en}: {card} is there twice, or not at all")
        rest.remove(card)
    for seat in by_need(scene, seats):
        lacking = scene.lacks[seat] if seat < len(scene.lacks) else ""
        fitting = [card for card in rest if card[0] not in lacking]
        # Take one card out of every few, so that a hand has all colours.
        need = size - len(hands[seat])
        stride = max(1, len(fitting) // need) if need > 0 else 1
        chosen = fitting[::stride][:need]
        if need < 0 or len(chosen) < need:
            raise ScriptError(f"{scene.title.en}: seat {seat} has {-need} cards too many")
        hands[seat] += chosen
        rest = left(rest, chosen)
    return {"starter": scene.starter, "hands": hands, "stock": rest}


def left(rest: list[str], chosen: list[str]) -> list[str]:
    """Return what is left of the deck; twins are removed one by one."""
    rest = rest.copy()
    for card in chosen:
        rest.remove(card)
    return rest


def by_need(scene: Scene, seats: int) -> list[int]:
    """Sort seats so that those that lack colours choose first."""
    return sorted(range(seats), key=lambda seat: -len((*scene.lacks, *[""] * seats)[seat]))


def wanted(scene: Scene, seat: int) -> list[str]:
    """Return the cards a seat needs: those given, and those that it plays."""
    given = scene.hands[seat].split() if seat < len(scene.hands) else []
    if seat == scene.seat:
        return given
    return [*given, *(card for card in played_cards(scene, seat) if card not in given)]


def played_cards(scene: Scene, seat: int) -> Iterator[str]:
    """Yield the cards that a seat's moves name."""
    for line in (*scene.before, *(move for step in scene.step for move in step.moves)):
        who, _, move = line.partition(" ")
        for card in move.partition(">")[0].replace("+", ",").split(","):
            if int(who) == seat and card[0] in "RYGBLS":
                yield card
