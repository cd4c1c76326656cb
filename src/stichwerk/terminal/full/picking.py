"""Compose a move by picking: cards, values, a place or a person. Contains no rules.

What may be picked next follows from the listed moves alone: they are split into parts, and any part
that continues some move may be added.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from stichwerk.view import View

CARD = re.compile(r"[RYGBLS]\d{1,2}")


@dataclass(frozen=True)
class Pick:
    """What has been picked so far: items by number, in order, and their target."""

    items: tuple[int, ...] = ()
    target: str | None = None


@dataclass(frozen=True)
class SplitMove:
    """A move split into parts: `R3,R9,B0`, `G3+G4`, `G8>2`."""

    parts: tuple[str, ...]
    target: str | None
    sign: str

    @cached_property
    def counted(self) -> Counter[str]:
        """Its parts, regardless of order."""
        return Counter(self.parts)

    def contains(self, parts: Sequence[str]) -> bool:
        """Return whether it has all these parts, each as often."""
        if len(parts) == 1:
            return parts[0] in self.parts
        left = list(self.parts)
        for part in parts:
            if part not in left:
                return False
            left.remove(part)
        return True

    def consists_of(self, parts: Sequence[str]) -> bool:
        """Return whether these are its parts, regardless of order."""
        return len(parts) == len(self.parts) and self.contains(parts)


@lru_cache(maxsize=8)
def split_move(moves: tuple[str, ...]) -> tuple[SplitMove, ...]:
    """Return all moves, each split into parts."""
    return tuple(map(split_moves, moves))


def split_moves(move: str) -> SplitMove:
    """Return one move split into parts."""
    cards, arrow, target = move.partition(">")
    sign = "+" if "+" in cards else ","
    return SplitMove(tuple(cards.split(sign)), target if arrow else None, sign)


class MovePicker:
    """What a view asks for, and how it can be picked."""

    def __init__(self, view: View) -> None:
        self.moves = split_move(view.moves)
        self.hand = view.hand
        self.from_hand = bool(self.moves) and self.names_hand_cards()
        self.items: tuple[str, ...] = view.hand if self.from_hand else self.named_items()
        self.has_targets = any(move.target for move in self.moves)
        self.most = max((len(move.parts) for move in self.moves), default=0)
        self.sign = "+" if any(move.sign == "+" for move in self.moves) else ","

    def names_hand_cards(self) -> bool:
        """Return whether every move consists of cards in the hand."""
        named = {part for move in self.moves for part in move.parts}
        return named <= set(self.hand)

    def named_items(self) -> tuple[str, ...]:
        """Return the parts of the moves, each as often as it can be used."""
        needed: Counter[str] = Counter()
        for move in self.moves:
            needed |= move.counted
        return tuple(needed.elements())

    def texts(self, pick: Pick) -> list[str]:
        """Return the picked items as they are typed."""
        return [self.items[at] for at in pick.items]

    def fitting(self, parts: Sequence[str]) -> list[SplitMove]:
        """Return the moves that contain all these parts."""
        return [move for move in self.moves if move.contains(parts)]

    def may_add(self, pick: Pick, item: int) -> bool:
        """Return whether some move continues with this item."""
        if item in pick.items:
            return False
        wanted = [*self.texts(pick), self.items[item]]
        return any(move.contains(wanted) for move in self.moves)

    def can_grow(self, pick: Pick) -> bool:
        """Return whether some move contains more than what was picked."""
        return any(len(move.parts) > len(pick.items) for move in self.fitting(self.texts(pick)))

    def targets(self, pick: Pick) -> tuple[str, ...]:
        """Return where the picked items may go, in the order of the moves."""
        if not self.has_targets:
            return ()
        wanted = self.texts(pick)
        found = [move.target for move in self.moves if move.target and move.consists_of(wanted)]
        return tuple(dict.fromkeys(found))

    def toggled(self, pick: Pick, item: int) -> Pick | None:
        """Add or remove an item, or replace it where only one is possible. None: it cannot be
        picked."""
        if item in pick.items:
            return self.aimed(Pick(tuple(at for at in pick.items if at != item)))
        if self.may_add(pick, item):
            return self.aimed(Pick((*pick.items, item)))
        instead = Pick((item,))
        replaces = self.most == 1 or self.sign == "+"
        return self.aimed(instead) if replaces and self.may_add(Pick(), item) else None

    def aimed(self, pick: Pick) -> Pick:
        """Return the pick with its target, if there is only one."""
        targets = self.targets(pick) if pick.items else ()
        return replace(pick, target=targets[0] if len(targets) == 1 else None)

    def complete(self, pick: Pick) -> bool:
        """Return whether this is a complete move."""
        wanted = self.texts(pick)
        return bool(wanted) and any(
            move.target == pick.target and move.consists_of(wanted) for move in self.moves
        )

    def text(self, pick: Pick) -> str:
        """Return the pick as it is typed; incomplete, if it is not a move yet."""
        cards = self.sign.join(self.texts(pick))
        return f"{cards}>{pick.target}" if pick.target else cards

    def pick_of(self, move: str) -> Pick | None:
        """Return the pick that makes this move; None if the move is not listed."""
        wanted = split_moves(move)
        free = list(range(len(self.items)))
        found = []
        for part in wanted.parts:
            fitting = [at for at in free if self.items[at] == part]
            if not fitting:
                return None
            found.append(fitting[0])
            free.remove(fitting[0])
        return Pick(tuple(found), wanted.target)
