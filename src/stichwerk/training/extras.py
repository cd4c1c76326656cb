"""NumPy, which training needs and nothing else at run time: a missing one is said in one line."""

from collections.abc import Iterator
from contextlib import contextmanager

from stichwerk.errors import StichwerkError


class MissingNumpyError(StichwerkError, ImportError):
    """NumPy is not installed; the text says how to install it."""


@contextmanager
def needs_numpy() -> Iterator[None]:
    """Guard imports that need NumPy."""
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "numpy":
            raise
        raise MissingNumpyError("needs-extra", package="NumPy", extra="train") from None
