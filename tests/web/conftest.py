"""A real Chromium in front of a real server; neither may be missing."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Playwright, sync_playwright

from tests.web import fixed_random
from tests.web.pages import Site, person

FLAGS = [
    "--headless",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
UNPAINTED = "--force-gpu-mem-available-mb=1"
"""Almost no memory for what is painted: a quarter of the work, where nobody looks at a picture."""
FOLDER = Path(__file__).parent
SERVING = (sys.executable, "-m", "tests.web.serving")
CHROMIUM = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""The shell has no windows of its own and opens a page in a third of the time."""


def chromium() -> tuple[str, list[str]]:
    """Return where Chromium is, and how it is started."""
    found = next(filter(None, map(shutil.which, CHROMIUM)), None)
    assert found, "the browser tests need Chromium (on Debian: apt-get install chromium)"
    sandbox = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    return found, [*FLAGS, *sandbox]


LONGEST = ("test_looks.py", "test_matches.py", "test_generic.py")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the longest tests: one that begins last would run alone."""
    items.sort(key=lambda item: item.path.parent != FOLDER or item.path.name not in LONGEST)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Seed the cards of a test by its name."""
    fixed_random.call(item.nodeid)


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as started:
        yield started


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    """Debian's Chromium; `make test` installs it where it can. It lays out everything, but paints
    next to nothing."""
    found, flags = chromium()
    browser = playwright.chromium.launch(executable_path=found, args=[*flags, UNPAINTED])
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def painting_browser(playwright: Playwright) -> Iterator[Browser]:
    """The same, for tests that take pictures."""
    found, flags = chromium()
    browser = playwright.chromium.launch(executable_path=found, args=flags)
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server whose bots do not pause, for all tests of this process."""
    folder = tmp_path_factory.mktemp("site")
    with served(folder, pace=0.0) as site:
        yield site


def served(folder: Path, *, pace: float, port: int = 0) -> Site:
    """Start a separate server."""
    with (folder / "errors.log").open("ab") as errors:
        process = subprocess.Popen(
            [*SERVING, folder, fixed_random.file(), str(pace), str(port)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
        )
    return Site(process, folder)


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page that may not complain: in English, on a desktop."""
    with person(browser) as page:
        yield page
