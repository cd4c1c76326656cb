"""The part of the published JSON Schema that belongs to calendar sheets: their entries in `extra`.

A sheet describes its entries in its texts, under `record`: by kind a `description` and the schema
of the `value`; `with` names sheets that must be in play too, `each_seat` asks for one item for each
seat, `before_play` is a choice before the first card. `python -m
stichwerk.games.stichtag.record_schema` rewrites the committed file.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from stichwerk.engine.constants import CHOOSE
from stichwerk.games.stichtag.calendar import (
    ALL_SHEETS,
    GREEN,
    MONTHS,
    REDS,
    SHEETS,
    SHEETS_OF,
    VERSIONS,
    sheet_kind,
)
from stichwerk.games.stichtag.sheets import file_of
from stichwerk.games.stichtag.texts import record_entries_of

Json = Any  # a JSON Schema, or a part of one

FILE = Path(__file__).parents[2] / "schema/stichwerk-game-1.json"
WIDTH = 100
CARD_PATTERNS = {3: "^[RYGBLS][0-9]$", 4: "^[RYGBLS][0-9]$", 5: "^[RYGBLS]([0-9]|1[01])$"}
SEAT, CARD = {"$ref": "#/$defs/seat"}, {"$ref": "#/$defs/stichtag-card"}


class SheetEntry(NamedTuple):
    """A kind of entry: its name, whose it is, whether it is drawn and not chosen, the versions of
    the rules that have it, its schema."""

    kind: str
    sheet: str
    drawn: bool
    versions: tuple[int, ...]
    schema: dict[str, Any]


def entries() -> list[SheetEntry]:
    """Return all kinds: what is drawn in the order of the calendar, then choices by number."""
    chosen: dict[tuple[int, str, str], list[int]] = {}
    drawn: dict[tuple[str, str], list[int]] = {}
    for sheet in ALL_SHEETS:
        versions = [one for one in VERSIONS if SHEETS_OF[one][sheet.name] is sheet]
        for number, kind in sheet.asks.items():
            if number != CHOOSE:
                chosen.setdefault((number, kind, sheet.name), []).extend(versions)
        for kind in sheet.specials:
            drawn.setdefault((kind, sheet.name), []).extend(versions)
    return [
        *(made_entry(kind, name, True, versions) for (kind, name), versions in drawn.items()),
        *(made_entry(kind, name, False, chosen[_, kind, name]) for _, kind, name in sorted(chosen)),
    ]


def made_entry(kind: str, sheet: str, drawn: bool, versions: list[int]) -> SheetEntry:
    """Return an entry with what its sheet says about it."""
    found = record_entries_of(file_of(sheet), max(versions)).get(kind)
    if found is None:
        raise LookupError(f"the texts of {sheet} describe no record entry {kind!r}")
    return SheetEntry(kind, sheet, drawn, tuple(sorted(versions)), found)


def generated(whole: Json) -> Json:
    """Return the schema with the parts of the sheets made anew."""
    whole = json.loads(json.dumps(whole))
    definitions, found = whole["$defs"], entries()
    definitions["stichtag-extra"]["oneOf"] = [form_of(entry) for entry in found]
    rules = [rule for rule in definitions["stichtag"]["allOf"] if not is_about_presence(rule)]
    for rule in rules:
        seats = rule["if"].get("properties", {}).get("seats", {}).get("const")
        if seats is not None:
            of_round(rule["then"])["properties"]["extra"]["items"]["allOf"] = [
                limits_of(entry, seats) for entry in found if limit(entry.schema["value"], seats)
            ]
    definitions["stichtag"]["allOf"] = rules + [presence_of(entry) for entry in found]
    whole["$defs"] = dict(with_conditions(definitions))
    return whole


def of_round(part: Json) -> Json:
    """Return what a part says about every round."""
    return part.get("properties", {}).get("rounds", {}).get("items", {})


def form_of(entry: SheetEntry) -> Json:
    """Return the schema of an entry: plays before it, seat, kind, value."""
    when: list[Json] = [{"type": "integer", "minimum": 1}, SEAT]
    if entry.drawn:
        when = [{"const": 0}, {"type": "null"}]
    elif entry.schema.get("before_play"):
        when = [{"const": 0}, SEAT]
    return {
        "description": entry.schema["description"],
        "prefixItems": [*when, {"const": entry.kind}, entry.schema["value"]],
        "minItems": 4,
        "maxItems": 4,
    }


# -- Limits by number of seats ---------------------------------------------------------------------


def limits_of(entry: SheetEntry, seats: int) -> Json:
    """Return what an entry with this number of seats cannot exceed."""
    limits = limit(entry.schema["value"], seats)
    if entry.schema.get("each_seat"):
        limits = {**limits, "minItems": seats, "maxItems": seats}
    return {"if": of_kind(entry), "then": {"prefixItems": [True, True, True, limits]}}


def limit(value: Json, seats: int) -> Json:
    """Return the highest seat and the cards of the deck where a schema speaks of them, else {}."""
    if value == SEAT:
        return {"maximum": seats - 1}
    if value == CARD:
        return {"pattern": CARD_PATTERNS[seats]}
    if "anyOf" in value:
        return next(filter(None, (limit(part, seats) for part in value["anyOf"])), {})
    if "items" in value:
        items = limit(value["items"], seats)
        return {"items": items} if items else {}
    parts = [limit(part, seats) or True for part in value.get("prefixItems", ())]
    return {"prefixItems": parts} if any(part is not True for part in parts) else {}


# -- Which entries a day has -----------------------------------------------------------------------


def of_kind(entry: SheetEntry) -> Json:
    """Return the schema of any entry of a kind; a draw and a choice may have the same name."""
    who = {"type": "null" if entry.drawn else "integer"}
    return {"prefixItems": [True, who, {"const": entry.kind}]}


def is_about_presence(rule: Json) -> bool:
    """Return whether a rule says on which days an entry may occur."""
    return "extra" in of_round(rule.get("else", {})).get("properties", {})


def presence_of(entry: SheetEntry) -> Json:
    """Return that a day without the sheet has no such entry, and one that draws has exactly one."""
    needed = [{"$ref": f"#/$defs/{condition(name)}"} for name in needs(entry)]
    if entry.versions != VERSIONS:
        needed.append(follows(entry.versions))
    rule: Json = {"if": needed[0] if len(needed) == 1 else {"allOf": needed}}
    found = {"contains": of_kind(entry)}
    if entry.drawn:
        once = {**found, "minContains": 1, "maxContains": 1}
        rule["then"] = in_rounds({"properties": {"extra": once}, "required": ["extra"]})
    rule["else"] = in_rounds({"properties": {"extra": {"not": found}}})
    return rule


def needs(entry: SheetEntry) -> tuple[str, ...]:
    """Return the sheets that must be in play."""
    return entry.sheet, *entry.schema.get("with", ())


def follows(versions: tuple[int, ...]) -> Json:
    """Return the condition that a record follows one of these versions; without one it is 1."""
    named: Json = {"properties": {"rules": {"enum": list(versions)}}}
    return named if 1 in versions else {**named, "required": ["rules"]}


def in_rounds(part: Json) -> Json:
    """Return a schema for every round as part of the whole."""
    return {"properties": {"rounds": {"items": part}}}


def condition(sheet: str) -> str:
    """Return the name of the definition that says whether a sheet is in play."""
    return f"has-{sheet.replace(' ', '-')}"


def with_conditions(definitions: dict[str, Json]) -> Iterator[tuple[str, Json]]:
    """Yield the definitions, with those conditions that something refers to."""
    conditions = {condition(sheet): sheet for sheet in SHEETS}
    others = {name: part for name, part in definitions.items() if name not in conditions}
    used = re.findall(r'"#/\$defs/([^"]+)"', json.dumps(others))
    for name, part in others.items():
        yield name, part
        if name == "has-green":
            for own, sheet in conditions.items():
                if own in used:
                    yield own, is_in_play(sheet)


def is_in_play(sheet: str) -> Json:
    """Return the condition that a sheet is in play: by date, or alone."""
    date = {"properties": {"date": {"type": "string", "pattern": date_pattern(sheet)}}}
    alone = {"properties": {"sheets": {"contains": {"pattern": f"^{sheet}(@|$)"}}}}
    return {"properties": {"options": {"anyOf": [date, alone]}}}


def date_pattern(sheet: str) -> str:
    """Return the dates that have this sheet."""
    found = SHEETS[sheet]
    if sheet_kind(sheet) == "green":
        return f"-{GREEN.index(found)}"
    return (
        f"{REDS.index(found)}$" if sheet_kind(sheet) == "red" else f"^{MONTHS.index(found) + 1:02}-"
    )


# -- The file --------------------------------------------------------------------------------------


def layout(value: Json, indent: str = "", used: int = 0) -> str:
    """Return JSON text in which everything that fits into a line is on one."""
    line = json.dumps(value, ensure_ascii=False)
    is_short = len(indent) + used + len(line) < WIDTH  # a comma may follow
    if not isinstance(value, dict | list) or not value or is_short:
        return line
    inner = indent + "  "
    if isinstance(value, dict):
        keys = {json.dumps(key): part for key, part in value.items()}
        parts = [f"{key}: {layout(part, inner, len(key) + 2)}" for key, part in keys.items()]
        begin, end = "{", "}"
    else:
        parts, begin, end = [layout(part, inner) for part in value], "[", "]"
    return begin + ",".join(f"\n{inner}{part}" for part in parts) + f"\n{indent}{end}"


def text() -> str:
    """Return the file as it should be committed."""
    return layout(generated(json.loads(FILE.read_text("utf-8")))) + "\n"


if __name__ == "__main__":
    FILE.write_text(text(), "utf-8")
