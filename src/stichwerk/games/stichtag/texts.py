"""The texts of our sheets: what stands beside the rules in `sheets/texts`, in both languages."""

import json
from pathlib import Path

Text = tuple[str, str]
Texts = tuple[Text, Text, Text, Text, dict[str, Text]]

FOLDER = Path(__file__).with_name("sheets") / "texts"
NO_TEXT = {"de": "", "en": ""}


def texts_of(sheet: str) -> Texts:
    """Title, name of the symbol, short text, long text and cross-notes: German, then English."""
    read = json.loads((FOLDER / f"{sheet}.json").read_text("utf-8"))
    notes = {other: _pair(note) for other, note in read.get("notes", {}).items()}
    symbol = _pair(read.get("symbol", NO_TEXT))
    return _pair(read["title"]), symbol, _pair(read["short"]), _pair(read["long"]), notes


def _pair(text: dict[str, str]) -> Text:
    return text["de"], text["en"]
