"""German and English sentences for ids, and the rules of the games.

Flat JSON files beside this one, one per area and language: `reasons.de.json`. A sentence names its
facts in braces; `one||many` gives the wording for a `count` of one and for all others.
"""

import json
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path

LANGUAGES = ("de", "en")
COLOUR_KEYS = ("colour", "led", "trump", "other_trump")
"""Facts under these names are colour letters and are shown as words."""

COLOUR_LIST_KEYS = ("playable",)
"""Facts under these names are any number of colour letters."""

_HERE = Path(__file__).parent
_ADDED: dict[str, Path] = {}  # games of someone's own: name → the folder of their texts and rules
_PARTS: dict[str, dict[str, str]] = {lang: {} for lang in LANGUAGES}  # see `add_sentences`
_LONGEST = 200
_COLOURS = "RYGBLS"
_INNER_LINK = re.compile(r"\[([^\]]*)\]\((?![a-z]+:)[^)]*\)")
_MARKS = {"de": str.maketrans(",.", ".,"), "en": {}}


class Listed(str):
    """A list for use in a sentence. It is shown whole: its parts are clean and bounded already."""

    __slots__ = ()


def text(id: str, lang: str, /, **data: object) -> str:
    """Return the sentence of an id; if there is none, or facts are missing, the id and its
    facts."""
    template = sentences(_known(lang)).get(id)
    if template is not None:
        try:
            return fill(template, lang, **data)
        except KeyError:
            pass
    facts = {key: _shown(key, value, lang) for key, value in data.items()}
    listed = ", ".join(f"{key}={value}" for key, value in facts.items())
    return f"{id}: {listed}" if listed else id


def fill(template: str, lang: str, /, **data: object) -> str:
    """Return a sentence with its facts; one that is missing is a KeyError."""
    facts = {key: _shown(key, value, lang) for key, value in data.items()}
    return _form(template, data.get("count")).format_map(facts)


@lru_cache(maxsize=len(LANGUAGES))
def sentences(lang: str) -> Mapping[str, str]:
    """Return all sentences of a language; an id may occur only once."""
    found: dict[str, str] = {}
    for path in sorted(_HERE.glob(f"*.{lang}.json")):
        pairs = json.loads(path.read_text("utf-8"), object_pairs_hook=list)
        for id, sentence in pairs:
            if id in found:
                raise ValueError(f"{path.name}: the id {id!r} is there twice")
            found[id] = sentence
    for id, sentence in _PARTS[lang].items():
        if found.setdefault(id, sentence) != sentence:
            raise ValueError(f"the id {id!r} is there twice")
    for folder in _ADDED.values():
        path = folder / f"texts.{lang}.json"
        if path.is_file():
            found = json.loads(path.read_text("utf-8")) | found  # ours are never replaced
    return found


def has(id: str) -> bool:
    """Return whether there is a sentence for an id."""
    return id in sentences(LANGUAGES[0])


def add_sentences(lang: str, added: Mapping[str, str]) -> None:
    """Add sentences that a part of a game keeps beside its rules, a calendar sheet for one."""
    _PARTS[lang].update(added)
    sentences.cache_clear()


def add_game(game: str, folder: Path) -> None:
    """Add the texts and rules of a game of someone's own: `texts.de.json`, `rules.de.md`."""
    _ADDED[game] = folder
    sentences.cache_clear()


def language(environment: Mapping[str, str], wish: str | None = None) -> str:
    """Return the requested language, else that of the environment: German or English."""
    if wish in LANGUAGES:
        return wish
    set_here = (environment.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    first = next((value for value in set_here if value), "")
    return "de" if first.lower().startswith("de") else "en"


def rules_text(game: str, lang: str) -> str:
    """Return the rules of a game as Markdown; a game that has none is a LookupError."""
    known = {path.name: path for path in (_HERE / "rules").glob("*.md")}
    name = f"{game}.{_known(lang)}.md"
    if game in _ADDED:
        known[name] = _ADDED[game] / f"rules.{_known(lang)}.md"
    if name not in known or not known[name].is_file():
        raise LookupError(name)
    return known[name].read_text("utf-8")


def has_rules(game: str) -> bool:
    """Return whether a game's rules are written, in all languages."""
    try:
        return all(rules_text(game, lang) for lang in LANGUAGES)
    except LookupError:
        return False


def without_links(page: str) -> str:
    """Return a page of rules with links to other pages replaced by their text."""
    return _INNER_LINK.sub(r"\1", page)


def game_name(game: str, lang: str) -> str:
    """Return the title of a game; for a custom game its name in commands."""
    return sentences(_known(lang)).get(f"game-{game}", game)


def round_word(game: str, lang: str) -> str:
    """Return what a round is called in this game."""
    usual = text("round-usual", lang)
    return sentences(_known(lang)).get(f"round-{game}", usual)


def number(value: float, lang: str, digits: int = 0) -> str:
    """Return a number with the language's marks: 1,234.5 or 1.234,5."""
    return f"{value:,.{digits}f}".translate(_MARKS[_known(lang)])


def margin(value: float, lang: str, digits: int = 0) -> str:
    """Format an uncertainty: `± 0.25`; one that is too small for these digits is not shown as 0."""
    least = 10**-digits
    if 0 < value < least / 2:
        return f"± < {number(least, lang, digits)}"
    return f"± {number(value, lang, digits)}"


def enumerated(parts: Sequence[str], lang: str) -> str:
    """List parts as they are spoken: `Ada, Ben and Cleo`."""
    if len(parts) < 2:
        return Listed("".join(parts))
    return Listed(", ".join(parts[:-1]) + text("and", lang) + parts[-1])


def one_line(shown: str) -> str:
    """Return a text from outside for use in a sentence: one line, no control characters,
    bounded."""
    if not shown.isprintable():
        shown = "".join(map(_printable, shown))
    return shown if len(shown) <= _LONGEST else shown[:_LONGEST] + "…"


def _known(lang: str) -> str:
    return lang if lang in LANGUAGES else "en"


def _form(template: str, count: object) -> str:
    """Return the wording for this count, if the sentence has two."""
    one, _, many = template.partition("||")
    return many if many and count != 1 else one


def _shown(key: str, value: object, lang: str) -> str:
    """Return a fact for use in a sentence; an error as its own sentence."""
    if isinstance(value, Exception) and hasattr(value, "id") and hasattr(value, "data"):
        return text(value.id, lang, **value.data)
    if key in COLOUR_KEYS and isinstance(value, str) and len(value) == 1 and value in _COLOURS:
        return text(f"colour-{value}", lang)
    if key in COLOUR_LIST_KEYS and isinstance(value, str) and set(value) <= set(_COLOURS):
        return ", ".join(text(f"colour-{letter}", lang) for letter in value)
    return value if isinstance(value, Listed) else one_line(str(value))


def _printable(sign: str) -> str:
    return sign if sign.isprintable() else sign.encode("unicode_escape").decode()
