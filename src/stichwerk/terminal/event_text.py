"""What happened, as lines of the terminal: which events are said, and which share a line."""

from collections.abc import Iterator, Sequence
from functools import partial

from stichwerk import narration, outlook
from stichwerk.errors import UnknownGameError
from stichwerk.narration import Reader
from stichwerk.server import wire
from stichwerk.terminal.day import marked
from stichwerk.terminal.looking_back import lacks_cards, looked_back
from stichwerk.view import View

OPENS_CHOICES = ("play", "revealed", "passed")
IN_SIGHT = ("hand", "choice", "ended")
"""What the table, the prompt or the ranking shows anyway."""


def event_lines(view: View, seen: int, lang: str, memory: wire.Memory = "open") -> Iterator[str]:
    """Yield what happened after the first `seen` events: a line per trick or other event, and of
    put-away tricks what may be looked at."""
    last, reason = last_settled(view, seen, lang)
    view = looked_back(view, memory) if memory != "open" else view
    if reason and not view.history[last].cards:
        reason = ""
    reader = reader_of(view, lang)
    line: list[str] = []
    taken = False
    for at, event in enumerate(view.history[seen:], seen):
        lays, ends = event.in_trick, event.after_trick
        if line and ((taken and lays) or not (lays or ends)):
            yield " ".join(line)
            line = []
        if lays or ends:
            line += [reason] if reason and at == last else sentences(view, at, reader)
            taken = ends
        else:
            yield from sentences(view, at, reader)
    if line:
        yield " ".join(line)


def last_settled(view: View, seen: int, lang: str) -> tuple[int, str]:
    """Return the last trick that was taken since, with who took it, why, and what it was worth;
    no words for one that stays, and where the rules cannot be asked."""
    ends = [at for at, event in enumerate(view.history) if at >= seen and event.settles]
    if not ends or view.history[ends[-1]].kind != "trick" or lacks_cards(view):
        return -1, ""
    try:
        last = outlook.standing(view, lang).last
    except UnknownGameError:
        return -1, ""
    return ends[-1], f"{last.text}." if last else ""


def reader_of(view: View, lang: str) -> Reader:
    """Return the seat at the terminal: cards with a symbol have a sign."""
    return narration.reader_of(view, lang, partial(marked, view))


def sentences(view: View, at: int, reader: Reader) -> Sequence[str]:
    """Return the sentences for one event; what the seat did or sees anyway needs none."""
    event = view.history[at]
    if event.kind in IN_SIGHT or (event.kind == "chosen" and not still_secret(view, at)):
        return ()
    lines = narration.sentences(event, reader)
    return ("", *lines) if event.kind == "round" else lines


def still_secret(view: View, at: int) -> bool:
    """Return whether someone else made this choice, and it is not shown yet."""
    own = view.history[at].seat in (None, view.seat)
    return not own and all(later.kind not in OPENS_CHOICES for later in view.history[at:])
