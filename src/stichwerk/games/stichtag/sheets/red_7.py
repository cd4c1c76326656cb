"""The sheet red 7."""

from typing import Any

from stichwerk.cards import card_text
from stichwerk.engine.area import Area
from stichwerk.engine.codes import argument_of, move_of
from stichwerk.engine.constants import NOBODY, NONE
from stichwerk.engine.events import BaseEvent, Event, Move
from stichwerk.engine.frame import Game
from stichwerk.engine.round_rules import Moves
from stichwerk.engine.state import State
from stichwerk.errors import Reason
from stichwerk.games.stichtag.choice_panels import panels_of
from stichwerk.games.stichtag.seat_facts import facts_of
from stichwerk.games.stichtag.sentence import Name, Sentence
from stichwerk.games.stichtag.sheet import STRIKE_PLAY, Sheet
from stichwerk.games.stichtag.storage import STRUCK
from stichwerk.games.stichtag.texts import texts_of
from stichwerk.games.stichtag.trick_marks import marks_of

VETO = 3  # phase
STRIKE = 5  # kind of move; argument: the seat whose card is struck, NONE to pass
JULY = 7


class VetoAnswered(BaseEvent, frozen=True, tag="veto"):
    """The holder of the veto card struck a card of the trick, or passed.

    `seat`: who did it
    `move`: the move, as it is typed
    `struck`: the seat whose card is struck; absent where the holder passed
    """

    listed_after = "play"
    in_trick = True

    seat: int
    move: str
    struck: int | None = None


class Red7(Sheet):
    """Veto: one card of another seat may be struck."""

    name = "red 7"
    extends = ("win", "deal")
    origin = "documented"
    asks = {VETO: "veto"}
    kinds = {STRIKE: "veto"}
    seat_kinds = (STRIKE,)
    seat_separators = {"veto": " "}
    emits = (VetoAnswered,)
    manners = {VETO: STRIKE_PLAY}
    questions = {"veto": "ask-veto"}
    labels = {"veto": "tui-veto", "pass": "tui-no-veto"}
    title, symbol_name, short, long, notes = texts_of("red_7")
    facts = facts_of("red_7")
    marks = marks_of("red_7")
    panels = panels_of("red_7")

    def reserve(self, area: Area) -> None:
        """Reserve the seat that holds the veto card."""
        self.holder = area.number("veto", NONE)

    def find(self, area: Area) -> None:
        """Look up, for the cross-note July, the seat that holds the Sonnenstich card."""
        self.sunstroke = area.find("sunstroke")

    def after_deal(self, state: State) -> None:
        """The leader of the first trick holds the veto card."""
        state.numbers[self.holder] = state.starter

    def asks_before_settling(self, state: State) -> bool:
        """The holder is asked when the trick is complete."""
        self.ask(state, VETO, state.numbers[self.holder])
        return True

    def legal(self, state: State, seat: int, moves: Moves) -> None:
        """List another seat's card, or pass. Cross-note July: not the Sonnenstich holder's."""
        for other in range(self.seats):
            if other != seat and self.may_be_struck(state, other):
                moves.add(move_of(STRIKE, other))
        moves.add(move_of(STRIKE, NONE))

    def may_be_struck(self, state: State, seat: int) -> bool:
        """Return whether this seat has played to the trick, and no cross-note protects it."""
        if self.month_number == JULY and seat == state.numbers[self.sunstroke]:
            return False
        for play in range(state.trick_size[0]):
            if state.trick_seat[play] == seat:
                return True
        return False

    def choose(self, state: State, seat: int, move: int) -> None:
        """A struck card counts as nothing."""
        for play in range(state.trick_size[0]):
            if state.trick_seat[play] == argument_of(move):
                state.numbers[STRUCK] = play
        state.owes = 0

    def may_win(self, state: State, play: int) -> bool:
        """Every play but the struck one."""
        return play != state.numbers[STRUCK]

    def after_trick(self, state: State, winner: int) -> None:
        """The veto card goes to the seat that was struck."""
        if state.numbers[STRUCK] != NOBODY:
            state.numbers[self.holder] = state.trick_seat[state.numbers[STRUCK]]

    @classmethod
    def action_arguments(cls, kind: int, game: Game) -> list[int]:
        """Return the other seats, then NONE to pass."""
        return [*range(1, game.seats), NONE]

    @classmethod
    def action_text(cls, kind: int, argument: int) -> str:
        """Return a seat, or `pass`."""
        return "pass" if argument == NONE else f"+{argument}"

    # -- At the table ------------------------------------------------------------------------------

    def step_text(self, step: int) -> str:
        """Return `veto` and a seat, or `pass`."""
        struck = argument_of(step)
        return "pass" if struck == NONE else f"veto {struck}"

    def judge(self, state: State, seat: int, text: str) -> Move | Reason:
        """Judge `veto` and a seat, or `pass`."""
        if text.lower() == "pass":
            return Move("pass", (move_of(STRIKE, NONE),))
        word, _, who = text.partition(" ")
        if word.lower() != "veto":
            return Reason("veto-or-pass")
        target = self.steps.read_seat(who)
        if isinstance(target, Reason):
            return target
        step = move_of(STRIKE, target)
        if step in self.steps.actions(state, seat):
            return Move(f"veto {target}", (step,))
        if target == seat:
            return Reason("not-yourself")
        return Reason("cannot-be-struck", seat=target)

    def known_steps(self, state: State, text: str) -> tuple[int, ...] | None:
        """Return a veto, or a pass."""
        if state.phase != VETO:
            return None
        return (move_of(STRIKE, NONE if text == "pass" else int(text.split(" ")[1])),)

    def choice_events(self, before: State, seat: int, move: Move) -> list[Event]:
        """Return whose card is struck."""
        target = argument_of(move.steps[0])
        return [VetoAnswered(seat, move.text, None if target == NONE else target)]

    def learn(self, state: State, event: Event) -> bool:
        """Learn a veto by making it again."""
        if type(event) is not VetoAnswered:
            return False
        self.steps.replay_move(state, event.seat, event.move)
        return True

    @classmethod
    def narrate(cls, event: Any, reader: int | None) -> Sentence | None:
        """Say whose card is struck, if any."""
        if event.struck is None:
            return Sentence("no-veto", "you-no-veto", event.seat)
        strikes = "strikes-yours" if event.struck == reader else "strikes"
        return Sentence(strikes, "you-strike", event.seat, {"target": Name(event.struck)})

    def effect(self, state: State, seat: int, move: Move) -> list[Sentence]:
        """Return whose card does not count."""
        struck = argument_of(move.steps[0])
        found = []
        for play in range(state.trick_size[0]):
            if state.trick_seat[play] == struck:
                facts = {"name": Name(struck), "card": card_text(state.trick_card[play])}
                found.append(Sentence("effect-struck", facts=facts))
        return found

    def reason(self, state: State, seat: int, move: Move) -> Sentence | None:
        """Return whether the trick changes hands."""
        struck = argument_of(move.steps[0])
        if struck == NONE:
            return Sentence("advice-keeps-veto")
        facts = {"name": Name(struck)}
        after = state.copy()
        self.steps.play(after, seat, move.steps[0])
        if after.tricks_done > state.tricks_done and after.last_winner == seat:
            return Sentence("advice-strikes-for-trick", facts=facts)
        wins = self.steps.winning_seat(state, 0) == struck
        return Sentence("advice-strikes-winner" if wins else "advice-strikes", facts=facts)

    def table(self, state: State) -> dict[str, object]:
        """Return the seat with the veto card, and the seat whose card is struck in the open
        trick."""
        struck = state.numbers[STRUCK]
        lies = struck != NOBODY and state.trick_size[0] != 0
        return {
            "veto": state.numbers[self.holder],
            "struck": state.trick_seat[struck] if lies else None,
        }

    def entry(self, move: Move) -> object:
        """Return the seat, or nothing."""
        target = argument_of(move.steps[0])
        return None if target == NONE else target

    @staticmethod
    def entry_text(value: object) -> str:
        """Return a veto as it is typed."""
        if value is None:
            return "pass"
        return f"veto {value}" if type(value) is int else ""

    def for_all(self, lying: State, after: State) -> list[Sentence]:
        """Return that the veto card goes to another seat."""
        holder = after.numbers[self.holder]
        if holder == lying.numbers[self.holder]:
            return []
        return [Sentence("then-veto", "then-your-veto", seat=holder)]

    def before_settling(self, state: State) -> Sentence | None:
        """Return that the holder of the veto card is asked."""
        if state.phase != VETO:
            return None
        holder = state.numbers[self.holder]
        return Sentence("effect-veto-next", "effect-your-veto-next", seat=holder)
