"""The conformance suite: what every game must hold, ours and yours.

`check_game(stichwerk.game("mine", seats=4))` plays random matches and looks at each position from
all sides: are cards lost, does a refused move leave a trace, does a view tell what is hidden? It
raises a `ConformanceError` that names the game, the seed and the place; it needs no test framework.

A match is never looked into. Beside it runs a state of our own, dealt and moved through the rules'
integer interface: the two must agree, and ours may be looked at, copied and tried out.
"""

from stichwerk.testing.suite import check_game
from stichwerk.testing.trial import ConformanceError

__all__ = ["ConformanceError", "check_game"]
