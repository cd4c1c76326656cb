"""Settings that all adapters know, and what may be chosen."""

from collections.abc import Sequence
from typing import TypeVar

from stichwerk.envs.batch import Episode
from stichwerk.envs.spec import EnvsError
from stichwerk.errors import shown

Item = TypeVar("Item")

EPISODES: tuple[Episode, ...] = ("round", "match")
ILLEGAL = ("raise", "random")
RENDER_MODES = ("ansi", "human")


class BadSetting(EnvsError):  # noqa: N818  (as in errors.py)
    """A setting of an environment with a value it does not know."""


def one_of(setting: str, value: object, allowed: Sequence[Item]) -> Item:
    """The value, if it is one of those allowed."""
    for one in allowed:
        if one == value:
            return one
    known = ", ".join("none" if one is None else str(one) for one in allowed)
    raise BadSetting("bad-env-setting", setting=setting, value=shown(value), allowed=known)
