"""Names and chat texts of people, cleaned for display."""

import unicodedata
from collections.abc import Collection

LONGEST_NAME = 24

# Characters that are invisible although Unicode does not count them as spaces: fillers of Hangul,
# Khmer and Mongolian, the empty Braille pattern, the null notehead, the object replacement
# character, and the other default-ignorable code points.
BLANK = frozenset(
    map(
        chr,
        (
            *(0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0, 0xFFFC, 0x1D159),
            *range(0x180B, 0x1810),
            *range(0xFE00, 0xFE10),
            *range(0xE0100, 0xE01F0),
        ),
    )
)
SELECTORS = frozenset(map(chr, (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))))
"""Variation selectors: they choose the form of the preceding character, such as an emoji in a
chat."""

# Cyrillic and Greek letters that look like Latin ones in most fonts. A capital may resemble a
# different letter than its lower-case form does.
LOOKALIKES = str.maketrans(
    "аеорсхуіјѕԁһӏкмтвнԝѵ" + "АВЕКМНОРСТУХІЈЅԌԜѴӀ" + "αορντικυχβηζμεγ" + "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ",
    "aeopcxyijsdhlkmtbhwv" + "ABEKMHOPCTYXIJSGWVI" + "aopvtikuxbnzuey" + "ABEZHIKMNOPTYX",
)


def clean_name(name: str) -> str:
    """Return a name on one line, normalized and without invisible characters; empty if nothing
    visible is left."""
    usual = unicodedata.normalize("NFKC", name)
    kept = (one for one in usual if one.isspace() or (one.isprintable() and one not in BLANK))
    shown = "".join(kept)
    shown = " ".join(shown.split())[:LONGEST_NAME].strip()
    return shown if is_visible(shown) else ""


def clean_text(text: str) -> str:
    """Return a text on one line without unprintable characters; empty if nothing visible is
    left."""
    shown = "".join(sign for sign in " ".join(text.split()) if sign.isprintable())
    shown = "".join(sign for sign in shown if sign not in BLANK or sign in SELECTORS)
    return shown if is_visible(shown) else ""


def is_visible(text: str) -> bool:
    """Return whether a text shows anything: combining marks alone do not."""
    return any(unicodedata.category(sign)[0] in "LNPS" and sign not in BLANK for sign in text)


def looks(name: str) -> str:
    """Return a key that is equal for names that look alike at a glance."""
    latin = unicodedata.normalize("NFKC", name).translate(LOOKALIKES)
    return " ".join(latin.casefold().split())


def make_distinct(name: str, taken: Collection[str]) -> str:
    """Return this name, with a number if it is taken: `Ada 2`."""
    known = {looks(one) for one in taken}
    number, found = 1, name
    while looks(found) in known:
        number += 1
        found = f"{name[: LONGEST_NAME - len(str(number)) - 1].rstrip()} {number}"
    return found
