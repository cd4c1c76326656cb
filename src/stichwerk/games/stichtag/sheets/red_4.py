"""The sheet red 4."""

from stichwerk.engine.codes import argument_of, choice_of, choice_slot, has, kind_of, move_of, only
from stichwerk.engine.constants import CHOOSE, NONE
from stichwerk.engine.events import (
    ChoiceHidden,
    ChoiceMade,
    ChoicesRevealed,
    Event,
    Move,
    MoveParts,
)
from stichwerk.engine.frame import Game
from stichwerk.engine.round_rules import Moves
from stichwerk.engine.state import State
from stichwerk.errors import Reason
from stichwerk.games.stichtag.choice_panels import panels_of
from stichwerk.games.stichtag.seat_facts import facts_of
from stichwerk.games.stichtag.sentence import Points, Sentence
from stichwerk.games.stichtag.sheet import ACCEPT_POINTS, BID, Sheet
from stichwerk.games.stichtag.texts import cancels_of, texts_of

TAKE = 7  # phase
ANNOUNCE = 4  # kind of move; argument: number of tricks
ACCEPT = 8  # argument: 1 take the points, 0 leave them
MOST_TRICKS = 12
FEWEST_POINTS = 1  # green sheet
EXACTLY_TWELVE = 2  # green sheet
EXACT = 5  # points for an exact announcement


class Red4(Sheet):
    """Announcement: how many tricks will you take?"""

    name = "red 4"
    extends = ("deal", "points")
    origin = "partly"
    asks = {CHOOSE: "announce", TAKE: "take"}
    secret = (CHOOSE, TAKE)
    kinds = {ANNOUNCE: "announce", ACCEPT: "points"}
    emits = (ChoiceMade, ChoiceHidden, ChoicesRevealed)
    manners = {CHOOSE: BID, TAKE: ACCEPT_POINTS}
    questions = {"announce": "ask-announce", "take": "ask-take"}
    tally = "tally-announcement"
    choice_words = {
        "take": ("takes-points", "you-take-points"),
        "leave": ("leaves-points", "you-leave-points"),
    }
    labels = {"take": "tui-take", "leave": "tui-leave"}
    title, symbol_name, short, long, notes = texts_of("red_4")
    cancels = cancels_of("red_4")
    facts = facts_of("red_4")
    panels = panels_of("red_4")

    def after_deal(self, state: State) -> None:
        """Everyone secretly announces a number of tricks; all are revealed together."""
        self.ask_everyone(state, CHOOSE)

    def legal(self, state: State, seat: int, moves: Moves) -> None:
        """List 0 to 12; at the end of a round on green 2: take the points or leave them."""
        if state.phase == TAKE:
            moves.add(move_of(ACCEPT, 1))
            moves.add(move_of(ACCEPT, 0))
            return
        for tricks in range(MOST_TRICKS + 1):
            moves.add(move_of(ANNOUNCE, tricks))

    def choose(self, state: State, seat: int, move: int) -> None:
        """Make an announcement, or decide whether the points are taken."""
        if state.phase == TAKE:
            state.choice[choice_slot(seat, 2)] = argument_of(move)
        else:
            state.choice[choice_slot(seat, 0)] = argument_of(move)
        state.owes &= ~only(seat)

    def hit(self, state: State, seat: int) -> bool:
        """Return whether the seat took exactly as many tricks as announced."""
        return choice_of(state, seat) == state.tricks_won[seat]

    def settle_points(self, state: State) -> None:
        """Hit exactly: +5. Cross-notes: −5 on green 1; on green 2 nothing, but a choice."""
        for seat in range(self.seats):
            if self.hit(state, seat):
                if self.green_number == FEWEST_POINTS:
                    state.points[seat] -= EXACT
                elif self.green_number == EXACTLY_TWELVE:
                    if state.choice[choice_slot(seat, 2)] == 0:
                        state.points[seat] = 0
                else:
                    state.points[seat] += EXACT

    def asks_at_end(self, state: State) -> bool:
        """Cross-note green 2: all who hit choose, secretly and at once, whether to take the
        points.
        """
        state.owes = 0
        for seat in range(self.seats):
            if self.green_number == EXACTLY_TWELVE and self.hit(state, seat):
                state.owes |= only(seat)
        if state.owes:
            state.phase = TAKE
        return state.owes != 0

    def wanted_tricks(self, state: State, seat: int) -> int:
        """As many as announced."""
        return choice_of(state, seat)

    @classmethod
    def action_arguments(cls, kind: int, game: Game) -> list[int]:
        """Return the numbers that can be announced, or whether the points are taken."""
        if kind == ACCEPT:
            return [1, 0]
        return list(range(max(MOST_TRICKS, game.hand_size) + 1))

    @classmethod
    def action_text(cls, kind: int, argument: int) -> str:
        """Return a number, or `take` and `leave`."""
        if kind == ANNOUNCE:
            return str(argument)
        return "take" if argument else "leave"

    # -- At the table ------------------------------------------------------------------------------

    def step_text(self, step: int) -> str:
        """Return a number, or `take` and `leave`."""
        return self.action_text(kind_of(step), argument_of(step))

    def step_parts(self, step: int) -> MoveParts:
        """Return the number that is announced."""
        return MoveParts(numbers=(argument_of(step),) if kind_of(step) == ANNOUNCE else ())

    def judge(self, state: State, seat: int, text: str) -> Move | Reason:
        """Judge an integer, or `take` and `leave`."""
        if state.phase == TAKE:
            if text.lower() in ("take", "leave"):
                return Move(text.lower(), (move_of(ACCEPT, int(text.lower() == "take")),))
            return Reason("take-or-leave")
        if text.isascii() and text.isdigit() and len(text) < 3 and int(text) <= MOST_TRICKS:
            return Move(str(int(text)), (move_of(ANNOUNCE, int(text)),))
        return Reason("not-a-number", lowest=0, highest=MOST_TRICKS)

    def known_steps(self, state: State, text: str) -> tuple[int, ...] | None:
        """Return an announcement, or whether the points are taken."""
        if state.phase == CHOOSE:
            return (move_of(ANNOUNCE, int(text)),)
        return (move_of(ACCEPT, int(text == "take")),) if state.phase == TAKE else None

    def chosen_text(self, state: State, seat: int) -> str:
        """Return a choice as it is typed."""
        value = state.choice[choice_slot(seat, 2 if state.phase == TAKE else 0)]
        if value == NONE:
            return ""
        return ("take" if value else "leave") if state.phase == TAKE else str(value)

    def choice_events(self, before: State, seat: int, move: Move) -> list[Event]:
        """Return a secret choice; the last one reveals all."""
        events = self.secret_events(before, seat, move)
        if before.owes == only(seat):
            events.append(ChoicesRevealed(tuple(self.all_chosen(before, seat, move))))
        return events

    def table(self, state: State) -> dict[str, object]:
        """Return the announcements, once all are made."""
        if state.phase == CHOOSE:
            return {"announced": None}
        return {"announced": [choice_of(state, seat) for seat in range(self.seats)]}

    def learn(self, state: State, event: Event) -> bool:
        """Learn which seats took the points and which left them."""
        if type(event) is not ChoicesRevealed or state.phase != TAKE:
            return False
        state.unknown = 0
        for seat, text in enumerate(event.choices):
            if state.phase == TAKE and has(state.owes, seat):
                self.steps.replay_move(state, seat, text)
        return True

    def effect(self, state: State, seat: int, move: Move) -> list[Sentence]:
        """Return what taking exactly as many tricks as announced brings."""
        if state.phase == TAKE:
            return []
        tricks = argument_of(move.steps[0])
        tried = state.copy()
        tried.choice[choice_slot(seat, 0)] = tricks
        tried.tricks_won[seat] = tricks
        tried.points[seat] = tricks
        self.settle_points(tried)
        bonus = tried.points[seat] - tricks
        if not bonus and self.asks_at_end(tried):
            return [Sentence("effect-announce-choice", facts={"count": tricks})]
        return [Sentence("effect-announce", facts={"count": tricks, "points": Points(bonus)})]

    def reason(self, state: State, seat: int, move: Move) -> Sentence | None:
        """Return how many tricks the seat expects, or whether it takes the points."""
        argument = argument_of(move.steps[0])
        if state.phase == CHOOSE:
            return Sentence("advice-announces", facts={"count": argument})
        return Sentence("advice-takes-points" if argument else "advice-leaves-points")

    def entry(self, move: Move) -> object:
        """Return the announced number, or whether the points are taken."""
        argument = argument_of(move.steps[0])
        return argument if kind_of(move.steps[0]) == ANNOUNCE else bool(argument)

    @staticmethod
    def entry_text(value: object) -> str:
        """Return whether the points are taken; announcements are not extra choices."""
        if not isinstance(value, bool):
            return ""
        return "take" if value else "leave"

    def tally_id(self) -> str:
        """Cross-note green 2: no points for an exact announcement, but a round can be left out."""
        return "tally-left" if self.green_number == EXACTLY_TWELVE else self.tally

    def note_matters(self, state: State, other: str) -> bool:
        """Return whether announcements are made, or points taken or left."""
        return state.phase == CHOOSE or (other == "green 2" and state.phase == TAKE)
