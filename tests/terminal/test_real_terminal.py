"""The command in a real terminal: a pseudo-terminal, read by a terminal emulator."""

import os
import sys
import time
from pathlib import Path

import pexpect
import pyte
import pytest

PATIENCE = 60.0
RIGHT, ENTER, F7, F10 = "\x1b[C", "\r", "\x1b[18~", "\x1b[21~"
WITHOUT_TEXTUAL = (
    "import sys, stichwerk.terminal.full as full\n"
    "full.available = lambda: False\n"
    "from stichwerk.cli import main\n"
    "sys.exit(main(sys.argv[1:]))\n"
)


class Terminal:
    """A program in a terminal of its own."""

    def __init__(self, args: list[str], home: Path, columns: int = 80, lines: int = 24) -> None:
        environment = os.environ | {
            "TERM": "xterm-256color",
            "COLORTERM": "truecolor",
            "LC_ALL": "C.UTF-8",
            "XDG_DATA_HOME": str(home),
        }
        for size in ("COLUMNS", "LINES"):  # they would hide what the terminal itself says
            environment.pop(size, None)
        self.screen = pyte.Screen(columns, lines)
        self.stream = pyte.ByteStream(self.screen)
        self.process = pexpect.spawn(
            sys.executable, args, dimensions=(lines, columns), env=environment, timeout=PATIENCE
        )

    @property
    def text(self) -> str:
        """What is to be seen."""
        return "\n".join(self.screen.display)

    def read(self) -> bool:
        """Take in what has come; False, if nothing more will."""
        try:
            self.stream.feed(self.process.read_nonblocking(65536, timeout=0.2))
        except pexpect.TIMEOUT:
            return True
        except pexpect.EOF:
            return False
        return True

    def until(self, words: str, *, gone: bool = False) -> None:
        """Read until some words are to be seen, or no more."""
        end = time.monotonic() + PATIENCE
        while (words in self.text) == gone:
            alive = self.read()
            late = time.monotonic() > end or not alive
            assert not late or (words in self.text) != gone, f"waits for {words!r}:\n{self.text}"

    def press(self, *keys: str) -> None:
        """Keys, one after the other."""
        for key in keys:
            self.process.send(key)

    def resize(self, columns: int, lines: int) -> None:
        """Another size of the window."""
        self.screen.resize(lines, columns)
        self.process.setwinsize(lines, columns)

    def ended(self) -> int:
        """Return the exit code, once all is read."""
        while self.read():
            pass
        self.process.close()
        assert self.process.exitstatus is not None
        return int(self.process.exitstatus)


def play(*args: str) -> list[str]:
    """Return the command line of a match."""
    return ["-m", "stichwerk", "play", *args]


@pytest.mark.slow
def test_a_match_in_a_real_terminal(tmp_path: Path) -> None:
    """Some moves by keys and typing, another size, another language, out, and back again."""
    new = ["sticheln", "--seed", "1", "--seat", "3", "--bots", "random", "--lang", "en"]
    table = Terminal(play(*new), tmp_path)
    try:
        table.until("Choose your pain card")
        table.until("F10 leave")
        row = next(at for at, line in enumerate(table.screen.display) if "▲  R" in line)
        red = table.screen.buffer[row][table.screen.display[row].index("▲")]
        assert red.bg == "b90609"
        table.press(RIGHT, ENTER)
        table.until("Your turn: lead")
        hand = [line for line in table.screen.display if line.startswith(("▲", "★"))]
        assert len(hand) == 1
        table.press("?")
        table.until("moves are possible:")
        table.press("\x1b")
        table.until("moves are possible:", gone=True)
        table.press("x", "9", ENTER)
        table.until("'x9' is not a card")
        table.press("\x1b")
        table.until("'x9' is not a card", gone=True)
        table.resize(120, 34)
        table.until("Rules right now")
        table.press(F7)
        table.until("Was gerade gilt")
        table.press(F10)
        table.until("Den Tisch verlassen?")
        table.press(RIGHT, ENTER)
        table.until("stichwerk play --resume")
        assert table.ended() == 0
        assert "Seed of this match: 1" in table.text
    finally:
        table.process.close(force=True)
    again(tmp_path)


def again(home: Path) -> None:
    """Resume the match where it was left."""
    table = Terminal(play("--resume", "--lang", "en"), home)
    try:
        table.until("Your turn: lead")
        assert "Round 1 of 4" in table.text
        table.press("q", ENTER)
        table.until("The match is saved and can be continued later.")
        table.press(RIGHT, ENTER)
        assert table.ended() == 0
    finally:
        table.process.close(force=True)


@pytest.mark.slow
def test_without_textual_line_mode_starts_with_a_notice(tmp_path: Path) -> None:
    args = ["-c", WITHOUT_TEXTUAL, "play", "sticheln", "--seed", "1", "--lang", "en"]
    table = Terminal([*args, "--bots", "random"], tmp_path)
    try:
        table.until("pip install 'stichwerk[tui]'")
        table.until("Choose your pain card, for example")
        table.press("q\r")
        assert table.ended() == 0
    finally:
        table.process.close(force=True)


@pytest.mark.slow
def test_plain_stays_plain_in_a_terminal(tmp_path: Path) -> None:
    table = Terminal(play("sticheln", "--seed", "1", "--plain", "--lang", "en"), tmp_path)
    try:
        table.until("Choose your pain card, for example")
        assert "stichwerk[tui]" not in table.text
        table.press("q\r")
        assert table.ended() == 0
    finally:
        table.process.close(force=True)
