"""Tiny distributions with bots, put where Python finds them; and bots that do everything wrong."""

import importlib
import os
import subprocess
import time
import tomllib
from collections.abc import Mapping
from pathlib import Path

EXAMPLE = Path(__file__).parents[1] / "docs/examples/entry_point_bot"


def put_package(folder: Path, package: str, points: Mapping[str, str], **modules: str) -> None:
    """Write a distribution with these entry points, and its modules."""
    info = folder / f"{package.replace('-', '_')}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
    listed = "".join(f"{name} = {value}\n" for name, value in points.items())
    (info / "entry_points.txt").write_text(f"[stichwerk.bots]\n{listed}")
    for name, source in modules.items():
        (folder / f"{name}.py").write_text(source)
    importlib.invalidate_caches()


def put_example(folder: Path) -> None:
    """Install the package of docs/examples, as pip would."""
    project = tomllib.loads((EXAMPLE / "pyproject.toml").read_text("utf-8"))["project"]
    points = project["entry-points"]["stichwerk.bots"]
    (module,) = {value.partition(":")[0] for value in points.values()}
    source = (EXAMPLE / f"{module}.py").read_text("utf-8")
    put_package(folder, project["name"], points, **{module: source})


def put_many_bots(folder: Path) -> None:
    """Install the package of `BOTS`."""
    put_package(folder, "many-bots", {name: f"many_bots:{name}" for name in BOTS}, many_bots=SOURCE)


def alive(pid: int) -> bool:
    """Return whether a process is there that has not ended."""
    listed = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True)
    return bool(listed.stdout.strip()) and not listed.stdout.startswith("Z")


def wait_until_gone(pid: int) -> None:
    """Wait for a process to end, on a machine however busy."""
    end = time.monotonic() + 60
    while alive(pid):
        assert time.monotonic() < end
        time.sleep(0.02)


def path_with(folder: Path) -> str:
    """Return PYTHONPATH with this folder."""
    return os.pathsep.join(filter(None, [str(folder), os.environ.get("PYTHONPATH", "")]))


BOTS = (
    *("wanderer", "raises", "wrong", "odd", "leaves", "dies", "crashes", "hangs", "blocks"),
    *("noisy", "asks", "late_once", "picky", "adviser", "bad_adviser", "waits_for_report"),
    *("surrogate", "half_sign"),
)

SOURCE = r'''
import ctypes, os, re, sys, time
from stichwerk.bots.advice import Advice, Alternative, AdviceReason
from stichwerk.engine.generator import Generator
from stichwerk.view import sample

class wanderer:
    """plays at random, with a memory and samples of the hidden cards"""
    version = 3
    def __init__(self, seed):
        self.generator, self.seen, self.closed = Generator(seed), [], False
    def choose(self, view):
        self.seen.append(view.moves)
        state = sample(view, self.generator)
        at = self.generator.number(len(view.moves)) + len(self.seen) + len(view.history)
        return view.moves[(at + state.hand_size[0]) % len(view.moves)]
    def close(self):
        if os.environ.get("CLOSED_BY"):
            with open(os.environ["CLOSED_BY"], "a") as note:
                note.write(f"{os.getpid()}\n")

class raises(wanderer):
    def choose(self, view):
        a_local_variable = "its value"
        return self.helper(view.moves)
    def helper(self, moves):
        raise LookupError("no idea")

class wrong(wanderer):
    def choose(self, view):
        return "X99"

class odd(wanderer):
    def choose(self, view):
        return 5

class surrogate(wanderer):
    def choose(self, view):
        sys.stdout = None
        raise LookupError("\ud800")

class half_sign(wanderer):
    def choose(self, view):
        return "\ud800"

class leaves(wanderer):
    def choose(self, view):
        sys.exit(3)

class dies(wanderer):
    def choose(self, view):
        print("my last words")
        sys.stdout.flush()
        os._exit(7)

class crashes(wanderer):
    def choose(self, view):
        ctypes.string_at(0)

class hangs(wanderer):
    def choose(self, view):
        while True:
            time.sleep(60)

class blocks(wanderer):
    """holds up all threads of the interpreter"""
    def choose(self, view):
        if os.environ.get("BLOCKED_BY"):
            with open(os.environ["BLOCKED_BY"] + ".part", "w") as note:
                note.write(str(os.getpid()))
            os.rename(note.name, os.environ["BLOCKED_BY"])
        re.match("(a+)+$", "a" * 60 + "b")

class noisy(wanderer):
    def choose(self, view):
        print("to stdout", flush=True)
        os.write(1, b'{"id": 1, "move": "X98"}\n')
        print("to stderr", file=sys.stderr)
        return super().choose(view)

class asks(wanderer):
    def choose(self, view):
        return input("which card? ")

class late_once(wanderer):
    """is late with its first answer, and tells how many it has given"""
    def choose(self, view):
        self.seen.append(view.moves)
        if len(self.seen) == 1:
            while not os.path.exists(os.environ["GATE"]):
                time.sleep(0.002)
        return view.moves[len(self.seen)]

class picky(wanderer):
    """can be made with the seed of a check only"""
    def __init__(self, seed):
        super().__init__(seed)
        if seed:
            raise ValueError(f"seed {seed}")

class waits_for_report(wanderer):
    """raises an exception, and continues when the fault is reported"""
    def choose(self, view):
        if not os.path.exists(os.environ["GATE"]):
            if self.seen:
                while not os.path.exists(os.environ["GATE"]):
                    time.sleep(0.002)
            self.seen.append(view.moves)
            raise LookupError("report me")
        return view.moves[0]

class adviser(wanderer):
    def advise(self, view):
        second = Alternative(view.moves[1], 2.5)
        return Advice(view.moves[1], (second,), AdviceReason("advice-best"))

class bad_adviser(wanderer):
    def advise(self, view):
        raise LookupError("no advice")
'''
