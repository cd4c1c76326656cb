"""What every bot starts from: the rules, the tactics, and what its seat knows."""

from stichwerk.bots.tactics import tactics_of
from stichwerk.engine import plain
from stichwerk.engine.codes import move_of
from stichwerk.engine.constants import PICK
from stichwerk.engine.events import (
    CardPlayed,
    ChoiceHidden,
    ChoiceMade,
    ChoicesRevealed,
    Move,
)
from stichwerk.engine.frame import Game
from stichwerk.engine.generator import Generator
from stichwerk.engine.state import State
from stichwerk.engine.tactics import Tactics
from stichwerk.errors import BadGameError, StichwerkError
from stichwerk.games import registry
from stichwerk.view import View, events_of_round, knowledge

CHOOSING = (ChoiceMade, ChoiceHidden)  # events of choices before they are revealed
ODD = 0x9E3779B97F4A7C15  # spreads seeds over 64 bits


class Position:
    """A view that owes a move, as numbers. Contains only what the view's seat may know."""

    def __init__(self, view: View, style: str = "full", points: bool = False) -> None:
        assert view.seat is not None, "a bot plays for a seat, not for a spectator"
        self.view = view
        self.seat = view.seat
        self.rules = registry.build(view.game, view.seats, view.options, view.rules)
        self.tactics = tactics_of(self.rules, style, points)
        if type(self.rules).__module__.startswith("stichwerk."):
            self.known = knowledge(view)
        else:
            self.known = self.own_knowledge()
            self.check_knowledge()

    def own_knowledge(self) -> State:
        """Return what the view knows by the rules of a custom game, which may fail to learn it."""
        try:
            return knowledge(self.view)
        except BadGameError:
            raise
        except StichwerkError as error:  # such as one about a card: it would blame the player
            raise BadGameError(
                "own-game-learn-fails",
                game=self.view.game,
                seat=self.seat,
                why=error,
                method="learn",
            ) from error

    def check_knowledge(self) -> None:
        """Refuse rules that derive something else from the events than the view shows.

        Only for custom games; ours are tested for it.
        """
        if not self.view.moves:
            raise self.rules.no_move(self.known, self.seat)
        learnt = {
            "phase": self.rules.phases[self.known.phase],
            "hand": ", ".join(self.rules.hand(self.known, self.seat)),
            "hand_sizes": ", ".join(str(size) for size in self.known.hand_size[: self.view.seats]),
            "moves": " ".join(move.text for move in self.moves()),
        }
        seen = {
            "phase": self.view.phase,
            "hand": ", ".join(self.view.hand),
            "hand_sizes": ", ".join(map(str, self.view.hand_sizes)),
            "moves": " ".join(self.view.moves),
        }
        for what, shown_there in seen.items():
            if learnt[what] != shown_there:
                raise BadGameError(
                    "own-game-learn",
                    game=self.view.game,
                    seat=self.seat,
                    event=self.view.history[-1].kind,
                    what=what,
                    learnt=learnt[what],
                    seen=shown_there,
                    method="learn, move_events",
                )

    def moves(self) -> list[Move]:
        """Return all moves of the seat, with the actions they consist of."""
        return self.rules.moves(self.known, self.seat)

    def tactical_move(self, generator: Generator) -> Move:
        """Return the move of the tactics here, as one move."""
        return self.finish_move((), generator)

    def finish_move(
        self, begun: tuple[int, ...], generator: Generator, tactics: Tactics | None = None
    ) -> Move:
        """Complete a move of which some actions are fixed; the tactics choose the rest."""
        tactics = tactics or self.tactics
        state, steps = self.known.copy(), list(begun)
        for step in begun:
            self.rules.play(state, self.seat, step)
        while len(steps) < self.rules.steps(self.known):
            steps.append(tactics.pick(state, self.seat, generator))
            self.rules.play(state, self.seat, steps[-1])
        return Move(self.rules.move_text(self.known, tuple(steps)), tuple(steps))

    def after(self, steps: tuple[int, ...]) -> State:
        """Return what the seat knows after these actions of its own."""
        state = self.known.copy()
        for step in steps:
            self.rules.play(state, self.seat, step)
        return state

    def trail(self) -> tuple[State, list[tuple[int, int]]] | None:
        """Return what the seat knew when the others began to play, and all plays since.

        None if more than playing cards has happened since: cards that were passed on, drawn or
        given away are not where they were at the start.
        """
        start: State | None = None
        before_choices: State | None = None
        trail: list[tuple[int, int]] = []
        for event, state in events_of_round(self.view):
            if type(event) in CHOOSING:
                before_choices = before_choices or state.copy()
            elif type(event) is ChoicesRevealed and before_choices and not start:
                trail = self.laid_openly(state, event)
                start = before_choices if trail else None
            elif type(event) is CardPlayed:
                start = start or state.copy()
                trail.append((event.seat, self.rules.known_steps(state, event.move)[0]))
            elif start is not None and not (event.follows or event.repeats):
                return None
        return (start, trail) if start else None

    def laid_openly(self, state: State, event: ChoicesRevealed) -> list[tuple[int, int]]:
        """Return the revealed choices, if they are cards that went from all hands to the table.

        Then they say something about the hands they came from.
        """
        after = state.copy()
        self.rules.learn(after, event)
        steps = [self.rules.known_steps(state, text) for text in event.choices]
        sizes = [state.hand_size[seat] - len(cards) for seat, cards in enumerate(steps)]
        if sizes != [after.hand_size[seat] for seat in range(self.rules.seats)]:
            return []
        return [(seat, move_of(PICK, card)) for seat, cards in enumerate(steps) for card in cards]

    @property
    def cards_left(self) -> int:
        """Return the card count of the seat with most cards, those set aside included."""
        seats = range(self.rules.seats)
        return max(self.known.hand_size[seat] + self.known.aside_size[seat] for seat in seats)

    def seed(self, seed: int) -> int:
        """Return the seed of this decision: it depends on the position, not on earlier decisions.

        So a bot that is rebuilt in the middle of a match continues as if it had always been there.
        """
        events = len([event for event in self.view.history if not event.repeats])
        place = (self.view.round * 4096 + events) * 8 + self.seat
        return (seed * ODD + place) % 2**63


def generator_for(position: Position, seed: int) -> Generator:
    """Return random numbers for one decision, of the kind the rules can use."""
    make = Generator if isinstance(position.rules, Game) else plain.Generator
    return make(position.seed(seed))
