"""Rewrite the perft files and the move lists: `python -m tools.perft`.

Only after a rule was changed on purpose: check the changes before you commit them.
"""

from stichwerk.match import Setting
from tests.perft.positions import FOLDER, Position, listed, setting_of, turn
from tests.strategies import tables

SEEDS = (1, 2, 3)
MOST_NODES = 20_000

CALENDAR = (
    *("date=02-11", "date=02-38", "date=03-07", "date=04-22", "date=08-18", "date=08-32"),
    *("date=09-14", "date=12-26", "sheets=red_1", "sheets=red_2+May", "sheets=red_7+July"),
)
"""Days with much to list: every kind of move is among them."""

CHANGED = (
    *("sheets=red_0", "sheets=red_9+October", "date=04-20", "date=02-20", "date=10-29"),
    *("date=07-09", "date=08-30"),
)
"""Days that version 2 of the rules has changed."""

HEADER = """# {game}, {seats} seats: seed depth nodes. How a seed becomes a position: positions.py
"""


def variants(name: str) -> list[str]:
    """Return the options that change how a round is played."""
    special = {
        "stichling": ["discard=card", "discard=hand"],
        "sticheln": ["all_zero=nobody", "all_zero=leader"],
        "stichtag": ["", *CALENDAR, *(f"rules=2 {day}" for day in CHANGED)],
        "null-nichtig": ["", "rules=2 collect=clockwise", "rules=2 collect=played"],
    }
    return [f"starter=0 {option}".strip() for option in special.get(name, [""])]


def stages(name: str, options: str, seats: int) -> list[int]:
    """Return states at the deal, the first lead, the middle of the round and near its end."""
    setting = setting_of(FOLDER / f"{name}-{seats}.txt", *options.split())
    if "date" in options or "sheets" in options:
        return [0, seats + 1, 3 * seats + 2, shortest(setting) - 4]
    plays = setting.rules.hand_size * seats
    state = Position(setting, 0, 1).state
    choices = 0
    while setting.rules.phases[state.phase] != "play":
        setting.rules.play(state, turn(state), setting.rules.actions(state, turn(state))[0])
        choices += 1
    laid = setting.rules.hand_size * seats - sum(state.hand_size[:seats])
    left = plays - laid
    start = [0] if choices else []
    return [*start, choices, choices + left // 2, choices + left - seats * 2 - 1]


def shortest(setting: Setting) -> int:
    """Return after how many actions the first of the rounds is over: some days have short ones."""
    found = []
    for seed in SEEDS:
        after = 0
        while Position(setting, after, seed).state.owes:
            after += 1
        found.append(after)
    return min(found)


def counts(position: Position) -> list[str]:
    """Return lines of increasing depth, as long as counting stays quick."""
    lines: list[str] = []
    for depth in range(1, 8):
        nodes = position.setting.rules.perft(position.state, depth)
        if nodes > MOST_NODES and lines:
            break
        lines.append(f"{position.seed} {depth} {nodes}")
    return lines


def write(name: str, seats: int) -> None:
    """Write the files of one game and number of seats."""
    path = FOLDER / f"{name}-{seats}.txt"
    nodes = HEADER.format(game=name, seats=seats).splitlines()
    moves = [f"# {name}, {seats} seats: what is listed, in order. Positions as in {path.name}"]
    for options in variants(name):
        setting = setting_of(path, *options.split())
        for text in (nodes, moves):
            text += ["", f"options {options}"]
        for after in stages(name, options, seats):
            nodes.append(f"after {after}")
            moves.append(f"after {after}")
            for seed in SEEDS:
                position = Position(setting, after, seed)
                nodes += counts(position)
                moves.append(f"{seed} {listed(position)}")
    path.write_text("\n".join(nodes) + "\n", "utf-8")
    path.with_suffix(".moves").write_text("\n".join(moves) + "\n", "utf-8")


def main() -> None:
    """Write the files of every game and number of seats."""
    for game, seats in tables():
        write(game, seats)


if __name__ == "__main__":
    main()
