"""Figures that people read have no more digits than are known, here and on the page."""

import json
from pathlib import Path

import pytest

from stichwerk.bots.advice import Alternative
from stichwerk.bots.reasons import verdict, worded
from stichwerk.locale import precision, sentences

EXAMPLES = json.loads(Path(__file__).with_name("precision.json").read_text("utf-8"))


@pytest.mark.parametrize(("value", "error", "shown"), EXAMPLES["rounded"])
def test_figures_are_rounded_to_what_is_known(value: float, error: float, shown: float) -> None:
    assert precision.rounded(value, error) == shown


@pytest.mark.parametrize(("value", "error", "english", "german"), EXAMPLES["behind"])
def test_a_move_is_behind_in_words(value: float, error: float, english: str, german: str) -> None:
    one = Alternative("G8", 1.0, 0.2, 50, value, error)
    assert worded(one, "en") == f"G8 {english}"
    assert worded(one, "de") == f"G8 {german}"
    assert one.too_close == ("worse" not in english)


def test_what_may_be_nothing_is_shown_as_nothing() -> None:
    assert precision.signed(-3.0, 2.0, "en") == "0"
    assert precision.signed(-3.4, 0.4, "de") == "−3,5"
    assert precision.signed(3.0, 0.7, "en") == "+3"


@pytest.mark.parametrize(
    ("behind", "said"),
    [
        ([4.0, 5.0], "Clearly the best. Compared with"),
        ([0.5, 5.0], "Compared with"),
        ([0.0, 5.0], "A coin toss between G8 and L5. Compared with"),
        ([0.0, 0.1, 0.1], "Compared with"),
        ([], ""),
    ],
)
def test_a_verdict_says_how_clear_the_best_move_is(behind: list[float], said: str) -> None:
    best = Alternative("G8", 1.0, 0.2, 50, 0.0, 0.0)
    others = [
        Alternative(move, 0.0, 0.2, 50, by, 0.2)
        for move, by in zip(["L5", "R1", "B2"], behind, strict=False)
    ]
    assert verdict([best, *others], "en") == said


@pytest.mark.parametrize("lang", ["en", "de"])
def test_every_share_has_words(lang: str) -> None:
    said = [precision.chance(at / 100, lang) for at in range(101)]
    assert len(dict.fromkeys(said)) == len(precision.SHARES)
    assert set(said) <= set(sentences(lang).values())
    assert (precision.chance(2 / 3, "en"), precision.chance(0.5, "de")) == (
        "in about two of three deals",
        "etwa jedes zweite Mal",
    )
