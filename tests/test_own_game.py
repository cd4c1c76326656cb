"""The example game of the documentation: one file of plain Python, a game like the others."""

import importlib.util
import json
import os
import re
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import numpy
import pyspiel
import pytest

import stichwerk
from stichwerk import cli, own_games, record
from stichwerk.engine.generator import Generator
from stichwerk.envs import Batch, Spec, spiel, zoo
from stichwerk.errors import BadFileError, BadOptionError, Reason, UnknownGameError
from stichwerk.games import registry
from stichwerk.match import Match
from stichwerk.testing import check_game
from stichwerk.view import sample
from tests import doc_pages

EXAMPLE = Path(__file__).parents[1] / "docs/examples/own_game.py"


@pytest.fixture(autouse=True)
def registered(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Import the example, which registers itself; afterwards there are four games again."""
    monkeypatch.setattr(registry, "GAMES", dict(registry.GAMES))
    registry._build.cache_clear()
    spec = importlib.util.spec_from_file_location("own_game", EXAMPLE)
    assert spec is not None
    assert spec.loader is not None
    spec.loader.exec_module(importlib.util.module_from_spec(spec))
    yield
    registry._build.cache_clear()


def played(seats: int, **options: str) -> Match:
    """Return a whole match between random bots."""
    match = stichwerk.game("odd-even", seats=seats, **options).new(seed=7)
    bot = stichwerk.bot("random", seed=1)
    while match.waiting_for:
        seat = match.waiting_for[0]
        match.play(seat, bot.choose(match.view(seat)))
    return match


@pytest.mark.slow
@pytest.mark.parametrize("wanted", ["odd", "even"])
@pytest.mark.parametrize("seats", [3, 4, 5])
def test_the_custom_game_conforms(seats: int, wanted: str) -> None:
    check_game(stichwerk.game("odd-even", seats=seats, wanted=wanted), matches=2)


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_bots_play_the_custom_game(seats: int) -> None:
    match = played(seats)
    assert match.over
    assert len(match.scores) == seats


def test_records_of_the_custom_game_verify() -> None:
    match = played(4)
    assert record.verify(record.decode(record.encode(record.record(match)))).status == "holds"


def test_the_wanted_option_reverses_the_points() -> None:
    gained = [[-points for points in scores] for scores in played(4).scores]
    assert [list(scores) for scores in played(4, wanted="even").scores] == gained


def test_samples_respect_voids() -> None:
    """Seat 1 threw yellow on red: no sample gives it a red card."""
    deal = {
        "starter": 0,
        "hands": [
            [f"R{value}" for value in (1, 3, 5, 7)] + ["G1", "G2", "G3", "G4"],
            [f"Y{value}" for value in range(1, 9)],
            [f"R{value}" for value in (2, 4, 6, 8)] + ["B1", "B2", "B3", "B4"],
        ],
        "stock": ["R9", "R10", "R11", *(f"Y{value}" for value in (9, 10, 11))]
        + [f"G{value}" for value in range(5, 12)]
        + [f"B{value}" for value in range(5, 12)],
    }
    match = stichwerk.game("odd-even", seats=3).new(deals=[deal])
    match.play(0, "R1")
    match.play(1, "Y1")
    assert match.objection(2, "B1") == Reason("must-follow", card="B1", colour="R")
    rules, generator = match.setting.rules, Generator(1)
    for _ in range(50):
        state = sample(match.view(0), generator)
        assert not [card for card in rules.hand(state, 1) if card[0] == "R"]


def test_an_odd_lead_goes_high_and_an_even_one_low() -> None:
    rest = [f"{colour}{value}" for colour in "YB" for value in range(1, 12)]
    hands = [["R4", "R3"], ["R2", "R11"], ["R9", "G1"]]
    for hand in hands:
        hand += [rest.pop(0) for _ in range(6)]
    dealt = {card for hand in hands for card in hand}
    stock = [f"{c}{v}" for c in "RYGB" for v in range(1, 12) if f"{c}{v}" not in dealt]
    deal = {"starter": 0, "hands": hands, "stock": stock}
    for cards, winner in (
        (["R4", "R2", "R9"], 1),
        (["R3", "R11", "R9"], 1),
        (["R4", "R11", "R9"], 0),
    ):
        match = stichwerk.game("odd-even", seats=3).new(deals=[deal])
        for seat, card in enumerate(cards):
            match.play(seat, card)
        assert match.waiting_for == (winner,)


def test_bad_input_to_the_custom_game_is_refused() -> None:
    with pytest.raises(BadOptionError, match="odd, even"):
        stichwerk.game("odd-even", wanted="prime")
    with pytest.raises(UnknownGameError, match="game-exists"):
        registry.register(registry.kind("odd-even"))


def test_the_file_runs_as_a_program() -> None:
    done = subprocess.run(
        [sys.executable, EXAMPLE], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.count("round ") == 4
    assert "best first: " in done.stdout


# -- The tutorial ----------------------------------------------------------------------------------

TUTORIAL = EXAMPLE.parents[1] / "writing-games.md"
PIECES = [
    block.code
    for block in doc_pages.blocks(TUTORIAL.read_text("utf-8"))
    if block.note.startswith("piece")
]
FRAME = 3  # the pieces before which nothing can be played: words, imports, seats and cards
LAST = 2  # the pieces that follow the rules: registering, the program


def test_the_tutorials_pieces_make_up_the_file() -> None:
    """Put together they are the example, letter by letter; only empty lines lie between them."""
    text = EXAMPLE.read_text("utf-8")
    at = 0
    for piece in PIECES:
        assert text[at:].lstrip("\n").startswith(piece.rstrip("\n")), f"not in the file: {piece}"
        at = text.index(piece.rstrip("\n"), at) + len(piece.rstrip("\n"))
    assert text[at:] == "\n"
    assert len(PIECES) == FRAME + 3 + LAST


@pytest.mark.parametrize("rules", range(4), ids=["seats", "follow", "winner", "points"])
def test_each_step_of_the_tutorial_is_playable(rules: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The rules up to this step, with the end of the file, are a complete game."""
    monkeypatch.delitem(registry.GAMES, "odd-even")
    registry._build.cache_clear()
    source = "\n".join([*PIECES[: FRAME + rules], *PIECES[-LAST:]])
    exec(compile(source, f"{EXAMPLE.name}, step {rules + 2}", "exec"), {"__name__": "step"})
    written = vars(registry.kind("odd-even"))
    assert [name in written for name in ("may_play", "strength", "score")] == [
        step < rules for step in range(3)
    ]
    check_game(stichwerk.game("odd-even", seats=3), matches=1)
    assert played(3).over


def in_a_process(*args: object, lines: str = "", **environment: str) -> str:
    """Return what a command of ours says, with these lines typed."""
    done = subprocess.run(
        [sys.executable, "-m", "stichwerk", *map(str, args)],
        input=lines,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.slow
def test_the_terminal_plays_the_custom_game_to_its_end(tmp_path: Path) -> None:
    """By someone who tries every card until one is taken: what is refused is asked again."""
    cards = [f"{colour}{value}" for colour in "RYGB" for value in range(1, 12)]
    said = in_a_process(
        *("play", EXAMPLE, "--plain", "--seats", 3, "--bots", "greedy", "--seed", 3),
        *("--option", "wanted=even", "--lang", "en", "--save", tmp_path / "match.json"),
        lines="\n".join(8 * 3 * cards),
        XDG_DATA_HOME=str(tmp_path),
    )
    assert "Round 3 of 3" in said
    assert "must follow" in said, "some card was refused, with its reason"
    (line,) = (tmp_path / "match.json").read_bytes().splitlines()
    verdict = record.verify(record.decode(line))
    assert verdict.status == "holds", "the match is finished, and by the rules"


@pytest.mark.slow
def test_commands_accept_the_file_as_a_name(tmp_path: Path) -> None:
    records = tmp_path / "odd.jsonl"
    bots = ("--bots", "greedy,random", "--seed", 1, "--seats", 3, "--lang", "en")
    in_a_process("simulate", EXAMPLE, *bots, "--games", 3, "--records", records)
    result = in_a_process("arena", EXAMPLE, *bots, "--deals", 1, "--jobs", 2, "--json")
    assert '"odd-even"' in result
    said = in_a_process("verify", records, "--lang", "en", STICHWERK_GAMES=str(EXAMPLE))
    assert said.startswith("3 records checked:\n    3  rules hold; no proof of the deal")


def test_a_file_without_a_game_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(own_games.VARIABLE, "")
    file = tmp_path / "nothing_in_it.py"
    for text, complaint in (("x = 1", "registers no game"), ("1 / 0", "ZeroDivisionError")):
        monkeypatch.setenv(own_games.VARIABLE, "")
        file.write_text(text, "utf-8")
        assert cli.main(["simulate", str(file), "--lang", "en"]) == cli.BAD_INPUT
        assert complaint in capsys.readouterr().err
    monkeypatch.setenv(own_games.VARIABLE, "")
    assert cli.main(["play", str(tmp_path / "gone.py"), "--lang", "en"]) == cli.BAD_INPUT
    assert "gone.py" in capsys.readouterr().err


def test_two_files_with_one_name_are_distinguished(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(own_games.VARIABLE, "")
    monkeypatch.delitem(registry.GAMES, "odd-even")
    assert own_games.named(str(EXAMPLE)) == "odd-even"
    assert own_games.named("sticheln") == "sticheln"
    other = tmp_path / EXAMPLE.name
    other.write_text(EXAMPLE.read_text("utf-8"), "utf-8")
    with pytest.raises(BadFileError, match="game-file-same-name"):
        own_games.named(str(other))
    sys.modules.pop("stichwerk_own_own_game", None)


@pytest.mark.slow
def test_the_server_offers_the_custom_game(tmp_path: Path) -> None:
    """`stichwerk serve --game FILE` lists it with its options, and makes a table for it."""
    command = ["serve", "--game", EXAMPLE, "--no-open", "--port", 0, "--data", tmp_path]
    with subprocess.Popen(
        [sys.executable, "-m", "stichwerk", *map(str, command), "--lang", "en"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as server:
        try:
            assert server.stdout is not None
            said = iter(server.stdout.readline, "")
            url = next(found[0] for line in said if (found := re.search(r"http://\S+\d", line)))
            listed = json.load(urllib.request.urlopen(f"{url}/api/games?lang=en", timeout=30))
            (ours,) = [game for game in listed["games"] if game["name"] == "odd-even"]
            requested = {
                "game": "odd-even",
                "seats": 3,
                "options": {"wanted": "even"},
                "name": "Mia",
            }
            request = urllib.request.Request(
                f"{url}/api/tables",
                json.dumps(requested).encode(),
                {"Content-Type": "application/json", "Origin": url},
            )
            made = urllib.request.urlopen(request, timeout=30)
            assert made.status in (200, 201)
            assert [option["name"] for option in ours["options"]["3"]] == ["wanted", "starter"]
        finally:
            server.send_signal(signal.SIGTERM)
        server.communicate(timeout=30)
    assert server.returncode == 0


@pytest.mark.parametrize("episode", ["round", "match"])
def test_the_custom_game_works_in_environments(episode: Literal["round", "match"]) -> None:
    """Many matches at once agree with the rules: the mask equals the legal moves."""
    spec = Spec("odd-even", seats=3)
    batch = Batch(spec, 4, seed=1, episode=episode)
    ended = 0
    for _ in range(160):
        for at in range(4):
            seat = int(batch.seats[at])
            listed = spec.rules.actions(batch.state(at), seat)
            opened = numpy.flatnonzero(batch.masks[at])
            assert sorted(spec.code(action, seat) for action in listed) == opened.tolist()
        batch.step(batch.random_actions())
        ended += int(batch.done.sum())
    assert ended == 4 * (160 // (24 if episode == "round" else 72))


def test_the_custom_game_works_in_pettingzoo_and_openspiel() -> None:
    env = zoo.env("odd-even", seats=3, episode="match")
    env.reset(seed=1)
    turns = 0
    for _agent in env.agent_iter():
        seen, _, terminated, truncated, _ = env.last()
        over = terminated or truncated
        env.step(None if over else int(seen["action_mask"].argmax()))
        turns += not over
    assert turns == 3 * 3 * 8
    spiel.register("odd-even")
    state = pyspiel.load_game("stichwerk_odd_even", {"seats": 3}).new_initial_state()
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
    assert len(state.returns()) == 3
