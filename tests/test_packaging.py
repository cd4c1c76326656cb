"""The package can be built everywhere: compiled where a C compiler works, plain where none does."""

import os
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

ROOT = Path(__file__).parents[1]
COMPILED = [ROOT / "src/stichwerk/engine", ROOT / "src/stichwerk/games"]
NOT_SOURCE = shutil.ignore_patterns(
    ".*", "build", "dist", "node_modules", "*.egg-info", "*.so", "__pycache__"
)
needs_compiler = pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler here")


def run(*command: str | Path, **environment: str) -> str:
    """What a command printed, on both channels; it must succeed."""
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
    """A wheel of the project and what was said while building it, without any download."""
    pip = [sys.executable, "-m", "pip", "wheel", "-v", "--no-deps", "--no-build-isolation"]
    said = run(*pip, "--wheel-dir", project / "wheels", project, **environment)
    (wheel,) = (project / "wheels").glob("*.whl")
    return wheel, said


def libraries(wheel: Path) -> list[str]:
    """Names of the compiled modules in a wheel."""
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
def test_never_half_compiled(toy: Path, half_broken_compiler: Path) -> None:
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


@pytest.mark.slow
def test_plain_wheel_installs_and_says_so(tmp_path: Path) -> None:
    project = tmp_path / "project"
    shutil.copytree(ROOT, project, ignore=NOT_SOURCE)
    wheel, _ = build_wheel(project, STICHWERK_PURE="1")
    with ZipFile(wheel) as files:
        assert "stichwerk/web/static/index.html" in files.namelist()
    fresh = tmp_path / "fresh"
    venv.create(fresh)
    run(sys.executable, "-m", "pip", "--python", fresh, "install", "--no-deps", wheel)
    # Click and the others are lent from here; a path line does not lend the editable stichwerk.
    purelib = sysconfig.get_path("purelib", vars={"base": str(fresh)})
    Path(purelib, "lent.pth").write_text(sysconfig.get_path("purelib") + "\n")
    where = run(fresh / "bin/python", "-c", "import stichwerk; print(stichwerk.__file__)")
    assert str(fresh) in where
    said = run(fresh / "bin/stichwerk", "doctor", LANG="en_US.UTF-8", LC_ALL="en_US.UTF-8")
    assert "plain python" in said.lower()
