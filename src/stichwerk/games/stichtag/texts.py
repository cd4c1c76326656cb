"""The texts of our sheets, from `sheets/texts`, in both languages."""

import json
from pathlib import Path
from typing import Any

from stichwerk import locale

Text = tuple[str, str]
Texts = tuple[Text, Text, Text, Text, dict[str, Text]]

FOLDER = Path(__file__).with_name("sheets") / "texts"
NO_TEXT = {"de": "", "en": ""}


def texts_of(sheet: str) -> Texts:
    """Return title, name of the symbol, short text, long text and cross-notes: German, then
    English.

    This also registers the sentences of the sheet: what it asks and what its facts are called.
    """
    read = json.loads((FOLDER / f"{sheet}.json").read_text("utf-8"))
    for id, sentence in read.get("sentences", {}).items():
        for lang in locale.LANGUAGES:
            locale.add_sentences(lang, {id: sentence[lang]})
    notes = {other: _pair(note) for other, note in read.get("notes", {}).items()}
    symbol = _pair(read.get("symbol", NO_TEXT))
    return _pair(read["title"]), symbol, _pair(read["short"]), _pair(read["long"]), notes


def reference_of(sheet: str) -> dict[str, Any]:
    """Return what the reference of moves and views says about the sheet of this module; English
    only."""
    read: dict[str, Any] = json.loads((FOLDER / f"{sheet}.json").read_text("utf-8"))
    found: dict[str, Any] = read.get("reference", {})
    return found


def record_entries_of(sheet: str) -> dict[str, dict[str, Any]]:
    """Return the schema of each kind of entry that the sheet of this module adds to records."""
    read: dict[str, Any] = json.loads((FOLDER / f"{sheet}.json").read_text("utf-8"))
    found: dict[str, dict[str, Any]] = read.get("record", {})
    return found


def _pair(text: dict[str, str]) -> Text:
    return text["de"], text["en"]
