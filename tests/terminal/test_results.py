"""Results in the terminal: teams, ties, hearts; and what a day puts on the table."""

import re

import msgspec
import pytest

import stichwerk
from stichwerk.terminal import day
from stichwerk.terminal.event_text import event_lines
from stichwerk.terminal.table import ranking_lines, seat_lines, sheet_lines
from stichwerk.view import View

NAMES = ("Ada", "Ben", "Cem", "Dana")


def ended(game: str, seed: int = 1, **options: object) -> View:
    """Play a match at random; return the view of seat 0 at its end."""
    match = stichwerk.game(game, seats=4, **options).new(seed=seed, names=NAMES)
    bot = stichwerk.bot("random", seed=seed)
    while match.waiting_for:
        seat = match.waiting_for[0]
        match.play(seat, bot.choose(match.view(seat)))
    return match.view(0)


def counts(view: View, fact: str) -> list[int]:
    """Return a fact of the table that is a number for each seat or team."""
    return msgspec.convert(view.table[fact], list[int])


def test_teams_are_ranked_with_their_sums() -> None:
    """The second team was third, and partners "shared" the win."""
    view = ended("null-nichtig", teams=2)
    first, second, verdict = ranking_lines(view, "en")
    sums = counts(view, "team_totals")
    assert first.startswith("1. ")
    assert first.endswith(f"= {max(sums)}")
    assert second.startswith("2. ")
    assert second.endswith(f"= {min(sums)}")
    partner = "You win together with Cem. Congratulations!"
    assert verdict == (partner if "you" in first else "Ben and Dana win together.")


def test_the_score_sheet_shows_who_plays_with_whom() -> None:
    view = ended("null-nichtig", teams=2)
    lines = sheet_lines(view, "en")
    for name in ("you (A)", "Ben (B)", "Cem (A)", "Dana (B)"):
        assert name in lines[0]
    sums = counts(view, "team_totals")
    assert lines[-1].split() == ["team", *(str(sums[seat % 2]) for seat in range(4))]
    assert "(B)" in seat_lines(view, "de")[1]


@pytest.mark.parametrize(
    ("lang", "words"),
    [
        ("en", "Level on points, round 2 decides: Ben, then you."),
        ("de", "Punktgleich, Runde 2 entscheidet: erst Ben, dann du."),
    ],
)
def test_a_tie_that_was_broken_is_explained(lang: str, words: str) -> None:
    view = msgspec.structs.replace(
        ended("stichling"),
        scores=((3, 1, 0, 0), (2, 4, 0, 0), (6, 6, 1, 0)),
        totals=(11, 11, 1, 0),
        ranking=((1,), (0,), (2,), (3,)),
    )
    assert words in list(ranking_lines(view, lang))
    clear = msgspec.structs.replace(view, totals=(10, 11, 1, 0))
    assert not [line for line in ranking_lines(clear, lang) if "2" in line and "entsch" in line]


def test_hearts_are_shown_with_the_points() -> None:
    view = ended("stichtag", date="01-30")
    hearts = counts(view, "hearts")
    lines = list(ranking_lines(view, "en"))
    for seat, name in enumerate(("you", *NAMES[1:])):
        shown = f"{name} {view.totals[seat]} {'♥' * hearts[seat]}".rstrip()
        assert any(shown in line for line in lines)


@pytest.mark.parametrize(
    ("date", "words"),
    [
        ("04-05", "* after a card: On-off switch (every 5), egg (every 8)."),
        ("04-04", "* after a card: egg (every 8)."),
    ],
)
def test_the_legend_explains_every_mark(date: str, words: str) -> None:
    """With red 5 it was blank, and the month's symbol unexplained."""
    view = stichwerk.game("stichtag", seats=4, date=date).new(seed=1).view(0)
    assert day.legend(view, "en") == [words]


def test_won_flowers_are_in_front_of_their_seat() -> None:
    match = stichwerk.game("stichtag", seats=4, date="06-02").new(seed=3, names=NAMES)
    bot = stichwerk.bot("random", seed=3)
    seen = False
    while match.waiting_for and not seen:
        seat = match.waiting_for[0]
        match.play(seat, bot.choose(match.view(seat)))
        view = match.view(0)
        flowers = counts(view, "flowers")
        for other in range(4):
            count = flowers[other]
            word = "" if not count else "1 flower" if count == 1 else f"{count} flowers"
            assert word in day.before_seat(view, other, "en")
        seen = max(flowers) > 1
    assert seen


@pytest.mark.parametrize(
    ("lang", "words"),
    [
        ("en", "{name} takes the trick with {card}: the (first of the )?highest numbers? · "),
        ("de", "{name} nimmt den Stich mit {card}: die (erste der )?höchsten? Zahl(en)? · "),
    ],
)
def test_lines_say_why_a_trick_was_taken_and_what_it_was_worth(lang: str, words: str) -> None:
    """Only who took it was said."""
    match = stichwerk.game("null-nichtig", seats=4).new(seed=2, names=NAMES)
    bot = stichwerk.bot("random", seed=2)
    while not any(event.settles for event in match.view(0).history):
        seat = match.waiting_for[0]
        match.play(seat, bot.choose(match.view(seat)))
    view = match.view(0)
    plays = {event.seat: event.cards[0] for event in view.history if event.in_trick and event.cards}
    taker = next(event.seat for event in view.history if event.settles)
    assert taker, "not the reader, who is addressed"
    expected = words.format(name=NAMES[taker], card=plays[taker])
    assert any(re.search(expected, line) for line in event_lines(view, 0, lang))
