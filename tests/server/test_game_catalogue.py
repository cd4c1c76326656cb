"""The catalogue: games, options, rules and the calendar, in both languages."""

import re
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

import stichwerk
from stichwerk import locale
from stichwerk.games import registry
from stichwerk.games.stichtag import yearbook
from stichwerk.games.stichtag.calendar import SHEETS, SHEETS_OF, all_dates, is_real, sheets_of_date
from stichwerk.server import wire
from stichwerk.server.http import game_catalogue, qr
from stichwerk.server.tables.lobby import NotFoundError
from tests.server.harness import Quick, RunningServer, run, running_server

pytestmark = pytest.mark.slow  # with a real server

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples" / "sheets"
LANGUAGES: tuple[wire.Lang, ...] = ("de", "en")
every_language = pytest.mark.parametrize("lang", LANGUAGES)
every_game = pytest.mark.parametrize("game", registry.GAMES)


def asked(folder: Path, *paths: str) -> list[httpx.Response]:
    """Return what a real server answers."""

    async def ask() -> list[httpx.Response]:
        async with running_server(folder, pool=Quick()) as home:
            return [await home.get(path) for path in paths]

    return run(ask())


# -- Games -----------------------------------------------------------------------------------------


@every_game
@every_language
def test_the_catalogue_has_what_the_start_page_needs(game: str, lang: wire.Lang) -> None:
    result = game_catalogue.game_info(game, lang)
    assert result.title == locale.game_name(game, lang)
    assert result.sentence.endswith(".")
    assert 0 < result.minutes[0] < result.minutes[1] < 100
    rules = locale.rules_text(game, lang)
    assert all(name.split()[0] in rules for name in result.authors)
    assert result.authors == registry.info_of(game).authors


@every_game
@every_language
def test_every_option_and_value_has_a_label(game: str, lang: wire.Lang) -> None:
    for seats in registry.kind(game).seat_counts:
        infos = game_catalogue.option_infos(game, seats, lang)
        for option, info in zip(registry.options_of(game, seats), infos, strict=True):
            assert (info.name, info.default) == (option.name, option.default)
            assert info.title not in ("", option.name)
            assert info.text.endswith(".")
            assert len(info.labels) == len(info.values)
            plain = {str(value) for value in info.values}
            assert not plain & set(info.labels), "words, not values"


def test_kinds_of_options() -> None:
    kinds = {
        (game, option.name): game_catalogue.option_kind(option)
        for game in registry.GAMES
        for option in registry.options_of(game, 4)
    }
    assert kinds["stichling", "discard"] == kinds["null-nichtig", "teams"] == "choice"
    assert kinds["sticheln", "rounds"] == kinds["null-nichtig", "target"] == "number"
    assert (kinds["stichtag", "date"], kinds["stichtag", "sheets"]) == ("date", "sheets")


# -- Rules -----------------------------------------------------------------------------------------


@every_game
@every_language
def test_rules_part_by_part_are_the_whole_text(game: str, lang: wire.Lang) -> None:
    result = game_catalogue.rules_of(game, lang)
    again = "\n\n".join(
        f"{'#' * part.level} {part.heading}\n\n{part.markdown}".strip() for part in result.sections
    )
    assert squeezed(again) == squeezed(locale.rules_text(game, lang))


def squeezed(text: str) -> str:
    return re.sub(r"\n+", "\n", text).strip()


@every_game
def test_parts_have_the_same_ids_in_both_languages(game: str) -> None:
    german, english = (game_catalogue.rules_of(game, lang).sections for lang in LANGUAGES)
    ids = [part.id for part in german]
    assert ids == [part.id for part in english]
    assert len(set(ids)) == len(ids)
    assert all(re.fullmatch(r"[a-z0-9-]+(~[0-9]+)?", id) for id in ids)
    assert "options" in ids


@every_game
@every_language
def test_rules_name_the_number_of_seats(game: str, lang: wire.Lang) -> None:
    for seats in registry.kind(game).seat_counts:
        page = "\n".join(
            part.markdown for part in game_catalogue.rules_of(game, lang, seats).sections
        )
        inside, counts = False, []
        for line in page.splitlines():
            inside = bool(game_catalogue.COUNTED.match(line)) or (inside and line.startswith("|"))
            found = re.match(r"\| *([0-9]+)", line)
            counts += [int(found[1])] if inside and found else []
        whole = locale.rules_text(game, lang).splitlines()
        has_table = any(map(game_catalogue.COUNTED.match, whole))
        assert set(counts) == ({seats} if has_table else set())


def test_equal_headings_have_different_ids() -> None:
    found = game_catalogue.sections("# A\n\nx\n\n## B\n\ny\n\n## B\n\n", "# A\n## B\n## B")
    assert [(part.id, part.level, part.markdown) for part in found] == [
        ("a", 1, "x"),
        ("b", 2, "y"),
        ("b~2", 2, ""),
    ]


def test_rules_of_unknown_games_are_404(tmp_path: Path) -> None:
    paths = ("/api/rules/bridge", "/api/rules/sticheln?seats=7", "/api/rules/sticheln?seats=x")
    unknown, seats, number = asked(tmp_path, *paths)
    assert (unknown.status_code, unknown.json()["error"]) == (404, "unknown-game")
    assert (seats.status_code, seats.json()["error"]) == (400, "bad-seats")
    assert (number.status_code, number.json()["error"]) == (400, "query-no-number")


# -- The calendar ----------------------------------------------------------------------------------


@every_language
def test_the_calendar_has_all_sheets(lang: wire.Lang) -> None:
    result = game_catalogue.whole_calendar(lang, "01-01")
    assert [sheet.name for sheet in result.sheets] == list(SHEETS)
    for sheet in result.sheets:
        assert sheet.label == yearbook.sheet_label(sheet.name, lang)
        assert all((sheet.title, sheet.short, sheet.origin_text, *sheet.text))
        assert (sheet.kind == "month") == (sheet.symbol is not None)
        assert bool(sheet.values) == (sheet.kind == "month" or sheet.name == "red 5")
        assert sheet.drawing[:1] == ("M" if sheet.values else "")
        assert len(sheet.notes) == len(SHEETS[sheet.name].notes)
    parts = {part.name for part in result.parts}
    used = {name for sheet in result.sheets for name in (*sheet.replaces, *sheet.extends)}
    assert used <= parts
    assert len(result.parts) == 14
    numbers = [(sheet.kind, sheet.number) for sheet in result.sheets]
    assert len(set(numbers)) == len(numbers)
    drawings = [sheet.drawing for sheet in result.sheets if sheet.drawing]
    assert len(set(drawings)) == len(drawings)


@every_language
def test_the_calendar_lists_custom_sheets(lang: wire.Lang, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STICHWERK_SHEETS", str(EXAMPLES))
    result = game_catalogue.whole_calendar.__wrapped__(lang, "01-01").sheets[len(SHEETS) :]
    assert [sheet.name.partition("@")[0] for sheet in result] == ["green 1", "January", "May"]
    snow = result[1]
    assert (snow.kind, snow.number, snow.values) == ("month", 1, (4, 9))
    assert snow.drawing == SHEETS["June"].drawing, "that of the sheet it is like"
    assert result[2].drawing == "", "a class that extends only `Sheet` has none"
    assert snow.title == {"de": "Schneeflocken", "en": "Snowflakes"}[lang]
    assert snow.short != game_catalogue.sheet_info(SHEETS["January"], lang).short
    stichwerk.game("stichtag", seats=4, sheets=[snow.name]).new(seed=1)


def test_a_broken_custom_sheet_hides_only_custom_sheets(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "broken.toml").write_text("sheet = 7")
    monkeypatch.setenv("STICHWERK_SHEETS", str(tmp_path))
    assert len(game_catalogue.whole_calendar.__wrapped__("de", "01-01").sheets) == len(SHEETS)


@every_language
def test_every_day_has_a_page(lang: wire.Lang) -> None:
    dates = all_dates()
    for at, date in enumerate(dates):
        result = game_catalogue.day_of.__wrapped__(date, lang)
        assert [sheet.name for sheet in result.sheets] == list(sheets_of_date(date))
        assert (result.previous, result.next) == (dates[at - 1], dates[(at + 1) % 480])
        assert result.real == is_real(date)
        assert result.words == yearbook.date_words(date, lang)
        assert len(result.notes) == len(yearbook.notes_of(sheets_of_date(date)))
        ids = [part.id for part in result.sections]
        assert len(set(ids)) == len(ids)
        page = "\n\n".join(part.markdown for part in result.sections)
        rules = yearbook.day_rules(sheets_of_date(date), lang, date=date)
        assert squeezed(re.sub(r"^#.*\n", "", rules, flags=re.MULTILINE)) == squeezed(page)
        assert msgspec.json.decode(msgspec.json.encode(result), type=wire.Day) == result


@every_language
def test_the_calendar_of_version_1_has_its_own_texts(lang: wire.Lang) -> None:
    old, new = (game_catalogue.whole_calendar(lang, "01-01", version) for version in (1, 2))
    assert [one.name for one in old.sheets] == [one.name for one in new.sheets]
    changed = {one.name for one, two in zip(old.sheets, new.sheets, strict=True) if one != two}
    assert {"red 0", "red 9", "green 2", "April", "October"} <= changed
    april = {one.name: one for one in old.sheets}["April"]
    assert (april.number, april.values) == (4, (1, 8))
    assert {one.name: one for one in new.sheets}["April"].values == (8,)


@every_language
def test_every_day_of_version_1_has_a_page(lang: wire.Lang) -> None:
    for date in all_dates()[::7]:
        result = game_catalogue.day_of.__wrapped__(date, lang, version=1)
        names = sheets_of_date(date)
        assert [one.title for one in result.sheets] == [
            SHEETS_OF[1][name].title[yearbook.language_at(lang)] for name in names
        ]
        assert len(result.notes) == len(yearbook.notes_of(names, 1))
        page = "\n\n".join(part.markdown for part in result.sections)
        rules = yearbook.day_rules(names, lang, date=date, version=1)
        assert squeezed(re.sub(r"^#.*\n", "", rules, flags=re.MULTILINE)) == squeezed(page)


@every_language
def test_a_day_leaves_out_what_a_cross_note_cancels(lang: wire.Lang) -> None:
    at = yearbook.language_at(lang)
    names = sheets_of_date("01-14")
    sentences = [
        sentence[at]
        for name in names
        for both in SHEETS[name].cancels.values()
        for sentence in both
    ]
    assert names[:2] == ("green 1", "red 4")
    assert sentences
    usual = game_catalogue.whole_calendar(lang, "01-01")
    together = game_catalogue.played_together(usual, ["red 4", "green 1", "?"], lang, 2)
    day = {one.name: one for one in game_catalogue.day_of("01-14", lang).sheets}
    for one, before in zip(together.sheets, usual.sheets, strict=True):
        said = " ".join((one.short, *one.text))
        if one.name in ("green 1", "red 4"):
            assert (one.short, one.text) == (day[one.name].short, day[one.name].text)
            assert not any(sentence in said for sentence in sentences)
        else:
            assert one == before
    assert together != usual


def test_the_version_of_the_texts_is_asked_for(tmp_path: Path) -> None:
    base = "/api/calendar"
    answers = asked(
        tmp_path,
        *(base + path for path in ("", "?rules=2", "?rules=1", "?sheets=red 4,green 1")),
        *(base + path for path in ("/01-10", "/01-10?rules=1", "?rules=3", "/01-10?rules=x")),
    )
    assert [answer.status_code for answer in answers] == [200] * 6 + [400] * 2
    newest, same, old, together = (answer.json() for answer in answers[:4])
    assert newest == same != old
    assert together["sheets"] != newest["sheets"]
    titles = [answer.json()["sheets"][1]["title"] for answer in answers[4:6]]
    assert titles == ["Trump choice", "Trump of the round"]
    errors = [answer.json()["error"] for answer in answers[6:]]
    assert errors == ["unknown-rules-version", "query-no-number"]


def test_a_part_of_a_day_has_one_id_in_both_languages() -> None:
    german, english = (game_catalogue.day_of("08-12", lang) for lang in LANGUAGES)
    assert [part.id for part in german.sections] == [part.id for part in english.sections]
    assert "a-trick-step-by-step" in [part.id for part in german.sections]
    assert german.sections[0].heading == "Stichtag: 12. August"


def test_days_are_parsed_as_people_type_them(tmp_path: Path) -> None:
    base = "/api/calendar/"
    wishes = ("14.9.", "09-14", "02-30", "today", "heute", "random", "00-01", "13-01", "x" * 300)
    answers = asked(tmp_path, *(base + request for request in (*wishes, "%00", "09-14?seats=6")))
    days = [answer.json() for answer in answers[:6]]
    assert [answer.status_code for answer in answers] == [200] * 6 + [404] * 4 + [400]
    assert days[0]["date"] == days[1]["date"] == "09-14"
    assert days[2]["words"] == "30 February (not a real date, but playable)"
    assert (days[2]["real"], days[0]["real"]) == (False, True)
    assert days[3] == days[4]
    assert days[5]["date"] in all_dates()
    assert {answer.json()["error"] for answer in answers[6:10]} == {"bad-date"}


def test_an_invalid_day_is_refused() -> None:
    with pytest.raises(NotFoundError):
        game_catalogue.rules_of("stichtag-2", "de")


# -- QR codes --------------------------------------------------------------------------------------


def test_qr_codes_are_drawn_for_our_links_only(tmp_path: Path) -> None:
    async def ask() -> None:
        async with running_server(tmp_path, pool=Quick()) as home:
            link = f"{home.http}/t/abc#{'x' * 43}"
            drawn = await home.post("/api/qr", {"text": link})
            assert (drawn.status_code, drawn.content) == (200, qr.drawn(link))
            assert drawn.headers["content-type"] == "image/svg+xml"
            assert drawn.headers["cache-control"] == "no-store"
            await refuses(home)

    async def refuses(home: RunningServer) -> None:
        wishes: dict[int, list[Any]] = {
            403: ["https://evil.example/", f"{home.http}.evil.example/", "javascript:1", "x"],
            400: ["", f"{home.http}/{'x' * 400}", 7, None],
        }
        for status, texts in wishes.items():
            for text in texts:
                assert (await home.post("/api/qr", {"text": text})).status_code == status, text
        assert (await home.get("/api/qr?text=x")).status_code in (404, 405)

    run(ask())


def test_qr_codes_are_drawn_for_trusted_origins(tmp_path: Path) -> None:
    async def ask() -> list[int]:
        trusted = ("http://localhost:5173", "cards.example.org")
        async with running_server(tmp_path, pool=Quick(), origins=trusted) as home:
            texts = ("http://localhost:5173/t/x", "http://localhost:51730/", "cards.example.org/")
            return [(await home.post("/api/qr", {"text": text})).status_code for text in texts]

    assert run(ask()) == [200, 403, 403]


def test_a_qr_code_has_no_style_or_script() -> None:
    drawn = qr.drawn("http://127.0.0.1:8420/t/abc").decode()
    assert "style=" not in drawn
    assert "<script" not in drawn
    assert re.search(r'viewBox="0 0 \d+ \d+"', drawn)
