"""Runs of the arena: going on after an interruption, what is shown, and refusals."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from statistics import fmean
from xml.etree import ElementTree

import pytest

from stichwerk.arena import command, runner
from stichwerk.arena.chart import draw
from stichwerk.arena.deals import (
    ArenaError,
    Plan,
)
from stichwerk.arena.journal import Journal
from stichwerk.arena.ratings import rate
from stichwerk.arena.runner import here
from stichwerk.arena.tournament import Result, Tournament
from stichwerk.bots import full_name
from tests.arena_setup import bare_plan, call, held, leave, made, plan_of, settled
from tests.arena_setup import english as english

COMMAND = (sys.executable, "-c", "import sys; from stichwerk.cli import main; sys.exit(main())")

GREEDY = full_name("greedy")  # its newest version

SVG = "{http://www.w3.org/2000/svg}"


def without_times(text: str) -> dict[str, object]:
    found: dict[str, object] = json.loads(text)
    found.pop("seconds_per_move")
    return found


# -- Going on after an interruption ----------------------------------------------------------------


def test_a_journal_saves_playing_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan, path = plan_of("random", "greedy"), str(tmp_path / "journal")
    with Journal(path, plan) as journal:
        (first,) = held(plan, 6, journal)
    monkeypatch.setattr(runner, "play_deal", leave)  # would end us
    with Journal(path, plan) as journal:
        (again,) = held(plan, 6, journal)
    assert again.outcomes == first.outcomes  # with their times


@pytest.mark.parametrize("cut", [1, 30, 250])
def test_an_incomplete_line_is_played_again(tmp_path: Path, cut: int) -> None:
    plan, path = plan_of("random", "greedy"), tmp_path / "journal"
    with Journal(str(path), plan) as journal:
        (whole,) = held(plan, 4, journal)
    path.write_bytes(path.read_bytes()[:-cut])
    with Journal(str(path), plan) as journal:
        assert 2 <= len(journal.known) < 4
        (result,) = held(plan, 6, journal)
    assert settled(result.outcomes)[:4] == settled(whole.outcomes)
    lines = path.read_bytes().splitlines()
    assert [json.loads(line)["deal"] for line in lines[1:]] == [0, 1, 2, 3, 4, 5]


def test_an_incomplete_header_is_rewritten(tmp_path: Path) -> None:
    plan, path = plan_of("random", "greedy"), tmp_path / "journal"
    Journal(str(path), plan).close()
    whole = path.read_bytes()
    path.write_bytes(whole[:20])
    Journal(str(path), plan).close()
    assert path.read_bytes() == whole


@pytest.mark.parametrize(
    ("other", "fact"),
    [
        (plan_of("random", "random"), "bots"),
        (plan_of("random", "greedy", seed=2), "seed"),
        (plan_of("random", "greedy", seats=3), "seats"),
        (plan_of("random", "greedy", all_zero="leader"), "options"),
        (plan_of("random", "greedy", game="stichling"), "game"),
        (plan_of("random", "greedy", unit="match"), "unit"),
    ],
)
def test_a_journal_of_another_plan_is_left_alone(tmp_path: Path, other: Plan, fact: str) -> None:
    path = tmp_path / "journal"
    Journal(str(path), plan_of("random", "greedy")).close()
    before = path.read_bytes()
    with pytest.raises(ArenaError, match="arena-other-plan") as refused:
        Journal(str(path), other)
    assert refused.value.data["fact"] == fact
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "data", [b"my diary", b"my diary\n", b"{}\n", b'{"format":"x"}\n', b"\xff\n"]
)
def test_another_file_is_left_alone(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "diary"
    path.write_bytes(data)
    with pytest.raises(ArenaError, match="arena-no-journal"):
        Journal(str(path), plan_of("random", "greedy"))
    assert path.read_bytes() == data


@pytest.mark.parametrize("line", [b"nonsense", b"{}", b"\xff"])
def test_a_broken_line_is_reported(tmp_path: Path, line: bytes) -> None:
    plan, path = plan_of("random", "greedy"), tmp_path / "journal"
    with Journal(str(path), plan) as journal:
        held(plan, 1, journal)
    path.write_bytes(path.read_bytes() + line + b"\n")
    with pytest.raises(ArenaError, match="arena-bad-line") as refused:
        Journal(str(path), plan)
    assert refused.value.data["line"] == 3


def test_a_line_with_other_seats_is_reported(tmp_path: Path) -> None:
    plan, path = plan_of("random", "greedy"), str(tmp_path / "journal")
    with Journal(path, plan) as journal:
        journal.append(made(0, ((1, 0), (0, 1))))
    with pytest.raises(ArenaError, match="arena-bad-line"):
        Journal(path, plan)


def interrupted_run(path: Path, wanted: int, *run_options: str) -> "subprocess.Popen[str]":
    """Start a very long run in a separate process; return it once some deals are stored."""
    endless = ["arena", "sticheln", "--deals", "1000000", "--resume", str(path), *run_options]
    running = subprocess.Popen([*COMMAND, *endless], stderr=subprocess.PIPE, text=True)
    end = time.monotonic() + 300
    while not path.exists() or path.read_bytes().count(b"\n") <= wanted:
        assert running.poll() is None
        assert time.monotonic() < end
        time.sleep(0.02)
    return running


@pytest.mark.slow
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_killed_run_can_be_resumed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], jobs: str
) -> None:
    path, bots = tmp_path / "journal", ("--bots", "greedy,random")
    running = interrupted_run(path, 5, *bots, "--seed", "4", "--jobs", jobs)
    running.kill()
    running.communicate()
    kept = path.read_bytes().count(b"\n") - 1
    deals = ("--deals", str(kept + 5), "--jobs", "1", "--json")
    code, resumed, _ = call(capsys, "sticheln", *bots, *deals, "--resume", str(path))
    assert code == 0
    _, fresh, _ = call(capsys, "sticheln", *bots, *deals, "--seed", "4")
    assert without_times(resumed) == without_times(fresh)


def test_ctrl_c_reports_what_is_stored(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    running = interrupted_run(path, 3, "--bots", "random,random", "--jobs", "2", "--lang", "de")
    running.send_signal(signal.SIGINT)
    _, err = running.communicate(timeout=300)
    kept = path.read_bytes().count(b"\n") - 1
    assert running.returncode == 130
    assert err.strip().startswith(f"Unterbrochen. {kept} Kartenverteilungen stehen in {path}")
    assert "Traceback" not in err


# -- What is shown ---------------------------------------------------------------------------------


@pytest.mark.slow
def test_json_of_two_bots(capsys: pytest.CaptureFixture[str]) -> None:
    args = ("sticheln", "--bots", "greedy,random", "--deals", "8", "--seed", "3", "--json")
    code, out, err = call(capsys, *args, "--jobs", "1")
    found = json.loads(out)
    assert (code, err) == (0, "")
    assert (found["game"], found["seats"], found["seed"]) == ("sticheln", 4, 3)
    assert found["options"] == {"all_zero": "nobody", "rounds": 4, "starter": None}
    assert found["bots"] == [GREEDY, "random-1"]
    assert (found["a"], found["b"]) == (GREEDY, "random-1")
    assert (found["deals"], found["games"], found["unit"]) == (8, 32, "round")
    assert found["gap_ci"][0] < found["gap"] < found["gap_ci"][1]
    assert found["win_share_ci"][0] <= found["win_share"] <= found["win_share_ci"][1]
    assert found["seconds_per_move"] > 0
    assert found["gap"] == pytest.approx(fmean(found["gaps"]))
    assert [rating["bot"] for rating in found["ratings"]] == [GREEDY, "random-1"]
    assert "sprt" not in found
    _, again, _ = call(capsys, *args, "--jobs", "2")
    assert without_times(again) == without_times(out)


def test_json_with_a_test(capsys: pytest.CaptureFixture[str]) -> None:
    args = ("--bots", "greedy,random", "--deals", "100", "--sprt", "0,1", "--json")
    _, out, _ = call(capsys, "sticheln", *args)
    found = json.loads(out)
    assert found["deals"] < 100
    assert found["sprt"]["decision"] == "h1"
    assert found["sprt"]["llr"] > found["sprt"]["bounds"][1] == pytest.approx(2.944, abs=0.001)


def test_json_of_a_pool(capsys: pytest.CaptureFixture[str]) -> None:
    args = ("--seats", "3", "--bots", "random,greedy,random", "--deals", "6", "--json")
    code, out, _ = call(capsys, "sticheln", *args, "--seed", "1", "--jobs", "1")
    found = json.loads(out)
    assert code == 0
    assert "win_share" not in found
    names = [(pair["a"], pair["b"]) for pair in found["pairs"]]
    assert len(names) == 6
    assert names.count((GREEDY, "random-1")) == names.count(("random-1", GREEDY)) == 2
    for pair in found["pairs"]:
        assert pair["deals"] == 6
        if pair["a"] == GREEDY:
            assert pair["gap"] > 0
        elif pair["b"] == GREEDY:
            assert pair["gap"] < 0
    assert found["ratings"][0]["bot"] == GREEDY


def test_one_deal_has_no_interval(capsys: pytest.CaptureFixture[str]) -> None:
    args = ("--bots", "greedy,random", "--deals", "1", "--jobs", "1")
    _, out, _ = call(capsys, "sticheln", *args, "--json")
    found = json.loads(out)
    assert (found["gap_ci"], found["win_share_ci"]) == (None, [0, 1])
    assert call(capsys, "sticheln", *args)[0] == 0


@pytest.mark.parametrize("unit", ["round", "match"])
def test_the_report_explains_what_a_deal_is(capsys: pytest.CaptureFixture[str], unit: str) -> None:
    args = ("--bots", "random,random", "--deals", "1", "--jobs", "1", "--unit", unit)
    _, out, _ = call(capsys, "stichtag", *args, "--json")
    assert json.loads(out)["unit"] == unit
    assert ("round_share" in json.loads(out)) == (unit == "match")
    _, out, _ = call(capsys, "stichtag", *args)
    assert f"A deal is a {'whole match' if unit == 'match' else 'round'}," in out
    assert ("rounds won by A" in out) == (unit == "match")


@pytest.mark.parametrize(
    ("lang", "words"),
    [
        ("en", ["Sticheln, 3 seats, seed 1", "win share of A", "A (row) against B", "rating", "."]),
        ("de", ["Sticheln, 3 Plätze, Startwert 1", "Siege von A", "A (Zeile)", "Wertung", ","]),
    ],
)
def test_tables(capsys: pytest.CaptureFixture[str], lang: str, words: list[str]) -> None:
    args = ("--seats", "3", "--bots", "random,greedy,random-1", "--deals", "3", "--seed", "1")
    code, out, _ = call(capsys, "sticheln", *args, "--jobs", "1", "--lang", lang)
    assert code == 0
    assert [word for word in words if word not in out] == []
    assert out.count(GREEDY) == 4 + 2 + 1  # pairs, cross-table, ratings


def test_without_openskill_ratings_are_left_out(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "openskill.models", None)
    args = ("sticheln", "--bots", "random,greedy", "--deals", "2", "--jobs", "1")
    _, out, _ = call(capsys, *args)
    assert "pip install 'stichwerk[arena]'" in out
    _, out, _ = call(capsys, *args, "--json")
    assert json.loads(out)["ratings"] is None


def test_ratings_follow_victories() -> None:
    plan = plan_of("random", "greedy")
    result = Result(plan, 0, 1)
    for deal in range(5):
        result.add(made(deal, ((9, 0, 0, 0), (0, 9, 0, 0), (0, 0, 9, 0), (0, 0, 0, 9))))
    ratings = rate(plan, [result])
    assert ratings
    assert [rating.bot for rating in ratings] == ["random-1", GREEDY]
    assert ratings[0].mu > 25 > ratings[1].mu


def test_pictures_are_valid(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.svg"
    args = ("--bots", "greedy,random", "--deals", "30", "--jobs", "1", "--picture", str(path))
    assert call(capsys, "sticheln", *args, "--sprt", "0,1")[0] == 0
    tree = ElementTree.fromstring(path.read_text("utf-8"))
    assert len(tree.findall(f"{SVG}path")) == 2  # the band and the mean
    assert f"{GREEDY} – random-1" in [text.text for text in tree.iter(f"{SVG}text")]


def test_picture_of_a_pool() -> None:
    plan = plan_of("random", "greedy", "random")
    tree = ElementTree.fromstring(draw(plan, held(plan, 1), "de"))
    assert len(tree.findall(f"{SVG}rect")) == 1 + 6  # paper and cells
    assert len(tree.findall(f"{SVG}circle")) == 6


def test_names_of_programs_do_not_break_a_picture() -> None:
    plan = bare_plan("program:<&>\x1b" * 9, "b", seats=2)
    result = Result(plan, 0, 1)
    result.add(made(0, ((1, 0), (0, 1))))
    ElementTree.fromstring(draw(plan, [result], "en"))


def test_a_bar_shows_the_running_interval(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "200")
    plan = plan_of("greedy", "random")
    with command.watching(plan, 4, "en") as watch, here(plan) as play:
        Tournament(plan=plan, deals=4).results(play, watch)
    err = capsys.readouterr().err
    assert f"{GREEDY} – random-1" in err
    assert "±" in err
    assert "4/4" in err


# -- Refusals --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("run_options", "english", "german"),
    [
        ("--bots random", "needs at least two bots", "braucht mindestens zwei Bots"),
        ("--bots random,nobody", "There is no bot 'nobody'", "Den Bot „nobody“ gibt es nicht"),
        ("--bots random,random --sprt 1,0", "the lower one first", "den kleineren zuerst"),
        ("--bots random,random --on mars", "cannot play on 'mars'", "Auf „mars“ kann die Arena"),
        ("--bots random,random --unit year", "cannot be 'year'", "nicht „year“ sein"),
        ("--bots random,random --deals 0", "--deals needs a", "--deals braucht eine"),
        ("--bots random,random --jobs x", "--jobs needs a", "--jobs braucht eine"),
        ("--bots random,random --resume {diary}", "not a journal", "kein Protokoll"),
        ("--bots random,random --picture {folder}", "folder", "Ordner"),
    ],
)
def test_bad_input(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], run_options: str, english: str, german: str
) -> None:
    diary = tmp_path / "diary"
    diary.write_text("Dear diary")
    args = run_options.format(diary=diary, folder=tmp_path).split()
    for lang, words in (("en", english), ("de", german)):
        code, out, err = call(capsys, "sticheln", *args, "--lang", lang)
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert words in err
