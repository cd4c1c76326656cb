"""Read the record to review from a file with one or many."""

import sys
from contextlib import nullcontext
from pathlib import Path

from stichwerk.errors import BadFileError, BadRecordError
from stichwerk.record import LARGEST, Record, decode
from stichwerk.review.decisions import BadReviewError


def read_record(path: str, number: int) -> Record:
    """Return the record with this number, counted from 1: of a file of JSON Lines, or the only one.
    `-` is standard input."""
    try:
        with nullcontext(sys.stdin.buffer) if path == "-" else Path(path).open("rb") as file:
            if number > 1:
                lines = [line for line in file if line.strip()]
                whole = b"".join(lines[:1])
            else:
                lines, whole = [], file.read(LARGEST + 1)
    except FileNotFoundError:
        raise BadFileError("no-such-file", file=path) from None
    except IsADirectoryError:
        raise BadFileError("file-is-folder", file=path) from None
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or type(error).__name__
        raise BadFileError("cannot-read", file=path, why=why) from None
    if not whole.strip():
        raise BadFileError("file-is-empty", file=path)
    return nth(lines, number) if number > 1 else first(whole)


def nth(lines: list[bytes], number: int) -> Record:
    """Parse a single line."""
    if number > len(lines):
        raise BadReviewError("review-no-match", number=number, count=len(lines))
    return decode(lines[number - 1])


def first(whole: bytes) -> Record:
    """Parse one record on any number of lines, or the first line of many."""
    line = whole.strip().split(b"\n", 1)[0]
    try:
        return decode(line)
    except BadRecordError as error:
        if error.id != "not-json":
            raise
    return decode(whole)
