"""The sheet green 0."""

from stichwerk.games.stichtag.sheet import Goal
from stichwerk.games.stichtag.texts import texts_of


class Green0(Goal):
    """Three rounds, most points."""

    name = "green 0"
    origin = "partly"
    title, symbol_name, short, long, notes = texts_of("green_0")
