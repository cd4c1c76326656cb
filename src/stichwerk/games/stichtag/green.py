"""The four green sheets: the goal. The tens digit of the date chooses one.

Custom sheets import them from here.
"""

from stichwerk.games.stichtag.sheet import Goal
from stichwerk.games.stichtag.sheets.green_0 import Green0
from stichwerk.games.stichtag.sheets.green_1 import Green1
from stichwerk.games.stichtag.sheets.green_2 import Green2
from stichwerk.games.stichtag.sheets.green_3 import Green3

PASSES_COMPILED_ON = True  # its plain twin re-exports the plain sheets

__all__ = [
    "Goal",
    "Green0",
    "Green1",
    "Green2",
    "Green3",
]
