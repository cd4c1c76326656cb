"""Reload, cut lines, another server: nobody loses anything, and nothing is done twice."""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, WebSocketRoute, expect

from tests.length import by_length
from tests.web.conftest import served
from tests.web.pages import NO_SERVER, OFFLINE, PATIENCE, Site, open_table, person, until
from tests.web.players import Player
from tests.web.table import log_lines
from tests.web.test_matches import SHORT, check_record

DAY = {"sheets": ["red 4"], "rounds": 2}
"""A day on which one announces."""

SEEN = {"seen": ["day red 4"]}
"""Marks the day as seen, so that its dialog does not open."""

VIEW = Path(__file__).with_name("view.js").read_text()


def seen(page: Page) -> list[str]:
    """Return everything visible and audible at the table, including which cards can be played."""
    found: list[str] = page.evaluate(VIEW)
    return found


def at_rest(player: Player) -> list[str]:
    """Return the same on the person's turn, when all others have chosen and all texts are there."""
    page = player.page
    state = player.look()
    while state["dialog"]:
        player.step(state)
        state = player.look()
    last: list[str] = []
    for _ in range(PATIENCE // 50):
        now = seen(page)
        others_are_done = not any("on-turn" in one for one in now)
        is_sent = not any(one.startswith("Sending") for one in now)
        if player.talk.is_at_rest and others_are_done and is_sent and now == last:
            return now
        last = now
        page.wait_for_timeout(50)
    raise AssertionError(f"it never comes to rest: {last}")


def must_see(page: Page, wanted: list[str], when: str) -> None:
    """Sooner or later the page shows exactly this."""
    now: list[str] = []
    for _ in range(PATIENCE // 50):
        now = seen(page)
        if now == wanted:
            return
        page.wait_for_timeout(50)
    lost = [one for one in wanted if one not in now]
    new = [one for one in now if one not in wanted]
    raise AssertionError(f"{when}: lost {lost}, new {new}")


@pytest.mark.long
@pytest.mark.parametrize("game", SHORT)
def test_a_reload_restores_the_same_view(browser: Browser, site: Site, game: str) -> None:
    """Before the first choice, in the middle of tricks and rounds, before the last card."""
    made = site.table(game, 3, options=DAY if game == "stichtag" else SHORT[game])
    with person(browser, settings=SEEN) as page:
        player = Player(page, "swift", seed=5)
        open_table(page, made)
        player.step(player.look())
        for plays in by_length((0, 1, 1, 3), (0, 1, 1, 1, 2, 2, 3)):
            player.play_moves(plays)
            before = at_rest(player)
            assert any("legal" in one for one in before) or player.talk.view["phase"] != "play"
            page.reload()
            must_see(page, before, f"reload after {len(player.talk.moves)} moves")
        player.play()
    check_record(site, player)


class Line:
    """The connection between a page and its server, which can be cut at any message."""

    def __init__(self, page: Page) -> None:
        self.is_cut = False
        self.cut_at = ""
        self.has_server_moved = False
        """Whether the server has sent a play that the page does not know of."""
        self.sent: list[tuple[int, str]] = []
        """Every play that the page has sent, each time that it has: its number, and the move."""
        self._plays = 0
        page.route_web_socket("**/ws", self._connect)

    def cut_next(self, when: str) -> None:
        """Cut it at the next play: `before` the server gets it, or `after`."""
        self.cut_at = when
        self.has_server_moved = False
        self._plays = 0

    def mend(self) -> None:
        """Let reconnections through again."""
        self.cut_at = ""
        self.is_cut = False

    def _connect(self, socket: WebSocketRoute) -> None:
        if self.is_cut:
            socket.close(code=1001)
            return
        server = socket.connect_to_server()

        def cut() -> None:
            self.is_cut = True
            socket.close(code=1001)
            server.close()

        def out(message: str | bytes) -> None:
            decoded = json.loads(message)
            is_play = decoded["type"] == "play"
            if is_play:
                self._plays += 1
                self.sent.append((decoded["ply"], decoded["move"]))
            if is_play and self.cut_at == "before":
                cut()
            else:
                server.send(message)

        def back(message: str | bytes) -> None:
            decoded = json.loads(message)
            moved = decoded["type"] in ("done", "update")
            if self.cut_at == "after" and self._plays and moved:
                self.has_server_moved = True
                if not self.is_cut:
                    cut()
            elif not self.is_cut:
                socket.send(message)

        socket.on_message(out)
        server.on_message(back)


def own_log(page: Page) -> list[str]:
    """Return the person's own moves from the log."""
    return [move for line in log_lines(page) if (move := own_move(line))]


def own_move(line: str) -> str:
    """Return the move in a line of the log, if it is the person's own."""
    if line == "You have chosen.":
        return "chosen"
    if found := re.fullmatch(r"You play (\S+)\.", line):
        return found[1]
    if found := re.fullmatch(r"You play (\S+) in place (\d)\.", line):
        return f"{found[1]}>{found[2]}"
    if found := re.fullmatch(r"You open a new trick with (\S+)\.", line):
        return f"{found[1]}>new"
    return ""


def as_logged(choices: list[tuple[str, str]]) -> list[str]:
    """Moves as `own_log` has them: a secret choice is not shown, only that it was made."""
    return [move if phase == "play" else "chosen" for phase, move in choices]


CUTS = by_length(3, 5)


@pytest.mark.long
@pytest.mark.parametrize("first", ["before", "after"])
@pytest.mark.parametrize("game", SHORT)
def test_a_cut_in_the_middle_of_a_move_loses_and_doubles_nothing(
    browser: Browser, site: Site, game: str, first: str
) -> None:
    """`before`: the server never got the move; `after`: it did, but its answer was lost.

    The first cut is in the choice that each game begins with, the others are in plays.
    """
    options = DAY if game == "stichtag" else SHORT[game]
    made = site.table(game, 3, options=options, settings={"memory": "open"})  # the log is read
    with person(browser, settings=SEEN) as page:
        line = Line(page)
        player = Player(page, "swift", seed=3)
        talk = player.talk
        open_table(page, made)
        for cut in range(CUTS):
            when = first if cut % 2 == 0 else {"before": "after", "after": "before"}[first]
            if cut > 1:
                player.play_moves(1)
            line.cut_next(when)
            player.play(lambda: line.is_cut)
            ply, move = line.sent[-1]
            banner = page.locator(".lost")
            expect(banner).to_contain_text("goes out as soon as", timeout=PATIENCE)
            expect(banner).to_be_in_viewport(ratio=1)
            box = banner.bounding_box()
            assert box is not None
            assert box["width"] == page.evaluate("innerWidth"), "it is as wide as the page"
            expect(page.locator(".status")).to_contain_text("Sending")
            assert line.has_server_moved == (when == "after")
            line.mend()
            banner.wait_for(state="detached")
            player.look()
            again = [one for at, one in line.sent if at == ply]
            assert again == [move, move], "the same move, once more"
            must_log(page, as_logged(talk.choices))
        player.play()
    check_record(site, player)


def must_log(page: Page, wanted: list[str]) -> None:
    """Check that the log shows these moves of the person, each once and in this order."""
    until(page, lambda: own_log(page) == wanted, lambda: f"{wanted}, but {own_log(page)}")


def test_offline_and_back_in_the_middle_of_a_move(browser: Browser, site: Site) -> None:
    """By clicking, as a person would: twice, in the choice and in a play."""
    made = site.table("sticheln", 4, options={"rounds": 1}, settings={"memory": "open"})
    with person(browser, allowed=OFFLINE, worker=True) as page:
        player = Player(page, "swift", seed=3)
        open_table(page, made)
        player.step(player.look())
        player.look()
        for _ in range(2):
            page.context.set_offline(True)
            banner = page.locator(".lost")
            banner.wait_for()
            card = page.locator(".hand button.legal").first
            code = card.locator("[data-card]").get_attribute("data-card")
            card.click()
            page.locator(".hand button.raised").wait_for()
            confirm = page.locator(".middle .choice button.primary")
            (confirm if confirm.count() else page.locator(".hand button.raised")).click()
            expect(banner).to_contain_text("goes out as soon as")
            expect(page.locator(".status")).to_contain_text("Sending")
            expect(page.locator(f".hand .sending [data-card={code}]")).to_have_count(1)
            assert code not in player.talk.moves, "nothing has gone out"
            page.context.set_offline(False)
            banner.wait_for(state="detached")
            expect(page.locator(f".hand [data-card={code}]")).to_have_count(0, timeout=PATIENCE)
            assert player.talk.moves[-1] == code
            must_log(page, as_logged(player.talk.choices))
            player.look()
        player.play()
    check_record(site, player)


def test_a_server_restart_during_a_match_is_survived(browser: Browser, tmp_path: Path) -> None:
    with person(browser, allowed=NO_SERVER, worker=True) as page:
        player = Player(page, "swift", seed=1)
        with served(tmp_path, pace=0.0) as site:
            open_table(
                page, site.table("sticheln", 3, options={"rounds": 1}, settings={"memory": "open"})
            )
            player.play_moves(4)
            before = at_rest(player)
            port = site.port
        page.locator(".lost").wait_for()
        with served(tmp_path, pace=0.0, port=port) as site:
            page.locator(".lost").wait_for(state="detached")
            must_see(page, before, "after the start")
            must_log(page, as_logged(player.talk.choices))
            player.play()
            check_record(site, player)
