"""Custom sheets: the examples of the documentation play, and a broken one says what is wrong.

What the examples' rules say is counted here once more, from the events of whole matches.
"""

import re
import shutil
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import stichwerk
from stichwerk import cli, locale, record
from stichwerk.engine.events import Event
from stichwerk.engine.frame import Game
from stichwerk.engine.generator import Generator
from stichwerk.engine.plain import twin
from stichwerk.errors import BadFileError, BadOptionError, StichwerkError
from stichwerk.games import registry
from stichwerk.games.stichtag import own, own_code, own_data, own_sheet
from stichwerk.games.stichtag.calendar import SHEETS, find_sheet, unsettled
from stichwerk.games.stichtag.game import Stichtag
from stichwerk.games.stichtag.sheet import Sheet
from stichwerk.match import Match
from stichwerk.testing import check_game
from stichwerk.view import sample

pytestmark = pytest.mark.game("stichtag")

DOCS = Path(__file__).parents[2] / "docs"
EXAMPLES = DOCS / "examples/sheets"
COMPILED = not hasattr(Stichtag, "settle_trick")
TEXTS = 'title = ("Titel", "Title")\n    short = ("k", "s")\n    long = ("l", "l")\n'


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The examples in a temporary folder that the variable names; nothing is loaded yet."""
    mine = tmp_path / "sheets"
    shutil.copytree(EXAMPLES, mine, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setenv(own.VARIABLE, str(mine))
    monkeypatch.setattr(own, "_known", {})
    registry._build.cache_clear()
    yield mine
    registry._build.cache_clear()


def option(name: str) -> str:
    return own.own_sheets()[name].option


def played(seats: int = 4, bot: str = "random", **options: Any) -> Match:
    """Return a whole match between bots, with a sample now and then."""
    match = stichwerk.game("stichtag", seats=seats, **options).new(seed=11)
    mind = stichwerk.bot(bot, seed=1)
    moves = 0
    while match.waiting_for:
        seat = match.waiting_for[0]
        view = match.view(seat)
        if moves % 17 == 0:
            assert match.rules.hand(sample(view, Generator(moves)), seat) == view.hand
        match.play(seat, mind.choose(view))
        moves += 1
    assert match.over
    return match


def rounds_of(match: Match) -> list[list[Event]]:
    """Return the tricks and plays of each round."""
    rounds: list[list[Event]] = []
    for event in match.events:
        if event.kind == "round":
            rounds.append([])
        elif event.kind in ("trick", "play"):
            rounds[-1].append(event)
    return rounds


def points_by(match: Match, values: str, worth: Callable[[int], int]) -> list[tuple[int, ...]]:
    """Return a point for each trick, and the worth of this many cards of these values."""
    results = []
    for events in rounds_of(match):
        tricks = [event for event in events if event.kind == "trick"]
        points = []
        for seat in range(match.rules.seats):
            mine = [trick for trick in tricks if trick.seat == seat]
            cards = [card for trick in mine for card in trick.cards if card[1:] in values.split()]
            points.append(len(mine) + worth(len(cards)))
        results.append(tuple(points))
    return results


def is_plain(rules: Game) -> bool:
    return type(rules) is not Stichtag


# -- The examples ----------------------------------------------------------------------------------


def test_the_examples_are_found() -> None:
    mine = own.own_sheets()
    assert list(mine) == ["green 1", "January", "May"]
    assert all(re.fullmatch(f"{name}@[0-9a-f]{{64}}", mine[name].option) for name in mine)
    assert mine["January"].sheet().title == ("Schneeflocken", "Snowflakes")
    assert mine["January"].sheet().origin == "box"
    (fact,) = mine["January"].sheet().facts
    assert fact.text == ("Schneeflocke: {count}", "snowflake: {count}")
    assert mine["May"].sheet().values == (0, 5)


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_the_data_example_changes_the_rule(seats: int) -> None:
    match = played(seats, sheets=[option("January")])
    assert list(match.scores) == points_by(match, "4 9", lambda n: n * (n + 1) // 2)
    assert not is_plain(match.rules)


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_the_python_example_changes_the_rule(seats: int) -> None:
    match = played(seats, sheets=[option("May")])
    assert list(match.scores) == points_by(match, "0 5", lambda n: 3 * (n % 2))
    assert is_plain(match.rules) == COMPILED
    moved = 0
    for events in rounds_of(match):
        for trick, lead in pairwise(events):
            if trick.kind == "trick":
                rainbow = any(card[1:] in ("0", "5") for card in trick.cards)
                assert lead.seat == ((trick.seat or 0) + rainbow) % seats
                moved += rainbow
    assert moved


def test_the_example_of_a_goal_changes_the_rule() -> None:
    match = played(sheets=[option("green 1")])
    assert len(match.scores) == 5
    assert match.ranking is not None
    assert {match.totals[seat] for seat in match.ranking[0]} == {min(match.totals)}


@pytest.mark.parametrize("date", ["01-04", "01-10", "05-17", "05-12", "05-36"])
@pytest.mark.parametrize("seats", [3, 5])
def test_a_custom_sheet_replaces_ours(date: str, seats: int) -> None:
    sheets = own.option_for(date)
    match = played(seats, date=date, sheets=sheets)
    again = record.decode(record.encode(record.record(match)))
    assert again.options["sheets"] == sheets
    assert record.verify(again).status == "holds"
    ours = record.verify(
        record.decode(record.encode(record.record(match)).replace(sheets[0].encode(), b"red 4"))
    )
    assert ours.id == "sheets-and-date"


@pytest.mark.parametrize("name", ["January", "May"])
def test_custom_sheets_conform(name: str) -> None:
    check_game(stichwerk.game("stichtag", seats=3, sheets=[option(name)]), matches=1)


def test_a_data_sheet_plays_the_same_on_both_engines() -> None:
    """Next to a Python sheet it is plain, too: the same points as counted."""
    mine = own.own_sheets()
    blank: type[Sheet] = twin(Sheet.__module__).Sheet
    assert mine["January"].sheet(blank).values == mine["January"].sheet().values
    match = played(date="05-17", sheets=own.option_for("05-17"))
    assert len(match.scores) == 5
    assert match.rules.table(match._state)["veto"] is not None


def test_only_what_is_named_replaces_ours() -> None:
    """The variable alone changes nothing."""
    setting = stichwerk.game("stichtag", date="01-04")
    assert setting.options["sheets"] == []
    rules = setting.rules
    assert isinstance(rules, Stichtag)
    assert type(rules.month) is SHEETS["January"]


def test_a_folder_can_be_given(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(own.VARIABLE)
    assert own.own_sheets() == {}
    assert own.option_for("01-04") == []
    sheets = own.option_for("01-04", folder)
    assert played(date="01-04", sheets=sheets).over


def test_rules_keep_their_cross_notes() -> None:
    """The number is that of the rule: a January like April has eggs to draw."""
    folder = own.folder_named()
    assert folder is not None
    (folder / "january.toml").write_text('sheet = "January"\nlike = "April"\nvalues = [3]\n')
    match = played(sheets=[option("January")])
    assert match.rules.specials == ("eggs",)


# -- Records and what is run -----------------------------------------------------------------------


def record_of(match: Match) -> record.Record:
    return record.decode(record.encode(record.record(match)))


@pytest.mark.parametrize(("name", "file"), [("January", "january.toml"), ("May", "rainbow.py")])
def test_a_record_needs_the_exact_file(folder: Path, name: str, file: str) -> None:
    match_record = record_of(played(sheets=[option(name)]))
    assert record.verify(match_record).status == "holds"
    source = (folder / file).read_bytes()
    (folder / file).write_bytes(source + b"\n")
    verdict = record.verify(match_record)
    assert (verdict.status, verdict.id) == ("unchecked", "own-sheet-missing")
    assert verdict.data["sheet"] == name
    assert len(str(verdict.data["hash"])) == 64
    assert str(folder) in locale.text(verdict.id, "en", **verdict.data)
    (folder / own.OLD).mkdir()
    (folder / own.OLD / file).write_bytes(source)
    assert record.verify(match_record).status == "holds"
    assert option(name) != match_record.options["sheets"]


def test_without_a_folder_a_custom_sheet_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(own.VARIABLE)
    with pytest.raises(BadOptionError, match="own-sheet-missing"):
        stichwerk.game("stichtag", sheets=["May@" + "0" * 64])
    with pytest.raises(BadFileError, match="own-sheets-no-folder"):
        own.own_sheets("no/such/folder")


def test_a_record_runs_only_the_file_it_names(folder: Path) -> None:
    match_record = record_of(played(sheets=[option("January")]))
    own._known.clear()
    registry._build.cache_clear()
    (folder / "aaa.py").write_text("raise RuntimeError('run')\n")
    assert record.verify(match_record).status == "holds"
    with pytest.raises(own.BadSheetError, match="own-sheet-fails"):
        own.own_sheets()


def test_a_data_file_runs_no_code(folder: Path) -> None:
    """Its texts are texts, whatever they look like."""
    path = folder / "january.toml"
    path.write_text(path.read_text("utf-8").replace("Snowflakes", "__import__('os')"), "utf-8")
    assert own.own_sheets()["January"].sheet().title[1] == "__import__('os')"


# -- Refusals --------------------------------------------------------------------------------------


def refused(**options: Any) -> StichwerkError:
    with pytest.raises(StichwerkError) as caught:
        stichwerk.game("stichtag", **options)
    for lang in locale.LANGUAGES:
        assert not locale.text(caught.value.id, lang, **caught.value.data).startswith("own-sheet")
    return caught.value


def test_options_that_do_not_fit_are_refused() -> None:
    january, may = option("January"), option("May")
    assert refused(date="02-04", sheets=[january]).id == "own-sheet-not-today"
    assert refused(sheets=[january, may]).id == "bad-sheets"
    assert refused(date="01-04", sheets=["January"]).id == "sheets-and-date"
    assert refused(sheets=["January@123"]).id == "bad-option"
    assert refused(sheets=["May" + january[7:]]).id == "own-sheet-elsewhere"


def low_red(notes: str = "") -> str:
    return (
        "from stichwerk.games.stichtag.sheet import Sheet\n"
        "class Low(Sheet):\n"
        f'    name = "red 3"\n    replaces = ("low",)\n    {TEXTS}    {notes}\n'
        "    def lowest_wins(self, state):\n        return True\n"
    )


def test_two_that_replace_the_same_part_need_a_note(folder: Path) -> None:
    (folder / "low.py").write_text(low_red())
    error = refused(date="10-03", sheets=[option("red 3")])
    assert (error.id, error.data["part"]) == ("own-sheets-clash", "low")
    assert unsettled((option("red 3"), "October")) == ["low"]
    (folder / "low.py").write_text(
        low_red('notes = {"October": ("Der Geist gilt.", "The ghost.")}')
    )
    assert played(date="10-03", sheets=[option("red 3")]).over


def test_a_data_sheet_takes_the_note_of_its_rule(folder: Path) -> None:
    (folder / "low.toml").write_text('sheet = "red 3"\nlike = "red 9"\n')
    assert unsettled((option("red 3"), "October")) == []
    assert find_sheet(option("red 3")).rule == "red 9"
    assert played(date="10-03", sheets=[option("red 3")]).over


HEAD = "from stichwerk.games.stichtag.sheet import Sheet\nclass Mine(Sheet):\n"
NAMED = HEAD + '    name = "May"\n    ' + TEXTS

BROKEN = {
    "toml": [
        ('sheet = "January"\nvalues = [4, 9\n', "own-sheet-toml", 2),
        ('sheet = "January"\nvalues = = 4\n', "own-sheet-toml", 2),
        ('sheet = "January"\n\ncolour = 3\n', "own-sheet-key", 3),
        ('sheet = "January"\n[title]\nde = "A"\nfr = "B"\n', "own-sheet-key", 4),
        ('sheet = "January"\n[title]\nde = "A"\n', "own-sheet-text", 2),
        ('sheet = "January"\n[title]\nde = "A"\nen = 3\n', "own-sheet-text", 4),
        ('sheet = "January"\ntitle = "A"\n', "own-sheet-type", 2),
        ('like = "June"\n', "own-sheet-no-name", 1),
        ("# mine\nsheet = 1\n", "own-sheet-type", 2),
        ('# mine\nsheet = "Januar"\n', "own-sheet-word-like", 2),
        ('# mine\nsheet = "Sunday"\n', "own-sheet-word", 2),
        ('sheet = "January"\nvaleus = [4]\n', "own-sheet-key-like", 2),
        ('sheet = "January"\nown_pionts = 3\n', "own-sheet-key", 2),
        ('sheet = "January"\nlike = "red 4"\n', "own-sheet-word", 2),
        ('sheet = "January"\nlike = "Juni"\n', "own-sheet-word-like", 2),
        ('sheet = "January"\norigin = "shop"\n', "own-sheet-word", 2),
        ('sheet = "January"\nvalues = [4, 12]\n', "own-sheet-values", 2),
        ('sheet = "January"\nvalues = []\n', "own-sheet-values", 2),
        ('sheet = "January"\nvalues = [4, 4]\n', "own-sheet-values", 2),
        ('sheet = "January"\nvalues = [true]\n', "own-sheet-values", 2),
        ('sheet = "January"\nvalues = 4\n', "own-sheet-values", 2),
        ('sheet = "red 9"\nvalues = [4]\n', "own-sheet-no-use", 2),
        ('sheet = "red 9"\nrounds = 4\n', "own-sheet-no-use", 2),
        ('sheet = "green 0"\nrounds = 0\n', "own-sheet-number", 2),
        ('sheet = "green 0"\nrounds = "4"\n', "own-sheet-number", 2),
        ('sheet = "green 0"\nrounds = 4\n', "own-sheet-needs", 2),
        ("x = " + "[" * 5000, "own-sheet-toml", 1),
    ],
    "py": [
        ("class Mine(:\n", "own-sheet-syntax", 1),
        ("\nx = 1\n  y = 2\n", "own-sheet-syntax", 3),
        ("x = 1\nx = 1 / 0\n", "own-sheet-fails", 2),
        ("import sys\nsys.exit(3)\n", "own-sheet-fails", 2),
        ("import no_such_module\n", "own-sheet-fails", 1),
        ("def f():\n    return {}[1]\nf()\n", "own-sheet-fails", 2),
        ("x = 1\n", "own-sheet-no-class", 1),
        ("class Mine:\n    pass\n", "own-sheet-no-class", 1),
        (HEAD + "    pass\n", "own-sheet-no-name", 2),
        (HEAD + '    name = "Augst"\n', "own-sheet-word-like", 3),
        (HEAD + '    name = "Sunday"\n', "own-sheet-word", 3),
        (HEAD + '    nmae = "May"\n', "own-sheet-misspelt", 3),
        (NAMED + '    replacse = ("points",)\n', "own-sheet-misspelt", 7),
        (
            NAMED + "    def own_pionts(self, state, seat):\n        return 1\n",
            "own-sheet-misspelt",
            7,
        ),
        (HEAD + "    name = ['May']\n", "own-sheet-word", 3),
        (HEAD + '    name = "May"\n', "own-sheet-pair", 2),
        (NAMED + '    replaces = ("points", "colour")\n', "own-sheet-part", 7),
        (NAMED + '    extends = "points"\n', "own-sheet-type", 7),
        (NAMED + "    extends = (3,)\n", "own-sheet-part", 7),
        (NAMED + "    values = (3, 14)\n", "own-sheet-values", 7),
        (NAMED + '    origin = "shop"\n', "own-sheet-word", 7),
        (NAMED + "    symbol_name = 3\n", "own-sheet-pair", 7),
        (NAMED + "    drawing = 3\n", "own-sheet-type", 7),
        (NAMED + "    facts = (3,)\n", "own-sheet-type", 7),
        (NAMED + "    shown = (3,)\n", "own-sheet-type", 7),
        (NAMED + "    notes = 3\n", "own-sheet-type", 7),
        (NAMED + '    notes = {"red 12": ("a", "b")}\n', "own-sheet-word", 7),
        (NAMED + '    notes = {"red 1": "a"}\n', "own-sheet-pair", 7),
        (NAMED + "    def trump(self, state):\n        return 3\n", "own-sheet-not-asked", 7),
        (NAMED + "    def draw(self, state, generator):\n        pass\n", "own-sheet-not-asked", 7),
        (
            NAMED + "    def leader(self, state, winner):\n        return 0\n",
            "own-sheet-undeclared",
            7,
        ),
        (NAMED + "    def __init__(self):\n        pass\n", "own-sheet-fails", 7),
        (NAMED.replace('"May"', '"green 1"'), "own-sheet-kind", 3),
        (NAMED + "class Other(Sheet):\n    pass\n", "own-sheet-classes", 7),
        (
            "from stichwerk.games.stichtag.red import Red4\nclass Mine(Red4):\n    name = 'May'\n",
            "own-sheet-kind",
            3,
        ),
        (
            "from stichwerk.games.stichtag.green import Goal\n"
            + NAMED.replace("(Sheet)", "(Goal)").replace("May", "green 0")
            + "    rounds = 99\n",
            "own-sheet-number",
            8,
        ),
    ],
}
CASES = [(kind, *case) for kind, cases in BROKEN.items() for case in cases]


def assert_named(error: own.BadSheetError, path: Path, id: str, line: int) -> None:
    """Check that the error has this id and line, and that both languages say so."""
    assert (error.id, error.data["line"]) == (id, line), error
    for lang, word in (("de", "Zeile"), ("en", "line")):
        assert locale.text(error.id, lang, **error.data).startswith(f"{path}, {word} {line}: ")


@pytest.mark.parametrize(("kind", "text", "id", "line"), CASES)
def test_a_broken_sheet_says_what_is_wrong(
    tmp_path: Path, kind: str, text: str, id: str, line: int
) -> None:
    (tmp_path / "x").mkdir()
    path = tmp_path / "x" / f"a.{kind}"
    path.write_text(text, "utf-8")
    with pytest.raises(own.BadSheetError) as caught:
        own.own_sheets(path.parent)
    assert_named(caught.value, path, id, line)


def test_unreadable_files_are_reported(folder: Path) -> None:
    path = folder / "z.toml"
    path.write_bytes(b'sheet = "June"\n# \xff\n')
    with pytest.raises(own.BadSheetError) as caught:
        own.own_sheets()
    assert_named(caught.value, path, "own-sheet-not-text", 2)
    path.write_text('sheet = "May"\n')
    with pytest.raises(own.BadSheetError) as caught:
        own.own_sheets()
    assert_named(caught.value, path, "own-sheet-twice", 1)
    path.write_bytes(b"#" * (own.LARGEST_FILE + 1))
    with pytest.raises(own.BadSheetError) as caught:
        own.own_sheets()
    assert_named(caught.value, path, "own-sheet-too-long", 1)


def test_a_suggestion_is_part_of_the_sentence(tmp_path: Path) -> None:
    """Misspelt words of data files, methods and attributes of Python files."""
    hook = "    def own_pionts(self, state, seat):\n        return 1\n"
    for name, text, meant in (
        ("a.toml", 'sheet = "January"\nvaleus = [4]\n', "values"),
        ("b.toml", 'sheet = "Janaury"\n', "January"),
        ("c.toml", 'sheet = "red 1"\nlike = "redd 4"\n', "red 4"),
        ("d.py", NAMED + hook, "own_points"),
        ("e.py", HEAD + '    name = "Decembre"\n', "December"),
    ):
        folder = tmp_path / name
        folder.mkdir()
        (folder / name).write_text(text, "utf-8")
        with pytest.raises(own.BadSheetError) as caught:
            own.own_sheets(folder)
        assert caught.value.data["meant"] == meant
        for lang, question in (("de", "Meintest du"), ("en", "Did you mean")):
            said = locale.text(caught.value.id, lang, **caught.value.data)
            assert re.search(f"{question} .?{meant}.?\\?", said), said


def test_helpers_of_a_sheet_are_not_reported(folder: Path) -> None:
    """Much like our names, but used, or with an underscore; and what no name of ours is like."""
    (folder / "june.py").write_text(
        NAMED.replace('"May"', '"June"') + '    extends = ("points",)\n'
        "    own_point = 2\n"
        "    _leaders = 3\n"
        "    def own_points(self, state, seat):\n        return self.own_point\n"
        "    def worth(self, state):\n        return 1\n"
    )
    assert set(own.own_sheets()["June"].sheet().extends) == {"points"}


def test_two_copies_of_a_file_are_both_named(folder: Path) -> None:
    """The second one by its name, the first as the other; also when they were read before."""
    first, second = folder / "january.toml", folder / "snow.toml"
    own.own_sheets()
    second.write_bytes(first.read_bytes())
    for _ in range(2):
        with pytest.raises(own.BadSheetError) as caught:
            own.own_sheets()
        assert_named(caught.value, second, "own-sheet-same", 1)
        assert caught.value.data["other"] == str(first)
    first.unlink()
    assert own.own_sheets()["January"].path == second


@pytest.mark.skipif(not COMPILED, reason="nothing is compiled")
def test_a_compiled_class_cannot_be_extended(folder: Path) -> None:
    path = folder / "z.py"
    path.write_text(
        "from stichwerk.games.stichtag import months\nclass Mine(months.May):\n    pass\n"
    )
    with pytest.raises(own.BadSheetError) as caught:
        own.own_sheets()
    assert_named(caught.value, path, "own-sheet-compiled", 2)


@pytest.mark.parametrize(
    ("body", "id", "line"),
    [
        ("x = seat\n        return 1 // (x - x)", "own-sheet-fails", 10),
        ("return None", "own-sheet-answer", 8),
        ("return 10 ** 6", "own-sheet-answer", 8),
        ("return state.no_such_thing", "own-sheet-fails", 9),
    ],
)
def test_a_failure_in_play_is_reported_with_its_line(
    folder: Path, body: str, id: str, line: int
) -> None:
    path = folder / "june.py"
    hook = f'    extends = ("points",)\n    def own_points(self, state, seat):\n        {body}\n'
    path.write_text(NAMED.replace('"May"', '"June"') + hook)
    with pytest.raises(own.BadSheetError) as caught:
        played(sheets=[option("June")])
    assert_named(caught.value, path, id, line)


def test_a_sheet_may_extend_one_of_ours(folder: Path) -> None:
    """Twice our June, in the place of June, with the number of June."""
    (folder / "june.py").write_text(
        "from stichwerk.games.stichtag.months import June\n"
        "class Twice(June):\n"
        "    def own_points(self, state, seat):\n"
        "        return 2 * super().own_points(state, seat)\n"
    )
    match = played(sheets=[option("June")])
    assert list(match.scores) == points_by(match, "4", lambda n: n * (n + 1))
    assert own.own_sheets()["June"].rule == "June"
    assert own.own_sheets()["June"].sheet().origin == "box"


def test_a_red_sheet_and_a_goal_in_python(folder: Path) -> None:
    """Green is trump; two rounds, and the seat with the most points is the last."""
    red = NAMED.replace("May", "red 0") + '    replaces = ("trump",)\n'
    (folder / "red.py").write_text(red + "    def trump(self, state):\n        return 2\n")
    goal = NAMED.replace("Sheet", "Goal").replace(".sheet", ".green").replace("May", "green 3")
    goal += "    rounds = 2\n    def standing(self, scores, seat):\n"
    goal += "        return (-max(points[seat] for points in scores),)\n"
    (folder / "goal.py").write_text("\ufeff" + goal, "utf-8")
    match = played(5, date="04-30", sheets=own.option_for("04-30"))
    assert match.rules.table(match._state)["trump"] == "G"
    assert match.rules.specials == ("eggs",)
    assert len(match.scores) == 2
    best = [max(points[seat] for points in match.scores) for seat in range(5)]
    assert match.ranking is not None
    assert {best[seat] for seat in match.ranking[-1]} == {max(best)}
    assert record.verify(record_of(match)).status == "holds"


def test_old_names_of_hooks_and_numbers_still_work(folder: Path) -> None:
    """A veto under its former name, which is asked only on green 2."""
    (folder / "red.py").write_text(
        "from stichwerk.games.stichtag.red import Red7\n\n\n"
        "class Mine(Red7):\n"
        "    def asks_veto(self, state):\n"
        "        return self.green == 2 and super().asks_before_settling(state)\n"
    )
    vetoes = [
        sum(event.kind == "veto" for event in played(3, sheets=[goal, option("red 7")]).events)
        for goal in ("green 0", "green 2")
    ]
    assert vetoes[0] == 0 < vetoes[1]


# -- The page --------------------------------------------------------------------------------------


def test_the_page_shows_the_examples() -> None:
    page = (DOCS / "own-sheets.md").read_text("utf-8")
    blocks = re.findall(r"^```(?:toml|python)\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    for name in ("january.toml", "rainbow.py"):
        assert (EXAMPLES / name).read_text("utf-8") in blocks


def test_the_page_names_everything() -> None:
    page = (DOCS / "own-sheets.md").read_text("utf-8")
    coded = set(re.findall(r"`([^`\n]+)`", page))
    assert {*own_data.KEYS, *own_sheet.ORIGINS, own.VARIABLE} <= coded
    hooks = {hook for asked in own_code.HOOKS.values() for hook in asked}
    assert hooks | set(own_code.ASKED_BY_RULE.values()) <= coded


def test_the_command_line_uses_custom_sheets(
    folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.delenv(own.VARIABLE)
    records, here = str(tmp_path / "out.jsonl"), ["--sheet-folder", str(folder), "--lang", "en"]
    assert cli.main(["rules", "stichtag", "--date", "01-04", "--lang", "en"]) == 0
    assert "Snowflakes" not in capsys.readouterr().out
    assert cli.main(["rules", "stichtag", "--date", "01-04", *here]) == 0
    assert "Snowflakes" in capsys.readouterr().out
    simulate = ["simulate", "stichtag", "--date", "01-04", "--games", "1", "--records", records]
    assert cli.main([*simulate, *here]) == 0
    assert "Snowflakes" in capsys.readouterr().out
    assert cli.main(["verify", records, *here]) == 0
    assert option("January") in Path(records).read_text()
    monkeypatch.setenv(own.VARIABLE, str(tmp_path / "nowhere"))
    monkeypatch.setattr(own, "_known", {})
    registry._build.cache_clear()
    assert cli.main(["verify", records, "--lang", "en"]) == 3
