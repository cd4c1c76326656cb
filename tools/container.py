"""Parse the Containerfile and follow it without a container: its files, steps and commands."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
FILE = ROOT / "Containerfile"
IGNORED = ROOT / ".dockerignore"
PREFIX = "/opt/stichwerk"
PORT = "8420"

Serving = Callable[..., AbstractContextManager[int]]


class Instruction(NamedTuple):
    """`COPY src src`, and its stage."""

    stage: int
    word: str
    rest: str


def instructions(text: str) -> list[Instruction]:
    """Return all instructions of a file, in order; those before the first stage have stage -1."""
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    whole = re.sub(r"\\\n\s*", "", "\n".join(lines))
    found: list[Instruction] = []
    stage = -1
    for line in whole.splitlines():
        word, _, rest = line.partition(" ")
        stage += word == "FROM"
        found.append(Instruction(stage, word, rest.strip()))
    return found


def the_file() -> list[Instruction]:
    return instructions(FILE.read_text("utf-8"))


def all_of(word: str, stage: int | None = None) -> list[str]:
    """Return the arguments of an instruction, everywhere or in one stage."""
    return [each.rest for each in the_file() if each.word == word and stage in (None, each.stage)]


def entrypoint() -> list[str]:
    """Return the command that the image runs."""
    (found,) = all_of("ENTRYPOINT")
    words: list[str] = json.loads(found)
    return words


def healthcheck() -> list[str]:
    """Return the command of the health check."""
    (found,) = all_of("HEALTHCHECK")
    words: list[str] = json.loads(found.partition(" CMD ")[2])
    return words


# -- What is sent to the builder -------------------------------------------------------------------


def ignored(path: str) -> bool:
    """Return whether .dockerignore excludes a file: the last line that matches wins."""
    out = False
    parents = ["/".join(path.split("/")[: at + 1]) for at in range(path.count("/") + 1)]
    for line in IGNORED.read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            pattern = re.compile(as_regex(line.removeprefix("!")))
            if any(pattern.fullmatch(parent) for parent in parents):
                out = not line.startswith("!")
    return out


def as_regex(pattern: str) -> str:
    """Translate a pattern: `**/` is any folders, `*` is any text without a slash."""
    signs = {"**/": "(?:.*/)?", "*": "[^/]*", "?": "[^/]"}
    parts = re.split(r"(\*\*/|\*|\?|\[[^\]]+\])", pattern)
    return "".join(
        part if part.startswith("[") else signs.get(part, re.escape(part)) for part in parts
    )


def context() -> Iterator[str]:
    """Yield every file that the builder's COPY lines take."""
    for line in all_of("COPY", stage=0):
        *sources, _ = line.split()
        for source in sources:
            files = [ROOT / source] if (ROOT / source).is_file() else (ROOT / source).rglob("*")
            names = [str(file.relative_to(ROOT).as_posix()) for file in files if file.is_file()]
            yield from (name for name in names if not ignored(name))


# -- Running it ------------------------------------------------------------------------------------


class Container:
    """A folder that stands in for the image."""

    def __init__(self, folder: Path, bin: Path | None = None) -> None:
        self.folder = folder
        self.source = folder / "source"
        self.prefix = folder / "prefix"
        self.bin = bin or self.prefix / "bin"

    def copy_context(self) -> None:
        """Run the COPY lines of the builder; they keep names, as a test checks."""
        for name in context():
            target = self.source / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, target)

    def install(self, run: Callable[..., str]) -> None:
        """Run the RUN lines of the builder, except for installing the compiler."""
        for line in all_of("RUN", stage=0):
            if "apt-get" not in line:
                path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
                steps = line.replace(PREFIX, str(self.prefix))
                run("sh", "-e", "-c", steps, cwd=self.source, PATH=path, STICHWERK_PURE="1")

    def try_server(self, serving: Serving) -> None:
        """Check that the ENTRYPOINT serves, and that the HEALTHCHECK notices."""
        name, *words = entrypoint()
        elsewhere = self.folder / "data"
        elsewhere.mkdir(parents=True)
        with serving(self.bin / name, *words, folder=elsewhere) as port:
            assert self.health(port) == 0
        assert self.health(port) != 0

    def health(self, port: int) -> int:
        """Return the exit code of the HEALTHCHECK, at another port."""
        name, *words = [word.replace(PORT, str(port)) for word in healthcheck()]
        return subprocess.run([self.bin / name, *words], timeout=60, capture_output=True).returncode
