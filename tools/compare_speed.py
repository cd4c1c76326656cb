"""Compare the speed of two checkouts: `python -m tools.compare_speed BASE NEW`.

Both are measured in turn, best of seven, each by its own `.venv` and in processor time: a noisy
machine then slows both alike. Every game must keep 0.97 of its rate, and all 480 days of Stichtag's
calendar together must reach 0.85 of the base game.
"""

import json
import subprocess
import sys
from pathlib import Path

SAMPLES = 7
GAME_GOAL = 0.97
DAYS_GOAL = 0.85
DAYS = "stichtag, all days"
MEASURE = """
import json, time
from stichwerk.games import registry
from stichwerk.games.stichtag.calendar import all_dates

def rate(settings, rounds):
    moves, seconds = 0, 0.0
    for rules in settings:
        begin = time.process_time()
        moves += rules.random_rounds(rounds, 1)
        seconds += time.process_time() - begin
    return moves / seconds

def rules(game, **options):
    import stichwerk
    return stichwerk.game(game, 4, **options).rules

rates = {game: rate([rules(game)], 20_000) for game in registry.GAMES}
rates["stichtag, all days"] = rate([rules("stichtag", date=date) for date in all_dates()], 60)
print(json.dumps(rates))
"""

Rates = dict[str, float]


def measured(checkout: Path) -> Rates:
    """Return the moves per second of each game in one checkout, played at random."""
    command = [str(checkout / ".venv/bin/python"), "-c", MEASURE]
    done = subprocess.run(command, cwd=checkout, capture_output=True, text=True, check=True)
    rates: Rates = json.loads(done.stdout)
    return rates


def best(samples: list[Rates]) -> Rates:
    """Return the best rate of each game."""
    return {name: max(sample[name] for sample in samples) for name in samples[0]}


def main(base: Path, new: Path) -> int:
    """Measure, print the ratios, and return whether the goals are met as exit code."""
    samples: dict[Path, list[Rates]] = {base: [], new: []}
    for _ in range(SAMPLES):
        for checkout, taken in samples.items():
            taken.append(measured(checkout))
    before, after = best(samples[base]), best(samples[new])
    met = True
    for name, rate in after.items():
        if name not in before:
            continue  # a new game
        ratio = rate / before[name]
        fine = name == DAYS or ratio >= GAME_GOAL
        met = met and fine
        mark = "" if fine else " (too slow)"
        print(f"{name:20} {rate / 1e6:6.2f} million moves a second, {ratio:.3f} x{mark}")
    days = after[DAYS] / after["stichtag"]
    was = before[DAYS] / before["stichtag"]
    print(f"all days beside the base game: {days:.3f}, was {was:.3f} (goal {DAYS_GOAL})")
    met = met and days >= DAYS_GOAL
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()))
