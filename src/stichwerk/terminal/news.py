"""Events as sentences, told to one seat."""

from collections.abc import Iterator, Sequence

from stichwerk.engine.events import Event
from stichwerk.locale import text
from stichwerk.terminal.table import round_name, signed
from stichwerk.view import View

REVEALED = {"null-nichtig": "laid-out", "sticheln": "pain-shown", "stichling": "order-shown"}
ON_ONE_LINE = ("play", "trick", "turned")


def news_lines(view: View, seen: int, lang: str) -> Iterator[str]:
    """What happened after the first `seen` events: a line for each trick or other occasion."""
    line: list[str] = []
    taken = False
    for event in view.history[seen:]:
        if line and (event.kind not in ON_ONE_LINE or (taken and event.kind == "play")):
            yield " ".join(line)
            line = []
        if event.kind in ON_ONE_LINE:
            line += sentences(view, event, lang)
            taken = event.kind != "play"
        else:
            yield from sentences(view, event, lang)
    if line:
        yield " ".join(line)


def sentences(view: View, event: Event, lang: str) -> Sequence[str]:
    """The sentences for one event; what the seat did or sees anyway needs none."""
    if event.kind == "round":
        return ["", started(view, event, lang)]
    if event.kind == "play":
        return [played(view, event, lang)]
    if event.kind == "trick":
        return [taken(view, event, lang)]
    if event.kind == "turned":
        return [by(view, event.seat, "turns-up", "you-turn-up", lang, value=event.value)]
    if event.kind == "revealed":
        return list(revealed(view, event, lang))
    if event.kind == "scored":
        return [scored(view, event, lang)]
    return []


def by(view: View, seat: int | None, other: str, own: str, lang: str, **data: object) -> str:
    """A sentence about someone, in the second person about the seat that is told."""
    if seat is not None and seat == view.seat:
        return text(own, lang, **data)
    return text(other, lang, name="?" if seat is None else view.names[seat], **data)


def started(view: View, event: Event, lang: str) -> str:
    """A new round, and who starts it."""
    name = round_name(view, event.round or 0, lang)
    return by(view, event.starter, "starts", "you-start", lang, round=name)


def played(view: View, event: Event, lang: str) -> str:
    """A card, and in Stichling the place it goes to."""
    card, _, place = event.move.partition(">")
    if place == "new":
        return by(view, event.seat, "opens", "you-open", lang, card=card)
    if place:
        return by(view, event.seat, "plays-to", "you-play-to", lang, card=card, place=place)
    return by(view, event.seat, "plays", "you-play", lang, card=card)


def taken(view: View, event: Event, lang: str) -> str:
    """Who takes a trick."""
    if event.seat is None:
        return text("nobody-takes", lang)
    if event.place is None:
        return by(view, event.seat, "takes", "you-take", lang)
    return by(view, event.seat, "takes-place", "you-take-place", lang, place=event.place + 1)


def revealed(view: View, event: Event, lang: str) -> Iterator[str]:
    """What everyone chose; after a match the rounds are named as well."""
    start = f"{round_name(view, event.round, lang)}, " if event.round else ""
    pairs = zip(view.names, event.choices, strict=True)
    facts = " · ".join(f"{name} {choice.replace(',', ' ')}" for name, choice in pairs)
    yield start + text(REVEALED.get(view.game, "chosen"), lang, facts=facts)


def scored(view: View, event: Event, lang: str) -> str:
    """What the round brought each seat."""
    results = [
        f"{name} {signed(points)}" for name, points in zip(view.names, event.scores, strict=True)
    ]
    return text("scored", lang, results=" · ".join(results))
