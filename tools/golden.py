"""Add golden records for settings that have none: `python -m tools.golden`.

Existing records stay: a golden record that fails is a broken promise, not an old file. Only
delete one first if the format was changed on purpose.
"""

from pathlib import Path

from stichwerk.engine.events import Move
from stichwerk.engine.generator import Generator
from stichwerk.match import Match, Setting
from stichwerk.record import decode, encode, record
from tests.strategies import all_settings, setting_id

FOLDER = Path(__file__).parents[1] / "tests/golden"


def path_of(setting: Setting) -> Path:
    """Return one file for each game and number of seats."""
    return FOLDER / f"{setting.name}-{setting.seats}.jsonl"


def recorded() -> set[str]:
    """Return the settings that have a golden record."""
    lines = [line for path in FOLDER.glob("*.jsonl") for line in path.read_bytes().splitlines()]
    records = [decode(line) for line in lines]
    return {
        setting_id(Setting(record.game, record.seats, record.options, record.rules))
        for record in records
    }


def missing() -> list[Setting]:
    """Return the settings that have none."""
    known = recorded()
    return [setting for setting in all_settings() if setting_id(setting) not in known]


def play(setting: Setting, seed: int) -> Match:
    """Play a random match in which low cards usually go first, so that zeros meet."""
    match, generator = setting.new(seed=seed), Generator(seed)
    while match.waiting_for:
        seat = match.waiting_for[generator.number(len(match.waiting_for))]
        listed = match.moves(seat)
        move = listed[generator.number(len(listed))]
        if len(match.waiting_for) == 1 and generator.number(4):
            move = min(listed, key=value)
        match.play(seat, move)
    return match


def value(move: Move) -> int:
    """Return the value of a move's card."""
    return move.steps[-1] % 16


def worth_keeping(match: Match) -> bool:
    """Require a trick of zeros for Sticheln's option about who gets one."""
    if match.rules.name != "sticheln":
        return True
    tricks = [event.cards for event in match.events if event.kind == "trick"]
    return any(all(card[1:] == "0" for card in cards) for cards in tricks)


def golden(setting: Setting) -> Match:
    """Play a match that shows what its setting is about, or any match if none is found."""
    for seed in range(1, 400):
        match = play(setting, seed)
        if worth_keeping(match):
            return match
    return play(setting, 1)


def main() -> None:
    """Append a record for each setting without one."""
    for setting in missing():
        with path_of(setting).open("ab") as file:
            file.write(encode(record(golden(setting))) + b"\n")


if __name__ == "__main__":
    main()
