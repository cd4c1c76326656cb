"""Tables and matches by an older version of the rules: they go on, and the next match is new."""

import json

import msgspec
import pytest

from stichwerk import record
from stichwerk.games import registry
from stichwerk.games.options import Value
from stichwerk.record import Record
from stichwerk.server import wire
from stichwerk.server.clients.deal_messages import check_announced
from stichwerk.server.clients.table_rules import TableRules, rules_of
from stichwerk.server.random_source import RandomSource
from stichwerk.server.tables import joining, requests
from stichwerk.server.tables import log_entries as log
from stichwerk.server.tables.table_state import TableState
from tests.server.request_setup import Bench

OLD: list[tuple[str, dict[str, Value]]] = [
    ("stichtag", {"sheets": ["red 0", "April"]}),
    ("stichtag", {"sheets": ["green 2", "red 9"]}),
    ("stichtag", {"date": "04-20"}),
    ("null-nichtig", {"target": 40}),
]
every_old_table = pytest.mark.parametrize(("game", "options"), OLD)
NEWEST = {name: registry.version_of(name) for name, _ in OLD}


def old_table(game: str, options: dict[str, Value]) -> Bench:
    """Return a table in its first match, with a log as a program without versions wrote it."""
    bench = Bench(game, 3, 2, options=options)
    made = json.loads(bench.log[0])
    older = {option.name for option in registry.options_of(game, 3, 1)}
    made["options"] = {name: made["options"][name] for name in made["options"] if name in older}
    bench.log[0] = json.dumps(made).encode()
    bench.table = TableState.replay(log.decode_all(bench.log))
    entry = requests.set_up(bench.table, bench.rng, turn=False)
    written = json.loads(log.encode(entry))
    assert written.pop("rules") == NEWEST[game]
    bench.log.append(json.dumps(written).encode())
    bench.table = TableState.replay(log.decode_all(bench.log))
    bench.share()
    assert bench.table.stage == "playing"
    return bench


def play_on(bench: Bench, most: int | None = None) -> None:
    """Play by the rules of the match, this many moves at most."""
    running = bench.table.running
    assert running is not None
    while bench.table.stage == "playing" and most != 0:
        seat = running.match.waiting_for[-1]
        moves = running.match.view(seat).moves
        bench.happen([log.MovePlayed(seat=seat, move=moves[len(moves) // 2])])
        most = most and most - 1


def played(bench: Bench) -> Record:
    """Return the record of the match at a table."""
    assert bench.table.running is not None
    return bench.table.running.record()


def announced(bench: Bench) -> tuple[wire.Table, wire.Dealing]:
    """Return the table and the deal, as clients receive them."""
    table = bench.table.describe()
    assert table.dealing is not None
    return table, table.dealing


def known(bench: Bench) -> TableRules:
    """Return the rules by which a client checks the deal; it finds nothing wrong."""
    table, dealing = announced(bench)
    rules = rules_of(table, dealing)
    check_announced(table, dealing, rules)
    assert rules is not None
    return rules


@every_old_table
def test_a_match_of_before_plays_on_and_the_next_is_new(
    game: str, options: dict[str, Value]
) -> None:
    bench = old_table(game, options)
    play_on(bench, 5)
    again = bench.again()
    assert again.everything() == bench.everything()
    assert again.view(0).rules == 1
    assert announced(again)[1].rules == f"{game}/1"
    assert known(again).setting.rules.version == 1
    play_on(again)
    finished = played(again)
    assert (finished.rules, record.verify(finished).status) == (1, "holds")
    again.ask(0, wire.Begin(id=0))
    again.shares = {}
    again.share()
    table, dealing = announced(again)
    assert dealing.rules == f"{game}/{NEWEST[game]}"
    assert set(table.options) == {option.name for option in registry.options_of(game, 3)}
    assert known(again).setting.rules.version == again.view(0).rules == NEWEST[game]
    play_on(again)
    assert record.verify(played(again)).status == "holds"


@every_old_table
def test_a_fork_follows_the_rules_of_its_record(game: str, options: dict[str, Value]) -> None:
    bench = old_table(game, options)
    play_on(bench)
    request = wire.NewFork(name="Eva", seat=1, moves=7)
    _, host, entries = joining.make_fork(played(bench), request, RandomSource())
    fork = Bench.__new__(Bench)
    fork.rng, fork.people, fork.shares = RandomSource(), [host.id], {}
    fork.log = [log.encode(entry) for entry in entries]
    fork.table = TableState.replay(log.decode_all(fork.log))
    assert fork.view(0).rules == 1
    play_on(fork)
    assert (played(fork).rules, record.verify(played(fork)).status) == (1, "holds")
    fork.begin()
    assert fork.view(0).rules == NEWEST[game]


@every_old_table
def test_a_finished_match_of_before_stays_when_settings_change(
    game: str, options: dict[str, Value]
) -> None:
    bench = old_table(game, options)
    play_on(bench)
    settings = msgspec.structs.replace(bench.table.settings, level="hard")
    bench.ask(0, wire.Change(id=0, settings=settings))
    assert (bench.table.stage, bench.table.settings) == ("over", settings)
    known(bench)


def test_another_value_of_a_new_option_is_another_game() -> None:
    bench = old_table("null-nichtig", {"target": 40})
    play_on(bench)
    bench.ask(0, wire.Change(id=0, options={**bench.table.options, "collect": "played"}))
    assert (bench.table.stage, bench.table.options["collect"]) == ("gathering", "played")


def test_a_client_does_not_know_a_version_of_the_future() -> None:
    table, dealing = announced(old_table("stichtag", {}))
    for rules in ("stichtag/3", "stichtag/x", "sticheln/1"):
        assert rules_of(table, msgspec.structs.replace(dealing, rules=rules)) is None
