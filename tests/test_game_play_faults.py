"""What a designer gets wrong in decks, tricks, rounds and learning: a sentence that says what."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import stichwerk
from stichwerk import cli
from stichwerk.cards import Deck, card_code, card_text
from stichwerk.engine.constants import ALL_COLOURS, KIND, PICK
from stichwerk.engine.events import Move
from stichwerk.engine.plain import Game, Generator, State
from stichwerk.errors import BadGameError, Reason
from stichwerk.match import Match
from stichwerk.testing import ConformanceError, check_game
from stichwerk.view import sample
from tests.game_fault_setup import four_games as four_games
from tests.game_fault_setup import play, play_some, run, words
from tests.own_games import HEARTS, NOT_LEARNT, ODD_EVEN
from tests.own_games.small import DEAL, small

# -- Decks, hands and stocks -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seats", "dealt", "deck", "id", "facts"),
    [
        (6, 15, Deck("RYGBLS", 0, 15, True), "own-game-deck", {"cards": 102, "most": 96}),
        (3, 13, Deck("RYGB", 0, 13, True), "own-game-twins", {"highest": 13, "most": 11}),
        (4, 20, Deck("RYGB", 1, 11), "own-game-hands", {"hand": 20, "cards": 44}),
        (3, 0, Deck("RYGB", 1, 3), "own-game-hands", {"hand": 0, "cards": 12}),
        (7, 3, Deck("RYGB", 1, 11), "own-game-seats", {"seats": 7, "most": 6}),
    ],
)
def test_games_too_large_for_the_engine_are_refused(
    seats: int, dealt: int, deck: Deck, id: str, facts: dict[str, int]
) -> None:
    with pytest.raises(BadGameError) as caught:
        small(seats, dealt=dealt, cards_used=deck)
    assert caught.value.id == id
    assert facts.items() <= caught.value.data.items()
    for sentence in words(caught.value).values():
        assert all(str(number) in sentence for number in facts.values())


@pytest.mark.parametrize(
    ("seats", "dealt", "deck"),
    [
        (6, 16, Deck("RYGBLS", 0, 15)),
        (2, 32, Deck("RYGBLS", 0, 15)),
        (3, 13, Deck("RYGB", 0, 11, True)),
    ],
    ids=["all cards", "largest stock", "twins"],
)
def test_the_largest_tables_are_played(seats: int, dealt: int, deck: Deck) -> None:
    match = small(seats, dealt=dealt, cards_used=deck).new(seed=1)
    play(match, "random")
    assert match.over
    sample(small(seats, dealt=dealt, cards_used=deck).new(seed=1).view(0), Generator(1))


# -- Tricks that nobody wins -----------------------------------------------------------------------


def test_a_trick_that_nobody_can_win_is_named() -> None:
    match = small(strength=lambda self, state, play: 0).new(seed=1)
    with pytest.raises(BadGameError) as caught:
        play(match, "random")
    assert caught.value.id == "own-game-no-winner"
    cards = str(caught.value.data["cards"]).split(", ")
    assert len(cards) == 3
    assert {card_text(card_code(card)) for card in cards} <= set(match.rules.deck.texts)
    for sentence in words(caught.value).values():
        assert "strength" in sentence
        assert "next_leader" in sentence


def leave(self: Game, state: State, play: int, winner: int) -> None:
    """Such a trick counts for nobody."""
    for at in range(self.seats):
        state.dismiss(state.trick_card[at])


def test_a_game_may_have_a_rule_for_such_tricks() -> None:
    weak: dict[str, Any] = {"strength": lambda self, state, play: 0, "take_trick": leave}
    with pytest.raises(BadGameError):  # who leads next is still open
        play(small(**weak).new(seed=1), "random")
    setting = small(**weak, next_leader=lambda self, state, winner: state.leader)
    match = setting.new(seed=1)
    play(match, "random")
    assert set(match.totals) == {0}
    check_game(setting, matches=1)


# -- Rounds that get stuck -------------------------------------------------------------------------


NO_LEAD = ODD_EVEN.replace(
    "        return ALL_COLOURS\n",
    "        return ALL_COLOURS if state.trick_size[0] else 1 << 1\n",
)
"""Only yellow may be led, also by those who have none."""


@pytest.mark.parametrize("bot", ["random", "greedy", "flat@10", "tree@10"])
def test_a_seat_without_a_move_is_named(bot: str) -> None:
    run(NO_LEAD)
    with pytest.raises(BadGameError) as caught:
        play_some(stichwerk.game("odd-even", seats=3), bot)
    facts = caught.value.data
    assert (caught.value.id, facts["method"]) == ("own-game-no-move", "may_play")
    assert "Y" not in str(facts["hand"])
    assert f"seat {facts['seat']}" in words(caught.value)["en"].lower()
    assert str(caught.value) == f"own-game-no-move: {words(caught.value)['en']}"


def choices(self: Game, state: State, seat: int, moves: Any) -> None:
    moves.add(PICK * KIND + 1)
    moves.add(PICK * KIND + 2)


def judge_choice(self: Game, state: State, seat: int, text: str) -> Move | Reason:
    known = {move.text: move for move in self.moves(state, seat)}
    return known.get(text, Reason("not-a-move", text=text))


UNSETTLED: dict[str, Any] = {
    "begin": lambda self, state: self.ask_everyone(state),
    "legal_choices": choices,
    "judge_choice": judge_choice,
}
"""Everyone has a choice, and `choose` is missing: nothing ever comes of it."""


@pytest.mark.parametrize("bot", ["random", "greedy", "flat@10"])
def test_a_round_that_does_not_end_is_named(bot: str) -> None:
    with pytest.raises(BadGameError) as caught:
        play(small(**UNSETTLED).new(seed=1), bot)
    assert (caught.value.id, caught.value.data["phase"]) == ("own-game-endless", "choose")
    for sentence in words(caught.value).values():
        assert "settle" in sentence


def test_the_conformance_suite_says_where_a_game_breaks_down() -> None:
    run(NO_LEAD)
    place = r"seed 0, round 1, ply \d+, seat \d: owes a move and has none"
    with pytest.raises(ConformanceError, match=place):
        check_game(stichwerk.game("odd-even", seats=3), matches=1)
    weak = small(strength=lambda self, state, play: 0)
    place = r"seed 0, round 1, ply \d: own-game-no-winner: small: Nobody can win the trick"
    with pytest.raises(ConformanceError, match=place):
        check_game(weak, matches=1)


# -- Why a colour cannot be played -----------------------------------------------------------------


def hands_of(match: Match, colour: str) -> str:
    """Return a card of this colour in the hand of whose turn it is."""
    return next(card for card in match.view(match.waiting_for[0]).hand if card[0] == colour)


def test_a_restricted_lead_is_explained_as_one() -> None:
    run(HEARTS)
    match = stichwerk.game("hearts", seats=4).new(seed=1)
    for seat in range(4):
        match.play(seat, match.moves(seat)[0])
    seat = match.waiting_for[0]
    card = hands_of(match, "R")
    reason = match.objection(seat, card)
    assert reason == Reason("cannot-lead", card=card, playable="YGB")
    assert words(reason) == {
        "de": f"{card} darfst du jetzt nicht ausspielen. Erlaubt ist: Gelb, Grün, Blau.",
        "en": f"You cannot lead {card} now. You may lead: yellow, green, blue.",
    }


@pytest.mark.parametrize(
    ("seat", "may", "card", "reason"),
    [
        (1, lambda state, seat: 1 << 2, "Y2", Reason("must-play", card="Y2", playable="G")),
        (2, lambda state, seat: 1 << 0, "B3", Reason("must-follow", card="B3", colour="R")),
        (2, lambda state, seat: 0b0001, "B3", Reason("must-follow", card="B3", colour="R")),
        (2, lambda state, seat: 0b1000, "R3", Reason("must-play", card="R3", playable="B")),
    ],
)
def test_the_duty_to_follow_is_named_only_where_it_is_the_reason(
    seat: int, may: Callable[[State, int], int], card: str, reason: Reason
) -> None:
    """Red is led; another rule than following says which colours may be played."""

    def may_play(self: Game, state: State, other: int) -> int:
        return may(state, other) if other == seat else ALL_COLOURS

    match = small(may_play=may_play).new(deals=[DEAL])
    match.play(0, "R1")
    if seat == 2:
        match.play(1, "Y2")
    assert match.objection(seat, card) == reason
    words(reason)


# -- A seat that learns something else -------------------------------------------------------------


@pytest.mark.parametrize("bot", ["greedy", "flat@10"])
def test_a_broken_learn_is_named(bot: str) -> None:
    """The bot would still pass cards, and type `B14,B14,B14`."""
    run(NOT_LEARNT)
    with pytest.raises(BadGameError) as caught:
        play(stichwerk.game("hearts", seats=4).new(seed=1), bot)
    facts = caught.value.data
    assert (caught.value.id, facts["what"]) == ("own-game-learn", "phase")
    assert (facts["learnt"], facts["seen"]) == ("pass", "play")
    for sentence in words(caught.value).values():
        assert "learn" in sentence


def test_a_learn_that_fails_is_named() -> None:
    """It reads the three cards of a choice as one: not a mistake of the player."""
    learn = "        if isinstance(event, CardsPassed):\n"
    assert learn in HEARTS
    run(HEARTS.replace(learn, f'        if event.kind == "choice": card_code(event.move)\n{learn}'))
    with pytest.raises(BadGameError) as caught:
        play(stichwerk.game("hearts", seats=4).new(seed=1), "greedy")
    assert (caught.value.id, caught.value.data["method"]) == ("own-game-learn-fails", "learn")
    said = words(caught.value)
    assert said["en"].startswith("hearts: Seat ")
    assert "is not a card" in said["en"]
    assert "ist keine Karte" in said["de"]


@pytest.mark.parametrize(
    ("broken", "what"),
    [
        ("state.hand_size[event.seat] = self.hand_size", "hand_sizes"),
        ("state.give(event.seat, card_code(card))", "hand"),
    ],
)
def test_wrongly_learnt_facts_are_named(broken: str, what: str) -> None:
    run(HEARTS.replace(broken, "pass"))
    with pytest.raises(BadGameError) as caught:
        play(stichwerk.game("hearts", seats=4).new(seed=1), "greedy")
    assert (caught.value.id, caught.value.data["what"]) == ("own-game-learn", what)


# -- Commands --------------------------------------------------------------------------------------


def test_rules_of_a_file_are_what_its_docstring_says(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "odd_rules.py"
    file.write_text(ODD_EVEN, "utf-8")
    assert cli.main(["rules", str(file), "--lang", "en"]) == 0
    said = capsys.readouterr().out
    assert said.startswith("# odd-even\n\nOdd & Even: a small custom game")
    assert "Follow if you can." in said


def test_a_file_without_rules_in_words_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "odd_without.py"
    without = ODD_EVEN.replace('    """Odd & Even with its seats and options fixed."""\n', "")
    file.write_text(without[without.index('"""\n\nfrom') + 4 :], "utf-8")
    assert cli.main(["rules", str(file), "--lang", "en"]) == cli.BAD_INPUT
    assert "odd-even" in capsys.readouterr().err


def test_positions_refuses_a_file_with_a_suggestion(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "odd_positions.py"
    file.write_text(ODD_EVEN, "utf-8")
    assert cli.main(["positions", str(file), "--lang", "en"]) == cli.BAD_INPUT
    said = capsys.readouterr().err
    assert "not for odd-even" in said
    assert "stichwerk arena" in said
