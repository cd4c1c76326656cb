"""The reference of events, phases, moves and keys of views of each game, in one place.

    python -m stichwerk.reference docs    # writes docs/events-and-views.md

`tests/test_reference.py` plays every game, option and sheet, and compares: everything that appears
must be here, with these facts, types and places; and everything here must appear.
"""

import sys
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, get_args, get_origin

import msgspec

from stichwerk import locale
from stichwerk.engine.events import BaseEvent, GameEvent
from stichwerk.games import registry
from stichwerk.games.events import KINDS, facts_of, meaning_of
from stichwerk.games.info import Key, Reference
from stichwerk.games.stichtag.calendar import ALL_SHEETS, SHEETS

PAGE = "events-and-views.md"
COMMAND = "python -m stichwerk.reference docs"


class Fact(msgspec.Struct, frozen=True):
    """A field of an event. `where`: the games that have it, if not all; `absent_in`: games in which
    it is sometimes left out."""

    meaning: str
    where: tuple[str, ...] = ()
    absent_in: tuple[str, ...] = ()


class EventKind(msgspec.Struct, frozen=True, kw_only=True):
    """A kind of event. `where`: the games, or sheets of Stichtag, that have it; none: all games.

    A `private` one is for its seat alone, all others for everyone.
    """

    meaning: str
    facts: dict[str, Fact]
    where: tuple[str, ...] = ()
    private: bool = False


# -- What the games add ----------------------------------------------------------------------------

GAMES: dict[str, Reference] = {
    info.name: info.reference for info in registry.OUR_GAMES if info.reference is not None
}
PHASES = {game: info.phases for game, info in GAMES.items()}
TABLE = {game: info.table for game, info in GAMES.items()}
MINE = {game: info.mine for game, info in GAMES.items()}


def kind_in_words(struct: type[BaseEvent]) -> EventKind:
    """Describe a kind of event, and the games and sheets that have it."""
    name = struct.kind
    facts = {
        field: Fact(
            meaning,
            where=tuple(game for game, info in GAMES.items() if field in info.facts.get(name, ())),
            absent_in=tuple(
                game for game, info in GAMES.items() if field in info.absent.get(name, ())
            ),
        )
        for field, meaning in facts_of(struct).items()
    }
    games = [game for game, info in GAMES.items() if name in info.events]
    sheets = dict.fromkeys([sheet.name for sheet in ALL_SHEETS if struct in sheet.emits])
    return EventKind(
        meaning=meaning_of(struct), facts=facts, where=(*games, *sheets), private=struct.private
    )


# Those of the games in the tree: `game` is for all others.
EVENTS = {struct.kind: kind_in_words(struct) for struct in KINDS if struct is not GameEvent}


# -- The page --------------------------------------------------------------------------------------

WORDS = {int: "whole number", str: "text", NoneType: "null"}
MANY = {int: "whole numbers", str: "texts", NoneType: "null"}


def type_words(type: Any, words: dict[Any, str] = WORDS) -> str:
    """Return a type as it is in JSON; with `MANY` as the inside of a list."""
    if type in words:
        return words[type]
    if isinstance(type, UnionType):
        return " or ".join(type_words(part, words) for part in get_args(type))
    if get_origin(type) is list:
        inside = type_words(get_args(type)[0], MANY)
        return f"{'lists' if words is MANY else 'list'} of {inside}"
    fields = [f"`{one.name}`: {type_words(one.type)}" for one in msgspec.structs.fields(type)]
    return f"{'objects' if words is MANY else 'object'} ({', '.join(fields)})"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table in Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def place_names(names: Sequence[str]) -> str:
    """Return games by their titles, sheets of Stichtag by name and title."""
    return ", ".join(map(place_name, names))


def place_name(name: str) -> str:
    """Return a game by its title, a sheet of Stichtag by name and title."""
    if name in SHEETS:
        return f"{name} ({SHEETS[name].title[1]})"
    return locale.game_name(name, "en")


def event_table() -> str:
    """Return all kinds of events."""
    rows = []
    for name, kind in EVENTS.items():
        facts = "; ".join(f"`{field}`: {fact.meaning}" for field, fact in kind.facts.items())
        to = "its seat" if kind.private else "all"
        rows.append((f"`{name}`", kind.meaning, facts, to, place_names(kind.where) or "all games"))
    return table(("kind", "what happened", "facts", "visible to", "in"), rows)


def counts_table() -> str:
    """Return what `counts` holds, by kind."""
    found = [
        (name, kind.facts["counts"]) for name, kind in EVENTS.items() if "counts" in kind.facts
    ]
    return table(("kind", "`counts`"), [(f"`{name}`", fact.meaning) for name, fact in found])


def phase_table(game: str) -> str:
    """Return the phases of a game with their moves."""
    rows = []
    for name, phase in PHASES[game].items():
        forms = "; ".join(f"`{form.example}` {form.meaning}" for form in phase.forms) or "none"
        asked = "secret" if phase.secret else "open" if phase.forms else ""
        kept = f"`{phase.entry}`" if phase.entry in ("plays", "choices") else ""
        if phase.entry and not kept:
            kept = f"`extra`, kind `{phase.entry}`"
        sheets = place_names(phase.where)
        rows.append((f"`{name}`", phase.meaning, forms, asked, kept, sheets))
    head = ("phase", "what is asked", "moves", "made", "in a record", "sheet")
    return table(*without_empty_sheets(head, rows))


def key_table(keys: dict[str, Key]) -> str:
    """Keys with the types and meanings of their values."""
    rows = [
        (f"`{name}`", type_words(key.type), key.meaning, place_names(key.where))
        for name, key in keys.items()
    ]
    return table(*without_empty_sheets(("key", "value", "meaning", "sheet"), rows))


def without_empty_sheets(
    head: Sequence[str], rows: Sequence[Sequence[str]]
) -> tuple[Sequence[str], Sequence[Sequence[str]]]:
    """Drop the last column if it is empty in every row."""
    if any(row[-1] for row in rows):
        return head, rows
    return head[:-1], [row[:-1] for row in rows]


def order_words() -> str:
    """Return the order of events that follow from one move."""
    kinds = list(EVENTS)
    turn = kinds.index("round")
    before = ", ".join(f"`{kind}`" for kind in kinds[:turn])
    after = ", ".join(f"`{kind}`" for kind in (*kinds[turn:], "aside"))
    return (
        f"One move can cause many events. They come in this order: {before}. If a new round "
        f"begins, its events follow: {after}. `revealed` of Stichling comes after `ended`."
    )


TITLE = "# Events, views, phases and moves"
INTRO = (
    "What the games report, and how moves are written: for authors of bots, clients and "
    "environments. This page is made from [reference.py](../src/stichwerk/reference.py) "
    f"(`{COMMAND}`), and [a test](../tests/test_reference.py) plays every game, option and sheet "
    "of the calendar to compare: a kind of event, a key, a phase or a form of move that is not "
    "here fails it, and so does one that is here and never appears. A custom game or sheet can "
    "have [others](#events-of-your-own-game).",
    "It is the same in Python, in the lines that a [program](writing-bots.md#as-a-program) reads, "
    "and over the [protocol of a table](protocol.md): texts, whole numbers, lists and objects; "
    "None is `null`. Cards are texts like `G8` (R red, Y yellow, G green, B blue, L lilac, S "
    'silver-grey), seats count from 0, and "by seat" means a list with an entry for each seat. '
    "Names like red 4 and April are sheets of [Stichtag's calendar](calendar.en.md).",
)
EVENTS_WORDS = (
    "An event has a `kind`, the facts of this kind, and `to`: the seats that may know of it; "
    "absent, everyone may, spectators too. `match.events` has all of them, the `history` of a "
    "view those that its seat may know. In JSON a fact that is empty or None is left out. The "
    "table lists the kinds in the order in which a move causes them."
)
OWN_GAME_WORDS = (
    "A game or sheet of your own emits these kinds too, where they fit. For everything else there "
    "is the kind `game` (`stichwerk.engine.events.GameEvent`), whose `name` says what happened. An "
    "open choice of a sheet is such an event, named after its phase. What is said of it at the "
    "table stands in the `events` of the game's description, by that name."
)
MOVES_WORDS = (
    "The `phase` of a view says what is asked for, `waiting_for` of whom, and `moves` lists what "
    "may be answered, in a [fixed order](architecture.md#order-of-moves). A bot or a client "
    "answers with one of these texts. People may also type"
)
ALSO_TYPED = (
    "small letters, and spaces around commas, `>` and `+`;",
    "cards in any order: of different colours in Null & nichtig, to discard, and of a pair;",
    "in Stichling a card without its place, `G8`, where only one is possible;",
    "the name of a seat for its number: `veto Anna`, `G0>Anna`.",
)
SECRET_WORDS = (
    "A secret move is shown to its seat at once (`choice`), the others learn only that it was made "
    "(`chosen`). How a [record](record-format.md#a-round) writes moves differs a little: it keeps "
    "several cards as a list, and counts Stichling's places from 0."
)


def page() -> str:
    """Return the whole page in Markdown."""
    return "\n\n".join(parts()) + "\n"


def parts() -> Iterator[str]:
    """Yield the page, part by part."""
    yield TITLE
    yield from map(wrapped, INTRO)
    yield from event_parts()
    yield from phase_parts()
    yield "## The keys of `view.table`"
    yield wrapped(
        "What is public, besides tricks and hands: the same for everyone. A key with a sheet is "
        "there on days with that sheet, and only then."
    )
    yield from key_parts("table", TABLE)
    yield "## The keys of `view.mine`"
    yield "What only this seat knows, besides its hand. It is empty for spectators."
    yield from key_parts("mine", MINE)


def event_parts() -> Iterator[str]:
    """Yield the part about events."""
    yield "## Events"
    yield wrapped(EVENTS_WORDS)
    yield event_table()
    yield "### Events of your own game"
    yield wrapped(OWN_GAME_WORDS)
    yield table(
        ("fact of `game`", "meaning"),
        [(f"`{name}`", meaning) for name, meaning in facts_of(GameEvent).items()],
    )
    yield "### What `counts` holds"
    yield counts_table()
    yield "### The order of events"
    yield wrapped(order_words())


def phase_parts() -> Iterator[str]:
    """Yield the part about phases and moves."""
    yield "## Phases and moves"
    yield wrapped(MOVES_WORDS)
    yield "\n".join(f"- {line}" for line in ALSO_TYPED)
    yield wrapped(SECRET_WORDS)
    for game in PHASES:
        yield f"### {locale.game_name(game, 'en')}: phases"
        yield phase_table(game)


def key_parts(name: str, games: dict[str, dict[str, Key]]) -> Iterator[str]:
    """Yield the keys of each game."""
    for game, keys in games.items():
        yield f"### {locale.game_name(game, 'en')}: `{name}`"
        yield key_table(keys)


def wrapped(words: str) -> str:
    """Wrap prose."""
    return textwrap.fill(words, 100, break_long_words=False, break_on_hyphens=False)


def main(folder: str) -> None:
    """Write the page into a folder."""
    Path(folder, PAGE).write_text(page(), "utf-8", newline="\n")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(f"usage: {COMMAND}")
    main(sys.argv[1])
