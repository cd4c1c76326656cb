"""Installable, and there without a connection."""

import json
import os
import re
import shutil
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from stichwerk.lessons import GAMES as LESSONS
from stichwerk.server.http import static_files as served_pages
from tests.web.conftest import served
from tests.web.pages import OFFLINE, PATIENCE, Site, person, until


def test_the_manifest_is_whole(site: Site) -> None:
    manifest = json.loads(site.get("/manifest.webmanifest"))
    assert {"name", "short_name", "start_url", "display", "icons"} <= set(manifest)
    sizes = {size for icon in manifest["icons"] for size in icon["sizes"].split()}
    assert {"192x192", "512x512"} <= sizes
    for icon in manifest["icons"]:
        assert site.get(icon["src"])


def at_rest(page: Page, url: str) -> None:
    """Open the start page and wait until all of it is kept in the browser."""
    page.goto(url)
    page.locator("article").first.wait_for()
    page.wait_for_function("() => localStorage.getItem('stichwerk-ready') === 'yes'")


def test_the_start_page_opens_without_a_connection(browser: Browser, site: Site) -> None:
    with person(browser, allowed=OFFLINE, worker=True) as page:
        at_rest(page, site.url)
        page.context.set_offline(True)
        page.reload()
        expect(page.locator("h1")).to_be_visible(timeout=PATIENCE)
        expect(page.locator("main")).to_contain_text("No connection", timeout=PATIENCE)
        assert page.locator("main a[href^='/learn/']").count() == 4
        page.context.set_offline(False)
        page.locator("article").first.wait_for()


@pytest.mark.parametrize("lang", ["de", "en"])
def test_lessons_and_rules_without_a_connection(browser: Browser, site: Site, lang: str) -> None:
    with person(browser, lang=lang, allowed=OFFLINE, worker=True) as page:
        at_rest(page, site.url)
        page.context.set_offline(True)
        for game in LESSONS:
            page.goto(f"{site.url}/learn/{game}")
            page.locator("section.coach button.primary").first.wait_for()
            page.goto(f"{site.url}/rules/{game}")
            page.locator("main h2").first.wait_for()
            page.locator("main [data-card], main [data-colour]").first.wait_for()


def other_build(build: Path, mark: str) -> None:
    """Make a build another one, as a change of the code does: all its files have other names."""
    assets = build / "assets"
    names = {path.name: f"{mark}~{path.name.rpartition('~')[2]}" for path in assets.iterdir()}
    known = re.compile("|".join(map(re.escape, names)))
    written = [path for path in assets.iterdir() if path.suffix in (".js", ".css")]
    for path in (build / "index.html", *written):
        path.write_text(known.sub(lambda found: names[found[0]], path.read_text()))
    for old, new in names.items():
        (assets / old).rename(assets / new)
    (script,) = assets.glob("*~index-*.js")
    script.write_text(f"{script.read_text()};document.documentElement.dataset.build='{mark}';")


def keeps_only(page: Page, build: str) -> bool:
    """Return whether the browser keeps this build and no other."""
    names: list[str] = page.evaluate("caches.keys()")
    return len(names) == 1 and build in names[0]


@pytest.mark.parametrize("way", ["another page", "at rest"])
def test_files_of_an_old_build_are_removed(browser: Browser, site: Site, way: str) -> None:
    """A file that was on its way when a new build came may bring its old cache back."""
    with person(browser, worker=True) as page:
        at_rest(page, site.url)
        (own,) = page.evaluate("caches.keys()")
        page.evaluate("async () => { await caches.open('stichwerk /assets/old~index.js'); }")
        assert not keeps_only(page, own)
        if way == "another page":
            page.goto(f"{site.url}/settings")
        else:
            page.evaluate("navigator.serviceWorker.controller.postMessage('keep')")
        until(page, lambda: keeps_only(page, own), "the old build goes")


def test_a_new_build_reaches_people(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build = tmp_path / "static"
    shutil.copytree(os.environ.get("STICHWERK_TEST_STATIC") or served_pages.STATIC, build)
    other_build(build, "first")
    monkeypatch.setenv("STICHWERK_TEST_STATIC", str(build))
    with served(tmp_path, pace=0.0) as site, person(browser, allowed=OFFLINE, worker=True) as page:
        at_rest(page, site.url)
        assert page.locator("html").get_attribute("data-build") == "first"
        other_build(build, "second")
        page.reload()
        page.locator("article").first.wait_for()
        assert page.locator("html").get_attribute("data-build") == "second"
        page.evaluate("localStorage.removeItem('stichwerk-ready')")
        at_rest(page, site.url)
        until(page, lambda: keeps_only(page, "second~index"), "the old build goes")
        page.context.set_offline(True)
        page.goto(f"{site.url}/learn/sticheln")
        page.locator("section.coach").wait_for()
        assert page.locator("html").get_attribute("data-build") == "second"
