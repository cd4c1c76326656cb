"""A custom game at the tables: in the list, with its options, with bots that know it."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import stichwerk
from stichwerk import own_games
from stichwerk.errors import BadFileError, BadGameError, IllegalMoveError
from stichwerk.games import registry
from stichwerk.server import wire
from stichwerk.server.bots.bot_pool import BotPool
from stichwerk.server.http.game_catalogue import game_info
from stichwerk.server.tables.live_table import LiveTable
from tests.server.harness import Quick, begin, first, run, running_server
from tests.server.manual_clock import ManualClock

EXAMPLE = Path(__file__).parents[2] / "docs/examples/own_game.py"


@pytest.fixture
def odd_even(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The server has the example; afterwards there are four games again."""
    monkeypatch.setattr(registry, "GAMES", dict(registry.GAMES))
    monkeypatch.setenv(own_games.VARIABLE, "")
    registry._build.cache_clear()
    own_games.use([str(EXAMPLE)])
    yield
    sys.modules.pop("stichwerk_own_own_game", None)
    registry._build.cache_clear()
    game_info.cache_clear()


@pytest.mark.usefixtures("odd_even")
def test_a_custom_game_is_listed_with_its_options() -> None:
    own_games.use([str(EXAMPLE)])  # once more is the same
    result = game_info("odd-even", "de")
    assert (result.title, result.seats, result.hides_score) == ("odd-even", (3, 4, 5), False)
    wanted, starter = result.options["4"]
    assert (wanted.name, wanted.values, wanted.labels) == (
        "wanted",
        ("odd", "even"),
        ("odd", "even"),
    )
    assert starter.title != "starter", "options of all games have a title in words"


@pytest.mark.slow
@pytest.mark.usefixtures("odd_even")
def test_a_custom_game_is_played_to_its_end_with_an_outlook(tmp_path: Path) -> None:
    async def play() -> None:
        request: dict[str, Any] = {"game": "odd-even", "seats": 3, "options": {"wanted": "even"}}
        async with (
            running_server(tmp_path, pool=Quick()) as home,
            home.party(["Ada", "Ben", "Cem"], **request) as guests,
        ):
            await begin(*guests)
            table = home.live_table(guests[0].table_id).table
            match = guests[0].table
            assert match is not None
            assert match.match is not None
            id = match.match
            view = table.view(None)
            assert view is not None
            turn = next(guest for guest in guests if guest.seat in view.waiting_for)
            seen = await turn.ask(lambda number: wire.Look(id=number, match=id, lang="en"))
            assert isinstance(seen, wire.Outlook)
            own = table.view(turn.seat)
            assert own is not None
            assert [effect.move for effect in seen.effects] == list(own.moves)
            assert {effect.text for effect in seen.effects} == {"you lead"}
            assert seen.situation.heading == "Your turn: lead"
            await asyncio.gather(*(guest.play_on(first) for guest in guests))
            ended = table.view(None)
            assert ended is not None
            assert ended.ranking is not None
            result = await guests[0].ask(lambda number: wire.AskTally(id=number, match=id, round=1))
            assert isinstance(result, wire.TallyDone)
            assert [seat.points for seat in result.seats] == list(ended.scores[0])

    run(play())


@pytest.mark.slow
@pytest.mark.usefixtures("odd_even")
def test_bots_can_play_a_custom_game() -> None:
    """The processes that think read the same file: else all they could do is the first move."""

    async def think() -> None:
        pool = BotPool(workers=1, clock=ManualClock())
        match = stichwerk.game("odd-even", seats=3).new(seed=4)
        view = match.view(match.waiting_for[0])
        try:
            for level in ("easy", "medium", "hard"):
                thought = await pool.move(level, 1, view)
                assert thought.failed is None
                assert thought.move in view.moves
        finally:
            await pool.close()

    run(think())


@pytest.mark.parametrize(
    ("error", "is_logged"),
    [
        (BadGameError("own-game-no-winner", game="mine", cards="R1, Y2"), True),
        (IllegalMoveError("not-your-turn", turn="Ada"), False),
        (ValueError("negative shift count"), True),
    ],
)
def test_a_custom_game_that_fails_at_a_table_is_logged(error: Exception, is_logged: bool) -> None:
    """A refusal is an answer; a fault in the rules is the host's to know."""
    logged: list[object] = []
    log = SimpleNamespace(error=lambda event, error, **facts: logged.append(error))
    live_table: Any = SimpleNamespace(
        tasks=set(), unsure=False, table=SimpleNamespace(id="t"), lobby=SimpleNamespace(log=log)
    )

    async def fail() -> None:
        raise error

    async def end() -> None:
        task = asyncio.create_task(fail())
        await asyncio.wait([task])
        LiveTable._ended(live_table, task)

    run(end())
    assert logged == ([error] if is_logged else [])
    assert live_table.unsure == is_logged


def test_a_missing_file_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(own_games.VARIABLE, "")
    with pytest.raises(BadFileError, match="no-such-file"):
        own_games.use([str(tmp_path / "nothing.py")])
    broken = tmp_path / "broken.py"
    broken.write_text("1 / 0")
    monkeypatch.setenv(own_games.VARIABLE, "")
    with pytest.raises(BadFileError, match="game-file-broken"):
        own_games.use([str(broken)])


@pytest.mark.slow
def test_the_command_says_what_is_wrong(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "stichwerk", "serve", "--lang", "en", "--port", "0"]
    result = subprocess.run(
        [*command, "--data", str(tmp_path), "--game", str(tmp_path / "nothing.py")],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env={**os.environ, "LC_ALL": "C.UTF-8"},
    )
    assert result.returncode != 0
    assert "There is no file" in result.stderr
