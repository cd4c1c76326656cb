"""Custom sheets in data files: the rule of one of our sheets with other values, rounds or texts."""

import re
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from stichwerk.errors import shown
from stichwerk.games.misspelt import suggestion
from stichwerk.games.stichtag.calendar import SHEETS, sheet_kind
from stichwerk.games.stichtag.own_sheet import (
    HIGHEST_VALUE,
    MOST_ROUNDS,
    ORIGINS,
    BadSheetError,
    OwnSheet,
    are_values,
    choices,
    decoded,
    is_number,
    quoted,
)
from stichwerk.games.stichtag.seat_facts import renamed_symbols

LANGUAGES = ("de", "en")

TEXTS = {"title": "title", "symbol": "symbol_name", "short": "short", "long": "long"}

KEYS = ("sheet", "like", "values", "rounds", "origin", *TEXTS)


class _Data:
    """A data file while it is read: every error names its line."""

    def __init__(self, path: Path, text: str) -> None:
        self.path = path
        self.text = text
        try:
            self.table = tomllib.loads(text)
        except (tomllib.TOMLDecodeError, RecursionError) as error:
            why, _, place = str(error).partition(" (at ")
            found = re.match(r"line (\d+)", place)
            line = int(found[1]) if found else len(text.rstrip().splitlines()) or 1
            raise BadSheetError(
                "own-sheet-toml", file=str(path), line=line, why=shown(why, 100)
            ) from (None)

    def wrong(self, key: str, id: str, **facts: object) -> NoReturn:
        raise BadSheetError(id, file=str(self.path), line=line_of(self.text, key), key=key, **facts)

    def word(self, key: str, default: str, allowed: Sequence[str]) -> str:
        """Return one of a few words."""
        value = self.table.get(key, default)
        if not isinstance(value, str):
            self.wrong(key, "own-sheet-type", wanted=f'"{allowed[0]}"', value=quoted(value))
        if value not in allowed:
            meant = suggestion(value, allowed)
            id = "own-sheet-word-like" if meant else "own-sheet-word"
            self.wrong(key, id, value=shown(value), allowed=choices(allowed), meant=meant)
        return value

    def pair(self, key: str) -> tuple[str, str]:
        """Return a text in German and English."""
        given = self.table[key]
        wanted = '{ de = "…", en = "…" }'
        if not isinstance(given, dict):
            self.wrong(key, "own-sheet-type", wanted=wanted, value=quoted(given))
        for lang in given:
            if lang not in LANGUAGES:
                self.wrong(f"{key}.{lang}", "own-sheet-key", known="de, en")
        for lang in LANGUAGES:
            if not isinstance(given.get(lang), str) or not given[lang].strip():
                self.wrong(f"{key}.{lang}" if lang in given else key, "own-sheet-text", lost=lang)
        return given["de"].strip(), given["en"].strip()


def line_of(text: str, key: str) -> int:
    """Return the line of a key in a data file, `title.de` also in its table; 1 if there is none."""
    table = ""
    line_of_table = 1
    for number, line in enumerate(text.split("\n"), 1):
        header = re.match(r"\s*\[+\s*([^\]]*?)\s*\]", line)
        entry = re.match(r"\s*([\w.\-\"' ]+?)\s*=", line)
        if header:
            table = re.sub(r"[\"' ]", "", header[1])
            full = table
        elif entry:
            inside = re.sub(r"[\"' ]", "", entry[1])
            full = f"{table}.{inside}" if table else inside
        else:
            continue
        if full == key:
            return number
        if key.startswith(f"{full}.") or full.startswith(f"{key}."):
            line_of_table = number
    return line_of_table


def read_data(path: Path, raw: bytes, digest: str) -> OwnSheet:
    """Read a data file: the rule of one of our sheets with other values, rounds, texts."""
    data = _Data(path, decoded(path, raw))
    for key in data.table:
        if key not in KEYS:
            meant = suggestion(key, KEYS)
            id = "own-sheet-key-like" if meant else "own-sheet-key"
            data.wrong(key, id, known=", ".join(KEYS), meant=meant)
    if "sheet" not in data.table:
        raise BadSheetError("own-sheet-no-name", file=str(path), line=1, key='sheet = "January"')
    name = data.word("sheet", "", tuple(SHEETS))
    same_kind = [other for other in SHEETS if sheet_kind(other) == sheet_kind(name)]
    sheet = OwnSheet(path, digest, name, data.word("like", name, same_kind))
    sheet.changes = {"name": name, "origin": data.word("origin", "box", ORIGINS)}
    rule = SHEETS[sheet.rule]
    if "values" in data.table:
        if not rule.values:
            data.wrong("values", "own-sheet-no-use", like=sheet.rule)
        values = data.table["values"]
        if not are_values(values):
            data.wrong("values", "own-sheet-values", value=quoted(values), highest=HIGHEST_VALUE)
        sheet.changes["values"] = tuple(sorted(values))
    for key, attribute in TEXTS.items():
        if key in data.table:
            sheet.changes[attribute] = data.pair(key)
    if "symbol" in data.table:
        sheet.changes["facts"] = renamed_symbols(rule.facts, data.pair("symbol"))
    if "rounds" in data.table:
        sheet.changes["rounds"] = _rounds(data, sheet)
    return sheet


def _rounds(data: _Data, sheet: OwnSheet) -> int:
    rounds = data.table["rounds"]
    if sheet_kind(sheet.rule) != "green":
        data.wrong("rounds", "own-sheet-no-use", like=sheet.rule)
    if not is_number(rounds, 1, MOST_ROUNDS):
        data.wrong(
            "rounds", "own-sheet-number", value=quoted(rounds), lowest=1, highest=MOST_ROUNDS
        )
    for key in ("short", "long"):  # ours mention another number
        if key not in data.table:
            data.wrong("rounds", "own-sheet-needs", needed=key)
    number: int = rounds
    return number
