"""The pages of the documentation: their blocks of code, and running them as a reader would.

    python -m tests.doc_pages PAGE    # in a scratch folder; the exit code says whether all holds

Python runs in the order of the page, in one namespace; sessions (`>>>`) are compared. Commands of
`stichwerk` run too, with small numbers; what does not end by itself is read as far as the command
line reads it, with its game and its bots.

A comment before a block says what else is to be done with it: `<!-- not run: why -->`, `<!-- run by
tests/… -->` (a test that names the page), `<!-- piece -->` (of a file, compared elsewhere), or
`<!-- first: … -->`, code that readers do not see.
"""

import doctest
import io
import os
import re
import shlex
import subprocess
import sys
import textwrap
from collections.abc import Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import click

ROOT = Path(__file__).parents[1]
TOP_PAGES = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")
PAGES = sorted([*(ROOT / name for name in TOP_PAGES), *(ROOT / "docs").rglob("*.md")])

FENCE = re.compile(
    r"^(?:[ ]*<!--(?P<note>(?:(?!-->).)*)-->\n\s*)?"
    r"^(?P<indent>[ ]*)```(?P<language>[\w+-]*)[^\n`]*\n(?P<code>.*?)^(?P=indent)```$",
    re.MULTILINE | re.DOTALL,
)
RUN = {"python", "pycon", "sh"}
DATA = {"json", "toml", "ini", "nginx", "cython", "text", "yaml", "dockerfile", ""}
FEWEST_WORDS = 5  # of a reason not to run a block


class Block(NamedTuple):
    """A block of code with the line it begins at, and what the comment before it says."""

    language: str
    code: str
    line: int
    note: str

    @property
    def is_run(self) -> bool:
        """Whether it is code that this program runs."""
        return self.language in RUN and not self.note.startswith(("piece", "not run:", "run by "))


@cache
def text_of(page: Path) -> str:
    """Return the source of a page."""
    return page.read_text("utf-8")


def blocks(text: str) -> list[Block]:
    """Return the blocks of code of a page, in order."""
    return [
        Block(
            found["language"],
            re.sub(rf"^{found['indent']}", "", found["code"], flags=re.MULTILINE),
            text.count("\n", 0, found.start("code")),
            textwrap.dedent(found["note"] or "").strip(),
        )
        for found in FENCE.finditer(text)
    ]


def prose(text: str) -> str:
    """Return a page without its blocks of code and its comments."""
    without = FENCE.sub(lambda found: "\n" * found[0].count("\n"), text)
    return re.sub(r"<!--.*?-->", "", without, flags=re.DOTALL)


def unclear(text: str, name: str = "") -> Iterator[str]:
    """Yield blocks that do not say whether they are run, or why not."""
    for block in blocks(text):
        at = f"line {block.line}"
        if block.language not in RUN | DATA:
            yield f"{at}: a block of {block.language}: say in tests/doc_pages.py what it is"
        if block.language in ("", "text") and re.match(r">>> |\$? ?stichwerk [a-z]", block.code):
            yield f"{at}: code without its language"
        if block.note.startswith("not run:") and len(block.note.split()) < FEWEST_WORDS + 2:
            yield f"{at}: not run, without a reason"
        if block.note.startswith("run by ") and not names(block.note.removeprefix("run by "), name):
            yield f"{at}: left to a test that does not know it"


def names(test: str, page: str) -> bool:
    """Return whether the test exists and names the page."""
    file = ROOT / test
    return test.startswith("tests/") and file.is_file() and page in file.read_text("utf-8")


# -- Python ----------------------------------------------------------------------------------------


def run_python(page: Path) -> list[str]:
    """Run the Python of a page; the answer is what went wrong."""
    names: dict[str, object] = {"__name__": "page"}
    wrong: list[str] = []
    for block in blocks(text_of(page)):
        if not block.is_run:
            continue
        where = f"{page.name}:{block.line}"
        if block.note.startswith("first:"):
            exec(compile(block.note.removeprefix("first:").strip(), where, "exec"), names)
        if block.language == "python":
            run_plain(block, where, names, wrong)
        elif block.language == "pycon":
            run_session(block, page, names, wrong)
    return wrong


def run_plain(block: Block, where: str, names: dict[str, object], wrong: list[str]) -> None:
    """Run a block that is a program."""
    try:
        exec(compile(block.code, where, "exec"), names)
    except Exception as error:
        wrong.append(f"{where}: {error!r}")


def run_session(block: Block, page: Path, names: dict[str, object], wrong: list[str]) -> None:
    """Run a session and compare what it prints."""
    said = io.StringIO()
    parsed = doctest.DocTestParser().get_doctest(
        block.code, names, page.name, str(page), block.line
    )
    result = doctest.DocTestRunner(verbose=False).run(parsed, out=said.write, clear_globs=False)
    names.update(parsed.globs)
    if result.failed or not result.attempted:
        wrong.append(f"{page.name}:{block.line}: {said.getvalue() or 'no session'}")


# -- Commands --------------------------------------------------------------------------------------

# What ends by itself and soon, and how its numbers are made small.
SMALL = {
    "arena": {"--deals": "1", "--jobs": "1"},
    "bots": {},
    "doctor": {},
    "licences": {},
    "play": {"--save": "kept.json"},
    "positions": {},
    "review": {"--bot": "flat@10", "--top": "1"},
    "rules": {},
    "simulate": {"--games": "8"},
    "verify": {},
}
# Never run: a server, what measures, and what wants another machine.
NOT_FOR_REAL = ("--table", "--on", "--resume", "--data")
QUICK_BOTS = re.compile(r"(?:random|greedy|easy|medium|cautious|flat@\d\d?|program:[^,]*)(?:-\d)?")
OTHER_PROGRAMS = ("make", "pip", "npm", "git", "cd", "podman", "docker", "python", "export")


def command_lines(text: str) -> Iterator[tuple[str, str]]:
    """Yield the lines of all blocks of commands, without their comments, and their lines."""
    for block in blocks(text):
        if block.language == "sh" and block.is_run:
            joined = block.code.replace("\\\n", " ")
            for at, line in enumerate(joined.splitlines(), block.line + 1):
                command = re.sub(r"(?:^|\s)#.*$", "", line).strip()
                if command:
                    yield command, f"line {at}"


def run_commands(page: Path, only_read: bool = False) -> list[str]:
    """Run the commands of a page; the answer is what went wrong."""
    wrong: list[str] = []
    for line, where in command_lines(text_of(page)):
        for part in re.split(r"\s(?:&&|\|)\s", line):
            trouble = trouble_with(part, only_read)
            if trouble:
                wrong.append(f"{page.name}, {where}: {part}: {trouble}")
    return wrong


def trouble_with(line: str, only_read: bool) -> str | None:
    """Return what is wrong with a command, if anything."""
    words = shlex.split(line)
    while words and re.match(r"[A-Z_]+=", words[0]):
        name, _, value = words.pop(0).partition("=")
        os.environ[name] = value
    if not words:
        return None
    program = Path(words[0]).name
    if program == "stichwerk":
        return trouble_with_ours(words[1:], only_read)
    if program in ("python", "python3"):
        return trouble_with_python(words[1:], only_read)
    if program == "pytest":
        return trouble_with_pytest(words[1:])
    return None if program in OTHER_PROGRAMS else f"nobody knows {program} here"


def trouble_with_python(words: Sequence[str], only_read: bool) -> str | None:
    """Check that a module exists; run a program of the examples."""
    if words[0] == "-m":
        return None if find_spec(words[1]) else f"there is no module {words[1]}"
    if not Path(words[0]).exists():
        return f"there is no file {words[0]}"
    if words[0].startswith("docs/examples/") and "/train_" not in words[0] and not only_read:
        done = subprocess.run([sys.executable, *words], capture_output=True, text=True, check=False)
        return done.stderr if done.returncode else None
    return None


def trouble_with_pytest(words: Sequence[str]) -> str | None:
    """Check that pytest finds tests; they are not run here."""
    pytest = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider"]
    done = subprocess.run([*pytest, *words], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout[-500:] if done.returncode else None


def trouble_with_ours(words: list[str], only_read: bool) -> str | None:
    """Read a command of ours as the command line does, and run it if it ends soon."""
    from stichwerk.errors import StichwerkError

    try:
        read(words)
    except (StichwerkError, click.UsageError) as error:
        return f"not understood: {error}"
    except click.exceptions.Exit:
        return None  # --help, --version
    if only_read or not words or not ends_soon(words):
        return None
    return run_ours(words)


def read(words: Sequence[str]) -> None:
    """Check everything a command line can be refused for before it does anything."""
    from stichwerk import bots, cli
    from stichwerk.cli.inputs import read_setting

    with click.Context(cli.cli, info_name="stichwerk", obj="en") as context:
        name, command, rest = cli.cli.resolve_command(context, list(words))
        assert command is not None
        with command.make_context(name, rest, parent=context) as own:
            given = own.params
            if given.get("game") and "seats" in given:
                wishes = [given[name] for name in ("seats", "options", "date", "sheets")]
                read_setting(given["game"], *wishes)
            for bot in (given.get("bots") or "").split(","):
                if bot.strip():
                    bots.find(bot.strip())


def ends_soon(words: Sequence[str]) -> bool:
    """Return whether a command ends by itself, in a second or two."""
    command, *rest = words
    if command not in SMALL or any(word in NOT_FOR_REAL for word in rest):
        return False
    chosen = rest[rest.index("--bots") + 1] if "--bots" in rest else "random"
    return all(QUICK_BOTS.fullmatch(bot) for bot in chosen.split(","))


def run_ours(words: Sequence[str]) -> str | None:
    """Run a command with small numbers; it must end well."""
    from stichwerk.cli import main

    said, complained = io.TextIOWrapper(io.BytesIO()), io.StringIO()
    sys.stdin = io.StringIO("q\n")
    with redirect_stdout(said), redirect_stderr(complained):
        code = main(made_small(words))
    return f"ends with {code}: {complained.getvalue()}" if code else None


def made_small(words: Sequence[str]) -> list[str]:
    """Return a command with the numbers that decide how long it takes made small."""
    small = list(words)
    for flag, value in SMALL[words[0]].items():
        if flag in small:
            small[small.index(flag) + 1] = value
        else:
            small += [flag, value]
    if words[:2] == ["simulate", "sticheln"] and "--option" not in words:
        small += ["--option", "rounds=1"]
    return small


def main() -> int:
    """Run all code of a page."""
    page = Path(sys.argv[1])
    sys.stdin = io.StringIO()
    with redirect_stdout(io.StringIO()):
        wrong = run_python(page)
    wrong += run_commands(page, only_read="--read" in sys.argv)
    print(*wrong, sep="\n", file=sys.stderr)
    return min(len(wrong), 1)


if __name__ == "__main__":
    sys.exit(main())
