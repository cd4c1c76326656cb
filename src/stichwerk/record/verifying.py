"""Verify records: replay them, and compare claims about their deal."""

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

import msgspec
from msgspec import UNSET

from stichwerk.errors import BadFileError, BadRecordError
from stichwerk.hash_words import fingerprint
from stichwerk.record.format import LARGEST, Record
from stichwerk.record.reading import BYTE, decode, not_json
from stichwerk.record.refusals import BrokenRecordError, RecordPlace, UncheckableRecordError
from stichwerk.record.replaying import replay


class Claims(msgspec.Struct, frozen=True, kw_only=True):
    """What someone knows about a match besides its record: `shares` of the shuffle in hex, by their
    seat if known, and the six `words`. A record that lacks one of them is broken."""

    shares: tuple[tuple[int | None, str], ...] = ()
    words: tuple[str, ...] = ()


NO_CLAIMS = Claims()


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """The result of `verify`: `holds`, `unfinished` (holds so far), `broken` (what, and where), or
    `unchecked` (the rules are unknown here, so nothing can be said).

    `proven`: the deal is proven to follow from everyone's shares. Without that the rules hold, but
    nothing is known about how the cards were chosen. `shares` and `words`: how many of the claimed
    shares and words are in it.
    """

    status: str
    id: str = ""
    data: dict[str, object] = {}
    place: RecordPlace | None = None
    proven: bool = False
    shares: int = 0
    words: int = 0

    @property
    def ok(self) -> bool:
        """Whether everything was checked and holds."""
        return self.status in ("holds", "unfinished")


def verify(record: Record, claims: Claims = NO_CLAIMS) -> Verdict:
    """Replay the match and compare deals, moves, points and result, and the claims."""
    try:
        match = replay(record)
        _check_claims(record, claims)
    except BrokenRecordError as error:
        return Verdict(status="broken", id=error.id, data=error.data, place=error.place)
    except UncheckableRecordError as error:
        return _unchecked(error)
    except BadRecordError as error:
        return Verdict(status="broken", id=error.id, data=error.data)
    return Verdict(
        status="holds" if match.over else "unfinished",
        proven=record.fairness is not UNSET,
        shares=len(claims.shares),
        words=len(claims.words),
    )


def _unchecked(error: UncheckableRecordError) -> Verdict:
    return Verdict(status="unchecked", id=error.id, data=error.data)


def _check_claims(record: Record, claims: Claims) -> None:
    """Check that the proof, which holds by now, is about the same shares."""
    proof = record.fairness
    if proof is UNSET:
        if claims.shares or claims.words:
            raise BrokenRecordError("no-proof-to-compare", None)
        return
    for seat, share in claims.shares:
        if seat is None and share not in proof.client_seeds:
            raise BrokenRecordError("share-not-in-record", None, share=share)
        if seat is not None and proof.client_seeds[seat : seat + 1] != (share,):
            raise BrokenRecordError("share-not-of-seat", None, share=share, seat=seat)
    words = fingerprint(bytes.fromhex(proof.transcript))
    if claims.words and claims.words != words:
        raise BrokenRecordError("words-not-of-record", None, words=" ".join(words))


def verify_file(
    path: str | os.PathLike[str], claims: Callable[[Record], Claims] = lambda record: NO_CLAIMS
) -> Iterator[tuple[int, Verdict]]:
    """Verify the records of a file one by one, each with the line it begins on: one JSON object, on
    any number of lines, or JSON Lines. `claims`: what is known about each from elsewhere.

    Anything that is not a record raises a `BadRecordError` whose `data["line"]` says where; an
    unreadable file raises a `BadFileError`.
    """
    with _file_troubles(path), Path(path).open("rb") as file:
        yield from verify_stream(file, os.fspath(path), claims)


def verify_stream(
    file: BinaryIO, name: str, claims: Callable[[Record], Claims] = lambda record: NO_CLAIMS
) -> Iterator[tuple[int, Verdict]]:
    """Verify an open file like `verify_file`; errors call it `name`."""
    with _file_troubles(name):
        found = False
        for line, raw in _pieces(file):
            found = True
            yield line, _judged(line, raw, claims)
        if not found:
            raise BadFileError("file-is-empty", file=name)


def _judged(line: int, raw: bytes, claims: Callable[[Record], Claims]) -> Verdict:
    """Return the verdict on one record of a file."""
    with _counted_from(line):
        try:
            record = decode(raw)
        except UncheckableRecordError as error:
            return _unchecked(error)
    return verify(record, claims(record))


@contextmanager
def _file_troubles(path: str | os.PathLike[str]) -> Iterator[None]:
    name = os.fspath(path)
    try:
        if "\0" in name:
            raise FileNotFoundError
        yield
    except FileNotFoundError:
        raise BadFileError("no-such-file", file=name) from None
    except IsADirectoryError:
        raise BadFileError("file-is-folder", file=name) from None
    except OSError as error:
        why = error.strerror or type(error).__name__
        raise BadFileError("cannot-read", file=name, why=why) from None


@contextmanager
def _counted_from(line: int) -> Iterator[None]:
    """Make line numbers in errors relative to the beginning of the file."""
    try:
        yield
    except BadRecordError as error:
        inside = error.data.get("line", 1)
        at = line + inside - 1 if isinstance(inside, int) else line
        facts: Mapping[str, object] = {**error.data, "line": at}
        raise BadRecordError(error.id, **facts) from None


def _pieces(file: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """Yield the records of a file as bytes, never more than one in memory; blank lines do not
    count."""
    line = 0
    first = True
    while raw := file.readline(LARGEST + 1):
        line += 1
        if not raw.strip(b" \t\r\n") and len(raw) <= LARGEST:
            continue
        if first and _goes_on(_flaw(raw)):
            raw = _to_the_end(file, line, raw)
        first = False
        yield line, raw


def _to_the_end(file: BinaryIO, line: int, raw: bytes) -> bytes:
    """Read a text that spans many lines. One too large for a record is read only as far as a record
    could reach, to tell whether it is JSON at all."""
    raw += file.read(max(0, LARGEST + 1 - len(raw)))
    flaw = _flaw(raw)
    if len(raw) > LARGEST and flaw is not None and not _goes_on(flaw):
        with _counted_from(line):
            raise not_json(flaw, raw)
    return raw


def _flaw(raw: bytes) -> msgspec.DecodeError | None:
    """Return why these bytes are not JSON, regardless of their meaning."""
    try:
        msgspec.json.decode(raw, type=msgspec.Raw)
    except msgspec.DecodeError as error:
        return error
    except RecursionError:
        return None
    return None


def _goes_on(flaw: msgspec.DecodeError | None) -> bool:
    """Return whether the text is only cut off: no byte of it is wrong."""
    return flaw is not None and not BYTE.search(str(flaw))
