"""Plant the faults of the catalogue one by one: `python -m tools.faults`, or `make faults`.

Each fault is planted in a copy of the tree, never in the tree itself. What it needs is built there,
and its tests run: one of them must fail. The same tests run once without any fault and must pass,
otherwise a fault would be counted as found by mistake.
"""

import argparse
import json
import os
import re
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from threading import Lock

from tests.faults.catalogue import AREA_TESTS, CATALOGUE, VITEST, Fault, read
from tools.faults.scratch import NODE, BuildError, FinishedProcess, Scratch, python_of, run

ROOT = Path(__file__).parents[2]
SECONDS = 900.0
"""Seconds for one fault, builds included."""

CLEAN_SECONDS = 3600.0
"""Seconds for all tests without a fault."""

FAILED = re.compile(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", re.MULTILINE)
REASON = re.compile(r"^E {2,}(.+)$", re.MULTILINE)
VITEST_FAILED = re.compile(r"^\s*FAIL\s+(\S+ > .+)$", re.MULTILINE)
"""Needs the name of a test: a file that cannot be loaded at all proves nothing."""

SIGNS = re.compile(r"\x1b\[[0-9;]*m")
FAILURES = 1
"""The exit code of pytest and vitest when tests failed, and nothing else."""


@dataclass(frozen=True)
class FaultOutcome:
    """The result for one fault: which test found it, or why none did."""

    id: str
    area: str
    found_by: str | None
    why: str
    seconds: float


# -- Running tests ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class TestResult:
    """How tests ended: whether all passed, else the first that failed and its reason."""

    passed: bool
    first: str | None = None
    why: str = ""


def tried(scratch: Scratch, tests: Sequence[str], seconds: float, *options: str) -> TestResult:
    """Run tests until one fails: those of the page first, as they are quick."""
    deadline = time.monotonic() + seconds
    page = [test.removeprefix(VITEST) for test in tests if test.startswith(VITEST)]
    others = [test for test in tests if not test.startswith(VITEST)]
    if page:
        result = run_vitest(scratch, page, seconds)
        if not result.passed:
            return result
    if others:
        return run_pytest(scratch, others, deadline - time.monotonic(), *options)
    return TestResult(passed=True)


def run_vitest(scratch: Scratch, files: Sequence[str], seconds: float) -> TestResult:
    """Run component tests of the page."""
    names = [file.removeprefix("frontend/") for file in files]
    done = run(["npx", "vitest", "run", *names], scratch.folder / "frontend", scratch.env, seconds)
    found = VITEST_FAILED.search(SIGNS.sub("", done.output))
    return judged(done, f"{VITEST}{found[1]}" if found else None, "")


def run_pytest(scratch: Scratch, tests: Sequence[str], seconds: float, *options: str) -> TestResult:
    """Run tests in Python."""
    command = [scratch.python, "-m", "pytest", "-q", "-p", "no:cacheprovider", *options, *tests]
    done = run(command, scratch.folder, scratch.env, max(1.0, seconds))
    output = SIGNS.sub("", done.output)
    found, why = FAILED.search(output), REASON.search(output)
    return judged(done, found[1] if found else None, why[1] if why else "")


def judged(done: FinishedProcess, first: str | None, why: str) -> TestResult:
    """Interpret an exit code: ending for another reason than a failed test proves nothing."""
    if done.code == 0:
        return TestResult(passed=True)
    if done.code == FAILURES and first:
        return TestResult(passed=False, first=first, why=why)
    reason = "stopped after its time" if done.code is None else f"exit code {done.code}"
    return TestResult(passed=False, why=f"{reason}: {done.output[-1500:]}")


# -- Without a fault -------------------------------------------------------------------------------


def prepared(tree: Path, folder: Path, faults: Sequence[Fault]) -> Scratch:
    """Make a copy of the tree and build it."""
    scratch = Scratch(tree, folder, python_of(tree), tree / NODE)
    scratch.check_imports()
    if any(scratch.is_compiled(fault.file) for fault in faults):
        scratch.build_engine(SECONDS)
    if any(needs_page(fault) for fault in faults):
        scratch.build_page(SECONDS)
    return scratch


def needs_page(fault: Fault) -> bool:
    """Return whether a browser must see the fault."""
    return fault.is_in_page and not all(test.startswith(VITEST) for test in fault.found_by)


def clean_run(scratch: Scratch, faults: Sequence[Fault], jobs: int) -> TestResult:
    """Run all tests of these faults once without a fault: browsers separately, as in `make
    test`."""
    tests = list(dict.fromkeys(test for fault in faults for test in fault.found_by))
    browser = [test for test in tests if test.startswith("tests/web")]
    others = [test for test in tests if test not in browser]
    for some in (others, browser):
        result = tried(scratch, some, CLEAN_SECONDS, "-n", str(jobs))
        if not result.passed:
            return result
    return TestResult(passed=True)


# -- With a fault ----------------------------------------------------------------------------------


def attempt(clean: Scratch, folder: Path, fault: Fault, wide: bool, seconds: float) -> FaultOutcome:
    """Plant one fault in its own copy and see which test finds it."""
    begun = time.monotonic()
    scratch = clean.copy(folder)
    try:
        result = searched(scratch, fault, wide, begun + seconds)
    except (BuildError, ValueError) as error:
        result = TestResult(passed=False, why=str(error))
    finally:
        scratch.remove()
    why = "its tests pass" if result.passed else result.why
    return FaultOutcome(fault.id, fault.area, result.first, why, round(time.monotonic() - begun, 1))


def searched(scratch: Scratch, fault: Fault, wide: bool, deadline: float) -> TestResult:
    """Plant a fault, build and run the tests."""
    fault.plant(scratch.folder)
    if scratch.is_compiled(fault.file):
        scratch.build_engine(deadline - time.monotonic())
    if needs_page(fault) or (wide and fault.is_in_page):
        scratch.build_page(deadline - time.monotonic())
    result = tried(scratch, fault.found_by, deadline - time.monotonic(), "-x")
    if result.first is None and wide:
        tests = [test for test in AREA_TESTS[fault.area] if exists(scratch.folder, test)]
        result = tried(scratch, tests, SECONDS, "-x")
    return result


def exists(tree: Path, test: str) -> bool:
    """Return whether the file of a test exists."""
    return (tree / test.removeprefix(VITEST).partition("::")[0]).exists()


# -- Reporting -------------------------------------------------------------------------------------


class Progress:
    """One line for each fault, as it ends."""

    def __init__(self, count: int) -> None:
        self.count = count
        self.done = 0
        self.lock = Lock()

    def tell(self, outcome: FaultOutcome) -> None:
        """Print the result of a fault."""
        with self.lock:
            self.done += 1
            word = "found" if outcome.found_by else "MISSED"
            line = f"[{self.done}/{self.count}] {outcome.id}: {word}, {outcome.seconds:.0f} s"
            print(line, flush=True)


def table(outcomes: Sequence[FaultOutcome]) -> str:
    """Return all faults with the test that found each."""
    rows = [("fault", "area", "s", "found by")]
    for one in outcomes:
        by = one.found_by or f"MISSED: {one.why.strip().splitlines()[0][:80]}"
        rows.append((one.id, one.area, f"{one.seconds:.0f}", by))
    widths = [max(len(row[at]) for row in rows) for at in range(3)]
    return "\n".join(
        f"{id:<{widths[0]}}  {area:<{widths[1]}}  {seconds:>{widths[2]}}  {by}"
        for id, area, seconds, by in rows
    )


# -- The command -----------------------------------------------------------------------------------


def arguments(words: Sequence[str] | None = None) -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(prog="python -m tools.faults", description=__doc__)
    parser.add_argument("fault", nargs="*", help="ids of faults; without any, all")
    parser.add_argument("--campaign", help="only faults of this campaign")
    parser.add_argument("--tree", type=Path, default=ROOT, help="another checkout to copy")
    parser.add_argument(
        "--catalogue", type=Path, default=CATALOGUE, help="another catalogue: older tests"
    )
    parser.add_argument("--json", type=Path, help="write the outcomes to this file")
    parser.add_argument(
        "--wide", action="store_true", help="run all tests of its area for a fault that is missed"
    )
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="faults at a time")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="for one fault at most")
    parser.add_argument(
        "--no-clean", action="store_true", help="do not run the tests without a fault first"
    )
    return parser.parse_args(words)


def chosen(ids: Sequence[str], catalogue: Path, campaign: str | None = None) -> list[Fault]:
    """Return the faults with these ids, all if there are none; of one campaign, if one is given."""
    faults = [fault for fault in read(catalogue) if campaign in (None, fault.campaign)]
    if not faults:
        sys.exit(f"no faults of this campaign: {campaign}")
    unknown = sorted(set(ids) - {fault.id for fault in faults})
    if unknown:
        sys.exit(f"no such fault: {', '.join(unknown)}")
    return [fault for fault in faults if not ids or fault.id in ids]


def main(words: Sequence[str] | None = None) -> int:
    """Plant all faults, report, and return how many were missed."""
    asked = arguments(words)
    faults, begun = chosen(asked.fault, asked.catalogue, asked.campaign), time.monotonic()
    progress = Progress(len(faults))
    with tempfile.TemporaryDirectory(prefix="stichwerk-faults-") as name:
        folder = Path(name).resolve()
        clean = prepared(asked.tree.resolve(), folder / "clean", faults)
        if not asked.no_clean:
            print(f"{len(faults)} faults; their tests without a fault first ...", flush=True)
            result = clean_run(clean, faults, asked.jobs)
            if not result.passed:
                print(f"A test fails without a fault: {result.first}\n{result.why}")
                return 2
            print(f"green, {time.monotonic() - begun:.0f} s", flush=True)

        def one(fault: Fault) -> FaultOutcome:
            outcome = attempt(clean, folder / fault.id, fault, asked.wide, asked.seconds)
            progress.tell(outcome)
            return outcome

        with ThreadPoolExecutor(asked.jobs) as pool:
            outcomes = list(pool.map(one, faults))
    print(table(outcomes))
    missed = [one.id for one in outcomes if one.found_by is None]
    took = time.monotonic() - begun
    print(f"{len(outcomes) - len(missed)} of {len(outcomes)} faults found, {took:.0f} s")
    if asked.json:
        report = {"seconds": round(took), "faults": [asdict(one) for one in outcomes]}
        asked.json.write_text(json.dumps(report, indent=1) + "\n", "utf-8")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
