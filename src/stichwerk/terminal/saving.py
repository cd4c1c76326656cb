"""Saved matches, to be continued another day.

A file is an unfinished record, nothing else: it can be verified and replayed like any other. Beside
it is a small note, `FILE.seat`, with the person's seat and the bots; without it they have to be
given again. A record does not contain secret choices until all are made: they are made again, by
the bots in the same way, as they see the same.
"""

import contextlib
import datetime
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import msgspec

from stichwerk.bots.registry import PROGRAM
from stichwerk.errors import BadFileError, BadRecordError
from stichwerk.locale import text
from stichwerk.match import Match
from stichwerk.record import LARGEST, BrokenRecordError, decode, encode, record, replay

SEATING = "stichwerk-seat/1"
SUFFIX = ".seat"
LAST = "last"
LARGEST_NOTE = 64 * 1024


class Seating(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a record does not contain: the person's seat, and the other seats' bots in order."""

    format: str = SEATING
    seat: int
    bots: tuple[str, ...]


class Saved(NamedTuple):
    """A match that can be continued; `seating` is None without a note beside the file."""

    match: Match
    seed: int
    seating: Seating | None


# -- Writing ---------------------------------------------------------------------------------------


class MatchSaver:
    """Saves one match to one file, as often as required."""

    def __init__(
        self,
        file: Path,
        seating: Seating,
        *,
        folder: Path,
        passing: bool,
        failure: Callable[[str, Exception], BadFileError],
    ) -> None:
        self.file = file
        self.seating = seating
        self.folder = folder
        self.passing = passing
        """Whether the file is only for resuming, and deleted when the match is over."""
        self.failure = failure
        self.kept = False

    def __call__(self, match: Match) -> str:
        """Save the match as it stands; return the file."""
        try:
            if match.over and self.passing:
                self.forget()
            else:
                self._write(match)
        except OSError as error:
            raise self.failure(str(self.file), error) from None
        return str(self.file)

    def _write(self, match: Match) -> None:
        if self.passing:
            self.file.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(self.file, encode(record(match)) + b"\n")
        if match.over:
            self._clear()
        elif not self.kept:
            write_atomically(seating_file(self.file), msgspec.json.encode(self.seating) + b"\n")
            self._point_here()
            self.kept = True

    def forget(self) -> None:
        """Delete everything: the match is over, or not worth keeping."""
        self.file.unlink(missing_ok=True)
        self._clear()

    def _clear(self) -> None:
        """Delete what is needed to resume."""
        seating_file(self.file).unlink(missing_ok=True)
        if last_file(self.folder) == self.file.absolute():
            (self.folder / LAST).unlink(missing_ok=True)
        self.kept = False

    def _point_here(self) -> None:
        """Make this the file that `--resume` uses by default."""
        self.folder.mkdir(parents=True, exist_ok=True)
        write_atomically(self.folder / LAST, os.fsencode(self.file.absolute()) + b"\n")


def seating_file(file: Path) -> Path:
    """Return the note that belongs to a file."""
    return file.with_name(file.name + SUFFIX)


def write_atomically(file: Path, data: bytes) -> None:
    """Write a file atomically: after a crash it contains all of the old or all of the new data.

    Only its owner may read it, as with every temporary file: it contains all hands.
    """
    target = Path(os.path.realpath(file))  # a link stays a link
    handle, name = tempfile.mkstemp(".part", f"{target.name}.", target.parent)
    part = Path(name)
    try:
        with os.fdopen(handle, "wb") as out:
            out.write(data)
            out.flush()
            os.fsync(out.fileno())
        part.replace(target)
    except BaseException:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)
        raise


def new_file(folder: Path, game: str, now: datetime.datetime) -> Path:
    """Return the file for a match without a given name."""
    stem = f"{game}-{now:%Y%m%d-%H%M%S}"
    names = (folder / f"{stem}{end}.json" for end in ("", *(f"-{count}" for count in range(2, 99))))
    return next((file for file in names if not file.exists()), folder / f"{stem}-99.json")


# -- Reading ---------------------------------------------------------------------------------------


def last_file(folder: Path) -> Path | None:
    """Return the file that was saved last."""
    try:
        name = (folder / LAST).read_bytes().rstrip(b"\n")
    except OSError:
        return None
    return Path(os.fsdecode(name)) if name and b"\0" not in name else None


def resume(file: Path, lang: str) -> Saved:
    """Return the match of a file, replayed to where it stopped; raise `BadFileError` otherwise."""
    match = _replayed(file, lang)
    if match.over:
        raise BadFileError("resume-over", file=str(file))
    if match.deals.seed is None:
        raise BadFileError("resume-no-seed", file=str(file))
    return Saved(match, match.deals.seed, _seating(seating_file(file), match))


def _replayed(file: Path, lang: str) -> Match:
    raw = read(file, LARGEST + 1)
    if not raw.strip():
        raise BadFileError("file-is-empty", file=str(file))
    try:
        return replay(decode(raw))
    except BadRecordError as error:
        why = text(error.id, lang, **error.data)
        place = error.place if isinstance(error, BrokenRecordError) else None
        if place is not None:
            why = f"{text(place.id, lang, **place.data)}: {why}"
        raise BadFileError("resume-broken", file=str(file), why=why) from None


def read(file: Path, most: int) -> bytes:
    """Return the beginning of a file; an error of the system becomes one of ours."""
    try:
        with file.open("rb") as source:
            return source.read(most)
    except (FileNotFoundError, ValueError):
        raise BadFileError("no-such-file", file=str(file)) from None
    except IsADirectoryError:
        raise BadFileError("file-is-folder", file=str(file)) from None
    except OSError as error:
        why = error.strerror or type(error).__name__
        raise BadFileError("cannot-read", file=str(file), why=why) from None


def _seating(note: Path, match: Match) -> Seating | None:
    """Return who sits where; a note that does not fit the match is refused."""
    if not note.exists():
        return None
    raw = read(note, LARGEST_NOTE)
    try:
        seating = msgspec.json.decode(raw, type=Seating)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        raise BadFileError("bad-seat-note", file=str(note)) from None
    seats = match.rules.seats
    fits = 0 <= seating.seat < seats and len(seating.bots) == seats - 1
    if seating.format != SEATING or not fits:
        raise BadFileError("bad-seat-note", file=str(note))
    return seating


def trusted_bots(file: Path, seating: Seating) -> tuple[str, ...]:
    """Return the bots of a note; programs have to be named again: a foreign file starts nothing."""
    if any(bot.startswith(PROGRAM) for bot in seating.bots):
        raise BadFileError("seat-note-program", file=str(seating_file(file)))
    return seating.bots
