"""Take screenshots of every game, moment and page.

`python -m tools.gallery docs` takes the few pictures of docs/gallery.md.
`python -m tools.gallery all` takes every moment at every size, in both themes and languages, into
build/gallery, with a contact sheet for each game: look at these after a change of the page.
"""

import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright

from stichwerk.games import registry
from tests.web.conftest import chromium, served
from tests.web.pages import Site, open_table, person
from tests.web.players import Player

ROOT = Path(__file__).parents[1]
EVERYTHING = ROOT / "build/gallery"
QUALITY = 60
MOST_PICTURES, MOST_BYTES = 40, 4_000_000
"""Of the pictures that are committed."""

TITLES = {
    "stichling": "Stichling",
    "null-nichtig": "Null & nichtig",
    "sticheln": "Sticheln",
    "stichtag": "Stichtag",
}
SCENES = {
    "sheet": "the first time on a day, its sheets are introduced",
    "choose": "a choice before the first card",
    "turn": "the person's turn",
    "raised": "a card is raised, with what it would do",
    "held": "a finished trick",
    "round": "a round is over",
    "end": "the match is over",
}
SHOWN = {"choose", "raised", "end"}
"""The moments in docs/gallery.md."""

LOOKS: dict[str, dict[str, Any]] = {
    "phone": {"size": "phone", "lang": "de", "has_touch": True, "is_mobile": True},
    "desktop": {"size": "desktop", "lang": "en"},
}
SIZES = ((320, 568), (390, 844), (844, 390), (768, 1024), (1440, 900), (2560, 1440))
OPTIONS: dict[str, dict[str, Any]] = {
    "stichling": {},
    "null-nichtig": {"target": 1},
    "sticheln": {"rounds": 1},
    "stichtag": {"date": "07-14"},
}
PAGES = {
    "start": ("/", "main h2", "the start page"),
    "calendar": ("/stichtag/09-14", "section.play", "a day of Stichtag"),
    "rules": ("/rules/null-nichtig", "main h2", "rules"),
    "lesson": ("/learn/sticheln", "section.coach", "a lesson"),
    "settings": ("/settings", "h1", "settings"),
}
THEMES: tuple[Literal["dark", "light"], ...] = ("dark", "light")
SHEET_WIDTH = 2400  # pixels
THUMBNAIL = 300  # pixels high


# -- The pictures of the documentation -------------------------------------------------------------


class Gallery:
    """The folder of the pictures, and their captions."""

    def __init__(self, docs: Path) -> None:
        self.docs = docs
        self.folder = docs / "gallery"
        self.folder.mkdir(parents=True, exist_ok=True)
        for old in self.folder.glob("*.jpg"):
            old.unlink()
        self.parts: dict[str, list[str]] = {}

    def take(self, page: Page, part: str, name: str, caption: str) -> None:
        """Take one picture."""
        settle(page)
        page.screenshot(path=self.folder / f"{name}.jpg", type="jpeg", quality=QUALITY)
        width = 240 if "phone" in name else 640
        self.parts.setdefault(part, []).append(
            f'<img src="gallery/{name}.jpg" width="{width}" alt="{part}: {caption}">'
            f"<br>{caption[0].upper()}{caption[1:]}\n"
        )

    def write(self) -> None:
        """Write the page that shows them."""
        lines = [
            "# Gallery",
            "",
            "How Stichwerk looks now. `python -m tools.gallery docs` retakes the pictures.",
        ]
        for part, pictures in self.parts.items():
            lines += ["", f"## {part}", "", *pictures]
        (self.docs / "gallery.md").write_text("\n".join(lines).rstrip() + "\n")


def take_docs(browser: Browser, site: Site, docs: Path) -> None:
    """Take the pictures of the documentation, alternating light and dark."""
    gallery = Gallery(docs)
    take_games(browser, site, gallery)
    take_seats(browser, site, gallery)
    take_pages(browser, site, gallery)
    take_more(browser, site, gallery)
    gallery.write()
    pictures = list(gallery.folder.iterdir())
    size = sum(one.stat().st_size for one in pictures)
    print(f"{len(pictures)} pictures, {size / 1e6:.1f} MB")
    if len(pictures) > MOST_PICTURES or size > MOST_BYTES:
        sys.exit(f"At most {MOST_PICTURES} pictures and {MOST_BYTES / 1e6:.0f} MB are committed.")


def take_games(browser: Browser, site: Site, gallery: Gallery) -> None:
    """Take some moments of each game, on a phone and on a desktop."""
    for at, (game, title) in enumerate(TITLES.items()):
        for look, options in LOOKS.items():
            theme = "light" if (at + (look == "phone")) % 2 else "dark"
            with person(browser, settings=still(theme), strict=False, **options) as page:
                for scene in scenes_of(page, site, game, seed=at):
                    if scene in SHOWN:
                        caption = f"{SCENES[scene]} ({look}, {theme})"
                        gallery.take(page, title, f"{game}-{scene}-{look}", caption)


def take_pages(browser: Browser, site: Site, gallery: Gallery) -> None:
    """Take the pages around the table."""
    for at, (name, (path, there, caption)) in enumerate(PAGES.items()):
        for look, options in LOOKS.items():
            theme = "light" if (at + (look == "phone")) % 2 else "dark"
            with person(browser, settings={"theme": theme}, strict=False, **options) as page:
                visit(page, site.url + path, there)
                gallery.take(page, "Around the table", f"{name}-{look}", f"{caption} ({look})")


def take_seats(browser: Browser, site: Site, gallery: Gallery) -> None:
    """Take the fewest and the most people at a table."""
    for game, seats, look, theme in (
        ("sticheln", 6, "phone", "light"),
        ("null-nichtig", 6, "phone", "dark"),
        ("stichling", 2, "desktop", "light"),
    ):
        with person(browser, settings=still(theme), strict=False, **LOOKS[look]) as page:
            sit_down(page, site, game, seats)
            caption = f"a table for {seats} ({look}, {theme})"
            gallery.take(page, TITLES[game], f"{game}-{seats}-seats-{look}", caption)


def sit_down(page: Page, site: Site, game: str, seats: int) -> None:
    """Play a few cards at a table with so many seats, until the person has to play again."""
    player = Player(page, "swift", seed=seats)
    open_table(page, site.table(game, seats, options=OPTIONS[game]))
    player.play_moves(4)
    player.look()


def take_more(browser: Browser, site: Site, gallery: Gallery) -> None:
    """Take the time before a match, and its replay."""
    with person(browser, settings={"theme": "light"}, strict=False) as page:
        open_table(page, site.table("stichtag", 4, settings={"level": "medium"}))
        page.locator("section[aria-labelledby=gather-invite] img").first.wait_for()
        gallery.take(page, "Around the table", "gathering-desktop", "friends gather at a table")
        player = Player(page, "swift", seed=7)
        open_table(page, site.table("sticheln", 4, options={"rounds": 1}))
        player.play()
        page.goto(f"{site.url}/replay/{player.talk.match}/14")
        page.locator("main.replay").wait_for()
        gallery.take(page, "Around the table", "replay-desktop", "a replay, all cards open")


# -- Everything, to be looked at -------------------------------------------------------------------


def take_all(browser: Browser, site: Site) -> None:
    """Take every moment and page at every size, in both themes and languages."""
    EVERYTHING.mkdir(parents=True, exist_ok=True)
    for old in EVERYTHING.glob("*.jpg"):
        old.unlink()
    for lang in ("de", "en"):
        for game in TITLES:
            with person(browser, lang=lang, settings=still("auto"), strict=False) as page:
                for scene in scenes_of(page, site, game, seed=1):
                    if scene in SCENES:
                        take_looks(page, f"{game}-{lang}-{scene}")
            for seats in fewest_and_most(game):
                with person(browser, lang=lang, settings=still("auto"), strict=False) as page:
                    sit_down(page, site, game, seats)
                    take_looks(page, f"{game}-{lang}-{seats}-seats")
            print(f"{game} ({lang}) ...", flush=True)
        with person(browser, lang=lang, settings=still("auto"), strict=False) as page:
            for name, (path, there, _) in PAGES.items():
                visit(page, site.url + path, there)
                take_looks(page, f"pages-{lang}-{name}")
    write_sheets(browser)


def fewest_and_most(game: str) -> tuple[int, int]:
    """Return the smallest and the largest table of a game."""
    counts = registry.kind(game).seat_counts
    return min(counts), max(counts)


def take_looks(page: Page, name: str) -> None:
    """Take what a page shows now at every size and in both themes; leave it as it was."""
    before = page.viewport_size
    for theme in THEMES:
        page.emulate_media(color_scheme=theme)
        for width, height in SIZES:
            page.set_viewport_size(ViewportSize(width=width, height=height))
            settle(page)
            path = EVERYTHING / f"{name}-{theme}-{width}x{height}.jpg"
            page.screenshot(path=path, type="jpeg", quality=QUALITY)
    if before:
        page.set_viewport_size(before)


def write_sheets(browser: Browser) -> None:
    """Write a contact sheet for each game and language: all its pictures on one page."""
    groups: dict[str, list[Path]] = {}
    for path in sorted(EVERYTHING.glob("*.jpg")):
        title = next(one for one in (*TITLES, "pages") if path.name.startswith(one))
        lang = path.name.removeprefix(f"{title}-")[:2]
        groups.setdefault(f"{title}-{lang}", []).append(path)
    with browser.new_context(viewport={"width": SHEET_WIDTH, "height": 1200}) as context:
        page = context.new_page()
        for name, paths in groups.items():
            figures = "".join(
                f'<figure style="margin:0"><img src="{path.name}" height="{THUMBNAIL}">'
                f"<figcaption>{path.stem}</figcaption></figure>"
                for path in paths
            )
            sheet = EVERYTHING / f"{name}.html"
            style = "display:flex;flex-wrap:wrap;gap:8px;font:11px sans-serif"
            sheet.write_text(f'<meta charset="utf-8"><body style="{style}">{figures}')
            page.goto(sheet.as_uri(), wait_until="load")
            page.screenshot(path=EVERYTHING / f"{name}.png", full_page=True)
    print(f"{sum(map(len, groups.values()))} pictures, contact sheets in {EVERYTHING}")


# -- Both ------------------------------------------------------------------------------------------


def still(theme: str) -> dict[str, Any]:
    """Return settings for pictures: nothing moves, a finished trick stays."""
    return {"hold": 0, "theme": theme, "motion": "off"}


def scenes_of(page: Page, site: Site, game: str, seed: int) -> Iterator[str]:
    """Play a match against bots and stop at its moments."""
    player = Player(page, "swift", seed=seed)
    seats = 3 if game == "stichling" else 4
    open_table(page, site.table(game, seats, options=OPTIONS[game]))
    yield from player.scenes()


def visit(page: Page, address: str, there: str) -> None:
    page.goto(address)
    page.locator(there).first.wait_for()
    page.wait_for_load_state("networkidle")


def settle(page: Page) -> None:
    """Wait until fonts are there and transitions are over."""
    page.mouse.move(0, 0)
    page.evaluate("document.fonts.ready.then(() => true)")
    page.wait_for_timeout(400)


@contextmanager
def opened() -> Iterator[tuple[Browser, Site]]:
    """Open a browser, and a server with bots that do not pause."""
    found, flags = chromium()
    with (
        tempfile.TemporaryDirectory() as folder,
        served(Path(folder), pace=0.0) as site,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=found, args=flags)
        yield browser, site
        browser.close()


def main(what: str = "docs") -> int:
    """Take the pictures of the documentation into a folder, or all."""
    with opened() as (browser, site):
        if what == "all":
            take_all(browser, site)
        else:
            take_docs(browser, site, Path(what))
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
