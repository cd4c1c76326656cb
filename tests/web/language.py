"""Which language a page speaks: every text that is seen or heard is looked at."""

import json
import re
from functools import cache
from pathlib import Path

from playwright.sync_api import Page

from tests.web.pages import until

SOURCES = Path(__file__).parents[2] / "frontend/src"
LETTERS = 4
"""Letters that a text must have besides what is put in, to tell a language."""

WORDS = {
    "de": re.compile(
        r"\b(der|das|und|nicht|ist|wird|wenn|mit|dein|deine|dir|dich|du|sind|eine|einen|keine|"
        r"Karte|Karten|Stiche?|Runde|Farbe|Punkte?|nimmt|spielt|legt|Regeln|blau|rot|gelb|lila)\b"
    ),
    "en": re.compile(
        r"\b(the|and|your|you|with|when|of|is|are|takes?|plays?|tricks?|rounds?|cards?|points?|"
        r"colour|rules|blue|red|yellow|lilac)\b",
        re.I,
    ),
}
"""Words that only one of the languages has; the server's texts are known by them."""

NAMES = {"Deutsch", "English"}
"""Languages are called what their speakers call them."""

TEXTS = """() => {
  const found = new Set();
  const other = (one) => {
    const own = one.closest('[lang]')?.lang;
    return own && own !== document.documentElement.lang;
  };
  const add = (text, one) => {
    const plain = (text ?? '').replace(/\\s+/g, ' ').trim();
    if (/\\p{L}{2}/u.test(plain) && !other(one)) found.add(plain);
  };
  const names = '#chat li, .name, .who, .owner, ol.words, .addresses';
  for (const one of document.body.querySelectorAll('*')) {
    if (!one.checkVisibility({visibilityProperty: true}) || one.closest(`script, svg, ${names}`))
      continue;
    for (const name of ['aria-label', 'title', 'placeholder', 'alt'])
      add(one.getAttribute(name), one);
    const own = [...one.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE);
    own.forEach((node) => add(node.textContent, one));
    if (own.some((node) => node.textContent.trim())) add(one.textContent, one);
  }
  return [...found];
}"""


@cache
def texts() -> dict[str, re.Pattern[str]]:
    """Return the texts of each language, with placeholders left open."""
    forms: dict[str, set[str]] = {"de": set(), "en": set()}
    for file in SOURCES.rglob("*.de.json"):
        german = json.loads(file.read_text())
        english = json.loads(file.with_name(file.name.replace(".de.", ".en.")).read_text())
        for id_ in german.keys() & english.keys():
            for lang, text in (("de", german[id_]), ("en", english[id_])):
                forms[lang].update(text.split("||"))
    both = forms["de"] & forms["en"]
    return {
        lang: re.compile("|".join(sorted(pattern_of(one) for one in own - both if tells(one))))
        for lang, own in forms.items()
    }


def tells(text: str) -> bool:
    """Return whether enough text is left without the placeholders."""
    return len(re.findall(r"[^\W\d_]", re.sub(r"\{\w+\}", "", text))) >= LETTERS


def pattern_of(text: str) -> str:
    """Return the text as a pattern, with placeholders matching anything."""
    return ".+".join(re.escape(" ".join(part.split(" "))) for part in re.split(r"\{\w+\}", text))


def wrong(page: Page, lang: str) -> list[str]:
    """Return what the page says in the other language."""
    other = "en" if lang == "de" else "de"
    found: list[str] = page.evaluate(TEXTS)
    own, foreign = texts()[lang], texts()[other]
    return [
        text
        for text in found
        if text not in NAMES
        and not own.fullmatch(text)
        and (foreign.fullmatch(text) or WORDS[other].search(text))
    ]


def must_speak(page: Page, lang: str, where: str) -> None:
    """Sooner or later all that is seen is in this language."""
    until(
        page,
        lambda: not wrong(page, lang),
        lambda: f"{where} all in {lang}: {wrong(page, lang)}",
    )
