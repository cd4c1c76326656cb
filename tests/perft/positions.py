"""Fixed positions and what is counted from them; shared by `test_perft` and `tools.perft`.

A perft file holds, for one game and number of seats, lines of `seed depth nodes`. The deal is that
of round 1 of `stichwerk.game(…, starter=0).new(seed=seed)`. A line `after N` says how far the round
has gone from there on: N actions were made, each drawn by `Generator(seed)` from the listed ones;
of several seats that owe a choice the lowest goes first. A line `options …` names the options;
sheets are written `red_2+May`. `rules=2` is the version of the rules, 1 without it.
`nodes` is the number of different sequences of `depth` actions. An action is what the engine counts
as one step: at Null & nichtig every card to lay out is one.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import stichwerk
from stichwerk.cards import card_code
from stichwerk.engine.generator import Generator
from stichwerk.engine.state import State
from stichwerk.match import Setting

FOLDER = Path(__file__).parent


class Position(NamedTuple):
    """A place in a round that everyone can find again."""

    setting: Setting
    after: int
    seed: int

    @property
    def state(self) -> State:
        """The round there."""
        rules, state = self.setting.rules, self.setting.rules.new_state()
        deal = self.setting.new(seed=self.seed).rounds[0].deal
        state.round = 1
        state.starter = deal.starter
        hands = [[card_code(card) for card in hand] for hand in deal.hands]
        rules.new_round(state, hands, [card_code(card) for card in deal.stock])
        rules.place_specials(state, dict(deal.specials))
        generator = Generator(self.seed)
        for _ in range(self.after):
            actions = rules.actions(state, turn(state))
            rules.play(state, turn(state), actions[generator.number(len(actions))])
        return state


def turn(state: State) -> int:
    """Return the lowest seat that owes a move."""
    return (state.owes & -state.owes).bit_length() - 1


class Count(NamedTuple):
    """One line of a file."""

    position: Position
    depth: int
    nodes: int


def read(path: Path) -> Iterator[Count]:
    """Yield the lines of a perft file."""
    setting, after = setting_of(path, "starter=0"), 0
    for line in path.read_text("utf-8").splitlines():
        words = line.split()
        match words:
            case [] | ["#", *_]:
                continue
            case ["options", *options]:
                setting, after = setting_of(path, *options), 0
            case ["after", number]:
                after = int(number)
            case [seed, depth, nodes]:
                yield Count(Position(setting, after, int(seed)), int(depth), int(nodes))
            case _:
                raise ValueError(f"{path.name}: {line}")


def setting_of(path: Path, *options: str) -> Setting:
    """Return the setting: game and seats from the file's name, options from its text."""
    name, _, seats = path.stem.rpartition("-")
    given: dict[str, str | int | list[str]] = {}
    for option in options:
        key, _, value = option.partition("=")
        if key == "sheets":
            given[key] = value.replace("_", " ").split("+")
        else:
            given[key] = int(value) if value.isdecimal() else value
    version = given.pop("rules", 1)
    assert isinstance(version, int)
    return stichwerk.game(name, seats=int(seats), rules=version, **given)


def divide(position: Position, depth: int) -> str:
    """Return the count of each first action, to find where two engines differ."""
    rules, state = position.setting.rules, position.state
    lines = []
    for action in rules.actions(state, turn(state)):
        after = state.copy()
        rules.play(after, turn(state), action)
        lines.append(f"{action_text(position, state, action)} {rules.perft(after, depth - 1)}")
    return "\n".join(lines)


def action_text(position: Position, state: State, action: int) -> str:
    """Return an action in words, where it is a whole move; else its number."""
    rules = position.setting.rules
    return rules.move_text(state, (action,)) if rules.steps(state) == 1 else str(action)


def listed(position: Position) -> str:
    """Return the moves that are listed at this position, in their order."""
    state = position.state
    return " ".join(move.text for move in position.setting.rules.moves(state, turn(state)))
