"""Which table `stichwerk play` shows, and what follows a match."""

import re
import sys
from pathlib import Path

import pytest

from stichwerk import cli
from stichwerk.cli import play_command
from stichwerk.terminal import full
from stichwerk.terminal.seat import LocalSeat, PlayerSeat


def test_full_screen_needs_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(play_command, "at_terminal", lambda: True)
    assert play_command.full_screen(plain=False)
    assert not play_command.full_screen(plain=True)
    monkeypatch.setattr(play_command, "at_terminal", lambda: False)
    assert not play_command.full_screen(plain=False)


@pytest.mark.parametrize(
    ("typed", "shown", "kind", "at_one"),
    [
        (True, True, "xterm-256color", True),
        (True, True, "dumb", False),
        (True, False, "xterm", False),
        (False, True, "xterm", False),
    ],
)
def test_terminals_are_detected(
    typed: bool, shown: bool, kind: str, at_one: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", kind)
    monkeypatch.setattr(sys.stdin, "isatty", lambda: typed, raising=False)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: shown, raising=False)
    assert play_command.at_terminal() == at_one


def test_without_the_extra_one_line_says_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(play_command, "at_terminal", lambda: True)
    monkeypatch.setattr(full, "available", lambda: False)
    monkeypatch.setattr(play_command, "say", lambda id: id)
    assert not play_command.full_screen(plain=False)
    assert capsys.readouterr().out == "tui-missing\n"
    assert not play_command.full_screen(plain=True)
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("requested", ["same", "new"])
def test_another_match_can_follow(
    requested: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The same table again, with the same cards or with others; a file keeps the first match."""
    hands: list[tuple[str, ...]] = []
    names: list[tuple[str, ...]] = []

    def show(player_seat: PlayerSeat, plain: bool, *, again: bool = False) -> str:
        assert isinstance(player_seat, LocalSeat)
        hands.append(player_seat.view.hand)
        names.append(player_seat.view.names)
        player_seat.play(player_seat.view.moves[0])
        return requested if len(hands) < 3 else "left"

    monkeypatch.setattr(play_command, "show", show)
    file = tmp_path / "first.json"
    args = ["play", "sticheln", "--seed", "11", "--seats", "3", "--bots", "random", "--lang", "en"]
    assert cli.main([*args, "--save", str(file), "--data", str(tmp_path)]) == 0
    seeds = re.findall(r"Seed of this match: (\d+)", capsys.readouterr().out)
    assert len(seeds) == 3
    assert seeds[0] == "11"
    assert len(set(seeds)) == len(set(hands)) == (1 if requested == "same" else 3)
    assert len(set(names)) == 1
    assert b'"seed":11' in file.read_bytes()
