"""The sentences of the yearbook, read from `yearbook.json`, and the days to which each applies."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from stichwerk.games.stichtag.calendar import MONTHS, VERSIONS

Text = tuple[str, str]

SYMBOLS = {sheet.name: sheet.symbol_name for sheet in MONTHS}


class Line(NamedTuple):
    """A sentence for days with all of `every`, none of `never`, and one of `words`, in these
    versions of the rules.

    `{words}` in the text stands for the words of those sheets that are in play.
    """

    text: Text
    every: tuple[str, ...] = ()
    never: tuple[str, ...] = ()
    words: Mapping[str, Text] = {}
    versions: tuple[int, ...] = VERSIONS

    def holds(self, names: Sequence[str], version: int) -> bool:
        """Return whether the sentence applies to a day with these sheets."""
        return (
            version in self.versions
            and all(name in names for name in self.every)
            and not any(name in names for name in self.never)
            and (not self.words or any(name in names for name in self.words))
        )

    def said(self, names: Sequence[str], at: int) -> str:
        """Return the sentence."""
        words = [pair[at] for name, pair in self.words.items() if name in names]
        return self.text[at].replace("{words}", ", ".join(words))


def _both(text: Mapping[str, str]) -> Text:
    return text["de"], text["en"]


def _line(entry: Mapping[str, Any]) -> Line:
    """Return a sentence: `symbols` and `words` fill its gap, `any` only says to which sheets it
    applies."""
    words = {name: SYMBOLS[name] for name in entry.get("symbols", ())}
    words |= {name: _both(text) for name, text in entry.get("words", {}).items()}
    words |= dict.fromkeys(entry.get("any", ()), ("", ""))
    return Line(
        text=_both(entry),
        every=tuple(entry.get("every", ())),
        never=tuple(entry.get("never", ())),
        words=words,
        versions=tuple(entry.get("rules", VERSIONS)),
    )


def _steps(steps: Sequence[Sequence[Mapping[str, Any]]]) -> tuple[tuple[Line, ...], ...]:
    return tuple(tuple(map(_line, step)) for step in steps)


def _notes(notes: Sequence[Mapping[str, str]]) -> dict[tuple[str, str], str]:
    return {(note["sheet"], note["part"]): note["with"] for note in notes}


_TEXTS = json.loads(Path(__file__).with_name("yearbook.json").read_text("utf-8"))

MONTH_NAMES = tuple(map(_both, _TEXTS["months"]))

BASE = {
    part: (_both(entry["title"]), _both(entry["rule"])) for part, entry in _TEXTS["parts"].items()
}
"""The parts a sheet may change: the name of each, and the base rule in a sentence."""

ORIGINS = {origin: _both(entry["long"]) for origin, entry in _TEXTS["origins"].items()}
ORIGIN_WORDS = {origin: _both(entry["short"]) for origin, entry in _TEXTS["origins"].items()}

BY_NOTE = _notes(_TEXTS["touched_by_note"])
"""A part that a sheet touches only by its cross-note with another."""

NOT_BY_NOTE = _notes(_TEXTS["untouched_by_note"])
"""A part that a sheet does not touch because of its cross-note with another."""

NEEDS = tuple(map(_line, _TEXTS["needs"]))
"""Things besides the cards."""

TRICK = _steps(_TEXTS["trick"])
"""The order of events in a trick: steps, each with the sentences that may belong to it."""

ROUND = _steps(_TEXTS["round"])
"""The order of events at the end of a round."""

LINES = tuple(map(_line, _TEXTS["doubts"]))
"""Clarifications, each with the days to which it applies."""

ALL_TRICK = tuple(tuple(_TEXTS["every_trick"][lang]) for lang in ("de", "en"))
ALL_ROUND = tuple(tuple(_TEXTS["every_round"][lang]) for lang in ("de", "en"))
