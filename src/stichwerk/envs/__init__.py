"""Environments for research: fixed spaces, thousands of matches at once, and adapters.

`Spec` names the spaces of a game, `Batch` plays many matches of it on NumPy arrays. They come with
the extra: pip install 'stichwerk[envs]'.
"""

from typing import TYPE_CHECKING

from stichwerk.envs.batch import BadBatchError, Batch, MissingExtraError, observation
from stichwerk.envs.spec import BadActionError, Spec
from stichwerk.errors import renamed

__all__ = ["BadActionError", "BadBatchError", "Batch", "MissingExtraError", "Spec", "observation"]


if not TYPE_CHECKING:  # names of earlier versions
    __getattr__ = renamed(
        __name__,
        {
            "BadAction": "BadActionError",
            "BadBatch": "BadBatchError",
            "NeedsExtra": "MissingExtraError",
        },
    )
