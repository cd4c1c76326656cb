"""The picture of the table: a function of the view, whatever the size of the window."""

import re
from collections.abc import Iterator
from dataclasses import replace

import msgspec
import pytest

import stichwerk
from stichwerk.games import registry
from stichwerk.locale import LANGUAGES, sentences
from stichwerk.match import Match
from stichwerk.terminal.full.board import (
    LAYOUTS,
    LEAST_HEIGHT,
    LEAST_WIDTH,
    SIDE,
    SIDE_FROM,
    board,
    drawer_of,
    parts,
)
from stichwerk.terminal.full.board_state import (
    BoardState,
    Cursor,
    last_settled,
    resting,
    resting_view,
)
from stichwerk.terminal.full.picking import Pick
from stichwerk.terminal.full.picture import Picture, folded, line, paragraph, shortened, stack
from stichwerk.terminal.session import seat_names
from stichwerk.view import View

BARS = 2  # lines of the window that are not the table's
SIZES = ((LEAST_WIDTH, LEAST_HEIGHT - BARS), (80, 22), (100, 28), (SIDE_FROM, 30), (200, 58))
SETTINGS = [
    *((game, seats, {}) for game in registry.GAMES for seats in registry.kind(game).seat_counts),
    *(("stichtag", 5, {"date": date}) for date in ("01-38", "03-17", "04-26", "09-14", "12-27")),
    ("stichtag", 4, {"date": "08-22"}),
]


def new_match(game: str, seats: int, options: dict[str, object], seed: int = 3) -> Match:
    """Return a match with names of some length."""
    names = seat_names(seats, 0, "Bartholomäus")
    return stichwerk.game(game, seats=seats, **options).new(seed=seed, names=names)


def views(match: Match, every: int = 5) -> Iterator[View]:
    """Yield some views of seat 0 along a round and into the next."""
    bot = stichwerk.bot("random", 1)
    number = 0
    while match.waiting_for and match.view(None).round < 3:
        seat = match.waiting_for[0]
        if number % every == 0 or (match.view(0).moves and number % 3 == 0):
            yield match.view(0)
        match.play(seat, bot.choose(match.view(seat)))
        number += 1
    yield match.view(0)


def tightest(board_state: BoardState, width: int) -> tuple[Picture, ...]:
    """Return the table with no room to spare: if that fits, nothing is ever cut off."""
    drawer = drawer_of(board_state.view.game)(
        board_state, width if width < SIDE_FROM else width - SIDE - 3
    )
    return parts(drawer, LAYOUTS[-1], drawer.width)


@pytest.mark.slow
@pytest.mark.parametrize(("game", "seats", "options"), SETTINGS)
def test_the_board_fits_every_window(game: str, seats: int, options: dict[str, object]) -> None:
    """Nothing is wider or higher than the window, every card is there and can be clicked, and no
    sentence is missing."""
    for at, view in enumerate(views(new_match(game, seats, options), every=9)):
        lang = LANGUAGES[at % 2]
        ids = {id for id in sentences(lang) if "-" in id}
        board_state = BoardState(view, lang)
        for width, height in SIZES:
            picture = board(board_state, width, height)
            assert picture.height <= height
            assert sum(part.height for part in tightest(board_state, width)) <= height
            assert picture.width <= width
            assert {spot.name for spot in picture.spots} >= {
                f"item {card}" for card in range(len(view.hand))
            }, f"{width} × {height}:\n{picture.plain}"
            assert all(spot.y + spot.height <= height for spot in picture.spots)
            assert "{" not in picture.plain
            assert not [word for word in picture.plain.split() if word.rstrip(":") in ids]


@pytest.mark.parametrize("game", registry.GAMES)
def test_the_board_shows_only_the_view(game: str) -> None:
    match = new_match(game, 4, {})
    hands = [set(match.view(seat).hand) for seat in range(4)]
    plain = board(BoardState(match.view(0), "en"), 200, 58).plain
    shown = set(re.findall(r"\b[RYGBLS]\d+\b", plain))
    assert not shown & (hands[1] | hands[2] | hands[3]) - hands[0]


def test_the_same_desk_gives_the_same_board() -> None:
    for view in views(new_match("stichtag", 4, {"date": "09-14"}), every=30):
        assert board(BoardState(view, "en"), 80, 22) == board(BoardState(view, "en"), 80, 22)


def hand_row(board_state: BoardState, at: int) -> int:
    """Return the line on which a card of the hand begins."""
    picture = board(board_state, 80, 22)
    spot = picture.spot(f"item {at}")
    assert spot is not None
    rows = picture.lines[spot.y : spot.y + spot.height]
    drawn = [row.plain[spot.x : spot.x + spot.width].strip() for row in rows]
    return spot.y + next(number for number, text in enumerate(drawn) if text)


def test_a_picked_card_is_raised_and_the_cursor_is_seen() -> None:
    view = next(views(new_match("sticheln", 4, {})))
    board_state = BoardState(view, "en", cursor=Cursor("items", 2))
    assert hand_row(replace(board_state, pick=Pick((4,))), 4) == hand_row(board_state, 4) - 1
    assert board(board_state, 80, 22) != board(
        replace(board_state, cursor=Cursor("items", 3)), 80, 22
    )


def test_the_effect_of_a_move_is_shown_before_it_is_made() -> None:
    view = next(views(new_match("sticheln", 4, {})))
    card = view.hand[0]
    assert f"{card}: pain colour" in board(BoardState(view, "en"), 80, 22).plain
    assert f"{card}: Ärgerfarbe" in board(BoardState(view, "de"), 80, 22).plain


def test_the_board_says_why_a_card_cannot_be_played() -> None:
    match = new_match("stichtag", 4, {"starter": 1})
    while match.waiting_for != (0,):
        seat = match.waiting_for[0]
        match.play(seat, match.view(seat).moves[0])
    view = match.view(0)
    wrong = next(at for at, card in enumerate(view.hand) if card not in view.moves)
    board_state = BoardState(view, "en", cursor=Cursor("items", wrong))
    assert "so you must follow" in board(board_state, 80, 22).plain


def test_typed_text_is_judged_while_it_is_typed() -> None:
    view = next(views(new_match("null-nichtig", 4, {})))
    assert "more cards" in board(BoardState(view, "en", typed=view.hand[0]), 80, 22).plain
    assert "is not a card" in board(BoardState(view, "en", typed="xx"), 80, 22).plain


def test_a_taken_trick_stays_visible_as_it_was() -> None:
    """In every game each trick that goes can be found again, with all its plays in order."""
    for game in registry.GAMES:
        match = new_match(game, 4, {})
        bot = stichwerk.bot("random", 1)
        found = 0
        while match.waiting_for and match.view(None).round == 1:
            before = match.view(0)
            seat = match.waiting_for[0]
            match.play(seat, bot.choose(match.view(seat)))
            after = match.view(0)
            for trick in resting(before, after):
                found += 1
                lay = [old for old in before.tricks if old.place == trick.place]
                assert trick.plays[:-1] == lay[0].plays
                assert trick.plays[-1][0] == seat
                assert last_settled(after) == trick
                around = resting_view(before, after, (trick,))
                assert not around.moves
                assert around.round == 1
                assert not set(around.hand) & {card for who, card in trick.plays if who == 0}
        assert found > 4, game


def test_only_the_winning_card_of_a_seat_is_marked() -> None:
    """In Stichling someone may have several cards in a trick, and one of them has it."""
    match = new_match("stichling", 2, {}, seed=4)
    bot = stichwerk.bot("random", 4)
    while match.waiting_for:
        view = match.view(0)
        seats = [[seat for seat, _card in trick.plays] for trick in view.tricks]
        if any(len(set(who)) < len(who) for who in seats):
            plain = board(BoardState(view, "en"), 80, 22).plain
            marks = len(re.findall(r"▸[▲★✚●◆■][RYGBLS]", plain))
            assert marks == len(view.tricks), plain
            return
        seat = match.waiting_for[0]
        match.play(seat, bot.choose(match.view(seat)))
    raise AssertionError("nobody had two cards in a trick")


def test_a_game_without_local_rules_can_be_shown() -> None:
    """At a web table the host may have a custom game that this installation does not know."""
    view = next(views(new_match("sticheln", 4, {})))
    foreign = msgspec.structs.replace(view, game="tarock", table={}, phase="play")
    plain = board(BoardState(foreign, "en"), 80, 22).plain
    assert "tarock · Round 1" in plain
    assert "Your turn: choose" in plain


def test_lines_break_at_spaces() -> None:
    text = line("one two three, four").lines[0]
    assert [part.plain for part in folded(text, 9)] == ["one two", "three,", "four"]
    assert [part.plain for part in folded(line("x" * 7).lines[0], 3)] == ["xxx", "xxx", "x"]
    assert paragraph("one two three four", 8, 1).plain == "one two…"
    assert shortened("Bartholomäus", 8) == "Barthol…"
    assert stack([]).plain == ""


@pytest.mark.parametrize("height", range(LEAST_HEIGHT - BARS, 30))
def test_messages_in_the_middle_are_not_cut_silently(height: int) -> None:
    """On 24 February it is long: all of it is there, or dots where it ends."""
    view = new_match("stichtag", 4, {"date": "02-24"}).view(0)
    plain = board(BoardState(view, "de"), 80, height).plain
    said = [line.strip() for line in plain.split("─" * 80)[0].splitlines()[5:]]
    last = [line for line in said if line][-1]
    assert last.endswith((".", "…"))
    if last.endswith("…"):
        assert said.count("") <= 4, "besides the gaps there was room for more"
