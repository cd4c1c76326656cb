"""Tables that were stored, and views that were sent, before each kind of event had its struct.

`old_tables.json` was written by the release before: logs of tables in the middle of a match, and
what seat 0 had seen then. Logs and records hold moves, so the events follow from them anew.
"""

import asyncio
import json
import pickle
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from stichwerk.games.events import AnyEvent
from stichwerk.record import decode, encode, record, replay
from stichwerk.server.storage.sqlite_store import SqliteStore
from stichwerk.server.storage.store import LogAppend
from stichwerk.server.tables import log_entries as log
from stichwerk.server.tables.table_state import TableState
from stichwerk.view import View, knowledge

OLD: list[dict[str, Any]] = json.loads(Path(__file__).with_name("old_tables.json").read_text())
REQUIRED = {  # facts that log entries had from the start; later ones need a default
    "made": "table salt game seats options settings",
    "joined": "person name token",
    "renamed": "person name",
    "host": "person",
    "removed": "person",
    "unblocked": "person",
    "forgotten": "person",
    "seated": "seat",
    "changed": "settings game seats options",
    "away": "seat",
    "back": "seat",
    "set-up": "match server_seeds shares",
    "drawn": "seat seed",
    "sealed": "seat commit",
    "opened": "seat seed",
    "failed": "seats",
    "deal-again": "seat",
    "forked": "match record moves seed",
    "played": "seat move",
    "ask": "seat",
    "answer": "seat agree",
    "hint": "seat",
    "chat": "person",
    "mute": "person muted",
}
LATER = ("sunstroke", "switch", "direction")  # kinds that there were not
LATER_FACTS = ("cards", "place", "opens", "struck", "target")  # facts of plays and choices

every_table = pytest.mark.parametrize(
    "old",
    OLD,
    ids=lambda old: " ".join([old["view"]["game"], *old["view"]["options"].get("sheets", [])]),
)


def as_before(event: dict[str, Any]) -> dict[str, Any]:
    """Return an event without the fields that were added later."""
    if event["kind"] not in ("play", "veto", "discard", "gift"):
        return event
    return {key: value for key, value in event.items() if key not in LATER_FACTS}


async def stored_and_read(path: Path, entries: list[bytes]) -> list[bytes]:
    store = SqliteStore(path)
    await store.open()
    await store.append(LogAppend(table="old", first=0, entries=tuple(entries), at=1000))
    try:
        return await store.read("old")
    finally:
        await store.close()


@every_table
def test_a_stored_table_goes_on(old: dict[str, Any], tmp_path: Path) -> None:
    entries = [msgspec.json.encode(entry) for entry in old["log"]]
    read = asyncio.run(stored_and_read(tmp_path / "tables.sqlite", entries))
    table = TableState.replay(log.decode_all(read))
    view = table.view(0)
    assert view is not None
    now = msgspec.to_builtins(view)
    events = msgspec.json.decode(msgspec.json.encode(view.history))
    assert [as_before(event) for event in events if event["kind"] not in LATER] == old["view"][
        "history"
    ]
    shown = msgspec.json.decode(msgspec.json.encode(now))
    for part in ("table", "mine"):  # which have more keys by now
        shown[part] = {key: shown[part][key] for key in old["view"][part]}
    assert len(shown.pop("move_parts")) == len(shown["moves"])  # there was none
    for trick in shown["tricks"]:
        assert len(trick.pop("cards")) == len(trick["plays"])  # nor these
    assert shown | {"history": None} == old["view"] | {"history": None}
    assert table.running is not None
    match = table.running.match
    again = replay(decode(encode(record(match))))
    assert again.events == match.events


@every_table
def test_a_stored_view_is_read_and_learned_from(old: dict[str, Any]) -> None:
    view = msgspec.json.decode(msgspec.json.encode(old["view"]), type=View)
    assert json.loads(msgspec.json.encode(view.history)) == old["view"]["history"]
    match = TableState.replay(log.decode_all(map(msgspec.json.encode, old["log"]))).running
    assert match is not None
    assert pickle.dumps(knowledge(view)) == pickle.dumps(knowledge(match.match.view(0)))


@pytest.mark.parametrize("entry", get_args(log.Entries), ids=lambda entry: entry.__name__)
def test_a_stored_entry_needs_no_fact_that_was_added_later(entry: type[log.Entry]) -> None:
    needed = {field.name for field in msgspec.structs.fields(entry) if field.required}
    assert needed == set(REQUIRED[str(entry.__struct_config__.tag)].split())


def test_a_kind_that_nobody_knows_is_refused() -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(b'{"kind": "thunder"}', type=AnyEvent)
