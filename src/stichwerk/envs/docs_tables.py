"""The tables of docs/environments.md, made from the spaces themselves.

`python -m stichwerk.envs docs` writes them into the page, between marks that it finds there.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path

from stichwerk.envs import blocks
from stichwerk.envs.actions import KINDS, MEANINGS
from stichwerk.envs.spec import Spec
from stichwerk.games import registry

PAGE = "environments.md"
GAMES = tuple(info.name for info in registry.OUR_GAMES)


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)


def sizes() -> str:
    """Return how large the spaces of each game are."""
    specs = [Spec(name, seats) for name in GAMES for seats in registry.GAMES[name].seat_counts]
    rows = [(spec.game, spec.seats, spec.actions, spec.width) for spec in specs]
    return table(("game", "seats", "actions", "numbers in an observation"), rows)


def actions() -> str:
    """Return all kinds of actions, and their ids in the spaces of four seats."""
    specs = {name: Spec(name, 4) for name in GAMES}
    rows = []
    for kind, word in KINDS.items():
        places = []
        for spec in specs.values():
            found = [it for it in spec.kinds if it.kind == word]
            places.append(f"{found[0].first}-{found[0].first + found[0].size - 1}" if found else "")
        rows.append((f"`{word}`", MEANINGS[kind], *places))
    return table(("kind", "meaning", *specs), rows)


def observations() -> str:
    """Return all blocks, their shapes, and where they begin at four seats."""
    specs = {name: Spec(name, 4) for name in GAMES}
    rows = []
    for block in blocks.ALL.values():
        starts = [
            spec.layout[block.name].start if block.name in spec.layout else ""
            for spec in specs.values()
        ]
        rows.append((f"`{block.name}`", " × ".join(block.shape), block.meaning, *starts))
    return table(("block", "shape", "meaning", *specs), rows)


TABLES = {"sizes": sizes, "actions": actions, "observations": observations}


def written(page: str) -> str:
    """Return the page with its current tables."""
    for name, made in TABLES.items():
        begin, end = f"<!-- {name} -->\n", "<!-- end -->"
        before, mark, rest = page.partition(begin)
        assert mark, f"the marks of the table {name} are not in the page"
        page = before + begin + "\n" + made() + "\n\n" + end + rest.partition(end)[2]
    return page


def main(folder: str) -> None:
    """Rewrite the page in this folder."""
    page = Path(folder, PAGE)
    page.write_text(written(page.read_text("utf-8")), "utf-8")
