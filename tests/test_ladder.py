"""The ladder: figures that are kept and shown as they are, and bots that are not broken."""

import re
import shlex
import xml.etree.ElementTree as ET
from itertools import pairwise, permutations
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import msgspec
import pytest

import stichwerk
from stichwerk import bots, cli
from stichwerk.arena import (
    beliefs,
    ladder,
    ladder_beliefs,
    ladder_calendar,
    ladder_matches,
    ladder_page,
    ladder_pool,
    training_curves,
)
from stichwerk.arena.deals import Task, make_plan, play_deal, rounds_won
from stichwerk.arena.ladder import (
    Figures,
    LadderContest,
    LadderGoal,
    LadderOptions,
    climb,
    read_results,
    verdict,
)
from stichwerk.arena.ladder_beliefs import BeliefFigures, BeliefRung
from stichwerk.arena.ladder_text import command
from stichwerk.arena.runner import here
from stichwerk.arena.tournament import Result, Tournament
from stichwerk.games.stichtag.calendar import SHEETS
from stichwerk.match import Match

DOCS = Path(__file__).parents[1] / "docs"
GAMES = ladder.GAMES
KEPT = read_results(DOCS / ladder.RESULTS)
MADE = ladder_page.made_in(DOCS)
TINY = LadderOptions(jobs=1)


def contest(game: str = "sticheln", deals: int = 2, part: str = "greedy") -> LadderContest:
    return LadderContest(part=part, game=game, a="greedy-1", b="random-1", deals=deals)


def silent(line: str) -> None:
    pass


# -- The page --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["bots.md", *(f"img/{name}" for name in ladder_page.PICTURES)])
def test_the_page_is_up_to_date(name: str) -> None:
    written = (DOCS / name).read_text("utf-8")
    assert written == MADE[name], "stale: python -m stichwerk.arena.ladder page"


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


OWN_TABLES = {
    "pool",
    "strangers",
    "matches",
    "characters",
    "alone",
    "dates",
}  # parts without goals, with tables of their own


def test_unmeasured_contests_are_marked() -> None:
    page = ladder_page.page({})
    rungs = [rung for rung in ladder.all_rungs() if rung.part not in OWN_TABLES]
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
    picture = ET.fromstring(MADE[f"img/{name}"])
    said = [element.text for element in picture if element.tag.endswith("}desc")]
    assert said == [ladder_page.PICTURES[name]]


def test_the_worst_stranger_is_named() -> None:
    known = {
        rung.key: figures(0.1 if rung.b == "lowest" else 0.4, 0.0, 0.05)
        for rung in ladder.stranger_rungs()
    }
    page = ladder_page.page(known)
    assert page.count("| 10, `lowest` |\n") == 4 * len(ladder.MEASURED) + len(ladder.MEASURED)
    summary = re.search(r"\| worst cell of \|.*\n.*\n(.*)", page)
    assert summary
    assert summary[1] == "| `medium-1` |" + 4 * " 10, `lowest` |"
    assert ladder_page.worst_of({"lowest": figures(0.1, 0.0, 0.05), "moody": None}) == (
        "≤ 10, `lowest`"
    )


def test_figures_of_an_earlier_version_are_left_out(tmp_path: Path) -> None:
    key = next(rung.key for rung in ladder.master_rungs())
    found = figures(0.4, 0.0, 0.05)
    for version, kept in (("master-1", False), (bots.full_name("master"), True)):
        plan = msgspec.structs.replace(found.plan, bots=(version, "expert-1"))
        known = {key: msgspec.structs.replace(found, plan=plan)}
        ladder.write_results(tmp_path / "ladder.json", known)
        assert (key in ladder.read_results(tmp_path / "ladder.json")) is kept


# -- The table -------------------------------------------------------------------------------------


def test_the_table_covers_what_is_asked_for() -> None:
    rungs = ladder.all_rungs()
    assert len({rung.key for rung in rungs}) == len(rungs)
    assert {rung.part for rung in rungs} == set(ladder.PARTS)
    assert set(ladder_page.HEADINGS) | OWN_TABLES == set(ladder.PARTS)
    assert [rung.sheet for rung in ladder.sheet_rungs()] == list(SHEETS)
    assert len(list(ladder.match_rungs())) == 4 * (
        3 * 4 - 1 + 1
    )  # expert is no rival of itself, master has its old self
    assert [rung.sheet for rung in ladder.alone_rungs()] == 2 * list(SHEETS)
    dates = [rung for rung in ladder.date_rungs() if rung.a == "master"]
    assert len(dates) == 2 * len([rung for rung in dates if ladder.is_held_out(rung)]) == 72
    assert len(list(ladder.level_rungs())) == (4 + 4 + 4 + 3) * 3
    assert len(list(ladder.stranger_rungs())) == 4 * len(ladder.MEASURED) * 6
    assert all(rung.deals >= ladder.FEWEST for rung in rungs)


@pytest.mark.parametrize("game", GAMES)
def test_the_cross_table_has_every_pair_once(game: str) -> None:
    pool = ladder.pool(game)
    assert set(ladder_pool.cells_of(game)) == set(permutations(pool, 2))
    assert set(ladder.STYLES) < set(pool)
    assert "net-0" in pool
    played = [rung for rung in ladder.all_rungs() if rung.game == game]
    pairs = [(rung.a, rung.b) for rung in played if rung.part in {"pool", "strangers"}]
    assert len(set(pairs)) == len(pairs)


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


def test_a_new_contest_is_played_and_an_old_one_is_left(tmp_path: Path) -> None:
    path = tmp_path / "ladder.json"
    first = climb([contest()], path, TINY, silent)
    new = LadderOptions(jobs=1, new=True)
    more = climb([contest(deals=3), contest("stichling")], path, new, silent)
    assert more[contest().key] == first[contest().key]
    assert len(more) == 2


def test_matches_and_rounds_stand_beside_each_other(tmp_path: Path) -> None:
    rung = msgspec.structs.replace(contest("null-nichtig", part="matches"), unit="match")
    (found,) = climb([rung], tmp_path / "ladder.json", TINY, silent).values()
    plan = ladder.plan_of([rung])
    assert plan.unit == "match"
    outcomes = [play_deal(plan, Task(0, 1, deal)) for deal in range(2)]
    wins = [share for outcome in outcomes for share in outcome.rounds_won]
    assert found.round_share == pytest.approx(sum(wins) / 8, abs=1e-6)
    assert 0 < sum(wins) < 8
    assert found.win_share == pytest.approx(sum(one.win_share for one in outcomes) / 2, abs=1e-6)
    shown = ladder_matches.match_row(rung, found)
    assert shown[3].startswith(f"{100 * found.win_share:.1f} %")
    assert shown[4].startswith(f"{100 * sum(wins) / 8:.1f} %")
    assert command(rung, found).endswith("--unit match")
    two = cast("Match", SimpleNamespace(scores=((3, 1, 3, 0), (0, 5, 1, 1))))
    assert [rounds_won(rung.setting, two, seat) for seat in range(4)] == [0.25, 0.5, 0.25, 0]
    once = play_deal(ladder.plan_of([contest()]), Task(0, 1, 0))
    assert once.rounds_won == ()


def test_master_is_asked_for_as_many_matches_as_rounds() -> None:
    rounds = {(rung.game, rung.b): rung.goal for rung in ladder.master_rungs()}
    asked = {(rung.game, rung.b): rung.goal for rung in ladder.match_rungs() if rung.goal}
    assert len(asked) == 2 * len(GAMES)
    assert asked == {key: rounds[key] for key in asked}
    rung = next(rung for rung in ladder.match_rungs() if rung.goal)
    assert ladder_matches.match_row(rung, figures(0.9, 1.0, 0.05))[-1].endswith("met, clear")
    assert ladder_matches.match_row(rung, None)[-1] == "not measured"


# -- The calendar ----------------------------------------------------------------------------------


def test_sheets_alone_are_summed_up() -> None:
    rungs = list(ladder.alone_rungs())
    bad = next(rung for rung in rungs if rung.b == "random-1")
    known = {rung.key: figures(0.6, 1.0, 0.05) for rung in [*rungs, *ladder.sheet_rungs()]}
    known[bad.key] = figures(0.4, 1.0, 0.05)
    written = "\n".join(ladder_calendar.alone_section(known))
    assert written.count("| clearly worse |") == 1
    assert f"| {bad.sheet} | 40.0 % (35.0–45.0) | 60.0 % (55.0–65.0) |" in written
    assert "| *mean* | 59.2 % ± 1.6 | 60.0 % ± 0.0 | 60.0 % ± 0.0 |" in written


def test_dates_are_compared_by_whether_a_net_has_seen_them() -> None:
    rungs = [rung for rung in ladder.date_rungs() if rung.a == "master"]
    assert not {rung.date for rung in rungs if ladder.is_held_out(rung)} & set(
        ladder.trained_dates("stichtag")
    )
    known = {
        rung.key: figures(0.3 if ladder.is_held_out(rung) else 0.4, 0.0, 0.1) for rung in rungs[:-1]
    }
    written = "\n".join(ladder_calendar.date_section(known))
    assert "| `master` | 30.0 % ± 0.0 | 40.0 % ± 0.0, 35 of 36 |" in written
    assert "| `greedy-2` | not measured | not measured |" in written
    assert "--date 01-07" in written


# -- Beliefs ---------------------------------------------------------------------------------------


def belief(careful: float, margin: float, matches: int = ladder_beliefs.MATCHES) -> BeliefFigures:
    return BeliefFigures(
        code="",
        matches=matches,
        decisions=9,
        loss={"sure": 1.5, "careful": careful},
        margin={"sure": 0.1, "careful": margin},
        took=1.0,
    )


@pytest.mark.parametrize(
    ("bot", "found", "said"),
    [
        ("hard-2", belief(0.8, 0.05), "met, clear"),
        ("hard-2", belief(0.88, 0.05), "met, not clear of the interval"),
        ("hard-2", belief(0.95, 0.01), "missed"),
        ("lowest", belief(0.95, 0.01), "met, clear"),
        ("lowest", belief(1.01, 0.5), "missed"),
        ("lowest", belief(0.95, 0.01, 2), "preliminary: met, clear"),
    ],
)
def test_goals_of_beliefs(bot: str, found: BeliefFigures, said: str) -> None:
    assert ladder_beliefs.verdict(BeliefRung("sticheln", bot), found) == said


def test_the_worst_table_of_beliefs_is_named() -> None:
    known = {
        rung.key: belief(1.2 if rung.bot == "lowest" else 0.8, 0.1)
        for rung in ladder_beliefs.rungs()
        if rung.bot != "moody"
    }
    written = "\n".join(ladder_beliefs.belief_section(known))
    assert written.count("| *worst* |") == written.count("1.20, `lowest`") == 4
    assert written.count("| `moody` |") == written.count("| not measured |") == 4


def test_beliefs_are_measured_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ladder_beliefs, "rungs", lambda: [BeliefRung("sticheln", "greedy-1")])
    few = LadderOptions(scale=0.1)
    first = ladder_beliefs.climb(tmp_path, few, silent)
    (found,) = first.values()
    assert (found.matches, set(found.loss)) == (2, set(beliefs.KINDS))
    assert found.decisions > 0
    assert ladder_beliefs.climb(tmp_path, few, silent) == first  # the time, too
    assert ladder_beliefs.read_results(tmp_path / ladder_beliefs.RESULTS) == first
    monkeypatch.setattr(ladder_beliefs, "code_state", lambda: "changed")
    (again,) = ladder_beliefs.climb(tmp_path, few, silent).values()
    assert (again.code, again.loss) == ("changed", found.loss)


def test_no_table_is_begun_after_the_time_limit(tmp_path: Path) -> None:
    rest = LadderOptions(minutes=1).after(61)
    assert ladder_beliefs.climb(tmp_path, rest, silent) == {}
    assert LadderOptions().after(61).minutes is None


def test_the_margin_of_a_ratio() -> None:
    assert beliefs.ratio([1.0, 3.0], [2.0, 2.0]) == 1
    assert beliefs.ratio_margin([2.0, 2.0, 2.0, 4.0], [1.0, 1.0, 1.0, 2.0]) == 0
    spread = beliefs.ratio_margin([1.0, 3.0, 1.0, 3.0], [2.0] * 4)
    assert spread == pytest.approx(3.182 * (4 / 3) ** 0.5 / 2 / 2, rel=1e-2)


# -- Curves of training ----------------------------------------------------------------------------


def point(iteration: int, share: float, rival: str = "full") -> str:
    return (
        f'{{"iteration":{iteration},"decisions":{iteration * 1000},"error":0.5,'
        f'"shares":{{"{rival}":{share}}}}}\n'
    )


def test_curves_are_read_and_shown(tmp_path: Path) -> None:
    own, exploiter = tmp_path / "sticheln", tmp_path / "exploiters/sticheln-net-1"
    exploiter.mkdir(parents=True)
    own.mkdir()
    # The second point was measured again after an interruption.
    lines = [point(20, 0.2), point(40, 0.25), point(40, 0.3)]
    (own / "curve.jsonl").write_text("".join(lines))
    lines = [point(0, 0.25, "net-1"), point(20, 0.35, "net-1")]
    (exploiter / "curve.jsonl").write_text("".join(lines))
    (exploiter / "made.json").write_text('{"command":"stichwerk train x","commit":""}')
    curves = training_curves.read_curves(tmp_path)
    assert [one.shares["full"] for one in curves.nets["sticheln"]] == [0.2, 0.3]
    page = "\n\n".join(
        [*training_curves.training_section(curves), *training_curves.exploiter_section(curves)]
    )
    assert "| Sticheln | 0.0 million | 30 % |" in page
    assert "| 25.0 % ± 2.1 | 35.0 % ± 2.3 | +10.0 % | +0.00 |" in page
    assert "stichwerk train x" in page
    picture = training_curves.made(curves)["training-sticheln.svg"]
    assert ">full 30 %<" in picture
    assert picture.count("<path ") == 1


def test_labels_of_curves_do_not_overlap() -> None:
    places = training_curves.label_places({"a": 300.0, "b": 299.0, "c": 301.0, "d": 70.0})
    found = sorted(places.values())
    assert all(below - above >= 14 for above, below in pairwise(found))
    high = training_curves.label_places({"a": 66.0, "b": 65.0, "c": 66.0})
    assert sorted(high.values()) == [65.0, 80.0, 95.0]  # downwards, as there is no room above
    assert places["b"] < places["a"] < places["c"] <= training_curves.TOP + training_curves.HEIGHT


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
