"""A table with others: what a typed line does there besides moves."""

import re
from collections.abc import Callable, Iterable
from typing import Protocol, runtime_checkable

from rich.text import Text

from stichwerk.locale import text
from stichwerk.terminal.full.overlays import PageContent
from stichwerk.terminal.seat import PlayerSeat

SIT = re.compile(r"sit ([0-5])", re.IGNORECASE | re.ASCII)
CHAT = ":"  # what stands before words to the others


class TableTextSource(Protocol):
    """Words about a table with others."""

    def words(self, words: tuple[str, ...]) -> str:
        """The six words of a shuffle."""

    def people_lines(self) -> Iterable[str]:
        """Who sits where."""


@runtime_checkable
class SharedSeat(Protocol):
    """A place at a table with others: there are seats to take, and moves can be taken back if
    everyone agrees.
    """

    words: tuple[str, ...]
    """The six of this shuffle; none before it."""

    @property
    def table_notes(self) -> TableTextSource:
        """Words about the table."""

    def sit(self, seat: int) -> None:
        """Take a free seat."""

    def take_back(self) -> None:
        """Ask to take back the own last move."""

    def consent(self, agree: bool) -> None:
        """Agree to that, or not."""

    def host_command(self, line: str) -> Callable[[], None] | None:
        """What a line does that only the host can do."""


def table_command(
    player_seat: PlayerSeat, line: str, show_company: Callable[[SharedSeat], None]
) -> Callable[[], None] | None:
    """What a line does at a web table besides, as in its plain form; None: nothing."""
    if line.startswith(CHAT):
        return lambda: player_seat.chat(line[1:].strip())
    if line.lower() == "b" and player_seat.may_begin:
        return player_seat.begin
    if isinstance(player_seat, SharedSeat):
        return shared_command(player_seat, line, show_company)
    return None


def shared_command(
    player_seat: SharedSeat, line: str, show_company: Callable[[SharedSeat], None]
) -> Callable[[], None] | None:
    """Who is there, seats, taking back, and what the host does."""
    if done := player_seat.host_command(line):
        return done
    if found := SIT.fullmatch(line):
        return lambda: player_seat.sit(int(found[1]))
    deeds: dict[str, Callable[[], None]] = {
        "p": lambda: show_company(player_seat),
        "u": player_seat.take_back,
        "y": lambda: player_seat.consent(True),
        "j": lambda: player_seat.consent(True),
        "n": lambda: player_seat.consent(False),
    }
    return deeds.get(line.lower())


def company_page(player_seat: SharedSeat, lang: str) -> PageContent:
    """Who sits where."""
    notes = player_seat.table_notes
    shuffle = ["", notes.words(player_seat.words)] if player_seat.words else []
    who = Text("\n".join([*notes.people_lines(), *shuffle]))
    return PageContent(text("tui-company", lang), who, (("close", text("tui-close", lang)),))
