"""All kinds of events, of every game in the tree: the type of events in messages."""

import re
from typing import TYPE_CHECKING, TypeAlias, Union

from stichwerk.engine import events as common
from stichwerk.engine.events import BaseEvent
from stichwerk.games import stichling_events
from stichwerk.games.stichtag import events as sheets

KINDS: tuple[type[BaseEvent], ...] = (
    common.ChoiceMade,
    sheets.ColourNamed,
    common.ChoiceHidden,
    common.ChoicesRevealed,
    common.CardsPassed,
    common.CardsReceived,
    common.CardPlayed,
    sheets.VetoAnswered,
    sheets.CardsDiscarded,
    sheets.GiftGiven,
    sheets.CardsDrawn,
    common.TrickTaken,
    sheets.TrickStays,
    stichling_events.ScoringCardTurned,
    sheets.EggTaken,
    sheets.SunstrokeMoved,
    sheets.SwitchFlipped,
    sheets.AsideChanged,
    sheets.DirectionTurned,
    sheets.PartnersShown,
    sheets.EggsShown,
    common.RoundScored,
    common.MatchEnded,
    common.RoundStarted,
    common.HandDealt,
    sheets.TrumpDrawn,
    sheets.PartnerDrawn,
    common.GameEvent,
)
"""In the order in which a single move causes them."""

if TYPE_CHECKING:
    AnyEvent: TypeAlias = BaseEvent  # `isinstance` narrows it
else:
    AnyEvent = Union[KINDS]  # noqa: UP007 - the union that msgspec reads, by `kind`


def meaning_of(kind: type[BaseEvent]) -> str:
    """Return when a kind of event is emitted: the first paragraph of its docstring."""
    return " ".join((kind.__doc__ or "").split("\n\n")[0].split())


def facts_of(kind: type[BaseEvent]) -> dict[str, str]:
    """Return what its fields mean: the lines of the docstring that begin with their names."""
    lines = (kind.__doc__ or "").partition("\n\n")[2]
    found = re.findall(r"^\s*`(\w+)`: (.*?)(?=\n\s*`\w+`: |\Z)", lines, re.MULTILINE | re.DOTALL)
    return {name: " ".join(words.split()) for name, words in found}
