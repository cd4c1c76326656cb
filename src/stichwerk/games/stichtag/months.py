"""The twelve month sheets: a symbol that is printed on some cards, and what it does.

Custom sheets import them from here.
"""

from stichwerk.games.stichtag.sheets.april import April
from stichwerk.games.stichtag.sheets.august import August
from stichwerk.games.stichtag.sheets.december import December
from stichwerk.games.stichtag.sheets.february import February
from stichwerk.games.stichtag.sheets.january import January
from stichwerk.games.stichtag.sheets.july import July
from stichwerk.games.stichtag.sheets.june import June
from stichwerk.games.stichtag.sheets.march import March
from stichwerk.games.stichtag.sheets.may import May
from stichwerk.games.stichtag.sheets.november import November
from stichwerk.games.stichtag.sheets.october import October
from stichwerk.games.stichtag.sheets.september import September

PASSES_COMPILED_ON = True  # its plain twin re-exports the plain sheets

__all__ = [
    "April",
    "August",
    "December",
    "February",
    "January",
    "July",
    "June",
    "March",
    "May",
    "November",
    "October",
    "September",
]
