"""Commands of the table server: run it, export and back up its data."""

import asyncio
import sys
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
import msgspec
from rich.console import Console

from stichwerk.cli.click_extensions import LocalizedCommand, everywhere, flag, language, number, say
from stichwerk.errors import BadFileError
from stichwerk.locale import signs

if TYPE_CHECKING:
    from stichwerk.server.storage.sqlite_store import SqliteStore

Found = TypeVar("Found")

MOST_WORKERS = 64


def data_flag(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the option for the folder of tables and records."""
    return flag("--data", metavar="DIR", help="flag-data")(command)  # type: ignore[no-any-return]


@click.command(cls=LocalizedCommand, help="help-serve")
@flag("--host", default="127.0.0.1", metavar="ADDRESS", help="flag-host")
@number("--port", 0, 65535, default="8420", metavar="N", help="flag-port")
@flag("--public", is_flag=True, help="flag-public")
@data_flag
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
@everywhere
def export(file: str, data: str | None) -> None:
    """Export all finished matches as records."""
    from stichwerk.server.storage import maintenance

    must_be_there(data)
    with Console(stderr=True).status(say("exporting")):
        if file == "-":
            count = with_store(data, lambda store: maintenance.write_all(store, sys.stdout.buffer))
        else:
            count = with_store(data, lambda store: maintenance.export(store, Path(file)))
    signs.echo(say("exported", count=count, file=file), err=file == "-")


@click.command("import", cls=LocalizedCommand, help="help-import")
@click.argument("file")
@data_flag
@everywhere
def import_(file: str, data: str | None) -> None:
    """Add finished matches from records."""
    from stichwerk.server.storage import maintenance

    with Console(stderr=True).status(say("importing")):
        found = with_store(data, lambda store: maintenance.import_records(store, Path(file)))
    signs.echo(say("imported", count=found.added, read=found.read, file=file))


@click.command(cls=LocalizedCommand, help="help-backup")
@click.argument("file")
@data_flag
@everywhere
def backup(file: str, data: str | None) -> None:
    """Copy all data, also while the server runs."""
    from stichwerk.server.run import STORE_FILE
    from stichwerk.server.storage import maintenance

    with Console(stderr=True).status(say("backing-up")):
        maintenance.backup(maintenance.data_folder(data) / STORE_FILE, Path(file))
    signs.echo(say("backed-up", file=file))


def must_be_there(data: str | None) -> None:
    """Refuse a mistyped folder instead of creating it."""
    from stichwerk.server.run import STORE_FILE
    from stichwerk.server.storage.maintenance import data_folder

    file = data_folder(data) / STORE_FILE
    if not file.is_file():
        raise BadFileError("no-such-file", file=str(file))


def with_store(data: str | None, work: Callable[["SqliteStore"], Awaitable[Found]]) -> Found:
    """Do something with the store of a folder."""
    from stichwerk.server.run import STORE_FILE
    from stichwerk.server.storage.maintenance import data_folder
    from stichwerk.server.storage.sqlite_store import SqliteStore

    async def opened() -> Found:
        store = SqliteStore(data_folder(data) / STORE_FILE)
        await store.open()
        try:
            return await work(store)
        finally:
            await store.close()

    return asyncio.run(opened())


def bench_server(as_json: bool, *, tables: int, rate: int, seconds: int, runs: int) -> None:
    """Measure how many moves a second the server stores, and its latency."""
    from stichwerk.server.clients.load_test import LoadOptions, lines, run_load

    run_options = LoadOptions(tables=tables, rate=rate, seconds=seconds, runs=runs)
    console = Console(stderr=True)
    with console.status(say("measuring")) as status:
        found = run_load(run_options, lambda step: status.update(say("measuring-step", step=step)))
    if as_json:
        click.echo(msgspec.json.format(msgspec.json.encode(found), indent=2).decode())
    else:
        for line in lines(found):
            signs.echo(line)
