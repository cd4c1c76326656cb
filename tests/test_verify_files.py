"""Files of records are judged line by line."""

import errno
import json
import os
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stichwerk.errors import BadFileError, BadRecordError
from stichwerk.record import (
    LARGEST,
    verify_file,
)
from tests.verify_setup import record_json, unfinished, written

pytestmark = pytest.mark.game


# Files


def lines(path: Path) -> list[tuple[int, str]]:
    return [(line, verdict.status) for line, verdict in verify_file(path)]


def write(path: Path, data: bytes | str) -> Path:
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return path


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "records.jsonl"


def broken_line() -> str:
    loaded = record_json("stichtag", 3)
    loaded["totals"][0] += 1
    return json.dumps(loaded)


def test_json_lines(file: Path) -> None:
    running = json.dumps(unfinished(record_json("sticheln", 3), 0, 5))
    good = written("stichling", 2)
    write(file, "\n".join([good, broken_line(), "", running, good, ""]))
    found = [(1, "holds"), (2, "broken"), (4, "unfinished"), (5, "holds")]
    assert lines(file) == found
    assert lines(write(file, file.read_bytes().replace(b"\n", b"\r\n"))) == found
    assert [line for line, _ in verify_file(str(file))] == [1, 2, 4, 5]


def test_one_record_over_many_lines(file: Path) -> None:
    for indent in (1, 4):
        write(file, "\n\n" + json.dumps(record_json("sticheln", 3), indent=indent) + "\n")
        assert lines(file) == [(3, "holds")]
    assert lines(write(file, written("sticheln", 3))) == [(1, "holds")]
    assert lines(write(file, "{\n" + written("sticheln", 3)[1:])) == [(1, "holds")]


def refused(path: Path | str) -> tuple[str, Mapping[str, object]]:
    with pytest.raises((BadRecordError, BadFileError)) as refusal:
        list(verify_file(path))
    return refusal.value.id, refusal.value.data


@pytest.mark.parametrize(
    ("data", "id", "line"),
    [
        (b"hello\n", "not-json", 1),
        (b"\x7fELF\x00\x00\x01", "not-json", 1),
        (b"\x89PNG\r\n\x1a\n\x00", "not-utf8", 1),
        ("{}".encode("utf-16"), "not-utf8", 1),
        (b"{\n", "not-json", 1),
        (b'{\n"format":\n"x",\n!', "not-json", 4),
        (b"\n\n{\n\n}\n}", "not-json", 6),
        (b"[\n]", "not-an-object", 1),
        (b'{"format":"other"}', "wrong-format", 1),
        (b"\n{}", "wrong-format", 2),
        (b"[" * 200_000, "not-an-object", 1),
        (b'{"x":' + b"[" * 200_000, "record-too-deep", 1),
        (b"{" + b" " * LARGEST, "record-too-big", 1),
        (b"{" + b" \n" * LARGEST, "record-too-big", 1),
        (b"\n" + b"x" * 2 * LARGEST, "record-too-big", 2),
        (b" " * 2 * LARGEST, "record-too-big", 1),
        (b"\x00" * 2 * LARGEST, "record-too-big", 1),
        (b'{"format":\n{"format":1}\n' + b"{}\n" * LARGEST, "not-json", 3),
    ],
    ids=lambda value: repr(value)[:30],
)
def test_other_files_are_refused(file: Path, data: bytes, id: str, line: int) -> None:
    found, facts = refused(write(file, data))
    assert (found, facts["line"]) == (id, line)


def test_a_line_that_is_cut_off(file: Path) -> None:
    good = written("stichling", 2)
    write(file, f"{good}\n{good[:300]}")
    verdicts = verify_file(file)
    assert next(verdicts)[1].status == "holds"
    with pytest.raises(BadRecordError) as refusal:
        next(verdicts)
    assert (refusal.value.id, refusal.value.data["line"]) == ("not-json", 2)
    assert refused(write(file, f"{good[:300]}\n{good}"))[0] == "not-json"
    assert refused(write(file, good[:300])) == ("not-json", {"line": 1})


def test_missing_fields_name_the_line(file: Path) -> None:
    loaded = record_json("stichling", 2)
    del loaded["rounds"][1]["hands"]
    write(file, written("stichling", 2) + "\n" + json.dumps(loaded))
    assert refused(file) == ("missing-field", {"field": "rounds[1].hands", "line": 2})


def test_files_that_cannot_be_read(tmp_path: Path, file: Path) -> None:
    assert refused(tmp_path / "none")[0] == "no-such-file"
    assert refused(tmp_path / "a\0b")[0] == "no-such-file"
    assert refused("")[0] in ("no-such-file", "file-is-folder")
    assert refused(tmp_path)[0] == "file-is-folder"
    assert refused(write(file, b""))[0] == "file-is-empty"
    assert refused(write(file, b"\n \r\n\n"))[0] == "file-is-empty"
    assert refused(file / "below")[0] == "cannot-read"
    assert refused(tmp_path / ("x" * 300))[0] == "cannot-read"


def test_files_without_permission(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Refused by the system itself; as root, who may read everything, by a stand-in."""
    write(file, b"{}").chmod(0)
    if os.access(file, os.R_OK):

        def forbidden(path: Path, *details: object, **more: object) -> None:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))

        monkeypatch.setattr(Path, "open", forbidden)
        monkeypatch.setattr("builtins.open", forbidden)
    assert refused(file)[0] == "cannot-read"


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="no such device here")
def test_a_file_without_end() -> None:
    assert refused("/dev/zero")[0] == "record-too-big"


def test_big_files_are_read_line_by_line(file: Path) -> None:
    """The first verdict comes before the rest is even looked at."""
    with file.open("wb") as out:
        for _ in range(3):
            out.write(written("sticheln", 4).encode() + b"\n")
        out.write(b"no record\n" + b"\xff" * LARGEST * 2)
    verdicts = verify_file(file)
    assert [next(verdicts)[0] for _ in range(3)] == [1, 2, 3]
    with pytest.raises(BadRecordError):
        next(verdicts)


@given(st.binary(max_size=300))
@settings(max_examples=100)
def test_any_file_is_read_or_refused(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = write(tmp_path_factory.getbasetemp() / "any", data)
    assert refused(path)[0]
