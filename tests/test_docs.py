"""The documentation does not rot: links lead somewhere, what it names exists, its programs run."""

import ast
import inspect
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import click
import msgspec
import pytest

import stichwerk
from stichwerk import cli, fairness, record
from stichwerk.engine import constants, events, frame
from stichwerk.engine.plain import twin
from stichwerk.engine.state import State
from stichwerk.games import registry
from stichwerk.games.stichtag.sheet import PARTS
from stichwerk.locale import rules_text
from stichwerk.view import View
from tests.strategies import tables

ROOT = Path(__file__).parents[1]
PAGES = sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")])
ARCHITECTURE = ROOT / "docs/architecture.md"
FORMAT = ROOT / "docs/record-format.md"

every_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))


@cache
def text_of(page: Path) -> str:
    return page.read_text("utf-8")


def fenced(page: Path, language: str) -> list[str]:
    """The blocks of code in one language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", text_of(page), re.MULTILINE | re.DOTALL)


def prose(page: Path) -> str:
    """The page without its blocks of code."""
    return re.sub(r"^ *```.*?^ *```$", "", text_of(page), flags=re.MULTILINE | re.DOTALL)


def section(page: Path, heading: str) -> str:
    """What stands under a heading, until the next one."""
    found = re.search(
        rf"^#+ {re.escape(heading)}$(.*?)(?=^#|\Z)", text_of(page), re.MULTILINE | re.DOTALL
    )
    assert found, f"{page.name} has no heading {heading}"
    return found[1]


def in_code(text: str) -> set[str]:
    """Every text that is set as code inside a line."""
    return set(re.findall(r"`([^`\n]+)`", text))


# -- Links -----------------------------------------------------------------------------------------


def broken_links(page: Path, text: str) -> Iterator[str]:
    """Relative links that lead nowhere, to a file or to a heading."""
    for link in re.findall(r"\]\(([^)\s]+)\)", text):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, anchor = link.partition("#")
        target = page.parent / path if path else page
        if not target.exists() or (anchor and anchor not in anchors(target)):
            yield link


def anchors(page: Path) -> set[str]:
    """The names under which headings can be linked to."""
    headings = re.findall(r"^#+ (.+)$", prose(page), re.MULTILINE)
    kept = [re.sub(r"[^\w\- ]", "", heading.lower()) for heading in headings]
    return {heading.strip().replace(" ", "-") for heading in kept}


@every_page
def test_links_lead_somewhere(page: Path) -> None:
    assert list(broken_links(page, prose(page))) == []


def test_a_broken_link_is_found() -> None:
    text = "[a](docs/no-such.md) [b](LICENSE) [c](#status) [d](#no-such) [e](https://example.org)"
    assert list(broken_links(ROOT / "README.md", text)) == ["docs/no-such.md", "#no-such"]


def test_the_index_names_every_page() -> None:
    index = ROOT / "docs/README.md"
    linked = re.findall(r"\]\(([^)\s#]+)", text_of(index))
    known = {(index.parent / link).resolve() for link in linked}
    pages = {page for page in (ROOT / "docs").glob("*.md") if page != index}
    assert sorted(page.name for page in pages - known) == []


@every_page
def test_no_paths_of_one_machine(page: Path) -> None:
    assert re.findall(r"(?<![\w.])/(?:home|work|root|tmp|Users|usr)/\S*", text_of(page)) == []


# -- Options ---------------------------------------------------------------------------------------


def option_names(name: str) -> set[str]:
    counts = registry.kind(name).seat_counts
    return {option.name for seats in counts for option in registry.options_of(name, seats)}


def option_words(name: str) -> set[str]:
    """Words that are values of options."""
    counts = registry.kind(name).seat_counts
    options = [option for seats in counts for option in registry.options_of(name, seats)]
    return {value for option in options for value in option.values if isinstance(value, str)}


@pytest.mark.parametrize("lang", ["de", "en"])
@pytest.mark.parametrize("name", registry.GAMES)
def test_options_stand_in_the_rules(name: str, lang: str) -> None:
    coded = in_code(rules_text(name, lang))
    words = {word for text in coded for word in re.findall(r"\w+", text)}
    assert option_names(name) <= coded
    assert option_words(name) <= words


@pytest.mark.parametrize("name", registry.GAMES)
def test_options_stand_in_the_format(name: str) -> None:
    """In the rows of the game, or of all games."""
    told: dict[str, set[str]] = {}
    game = ""
    for row in re.findall(r"^\| (.*) \|$", section(FORMAT, "Options"), re.MULTILINE):
        first, option, *_ = [cell.strip() for cell in row.split("|")]
        game = first or game
        told.setdefault(game, set()).update(in_code(option))
    assert told[name] | told["all"] == option_names(name)


# -- Commands --------------------------------------------------------------------------------------


def commands() -> dict[str, click.Command]:
    return dict(cli.cli.commands)


def command_lines(page: Path) -> Iterator[tuple[str, list[str]]]:
    """Every use of `stichwerk COMMAND …` in code: the command and its flags."""
    blocks = [line for block in fenced(page, "sh") for line in block.splitlines()]
    for code in [*blocks, *in_code(prose(page))]:
        found = re.match(r"(?:\.venv/bin/)?stichwerk ([a-z]+)(.*)", code.partition("#")[0])
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
    for module in re.findall(r"python -m (tests[\w.]+)", text_of(page)):
        assert (ROOT / module.replace(".", "/")).with_suffix(".py").exists(), module


# -- Architecture ----------------------------------------------------------------------------------


def test_constants_are_as_told() -> None:
    rows = re.findall(
        r"^\| `(\w+)` \| (-?\d+) \|", section(ARCHITECTURE, "Moves as numbers"), re.MULTILINE
    )
    told = {name: int(value) for name, value in rows}
    assert told == {name: value for name, value in vars(constants).items() if name.isupper()}


def test_every_method_of_the_frame_is_named() -> None:
    plain = twin(frame.__name__).Game
    methods = {name for name, _ in inspect.getmembers(plain, inspect.isfunction) if name[0] != "_"}
    assert len(methods) > 60
    assert sorted(methods - in_code(section(ARCHITECTURE, "Game: the frame"))) == []


def test_every_method_named_is_there() -> None:
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


def test_every_file_named_is_there() -> None:
    named = in_code(text_of(ARCHITECTURE)) | in_code(text_of(ROOT / "CONTRIBUTING.md"))
    paths = {name for name in named if re.fullmatch(r"(?:tests|src|docs)/[\w./-]+", name)}
    assert len(paths) > 10
    gone = sorted(path for path in paths if "mine" not in path and not (ROOT / path).exists())
    assert gone == []


# -- The record format -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("heading", "kind"),
    [
        ("The match", record.Record),
        ("A round", record.RoundRecord),
        ("Verifiable deals: `fairness`", record.Fairness),
    ],
)
def test_fields_of_records_are_told(heading: str, kind: type[msgspec.Struct]) -> None:
    rows = re.findall(r"^\| `(\w+)` \|", section(FORMAT, heading), re.MULTILINE)
    assert rows == list(kind.__struct_fields__)


def test_the_schema_lies_where_it_is_said() -> None:
    (path,) = {code for code in in_code(prose(FORMAT)) if code.endswith(".json")}
    assert (ROOT / path).read_bytes() == record.schema()


def test_the_printed_record_holds() -> None:
    (printed,) = fenced(FORMAT, "json")
    assert record.verify(record.decode(printed)).status == "holds"
    assert record.encode(record.decode(printed)) == re.sub(r"\s", "", printed).encode()


@cache
def printed_program() -> dict[str, Any]:
    """The independent program of the page, run."""
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
    hands, stock = program["deal"](seed, 1, first.starter, seats, hand_size, cards)
    assert (hands, stock) == ([list(hand) for hand in first.hands], list(first.stock))


def printed_deck(name: str, seats: int) -> tuple[str, int, int, int]:
    """Colours, lowest and highest value, and hand size, as the table of the page has them."""
    for row in re.findall(rf"^\| {name} \| (.*) \|$", section(FORMAT, "Deals"), re.MULTILINE):
        counts, colours, values, hands = row.split(" | ")
        if str(seats) in counts.split(" / "):
            at = counts.split(" / ").index(str(seats))
            lowest, highest = values.partition(",")[0].split(" to ")
            top, size = nth(highest, at), nth(hands, at)
            return colours.replace(" ", ""), int(lowest), top, size
    raise AssertionError(f"no row for {name} with {seats} seats")


def nth(cell: str, at: int) -> int:
    """One of several numbers in a cell, or the only one."""
    numbers = cell.split(" / ")
    return int(numbers[at] if len(numbers) > 1 else numbers[0])


def test_check_values_hold() -> None:
    told = section(FORMAT, "Check values")
    program = printed_program()
    for round, start in re.findall(r"K_(\d) = `([0-9a-f]+)…`", told):
        assert program["key"](7, int(round)).hex().startswith(start)
    rows = re.findall(r"^\| ([a-z-]+) \| (\d) \| (\d) \| ([A-Z0-9 ]+) \|$", told, re.MULTILINE)
    assert len(rows) == len(registry.GAMES)
    for name, seats, starter, hand in rows:
        deal = stichwerk.game(name, seats=int(seats)).new(seed=7).rounds[0].deal
        assert deal.starter == int(starter)
        assert " ".join(deal.hands[deal.starter]) == hand


# -- Events and figures ----------------------------------------------------------------------------


def test_event_kinds_are_told_where_they_are_defined() -> None:
    """Everything that can happen in a match is described with `Event`."""
    told = events.Event.__doc__ or ""
    for name, seats in tables():
        match = stichwerk.game(name, seats=seats).new(seed=1)
        bot = stichwerk.bot("random")
        while match.waiting_for:
            seat = match.waiting_for[0]
            match.play(seat, bot.choose(match.view(seat)))
        assert all(f"`{event.kind}`" in told for event in match.events)


def test_printed_ratios_follow_from_the_printed_rates() -> None:
    """The table of the README names every game, with the ratio that its own figures give."""
    table = section(ROOT / "README.md", "Speed")
    rows = re.findall(r"^\| \*?([^|*]+?)\*? \| \*?([\d.]+) M\*? \| \*?([\d.]+)\*? \|$", table, re.M)
    rates = {name: (float(rate), float(ratio)) for name, rate, ratio in rows}
    hearts = rates.pop("OpenSpiel hearts, roll-outs after the deal")[0]
    assert len(rates) == len(registry.GAMES)
    for rate, ratio in rates.values():
        assert rate / hearts == pytest.approx(ratio, rel=0.03)
