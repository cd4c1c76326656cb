"""Build and test our packages: `python -m tools.packages` (or `make dist`) fills dist/.

    build    the source archive and the wheel, from a copy of the tree without anything built
    check    their contents: nothing missing, nothing superfluous, valid metadata
    prove    installed into empty environments, they work from anywhere: the wheel, the archive with
             a C compiler, the archive without one, and the steps of the Containerfile

All four installations play the same seeds to the same records. The engine is compiled twice, so
this takes minutes; tests/test_packaging.py has the quick parts.
"""

import ast
import contextlib
import http.client
import os
import re
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import time
import venv
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from zipfile import ZipFile

from packaging.metadata import Metadata

from stichwerk.games import registry
from stichwerk.lessons import GAMES as LESSONS
from stichwerk.server.clients.load_test import free_port
from tools.container import Container
from tools.lock import requirements

ROOT = Path(__file__).parents[1]
DIST = ROOT / "dist"
SOURCE = ROOT / "src/stichwerk"
SETUP = ROOT / "setup.py"
NOT_SOURCE = shutil.ignore_patterns(
    *(".*", "build", "dist", "site", "node_modules", "__pycache__"),
    *("*.egg-info", "*.so", "*.pyd", "*.py[cod]", "*.c"),
)
GAMES = tuple(registry.GAMES)
PROMISED = (
    *("py.typed", "hash_words.txt", "schema/stichwerk-game-1.json"),
    *("web/notices.json", "web/static/index.html", "web/static/sw.js", "web/static/icon.svg"),
    *("locale/interface.de.json", "locale/interface.en.json"),
    *(
        "engine/frame.pxd",
        "engine/round_rules.pxd",
        "engine/state.pxd",
        "engine/machine.pyx",
        "games/sticheln.pxd",
    ),
    *(f"locale/rules/{game}.{lang}.md" for game in GAMES for lang in ("de", "en")),
    *(f"lessons/scripts/{game}.toml" for game in LESSONS),
)
"""Files that must be in the package, whatever is in the tree today."""
LITTER = re.compile(
    r"(^|/)(__pycache__|node_modules|\.git|\.venv|\.[a-z]+_cache|\.hypothesis)(/|$)"
    r"|\.(py[cod]|o|orig|rej|log|sqlite)$|~$"
)
LIBRARY = re.compile(r"\.(so|pyd|dll|dylib)$")
ASKED_FOR = re.compile(r"""["'`(](?:\.?/)?(?:assets/)?([\w.-]+-[\w-]{8}\.(?:js|css|woff2))""")
NO_COMPILER = {"CC": "no-such-compiler", "CXX": "no-such-compiler"}
PLAIN_WARNING = "WARNING: stichwerk is installed as plain Python"
OWN_GAME = """# cython: language_level=3
from stichwerk.engine.frame cimport Game

cdef class Mine(Game):
    cdef int tricks

def check():
    return issubclass(Mine, Game)
"""
LONGEST = 1800  # seconds for one step
LINES = 40  # of the output of a failed step


class BadPackageError(Exception):
    """A package is not as it must be."""


def require(holds: object, what: str) -> None:
    if not holds:
        raise BadPackageError(what)


# -- Build -----------------------------------------------------------------------------------------


def run(*command: str | Path, cwd: Path, **environment: str) -> str:
    """Run a command that must succeed; return its output. Nothing of ours is inherited."""
    ours = ("STICHWERK", "PYTHON", "VIRTUAL_ENV")
    inherited = {key: value for key, value in os.environ.items() if not key.startswith(ours)}
    done = subprocess.run(
        list(map(str, command)),
        cwd=cwd,
        env=inherited | {"PIP_DISABLE_PIP_VERSION_CHECK": "1", "LC_ALL": "C.UTF-8"} | environment,
        text=True,
        encoding="utf-8",
        errors="replace",
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=LONGEST,
    )
    output = "\n".join(done.stdout.splitlines()[-LINES:])
    require(done.returncode == 0, f"{' '.join(map(str, command))}\n{output}")
    return done.stdout


def copy_source(folder: Path) -> Path:
    """Copy the tree as it is before anything is built."""
    shutil.copytree(ROOT, folder, ignore=NOT_SOURCE)
    shutil.copy(ROOT / ".dockerignore", folder)
    return folder


def build(folder: Path) -> None:
    """Build source archive, and the wheel from it, into dist/."""
    shutil.rmtree(DIST, ignore_errors=True)
    tree = copy_source(folder / "tree")
    run(sys.executable, "-m", "build", "--outdir", DIST, tree, cwd=folder, STICHWERK_PURE="0")


def built(pattern: str) -> Path:
    """Return the only file in dist/ of a kind."""
    found = list(DIST.glob(pattern))
    require(
        len(found) == 1, f"dist/{pattern}: {len(found)} files; `python -m tools.packages build`"
    )
    return found[0]


# -- Check -----------------------------------------------------------------------------------------


def source_files() -> set[str]:
    """Return everything in our package that is not litter, relative to it."""
    folders = [(Path(where), dirs, names) for where, dirs, names in os.walk(SOURCE)]
    ignored = {where: NOT_SOURCE(str(where), [*dirs, *names]) for where, dirs, names in folders}
    return {
        str((where / name).relative_to(SOURCE).as_posix())
        for where, _, names in folders
        for name in names
        if name not in ignored[where] and "__pycache__" not in where.parts
    }


def wheel_faults(wheel: Path) -> Iterator[str]:
    """Yield what is wrong with a wheel, compiled or plain."""
    with ZipFile(wheel) as archive:
        names = set(archive.namelist())
        texts = {name: archive.read(name) for name in names if "/web/static/" in name}
    ours = {name.removeprefix("stichwerk/") for name in names if name.startswith("stichwerk/")}
    yield from (f"missing: {name}" for name in sorted((source_files() | set(PROMISED)) - ours))
    libraries = {name for name in ours if LIBRARY.search(name)}
    yield from (f"not ours: {name}" for name in sorted(ours - source_files() - libraries))
    yield from (f"litter: {name}" for name in sorted(names) if LITTER.search(name))
    foreign = [name for name in names if not re.match(r"stichwerk(-[\d.]+\.dist-info)?/", name)]
    yield from (f"does not belong here: {name}" for name in sorted(foreign))
    if not any(re.search(r"\.dist-info/licenses/LICENSE$", name) for name in names):
        yield "missing: our licence"
    yield from library_faults(wheel, libraries)
    yield from page_faults(texts)


INLINE = "engine/codes.pxd"  # compiled into its users


def compiled_parts() -> tuple[str, ...]:
    """Return the folders whose modules setup.py compiles, relative to our package."""
    (found,) = re.findall(r"^COMPILED = (\(.*?\))$", SETUP.read_text("utf-8"), re.M | re.S)
    return tuple(str(part).removeprefix("stichwerk/") + "/" for part in ast.literal_eval(found))


def shared_libraries() -> set[str]:
    """Return the extensions that setup.py combines from all modules of a folder."""
    (found,) = re.findall(r"^SHARED = (\{.*?\})$", SETUP.read_text("utf-8"), re.M | re.S)
    return {f"{folder.removeprefix('stichwerk/')}/compiled" for folder in ast.literal_eval(found)}


def library_faults(wheel: Path, libraries: set[str]) -> Iterator[str]:
    """Check that all modules with C types are compiled, or none, as the wheel's name says."""
    plain = wheel.name.endswith("-py3-none-any.whl")
    typed = {
        name.removesuffix(".pxd")
        for name in source_files()
        if name.endswith(".pxd") and name.startswith(compiled_parts()) and name != INLINE
    } | shared_libraries()
    found = {re.sub(r"\.[^/]*$", "", name) for name in libraries}
    yield from (f"not compiled: {name}" for name in sorted(set() if plain else typed - found))
    yield from (f"compiled: {name}" for name in sorted(found if plain else found - typed))


def page_faults(files: Mapping[str, bytes]) -> Iterator[str]:
    """Check that everything the page loads is there, from its first file on."""
    known = {name.rpartition("/")[2] for name in files}
    for name, content in files.items():
        if name.endswith((".html", ".js", ".css")):
            text = content.decode("utf-8")
            asked = re.findall(ASKED_FOR, text)
            yield from (f"{name} asks for {file}" for file in sorted(set(asked) - known))


def sdist_faults(archive: Path) -> Iterator[str]:
    """Yield what is wrong with a source archive."""
    with tarfile.open(archive) as files:
        members = files.getmembers()
    top = archive.name.removesuffix(".tar.gz")
    names = {member.name.removeprefix(f"{top}/") for member in members if member.isfile()}
    yield from (f"outside: {m.name}" for m in members if m.name.split("/")[0] != top)
    needed = {f"src/stichwerk/{name}" for name in source_files() | set(PROMISED)}
    needed |= {"pyproject.toml", "setup.py", "README.md", "LICENSE", "CHANGELOG.md", "PKG-INFO"}
    needed |= {"Makefile", "Containerfile", "requirements/dev.txt", "tools/packages.py"}
    yield from (f"missing: {name}" for name in sorted(needed - names))
    litter = [name for name in names if LITTER.search(name) or LIBRARY.search(name)]
    yield from (f"litter: {name}" for name in sorted(litter))
    built_here = [name for name in names if re.match(r"(build|dist|site)/|src/.*\.(c|html)$", name)]
    pages = "src/stichwerk/web/static/"
    yield from (f"built: {name}" for name in sorted(built_here) if not name.startswith(pages))


def metadata(package: Path) -> Metadata:
    """Return the metadata of a wheel or source archive; it must be valid."""
    if package.suffix == ".whl":
        with ZipFile(package) as archive:
            (name,) = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
            return Metadata.from_email(archive.read(name), validate=True)
    with tarfile.open(package) as files:
        member = files.extractfile(f"{package.name.removesuffix('.tar.gz')}/PKG-INFO")
        assert member
        return Metadata.from_email(member.read(), validate=True)


def metadata_faults(package: Path) -> Iterator[str]:
    """Check the fields that people and tools rely on."""
    found = metadata(package)
    if found.license_expression != "MIT" or found.license_files != ["LICENSE"]:
        yield "no licence"
    readable = found.description_content_type == "text/markdown"
    if not (readable and "# Stichwerk" in (found.description or "")):
        yield "no description"
    if str(found.requires_python) != ">=3.11":
        yield f"Python {found.requires_python}"
    if f"-{found.version}" not in package.name:
        yield f"version {found.version}"
    if re.search(r" @ |://", str(found.requires_dist)):
        yield "a requirement names an address"


def check() -> None:
    """Check both files in dist/."""
    wheel, sdist = built("*.whl"), built("*.tar.gz")
    faults = [*wheel_faults(wheel), *metadata_faults(wheel)]
    require(not faults, "\n".join([wheel.name, *faults]))
    faults = [*sdist_faults(sdist), *metadata_faults(sdist)]
    require(not faults, "\n".join([sdist.name, *faults]))
    require(not wheel.name.endswith("-none-any.whl"), f"{wheel.name} is not compiled")
    for package in (wheel, sdist):
        print(f"  {package.name}: {package.stat().st_size / 1e6:.1f} MB, as it must be")


# -- Prove -----------------------------------------------------------------------------------------


class Installation:
    """An empty environment with Stichwerk in it, and a separate folder to use it from."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.elsewhere = folder / "elsewhere"
        self.elsewhere.mkdir(parents=True)
        self.bin = folder / "environment/bin"
        self.said = ""

    def install(self, package: Path, **environment: str) -> None:
        """Let its own pip install a file and its dependencies."""
        venv.create(self.folder / "environment", with_pip=True)
        pip = ("-m", "pip", "install", "--verbose", "--no-cache-dir")
        self.said = run(self.bin / "python", *pip, package, cwd=self.elsewhere, **environment)

    def stichwerk(self, *words: str | Path) -> str:
        """Run one of our commands, in English."""
        return run(self.bin / "stichwerk", *words, "--lang", "en", cwd=self.elsewhere)


def smoke(place: Installation, *, compiled: bool) -> bytes:
    """Try everything once; return what was played."""
    where = run(
        *(place.bin / "python", "-c", "import stichwerk; print(stichwerk.__file__)"),
        cwd=place.elsewhere,
    )
    require(Path(where.strip()).is_relative_to(place.folder), f"imported from {where}")
    output = place.stichwerk("doctor")
    require(("lain Python" in output) != compiled, f"doctor: {output}")
    require("svelte" in place.stichwerk("licences"), "licences")
    played = b"".join(records(place, game) for game in GAMES)
    served(place.bin / "stichwerk", "serve", "--no-open", folder=place.elsewhere)
    return played


def records(place: Installation, game: str) -> bytes:
    """Play and verify matches from fixed seeds, without searches: plain Python gives them less."""
    file = place.elsewhere / f"{game}.jsonl"
    seats = ("--seats", "3") if game != "stichtag" else ("--seats", "4", "--date", "09-14")
    place.stichwerk(
        *("simulate", game, *seats, "--games", "2", "--seed", "7"),
        *("--bots", "greedy,random", "--records", file.name),
    )
    place.stichwerk("verify", file.name)
    return file.read_bytes()


def fetched(port: int, path: str) -> tuple[int, str]:
    """Return status and text of a page of a server on this machine."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        connection.request("GET", path)
        answer = connection.getresponse()
        return answer.status, answer.read().decode("utf-8")
    finally:
        connection.close()


@contextlib.contextmanager
def serving(*command: str | Path, folder: Path, **environment: str) -> Iterator[int]:
    """Run a server on loopback at the yielded port, with its data in the folder."""
    port = free_port()
    place = ("--host", "127.0.0.1", "--port", str(port), "--data", "data")
    with (folder / "serve.log").open("wb") as log:
        server = subprocess.Popen(
            list(map(str, (*command, *place))),
            cwd=folder,
            env=os.environ | environment,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
        )
        try:
            wait_for(lambda: server.poll() is not None or healthy(port))
            require(server.poll() is None, (folder / "serve.log").read_text("utf-8"))
            yield port
        finally:
            server.send_signal(signal.SIGTERM)
            try:
                code = server.wait(30)
            except subprocess.TimeoutExpired:
                server.kill()
                server.wait(30)
                raise
    require(code == 0, f"the server ended with {code}")


def healthy(port: int) -> bool:
    try:
        return fetched(port, "/api/health")[0] == 200
    except OSError:
        return False


def wait_for(happened: Callable[[], bool], seconds: float = 120) -> None:
    """Poll until a condition holds, with a limit."""
    end = time.monotonic() + seconds
    while not happened():
        require(time.monotonic() < end, f"nothing happened in {seconds:.0f} seconds")
        time.sleep(0.1)


def served(*command: str | Path, folder: Path) -> None:
    """Check that a server started like this shows the page and its first script, and stores."""
    with serving(*command, folder=folder) as port:
        status, page = fetched(port, "/")
        require(status == 200 and "<title>" in page, f"the page answers {status}")
        scripts = re.findall(r'src="(/assets/[^"]+\.js)"', page)
        require(scripts, "the page has no script")
        require(fetched(port, scripts[0])[0] == 200, f"no {scripts[0]}")
        status, games = fetched(port, "/api/games")
        require(status == 200 and all(game in games for game in GAMES), f"/api/games: {status}")
    require((folder / "data/tables.sqlite").is_file(), "the server stored nothing")


def prove(folder: Path) -> None:
    """Try every way to install; they must agree."""
    wheel, sdist = built("*.whl"), built("*.tar.gz")
    ways: Sequence[tuple[str, Path, dict[str, str], bool]] = (
        ("the wheel", wheel, NO_COMPILER, True),
        ("the archive, without a compiler", sdist, NO_COMPILER, False),
        ("the archive, with a compiler", sdist, {}, True),
    )
    played = {}
    for at, (way, package, environment, compiled) in enumerate(ways):
        began = time.monotonic()
        place = Installation(folder / str(at))
        place.install(package, **environment)
        require((PLAIN_WARNING in place.said) != compiled, f"{way}: warned wrongly\n{place.said}")
        played[way] = smoke(place, compiled=compiled)
        print(f"  {way}: installs and works ({time.monotonic() - began:.0f} s)", flush=True)
    require(len(set(played.values())) == 1, "the same seeds gave different records")
    print(f"  all play the same: {len(played['the wheel'].splitlines())} records, byte by byte")
    prove_own_game(place)
    print("  a game of one's own compiles against it")
    prove_container(folder / "container")


def prove_own_game(place: Installation) -> None:
    """Check that a custom game compiles against the installed C types."""
    (place.elsewhere / "own.pyx").write_text(OWN_GAME)
    pip = ("-m", "pip", "install", "--quiet", *requirements("engine"))
    run(place.bin / "python", *pip, cwd=place.elsewhere)
    run(place.bin / "cythonize", "--inplace", "own.pyx", cwd=place.elsewhere)
    output = run(place.bin / "python", "-c", "import own; print(own.check())", cwd=place.elsewhere)
    require(output.strip() == "True", output)


def prove_container(folder: Path) -> None:
    """Follow the image's steps in plain Python, since it cannot be built everywhere."""
    began = time.monotonic()
    container = Container(folder)
    container.copy_context()
    container.install(run)
    container.try_server(serving)
    print(f"  the steps of the Containerfile ({time.monotonic() - began:.0f} s)", flush=True)


def main(*steps: str) -> int:
    """Run the requested steps, or all."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            for step in steps or ("build", "check", "prove"):
                print(f"{step}:", flush=True)
                work = {"build": lambda: build(Path(folder)), "check": check}
                work.get(step, lambda: prove(Path(folder)))()
        except BadPackageError as error:
            print(error, file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
