"""Moving a store: everything arrives, and whatever differs is found."""

import asyncio
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TypeAlias

import pytest

from stichwerk.server.storage.addresses import STORE_FILE
from stichwerk.server.storage.folder_lock import only_server
from stichwerk.server.storage.postgres_store import PostgresStore
from stichwerk.server.storage.sqlite_store import SqliteStore
from stichwerk.server.storage.store import FinishedMatch, LogAppend, StorageError, Store
from stichwerk.server.storage.transfer import Transferred, transfer
from tests.cli_setup import call
from tests.cli_setup import english as english
from tests.server.postgres_setup import Cluster
from tests.server.test_maintenance import a_record

pytestmark = pytest.mark.slow  # they need a database

EitherStore: TypeAlias = SqliteStore | PostgresStore

TABLES, MATCHES = 45, 230  # more than a page of each


async def fill(store: Store) -> None:
    """Store something of every kind."""
    for number in range(TABLES):
        table = f"table-{number:03}"
        await store.append(
            LogAppend(
                table=table,
                first=number % 2,
                entries=(b"\0\xff", b"second"),
                at=1000 * number,
                summary=b'{"n":1}' if number % 3 else None,
                open=number % 5 > 0,
                behind=number % 4 == 0,
            )
        )
        await store.append(LogAppend(table=table, first=2 + number % 2, entries=(b"x",), at=7))
    match = FinishedMatch("own", "sticheln", b"{}")
    await store.append(
        LogAppend(table="table-001", first=4, entries=(b"end",), at=9, finished=(match,))
    )
    await store.add_matches(
        [FinishedMatch(f"m{number:03}", "stichling", b"[]") for number in range(MATCHES)]
    )
    await store.mark_for_deletion(before=3000, until=9000)


EXPECTED = Transferred(TABLES, 3 * TABLES + 1, MATCHES + 1)


def moved(
    source: Callable[[], EitherStore], target: Callable[[], EitherStore], *, empty: bool = True
) -> Transferred:
    """Copy one store to another."""

    async def run() -> Transferred:
        one, other = source(), target()
        await one.open()
        await other.open()
        try:
            if empty:
                await fill(one)
            return await transfer(one, other)
        finally:
            await one.close()
            await other.close()

    return asyncio.run(run())


def test_everything_moves_there_and_back(cluster: Cluster, tmp_path: Path) -> None:
    there, back = tmp_path / "a.sqlite", tmp_path / "b.sqlite"
    url = cluster.empty()
    assert moved(lambda: SqliteStore(there), lambda: PostgresStore(url)) == EXPECTED
    again = moved(lambda: SqliteStore(there), lambda: PostgresStore(url), empty=False)
    assert again == EXPECTED, "a second run finds everything in its place"
    returned = moved(lambda: PostgresStore(url), lambda: SqliteStore(back), empty=False)
    assert returned == EXPECTED
    dumps = []
    for path in (there, back):
        with closing(sqlite3.connect(path)) as connection:
            dumps.append(sorted(connection.iterdump()))
    assert dumps[0] == dumps[1]


def test_a_moved_table_goes_on(cluster: Cluster, tmp_path: Path) -> None:
    url = cluster.empty()
    moved(lambda: SqliteStore(tmp_path / "a.sqlite"), lambda: PostgresStore(url))

    async def go_on() -> None:
        store = PostgresStore(url)
        await store.open()
        epoch = await store.claim("table-001")
        await store.append(
            LogAppend(table="table-001", first=5, entries=(b"new",), at=10, epoch=epoch)
        )
        assert (await store.read("table-001"))[-2:] == [b"end", b"new"]
        await store.close()

    asyncio.run(go_on())


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ("UPDATE log SET entry = 'other' WHERE table_id = 'table-007' AND seq = 2", "table-007"),
        ("DELETE FROM log WHERE table_id = 'table-044' AND seq = 2", "table-044"),
        ("UPDATE tables SET doomed = 1 WHERE id = 'table-003'", "table-003"),
        ("UPDATE heads SET touched = 1 WHERE id = 'table-004'", "table-004"),
        ("UPDATE matches SET record = '1' WHERE id = 'm229'", "m229"),
        ("INSERT INTO matches VALUES ('zzz', NULL, NULL, 'stichling', '1')", "zzz"),
    ],
)
def test_a_copy_that_differs_is_found(
    cluster: Cluster, tmp_path: Path, change: str, named: str
) -> None:
    url = cluster.empty()
    path = tmp_path / "a.sqlite"
    moved(lambda: SqliteStore(path), lambda: PostgresStore(url))
    cluster.sql(f"SET search_path TO {url.partition('search_path=')[2]}; {change}")
    with pytest.raises(StorageError, match="storage-not-copied") as found:
        moved(lambda: SqliteStore(path), lambda: PostgresStore(url), empty=False)
    assert found.value.data == {"what": named}


def test_the_command_moves_a_store(
    cluster: Cluster, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    url, folder = cluster.empty(), tmp_path / "data"

    async def prepare() -> None:
        store = SqliteStore(folder / STORE_FILE)
        await store.open()
        await fill(store)
        await store.close()

    asyncio.run(prepare())
    ran = call(capsys, "migrate-store", str(folder), url)
    assert ran.code == 0, ran.err
    assert f"tables {TABLES}, entries in their logs {3 * TABLES + 1}" in ran.out
    back = call(capsys, "migrate-store", url, str(tmp_path / "back"))
    assert back.code == 0, back.err
    assert (tmp_path / "back" / STORE_FILE).is_file()
    with only_server(folder):
        busy = call(capsys, "migrate-store", str(folder), url)
    assert (busy.code, "A server runs in" in busy.err) == (2, True)
    missing = call(capsys, "migrate-store", str(tmp_path / "none"), url)
    assert missing.code == 2
    assert not (tmp_path / "none").exists()


def test_records_come_and_go_with_a_database(
    cluster: Cluster, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    url, file = cluster.empty(), tmp_path / "records.jsonl"
    file.write_bytes(a_record(1) + b"\n" + a_record(2) + b"\n")
    taken = call(capsys, "import", str(file), "--store", url)
    assert taken.code == 0, taken.err
    copy = tmp_path / "copy.jsonl"
    written = call(capsys, "export", str(copy), "--store", url)
    assert written.code == 0, written.err
    assert sorted(copy.read_bytes().splitlines()) == sorted(file.read_bytes().splitlines())
