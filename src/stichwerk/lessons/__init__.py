"""Lessons and examples for people: short scripts, played by the real rules.

A script (`scripts/GAME.toml`) names cards, moves and words. What is on the table, what is legal,
what each move would do and why a card cannot be played comes from the rules, not from the script.
`python -m stichwerk.lessons` plays all scripts and writes what the page shows; a test compares the
files. So a lesson cannot contradict the rules.
"""

from stichwerk.lessons.pages import PAGES, page
from stichwerk.lessons.script import GAMES, Script, read

__all__ = ["GAMES", "PAGES", "Script", "page", "read"]
