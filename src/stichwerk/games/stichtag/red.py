"""The ten red sheets: how tricks are played. The ones digit of the date chooses one.

Custom sheets import them from here.
"""

from stichwerk.games.stichtag.sheets.red_0 import Red0
from stichwerk.games.stichtag.sheets.red_1 import Red1
from stichwerk.games.stichtag.sheets.red_2 import Red2
from stichwerk.games.stichtag.sheets.red_3 import Red3
from stichwerk.games.stichtag.sheets.red_4 import Red4
from stichwerk.games.stichtag.sheets.red_5 import Red5
from stichwerk.games.stichtag.sheets.red_6 import Red6
from stichwerk.games.stichtag.sheets.red_7 import Red7
from stichwerk.games.stichtag.sheets.red_8 import Red8
from stichwerk.games.stichtag.sheets.red_9 import Red9

PASSES_COMPILED_ON = True  # its plain twin re-exports the plain sheets

__all__ = [
    "Red0",
    "Red1",
    "Red2",
    "Red3",
    "Red4",
    "Red5",
    "Red6",
    "Red7",
    "Red8",
    "Red9",
]
