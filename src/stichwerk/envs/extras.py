"""Libraries that only an extra brings: missing ones are reported in one line."""

from collections.abc import Iterator
from contextlib import contextmanager

from stichwerk.envs.batch import MissingExtraError

EXTRAS = {
    "numpy": ("NumPy", "envs"),
    "gymnasium": ("Gymnasium", "envs"),
    "pettingzoo": ("PettingZoo", "envs"),
    "pyspiel": ("OpenSpiel", "spiel"),
}
"""For each module its name for people, and which extra of ours brings it."""


class MissingLibraryError(MissingExtraError, ImportError):
    """A library that is not installed; its text says how to install it."""


@contextmanager
def needs(*modules: str) -> Iterator[None]:
    """Guard imports of these modules; if one is missing, name the extra that brings it."""
    try:
        yield
    except ModuleNotFoundError as error:
        module = (error.name or "").partition(".")[0]
        if module not in modules:
            raise
        package, extra = EXTRAS[module]
        raise MissingLibraryError("needs-extra", package=package, extra=extra) from None
