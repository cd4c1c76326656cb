"""The documentation site: built without a warning, whole, in two languages, alone in the world."""

import fcntl
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

import pytest
from mkdocs.config import load_config

from stichwerk.games import registry
from tests.doc_pages import ROOT
from tools import rule_pages
from tools.site import led_page, with_languages, write

LOADED = {"script": "src", "img": "src", "iframe": "src", "source": "src", "use": "href"}
LINKED = {"stylesheet", "icon", "preconnect", "preload", "modulepreload", "dns-prefetch"}
# Addresses inside the theme's own scripts, each asked only for something that no page has.
THEME_ADDRESSES = {
    "https://unpkg.com/mermaid@11/dist/mermaid.min.js": "mermaid",
    "https://api.github.com/repos/": 'data-md-component="source"',
    "https://api.github.com/users/": 'data-md-component="source"',
    "https://unpkg.com/resize-observer-polyfill": None,  # for browsers older than 2020
}


class Html(NamedTuple):
    """What matters of a page."""

    ids: frozenset[str]
    links: tuple[str, ...]  # where a reader can go
    loads: tuple[str, ...]  # what the browser fetches by itself
    language: str
    headings: int
    unnamed_pictures: int


class Reader(HTMLParser):
    """Collects it."""

    def __init__(self) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.language = ""
        self.headings = 0
        self.unnamed_pictures = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.ids |= {given[name] for name in ("id", "name") if name in given}
        if tag == "html":
            self.language = given.get("lang", "")
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        if tag in LOADED and LOADED[tag] in given:
            self.loads.append(given[LOADED[tag]])
        if tag == "link" and LINKED & set(given.get("rel", "").split()):
            self.loads.append(given["href"])
        self.headings += tag == "h1"
        self.unnamed_pictures += tag == "img" and "alt" not in given
        self.loads += re.findall(r"url\(([^)]+)\)", given.get("style", ""))


def read(page: Path) -> Html:
    """Return a page as it was built."""
    reader = Reader()
    reader.feed(page.read_text("utf-8"))
    return Html(
        frozenset(reader.ids),
        tuple(reader.links),
        tuple(reader.loads),
        reader.language,
        reader.headings,
        reader.unnamed_pictures,
    )


def faults(site: Path) -> list[str]:
    """Return everything that is wrong with a site, in one line each."""
    pages = {page: read(page) for page in sorted(site.rglob("*.html"))}
    found: list[str] = []
    for page, html in pages.items():
        name = str(page.relative_to(site))
        if name == "404.html":
            continue  # served from anywhere, its addresses begin at the top
        found += [f"{name}: {what}" for what in page_faults(page, html, pages)]
    found += [f"{name}: no page leads here" for name in orphans(site, pages)]
    found += [f"{name}: loads {address}" for name, address in fetched_by_styles(site)]
    return found


def page_faults(page: Path, html: Html, pages: dict[Path, Html]) -> Iterator[str]:
    """Yield what is wrong with one page."""
    german = ".de." in page.name
    if html.language != ("de" if german else "en"):
        yield f"its language is {html.language}"
    if html.headings != 1:
        yield f"{html.headings} first headings"
    if html.unnamed_pictures:
        yield f"{html.unnamed_pictures} pictures without words"
    for address in html.loads:
        if is_outside(address):
            yield f"loads {address}"
        elif not target(page, address).is_file():
            yield f"{address} is not there"
    for link in html.links:
        trouble = link_trouble(page, link, pages)
        if trouble:
            yield f"{link}: {trouble}"


def is_outside(address: str) -> bool:
    """Return whether an address names a host."""
    return bool(urlsplit(address.strip("\"' ")).netloc)


def target(page: Path, address: str) -> Path:
    """Return the file an address means."""
    path = unquote(urlsplit(address).path)
    return (page.parent / path).resolve() if path else page


def link_trouble(page: Path, link: str, pages: dict[Path, Html]) -> str | None:
    """Return why a link leads nowhere, if it does."""
    parts = urlsplit(link)
    if parts.scheme or parts.netloc:
        fine = re.fullmatch(r"https://[a-z0-9.-]+\.[a-z]{2,}(?:[/?#]\S*)?", link)
        return None if fine else "no proper address"
    there = target(page, link)
    if not there.is_file():
        return "is not there"
    if parts.fragment and there in pages and unquote(parts.fragment) not in pages[there].ids:
        return "the page has no such place"
    return None


def orphans(site: Path, pages: dict[Path, Html]) -> list[str]:
    """Return pages that cannot be reached from the first one."""
    waiting, seen = [site / "index.html"], {site / "404.html", site / "index.html"}
    while waiting:
        page = waiting.pop()
        near = {target(page, link) for link in pages[page].links if not is_outside(link)}
        new = {there for there in near if there in pages and there not in seen}
        seen |= new
        waiting += new
    return sorted(str(page.relative_to(site)) for page in pages.keys() - seen)


def fetched_by_styles(site: Path) -> Iterator[tuple[str, str]]:
    """Yield external addresses that style sheets, drawings and our own scripts would fetch."""
    for file in sorted([*site.rglob("*.css"), *site.rglob("*.svg")]):
        text = file.read_text("utf-8")
        for address in re.findall(r"(?:url\(|@import\s+|\bhref=)[\"']?([^\"')\s]+)", text):
            if is_outside(address):
                yield file.name, address
    for file in sorted((site / "assets").glob("*.js")):
        for address in re.findall(r"(?:https?:)?//[a-z0-9-]+\.[^\s\"'`]+", file.read_text("utf-8")):
            yield file.name, address


def build(project: Path) -> subprocess.CompletedProcess[str]:
    """Build the pages of a folder with a `mkdocs.yml`, strictly, into its folder `site`."""
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", "site"]
    return subprocess.run(
        command,
        cwd=project,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1", "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def configure(project: Path) -> None:
    """Settings of the repository, for the pages in the folder `pages` of a project."""
    project.mkdir(exist_ok=True)
    text = (ROOT / "mkdocs.yml").read_text("utf-8")
    for there, here in {
        "docs_dir: build/docs": "docs_dir: pages",
        "custom_dir: docs/theme": f"custom_dir: {ROOT / 'docs/theme'}",
    }.items():
        assert text.count(there) == 1, there
        text = text.replace(there, here)
    (project / "mkdocs.yml").write_text(text, "utf-8")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built without a warning, once for all processes that run the tests."""
    top = tmp_path_factory.getbasetemp()
    project = (top.parent if "PYTEST_XDIST_WORKER" in os.environ else top) / "site-project"
    with (top.parent / "site.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (project / "site/index.html").exists():
            configure(project)
            write(project / "pages")
            done = build(project)
            assert done.returncode == 0, done.stderr
    return project / "site"


# -- The site --------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_site_is_complete(site: Path) -> None:
    assert faults(site) == []


@pytest.mark.slow
def test_the_theme_loads_nothing_external(site: Path) -> None:
    """Its scripts know addresses; whatever would make them ask is on no page."""
    scripts = list((site / "assets/javascripts").rglob("*.js"))
    known = {
        address
        for script in scripts
        for address in re.findall(r"[\"'`](https?://[\w./@-]+)[\"'`$]", script.read_text("utf-8"))
        if "w3.org" not in address
    }
    assert known <= set(THEME_ADDRESSES)
    for page in site.rglob("*.html"):
        text = page.read_text("utf-8")
        for asked_for in filter(None, THEME_ADDRESSES.values()):
            assert f'class="{asked_for}' not in text, page.name
            assert asked_for not in text or "=" not in asked_for, page.name


@pytest.mark.slow
def test_everything_players_need_is_there_in_german(site: Path) -> None:
    names = ["index", "play", "calendar", "yearbook", *(f"rules/{game}" for game in registry.GAMES)]
    for name in names:
        german = site / f"{name}.de.html"
        english = site / f"{name}.en.html"
        english = english if english.exists() else site / f"{name}.html"
        for page, other in ((german, english), (english, german)):
            assert other in {target(page, link) for link in read(page).links}, page.name
    text = (site / "play.de.html").read_text("utf-8")
    assert "Inhaltsverzeichnis" in text, "the frame is German too"
    assert "Table of contents" not in text


@pytest.mark.slow
def test_everything_is_reachable_from_the_front_page(site: Path) -> None:
    """What the site is for can be reached from its first page in one step."""
    home = site / "index.html"
    near = {target(home, link) for link in read(home).links if not is_outside(link)}
    wanted = (
        *("play", "terminal", "hosting", "installing", "gallery", "rules/index", "calendar.en"),
        *("bots", "arena", "writing-bots", "writing-games", "environments", "reference/library"),
        *("protocol", "record-format", "decisions", "changelog", "contributing", "index.de"),
    )
    missing = [name for name in wanted if site / f"{name}.html" not in near]
    assert missing == []


@pytest.mark.slow
def test_search_knows_both_languages_and_the_library(site: Path) -> None:
    index = json.loads((site / "search/search_index.json").read_text("utf-8"))
    assert index["config"]["lang"] == ["en", "de"]
    words = " ".join(f"{entry['title']} {entry['text']}" for entry in index["docs"])
    wanted = ("Ärgerfarbe", "pain colour", "stichwerk.view.sample")
    assert [word for word in wanted if word not in words] == []


# -- Faults are found ------------------------------------------------------------------------------


GOOD = '<html lang="en"><h1 id="a">A</h1><a href="b.html#x">b</a></html>'
OTHER = '<html lang="en"><h1 id="x">B</h1><a href="index.html">a</a></html>'


def planted(folder: Path, body: str, **files: str) -> list[str]:
    """Return the faults of a small site with something in its first page."""
    site = folder / "site"
    (site / "assets").mkdir(parents=True)
    (site / "index.html").write_text(GOOD.replace("</html>", body + "</html>"), "utf-8")
    (site / "b.html").write_text(OTHER, "utf-8")
    for name, text in files.items():
        (site / name.replace("__", "/").replace("_", ".")).write_text(text, "utf-8")
    return faults(site)


def test_a_good_site_has_no_faults(tmp_path: Path) -> None:
    body = '<a href="https://example.org/x">out</a><img src="b.html" alt="">'
    assert planted(tmp_path, body) == []


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        ('<a href="gone.html">x</a>', "gone.html: is not there"),
        ('<a href="b.html#y">x</a>', "b.html#y: the page has no such place"),
        ('<a href="#y">x</a>', "#y: the page has no such place"),
        ('<a href="http://example.org">x</a>', "http://example.org: no proper address"),
        ('<img src="gone.png" alt="x">', "gone.png is not there"),
        ('<img src="b.html">', "1 pictures without words"),
        (
            '<script src="https://cdn.example.org/x.js"></script>',
            "loads https://cdn.example.org/x.js",
        ),
        ('<link rel="stylesheet" href="//cdn.example.org/x.css">', "loads //cdn.example.org/x.css"),
        ("<h1>B</h1>", "2 first headings"),
    ],
)
def test_a_fault_in_a_page_is_found(body: str, fault: str, tmp_path: Path) -> None:
    assert planted(tmp_path, body) == [f"index.html: {fault}"]


def test_faults_beside_the_pages_are_found(tmp_path: Path) -> None:
    found = planted(
        tmp_path,
        "",
        c_html=OTHER,
        d_de_html=OTHER.replace("<h1", '<a href="d.de.html">d</a><h1'),
        assets__x_css="@import 'https://cdn.example.org/f.css';a{background:url(//img.example.org/x)}",
        assets__x_svg='<svg><image href="https://img.example.org/y.png"/></svg>',
        assets__x_js="fetch('https://cdn.example.org/y')",
    )
    assert found == [
        "d.de.html: its language is en",
        "c.html: no page leads here",
        "d.de.html: no page leads here",
        "x.css: loads https://cdn.example.org/f.css",
        "x.css: loads //img.example.org/x",
        "x.svg: loads https://img.example.org/y.png",
        "x.js: loads https://cdn.example.org/y",
    ]


@pytest.mark.slow
def test_a_fault_in_the_sources_fails_the_build(tmp_path: Path) -> None:
    """A broken link, a lost anchor and a page nobody lists, next to a few good pages."""
    good = ("index.md", "index.de.md", "play.md")
    broken = "# Broken\n\n[a](gone.md) [b](play.md#gone) ![c](img/gone.svg) [d](../src/gone.py)\n"
    configure(tmp_path)
    settings, _, _ = (tmp_path / "mkdocs.yml").read_text("utf-8").partition("\nnav:\n")
    nav = "nav: [index.md, play.md, Deutsch: [index.de.md]]\n"
    (tmp_path / "mkdocs.yml").write_text(f"{settings}\n{nav}", "utf-8")
    (tmp_path / "pages").mkdir()
    pages = {name: f"# {name}\n" for name in good} | {"broken.md": led_page(broken, "broken.md")}
    for name, text in pages.items():
        (tmp_path / "pages" / name).write_text(with_languages(text, name, pages), "utf-8")
    done = build(tmp_path)
    assert done.returncode == 1
    for lost in ("gone.md", "play.md", "img/gone.svg", "../src/gone.py"):
        assert re.search(rf"WARNING.*'broken\.md'.*'{re.escape(lost)}", done.stderr), lost
    assert re.search(r"not included in the \"nav\".*\n  - broken\.md", done.stderr)


# -- Its pages as Markdown -------------------------------------------------------------------------


def test_links_that_leave_the_folder_lead_to_pages_of_the_site() -> None:
    text = (
        "[a](../CONTRIBUTING.md#habits) [b](../src/stichwerk/view.py) [c](play.md)\n"
        "```sh\n[d](../README.md)\n```\n`docs/play.md` [e](https://example.org/x.md)\n"
    )
    assert led_page(text, "architecture.md") == (
        "[a](contributing.md#habits) [b](source/src/stichwerk/view.py.md) [c](play.md)\n"
        "```sh\n[d](../README.md)\n```\n[`docs/play.md`](play.md) [e](https://example.org/x.md)\n"
    )


@pytest.mark.parametrize(
    ("uri", "language", "english", "german"),
    [
        ("play.md", "en", "play.html", "play.de.html"),
        ("rules/x.de.md", "de", "rules/x.en.html", "rules/x.de.html"),
        ("rules/README.md", "en", "rules/index.html", "index.de.html"),
        ("only.de.md", "de", "index.html", "only.de.html"),
    ],
)
def test_the_front_matter_names_both_languages(
    uri: str, language: str, english: str, german: str
) -> None:
    known = ["index.md", "index.de.md", "play.md", "play.de.md", "rules/x.en.md", "rules/x.de.md"]
    whole = with_languages("---\nhide: [toc]\n---\n# X\n", uri, known)
    assert whole == (
        f"---\nlanguage: {language}\nalternate:\n  en: {english}\n  de: {german}\nhide: [toc]\n"
        "---\n# X\n"
    )


def test_pages_are_written_once_and_old_ones_removed(tmp_path: Path) -> None:
    write(tmp_path)
    first = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*") if path.is_file()}
    assert tmp_path / "tour.md" in first
    assert not (tmp_path / "README.md").exists()
    (tmp_path / "old.md").touch()
    write(tmp_path)
    assert first == {p: p.stat().st_mtime_ns for p in tmp_path.rglob("*") if p.is_file()}


# -- Pages of rules --------------------------------------------------------------------------------


def test_every_game_is_linked_by_the_program_that_links_them(tmp_path: Path) -> None:
    (tmp_path / "docs" / "rules").mkdir(parents=True)
    for name in ("mkdocs.yml", "docs/rules/README.md"):
        text = (ROOT / name).read_text("utf-8")
        (tmp_path / name).write_text(re.sub(r".*sticheln\.(de|en)\.md.*\n", "", text), "utf-8")
    rule_pages.write(tmp_path, registry.OUR_GAMES)
    for name in ("mkdocs.yml", "docs/rules/README.md"):
        assert (tmp_path / name).read_text("utf-8") == (ROOT / name).read_text("utf-8"), (
            "run `python -m tools.rule_pages`"
        )
    written = {path.name: path.readlink() for path in (tmp_path / "docs/rules").glob("*.*.md")}
    assert written == {p.name: p.readlink() for p in (ROOT / "docs/rules").glob("*.*.md")}


# -- Its settings ----------------------------------------------------------------------------------


def test_the_settings_name_no_other_host() -> None:
    settings = load_config(str(ROOT / "mkdocs.yml"), docs_dir=str(ROOT / "docs"))
    assert settings.strict
    assert settings.theme["font"] is False
    addresses = re.findall(r"https?://\S+", (ROOT / "mkdocs.yml").read_text("utf-8"))
    assert addresses == []
