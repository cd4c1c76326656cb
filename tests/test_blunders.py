"""Known blunders: `python -m tests.blunders master` measures any bot; here is what holds."""

import pytest

from stichwerk.cards import card_code
from tests.blunders import CASES, COMPLETIONS, completion, right_of

SOLVED = [  # by all completions; the harness also measures the others
    *(("net", case) for case in CASES),
    *(("master", case) for case in CASES),
]


@pytest.mark.parametrize("key", CASES)
def test_a_completion_is_the_position_and_hides_other_cards(key: str) -> None:
    case, seen = CASES[key], set()
    for number in range(3):
        view = completion(case, number)
        assert sorted(view.hand, key=card_code) == sorted(case.hand, key=card_code)
        assert [card for _, card in view.tricks[0].plays] == list(case.lying)
        assert set(case.right + case.wrong) <= set(view.moves)
        seen.add(repr(view.history))
    assert len(seen) == 3
    assert completion(case, 2) == view, "fixed seeds"


@pytest.mark.parametrize(("bot", "key"), SOLVED)
def test_a_known_blunder_is_gone(bot: str, key: str) -> None:
    made = right_of(bot, CASES[key])
    assert sum(made.values()) == COMPLETIONS
    assert [move for move in made if not CASES[key].solved_by(move)] == []
