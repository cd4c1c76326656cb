"""Outlooks in any position: predictions come true, and tallies add up."""

import importlib.util
import json
import re
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import settings as effort
from hypothesis import strategies as st

import stichwerk
from stichwerk import locale, outlook
from stichwerk.engine.generator import Generator
from stichwerk.games import registry
from stichwerk.games.stichtag import own
from stichwerk.locale import LANGUAGES, text
from stichwerk.match import Match, Setting
from stichwerk.outlook import current_rule
from stichwerk.outlook.queries import MOST_CHOICES
from stichwerk.view import View
from tests.outlook_setup import came_true
from tests.rulebook.table import random_match
from tests.strategies import all_settings, matches, play_on, setting_id, some_days

pytestmark = pytest.mark.game


WITH_CARDS = ("play", "lay", "pain", "pass", "discard")  # phases in which hand cards are chosen


EXAMPLES = Path(__file__).parents[1] / "docs/examples"

EXPLAINED = [info.name for info in registry.OUR_GAMES if info.outlook]
CARD = re.compile(r"[RYGBLS]\d+")


# -- The rule of the moment ------------------------------------------------------------------------


def test_sections_are_in_the_rules() -> None:
    for info in registry.OUR_GAMES:
        english, german = (current_rule.headings(info.name, lang) for lang in ("en", "de"))
        assert len(english) == len(german)
        for moment in info.moments.values():
            assert moment.section in english
            assert moment.sentences


def test_situations() -> None:
    match = stichwerk.game("sticheln", seats=3).new(seed=1, names=["Ada", "Ben", "Cem"])
    situation = outlook.situation(match.view(0), "de")
    assert (situation.heading, situation.section) == (
        "Wähle deine Ärgerkarte",
        "Die Ärgerfarbe wählen",
    )
    assert situation.anchor == outlook.situation(match.view(0), "en").anchor
    assert outlook.situation(match.view(None), "en").heading == "Still choosing: Ada, Ben, Cem"
    play_on(match, Generator(1), 3)
    waiting = match.waiting_for[0]
    assert outlook.situation(match.view(waiting), "en").heading == "Your turn: lead"
    other = match.view((waiting + 1) % 3)
    assert outlook.situation(other, "en").heading == f"{match.names[waiting]}'s turn"
    play_on(match, Generator(1), 1000)
    assert outlook.situation(match.view(1), "de").heading == "Die Partie ist zu Ende"


# -- Properties ------------------------------------------------------------------------------------


def viewers(match: Match) -> tuple[int | None, ...]:
    return (None, *range(match.setting.seats))


def every_text(found: object) -> Iterator[str]:
    """Yield every text a person reads."""
    if isinstance(found, str):
        yield found
    elif isinstance(found, dict):
        yield from (one for key in found if key != "error" for one in every_text(found[key]))
    elif isinstance(found, list):
        yield from (one for part in found for one in every_text(part))


@pytest.mark.slow
@effort(max_examples=150)
@given(matches(*EXPLAINED), st.sampled_from(LANGUAGES))
def test_effects_reasons_and_words_for_all(match: Match, lang: str) -> None:
    ids = {id for id in locale.sentences("en") if "-" in id}
    for seat in viewers(match):
        view = match.view(seat)
        found = outlook.look(view, lang)
        few = view.phase == "play" or len(view.moves) <= MOST_CHOICES
        assert [effect.move for effect in found.effects] == list(view.moves if few else ())
        assert all(effect.text for effect in found.effects)
        for effect in found.effects if view.phase == "play" else ():
            assert effect.verdict.endswith(".")
            assert not effect.sentence or effect.sentence.endswith(".")
        check_reasons(match, view, found.reasons, lang)
        assert found.situation.heading
        assert found.situation.sentences
        assert found.situation.section
        texts = list(every_text(msgspec.to_builtins(found)))
        assert not ids & set(texts)
        assert not [words for words in texts if "=" in words or "{" in words or "  " in words]
        assert found == outlook.look(as_received(view), lang)


def as_received(view: View) -> View:
    """Return the view as a client has it: the outlook depends on nothing else."""
    return msgspec.json.decode(msgspec.json.encode(view), type=View)


def check_reasons(match: Match, view: View, reasons: dict[str, str], lang: str) -> None:
    """Check that exactly the cards that cannot be chosen have a reason: the match's."""
    if not view.moves:
        assert reasons == {}
        return
    aside: Any = view.mine.get("aside", [])
    playable = {card for move in view.moves for card in CARD.findall(move)}
    cards = set(view.hand) if view.phase not in WITH_CARDS else set(view.hand) - playable
    assert set(reasons) == cards | set(aside)
    for card in cards if view.phase == "play" else ():
        assert view.seat is not None
        reason = match.objection(view.seat, card)
        assert reason is not None
        assert reasons[card] == text(reason.id, lang, **reason.data)


@pytest.mark.slow
@effort(max_examples=100)
@given(matches(*EXPLAINED), st.integers(0, 2**32))
def test_one_choice_is_judged_as_the_match_judges_it(match: Match, seed: int) -> None:
    generator = Generator(seed)
    deck = match.rules.deck.texts
    for seat in range(match.setting.seats):
        view = match.view(seat)
        card = deck[generator.number(len(deck))]
        typed = [card, f"{card}>1", f"{card}>new", f"{card},{deck[0]}", "3", "pass", "veto 1", "x?"]
        if view.moves:
            typed.append(view.moves[generator.number(len(view.moves))])
        for move in typed:
            judged = outlook.one(view, move, "en")
            reason = match.objection(seat, move)
            assert judged.legal == (reason is None)
            assert judged.error == (None if reason is None else reason.id)
            assert judged.text
            if judged.legal:
                assert judged.effect is not None
                assert judged.effect.move == judged.move
    assert outlook.one(match.view(None), "R1", "en").error == "no-seat-of-your-own"


@pytest.mark.slow
@effort(max_examples=200)
@given(st.integers(0, 2**32), st.sampled_from([*all_settings(), *some_days(29)]))
def test_predicted_effects_come_true(seed: int, setting: Setting) -> None:
    match, generator = setting.new(seed=seed), Generator(seed)
    while match.waiting_for and len(match.scores) < 2:
        seat = match.waiting_for[generator.number(len(match.waiting_for))]
        view = match.view(seat)
        move = view.moves[generator.number(len(view.moves))]
        foreseen = outlook.one(view, move, "en").effect
        match.play(seat, move)
        if view.phase in ("play", "veto"):
            assert foreseen is not None
            assert came_true(view, foreseen, match.view(seat)), (view, foreseen)


# -- How points came about -------------------------------------------------------------------------


TALLIED = [one for one in (*all_settings(), *some_days(7)) if one.name in EXPLAINED]


@pytest.mark.slow
@pytest.mark.parametrize("part", range(8))
def test_items_add_up_to_the_points(part: int) -> None:
    """All games, seats and options, every sheet alone, two hundred days; for every viewer."""
    assert len(TALLIED) > 350
    for number, setting in enumerate(TALLIED[part::8]):
        match = setting.new(seed=number)
        play_on(match, Generator(number), 10_000)
        assert match.over
        for seat in viewers(match):
            view, lang = match.view(seat), LANGUAGES[number % 2]
            for round, scores in enumerate(match.scores, 1):
                check_tally(view, round, scores, lang, setting_id(setting))
            assert outlook.tally(view, len(match.scores) + 1, lang) == ()
            assert outlook.tally(view, 0, lang) == ()


def check_tally(view: View, round: int, scores: Sequence[int], lang: str, about: str) -> None:
    """Check that every seat's items add up, without an unexplained rest."""
    tallies = outlook.tally(view, round, lang)
    assert [one.seat for one in tallies] == list(range(view.seats))
    assert [one.points for one in tallies] == list(scores)
    for one in tallies:
        assert sum(item.points for item in one.items) == one.points, about
        assert text("tally-round", lang) not in [item.text for item in one.items], about


def test_the_tally_of_a_round_that_is_over_while_the_next_runs() -> None:
    match = stichwerk.game("stichtag", seats=4, date="06-24").new(seed=5)
    play_on(match, Generator(5), 4 * 13 + 10)
    assert len(match.scores) == 1
    for seat in viewers(match):
        check_tally(match.view(seat), 1, match.scores[0], "en", "")


def test_items_of_sticheln() -> None:
    """S-d, S-e: others count 1 each, the pain card and cards of its colour their number."""
    match = random_match("sticheln", 4, seed=2)
    view = match.view(None)
    begins = [at for at, event in enumerate(view.history) if event.kind == "round"]
    first = view.history[: begins[1]]
    pain = next(event.choices for event in first if event.kind == "revealed")
    for one in outlook.tally(view, 1, "en"):
        tricks = [event for event in first if event.kind == "trick" and event.seat == one.seat]
        cards = [card for trick in tricks for card in trick.cards]
        hurting = [card for card in cards if card[0] == pain[one.seat][0]]
        items = {item.text: item.points for item in one.items}
        count = len(cards) - len(hurting)
        assert items[text("tally-others", "en", count=count)] == count
        assert items[f"Pain card {pain[one.seat]}"] == -int(pain[one.seat][1:])
        if hurting:
            cost = next(
                points for words, points in items.items() if words.startswith("Pain colour")
            )
            assert cost == -sum(int(card[1:]) for card in hurting)


def test_items_of_eggs() -> None:
    match = random_match("stichtag", 4, seed=4, sheets=["April"])
    owners: list[int | None] = []
    round = 0
    for event in match.events:
        if event.kind == "egg":
            owners.append(event.seat)
        elif event.kind == "eggs":
            round += 1
            taken = list(zip(owners, event.counts, strict=False))
            for one in outlook.tally(match.view(None), round, "en"):
                values = [value for owner, value in taken if owner == one.seat]
                words = text("tally-eggs", "en", count=len(values))
                items = [(item.text, item.points) for item in one.items[1:]]
                assert items == ([(words, sum(values))] if sum(values) else [])
            owners = []
    assert round == 3


def test_items_of_a_day() -> None:
    """Consolation: 6, 4 and 2 points; the 2 gets 6 more."""
    match = random_match("stichtag", 3, seed=4, sheets=["red 3"])
    for round, scores in enumerate(match.scores, 1):
        tallies = outlook.tally(match.view(0), round, "en")
        tricks = [one.items[0].points for one in tallies]
        for one in tallies:
            last = min(tricks) < max(tricks) and tricks[one.seat] == min(tricks)
            more = [("Consolation for the fewest points", max(tricks))] if last else []
            assert [(item.text, item.points) for item in one.items[1:]] == more
        assert sum(scores) >= 12


# -- Custom games and sheets -----------------------------------------------------------------------


def test_a_custom_game_has_an_outlook(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "GAMES", dict(registry.GAMES))
    spec = importlib.util.spec_from_file_location("own_game", EXAMPLES / "own_game.py")
    assert spec is not None
    assert spec.loader is not None
    spec.loader.exec_module(importlib.util.module_from_spec(spec))
    registry._build.cache_clear()
    match = stichwerk.game("odd-even", seats=3).new(seed=1)
    play_on(match, Generator(1), 1)
    view = match.view(match.waiting_for[0])
    found = outlook.look(view, "en")
    assert [effect.move for effect in found.effects] == list(view.moves)
    assert {effect.winner for effect in found.effects} <= set(range(3))
    assert found.situation.heading == "Your turn: play to the trick"
    assert found.situation.section == ""
    play_on(match, Generator(1), 1000)
    assert [one.points for one in outlook.tally(match.view(None), 1, "en")] == list(match.scores[0])
    registry._build.cache_clear()


OWN_TITLES = {"gre": set(), "Jan": {"Schneeflocken"}, "May": {"Regenbogen"}}


def test_custom_sheets_have_an_outlook(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(EXAMPLES / "sheets", tmp_path / "sheets", ignore=ignored)
    monkeypatch.setenv(own.VARIABLE, str(tmp_path / "sheets"))
    monkeypatch.setattr(own, "_known", {})
    for name in [sheet.option for sheet in own.own_sheets().values()]:
        match = stichwerk.game("stichtag", seats=3, sheets=[name]).new(seed=1)
        while match.waiting_for:
            seat = match.waiting_for[0]
            view = match.view(seat)
            few = view.phase == "play" or len(view.moves) <= MOST_CHOICES
            assert len(outlook.look(view, "de").effects) == (len(view.moves) if few else 0)
            match.play(seat, view.moves[0])
        for round, scores in enumerate(match.scores, 1):
            tallies = outlook.tally(match.view(None), round, "de")
            assert [sum(item.points for item in one.items) for one in tallies] == list(scores)
            words = {item.text for one in tallies for item in one.items[1:]}
            assert {re.sub(r" \(\d+\)", "", word) for word in words} == OWN_TITLES[name[:3]]


# -- Texts -----------------------------------------------------------------------------------------


def test_texts_contain_no_literal_cards() -> None:
    """A card in a sentence is painted, and must be one that the reader may know."""
    folder = Path(locale.__file__).parent
    for lang in LANGUAGES:
        sentences = json.loads((folder / f"outlook.{lang}.json").read_text("utf-8"))
        assert [id for id, words in sentences.items() if CARD.search(words)] == []
