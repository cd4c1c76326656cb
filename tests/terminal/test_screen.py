"""Everything around play: pages, hints, languages, sizes, pace, leaving."""

from threading import Event

import pytest
from textual.widgets import Button, Markdown, OptionList, Static

import stichwerk
from stichwerk.terminal.full import app as full_app
from stichwerk.terminal.full.app import Ending, TableApp
from stichwerk.terminal.full.keys import COMMANDS, key_bar
from stichwerk.terminal.full.overlays import Menu, MoveListOverlay, Page, PageText
from stichwerk.terminal.full.table_follower import REST, TableFollower
from stichwerk.terminal.seat import LocalSeat, MoveHint
from tests.terminal.driver import (
    by_keys,
    by_typing,
    click,
    local_place,
    make,
    on_screen,
    page_of,
    play_on,
    ready,
    shown_text,
    until,
)
from tests.terminal.screen_setup import Screen, first


def words_on(page: Page) -> str:
    """Return title and text of a page."""
    shown = [str(part.content) for part in page.query(Static)]
    shown += [page_text.source for page_text in page.query(Markdown)]
    return "\n".join(shown)


async def open_page(app: TableApp, pilot: Screen, key: str) -> str:
    """Press a key that opens a page; its words, and the page is closed again."""
    await pilot.press(key)
    await until(pilot, lambda: page_of(app) is not None, f"the page of {key}")
    page = page_of(app)
    assert page is not None
    await pilot.pause()
    words = words_on(page)
    await pilot.press("escape")
    await until(pilot, lambda: page_of(app) is None, "the table")
    return words


# -- Pages -----------------------------------------------------------------------------------------


@pytest.mark.slow
def test_pages_by_their_keys() -> None:
    async def test(app: TableApp, pilot: Screen) -> None:
        await ready(app, pilot)
        assert "No trick has been taken yet." in await open_page(app, pilot, "f3")
        await make(app, pilot, by_keys, "R0" if "R0" in app.player_seat.view.moves else first(app))
        for _ in range(2):
            await ready(app, pilot)
            await make(app, pilot, by_keys, first(app))
        await ready(app, pilot)
        assert "Last trick: " in await open_page(app, pilot, "f3")
        assert "total" in await open_page(app, pilot, "f4")
        rules = await open_page(app, pilot, "f5")
        assert rules.index("Your turn") < rules.index("# Sticheln")
        log = await open_page(app, pilot, "f6")
        assert "Round 1 of 4" in log
        assert "Pain cards:" in log
        help = await open_page(app, pilot, "f1")
        assert all(command.key.upper() in help for command in COMMANDS)
        assert "R3,R9,B0" in help

    on_screen(local_place("sticheln"), test)


@pytest.mark.slow
def test_the_same_pages_by_letters_menu_and_mouse() -> None:
    async def test(app: TableApp, pilot: Screen) -> None:
        await ready(app, pilot)
        await pilot.press("s", "enter")
        await until(pilot, lambda: page_of(app) is not None, "the score sheet")
        await pilot.press("enter")
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, Menu), "the menu")
        listed = app.screen.query_one(OptionList)
        assert [option.id for option in listed.options] == [one.action for one in COMMANDS]
        await pilot.press("down", "down", "down", "enter")
        await until(pilot, lambda: page_of(app) is not None, "the score sheet from the menu")
        await pilot.click(Button)
        await until(pilot, lambda: page_of(app) is None, "the table")
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, Menu), "the menu again")
        await pilot.press("f6")
        await until(pilot, lambda: page_of(app) is not None, "the log by its key in the menu")
        await pilot.press("escape")
        await until(pilot, lambda: page_of(app) is None, "the table again")
        spot = key_bar("en", 80).spot("command rules")
        assert spot is not None
        await pilot.click("KeyBar", offset=(spot.x + 1, 0))
        await until(pilot, lambda: page_of(app) is not None, "the rules from the key bar")

    on_screen(local_place("sticheln"), test)


@pytest.mark.slow
@pytest.mark.parametrize("key", ["f1", "f5", "f6"])
def test_a_page_fits_the_smallest_window_and_scrolls(key: str) -> None:
    async def test(app: TableApp, pilot: Screen) -> None:
        await ready(app, pilot)
        await pilot.press(key)
        await until(pilot, lambda: page_of(app) is not None, "the page")
        await pilot.pause()
        page = page_of(app)
        assert page is not None
        button = page.query_one(Button)
        assert button.region.height == 1
        assert button.region.bottom < app.size.height
        paper = page.query_one(PageText)
        if paper.max_scroll_y and key != "f6":
            await pilot.press("pagedown")
            await until(pilot, lambda: paper.scroll_y > 0, "the next part")
            await pilot.press("pageup")
            await until(pilot, lambda: paper.scroll_y == 0, "the beginning")

    on_screen(local_place("sticheln"), test, size=(60, 20))


def test_rules_of_a_day_begin_with_the_current_rule() -> None:
    async def test(app: TableApp, pilot: Screen) -> None:
        await ready(app, pilot)
        rules = await open_page(app, pilot, "f5")
        assert rules.index("Announce your tricks") < rules.index("# Stichtag: 14 September")

    on_screen(local_place("stichtag", date="09-14"), test)


@pytest.mark.slow
def test_the_end_of_a_round_explains_its_points() -> None:
    async def test(app: TableApp, pilot: Screen) -> None:
        for _ in range(15):
            await ready(app, pilot)
            await make(app, pilot, by_typing, first(app))
        await until(pilot, lambda: page_of(app) is not None, "the end of the round")
        page = page_of(app)
        assert page is not None
        words = words_on(page)
        assert "Round 1 is over" in words
        assert "cards of other colours" in words
        assert "Pain card" in words
        await pilot.press("f7")
        await pilot.pause()
        assert "Runde 1 ist zu Ende" in words_on(page)
        await pilot.press("enter")
        await ready(app, pilot)
        assert "Runde 2 von 2" in shown_text(app)

    on_screen(local_place("sticheln", seats=3, rounds=2), test)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("presses", "ending"),
    [((), Ending.NEW), (("right",), Ending.SAME), (("left",), Ending.OVER)],
)
def test_the_end_of_a_match_offers_another(presses: tuple[str, ...], ending: Ending) -> None:
    """Ranking, and the choice of another match; one more look at the table is possible."""

    async def test(app: TableApp, pilot: Screen) -> None:
        await play_on(app, pilot, by_typing)
        page = page_of(app)
        assert page is not None
        assert "1. " in words_on(page)
        await pilot.press("right", "right", "enter")
        await until(pilot, lambda: page_of(app) is None, "the last table")
        await pilot.press("enter")
        await until(pilot, lambda: page_of(app) is not None, "the question again")
        await pilot.press(*presses, "enter")
        await pilot.pause()

    match = near_end()
    app = on_screen(match, test, rematch=True)
    assert app.return_value is ending


def near_end() -> LocalSeat:
    """Sticheln, one card before the end."""
    player_seat = local_place("sticheln", seats=3, rounds=1)
    bot = stichwerk.bot("random", 5)
    while sum(player_seat.match.view(None).hand_sizes) > 3:
        seat = player_seat.match.waiting_for[0]
        player_seat.match.play(seat, bot.choose(player_seat.match.view(seat)))
    return player_seat


# -- Picking and typing ----------------------------------------------------------------------------


def test_refused_cards_are_explained_by_click_and_typing() -> None:
    async def test(app: TableApp, pilot: Screen) -> None:
        await ready(app, pilot)
        view = app.player_seat.view
        wrong = next(at for at, card in enumerate(view.hand) if card not in view.moves)
        await click(app, pilot, f"item {wrong}")
        await pilot.pause()
        assert "so you must follow" in shown_text(app)
        await pilot.press("escape", "escape", *view.hand[wrong], "enter")
        await pilot.pause()
        assert "so you must follow" in shown_text(app)
        assert app.player_seat.view == view

    player_seat = local_place("stichtag", starter=1)
    on_screen(player_seat, test)


def test_one_card_too_many_is_reported() -> None:
    async def test(app: TableApp, pilot: Screen) -> None:
        await ready(app, pilot)
        for at in range(4):
            await click(app, pilot, f"item {at}")
        await pilot.pause()
        assert "That is all you can pick." in shown_text(app)
        assert app.board_state is not None
        assert app.board_state.pick.items == (0, 1, 2)

    on_screen(local_place("null-nichtig"), test)


def test_the_mouse_shows_effects_before_a_click() -> None:
    async def test(app: TableApp, pilot: Screen) -> None:
        await ready(app, pilot)
        spot = app.board.picture.spot("item 3")
        assert spot is not None
        await pilot.hover("BoardView", offset=(spot.x + 1, spot.y + 1))
        await pilot.pause()
        assert f"{app.player_seat.view.hand[3]}: pain colour" in shown_text(app)

    on_screen(local_place("sticheln"), test)


def test_the_list_of_moves_is_narrowed_and_picks() -> None:
    async def test(app: TableApp, pilot: Screen) -> None:
        await ready(app, pilot)
        view = app.player_seat.view
        await pilot.press("question_mark")
        await until(pilot, lambda: isinstance(app.screen, MoveListOverlay), "the moves")
        await pilot.pause()
        listed = app.screen.query_one(OptionList)
        assert listed.option_count == min(200, len(view.moves))
        wanted = view.moves[-1].split(",")[0]
        await pilot.press(*wanted)
        await pilot.pause()
        shown = [option.id or "" for option in listed.options]
        assert shown
        assert all(wanted in move.split(",") for move in shown)
        await pilot.press("down", "enter")
        await until(pilot, lambda: not isinstance(app.screen, MoveListOverlay), "the table")
        assert app.board_state is not None
        assert app.board_state.asked.text(app.board_state.pick) == shown[1]
        assert app.player_seat.view == view
        await pilot.press("escape", "question_mark", "escape")

    on_screen(local_place("null-nichtig", seats=6), test)


def test_rows_of_cards_and_places_by_arrows() -> None:
    """In a narrow window the hand has several rows: up and down lead from one to the other."""

    async def test(app: TableApp, pilot: Screen) -> None:
        await ready(app, pilot)
        await pilot.press("down")
        assert app.board_state is not None
        below = app.board_state.cursor.at
        assert below > 5
        await pilot.press("up")
        assert app.board_state.cursor.at == 0

    on_screen(local_place("sticheln"), test, size=(60, 24))


# -- Hints -----------------------------------------------------------------------------------------


class Thinking(LocalSeat):
    """A place whose adviser takes its time, as long as the test wants."""

    gate: Event

    def advise(self) -> MoveHint:
        """Wait until the test allows an answer."""
        assert self.gate.wait(300)
        return super().advise()


def test_a_hint_comes_while_the_table_stays_alive() -> None:
    usual = local_place("sticheln")
    player_seat = Thinking(usual.match, 0, usual.bots, "en", adviser="greedy")
    player_seat.gate = Event()

    async def test(app: TableApp, pilot: Screen) -> None:
        await ready(app, pilot)
        await pilot.press("f2")
        await pilot.pause()
        assert "A bot is thinking" in shown_text(app)
        await pilot.press("f4")
        await until(pilot, lambda: page_of(app) is not None, "a page while it thinks")
        await pilot.press("escape")
        player_seat.gate.set()
        await until(pilot, lambda: "Hint: " in shown_text(app), "the hint")
        assert app.board_state is not None
        assert app.board_state.hint in app.player_seat.view.moves
        assert not app.board_state.pick.items

    on_screen(player_seat, test)


def thinks(app: TableApp) -> bool:
    """Return whether a hint is pending."""
    return any(worker.name == "hint" and worker.is_running for worker in app.workers)


def test_a_late_hint_is_dropped() -> None:
    usual = local_place("sticheln")
    player_seat = Thinking(usual.match, 0, usual.bots, "en", adviser="greedy")
    player_seat.gate = Event()

    async def test(app: TableApp, pilot: Screen) -> None:
        await ready(app, pilot)
        await pilot.press("f2")
        await make(app, pilot, by_typing, first(app))
        await ready(app, pilot)
        assert thinks(app)
        player_seat.gate.set()
        await until(pilot, lambda: not thinks(app), "the late hint")
        await pilot.pause()
        assert "Hint: " not in shown_text(app)

    on_screen(player_seat, test)


def test_a_bot_that_gives_no_hints_says_so() -> None:
    usual = local_place("sticheln")
    player_seat = LocalSeat(usual.match, 0, usual.bots, "en", adviser="mute")
    player_seat._adviser = type("Mute", (), {"choose": lambda self, view: view.moves[0]})()

    async def test(app: TableApp, pilot: Screen) -> None:
        await ready(app, pilot)
        await pilot.press("t", "enter")
        await until(pilot, lambda: "mute gives no hints" in shown_text(app), "the refusal")

    on_screen(player_seat, test)


# -- Language, size, pace --------------------------------------------------------------------------


@pytest.mark.slow
def test_languages_change_at_any_time() -> None:
    async def test(app: TableApp, pilot: Screen) -> None:
        await ready(app, pilot)
        assert "Choose your pain card" in shown_text(app)
        await pilot.press("f7")
        await pilot.pause()
        assert "Wähle deine Ärgerkarte" in shown_text(app)
        assert app.player_seat.lang == "de"
        await pilot.press("f5")
        await until(pilot, lambda: page_of(app) is not None, "the rules")
        await pilot.press("f7")
        await pilot.pause()
        page = page_of(app)
        assert page is not None
        assert "Rules" in words_on(page)
        await pilot.press("escape")
        await pilot.pause()
        assert "Choose your pain card" in shown_text(app)

    on_screen(local_place("sticheln"), test)


@pytest.mark.slow
def test_the_window_can_be_resized() -> None:
    async def test(app: TableApp, pilot: Screen) -> None:
        await ready(app, pilot)
        for width, height in ((120, 40), (80, 24), (60, 20), (59, 20), (60, 19), (20, 5), (3, 2)):
            await pilot.resize_terminal(width, height)
            await pilot.pause()
            fits = width >= 60 and height >= 20
            assert ("Stichling ·" in shown_text(app)) == fits
            assert fits or "The window" in shown_text(app) or width < 10
        await pilot.press("f5")
        await pilot.pause()
        await pilot.press("escape")
        await pilot.resize_terminal(80, 24)
        await pilot.pause()
        assert "Stichling ·" in shown_text(app)

    on_screen(local_place("stichling"), test)


def test_others_move_at_a_pace_and_tricks_stay_visible(monkeypatch: pytest.MonkeyPatch) -> None:
    """One after the other with pauses between, a full trick stays; a key skips all of it."""
    pauses: list[float] = []
    rested: list[int] = []

    async def counted(follower: TableFollower, seconds: float) -> None:
        pauses.append(seconds)
        board_state = follower.app.board_state
        assert board_state is not None
        if board_state.rest:
            rested.append(len(board_state.rest[0].plays))

    monkeypatch.setattr(TableFollower, "pause", counted)

    async def test(app: TableApp, pilot: Screen) -> None:
        for _ in range(3):
            await ready(app, pilot)
            await make(app, pilot, by_typing, first(app))
        await ready(app, pilot)

    on_screen(local_place("sticheln"), test, pace=0.25)
    assert set(pauses) == {0.25, 0.25 * REST}
    assert set(rested) == {4}
    assert pauses.count(0.25) >= 6


def test_a_key_skips_the_waiting() -> None:
    async def test(app: TableApp, pilot: Screen) -> None:
        await ready(app, pilot)
        before = app.shown
        await by_typing(app, pilot, first(app))
        await until(pilot, lambda: app.shown is not before, "the first answer")
        assert not app.free  # a pause of a minute has begun
        await pilot.press("space")
        await ready(app, pilot)

    on_screen(local_place("sticheln"), test, pace=60)


def test_the_pace_is_a_setting() -> None:
    async def test(app: TableApp, pilot: Screen) -> None:
        await ready(app, pilot)
        await pilot.press("f8")
        await pilot.pause()
        assert app.pace == full_app.PACES[0]
        assert "0.7 seconds" in shown_text(app)

    on_screen(local_place("sticheln"), test)
