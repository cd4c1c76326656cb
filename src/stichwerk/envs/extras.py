"""Libraries that only an extra brings: what is missing is said in one line."""

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
    """A library that is not installed; its text is the line that helps."""


@contextmanager
def needs(*modules: str) -> Iterator[None]:
    """Imports of these modules; where one is missing, the extra that brings it is named."""
    try:
        yield
    except ModuleNotFoundError as error:
        module = (error.name or "").partition(".")[0]
        if module not in modules:
            raise
        package, extra = EXTRAS[module]
        raise MissingLibraryError("needs-extra", package=package, extra=extra) from None
