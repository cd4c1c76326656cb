"""The yearbook: the calendar in words, and the complete rules of one day on a page.

Everything here is assembled from the sheets; the texts of a sheet are with the sheet, and the
sentences that join them in `yearbook.json`. Texts are pairs, German and English. `python -m
stichwerk.games.stichtag.yearbook docs` writes the pages.
"""

import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from textwrap import fill

from stichwerk.cards import COLOURS
from stichwerk.games.stichtag.calendar import (
    DAYS_OF_MONTH,
    GREEN,
    MONTHS,
    REDS,
    SHEETS,
    find_sheet,
    is_real,
    sheet_place,
)
from stichwerk.games.stichtag.sheet import Sheet
from stichwerk.games.stichtag.yearbook_lines import (
    ALL_ROUND,
    ALL_TRICK,
    BASE,
    BY_NOTE,
    LINES,
    MONTH_NAMES,
    NEEDS,
    NOT_BY_NOTE,
    ORIGIN_WORDS,
    ORIGINS,
    ROUND,
    TRICK,
    Line,
    Text,
)
from stichwerk.locale import LANGUAGES

WIDTH = 100
SEATS = {3: (9, 60, 24), 4: (9, 60, 12), 5: (11, 72, 12)}  # highest value, cards, stock

KINDS = {"green": ("Grün", "Green"), "red": ("Rot", "Red")}


# -- Words -----------------------------------------------------------------------------------------


def language_at(lang: str) -> int:
    """Return the index of a language in a text; English for unsupported ones."""
    return LANGUAGES.index(lang if lang in LANGUAGES else "en")


def sheet_label(name: str, lang: str) -> str:
    """Return the name of a sheet: Rot 4, März."""
    at = language_at(lang)
    kind, _, digit = sheet_place(name).partition(" ")
    if digit:
        return f"{KINDS[kind][at]} {digit}"
    return MONTH_NAMES[MONTHS.index(SHEETS[sheet_place(name)])][at]


def sheet_title(name: str, lang: str) -> str:
    """Return a sheet with its title: Rot 4 (Ansage)."""
    return f"{sheet_label(name, lang)} ({sheet_of(name).title[language_at(lang)]})"


def date_words(date: str, lang: str) -> str:
    """Return a date in words, with a note if it is impossible."""
    at = language_at(lang)
    day, month = int(date[3:]), MONTH_NAMES[int(date[:2]) - 1][at]
    words = (f"{day}. {month}", f"{day} {month}")[at]
    mark = ("kein echtes Datum, aber spielbar", "not a real date, but playable")[at]
    return words if is_real(date) else f"{words} ({mark})"


def notes_of(names: Sequence[str]) -> list[tuple[str, str, Text]]:
    """Return the cross-notes among these sheets: whose it is, for which sheet, and the text."""
    return [
        (name, other, sheet_of(name).notes[other])
        for name in in_order(names)
        for other in sheet_of(name).notes
        if other in map(sheet_place, names)
    ]


def in_order(names: Iterable[str]) -> list[str]:
    """Return the names in order: green, red, month."""
    given = {sheet_place(name): name for name in names}
    return [given[name] for name in SHEETS if name in given]


def sheet_of(name: str) -> type[Sheet]:
    """Return the class of a sheet, including custom ones."""
    return find_sheet(name).sheet


def symbol_words(sheet: type[Sheet], lang: str) -> str:
    """Return a month's symbol and the cards that carry it."""
    at = language_at(lang)
    cards = ", ".join(" ".join(f"{letter}{value}" for letter in COLOURS) for value in sheet.values)
    on = (" und ", " and ")[at].join(str(value) for value in sheet.values)
    said = (
        f"**{sheet.symbol_name[0]}** auf jeder {on} in allen sechs Farben: {cards}.",
        f"**{sheet.symbol_name[1]}** on every {on} in all six colours: {cards}.",
    )
    return said[at]


def touches(name: str, part: str, names: Sequence[str]) -> bool:
    """Return whether a sheet touches this part beside these others, given its cross-notes."""
    return BY_NOTE.get((name, part), name) in names and NOT_BY_NOTE.get((name, part)) not in names


def part_words(part: str, names: Sequence[str], lang: str) -> str:
    """Return the base rule of a part, or who replaces it, and who adds to it."""
    at = language_at(lang)
    touching = [name for name in names if touches(name, part, names)]
    replacing = [name for name in touching if part in sheet_of(name).replaces]
    adding = [name for name in touching if part in sheet_of(name).extends]
    said = BASE[part][1][at]
    if replacing:
        who = (" und ", " and ")[at].join(sheet_title(name, lang) for name in replacing)
        said = (f"ersetzt durch {who}.", f"replaced by {who}.")[at]
    if adding:
        who = ", ".join(sheet_title(name, lang) for name in adding)
        said += (f" Dazu kommt {who}.", f" Extended by {who}.")[at]
    return said


# -- Markdown --------------------------------------------------------------------------------------


def paragraph(text: str, first: str = "", rest: str = "") -> str:
    """Return a paragraph or a list item, wrapped into lines."""
    return fill(
        text,
        WIDTH,
        initial_indent=first,
        subsequent_indent=rest,
        break_long_words=False,
        break_on_hyphens=False,
    )


def bullets(texts: Iterable[str]) -> str:
    """Return a list."""
    return "\n".join(paragraph(text, "- ", "  ") for text in texts)


def numbered(texts: Iterable[str]) -> str:
    """Return a numbered list."""
    return "\n".join(paragraph(text, f"{at}. ", "   ") for at, text in enumerate(texts, 1))


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def steps(order: tuple[tuple[Line, ...], ...], names: Sequence[str], lang: str) -> str:
    """Return the steps of an order of events that today's sheets need."""
    at = language_at(lang)
    said = [[line.said(names, at) for line in step if line.holds(names)] for step in order]
    return numbered(" ".join(sentences) for sentences in said if sentences)


def page(parts: Iterable[str]) -> str:
    """Join paragraphs, lists and headings into one text."""
    return "\n\n".join(parts) + "\n"


# -- One day ---------------------------------------------------------------------------------------


def day_rules(
    names: Sequence[str], lang: str, seats: int | None = None, date: str | None = None
) -> str:
    """Return the complete rules of one day, or of single sheets over the base rules."""
    today = in_order(names)
    return page(
        [
            *day_opening(today, lang, date),
            *day_sheets(today, lang),
            *day_material(today, lang, seats),
            *day_course(today, lang),
            *day_clarifications(today, lang),
            *day_goal(today, lang),
        ]
    )


def day_opening(names: list[str], lang: str, date: str | None) -> Iterator[str]:
    """Yield which day it is."""
    at = language_at(lang)
    if date is not None:
        day = date_words(date, lang)
    elif names:
        day = (" und ", " and ")[at].join(sheet_label(name, lang) for name in names)
    else:
        day = ("Grundspiel", "base game")[at]
    yield f"# Stichtag: {day}"
    listed = ", ".join(sheet_title(name, lang) for name in names)
    if listed:
        said = (
            f"Heute gilt: {listed}. Diese Blätter verändern die Grundregeln; was sie nicht "
            "erwähnen, bleibt, wie es war.",
            f"Today's sheets: {listed}. They change the base rules; whatever they do not mention "
            "stays as it is.",
        )
    else:
        said = ("Ohne Kalenderblätter.", "Without any sheets of the calendar.")
    yield paragraph(said[at])


def day_sheets(names: list[str], lang: str) -> Iterator[str]:
    """Yield the sheets and the cross-notes among them."""
    at = language_at(lang)
    if names:
        yield ("## Die Blätter", "## The sheets")[at]
    for name in names:
        yield from sheet_parts(sheet_of(name), lang)
    notes = notes_of(names)
    if notes:
        yield ("## Querverweise", "## Cross-notes")[at]
        yield bullets(
            f"**{sheet_label(name, lang)} × {sheet_label(other, lang)}**: {text[at]}"
            for name, other, text in notes
        )


def sheet_parts(sheet: type[Sheet], lang: str) -> Iterator[str]:
    """Yield one sheet: title, symbol, rule, origin."""
    at = language_at(lang)
    yield f"### {sheet_label(sheet.name, lang)}: {sheet.title[at]}"
    if sheet.symbol_name[at]:
        yield paragraph(symbol_words(sheet, lang))
    yield paragraph(sheet.long[at])
    origin = ORIGINS[sheet.origin][at] if sheet.origin in ORIGINS else sheet.origin
    yield paragraph(f"*{('Herkunft', 'Origin')[at]}: {origin}.*")


def day_material(names: list[str], lang: str, seats: int | None) -> Iterator[str]:
    """Yield the cards and other material needed."""
    at = language_at(lang)
    yield ("## Was ihr braucht", "## What you need")[at]
    said = (
        "Karten in sechs Farben: R Rot, Y Gelb, G Grün, B Blau, L Lila, S Grau, jede Karte einmal. "
        "`G8` ist die grüne Acht.",
        "Cards in six colours: R red, Y yellow, G green, B blue, L lilac, S silver-grey, every "
        "card once. `G8` is the green 8.",
    )
    yield paragraph(said[at])
    head = (
        ("Personen", "Werte", "Karten", "Hand", "Vorrat"),
        ("players", "values", "cards", "hand", "stock"),
    )
    counts = [seats] if seats else list(SEATS)
    yield table(head[at], [deck_row(count, at) for count in counts])
    things = [line.text[at] for line in NEEDS if line.holds(names)]
    paper = ("Stift und Papier für die Punkte", "pen and paper for the points")[at]
    yield bullets([*things, paper])


def deck_row(seats: int, at: int) -> list[str]:
    """Return the deck for this many players."""
    highest, cards, stock = SEATS[seats]
    return [str(seats), f"0 {('bis', 'to')[at]} {highest}", str(cards), "12", str(stock)]


def day_course(names: list[str], lang: str) -> Iterator[str]:
    """Yield the base rules part by part, and the order of events."""
    at = language_at(lang)
    yield ("## Grundregeln, und was heute gilt", "## Base rules, and what holds today")[at]
    yield bullets(f"**{BASE[part][0][at]}**: {part_words(part, names, lang)}" for part in BASE)
    yield ("## Ein Stich, Schritt für Schritt", "## A trick, step by step")[at]
    yield steps(TRICK, names, lang)
    yield ("## Das Ende der Runde", "## The end of the round")[at]
    yield steps(ROUND, names, lang)


def day_clarifications(names: list[str], lang: str) -> Iterator[str]:
    """Yield the clarifications that apply today."""
    at = language_at(lang)
    said = [line.said(names, at) for line in LINES if line.holds(names)]
    if said:
        yield ("## Im Zweifel", "## In case of doubt")[at]
        yield bullets(said)


def day_goal(names: list[str], lang: str) -> Iterator[str]:
    """Yield how the match ends: what the green sheet says, or the base rule."""
    at = language_at(lang)
    goals = [sheet_of(name).short[at] for name in names if "goal" in sheet_of(name).replaces]
    yield ("## Ziel und Ende der Partie", "## Goal and end of the match")[at]
    above = (" Alles Weitere steht oben auf dem grünen Blatt.", " The green sheet above says more.")
    yield paragraph(" ".join(goals) + above[at] if goals else BASE["goal"][1][at])


# -- The whole calendar ----------------------------------------------------------------------------


def calendar_page(lang: str) -> str:
    """Return all sheets in tables, and how dates are composed of them."""
    at = language_at(lang)
    return page(
        [
            ("# Der Kalender von Stichtag", "# Stichtag's calendar")[at],
            generated_line("yearbook", lang),
            *calendar_opening(lang),
            ("## Grün: das Ziel", "## Green: the goal")[at],
            sheet_table(GREEN, lang),
            ("## Rot: wie die Stiche gespielt werden", "## Red: how tricks are played")[at],
            sheet_table(REDS, lang),
            ("## Monate: Symbole auf den Karten", "## Months: symbols on the cards")[at],
            paragraph(symbols_line(lang)),
            sheet_table(MONTHS, lang),
            ("## Querverweise", "## Cross-notes")[at],
            note_table(lang),
        ]
    )


def generated_line(other: str, lang: str) -> str:
    """Return where the page comes from, and a link to the other language."""
    said = (
        f"Aus den Blättern erzeugt, nicht von Hand ändern. Siehe auch: [{other}.de.md]"
        f"({other}.de.md).",
        f"Made from the sheets, not to be edited by hand. See also: [{other}.en.md]"
        f"({other}.en.md).",
    )
    return said[language_at(lang)]


def calendar_opening(lang: str) -> Iterator[str]:
    """Yield how the 480 settings come about."""
    at = language_at(lang)
    every = len(GREEN) * len(REDS) * len(MONTHS)
    real = sum(DAYS_OF_MONTH)
    sizes = f"{len(GREEN)} × {len(REDS)} × {len(MONTHS)} = {every}"
    said = (
        "Jedes Datum wählt drei Blätter: Die Zehnerziffer des Tages das grüne, die Einerziffer das "
        "rote und der Monat das dritte. Der 14. September ist also Grün 1, Rot 4 und September. "
        f"Das sind {sizes} Spiele, {real} davon mit einem echten Datum. Die übrigen {every - real} "
        "(der 0. und der 32. bis 39. jedes Monats, der 30. Februar …) sind kein echtes Datum, aber "
        "spielbar.",
        "Every date picks three sheets: the tens digit of the day the green one, the ones digit "
        "the red one, and the month the third. So 14 September is green 1, red 4 and September. "
        f"That makes {sizes} games, {real} of them with a real date. The other {every - real} (0 "
        "and 32 to 39 of each month, 30 February …) are not real dates, but playable.",
    )
    yield paragraph(said[at])
    commands = (
        "Das Spiel eines Tages, oder ein oder zwei Blätter allein über den Grundregeln, "
        "vollständig zum Ausdrucken:",
        "The game of a day, or one or two sheets alone over the base rules, complete for printing:",
    )
    yield paragraph(commands[at])
    date, sheet = "stichwerk rules stichtag --date 14.9.", "stichwerk rules stichtag --sheet July"
    yield f"```sh\n{date}\n{sheet}\n```"
    yield paragraph(
        (
            "Das Regelheft druckt die Texte der Blätter nicht ab; diese sind von uns, und jedes "
            "nennt seine Herkunft:",
            "The rulebook does not print the texts of the sheets; these are ours, and each names "
            "its origin:",
        )[at]
    )
    yield bullets(text[at] for text in ORIGINS.values())


def symbols_line(lang: str) -> str:
    """Return where the symbols are."""
    return (
        "Jedes Symbol steht auf den genannten Werten in allen sechs Farben. Die 10 und die 11, "
        "die nur zu fünft mitspielen, tragen keins.",
        "Each symbol is on the named values in all six colours. The 10 and the 11, which only "
        "five players use, carry none.",
    )[language_at(lang)]


def sheet_table(sheets: Sequence[type[Sheet]], lang: str) -> str:
    """Return a table of sheets, one row each."""
    at = language_at(lang)
    has_symbols = bool(sheets[0].symbol_name[at])
    head = (["Blatt", "Titel"], ["sheet", "title"])[at]
    head += [("Symbol", "symbol")[at], ("auf", "on")[at]] if has_symbols else []
    head += (["in Kürze", "Herkunft"], ["in short", "origin"])[at]
    return table(head, [sheet_row(sheet, lang, has_symbols) for sheet in sheets])


def sheet_row(sheet: type[Sheet], lang: str, has_symbols: bool) -> list[str]:
    """Return one sheet as a table row."""
    at = language_at(lang)
    row = [sheet_label(sheet.name, lang), sheet.title[at]]
    if has_symbols:
        row += [sheet.symbol_name[at], ", ".join(str(value) for value in sheet.values)]
    return [*row, sheet.short[at], ORIGIN_WORDS[sheet.origin][at]]


def note_table(lang: str) -> str:
    """Return all cross-notes, one row each."""
    at = language_at(lang)
    head = (["Blatt", "trifft", "dann gilt"], ["sheet", "meets", "then"])[at]
    return table(
        head,
        [
            [sheet_label(name, lang), sheet_label(other, lang), text[at]]
            for name, other, text in notes_of(list(SHEETS))
        ],
    )


# -- The yearbook ----------------------------------------------------------------------------------


def yearbook_page(lang: str) -> str:
    """Return every sheet in full, then what applies to all of them."""
    at = language_at(lang)
    kinds = (
        (GREEN, ("## Grüne Blätter: das Ziel", "## Green sheets: the goal")),
        (
            REDS,
            (
                "## Rote Blätter: wie die Stiche gespielt werden",
                "## Red sheets: how tricks are played",
            ),
        ),
        (MONTHS, ("## Monatsblätter: Symbole auf den Karten", "## Months: symbols on the cards")),
    )
    parts = [
        ("# Das Jahrbuch von Stichtag", "# Stichtag's yearbook")[at],
        generated_line("calendar", lang),
    ]
    for sheets, heading in kinds:
        parts.append(heading[at])
        for sheet in sheets:
            parts += yearbook_entry(sheet, lang)
    return page([*parts, *yearbook_closing(lang)])


def yearbook_entry(sheet: type[Sheet], lang: str) -> Iterator[str]:
    """Yield a sheet in full, with the parts it touches and its cross-notes."""
    at = language_at(lang)
    yield from sheet_parts(sheet, lang)
    verbs = (("Ersetzt", "Replaces"), sheet.replaces), (("Ergänzt", "Extends"), sheet.extends)
    touched = [
        f"{verb[at]}: {', '.join(BASE[part][0][at] for part in parts)}."
        for verb, parts in verbs
        if parts
    ]
    yield paragraph(" ".join(touched))
    if sheet.notes:
        yield bullets(
            f"**{('Mit', 'With')[at]} {sheet_label(other, lang)}**: {text[at]}"
            for other, text in sheet.notes.items()
        )


def yearbook_closing(lang: str) -> Iterator[str]:
    """Yield base rules, orders of events, and clarifications."""
    at = language_at(lang)
    yield ("## Die Grundregeln, Teil für Teil", "## The base rules, part by part")[at]
    yield bullets(f"**{name[at]}**: {rule[at]}" for name, rule in BASE.values())
    yield ("## Reihenfolge in einem Stich", "## Order of events in a trick")[at]
    yield numbered(ALL_TRICK[at])
    yield ("## Reihenfolge am Ende der Runde", "## Order of events at the end of a round")[at]
    yield numbered(ALL_ROUND[at])
    yield ("## Im Zweifel", "## In case of doubt")[at]
    yield bullets(line.said(list(SHEETS), at) for line in LINES)


PAGES = {"calendar": calendar_page, "yearbook": yearbook_page}


def pages() -> dict[str, str]:
    """Return all generated pages by file name."""
    return {f"{name}.{lang}.md": made(lang) for name, made in PAGES.items() for lang in LANGUAGES}


def main(folder: str) -> None:
    """Write the pages into a folder."""
    for name, text in pages().items():
        Path(folder, name).write_text(text, "utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
