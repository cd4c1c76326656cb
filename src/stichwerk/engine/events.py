"""Moves, and events: what happened in a match, as frozen values with a JSON form.

Each kind of event is a struct of its own, distinguished by `kind` in JSON. The kinds here belong to
every game; a game with other kinds defines them beside the rules that cause them. All are listed in
`stichwerk.games.events`.
"""

import warnings
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

import msgspec


class Move(msgspec.Struct, frozen=True):
    """What a seat does at the table: its text, and the engine's numbers for it."""

    text: str
    steps: tuple[int, ...] = ()

    def __str__(self) -> str:
        return self.text


class MoveParts(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a move names, part by part, so that no client has to take its text apart. Parts that a
    move does not have are left out. `cards`: in the order of the text. `place`: of the trick, from
    0, if several may be open; `opens`: the card opens a new trick there. `seat`: whom the move
    concerns, such as the receiver of a card. `numbers`: those that are chosen, such as an order of
    scoring cards. `colour`: the letter of a colour that is chosen, such as trump."""

    cards: tuple[str, ...] = ()
    place: int | None = None
    opens: bool = False
    seat: int | None = None
    numbers: tuple[int, ...] = ()
    colour: str | None = None


class NoFacts:
    """Defaults for the facts an event does not have: None or empty, so that all can be read.

    A kind that has a fact defines it as a field, which takes precedence.
    """

    __slots__ = ()

    @property
    def seat(self) -> int | None:
        return None

    @property
    def move(self) -> str:
        return ""

    @property
    def place(self) -> int | None:
        return None

    @property
    def cards(self) -> tuple[str, ...]:
        return ()

    @property
    def choices(self) -> tuple[str, ...]:
        return ()

    @property
    def position(self) -> int | None:
        return None

    @property
    def value(self) -> int | None:
        return None

    @property
    def round(self) -> int | None:
        return None

    @property
    def starter(self) -> int | None:
        return None

    @property
    def stock(self) -> int | None:
        return None

    @property
    def scores(self) -> tuple[int, ...]:
        return ()

    @property
    def totals(self) -> tuple[int, ...]:
        return ()

    @property
    def counts(self) -> tuple[int, ...]:
        return ()

    @property
    def ranking(self) -> tuple[tuple[int, ...], ...]:
        return ()


class EventType(msgspec.StructMeta):
    """The type of event structs: `kind` is the tag in JSON."""

    def __init__(self, name: str, bases: tuple[type, ...], body: Any, **config: Any) -> None:
        super().__init__(name, bases, body, **config)
        if msgspec.Struct not in bases:
            self.kind = self.__struct_config__.tag


class BaseEvent(
    NoFacts,
    msgspec.Struct,
    metaclass=EventType,
    frozen=True,
    kw_only=True,
    omit_defaults=True,
    tag_field="kind",
):
    """Something that happened. Each kind is a subclass with the facts of that kind.

    No kind has subclasses, so `type(event) is CardPlayed` is equivalent to `isinstance`, which is
    ten times slower for structs: rules and bots go over whole histories.

    `to` names the seats that may see it; None means everyone, spectators too. `private` kinds go
    only to their seat. What a kind says that `repeats` follows from the cards played: bots that
    were frozen before it was added must play as if it did not exist. A fact that only other kinds
    have is None or empty, so that `event.seat` can be read on every event. All kinds with their
    facts are in `docs/events-and-views.md`.
    """

    to: tuple[int, ...] | None = None

    kind: ClassVar[str] = ""
    private: ClassVar[bool] = False
    repeats: ClassVar[bool] = False
    in_trick: ClassVar[bool] = False  # part of a trick, like a play
    after_trick: ClassVar[bool] = False  # a trick was settled, or this is what it caused
    settles: ClassVar[bool] = False  # a trick is complete: its cards leave the middle
    names_taken: ClassVar[bool] = False  # names cards of the trick that was settled before
    reveals: ClassVar[bool] = True  # more than the mover's own card
    follows: ClassVar[bool] = False  # from the cards played; no hand changes
    listed_after: ClassVar[str] = "trick"  # the kind of every game after which lists name it

    def visible(self, seat: int | None) -> bool:
        """Return whether this seat (None: a spectator) may see it."""
        return self.to is None or seat in self.to


if TYPE_CHECKING:
    Event: TypeAlias = BaseEvent
else:

    class OldForm(EventType):
        """Lets `Event("play", seat=0, …)` work, from when one struct served all kinds.

        It is not the type of the kinds themselves, whose calls it would make slower.
        """

        def __call__(self, kind: str, **facts: Any) -> BaseEvent:
            return event_of(kind, **facts)

        def __instancecheck__(self, event: object) -> bool:
            return isinstance(event, BaseEvent)

        def __subclasscheck__(self, other: type) -> bool:
            return issubclass(other, BaseEvent)

    class Event(BaseEvent, metaclass=OldForm, frozen=True):
        __doc__ = BaseEvent.__doc__


def event_of(kind: str, **facts: Any) -> BaseEvent:
    """Make an event from its kind; a kind that no struct has becomes a `GameEvent` of this name."""
    warnings.warn(
        "Event(kind, …) is deprecated: use the struct of the kind, or GameEvent",
        DeprecationWarning,
        stacklevel=3,
    )
    for made in BaseEvent.__subclasses__():
        if made.kind == kind and made is not Event:
            return made(**facts)
    return GameEvent(name=kind, **facts)


# -- Rounds ----------------------------------------------------------------------------------------


class RoundStarted(BaseEvent, frozen=True, tag="round"):
    """A round begins: the cards are dealt.

    `round`: its number, from 1
    `starter`: the seat that starts
    `stock`: how many cards were not dealt
    """

    round: int
    starter: int
    stock: int


class HandDealt(BaseEvent, frozen=True, tag="hand"):
    """You got your cards.

    `seat`: whose cards
    `cards`: in the order dealt
    """

    private = True

    seat: int
    cards: tuple[str, ...]


class RoundScored(BaseEvent, frozen=True, tag="scored"):
    """A round is over and its points are counted.

    `scores`: by seat: points of the round
    `totals`: by seat: sums so far
    """

    scores: tuple[int, ...]
    totals: tuple[int, ...]


class MatchEnded(BaseEvent, frozen=True, tag="ended"):
    """The match is over.

    `ranking`: groups of seats, best first; those level share a group
    """

    ranking: tuple[tuple[int, ...], ...]


# -- Secret choices --------------------------------------------------------------------------------


class ChoiceMade(BaseEvent, frozen=True, tag="choice"):
    """You made a secret move.

    `seat`: who did it
    `move`: the move, as it is typed
    """

    reveals: ClassVar[bool] = False

    private = True

    seat: int
    move: str


class ChoiceHidden(BaseEvent, frozen=True, tag="chosen"):
    """Someone made a secret move; which one stays secret.

    `seat`: who did it
    """

    reveals: ClassVar[bool] = False

    seat: int


class ChoicesRevealed(BaseEvent, frozen=True, tag="revealed"):
    """All secret moves are made and shown. If they stay hidden during the match, only after
    `ended`, one event for each round.

    `choices`: the moves by seat, as they are typed; an empty text for a seat that was not asked
    `round`: after `ended` the round they belong to
    """

    choices: tuple[str, ...]
    round: int | None = None


class CardsPassed(BaseEvent, frozen=True, tag="passed"):
    """Everyone passed cards to another seat; which ones stays secret.

    `counts`: by seat: how many cards it passed, 0 where it had none
    """

    counts: tuple[int, ...] = ()


class CardsReceived(BaseEvent, frozen=True, tag="received"):
    """You got cards that another seat passed.

    `seat`: who got them
    `cards`: the cards
    """

    private = True

    seat: int
    cards: tuple[str, ...] = ()


# -- Tricks ----------------------------------------------------------------------------------------


class CardPlayed(BaseEvent, frozen=True, tag="play"):
    """A card was played or, if all play at once, turned up.

    `seat`: who did it
    `move`: the move, as it is typed
    `cards`: the card, or all cards of the play, in the order of the move
    `place`: where several tricks are open, the place it went to, from 0
    `opens`: true if it opens a trick at that place; otherwise absent
    """

    in_trick: ClassVar[bool] = True
    reveals: ClassVar[bool] = False
    seat: int
    move: str
    cards: tuple[str, ...] = ()
    place: int | None = None
    opens: bool = False


class TrickTaken(BaseEvent, frozen=True, kw_only=True, tag="trick"):
    """A trick is complete and taken, or put away if nobody takes it.

    `seat`: who takes it; absent where nobody does
    `place`: where several tricks are open, the place it was at, from 0
    `cards`: its cards in the order played
    """

    after_trick: ClassVar[bool] = True
    settles: ClassVar[bool] = True
    follows: ClassVar[bool] = True
    reveals: ClassVar[bool] = False
    seat: int | None = None
    place: int | None = None
    cards: tuple[str, ...]


# -- Of one game alone -----------------------------------------------------------------------------


class GameEvent(BaseEvent, frozen=True, tag="game"):
    """Something specific to one game that no other kind covers. The meaning of its facts is up to
    the game.

    `name`: what happened, a word of the game
    `seat`: who did it, or whom it is about
    `move`: a text of the game
    `place`: a place on the table, from 0
    `cards`: cards
    `value`: a number
    `counts`: numbers, usually by seat
    """

    name: str
    seat: int | None = None
    move: str = ""
    place: int | None = None
    cards: tuple[str, ...] = ()
    value: int | None = None
    counts: tuple[int, ...] = ()
