"""Events as sentences, told to one seat."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from stichwerk.engine.events import CardPlayed, Event, GameEvent, RoundStarted
from stichwerk.games import registry
from stichwerk.games.stichtag.events import (
    DirectionTurned,
    GiftGiven,
    SwitchFlipped,
    VetoAnswered,
)
from stichwerk.locale import text
from stichwerk.terminal.day import card_list, marked
from stichwerk.terminal.table import round_name, signed
from stichwerk.view import View

PART_OF_A_TRICK = ("play", "veto")
END_OF_A_TRICK = ("trick", "stays", "turned", "egg", "sunstroke", "switch", "direction")
OPENS_CHOICES = ("play", "revealed", "passed")


def event_lines(view: View, seen: int, lang: str) -> Iterator[str]:
    """What happened after the first `seen` events: a line for each trick or other occasion."""
    line: list[str] = []
    taken = False
    for at, event in enumerate(view.history[seen:], seen):
        lays = event.kind in PART_OF_A_TRICK
        ends = event.kind in END_OF_A_TRICK
        if line and ((taken and lays) or not (lays or ends)):
            yield " ".join(line)
            line = []
        if lays or ends:
            line += sentences(view, at, lang)
            taken = ends
        else:
            yield from sentences(view, at, lang)
    if line:
        yield " ".join(line)


def sentences(view: View, at: int, lang: str) -> Sequence[str]:
    """The sentences for one event; what the seat did or sees anyway needs none."""
    event = view.history[at]
    word = event.name if isinstance(event, GameEvent) else event.kind
    own = registry.info_of(view.game).events.get(word)
    if own is not None:
        return [own_words(view, event, own, lang)]
    if isinstance(event, RoundStarted):
        return ["", started(view, event, lang)]
    if event.kind == "eggs":
        return [eggs(view, at, lang)]
    if event.kind == "chosen":
        return chosen(view, at, lang)
    teller = EVENT_TEXTS.get(event.kind)
    return [line for line in teller(view, event, lang) if line] if teller else []


def own_words(view: View, event: Event, id: str, lang: str) -> str:
    """What a game itself says of an event."""
    name = "" if event.seat is None else view.names[event.seat]
    cards = card_list(view, event.cards)
    return text(id, lang, name=name, cards=cards, count=len(event.cards))


def by(view: View, seat: int | None, other: str, own: str, lang: str, **data: object) -> str:
    """A sentence about someone, in the second person about the seat that is told."""
    if seat is not None and seat == view.seat:
        return text(own, lang, **data)
    return text(other, lang, name="?" if seat is None else view.names[seat], **data)


def listed(view: View, facts: Iterable[object]) -> str:
    """Something about every seat: `You 3 · Ben 4`."""
    return " · ".join(f"{name} {fact}" for name, fact in zip(view.names, facts, strict=True))


# -- Rounds ----------------------------------------------------------------------------------------


def started(view: View, event: RoundStarted, lang: str) -> str:
    """A new round, and who starts it."""
    name = round_name(view, event.round, lang)
    return by(view, event.starter, "starts", "you-start", lang, round=name)


def played(view: View, event: CardPlayed, lang: str) -> str:
    """A card or a pair, and the place it goes to where several tricks are open."""
    card = marked(view, "+".join(event.cards) or event.move)
    if event.opens:
        return by(view, event.seat, "opens", "you-open", lang, card=card)
    if event.place is not None:
        place = event.place + 1
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
    if "take" in event.choices or "leave" in event.choices:
        yield from points_taken(view, event, lang)
        return
    start = f"{round_name(view, event.round, lang)}, " if event.round else ""
    facts = listed(view, [choice.replace(",", " ") for choice in event.choices])
    yield start + text(registry.info_of(view.game).revealed, lang, facts=facts)


def points_taken(view: View, event: Event, lang: str) -> Iterator[str]:
    """Who hit his announcement, and whether he takes the points of the round."""
    for seat, choice in enumerate(event.choices):
        if choice == "take":
            yield by(view, seat, "takes-points", "you-take-points", lang)
        elif choice == "leave":
            yield by(view, seat, "leaves-points", "you-leave-points", lang)


def scored(view: View, event: Event, lang: str) -> str:
    """What the round brought each seat."""
    return text("scored", lang, results=listed(view, map(signed, event.scores)))


# -- A day of the calendar -------------------------------------------------------------------------


def chosen(view: View, at: int, lang: str) -> list[str]:
    """Someone else has made a secret choice, and it still is secret."""
    event = view.history[at]
    known = any(later.kind in OPENS_CHOICES for later in view.history[at:])
    if known or event.seat == view.seat or event.seat is None:
        return []
    return [text("has-chosen", lang, name=view.names[event.seat])]


def trump(view: View, event: Event, lang: str) -> str:
    """The trump colour of the round."""
    return text("trump-drawn", lang, trump=event.move)


def partner(view: View, event: Event, lang: str) -> str:
    """The own partner."""
    return text("your-partner", lang, name=view.names[event.value or 0])


def partners(view: View, event: Event, lang: str) -> str:
    """Everyone's partner."""
    facts = listed(view, [f"→ {view.names[other]}" for other in event.counts])
    return text("partners-shown", lang, facts=facts)


def aside(view: View, event: Event, lang: str) -> str:
    """How many odd cards lie before whom."""
    return text("aside-now", lang, facts=listed(view, event.counts))


def named(view: View, event: Event, lang: str) -> str:
    """The leader's card lies face down, its colour is known."""
    return by(view, event.seat, "lays-face-down", "you-lay-face-down", lang, colour=event.move)


def veto(view: View, event: VetoAnswered, lang: str) -> str:
    """Someone's card is struck, or none."""
    if event.struck is None:
        return by(view, event.seat, "no-veto", "you-no-veto", lang)
    strikes = "strikes-yours" if event.struck == view.seat else "strikes"
    return by(view, event.seat, strikes, "you-strike", lang, target=view.names[event.struck])


def stays(view: View, event: Event, lang: str) -> str:
    """A trick that nobody takes yet."""
    return by(view, event.seat, "trick-stays", "your-trick-stays", lang)


def sunstroke(view: View, event: Event, lang: str) -> str:
    """The Sonnenstich card goes to someone."""
    return by(view, event.seat, "gets-sunstroke", "you-get-sunstroke", lang)


def switched(view: View, event: SwitchFlipped, lang: str) -> str:
    """Trump is switched on or off."""
    return text("switch-on" if event.on else "switch-off", lang)


def direction(view: View, event: DirectionTurned, lang: str) -> str:
    """Play goes the other way round."""
    return text("turns-clockwise" if event.direction > 0 else "turns-counterclockwise", lang)


def egg(view: View, event: Event, lang: str) -> str:
    """Someone takes an egg card."""
    return by(view, event.seat, "takes-egg", "you-take-egg", lang)


def eggs(view: View, at: int, lang: str) -> str:
    """All eggs are turned up: they were taken one after the other, by those who won them."""
    begin = max(mark for mark in range(at) if view.history[mark].kind == "round")
    owners = [event.seat for event in view.history[begin:at] if event.kind == "egg"]
    values = dict.fromkeys(range(view.seats), "–")
    for seat, value in zip(owners, view.history[at].counts, strict=False):
        if seat is not None:
            values[seat] = str(value) if values[seat] == "–" else f"{values[seat]}+{value}"
    return text("eggs-shown", lang, facts=listed(view, values.values()))


def passed(view: View, event: Event, lang: str) -> str:
    """Cards went to the left."""
    if all(event.counts):
        return text("all-pass", lang)
    names = [name for name, count in zip(view.names, event.counts, strict=True) if count]
    return text("some-pass", lang, names=", ".join(names))


def received(view: View, event: Event, lang: str) -> str:
    """The card from the right."""
    giver = view.names[((event.seat or 0) - 1) % view.seats]
    return text("you-get", lang, name=giver, cards=card_list(view, event.cards))


def discarded(view: View, event: Event, lang: str) -> str:
    """Cards that are put away openly."""
    cards = card_list(view, event.cards)
    return by(view, event.seat, "discards", "you-discard", lang, cards=cards)


def drew(view: View, event: Event, lang: str) -> str:
    """Own cards from the stock."""
    return text("you-draw", lang, cards=card_list(view, event.cards)) if event.cards else ""


def gift(view: View, event: GiftGiven, lang: str) -> str:
    """A gift card goes to someone."""
    target = event.target or 0
    gives = "gives-you" if target == view.seat else "gives"
    facts = {"card": card_list(view, event.cards), "target": view.names[target]}
    return by(view, event.seat, gives, "you-give", lang, **facts)


EventText = Callable[[View, Any, str], Iterable[str]]


def one(teller: Callable[[View, Any, str], str]) -> EventText:
    """A teller of one sentence."""
    return lambda view, event, lang: [teller(view, event, lang)]


def turned(view: View, event: Event, lang: str) -> str:
    """A scoring card of Stichling."""
    return by(view, event.seat, "turns-up", "you-turn-up", lang, value=event.value)


EVENT_TEXTS: dict[str, EventText] = {
    "play": one(played),
    "trick": one(taken),
    "turned": one(turned),
    "revealed": revealed,
    "scored": one(scored),
    "trump": one(trump),
    "partner": one(partner),
    "partners": one(partners),
    "aside": one(aside),
    "named": one(named),
    "veto": one(veto),
    "stays": one(stays),
    "egg": one(egg),
    "sunstroke": one(sunstroke),
    "switch": one(switched),
    "direction": one(direction),
    "passed": one(passed),
    "received": one(received),
    "discard": one(discarded),
    "drew": one(drew),
    "gift": one(gift),
}
