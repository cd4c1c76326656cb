"""Take screenshots of every game, moment and page: `python -m tools.gallery docs`."""

import sys
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from tests.web.conftest import chromium, served
from tests.web.pages import Site, open_table, person
from tests.web.players import Player

QUALITY = 60
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
LOOKS: dict[str, dict[str, Any]] = {
    "phone": {"size": "phone", "lang": "de", "has_touch": True, "is_mobile": True},
    "desktop": {"size": "desktop", "lang": "en"},
}
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
        page.mouse.move(0, 0)
        page.wait_for_timeout(400)
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


def games(browser: Browser, site: Site, gallery: Gallery) -> None:
    """Take each moment of each game, on a phone and on a desktop, alternating light and dark."""
    for at, (game, title) in enumerate(TITLES.items()):
        for look, options in LOOKS.items():
            theme = "light" if (at + (look == "phone")) % 2 else "dark"
            settings = {"hold": 0, "theme": theme}
            seats = 3 if game == "stichling" else 4
            made = site.table(game, seats, options=OPTIONS[game])
            with person(browser, settings=settings, strict=False, **options) as page:
                player = Player(page, "swift", seed=at)
                open_table(page, made)
                for scene in player.scenes():
                    if scene in SCENES:
                        caption = f"{SCENES[scene]} ({look}, {theme})"
                        gallery.take(page, title, f"{game}-{scene}-{look}", caption)


def pages(browser: Browser, site: Site, gallery: Gallery) -> None:
    """Take the pages around the table."""
    for at, (name, (path, there, caption)) in enumerate(PAGES.items()):
        for look, options in LOOKS.items():
            theme = "light" if (at + (look == "phone")) % 2 else "dark"
            with person(browser, settings={"theme": theme}, strict=False, **options) as page:
                page.goto(site.url + path)
                page.locator(there).first.wait_for()
                page.wait_for_load_state("networkidle")
                gallery.take(page, "Around the table", f"{name}-{look}", f"{caption} ({look})")


def more(browser: Browser, site: Site, gallery: Gallery) -> None:
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


def main(docs: str = "docs") -> int:
    """Take all pictures."""
    found, flags = chromium()
    gallery = Gallery(Path(docs))
    with (
        tempfile.TemporaryDirectory() as folder,
        served(Path(folder), pace=0.0) as site,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=found, args=flags)
        games(browser, site, gallery)
        pages(browser, site, gallery)
        more(browser, site, gallery)
        browser.close()
    gallery.write()
    size = sum(one.stat().st_size for one in gallery.folder.iterdir())
    print(f"{len(list(gallery.folder.iterdir()))} pictures, {size / 1e6:.1f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
