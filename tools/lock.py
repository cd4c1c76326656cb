"""The lock files in requirements/: every package of an extra with its hashes.

    python -m tools.lock           keep what they have, add what is missing (`make lock`)
    python -m tools.lock upgrade   everything in its newest version (`make upgrade`)
    python -m tools.lock fits      do they fit this Python and system? Says so if they do not.
    python -m tools.lock extras    can pip find everything each extra requires? (`make extras`)
    python -m tools.lock learners  print what the tests with real learners require, if no lock fits

`dev.txt` is the developers' environment, `node.txt` Node.js for machines without it. `run.txt` and
`build.txt` are parts of `dev.txt`, for the container: what the server needs, and what builds it.
`learners.txt` is the environment of `make test-learners`, in the versions of `dev.txt` where that
has them; PyTorch itself is not in it, `torch.txt` says why.
They are made for one version of Python on Linux, but name the hashes of all files of each package.
They contain no address: pip decides where packages come from. Needs only Python, as it
runs before anything is installed.
"""

import os
import re
import subprocess
import sys
import tempfile
import tomllib
import venv
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path

ROOT = Path(__file__).parents[1]
LOCK = ROOT / "requirements/dev.txt"
NODE_LOCK = ROOT / "requirements/node.txt"
LEARNERS_LOCK = ROOT / "requirements/learners.txt"
TORCH = ROOT / "requirements/torch.txt"
RUN_LOCK = ROOT / "requirements/run.txt"
BUILD_LOCK = ROOT / "requirements/build.txt"
MADE_FOR = "# Made for Python {version} on Linux by `make lock`: every package, all its hashes.\n"
COMPILE = (
    *("--generate-hashes", "--allow-unsafe", "--strip-extras", "--no-header", "--quiet"),
    *("--no-emit-index-url", "--no-emit-trusted-host", "--no-emit-find-links"),
    *("--no-emit-options", "--no-config"),
)
LONGEST = 3600  # seconds; every file of every package is read for its hash


# -- Our requirements ------------------------------------------------------------------------------


def project() -> dict[str, object]:
    """Return our part of pyproject.toml."""
    whole = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    found: dict[str, object] = whole["project"]
    return found


def extras() -> dict[str, list[str]]:
    """Return each extra and its requirements."""
    found = project()["optional-dependencies"]
    assert isinstance(found, dict)
    return found


def requirements(*wanted: str) -> list[str]:
    """Return our requirements at run time and in these extras, with our own extras expanded."""
    needed = project()["dependencies"]
    assert isinstance(needed, list)
    return sorted({*needed, *opened(wanted)})


def opened(wanted: Iterable[str]) -> Iterator[str]:
    """Expand `stichwerk[engine]` in the requirements of extras."""
    for extra in wanted:
        for line in extras()[extra]:
            ours = re.fullmatch(r"stichwerk\[([\w,-]+)\]", line)
            yield from opened(ours[1].split(",")) if ours else [line]


def learners() -> list[str]:
    """Return what the tests with real learners need; they run with our tests' settings."""
    tools = {"hypothesis", "pytest"}
    ours = [line for line in extras()["dev"] if re.split(r"[^\w-]", line)[0] in tools]
    torch = TORCH.read_text("utf-8").splitlines()[-1]
    return sorted({*requirements("envs", "learners"), *ours, torch})


# -- The lock --------------------------------------------------------------------------------------


def this_python() -> str:
    return ".".join(map(str, sys.version_info[:2]))


def make(upgrade: bool = False) -> int:
    """Resolve the locks in a fresh environment, and write them."""
    with tempfile.TemporaryDirectory() as folder:
        tools = environment(Path(folder) / "tools")
        run(tools, "-m", "pip", "install", "--quiet", "pip-tools>=7.5")
        print("Reading every file of every new package for its hash; this takes a while ...")
        write_lock(LOCK, "dev", requirements("dev"), tools, upgrade)
        write_lock(NODE_LOCK, "node", list(opened(["node"])), tools, upgrade)
        write_lock(LEARNERS_LOCK, "learners", learners(), tools, upgrade, like=LOCK)
    for lock, text in parts().items():
        lock.write_text(text, "utf-8")
    return 0


def write_lock(
    lock: Path, extra: str, asked: list[str], tools: Path, upgrade: bool, like: Path | None = None
) -> None:
    """Pin these requirements and everything they need; in the versions of another lock."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "asked").write_text("\n".join(asked) + "\n")
        kept = [lock] if lock.exists() and not upgrade else []
        sources = [*kept, *([like] if like else [])]
        pinned = {name: lines for file in sources for name, lines in entries(file)}
        (Path(folder) / "lock").write_text("\n".join(pinned.values()) + "\n", "utf-8")
        run(tools, "-m", "piptools", "compile", *COMPILE, "-o", "lock", "asked", cwd=folder)
        lines = (Path(folder) / "lock").read_text("utf-8")
    lock.parent.mkdir(exist_ok=True)
    lines = lines.replace("-r asked\n", f"stichwerk[{extra}]\n")
    lock.write_text(MADE_FOR.format(version=this_python()) + without_torch(lines), "utf-8")
    print(f"{lock.relative_to(ROOT)}: {len(pins(lock.read_text('utf-8')))} packages.")


def entries(lock: Path) -> Iterator[tuple[str, str]]:
    """Yield the packages of a lock by name, each with its lines."""
    for entry in re.split(r"\n(?=\w)", lock.read_text("utf-8").strip()):
        if not entry.startswith("#"):
            yield entry.partition("==")[0], entry


def without_torch(lines: str) -> str:
    """Return a lock without PyTorch and what only its builds for graphics cards need."""
    kept = [
        entry
        for entry in re.split(r"\n(?=\w)", lines.strip())
        if not re.match(r"(?:torch|triton|nvidia-[\w-]+|cuda-[\w-]+)==", entry)
    ]
    return "\n".join(kept) + "\n"


def parts() -> dict[Path, str]:
    """Return the locks of the container, with the packages that the tests run with."""
    whole = LOCK.read_text("utf-8")
    return {
        RUN_LOCK: part(whole, requirements()),
        BUILD_LOCK: part(whole, list(opened(["engine"]))),
    }


def part(lock: str, asked: Iterable[str]) -> str:
    """Return the pins of these requirements and everything they need, from a larger lock; what only
    an extra of such a package needs is included."""
    first, *entries = re.split(r"\n(?=\w)", lock)
    named = {entry.partition("==")[0]: entry for entry in entries}
    needed_by = {
        name: set(re.findall(r"#\s+(?:via )?([\w.-]+)$", entry, re.M))
        for name, entry in named.items()
    }
    wanted = {plain_name(re.split(r"[^\w.-]", line)[0]) for line in asked}
    found: set[str] = set()
    while found != wanted:
        found = set(wanted)
        wanted |= {name for name, needs in needed_by.items() if found & needs}
    kept = (line for name in sorted(found) for line in named[name].splitlines())
    return "\n".join([first, *(line for line in kept if "#" not in line)]) + "\n"


def plain_name(name: str) -> str:
    """Normalise a package's name."""
    return re.sub(r"[-_.]+", "-", name).lower()


def environment(folder: Path) -> Path:
    """Create an empty environment and return its Python."""
    venv.create(folder, with_pip=True)
    return folder / ("Scripts" if os.name == "nt" else "bin") / "python"


def run(*command: str | Path, cwd: str | Path | None = None) -> None:
    """Run a command that must succeed."""
    quiet = {"PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    subprocess.run(
        list(map(str, command)), check=True, timeout=LONGEST, cwd=cwd, env=os.environ | quiet
    )


def pins(lock: str) -> dict[str, tuple[str, int]]:
    """Return each package of a lock with its version and number of accepted hashes."""
    found = {}
    for entry in re.split(r"\n(?=\w)", lock):
        if pin := re.match(r"([\w.-]+)==(\S+)", entry):
            found[pin[1]] = (pin[2], entry.count("--hash=sha256:"))
    return found


def fits() -> int:
    """Return 0 if the lock was made for this Python; otherwise print what happens instead."""
    first = LOCK.read_text("utf-8").partition("\n")[0] if LOCK.exists() else ""
    if first + "\n" == MADE_FOR.format(version=this_python()) and sys.platform == "linux":
        return 0
    print(
        f"The lock {LOCK.relative_to(ROOT)} is not for Python {this_python()} on {sys.platform}: "
        "the newest packages that pip finds are taken instead."
    )
    return 1


# -- Extras ----------------------------------------------------------------------------------------


def resolve() -> int:
    """Let pip find every package of each extra, in an empty environment, without installing."""
    with tempfile.TemporaryDirectory() as folder:
        python = environment(Path(folder) / "empty")
        for extra in extras():
            asked = requirements(extra)
            run(python, "-m", "pip", "install", "--dry-run", "--quiet", *asked)
            print(f"stichwerk[{extra}]: found.", flush=True)
    return 0


def print_requirements(wanted: Callable[[], Iterable[str]]) -> int:
    """Print requirements, one per line."""
    print("\n".join(wanted()))
    return 0


def main(what: str = "make") -> int:
    steps: dict[str, Callable[[], int]] = {
        "make": make,
        "upgrade": partial(make, upgrade=True),
        "fits": fits,
        "extras": resolve,
        "learners": partial(print_requirements, learners),
    }
    return steps[what]()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
