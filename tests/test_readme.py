"""The tour in the README runs as it is printed."""

import doctest
from pathlib import Path


def test_readme_tour() -> None:
    readme = Path(__file__).parents[1] / "README.md"
    failed, tried = doctest.testfile(str(readme), module_relative=False, encoding="utf-8")
    assert tried > 0
    assert failed == 0
