"""The documentation site in a browser, opened from the disk: nothing is fetched from elsewhere, it
can be searched, and the switch of languages leads to the same page."""

from collections.abc import Iterator
from typing import Literal

import pytest
from playwright.sync_api import Browser, Page

from tests.test_site import build, configure
from tests.web.looks import AXE
from tools.site import write


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The site, built."""
    project = tmp_path_factory.mktemp("docs") / "project"
    configure(project)
    write(project / "pages")
    done = build(project)
    assert done.returncode == 0, done.stderr
    return (project / "site").as_uri()


@pytest.fixture
def reader(browser: Browser, address: str) -> Iterator[Page]:
    """A page that may not complain, nor ask anybody."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    troubles: list[str] = []
    asked: set[str] = set()
    page.on("console", lambda said: troubles.append(said.text) if said.type == "error" else None)
    page.on("pageerror", lambda error: troubles.append(str(error)))
    context.on("request", lambda request: asked.add(request.url))
    yield page
    context.close()
    assert troubles == []
    assert [url for url in asked if not url.startswith((f"{address}/", "data:"))] == []
    assert len(asked) > 5, "something was fetched at all"


@pytest.mark.parametrize(
    ("name", "word", "found"),
    [
        ("index.html", "sample", "Views and samples"),
        ("play.de.html", "Ärgerfarbe", "Sticheln"),
        ("rules/stichtag.en.html", "write a game", "Write a game"),
    ],
)
def test_it_can_be_searched(reader: Page, address: str, name: str, word: str, found: str) -> None:
    reader.goto(f"{address}/{name}")
    reader.locator("input.md-search__input").click()
    reader.keyboard.type(word)
    results = reader.locator(".md-search-result__link")
    results.filter(has_text=found).first.wait_for()
    results.filter(has_text=found).first.click()
    reader.locator("h1", has_text=found).wait_for()


@pytest.mark.parametrize(
    ("name", "lang", "other"),
    [
        ("play.html", "de", "play.de.html"),
        ("rules/sticheln.de.html", "en", "rules/sticheln.en.html"),
        ("arena.html", "de", "index.de.html"),
    ],
)
def test_the_language_is_switched(
    reader: Page, address: str, name: str, lang: str, other: str
) -> None:
    reader.goto(f"{address}/{name}")
    reader.locator(".md-header .md-select").hover()
    reader.locator(f".md-header .md-select__link[hreflang={lang}]").click()
    reader.wait_for_url(f"{address}/{other}")
    assert reader.locator("html").get_attribute("lang") == lang


@pytest.mark.parametrize("width", [360, 768, 1280])
def test_nothing_is_wider_than_the_window(reader: Page, address: str, width: int) -> None:
    """Wide tables and code scroll by themselves, the page never does."""
    reader.set_viewport_size({"width": width, "height": 800})
    for name in ("index", "index.de", "writing-games", "gallery", "yearbook.de", "protocol"):
        reader.goto(f"{address}/{name}.html")
        wide = reader.evaluate("document.documentElement.scrollWidth")
        assert wide <= width, f"{name} is {wide} wide"
        broken = "[...document.images].filter(it => it.complete && !it.naturalWidth).length"
        assert reader.evaluate(broken) == 0


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_everyone_can_read_it(reader: Page, address: str, theme: Literal["light", "dark"]) -> None:
    reader.emulate_media(color_scheme=theme)
    for name in ("index", "play.de", "writing-games", "reference/library"):
        reader.goto(f"{address}/{name}.html")
        reader.evaluate(AXE)
        result = reader.evaluate("axe.run({runOnly: ['wcag2a', 'wcag2aa'], preload: false})")
        assert [one["id"] for one in result["violations"]] == [], name
