"""The registry of bots: names, versions, iterations, and bots that other packages bring."""

import hashlib
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import stichwerk
from stichwerk import bots, cli
from stichwerk.bots import BOTS, KINDS, Bot, Listing, registry
from stichwerk.errors import StichwerkError
from stichwerk.locale import LANGUAGES, sentences, text
from stichwerk.match import Setting
from stichwerk.simulate import play_match
from tests.bot_packages import put_example, put_package
from tests.strategies import tables

pytestmark = pytest.mark.game

EXAMPLE = Path(__file__).parents[1] / "docs/examples/entry_point_bot"

built_in = pytest.mark.parametrize("listing", registry.BUILT_IN, ids=lambda it: it.full_name)


def refusal(name: Any) -> StichwerkError:
    """Return the refusal of a name."""
    with pytest.raises(StichwerkError) as caught:
        bots.build(name)
    for lang in LANGUAGES:
        sentence = text(caught.value.id, lang, **caught.value.data)
        assert not sentence.startswith(caught.value.id), "no sentence, or facts are missing"
    return caught.value


# -- The table -------------------------------------------------------------------------------------


@built_in
def test_every_listing_is_complete(listing: Listing) -> None:
    bot = bots.build(listing.full_name, 3)
    assert (bot.name, bot.version) == (listing.name, listing.version)
    assert listing.kind in KINDS
    for lang in LANGUAGES:
        assert {listing.description, KINDS[listing.kind]} <= set(sentences(lang))


@built_in
def test_a_versioned_name_means_that_version(listing: Listing) -> None:
    assert registry.find(listing.full_name) == (listing, None)


def test_no_version_is_listed_twice() -> None:
    names = [listing.full_name for listing in registry.BUILT_IN]
    assert len(set(names)) == len(names)


def test_baselines_stay_available() -> None:
    assert "random-1" in {listing.full_name for listing in registry.BUILT_IN}


def test_importing_stichwerk_loads_no_bot() -> None:
    program = (
        "import stichwerk, sys; stichwerk.bot; import stichwerk.bots;"
        "bad = [name for name in sys.modules if name.startswith(('stichwerk.bots.', 'msgspec'))];"
        "sys.exit(sorted(bad) != ['stichwerk.bots.registry'])"
    )
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)


# -- Names -----------------------------------------------------------------------------------------


class Counting:
    """A bot that takes iterations."""

    name = "counting"

    def __init__(self, seed: int, version: int = 1, iterations: int = 100) -> None:
        self.seed = seed
        self.version = version
        self.iterations = iterations

    def choose(self, view: Any) -> str:
        """Return the first."""
        return str(view.moves[0])


@pytest.fixture
def counting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three versions of a bot, the newest in the middle, and one of another name."""
    module = SimpleNamespace(Counting=Counting)
    monkeypatch.setitem(sys.modules, "bots_of_this_test", module)
    lines = tuple(
        Listing(
            *("counting", version, "search", "bots_of_this_test:Counting"),
            iterations=True,
            settings={"version": version},
        )
        for version in (1, 12, 2)
    )
    monkeypatch.setattr(registry, "BUILT_IN", (*registry.BUILT_IN, *lines))
    monkeypatch.setitem(BOTS, "counting", lines[1])


@pytest.mark.usefixtures("counting")
@pytest.mark.parametrize(
    ("name", "version", "iterations"),
    [
        ("counting", 12, 100),
        ("counting-1", 1, 100),
        ("counting-2", 2, 100),
        ("counting-12", 12, 100),
        ("counting@7", 12, 7),
        ("counting-2@2000", 2, 2000),
    ],
)
def test_names(name: str, version: int, iterations: int) -> None:
    bot = stichwerk.bot(name, seed=5)
    assert isinstance(bot, Counting)
    assert (bot.seed, bot.version, bot.iterations) == (5, version, iterations)


@pytest.mark.usefixtures("counting")
def test_full_names() -> None:
    assert bots.full_name("random") == "random-1"
    assert bots.full_name("counting@50") == "counting-12@50"
    assert bots.full_name("counting-1") == "counting-1"
    assert bots.full_name("program:cat") == "program:cat"


@pytest.mark.parametrize(
    "name",
    [
        *("", " ", "1", "-1", "@5", "genius", "Random", "randóm", "random ", "random\n", "random-"),
        *("random--1", "random-x", "random-1-1", "random-99999999999", "program", "a" * 5000),
        *(None, 3),
    ],
)
def test_unknown_names_are_refused_with_the_known(name: Any) -> None:
    error = refusal(name)
    assert error.id == "unknown-bot"
    assert "random" in str(error.data["known"])
    assert "program:COMMAND" in str(error.data["known"])


@pytest.mark.usefixtures("counting")
@pytest.mark.parametrize(
    ("name", "id"),
    [
        ("random-2", "unknown-bot-version"),
        ("counting-3", "unknown-bot-version"),
        ("random@500", "no-iterations"),
        ("random-1@", "no-iterations"),
        *[(f"counting@{wrong}", "bad-iterations") for wrong in ("", "0", "-1", "x", "5@5", "1e3")],
        *[(f"counting@{wrong}", "bad-iterations") for wrong in ("9" * 5000, "٣", "100000001")],
    ],
)
def test_unsupported_parameters_of_a_bot_are_refused(name: str, id: str) -> None:
    assert refusal(name).id == id


# -- Bots of other packages ------------------------------------------------------------------------

Install = Callable[..., None]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Install:
    """Puts a tiny distribution where Python finds it."""
    monkeypatch.syspath_prepend(tmp_path)

    def put(package: str, points: dict[str, str], **modules: str) -> None:
        for name in modules:
            monkeypatch.delitem(sys.modules, name, raising=False)
        put_package(tmp_path, package, points, **modules)

    return put


THEIRS = '''
class Last:
    """plays the last move

    and says more below
    """
    name, version, takes_iterations = "last", 3, True
    def __init__(self, seed, iterations=1):
        self.seed, self.iterations = seed, iterations
    def choose(self, view):
        return view.moves[-1]

def plain(seed):
    return Last(seed)

def stubborn(seed):
    raise RuntimeError("not today")

def thing(seed):
    return 5

def full(seed):
    raise MemoryError

class Odd:
    version = "new"

number = 5
'''


def test_a_package_adds_a_bot(install: Install) -> None:
    install("last-bot", {"last": "theirs_a:Last", "my-plain": "theirs_a:plain"}, theirs_a=THEIRS)
    bot: Any = bots.build("last@20", 9)
    assert (bot.seed, bot.iterations) == (9, 20)
    assert bots.full_name("last") == "last-3"
    assert bots.full_name("my-plain") == "my-plain-1"
    assert bots.build("last-3").name == "last"
    assert refusal("last-2").data["known"] == "3"
    assert refusal("my-plain@5").id == "no-iterations"
    assert "last, my-plain" in str(refusal("nobody").data["known"])
    match = play_match(Setting("sticheln", 3, {}), ["last", "random", "my-plain-1"], 1)
    assert match.over
    assert match.names == ("last", "random", "my-plain-1")


def test_packages_cannot_take_our_names(install: Install) -> None:
    install("thief", {"random": "theirs_b:Last"}, theirs_b=THEIRS)
    assert type(bots.build("random")).__module__ == "stichwerk.bots.random"
    assert refusal("random-3").id == "unknown-bot-version"
    assert [one.full_name for one in bots.listings() if isinstance(one, Listing)].count(
        "random-1"
    ) == 1
    assert "theirs_b" not in sys.modules


@pytest.mark.parametrize(
    ("value", "why"),
    [
        ("no_such_module:Bot", "ModuleNotFoundError"),
        ("theirs_c:nothing", "AttributeError"),
        ("theirs_c:number", "TypeError"),
        ("theirs_c:Odd", "TypeError: version new"),
        ("theirs_c:stubborn", "RuntimeError: not today"),
        ("theirs_c:thing", "no method `choose`"),
        ("theirs_d:Last", "ZeroDivisionError"),
        ("theirs_d", "ZeroDivisionError"),
    ],
)
def test_a_broken_bot_breaks_no_other(install: Install, value: str, why: str) -> None:
    modules = {"theirs_c": THEIRS, "theirs_d": "1 / 0"}
    install("faulty-bots", {"bad": value, "last": "theirs_c:Last"}, **modules)
    assert bots.build("last").name == "last"
    error = refusal("bad")
    assert error.id == "broken-bot"
    assert error.data["package"] == "faulty-bots"
    assert why in str(error.data["why"])
    listed = [one.full_name for one in bots.listings() if isinstance(one, Listing)]
    assert {"random-1", "last-3"} <= set(listed)


def test_a_name_from_two_packages_is_reported(install: Install) -> None:
    install("one", {"last": "theirs_e:Last"}, theirs_e=THEIRS)
    install("two", {"last": "theirs_e:plain"})
    assert refusal("last").id == "bot-twice"
    assert refusal("last").data["packages"] == "one, two"


def test_names_outside_the_grammar_are_reported(install: Install) -> None:
    names = ("last-2", "a@b", "greedy", "program", "_last", "bär")
    install("odd-names", dict.fromkeys(names, "theirs_f:Last"), theirs_f=THEIRS)
    for name in ("last-2", "a@b", "_last", "bär"):
        assert refusal(name).id == "bad-bot-name"
    assert refusal("program").id == "bot-name-reserved"
    assert bots.build("greedy").version == 2, "ours"
    problems = [one for one in bots.listings() if isinstance(one, bots.BadBotError)]
    result = [(one.id, one.data["bot"], one.data["package"]) for one in problems]
    assert result == [
        ("bad-bot-name", "_last", "odd-names"),
        ("bad-bot-name", "a@b", "odd-names"),
        ("bad-bot-name", "bär", "odd-names"),
        ("bot-name-taken", "greedy", "odd-names"),
        ("bad-bot-name", "last-2", "odd-names"),
        ("bot-name-reserved", "program", "odd-names"),
    ]
    assert "theirs_f" not in sys.modules


def test_the_example_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put_example(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    bot: Bot = bots.build("cautious", 1)
    assert (bot.name, bot.version) == ("cautious", 1)
    for name, seats in tables():
        assert play_match(Setting(name, seats, {}), ["cautious"] * seats, 2).over


# -- The command -----------------------------------------------------------------------------------


def test_the_list(install: Install, capsys: pytest.CaptureFixture[str]) -> None:
    install("many-bots", {"last": "theirs_g:Last", "bad": "theirs_g:nothing"}, theirs_g=THEIRS)
    assert cli.main(["bots", "--lang", "en"]) == 0
    shown = capsys.readouterr()
    lines = [line.split() for line in shown.out.splitlines()]
    assert lines[0][:4] == ["random-1", "rule", "built", "in"]
    assert ["last-3[@N]", "package", "many-bots", "plays", "the", "last", "move"] in lines
    assert lines[-1][0] == "program:…"
    assert shown.err.startswith("The bot 'bad' of the package many-bots cannot be loaded")


def test_the_list_as_json(install: Install, capsys: pytest.CaptureFixture[str]) -> None:
    points = {
        "last": "theirs_h:Last",
        "bad": "theirs_h:nothing",
        "quits": "theirs_i:Bot",
        "dies": "theirs_j:Bot",
        "random": "theirs_h:Last",
        "last-2": "theirs_h:Last",
        "stubborn": "theirs_h:stubborn",
        "thing": "theirs_h:thing",
        "full": "theirs_h:full",
    }
    quits, dies = "import sys; sys.exit('no licence')", "import os; os._exit(3)"
    install("many-bots", points, theirs_h=THEIRS, theirs_i=quits, theirs_j=dies)
    assert cli.main(["bots", "--json", "--lang", "de"]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert listed[0] == {
        "name": "random",
        "version": 1,
        "kind": "rule",
        "iterations": False,
        "package": None,
        "description": "spielt irgendeinen erlaubten Zug, alle gleich wahrscheinlich",
        "problem": None,
    }
    found = {fact["name"]: fact for fact in listed if fact["package"]}
    assert {fact["package"] for fact in found.values()} == {"many-bots"}
    assert (found["last"]["iterations"], found["last"]["problem"]) == (True, None)
    problems = {name: fact["problem"] and fact["problem"]["id"] for name, fact in found.items()}
    assert problems == {
        "last": None,
        "bad": "broken-bot",
        "quits": "broken-bot",
        "dies": "bot-dies-loading",
        "random": "bot-name-taken",
        "last-2": "bad-bot-name",
        "stubborn": "broken-bot",
        "thing": "broken-bot",
        "full": "broken-bot",
    }
    reasons = {
        "quits": "SystemExit: no licence",
        "stubborn": "RuntimeError: not today",
        "thing": "TypeError: no method `choose`",
        "full": "MemoryError",
    }
    for name, why in reasons.items():
        assert found[name]["problem"]["text"].endswith(f" lässt sich nicht laden: {why}")
    assert {"theirs_h", "theirs_i", "theirs_j"}.isdisjoint(sys.modules), "imported by workers only"


# -- Baselines -------------------------------------------------------------------------------------

# What `greedy-1` plays in a round of each game. It is what others are measured against: if one of
# these changes, every figure that names it is worth nothing. Make a new version instead.
FROZEN = {
    "sticheln": "7006e42afc20f1b3",
    "null-nichtig": "2bb0a71ec9ea6046",
    "stichling": "cd0c29b9341cdddf",
    "stichtag": "fce3afd97b30451a",
}


@pytest.mark.parametrize("game", FROZEN)
def test_the_first_greedy_never_changes(game: str) -> None:
    match = play_match(Setting(game, 4, {}), ["greedy-1"] * 4, seed=2026)
    moves = [(log.choices, log.plays) for log in match.rounds]
    assert hashlib.sha256(repr(moves).encode()).hexdigest()[:16] == FROZEN[game]
