"""The texts of our sheets, from `sheets/texts`, in both languages."""

import json
from functools import cache
from pathlib import Path
from typing import Any

from stichwerk import locale

Text = tuple[str, str]
Texts = tuple[Text, Text, Text, Text, dict[str, Text]]

FOLDER = Path(__file__).with_name("sheets") / "texts"
NO_TEXT = {"de": "", "en": ""}


def texts_of(sheet: str, version: int | None = None) -> Texts:
    """Return title, name of the symbol, short text, long text and cross-notes: German, then
    English. An older version of the rules has its own instead of some of them (`version 1`).

    This also registers the sentences of the sheet: what it asks and what its facts are called.
    """
    newest = read_texts(sheet)
    read = newest if version is None else {**newest, **newest[f"version {version}"]}
    for id, sentence in read.get("sentences", {}).items():
        for lang in locale.LANGUAGES:
            locale.add_sentences(lang, {id: sentence[lang]})
    notes = {other: pair(note) for other, note in read.get("notes", {}).items()}
    symbol = pair(read.get("symbol", NO_TEXT))
    return pair(read["title"]), symbol, pair(read["short"]), pair(read["long"]), notes


def cancels_of(sheet: str) -> dict[str, tuple[Text, ...]]:
    """Return by other sheet the sentences, of either sheet, that the cross-note for it cancels."""
    found = read_texts(sheet)["cancels"]
    return {other: tuple(pair(text) for text in texts) for other, texts in found.items()}


def reference_of(sheet: str) -> dict[str, Any]:
    """Return what the reference of moves and views says about the sheet of this module; English
    only."""
    found: dict[str, Any] = read_texts(sheet).get("reference", {})
    return found


def record_entries_of(sheet: str, version: int) -> dict[str, dict[str, Any]]:
    """Return the schema of each kind of entry that the sheet of this module adds to records in a
    version of the rules."""
    newest = read_texts(sheet)
    read = {**newest, **newest.get(f"version {version}", {})}
    found: dict[str, dict[str, Any]] = read.get("record", {})
    return found


def drawing_of(sheet: str) -> str:
    """Return the symbol of the sheet of this module, as an SVG path in a square of 24."""
    drawing: str = read_texts(sheet)["drawing"]
    return drawing


@cache
def read_texts(sheet: str) -> dict[str, Any]:
    """Return the file of the sheet of this module."""
    read: dict[str, Any] = json.loads((FOLDER / f"{sheet}.json").read_text("utf-8"))
    return read


def pair(text: dict[str, str]) -> Text:
    """Return a text of a file: German, then English."""
    return text["de"], text["en"]


def with_pairs(read: dict[str, Any]) -> dict[str, Any]:
    """Return a description of a file with its texts as pairs, also those in nested descriptions."""
    return {key: _with_pairs(value) for key, value in read.items()}


def _with_pairs(read: Any) -> Any:
    if not isinstance(read, dict):
        return read
    return pair(read) if "de" in read else with_pairs(read)
