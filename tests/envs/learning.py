"""The learner of the documentation, in miniature, in a process of its own: what came of it as JSON.

A process of its own, since the example sets the number of threads before NumPy is there.
"""

import json
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

EXAMPLE = Path(__file__).parents[2] / "docs/examples/train_batch.py"


def learner() -> Any:
    """Return the example as a module."""
    place = spec_from_file_location("train_batch", EXAMPLE)
    assert place is not None
    assert place.loader is not None
    module = module_from_spec(place)
    place.loader.exec_module(module)
    return module


def main(rewards: str) -> None:
    """Run a short training by true rewards, or by noise."""
    example = learner()
    import numpy as np

    from stichwerk.envs import Spec

    spec, lead = Spec("sticheln", 4), example.lead
    untaught = example.measure(spec, None, 1000, 5)
    if rewards == "noise":
        rng = np.random.default_rng(1)
        example.lead = lambda points: rng.normal(size=len(points))
    policy = example.train(spec, updates=12, tables=128, seed=1)
    example.lead = lead
    taught = example.measure(spec, policy, 1000, 5)
    print(json.dumps({"untaught": untaught, "taught": taught}))


if __name__ == "__main__":
    main(sys.argv[1])
