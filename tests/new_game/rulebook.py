"""Hot Number by its rules."""

import pytest

from tests.rulebook.table import Table, random_match, rounds_of, table

FOUR = "Mia Jakob Greta Linus"
HOT = {"Mia": "Y2", "Jakob": "R9", "Greta": "B1", "Linus": "B9"}


def trick(*cards: str) -> Table:
    """Play one trick, led by the first of four players."""
    plays = ", ".join(f"{name} {card}" for name, card in zip(FOUR.split(), cards, strict=True))
    return table("hot-number", FOUR, choices=HOT, plays=plays, without={"Greta": "G", "Linus": "G"})


@pytest.mark.parametrize(("seats", "hand", "stock"), [(3, 12, 4), (4, 10, 0), (5, 8, 0)])
def test_deck_by_seats(seats: int, hand: int, stock: int) -> None:
    for one in rounds_of(random_match("hot-number", seats, seed=seats)):
        assert [len(cards) for cards in one.hands] == [hand] * seats
        assert one.stock == stock
        assert len(one.tricks) == hand - 1


def test_the_cards_are_turned_up_together() -> None:
    made = table("hot-number", FOUR, choices=HOT)
    assert made.view.table["hot"] == list(HOT.values())
    assert made.view.hand_sizes == (9, 9, 9, 9)


def test_follow_if_you_can() -> None:
    made = table("hot-number", FOUR, choices=HOT, hands={"Jakob": "G1 R2"}, plays="Mia G5")
    assert made.objection("Jakob", "R2") == "must-follow"


def test_the_highest_card_of_the_led_colour_wins() -> None:
    assert trick("G5", "G8", "Y10", "R10").last_trick == ("Jakob", "G5 G8 Y10 R10")


@pytest.mark.parametrize("burn", [3, 5])
def test_tricks_cost_one_and_hot_cards_more(burn: int) -> None:
    for one in rounds_of(random_match("hot-number", 4, seed=5, burn=burn)):
        for seat, score in enumerate(one.scores):
            taken = [trick for trick in one.tricks if trick.taker == seat]
            cards = [card for trick in taken for _, card in trick.plays]
            hot = sum(card[1:] == one.choices[seat][1:] for card in cards)
            assert score == -len(taken) - burn * hot
