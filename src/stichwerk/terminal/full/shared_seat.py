"""A table with other people: what typed lines do there in addition to moves."""

import re
from collections.abc import Callable, Iterable
from typing import Protocol, runtime_checkable

from rich.text import Text

from stichwerk.locale import text
from stichwerk.terminal.full.overlays import PageContent
from stichwerk.terminal.seat import PlayerSeat

SIT = re.compile(r"sit ([0-5])", re.IGNORECASE | re.ASCII)
CHAT = ":"  # the prefix of chat messages


class TableTextSource(Protocol):
    """Texts about a table with other people."""

    def words(self, words: tuple[str, ...]) -> str:
        """Return the six words of a shuffle."""

    def people_lines(self) -> Iterable[str]:
        """Return who sits where."""


@runtime_checkable
class SharedSeat(Protocol):
    """A seat at a table with other people: seats can be taken, and moves can be taken back if
    everyone agrees."""

    words: tuple[str, ...]
    """The six words of this shuffle; empty before it."""

    @property
    def table_notes(self) -> TableTextSource:
        """Texts about the table."""

    def sit(self, seat: int) -> None:
        """Take a free seat."""

    def take_back(self) -> None:
        """Ask to take back the last move."""

    def consent(self, agree: bool) -> None:
        """Agree to a take-back, or decline it."""

    def host_command(self, line: str) -> Callable[[], None] | None:
        """Return the action of a line that only the host may use."""


def table_command(
    player_seat: PlayerSeat, line: str, show_company: Callable[[SharedSeat], None]
) -> Callable[[], None] | None:
    """Return the action of a line at a web table, as in plain mode; None if there is none."""
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
    """Handle commands about people, seats, take-backs, and those of the host."""
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


def people_page(player_seat: SharedSeat, lang: str) -> PageContent:
    """Return a page that shows who sits where."""
    notes = player_seat.table_notes
    shuffle = ["", notes.words(player_seat.words)] if player_seat.words else []
    who = Text("\n".join([*notes.people_lines(), *shuffle]))
    return PageContent(text("tui-company", lang), who, (("close", text("tui-close", lang)),))
