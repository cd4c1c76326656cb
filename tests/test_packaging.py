"""The package can be built everywhere: compiled where a C compiler works, plain where none does."""

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tomllib
import venv
from pathlib import Path
from zipfile import ZipFile

import pytest

import stichwerk
from tools.packages import (
    GAMES,
    Installation,
    copy_source,
    library_faults,
    metadata_faults,
    records,
    sdist_faults,
    smoke,
    wheel_faults,
)

ROOT = Path(__file__).parents[1]
COMPILED = [ROOT / "src/stichwerk" / part for part in ("engine", "games", "bots", "envs")]
needs_compiler = pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler here")


def run(*command: str | Path, **environment: str) -> str:
    """Return what a command printed, on both channels; it must succeed."""
    inherited = {key: value for key, value in os.environ.items() if "STICHWERK" not in key}
    done = subprocess.run(
        list(map(str, command)),
        env=inherited | environment,
        text=True,
        encoding="utf-8",
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=900,
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


def build_wheel(project: Path, **environment: str) -> tuple[Path, str]:
    """Build a wheel of the project without downloads; return it and the output."""
    pip = [sys.executable, "-m", "pip", "wheel", "-v", "--no-deps", "--no-build-isolation"]
    said = run(*pip, "--wheel-dir", project / "wheels", project, **environment)
    (wheel,) = (project / "wheels").glob("*.whl")
    return wheel, said


def libraries(wheel: Path) -> list[str]:
    """Return the names of the compiled modules in a wheel."""
    with ZipFile(wheel) as files:
        found = [Path(name).name for name in files.namelist() if name.endswith((".so", ".pyd"))]
    return sorted(name.partition(".")[0] for name in found)


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    """A project with our build files but only two small modules, quick to compile."""
    engine = tmp_path / "toy/src/stichwerk/engine"
    engine.mkdir(parents=True)
    for name in ("setup.py", "pyproject.toml", "LICENSE"):
        shutil.copy(ROOT / name, tmp_path / "toy")
    (tmp_path / "toy/README.md").touch()
    for package in (engine, engine.parent):
        (package / "__init__.py").touch()
    (engine / "frame.py").write_text("class Game:\n    def seats(self):\n        return 4\n")
    (engine / "frame.pxd").write_text("cdef class Game:\n    cpdef int seats(self)\n")
    (engine / "search.py").write_text(
        "from stichwerk.engine.frame import Game\n\n\nclass Mine(Game):\n    pass\n"
    )
    (engine / "search.pxd").write_text(
        "from stichwerk.engine.frame cimport Game\n\ncdef class Mine(Game):\n    pass\n"
    )
    return tmp_path / "toy"


@pytest.fixture
def half_broken_compiler(tmp_path: Path) -> Path:
    """A compiler that can do everything except the toy's module `search`."""
    compiler = tmp_path / "cc"
    compiler.write_text('#!/bin/sh\ncase "$*" in *search*) exit 1;; esac\nexec cc "$@"\n')
    compiler.chmod(0o755)
    return compiler


def test_every_pxd_has_its_python_source() -> None:
    declared = [pxd for folder in COMPILED for pxd in folder.rglob("*.pxd")]
    assert declared
    assert [pxd for pxd in declared if not pxd.with_suffix(".py").exists()] == []


def test_every_pyx_has_its_pxd() -> None:
    written = [pyx for folder in COMPILED for pyx in folder.rglob("*.pyx")]
    assert [pyx for pyx in written if not pyx.with_suffix(".pxd").exists()] == []


def test_version_is_the_same_everywhere() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["version"] == stichwerk.__version__


@pytest.mark.slow
@needs_compiler
def test_with_a_compiler_everything_is_compiled(toy: Path) -> None:
    wheel, said = build_wheel(toy)
    assert libraries(wheel) == ["frame", "search"]
    assert "WARNING: stichwerk" not in said


@pytest.mark.slow
def test_without_a_compiler_the_build_warns_and_is_plain(toy: Path) -> None:
    wheel, said = build_wheel(toy, CC="no-such-compiler")
    assert libraries(wheel) == []
    assert wheel.name.endswith("-py3-none-any.whl")
    assert said.count("WARNING: stichwerk is installed as plain Python") == 1


@pytest.mark.slow
@needs_compiler
def test_a_build_is_never_half_compiled(toy: Path, half_broken_compiler: Path) -> None:
    wheel, _ = build_wheel(toy, CC=str(half_broken_compiler))
    assert libraries(wheel) == []


@pytest.mark.slow
@needs_compiler
def test_a_failed_build_in_place_leaves_no_older_library(
    toy: Path, half_broken_compiler: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(toy)
    build = (sys.executable, "setup.py", "build_ext", "--inplace", "--force")
    run(*build)
    assert len(list(toy.glob("src/**/*.so"))) == 2
    run(*build, CC=str(half_broken_compiler))
    assert list(toy.glob("src/**/*.so")) == []


@pytest.mark.slow
def test_insisting_on_the_compiler_fails_without_one(toy: Path) -> None:
    with pytest.raises(AssertionError, match="no-such-compiler"):
        build_wheel(toy, CC="no-such-compiler", STICHWERK_PURE="0")


@pytest.fixture(scope="session")
def plain_wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The whole package, not compiled."""
    project = copy_source(tmp_path_factory.mktemp("plain") / "project")
    return build_wheel(project, STICHWERK_PURE="1")[0]


@pytest.mark.slow
def test_plain_wheel_installs_and_works_elsewhere(plain_wheel: Path, tmp_path: Path) -> None:
    """It plays what is played here, compiled or not; `make dist` tries all the other ways."""
    assert [*wheel_faults(plain_wheel), *metadata_faults(plain_wheel)] == []
    there = Installation(tmp_path)
    venv.create(tmp_path / "environment")
    pip = (sys.executable, "-m", "pip", "--python", tmp_path / "environment", "install")
    run(*pip, "--no-deps", plain_wheel)
    # Click and the others are lent from here; a path line does not lend the editable stichwerk.
    purelib = sysconfig.get_path("purelib", vars={"base": str(tmp_path / "environment")})
    Path(purelib, "lent.pth").write_text(sysconfig.get_path("purelib") + "\n")
    played = smoke(there, compiled=False)
    here = Installation(tmp_path / "here")
    here.bin = Path(sys.executable).parent
    assert played == b"".join(records(here, game) for game in GAMES)


@pytest.mark.slow
def test_the_source_archive_holds_what_it_must(tmp_path: Path) -> None:
    project = copy_source(tmp_path / "project")
    for litter in ("src/stichwerk/engine/frame.so", "build/x.py", "tests/__pycache__/a.pyc"):
        (project / litter).parent.mkdir(parents=True, exist_ok=True)
        (project / litter).write_bytes(b"")
    build = (sys.executable, "-m", "build", "--sdist", "--no-isolation", "--outdir", tmp_path)
    run(*build, project)
    (archive,) = tmp_path.glob("*.tar.gz")
    assert [*sdist_faults(archive), *metadata_faults(archive)] == []


# -- The checks themselves -------------------------------------------------------------------------


def altered(wheel: Path, target: Path, leave_out: str = "-", **more: str) -> Path:
    """Return a wheel without the files whose names hold a text, and with others."""
    with ZipFile(wheel) as old, ZipFile(target / wheel.name, "w") as new:
        for name in old.namelist():
            if leave_out == "-" or leave_out not in name:
                new.writestr(name, old.read(name))
        for name, text in more.items():
            new.writestr(name.replace("__", "/"), text)
    return target / wheel.name


@pytest.mark.slow
@pytest.mark.parametrize(
    ("leave_out", "more", "fault"),
    [
        ("py.typed", {}, "missing: py.typed"),
        ("locale/interface.de.json", {}, "missing: locale/interface.de.json"),
        ("frame.pxd", {}, "missing: engine/frame.pxd"),
        ("licenses/LICENSE", {}, "missing: our licence"),
        ("-", {"stichwerk__engine__frame.so": ""}, "compiled: engine/frame"),
        ("-", {"stichwerk__x.pyc": ""}, "litter: stichwerk/x.pyc"),
        ("-", {"stichwerk__old.py": ""}, "not ours: old.py"),
        ("-", {"tests__test_view.py": ""}, "does not belong here: tests/test_view.py"),
        ("assets/card-", {}, "asks for card-"),
    ],
)
def test_faults_of_a_wheel_are_found(
    plain_wheel: Path, tmp_path: Path, leave_out: str, more: dict[str, str], fault: str
) -> None:
    found = list(wheel_faults(altered(plain_wheel, tmp_path, leave_out, **more)))
    assert any(fault in line for line in found), found


def test_a_compiled_wheel_is_compiled_everywhere() -> None:
    wheel = Path("stichwerk-0.1.0-cp311-cp311-linux_x86_64.whl")
    found = list(library_faults(wheel, {"engine/frame.cpython-311.so", "view.so"}))
    assert "not compiled: games/sticheln" in found
    assert "compiled: view" in found
    assert "not compiled: engine/frame" not in found


def test_our_metadata_contains_no_address(tmp_path: Path) -> None:
    lines = ["Metadata-Version: 2.4", "Name: x", "Version: 1", "Requires-Dist: y @ file:///z"]
    with ZipFile(tmp_path / "x-1-py3-none-any.whl", "w") as wheel:
        wheel.writestr("x-1.dist-info/METADATA", "\n".join(lines))
    found = list(metadata_faults(tmp_path / "x-1-py3-none-any.whl"))
    assert found == [
        "no licence",
        "no description",
        "Python None",
        "a requirement names an address",
    ]


# -- Setting up ------------------------------------------------------------------------------------


def dry_run(target: str) -> str:
    """Return what `make` would do for a target in a tree where nothing is set up."""
    return run("make", "-n", "-B", "-C", ROOT, "VENV=build/no-such-environment", target)


def test_playing_needs_no_extra() -> None:
    """Only the tools that compile the engine in place; in the terminal the whole screen, too."""
    for target, extras in {"play": [], "play-terminal": ["'stichwerk[tui]'"]}.items():
        installed = re.findall(r"pip install\b(.*)", dry_run(target))
        assert [line.split()[-1] for line in installed] == ["'.[engine]'", *extras], target


WITHOUT_EXTRAS = """
import sys
from importlib.metadata import packages_distributions
from stichwerk.licences import plain_name, read_requirement, reached

runs = {"stichwerk", *reached(read_requirement("stichwerk"))}
for module, owners in packages_distributions().items():
    if not runs & set(map(plain_name, owners)) and module not in sys.modules:
        sys.modules[module] = None  # as if it were not there

import stichwerk.server.app, stichwerk.server.run, stichwerk.testing
from stichwerk.cli import main

assert "ray" in sys.modules and "numpy" in sys.modules
for line in ("doctor", "simulate sticheln --games 1", "rules stichtag", "bots", "serve --help"):
    assert main([*line.split(), "--lang", "en"]) == 0, line
"""


@pytest.mark.slow
def test_the_core_runs_without_any_extra() -> None:
    """`make dist` shows it in empty environments; here all other packages are hidden."""
    result = run(sys.executable, "-c", WITHOUT_EXTRAS)
    assert "Sticheln" in result


def test_developers_install_from_the_lock() -> None:
    result = dry_run("lint")
    assert "--require-hashes --no-deps --requirement requirements/dev.txt" in result
