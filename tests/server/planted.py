"""Leaks planted on purpose: small faults of the kind people really make. All must be found.

Each takes a `pytest.MonkeyPatch` and breaks one function of the server, of views or of events.
"""

import sys
from collections.abc import Callable, Iterable
from typing import Any

import msgspec
import pytest

from stichwerk.cards import card_code
from stichwerk.engine.events import BaseEvent, ChoiceHidden, ChoiceMade, Event
from stichwerk.errors import Reason
from stichwerk.match import Match
from stichwerk.record import encode
from stichwerk.server import wire
from stichwerk.server.network.socket_sessions import SocketSession
from stichwerk.server.tables import log_entries as log
from stichwerk.server.tables.audience import LogStep
from stichwerk.server.tables.bot_turns import BotTurns
from stichwerk.server.tables.live_table import LiveTable
from stichwerk.server.tables.lobby import TableLobby
from stichwerk.server.tables.move_clock import MoveClock
from stichwerk.server.tables.running_match import RunningMatch
from stichwerk.server.tables.shuffle import Shuffle
from stichwerk.server.tables.table_state import TableState
from stichwerk.view import View

Plant = Callable[[pytest.MonkeyPatch], None]
Change = Callable[[Match, int | None, View], View]
PLANTS: dict[str, Plant] = {}


def plant(fault: Plant) -> Plant:
    """Return the next one."""
    PLANTS[fault.__name__.replace("_", " ")] = fault
    return fault


# -- Where hidden things are -----------------------------------------------------------------------


def hand(match: Match, seat: int) -> tuple[str, ...]:
    """Return the cards of a seat."""
    return match.rules.hand(match._state, seat % match.rules.seats)


def weight(match: Match, seat: int) -> int:
    """Return a number that gives a hand away."""
    return sum((at + 1) * card_code(card) for at, card in enumerate(hand(match, seat)))


def match_of(live_table: LiveTable) -> Match:
    """Return the match of a live table."""
    assert live_table.table.running is not None
    return live_table.table.running.match


def one_card(match: Match) -> str:
    """Return the first card of the first seat that has any."""
    hands = [hand(match, seat) for seat in range(match.rules.seats)]
    return next((cards[0] for cards in hands if cards), "R0")


def neighbour(match: Match, seat: int | None) -> int:
    """Return the seat to the left; a spectator's is the first."""
    return 0 if seat is None else (seat + 1) % match.rules.seats


def change_views(patch: pytest.MonkeyPatch, change: Change) -> None:
    """Change all views that a table gives."""
    view, views = TableState.view, TableState.views

    def changed(table: TableState, seat: int | None) -> View | None:
        whole = view(table, seat)
        return whole and change(table.running.match, seat, whole)  # type: ignore[union-attr]

    def all_changed(table: TableState, seats: Iterable[int | None]) -> dict[int | None, View]:
        found = views(table, seats)
        match = table.running.match if table.running else None
        return {seat: change(match, seat, one) for seat, one in found.items() if match}

    patch.setattr(TableState, "view", changed)
    patch.setattr(TableState, "views", all_changed)


def with_(struct: Any, **fields: object) -> Any:
    """Return a copy with other fields."""
    return msgspec.structs.replace(struct, **fields)


def around(patch: pytest.MonkeyPatch, owner: type, name: str, more: Callable[..., object]) -> None:
    """Call `more` with what a method was given and with what it answered; that is the answer."""
    before = getattr(owner, name)
    patch.setattr(owner, name, lambda self, *given: more(before(self, *given), self, *given))


# -- Events ----------------------------------------------------------------------------------------


@plant
def every_event_is_for_all(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(BaseEvent, "visible", lambda event, seat: True)


@plant
def spectators_are_never_asked(patch: pytest.MonkeyPatch) -> None:
    def visible(event: Event, seat: int | None) -> bool:
        return event.to is None or seat is None or seat in event.to

    patch.setattr(BaseEvent, "visible", visible)


@plant
def steps_are_not_filtered(patch: pytest.MonkeyPatch) -> None:
    def patched(step: LogStep, *given: object) -> wire.Step:
        silent = ("",) * len(step.events)
        return wire.Step(seq=step.seq, notes=step.notes, events=step.events, words=silent)

    patch.setattr(LogStep, "describe", patched)


@plant
def words_name_hidden_cards(patch: pytest.MonkeyPatch) -> None:
    honest = LogStep._words

    def patched(step: LogStep, *given: Any) -> tuple[str, ...]:
        cards = " ".join(card for event in step.events for card in event.cards)
        return tuple(f"{words} {cards}" for words in honest(step, *given))

    patch.setattr(LogStep, "_words", patched)


@plant
def a_choice_is_sent_with_who_has_chosen(patch: pytest.MonkeyPatch) -> None:
    def more(events: tuple[Event, ...], running: RunningMatch, *given: object) -> tuple[Event, ...]:
        move = str(given[1])
        sent = (
            ChoiceMade(one.seat, move) if isinstance(one, ChoiceHidden) else one for one in events
        )
        return tuple(sent)

    around(patch, RunningMatch, "play", more)


@plant
def who_resumes_gets_all_events(patch: pytest.MonkeyPatch) -> None:
    def more(found: tuple[bool, list[LogStep]], table: TableState, since: int | None) -> object:
        fresh, steps = found
        if since is None:
            return found
        bare = [with_(one, events=tuple(with_(e, to=None) for e in one.events)) for one in steps]
        return fresh, bare

    around(patch, TableState, "steps_since", more)


@plant
def a_take_back_counts_what_was_hidden(patch: pytest.MonkeyPatch) -> None:
    def more(sent: wire.Step, step: LogStep, *given: object) -> wire.Step:
        void = sum(len(one.move) + sum(map(ord, one.move)) for one in step.removed or ())
        notes = [
            with_(note, events=void) if isinstance(note, wire.TookBack) else note
            for note in sent.notes
        ]
        return with_(sent, notes=tuple(notes))  # type: ignore[no-any-return]

    around(patch, LogStep, "describe", more)


# -- Views -----------------------------------------------------------------------------------------


@plant
def the_view_of_the_neighbour(patch: pytest.MonkeyPatch) -> None:
    change_views(
        patch,
        lambda match, seat, view: view if seat is None else match.view(neighbour(match, seat)),
    )


@plant
def spectators_see_what_seat_0_sees(patch: pytest.MonkeyPatch) -> None:
    change_views(patch, lambda match, seat, view: match.view(0) if seat is None else view)


@plant
def the_history_of_the_neighbour(patch: pytest.MonkeyPatch) -> None:
    def change(match: Match, seat: int | None, view: View) -> View:
        history = match.view(neighbour(match, seat)).history
        return with_(view, history=history if view.history else ())  # type: ignore[no-any-return]

    change_views(patch, change)


@plant
def the_secrets_of_the_neighbour(patch: pytest.MonkeyPatch) -> None:
    def change(match: Match, seat: int | None, view: View) -> View:
        return with_(view, mine=match.view(neighbour(match, seat)).mine)  # type: ignore[no-any-return]

    change_views(patch, change)


@plant
def the_moves_of_whose_turn_it_is(patch: pytest.MonkeyPatch) -> None:
    def change(match: Match, seat: int | None, view: View) -> View:
        if view.moves or not match.waiting_for:
            return view
        moves = tuple(move.text for move in match.moves(match.waiting_for[0]))
        return with_(view, moves=moves)  # type: ignore[no-any-return]

    change_views(patch, change)


@plant
def sizes_of_hands_depend_on_cards(patch: pytest.MonkeyPatch) -> None:
    def change(match: Match, seat: int | None, view: View) -> View:
        sizes = tuple(weight(match, other) % 1009 for other in range(match.rules.seats))
        return with_(view, hand_sizes=sizes)  # type: ignore[no-any-return]

    change_views(patch, change)


@plant
def the_stock_lies_open(patch: pytest.MonkeyPatch) -> None:
    def change(match: Match, seat: int | None, view: View) -> View:
        stock = list(match.rounds[-1].deal.stock)
        return with_(view, table=view.table | {"stock": stock})  # type: ignore[no-any-return]

    change_views(patch, change)


@plant
def whom_one_waits_for_is_sorted_by_hand(patch: pytest.MonkeyPatch) -> None:
    def change(match: Match, seat: int | None, view: View) -> View:
        order = sorted(view.waiting_for, key=lambda other: hand(match, other))
        return with_(view, waiting_for=tuple(order))  # type: ignore[no-any-return]

    change_views(patch, change)


# -- Tables ----------------------------------------------------------------------------------------


@plant
def a_seed_is_published_a_round_too_early(patch: pytest.MonkeyPatch) -> None:
    describe = Shuffle.describe
    patch.setattr(Shuffle, "describe", lambda self, rounds_over: describe(self, rounds_over + 1))


@plant
def the_deck_is_sent_as_it_was_dealt(patch: pytest.MonkeyPatch) -> None:
    def more(sent: wire.Dealing, shuffle: Shuffle, rounds_over: int) -> wire.Dealing:
        deal = shuffle.deal(1, shuffle.first_starter())
        assert deal is not None
        cards = [card for cards in (*deal.hands, deal.stock) for card in cards]
        return with_(sent, deck="\n".join(cards))  # type: ignore[no-any-return]

    around(patch, Shuffle, "describe", more)


@plant
def plies_count_choices_of_others(patch: pytest.MonkeyPatch) -> None:
    def more(ply: int, table: TableState, seat: int | None) -> int:
        made = table.running.made if table.running else []
        return ply + sum(len(moves) > 0 and sum(map(ord, moves[-1])) for moves in made)

    around(patch, TableState, "ply", more)


@plant
def an_outlook_is_that_of_the_neighbour(patch: pytest.MonkeyPatch) -> None:
    def view(connection: SocketSession, live_table: LiveTable, match: str) -> View | None:
        seat = live_table.table.seat_of(connection.client.person)
        return live_table.table.view(neighbour(match_of(live_table), seat))

    patch.setattr(SocketSession, "_own_view", view)


@plant
def a_refusal_names_a_card_of_another(patch: pytest.MonkeyPatch) -> None:
    def more(why: Reason | None, match: Match, seat: int, move: str) -> Reason | None:
        cards = hand(match, seat + 1)
        return why and Reason(why.id, **{**why.data, "has": cards[0] if cards else ""})

    around(patch, Match, "objection", more)


@plant
def whether_a_move_can_be_taken_back_depends_on_a_hand(patch: pytest.MonkeyPatch) -> None:
    def more(can: bool, running: RunningMatch, seat: int) -> bool:
        return can and weight(running.match, seat + 1) % 2 == 0

    around(patch, RunningMatch, "can_be_taken_back", more)


@plant
def a_bot_sees_the_hand_of_the_neighbour(patch: pytest.MonkeyPatch) -> None:
    def more(view: View, match: Match, seat: int | None) -> View:
        thinks = sys._getframe(2).f_code.co_name == "make_bot_move"
        return with_(view, hand=hand(match, neighbour(match, seat))) if thinks else view

    around(patch, Match, "view", more)


# -- Rooms -----------------------------------------------------------------------------------------


@plant
def a_deadline_depends_on_hands(patch: pytest.MonkeyPatch) -> None:
    def more(done: None, move_clock: MoveClock) -> None:
        if move_clock.deadline is not None:
            match = match_of(move_clock.live_table)
            move_clock.deadline += sum(
                weight(match, seat) * seat for seat in range(match.rules.seats)
            )

    around(patch, MoveClock, "update", more)


@plant
def bots_pause_longer_with_good_cards(patch: pytest.MonkeyPatch) -> None:
    def more(seconds: float, bot_turns: BotTurns, view: View) -> float:
        return seconds + sum(map(card_code, view.hand)) / 1000

    around(patch, BotTurns, "_pause", more)


@plant
def clients_are_notified_in_the_order_of_their_hands(patch: pytest.MonkeyPatch) -> None:
    tell = LiveTable.broadcast

    def sorted_tell(live_table: LiveTable, steps: Iterable[LogStep]) -> None:
        def key(client: Any) -> tuple[str, ...]:
            seat = live_table.table.seat_of(client.person)
            return () if seat is None else hand(match_of(live_table), seat)

        kept = live_table.clients
        live_table.clients = sorted(kept, key=key)  # type: ignore[assignment]
        tell(live_table, steps)
        live_table.clients = kept

    patch.setattr(LiveTable, "broadcast", sorted_tell)


@plant
def presence_depends_on_a_hand(patch: pytest.MonkeyPatch) -> None:
    def broadcast_presence(live_table: LiveTable) -> None:
        message = wire.Presence(here=(), watching=weight(match_of(live_table), 1))
        for client in live_table.clients:
            client.tell(message)

    patch.setattr(LiveTable, "broadcast_presence", broadcast_presence)


@plant
def the_lobby_shows_a_card(patch: pytest.MonkeyPatch) -> None:
    around(
        patch,
        LiveTable,
        "summary",
        lambda sent, live_table: with_(sent, host=one_card(match_of(live_table))),
    )


@plant
def the_log_holds_a_card(patch: pytest.MonkeyPatch) -> None:
    def more(done: None, live_table: LiveTable, new_entries: list[log.Entries]) -> None:
        live_table.lobby.log.info("happened", why=one_card(match_of(live_table))[:2].lower())

    around(patch, LiveTable, "_apply_entries", more)


@plant
def a_metric_is_counted_by_cards(patch: pytest.MonkeyPatch) -> None:
    def more(done: None, live_table: LiveTable, new_entries: list[log.Entries]) -> None:
        live_table.lobby.metrics.refused.add(one_card(match_of(live_table)))

    around(patch, LiveTable, "_apply_entries", more)


@plant
def a_record_is_given_before_the_end(patch: pytest.MonkeyPatch) -> None:
    async def record(lobby: TableLobby, match: str) -> bytes:
        running = next(iter(lobby.live_tables.values())).table.running
        assert running is not None
        return encode(running.record())

    patch.setattr(TableLobby, "record", record)
