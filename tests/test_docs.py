"""The documentation does not rot: links lead somewhere, what it names exists, its programs run."""

import ast
import inspect
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import click
import msgspec
import pytest

import stichwerk
import tools
from stichwerk import cli, fairness, record
from stichwerk.bench import GOALS
from stichwerk.engine import constants, frame
from stichwerk.engine.plain import twin
from stichwerk.engine.state import State
from stichwerk.games import registry
from stichwerk.games.stichtag.sheet import PARTS
from stichwerk.locale import game_name, rules_text
from stichwerk.view import View
from tests import doc_pages
from tests.bot_packages import put_example
from tests.doc_pages import PAGES, ROOT, text_of
from tests.strategies import tables

ARCHITECTURE = ROOT / "docs/architecture.md"
FORMAT = ROOT / "docs/record-format.md"
SELF = Path(__file__)
PATH = r"(?:tests|tools|src|docs|examples|frontend|requirements)/[\w./-]+"

every_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))


def fenced(page: Path, language: str) -> list[str]:
    """Return the blocks of code in one language."""
    return [block.code for block in doc_pages.blocks(text_of(page)) if block.language == language]


def prose(page: Path) -> str:
    """Return the page without its blocks of code."""
    return doc_pages.prose(text_of(page))


def section(page: Path, heading: str) -> str:
    """Return the text under a heading, until the next one."""
    found = re.search(
        rf"^#+ {re.escape(heading)}$(.*?)(?=^#|\Z)", text_of(page), re.MULTILINE | re.DOTALL
    )
    assert found, f"{page.name} has no heading {heading}"
    return found[1]


def in_code(text: str) -> set[str]:
    """Return every text that is set as code inside a line."""
    return set(re.findall(r"`([^`\n]+)`", text))


# -- Links -----------------------------------------------------------------------------------------


def links(text: str) -> list[str]:
    """Return where a text leads and which pictures it shows, written as Markdown or as HTML."""
    marked = re.findall(r"\]\(([^)\s]+)\)", text)
    named = re.findall(r"^\[[^\]]+\]: +(\S+)", text, re.MULTILINE)
    return marked + named + re.findall(r"<(?:img|a)\b[^>]*?\s(?:src|href)=\"([^\"]*)\"", text)


def broken_links(page: Path, text: str) -> Iterator[str]:
    """Yield links to no file, to no heading, or to the outside without https."""
    for link in links(text):
        if re.match(r"[a-z]+:", link):
            if not re.fullmatch(r"https://[a-z0-9.-]+\.[a-z]{2,}(?:[/?#]\S*)?", link):
                yield link
            continue
        path, _, anchor = link.partition("#")
        target = page.parent / path if path else page
        if not target.exists() or (anchor and anchor not in anchors(target)):
            yield link


def anchors(page: Path) -> set[str]:
    """Return the names under which headings can be linked to."""
    headings = re.findall(r"^#+ (.+)$", prose(page), re.MULTILINE)
    kept = [re.sub(r"[^\w\- ]", "", heading.lower()) for heading in headings]
    return {heading.strip().replace(" ", "-") for heading in kept}


@every_page
def test_links_lead_somewhere(page: Path) -> None:
    assert list(broken_links(page, prose(page))) == []


def test_a_broken_link_is_found() -> None:
    fine = '[b](LICENSE) [c](#a-tour) [e](https://example.org) <img src="docs/img/data-flow.svg">'
    assert list(broken_links(ROOT / "README.md", fine)) == []
    broken = ["docs/no-such.md", "#no-such", "http://example.org", "https://nowhere", "x.jpg"]
    *marked, picture = broken
    text = " ".join(f"[a]({link})" for link in marked) + f'\n<img alt="x" src="{picture}">'
    assert list(broken_links(ROOT / "README.md", text)) == broken


def test_the_index_names_every_page() -> None:
    index = ROOT / "docs/README.md"
    linked = re.findall(r"\]\(([^)\s#]+)", text_of(index))
    known = {(index.parent / link).resolve() for link in linked}
    pages = {page for page in (ROOT / "docs").glob("*.md") if page != index}
    assert sorted(page.name for page in pages - known) == []


@every_page
def test_no_paths_of_one_machine(page: Path) -> None:
    assert re.findall(r"(?<![\w.])/(?:home|work|root|tmp|Users|usr)/\S*", text_of(page)) == []


# -- Code ------------------------------------------------------------------------------------------

RUNNING = [page for page in PAGES if any(it.is_run for it in doc_pages.blocks(text_of(page)))]
MEASURED = {"bots.md": "a hundred measurements of minutes each; tests/test_ladder.py plays some"}


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which a reader may try everything: the examples, and matches that were played."""
    folder = tmp_path_factory.mktemp("desk")
    for name in ("docs", "examples"):
        (folder / name).symlink_to(ROOT / name)
    match = stichwerk.game("sticheln", seats=3, rounds=1).new(seed=7)
    bot = stichwerk.bot("greedy")
    while match.waiting_for:
        seat = match.waiting_for[0]
        match.play(seat, bot.choose(match.view(seat)))
    line = record.encode(record.record(match)) + b"\n"
    (folder / "mine.json").write_bytes(line)
    (folder / "out.jsonl").write_bytes(8 * line)
    (folder / "site").mkdir()
    put_example(folder / "site")
    return folder


def tried(page: Path, desk: Path, *flags: str) -> subprocess.CompletedProcess[str]:
    """Return the results of all code of a page."""
    environment = {key: os.environ[key] for key in ("PATH", "LANG") if key in os.environ}
    path = os.pathsep.join([str(ROOT), str(desk / "site")])  # with the package of the example
    home = {"HOME": str(desk), "XDG_DATA_HOME": str(desk / "data"), "PYTHONPATH": path}
    command = [sys.executable, "-W", "error", "-m", "tests.doc_pages", str(page), *flags]
    return subprocess.run(
        command,
        cwd=desk,
        env={**environment, **home, "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.mark.slow
@pytest.mark.parametrize("page", RUNNING, ids=lambda page: str(page.relative_to(ROOT)))
def test_all_code_runs(page: Path, desk: Path) -> None:
    done = tried(page, desk, *["--read"] * (page.name in MEASURED))
    assert done.returncode == 0, done.stderr


@every_page
def test_every_block_says_whether_it_runs(page: Path) -> None:
    assert list(doc_pages.unclear(text_of(page), page.name)) == []


EXAMPLES = ROOT / "docs/examples"
TESTS = [path for path in (ROOT / "tests").rglob("*.py") if path != Path(__file__)]


@pytest.mark.parametrize(
    "example", sorted(EXAMPLES.rglob("*.py")), ids=lambda path: str(path.relative_to(EXAMPLES))
)
def test_every_example_is_run_by_a_test(example: Path) -> None:
    """By its name, as one of its folder, or because another example uses it."""
    wanted = {example.stem, *({example.parent.name} - {"examples"})}
    others = [path for path in EXAMPLES.rglob("*.py") if path != example]
    texts = [path.read_text("utf-8") for path in [*TESTS, *others]]
    assert any(re.search(rf"\b{name}\b", text) for name in wanted for text in texts)


@every_page
def test_data_in_pages_can_be_read(page: Path) -> None:
    for code in fenced(page, "json"):
        msgspec.json.decode(code)
    for code in fenced(page, "toml"):
        tomllib.loads(code)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("block", "complaint"),
    [
        ("python\n1 / 0", "ZeroDivisionError"),
        ("python\nfrom stichwerk import nothing_like_that", "ImportError"),
        ("pycon\n>>> 1 + 1\n3\n", "Expected"),
        ("pycon\n>>> x = 1\n```\n\n```pycon\n>>> x\n2\n", "Expected"),
        ("pycon\nno session", "no session"),
        ("sh\nstichwerk play sticheln --no-such-flag", "no-such-flag"),
        ("sh\nstichwerk no-such-command", "no-such-command"),
        ("sh\nstichwerk serve --port x", "bad-number"),
        ("sh\nstichwerk arena sticheln --bots tree@9,nobody --deals 9", "unknown-bot"),
        ("sh\nstichwerk play sticheln --seats 9 --bots expert", "bad-seats"),
        ("sh\nstichwerk simulate stichling --option discard=never", "bad-option"),
        ("sh\nstichwerk verify no-such-file.jsonl", "ends with 2"),
        ("sh\npython -m stichwerk.no_such_module", "no module"),
        ("sh\nfrobnicate", "frobnicate"),
    ],
)
def test_code_that_fails_is_found(block: str, complaint: str, desk: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"# Page\n\n```{block}\n```\n", "utf-8")
    done = tried(page, desk)
    assert done.returncode == 1
    assert complaint in done.stderr


def test_unclear_blocks_are_found() -> None:
    text = """
```haskell
main = pure ()
```

<!-- not run: because -->
```python
1 / 0
```

```
>>> 1
```

<!-- run by tests/test_docs.py -->
```python
1 / 0
```

1. In a list:

   ```sh
   stichwerk bots
   ```
"""
    found = doc_pages.unclear(text, "no-such-" + "page.md")
    assert [line.partition(":")[0] for line in found] == ["line 2", "line 7", "line 11", "line 16"]
    assert [block.code for block in doc_pages.blocks(text)][-1] == "stichwerk bots\n"


@every_page
def test_no_page_is_a_placeholder(page: Path) -> None:
    """No placeholder is left, such as a word in capitals alone in its line."""
    left = re.findall(r"^[A-Z][A-Z-]{3,}$|\b(?:TODO|FIXME|TBD)\b|%%\w*", prose(page), re.MULTILINE)
    assert left == []


# -- Options ---------------------------------------------------------------------------------------


def option_names(name: str) -> set[str]:
    counts = registry.kind(name).seat_counts
    return {option.name for seats in counts for option in registry.options_of(name, seats)}


def option_words(name: str) -> set[str]:
    """Return words that are values of options."""
    counts = registry.kind(name).seat_counts
    options = [option for seats in counts for option in registry.options_of(name, seats)]
    return {value for option in options for value in option.values if isinstance(value, str)}


@pytest.mark.parametrize("lang", ["de", "en"])
@pytest.mark.parametrize("name", registry.GAMES)
def test_options_are_in_the_rules(name: str, lang: str) -> None:
    coded = in_code(rules_text(name, lang))
    words = {word for text in coded for word in re.findall(r"\w+", text)}
    assert option_names(name) <= coded
    assert option_words(name) <= words


@pytest.mark.parametrize("name", registry.GAMES)
def test_options_are_in_the_record_format(name: str) -> None:
    """In the rows of the game, or of all games."""
    result: dict[str, set[str]] = {}
    game = ""
    for row in re.findall(r"^\| (.*) \|$", section(FORMAT, "Options"), re.MULTILINE):
        first, option, *_ = [cell.strip() for cell in row.split("|")]
        game = first or game
        result.setdefault(game, set()).update(in_code(option))
    assert result[name] | result["all"] == option_names(name)


# -- Commands --------------------------------------------------------------------------------------


def commands() -> dict[str, click.Command]:
    return dict(cli.cli.commands)


def command_lines(page: Path) -> Iterator[tuple[str, list[str]]]:
    """Yield every use of `stichwerk COMMAND …` in code: the command and its flags."""
    blocks = [line for block in fenced(page, "sh") for line in block.splitlines()]
    for code in [*blocks, *in_code(prose(page))]:
        found = re.match(r"(?:\.venv/bin/)?stichwerk ([a-z][a-z-]*)(.*)", code.partition("#")[0])
        if found:
            yield found[1], re.findall(r"(?<!\S)--[a-z-]+", found[2])


def test_every_command_is_documented() -> None:
    used = {command for page in PAGES for command, _ in command_lines(page)}
    assert sorted(set(commands()) - used) == []


@every_page
def test_documented_commands_and_flags_exist(page: Path) -> None:
    for command, flags in command_lines(page):
        assert command in commands(), f"stichwerk {command}"
        params = commands()[command].params
        known = {flag for param in params for flag in (*param.opts, *param.secondary_opts)}
        assert set(flags) <= known, f"stichwerk {command}"


@every_page
def test_documented_targets_exist(page: Path) -> None:
    targets = set(re.findall(r"^([a-z-]+):", text_of(ROOT / "Makefile"), re.MULTILINE))
    code = "\n".join([*fenced(page, "sh"), *in_code(prose(page))])
    assert set(re.findall(r"^(?:\S+=\S+ )?make ([a-z-]+)", code, re.MULTILINE)) <= targets


@every_page
def test_documented_programs_exist(page: Path) -> None:
    for module in re.findall(r"python -m ((?:tests|tools|stichwerk)\b[\w.]*)", text_of(page)):
        folder = ROOT / ("src" if module.startswith("stichwerk") else "")
        path = folder / module.rstrip(".").replace(".", "/")
        assert path.with_suffix(".py").exists() or (path / "__main__.py").exists(), module


@cache
def read_variables() -> set[str]:
    """Return the environment variables that the code reads."""
    folders = [ROOT / name for name in ("src/stichwerk", "tests", "tools")]
    sources = [path for folder in folders for path in folder.rglob("*.py") if path != SELF]
    found = (re.findall(r'"(STICHWERK_[A-Z_]+)"', text_of(path)) for path in sources)
    return set(re.findall(r"STICHWERK_[A-Z]+", text_of(ROOT / "setup.py"))).union(*found)


@every_page
def test_documented_environment_variables_are_read(page: Path) -> None:
    assert set(re.findall(r"STICHWERK_[A-Z_]*[A-Z]", text_of(page))) <= read_variables()


def test_the_list_of_tools_is_complete() -> None:
    """Everything in `tools/` that runs as a program, in order, and nothing else."""
    listed = re.findall(r"^    python -m tools\.(\w+)", tools.__doc__ or "", re.MULTILINE)
    programs = [
        path.parent.name if path.name == "__main__.py" else path.stem
        for path in (ROOT / "tools").rglob("*.py")
        if 'if __name__ == "__main__":' in path.read_text("utf-8")
    ]
    assert listed == sorted(programs)


# -- Architecture ----------------------------------------------------------------------------------


def test_documented_layers_equal_the_enforced_ones() -> None:
    settings = tomllib.loads(text_of(ROOT / "pyproject.toml"))["tool"]["importlinter"]
    (contract,) = [it for it in settings["contracts"] if it["type"] == "layers"]
    rows = re.findall(r"^\| (`.*?`) \| ", section(ARCHITECTURE, "Layers"), re.MULTILINE)
    result = [re.findall(r"`(\w+)`", row) for row in rows]
    assert result == [re.findall(r"\w+", layer) for layer in contract["layers"]]


def test_documented_constants_are_right() -> None:
    rows = re.findall(
        r"^\| `(\w+)` \| (-?\d+) \|", section(ARCHITECTURE, "Moves as numbers"), re.MULTILINE
    )
    result = {name: int(value) for name, value in rows}
    assert result == {name: value for name, value in vars(constants).items() if name.isupper()}


def test_every_method_of_the_frame_is_named() -> None:
    plain = twin(frame.__name__).Game
    methods = {name for name, _ in inspect.getmembers(plain, inspect.isfunction) if name[0] != "_"}
    assert len(methods) > 60
    assert sorted(methods - in_code(section(ARCHITECTURE, "Game: the frame"))) == []


def test_every_documented_method_exists() -> None:
    tables = re.findall(r"^\|.*\|$", section(ARCHITECTURE, "Game: the frame"), re.MULTILINE)
    plain = twin(frame.__name__).Game
    assert sorted(name for name in in_code("\n".join(tables)) if not hasattr(plain, name)) == []


def test_every_field_of_a_state_is_named() -> None:
    state = State()
    fields = {name for name in dir(state) if name[0] != "_" and not callable(getattr(state, name))}
    assert sorted(fields - in_code(section(ARCHITECTURE, "State"))) == []


def test_every_part_of_a_sheet_is_named() -> None:
    (listed,) = re.findall(
        r"^\*\*Parts\.\*\* (.*?):", section(ARCHITECTURE, "Stichtag's sheets"), re.M | re.S
    )
    assert re.findall(r"`(\w+)`", listed) == list(PARTS)


def test_every_field_of_a_view_is_named() -> None:
    assert sorted(set(View.__struct_fields__) - in_code(section(ARCHITECTURE, "Views"))) == []


def documented_paths(page: Path) -> set[str]:
    """Return the paths from the root of the repository that a page names in code."""
    return {name for name in in_code(text_of(page)) if re.fullmatch(PATH, name)}


@every_page
def test_documented_files_exist(page: Path) -> None:
    paths = {path for path in documented_paths(page) if "mine" not in path}
    assert sorted(path for path in paths if not (ROOT / path).exists()) == []


def test_paths_are_found_in_pages() -> None:
    assert len(documented_paths(ARCHITECTURE) | documented_paths(ROOT / "CONTRIBUTING.md")) > 10


# -- The record format -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("heading", "kind"),
    [
        ("The match", record.Record),
        ("A round", record.RoundRecord),
        ("Verifiable deals: `fairness`", record.Fairness),
    ],
)
def test_fields_of_records_are_documented(heading: str, kind: type[msgspec.Struct]) -> None:
    rows = re.findall(r"^\| `(\w+)` \|", section(FORMAT, heading), re.MULTILINE)
    assert rows == list(kind.__struct_fields__)


def test_the_schema_is_where_documented() -> None:
    (path,) = {code for code in in_code(prose(FORMAT)) if code.endswith(".json")}
    assert (ROOT / path).read_bytes() == record.schema()


def test_the_printed_record_holds() -> None:
    (printed,) = fenced(FORMAT, "json")
    assert record.verify(record.decode(printed)).status == "holds"
    assert record.encode(record.decode(printed)) == re.sub(r"\s", "", printed).encode()


@cache
def printed_program() -> dict[str, Any]:
    """Run the independent program of the page."""
    (program,) = [code for code in fenced(FORMAT, "python") if "def deal(" in code]
    imported = {
        alias.name.partition(".")[0]
        for node in ast.walk(ast.parse(program))
        if isinstance(node, ast.Import)
        for alias in node.names
    }
    assert "stichwerk" not in imported
    names: dict[str, Any] = {}
    exec(program, names)
    return names


@pytest.mark.parametrize(("name", "seats"), tables())
@pytest.mark.parametrize("seed", [0, 7, fairness.HIGHEST_SEED])
def test_the_printed_program_deals_as_we_do(name: str, seats: int, seed: int) -> None:
    program, game = printed_program(), stichwerk.game(name, seats=seats)
    first = game.new(seed=seed).rounds[0].deal
    colours, lowest, highest, hand_size = printed_deck(name, seats)
    cards = program["deck"](colours, lowest, highest, name == "null-nichtig")
    assert program["first_starter"](seed, seats) == first.starter
    bytes = program["stream"](program["key"](seed, 1))
    hands, stock = program["deal"](bytes, first.starter, seats, hand_size, cards)
    assert (hands, stock) == ([list(hand) for hand in first.hands], list(first.stock))


@pytest.mark.parametrize("seats", registry.kind("stichtag").seat_counts)
@pytest.mark.parametrize("date", ["01-00", "01-06", "04-01", "04-10", "04-26"])
@pytest.mark.parametrize("seed", [0, 7, fairness.HIGHEST_SEED])
@pytest.mark.parametrize("rules", registry.kind("stichtag").versions)
def test_the_printed_program_draws_as_we_do(date: str, seats: int, seed: int, rules: int) -> None:
    program = printed_program()
    game = stichwerk.game("stichtag", seats=seats, rules=rules, date=date)
    deal = game.new(seed=seed).rounds[0].deal
    colours, lowest, highest, hand_size = printed_deck("stichtag", seats)
    bytes = program["stream"](program["key"](seed, 1))
    program["deal"](bytes, 0, seats, hand_size, program["deck"](colours, lowest, highest))
    assert deal.specials
    for kind, value in deal.specials:
        drawn = program["drawn"](kind, bytes, seats)
        assert (drawn if kind == "trump" else tuple(drawn)) == value


def printed_deck(name: str, seats: int) -> tuple[str, int, int, int]:
    """Return colours, lowest and highest value, and hand size from the table of the page."""
    for row in re.findall(rf"^\| {name} \| (.*) \|$", section(FORMAT, "Deals"), re.MULTILINE):
        counts, colours, values, hands = row.split(" | ")
        if str(seats) in counts.split(" / "):
            at = counts.split(" / ").index(str(seats))
            lowest, highest = values.partition(",")[0].split(" to ")
            top, size = nth(highest, at), nth(hands, at)
            return colours.replace(" ", ""), int(lowest), top, size
    raise AssertionError(f"no row for {name} with {seats} seats")


def nth(cell: str, at: int) -> int:
    """Return one of several numbers in a cell, or the only one."""
    numbers = cell.split(" / ")
    return int(numbers[at] if len(numbers) > 1 else numbers[0])


def test_check_values_hold() -> None:
    result = section(FORMAT, "Check values")
    program = printed_program()
    for round, start in re.findall(r"K_(\d) = `([0-9a-f]+)…`", result):
        assert program["key"](7, int(round)).hex().startswith(start)
    rows = re.findall(r"^\| ([a-z-]+) \| (\d) \| (\d) \| ([A-Z0-9 ]+) \|$", result, re.MULTILINE)
    assert {name for name, *_ in rows} == set(registry.GAMES)
    for name, seats, starter, hand in rows:
        deal = stichwerk.game(name, seats=int(seats)).new(seed=7).rounds[0].deal
        assert deal.starter == int(starter)
        assert " ".join(deal.hands[deal.starter]) == hand


def test_check_values_of_draws_hold() -> None:
    """What the page says about trumps, partners and eggs; `test_record_format.py` recomputes it."""
    row = r"^\| ([\w, ]+) \| ([12, ]+) \| (\d) \| ([RYGBLS ]*?) ?\| ([\d ]*?) ?\| ([\d ]*?) ?\|$"
    found = re.findall(row, section(FORMAT, "Check values"), re.MULTILINE)
    assert len(found) == 19
    for sheets, versions, seats, *cells in found:
        for rules in map(int, versions.split(", ")):
            names = sheets.split(", ")
            game = stichwerk.game("stichtag", seats=int(seats), rules=rules, sheets=names)
            trumps = "trump" if rules == 1 else "trumps"
            result = zip((trumps, "partners", "eggs"), cells, strict=True)
            specials = game.new(seed=7).rounds[0].deal.specials
            assert {kind: cell for kind, cell in result if cell} == {
                kind: value if isinstance(value, str) else " ".join(map(str, value))
                for kind, value in specials
            }


# -- Figures ---------------------------------------------------------------------------------------


def test_printed_ratios_follow_from_the_printed_rates() -> None:
    """The table names every game with a goal, with the ratio that its own figures give."""
    table = section(ROOT / "docs/speed.md", "Rounds")
    rows = re.findall(r"^\| \*?([^|*]+?)\*? \| \*?([\d.]+) M\*? \| \*?([\d.]+)\*? \|$", table, re.M)
    rates = {name: (float(rate), float(ratio)) for name, rate, ratio in rows}
    hearts = rates.pop("OpenSpiel hearts, roll-outs after the deal")[0]
    measured = {name.removesuffix(" (base)") for name in rates}
    assert measured == {game_name(name, "en") for name in GOALS}
    for rate, ratio in rates.values():
        assert rate / hearts == pytest.approx(ratio, rel=0.03)
