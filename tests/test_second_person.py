"""A person's own seat is "you" in every sentence about a match, and nobody else's is."""

import re
from collections.abc import Iterator
from functools import cache

import msgspec
import pytest

import stichwerk
from stichwerk import narration, outlook
from stichwerk.locale import LANGUAGES
from stichwerk.match import Match
from stichwerk.outlook.structs import Effect
from stichwerk.server import wire
from stichwerk.terminal import table
from stichwerk.view import View
from tests.test_note_words import READ as NOTES

NAMES = ("Zora", "Ben", "Cleo", "Dan")
OWN = re.compile(r"\bZora\b")
SECOND_PERSON = {
    "en": re.compile(r"\b(?:you|your|yours)\b", re.I),
    "de": re.compile(r"\b(?:du|dich|dir|dein\w*)\b", re.I),
}
GAMES: dict[str, dict[str, int | str]] = {
    "sticheln": {},
    "stichling": {},
    "null-nichtig": {"teams": 2},
    "04-06": {"date": "04-06"},
    "07-07": {"date": "07-07"},
    "08-08": {"date": "08-08"},
    "09-01": {"date": "09-01"},
    "12-34": {"date": "12-34"},
    "06-30": {"date": "06-30"},
}


@cache
def moments(name: str) -> tuple[Match, tuple[View, ...], tuple[View, ...]]:
    """Play a match at random; return it with views of seat 0 and of a spectator on the way."""
    game = "stichtag" if "date" in GAMES[name] else name
    match = stichwerk.game(game, seats=4, **GAMES[name]).new(seed=5, names=NAMES)
    bot = stichwerk.bot("random", seed=5)
    own, spectator = [], []
    while match.waiting_for:
        seat = match.waiting_for[0]
        match.play(seat, bot.choose(match.view(seat)))
        if len(match.view(None).history) % 3 == 0:
            own.append(match.view(0))
            spectator.append(match.view(None))
    return match, tuple(own[-60:]), tuple(spectator[-60:])


def said(one: Effect) -> tuple[str, ...]:
    return (one.text, one.short, one.verdict, one.sentence)


def told(view: View, lang: str) -> Iterator[str]:
    """Yield everything that is said about one moment, but for the rules of sheets."""
    look = outlook.look(view, lang)
    yield from (text for one in look.effects for text in said(one))
    yield from (trick.text for trick in look.standing.tricks)
    yield look.standing.last.text if look.standing.last else ""
    yield look.situation.heading
    for round in range(1, len(view.scores) + 1):
        for tally in outlook.tally(view, round, lang):
            yield from (item.text for item in tally.items)
    yield from table.table_lines(view, lang)
    yield table.last_trick_line(view, lang)
    yield from table.sheet_lines(view, lang)


def happened(view: View, lang: str) -> Iterator[str]:
    """Yield what happened, and the result."""
    reader = narration.reader_of(view, lang)
    yield from (narration.words(event, reader) for event in view.history)
    yield from table.ranking_lines(view, lang)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", GAMES)
def test_own_name_is_never_said(name: str, lang: str) -> None:
    match, own, _ = moments(name)
    texts = [text for view in own for text in told(view, lang)]
    texts += happened(match.view(0), lang)
    assert any(SECOND_PERSON[lang].search(text) for text in texts)
    assert not [text for text in texts if OWN.search(text)]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", GAMES)
def test_a_spectator_is_nobody_at_the_table(name: str, lang: str) -> None:
    match, _, spectator = moments(name)
    texts = [look.text for view in spectator for look in outlook.standing(view, lang).tricks]
    for view in spectator:
        last = outlook.standing(view, lang).last
        texts.append(last.text if last else "")
    reader = narration.reader_of(match.view(None), lang)
    texts += [narration.words(event, reader) for event in match.view(None).history]
    assert any(OWN.search(text) for text in texts)
    assert not [text for text in texts if SECOND_PERSON[lang].search(text)]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_notes_about_the_reader_have_no_name_in_them(lang: str) -> None:
    reader = narration.TableReader(
        seat=0, person="a", names=("Zora", "Ben", ""), people={"a": "Zora", "b": "Ben"}, lang=lang
    )
    for note, *_ in NOTES:
        facts = msgspec.structs.asdict(note)
        own = {"person": "a"} if "person" in facts else {"seat": 0} if "seat" in facts else {}
        if own and not isinstance(note, wire.Removed):
            about_me = msgspec.structs.replace(note, **own)
            words = narration.note_words(about_me, reader)
            assert not OWN.search(words)
            assert not words or SECOND_PERSON[lang].search(words) or "person" not in own


@pytest.mark.parametrize(
    ("lang", "words"), [("de", "Deine Punkte als Partner"), ("en", "Your points as partner")]
)
def test_own_points_as_partner_are_yours(lang: str, words: str) -> None:
    """The sentence was "You's points as partner"."""
    match, *_ = moments("04-06")
    items = [item.text for tally in outlook.tally(match.view(0), 1, lang) for item in tally.items]
    assert words in items
