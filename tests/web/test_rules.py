"""The rules in the page: every example is played step by step, and at a table the rule of the
moment comes first."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from stichwerk.lessons import GAMES as LESSONS
from tests.web.looks import LANGUAGES
from tests.web.pages import PATIENCE, Site, open_table, person
from tests.web.players import Player

EXAMPLES = Path(__file__).parents[2] / "frontend/src/rules/examples"
BUTTONS = {"de": ("Zurück", "Weiter", "Noch einmal"), "en": ("Back", "Next", "Again")}

WRITTEN = """one => {
  const copy = one.cloneNode(true);
  for (const chip of copy.querySelectorAll('.chip'))
    chip.replaceWith(chip.dataset.colour + chip.querySelector('.seen').textContent);
  return copy.textContent.replace(/\\s+/g, ' ').trim();
}"""
"""A text of the page as it is written: cards by their codes."""

PATHS = re.compile(
    r"\b(docs|src|tests|frontend)/\w|\w\.(md|py|toml|json)\b|python -m|\bmake [a-z-]+\b"
    r"|\bstichwerk (serve|play|verify|new|bench|replay)\b"
)
"""What belongs into a terminal, not onto a page for people who play."""


def written(one: Locator) -> str:
    """Return a text with the codes of cards."""
    text: str = one.evaluate(WRITTEN)
    return text


def drawn(example: Locator) -> str:
    """Return everything on the table of an example, visible or announced.

    `textContent`, because `innerText` depends on the layout being ready.
    """
    seen: str = example.locator(".table").evaluate(
        "one => [...one.querySelectorAll('[data-card]')].map((card) => card.dataset.card).join(' ')"
        " + one.textContent.replace(/\\s+/g, ' ') + [...one.querySelectorAll('[aria-label]')]"
        ".map((label) => label.getAttribute('aria-label')).join(' ')"
    )
    return seen


def steps_of(scene: dict[str, Any]) -> list[tuple[dict[str, Any], list[dict[str, Any]]]]:
    """Return the steps of an example: what is said, and what happened just before."""
    steps: list[tuple[dict[str, Any], list[dict[str, Any]]]] = []
    events: list[dict[str, Any]] = []
    for one in scene["steps"]:
        if "say" in one:
            steps.append((one, events))
            events = []
        else:
            events += one["events"]
    return steps


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("game", LESSONS)
def test_every_example_is_played_to_its_end(
    browser: Browser, site: Site, game: str, lang: str
) -> None:
    scenes = json.loads((EXAMPLES / f"{game}.json").read_text())["scenes"]
    with person(browser, lang=lang) as page:
        page.goto(f"{site.url}/rules/{game}")
        shown = page.locator(".example")
        expect(shown).to_have_count(len(scenes), timeout=PATIENCE)
        for scene in scenes:
            example = shown.filter(has=page.get_by_text(scene["title"][lang], exact=False))
            expect(example).to_have_count(1)
            step_through(example, scene, lang)
        assert page.locator("main svg, main [data-card]").count() > 10, "illustrated"
        text = page.locator("main").inner_text()
        assert not PATHS.search(text), PATHS.search(text)


def step_through(example: Locator, scene: dict[str, Any], lang: str) -> None:
    """Step forward to the end by clicking, back to the start, and forward by one again."""
    back, forth, again = (
        example.get_by_role("button", name=name, exact=True) for name in BUTTONS[lang]
    )
    steps = steps_of(scene)
    words = example.locator("p.words")
    pictures = []
    for at, (step, events) in enumerate(steps):
        expect(example.locator(".steps")).to_contain_text(f"{at + 1} / {len(steps)}")
        assert written(words) == " ".join(step["say"][lang].split())
        pictures.append(drawn(example))
        for event in events:
            if event["kind"] == "play":
                card = event["move"].split(">")[0]
                expect(example.locator(f".table [data-card={card}]").first).to_be_visible()
        if at and events:
            assert pictures[at] != pictures[at - 1], "every step changes the picture"
        if at < len(steps) - 1:
            forth.click()
    expect(forth).to_have_count(0)
    for at in reversed(range(len(steps) - 1)):
        back.click()
        expect(example.locator(".steps")).to_contain_text(f"{at + 1} / {len(steps)}")
        assert drawn(example) == pictures[at], "back is where it was"
    expect(back).to_be_disabled()
    for _ in steps[1:]:
        forth.click()
    again.click()
    expect(example.locator(".steps")).to_contain_text(f"1 / {len(steps)}")


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("game", LESSONS)
def test_the_rule_of_the_moment_comes_first(
    browser: Browser, site: Site, game: str, lang: str
) -> None:
    with person(browser, lang=lang, settings={"seen": ["day 02-24"]}) as page:
        player = Player(page, "swift", seed=3)
        options = {"date": "02-24"} if game == "stichtag" else {}
        open_table(page, site.table(game, 4, options=options))
        page.locator("button.begin").click()
        page.locator(".table .choice button:not([aria-expanded])").first.wait_for()
        choosing = rule_now(page)
        player.play(lambda: len(player.talk.moves) > 0 and is_play(page))
        playing = rule_now(page)
        assert choosing != playing, "the moment is another, and so is its rule"


def is_play(page: Page) -> bool:
    """Play until a card is to be played."""
    return bool(
        page.locator(".hand button.legal").count()
        and not page.locator(".choice, dialog[open], .go-on").count()
    )


def rule_now(page: Page) -> str:
    """Return what `?` says first; and that it is first, whole, and followed by the others."""
    page.keyboard.press("?")
    dialog = page.locator("dialog[open]")
    dialog.locator(".now h3").wait_for()
    dialog.locator(".rules section").first.wait_for()
    now = dialog.locator(".now").inner_text()
    assert dialog.locator("h3").first.inner_text() == dialog.locator(".now h3").inner_text()
    assert dialog.locator(".now li").count(), "it says something"
    assert dialog.locator(".rules section").first.inner_text().strip()
    folded = dialog.locator(".rules details")
    assert folded.count() >= 2, "all other rules are below"
    first = dialog.locator(".rules section").first.bounding_box()
    second = folded.first.bounding_box()
    assert first is not None
    assert second is not None
    assert first["y"] < second["y"]
    assert not PATHS.search(dialog.inner_text())
    assert all(not PATHS.search(one) for one in dialog.locator("a").all_inner_texts())
    page.keyboard.press("Escape")
    dialog.wait_for(state="detached")
    return now
