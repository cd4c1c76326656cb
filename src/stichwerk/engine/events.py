"""Moves and events as they are told: frozen values with a text and a JSON form."""

import msgspec


class Move(msgspec.Struct, frozen=True):
    """What a seat does at the table: its text, and the engine's numbers for it."""

    text: str
    steps: tuple[int, ...] = ()

    def __str__(self) -> str:
        return self.text


class Event(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something that happened, with only the facts its kind has.

    `to` names the seats that may know of it; None means everyone, spectators too. All kinds with
    their facts are in `docs/events-and-views.md`.
    """

    kind: str
    seat: int | None = None
    move: str = ""
    place: int | None = None
    cards: tuple[str, ...] = ()
    choices: tuple[str, ...] = ()
    position: int | None = None
    value: int | None = None
    round: int | None = None
    starter: int | None = None
    stock: int | None = None
    scores: tuple[int, ...] = ()
    totals: tuple[int, ...] = ()
    counts: tuple[int, ...] = ()
    ranking: tuple[tuple[int, ...], ...] = ()
    to: tuple[int, ...] | None = None

    def visible(self, seat: int | None) -> bool:
        """Whether this seat (None: a spectator) may know of it."""
        return self.to is None or seat in self.to
