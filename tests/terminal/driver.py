"""Plays at the full-screen table as a person does: by keys, by mouse, or by typing.

A driver gets a listed move to make and uses nothing but the screen: it looks where things
are drawn, presses and clicks there.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import Protocol

from textual.pilot import Pilot

import stichwerk
from stichwerk.engine.generator import Generator
from stichwerk.terminal.full.app import Ending, TableApp
from stichwerk.terminal.full.overlays import Page
from stichwerk.terminal.full.picking import split_moves
from stichwerk.terminal.full.widgets import BoardView
from stichwerk.terminal.seat import LocalSeat, PlayerSeat
from stichwerk.terminal.session import seat_names

PATIENCE = 60.0  # seconds until something is missing, on a machine however busy
QUEUES = 8  # at least as many as a key passes

Test = Callable[[TableApp, Pilot[Ending]], Awaitable[None]]


def local_place(
    game: str, seats: int = 4, lang: str = "en", seed: int = 7, **options: object
) -> LocalSeat:
    """Return a person at seat 0 among bots that play at random."""
    names = seat_names(seats, 0, "You")
    match = stichwerk.game(game, seats=seats, **options).new(seed=seed, names=names)
    bots = {seat: stichwerk.bot("random", seat) for seat in range(1, seats)}
    return LocalSeat(match, 0, bots, lang, adviser="greedy")


def on_screen(
    player_seat: PlayerSeat,
    test: Test,
    size: tuple[int, int] = (80, 24),
    pace: float = 0,
    **wishes: bool,
) -> TableApp:
    """Run a test in front of a table."""
    app = TableApp(player_seat, pace=pace, **wishes)

    async def run() -> None:
        async with app.run_test(size=size) as pilot:
            await test(app, pilot)

    asyncio.run(run())
    return app


async def until(pilot: Pilot[Ending], holds: Callable[[], bool], what: str) -> None:
    """Wait for something to be on the screen."""
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end, f"{what} did not come"
        await pilot.pause(0.005)


async def drained(pilot: Pilot[Ending]) -> None:
    """Wait until all keys are done with. A key passes several queues, from the app to the widget in
    focus and from there up again; each pause empties all queues once."""
    for _ in range(QUEUES):
        await pilot.pause()


def page_of(app: TableApp) -> Page | None:
    """Return the page shown over the table."""
    return app.screen if isinstance(app.screen, Page) else None


def shown_text(app: TableApp) -> str:
    """Return the words on the table."""
    return app.board.picture.plain


async def ready(app: TableApp, pilot: Pilot[Ending]) -> None:
    """Until a move is owed or a page asks something."""
    await until(pilot, lambda: page_of(app) is not None or app.free, "a turn")
    await pilot.pause()


# -- Three ways to make a move ---------------------------------------------------------------------


class Hand(Protocol):
    """A way to make a move."""

    async def __call__(self, app: TableApp, pilot: Pilot[Ending], move: str) -> None: ...


def next_item(app: TableApp, part: str) -> int:
    """Return the first target with this name that is not picked yet."""
    assert app.board_state is not None
    items, picked = app.board_state.asked.items, app.board_state.pick.items
    return next(at for at, item in enumerate(items) if item == part and at not in picked)


async def by_keys(app: TableApp, pilot: Pilot[Ending], move: str) -> None:
    """Make the move with arrows, Space and Enter."""
    wanted = split_moves(move)
    for part in wanted.parts:
        assert app.board_state is not None
        steps = next_item(app, part) - app.board_state.cursor.at
        await pilot.press(*(["right"] * steps or ["left"] * -steps), "space")
    assert app.board_state is not None
    if wanted.target is not None and app.board_state.pick.target is None:
        await pilot.press("up")
        await pilot.press(*["right"] * app.board_state.targets.index(wanted.target))
    assert app.board_state.asked.text(app.board_state.pick), "nothing was picked"
    await pilot.press("enter")


async def by_mouse(app: TableApp, pilot: Pilot[Ending], move: str) -> None:
    """Make the move by clicks on cards, choices, places and people."""
    wanted = split_moves(move)
    last = ""
    for part in wanted.parts:
        last = f"item {next_item(app, part)}"
        await click(app, pilot, last)
    assert app.board_state is not None
    if wanted.target is not None and app.board_state.pick.target is None:
        last = f"target {wanted.target}"
        await click(app, pilot, last)
    await click(app, pilot, last)


async def click(app: TableApp, pilot: Pilot[Ending], name: str) -> None:
    """Click the middle of something that is drawn."""
    await pilot.pause()
    spot = app.board.picture.spot(name)
    assert spot is not None, f"{name} is not to be seen:\n{shown_text(app)}"
    where = (spot.x + spot.width // 2, spot.y + spot.height // 2)
    await pilot.click(BoardView, offset=where)


async def by_typing(app: TableApp, pilot: Pilot[Ending], move: str) -> None:
    """Type the move as it is written everywhere, but in lower case."""
    await pilot.press(*("space" if sign == " " else sign for sign in move.lower()), "enter")


HANDS: Mapping[str, Hand] = {"keys": by_keys, "mouse": by_mouse, "typed": by_typing}


# -- A match ---------------------------------------------------------------------------------------


async def make(app: TableApp, pilot: Pilot[Ending], hand: Hand, move: str) -> None:
    """Make one move, and wait until the table has gone on."""
    before = app.shown
    await hand(app, pilot, move)
    await until(
        pilot, lambda: app.shown is not before or page_of(app) is not None, f"what {move} does"
    )


async def play_on(
    app: TableApp, pilot: Pilot[Ending], hand: Hand, seed: int = 1, most: int = 1000
) -> dict[str, int]:
    """Play random legal moves until the match is over; return how many per phase."""
    draw = Generator(seed)
    made: dict[str, int] = {}
    for _ in range(most):
        await ready(app, pilot)
        if page_of(app) is not None:
            if app.player_seat.over:
                break
            await pilot.press("enter")
            await until(pilot, lambda: page_of(app) is None, "the table after a round")
            continue
        assert app.board_state is not None
        view = app.board_state.view
        made[view.phase] = made.get(view.phase, 0) + 1
        await make(app, pilot, hand, view.moves[draw.number(len(view.moves))])
    return made
