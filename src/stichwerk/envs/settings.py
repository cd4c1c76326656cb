"""Settings that all adapters have, and their allowed values."""

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
    """A setting of an environment with an unknown value."""


class UnknownSettingError(EnvsError, BadOptionError, TypeError):
    """A keyword that is neither a setting of an environment nor an option of its game.

    Also a TypeError, as for any function: some learners try keywords, and then do without them.
    """


@contextmanager
def keywords() -> Iterator[None]:
    """Treat all keywords that an environment does not know as options of its game."""
    try:
        yield
    except BadOptionError as error:
        if error.id != "unknown-option":
            raise
        raise UnknownSettingError("unknown-keyword", **error.data) from None


def one_of(setting: str, value: object, allowed: Sequence[Item]) -> Item:
    """Return the value if it is one of those allowed; refuse it otherwise."""
    for one in allowed:
        if one == value:
            return one
    known = ", ".join("none" if one is None else str(one) for one in allowed)
    raise BadSettingError("bad-env-setting", setting=setting, value=shown(value), allowed=known)


def no_options(options: object) -> None:
    """Refuse options of `reset`: there are none, and they would be ignored."""
    if options is None or options == {}:
        return
    given = ", ".join(map(shown, options)) if isinstance(options, Mapping) else shown(options)
    raise BadSettingError("no-reset-options", given=given)
