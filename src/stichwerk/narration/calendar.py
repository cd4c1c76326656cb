"""Words for what only calendar sheets bring about: each sheet says what to tell of its events."""

from collections.abc import Sequence
from functools import partial

from stichwerk.engine.events import Event
from stichwerk.games.events import OF_SHEETS
from stichwerk.games.stichtag.calendar import ALL_SHEETS
from stichwerk.games.stichtag.sentence import Cards, EachSeat, Name, Sentence
from stichwerk.games.stichtag.sheet import Sheet
from stichwerk.narration import Narrator
from stichwerk.narration import revealed as any_revealed
from stichwerk.narration.reader import Reader


def by_sheet(sheet: type[Sheet], event: Event, reader: Reader) -> str:
    """Return what the sheet of an event says about it."""
    said = sheet.narrate(event, reader.seat)
    return "" if said is None else in_words(said, reader)


def in_words(said: Sentence, reader: Reader) -> str:
    """Return a sentence of a sheet for its reader."""
    facts = {name: fact_words(fact, reader) for name, fact in said.facts.items()}
    if said.seat is None:
        return reader.say(said.id, **facts)
    return reader.about(said.seat, said.id, said.own, **facts)


def fact_words(fact: object, reader: Reader) -> object:
    """Return a fact of a sentence as the reader sees it."""
    if isinstance(fact, Name):
        return reader.names[fact.seat]
    if isinstance(fact, Cards):
        return reader.cards(fact.cards)
    if isinstance(fact, EachSeat):
        shown = fact.facts[: len(reader.names)]
        return reader.by_seat(fact.sign + listed(one, reader) for one in shown)
    return fact


def listed(fact: object, reader: Reader) -> str:
    """Return a fact about a seat in a list."""
    return reader.name_of(fact.seat) if isinstance(fact, Name) else str(fact)


def revealed(event: Event, reader: Reader) -> str | Sequence[str]:
    """What everyone chose; of some choices a sheet has its own words."""
    found = []
    for seat, choice in enumerate(event.choices):
        if choice in CHOICE_WORDS:
            found.append(reader.about(seat, *CHOICE_WORDS[choice]))
    return found or any_revealed(event, reader)


CHOICE_WORDS = {
    choice: words for sheet in ALL_SHEETS for choice, words in sheet.choice_words.items()
}
NARRATORS: dict[str, Narrator] = {
    "revealed": revealed,
    **{
        kind.kind: partial(by_sheet, sheet)
        for sheet in ALL_SHEETS
        for kind in sheet.emits
        if kind in OF_SHEETS
    },
}
