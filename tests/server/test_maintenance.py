"""Export, import, backup and deletion: nothing is lost on the way, and nothing kept that should
not be."""

import asyncio
import json
import os
import sqlite3
import sys
from collections.abc import Awaitable, Callable
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import TypeVar

import pytest

import stichwerk
from stichwerk.errors import BadFileError, BadRecordError, StichwerkError
from stichwerk.locale import text
from stichwerk.record import LARGEST, decode, encode, record, verify
from stichwerk.server.storage import maintenance
from stichwerk.server.storage.maintenance import (
    DAY,
    Imported,
    backup,
    data_folder,
    delete_old,
    export,
    import_records,
    match_id,
    without_names,
)
from stichwerk.server.storage.sqlite_store import SqliteStore
from stichwerk.server.storage.store import FinishedMatch, LogAppend, StorageError

T = TypeVar("T")
NAMES = ("Änne-Marie", "Balthasar")


@cache
def a_record(seed: int, moves: int = 10_000) -> bytes:
    """Play a match between two people, with the first move each time."""
    match = stichwerk.game("stichling", seats=2).new(seed=seed, names=NAMES)
    while match.waiting_for and moves:
        seat = match.waiting_for[0]
        match.play(seat, match.moves(seat)[0])
        moves -= 1
    return encode(record(match))


def a_match(seed: int) -> FinishedMatch:
    raw = a_record(seed)
    return FinishedMatch(match_id(decode(raw), raw), "stichling", raw)


def with_store(path: Path, deed: Callable[[SqliteStore], Awaitable[T]]) -> T:
    async def run() -> T:
        store = SqliteStore(path)
        await store.open()
        try:
            return await deed(store)
        finally:
            await store.close()

    return asyncio.run(run())


async def everything(store: SqliteStore) -> list[FinishedMatch]:
    return await store.matches(most=1000)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "stichwerk.sqlite"


# Export and import


def test_export_and_import(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(maintenance, "PAGE", 3)
    matches = sorted((a_match(seed) for seed in range(7)), key=lambda match: match.id)
    file, done = tmp_path / "matches.jsonl", list[int]()

    async def fill(store: SqliteStore) -> int:
        finished = tuple(matches)
        await store.append(LogAppend(table="a", first=0, entries=(b"x",), at=1, finished=finished))
        file.write_text("an older export")
        return await export(store, file, done.append)

    assert with_store(path, fill) == 7
    assert done == [3, 6, 7]
    assert [decode(line) for line in file.read_bytes().splitlines()] == [
        decode(match.record) for match in matches
    ]
    assert sorted(tmp_path.iterdir()) == sorted([file, path])
    assert os.name == "nt" or file.stat().st_mode & 0o077 == 0

    async def take(store: SqliteStore) -> list[Imported]:
        done.clear()
        first = await import_records(store, file, done.append)
        assert await everything(store) == matches
        return [first, await import_records(store, file)]

    assert with_store(tmp_path / "other", take) == [Imported(7, 7), Imported(7, 0)]
    assert done == [3, 6, 7]


def test_an_empty_export(path: Path, tmp_path: Path) -> None:
    file = tmp_path / "matches.jsonl"
    assert with_store(path, lambda store: export(store, file)) == 0
    assert file.read_bytes() == b""


def changed(raw: bytes, **fields: object) -> bytes:
    return json.dumps({**json.loads(raw), **fields}).encode()


@pytest.mark.parametrize(
    ("bad", "id"),
    [
        (b"{", "not-json"),
        (b"[]", "not-an-object"),
        (b"\xff", "not-utf8"),
        (b" " * (LARGEST + 1), "record-too-big"),
        (changed(a_record(0), totals=[0, 0]), "wrong-totals"),
        (changed(a_record(0), seed=1), "wrong-starter"),
        (a_record(0, moves=20), "storage-unfinished"),
    ],
)
def test_a_bad_record_ends_an_import(path: Path, tmp_path: Path, bad: bytes, id: str) -> None:
    file = tmp_path / "matches.jsonl"
    file.write_bytes(b"\n".join([a_record(1), b"", bad, a_record(2)]))

    async def deed(store: SqliteStore) -> list[FinishedMatch]:
        with pytest.raises(BadRecordError) as refused:
            await import_records(store, file)
        assert (refused.value.id, refused.value.data["line"]) == (id, 3)
        file.write_bytes(a_record(1) + b"\r\n\r\n" + a_record(2))
        assert (await import_records(store, file)).read == 2
        return await everything(store)

    assert {match.id for match in with_store(path, deed)} == {a_match(1).id, a_match(2).id}


def test_files_that_cannot_be_used(path: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").write_bytes(b"\n")
    (tmp_path / "folder").mkdir()

    async def deed(store: SqliteStore) -> list[str]:
        return [
            await refusal(import_records(store, tmp_path / "none")),
            await refusal(import_records(store, tmp_path / "folder")),
            await refusal(import_records(store, tmp_path / "empty")),
            await refusal(export(store, tmp_path / "none" / "file")),
            await refusal(export(store, tmp_path / "folder")),
        ]

    result = ["no-such-file", "file-is-folder", "file-is-empty", "cannot-write", "cannot-write"]
    assert with_store(path, deed) == result
    assert not list(tmp_path.glob("*.part"))


async def refusal(answer: Awaitable[object]) -> str:
    with pytest.raises(StichwerkError) as refused:
        await answer
    return refused.value.id


def test_the_id_of_a_proven_match_is_that_of_its_proof() -> None:
    lists = ("server_commits", "client_commits", "client_seeds", "server_seeds")
    fairness = {"match": "m-17", "transcript": "", **{name: [] for name in lists}}
    raw = changed(a_record(0), fairness=fairness)
    assert match_id(decode(raw), raw) == "m-17"
    assert match_id(decode(a_record(0)), a_record(0)) != match_id(decode(raw), a_record(1))


# Backup


def test_a_backup_while_a_server_writes(path: Path, tmp_path: Path) -> None:
    """Whatever moment the copy shows, it is one: each change wholly, and none without the one
    before it."""
    copies = [tmp_path / f"copy{n}" for n in range(3)]

    async def deed(store: SqliteStore) -> None:
        stop = False

        async def play() -> int:
            turn = 0
            while not stop:
                entries = (b"first half", b"second half")
                await store.append(LogAppend(table="a", first=turn * 2, entries=entries, at=turn))
                turn += 1
            return turn

        playing = asyncio.ensure_future(play())
        while not await store.read("a"):
            await asyncio.sleep(0)
        acknowledged = []
        for copy in copies:
            acknowledged.append(len(await store.read("a")))
            await asyncio.to_thread(backup, path, copy)
        stop = True
        total = await playing * 2
        for copy, least in zip(copies, acknowledged, strict=True):
            with closing(sqlite3.connect(copy)) as file:
                seqs = tuple(seq for (seq,) in file.execute("SELECT seq FROM log ORDER BY seq"))
            assert seqs == tuple(range(len(seqs)))
            assert len(seqs) % 2 == 0
            assert least <= len(seqs) <= total

    with_store(path, deed)
    assert sorted(tmp_path.iterdir()) == sorted([path, *copies])
    assert os.name == "nt" or copies[0].stat().st_mode & 0o077 == 0

    async def go_on(store: SqliteStore) -> None:
        log = await store.read("a")
        await store.append(LogAppend(table="a", first=len(log), entries=(b"x",), at=0))

    with_store(copies[-1], go_on)


def test_a_backup_overwrites_nothing(path: Path, tmp_path: Path) -> None:
    with_store(path, everything)
    target = tmp_path / "copy"
    target.write_text("precious")
    with pytest.raises(BadFileError) as refused:
        backup(path, target)
    assert refused.value.id == "storage-backup-exists"
    assert "copy" in text(refused.value.id, "de", **refused.value.data)
    assert target.read_text() == "precious"


def test_a_backup_that_fails_leaves_nothing_behind(path: Path, tmp_path: Path) -> None:
    with pytest.raises(BadFileError, match="no-such-file"):
        backup(path, tmp_path / "copy")
    path.write_bytes(b"no store " * 1000)
    with pytest.raises(StorageError, match="storage-failed"):
        backup(path, tmp_path / "copy")
    with pytest.raises(BadFileError, match="cannot-write"):
        backup(path, tmp_path / "none" / "copy")
    assert list(tmp_path.iterdir()) == [path]


def test_a_backup_after_a_crash_has_the_last_moves(path: Path, tmp_path: Path) -> None:
    """They are in the write-ahead log only; the files are those of a server that was killed."""
    crashed = tmp_path / "crashed"
    with closing(sqlite3.connect(path)) as running:
        running.execute("PRAGMA journal_mode = WAL")
        running.execute("CREATE TABLE moves (move)")
        running.execute("INSERT INTO moves VALUES ('R3')")
        running.commit()
        crashed.write_bytes(path.read_bytes())
        wal = path.with_name(path.name + "-wal").read_bytes()
        crashed.with_name("crashed-wal").write_bytes(wal)
    assert b"R3" in wal
    backup(crashed, tmp_path / "copy #1?")
    with closing(sqlite3.connect(tmp_path / "copy #1?")) as copy:
        assert copy.execute("SELECT move FROM moves").fetchall() == [("R3",)]


# Old data


def test_old_tables_lose_all_personal_data(path: Path) -> None:
    now = 1000 * DAY
    old, new = a_match(1), a_match(2)
    chat = "Ich wohne in der Lindenstraße".encode()

    async def deed(store: SqliteStore) -> None:
        summary = json.dumps(NAMES).encode()
        for table, at, match in (("old", now - 90 * DAY - 1, old), ("new", now - 90 * DAY, new)):
            entries = (chat if table == "old" else b"hello",)
            await store.append(
                LogAppend(table=table, first=0, entries=entries, at=at, summary=summary,
                       finished=(match,))
            )  # fmt: skip
        assert await delete_old(store, now, 90) == [], "nothing is marked"
        assert await store.mark_for_deletion(before=now, until=now) == (2, 2)
        assert await delete_old(store, now, 90, in_use=lambda table: table == "old") == []
        assert await delete_old(store, now, 90) == ["old"]
        assert await delete_old(store, now, 90) == []
        assert await store.read("old") == []
        assert [table for table, _, _ in await store.tables(open_only=False)] == ["new"]
        kept = await store.match(old.id)
        assert kept is not None
        result = decode(kept)
        assert result.names == ("0", "1")
        assert verify(result).status == "holds"
        assert json.loads(kept) == {**json.loads(old.record), "names": ["0", "1"]}
        assert await store.match(new.id) == new.record
        assert await delete_old(store, now, days=89) == ["new"]

    with_store(path, deed)
    # Not even where the file has free space.
    left = b"".join(file.read_bytes() for file in path.parent.iterdir())
    assert b"stichling" in left
    assert not [name for name in (*NAMES, "Linden") if name.encode() in left]


def test_a_table_that_becomes_active_is_not_deleted(path: Path) -> None:
    """A move comes between looking for idle tables and deleting them."""

    class Waking(SqliteStore):
        async def matches_of(self, table: str) -> list[FinishedMatch]:
            found = await super().matches_of(table)
            match = (a_match(1),)
            entries = (b"y",)
            await self.append(
                LogAppend(table=table, first=1, entries=entries, at=100 * DAY, finished=match)
            )
            return found

    async def run() -> None:
        store = Waking(path)
        await store.open()
        await store.append(LogAppend(table="a", first=0, entries=(b"x",), at=0))
        assert await store.mark_for_deletion(before=DAY, until=DAY) == (1, 1)
        assert await delete_old(store, 100 * DAY, 90) == []
        assert await store.read("a") == [b"x", b"y"]
        assert await store.match(a_match(1).id) == a_record(1)
        await store.close()

    asyncio.run(run())


@pytest.mark.parametrize("raw", [b"{", b"[]", b"{}", b'{"names":3}', b"\xff"])
def test_unreadable_tables_are_deleted(raw: bytes) -> None:
    assert without_names(FinishedMatch("m", "sticheln", raw)) is None


# Where


@pytest.mark.parametrize(
    ("platform", "variables", "expected"),
    [
        ("linux", {}, "/home/me/.local/share/stichwerk"),
        ("linux", {"XDG_DATA_HOME": "/data"}, "/data/stichwerk"),
        ("linux", {"XDG_DATA_HOME": "data"}, "/home/me/.local/share/stichwerk"),
        ("linux", {"XDG_DATA_HOME": ""}, "/home/me/.local/share/stichwerk"),
        ("darwin", {}, "/home/me/Library/Application Support/Stichwerk"),
        ("win32", {"LOCALAPPDATA": "/local"}, "/local/Stichwerk"),
        ("win32", {}, "/home/me/AppData/Local/Stichwerk"),
    ],
)
@pytest.mark.skipif(os.name == "nt", reason="paths as on Linux")
def test_the_default_data_folder(
    monkeypatch: pytest.MonkeyPatch, platform: str, variables: dict[str, str], expected: str
) -> None:
    for name in ("XDG_DATA_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    for name, value in {"HOME": "/home/me", **variables}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "platform", platform)
    assert data_folder(None) == data_folder("") == Path(expected)
    assert data_folder("here") == Path("here")
    assert data_folder("~/there") == Path("/home/me/there")
