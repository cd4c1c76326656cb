"""Sentences that were chosen by ear stay as they are: each is at its place, word for word."""

import json

import pytest

from tests.doc_pages import ROOT
from tests.test_words import strings

PAGE = "frontend/src"
LOCALE = "src/stichwerk/locale"
SHEETS = "src/stichwerk/games/stichtag"
ANYWHERE = ""

# File, keys that lead to the text (of a list: any of its texts), phrase.
PHRASES = [
    # English, page and terminal
    (f"{PAGE}/table/table.en.json", "go-on-round", "Next round"),
    (f"{PAGE}/table/table.en.json", "rules-now", "Rules right now"),
    (f"{LOCALE}/tui.en.json", "tui-rule-now", "Rules right now"),
    (f"{PAGE}/games/stichling/stichling.en.json", "lay", "Confirm"),
    (f"{PAGE}/games/null-nichtig/null-nichtig.en.json", "lay-confirm", "Confirm"),
    (f"{PAGE}/start/start.en.json", "as-usual", "Reset"),
    (f"{PAGE}/table/table.en.json", "gone", "Table not found"),
    (f"{PAGE}/start/start.en.json", "promise", "Play bots now"),
    (f"{PAGE}/table/table.en.json", "waiting", "{names}’s turn||"),
    (f"{LOCALE}/outlook.en.json", "waiting-for", "{names}'s turn||"),
    (f"{LOCALE}/reasons.en.json", "not-your-turn", "it is {turn}'s turn"),
    (f"{LOCALE}/outlook.en.json", "now-has-it", "{name} is winning with {card}"),
    # English, rules and sheets
    (f"{LOCALE}/rules/sticheln.en.md", ANYWHERE, "If you take no trick, you lose"),
    (f"{LOCALE}/rules/sticheln.en.md", ANYWHERE, "face down in front of you"),
    (f"{LOCALE}/rules/stichling.en.md", ANYWHERE, "as explained above"),
    (f"{LOCALE}/rules/stichling.en.md", ANYWHERE, "Cem's turn"),
    (f"{SHEETS}/sheets/texts/august.json", "long.en", "Only then do you draw the same number"),
    (f"{SHEETS}/sheets/texts/red_5.json", "long.en", "Red is still trump"),
    (f"{SHEETS}/sheets/texts/july.json", "facts.sunstroke.text.en", "sunstroke card"),
    (f"{SHEETS}/sheets/texts/july.json", "sentences.gets-sunstroke.en", "the sunstroke card"),
    (f"{SHEETS}/yearbook.json", "doubts", "Who deals first is drawn"),
    (f"{SHEETS}/yearbook.json", "doubts", "Nobody may look at taken tricks"),
    # German, page and terminal
    (f"{PAGE}/table/table.de.json", "go-on-round", "Nächste Runde"),
    (f"{PAGE}/table/table.de.json", "rules-now", "Was gerade gilt"),
    (f"{PAGE}/table/table.de.json", "gone", "Tisch nicht gefunden"),
    (f"{PAGE}/table/table.de.json", "waiting", "{names} ist dran||"),
    (
        f"{PAGE}/table/table.de.json",
        "tip-trick",
        "Tippst du auf den Tisch, geht es schneller weiter.",
    ),
    (f"{PAGE}/start/settings.de.json", "hold-hint", "Tippst du auf den Tisch"),
    (f"{LOCALE}/terminal-table.de.json", "goodbye-table", "Dein Platz bleibt dir."),
    (f"{LOCALE}/terminal-table.de.json", "deal-seat", "einen anderen Platz"),
    (f"{LOCALE}/terminal-table.de.json", "deal-seat-lost", "deinen Platz verloren"),
    (f"{LOCALE}/terminal-table.de.json", "deal-no-share", "Für deinen Platz"),
    (f"{LOCALE}/terminal-table.de.json", "deal-share-foreign", "für deinen Platz"),
    (f"{LOCALE}/records.de.json", "wrong-seat", "ist dran"),
    # German, rules and sheets
    (f"{LOCALE}/rules/stichling.de.md", ANYWHERE, "Die Person, der er gehört, nimmt ihn"),
    (f"{LOCALE}/rules/stichling.de.md", ANYWHERE, "Bist du dran, spielst du genau eine Karte."),
    (f"{LOCALE}/rules/stichling.de.md", ANYWHERE, "Als Nächste ist Ada dran"),
    (
        f"{SHEETS}/sheets/texts/red_7.json",
        "long.de",
        "Danach geht die Vetokarte an die Person, deren Karte gestrichen wurde.",
    ),
    (f"{SHEETS}/sheets/texts/red_4.json", "long.de", "Wer danebenliegt"),
    (f"{SHEETS}/sheets/texts/september.json", "symbol.de", "Laubblatt"),
    (f"{SHEETS}/sheets/texts/september.json", "short.de", "ohne Laubblatt"),
    (f"{SHEETS}/yearbook.json", "doubts", "Jede Runde neu: {words}."),
    (f"{SHEETS}/yearbook.json", "doubts", "Wer zuerst gibt, wird ausgelost"),
    (f"{SHEETS}/yearbook.json", "doubts", "Genommene Stiche darf niemand mehr ansehen"),
]


def texts_at(file: str, keys: str) -> list[str]:
    """Return the texts at a place: a whole page as one line, of JSON everything below the keys."""
    content = (ROOT / file).read_text()
    if not file.endswith(".json"):
        return [" ".join(content.split())]
    found = json.loads(content)
    for key in keys.split("."):
        found = found[key]
    return [text for lang in ("de", "en") for text in strings(found, lang)]


@pytest.mark.parametrize(("file", "keys", "phrase"), PHRASES)
def test_chosen_phrase_is_at_its_place(file: str, keys: str, phrase: str) -> None:
    assert any(phrase in text for text in texts_at(file, keys)), texts_at(file, keys)[:3]


@pytest.mark.parametrize(
    ("lang", "words"),
    [("de", ["Partner", "Eierkarten"]), ("en", ["partners", "egg cards"])],
)
def test_what_is_new_each_round_is_named_in_few_words(lang: str, words: list[str]) -> None:
    doubts = json.loads((ROOT / SHEETS / "yearbook.json").read_text())["doubts"]
    [new] = [one for one in doubts if one["en"].startswith("New each round")]
    assert [new["words"][sheet][lang] for sheet in ("red 6", "April")] == words
