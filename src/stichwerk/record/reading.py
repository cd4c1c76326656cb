"""Read a record: anything that is not exactly in the format is refused."""

import re

import msgspec

from stichwerk.errors import BadRecordError, UnknownGameError
from stichwerk.games import registry
from stichwerk.record.format import FORMAT, LARGEST, Record
from stichwerk.record.refusals import UncheckableRecordError, shortened


class _Header(msgspec.Struct):
    """The fields that decide whether the rest can be understood; read first."""

    format: object = None
    game: object = None
    rules: object = 1


def decode(data: bytes | str) -> Record:
    """Decode a record; refuse anything that is not exactly in the format. Use `verify` to check
    whether it follows the rules."""
    raw = _utf8(data)
    try:
        _check_header(msgspec.json.decode(raw, type=_Header), raw)
        return msgspec.json.decode(raw, type=Record)
    except msgspec.ValidationError as error:
        raise _misfit(str(error)) from None
    except msgspec.DecodeError as error:
        raise not_json(error, raw) from None
    except RecursionError:
        raise BadRecordError("record-too-deep") from None


def _utf8(data: bytes | str) -> bytes:
    """Return the text as bytes. Its size is checked first: a file's reader may have cut it inside a
    character."""
    try:
        raw = data.encode() if isinstance(data, str) else data
        if len(raw) > LARGEST:
            raise BadRecordError("record-too-big", most=LARGEST)
        raw.decode()
    except UnicodeError:
        raise BadRecordError("not-utf8") from None
    return raw


def _check_header(header: _Header, raw: bytes) -> None:
    if header.format != FORMAT:
        raise BadRecordError("wrong-format", format=shortened(header.format), expected=FORMAT)
    if isinstance(header.game, str) and type(header.rules) is int:
        try:
            check_version(header.game, header.rules)
        except UncheckableRecordError as error:
            if not _is_record(raw):
                raise BadRecordError(error.id, **error.data) from None
            raise


def _is_record(raw: bytes) -> bool:
    """Return whether these bytes are a record of any game."""
    try:
        msgspec.json.decode(raw, type=Record)
    except msgspec.ValidationError:
        return False
    return True


def check_version(game: str, version: int) -> None:
    """Refuse a game or a version of its rules that is not known here."""
    try:
        known = registry.kind(game).versions
    except UnknownGameError as error:
        raise UncheckableRecordError(
            error.id, game=shortened(game), known=error.data["known"]
        ) from None
    if version not in known:
        versions = ", ".join(map(str, known))
        raise UncheckableRecordError(
            "unknown-rules-version", game=game, version=version, known=versions
        )


_FIELD = re.compile(r"(unknown|missing required) field `(.*?)`", re.DOTALL)
_PATH = re.compile(r" - at `\$\.?([^`]*)`\Z")
BYTE = re.compile(r"\(byte (\d+)\)")


def _misfit(problem: str) -> BadRecordError:
    """Return the error for the wrong field, from msgspec's message; only our own words reach
    people."""
    path = _PATH.search(problem)
    at = path[1] if path else ""
    field = _FIELD.search(problem)
    if field:
        known = field[1] != "unknown"
        name = f"{at}.{field[2]}" if at else field[2]
        return BadRecordError("missing-field" if known else "unknown-field", field=shortened(name))
    if not at:
        return BadRecordError("not-an-object")
    return BadRecordError("bad-field", field=shortened(at))


def not_json(error: msgspec.DecodeError, raw: bytes) -> BadRecordError:
    """Return the error for where the text stops being JSON, with its line and column."""
    byte = BYTE.search(str(error))
    end = int(byte[1]) if byte else len(raw.rstrip())
    return BadRecordError("not-json", line=raw.count(b"\n", 0, end) + 1)
