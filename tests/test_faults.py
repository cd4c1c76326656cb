"""The catalogue of faults fits the tree; `python -m tools.faults` plants them."""

import re
import sys
from collections import Counter
from pathlib import Path

import pytest

from tests.faults.catalogue import (
    AREA_TESTS,
    CATALOGUE,
    LEAST,
    LEAST_LONG,
    VITEST,
    Fault,
    read,
)
from tools.faults.__main__ import chosen
from tools.faults.scratch import NODE, Scratch

ROOT = Path(__file__).parents[1]
FAULTS = read()
every_fault = pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.id)


def test_every_area_has_enough_faults() -> None:
    counts = Counter(fault.area for fault in FAULTS)
    assert set(counts) == set(LEAST) == set(AREA_TESTS)
    assert [area for area in LEAST if counts[area] < LEAST[area]] == []
    assert len(FAULTS) >= 40
    assert sum(fault.long for fault in FAULTS) >= LEAST_LONG


def test_ids_are_unique_and_typeable() -> None:
    ids = [fault.id for fault in FAULTS]
    assert len(ids) == len(set(ids))
    assert [id for id in ids if not re.fullmatch(r"[a-z0-9-]+", id)] == []


@every_fault
def test_a_fault_can_be_planted(fault: Fault) -> None:
    source = (ROOT / fault.file).read_text("utf-8")
    planted = fault.planted_in(source)
    assert planted != source
    assert fault.what.endswith(".")
    if fault.file.endswith(".py"):
        compile(planted, fault.file, "exec")


def test_a_text_that_is_not_there_once_is_refused() -> None:
    with pytest.raises(ValueError, match="2 times"):
        FAULTS[0].planted_in(2 * FAULTS[0].text)


@every_fault
def test_the_tests_that_find_it_exist(fault: Fault) -> None:
    assert fault.found_by
    for test in fault.found_by:
        file, _, name = test.removeprefix(VITEST).partition("::")
        assert (ROOT / file).is_file()
        assert file.endswith(".test.ts" if test.startswith(VITEST) else ".py")
        function = name.partition("[")[0]
        assert not function or f"def {function}(" in (ROOT / file).read_text("utf-8")


def test_the_tests_of_areas_exist() -> None:
    files = [test.removeprefix(VITEST) for tests in AREA_TESTS.values() for test in tests]
    assert [file for file in files if not (ROOT / file).exists()] == []


def test_a_campaign_is_planted_alone() -> None:
    found = chosen([], CATALOGUE, "refactoring")
    assert len(found) == 30
    assert {fault.campaign for fault in found} == {"refactoring"}
    assert chosen([], CATALOGUE) == FAULTS
    with pytest.raises(SystemExit, match="no faults of this campaign: cleaning"):
        chosen([], CATALOGUE, "cleaning")
    with pytest.raises(SystemExit, match="no such fault: sticheln-grey-pain"):
        chosen(["sticheln-grey-pain"], CATALOGUE, "refactoring")


def test_a_module_in_a_shared_library_is_compiled(tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    for name in ("alone.so", "alone.py", "plain.py", "sheets/red_1.py", "sheets/compiled.so"):
        path = tree / name.replace(".so", ".cpython.so")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    scratch = Scratch(tree, tmp_path / "copy", sys.executable, tree / NODE)
    assert scratch.is_compiled("alone.py")
    assert scratch.is_compiled("sheets/red_1.py")
    assert scratch.is_compiled("sheet.pxd")
    assert not scratch.is_compiled("plain.py")
