"""Settings that all adapters know, and what may be chosen."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TypeVar

from stichwerk.envs.batch import Episode
from stichwerk.envs.spec import EnvsError
from stichwerk.errors import BadOptionError, shown

Item = TypeVar("Item")

EPISODES: tuple[Episode, ...] = ("round", "match")
USUAL_EPISODE: Episode = "round"
"""The same in a batch and in every adapter."""
ILLEGAL = ("raise", "random")
RENDER_MODES = ("ansi", "human", "rgb_array")


class BadSettingError(EnvsError):
    """A setting of an environment with a value it does not know."""


class UnknownSettingError(EnvsError, BadOptionError, TypeError):
    """A keyword that is neither a setting of an environment nor an option of its game.

    Also a TypeError, as of any function: some learners try keywords, and do without them then.
    """


@contextmanager
def keywords() -> Iterator[None]:
    """All keywords that an environment does not know are options of its game."""
    try:
        yield
    except BadOptionError as error:
        if error.id != "unknown-option":
            raise
        raise UnknownSettingError("unknown-keyword", **error.data) from None


def one_of(setting: str, value: object, allowed: Sequence[Item]) -> Item:
    """The value, if it is one of those allowed."""
    for one in allowed:
        if one == value:
            return one
    known = ", ".join("none" if one is None else str(one) for one in allowed)
    raise BadSettingError("bad-env-setting", setting=setting, value=shown(value), allowed=known)


def no_options(options: object) -> None:
    """Options of `reset`: there are none, and what would be ignored is refused."""
    if options is None or options == {}:
        return
    given = ", ".join(map(shown, options)) if isinstance(options, Mapping) else shown(options)
    raise BadSettingError("no-reset-options", given=given)
