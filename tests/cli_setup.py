"""Helpers for tests of the command line."""

import os
import subprocess
import sys

import pytest

from stichwerk import cli
from stichwerk.games import registry

GAMES = tuple(registry.GAMES)

COMMAND = (sys.executable, "-c", "import sys; from stichwerk.cli import main; sys.exit(main())")

ENGLISH = {"LC_ALL": "C.UTF-8", "LANG": "C.UTF-8"}


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in ENGLISH.items():
        monkeypatch.setenv(name, value)


def run(*args: str, stdin: bytes = b"", **environment: str) -> subprocess.CompletedProcess[bytes]:
    """Run the command in a separate process."""
    surroundings = os.environ | ENGLISH | environment
    return subprocess.run(
        [*COMMAND, *args], input=stdin, capture_output=True, env=surroundings, timeout=120
    )


class Outcome:
    """What a command did, run in this process."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err


def call(capsys: pytest.CaptureFixture[str], *args: str) -> Outcome:
    capsys.readouterr()
    code = cli.main(args)
    captured = capsys.readouterr()
    return Outcome(code, captured.out, captured.err)
