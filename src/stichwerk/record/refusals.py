"""What is wrong with a record, and where."""

from collections.abc import Iterator
from contextlib import contextmanager

import msgspec

from stichwerk.errors import BadFileError, BadRecordError, StichwerkError


class RecordPlace(msgspec.Struct, frozen=True):
    """A place in a record: rounds, plays and entries of `extra` are counted from 1, as people
    count; seats from 0."""

    round: int
    play: int | None = None
    seat: int | None = None
    extra: int | None = None

    @property
    def id(self) -> str:
        """The id of its text in `locale/`."""
        if self.play is not None:
            return "place-play"
        if self.extra is not None:
            return "place-extra"
        return "place-round" if self.seat is None else "place-choice"

    @property
    def data(self) -> dict[str, int]:
        """The data of its text."""
        facts = {"round": self.round, "play": self.play, "seat": self.seat, "extra": self.extra}
        return {key: fact for key, fact in facts.items() if fact is not None}

    def __str__(self) -> str:
        if self.play is not None:
            return f"round {self.round}, play {self.play}"
        if self.extra is not None:
            return f"round {self.round}, extra {self.extra}"
        chooser = "" if self.seat is None else f", choice of seat {self.seat}"
        return f"round {self.round}{chooser}"


class BrokenRecordError(BadRecordError):
    """A record in our format that breaks a rule; without a place it concerns the whole match."""

    def __init__(self, id: str, place: RecordPlace | None, /, **data: object) -> None:
        super().__init__(id, **data)
        self.place = place


class UncheckableRecordError(BadRecordError):
    """A record that may be valid: its game, rules version or custom sheet is not available to check
    it."""


@contextmanager
def refusals_at(place: RecordPlace | None) -> Iterator[None]:
    """Turn refusals inside into errors of the record at this place, except for a custom sheet that
    is not on this machine or does not run on it."""
    try:
        yield
    except BadRecordError:
        raise
    except BadFileError as error:
        raise UncheckableRecordError(error.id, **error.data) from None
    except StichwerkError as error:
        if error.id == "own-sheet-missing":
            raise UncheckableRecordError(error.id, **error.data) from None
        raise BrokenRecordError(error.id, place, **error.data) from None


def shortened(value: object) -> str:
    """Return a foreign value as JSON, short enough for one line."""
    text = value if isinstance(value, str) else as_json(value)
    return text if len(text) <= 60 else text[:60] + "…"


def as_json(value: object) -> str:
    """Return an entry as it should be in the record."""
    return msgspec.json.encode(value).decode()
