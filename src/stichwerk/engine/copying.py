"""Pickles of compiled classes and of their plain twins: the class by its name, and its numbers.

Pickle finds a class as an attribute of its module. A plain twin (see `plain`) is not there under
its own name, and what Cython pickles by itself loses numbers: it reads bytes as a C string. So the
classes with numbers say themselves what they hold, and are made anew from that in either engine.
"""

import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any


def reduced(thing: Any, *arguments: Any) -> tuple[Any, ...]:
    """The answer of `__reduce__`: made with these arguments, then given its numbers."""
    kind = type(thing)
    home = sys.modules[kind.__module__]
    is_twin = getattr(home, kind.__name__) is not kind
    return made, (kind.__module__, kind.__name__, is_twin, *arguments), thing.__getstate__()


def made(module: str, name: str, is_twin: bool, *arguments: Any) -> Any:
    """A new object of this class, compiled or plain as the pickled one was."""
    if is_twin:
        from stichwerk.engine.plain import twin  # takes its time, and is rarely needed

        home = twin(module)
    else:
        home = import_module(module)
    kind: Callable[..., Any] = getattr(home, name)
    return kind(*arguments)


def fitted(state: Any, rules: Any) -> Any:
    """The state as these rules take it: where it was pickled, another engine may have played."""
    wanted = rules.new_state()
    if type(wanted) is type(state):
        return state
    wanted.__setstate__(state.__getstate__())
    return wanted
