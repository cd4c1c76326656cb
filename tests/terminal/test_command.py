"""Which table `stichwerk play` shows, and how it goes on after a match."""

import re
import sys
from pathlib import Path

import pytest

from stichwerk import cli
from stichwerk.cli import playing
from stichwerk.terminal import full
from stichwerk.terminal.place import LocalPlace, Place


def test_the_whole_screen_only_at_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(playing, "at_terminal", lambda: True)
    assert playing.full_screen(plain=False)
    assert not playing.full_screen(plain=True)
    monkeypatch.setattr(playing, "at_terminal", lambda: False)
    assert not playing.full_screen(plain=False)


@pytest.mark.parametrize(
    ("typed", "shown", "kind", "at_one"),
    [
        (True, True, "xterm-256color", True),
        (True, True, "dumb", False),
        (True, False, "xterm", False),
        (False, True, "xterm", False),
    ],
)
def test_what_a_terminal_is(
    typed: bool, shown: bool, kind: str, at_one: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", kind)
    monkeypatch.setattr(sys.stdin, "isatty", lambda: typed, raising=False)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: shown, raising=False)
    assert playing.at_terminal() == at_one


def test_without_the_extra_one_line_says_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(playing, "at_terminal", lambda: True)
    monkeypatch.setattr(full, "available", lambda: False)
    monkeypatch.setattr(playing, "say", lambda id: id)
    assert not playing.full_screen(plain=False)
    assert capsys.readouterr().out == "tui-missing\n"
    assert not playing.full_screen(plain=True)
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("wish", ["same", "new"])
def test_another_match(
    wish: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The same table again, with the same cards or with others; a file keeps the first match."""
    hands: list[tuple[str, ...]] = []
    names: list[tuple[str, ...]] = []

    def show(place: Place, plain: bool, *, again: bool = False) -> str:
        assert isinstance(place, LocalPlace)
        hands.append(place.view.hand)
        names.append(place.view.names)
        place.play(place.view.moves[0])
        return wish if len(hands) < 3 else "left"

    monkeypatch.setattr(playing, "show", show)
    file = tmp_path / "first.json"
    args = ["play", "sticheln", "--seed", "11", "--seats", "3", "--bots", "random", "--lang", "en"]
    assert cli.main([*args, "--save", str(file), "--data", str(tmp_path)]) == 0
    seeds = re.findall(r"Seed of this match: (\d+)", capsys.readouterr().out)
    assert len(seeds) == 3
    assert seeds[0] == "11"
    assert len(set(seeds)) == len(set(hands)) == (1 if wish == "same" else 3)
    assert len(set(names)) == 1
    assert b'"seed":11' in file.read_bytes()
