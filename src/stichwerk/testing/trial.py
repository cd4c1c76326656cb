"""One random match under test, and what is checked with every move of it."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple, NoReturn, TypeVar

from stichwerk.cards import VALUES_PER_COLOUR, card_code, card_text
from stichwerk.engine.constants import SEATS
from stichwerk.engine.events import Event, Move
from stichwerk.engine.frame import Game
from stichwerk.engine.generator import Generator
from stichwerk.engine.state import State
from stichwerk.match import Match, Setting
from stichwerk.testing.cards import cards_of, named

CLOSE_LOOKS = 12
"""About how many positions of a match, besides its first choices, get the expensive checks."""
HANDFUL = 48
"""How many moves are tried out at most; of more, as many are drawn."""
Thing = TypeVar("Thing")


class ConformanceError(AssertionError):
    """A game broke a requirement; the message says which, and where to find it."""


class MadeMove(NamedTuple):
    """A move that was made, whether it was a secret choice, and the events of the match."""

    seat: int
    move: Move
    secret: bool
    events: tuple[Event, ...]


class Trial:
    """One random match under test, and a separate state that follows it."""

    def __init__(self, game: Setting, seed: int) -> None:
        self.game = game
        self.rules: Game = game.rules
        self.seed = seed
        self.generator = Generator(seed)
        self.match = game.new(seed=seed)
        self.state = self.rules.new_state()
        self.log: list[list[MadeMove]] = []
        self.pending = 0
        self.glimpses = 0
        self.start_round()

    def start_round(self) -> None:
        """Deal the match's new round to our own state."""
        self.log.append([])
        self.pending = 0
        deal_to(self.state, self.match)

    @property
    def choosing(self) -> bool:
        """Whether secret choices are being made."""
        return self.rules.secret(self.state)

    @property
    def viewers(self) -> tuple[int | None, ...]:
        """Return a spectator and every seat."""
        return (None, *range(self.rules.seats))

    @property
    def other_world_viewers(self) -> tuple[int | None, ...]:
        """Return who is shown another world here: all in the first round; later, as replaying takes
        long, one after the other."""
        if len(self.log) == 1:
            return self.viewers
        return (self.viewers[self.glimpses % len(self.viewers)],)

    def looks_closely(self) -> bool:
        """Return whether to look closely: at every first choice and at a few random positions."""
        phase = self.rules.phases[self.state.phase]
        if phase != "play" and len(self.log) == 1 and (not self.log[0] or self.pick(4) == 0):
            return True
        plies = self.rules.seats * self.rules.hand_size * min(self.rules.most_rounds(), 16)
        return self.generator.number(max(1, plies // CLOSE_LOOKS)) == 0

    def pick(self, count: int) -> int:
        """Return a random number below `count`."""
        return self.generator.number(count)

    def some(self, things: Sequence[Thing]) -> Sequence[Thing]:
        """Return all of them, or of very many a random handful."""
        if len(things) <= HANDFUL:
            return things
        return [things[self.pick(len(things))] for _ in range(HANDFUL)]

    def advance(self) -> None:
        """Make a random move of a random seat that has to move, in the match and in our own
        state."""
        seat = self.match.waiting_for[self.pick(len(self.match.waiting_for))]
        move = self.random_move(seat)
        before, secret = self.state.copy(), self.choosing
        self.pending = self.pending + 1 if secret else 0
        if secret and self.rules.all_in(before, seat):
            self.pending = 0
        for step in move.steps:
            self.rules.play(self.state, seat, step)
        events = self.match.play(seat, move.text if self.pick(2) else move)
        self.log[-1].append(MadeMove(seat, move, secret, events))
        expected = tuple(self.rules.move_events(before, seat, move, self.state))
        if events[: len(expected)] != expected:
            self.broken(f"{move} emits {events}, the rules {expected}", seat)
        check_length(self)
        if self.state.owes == 0:
            check_round_end(self)
            if self.match.waiting_for:
                self.start_round()

    def is_hidden(self, number: int, at: int) -> bool:
        """Return whether a secret choice, by its round and ply, has not been shown to all yet."""
        if not self.log[number][at].secret:
            return False
        if self.rules.hidden_to_the_end:
            return not self.match.over
        return number == len(self.log) - 1 and at >= len(self.log[number]) - self.pending

    def random_move(self, seat: int) -> Move:
        """Return any listed move. With odd seeds usually one with a low card: zeros meet that way,
        which is otherwise rare."""
        listed = self.match.moves(seat)
        if self.seed % 2 and self.pick(4):
            return min(listed, key=lambda move: move.steps[-1] % VALUES_PER_COLOUR)
        return listed[self.pick(len(listed))]

    def broken(self, what: str, seat: int | None = None) -> NoReturn:
        """Raise an error that says what broke, and where."""
        who = "" if seat is None else f", seat {seat}"
        place = f"round {len(self.log)}, ply {len(self.log[-1])}{who}"
        raise ConformanceError(f"{self.game!r}, seed {self.seed}, {place}: {what}")

    def demand(self, holds: bool, what: str, seat: int | None = None) -> None:
        """Raise an error unless this holds."""
        if not holds:
            self.broken(what, seat)


def deal_to(state: State, match: Match) -> None:
    """Deal the newest round of a match to a separate state."""
    rules, deal = match.rules, match.rounds[-1].deal
    state.round = len(match.rounds)
    state.starter = deal.starter
    state.totals = [*match.totals, *[0] * (SEATS - rules.seats)]
    hands = [[card_code(card) for card in hand] for hand in deal.hands]
    rules.new_round(state, hands, [card_code(card) for card in deal.stock])
    rules.place_specials(state, dict(deal.specials))


def check_cards_conserved(trial: Trial, state: State, what: str = "the state") -> None:
    """Check that all cards of the deck are somewhere, each as often as there are copies, with right
    sizes."""
    if sorted(cards_of(state)) != sorted(trial.rules.deck.codes):
        found, deck = Counter(cards_of(state)), Counter(trial.rules.deck.codes)
        extra = [named(card) for card in (found - deck).elements()]
        missing = [card_text(card) for card in (deck - found).elements()]
        trial.broken(f"{what} has lost {missing} and gained {extra}")
    for seat in range(trial.rules.seats):
        held = len(trial.rules.hand(state, seat))
        size = state.hand_size[seat]
        trial.demand(held == size, f"{what} counts {size} cards in a hand of {held}", seat)


def check_length(trial: Trial) -> None:
    """Check that a match ends: no more rounds than the rules say, no more moves than cards and
    choices."""
    plies, rounds = len(trial.log[-1]), len(trial.log)
    most = 4 * (len(trial.rules.deck.codes) + trial.rules.seats)
    trial.demand(plies <= most, f"a round of more than {most} moves")
    trial.demand(rounds <= trial.rules.most_rounds(), f"round {rounds} is one too many")


def check_round_end(trial: Trial) -> None:
    """Check that our own state and the match agree on the points of the round, and that no card is
    lost."""
    check_cards_conserved(trial, trial.state, "the end of the round")
    points = tuple(trial.state.points[: trial.rules.seats])
    scores = trial.match.scores
    trial.demand(len(scores) == len(trial.log), f"{len(scores)} rounds are scored")
    trial.demand(scores[-1] == points, f"scores {scores[-1]}, the rules say {points}")
    sums = tuple(sum(column) for column in zip(*scores, strict=True))
    trial.demand(trial.match.totals == sums, f"totals {trial.match.totals} instead of {sums}")
