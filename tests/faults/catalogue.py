"""The faults of `catalogue.toml`, and what must hold for each of them."""

import tomllib
from dataclasses import dataclass
from pathlib import Path

CATALOGUE = Path(__file__).with_name("catalogue.toml")
VITEST = "vitest: "

LEAST = {
    "rules": 12,
    "engine": 4,
    "bots": 2,
    "records": 3,
    "server": 8,
    "page": 8,
    "terminal": 4,
    "environments": 4,
}
"""How many faults each area has at least."""

LEAST_LONG = 15
"""How many faults need a long walk, a whole match or a browser to be found."""

AREA_TESTS = {
    "rules": (
        "tests/rulebook",
        "tests/sheets",
        "tests/test_golden.py",
        "tests/test_perft.py",
        "tests/test_objections.py",
        "tests/test_properties.py",
        "tests/test_conformance.py",
        "tests/test_game_faults.py",
        "tests/test_game_play_faults.py",
    ),
    "engine": (
        "tests/test_conformance.py",
        "tests/test_game_faults.py",
        "tests/test_game_play_faults.py",
        "tests/test_properties.py",
        "tests/test_belief.py",
        "tests/test_copying.py",
        "tests/test_plain_compiled.py",
        "tests/test_endgames.py",
        "tests/server/test_leaks.py",
    ),
    "bots": (
        "tests/test_advice.py",
        "tests/test_advice_bots.py",
        "tests/test_bots.py",
        "tests/test_endgames.py",
        "tests/test_honest_bots.py",
        "tests/test_positions.py",
        "tests/test_python_bots.py",
        "tests/test_python_bot_runs.py",
        "tests/test_search.py",
    ),
    "records": (
        "tests/test_record.py",
        "tests/test_bad_records.py",
        "tests/test_verify.py",
        "tests/test_verify_days.py",
        "tests/test_verify_proofs.py",
        "tests/test_verify_files.py",
        "tests/test_fairness.py",
        "tests/test_golden.py",
        "tests/test_saving.py",
    ),
    "server": ("tests/server",),
    "page": (f"{VITEST}frontend/src", "tests/test_web_texts.py", "tests/web"),
    "terminal": (
        "tests/terminal",
        "tests/test_terminal.py",
        "tests/test_saving.py",
        "tests/sheets/test_terminal_days.py",
        "tests/server/test_terminal_table.py",
        "tests/server/test_terminal_table_errors.py",
    ),
    "environments": ("tests/envs",),
}
"""All tests of an area, the quick ones first."""


@dataclass(frozen=True)
class Fault:
    """A text of one file and what replaces it.

    `found_by` names tests of which at least one must fail: ids of pytest, or `vitest: ` and a
    file. `long`: only a long walk, a whole match or a browser finds it. `campaign`: faults that
    were chosen together, and can be planted together.
    """

    id: str
    area: str
    what: str
    file: str
    text: str
    planted: str
    found_by: tuple[str, ...]
    long: bool = False
    campaign: str = ""

    @property
    def is_in_page(self) -> bool:
        """Whether the page must be built again to show it."""
        return self.file.startswith("frontend/")

    def plant(self, tree: Path) -> None:
        """Put the fault into a copy of the tree."""
        path = tree / self.file
        path.write_text(self.planted_in(path.read_text("utf-8")), "utf-8")

    def planted_in(self, source: str) -> str:
        """Return the source with the fault in it; its text must occur exactly once."""
        count = source.count(self.text)
        if count != 1:
            raise ValueError(f"{self.id}: its text is {count} times in {self.file}, not once")
        return source.replace(self.text, self.planted)


def read(file: Path = CATALOGUE) -> list[Fault]:
    """Return all faults of a catalogue, in its order."""
    result = tomllib.loads(file.read_text("utf-8"))
    return [Fault(**{**fault, "found_by": tuple(fault["found_by"])}) for fault in result["fault"]]
