"""Events that only calendar sheets bring about. Which sheet emits which is said in its module."""

from typing import ClassVar

from stichwerk.engine.events import BaseEvent


class ColourNamed(BaseEvent, frozen=True, tag="named"):
    """The leader laid a card face down and named its colour.

    `seat`: who did it
    `move`: the letter of the colour
    """

    seat: int
    move: str


class VetoAnswered(BaseEvent, frozen=True, tag="veto"):
    """The holder of the veto card struck a card of the trick, or passed.

    `seat`: who did it
    `move`: the move, as it is typed
    `struck`: the seat whose card is struck; absent where the holder passed
    """

    in_trick: ClassVar[bool] = True
    seat: int
    move: str
    struck: int | None = None


class CardsDiscarded(BaseEvent, frozen=True, tag="discard"):
    """The winner of a trick discarded cards.

    `seat`: who did it
    `move`: the move, as it is typed
    `cards`: the cards discarded
    """

    seat: int
    move: str
    cards: tuple[str, ...] = ()


class CardsDrawn(BaseEvent, frozen=True, tag="drew"):
    """You drew cards from the stock for those you discarded.

    `seat`: who drew them
    `cards`: the cards drawn
    """

    private = True

    seat: int
    cards: tuple[str, ...] = ()


class GiftGiven(BaseEvent, frozen=True, tag="gift"):
    """The winner of a trick gave a gift card away.

    `seat`: who did it
    `move`: the move, as it is typed
    `cards`: the gift card, alone in a list
    `target`: the seat that gets it
    """

    seat: int
    move: str
    cards: tuple[str, ...] = ()
    target: int | None = None


class TrickStays(BaseEvent, frozen=True, tag="stays"):
    """A trick is complete and stays on the table.

    `seat`: who won it, and leads
    `cards`: its cards in the order played
    """

    after_trick: ClassVar[bool] = True
    seat: int
    cards: tuple[str, ...]


class EggTaken(BaseEvent, frozen=True, tag="egg"):
    """The winner of a trick took an egg; its value is shown at the end of the round.

    `seat`: who did it
    """

    after_trick: ClassVar[bool] = True
    seat: int


class EggsShown(BaseEvent, frozen=True, tag="eggs"):
    """The round is over: all eggs are shown, those that nobody took too.

    `counts`: not by seat: the values of the six eggs, in the order they are taken
    `takers`: the seats that took them, in the same order; fewer than six where eggs were left over
    """

    counts: tuple[int, ...]
    takers: tuple[int, ...] = ()


class SunstrokeMoved(BaseEvent, frozen=True, tag="sunstroke"):
    """The winner of a trick took the Sonnenstich card, from the stock of cards or from its holder.

    `seat`: who holds it now
    `giver`: who held it before; absent where nobody did
    """

    repeats: ClassVar[bool] = True
    after_trick: ClassVar[bool] = True
    reveals: ClassVar[bool] = False

    seat: int
    giver: int | None = None


class SwitchFlipped(BaseEvent, frozen=True, tag="switch"):
    """The switch flipped: from the next trick on red is trump, or no colour is.

    `on`: true if red is trump now
    """

    repeats: ClassVar[bool] = True
    after_trick: ClassVar[bool] = True
    reveals: ClassVar[bool] = False

    on: bool


class DirectionTurned(BaseEvent, frozen=True, tag="direction"):
    """The direction of play turned round, from the next lead on.

    `direction`: 1 clockwise, -1 the other way
    """

    repeats: ClassVar[bool] = True
    after_trick: ClassVar[bool] = True
    reveals: ClassVar[bool] = False

    direction: int


class AsideChanged(BaseEvent, frozen=True, tag="aside"):
    """How many odd cards are set aside: after the deal, and whenever that changes.

    `counts`: by seat: the number of cards aside
    """

    counts: tuple[int, ...]


class PartnerDrawn(BaseEvent, frozen=True, tag="partner"):
    """You drew a partner card.

    `seat`: who drew it
    `value`: the seat of the partner
    """

    private = True

    seat: int
    value: int


class PartnersShown(BaseEvent, frozen=True, tag="partners"):
    """The round is over: all partner cards are shown.

    `counts`: by seat: the seat of the partner
    """

    counts: tuple[int, ...]


class TrumpsDrawn(BaseEvent, frozen=True, tag="trumps"):
    """Two trump colours were drawn; the starter of the round chooses one.

    `colours`: the letters of both, in the order drawn
    """

    colours: tuple[str, ...]


class TrumpChosen(BaseEvent, frozen=True, tag="trump-chosen"):
    """The starter chose the trump of the round.

    `seat`: who did it
    `move`: the letter of the colour
    """

    seat: int
    move: str


class TrumpDrawn(BaseEvent, frozen=True, tag="trump"):
    """The trump colour of the round was drawn (rules version 1).

    `move`: the letter of the colour
    """

    move: str
