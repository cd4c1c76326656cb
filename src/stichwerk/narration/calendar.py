"""Words for what only calendar sheets bring about; the sentences are in the texts of the sheets."""

from collections.abc import Sequence

from stichwerk.engine.events import Event
from stichwerk.games.stichtag.calendar import SHEETS
from stichwerk.games.stichtag.events import (
    DirectionTurned,
    EggsShown,
    GiftGiven,
    SwitchFlipped,
    VetoAnswered,
)
from stichwerk.narration import Narrator
from stichwerk.narration import revealed as any_revealed
from stichwerk.narration.reader import Reader


def trump(event: Event, reader: Reader) -> str:
    """Name the trump colour of the round."""
    return reader.say("trump-drawn", trump=event.move)


def partner(event: Event, reader: Reader) -> str:
    """Name the reader's partner."""
    if event.seat != reader.seat:
        return ""
    return reader.say("your-partner", name=reader.names[event.value or 0])


def partners(event: Event, reader: Reader) -> str:
    """Name everyone's partner."""
    facts = reader.by_seat(f"→ {reader.name_of(other)}" for other in event.counts)
    return reader.say("partners-shown", facts=facts)


def aside(event: Event, reader: Reader) -> str:
    """Say how many odd cards each seat has set aside."""
    return reader.say("aside-now", facts=reader.by_seat(event.counts))


def named(event: Event, reader: Reader) -> str:
    """Name the colour of the leader's face-down card."""
    return reader.about(event.seat, "lays-face-down", "you-lay-face-down", colour=event.move)


def veto(event: VetoAnswered, reader: Reader) -> str:
    """Say whose card is struck, if any."""
    if event.struck is None:
        return reader.about(event.seat, "no-veto", "you-no-veto")
    strikes = "strikes-yours" if event.struck == reader.seat else "strikes"
    return reader.about(event.seat, strikes, "you-strike", target=reader.names[event.struck])


def stays(event: Event, reader: Reader) -> str:
    """Say that a trick stays on the table."""
    return reader.about(event.seat, "trick-stays", "your-trick-stays")


def sunstroke(event: Event, reader: Reader) -> str:
    """Say who gets the Sonnenstich card."""
    return reader.about(event.seat, "gets-sunstroke", "you-get-sunstroke")


def switched(event: SwitchFlipped, reader: Reader) -> str:
    """Say whether trump is switched on or off."""
    return reader.say("switch-on" if event.on else "switch-off")


def direction(event: DirectionTurned, reader: Reader) -> str:
    """Play goes the other way round."""
    return reader.say("turns-clockwise" if event.direction > 0 else "turns-counterclockwise")


def egg(event: Event, reader: Reader) -> str:
    """Say who takes an egg card."""
    return reader.about(event.seat, "takes-egg", "you-take-egg")


def eggs(event: EggsShown, reader: Reader) -> str:
    """Say what the eggs of each seat are worth when they are turned up."""
    values: list[list[str]] = [[] for _ in reader.names]
    for seat, value in zip(event.takers, event.counts, strict=False):
        values[seat].append(str(value))
    return reader.say("eggs-shown", facts=reader.by_seat(" + ".join(own) or "–" for own in values))


def discarded(event: Event, reader: Reader) -> str:
    """Name the cards that are discarded face up."""
    return reader.about(event.seat, "discards", "you-discard", cards=reader.cards(event.cards))


def drew(event: Event, reader: Reader) -> str:
    """Name the cards that the reader draws from the stock."""
    if not event.cards or event.seat != reader.seat:
        return ""
    return reader.say("you-draw", cards=reader.cards(event.cards))


def gift(event: GiftGiven, reader: Reader) -> str:
    """Say who gets a gift card."""
    target = event.target or 0
    gives = "gives-you" if target == reader.seat else "gives"
    card = reader.cards(event.cards)
    return reader.about(event.seat, gives, "you-give", card=card, target=reader.names[target])


def revealed(event: Event, reader: Reader) -> str | Sequence[str]:
    """What everyone chose; of some choices a sheet has its own words."""
    found = []
    for seat, choice in enumerate(event.choices):
        if choice in CHOICE_WORDS:
            found.append(reader.about(seat, *CHOICE_WORDS[choice]))
    return found or any_revealed(event, reader)


CHOICE_WORDS = {
    choice: words for sheet in SHEETS.values() for choice, words in sheet.choice_words.items()
}
NARRATORS: dict[str, Narrator] = {
    "revealed": revealed,
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
