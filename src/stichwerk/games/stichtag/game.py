"""Stichtag by Emely, Inka and Markus Brand, for three to five: every date is another game.

This module handles what is said and seen at the table, and asks each sheet about its part.
`course.py` runs a round; the rules are in the sheets.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from stichwerk.cards import COLOURS as LETTERS
from stichwerk.cards import card_code, card_text
from stichwerk.engine.codes import argument_of, colour_of, has, kind_of, only
from stichwerk.engine.constants import CHOOSE, NONE, OVER, PLAY
from stichwerk.engine.events import Event, Move, MoveParts
from stichwerk.engine.frame import Game
from stichwerk.engine.state import State
from stichwerk.errors import BadDealError, Reason
from stichwerk.games.options import Option, Value, starter_option, whole_number, worded
from stichwerk.games.stichtag.calendar import (
    ASKED,
    DATE,
    PHASES,
    SEAT_SEPARATORS,
    SHEET,
    VERSIONS,
    check_own_sheets,
    check_sheets,
    is_date,
    is_goal,
)
from stichwerk.games.stichtag.course import Course
from stichwerk.games.stichtag.sheet import Sheet


class Stichtag(Course):
    """Stichtag with its seats, date or sheets, and options fixed."""

    name = "stichtag"
    seat_counts = (3, 4, 5)
    versions = VERSIONS
    phases = PHASES
    seat_separators = SEAT_SEPARATORS

    # -- Options -----------------------------------------------------------------------------------

    @staticmethod
    def options(seats: int) -> tuple[Option, ...]:
        """Return the options: the date, or single sheets over the base rules; without a goal sheet
        the number of rounds."""
        return (
            Option("date", None, (None,), pattern=DATE, form="MM-DD"),
            Option("rounds", 3, (3, 2, None)),
            Option("sheets", [], members=SHEET, form="green 0-3, red 0-9, January-December"),
            starter_option(seats),
        )

    @staticmethod
    def open_options(
        options: tuple[Option, ...], given: Mapping[str, object]
    ) -> tuple[Option, ...]:
        """With a green sheet, also that of a date, `rounds` stays open: the sheet sets it."""
        sheets = given.get("sheets")
        named = sheets if isinstance(sheets, list) else []
        has_goal = is_date(given.get("date")) or any(map(is_goal, named))
        rounds = Option("rounds", None, (None,)) if has_goal else Option("rounds", 3, (3, 2))
        return tuple([rounds if option.name == "rounds" else option for option in options])

    @staticmethod
    def settle_options(options: dict[str, Value], given: Mapping[str, object]) -> None:
        """Resolve options that depend on one another: a date names its sheets."""
        date, sheets = options["date"], options["sheets"]
        named = sheets if isinstance(sheets, list) else []
        check_sheets(named, has_date=date is not None)
        check_own_sheets(named, date if isinstance(date, str) else None)

    # -- The match ---------------------------------------------------------------------------------

    def most_rounds(self) -> int:
        """As the green sheet says; without one three rounds, or two for practice."""
        return self.goal.rounds if self.goal else whole_number(self.rounds)

    def match_over(self, scores: Sequence[Sequence[int]]) -> bool:
        """As the green sheet says."""
        if self.goal:
            return self.goal.over(scores)
        return Game.match_over(self, scores)

    def standing(self, scores: Sequence[Sequence[int]], seat: int) -> tuple[int, ...]:
        """As the green sheet says; without one most points."""
        if self.goal:
            return self.goal.standing(scores, seat)
        return Game.standing(self, scores, seat)

    def points_now(self, state: State) -> list[int]:
        """Count without asking anyone whether they take their points: so far they have them."""
        counted = state.copy()
        self.count_own(counted)
        self.count_points(counted)
        return [counted.points[seat] for seat in range(self.seats)]

    # -- Moves as text -----------------------------------------------------------------------------

    def asker(self, state: State) -> Sheet:
        """Return the sheet whose choice is to be made now."""
        return self.red if self.red_asks(state) else self.month

    def steps(self, state: State) -> int:
        """Return the number of actions: one for a play; for a choice, the sheet decides."""
        if state.phase == PLAY or state.phase == OVER:
            return 1
        return self.asker(state).step_count(state)

    def move_text(self, state: State, steps: tuple[int, ...]) -> str:
        """Return a move as its sheet writes it."""
        return ",".join([self.step_text(step) for step in steps])

    def step_text(self, step: int) -> str:
        """Return one action by its kind: by the sheet that has such moves, otherwise a card."""
        sheet = self.mover(step)
        return card_text(argument_of(step)) if sheet is None else sheet.step_text(step)

    def move_parts(self, state: State, move: Move) -> MoveParts:
        """Return what a move names, as the sheet that has such moves says; several actions are
        cards."""
        parts = [self.step_parts(step) for step in move.steps]
        if len(parts) == 1:
            return parts[0]
        return MoveParts(cards=tuple([card for one in parts for card in one.cards]))

    def step_parts(self, step: int) -> MoveParts:
        """Return what one action names."""
        sheet = self.mover(step)
        if sheet is None:
            return MoveParts(cards=(card_text(argument_of(step)),))
        return sheet.step_parts(step)

    def mover(self, step: int) -> Sheet | None:
        """Return the sheet in play that has moves of this kind; None for cards."""
        for sheet in (self.red, self.month):
            if kind_of(step) in sheet.kinds:
                return sheet
        return None

    def judge(self, state: State, seat: int, text: str) -> Move | Reason:
        """Return the move a typed text means, or why the seat cannot make it."""
        if state.phase == PLAY:
            return self.judge_play(state, seat, text.strip())
        return self.asker(state).judge(state, seat, text.strip())

    def judge_play(self, state: State, seat: int, text: str) -> Move | Reason:
        """Judge a play as the red sheet does; otherwise one card, of the led colour if the hand has
        it."""
        found = self.red.judge_play(state, seat, text)
        if found is not None:
            return found
        if "+" in text:
            return Reason("one-card")
        card = self.read_card(state, seat, text)
        if isinstance(card, Reason):
            return card
        objection = self.follow_objection(state, seat, card)
        return Move(card_text(card), (card,)) if objection is None else objection

    def follow_objection(self, state: State, seat: int, card: int) -> Reason | None:
        """Return why a card of this colour cannot be played: the seat has the led colour."""
        if has(self.may_play(state, seat), colour_of(card)):
            return None
        led = LETTERS[self.led_colour(state)]
        return Reason("must-follow", card=card_text(card), colour=led)

    # -- Events ------------------------------------------------------------------------------------

    def move_events(self, before: State, seat: int, move: Move, after: State) -> list[Event]:
        """Return the events of a move, addressed to those who may see them."""
        if before.phase == PLAY:
            events = self.red.play_events(before, seat, move)
        else:
            events = self.asker(before).choice_events(before, seat, move)
        events += self.trick_events(before, move, after)
        for sheet in (self.red, self.month):
            events += sheet.change_events(before, after)
        if after.phase == OVER:
            for sheet in (self.red, self.month):
                events += sheet.closing_events(after)
        return events

    def trick_events(self, before: State, move: Move, after: State) -> list[Event]:
        """Return the event of a settled trick, and what the sheets add to it."""
        if after.tricks_done == before.tricks_done:
            return []
        cards = self.lying(before)
        if before.phase == PLAY:
            cards += self.red.last_cards(before, move)
        events = [self.month.trick_event(before, after, tuple(cards))]
        for sheet in (self.red, self.month):
            events += sheet.trick_events(before, after)
        return events

    def lying(self, state: State) -> list[str]:
        """Return the cards of the open trick, in order."""
        cards = []
        for play in range(state.trick_size[0]):
            cards.append(card_text(state.trick_card[play]))
            if state.second[play] != NONE:
                cards.append(card_text(state.second[play]))
        return cards

    def opening_events(self, state: State) -> list[Event]:
        """Return what the sheets show after the deal."""
        return self.red.opening_events(state) + self.month.opening_events(state)

    # -- Views -------------------------------------------------------------------------------------

    def table(self, state: State) -> dict[str, object]:
        """Return trump, and what today's sheets show on the table."""
        trump = self.red.trump(state)
        shown: dict[str, object] = {"trump": None if trump == NONE else LETTERS[trump]}
        return {**shown, **self.red.table(state), **self.month.table(state)}

    def match_facts(self, scores: Sequence[Sequence[int]]) -> dict[str, object]:
        """Return what the green sheet counts over the rounds."""
        return self.green.match_facts(scores)

    def secrets(self, state: State, seat: int) -> dict[str, object]:
        """Return what the sheets show this seat only, and a choice of its own that is still
        secret."""
        own = {**self.red.secrets(state, seat), **self.month.secrets(state, seat)}
        if has(self.secret_phases, state.phase) and not has(state.owes, seat):
            own["chosen"] = self.asker(state).chosen_text(state, seat)
        return own

    # -- Learning from events ----------------------------------------------------------------------

    def learn(self, state: State, event: Event) -> None:
        """Apply an event to a state that contains only what one seat knows."""
        if not self.red.learn(state, event) and not self.month.learn(state, event):
            Game.learn(self, state, event)

    def recount(self, state: State) -> None:
        """Count the points again with what is shown only at the end of a round."""
        self.count_own(state)
        self.count_points(state)

    def known_steps(self, state: State, text: str) -> tuple[int, ...]:
        """Return the actions of a move that is known to be legal."""
        sheet = self.red if state.phase == PLAY else self.asker(state)
        steps = sheet.known_steps(state, text)
        return (card_code(text),) if steps is None else steps

    # -- Records -----------------------------------------------------------------------------------

    def place_specials(self, state: State, specials: Mapping[str, Any]) -> None:
        """Place what the sheets drew after the deal; refuse an impossible draw."""
        drawn = [(sheet, kind) for sheet in (self.red, self.month) for kind in sheet.specials]
        for sheet, kind in drawn:
            if not sheet.is_special(specials.get(kind)):
                raise BadDealError("bad-special", kind=kind, value=worded(specials.get(kind)))
        for sheet, kind in drawn:
            sheet.place_special(state, specials[kind])

    def secret(self, state: State) -> bool:
        """Return whether moves are secret: secret choices of the sheets; every play, where all play
        at once."""
        if state.phase == PLAY:
            return self.at_once
        return has(self.secret_phases, state.phase)

    def all_in(self, state: State, seat: int) -> bool:
        """Return whether nobody else owes a secret move; where all play at once, the red sheet
        knows."""
        if state.phase == PLAY:
            return self.red.all_in(state, seat)
        return state.owes == only(seat)

    def has_chosen(self, state: State, seat: int) -> bool:
        """Return whether the seat has made its secret move."""
        if state.phase == PLAY:
            return self.red.has_played(state, seat)
        return self.secret(state) and self.asker(state).chosen_text(state, seat) != ""

    def entry_kind(self, state: State) -> str:
        """Return where a record stores a move: choices before play are choices; the other extra
        choices are named by their phase."""
        if state.phase == PLAY:
            return "plays"
        return "choices" if state.phase == CHOOSE else self.phases[state.phase]

    def entry_order(self, state: State) -> list[int]:
        """Return the order: face-down cards clockwise from the leader, everything else by seat."""
        first = state.leader if state.phase == PLAY else 0
        return [(first + step) % self.seats for step in range(self.seats)]

    def choice_entry(self, move: Move) -> object:
        """Return a choice before play, as its sheet records it."""
        return self.extra_entry(move)

    def play_entry(self, seat: int, move: Move) -> list[object]:
        """Return a card, or several of one play as a list."""
        cards = move.text.split("+")
        return [seat, cards if len(cards) > 1 else cards[0]]

    def play_text(self, state: State, entry: Sequence[object]) -> str:
        """Return a record's play as it is typed."""
        if len(entry) != 1:
            return ""
        if isinstance(entry[0], list | tuple):
            return "+".join([str(card) for card in entry[0]]) if len(entry[0]) > 1 else ""
        return str(entry[0])

    def extra_entry(self, move: Move) -> object:
        """Return a choice, as its sheet records it."""
        sheet = self.mover(move.steps[0])
        return move.text if sheet is None else sheet.entry(move)

    def extra_text(self, kind: str, value: object) -> str:
        """Return a record's extra choice as it is typed; empty if it has no such form."""
        sheet = ASKED.get(kind)
        return "" if sheet is None else sheet.entry_text(value)
