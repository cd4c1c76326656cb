"""A bot as a separate program, using only the standard library: it plays its lowest card.

stichwerk simulate sticheln --bots "program:python3 docs/examples/program_bot.py,random"
"""

import json
import re
import sys


def first_number(move: str) -> int:
    """Return the value of the card in `G8`, `G8>2` or `G3+G4`; moves without a number come last."""
    return int((re.findall(r"\d+", move) or ["99"])[0])


for line in sys.stdin:
    message = json.loads(line)
    if message["kind"] == "choose":
        move = min(message["view"]["moves"], key=first_number)
        print(json.dumps({"id": message["id"], "move": move}), flush=True)
