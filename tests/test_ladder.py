"""The ladder: figures that are kept and shown as they are, and bots that are not broken."""

import re
import shlex
import xml.etree.ElementTree as ET
from pathlib import Path

import msgspec
import pytest

import stichwerk
from stichwerk import bots, cli
from stichwerk.arena import ladder, ladder_page
from stichwerk.arena.deals import make_plan
from stichwerk.arena.ladder import (
    Figures,
    LadderContest,
    LadderGoal,
    LadderOptions,
    climb,
    read_results,
    verdict,
)
from stichwerk.arena.runner import here
from stichwerk.arena.tournament import Result, Tournament
from stichwerk.games.stichtag.calendar import SHEETS

DOCS = Path(__file__).parents[1] / "docs"
GAMES = ladder.GAMES
KEPT = read_results(DOCS / ladder.RESULTS)
TINY = LadderOptions(jobs=1)


def contest(game: str = "sticheln", deals: int = 2, part: str = "greedy") -> LadderContest:
    return LadderContest(part=part, game=game, a="greedy-1", b="random-1", deals=deals)


def silent(line: str) -> None:
    pass


# -- The page --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["bots.md", *(f"img/{name}" for name in ladder_page.PICTURES)])
def test_the_page_is_up_to_date(name: str) -> None:
    written = (DOCS / name).read_text("utf-8")
    assert written == ladder_page.made(KEPT)[name], "stale: python -m stichwerk.arena.ladder page"


def arena_commands(page: str) -> list[str]:
    return re.findall(r"^stichwerk (arena .*)$", page, re.MULTILINE)


def test_each_printed_command_is_valid() -> None:
    lines = arena_commands(ladder_page.page({}) + ladder_page.page(KEPT))
    assert len(lines) > len([rung for rung in ladder.all_rungs() if rung.part != "pool"])
    for line in dict.fromkeys(lines):
        given = shlex.split(line)[1:]
        context = cli.cli.commands["arena"].make_context("arena", given)
        asked = context.params["bots"].split(",")
        assert [bots.full_name(name) for name in asked] == asked
        options = {"sheets": list(sheets)} if (sheets := context.params["sheets"]) else {}
        stichwerk.game(context.params["game"], context.params["seats"], **options)


CROSS_TABLES = {"pool", "strangers", "characters"}


def test_unmeasured_contests_are_marked() -> None:
    page = ladder_page.page({})
    rungs = [rung for rung in ladder.all_rungs() if rung.part not in CROSS_TABLES]
    assert page.count("| not measured |\n") >= len(rungs)
    strangers = list(ladder.stranger_rungs())
    assert page[page.index("### Against strangers") :].count(" not measured ") > len(strangers)
    assert "met, clear" not in re.sub(r"\*met, clear\*", "", page)


def test_every_bot_is_described() -> None:
    page = ladder_page.page(KEPT)
    for listing in bots.registry.BUILT_IN:
        assert f"| `{listing.full_name}` |" in page
        assert f"`{listing.name}" in page


@pytest.mark.parametrize("name", ladder_page.PICTURES)
def test_pictures_stand_alone(name: str) -> None:
    picture = ET.fromstring(ladder_page.made(KEPT)[f"img/{name}"])
    said = [element.text for element in picture if element.tag.endswith("}desc")]
    assert said == [ladder_page.PICTURES[name]]


def test_the_worst_stranger_is_named() -> None:
    known = {
        rung.key: figures(0.1 if rung.b == "lowest" else 0.4, 0.0, 0.05)
        for rung in ladder.stranger_rungs()
    }
    page = ladder_page.page(known)
    assert page.count("| 10, `lowest` |") == 4 * len(ladder.MEASURED)


# -- The table -------------------------------------------------------------------------------------


def test_the_table_covers_what_is_asked_for() -> None:
    rungs = ladder.all_rungs()
    assert len({rung.key for rung in rungs}) == len(rungs)
    assert {rung.part for rung in rungs} == set(ladder.PARTS)
    assert set(ladder_page.HEADINGS) | CROSS_TABLES == set(ladder.PARTS)
    assert [rung.sheet for rung in ladder.sheet_rungs()] == list(SHEETS)
    assert len(list(ladder.pool_rungs())) == 4 * 30
    assert len(list(ladder.level_rungs())) == 4 * 3
    assert len(list(ladder.stranger_rungs())) == 4 * len(ladder.MEASURED) * 5
    assert all(rung.deals >= ladder.FEWEST for rung in rungs)


def figures(share: float, gap: float, margin: float, seconds: float = 0.01) -> Figures:
    plan = ladder.plan_of([contest()])
    return Figures(
        plan=plan,
        code="",
        deals=2,
        win_share=share,
        win_share_ci=(share - margin, share + margin),
        gap=gap,
        gap_ci=(gap - margin, gap + margin),
        moves=1,
        seconds_per_move=seconds,
        took=1.0,
    )


@pytest.mark.parametrize(
    ("goal", "found", "said"),
    [
        (LadderGoal("share", 0.4), figures(0.5, 0, 0.05), "met, clear"),
        (LadderGoal("share", 0.4), figures(0.5, 0, 0.15), "met, not clear of the interval"),
        (LadderGoal("share", 0.4), figures(0.39, 0, 0.15), "missed"),
        (LadderGoal("share", 0.4), figures(0.5, 0, 0.05, seconds=0.4), "missed (too slow)"),
        (LadderGoal("gap"), figures(0.2, 0.3, 0.2), "met, clear"),
        (LadderGoal("gap"), figures(0.2, 0.3, 0.4), "met, not clear of the interval"),
        (LadderGoal("gap"), figures(0.2, -0.1, 0.4), "missed"),
        (LadderGoal("no loss"), figures(0.2, -0.1, 0.4), "met"),
        (LadderGoal("no loss"), figures(0.2, -0.5, 0.4), "missed"),
        (LadderGoal("share", 0.4), None, "not measured"),
        (None, figures(0.2, 0, 0.1), ""),
    ],
)
def test_verdicts(goal: LadderGoal | None, found: Figures | None, said: str) -> None:
    rung = msgspec.structs.replace(contest(), goal=goal, slowest=0.3)
    assert verdict(rung, found) == said
    more = msgspec.structs.replace(rung, deals=3)
    assert verdict(more, found) == (f"preliminary: {said}" if goal and found else said)


# -- Climbing --------------------------------------------------------------------------------------


def test_an_interrupted_ladder_is_resumed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "ladder.json"
    rungs = [contest(game) for game in GAMES]
    first = climb(rungs[:2], path, TINY, silent)
    assert list(first) == [rung.key for rung in rungs[:2]]
    everything = climb(rungs, path, TINY, silent)
    assert {key: everything[key] for key in first} == first  # the times too: not played again
    assert read_results(path) == everything
    assert climb(rungs, path, LadderOptions(jobs=1, scale=0.1), silent) == everything
    monkeypatch.setattr(ladder, "code_state", lambda: "changed")
    again = climb(rungs[:1], path, TINY, silent)[rungs[0].key]
    assert (again.code, again.win_share) == ("changed", first[rungs[0].key].win_share)


def test_more_deals_are_played_anew(tmp_path: Path) -> None:
    path = tmp_path / "ladder.json"
    climb([contest(deals=2)], path, TINY, silent)
    (found,) = climb([contest(deals=3)], path, TINY, silent).values()
    assert found.deals == 3


def test_no_contest_starts_after_the_time_limit(tmp_path: Path) -> None:
    path = tmp_path / "ladder.json"
    assert climb([contest()], path, LadderOptions(jobs=1, minutes=-1), silent) == {}


def test_a_missing_bot_does_not_stop_the_others(tmp_path: Path) -> None:
    output: list[str] = []
    unknown = msgspec.structs.replace(contest(), a="nobody")
    known = climb([unknown, contest()], tmp_path / "ladder.json", TINY, output.append)
    assert list(known) == [contest().key]
    assert any("nobody" in line for line in output)


def test_the_printed_command_reproduces_its_figure(tmp_path: Path) -> None:
    """A cell of the cross-table, by the command for all of them."""
    rung = contest(part="pool")
    (found,) = climb([rung], tmp_path / "ladder.json", TINY, silent).values()
    plan = make_plan(rung.setting, ["greedy-2", "random-1", "greedy-1"], ladder.SEED)
    with here(plan) as play:
        result = Tournament(plan=plan, deals=2).result(2, 1, play, lambda result: None)
    assert found.win_share == pytest.approx(result.win_shares.mean, abs=1e-6)
    assert found.gap == pytest.approx(result.gaps.mean, abs=1e-6)


def test_the_command_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ladder, "all_rungs", lambda parts=(): [contest()])
    assert ladder.main(["--folder", str(tmp_path), "run", "--only", "greedy", "--jobs", "1"]) == 0
    assert ladder.main(["--folder", str(tmp_path), "page"]) == 0
    assert (tmp_path / "bots.md").exists()


# -- Strength, loosely: what fails here is broken, not merely weaker -------------------------------


def held(game: str, a: str, b: str, deals: int) -> Result:
    plan = make_plan(stichwerk.game(game), [a, b], 1)
    with here(plan) as play:
        return Tournament(plan=plan, deals=deals).result(0, 1, play, lambda result: None)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("bot", ["greedy-1", "greedy-2"])
def test_tactics_beat_random_play(game: str, bot: str) -> None:
    result = held(game, bot, "random-1", 8 if game == "stichtag" else 20)
    assert result.gaps.mean > 0
    assert result.win_shares.mean > 0.3


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_search_does_not_lose(game: str) -> None:
    result = held(game, "flat@100", "greedy-1", 4 if game == "stichtag" else 12)
    assert result.win_shares.mean > 0.2
    assert result.gaps.mean > -1
