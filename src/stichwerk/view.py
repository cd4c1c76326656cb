"""What one seat, or a spectator, may know: the only way out of the true state.

A view is assembled from public facts and the seat's own, never by removing parts of the true state.
The way back is `sample`: a state that this seat cannot distinguish from the real one.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from stichwerk.cards import COLOURS, card_code, card_text
from stichwerk.engine.codes import colour_of, has, trick_slot
from stichwerk.engine.constants import NONE, PLACES, SEATS
from stichwerk.engine.events import Event, HandDealt, MoveParts, RoundStarted
from stichwerk.engine.frame import Game
from stichwerk.engine.generator import Generator
from stichwerk.engine.state import State
from stichwerk.games import registry
from stichwerk.games.events import AnyEvent
from stichwerk.games.options import Value


class Trick(msgspec.Struct, frozen=True):
    """A trick on the table: its place, led colour, plays in order, and who would take it now.
    `cards`: those of each play."""

    place: int
    led: str
    plays: tuple[tuple[int, str], ...]
    winning: int | None
    cards: tuple[tuple[str, ...], ...] = ()


class View(msgspec.Struct, frozen=True, kw_only=True):
    """A match as one seat sees it (`seat` None: a spectator), with everything it has seen so
    far. `move_parts`: what each of the `moves` names, in their order."""

    game: str
    rules: int
    seats: int
    options: dict[str, Value]
    names: tuple[str, ...]
    seat: int | None
    round: int
    rounds: int
    starter: int
    phase: str
    waiting_for: tuple[int, ...]
    hand: tuple[str, ...]
    hand_sizes: tuple[int, ...]
    stock: int
    tricks: tuple[Trick, ...]
    taken: tuple[int, ...]
    table: dict[str, object]
    mine: dict[str, object]
    moves: tuple[str, ...]
    scores: tuple[tuple[int, ...], ...]
    totals: tuple[int, ...]
    ranking: tuple[tuple[int, ...], ...] | None
    history: tuple[AnyEvent, ...]
    move_parts: tuple[MoveParts, ...] = ()


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """What is public about the match around its current round."""

    options: dict[str, Value]
    names: tuple[str, ...]
    stock: int
    scores: tuple[tuple[int, ...], ...]
    ranking: tuple[tuple[int, ...], ...] | None
    history: dict[str, object] = {}
    """Public facts that the state does not contain: see `Game.open_history_after`."""


def assemble(
    rules: Game, state: State, seat: int | None, standing: Standing, history: Sequence[Event]
) -> View:
    """Assemble a seat's view: allowed facts go in one by one."""
    return completed(rules, state, seat, public_facts(rules, state, standing), history)


def public_facts(rules: Game, state: State, standing: Standing) -> dict[str, Any]:
    """Return what everyone may know."""
    seats = range(rules.seats)
    return {
        "game": rules.name,
        "rules": rules.version,
        "seats": rules.seats,
        "options": {key: _own(value) for key, value in standing.options.items()},
        "names": standing.names,
        "round": state.round,
        "rounds": rules.most_rounds(),
        "starter": state.starter,
        "phase": rules.phases[state.phase],
        "waiting_for": tuple([other for other in seats if has(state.owes, other)]),
        "hand_sizes": tuple([state.hand_size[other] for other in seats]),
        "stock": standing.stock,
        "tricks": open_tricks(rules, state),
        "taken": tuple([state.tricks_won[other] for other in seats]),
        "table": rules.table(state) | rules.match_facts(standing.scores) | standing.history,
        "scores": standing.scores,
        "totals": totals(rules.seats, standing.scores),
        "ranking": standing.ranking,
    }


def completed(
    rules: Game, state: State, seat: int | None, facts: dict[str, Any], history: Sequence[Event]
) -> View:
    """Return what everyone may know, plus what only this seat knows."""
    moves = [] if seat is None else rules.moves(state, seat)
    return View(
        seat=seat,
        hand=() if seat is None else rules.hand(state, seat),
        mine={} if seat is None else rules.secrets(state, seat),
        moves=tuple([move.text for move in moves]),
        move_parts=tuple([rules.move_parts(state, move) for move in moves]),
        history=tuple(history),
        **facts,
    )


def _own(value: Value) -> Value:
    """Return a copy that nobody else can change."""
    return list(value) if isinstance(value, list) else value


def totals(seats: int, scores: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """Return the sum of all finished rounds for each seat."""
    return tuple(sum(points[seat] for points in scores) for seat in range(seats))


def open_tricks(rules: Game, state: State) -> tuple[Trick, ...]:
    """Return the tricks on the table, by place."""
    found = []
    for place in range(PLACES):
        lying = range(trick_slot(place, 0), trick_slot(place, state.trick_size[place]))
        if lying:
            cards = tuple(_cards_of_play(state, at) for at in lying)
            seats = [state.trick_seat[at] for at in lying]
            plays = tuple(zip(seats, map("+".join, cards), strict=True))
            led = COLOURS[colour_of(state.trick_card[trick_slot(place, 0)])]
            found.append(Trick(place, led, plays, rules.winning_seat(state, place), cards))
    return tuple(found)


def _cards_of_play(state: State, at: int) -> tuple[str, ...]:
    """Return one play of an open trick: a card, or two where a day allows pairs."""
    card = card_text(state.trick_card[at])
    second = state.second[at] if at < SEATS else NONE
    return (card,) if second == NONE else (card, card_text(second))


def knowledge(view: View) -> State:
    """Return a state that contains what the view knows and nothing more: hidden hands are empty."""
    state = first_knowledge(view)
    rules = registry.build(view.game, view.seats, view.options, view.rules)
    for event in view.history[round_begin(view) + 1 :]:
        rules.learn(state, event)
    return state


def events_of_round(view: View) -> Iterator[tuple[Event, State]]:
    """Yield each event of the round with what the view knew before it; the state is updated."""
    state = first_knowledge(view)
    rules = registry.build(view.game, view.seats, view.options, view.rules)
    for event in view.history[round_begin(view) + 1 :]:
        yield event, state
        rules.learn(state, event)


def first_knowledge(view: View) -> State:
    """Return what the view knew when its cards were dealt."""
    rules = registry.build(view.game, view.seats, view.options, view.rules)
    state = rules.new_state()
    state.round = view.round
    state.starter = view.starter
    earlier = totals(view.seats, view.scores[: view.round - 1])
    state.totals = [*earlier, *[0] * (SEATS - view.seats)]
    begin = round_begin(view)
    hands: list[list[int]] = [[] for _ in range(view.seats)]
    for event in view.history[begin + 1 :]:
        if type(event) is HandDealt:
            hands[event.seat] = [card_code(card) for card in event.cards]
    begun = view.history[begin]
    stock = begun.stock if isinstance(begun, RoundStarted) else 0
    rules.new_round(state, hands, [NONE] * stock)
    return state


def round_begin(view: View) -> int:
    """Return where the history of the current round begins."""
    for at in range(len(view.history) - 1, -1, -1):
        if type(view.history[at]) is RoundStarted:
            return at
    raise ValueError("no round has begun")


def sample(view: View, generator: Generator) -> State:
    """Return a complete state that looks exactly like this view: a uniformly drawn deal that
    fits."""
    state = knowledge(view)
    rules = registry.build(view.game, view.seats, view.options, view.rules)
    rules.complete(state, view.seat, generator)
    return state
