"""A match played one engine step at a time, that can be copied and viewed by each seat.

`Match` takes whole moves and keeps a record; searches and environments take single steps and copy
a thousand times. What the seats have seen is put into events only when someone asks for a view.
"""

from typing import Any

from stichwerk.cards import card_code
from stichwerk.engine.constants import SEATS
from stichwerk.engine.copying import fitted
from stichwerk.engine.events import CardsPassed, Event, HandDealt, Move, RoundScored, RoundStarted
from stichwerk.engine.generator import Generator
from stichwerk.engine.state import State
from stichwerk.envs.batch import placed, worth
from stichwerk.fairness import Deal
from stichwerk.match import Setting
from stichwerk.view import Standing, View, assemble, public_facts, sample, totals

Scores = tuple[tuple[int, ...], ...]


class EpisodeState:
    """One episode, a round or a match: the true state, and the events so far."""

    def __init__(self, setting: Setting, episode: str) -> None:
        self.setting = setting
        self.rules = setting.rules
        self.episode = episode
        self.state = self.rules.new_state()
        self.scores: Scores = ()
        self.ranking: tuple[tuple[int, ...], ...] | None = None
        self.dealing = True
        fixed = setting.options["starter"]
        self.starter = fixed if isinstance(fixed, int) else None
        # Steps without an event yet, made after `visible_state`. Copies of this episode
        # share that state, so it is never changed.
        self.events: tuple[Event, ...] = ()
        self.open_history: dict[str, object] = {}
        self.visible_state = self.state
        self.steps: list[tuple[int, int]] = []

    # -- Asking ------------------------------------------------------------------------------------

    @property
    def over(self) -> bool:
        """Whether the episode is over."""
        return self.ranking is not None

    @property
    def asked(self) -> int:
        """The seat to act; where several owe a secret choice, the lowest first."""
        owes = self.state.owes
        return (owes & -owes).bit_length() - 1

    @property
    def actions(self) -> list[int]:
        """Return the legal actions of the seat to act, as the engine's numbers."""
        return self.rules.actions(self.state, self.asked)

    @property
    def rewards(self) -> list[float]:
        """Return what the episode gives each seat, once it is over, like a batch."""
        seats = self.rules.seats
        if self.ranking is None:
            return [0.0] * seats
        if self.episode == "match":
            return placed(self.ranking, seats)
        worths = worth(self.rules)
        points = self.scores[-1]
        return [
            float(sum(worths[SEATS * seat + other] * points[other] for other in range(seats)))
            for seat in range(seats)
        ]

    @property
    def cards_were_passed(self) -> bool:
        """Return whether seats know of cards in other hands, because they passed them this
        round."""
        if "pass" not in self.rules.phases:
            return False
        self.tell()
        for event in reversed(self.events):
            if isinstance(event, CardsPassed | RoundStarted):
                return isinstance(event, CardsPassed)
        return False

    @property
    def unfinished(self) -> tuple[int, ...]:
        """Return the steps of an incomplete move; only its seat may know them."""
        self.tell()
        return tuple(action for _, action in self.steps)

    def view(self, seat: int | None) -> View:
        """Return what this seat has seen, before the move it may be in the middle of."""
        self.tell()
        return assemble(self.rules, self.visible_state, seat, self.standing, self.seen(seat))

    def seen(self, seat: int | None) -> tuple[Event, ...]:
        """Return every event this seat may know."""
        self.tell()
        return tuple(event for event in self.events if event.visible(seat))

    def memory(self, seat: int) -> View:
        """Return a view as `sample` needs it, without the moves, which take time."""
        seen = self.seen(seat)
        facts = public_facts(self.rules, self.visible_state, self.standing)
        return View(seat=seat, hand=(), mine={}, moves=(), history=seen, **facts)

    @property
    def standing(self) -> Standing:
        """Return what is public about the match around its current round."""
        return Standing(
            options=self.setting.options,
            names=tuple(str(number) for number in range(self.rules.seats)),
            stock=self.visible_state.stock_size,
            scores=self.scores,
            ranking=self.ranking,
            history=self.open_history,
        )

    # -- Playing -----------------------------------------------------------------------------------

    def begin(self, deal: Deal) -> None:
        """Start the next round with these cards, unchecked."""
        self.starter = deal.starter
        self.dealing = False
        state = self.state
        state.round = len(self.scores) + 1
        state.starter = deal.starter
        state.totals = [*totals(self.rules.seats, self.scores), *[0] * (SEATS - self.rules.seats)]
        hands = [[card_code(card) for card in hand] for hand in deal.hands]
        self.rules.new_round(state, hands, [card_code(card) for card in deal.stock])
        self.rules.place_specials(state, dict(deal.specials))
        self.open_history = self.rules.open_history_at_deal(self.open_history)
        self.visible_state = state.copy()
        self.events += (
            RoundStarted(state.round, deal.starter, len(deal.stock)),
            *(
                HandDealt(seat, tuple(sorted(hand, key=card_code)), to=(seat,))
                for seat, hand in enumerate(deal.hands)
            ),
            *self.rules.opening_events(state),
        )

    def play(self, action: int) -> None:
        """Make a step for the seat to act; it is assumed to be legal."""
        seat = self.asked
        self.rules.play(self.state, seat, action)
        self.steps.append((seat, action))
        if self.state.owes == 0:
            self._finish_round()

    def play_move(self, text: str) -> None:
        """Make a whole move, listed in its view, for the seat to act."""
        move = self.rules.judge(self.state, self.asked, text)
        if not isinstance(move, Move):
            raise ValueError(f"{text}: {move}")  # a bot played a move that its view does not list
        for step in move.steps:
            self.play(step)

    def _finish_round(self) -> None:
        self.tell()
        self.scores += (tuple(self.state.points[: self.rules.seats]),)
        sums = totals(self.rules.seats, self.scores)
        self.events += (RoundScored(self.scores[-1], sums),)
        if self.episode == "round" or self.rules.match_over(self.scores):
            self.ranking = tuple(tuple(group) for group in self.rules.ranking(self.scores))
        else:
            self.dealing = True
            self.starter = self.rules.next_starter(self.state.starter, self.scores)

    # -- What was seen -----------------------------------------------------------------------------

    def tell(self) -> None:
        """Put all complete moves into events."""
        state = self.visible_state
        at = 0
        while at < len(self.steps):
            end = at + self.rules.steps(state)
            if end > len(self.steps):
                break
            move = tuple(action for _, action in self.steps[at:end])
            state = self._announce_move(state, self.steps[at][0], move)
            at = end
        self.visible_state = state
        del self.steps[:at]

    def _announce_move(self, before: State, seat: int, steps: tuple[int, ...]) -> State:
        """Return the state after a move, once its events are written."""
        after = before.copy()
        for step in steps:
            self.rules.play(after, seat, step)
        move = Move(self.rules.move_text(before, steps), steps)
        self.events += tuple(self.rules.move_events(before, seat, move, after))
        self.open_history = self.rules.open_history_after(
            self.open_history, before, seat, move, after
        )
        return after

    # -- Copies ------------------------------------------------------------------------------------

    def copy(self) -> "EpisodeState":
        """Return an independent copy; what never changes is shared."""
        twin = EpisodeState.__new__(EpisodeState)
        twin.__dict__.update(self.__dict__)
        twin.state = self.state.copy()
        twin.steps = self.steps.copy()
        return twin

    def __copy__(self) -> "EpisodeState":
        return self.copy()

    def __deepcopy__(self, memo: object) -> "EpisodeState":
        return self.copy()

    def __setstate__(self, kept: dict[str, Any]) -> None:
        vars(self).update(kept)
        self.state = fitted(self.state, self.rules)
        self.visible_state = fitted(self.visible_state, self.rules)

    def resampled(self, seat: int, generator: Generator) -> "EpisodeState":
        """Return the same match with other secrets, as far as this seat can tell: its own events
        stay, those that only others have seen are dropped."""
        view = self.memory(seat)
        twin = self.copy()
        twin.events = view.history
        twin.visible_state = sample(view, generator)
        twin.state = twin.visible_state.copy()
        twin.steps = []
        for who, action in self.steps:
            if who != seat:
                listed = twin.actions
                action = listed[generator.number(len(listed))]
            twin.play(action)
        return twin
