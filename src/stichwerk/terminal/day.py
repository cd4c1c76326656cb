"""A day of Stichtag's calendar: its sheets, its symbol, and what they place on the table.

Everything is read from the view; the texts of sheets come from the sheets themselves.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from stichwerk.games import registry
from stichwerk.games.options import Value
from stichwerk.games.stichtag.calendar import (
    ALL_SHEETS,
    ASKERS,
    NEWEST,
    SEAT_SEPARATORS,
    sheet_kind,
    sheet_place,
)
from stichwerk.games.stichtag.course import sheet_names
from stichwerk.games.stichtag.seat_facts import SeatFact, in_order
from stichwerk.games.stichtag.sheet import BID
from stichwerk.games.stichtag.table_facts import TableFact
from stichwerk.games.stichtag.yearbook import (
    date_words,
    language_at,
    notes_of,
    sheet_label,
    sheet_of,
    short_today,
)
from stichwerk.locale import fill, text
from stichwerk.view import View

SYMBOL = "*"
"""Marks a card that carries today's symbol; ignored when it is typed with the card."""


# -- The day ---------------------------------------------------------------------------------------


def sheets_today(game: str, options: Mapping[str, Value]) -> tuple[str, ...]:
    """Return the names of today's sheets; none in the base game and in other games."""
    return sheet_names(options) if registry.has_calendar(game) else ()


def day_title(game: str, options: Mapping[str, Value], lang: str, version: int = NEWEST) -> str:
    """Return `14 September: Fewest points · Announcement · Leaf pile`; empty without any sheets."""
    names = sheets_today(game, options)
    if not names:
        return ""
    date = options["date"]
    if isinstance(date, str):
        day = date_words(date, lang)
    else:
        day = text("and", lang).join(sheet_label(name, lang) for name in names)
    titles = " · ".join(sheet_of(name, version).title[language_at(lang)] for name in names)
    return f"{day}: {titles}"


def day_opening(view: View, lang: str) -> Iterator[str]:
    """Yield the day, a sentence or two about each of its sheets, and the cross-notes."""
    title = day_title(view.game, view.options, lang, view.rules)
    if title:
        yield from ("", title)
    at = language_at(lang)
    names = sheets_today(view.game, view.options)
    for name in names:
        title, said = (
            sheet_of(name, view.rules).title[at],
            short_today(name, names, lang, view.rules),
        )
        yield f"  {sheet_label(name, lang)}, {title}: {said}"
    for name, other, note in notes_of(names, view.rules):
        yield f"  {sheet_label(name, lang)} × {sheet_label(other, lang)}: {note[at]}"


def plays_pairs(view: View) -> bool:
    """Return whether a play may be two cards."""
    return any(sheet_of(name, view.rules).pairs for name in sheets_today(view.game, view.options))


# -- Symbols ---------------------------------------------------------------------------------------


def symbol_values(view: View) -> tuple[str, ...]:
    """Return the values that carry today's symbol."""
    names = sheets_today(view.game, view.options)
    return tuple(str(value) for name in names for value in sheet_of(name, view.rules).values)


def marked(view: View, move: str) -> str:
    """Return a card or a pair, with a mark after every card that carries the symbol: `G3+G7*`."""
    values = symbol_values(view)
    cards = move.split("+") if values else [move]
    return "+".join(card + SYMBOL if card[1:] in values else card for card in cards)


def legend(view: View, lang: str) -> list[str]:
    """Return what the mark after a card means: each sheet that marks cards is explained."""
    at = language_at(lang)
    found = []
    for name in sheets_today(view.game, view.options):
        sheet = sheet_of(name, view.rules)
        if sheet.values:
            values = text("and", lang).join(str(value) for value in sheet.values)
            symbol = sheet.symbol_name[at] or sheet.title[at]
            found.append(text("symbol-on", lang, symbol=symbol, values=values))
    return [text("symbol-legend", lang, sign=SYMBOL, symbols=", ".join(found))] if found else []


# -- The table -------------------------------------------------------------------------------------


def day_lines(view: View, lang: str) -> Iterator[str]:
    """Yield what applies to everyone: the day, trump and stock, direction, cards in the middle."""
    if not registry.has_calendar(view.game):
        return
    title = day_title(view.game, view.options, lang, view.rules)
    if title:
        yield title
    yield trump_line(view, lang)
    yield from legend(view, lang)
    yield from shown_lines(view, lang, own=False)


def shown_today(view: View) -> list[TableFact]:
    """Return what today's sheets show: of the month first, then of the others."""
    names = sheets_today(view.game, view.options)
    sheets = [
        sheet_of(name, view.rules) for name in sorted(names, key=lambda name: not is_month(name))
    ]
    replaced = {part for sheet in sheets for part in sheet.replaces}
    return [fact for sheet in sheets for fact in sheet.shown if fact.instead not in replaced]


def is_month(name: str) -> bool:
    """Return whether a sheet is that of a month."""
    return sheet_kind(sheet_place(name)) == "month"


def shown_lines(view: View, lang: str, own: bool) -> Iterator[str]:
    """Yield what the sheets show to all, or to this seat only, as far as there is anything."""
    for fact in shown_today(view):
        value = fact.value(view.table, view.mine)
        line = "" if value is None else shown_text(fact, value, view, lang)
        if fact.own == own and line:
            yield line


def shown_text(fact: TableFact, value: Any, view: View, lang: str) -> str:
    """Return what a sheet shows, in words; empty for what only the page shows."""
    at = language_at(lang)
    if fact.form == "state":
        return fact.states[str(value)]["text"][at]
    if fact.form == "colour":
        return fill(fact.text[at], lang, colour=value)
    if fact.form == "colours":
        names = [fill("{colour}", lang, colour=one) for one in value]
        return fill(fact.text[at], lang, colours=text("and", lang).join(names))
    cards = [value] if isinstance(value, str) else list(value)
    count = fact.count(view.table, cards)
    return fill(fact.text[at], lang, count=count, cards=card_list(view, cards))


def hides_trick(view: View) -> bool:
    """Return whether the table is not empty although no trick is seen."""
    return any(
        fact.hides_trick and fact.value(view.table, view.mine) is not None
        for fact in shown_today(view)
    )


def trump_line(view: View, lang: str) -> str:
    """Return the current trump, or that there is none, and the stock."""
    trump = view.table.get("trump")
    asker = ASKERS.get(view.phase)
    if asker is not None and "trump" in asker.replaces:
        return text("trump-not-chosen", lang, count=view.stock)
    if trump is None:
        return text("no-trump", lang, count=view.stock)
    return text("trump-is", lang, trump=trump, count=view.stock)


def card_list(view: View, cards: Sequence[str]) -> str:
    """Return cards with their marks."""
    return " ".join(marked(view, card) for card in cards)


def before_seat(view: View, seat: int, lang: str) -> str:
    """Return what a seat has in front of it today: cards, counters, its announcement or
    holdings."""
    found = [fact_text(fact, view, seat, lang) for fact in facts_today(view)]
    if plays_pairs(view):
        found.append(text("cards-in-hand", lang, count=view.hand_sizes[seat]))
    return ", ".join(filter(None, found))


def facts_today(view: View) -> list[SeatFact]:
    """Return the facts that today's sheets show for each seat."""
    names = sheets_today(view.game, view.options)
    return in_order([fact for name in names for fact in sheet_of(name, view.rules).facts])


def fact_text(fact: SeatFact, view: View, seat: int, lang: str) -> str:
    """Return a fact of a seat in words; empty if the seat does not have it."""
    at = language_at(lang)
    template = (fact.long or fact.text)[at]
    if fact.form in ("holder", "own"):
        holder = (view.mine if fact.form == "own" else view.table).get(fact.name)
        return template if holder == seat else ""
    count = fact.count(view.table, seat)
    if fact.form == "signs":
        return fact.signs[0] * count or fact.none[at]
    known = view.table.get(fact.name) if fact.form == "number" else count
    return fill(template, lang, count=count) if known else ""


def signs_of(view: View, seat: int) -> str:
    """Return the signs that a seat has left: they decide the match where there are any."""
    facts = [fact for fact in facts_today(view) if fact.form == "signs"]
    return "".join(fact.signs[0] * fact.count(view.table, seat) for fact in facts)


def own_lines(view: View, lang: str) -> Iterator[str]:
    """Yield what only this seat knows: cards aside, a card face down, a choice already made."""
    yield from shown_lines(view, lang, own=True)
    if view.mine.get("chosen"):
        yield text("own-choice", lang, choice=view.mine["chosen"])


# -- Questions -------------------------------------------------------------------------------------

ASK = {phase: id for sheet in ALL_SHEETS for phase, id in sheet.questions.items()}


def question(view: View, lang: str) -> str:
    """Return what is asked for now, in words and with an example; empty if it is an ordinary
    play."""
    if not sheets_today(view.game, view.options) or not view.moves:
        return ""
    if view.phase == "play":
        return question_for_play(view, lang)
    if view.phase not in ASK:
        return ""
    example = view.moves[len(view.moves) // 2 if is_bid(view.phase) else 0]
    return text(ASK[view.phase], lang, example=example, **facts_of(view, example, lang))


def is_bid(phase: str) -> bool:
    """Return whether a number is asked for, of which the lowest is a poor example."""
    asker = ASKERS[phase]
    return any(
        asker.manners.get(number) == BID for number in asker.asks if asker.asks[number] == phase
    )


def facts_of(view: View, example: str, lang: str) -> dict[str, object]:
    """Return the data of the question: the seat in the example, how many cards, which neighbour."""
    if view.seat is None:
        return {}
    facts: dict[str, object] = {"count": example.count(",") + 1}
    facts["left"] = view.names[(view.seat + 1) % view.seats]
    separator = SEAT_SEPARATORS.get(view.phase)
    who = example.rpartition(separator)[2] if separator else ""
    facts["name"] = view.names[int(who)] if who.isdigit() else ""
    facts["trump"], facts["other_trump"] = view.moves[0], view.moves[-1]  # where colours are asked
    return facts


def question_for_play(view: View, lang: str) -> str:
    """Return the question for a play that is more than a card."""
    for name in sheets_today(view.game, view.options):
        asked = sheet_of(name, view.rules).play_question(view.moves, view.table)
        if asked is not None:
            return text(asked.id, lang, **asked.facts)
    return ""
