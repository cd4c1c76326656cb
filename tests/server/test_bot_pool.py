"""Bots at tables: real worker processes that think, and fake ones that hang, die, lie and flood."""

import asyncio
import io
import json
import re
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

import stichwerk
from stichwerk import bots, own_games
from stichwerk.bots.advice import Advice
from stichwerk.engine.generator import Generator
from stichwerk.errors import ContradictionError
from stichwerk.games import registry
from stichwerk.match import Setting
from stichwerk.server import logs as server_log
from stichwerk.server.bots.bot_pool import (
    BotMove,
    BotPool,
)
from stichwerk.server.bots.bot_worker import fault
from stichwerk.view import View, sample
from tests.bot_packages import path_with, put_many_bots
from tests.own_games import NO_DUTY
from tests.server.bot_pool_setup import (
    FIRST,
    LAST,
    SECONDS,
    VIEW,
    Gate,
    Log,
    has_ended,
    with_fakes,
    with_pool,
    worker_pid,
)
from tests.server.bot_pool_setup import no_process_is_left as no_process_is_left
from tests.server.manual_clock import ManualClock
from tests.strategies import DATES, PAIRS, setting_id

pytestmark = pytest.mark.slow  # with a real server, or thousands of cases


def views(setting: Setting, seed: int, most: int) -> list[View]:
    """Return the views of the seats to move in a random match."""
    match, generator = setting.new(seed=seed), Generator(seed)
    seen: list[View] = []
    while not match.over and len(seen) < most:
        seat = match.waiting_for[0]
        view = match.view(seat)
        seen.append(view)
        match.play(seat, view.moves[generator.number(len(view.moves))])
    return seen


# -- Views on their way ----------------------------------------------------------------------------


GAMES = [
    stichwerk.game("sticheln", seats=4),
    stichwerk.game("null-nichtig", seats=4, teams=2),
    stichwerk.game("stichling", seats=2, discard="hand"),
    stichwerk.game("stichtag", seats=4, date="07-27"),
]

DAYS = [
    *(stichwerk.game("stichtag", seats=4, date=date) for date in DATES),
    *(stichwerk.game("stichtag", seats=4, sheets=sheets) for sheets in PAIRS),
]


@pytest.mark.parametrize("setting", [*GAMES, *DAYS], ids=setting_id)
def test_a_view_survives_the_pipe(setting: Setting) -> None:
    for view in views(setting, seed=5, most=60):
        received = msgspec.json.decode(msgspec.json.encode(view), type=View)
        assert received == view
        for name in ("medium", "hard", "chooser@20"):
            assert bots.build(name, 3).choose(received) == bots.build(name, 3).choose(view)


# -- Thinking --------------------------------------------------------------------------------------


def test_pool_bots_play_the_same_as_local_ones() -> None:
    asked = [
        (bot, view)
        for setting in GAMES
        for bot in ("random", "easy", "hard", "flat@50")
        for view in views(setting, seed=2, most=40)[::8]
    ]

    async def think(pool: BotPool) -> list[BotMove]:
        return await asyncio.gather(*(pool.move(bot, 9, view) for bot, view in asked))

    log = Log()
    first, again = with_pool(think, workers=2, log=log), with_pool(think, workers=1, log=log)
    assert log == []
    assert len({view.phase for _, view in asked}) > 2
    for (bot, view), thought, repeated in zip(asked, first, again, strict=True):
        assert thought.move in view.moves
        assert thought.failed is None
        if bot != "random":  # which continues from its last move
            assert thought == repeated
            assert thought.move == bots.build(bot, 9).choose(view)


def test_advice_has_a_reason_and_alternatives() -> None:
    bot: Any = bots.build("flat@50", 4)
    advice: Advice = bot.advise(VIEW)

    async def ask(pool: BotPool) -> Advice | None:
        return await pool.advise("flat@50", 4, VIEW)

    counsel = with_pool(ask, workers=1)
    assert counsel is not None
    assert counsel == advice
    assert len(counsel.alternatives) > 1


def test_large_views_and_answers_fit_through_the_pipe() -> None:
    large = msgspec.structs.replace(VIEW, names=tuple("n" * 100_000 for _ in VIEW.names))

    async def ask(pool: BotPool) -> Advice | None:
        return await pool.advise("large", 0, large)

    counsel, log = with_fakes(ask)
    assert counsel is not None
    assert len(counsel.alternatives) == 5000
    assert log == []


def test_program_bots_and_unknown_bots_are_refused(tmp_path: Path) -> None:
    made = tmp_path / "made"

    async def ask(pool: BotPool) -> list[BotMove]:
        names = (f"program:touch {made}", "nobody", "hard")
        return [await pool.move(name, 1, VIEW) for name in names]

    log = Log()
    program, nobody, hard = with_pool(ask, workers=1, log=log)
    assert program == nobody == BotMove(move=FIRST, failed="error")
    assert hard.failed is None
    assert not made.exists()
    assert [str(entry["detail"]).split()[0] for entry in log] == ["BadBotError", "UnknownBotError"]


def test_the_event_loop_is_free_while_bots_think(tmp_path: Path) -> None:
    """The worker may answer only when the loop says so: a call that held the loop would wait for
    ever."""
    gate = Gate(tmp_path)

    async def ask(pool: BotPool) -> BotMove:
        thinking = asyncio.create_task(pool.move(gate.bot, 1, VIEW))
        await gate.begun(1)
        gate.open(1)
        return await thinking

    thought, log = with_fakes(ask)
    assert thought == BotMove(move=LAST)
    assert log == []


# -- Workers that fail -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bot", "why"),
    [
        ("die", "died"),
        ("illegal", "illegal"),
        ("none", "illegal"),
        ("error", "error"),
        ("garbage", "error"),
        ("wrong-id", "error"),
        ("endless", "error"),
    ],
)
def test_a_worker_that_fails_is_replaced(bot: str, why: str) -> None:
    async def ask(pool: BotPool) -> tuple[object, BotMove, BotMove, object]:
        before = await worker_pid(pool)
        failed = await pool.move(bot, 0, VIEW)
        good = await pool.move("honest", 0, VIEW)
        return before, failed, good, await worker_pid(pool)

    (before, failed, good, after), log = with_fakes(ask)
    assert failed == BotMove(move=FIRST, failed=why)
    assert good == BotMove(move=LAST)
    assert before != after
    assert [(entry["event"], entry["why"]) for entry in log] == [("bot-failed", why)]


def test_a_hanging_worker_is_replaced_and_the_log_shows_no_cards() -> None:
    clock = ManualClock()

    async def ask(pool: BotPool) -> tuple[BotMove, Advice | None]:
        move = asyncio.create_task(pool.move("sleep", 0, VIEW))
        await clock.expire(SECONDS)
        advice = asyncio.create_task(pool.advise("sleep", 0, VIEW))
        await clock.expire(SECONDS)
        hung, no_counsel = await move, await advice
        assert await pool.move("honest", 0, VIEW) == BotMove(move=LAST)
        return hung, no_counsel

    (hung, no_counsel), log = with_fakes(ask, clock=clock)
    assert hung == BotMove(move=FIRST, failed="slow")
    assert no_counsel is None
    facts = {"bot": "sleep", "game": "sticheln", "seat": VIEW.seat, "why": "slow"}
    assert log == [{"event": "bot-failed", **facts}, {"event": "hint-failed", **facts}]


def test_a_failing_package_bot_affects_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Real workers, with bots that raise, cheat, leave, die and hang."""
    put_many_bots(tmp_path)
    monkeypatch.setenv("PYTHONPATH", path_with(tmp_path))
    clock, log = ManualClock(), Log()
    whys = {"raises": "error", "wrong": "illegal", "odd": "error", "leaves": "died", "dies": "died"}

    async def ask(pool: BotPool) -> None:
        for bot, why in whys.items():
            assert await pool.move(bot, 1, VIEW) == BotMove(move=FIRST, failed=why)
        hanging = asyncio.create_task(pool.move("hangs", 1, VIEW, ("", "a-table", "0")))
        await clock.expire(SECONDS)
        assert await hanging == BotMove(move=FIRST, failed="slow")
        noisy = await pool.move("noisy", 1, VIEW)
        assert noisy == BotMove(move=bots.build("wanderer", 1).choose(VIEW))

    monkeypatch.syspath_prepend(tmp_path)
    with_pool(ask, workers=1, seconds=SECONDS, log=log, clock=clock)
    assert [(entry["bot"], entry["why"]) for entry in log] == [*whys.items(), ("hangs", "slow")]
    assert log[-1] == {
        "event": "bot-failed",
        "bot": "hangs",
        "game": "sticheln",
        "seat": VIEW.seat,
        "table": "a-table",
        "why": "slow",
    }


def test_a_worker_that_dies_between_requests_costs_no_move() -> None:
    async def ask(pool: BotPool) -> list[object]:
        last_words = await pool.advise("die-later", 0, VIEW)
        assert last_words is not None
        while not has_ended(int(str(last_words.reason.data["pid"]))):
            await asyncio.sleep(0.002)
        for _ in range(10):  # turns of the event loop, which learns of it by a closed pipe
            await asyncio.sleep(0)
        return [last_words.move, await pool.move("honest", 0, VIEW)]

    answers, log = with_fakes(ask)
    assert answers == [LAST, BotMove(move=LAST)]
    assert log == []


def test_a_bot_without_advice_is_not_a_failure() -> None:
    async def ask(pool: BotPool) -> tuple[object, Advice | None, object]:
        before = await worker_pid(pool)
        counsel = await pool.advise("mute", 0, VIEW)
        return before, counsel, await worker_pid(pool)

    (before, counsel, after), log = with_fakes(ask)
    assert counsel is None
    assert before == after
    assert log == []


def test_the_default_move_is_played_if_no_worker_can_start() -> None:
    async def ask(pool: BotPool) -> BotMove:
        return await pool.move("hard", 0, VIEW)

    for command in (("/nowhere/to/be/found",), (sys.executable, "-S", "-c", "pass")):
        thought, log = with_fakes(ask, command=command)
        assert thought == BotMove(move=FIRST, failed="died")
        assert len(log) == 1


def test_a_failing_log_stops_no_bot() -> None:
    def broken(*_: object, **__: object) -> None:
        raise OSError("disk full")

    async def ask(pool: BotPool) -> list[BotMove]:
        return [await pool.move(bot, 0, VIEW) for bot in ("garbage", "honest")]

    thoughts, _ = with_fakes(ask, log=broken)
    assert thoughts == [BotMove(move=FIRST, failed="error"), BotMove(move=LAST)]


def test_a_game_whose_rules_contradict_one_another_is_named_and_costs_one_move(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bot finds no deal that fits: it says so at once, without cards, and others continue."""
    file = tmp_path / "no_duty_at_a_table.py"
    file.write_text(NO_DUTY, "utf-8")
    monkeypatch.setattr(registry, "GAMES", dict(registry.GAMES))
    monkeypatch.setenv(own_games.VARIABLE, "")
    setting = Setting(own_games.named(str(file)), 3, {})
    seen = [view for seed in range(5) for view in views(setting, seed, 24) if is_impossible(view)]

    async def ask(pool: BotPool) -> list[BotMove]:
        return [await pool.move(bot, 0, seen[0]) for bot in ("flat", "greedy")]

    log = Log()
    failed, fine = with_pool(ask, workers=1, log=log)
    assert failed == BotMove(move=seen[0].moves[0], failed="error")
    assert fine.failed is None
    (entry,) = log
    assert (entry["event"], entry["game"], entry["why"]) == ("bot-failed", "odd-even", "error")
    assert (entry["error"], entry["method"]) == ("no-deal-fits", "may_play")
    stream = io.StringIO()
    server_log.Log(stream, human=False, strict=True).warn(str(entry.pop("event")), **entry)
    line = json.loads(stream.getvalue())
    assert (line["error"], line["method"]) == ("no-deal-fits", "may_play"), "it gets into the log"
    assert re.fullmatch(r"ContradictionError in \w+\.py:\d+", line["detail"])
    assert not re.search(r"\b[RYGB]\d", stream.getvalue())


def is_impossible(view: View) -> bool:
    """Return whether no deal fits a view that has a choice to make."""
    try:
        sample(view, Generator(1))
    except ContradictionError:
        return len(view.moves) > 1
    return False


def test_exception_texts_are_not_logged() -> None:
    with pytest.raises(ValueError, match="R7") as caught:
        raise ValueError("R7")
    assert fault(caught.value).startswith("ValueError in test_bot_pool.py:")
    assert fault(KeyError("R7")) == "KeyError"
