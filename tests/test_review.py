"""The review of a match: a blunder is found, luck and skill add up, everything is reported in
three ways."""

import io
import json
from functools import cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import msgspec
import pytest

import stichwerk
from stichwerk import bots, cli
from stichwerk.bots.search import SearchBot
from stichwerk.errors import StichwerkError
from stichwerk.locale import LANGUAGES, sentences, text
from stichwerk.match import Match
from stichwerk.record import Record, encode, record
from stichwerk.review.account import MatchReview, review
from stichwerk.review.chart import draw
from stichwerk.review.decisions import finished_rounds
from stichwerk.review.files import read_record
from stichwerk.review.formatting import title, told_title
from stichwerk.review.luck import luck_of
from stichwerk.review.report import to_json
from stichwerk.simulate import play_match

SVG = "{http://www.w3.org/2000/svg}"
JUDGE = "flat@120"
TABLES: dict[str, dict[str, object]] = {
    "sticheln": {"rounds": 2},
    "null-nichtig": {"target": 40},
    "stichling": {},
    "stichtag": {"rounds": 2},
}
DAYS = ("02-11", "08-17", "12-04")  # with extra choices of several kinds


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "C.UTF-8")


@cache
def a_record(game: str, **options: Any) -> Record:
    """Return a match of greedy bots."""
    setting = stichwerk.game(game, seats=4, **(options or TABLES[game]))
    return record(play_match(setting, ["greedy", "random", "greedy", "greedy"], 3))


@cache
def reviewed(game: str, **options: Any) -> MatchReview:
    return review(a_record(game, **options), JUDGE, play_outs=40)


def blunder(match: Match, judge: SearchBot) -> tuple[int, str]:
    """Return the worst move that the judge finds for the seat whose turn it is, if it is bad
    enough."""
    seat = match.waiting_for[0]
    view = match.view(seat)
    gaps = {move: judge.gap(view, judge.choose(view), move) for move in view.moves}
    worst = max(gaps, key=lambda move: gaps[move][0])
    return (seat, worst) if gaps[worst][0] > 8 else (seat, "")


@cache
def with_blunder() -> tuple[Record, int, int, str]:
    """Play a round of search bots in which one seat makes one clearly bad move."""
    return next(found for seed in range(8, 28) if (found := blundered(seed)) is not None)


def blundered(seed: int) -> tuple[Record, int, int, str] | None:
    """Play the round of this seed; return record, seat, trick and move, if it had room for a
    blunder."""
    match = stichwerk.game("sticheln", seats=4, rounds=1).new(seed=seed)
    judge, mind = SearchBot(5, iterations=200, points=True), bots.build("tree@120", 9)
    planted: tuple[int, int, str] | None = None
    while match.waiting_for:
        seat, plays = match.waiting_for[0], len(match.rounds[0].plays)
        move = mind.choose(match.view(seat))
        if planted is None and match.phase == "play" and plays >= 8:
            who, worst = blunder(match, judge)
            if worst:
                planted, move = (who, plays // 4 + 1, worst), worst
        match.play(seat, move)
    return None if planted is None else (record(match), *planted)


# -- Costs -----------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_planted_blunder_is_the_costliest_move() -> None:
    output, seat, trick, move = with_blunder()
    found = review(output, "tree@300", play_outs=20)
    worst = max((one for it in found.accounts for one in it.mistakes), key=lambda one: one.cost)
    assert (worst.decision.seat, worst.decision.trick, worst.decision.move) == (seat, trick, move)
    assert worst.cost > 5
    assert found.accounts[seat].mistakes[0] == worst
    assert worst.advice.move != move


def test_playing_the_judges_moves_costs_nothing() -> None:
    match = stichwerk.game("null-nichtig", seats=3, target=1).new(seed=2)
    judge = bots.adviser("flat@50", 4)
    while match.waiting_for:
        view = match.view(match.waiting_for[0])
        match.play(match.waiting_for[0], judge.advise(view).move)
    found = review(record(match), "flat@50", seed=4, play_outs=10)
    assert [(account.cost, account.mistakes) for account in found.accounts] == [(0.0, ())] * 3


def test_costs_are_judged_by_what_the_seat_could_know() -> None:
    """A decision carries the view of its seat and nothing else of the truth."""
    _, rounds = finished_rounds(a_record("sticheln"))
    for round in rounds:
        for decision in round.decisions:
            assert decision.view.seat == decision.seat
            assert decision.view.round == round.number
            assert decision.move in decision.view.moves
            hands = [event.seat for event in decision.view.history if event.kind == "hand"]
            assert set(hands) == {decision.seat}


@pytest.mark.parametrize("game", TABLES)
def test_every_decision_is_reviewed(game: str) -> None:
    match, rounds = finished_rounds(a_record(game))
    assert [round.scores for round in rounds] == list(match.scores)
    for round, log in zip(rounds, match.rounds, strict=True):
        assert 0 < len(round.decisions) <= len(log.plays) + len(log.choices)
        if game == "sticheln":  # everything is allowed, but the last card is no decision
            assert len(round.decisions) == len(log.plays) + len(log.choices) - 4


# -- Luck and skill --------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("game", TABLES)
def test_luck_and_skill_add_up(game: str) -> None:
    found = reviewed(game)
    for account in found.accounts:
        parts = account.luck.mean - account.cost + account.rest
        assert parts == pytest.approx(account.result)
        assert account.points == sum(round.points for round in account.rounds)
        assert len(account.rounds) == found.rounds
    for total in (
        sum(account.result for account in found.accounts),
        sum(account.luck.mean for account in found.accounts),
    ):
        assert total == pytest.approx(0, abs=1e-6)


@pytest.mark.slow
def test_results_are_points_above_the_mean_of_the_others() -> None:
    for account in reviewed("sticheln").accounts:
        others = [it.points for it in reviewed("sticheln").accounts if it.seat != account.seat]
        assert account.result == pytest.approx(account.points - sum(others) / 3)


def test_better_cards_are_better_luck() -> None:
    """Who holds nothing but elevens and zeros in Null & nichtig lives well."""
    setting = stichwerk.game("null-nichtig", seats=3, starter=0)
    deck = list(setting.rules.deck.codes)
    good = sorted(deck, key=lambda card: -abs(2 * (card & 15) - 11))[:13]
    rest = list(deck)
    for card in good:
        rest.remove(card)
    state = setting.rules.new_state()
    state.round = 1
    setting.rules.new_round(state, [good, rest[:26:2], rest[1:26:2]], rest[26:])
    lucks = luck_of(setting.rules, state, 1, 200)
    assert lucks[0].mean > 5 * lucks[0].error > 0
    assert lucks == luck_of(setting.rules, state, 1, 200)


@pytest.mark.parametrize("date", DAYS)
def test_days_with_extra_choices(date: str) -> None:
    found = review(a_record("stichtag", date=date), "flat@16", play_outs=5)
    assert all(account.decisions > 10 for account in found.accounts)


@pytest.mark.slow
def test_same_seed_same_review() -> None:
    again = review(a_record("stichling"), JUDGE, play_outs=40)
    assert to_json(again, 3) == to_json(reviewed("stichling"), 3)
    one = review(a_record("stichling"), JUDGE, seat=2, play_outs=40)
    assert one.accounts == reviewed("stichling").accounts[2:3]


# -- Unfinished matches ----------------------------------------------------------------------------


def test_finished_rounds_of_an_unfinished_match() -> None:
    match = stichwerk.game("sticheln", seats=3).new(seed=1)
    bot = bots.build("greedy", 1)
    with pytest.raises(StichwerkError, match="review-no-round"):
        review(record(match), JUDGE)
    while len(match.scores) < 1 or len(match.rounds[1].plays) < 5:
        match.play(match.waiting_for[0], bot.choose(match.view(match.waiting_for[0])))
    found = review(record(match), "flat@16", play_outs=5)
    assert (found.rounds, found.finished) == (1, False)


# -- The command -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def matches(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with several records."""
    path = tmp_path_factory.mktemp("review") / "matches.jsonl"
    path.write_bytes(b"\n".join(encode(a_record(game)) for game in TABLES) + b"\n")
    return path


def output(capsys: pytest.CaptureFixture[str], *args: object) -> str:
    assert cli.main(["review", *map(str, args), "--bot", "flat@30"]) == 0
    return capsys.readouterr().out


@pytest.mark.slow
@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_as_text(matches: Path, lang: str, number: int, capsys: pytest.CaptureFixture[str]) -> None:
    out = output(capsys, matches, "--match", number, "--lang", lang, "--top", 2, "--seat", 1)
    assert text("review-luck", lang) in out
    assert text("review-costliest", lang, name="random", seat=1) in out
    assert 1 <= out.count(text("review-better", lang, move="", why="")[:6]) <= 2
    assert "review-" not in out
    assert "advice-" not in out


@pytest.mark.slow
def test_as_json(matches: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = json.loads(output(capsys, matches, "--json", "--top", 1))
    assert list(found) == [
        *("format", "game", "seats", "names", "options", "bot", "seed", "rounds", "finished"),
        "players",
    ]
    assert (found["format"], found["bot"]) == ("stichwerk-review/1", "flat-1@30")
    player = found["players"][1]
    assert list(player) == [
        *("seat", "name", "points", "result", "luck", "luck_error", "cost", "cost_error", "rest"),
        *("decisions", "mistakes", "rounds", "moments"),
    ]
    assert list(player["rounds"][0]) == [
        *("round", "points", "result", "luck", "luck_error", "cost", "cost_error", "rest"),
    ]
    (moment,) = player["moments"]
    assert list(moment) == [
        *("round", "trick", "phase", "hand", "tricks", "played", "better", "cost", "error"),
        *("reason", "contrast", "alternatives"),
    ]
    assert moment["cost"] > 2 * moment["error"] >= 0
    assert moment["alternatives"][0]["move"] == moment["better"]
    assert set(moment["reason"]) == {"id", "data"}


@pytest.mark.slow
@pytest.mark.parametrize("game", TABLES)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_as_picture(game: str, lang: str) -> None:
    drawn = ElementTree.fromstring(draw(reviewed(game), lang))
    assert drawn.tag == f"{SVG}svg"
    dots = drawn.findall(f"{SVG}circle")
    assert len(dots) == 4 + 1  # one a seat, one in the legend
    bars = drawn.findall(f"{SVG}rect")
    assert len(bars) == 1 + 3 + 4 * (3 + reviewed(game).rounds)
    assert "review-" not in ElementTree.tostring(drawn, "unicode")


@pytest.mark.slow
def test_the_picture_is_written(
    matches: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "luck.svg"
    output(capsys, matches, "--match", 3, "--picture", path)
    assert ElementTree.parse(path).getroot().tag == f"{SVG}svg"


@pytest.mark.slow
def test_a_record_on_many_lines(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "one.json"
    path.write_text(json.dumps(json.loads(encode(a_record("stichling"))), indent=1))
    assert "Stichling" in output(capsys, path, "--seat", 0)


def test_records_from_standard_input(matches: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in (1, 2):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(matches.read_bytes())))
        assert read_record("-", number) == read_record(str(matches), number)


def test_a_few_equal_deals_are_not_certain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Equal gaps in a handful of deals: about a point in as many deals is left open."""
    view = stichwerk.game("sticheln", seats=4).new(seed=1).view(0)
    bot = bots.build("flat@10", 1)
    assert isinstance(bot, SearchBot)
    monkeypatch.setattr(bot, "tried_gaps", lambda *_: [1.0] * 16)
    _, error = bot.gap(view, view.moves[0], view.moves[1])
    assert error == pytest.approx(1 / 33)
    monkeypatch.setattr(bot, "solved_gaps", lambda *_: [1.0] * 16)
    assert bot.gap(view, view.moves[0], view.moves[1]) == (1.0, 0.0), "this is exact"


@pytest.mark.parametrize(
    ("args", "id"),
    [
        (["FILE", "--match", "9"], "review-no-match"),
        (["FILE", "--bot", "genius"], "unknown-bot"),
        (["FILE", "--bot", "greedy"], "review-no-values"),
        (["FILE", "--bot", "program:cat"], "review-no-values"),
        (["FILE", "--seat", "4"], "no-such-seat"),
        (["FILE", "--seat", "x"], "bad-number"),
        (["FILE", "--picture", "no/such/folder.svg"], "no-folder-to-write"),
        (["nowhere.jsonl"], "no-such-file"),
        (["."], "file-is-folder"),
        ([__file__], "not-an-object"),
    ],
)
def test_what_cannot_be_reviewed(
    args: list[str], id: str, matches: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["review", *[str(matches) if arg == "FILE" else arg for arg in args]]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.count("\n") == 1
    assert shown.err.startswith(sentences("en")[id].partition("{")[0])
    assert not shown.err.startswith(id), "facts are missing"


def test_an_empty_file_and_a_broken_record(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    empty, broken = tmp_path / "empty", tmp_path / "broken"
    empty.write_text("\n")
    facts = json.loads(encode(a_record("stichling")))
    facts["totals"][0] += 1
    broken.write_text(json.dumps(facts))
    for path in (empty, broken):
        assert cli.main(["review", str(path)]) == 2
        assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize(
    ("judge", "en", "de"),
    [
        (bots.best_bot("sticheln"), "the master bot", "vom Meister-Bot"),
        (bots.best_bot("game-without-net"), "the expert bot", "vom Experten-Bot"),
        ("flat@20", "flat-1@20", "von flat-1@20"),
    ],
)
def test_people_read_a_name_of_the_bot_and_authors_its_version(
    judge: str, en: str, de: str
) -> None:
    full = bots.full_name(judge)
    found = msgspec.structs.replace(reviewed("sticheln"), bot=full)
    assert title(found, "en").endswith(f", judged by {full}")
    assert json.loads(to_json(found, 1))["bot"] == full
    assert told_title(found, "en").endswith(f", judged by {en}")
    assert told_title(found, "de").endswith(f", beurteilt {de}")
