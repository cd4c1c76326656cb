"""Static content of the API: games with their options, rules, and the calendar of Stichtag.

All of it is the same for everyone, and built once per language.
"""

import re
from asyncio import to_thread
from collections.abc import Iterator, Sequence
from datetime import date
from functools import lru_cache
from threading import Lock
from typing import Literal, TypedDict, get_args

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from stichwerk import locale
from stichwerk.errors import BadFileError, BadOptionError, UnknownGameError, shown
from stichwerk.games import registry
from stichwerk.games.info import GameDescription
from stichwerk.games.options import Option, Value
from stichwerk.games.stichtag import own, yearbook, yearbook_lines
from stichwerk.games.stichtag.calendar import (
    KINDS,
    NEWEST,
    SHEETS,
    SHEETS_OF,
    all_dates,
    is_real,
    sheet_kind,
    sheets_of_date,
)
from stichwerk.games.stichtag.choice_panels import ChoicePanel
from stichwerk.games.stichtag.dates import parse_date
from stichwerk.games.stichtag.seat_facts import SeatFact
from stichwerk.games.stichtag.sheet import Sheet
from stichwerk.games.stichtag.table_facts import TableFact
from stichwerk.games.stichtag.trick_marks import TrickMark
from stichwerk.lessons import page
from stichwerk.server import wire
from stichwerk.server.clock import Clock
from stichwerk.server.http.responses import json, language, number
from stichwerk.server.random_source import RandomSource
from stichwerk.server.tables.lobby import NotFoundError

HOUSE_SHEET = ("ein Blatt dieses Hauses", "a sheet of this house")
HEADING = re.compile(r"(#{1,3}) +(.+)")
COUNTED = re.compile(r"\| *(players|Personen) *\|")  # a table with a line per seat count


async def games(request: Request) -> Response:
    """Return the games and their options."""
    lang = language(request)
    return json(wire.Games(games=tuple(game_info(name, lang) for name in registry.GAMES)))


async def rules(request: Request) -> Response:
    """Return the rules of a game."""
    game = request.path_params["game"]
    return json(rules_of(game, language(request), number(request, "seats")))


async def lesson(request: Request) -> Response:
    """Return the lesson of a game."""
    game = request.path_params["game"]
    if not registry.info_of(game).lesson:
        raise NotFoundError("no-lesson", game=shown(game))
    return Response(await to_thread(lesson_of, game), media_type="application/json")


async def calendar(request: Request) -> Response:
    """Return all sheets."""
    lang, played = language(request), version(request)
    whole = whole_calendar(lang, f"{today(request):%m-%d}", played)
    together = request.query_params.get("sheets", "").split(",")
    return json(played_together(whole, together, lang, played))


async def day(request: Request) -> Response:
    """Return one day."""
    rng: RandomSource = request.app.state.lobby.rng
    try:
        found = parse_date(
            request.path_params["date"],
            today(request),
            lambda days: days[rng.number() % len(days)],
        )
    except BadOptionError as error:
        raise NotFoundError(error.id, **error.data) from None
    seats = number(request, "seats")
    return json(day_of(found, language(request), seats, version(request)))


def version(request: Request) -> int:
    """Return the requested version of the calendar's rules, by default the newest."""
    return registry.version_of(registry.calendar_game().name, number(request, "rules"))


def today(request: Request) -> date:
    """Return the server's local date."""
    clock: Clock = request.app.state.lobby.clock
    return date.fromtimestamp(clock.milliseconds() / 1000)


# -- Games -----------------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def game_info(name: str, lang: wire.Lang) -> wire.GameInfo:
    """Return the description of a game for someone creating a table."""
    kind, info = registry.kind(name), registry.info_of(name)
    return wire.GameInfo(
        name=name,
        title=locale.game_name(name, lang),
        sentence=locale.sentences(lang).get(f"about-{name}", ""),
        minutes=info.minutes,
        authors=info.authors,
        seats=tuple(kind.seat_counts),
        options={str(seats): option_infos(name, seats, lang) for seats in kind.seat_counts},
        hides_score=info.hides_score,
        presentation=presentation(info, lang),
    )


def presentation(info: GameDescription, lang: wire.Lang) -> wire.Presentation:
    """Return how clients present a game."""
    return wire.Presentation(
        page=info.page,
        picture=locale.sentences(lang).get(f"picture-{info.name}", ""),
        round=locale.round_word(info.name, lang),
        counts=info.counts,
        places=info.open_tricks,
        calendar=info.calendar,
        lesson=bool(info.lesson),
        rules=locale.has_rules(info.name),
        first_choice=info.first_choice,
    )


def our_games() -> str:
    """Return what the page knows about our games without a server, as JSON."""
    infos = {
        lang: [
            {
                "name": info.name,
                "title": locale.game_name(info.name, lang),
                **msgspec.to_builtins(presentation(info, lang)),
            }
            for info in registry.OUR_GAMES
        ]
        for lang in get_args(wire.Lang)
    }
    return msgspec.json.format(msgspec.json.encode(infos), indent=2).decode() + "\n"


def option_infos(game: str, seats: int, lang: wire.Lang) -> tuple[wire.OptionInfo, ...]:
    """Return the options of a game with this many seats."""
    return tuple(option_info(game, option, lang) for option in registry.options_of(game, seats))


def option_info(game: str, option: Option, lang: wire.Lang) -> wire.OptionInfo:
    """Return an option with its texts; an option of a custom game goes by its name."""
    words = locale.sentences(lang)
    id = option_id(game, option.name)
    return wire.OptionInfo(
        name=option.name,
        title=words.get(id, option.name),
        text=words.get(f"{id}-text", ""),
        kind=option_kind(option),
        default=option.default,
        values=option.values,
        labels=tuple(words.get(label_id(game, option, it), str(it)) for it in option.values),
        lowest=option.lowest,
        highest=option.highest,
    )


def option_id(game: str, option: str) -> str:
    """Return the text id of an option; options that all games share have one text."""
    return "option-starter" if option == "starter" else f"option-{game}-{option}"


def label_id(game: str, option: Option, value: Value) -> str:
    """Return the text id of a value."""
    return f"{option_id(game, option.name)}-is-{'none' if value is None else value}"


def option_kind(option: Option) -> Literal["choice", "number", "date", "sheets"]:
    """Return how best to ask for an option."""
    if option.members:
        return "sheets"
    if option.pattern:
        return "date"
    return "choice" if option.lowest is None else "number"


# -- Rules -----------------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def rules_of(game: str, lang: wire.Lang, seats: int | None = None) -> wire.Rules:
    """Return the rules of a game, section by section."""
    try:
        known = registry.kind(game)
        texts = {each: locale.rules_text(game, each) for each in locale.LANGUAGES}
    except UnknownGameError as error:
        raise NotFoundError(error.id, **error.data) from None
    except LookupError:
        raise NotFoundError("no-rules", game=shown(game)) from None
    if seats is not None and seats not in known.seat_counts:
        registry.options_of(game, seats)  # refuses impossible seat counts
    return wire.Rules(
        game=game,
        title=locale.game_name(game, lang),
        lang=lang,
        seats=seats,
        sections=sections(texts[lang], texts["en"], seats),
    )


def sections(page: str, english: str, seats: int | None = None) -> tuple[wire.Section, ...]:
    """Return the sections of a Markdown page. Their ids come from the English page, so that a link
    leads to the same section in both languages."""
    found = list(parts(page))
    ids = unique_ids(heading for _, heading, _ in parts(english))
    if len(ids) != len(found):  # a custom game, where nobody checks
        ids = unique_ids(heading for _, heading, _ in found)
    return tuple(
        wire.Section(id=id, heading=heading, level=level, markdown=for_seats(text, seats))
        for id, (level, heading, text) in zip(ids, found, strict=True)
    )


def parts(page: str) -> Iterator[tuple[int, str, str]]:
    """Yield level, heading and text of each section of a page that begins with a heading."""
    level, title, text = 0, "", list[str]()
    for line in page.splitlines():
        heading = HEADING.fullmatch(line)
        if heading is None:
            text.append(line)
            continue
        if level:
            yield level, title, "\n".join(text).strip()
        level, title, text = len(heading[1]), heading[2].strip(), []
    yield level, title, "\n".join(text).strip()


def unique_ids(headings: Iterator[str]) -> list[str]:
    """Return an id for each heading, usable in a URL; numbered if it is not the first of its
    kind."""
    found: list[str] = []
    for heading in headings:
        plain = re.sub(r"[^a-z0-9]+", "-", heading.lower()).strip("-") or "part"
        again = sum(id == plain or id.startswith(f"{plain}~") for id in found)
        found.append(f"{plain}~{again + 1}" if again else plain)
    return found


def for_seats(text: str, seats: int | None) -> str:
    """Reduce tables with a line per seat count to the line for this one."""
    if seats is None:
        return text
    kept, inside = list[str](), False
    for line in text.splitlines():
        inside = bool(COUNTED.match(line)) or (inside and line.startswith("|"))
        first = re.match(r"\| *([0-9]+)", line)
        if not inside or first is None or int(first[1]) == seats:
            kept.append(line)
    return "\n".join(kept)


# -- Lessons ---------------------------------------------------------------------------------------

_lessons: dict[str, str] = {}
_lessons_lock = Lock()


def lesson_of(game: str) -> str:
    """Return the lesson and examples of a game as JSON; played once, which takes a moment."""
    with _lessons_lock:
        if game not in _lessons:
            parts = {"lesson": "learn/lessons", "examples": "rules/examples"}
            pages = {name: msgspec.Raw(page(part, game).encode()) for name, part in parts.items()}
            _lessons[game] = msgspec.json.encode(pages).decode()
    return _lessons[game]


# -- The calendar ----------------------------------------------------------------------------------


@lru_cache(maxsize=8)
def whole_calendar(lang: wire.Lang, today: str, version: int = NEWEST) -> wire.Calendar:
    """Return all sheets and the parts they may change; sheets from the operator's folder come
    last."""
    at = yearbook.language_at(lang)
    ours = [sheet_info(sheet, lang) for sheet in SHEETS_OF[version].values()]
    return wire.Calendar(
        lang=lang,
        today=today,
        sheets=(*ours, *own_sheet_infos(lang, version)),
        parts=tuple(
            wire.PartInfo(name=name, title=title[at], text=text[at])
            for name, (title, text) in yearbook_lines.BASE.items()
        ),
    )


@lru_cache(maxsize=64)
def day_of(date: str, lang: wire.Lang, seats: int | None = None, version: int = NEWEST) -> wire.Day:
    """Return one day of the calendar by a version of the rules."""
    if seats is not None:
        registry.options_of(registry.calendar_game().name, seats)  # refuses impossible seat counts
    names, dates = sheets_of_date(date), all_dates()
    place = dates.index(date)
    pages = {
        each: yearbook.day_rules(names, each, seats=seats, date=date, version=version)
        for each in (lang, "en")
    }
    return wire.Day(
        lang=lang,
        date=date,
        words=yearbook.date_words(date, lang),
        real=is_real(date),
        previous=dates[place - 1],
        next=dates[(place + 1) % len(dates)],
        sheets=tuple(
            for_today(sheet_info(SHEETS_OF[version][name], lang), names, lang, version)
            for name in names
        ),
        notes=tuple(cross_note(*note, lang) for note in yearbook.notes_of(names, version)),
        sections=sections(pages[lang], pages["en"]),
    )


def played_together(
    whole: wire.Calendar, together: Sequence[str], lang: wire.Lang, version: int
) -> wire.Calendar:
    """Return the calendar with the texts of these sheets as they are when played together; names
    that it does not have are ignored."""
    names = [sheet.name for sheet in whole.sheets if sheet.name in together]
    sheets = tuple(
        for_today(sheet, names, lang, version) if sheet.name in names else sheet
        for sheet in whole.sheets
    )
    return msgspec.structs.replace(whole, sheets=sheets)


def for_today(
    sheet: wire.SheetInfo, names: Sequence[str], lang: wire.Lang, version: int
) -> wire.SheetInfo:
    """Return a sheet without what a cross-note among these sheets cancels."""
    return msgspec.structs.replace(
        sheet,
        short=yearbook.short_today(sheet.name, names, lang, version),
        text=paragraphs(yearbook.long_today(sheet.name, names, lang, version)),
    )


def paragraphs(text: str) -> tuple[str, ...]:
    """Return the paragraphs of a text."""
    return tuple(part.strip() for part in text.split("\n\n"))


def sheet_info(sheet: type[Sheet], lang: wire.Lang) -> wire.SheetInfo:
    """Return the description of a sheet."""
    at = yearbook.language_at(lang)
    kind = sheet_kind(sheet.name)
    assert kind in ("green", "red", "month"), "these are all"
    return wire.SheetInfo(
        name=sheet.name,
        kind=kind,  # type: ignore[arg-type]
        number=KINDS[kind].index(SHEETS[sheet.name]) + int(kind == "month"),
        label=yearbook.sheet_label(sheet.name, lang),
        title=sheet.title[at],
        short=sheet.short[at],
        text=paragraphs(sheet.long[at]),
        symbol=sheet.symbol_name[at] or None,
        drawing=sheet.drawing,
        **described(sheet, at),
        values=tuple(sheet.values),
        origin=sheet.origin,  # type: ignore[arg-type]
        origin_text=yearbook_lines.ORIGINS[sheet.origin][at],
        replaces=tuple(sheet.replaces),
        extends=tuple(sheet.extends),
        notes=tuple(cross_note(sheet.name, other, note, lang) for other, note in noted(sheet)),
    )


class Described(TypedDict):
    """The fields of a `SheetInfo` that say how the sheet is presented."""

    facts: tuple[wire.FactInfo, ...]
    shown: tuple[wire.ShownInfo, ...]
    marks: tuple[wire.MarkInfo, ...]
    panels: tuple[wire.PanelInfo, ...]


def described(sheet: type[Sheet], at: int) -> Described:
    """Return what a sheet shows and how it asks, in one language."""
    return {
        "facts": tuple(fact_info(fact, at) for fact in sheet.facts),
        "shown": tuple(shown_info(fact, at) for fact in sheet.shown),
        "marks": tuple(mark_info(mark, at) for mark in sheet.marks),
        "panels": tuple(panel_info(panel, at) for panel in sheet.panels),
    }


def fact_info(fact: SeatFact, at: int) -> wire.FactInfo:
    """Return the description of what a sheet shows for each seat."""
    return wire.FactInfo(
        name=fact.name,
        form=fact.form,
        text=fact.text[at],
        short=fact.short[at] if fact.short else None,
        most=fact.most,
        sentence=fact.sentence[at],
        signs=fact.signs,
        lost=fact.lost,
    )


def shown_info(fact: TableFact, at: int) -> wire.ShownInfo:
    """Return the description of what else a sheet shows."""
    return wire.ShownInfo(
        name=fact.name,
        form=fact.form,
        own=fact.own,
        text=fact.short[at],
        counted=fact.counted,
        states={
            value: wire.StateInfo(text=texts["short"][at], sign=texts["sign"][at])
            for value, texts in fact.states.items()
        },
        instead=fact.instead,
        until=fact.until,
        event=fact.event,
        by=fact.by[at],
        stock=fact.stock,
    )


def mark_info(mark: TrickMark, at: int) -> wire.MarkInfo:
    """Return the description of a mark on plays of a trick."""
    return wire.MarkInfo(
        name=mark.name, look=mark.look, text=mark.text[at], event=mark.event, led=mark.led
    )


def panel_info(panel: ChoicePanel, at: int) -> wire.PanelInfo:
    """Return the description of how to ask for a choice."""
    return wire.PanelInfo(
        phase=panel.phase,
        widget=panel.widget,
        title=panel.title[at],
        note=panel.note[at],
        which=panel.which[at],
        action=panel.action[at],
        idle=panel.idle[at],
        hint=panel.hint[at],
        chosen=panel.chosen[at],
        moves={move: text[at] for move, text in panel.moves.items()},
        receivers=panel.receivers,
    )


def own_sheet_infos(lang: wire.Lang, version: int = NEWEST) -> tuple[wire.SheetInfo, ...]:
    """Return the sheets in the operator's folder, under the names that options use; none if
    something in there is wrong, which the command line reports."""
    try:
        mine = own.own_sheets()
    except BadFileError:
        return ()
    return tuple(own_sheet_info(one, lang, version) for one in mine.values())


def own_sheet_info(found: own.OwnSheet, lang: wire.Lang, version: int) -> wire.SheetInfo:
    """Return the description of a custom sheet. It takes the same position as one of ours."""
    sheet = found.sheet(version=version)
    ours = sheet_info(SHEETS_OF[version][found.name], lang)
    at = yearbook.language_at(lang)
    return msgspec.structs.replace(
        ours,
        name=found.option,
        title=sheet.title[at],
        short=sheet.short[at],
        text=paragraphs(sheet.long[at]),
        symbol=sheet.symbol_name[at] or None,
        drawing=sheet.drawing,
        **described(sheet, at),
        values=tuple(sheet.values),
        origin="own",
        origin_text=HOUSE_SHEET[at],
        replaces=tuple(sheet.replaces),
        extends=tuple(sheet.extends),
        notes=tuple(cross_note(found.name, other, note, lang) for other, note in noted(sheet)),
    )


def noted(sheet: type[Sheet]) -> list[tuple[str, yearbook_lines.Text]]:
    """Return the cross-notes of a sheet, in the order of the calendar."""
    return [(other, sheet.notes[other]) for other in yearbook.in_order(sheet.notes)]


def cross_note(name: str, other: str, text: yearbook_lines.Text, lang: wire.Lang) -> wire.CrossNote:
    """Return what a sheet says about another."""
    labels = [yearbook.sheet_label(each, lang) for each in (name, other)]
    return wire.CrossNote(
        sheet=name,
        other=other,
        heading=" × ".join(labels),
        text=text[yearbook.language_at(lang)],
    )
