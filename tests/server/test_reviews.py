"""Reviews over HTTP: real ones, and fake processes that hang, die, lie and flood."""

import asyncio
import sys
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from starlette.requests import Request

from stichwerk.errors import StichwerkError
from stichwerk.record import Record, encode
from stichwerk.review.worker import ReviewRequest as WorkerWish
from stichwerk.review.worker import found_out, steps_of
from stichwerk.server import wire
from stichwerk.server.http import reviews
from stichwerk.server.http.replays import ReplayRequest, replay
from stichwerk.server.http.reviews import Reviews
from stichwerk.server.logs import Log
from tests.server.bot_pool_setup import children, open_pipes
from tests.server.harness import Quick, RunningServer, run, running_server
from tests.server.manual_clock import ManualClock, until
from tests.server.test_replay_api import match_of, played

pytestmark = pytest.mark.slow  # with a real server

# A process that behaves as the id of the match says. A `gated` one waits after each line for
# a file in the folder it is given.
FAKE = """
import json, os, sys, time
wish = json.loads(sys.stdin.readline())
how = wish["match"].partition("-")[0]
def say(**words): print(json.dumps(words), flush=True)
if how == "silent": time.sleep(1000)
say(of=3)
if how == "dies": os._exit(3)
if how == "garbage": print("{]", flush=True)
if how == "error": say(error="review-no-round")
if how == "endless": print("x" * 3_000_000, flush=True)
if how == "half": say(found={"de": None})
for done in (2, 1, 3):
    say(done=done, of=4 if done == 1 else 3)
    end = time.monotonic() + 60
    while how == "gated" and not os.path.exists(f"{sys.argv[1]}/after-{done}"):
        if time.monotonic() > end: os._exit(4)
        time.sleep(0.002)
if how == "never": time.sleep(1000)
one = {"match": wish["match"], "game": "sticheln", "seats": 3, "bot": "b", "meaning": ""}
say(found={lang: {**one, "title": lang, "players": []} for lang in ("de", "en")})
"""
TOLD = played("sticheln", 3, rounds=1)


@pytest.fixture(autouse=True)
def no_process_is_left() -> Iterator[None]:
    before, pipes = children(), open_pipes()
    yield
    assert children() <= before
    assert open_pipes() <= pipes


class FakeLobby:
    """The parts of a lobby that reviews need: every match is the same."""

    def __init__(self) -> None:
        self.log = Log(strict=True)
        self.clock = ManualClock()

    async def record(self, match: str) -> bytes:
        return encode(TOLD)


Ask = Callable[..., Awaitable[tuple[int, Any]]]


def with_reviews(
    work: Callable[[Reviews, Ask], Awaitable[None]], folder: Path = Path(), **more: Any
) -> None:
    """Do something with reviews of fake processes."""

    async def opened() -> None:
        command = (sys.executable, "-S", "-c", FAKE, str(folder))
        kept = Reviews(FakeLobby(), command=command, **more)  # type: ignore[arg-type]

        async def ask(match: str, query: str = "", address: str = "") -> tuple[int, Any]:
            scope = {
                "type": "http",
                "client": (address, 1),
                "method": "GET",
                "headers": [],
                "query_string": query.encode(),
                "path_params": {"id": match},
            }
            try:
                answer = await kept.review(Request(scope))
            except StichwerkError as error:
                return 0, error.id
            return answer.status_code, msgspec.json.decode(bytes(answer.body))

        try:
            await work(kept, ask)
        finally:
            await kept.close()

    run(opened())


async def until_ready(ask: Ask, match: str, query: str = "", address: str = "") -> tuple[int, Any]:
    """Ask until it is there; the first answer must be a progress."""
    assert (await ask(match, query, address))[0] == 202
    while (answer := await ask(match, query, address))[0] == 202:
        await asyncio.sleep(0.002)
    return answer


async def until_done(ask: Ask, match: str, query: str, done: int, of: int = 3) -> None:
    """Ask until so much of it is done."""
    while (answer := await ask(match, query))[1] != {"done": done, "of": of}:
        assert answer[0] == 202
        await asyncio.sleep(0.002)


def clock_of(kept: Reviews) -> ManualClock:
    assert isinstance(kept.lobby.clock, ManualClock)
    return kept.lobby.clock


def test_a_review_reports_progress_then_both_languages(tmp_path: Path) -> None:
    """The process says 2 of 3, 1 of 4, 3 of 3; the progress is reported as 2, 2, 3."""

    async def work(kept: Reviews, ask: Ask) -> None:
        german = ("gated", "seat=1&lang=de")
        assert await ask(*german) == (202, {"done": 0, "of": 0})
        await until_done(ask, *german, 2)
        (tmp_path / "after-2").touch()
        await until_done(ask, *german, 2, of=4)
        (tmp_path / "after-1").touch()
        await until_done(ask, *german, 3)
        (tmp_path / "after-3").touch()
        while (answer := await ask(*german))[0] == 202:
            await asyncio.sleep(0.002)
        assert answer[1]["title"] == "de"
        assert (await ask("gated", "seat=1&lang=en"))[1]["title"] == "en"
        assert (await ask("gated", "seat=3"))[1] == "no-such-seat"

    with_reviews(work, tmp_path)


def test_reviews_run_two_at_a_time_and_one_per_address(tmp_path: Path) -> None:
    async def work(kept: Reviews, ask: Ask) -> None:
        for seat in (0, 1, 2):
            assert (await ask("gated", f"seat={seat}", "192.0.2.1"))[0] == 202
        assert (len(kept.running), len(kept.waiting)) == (1, 2), "the other slot is for others"
        assert (await until_ready(ask, "other", "", "192.0.2.2"))[0] == 200
        assert (await ask("gated", "seat=0", "192.0.2.3"))[0] == 202, "the same work for both"
        assert len(kept.running) == 1

    with_reviews(work, tmp_path)


def test_addresses_take_turns(tmp_path: Path) -> None:
    """Two wait for a slot: one whose address had one just now, and a newcomer who came later."""

    async def work(kept: Reviews, ask: Ask) -> None:
        asked = [("gated-1", "192.0.2.1"), ("gated-2", "192.0.2.2"), ("gated-3", "192.0.2.1")]
        for match, address in [*asked, ("gated-4", "192.0.2.3")]:
            assert (await ask(match, "", address))[0] == 202
        assert [one.address for one in kept.running.values()] == ["192.0.2.1", "192.0.2.2"]
        first = next(iter(kept.running.values()))
        assert first.task is not None
        first.task.cancel()
        await until(lambda: first.key not in kept.running, "the end of the first")
        assert [one.address for one in kept.running.values()] == ["192.0.2.2", "192.0.2.3"]
        assert [one.address for one in kept.waiting.values()] == ["192.0.2.1"]

    with_reviews(work, tmp_path)


def test_the_review_queue_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reviews, "MOST_WAITING_EACH", 2)
    monkeypatch.setattr(reviews, "MOST_WAITING", 3)

    async def work(kept: Reviews, ask: Ask) -> None:
        for number in range(3):
            assert (await ask(f"gated-{number}", "", "192.0.2.1"))[0] == 202
        assert await ask("gated-3", "", "192.0.2.1") == (0, "review-busy")
        for number in range(4, 6):
            assert (await ask(f"gated-{number}", "", "192.0.2.2"))[0] == 202
        assert await ask("gated-6", "", "192.0.2.3") == (0, "review-busy")
        clock_of(kept).advance(reviews.PATIENCE + 1)
        assert (await ask("gated-6", "", "192.0.2.3"))[0] == 202, "nobody asked for the others"
        assert len(kept.waiting) == 1

    with_reviews(work, tmp_path)


@pytest.mark.parametrize(
    "how",
    ["dies", "garbage", "error", "endless", "half", "silent", "never"],
)
def test_a_failed_review_is_reported_and_retried(how: str) -> None:
    async def work(kept: Reviews, ask: Ask) -> None:
        for _ in range(2):
            assert (await ask(how))[0] == 202
            await until_silent(kept, ask)
            while (answer := await ask(how))[0] == 202:
                await asyncio.sleep(0.002)
            assert answer == (0, "review-failed")
            assert not kept.running
        assert (await until_ready(ask, "good"))[0] == 200

    async def until_silent(kept: Reviews, ask: Ask) -> None:
        """Let the limit for a silent review expire."""
        if how == "never":
            await until_done(ask, how, "", 3)
        if how in ("silent", "never"):
            await clock_of(kept).expire(reviews.SILENCE)

    with_reviews(work)


def test_a_review_has_a_time_limit() -> None:
    """However long its process may be silent."""

    async def work(kept: Reviews, ask: Ask) -> None:
        assert (await ask("never"))[0] == 202
        await until_done(ask, "never", "", 3)
        await clock_of(kept).expire(reviews.LONGEST)
        while (answer := await ask("never"))[0] == 202:
            await asyncio.sleep(0.002)
        assert answer == (0, "review-failed")

    with_reviews(work, silence=2 * reviews.LONGEST)


def test_closing_stops_running_reviews() -> None:
    async def work(kept: Reviews, ask: Ask) -> None:
        assert (await ask("never"))[0] == 202
        await until_done(ask, "never", "", 3)
        await kept.close()
        assert not kept.running
        assert await ask("good") == (0, "review-busy")

    with_reviews(work)


def test_cached_reviews_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reviews, "MOST_KEPT", 2)
    monkeypatch.setattr(reviews, "MOST_FAILED", 1)

    async def work(kept: Reviews, ask: Ask) -> None:
        for match in ("a", "b", "c"):
            assert (await until_ready(ask, match))[0] == 200
        assert len(kept.kept) == 2
        assert (await ask("c"))[0] == 200
        for match in ("dies-1", "dies-2"):
            assert (await ask(match))[0] == 202
            while kept.running:
                await asyncio.sleep(0.01)
        assert len(kept.failed) == 1

    with_reviews(work)


def test_a_review_needs_its_worker() -> None:
    async def work(kept: Reviews, ask: Ask) -> None:
        kept.command = ("/nowhere/at-all",)
        assert await until_ready(ask, "good") == (0, "review-failed")

    with_reviews(work)


# -- Real ones -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "seats", "options"),
    [
        ("sticheln", 3, {"rounds": 1}),
        ("stichling", 2, {}),
        ("null-nichtig", 3, {"target": 1}),
        ("stichtag", 3, {"date": "02-21"}),
    ],
)
def test_a_moment_links_to_its_step(game: str, seats: int, options: dict[str, Any]) -> None:
    match_record: Record = played(game, seats, **options)
    request = WorkerWish(match="m", record=encode(match_record).decode(), bot="flat@20", top=50)
    found = found_out(request, lambda total: lambda: None)
    steps = replay(match_record, ReplayRequest("m", None, 0)).steps
    read = {lang: msgspec.convert(one, wire.Review) for lang, one in found.items()}
    moments = 0
    for player in read["de"].players:
        shown = replay(match_record, ReplayRequest("m", player.seat, 0)).steps
        for moment in player.moments:
            step = steps[moment.index]
            assert (step.seat, step.round, step.move) == (player.seat, moment.round, moment.played)
            assert shown[moment.index - 1].view.hand == moment.hand
            compared = [one.move for one in moment.alternatives]
            assert moment.better in compared
            assert moment.played in compared or moment.phase == "lay", "there are too many to lay"
            assert len(compared) <= 7
            moments += 1
    assert moments
    assert len(set(steps_of(match_record).values())) == len(steps) - 1
    assert read["de"].title != read["en"].title


@pytest.mark.slow
def test_a_review_of_a_match_at_a_table(tmp_path: Path) -> None:
    async def ask(home: RunningServer) -> None:
        match = await match_of(home)
        path = f"/api/matches/{match}/review?seat=0&lang=de"
        async with home.client() as client:
            answer = await client.get(path)
            assert answer.status_code == 202
            assert answer.headers["retry-after"] == "2"
            waiting = await client.get(f"/api/matches/{match}/review?seat=1")
            assert (waiting.status_code, waiting.json()) == (202, {"done": 0, "of": 0})
            while answer.status_code == 202:
                await asyncio.sleep(0.01)
                answer = await client.get(path)
        found = msgspec.json.decode(answer.content, type=wire.Review)
        (player,) = found.players
        assert (player.seat, player.name) == (0, "Ada")
        sums = player.luck - player.cost + player.rest
        assert player.result == pytest.approx(sums)

    async def opened() -> None:
        async with running_server(tmp_path, pool=Quick()) as home:
            await ask(home)

    run(opened())


@pytest.mark.slow
def test_the_server_stops_in_the_middle_of_a_review(tmp_path: Path) -> None:
    async def opened() -> None:
        async with running_server(tmp_path, pool=Quick()) as home:
            match = await match_of(home)
            assert (await home.get(f"/api/matches/{match}/review")).status_code == 202

    run(opened())
