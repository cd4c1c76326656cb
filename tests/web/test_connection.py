"""Reload, cut lines, another server: nobody loses anything, and nothing is done twice."""

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, WebSocketRoute, expect

from stichwerk import record
from tests.web.conftest import served
from tests.web.pages import PATIENCE, Site, open_table, person
from tests.web.players import Player
from tests.web.test_matches import SHORT

PARTS = ("header.bar", ".seats", ".middle", ".own", ".hand")


def seen(page: Page) -> dict[str, str]:
    """What is there to see and to hear at the table."""
    found = {}
    for part in PARTS:
        shown = page.locator(part).first
        found[part] = shown.aria_snapshot() if shown.count() else ""
    return found


def settled(page: Page) -> dict[str, str]:
    """The same, when nothing changes any more."""
    last: dict[str, str] = {}
    for _ in range(PATIENCE // 600):
        now = seen(page)
        if now == last:
            return now
        last = now
        page.wait_for_timeout(600)
    raise AssertionError("it never comes to rest")


@pytest.mark.parametrize("game", SHORT)
def test_a_reload_leads_back_to_the_same_view(browser: Browser, site: Site, game: str) -> None:
    made = site.table(game, 3, options={"date": "07-14"} if game == "stichtag" else {})
    with person(browser) as page:
        player = Player(page, "swift", seed=5)
        open_table(page, made)
        for plays in (1, 1, 2, 3, 4):
            player.play_moves(plays)
            player.look()
            while page.locator("dialog[open]").count():
                player.step(player.look())
            before = settled(page)
            page.reload()
            page.locator(".table .seats").wait_for()
            player.look()
            assert settled(page) == before, f"after {len(player.talk.moves)} moves"


class Line:
    """The line between a page and its server, which can be cut at any message."""

    def __init__(self, page: Page) -> None:
        self.is_cut = False
        self.cut_at = ""
        self.plays: list[dict[str, Any]] = []
        page.route_web_socket("**/ws", self._connect)

    def _connect(self, socket: WebSocketRoute) -> None:
        if self.is_cut:
            socket.close(code=1001)
            return
        server = socket.connect_to_server()

        def out(message: str | bytes) -> None:
            told = json.loads(message)
            is_play = told["type"] == "play"
            if is_play:
                self.plays.append(told)
            if is_play and self.cut_at == "before":
                self.is_cut = True
                socket.close(code=1001)
                server.close()
            else:
                server.send(message)

        def back(message: str | bytes) -> None:
            told = json.loads(message)
            if self.cut_at == "after" and self.plays and told["type"] in ("done", "update"):
                self.is_cut = True
                socket.close(code=1001)
                server.close()
            elif not self.is_cut:
                socket.send(message)

        socket.on_message(out)
        server.on_message(back)


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("game", ["stichling", "sticheln"])
def test_a_cut_in_the_middle_of_a_move_loses_and_doubles_nothing(
    browser: Browser, site: Site, game: str, when: str
) -> None:
    """`before`: the server never got the move; `after`: it did, but its answer was lost."""
    made = site.table(game, 3, options=SHORT[game])
    with person(browser, strict=False) as page:
        line = Line(page)
        player = Player(page, "swift", seed=3)
        open_table(page, made)
        for _ in range(4):
            line.cut_at = when
            line.plays.clear()
            player.play(lambda: line.is_cut)
            banner = page.locator(".lost")
            expect(banner).to_be_visible(timeout=PATIENCE)
            if when == "before":
                expect(banner).to_contain_text("is sent as soon as")
                expect(page.locator(".status")).to_contain_text("Sending", timeout=PATIENCE)
            line.cut_at = ""
            line.is_cut = False
            banner.wait_for(state="detached")
        made_moves: list[dict[str, Any]] = []
        line.plays = made_moves
        player.play()
        match = made_moves[-1]["match"]
    check(site, match)


def check(site: Site, match: str) -> None:
    """The match is whole: verifying it plays every move again."""
    record.verify(record.decode(site.get(f"/api/matches/{match}")))


def test_offline_and_back(browser: Browser, site: Site) -> None:
    made = site.table("sticheln", 4, options={"rounds": 1})
    with person(browser, strict=False) as page:
        player = Player(page, "swift", seed=3)
        open_table(page, made)
        player.play_moves(3)
        player.look()
        page.context.set_offline(True)
        banner = page.locator(".lost")
        banner.wait_for()
        card = page.locator(".hand button.legal").first
        name = card.get_attribute("aria-label") or ""
        card.click()
        page.locator(".hand button.raised").click()
        expect(banner).to_contain_text("is sent as soon as")
        page.context.set_offline(False)
        banner.wait_for(state="detached")
        expect(page.locator(".hand").get_by_label(name, exact=True)).to_have_count(
            0, timeout=PATIENCE
        )
        player.play()
        match = player.talk.match
    check(site, match)


def test_the_server_starts_anew_in_the_middle_of_a_match(browser: Browser, tmp_path: Path) -> None:
    with person(browser, strict=False) as page:
        player = Player(page, "swift", seed=1)
        with served(tmp_path, pace=0.0) as site:
            open_table(page, site.table("sticheln", 3, options={"rounds": 1}))
            player.play_moves(4)
            player.look()
            before = settled(page)
            port = site.port
        page.locator(".lost").wait_for()
        with served(tmp_path, pace=0.0, port=port) as site:
            page.locator(".lost").wait_for(state="detached")
            player.look()
            assert settled(page) == before
            player.play()
            check(site, player.talk.match)
