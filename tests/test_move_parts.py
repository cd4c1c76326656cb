"""What legal moves name, part by part: clients need not take texts apart."""

import random
from collections.abc import Iterator

import pytest

import stichwerk
from stichwerk.cards import is_card
from stichwerk.engine.events import CardPlayed, MoveParts
from stichwerk.games.stichtag.sheets.december import GiftGiven
from stichwerk.narration import move_label, reader_of
from stichwerk.view import View

SETTINGS: list[tuple[str, dict[str, list[str]]]] = [
    ("sticheln", {}),
    ("stichling", {}),
    ("null-nichtig", {}),
    *(("stichtag", {"sheets": [sheet]}) for sheet in ("red 0", "red 2", "red 4", "red 7")),
    *(("stichtag", {"sheets": [sheet]}) for sheet in ("February", "August", "December")),
]


def written(parts: MoveParts, phase: str) -> str:
    """Return a move as it is typed, from its parts alone."""
    if parts.colour is not None:
        return parts.colour
    if parts.numbers:
        return ",".join(map(str, parts.numbers))
    if phase == "veto":
        return "pass" if parts.seat is None else f"veto {parts.seat}"
    cards = ("+" if phase == "play" else ",").join(parts.cards)
    if parts.place is not None:
        return f"{cards}>{'new' if parts.opens else parts.place + 1}"
    return cards if parts.seat is None else f"{cards}>{parts.seat}"


def views_of(game: str, options: dict[str, list[str]]) -> Iterator[View]:
    """Yield what the seats on turn see in the first moves of a match."""
    match = stichwerk.game(game, seats=4, **options).new(seed=3)
    chance = random.Random(3)
    for _ in range(150):
        if match.over:
            return
        seat = match.views([None])[None].waiting_for[0]
        view = match.view(seat)
        yield view
        match.play(seat, chance.choice(view.moves))


@pytest.mark.parametrize(("game", "options"), SETTINGS)
def test_parts_say_all_that_the_text_says(game: str, options: dict[str, list[str]]) -> None:
    for view in views_of(game, options):
        assert len(view.move_parts) == len(view.moves)
        if view.phase == "take":  # two words, and nothing is named
            assert set(view.move_parts) == {MoveParts()}
            continue
        assert tuple(written(one, view.phase) for one in view.move_parts) == view.moves
        assert all(is_card(card) for one in view.move_parts for card in one.cards)


@pytest.mark.parametrize(("game", "options"), SETTINGS)
def test_tricks_name_the_cards_of_each_play(game: str, options: dict[str, list[str]]) -> None:
    tricks = [trick for view in views_of(game, options) for trick in view.tricks]
    assert tricks
    for trick in tricks:
        assert tuple("+".join(cards) for cards in trick.cards) == tuple(
            play for _, play in trick.plays
        )


def test_moves_are_labelled_for_lists() -> None:
    view = stichwerk.game("stichling", seats=3).new(seed=1, names=["Ada", "Ben", "Cem"]).view(None)
    reader = reader_of(view, "de")
    opening = CardPlayed(0, "G8>new", ("G8",), place=1, opens=True)
    assert move_label("G8>new", [opening], reader) == "G8 → neu"
    assert move_label("G8>2", [CardPlayed(0, "G8>2", ("G8",), place=1)], reader) == "G8 → 2"
    assert move_label("G0>2", [GiftGiven(0, "G0>2", ("G0",), target=2)], reader) == "G0 → Cem"
    assert move_label("G3+G4", [CardPlayed(0, "G3+G4", ("G3", "G4"))], reader) == "G3 + G4"
    assert move_label("R3,R9", [], reader) == "R3, R9"
