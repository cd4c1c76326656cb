"""The HTTP API, as `protocol_generator/endpoints.py` documents it."""

import asyncio
import sys
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

from stichwerk import record
from stichwerk.bots import ratings
from stichwerk.first_names import CHARACTER_NAMES
from stichwerk.games import registry
from stichwerk.server import wire
from stichwerk.server.http.game_catalogue import lesson_of
from stichwerk.server.network.limits import Limits
from stichwerk.server.protocol_generator.endpoints import ENDPOINTS, Endpoint
from stichwerk.server.protocol_generator.openapi import openapi
from stichwerk.server.storage.sqlite_store import SqliteStore
from stichwerk.server.storage.store import LogAppend, StorageError
from tests.bot_packages import put_package
from tests.server.harness import GENEROUS, Quick, RunningServer, begin, first, run, running_server

SHORT: dict[str, Any] = {"game": "sticheln", "seats": 3, "options": {"rounds": 1}}
HEADERS = ("content-security-policy", "x-content-type-options", "referrer-policy")


def problem(answer: httpx.Response) -> wire.Problem:
    return msgspec.json.decode(answer.content, type=wire.Problem)


async def played(home: RunningServer) -> str:
    """Return the id of a match that is over."""
    async with home.guest(await home.table(**SHORT)) as ada:
        await begin(ada)
        await ada.play_on(first)
        assert ada.table is not None
        assert ada.table.match is not None
        return ada.table.match


# -- What is documented ----------------------------------------------------------------------------


@pytest.mark.slow
def test_every_endpoint_answers_as_documented(tmp_path: Path) -> None:
    asks: dict[type, object] = {
        wire.NewTable: {"game": "stichling", "seats": 2, "name": "Ada"},
        wire.NewFork: {"name": "Eva", "seat": 0, "moves": 5},
    }
    parts = {"game": "sticheln", "date": "02-30"}

    async def call(client: httpx.AsyncClient, one: Endpoint, home: RunningServer) -> httpx.Response:
        (table,) = [
            id
            for id, live_table in home.lobby.live_tables.items()
            if live_table.table.stage == "over"
        ]
        path = one.path.format(id=home.live_table(table).table.match_id, **parts)
        asks[wire.QrText] = {"text": f"{home.http}/t/{table}"}
        content = msgspec.json.encode(asks[one.asks]) if one.asks else None
        query = {"table": table} if "table" in one.query else {}
        while True:
            answer = await client.request(one.method, path, content=content, params=query)
            if answer.status_code != 202:
                return answer
            result = msgspec.json.decode(answer.content, type=wire.ReviewProgress)
            assert 0 <= result.done <= max(result.of, result.done)
            await asyncio.sleep(0.01)

    async def talk() -> list[httpx.Response]:
        async with running_server(tmp_path, pool=Quick()) as home:
            await played(home)
            async with home.client() as client:
                return [await call(client, one, home) for one in ENDPOINTS]

    for one, answer in zip(ENDPOINTS, run(talk()), strict=True):
        assert answer.status_code == one.status, one.name
        for header in HEADERS:
            assert header in answer.headers, one.name
        if one.answers == "Record":
            assert record.verify(record.decode(answer.content)).status == "holds"
        elif one.answers == "text":
            assert "stichwerk_moves_acknowledged_total" in answer.text
        elif one.name == "lesson":
            assert answer.content == lesson_of("sticheln").encode()
        elif one.answers == "json":
            assert answer.content == msgspec.json.encode(openapi())
        elif one.answers == "svg":
            assert answer.headers["content-type"] == "image/svg+xml"
            assert answer.text.startswith("<svg ")
        else:
            assert not isinstance(one.answers, str)
            read = msgspec.json.decode(answer.content, type=one.answers)
            again = msgspec.json.decode(msgspec.json.encode(read))
            assert again == answer.json(), "nothing that is not documented"


def test_every_route_is_documented(tmp_path: Path) -> None:
    async def paths() -> set[str]:
        async with running_server(tmp_path, pool=Quick()) as home:
            result = (await home.get("/openapi.json")).json()
            return set(result["paths"])

    assert run(paths()) >= {one.path for one in ENDPOINTS}


def test_characters_are_described_in_both_languages_with_their_strength(tmp_path: Path) -> None:
    async def ask() -> list[wire.Characters]:
        async with running_server(tmp_path, pool=Quick()) as home:
            found = [await home.get(f"/api/characters?lang={lang}") for lang in ("de", "en")]
            return [msgspec.json.decode(one.content, type=wire.Characters) for one in found]

    german, english = run(ask())
    assert [one.name for one in german.characters] == [*CHARACTER_NAMES.values()]
    for one, other in zip(german.characters, english.characters, strict=True):
        assert (one.bot, one.ratings) == (other.bot, other.ratings)
        assert one.style != other.style
        assert one.style[0].isupper()
        assert set(one.ratings) == {info.name for info in registry.OUR_GAMES}
    assert english.levels["expert"]["sticheln"] == ratings.EXPERT


# -- Making tables ---------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("game", registry.GAMES)
def test_tables_of_every_game_and_number_of_seats(game: str, tmp_path: Path) -> None:
    async def make() -> None:
        async with running_server(tmp_path, pool=Quick()) as home:
            for seats in registry.kind(game).seat_counts:
                made = await home.table(game, seats)
                assert made.link.endswith(f"/t/{made.table}")
                assert made.personal == f"{made.link}#{made.token}"
                table = home.live_table(made.table).table
                assert (table.game, table.seats) == (game, seats)

    run(make())


def test_a_new_table_has_the_requested_options_seat_and_bots(tmp_path: Path) -> None:
    async def make() -> None:
        settings = wire.Settings(
            watch="none", clock=30, away=10, level="hard", hints=False, listed=True
        )
        async with running_server(tmp_path, pool=Quick()) as home:
            made = await home.table(
                "stichtag",
                5,
                options={"date": "08-12", "starter": 2},
                settings=settings,
                seat=3,
                bots={"0": "easy", "4": "expert"},
            )
            table = home.live_table(made.table).table
            assert (table.options["date"], table.options["starter"]) == ("08-12", 2)
            assert table.settings == settings
            levels = [place.level for place in table.places]
            assert levels == ["easy", None, None, None, "expert"]
            assert table.seat_of(made.person) == 3

    run(make())


WRONG: list[tuple[dict[str, object], str]] = [
    ({"options": {"rounds": 99}}, "bad-option"),
    ({"options": {"colour": "red"}}, "unknown-option"),
    ({"options": {"rounds": {"a": 1}}}, "message-unreadable"),
    ({"game": "chess"}, "unknown-game"),
    ({"seats": 2}, "bad-seats"),
    ({"seats": 7}, "message-unreadable"),
    ({"game": "stichtag", "options": {"date": "13-01"}}, "bad-option"),
    ({"name": ""}, "message-unreadable"),
    ({"name": "\u200b "}, "name-empty"),
    ({"name": "x" * 25}, "message-unreadable"),
    ({"seat": 5}, "no-such-seat"),
    ({"bots": {"0": "easy"}}, "no-such-seat"),
    ({"bots": {"x": "easy"}}, "no-such-seat"),
    ({"bots": {"1": "genius"}}, "message-unreadable"),
    ({"settings": {"clock": 1}}, "message-unreadable"),
    ({"settings": {"watch": "friends"}}, "message-unreadable"),
    ({"more": 1}, "message-unreadable"),
]


def test_impossible_requests_are_refused_in_both_languages(tmp_path: Path) -> None:
    async def ask() -> list[tuple[httpx.Response, httpx.Response]]:
        found = []
        async with (
            running_server(tmp_path, pool=Quick()) as home,
            home.client() as client,
        ):
            for requested, _ in WRONG:
                raw = msgspec.json.encode({"game": "sticheln", "name": "Ada", **requested})
                english = await client.post("/api/tables", content=raw)
                german = await client.post(
                    "/api/tables", content=raw, headers={"accept-language": "de-CH,de;q=0.9"}
                )
                found.append((english, german))
            assert home.lobby.live_tables == {}, "nothing was made"
        return found

    for (requested, why), answers in zip(WRONG, run(ask()), strict=True):
        english, german = map(problem, answers)
        assert [answer.status_code for answer in answers] == [400, 400], requested
        assert (english.error, german.error) == (why, why), requested
        assert why not in (english.text, german.text)
        assert english.text != german.text


# -- The lobby -------------------------------------------------------------------------------------


def test_the_lobby_shows_listed_open_tables(tmp_path: Path) -> None:
    async def look() -> None:
        async with running_server(tmp_path, pool=Quick()) as home:

            async def lobby() -> list[wire.LobbyTable]:
                answer = await home.get("/api/lobby")
                return list(msgspec.json.decode(answer.content, type=wire.Lobby).tables)

            listed = wire.Settings(listed=True)
            await home.table(**SHORT)
            older = await home.table(**SHORT, settings=listed)
            newer = await home.table("stichling", 2, settings=listed)
            assert [one.table for one in await lobby()] == [newer.table, older.table]
            (_, shown) = await lobby()
            assert (shown.free, shown.stage, shown.host) == (2, "gathering", "Ada")
            async with home.guest(older) as ada:
                await begin(ada)
                assert {one.stage for one in await lobby()} == {"gathering", "playing"}
                await ada.play_on(first)
                assert [one.table for one in await lobby()] == [newer.table], "it is over"
            private = wire.Settings(listed=True, watch="none")
            closed = await home.table(**SHORT, settings=private)
            assert closed.table in [one.table for one in await lobby()], "seats are free"
            async with home.guest(closed) as ada:
                await begin(ada)
                assert closed.table not in [one.table for one in await lobby()]
        async with running_server(tmp_path, pool=Quick()) as home:
            assert [one.table for one in await lobby()] == [newer.table], "after a restart"

    run(look())


# -- Refusals --------------------------------------------------------------------------------------


def test_unknown_paths_are_404(tmp_path: Path) -> None:
    async def ask() -> None:
        async with running_server(tmp_path, pool=Quick()) as home:
            requested = {"name": "Eva", "seat": 0, "moves": 0}
            missing = await home.get("/api/matches/nothing?lang=de")
            assert (missing.status_code, problem(missing).error) == (404, "no-such-match")
            assert problem(missing).text == "Diese Partie gibt es hier nicht."
            fork = await home.post("/api/matches/nothing/fork", requested)
            assert (fork.status_code, problem(fork).error) == (404, "no-such-match")
            match = await played(home)
            for wrong, why in [
                ({**requested, "seat": 4}, "no-such-seat"),
                ({**requested, "moves": 99_999}, "no-such-move"),
                ({**requested, "moves": -1}, "message-unreadable"),
                ({**requested, "level": "genius"}, "message-unreadable"),
            ]:
                answer = await home.post(f"/api/matches/{match}/fork", wrong)
                assert (answer.status_code, problem(answer).error) == (400, why)
            assert (await home.get("/api/nothing")).status_code == 404
            assert (await home.get("/api/tables")).status_code == 405

    run(ask())


def test_a_running_match_has_no_record_yet(tmp_path: Path) -> None:
    async def ask() -> None:
        async with (
            running_server(tmp_path, pool=Quick()) as home,
            home.guest(await home.table(**SHORT)) as ada,
        ):
            await begin(ada)
            assert ada.table is not None
            answer = await home.get(f"/api/matches/{ada.table.match}")
            assert answer.status_code == 404, "it would show all hands"

    run(ask())


def test_oversized_and_excessive_requests_are_refused(tmp_path: Path) -> None:
    limits = msgspec.structs.replace(GENEROUS, body_bytes=500, creates=2, http_requests=6)

    async def ask(limits: Limits) -> None:
        async with running_server(tmp_path, pool=Quick(), limits=limits) as home:
            requested = {"game": "sticheln", "name": "Ada"}
            large = await home.post("/api/tables", {**requested, "name": "x" * 1000})
            assert (large.status_code, problem(large).error) == (413, "body-too-large")
            for _ in range(2):
                assert (await home.post("/api/tables", requested)).status_code == 201
            many = await home.post("/api/tables?lang=de", requested)
            assert (many.status_code, problem(many).error) == (429, "too-many-tables")
            assert problem(many).text.startswith("Zu viele neue Tische")
            answers = [await home.get("/api/version") for _ in range(6)]
            assert answers[0].status_code == 200
            assert (answers[-1].status_code, problem(answers[-1]).error) == (
                429,
                "too-many-requests",
            )
            assert all(header in answers[-1].headers for header in HEADERS)

    run(ask(limits))


class Broken(SqliteStore):
    """A store whose disk is full on demand."""

    full = False

    async def append(self, change: LogAppend) -> None:
        if self.full:
            raise StorageError("storage-full")
        await super().append(change)

    @property
    def healthy(self) -> bool:
        return not self.full

    @healthy.setter
    def healthy(self, value: bool) -> None:
        pass


def test_health_reports_failing_storage_and_its_recovery(tmp_path: Path) -> None:
    async def ask() -> None:
        store = Broken(tmp_path / "stichwerk.db")
        async with running_server(tmp_path, pool=Quick(), store=store) as home:
            assert (await home.get("/api/health")).json() == {"status": "ok"}
            store.full = True
            sick = await home.get("/api/health")
            assert (sick.status_code, sick.json()) == (503, {"status": "storage"})
            requested = {"game": "sticheln", "name": "Ada"}
            refused = await home.post("/api/tables", requested)
            assert (refused.status_code, problem(refused).error) == (503, "storage-full")
            assert "storage-full" not in problem(refused).text
            store.full = False
            assert (await home.get("/api/health")).status_code == 200
            assert (await home.post("/api/tables", requested)).status_code == 201

    run(ask())


def test_recovered_storage_is_detected_without_traffic(tmp_path: Path) -> None:
    async def ask() -> None:
        store = SqliteStore(tmp_path / "stichwerk.db")
        async with running_server(tmp_path, pool=Quick(), store=store) as home:
            store.healthy = False  # as after the last failure
            assert (await home.get("/api/health")).json() == {"status": "ok"}
            assert store.healthy

    run(ask())


def test_other_origins_cannot_create_tables(tmp_path: Path) -> None:
    async def ask() -> None:
        async with running_server(tmp_path, pool=Quick()) as home:
            requested = {"game": "sticheln", "name": "Ada"}
            async with home.client() as client:
                for origin in ("https://evil.example", "null"):
                    answer = await client.post(
                        "/api/tables", json=requested, headers={"origin": origin}
                    )
                    assert (answer.status_code, problem(answer).error) == (403, "foreign-origin")
                own = await client.post(
                    "/api/tables", json=requested, headers={"origin": home.http}
                )
                assert own.status_code == 201

    run(ask())


ASKED = (
    *("/", "/t/abc", "/settings", "/index.html", "/api/health", "/api/lobby", "/api/bots"),
    *("/api/version", "/api/games", "/api/matches", "/metrics", "/openapi.json", "/nowhere"),
)
STRANGERS = (
    "evil.example",
    "evil.example:8420",
    "127.0.0.1.evil.example",
    "cards.fritz.box",
    "a@b",
)
OWN_NAMES = (
    *("127.0.0.1", "192.168.1.7:8420", "[::1]:8420", "localhost:8420", "raspberrypi", "pi.local"),
    *(
        "pi.lan:8420",
        "pi.home.arpa",
        "cards.example.org",
        "CARDS.example.org.:443",
        "named.example",
    ),
)


def test_a_foreign_host_name_is_refused_everywhere(tmp_path: Path) -> None:
    """DNS rebinding: else a foreign page could read the lobby in a visitor's browser."""

    async def ask() -> None:
        async with running_server(tmp_path, pool=Quick()) as home, home.client() as client:
            for path in ASKED:
                for host in STRANGERS:
                    answer = await client.get(path, headers={"host": host})
                    result = problem(answer)
                    assert (answer.status_code, result.error) == (421, "foreign-host"), (path, host)
                    assert host.partition(":")[0] in result.text
                    assert "x-content-type-options" in answer.headers
            assert home.metrics.refused.count("foreign-host") == len(ASKED) * len(STRANGERS)

    run(ask())


def test_a_browser_with_a_foreign_host_name_gets_an_explanation(tmp_path: Path) -> None:
    async def ask() -> None:
        async with running_server(tmp_path, pool=Quick()) as home, home.client() as client:
            requested = {"host": "a<b>.example", "accept": "text/html", "accept-language": "de"}
            odd = await client.get("/", headers=requested)
            named = await client.get("/", headers=requested | {"host": "pi.fritz.box"})
        assert odd.status_code == named.status_code == 421
        assert "<b>" not in odd.text
        assert "unter dem Namen pi.fritz.box" in named.text
        assert named.headers["content-type"].startswith("text/html")

    run(ask())


def test_our_own_host_names_are_accepted(tmp_path: Path) -> None:
    async def ask() -> None:
        origins = ("https://cards.example.org", "named.example:8443")
        async with (
            running_server(tmp_path, pool=Quick(), origins=origins) as home,
            home.client() as http,
        ):
            for host in OWN_NAMES:
                for path in ("/", "/api/lobby"):
                    answer = await http.get(path, headers={"host": host})
                    assert answer.status_code == 200, (path, host, answer.text)

    run(ask())


def test_too_many_requests_close_the_connection(tmp_path: Path) -> None:
    """Else each further one would cost an answer, and cost the other end nothing."""

    async def ask() -> None:
        limits = Limits(http_requests=3, http_seconds=3600)
        async with (
            running_server(tmp_path, pool=Quick(), limits=limits) as home,
            home.client() as http,
        ):
            answers = [await http.get("/api/version") for _ in range(5)]
        assert [answer.status_code for answer in answers] == [200, 200, 200, 429, 429]
        ends = [answer.headers.get("connection") == "close" for answer in answers]
        assert ends == [False, False, False, True, True]

    run(ask())


def test_a_record_is_available_as_soon_as_the_match_is_over(tmp_path: Path) -> None:
    """Even while it is not among the stored records yet."""

    async def ask() -> None:
        store = Broken(tmp_path / "stichwerk.db")
        waiting = asyncio.Event()

        async def held(change: LogAppend) -> None:
            if change.finished:
                await waiting.wait()
            await SqliteStore.append(store, change)

        store.append = held  # type: ignore[method-assign]
        async with running_server(tmp_path, pool=Quick(), store=store) as home:
            match = await played(home)
            assert await store.match(match) is None
            answer = await home.get(f"/api/matches/{match}")
            assert record.verify(record.decode(answer.content)).status == "holds"
            waiting.set()

    run(ask())


def test_a_browser_gets_a_readable_page(tmp_path: Path) -> None:
    async def look() -> None:
        async with running_server(tmp_path) as home:
            for path in ("/", "/t/some-table"):
                result = await home.get(path)
                assert result.status_code == 200
                assert result.headers["content-type"].startswith("text/html")
                assert "Stichwerk" in result.text
                assert "frame-ancestors 'none'" in result.headers["content-security-policy"]

    run(look())


# -- Bots of other packages ------------------------------------------------------------------------

HELD_UP = """
import os, time
while not os.path.exists({gate!r}):
    time.sleep(0.002)
class Bot:
    version = 4
    def __init__(self, seed): pass
    def choose(self, view): return view.moves[0]
"""


@pytest.mark.slow
def test_a_slow_package_import_does_not_block_requests(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate, packages = tmp_path / "gate", tmp_path / "packages"
    packages.mkdir()
    points = {"held-up": "held_up_bots:Bot", "quits": "quitting_bots:Bot"}
    modules = {"held_up_bots": HELD_UP.format(gate=str(gate)), "quitting_bots": "raise SystemExit"}
    put_package(packages, "held-up", points, **modules)
    monkeypatch.syspath_prepend(packages)

    async def ask() -> tuple[wire.Bots, wire.Bots]:
        async with running_server(tmp_path, pool=Quick()) as home, home.client() as client:
            listing = asyncio.create_task(client.get("/api/bots"))
            for _ in range(3):
                assert (await client.get("/api/health")).status_code == 200
            assert not listing.done()
            gate.touch()
            first = await listing
            again = await client.get("/api/bots")
            return (
                msgspec.json.decode(first.content, type=wire.Bots),
                msgspec.json.decode(again.content, type=wire.Bots),
            )

    first, again = run(ask())
    assert first == again
    listed = {bot.name: (bot.version, bot.level) for bot in first.bots}
    assert listed["held-up"] == (4, False)
    assert listed["expert"] == (2, True)
    assert "quits" not in listed
    assert "held_up_bots" not in sys.modules
