"""The person that events are put into words for, and the phrases that many sentences share."""

from collections.abc import Callable, Iterable, Mapping, Sequence

import msgspec

from stichwerk import locale
from stichwerk.games import registry
from stichwerk.games.options import Value
from stichwerk.games.stichtag.course import sheet_names
from stichwerk.games.stichtag.yearbook import sheet_of
from stichwerk.view import View


class Reader(msgspec.Struct, frozen=True, kw_only=True):
    """Who reads: a seat, addressed in the second person, or a spectator (`seat` None).

    It has nothing but public facts of the match, so a sentence says no more than its event.
    `write_card`: how a card is written; the terminal marks those with a symbol.
    """

    seat: int | None
    names: Sequence[str]
    game: str
    options: Mapping[str, Value]
    rounds: int
    lang: str
    write_card: Callable[[str], str] = str

    def say(self, id: str, /, **facts: object) -> str:
        """Return a sentence."""
        return locale.text(id, self.lang, **facts)

    def about(self, seat: int | None, other: str, own: str, /, **facts: object) -> str:
        """Return a sentence about a seat: `own`, in the second person, if it is the reader's."""
        if seat is not None and seat == self.seat:
            return self.say(own, **facts)
        return self.say(other, name="?" if seat is None else self.names[seat], **facts)

    def name_of(self, seat: int) -> str:
        """Return a name for use in a list: `you` for the reader."""
        return self.say("reader") if seat == self.seat else locale.one_line(self.names[seat])

    def by_seat(self, facts: Iterable[object]) -> str:
        """List a fact about every seat: `you 3 · Ben 4`."""
        return locale.Listed(
            " · ".join(f"{self.name_of(seat)} {fact}" for seat, fact in enumerate(facts))
        )

    def enumerated(self, names: Sequence[str]) -> str:
        """List names as they are spoken: `Ada, Ben and Cleo`."""
        return locale.enumerated(names, self.lang)

    def is_team(self, seats: Sequence[int]) -> bool:
        """Return whether these seats are one team, and not several that are level."""
        teams = self.options.get("teams")
        return isinstance(teams, int) and len(seats) * teams == len(self.names)

    def cards(self, cards: Iterable[str]) -> str:
        """List cards: `G3, G4`."""
        return locale.Listed(", ".join(map(self.write_card, cards)))

    def round_name(self, round: int) -> str:
        """Return the name of a round: `Round 2 of 4`."""
        return round_name(self.game, self.options, round, self.rounds, self.lang)


def reader_of(view: View, lang: str, write_card: Callable[[str], str] = str) -> Reader:
    """Return the seat, or the spectator, of a view as a reader."""
    return Reader(
        seat=view.seat,
        names=view.names,
        game=view.game,
        options=view.options,
        rounds=view.rounds,
        lang=lang,
        write_card=write_card,
    )


def round_name(game: str, options: Mapping[str, Value], round: int, rounds: int, lang: str) -> str:
    """Return `Round 2 of 4`, or `Round 2` where the end is open."""
    word = locale.round_word(game, lang)
    if options.get("target") is not None:
        return locale.text("round-open", lang, word=word, round=round)
    id = "round-of-at-most" if has_open_end(game, options) else "round-of"
    return locale.text(id, lang, word=word, round=round, rounds=rounds)


def has_open_end(game: str, options: Mapping[str, Value]) -> bool:
    """Return whether the match may end before its last round."""
    sheets = sheet_names(options) if registry.has_calendar(game) else ()
    return any(sheet_of(name).open_end for name in sheets)


def signed(value: int) -> str:
    """Return a number with a proper minus."""
    return str(value).replace("-", "−")
