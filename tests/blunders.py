"""Known blunders: positions that a strong bot must get right, whatever the others hold.

A case names what the seat sees. Everything else is drawn from a fixed seed: the hidden cards, the
seat's own earlier cards, and a history in which all others play by the tactics of the game.

    python -m tests.blunders expert net master     # how many of 20 each bot gets right
"""

import sys
from collections import Counter
from random import Random

import msgspec

import stichwerk
from stichwerk import bots
from stichwerk.bots.tactics import tactics_of
from stichwerk.cards import card_code, card_text
from stichwerk.engine.codes import card_of, half_slot
from stichwerk.engine.constants import CHOOSE
from stichwerk.engine.generator import Generator
from stichwerk.engine.state import State
from stichwerk.match import Match, Setting
from stichwerk.view import View

COMPLETIONS = 20
SEATS = 4
ATTEMPTS = 20_000  # most histories do not lead to the position


class KnownBlunder(msgspec.Struct, frozen=True, kw_only=True):
    """A position: the seat's cards, those it has chosen before the play, and the cards that lie in
    the trick. `right` and `wrong` are moves; one of them is empty."""

    game: str
    hand: tuple[str, ...]
    lying: tuple[str, ...]
    right: tuple[str, ...] = ()
    wrong: tuple[str, ...] = ()
    chosen: tuple[str, ...] = ()
    chosen_colour: str = ""
    """Instead of a chosen card: any card of this colour."""

    @property
    def seat(self) -> int:
        """The seat to move, if seat 0 leads."""
        return len(self.lying)

    def solved_by(self, move: str) -> bool:
        """Return whether this move is right."""
        return move in self.right if self.right else move not in self.wrong


CASES = {
    "null-nichtig": KnownBlunder(
        game="null-nichtig",
        hand=("R0", "Y0", "Y1", "G1", "G2", "B0", "B3", "L0", "L5", "L10"),
        chosen=("Y7", "B4", "L8"),
        lying=("G8", "R9"),
        right=("L10",),
    ),
    "sticheln": KnownBlunder(
        game="sticheln",
        hand=("R8", "Y6", "G7", "G9", "B7", "B8", "L9"),
        chosen_colour="G",
        lying=("G6",),
        wrong=("Y6",),
    ),
    "stichtag": KnownBlunder(
        game="stichtag", hand=("G4", "G9", "S3", "S9"), lying=("G6", "G3"), right=("G9",)
    ),
}


def completion(case: KnownBlunder, number: int) -> View:
    """Return the position with hidden cards and a history drawn to fit."""
    random = Random(f"{case.game} {number}")
    setting = stichwerk.game(case.game, seats=SEATS)
    for _ in range(ATTEMPTS):
        attempt = Attempt(case, setting, random)
        if attempt.reaches():
            return attempt.view()
    raise AssertionError(f"no history leads to {case}")


class Attempt:
    """A deal for a case, played until its trick comes, if it comes."""

    def __init__(self, case: KnownBlunder, setting: Setting, random: Random) -> None:
        self.case, self.setting, self.random = case, setting, random
        self.rules = setting.rules
        self.tactics = tactics_of(self.rules)
        self.generator = Generator(random.randrange(1 << 32))
        self.moves: list[tuple[int, str]] = []
        self.lying = [card_code(card) for card in case.lying]
        self.starter = 0
        self.deal()

    def deal(self) -> None:
        """Deal the cards that are given, and the rest at random."""
        free = Counter(map(card_text, self.rules.deck.codes))
        given = [[card] for card in self.case.lying] + [[] for _ in range(SEATS)]
        given[self.case.seat] = [*self.case.hand, *self.case.chosen]
        free.subtract(card for hand in given for card in hand)
        rest = sorted(free.elements())
        self.random.shuffle(rest)
        self.choice = self.chosen_from(rest)
        given[self.case.seat] += self.choice[len(self.case.chosen) :]
        for hand in given[:SEATS]:
            while len(hand) < self.rules.hand_size:
                hand.append(rest.pop())
        self.hands, self.stock = given[:SEATS], rest
        kept = Counter(self.case.hand)
        self.spare = Counter(self.hands[self.case.seat]) - kept - Counter(self.choice)
        if self.spare:
            self.starter = self.random.randrange(SEATS)

    def chosen_from(self, rest: list[str]) -> list[str]:
        """Return what the seat chooses before the play; a drawn card leaves the rest."""
        if not self.case.chosen_colour:
            return list(self.case.chosen)
        card = next(card for card in rest if card[0] == self.case.chosen_colour)
        rest.remove(card)
        return [card]

    def reaches(self) -> bool:
        """Play until the cards of the case lie on the table, and nothing else; note the moves."""
        state = self.rules.new_state()
        state.round, state.starter = 1, self.starter
        codes = [[card_code(card) for card in hand] for hand in self.hands]
        self.rules.new_round(state, codes, [card_code(card) for card in self.stock])
        left = len(self.case.hand)
        while state.phase == CHOOSE or state.hand_size[self.case.seat] > left:
            if not self.moved(state):
                return False
        return self.lies_down(state)

    def lies_down(self, state: State) -> bool:
        """Finish the trick, then play the cards of the case; return whether that works."""
        while state.trick_size[0]:
            if not self.moved(state):
                return False
        for seat, card in enumerate(self.lying):
            if not state.owes & 1 << seat:
                return False
            steps = [one for one in self.rules.actions(state, seat) if card_of(one) == card]
            if not steps:
                return False
            self.play(state, seat, (steps[0],))
        return True

    def moved(self, state: State) -> bool:
        """Make the next move; return whether the position can still be reached."""
        seat = (state.owes & -state.owes).bit_length() - 1
        if seat != self.case.seat:
            steps = self.tactical(state, seat)
            return steps is not None and self.play(state, seat, steps)
        if state.phase == CHOOSE and self.choice:
            return self.play(state, seat, self.choosing(state))
        step = self.own_card(state)
        return step is not None and self.play(state, seat, (step,))

    def tactical(self, state: State, seat: int) -> tuple[int, ...] | None:
        """Return the actions of a move by tactics, as if the seat did not hold the card that it
        will play in the trick of the case; None if it must play that."""
        trial, steps = state.copy(), list[int]()
        if seat < len(self.lying):
            hands, card = list(trial.hands), self.lying[seat]
            hands[half_slot(seat, card >> 6)] &= ~(1 << (card & 63))
            trial.hands = hands
        for _ in range(self.rules.steps(state)):
            steps.append(self.tactics.pick(trial, seat, self.generator))
            self.rules.play(trial, seat, steps[-1])
        return tuple(steps) if steps[0] in self.rules.actions(state, seat) else None

    def choosing(self, state: State) -> tuple[int, ...]:
        """Return the given choice as actions."""
        wanted = ",".join(self.choice)
        moves = self.rules.moves(state, self.case.seat)
        return next(move.steps for move in moves if move.text == wanted)

    def own_card(self, state: State) -> int | None:
        """Return a card that the seat can do without: that of the tactics if possible."""
        seat = self.case.seat
        actions = self.rules.actions(state, seat)
        possible = [one for one in actions if self.spare[card_text(card_of(one))] > 0]
        if not possible:
            return None
        tactical = self.tactics.pick(state, seat, self.generator)
        chosen = tactical if tactical in possible else self.random.choice(possible)
        self.spare[card_text(card_of(chosen))] -= 1
        return chosen

    def play(self, state: State, seat: int, steps: tuple[int, ...]) -> bool:
        """Make and note a move."""
        self.moves.append((seat, self.rules.move_text(state, steps)))
        for step in steps:
            self.rules.play(state, seat, step)
        return True

    def view(self) -> View:
        """Return what the seat sees, after a match in which all this happens."""
        deal = {"starter": self.starter, "hands": self.hands, "stock": self.stock}
        match: Match = self.setting.new(deals=[deal])
        for seat, move in self.moves:
            match.play(seat, move)
        view = match.view(self.case.seat)
        assert sorted(view.hand) == sorted(self.case.hand)
        return view


def right_of(name: str, case: KnownBlunder, completions: int = COMPLETIONS) -> Counter[str]:
    """Return how often a bot makes which move, a bot anew for each completion."""
    return Counter(
        bots.build(name, number).choose(completion(case, number)) for number in range(completions)
    )


def main(names: list[str]) -> None:
    """Print how many completions each bot solves, and its moves."""
    for key, case in CASES.items():
        for name in names:
            made = right_of(name, case)
            solved = sum(count for move, count in made.items() if case.solved_by(move))
            listed = ", ".join(f"{move} {count}" for move, count in made.most_common())
            print(f"{key:13} {name:12} {solved:2} of {COMPLETIONS}: {listed}")


if __name__ == "__main__":
    main(sys.argv[1:])
