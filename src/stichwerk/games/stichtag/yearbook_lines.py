"""The sentences of the yearbook, read from `yearbook.json`, and the days on which each holds."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from stichwerk.games.stichtag.calendar import MONTHS

Text = tuple[str, str]

SYMBOLS = {sheet.name: sheet.symbol_name for sheet in MONTHS}


class Line(NamedTuple):
    """A sentence that holds on days with all of `every`, none of `never`, and one of `words`.

    `{words}` in the text stands for the words of those sheets that are in play.
    """

    text: Text
    every: tuple[str, ...] = ()
    never: tuple[str, ...] = ()
    words: Mapping[str, Text] = {}

    def holds(self, names: Sequence[str]) -> bool:
        """Whether the sentence belongs to a day with these sheets."""
        return (
            all(name in names for name in self.every)
            and not any(name in names for name in self.never)
            and (not self.words or any(name in names for name in self.words))
        )

    def said(self, names: Sequence[str], at: int) -> str:
        """The sentence."""
        words = [pair[at] for name, pair in self.words.items() if name in names]
        return self.text[at].replace("{words}", ", ".join(words))


def _both(text: Mapping[str, str]) -> Text:
    return text["de"], text["en"]


def _line(told: Mapping[str, Any]) -> Line:
    """A sentence: `symbols` and `words` fill its gap, `any` only says for which sheets it holds."""
    words = {name: SYMBOLS[name] for name in told.get("symbols", ())}
    words |= {name: _both(text) for name, text in told.get("words", {}).items()}
    words |= dict.fromkeys(told.get("any", ()), ("", ""))
    return Line(_both(told), tuple(told.get("every", ())), tuple(told.get("never", ())), words)


def _steps(told: Sequence[Sequence[Mapping[str, Any]]]) -> tuple[tuple[Line, ...], ...]:
    return tuple(tuple(map(_line, step)) for step in told)


def _notes(told: Sequence[Mapping[str, str]]) -> dict[tuple[str, str], str]:
    return {(note["sheet"], note["part"]): note["with"] for note in told}


_TOLD = json.loads(Path(__file__).with_name("yearbook.json").read_text("utf-8"))

MONTH_NAMES = tuple(map(_both, _TOLD["months"]))

BASE = {part: (_both(told["title"]), _both(told["rule"])) for part, told in _TOLD["parts"].items()}
"""The parts a sheet may change: what each is called, and the base rule in a sentence."""

ORIGINS = {origin: _both(told["long"]) for origin, told in _TOLD["origins"].items()}
ORIGIN_WORDS = {origin: _both(told["short"]) for origin, told in _TOLD["origins"].items()}

BY_NOTE = _notes(_TOLD["touched_by_note"])
"""A part that a sheet touches only by its cross-note with another."""

NOT_BY_NOTE = _notes(_TOLD["untouched_by_note"])
"""A part that a sheet does not touch because of its cross-note with another."""

NEEDS = tuple(map(_line, _TOLD["needs"]))
"""Things besides the cards."""

TRICK = _steps(_TOLD["trick"])
"""The order of events in a trick: steps, each with the sentences that may belong to it."""

ROUND = _steps(_TOLD["round"])
"""The order of events at the end of a round."""

LINES = tuple(map(_line, _TOLD["doubts"]))
"""What settles doubts; each with the days it matters for."""

ALL_TRICK = tuple(tuple(_TOLD["every_trick"][lang]) for lang in ("de", "en"))
ALL_ROUND = tuple(tuple(_TOLD["every_round"][lang]) for lang in ("de", "en"))
