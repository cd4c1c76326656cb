"""Put-away tricks at a web table: what its `memory` lets a person look at again.

A seat that has been there all the time knows every card for its own arithmetic, as people do; what
the log and the last trick show follows the table's setting, by the server's own rule.
"""

from stichwerk.engine.events import RoundScored, RoundStarted
from stichwerk.locale import text
from stichwerk.server import wire
from stichwerk.server.clients.dealt_cards import is_put_away
from stichwerk.server.tables.audience import LogStep
from stichwerk.server.tables.trick_memory import TrickMemory
from stichwerk.view import View


def looked_back(view: View, memory: wire.Memory) -> View:
    """Return a view with the tricks that may be looked at."""
    tricks = TrickMemory()
    tricks.follow(LogStep(seq=1, events=view.history))
    return tricks.view(view, memory)


def why_closed(view: View, memory: wire.Memory, lang: str) -> str:
    """Return why tricks of this round cannot be looked at; empty if all can."""
    shown = looked_back(view, memory).history
    if not any(event.settles and not event.cards for event in shown):
        return ""
    return text("put-away-none" if memory == "none" else "put-away-older", lang)


def hides_last_trick(view: View, memory: wire.Memory) -> bool:
    """Return whether a trick of this round was taken and none may be looked at."""
    settled = False
    for event in view.history:
        if isinstance(event, RoundStarted | RoundScored):
            settled = False
        settled = settled or event.settles
    return memory == "none" and settled


def lacks_cards(view: View) -> bool:
    """Return whether we came in the middle of a round: the cards of earlier tricks are unknown, so
    the rules cannot be asked what a move would do."""
    return any(map(is_put_away, view.history))
