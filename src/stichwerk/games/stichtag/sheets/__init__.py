"""The sheets of the calendar, one module each; their texts are in `texts/`.

Compiled, all sheets share one extension, `compiled`, which the build assembles from these modules:
an extension for each would make the build slow. Importing a sheet's module then gives that
extension, and the single file where nothing is compiled.
"""

import sys
from importlib import import_module
from importlib.util import find_spec
from typing import Any

NEWEST = 2  # version of the rules
GREEN_NAMES = tuple([f"green_{digit}" for digit in range(4)])
RED_NAMES = tuple([f"red_{digit}" for digit in range(10)])
MONTH_NAMES = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)
COMPILED = f"{__name__}.compiled"


def file_of(sheet: str) -> str:
    """Return the name of a sheet as its files have it: `red_1` for `red 1`."""
    return sheet.lower().replace(" ", "_")


def module_of(sheet: str) -> str:
    """Return the module of the sheet with this name: `red 1`, `January`."""
    return f"{__name__}.{file_of(sheet)}"


def load(name: str, version: int) -> Any:
    """Return the class of the sheet in the module with this name (`red_1`, `january`) in a version
    of the rules.

    A sheet that has changed since version 1 has a second class in its module, such as `Red1V1`.
    """
    module = import_module(f"{__name__}.{name}")
    newest = name.title().replace("_", "")
    return getattr(module, f"{newest}V{version}", None) or getattr(module, newest)


if find_spec(COMPILED):
    for _name in (*GREEN_NAMES, *RED_NAMES, *MONTH_NAMES):
        sys.modules[f"{__name__}.{_name}"] = import_module(COMPILED)
        for _kind in {
            _kind for _version in range(1, NEWEST + 1) for _kind in load(_name, _version).emits
        }:
            if _kind.__module__ == COMPILED:  # pickles find it without a compiler, too
                _kind.__module__ = f"{__name__}.{_name}"
