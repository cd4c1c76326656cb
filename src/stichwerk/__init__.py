"""Stichwerk: four modern trick-taking games in one engine.

>>> import stichwerk
>>> match = stichwerk.game("sticheln", seats=4).new(seed=7)
>>> match.waiting_for
(0, 1, 2, 3)
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from stichwerk.bots import Adviser, Bot
    from stichwerk.match import Setting

__version__ = "0.1.0"
__all__ = ["__version__", "adviser", "bot", "game"]


def game(name: str, seats: int = 4, *, rules: Any = None, **options: Any) -> "Setting":
    """Return a game with its seats and options fixed; a wrong option is refused.

    `rules`: the version of its rules, a number; by default the newest.
    """
    setting: Setting = _load("match").Setting(name, seats, options, rules)
    return setting


def bot(name: str, seed: int = 0) -> "Bot":
    """Return a bot by its name: view in, move out."""
    made: Bot = _load("bots").build(name, seed)
    return made


def adviser(name: str, seed: int = 0) -> "Adviser":
    """Return a bot by its name that can also say why (`advise`): all of ours can."""
    made: Adviser = _load("bots").adviser(name, seed)
    return made


def _load(module: str) -> Any:
    """Load a module when it is first used, so that importing stichwerk stays quick."""
    return import_module(f"stichwerk.{module}")
