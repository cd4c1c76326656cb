"""Words for what only calendar sheets bring about; the sentences are in the texts of the sheets."""

from stichwerk.engine.events import Event
from stichwerk.games.stichtag.events import (
    DirectionTurned,
    EggsShown,
    GiftGiven,
    SwitchFlipped,
    VetoAnswered,
)
from stichwerk.narration import Narrator
from stichwerk.narration.reader import Reader


def trump(event: Event, reader: Reader) -> str:
    """The trump colour of the round."""
    return reader.say("trump-drawn", trump=event.move)


def partner(event: Event, reader: Reader) -> str:
    """The partner of the reader."""
    if event.seat != reader.seat:
        return ""
    return reader.say("your-partner", name=reader.names[event.value or 0])


def partners(event: Event, reader: Reader) -> str:
    """Everyone's partner."""
    facts = reader.by_seat(f"→ {reader.name_of(other)}" for other in event.counts)
    return reader.say("partners-shown", facts=facts)


def aside(event: Event, reader: Reader) -> str:
    """How many odd cards each seat has set aside."""
    return reader.say("aside-now", facts=reader.by_seat(event.counts))


def named(event: Event, reader: Reader) -> str:
    """The leader's card is face down, its colour is known."""
    return reader.about(event.seat, "lays-face-down", "you-lay-face-down", colour=event.move)


def veto(event: VetoAnswered, reader: Reader) -> str:
    """Someone's card is struck, or none."""
    if event.struck is None:
        return reader.about(event.seat, "no-veto", "you-no-veto")
    strikes = "strikes-yours" if event.struck == reader.seat else "strikes"
    return reader.about(event.seat, strikes, "you-strike", target=reader.names[event.struck])


def stays(event: Event, reader: Reader) -> str:
    """A trick that nobody takes yet."""
    return reader.about(event.seat, "trick-stays", "your-trick-stays")


def sunstroke(event: Event, reader: Reader) -> str:
    """The Sonnenstich card goes to someone."""
    return reader.about(event.seat, "gets-sunstroke", "you-get-sunstroke")


def switched(event: SwitchFlipped, reader: Reader) -> str:
    """Trump is switched on or off."""
    return reader.say("switch-on" if event.on else "switch-off")


def direction(event: DirectionTurned, reader: Reader) -> str:
    """Play goes the other way round."""
    return reader.say("turns-clockwise" if event.direction > 0 else "turns-counterclockwise")


def egg(event: Event, reader: Reader) -> str:
    """Someone takes an egg card."""
    return reader.about(event.seat, "takes-egg", "you-take-egg")


def eggs(event: EggsShown, reader: Reader) -> str:
    """All eggs are turned up: what each seat has in its own."""
    values: list[list[str]] = [[] for _ in reader.names]
    for seat, value in zip(event.takers, event.counts, strict=False):
        values[seat].append(str(value))
    return reader.say("eggs-shown", facts=reader.by_seat(" + ".join(own) or "–" for own in values))


def discarded(event: Event, reader: Reader) -> str:
    """Cards that are put away openly."""
    return reader.about(event.seat, "discards", "you-discard", cards=reader.cards(event.cards))


def drew(event: Event, reader: Reader) -> str:
    """The cards that the reader draws from the stock."""
    if not event.cards or event.seat != reader.seat:
        return ""
    return reader.say("you-draw", cards=reader.cards(event.cards))


def gift(event: GiftGiven, reader: Reader) -> str:
    """A gift card goes to someone."""
    target = event.target or 0
    gives = "gives-you" if target == reader.seat else "gives"
    card = reader.cards(event.cards)
    return reader.about(event.seat, gives, "you-give", card=card, target=reader.names[target])


NARRATORS: dict[str, Narrator] = {
    "trump": trump,
    "partner": partner,
    "partners": partners,
    "aside": aside,
    "named": named,
    "veto": veto,
    "stays": stays,
    "sunstroke": sunstroke,
    "switch": switched,
    "direction": direction,
    "egg": egg,
    "eggs": eggs,
    "discard": discarded,
    "drew": drew,
    "gift": gift,
}
