"""Draw the full-screen table for the documentation: `python -m tools.terminal_pictures`.

The same match and the same moves every time, so that a picture changes only when the table does.
"""

import re
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

from textual.pilot import Pilot

import stichwerk
from stichwerk.terminal.full.app import Ending, TableApp
from stichwerk.terminal.seat import LocalSeat
from stichwerk.terminal.session import seat_names
from tests.terminal.driver import on_screen, page_of, ready, until

Scene = Callable[[TableApp, Pilot[Ending]], Awaitable[None]]


def place_after(
    moves: int, game: str, seats: int = 4, seed: int = 7, **options: object
) -> LocalSeat:
    """Return a match after some moves of medium bots, with seat 0 to move."""
    names = seat_names(seats, 0, "You")
    match = stichwerk.game(game, seats=seats, **options).new(seed=seed, names=names)
    bots = {seat: stichwerk.bot("greedy", seat) for seat in range(seats)}
    made = 0
    while made < moves or 0 not in match.waiting_for:
        seat = match.waiting_for[0]
        match.play(seat, bots[seat].choose(match.view(seat)))
        made += 1
    return LocalSeat(match, 0, bots, "en", adviser="greedy")


def pressing(*keys: str) -> Scene:
    """Return a scene that presses some keys."""

    async def scene(app: TableApp, pilot: Pilot[Ending]) -> None:
        await ready(app, pilot)
        await pilot.press(*keys)
        await pilot.pause(0.5)

    return scene


async def end_of_round(app: TableApp, pilot: Pilot[Ending]) -> None:
    """Play to the last card of a round."""
    await ready(app, pilot)
    await pilot.press("enter")
    await until(pilot, lambda: page_of(app) is not None, "the end of the round")
    await pilot.pause(0.5)


SCENES: dict[str, tuple[Callable[[], LocalSeat], tuple[int, int], Scene]] = {
    "sticheln": (lambda: place_after(26, "sticheln"), (80, 24), pressing("right", "right")),
    "stichling": (
        lambda: place_after(27, "stichling"),
        (80, 24),
        pressing("right", "right", "space"),
    ),
    "null-nichtig": (
        lambda: place_after(31, "null-nichtig", seats=5),
        (80, 24),
        pressing("right"),
    ),
    "laying-out": (
        lambda: place_after(0, "null-nichtig"),
        (80, 24),
        pressing("space", "right", "right", "right", "space", "right"),
    ),
    "stichtag": (
        lambda: place_after(35, "stichtag", date="12-27"),
        (120, 34),
        pressing("f2"),
    ),
    "announcement": (
        lambda: place_after(0, "stichtag", date="09-14"),
        (80, 24),
        pressing("right", "right", "right"),
    ),
    "round": (lambda: place_after(56, "sticheln"), (80, 24), end_of_round),
}


def picture(name: str) -> str:
    """Return one scene as an SVG without external or changing parts."""
    place, size, scene = SCENES[name]
    shots: list[str] = []

    async def shoot(app: TableApp, pilot: Pilot[Ending]) -> None:
        app.line.cursor_blink = False
        await scene(app, pilot)
        shots.append(app.export_screenshot(title=f"stichwerk play {place().view.game}"))

    on_screen(place(), shoot, size=size)
    return tidied(shots[0], name)


def tidied(svg: str, name: str) -> str:
    """Remove fonts from the network, drawn ids and trailing spaces."""
    svg = re.sub(r"@font-face \{.*?\}", "", svg, flags=re.DOTALL)
    svg = svg.replace("Fira Code", "DejaVu Sans Mono")
    svg = re.sub(r"terminal-\d+", f"terminal-{name}", svg)
    return "\n".join(line.rstrip() for line in svg.splitlines() if line.strip()) + "\n"


def main(folder: str = "docs/img", *names: str) -> None:
    """Draw all pictures, or those that are named."""
    for name in names or SCENES:
        Path(folder, f"terminal-{name}.svg").write_text(picture(name), "utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
