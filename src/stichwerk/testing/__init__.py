"""The conformance suite: what every game must satisfy, ours and yours.

`check_game(stichwerk.game("mine", seats=4))` plays random matches and checks each position: are
cards lost, does a refused move leave a trace, does a view reveal what is hidden? It raises a
`ConformanceError` that names the game, the seed and the place; it needs no test framework.

A match is never inspected directly. A separate state runs beside it, dealt and moved through the
rules' integer interface: the two must agree, and ours may be inspected, copied and tried out.
"""

from stichwerk.testing.suite import check_game
from stichwerk.testing.trial import ConformanceError

__all__ = ["ConformanceError", "check_game"]
