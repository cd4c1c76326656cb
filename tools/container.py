"""The Containerfile, read and followed without a container: its files, its steps, its commands."""

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
    """`COPY src src`, and the stage it stands in."""

    stage: int
    word: str
    rest: str


def instructions(text: str) -> list[Instruction]:
    """All of a file, in order; what stands before the first stage belongs to stage -1."""
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
    """What follows a word, everywhere or in one stage."""
    return [each.rest for each in the_file() if each.word == word and stage in (None, each.stage)]


def entrypoint() -> list[str]:
    """The command that the image runs."""
    (found,) = all_of("ENTRYPOINT")
    words: list[str] = json.loads(found)
    return words


def healthcheck() -> list[str]:
    """The command that asks whether it is well."""
    (found,) = all_of("HEALTHCHECK")
    words: list[str] = json.loads(found.partition(" CMD ")[2])
    return words


# -- What is sent to the builder -------------------------------------------------------------------


def ignored(path: str) -> bool:
    """Whether .dockerignore keeps a file out: the last line that names it wins."""
    out = False
    parents = ["/".join(path.split("/")[: at + 1]) for at in range(path.count("/") + 1)]
    for line in IGNORED.read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            pattern = re.compile(as_regex(line.removeprefix("!")))
            if any(pattern.fullmatch(parent) for parent in parents):
                out = not line.startswith("!")
    return out


def as_regex(pattern: str) -> str:
    """`**/` is any folders, `*` is any text without a slash."""
    signs = {"**/": "(?:.*/)?", "*": "[^/]*", "?": "[^/]"}
    parts = re.split(r"(\*\*/|\*|\?|\[[^\]]+\])", pattern)
    return "".join(
        part if part.startswith("[") else signs.get(part, re.escape(part)) for part in parts
    )


def context() -> Iterator[str]:
    """Every file that the builder's COPY lines take."""
    for line in all_of("COPY", stage=0):
        *sources, _ = line.split()
        for source in sources:
            files = [ROOT / source] if (ROOT / source).is_file() else (ROOT / source).rglob("*")
            names = [str(file.relative_to(ROOT).as_posix()) for file in files if file.is_file()]
            yield from (name for name in names if not ignored(name))


# -- Following it ----------------------------------------------------------------------------------


class Container:
    """A folder that stands in for the image."""

    def __init__(self, folder: Path, bin: Path | None = None) -> None:
        self.folder = folder
        self.source = folder / "source"
        self.prefix = folder / "prefix"
        self.bin = bin or self.prefix / "bin"

    def copy_context(self) -> None:
        """The COPY lines of the builder; they keep names, as a test makes sure."""
        for name in context():
            target = self.source / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, target)

    def install(self, run: Callable[..., str]) -> None:
        """The RUN lines of the builder, except for the compiler, which is not asked for."""
        for line in all_of("RUN", stage=0):
            if "apt-get" not in line:
                path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
                steps = line.replace(PREFIX, str(self.prefix))
                run("sh", "-e", "-c", steps, cwd=self.source, PATH=path, STICHWERK_PURE="1")

    def try_server(self, serving: Serving) -> None:
        """The ENTRYPOINT serves, and the HEALTHCHECK notices whether it does."""
        name, *words = entrypoint()
        elsewhere = self.folder / "data"
        elsewhere.mkdir(parents=True)
        with serving(self.bin / name, *words, folder=elsewhere) as port:
            assert self.health(port) == 0
        assert self.health(port) != 0

    def health(self, port: int) -> int:
        """The exit code of the HEALTHCHECK, at another port."""
        name, *words = [word.replace(PORT, str(port)) for word in healthcheck()]
        return subprocess.run([self.bin / name, *words], timeout=60, capture_output=True).returncode
