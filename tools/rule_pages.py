"""Link the rules of every game from the documentation: `python -m tools.rule_pages`.

Writes the links in `docs/rules/`, the table in `docs/rules/README.md`, and the lines of
`mkdocs.yml` that name the pages, all from the registry of games.
"""

import re
from collections.abc import Iterable
from pathlib import Path

from stichwerk.games import registry
from stichwerk.games.info import GameDescription
from stichwerk.locale import LANGUAGES, text

ROOT = Path(__file__).parents[1]
SOURCE = "../../src/stichwerk/locale/rules"
TABLE = re.compile(r"(?<=\|---\|---\|---\|---\|---\|\n)(?:\|.*\n)+")


def title(info: GameDescription) -> str:
    """Return the title of a game."""
    return text(f"game-{info.name}", "en")


def table_row(info: GameDescription) -> str:
    """Return the line of a game in the table."""
    links = " | ".join(
        f"[{word}]({info.name}.{lang}.md)" for word, lang in (("Regeln", "de"), ("rules", "en"))
    )
    counts = registry.kind(info.name).seat_counts
    seats = f"{counts[0]} – {counts[-1]}"
    return f"| {title(info)} | {seats} | {', '.join(info.authors)} | {links} |\n"


def nav_line(info: GameDescription, lang: str) -> str:
    """Return what `mkdocs.yml` says about a page."""
    return f"- {title(info)}: rules/{info.name}.{lang}.md\n"


def with_nav(settings: str, infos: Iterable[GameDescription]) -> str:
    """Return `mkdocs.yml` with a line for each game, in both languages, where such lines are."""
    for lang in LANGUAGES:
        lines = re.compile(rf"(?:( +)- [^\n]*: rules/[a-z-]+\.{lang}\.md\n)+")
        found = lines.search(settings)
        if found is None:
            raise ValueError(f"mkdocs.yml names no rules in {lang}")
        written = "".join(found[1] + nav_line(info, lang) for info in infos)
        settings = settings[: found.start()] + written + settings[found.end() :]
    return settings


def write(root: Path, infos: Iterable[GameDescription]) -> None:
    """Write links, table and navigation into this copy of the repository."""
    infos = list(infos)
    folder = root / "docs" / "rules"
    for name in (f"{info.name}.{lang}.md" for info in infos for lang in LANGUAGES):
        if not (folder / name).is_symlink():
            (folder / name).symlink_to(f"{SOURCE}/{name}")
    page, settings = folder / "README.md", root / "mkdocs.yml"
    rows = "".join(map(table_row, infos))
    page.write_text(TABLE.sub(lambda _: rows, page.read_text("utf-8")), "utf-8")
    settings.write_text(with_nav(settings.read_text("utf-8"), infos), "utf-8")


if __name__ == "__main__":
    write(ROOT, registry.OUR_GAMES)
