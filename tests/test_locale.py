"""Every id has a sentence in both languages, and every sentence is used."""

import ast
import json
import string
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from stichwerk import errors, locale
from stichwerk.bots import BOTS
from stichwerk.cards import COLOURS
from stichwerk.games import registry
from stichwerk.games.stichtag.calendar import SHEETS
from stichwerk.locale import (
    LANGUAGES,
    game_name,
    language,
    number,
    one_line,
    round_word,
    rules_text,
    sentences,
    text,
)
from stichwerk.server.http.game_catalogue import label_id, option_id

pytestmark = pytest.mark.game

SOURCE = Path(locale.__file__).parents[1]
GAMES = tuple(registry.GAMES)
SPEAKERS = {"text", "say", "by"}


def option_ids() -> Iterator[str]:
    """Yield what the start page says about the games: each, its options and their values."""
    for game in GAMES:
        yield f"about-{game}"
        for seats in registry.kind(game).seat_counts:
            for option in registry.options_of(game, seats):
                id = option_id(game, option.name)
                yield from (id, f"{id}-text")
                yield from (label_id(game, option, value) for value in option.values)


def phases_of_sheets() -> set[str]:
    """Return what calendar sheets ask for."""
    return {phase for sheet in SHEETS.values() for phase in sheet.asks.values()}


FAMILIES = (
    {f"bot-{name}" for name in BOTS}
    | {f"game-{name}" for name in GAMES}
    | {f"round-{name}" for name in GAMES}
    | {f"picture-{info.name}" for info in registry.OUR_GAMES if info.page != "generic"}
    | {f"colour-{letter}" for letter in COLOURS}
    | set(option_ids())
    | {f"{part}-{phase}" for part in ("do", "rule") for phase in phases_of_sheets()}
    | {f"do-{sheet.play_moment}" for sheet in SHEETS.values() if sheet.play_moment}
)
# A guard inside the arithmetic of deals; `Setting` refuses such seats before, with all the facts.
WITHOUT_ALL_FACTS = {("fairness.py", "bad-seats")}


@cache
def nodes() -> list[tuple[Path, ast.AST]]:
    """Return every node of our source with its file."""
    paths = sorted(SOURCE.rglob("*.py"))
    return [(path, node) for path in paths for node in ast.walk(ast.parse(path.read_text("utf-8")))]


def refusal_names() -> set[str]:
    """Return Reason, StichwerkError and all declared subclasses."""
    names = {"Reason", "StichwerkError"}
    names |= {name for name, kind in vars(errors).items() if isinstance(kind, type)}
    for _, node in nodes():
        if isinstance(node, ast.ClassDef):
            bases = {base.id for base in node.bases if isinstance(base, ast.Name)}
            names |= {node.name} if bases & names else set()
    return names


def calls(callees: set[str]) -> Iterator[tuple[Path, str, set[str] | None]]:
    """Yield each call with a literal id: where, which id, and its facts (None: not written out)."""
    for path, node in nodes():
        if isinstance(node, ast.Call) and node.args and callee(node) in callees:
            facts = [keyword.arg for keyword in node.keywords]
            known = None if None in facts else {fact for fact in facts if fact}
            for id in strings(node.args[0]):
                yield path, id, known


def callee(node: ast.Call) -> str:
    return str(getattr(node.func, "id", getattr(node.func, "attr", "")))


def strings(node: ast.expr) -> list[str]:
    """Return the texts an argument can be: itself, or either side of an `if`."""
    if isinstance(node, ast.IfExp):
        return strings(node.body) + strings(node.orelse)
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return [node.value]
    return []


def fault_calls() -> Iterator[tuple[Path, str, set[str]]]:
    """Yield each fault of a bot: its id begins with the kind of bot, which has its own name in
    facts."""
    for path, kind, facts in calls({"_fault"}):
        begins = ("program", "python") if path.name == "program.py" else ("python",)
        for begin in begins:
            named = "program" if begin == "program" else "bot"
            yield path, f"{begin}-{kind}", {named, *(facts or ())}


def placeholders(sentence: str) -> set[str]:
    return {field for _, field, _, _ in string.Formatter().parse(sentence) if field}


def literals() -> set[str]:
    constants = (node for _, node in nodes() if isinstance(node, ast.Constant))
    return {node.value for node in constants if isinstance(node.value, str)}


def test_both_languages_have_the_same_ids_and_facts() -> None:
    german, english = sentences("de"), sentences("en")
    assert sorted(german) == sorted(english)
    different = [id for id in german if placeholders(german[id]) != placeholders(english[id])]
    assert different == []


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_refusal_has_a_sentence(lang: str) -> None:
    ids = {id for _, id, _ in (*calls(refusal_names()), *fault_calls())}
    assert len(ids) > 40
    assert sorted(ids - set(sentences(lang))) == []


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_used_id_has_a_sentence(lang: str) -> None:
    ids = {id for _, id, _ in calls(SPEAKERS)} | FAMILIES
    helps = {id for id in literals() if id.startswith(("help-", "flag-", "ask-", "heading-"))}
    assert sorted((ids | helps) - set(sentences(lang))) == []


def test_refusals_give_all_facts_their_sentence_names() -> None:
    missing = []
    for path, id, facts in (*calls(refusal_names()), *fault_calls()):
        if facts is not None and not placeholders(sentences("en")[id]) <= facts:
            missing.append((path.name, id))
    assert set(missing) <= WITHOUT_ALL_FACTS, missing


def test_no_sentence_is_unused() -> None:
    faults = {id for _, id, _ in fault_calls()}
    assert sorted(set(sentences("en")) - literals() - FAMILIES - faults) == []


def test_files_are_in_the_order_of_ids() -> None:
    for path in Path(locale.__file__).parent.glob("*.json"):
        ids = list(json.loads(path.read_text("utf-8")))
        assert ids == sorted(ids), path.name


def test_colours_are_words() -> None:
    data = {"card": "R3", "colour": "B"}
    german = text("must-follow", "de", **data)
    assert german.startswith("Du hast Blau, also musst du Blau bedienen")
    assert text("must-follow", "en", **data).startswith("You have blue, so you must follow blue")


def test_unknown_id_and_missing_facts_fall_back_to_the_id() -> None:
    assert text("no-such-id", "de", card="R3") == "no-such-id: card=R3"
    assert text("no-such-id", "de") == "no-such-id"
    assert text("bad-seats", "en", seats=300) == "bad-seats: seats=300"
    assert text("match-over", "fr") == text("match-over", "en")


def test_counts_choose_the_wording() -> None:
    assert text("tricks", "en", count=1) == "1 trick"
    assert text("tricks", "en", count=0) == "0 tricks"
    assert text("tricks", "de", count=2) == "2 Stiche"


def test_facts_stay_on_one_line_and_are_never_a_template() -> None:
    said = text("not-a-card", "en", text="a\nb\x1b[31m\udcff{text}")
    assert said.isprintable()
    assert "{text}" in said
    assert len(text("not-a-card", "en", text="x" * 10_000)) < 400
    assert one_line("a\nb") == "a\\nb"


@pytest.mark.parametrize(
    ("environment", "requested", "expected"),
    [
        ({}, None, "en"),
        ({"LANG": "de_DE.UTF-8"}, None, "de"),
        ({"LANG": "de_DE.UTF-8", "LC_ALL": "C"}, None, "en"),
        ({"LANG": "en_GB", "LC_MESSAGES": "de_AT"}, None, "de"),
        ({"LANG": "DE"}, None, "de"),
        ({"LANG": "fr_FR", "LC_ALL": ""}, None, "en"),
        ({"LANG": "de_DE"}, "en", "en"),
        ({"LANG": "de_DE"}, "fr", "de"),
        ({}, "de", "de"),
    ],
)
def test_language(environment: dict[str, str], requested: str | None, expected: str) -> None:
    assert language(environment, requested) == expected


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_game_has_its_rules(game: str, lang: str) -> None:
    assert rules_text(game, lang).startswith(f"# {text(f'game-{game}', lang)}")


@pytest.mark.parametrize("game", ["nope", "../rules/sticheln", ""])
def test_rules_of_an_unknown_game_are_a_lookup_error(game: str) -> None:
    with pytest.raises(LookupError):
        rules_text(game, "de")


def test_names_of_games() -> None:
    assert game_name("null-nichtig", "en") == "Null & nichtig"
    assert game_name("my-own", "en") == "my-own"
    assert [round_word(game, "de") for game in (*GAMES[:2], "my-own")] == [
        *("Runde", "Runde", "Runde")
    ]


def test_numbers() -> None:
    assert number(1234.5, "en", 1) == "1,234.5"
    assert number(1234.5, "de", 1) == "1.234,5"
    assert number(12, "de") == "12"


def test_an_id_in_two_files_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(locale, "_HERE", tmp_path)
    (tmp_path / "a.en.json").write_text('{"x": "1"}')
    (tmp_path / "b.en.json").write_text('{"x": "2"}')
    with pytest.raises(ValueError, match=r"b\.en\.json.*'x'"):
        sentences.__wrapped__("en")
    (tmp_path / "b.en.json").write_text('{"y": "1", "y": "2"}')
    with pytest.raises(ValueError, match="'y'"):
        sentences.__wrapped__("en")


def test_locale_imports_none_of_our_modules() -> None:
    tree = ast.parse(Path(locale.__file__).read_text("utf-8"))
    modules = [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    assert not any(module.startswith("stichwerk") for module in modules)
