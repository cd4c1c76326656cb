"""A copy of the tree that may be broken, built and tested without touching the original."""

import os
import shutil
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

LEFT_OUT = shutil.ignore_patterns(
    ".git", ".venv*", ".*_cache", ".hypothesis", "__pycache__", "node_modules", "dist", "temp.*"
)
NODE = Path("frontend/node_modules")
PAGE = Path("build/faulty-page")
LIBRARIES = ("so", "pyd")  # endings of compiled modules

WHERE = """
import subprocess, sys, stichwerk
print(stichwerk.__file__)
if len(sys.argv) < 2:
    sys.stdout.flush()
    subprocess.run([sys.executable, "-c", sys.stdin.read(), "again"], check=True)
"""


class BuildError(Exception):
    """A copy cannot be built, or does not test itself."""


@dataclass(frozen=True)
class FinishedProcess:
    """How a command ended; None: it was stopped after its time limit."""

    code: int | None
    output: str


def run(command: list[str], folder: Path, env: dict[str, str], seconds: float) -> FinishedProcess:
    """Run a command with everything it starts, with a time limit."""
    with subprocess.Popen(
        command,
        cwd=folder,
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        start_new_session=True,
    ) as process:
        try:
            output, _ = process.communicate(timeout=seconds)
        except BaseException as error:
            os.killpg(process.pid, signal.SIGKILL)
            output, _ = process.communicate()
            if not isinstance(error, subprocess.TimeoutExpired):
                raise
            return FinishedProcess(None, output)
    return FinishedProcess(process.returncode, output)


class Scratch:
    """A copy of a tree, with the environment of the original."""

    def __init__(self, tree: Path, folder: Path, python: str, node: Path) -> None:
        self.folder = folder
        self.python = python
        self.node = node
        shutil.copytree(tree, folder, ignore=LEFT_OUT, symlinks=True)
        self._link_packages()
        tools = os.pathsep.join([str(Path(python).parent), os.environ.get("PATH", "")])
        self.env = {**os.environ, "PATH": tools, "PYTHONPATH": str(folder / "src")}
        for name in [name for name in self.env if name.startswith("STICHWERK_TEST_")]:
            del self.env[name]

    def _link_packages(self) -> None:
        """Link the packages of the page to the same files: nobody writes into them."""
        if self.node.is_dir():
            ignored = shutil.ignore_patterns(".vite")
            shutil.copytree(
                self.node, self.folder / NODE, ignore=ignored, symlinks=True, copy_function=linked
            )

    def copy(self, folder: Path) -> "Scratch":
        """Return another copy of the current state."""
        made = Scratch(self.folder, folder, self.python, self.node)
        made.env = {name: self._moved(value, folder) for name, value in self.env.items()}
        return made

    def _moved(self, value: str, folder: Path) -> str:
        return value.replace(str(self.folder), str(folder))

    def remove(self) -> None:
        """Delete it."""
        shutil.rmtree(self.folder, ignore_errors=True)

    def check_imports(self) -> None:
        """Check that Python imports the package from the copy, in processes that tests start,
        too."""
        origins = subprocess.run(
            [self.python, "-c", WHERE],
            input=WHERE,
            cwd=self.folder,
            env=self.env,
            capture_output=True,
            text=True,
            check=True,
        ).stdout.split()
        if len(origins) != 2 or not all(Path(one).is_relative_to(self.folder) for one in origins):
            raise BuildError(f"stichwerk comes from {origins}, not from the copy")

    def build_engine(self, seconds: float) -> None:
        """Compile what has changed since the last build."""
        command = [self.python, "setup.py", "--quiet", "build_ext", "--inplace"]
        done = run(command, self.folder, {**self.env, "STICHWERK_PURE": "0"}, seconds)
        if done.code != 0:
            raise BuildError(f"the engine cannot be built:\n{done.output[-2000:]}")

    def build_page(self, seconds: float) -> None:
        """Build the page, and let the tests in the browser use it."""
        built = self.folder / PAGE
        command = ["npx", "vite", "build", "--logLevel", "error", "--outDir", str(built)]
        done = run(command, self.folder / "frontend", self.env, seconds)
        if done.code != 0:
            raise BuildError(f"the page cannot be built:\n{done.output[-2000:]}")
        self.env["STICHWERK_TEST_STATIC"] = str(built)

    def is_compiled(self, file: str) -> bool:
        """Return whether Python runs a library in place of this file, or one that includes it: its
        own, or the one that the modules of its folder share (`SHARED` in setup.py)."""
        path = self.folder / file
        names = ("*",) if path.suffix == ".pxd" else (path.stem, "compiled")
        return any(
            any(path.parent.glob(f"{name}.*.{ending}")) for name in names for ending in LIBRARIES
        )


def linked(source: str, target: str) -> None:
    """Link a file, or copy it if it is on another disk."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)


def python_of(tree: Path) -> str:
    """Return the interpreter of a checkout: its own environment, if it has one."""
    own = tree / ".venv/bin/python"
    return str(own) if own.exists() else sys.executable
