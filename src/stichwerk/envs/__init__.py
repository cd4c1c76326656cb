"""Environments for research: fixed spaces, thousands of matches at once, and adapters.

`Spec` names the spaces of a game, `Batch` plays many matches of it on NumPy arrays. They come with
the extra: pip install 'stichwerk[envs]'.
"""

from stichwerk.envs.batch import BadBatch, Batch, NeedsExtra, observation
from stichwerk.envs.spec import BadAction, Spec

__all__ = ["BadAction", "BadBatch", "Batch", "NeedsExtra", "Spec", "observation"]
