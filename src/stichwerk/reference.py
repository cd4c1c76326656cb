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
from stichwerk.games import registry
from stichwerk.games.info import Key, Reference
from stichwerk.games.stichtag.calendar import SHEETS

PAGE = "events-and-views.md"
COMMAND = "python -m stichwerk.reference docs"
SECRET_SHEETS = ("red 1", "red 4", "February")


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


# -- Events ----------------------------------------------------------------------------------------

SEAT = Fact("who did it")
CHOICE = Fact("the move, as it is typed")

# In the order in which a single move causes them. Here `where` names sheets only: the
# descriptions of the games say what else not all games have.
_KINDS: dict[str, EventKind] = {
    "choice": EventKind(
        meaning="You made a secret move.",
        facts={"seat": SEAT, "move": CHOICE},
        where=SECRET_SHEETS,
        private=True,
    ),
    "named": EventKind(
        meaning="The leader laid a card face down and named its colour.",
        facts={"seat": SEAT, "move": Fact("the letter of the colour")},
        where=("red 1",),
    ),
    "chosen": EventKind(
        meaning="Someone made a secret move; which one stays secret.",
        facts={"seat": SEAT},
        where=SECRET_SHEETS,
    ),
    "revealed": EventKind(
        meaning="All secret moves are in and are shown. In Stichling only after the match, after "
        "`ended`, an event for each round.",
        facts={
            "choices": Fact(
                "the moves by seat, as they are typed; an empty text for a seat that was not asked"
            ),
            "round": Fact("in Stichling the round they belong to"),
        },
        where=("red 4",),
    ),
    "passed": EventKind(
        meaning="Everyone passed a card to the left; which one stays secret.",
        facts={"counts": Fact("by seat: 1 who passed a card, 0 who had none")},
        where=("February",),
    ),
    "received": EventKind(
        meaning="You got a card from the right.",
        facts={"seat": Fact("who got it"), "cards": Fact("the card, alone in a list")},
        where=("February",),
        private=True,
    ),
    "play": EventKind(
        meaning="A card was played, or turned up (red 1).",
        facts={"seat": SEAT, "move": CHOICE},
    ),
    "veto": EventKind(
        meaning="The holder of the veto card struck a card of the trick, or passed.",
        facts={"seat": SEAT, "move": CHOICE},
        where=("red 7",),
    ),
    "discard": EventKind(
        meaning="The winner of a trick discarded cards.",
        facts={"seat": SEAT, "move": CHOICE},
        where=("August",),
    ),
    "gift": EventKind(
        meaning="The winner of a trick gave a gift card away.",
        facts={"seat": SEAT, "move": CHOICE},
        where=("December",),
    ),
    "drew": EventKind(
        meaning="You drew cards from the stock for those you discarded.",
        facts={"seat": Fact("who drew them"), "cards": Fact("the cards drawn")},
        where=("August",),
        private=True,
    ),
    "trick": EventKind(
        meaning="A trick is complete and taken. In Sticheln nobody takes one of zeros alone, "
        "unless the option `all_zero` gives it to the leader.",
        facts={
            "cards": Fact("its cards in the order played"),
            "seat": Fact("who takes it; absent where nobody does"),
            "place": Fact("in Stichling the place it lay at, 0 to 3"),
        },
    ),
    "stays": EventKind(
        meaning="A trick is complete and stays on the table.",
        facts={
            "seat": Fact("who won it, and leads"),
            "cards": Fact("its cards in the order played"),
        },
        where=("September",),
    ),
    "turned": EventKind(
        meaning="The winner of a trick turned up a scoring card.",
        facts={
            "seat": SEAT,
            "position": Fact("which one from the left, 0 to 2"),
            "value": Fact("its value"),
        },
    ),
    "egg": EventKind(
        meaning="The winner of a trick took an egg; its value is shown at the end of the round.",
        facts={"seat": SEAT},
        where=("April",),
    ),
    "aside": EventKind(
        meaning="How many odd cards lie aside: after the deal, and whenever that changes.",
        facts={"counts": Fact("by seat: the number of cards aside")},
        where=("red 8",),
    ),
    "partners": EventKind(
        meaning="The round is over: all partner cards are shown.",
        facts={"counts": Fact("by seat: the seat of the partner")},
        where=("red 6",),
    ),
    "eggs": EventKind(
        meaning="The round is over: all eggs are shown, those that nobody took too.",
        facts={
            "counts": Fact("not by seat: the values of the six eggs, in the order they are taken")
        },
        where=("April",),
    ),
    "scored": EventKind(
        meaning="A round is over and its points are counted.",
        facts={
            "scores": Fact("by seat: points of the round"),
            "totals": Fact("by seat: sums so far"),
        },
    ),
    "ended": EventKind(
        meaning="The match is over.",
        facts={"ranking": Fact("groups of seats, best first; those level share a group")},
    ),
    "round": EventKind(
        meaning="A round begins: the cards are dealt.",
        facts={
            "round": Fact("its number, from 1"),
            "starter": Fact("the seat that starts"),
            "stock": Fact("how many cards were not dealt"),
        },
    ),
    "hand": EventKind(
        meaning="You got your cards.",
        facts={"seat": Fact("whose cards"), "cards": Fact("in the order dealt")},
        private=True,
    ),
    "trump": EventKind(
        meaning="The trump colour of the round was drawn.",
        facts={"move": Fact("the letter of the colour")},
        where=("red 0",),
    ),
    "partner": EventKind(
        meaning="You drew a partner card.",
        facts={"seat": Fact("who drew it"), "value": Fact("the seat of the partner")},
        where=("red 6",),
        private=True,
    ),
}


# -- What the games add ----------------------------------------------------------------------------

GAMES: dict[str, Reference] = {
    info.name: info.reference for info in registry.OUR_GAMES if info.reference is not None
}
PHASES = {game: told.phases for game, told in GAMES.items()}
TABLE = {game: told.table for game, told in GAMES.items()}
MINE = {game: told.mine for game, told in GAMES.items()}


def with_games(name: str, kind: EventKind) -> EventKind:
    """Return a kind of event with the games that have it, and each of its facts."""
    facts = {
        field: msgspec.structs.replace(
            fact,
            where=tuple(game for game, told in GAMES.items() if field in told.facts.get(name, ())),
            absent_in=tuple(
                game for game, told in GAMES.items() if field in told.absent.get(name, ())
            ),
        )
        for field, fact in kind.facts.items()
    }
    games = [game for game, told in GAMES.items() if name in told.events]
    return msgspec.structs.replace(kind, facts=facts, where=(*games, *kind.where))


EVENTS = {name: with_games(name, kind) for name, kind in _KINDS.items()}


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
    "here fails it, and so does one that is here and never appears. A custom game, or a custom "
    "sheet in Python, can have others.",
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
