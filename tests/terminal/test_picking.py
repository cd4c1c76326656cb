"""Putting moves together from their parts."""

import pytest

import stichwerk
from stichwerk.terminal.full.picking import MovePicker, Pick, split_moves
from stichwerk.view import View


def view_of(game: str, seed: int = 7, seats: int = 4, **options: object) -> View:
    """Return the first view in which seat 0 owes a move."""
    match = stichwerk.game(game, seats=seats, **options).new(seed=seed)
    while 0 not in match.waiting_for:
        seat = match.waiting_for[0]
        match.play(seat, match.view(seat).moves[0])
    return match.view(0)


@pytest.mark.parametrize("move", ["G8", "G8>2", "G8>new", "4,6,2", "R3,R9,B0", "G3+G4", "veto 2"])
def test_a_move_is_its_parts(move: str) -> None:
    one = split_moves(move)
    joined = one.sign.join(one.parts)
    assert (f"{joined}>{one.target}" if one.target else joined) == move


@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("sticheln", {}),
        ("stichling", {}),
        ("null-nichtig", {}),
        ("null-nichtig", {"seats": 6}),
        ("stichtag", {"sheets": ["red 2"]}),
        ("stichtag", {"sheets": ["red 4"]}),
    ],
)
def test_every_listed_move_can_be_picked_and_nothing_else(
    game: str, options: dict[str, object]
) -> None:
    view = view_of(game, **options)  # type: ignore[arg-type]
    asked = MovePicker(view)
    for move in view.moves:
        pick = asked.pick_of(move)
        assert pick is not None
        assert asked.complete(pick)
        assert asked.text(pick) == move
        reached = Pick()
        for item in pick.items:
            assert asked.may_add(reached, item)
            reached = Pick((*reached.items, item))
    assert not asked.complete(Pick())


def test_a_part_counts_as_often_as_it_is_there() -> None:
    assert split_moves("R0,R0,B1").contains(["R0", "R0"])
    assert not split_moves("R0,R3,B1").contains(["R0", "R0"])
    assert split_moves("R0,B1").consists_of(["B1", "R0"])
    assert not split_moves("R0,B1").consists_of(["R0"])


def test_cards_of_the_hand_or_other_choices() -> None:
    assert MovePicker(view_of("sticheln")).from_hand
    order = MovePicker(view_of("stichling"))
    assert not order.from_hand
    assert order.items == ("1", "2", "3")
    announcing = MovePicker(view_of("stichtag", sheets=["red 4"]))
    assert announcing.items == tuple(map(str, range(13)))


def test_another_card_replaces_the_one_that_was_picked() -> None:
    asked = MovePicker(view_of("sticheln"))
    assert asked.toggled(Pick((0,)), 3) == Pick((3,))
    assert asked.toggled(Pick((3,)), 3) == Pick()


def test_no_more_cards_than_are_asked_for() -> None:
    asked = MovePicker(view_of("null-nichtig"))
    assert asked.most == 3
    assert asked.toggled(Pick((0, 1, 2)), 3) is None
    assert asked.toggled(Pick((0, 1, 2)), 1) == Pick((0, 2))


def test_a_pair_is_of_one_colour() -> None:
    view = view_of("stichtag", sheets=["red 2"])
    asked = MovePicker(view)
    first = next(at for at, card in enumerate(view.hand) if card[0] == view.hand[at + 1][0])
    other = next(at for at, card in enumerate(view.hand) if card[0] != view.hand[first][0])
    assert asked.toggled(Pick((first,)), first + 1) == Pick((first, first + 1))
    assert asked.can_grow(Pick((first,)))
    assert asked.toggled(Pick((first,)), other) == Pick((other,))


def test_twins_are_two_cards() -> None:
    """Null & nichtig has two zeros of a colour: each has its place in the hand."""
    for seed in range(200):
        view = view_of("null-nichtig", seed=seed)
        twins = [at for at, card in enumerate(view.hand[:-1]) if view.hand[at + 1] == card]
        if twins:
            asked = MovePicker(view)
            both = asked.toggled(Pick((twins[0],)), twins[0] + 1)
            assert both == Pick((twins[0], twins[0] + 1))
            return
    raise AssertionError("no deal with twins")


def test_a_move_with_twins_picks_both() -> None:
    for seed in range(200):
        view = view_of("null-nichtig", seed=seed)
        move = next((one for one in view.moves if len(set(one.split(","))) < 3), None)
        if move is not None:
            asked = MovePicker(view)
            pick = asked.pick_of(move)
            assert pick is not None
            assert len(set(pick.items)) == 3
            assert asked.text(pick) == move
            return
    raise AssertionError("no deal with twins")


def test_a_single_place_needs_no_choice() -> None:
    match = stichwerk.game("stichling", starter=0).new(seed=7)
    for seat in range(4):
        match.play(seat, match.view(seat).moves[0])
    asked = MovePicker(match.view(0))
    assert asked.has_targets
    assert asked.toggled(Pick(), 0) == Pick((0,), "new")
