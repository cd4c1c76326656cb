"""Pickling of compiled classes and of their plain twins: the class by its name, and its numbers.

Pickle finds a class as an attribute of its module. A plain twin (see `plain`) is not there under
its own name, and Cython's own pickling loses numbers: it reads bytes as a C string. So the classes
define their state themselves, and are rebuilt from it in either engine.
"""

import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any


def reduced(thing: Any, *arguments: Any) -> tuple[Any, ...]:
    """Return the result of `__reduce__`: a constructor call, then the numbers."""
    kind = type(thing)
    home = sys.modules[kind.__module__]
    is_twin = getattr(home, kind.__name__) is not kind
    return made, (kind.__module__, kind.__name__, is_twin, *arguments), thing.__getstate__()


def made(module: str, name: str, is_twin: bool, *arguments: Any) -> Any:
    """Create an object of this class, compiled or plain as the pickled one was."""
    if is_twin:
        from stichwerk.engine.plain import twin  # slow, and rarely needed

        home = twin(module)
    else:
        home = import_module(module)
    kind: Callable[..., Any] = getattr(home, name)
    return kind(*arguments)


def fitted(state: Any, rules: Any) -> Any:
    """Return the state in the form these rules need: another engine may have pickled it."""
    wanted = rules.new_state()
    if type(wanted) is type(state):
        return state
    wanted.__setstate__(state.__getstate__())
    return wanted
