"""Replays: just what each seat saw, step by step, and everything for an open one."""

import asyncio
import gzip
import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from threading import Event
from typing import Any

import httpx
import msgspec
import pytest

import stichwerk
from stichwerk.engine.events import Event as Happening
from stichwerk.engine.generator import Generator
from stichwerk.hash_words import fingerprint
from stichwerk.match import Match
from stichwerk.record import Record, decode, encode, moves_of, record, verify
from stichwerk.review.decisions import finished_rounds
from stichwerk.server import wire
from stichwerk.server.http import replays
from stichwerk.server.http.replays import (
    ReplayBuilder,
    ReplayRequest,
    Replays,
    StoryRequest,
    clear_names,
    pack,
    replay,
    tag_of,
)
from stichwerk.server.http.responses import ServerBusyError
from stichwerk.server.tables.lobby import NotFoundError
from stichwerk.story import Story, tell
from stichwerk.view import View
from tests.length import by_length
from tests.server.harness import GENEROUS, Quick, RunningServer, begin, first, run, running_server

pytestmark = pytest.mark.slow  # with a real server

GOLDEN = Path(__file__).parents[1] / "golden"
SHORT = {"game": "sticheln", "seats": 3, "options": {"rounds": 1}}


def golden(step: int) -> Iterator[Record]:
    """Yield finished matches of all games, seat counts and options; of Stichtag of all sheets."""
    for file in sorted(GOLDEN.glob("*.jsonl")):
        for line in file.read_text("utf-8").splitlines()[::step]:
            match_record = decode(line)
            if match_record.totals is not None:
                yield match_record


def played(game: str, seats: int, seed: int = 1, **options: Any) -> Record:
    """Play a match of random moves."""
    match, rng = stichwerk.game(game, seats=seats, **options).new(seed=seed), Generator(seed)
    while match.waiting_for:
        seat = match.waiting_for[rng.number(len(match.waiting_for))]
        moves = match.moves(seat)
        match.play(seat, moves[rng.number(len(moves))])
    return record(match)


def stepped(
    match_record: Record,
) -> Iterator[tuple[Match, int | None, str | None, tuple[Happening, ...]]]:
    """Yield the match before its first move and after each, with the move and its events."""
    deals = [msgspec.to_builtins(round) for round in match_record.rounds]
    given = [
        {key: deal[key] for key in ("starter", "hands", "stock", "extra") if key in deal}
        for deal in deals
    ]
    game = stichwerk.game(
        match_record.game,
        seats=match_record.seats,
        rules=match_record.rules,
        **match_record.options,
    )
    match = game.new(deals=given, names=match_record.names)
    yield match, None, None, match.events
    for seat, move in moves_of(match_record):
        yield match, seat, move, match.play(seat, move)


def without_history(view: View) -> View:
    return msgspec.structs.replace(view, history=())


# -- What is sent ----------------------------------------------------------------------------------


def check_seats(match_record: Record) -> None:
    """Check that each seat is shown exactly what its view said at that moment."""
    found = [
        replay(match_record, ReplayRequest("m", seat, 0)) for seat in range(match_record.seats)
    ]
    for at, (match, mover, move, events) in enumerate(stepped(match_record)):
        for seat, shown in enumerate(found):
            step = shown.steps[at]
            assert (step.index, step.seat, step.hands) == (at, mover, None)
            assert step.view == without_history(match.view(seat))
            assert step.left_over is None or step.left_over.hands is None
            assert step.events == tuple(event for event in events if event.visible(seat))
            if step.move is None:
                assert mover != seat
                assert not any(event.move == move for event in step.events if move)
            else:
                assert step.move == move
                assert seat == mover or any(event.move == move for event in step.events)
        last = match
    for seat, shown in enumerate(found):
        seen = tuple(event for step in shown.steps for event in step.events)
        assert seen == last.view(seat).history


def check_left_over(step: wire.ReplayStep, move: str | None) -> None:
    """Only a step into the next round says what was left of the one before."""
    dealt_again = move is not None and any(event.kind == "round" for event in step.events)
    assert (step.left_over is not None) == dealt_again
    if step.left_over is not None:
        assert step.left_over.hands is not None
        assert step.left_over.hand_sizes == tuple(len(hand) for hand in step.left_over.hands)


def check_open(match_record: Record) -> None:
    """Check that an open replay shows everything."""
    found = replay(match_record, ReplayRequest("m", None, 0))
    for step, (match, mover, move, events) in zip(found.steps, stepped(match_record), strict=True):
        assert (step.seat, step.move, step.events) == (mover, move, events)
        assert step.view == without_history(match.view(None))
        assert step.hands == tuple(match.view(seat).hand for seat in range(match_record.seats))
        check_left_over(step, move)
    assert found.of == len(found.steps) == len(moves_of(match_record)) + 1
    assert (found.totals, found.ranking, found.names) == (
        match_record.totals,
        match_record.ranking,
        match_record.names,
    )
    for part, log in zip(found.rounds, match_record.rounds, strict=True):
        assert (part.starter, part.hands, part.stock) == (log.starter, log.hands, log.stock)
        assert part.scores == log.scores
        assert len(part.choices) == len(log.choices)
        begins = found.steps[part.index]
        assert begins.view.round == part.round
        assert any(event.round == part.round for event in begins.events)
        shown = [set(hand) for hand in begins.hands or ()]
        assert shown == [set(hand) for hand in part.hands] or match_record.game == "stichtag"


@pytest.mark.parametrize(
    "match_record",
    [*golden(17)],
    ids=lambda match_record: f"{match_record.game}-{match_record.seats}",
)
def test_a_replay_equals_what_was_seen(match_record: Record) -> None:
    check_seats(match_record)
    check_open(match_record)


@pytest.mark.long
@pytest.mark.slow
def test_many_golden_replays_equal_what_was_seen() -> None:
    for match_record in golden(by_length(31, 3)):
        check_seats(match_record)
        check_open(match_record)


def test_a_replay_has_words_for_a_spectator() -> None:
    match_record = played("sticheln", 4)
    ends: dict[wire.Lang, str] = {"de": "beginnt.", "en": "starts."}
    for lang, starts in ends.items():
        seen = replay(match_record, ReplayRequest("m", 1, 0, lang)).steps
        words = [one for step in seen for one in step.words]
        assert [len(step.words) for step in seen] == [len(step.events) for step in seen]
        assert sum(one.endswith(starts) for one in words) == len(match_record.rounds)
        assert not any(re.search(r"\b([Dd]u|[Yy]ou)\b", one) for one in words)


def test_names_in_words_are_distinct() -> None:
    assert clear_names(["Ada", "easy", "hard", "Ada"]) == ("Ada 1", "Bot 1", "Bot 2", "Ada 2")
    assert clear_names(["Ada", "easy"]) == ("Ada", "Bot")


def test_secret_choices_of_others_stay_secret_until_all_are_in() -> None:
    match_record = played("sticheln", 4, rounds=1)
    shown = replay(match_record, ReplayRequest("m", 1, 0)).steps
    choices = match_record.rounds[0].choices
    assert [step.move for step in shown[1:5]] == [None, choices[1], None, None]
    for step in shown[:4]:
        raw = msgspec.json.encode(step).decode()
        hidden = [str(choices[seat]) for seat in (0, 2, 3)]
        assert not any(f'"{card}"' in raw for card in hidden)
    assert any(event.kind == "revealed" for event in shown[4].events)


@pytest.mark.parametrize(
    ("game", "seats", "options"),
    [
        ("sticheln", 3, {"rounds": 2}),
        ("null-nichtig", 4, {}),
        ("stichling", 3, {}),
        ("stichtag", 4, {"date": "08-17"}),
        ("stichtag", 3, {"date": "02-21"}),
    ],
)
def test_tricks_are_counted_as_reviews_count_them(
    game: str, seats: int, options: dict[str, Any]
) -> None:
    match_record = played(game, seats, **options)
    steps = replay(match_record, ReplayRequest("m", None, 0)).steps
    _, rounds = finished_rounds(match_record)
    decided = {
        (one.round, one.seat, one.trick, one.move) for round in rounds for one in round.decisions
    }
    plays = {(step.round, step.seat, step.trick, step.move) for step in steps}
    assert {one for one in decided if one[2] is not None} <= plays
    assert all(step.round == min(step.view.round, step.round) for step in steps)


def test_a_long_match_is_sent_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    match_record = played("null-nichtig", 3)
    whole = replay(match_record, ReplayRequest("m", 2, 0))
    monkeypatch.setattr(replays, "MOST_STEPS", 50)
    parts = [replay(match_record, ReplayRequest("m", 2, first)) for first in range(0, whole.of, 50)]
    assert [part.first for part in parts] == list(range(0, whole.of, 50))
    assert tuple(step for part in parts for step in part.steps) == whole.steps
    assert all((part.of, part.rounds) == (whole.of, whole.rounds) for part in parts)
    assert all(len(part.steps) <= 50 for part in parts)


def test_only_finished_matches_have_a_replay() -> None:
    match = stichwerk.game("sticheln", seats=3).new(seed=1)
    with pytest.raises(NotFoundError):
        replay(record(match), ReplayRequest("m", None, 0))


# -- Over HTTP -------------------------------------------------------------------------------------


async def match_of(home: RunningServer) -> str:
    """Return a match that was played at a table."""
    async with home.guest(await home.table(**SHORT)) as ada:  # type: ignore[arg-type]
        await begin(ada)
        await ada.play_on(first)
        assert ada.table is not None
        assert ada.table.match is not None
        return ada.table.match


def test_a_replay_of_a_match_at_a_table(tmp_path: Path) -> None:
    async def ask() -> None:
        async with running_server(tmp_path, pool=Quick()) as home:
            match = await match_of(home)
            match_record = decode(await home.lobby.record(match))
            assert verify(match_record).status == "holds"
            async with home.client() as client:
                await check(client, match, match_record)

    async def check(client: httpx.AsyncClient, match: str, match_record: Record) -> None:
        path = f"/api/matches/{match}/replay"
        for seat in (None, 0, 1, 2):
            request = {} if seat is None else {"seat": str(seat)}
            answer = await client.get(path, params=request)
            assert answer.headers["content-encoding"] == "gzip"
            found = msgspec.json.decode(answer.content, type=wire.Replay)
            assert found == replay(match_record, ReplayRequest(match, seat, 0))
            assert not isinstance(match_record.fairness, msgspec.UnsetType)
            assert found.fairness == fingerprint(bytes.fromhex(match_record.fairness.transcript))
        plain = await client.get(path, headers={"Accept-Encoding": "identity"})
        assert "content-encoding" not in plain.headers
        packed = await client.get(path + "?seat=open")
        assert plain.content == packed.content
        known = await client.get(path, headers={"If-None-Match": packed.headers["etag"]})
        assert (known.status_code, known.content) == (304, b"")
        for answer in (plain, packed, known):
            assert "immutable" in answer.headers["cache-control"]
            assert "Accept-Encoding" in answer.headers["vary"]

    run(ask())


@pytest.mark.parametrize("seat", [None, 1, 2])
def test_words_address_the_person_and_show_nothing_more(seat: int | None) -> None:
    match_record = msgspec.structs.replace(
        played("sticheln", 3, rounds=1), names=("Ada", "Guest", "Cleo")
    )
    told = replay(match_record, ReplayRequest("m", seat, 0))
    mine = replay(match_record, ReplayRequest("m", seat, 0, you=1))
    assert any("Guest" in words for step in told.steps for words in step.words)
    said = [words for step in mine.steps for words in step.words]
    assert any(re.search(r"\b[Yy]ou\b", words) for words in said)
    assert not any("Guest" in words for words in said)
    wordless = [msgspec.structs.replace(step, words=(), label="") for step in told.steps]
    assert wordless == [msgspec.structs.replace(step, words=(), label="") for step in mine.steps]


@pytest.mark.parametrize(
    ("query", "status", "error"),
    [
        ("seat=3", 400, "no-such-seat"),
        ("seat=-1", 400, "query-no-number"),
        ("seat=", 400, "query-no-number"),
        ("seat=٣", 400, "query-no-number"),
        ("seat=9999999999", 400, "query-no-number"),
        ("you=3", 400, "no-such-seat"),
        ("you=x", 400, "query-no-number"),
        ("from=46", 400, "no-such-step"),
        ("from=x", 400, "query-no-number"),
    ],
)
def test_impossible_replays_are_refused(
    query: str, status: int, error: str, tmp_path: Path
) -> None:
    async def ask() -> None:
        async with running_server(tmp_path, pool=Quick()) as home:
            match = await match_of(home)
            for lang in ("de", "en"):
                answer = await home.get(f"/api/matches/{match}/replay?{query}&lang={lang}")
                assert (answer.status_code, answer.json()["error"]) == (status, error)
                assert answer.headers["cache-control"] == "no-store"

    run(ask())


def test_unknown_and_running_matches_have_no_replay(tmp_path: Path) -> None:
    async def ask() -> None:
        async with (
            running_server(tmp_path, pool=Quick()) as home,
            home.party(["Ada", "Ben", "Cem"], **SHORT) as guests,  # type: ignore[arg-type]
        ):
            await begin(*guests)
            assert guests[0].table is not None
            for match in ("AAAA", "%00", guests[0].table.match):
                for what in ("replay", "replay?seat=0", "review", "review?seat=0"):
                    answer = await home.get(f"/api/matches/{match}/{what}")
                    assert answer.status_code == 404
                    assert answer.json()["error"] == "no-such-match"

    run(ask())


def test_the_matches_of_a_table(tmp_path: Path) -> None:
    async def ask() -> None:
        async with running_server(tmp_path, pool=Quick()) as home:
            made = await home.table(**SHORT)  # type: ignore[arg-type]
            path = f"/api/matches?table={made.table}"
            assert (await home.get(path)).json() == {"table": made.table, "matches": []}
            matches = []
            async with home.guest(made) as ada:
                for _ in range(2):
                    await begin(ada)
                    await ada.play_on(first)
                    assert ada.table is not None
                    matches.append(ada.table.match)
                await home.live_table(made.table).update_summary()
                answer = await home.get(path)
                found = msgspec.json.decode(answer.content, type=wire.Matches).matches
                assert [one.match for one in found] == matches[::-1]
                assert found[0].totals == decode(await home.lobby.record(found[0].match)).totals
                assert all(one.finished and "Ada" in one.names for one in found)
                hidden = wire.Settings(watch="none")
                await ada.ask(lambda id: wire.Change(id=id, settings=hidden))
            refused = await home.get(path)
            assert (refused.status_code, refused.json()["error"]) == (403, "matches-hidden")
            for query in ("", "?table=", "?table=AAAA", "?table=%00"):
                assert (await home.get(f"/api/matches{query}")).status_code in (400, 404)

    run(ask())


# -- Making them -----------------------------------------------------------------------------------


class Records:
    """The parts of a lobby that replays need."""

    def __init__(self, **records: Record) -> None:
        self.records = {id: encode(each) for id, each in records.items()}

    async def record(self, match: str) -> bytes:
        return self.records[match]


def makers(**records: Record) -> Replays:
    return Replays(Records(**records))  # type: ignore[arg-type]


def test_the_event_loop_is_free_during_a_replay(monkeypatch: pytest.MonkeyPatch) -> None:
    """A match is replayed outside the event loop: halfway it waits for a signal from the loop."""
    encoded = encode(played("stichling", 2))
    in_the_middle, go_on = Event(), Event()
    count = ReplayBuilder._count

    def waits(builder: ReplayBuilder, index: int, events: tuple[Happening, ...]) -> None:
        in_the_middle.set()
        assert go_on.wait(60), "the loop stands still"
        count(builder, index, events)

    async def make() -> bytes:
        made, request = makers(), ReplayRequest("m", None, 0)
        work = asyncio.create_task(made.packed(tag_of(encoded, request), encoded, request))
        while not in_the_middle.is_set():
            await asyncio.sleep(0.002)
        go_on.set()
        return await work

    monkeypatch.setattr(ReplayBuilder, "_count", waits)
    assert run(make())


def test_replays_are_cached_with_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    encoded = encode(played("sticheln", 3, rounds=1))
    calls: list[ReplayRequest] = []

    def counted(raw: bytes, request: ReplayRequest) -> bytes:
        calls.append(request)
        return pack(raw, request)

    async def make() -> None:
        made = makers()
        wishes = [ReplayRequest("m", seat, 0) for seat in (0, 1, 2, 0, 1, 2, 0)]
        tags = [tag_of(encoded, request) for request in wishes]
        both = zip(tags, wishes, strict=True)
        found = await asyncio.gather(*(made.packed(tag, encoded, request) for tag, request in both))
        assert len(calls) == len(set(found)) == 3
        assert found[0] == found[3] == found[6]
        assert msgspec.json.decode(gzip.decompress(found[1]), type=wire.Replay).seat == 1
        monkeypatch.setattr(replays, "MOST_KEPT", len(found[0]) + 1)
        await made.packed(
            tag_of(encoded, ReplayRequest("n", 0, 0)), encoded, ReplayRequest("n", 0, 0)
        )
        assert len(made.kept) == 1
        assert not made._making

    monkeypatch.setattr(replays, "pack", counted)
    run(make())


def test_concurrent_replays_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    encoded = encode(played("sticheln", 3, rounds=1))
    monkeypatch.setattr(replays, "MOST_WAITING", 2)

    async def make() -> None:
        made = makers()
        wishes = [ReplayRequest("m", seat, 0) for seat in range(3)]
        waits = [made.packed(tag_of(encoded, request), encoded, request) for request in wishes]
        found = await asyncio.gather(*waits, return_exceptions=True)
        assert [type(one) for one in found] == [bytes, bytes, ServerBusyError]
        assert await made.packed(tag_of(encoded, wishes[2]), encoded, wishes[2])

    run(make())


def test_etags_depend_on_record_and_parameters() -> None:
    one, other = (encode(played("sticheln", 3, seed, rounds=1)) for seed in (1, 2))
    wishes = [
        ReplayRequest("m", None, 0),
        ReplayRequest("m", 0, 0),
        ReplayRequest("m", 0, 1),
        ReplayRequest("n", 0, 0),
        ReplayRequest("n", 0, 0, "de"),
    ]
    tags = {tag_of(raw, request) for raw in (one, other) for request in wishes}
    assert len(tags) == 10


def test_requests_for_replays_are_counted(tmp_path: Path) -> None:
    async def ask() -> set[int]:
        limits = msgspec.structs.replace(GENEROUS, http_requests=20, http_seconds=1e6)
        async with running_server(tmp_path, pool=Quick(), limits=limits) as home:
            paths = ("/api/matches/x/replay", "/api/matches/x/review", "/api/calendar/today")
            answers = [(await home.get(path)).status_code for path in paths * 8]
            return set(answers[20:])

    assert run(ask()) == {429}


# -- Stories ---------------------------------------------------------------------------------------


def test_a_story_is_told_to_each_seat_in_its_language(tmp_path: Path) -> None:
    async def ask() -> None:
        async with running_server(tmp_path, pool=Quick()) as home:
            match = await match_of(home)
            match_record = decode(await home.lobby.record(match))
            async with home.client() as client:
                for seat, lang in product((None, 0, 1, 2), ("de", "en")):
                    params = {"lang": lang} | ({} if seat is None else {"seat": str(seat)})
                    answer = await client.get(f"/api/matches/{match}/story", params=params)
                    found = msgspec.json.decode(answer.content, type=Story)
                    names = clear_names(match_record.names)
                    assert found == tell(match_record, seat, lang, names)
                    assert "immutable" in answer.headers["cache-control"]
                    tag = {"If-None-Match": answer.headers["etag"]}
                    again = await client.get(
                        f"/api/matches/{match}/story", params=params, headers=tag
                    )
                    assert again.status_code == 304

    run(ask())


@pytest.mark.parametrize(
    ("path", "status", "error"),
    [
        ("{match}/story?seat=3", 400, "no-such-seat"),
        ("{match}/story?seat=x", 400, "query-no-number"),
        ("nowhere/story", 404, "no-such-match"),
    ],
)
def test_impossible_stories_are_refused(path: str, status: int, error: str, tmp_path: Path) -> None:
    async def ask() -> None:
        async with running_server(tmp_path, pool=Quick()) as home:
            match = await match_of(home)
            answer = await home.get(f"/api/matches/{path.format(match=match)}")
            assert (answer.status_code, answer.json()["error"]) == (status, error)

    run(ask())


def test_stories_and_replays_have_different_tags() -> None:
    raw = encode(played("sticheln", 3, rounds=1))
    tags = {
        tag_of(raw, ReplayRequest("m", None, 0)),
        tag_of(raw, StoryRequest("m", None, "en")),
        tag_of(raw, StoryRequest("m", None, "de")),
        tag_of(raw, StoryRequest("m", 0, "en")),
    }
    assert len(tags) == 4
