"""The tour in the README is short, and runs as it is printed."""

import doctest
import re
from pathlib import Path

README = Path(__file__).parents[1] / "README.md"
LONGEST_TOUR = 60  # lines


def test_readme_tour() -> None:
    failed, tried = doctest.testfile(str(README), module_relative=False, encoding="utf-8")
    assert tried > 10
    assert failed == 0


def test_the_tour_is_short_and_has_no_figures() -> None:
    text = README.read_text("utf-8")
    (tour,) = re.findall(r"^## A tour\n(.*?)(?=^## )", text, re.MULTILINE | re.DOTALL)
    assert 20 < tour.count("\n") <= LONGEST_TOUR
    assert not re.search(r"moves/s|\d M\b", text), "they belong in docs/speed.md"
