"""What happened, put into words: for the terminal, the log of the page and its screen reader.

`sentences` gives those of one event. Kinds that all games share are here. A game names the
narrators of its own kinds in its description (`narrators`), or gives a sentence for a kind
(`events`), as calendar sheets do (`event_words`). `note_words` does the same for the notes of a
table: who joins, who is away, who takes back a move.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from stichwerk import locale
from stichwerk.engine.events import CardPlayed, Event, GameEvent, MatchEnded, RoundStarted
from stichwerk.games import registry
from stichwerk.narration.reader import Reader, has_open_end, reader_of, round_name, signed
from stichwerk.narration.table_notes import TableReader, note_words, seat_letter

__all__ = [
    "Reader",
    "TableReader",
    "has_open_end",
    "move_label",
    "move_words",
    "note_words",
    "reader_of",
    "round_name",
    "seat_letter",
    "sentences",
    "signed",
    "words",
]

Narrator = Callable[[Any, Reader], str | Sequence[str]]


def words(event: Event, reader: Reader) -> str:
    """Return all sentences for one event as one text; empty where there is nothing to say."""
    return " ".join(sentences(event, reader))


def sentences(event: Event, reader: Reader) -> Sequence[str]:
    """Return the sentences for one event, which the reader may know."""
    info = registry.info_of(reader.game)
    id = info.events.get(event.name if isinstance(event, GameEvent) else event.kind)
    if id is not None:
        return (_by_description(event, id, reader),)
    own: Mapping[str, Narrator] = info.load(info.narrators) if info.narrators else {}
    narrator = own.get(event.kind) or COMMON.get(event.kind)
    found = narrator(event, reader) if narrator else ()
    if isinstance(found, str):
        return (found,) if found else ()
    return found


def _by_description(event: Event, id: str, reader: Reader) -> str:
    """Return the sentence that the description of a game has for an event."""
    own = f"you-{id}"
    if event.seat is not None and event.seat == reader.seat and locale.has(own):
        id = own
    name = "" if event.seat is None else reader.names[event.seat]
    return reader.say(id, name=name, cards=reader.cards(event.cards), count=len(event.cards))


# -- Rounds ----------------------------------------------------------------------------------------


def started(event: RoundStarted, reader: Reader) -> str:
    """Name the new round, and who starts it."""
    name = reader.round_name(event.round)
    return reader.about(event.starter, "starts", "you-start", round=name)


def dealt(event: Event, reader: Reader) -> str:
    """Say how many cards the reader is dealt."""
    return reader.say("dealt", count=len(event.cards)) if event.seat == reader.seat else ""


def scored(event: Event, reader: Reader) -> str:
    """Say what each seat scored in the round."""
    return reader.say("scored", facts=reader.by_seat(map(signed, event.scores)))


def ended(event: MatchEnded, reader: Reader) -> str:
    """Say who wins the match."""
    winners = event.ranking[0] if event.ranking else ()
    others = [locale.one_line(reader.names[seat]) for seat in winners if seat != reader.seat]
    together = len(winners) > 1 and reader.is_team(winners)
    if reader.seat in winners:
        id = "ended-you-together" if together else "ended-you"
    else:
        id = "ended-together" if together else "ended"
    return reader.say(id, names=reader.enumerated(others), count=len(winners))


# -- Tricks ----------------------------------------------------------------------------------------


def played(event: CardPlayed, reader: Reader) -> str:
    """Name the card or pair, and its place where several tricks are open; nothing for a card in a
    trick that may not be looked at."""
    card = "+".join(map(reader.write_card, event.cards)) or event.move
    if not card:
        return ""
    if event.opens:
        return reader.about(event.seat, "opens", "you-open", card=card)
    if event.place is not None:
        place = event.place + 1
        return reader.about(event.seat, "plays-to", "you-play-to", card=card, place=place)
    return reader.about(event.seat, "plays", "you-play", card=card)


def taken(event: Event, reader: Reader) -> str:
    """Say who takes a trick."""
    if event.seat is None:
        return reader.say("nobody-takes")
    if event.place is None:
        return reader.about(event.seat, "takes", "you-take")
    return reader.about(event.seat, "takes-place", "you-take-place", place=event.place + 1)


def turned(event: Event, reader: Reader) -> str:
    """Name the scoring card that is turned up (Stichling)."""
    return reader.about(event.seat, "turns-up", "you-turn-up", value=event.value)


# -- Secret choices --------------------------------------------------------------------------------


def choice(event: Event, reader: Reader) -> str:
    """Name a secret move, where all may see it; for its own seat `chosen` follows."""
    if event.seat is None or event.seat == reader.seat:
        return ""
    return reader.say("chooses", name=reader.names[event.seat], move=move_words(event.move))


def move_words(move: str) -> str:
    """Return a typed choice as people read it."""
    return move.replace("+", " + ").replace(",", ", ")


def move_label(move: str, events: Iterable[Event], reader: Reader) -> str:
    """Return a move as a list shows it: `G3 + G4`, `G8 → 2`, `G0 → Ben`. `events`: what it led to,
    as far as the reader may know it."""
    event = next((one for one in events if one.move == move), None)
    cards = " + ".join(event.cards) if event else ""
    if isinstance(event, CardPlayed) and event.place is not None:
        return f"{cards} → {reader.say('new-trick') if event.opens else event.place + 1}"
    target = getattr(event, "target", None)  # a fact of some sheets' events
    if cards and isinstance(target, int):
        return f"{cards} → {locale.one_line(reader.names[target])}"
    return move_words(move)


def chosen(event: Event, reader: Reader) -> str:
    """Say that someone has made a secret move."""
    return reader.about(event.seat, "has-chosen", "you-have-chosen")


def revealed(event: Event, reader: Reader) -> str | Sequence[str]:
    """Say what everyone chose; after a match, name the rounds as well."""
    facts = reader.by_seat(choice.replace(",", " ") for choice in event.choices)
    shown = reader.say(registry.info_of(reader.game).revealed, facts=facts)
    if not event.round:
        return shown
    return reader.say(
        "revealed-round", round=reader.round_name(event.round), text=locale.Listed(shown)
    )


def passed(event: Event, reader: Reader) -> str:
    """Say who passed cards to the left."""
    if all(event.counts):
        return reader.say("all-pass")
    names = [reader.name_of(seat) for seat, count in enumerate(event.counts) if count]
    return reader.say("some-pass", names=", ".join(names))


def received(event: Event, reader: Reader) -> str:
    """Name the cards the reader got from the right."""
    if event.seat is None or event.seat != reader.seat:
        return ""
    giver = reader.names[(event.seat - 1) % len(reader.names)]
    return reader.say("you-get", name=giver, cards=reader.cards(event.cards))


COMMON: dict[str, Narrator] = {
    "round": started,
    "hand": dealt,
    "scored": scored,
    "ended": ended,
    "play": played,
    "trick": taken,
    "turned": turned,
    "choice": choice,
    "chosen": chosen,
    "revealed": revealed,
    "passed": passed,
    "received": received,
}
