"""Every package we depend on is named with its licence, those in the page with their notices."""

import json
import os
import re
import subprocess
import sys
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import msgspec
import pytest

from stichwerk import licences
from stichwerk.licences import Part, holds, licence_of, parts, reached, read_requirement, unknown
from tools import notices

ROOT = Path(__file__).parents[1]
STATIC = ROOT / "src/stichwerk/web/static"
needs_node = pytest.mark.skipif(
    not notices.PACKAGES.is_dir(), reason="the page is not set up here (`make web-check`)"
)


class Known:
    """A package as its metadata describe it."""

    def __init__(self, requires: tuple[str, ...] = (), **fields: object) -> None:
        self.requires = list(requires)
        self.version = "1.0"
        self.fields = fields
        self.metadata = self

    def __getitem__(self, field: str) -> object:
        return self.fields[field]

    def get_all(self, field: str) -> object:
        found = self.fields.get(field.replace("-", "_"))
        return [found] if isinstance(found, str) else found


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> dict[str, Known]:
    """Packages that are installed, instead of those that are."""
    found: dict[str, Known] = {}

    def distribution(name: str) -> Known:
        if name not in found:
            raise PackageNotFoundError(name)
        return found[name]

    monkeypatch.setattr(licences, "distribution", distribution)
    return found


def stichwerk(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "stichwerk", "licences", *words],
        capture_output=True,
        text=True,
        timeout=120,
        env=os.environ | {"LC_ALL": "C.UTF-8"},
    )


# -- This installation -----------------------------------------------------------------------------


def test_every_package_that_runs_has_a_licence() -> None:
    found = parts()
    names = {part.name.lower() for part in found}
    assert {"click", "msgspec", "rich", "segno", "starlette", "uvicorn", "websockets"} <= names
    assert {"anyio", "h11", "markdown-it-py"} <= names  # those of those
    assert unknown(found) == []
    assert [part.name for part in found if part.version is None] == []


def test_extras_only_add_packages() -> None:
    usual, more = parts(), parts(("engine", "arena"))
    assert {part.name for part in more} - {part.name for part in usual} == {
        *("Cython", "setuptools", "openskill")
    }
    assert {part.use for part in more if part.name == "Cython"} == {"extra"}
    assert set(usual) <= set(more)


def test_dev_holds_every_other_extra() -> None:
    """All but `learners`, `node` and `peers`, as in tests/test_lock.py."""
    everything = {part.name for part in parts(("dev",))}
    for extra in set(licences.extras_offered()) - {"learners", "node", "peers"}:
        assert {part.name for part in parts((extra,))} <= everything, extra


def test_the_command_prints_a_table() -> None:
    result = stichwerk("--lang", "en")
    assert result.returncode == 0, result.stderr
    assert re.search(r"^click +\S+ +BSD-3-Clause +runs; needed by .*stichwerk", result.stdout, re.M)
    assert re.search(r"^svelte +\S+ +MIT +part of the page$", result.stdout, re.M)
    assert re.search(r"^@fontsource-variable/figtree +\S+ +OFL-1.1 +", result.stdout, re.M)
    assert "three typefaces are under the SIL Open Font License" in result.stdout
    assert re.search(r"^Paket +Fassung +Lizenz", stichwerk("--lang", "de").stdout)


def test_the_command_prints_json() -> None:
    result = json.loads(stichwerk("--json", "--extra", "engine").stdout)
    assert msgspec.convert(result, list[Part]) == parts(("engine",))


def test_the_notices_are_printed_whole() -> None:
    result = stichwerk("--notices").stdout
    for notice in licences.notices():
        assert notice.text in result
        assert re.search(r"Copyright .*\n.*Permission is hereby granted", notice.text, re.S)


def test_an_unknown_extra_is_refused() -> None:
    result = stichwerk("--extra", "tea", "--lang", "en")
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr.startswith("There is no extra tea. There are: arena, bench, dev")


# -- How packages are followed ---------------------------------------------------------------------


def test_packages_are_followed_with_their_extras(world: dict[str, Known]) -> None:
    world["stichwerk"] = Known(("a[x]>=1", 'b; extra == "more"', "stichwerk[y]; extra == 'z'"))
    world["a"] = Known(('c ; extra == "x"', 'd; extra == "y"', "A_c>=2; python_version > '3'"))
    assert reached(read_requirement("stichwerk")) == {"a": {"stichwerk"}, "c": {"a"}, "a-c": {"a"}}
    assert set(reached(read_requirement("stichwerk[more]"))) == {"a", "b", "c", "a-c"}


def test_circular_requirements_terminate(world: dict[str, Known]) -> None:
    world["stichwerk"] = Known(("a", "stichwerk[e]; extra == 'e'"))
    world["a"] = Known(("stichwerk[e]",))
    assert reached(read_requirement("stichwerk[e]")) == {"a": {"stichwerk"}}


def test_missing_packages_are_reported(world: dict[str, Known]) -> None:
    world["stichwerk"] = Known(("a",))
    (part, *_) = parts()
    assert part == Part("a", "run", None, None, ("stichwerk",))
    assert unknown([part]) == []


def test_a_bare_folder_is_refused(world: dict[str, Known]) -> None:
    with pytest.raises(licences.NotInstalledError, match="not-installed"):
        parts()


def test_an_unknown_licence_is_noticed(world: dict[str, Known]) -> None:
    world["stichwerk"] = Known(("a",))
    world["a"] = Known(Name="a", License="UNKNOWN")
    assert [part.name for part in unknown(parts())] == ["a"]


@pytest.mark.parametrize(
    ("marker", "met"),
    [
        ("", True),
        ("python_version >= '3.9'", True),
        ("python_version < '3.9'", False),
        (f"python_version < '{sys.version_info[0]}.{sys.version_info[1]}.0'", False),
        ("python_full_version >= '3.10.2'", True),
        ("sys_platform == 'no-such'", False),
        ("sys_platform != 'no-such' and extra == 'x'", True),
        ("extra == 'y' or (extra == 'x' and os_name in 'posix nt java')", True),
        ("platform_system not in 'Linux Darwin Windows Java'", False),
        ("python_version ~= '3.9'", True),
    ],
)
def test_conditions(marker: str, met: bool) -> None:
    assert holds(marker, "x") is met


@pytest.mark.parametrize(
    ("fields", "licence"),
    [
        ({"License_Expression": "MIT", "License": "other"}, "MIT"),
        ({"License": "BSD"}, "BSD"),
        ({"License": "UNKNOWN", "Classifier": ["License :: OSI Approved :: ISC"]}, "ISC"),
        ({"License": "Copyright\nall of it", "Classifier": ["License :: Free"]}, "Free"),
        ({"License": "x" * 200}, None),
        ({"Classifier": ["License :: OSI Approved", "Topic :: Games"]}, None),
        ({}, None),
    ],
)
def test_a_licence_is_read(fields: dict[str, object], licence: str | None) -> None:
    assert licence_of(Known(**fields)) == licence  # type: ignore[arg-type]


# -- The page --------------------------------------------------------------------------------------


def test_notices_fit_the_lock_file() -> None:
    locked = json.loads((ROOT / "frontend/package-lock.json").read_text("utf-8"))["packages"]
    for notice in licences.notices():
        facts = locked[f"node_modules/{notice.name}"]
        assert (notice.version, notice.licence) == (facts["version"], facts["license"])


@pytest.mark.slow
@needs_node
def test_notices_name_all_code_in_the_page() -> None:
    written = json.loads(notices.NOTICES.read_text("utf-8"))
    assert notices.notices() == written, "`make web` writes them anew"


def test_a_build_older_than_its_sources_is_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, made = tmp_path / "src/a.ts", tmp_path / "built/a.js.map"
    monkeypatch.setattr(notices, "FRONTEND", tmp_path / "src")
    for path in (source, made):
        path.parent.mkdir()
        path.touch()
    for source_time, made_time, fresh in ((1, 2, True), (2, 1, False), (2, 2, False)):
        os.utime(source, (source_time, source_time))
        os.utime(made, (made_time, made_time))
        assert notices.is_fresh(made.parent) is fresh
    made.unlink()
    assert not notices.is_fresh(made.parent)


FACES = {"figtree", "fraunces", "gabarito"}


def test_each_typeface_has_its_licence() -> None:
    """Where it is kept and where it is listed; subsets must not need another name."""
    texts = {notice.name: notice.text for notice in licences.notices()}
    assert {path.stem for path in notices.FONTS.glob("*.woff2")} == FACES
    for face in FACES:
        kept = (notices.FONTS / f"{face}.LICENSE.txt").read_text("utf-8")
        assert "SIL OPEN FONT LICENSE Version 1.1" in kept
        assert "with Reserved Font Name" not in kept
        listed = texts[f"@fontsource-variable/{face}"]
        assert listed.split() == kept.split()


def test_pictures_are_our_own_and_nothing_else_is_shipped() -> None:
    """No recordings, no photographs: icons are drawn here, sounds are reckoned."""
    kinds = {path.suffix for path in STATIC.rglob("*") if path.is_file()}
    assert kinds <= {".css", ".html", ".js", ".png", ".svg", ".webmanifest", ".woff2"}
    fonts = {path.name.partition("-")[0] for path in STATIC.rglob("*.woff2")}
    assert fonts == FACES
    pictures = {path.name for path in STATIC.rglob("*") if path.suffix in (".png", ".svg")}
    assert pictures == {"icon.svg", "icon-192.png", "icon-512.png", "icon-maskable-512.png"}
    styles = "".join(path.read_text("utf-8") for path in STATIC.rglob("*.css"))
    assert styles.count("@font-face") == len(FACES)
    assert "data:font" not in styles
