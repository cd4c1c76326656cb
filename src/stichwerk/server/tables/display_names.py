"""Names and words of people, as others will see them."""

import unicodedata
from collections.abc import Collection

LONGEST_NAME = 24

# Letters and signs that show nothing, though Unicode does not count them as spaces: fillers of
# Hangul, Khmer and Mongolian, the empty Braille pattern, a notehead without ink, the place of an
# object, and the rest of those that Unicode calls default ignorable.
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
"""They choose between forms of the sign before: of emojis, in talk."""

# Cyrillic and Greek letters that look like Latin ones in most fonts. A capital may look like
# another letter than the small one does.
LOOKALIKES = str.maketrans(
    "аеорсхуіјѕԁһӏкмтвнԝѵ" + "АВЕКМНОРСТУХІЈЅԌԜѴӀ" + "αορντικυχβηζμεγ" + "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ",
    "aeopcxyijsdhlkmtbhwv" + "ABEKMHOPCTYXIJSGWVI" + "aopvtikuxbnzuey" + "ABEZHIKMNOPTYX",
)


def clean_name(name: str) -> str:
    """A name on one line, in the usual form of its letters, without signs that do not show; empty,
    if nothing is left to be seen."""
    usual = unicodedata.normalize("NFKC", name)
    kept = (one for one in usual if one.isspace() or (one.isprintable() and one not in BLANK))
    shown = "".join(kept)
    shown = " ".join(shown.split())[:LONGEST_NAME].strip()
    return shown if is_visible(shown) else ""


def clean_text(text: str) -> str:
    """Words on one line without signs that do not print; empty, if nothing is left to be seen."""
    shown = "".join(sign for sign in " ".join(text.split()) if sign.isprintable())
    shown = "".join(sign for sign in shown if sign not in BLANK or sign in SELECTORS)
    return shown if is_visible(shown) else ""


def is_visible(text: str) -> bool:
    """Whether there is something to see: marks alone need a letter to stand on."""
    return any(unicodedata.category(sign)[0] in "LNPS" and sign not in BLANK for sign in text)


def looks(name: str) -> str:
    """The same for names that look the same at a glance."""
    latin = unicodedata.normalize("NFKC", name).translate(LOOKALIKES)
    return " ".join(latin.casefold().split())


def make_distinct(name: str, taken: Collection[str]) -> str:
    """This name, with a number if somebody has it already: `Ada 2`."""
    known = {looks(one) for one in taken}
    number, found = 1, name
    while looks(found) in known:
        number += 1
        found = f"{name[: LONGEST_NAME - len(str(number)) - 1].rstrip()} {number}"
    return found
