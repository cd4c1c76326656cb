"""Games as a designer writes them, right and wrong, as source texts."""

import re
from pathlib import Path

HERE = Path(__file__).parent


def without(source: str, method: str) -> str:
    """Return a source without one of its methods."""
    left = re.sub(rf"    def {method}\(.*?\n\n(?=    \S)", "", source, flags=re.DOTALL)
    assert left != source
    return left


ODD_EVEN = (HERE.parents[1] / "docs/examples/own_game.py").read_text("utf-8")
HEARTS_FILE = HERE.parents[1] / "examples/hearts/hearts.py"
HEARTS = HEARTS_FILE.read_text("utf-8")

NO_DUTY = without(ODD_EVEN, "may_play")
"""Marks voids, but nobody has to follow."""

NOT_LEARNT = without(HEARTS, "learn")
"""Passes cards, of which views learn nothing."""
