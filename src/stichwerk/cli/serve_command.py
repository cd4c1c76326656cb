"""Commands of the table server: run it, export and back up its data."""

import asyncio
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import ExitStack, asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import click
import msgspec
from rich.console import Console

from stichwerk.cli.click_extensions import LocalizedCommand, everywhere, flag, language, number, say
from stichwerk.errors import BadFileError
from stichwerk.locale import signs
from stichwerk.server.storage.addresses import VARIABLE, is_database, postgres_store, store_file

if TYPE_CHECKING:
    from stichwerk.server.storage.postgres_store import PostgresStore
    from stichwerk.server.storage.sqlite_store import SqliteStore
    from stichwerk.server.storage.transfer import Transferred

    OpenStore: TypeAlias = SqliteStore | PostgresStore

Found = TypeVar("Found")

MOST_WORKERS = 64

STEPS = {
    "tables": "migrating-tables",
    "matches": "migrating-matches",
    "compared": "migrating-compared",
}
"""What is said while a store is copied."""


def data_flag(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the option for the folder of tables and records."""
    return flag("--data", metavar="DIR", help="flag-data")(command)  # type: ignore[no-any-return]


def store_flag(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the option for a database; its address may have a password, so it may be in the
    environment, too."""
    return flag(  # type: ignore[no-any-return]
        "--store", metavar="ADDRESS", envvar=VARIABLE, help="flag-store"
    )(command)


@click.command(cls=LocalizedCommand, help="help-serve")
@flag("--host", default="127.0.0.1", metavar="ADDRESS", help="flag-host")
@number("--port", 0, 65535, default="8420", metavar="N", help="flag-port")
@flag("--public", is_flag=True, help="flag-public")
@data_flag
@store_flag
@flag("--origin", multiple=True, metavar="ORIGIN", help="flag-origin")
@flag("--url", metavar="URL", help="flag-url")
@flag("--proxy", "proxies", multiple=True, metavar="ADDRESS", help="flag-proxy")
@flag("--limit", "limits", multiple=True, metavar="NAME=N", help="flag-limit")
@flag("--any-port", is_flag=True, help="flag-any-port")
@flag("--open/--no-open", "open_browser", default=None, help="flag-open")
@flag("--game", "games", multiple=True, metavar="FILE", help="flag-own-game")
@flag("--metrics", default="local", metavar="WHO", help="flag-metrics")
@number("--workers", 1, MOST_WORKERS, metavar="N", help="flag-workers")
@everywhere
def serve(
    origin: Sequence[str],
    proxies: Sequence[str],
    limits: Sequence[str],
    games: Sequence[str],
    **run_options: Any,
) -> int:
    """Serve tables for people and bots."""
    from stichwerk.server.run import serve as run
    from stichwerk.server.serve_options import ServeOptions

    options = ServeOptions(
        origin=tuple(origin),
        proxies=tuple(proxies),
        limits=tuple(limits),
        games=tuple(games),
        **run_options,
    )
    return run(options, language())


@click.command(cls=LocalizedCommand, help="help-export")
@click.argument("file")
@data_flag
@store_flag
@everywhere
def export(file: str, data: str | None, store: str | None) -> None:
    """Export all finished matches as records."""
    from stichwerk.server.storage import maintenance

    place = store or must_be_there(data)
    with Console(stderr=True).status(say("exporting")):
        if file == "-":
            count = with_store(place, lambda one: maintenance.write_all(one, sys.stdout.buffer))
        else:
            count = with_store(place, lambda one: maintenance.export(one, Path(file)))
    signs.echo(say("exported", count=count, file=file), err=file == "-")


@click.command("import", cls=LocalizedCommand, help="help-import")
@click.argument("file")
@data_flag
@store_flag
@everywhere
def import_(file: str, data: str | None, store: str | None) -> None:
    """Add finished matches from records."""
    from stichwerk.server.storage import maintenance

    place = store or str(maintenance.data_folder(data))
    with Console(stderr=True).status(say("importing")):
        found = with_store(place, lambda one: maintenance.import_records(one, Path(file)))
    signs.echo(say("imported", count=found.added, read=found.read, file=file))


@click.command(cls=LocalizedCommand, help="help-backup")
@click.argument("file")
@data_flag
@everywhere
def backup(file: str, data: str | None) -> None:
    """Copy all data, also while the server runs."""
    from stichwerk.server.storage import maintenance

    with Console(stderr=True).status(say("backing-up")):
        maintenance.backup(store_file(str(maintenance.data_folder(data))), Path(file))
    signs.echo(say("backed-up", file=file))


@click.command("migrate-store", cls=LocalizedCommand, help="help-migrate-store")
@click.argument("source")
@click.argument("target")
@everywhere
def migrate_store(source: str, target: str) -> None:
    """Copy everything from one store to another and compare both."""
    from stichwerk.server.storage.transfer import transfer

    if not is_database(source):
        must_be_there(source)
    console = Console(stderr=True)
    with console.status(say("migrating")) as status:

        def progress(step: str, done: int) -> None:
            status.update(say(STEPS[step], count=done))

        async def work() -> "Transferred":
            async with opened(source, alone=True) as one, opened(target, alone=True) as other:
                return await transfer(one, other, progress)

        found = asyncio.run(work())
    signs.echo(say("migrated", tables=found.tables, entries=found.entries, matches=found.matches))


def must_be_there(data: str | None) -> str:
    """Refuse a mistyped folder instead of creating it; return the folder."""
    from stichwerk.server.storage.maintenance import data_folder

    folder = str(data_folder(data))
    file = store_file(folder)
    if not file.is_file():
        raise BadFileError("no-such-file", file=str(file))
    return folder


def with_store(place: str, work: Callable[["OpenStore"], Awaitable[Found]]) -> Found:
    """Do something with a store."""

    async def done() -> Found:
        async with opened(place) as store:
            return await work(store)

    return asyncio.run(done())


@asynccontextmanager
async def opened(place: str, *, alone: bool = False) -> AsyncIterator["OpenStore"]:
    """Open the store in a folder or a database; `alone`: only if no server is using it."""
    from stichwerk.server.storage.folder_lock import only_server
    from stichwerk.server.storage.sqlite_store import SqliteStore

    with ExitStack() as stack:
        store: OpenStore
        if is_database(place):
            store = postgres_store(place, alone=alone)
        else:
            file = store_file(place)
            if alone:
                stack.enter_context(only_server(file.parent))
            store = SqliteStore(file)
        await store.open()
        try:
            yield store
        finally:
            await store.close()


def bench_server(
    as_json: bool, *, tables: int, rate: int, seconds: int, runs: int, store: str | None
) -> None:
    """Measure how many moves a second the server stores, and its latency."""
    from stichwerk.server.clients.load_test import LoadOptions, lines, run_load

    run_options = LoadOptions(tables=tables, rate=rate, seconds=seconds, runs=runs, store=store)
    console = Console(stderr=True)
    with console.status(say("measuring")) as status:
        found = run_load(run_options, lambda step: status.update(say("measuring-step", step=step)))
    if as_json:
        click.echo(msgspec.json.format(msgspec.json.encode(found), indent=2).decode())
    else:
        for line in lines(found):
            signs.echo(line)
