"""Lessons and examples: what the page has is what the rules make of the scripts."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from stichwerk import game as setting_of
from stichwerk.cards import card_code
from stichwerk.errors import BadCardError
from stichwerk.lessons import GAMES, PAGES, page, read
from stichwerk.lessons.pages import path_of, played
from stichwerk.lessons.scene_deals import ScriptError, deal_for
from stichwerk.lessons.script import LessonStep, Scene, Script, Words
from stichwerk.server.http.game_catalogue import rules_of

pytestmark = pytest.mark.game

every_game = pytest.mark.parametrize("game", GAMES)
every_page = pytest.mark.parametrize("folder", PAGES)
CARD = re.compile(r"(?<![A-Za-z0-9])[RYGBLS]\d{1,2}(?![A-Za-z0-9])")


def texts(script: Script) -> Iterator[Words]:
    """Yield all words of a script."""
    for scene in (*script.scene, *script.example):
        yield scene.title
        for step in scene.step:
            yield Words(de=step.de, en=step.en)
            yield from (Words(de=reply.de, en=reply.en) for reply in step.replies)
            yield from (words for words in (step.praise, step.otherwise) if words is not None)


@every_page
@every_game
def test_lesson_files_are_up_to_date(folder: str, game: str) -> None:
    made = page(folder, game)
    kept = path_of(folder, game).read_text("utf-8")
    assert kept == made, "run `python -m stichwerk.lessons` and commit what it writes"


@every_game
def test_both_languages_are_complete_and_speak_of_the_same_cards(game: str) -> None:
    for words in texts(read(game)):
        assert words.de.strip()
        assert words.en.strip()
        assert words.de != words.en
        assert sorted(set(CARD.findall(words.de))) == sorted(set(CARD.findall(words.en))), words
        for card in CARD.findall(words.de):
            try:
                card_code(card)
            except BadCardError:
                pytest.fail(f"{card} is no card: {words.de}")


@every_game
def test_a_lesson_is_short_and_every_good_move_is_praised(game: str) -> None:
    asked = [step for scene in read(game).scene for step in scene.step if step.good]
    assert 5 <= len(asked) <= 9
    assert all(step.praise for step in asked)


@every_game
def test_examples_belong_to_sections_of_the_rules(game: str) -> None:
    sections = {section.id for section in rules_of(game, "en").sections}
    examples = read(game).example
    assert 2 <= len(examples) <= 4
    assert {example.section for example in examples} <= sections


@every_game
def test_every_legal_move_has_an_answer(game: str) -> None:
    for scene in json.loads(page("learn/lessons", game))["scenes"]:
        view = scene["view"]
        for step in scene["steps"]:
            view |= step.get("view", {})
            if "good" in step:
                assert_answers(step, view["moves"])


def assert_answers(step: dict[str, Any], moves: list[str]) -> None:
    assert step["good"] in moves
    assert set(step["replies"]) <= set(moves) - {step["good"]}
    assert step["otherwise"] or set(moves) == {step["good"], *step["replies"]}


@every_game
def test_the_learner_sees_only_their_own_cards(game: str) -> None:
    """Nothing of a hidden hand is in what the page gets."""
    for scene in json.loads(page("learn/lessons", game))["scenes"]:
        for step in scene["steps"]:
            for event in step.get("events", ()):
                assert event.get("to") in (None, [scene["seat"]])


def scene_of(*steps: LessonStep, hands: tuple[str, ...] = ()) -> Scene:
    return Scene(title=Words(de="x", en="x"), seat=0, hands=hands, step=steps)


def test_a_card_cannot_be_dealt_twice() -> None:
    setting = setting_of("sticheln", seats=4)
    with pytest.raises(ScriptError, match="G7"):
        deal_for(setting, scene_of(LessonStep(de="x", en="x", moves=("1 G7",)), hands=("G7",)))


@pytest.mark.parametrize(
    "step",
    [
        LessonStep(de="x", en="x", moves=("1 G7",)),  # before the pain cards are chosen, twice
        LessonStep(de="x", en="x", good="G99"),
        LessonStep(de="x", en="x", good="G7"),  # what about all other moves?
    ],
)
def test_a_script_that_breaks_the_rules_is_refused(step: LessonStep) -> None:
    script = Script(
        game="sticheln",
        names=("a", "b", "c", "d"),
        scene=(scene_of(step, LessonStep(de="x", en="x", moves=("1 G8",)), hands=("G6",)),),
        example=(),
    )
    with pytest.raises(ScriptError):
        played(script, script.scene[0])
