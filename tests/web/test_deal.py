"""Every fraud of a dishonest host is caught by the unaltered page; an honest one is not accused."""

import asyncio
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, WebSocket, expect

from stichwerk.server import wire
from stichwerk.server.clients.deal_shares import Action
from tests.attack.deal_frauds import OwnShares
from tests.attack.dishonest_host import SHORT, Careless, strategy_named
from tests.attack.fraud import VICTIM, Strategy, installed
from tests.attack.match_frauds import STRATEGIES, ReplayedMatch
from tests.server.harness import first
from tests.server.test_dishonest_host import FEW, Hosted, home_of
from tests.web.looks import LANGUAGES, watched
from tests.web.pages import PATIENCE, person, until

NO_STORY = r"error: Failed to load resource: .* 400 \(Bad Request\)"
"""A record that was tampered with has no story."""

OWN = {"deal-share-foreign": "absent", "deal-no-share": "drawn", "deal-unproven": "unproved"}
"""What the page calls a match without a share of our own, by the notice of the terminal."""


class Fingers(Careless):
    """Plays for the person whose page is looked at. In the deal only the page takes part."""

    async def _take_part(self, actions: list[Action]) -> None:
        return


class Seen:
    """A page at the table of a host: what it sends, and whether its socket is still open."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.sent: list[str] = []
        self.sealed: set[str] = set()  # the matches for which it has sealed a share
        self.closed = False
        page.on("websocket", self._listen)

    def _listen(self, socket: WebSocket) -> None:
        socket.on("framesent", lambda text: self._note(json.loads(text)))
        socket.on("close", lambda _: setattr(self, "closed", True))

    def _note(self, message: dict[str, Any]) -> None:
        self.sent.append(message["type"])
        if message["type"] == "commit":
            self.sealed.add(message["match"])

    @property
    def findings(self) -> list[str]:
        """The ids of what the page says does not fit."""
        found: list[str] = self.page.eval_on_selector_all(
            ".alarm [data-finding]", "all => all.map(one => one.dataset.finding)"
        )
        return found


@pytest.fixture(scope="module")
def hosted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hosted]:
    """One server for all strategies."""
    tries, OwnShares.tries = OwnShares.tries, FEW
    running = Hosted(tmp_path_factory.mktemp("host"))
    yield running
    running.close()
    OwnShares.tries = tries


class Evening:
    """A host with an accomplice's client, and the person who sits at its table with the page."""

    def __init__(self, hosted: Hosted, strategy: Strategy) -> None:
        self.hosted, self.home = hosted, home_of(hosted)
        self.again = isinstance(strategy, ReplayedMatch)

    async def __aenter__(self) -> "Evening":
        made = await self.home.table(**SHORT)
        self.ada = Careless(self.home.ws, made.table, token=made.token)
        self.ben = Fingers(self.home.ws, made.table)
        await self.ada.__aenter__()
        await self.ben.__aenter__()
        await self.ben.join("Ben", VICTIM)
        self.link = f"{self.home.http}/t/{made.table}#{self.ben.token}"
        self.playing: list[asyncio.Task[None]] = []
        return self

    async def begin(self) -> None:
        """Let the host begin; both play as fast as they can."""
        await self.ada.ask(lambda id: wire.Begin(id=id))
        self.playing = [asyncio.create_task(one) for one in (self._host(), self._play(self.ben))]

    async def _host(self) -> None:
        await self._play(self.ada)
        if self.again:
            await self.ada.ask(lambda id: wire.Begin(id=id))

    async def _play(self, guest: Careless) -> None:
        await guest.play_on(first)

    async def __aexit__(self, *error: object) -> None:
        for task in self.playing:
            task.cancel()
        await asyncio.gather(*self.playing, return_exceptions=True)
        await self.ben.__aexit__()
        await self.ada.__aexit__()


@contextmanager
def evening(hosted: Hosted, strategy: Strategy, page: Page) -> Iterator[Seen]:
    """Seat the page at the table of such a host, and begin the match."""
    with installed(strategy):
        one = hosted.do(Evening(hosted, strategy).__aenter__())
        try:
            seen = Seen(page)
            page.goto(one.link)
            page.locator(".gathering").wait_for()
            hosted.do(one.begin())
            yield seen
        finally:
            hosted.do(one.__aexit__())


def go_on_to(page: Page, selector: str) -> None:
    """Read the result of the round, if it is in the way, until something is there."""
    wanted, go_on = page.locator(selector).first, page.locator("dialog[open] button.primary")
    wanted.or_(go_on.first).first.wait_for()
    if go_on.count() and not wanted.count():
        go_on.first.click()
    wanted.wait_for()


@pytest.mark.parametrize("kind", STRATEGIES, ids=lambda kind: kind.name)
def test_the_page_catches_each_fraud(
    kind: type[Strategy], browser: Browser, hosted: Hosted
) -> None:
    allowed = (NO_STORY,) if "deal-record" in kind.stops else ()
    with person(browser, allowed=allowed) as page, evening(hosted, kind(), page) as seen:
        stops = re.findall("stops `(.*)`", kind.page) or kind.stops
        if kind.page.startswith("asks"):
            page.get_by_role("button", name="No, that was not me").click()
            assert seen.findings == re.findall("`(.*)`", kind.page)
        elif stops:
            go_on_to(page, ".alarm")
            assert set(seen.findings) <= set(stops)
            assert page.get_by_role("alert").count() == 1
            if "deal-record" not in stops:
                until(page, lambda: seen.closed, "the end of the connection")
        elif kind.says:
            page.locator(f".note[data-own={OWN[kind.says]}]").wait_for()
            assert "reveal" not in seen.sent
        else:
            alert = page.get_by_role("alert")
            expect(alert).to_contain_text(kind.page_counts.format(2), timeout=PATIENCE)
            assert len(seen.sealed) == 2
            page.get_by_role("button", name="Deal again").click()
            expect(alert).to_contain_text(kind.page_counts.format(3), timeout=PATIENCE)
            assert len(seen.sealed) == 3, "one for each consent"


def test_an_honest_host_is_not_accused(browser: Browser, hosted: Hosted) -> None:
    with person(browser) as page, evening(hosted, Strategy(), page) as seen:
        go_on_to(page, ".end")
        expect(page.locator(".end .panel.who")).to_contain_text("Your browser verified the deal")
        assert seen.findings == []
        assert seen.sent.count("commit") == seen.sent.count("reveal") == 1


def test_the_panels_can_be_read(painting_browser: Browser, hosted: Hosted) -> None:
    """At every size, and by axe: a finding with its evidence, and the question before a third
    shuffle."""
    panels = {"wrong-words": ".alarm", "look-and-blame": ".again"}
    for lang, (name, panel) in zip(LANGUAGES, panels.items(), strict=True):
        strategy = strategy_named(name)()
        with (
            watched(painting_browser, lang) as watch,
            evening(hosted, strategy, watch.page) as seen,
        ):
            watch.page.locator(panel).wait_for()
            if panel == ".alarm":
                assert_evidence(watch.page)
                assert_it_stays(seen)
            watch.look(name)


def assert_it_stays(seen: Seen) -> None:
    """Check that a reload forgets nothing, and does not even connect."""
    before = list(seen.sent)
    seen.page.reload()
    seen.page.locator(".alarm").wait_for()
    assert seen.sent == before


def assert_evidence(page: Page) -> None:
    """Check that the file says what was found, and contains our share."""
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Beweis speichern").click()
    saved: dict[str, Any] = json.loads(waiting.value.path().read_text())
    assert [one["id"] for one in saved["findings"]] == ["deal-words"]
    assert saved["own_share"]["commit"] in saved["told_last"]["client_commits"]
