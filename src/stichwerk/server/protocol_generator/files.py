"""The generated files: write them, or check that they are up to date."""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from stichwerk.server.http.game_catalogue import our_games
from stichwerk.server.protocol_generator.markdown import page
from stichwerk.server.protocol_generator.openapi import openapi
from stichwerk.server.protocol_generator.paths import COMMAND, GAMES, OPENAPI, PAGE, TYPES
from stichwerk.server.protocol_generator.typescript import typescript


def made() -> dict[str, str]:
    """Return the contents of the files by path."""
    document = json.dumps(openapi(), indent=2, ensure_ascii=False) + "\n"
    return {PAGE: page(), OPENAPI: document, TYPES: typescript(), GAMES: our_games()}


def checkout() -> Path | None:
    """Return the folder of the repository, if this module runs from one."""
    root = Path(__file__).resolve().parents[4]
    here = root / "src" / "stichwerk" / "server" / Path(__file__).parent.name
    return root if here.exists() and (root / "pyproject.toml").is_file() else None


def stale(root: Path) -> list[str]:
    """Return the files that are out of date."""
    return [name for name, text in made().items() if read(root / name) != text]


def read(path: Path) -> str | None:
    """Return the content of a file, if it exists."""
    return path.read_text("utf-8") if path.is_file() else None


def write(root: Path) -> None:
    """Write all files."""
    for name, text in made().items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, "utf-8", newline="\n")


def main(given: Sequence[str] | None = None) -> int:
    """Write the files, or list those that are out of date."""
    parser = argparse.ArgumentParser(prog=COMMAND, description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--check", action="store_true", help="write nothing, tell what is stale")
    arguments = parser.parse_args(given)
    root = checkout()
    if root is None:
        print("This writes into a checkout of the repository, and runs in none.", file=sys.stderr)
        return 2
    if not arguments.check:
        write(root)
        return 0
    old = stale(root)
    for name in old:
        print(f"stale: {name} ({COMMAND})", file=sys.stderr)
    return 1 if old else 0
