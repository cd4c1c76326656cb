"""The last trick in words: who took it, why, and what it was worth, until the next one is taken."""

import pytest

import stichwerk
from stichwerk import outlook

GAMES = [
    ("sticheln", {}),
    ("sticheln", {"all_zero": "leader"}),
    ("stichling", {}),
    ("null-nichtig", {}),
    *[("stichtag", {"date": f"{month:02}-{day:02}"}) for month, day in enumerate(range(1, 13), 1)],
    ("stichtag", {"date": "07-37"}),
]


@pytest.mark.parametrize(("game", "options"), GAMES)
@pytest.mark.parametrize("seat", [None, 1])
def test_it_is_the_trick_that_was_taken(
    game: str, options: dict[str, object], seat: int | None
) -> None:
    match = stichwerk.game(game, seats=4, **options).new(seed=11)
    bot = stichwerk.bot("random", seed=11)
    assert outlook.standing(match.view(seat), "en").last is None
    tricks = 0
    while match.waiting_for and tricks < 20:
        turn = match.waiting_for[0]
        events = match.play(turn, bot.choose(match.view(turn)))
        ends = [event for event in events if event.kind in ("trick", "stays")]
        if not ends:
            continue
        tricks += 1
        last = outlook.standing(match.view(seat), "en").last
        assert last is not None
        assert last.winner == ends[-1].seat
        assert last.place == (ends[-1].place or 0)
        if last.card is not None:
            assert set(last.card.split("+")) <= set(ends[-1].cards)
            assert last.card in last.text


@pytest.mark.parametrize(
    ("lang", "words"),
    [
        ("en", "Ben takes the trick with R6: the highest of the other colours · 0 for Ben"),
        ("de", "Ben nimmt den Stich mit R6: die höchste der anderen Farben · 0 für Ben"),
    ],
)
def test_reason_and_worth_stay_after_the_last_card(lang: str, words: str) -> None:
    """Sticheln: red beats yellow, which was led. Two cards bring Ben 2, and the green 2 costs 2."""
    hands = [
        ["Y8", "L1", "L2", "L3", "L4", "L5", "L6", "L7", "L8", "Y0", "Y1", "Y2", "Y3", "Y4", "L0"],
        ["R6", "G1", "R1", "R2", "R3", "R4", "R5", "R7", "R8", "R0", "B0", "B1", "B2", "B3", "G0"],
        ["G2", "G3", "G4", "G5", "G6", "G7", "G8", "B4", "B5", "B6", "B7", "B8", "Y5", "Y6", "Y7"],
    ]
    game = stichwerk.game("sticheln", seats=3)
    deal = {"starter": 0, "hands": hands, "stock": []}
    match = game.new(deals=[deal], names=("Ada", "Ben", "Cem"))
    for seat, pain in enumerate(("L0", "G0", "Y5")):
        match.play(seat, pain)
    for seat, card in enumerate(("Y8", "R6", "G2")):
        match.play(seat, card)
    last = outlook.standing(match.view(0), lang).last
    assert last is not None
    assert last.text == words
    match.play(1, "G1")  # the next trick is under way
    again = outlook.standing(match.view(0), lang).last
    assert again is not None
    assert again.text == words


def test_a_trick_of_zeros_says_why_nobody_gets_it() -> None:
    hands = [
        ["Y0", *[f"L{n}" for n in range(1, 9)], *[f"Y{n}" for n in range(1, 7)]],
        ["R0", *[f"R{n}" for n in range(1, 9)], *[f"B{n}" for n in range(1, 7)]],
        ["G0", *[f"G{n}" for n in range(1, 9)], "B0", "B7", "B8", "L0", "Y7", "Y8"],
    ]
    match = stichwerk.game("sticheln", seats=3).new(
        deals=[{"starter": 0, "hands": hands, "stock": []}]
    )
    for seat, pain in enumerate(("L1", "R1", "G1")):
        match.play(seat, pain)
    for seat, card in enumerate(("Y0", "R0", "G0")):
        match.play(seat, card)
    last = outlook.standing(match.view(2), "en").last
    assert last is not None
    assert last.winner is None
    assert last.text == "Nobody gets the trick: only zeros"
