"""Every choice of Stichtag's calendar, made through the screen by keys, mouse and typing."""

import pytest
from textual.pilot import Pilot

import stichwerk
from stichwerk.match import Match
from stichwerk.terminal.full.app import Ending, TableApp
from stichwerk.terminal.seat import LocalSeat
from stichwerk.terminal.session import seat_names
from tests.terminal.driver import HANDS, click, make, on_screen, ready, shown_text, until

pytestmark = pytest.mark.game("stichtag")

# Sheets, the phase they ask in, how a move looks that is to be made then.
CHOICES = {
    "announcement": (["red 4"], "announce", "3"),
    "veto": (["red 7"], "veto", "veto "),
    "no veto": (["red 7"], "veto", "pass"),
    "passing": (["February"], "pass", ""),
    "discarding": (["August"], "discard", ""),
    "two discards": (["August"], "discard", ","),
    "gift": (["December"], "gift", ">"),
    "pair": (["red 2"], "play", "+"),
    "leading face down": (["red 1"], "play", ""),
    "taking points": (["red 4", "green 2"], "take", "take"),
    "leaving points": (["red 4", "green 2"], "take", "leave"),
    "odd later": (["red 8"], "play", ""),
}


def position(sheets: list[str], phase: str, looks: str) -> tuple[Match, str]:
    """Return a match in which seat 0 has such a move, and the move."""
    for seed in range(300):
        names = seat_names(4, 0, "You")
        match = stichwerk.game("stichtag", sheets=sheets).new(seed=seed, names=names)
        bot = stichwerk.bot("random", seed)
        while match.waiting_for:
            seat = match.waiting_for[0]
            view = match.view(seat)
            fitting = [move for move in view.moves if looks in move]
            if seat == 0 and view.phase == phase and fitting:
                return match, fitting[-1]
            match.play(seat, bot.choose(view))
    raise AssertionError(f"no seed leads to {phase} with {looks!r}")


class RecordingSeat(LocalSeat):
    """A seat that records the moves it plays."""

    def __init__(self, match: Match) -> None:
        bots = {seat: stichwerk.bot("random", seat) for seat in (1, 2, 3)}
        super().__init__(match, 0, bots, "en")
        self.played: list[str] = []

    def play(self, move: str) -> None:
        """Make a move, and remember it."""
        super().play(move)
        self.played.append(move)


@pytest.mark.slow
@pytest.mark.parametrize("way", HANDS)
@pytest.mark.parametrize("choice", CHOICES)
def test_a_choice_is_made_from_the_list(choice: str, way: str) -> None:
    match, move = position(*CHOICES[choice])
    player_seat = RecordingSeat(match)

    async def test(app: TableApp, pilot: Pilot[Ending]) -> None:
        await ready(app, pilot)
        await make(app, pilot, HANDS[way], move)

    on_screen(player_seat, test)
    assert [made.upper() for made in player_seat.played] == [move.upper()]


@pytest.mark.parametrize(("choice", "steps"), [("veto", 2), ("gift", 2)])
def test_people_are_clicked_themselves(choice: str, steps: int) -> None:
    """A veto or a gift goes to the person clicked in the list of seats."""
    match, move = position(*CHOICES[choice])
    player_seat = RecordingSeat(match)
    who = move.replace(">", " ").rpartition(" ")[2]

    async def test(app: TableApp, pilot: Pilot[Ending]) -> None:
        await ready(app, pilot)
        before = app.shown
        for _ in range(steps):
            assert not player_seat.played
            await click(app, pilot, f"seat {who}")
        await until(pilot, lambda: app.shown is not before, "what it does")

    on_screen(player_seat, test)
    assert player_seat.played == [move]


def test_a_day_shows_its_cards_at_the_seats() -> None:
    """Announcements, cards aside, lanterns, hearts: all of it is on the table."""
    words = {
        ("red 4",): "announced",
        ("red 8",): "aside",
        ("red 7",): "veto card",
        ("green 3",): "♥",
        ("red 6",): "your partner",
    }
    for sheets, word in words.items():
        match, _move = position(list(sheets), "play", "")

        async def test(app: TableApp, pilot: Pilot[Ending], word: str = word) -> None:
            await ready(app, pilot)
            assert word in shown_text(app), shown_text(app)

        on_screen(RecordingSeat(match), test)
