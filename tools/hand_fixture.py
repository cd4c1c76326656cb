"""Write rounds for a test of the page's deal check: `python -m tools.hand_fixture`.

Each moment has the facts of a step as seat 0 receives it, with the hand and the secrets that its
view shows then. The page must find nothing wrong with any of them (`check.test.ts`).
"""

import json
from pathlib import Path
from random import Random
from typing import Any

import msgspec

import stichwerk
from stichwerk.match import SeededDeals
from stichwerk.server.tables.running_match import RunningMatch

NAMES = ("Ada", "Ben", "Cleo", "Dan")
FILE = Path(__file__).parents[1] / "frontend/src/deal/fixtures/hands.json"
# Days on which cards are chosen secretly, passed on, set aside, discarded and drawn.
DATES = ("02-08", "02-15", "01-01", "08-03", "06-09", "12-05")
CASES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("sticheln", {"rounds": 1}),
    ("null-nichtig", {}),
    ("stichling", {}),
    *[("stichtag", {"date": date}) for date in DATES],
)


def main() -> None:
    """Write all rounds."""
    FILE.write_text(text())


def text() -> str:
    """Return the content of the file."""
    cases = [json.dumps(played(*case), separators=(",", ":")) for case in CASES]
    return "[\n" + ",\n".join(cases) + "\n]\n"


def played(game: str, options: dict[str, Any]) -> dict[str, Any]:
    """Return the first round of a match, as seat 0 receives it."""
    setting = stichwerk.game(game, **options)
    running = RunningMatch("m", setting, SeededDeals(setting, 5), NAMES, None)
    rng = Random(5)
    moments = [moment(running, 0)]
    while running.match.waiting_for:
        known = len(running.match.events)
        seat = rng.choice(running.match.waiting_for)
        running.play(seat, rng.choice(running.match.moves(seat)).text, "")
        if running.match.scores:
            break
        moments.append(moment(running, known))
    return {"game": game, "options": options, "moments": moments}


def moment(running: RunningMatch, known: int) -> dict[str, Any]:
    """Return the last step and what the view shows after it."""
    events = tuple(event for event in running.match.events[known:] if event.visible(0))
    view = running.match.view(0)
    found: dict[str, Any] = msgspec.to_builtins(
        {
            "events": events,
            "change": running.hand_changes()[0],
            "hand": " ".join(view.hand),
            "mine": view.mine,
        }
    )
    return found


if __name__ == "__main__":
    main()
