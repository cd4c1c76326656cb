"""Advice: every reason is true, whatever the hidden cards are; values and their uncertainty."""

from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, NamedTuple

import pytest

import stichwerk
from stichwerk.bots.advice import AdviceReason
from stichwerk.bots.position import Position
from stichwerk.bots.reasons import reason_for, sentence
from stichwerk.cards import COLOURS, card_code
from stichwerk.engine.codes import (
    card_in,
    card_of,
    choice_of,
    choice_slot,
    colour_of,
    colour_slot,
    half_slot,
    place_of,
    value_of,
    values_in,
)
from stichwerk.engine.events import Move
from stichwerk.engine.generator import Generator
from stichwerk.engine.state import State
from stichwerk.locale import LANGUAGES, sentences
from stichwerk.match import Match, Setting
from stichwerk.view import View
from tests.strategies import setting_id

ENDS = 4  # random continuations of a trick

FEW_MOVES = 6  # of a position

SEEDS, ROUNDS = 4, 2

NAMES = ("Mia", "Jakob", "Greta", "Linus", "Ada", "Emil")

SETTINGS = [
    stichwerk.game("sticheln", seats=4),
    stichwerk.game("sticheln", seats=3, all_zero="leader"),
    stichwerk.game("null-nichtig", seats=4),
    stichwerk.game("null-nichtig", seats=4, teams=2),
    stichwerk.game("null-nichtig", seats=6),
    stichwerk.game("stichling", seats=4),
    stichwerk.game("stichling", seats=2, discard="hand"),
    stichwerk.game("stichtag", seats=4),
    stichwerk.game("stichtag", seats=5),
    *(
        stichwerk.game("stichtag", seats=4, sheets=sheets)
        for sheets in (
            *(["red 0"], ["red 1"], ["red 2"], ["red 5"], ["red 7"], ["red 8"], ["red 9"]),
            *(["green 2", "red 4"], ["red 7", "July"], ["red 2", "October"]),
            *(["January"], ["February"], ["March"], ["August"], ["September"], ["December"]),
        )
    ),
]

every_setting = pytest.mark.parametrize("setting", SETTINGS, ids=setting_id)


class Case(NamedTuple):
    """A move, its reason, and the truth around it."""

    setting: Setting
    view: View
    seat: int
    move: Move
    grounds: AdviceReason
    before: State
    after: State
    ends: list[State]
    """Whole states after the trick, played on at random in several ways."""

    @property
    def card(self) -> int:
        return card_of(self.move.steps[0])

    @property
    def facts(self) -> dict[str, Any]:
        return self.grounds.data

    @property
    def hand(self) -> list[int]:
        return [card_code(card) for card in self.view.hand]

    def named(self, seat: int) -> bool:
        return bool(self.facts["name"] == self.view.names[seat])


# -- Positions -------------------------------------------------------------------------------------


@cache
def cases(setting_name: str) -> list[Case]:
    """Return some moves of every position of random rounds."""
    setting = next(one for one in SETTINGS if setting_id(one) == setting_name)
    return [case for seed in range(SEEDS) for case in cases_of(setting, seed)]


def cases_of(setting: Setting, seed: int) -> Iterator[Case]:
    match, generator = setting.new(seed=seed, names=NAMES[: setting.seats]), Generator(seed)
    while match.waiting_for and len(match.scores) < ROUNDS:
        seat = match.waiting_for[generator.number(len(match.waiting_for))]
        listed = match.moves(seat)
        if len(listed) > 1:
            for _ in range(min(FEW_MOVES, len(listed))):
                yield case(match, seat, listed[generator.number(len(listed))], generator)
        match.play(seat, listed[generator.number(len(listed))])


def case(match: Match, seat: int, move: Move, generator: Generator) -> Case:
    view, truth = match.view(seat), match._state
    after = truth.copy()
    for step in move.steps:
        match.rules.play(after, seat, step)
    ends = [trick_end(match, truth.tricks_done, after.copy(), generator) for _ in range(ENDS)]
    grounds = reason_for(Position(view), move)
    return Case(match.setting, view, seat, move, grounds, truth.copy(), after, ends)


def trick_end(match: Match, done: int, state: State, generator: Generator) -> State:
    """Play on at random until a trick is complete."""
    while state.owes and state.tricks_done == done:
        seat = (state.owes & -state.owes).bit_length() - 1
        actions = match.rules.actions(state, seat)
        match.rules.play(state, seat, actions[generator.number(len(actions))])
    return state


# -- What makes each reason true -------------------------------------------------------------------


def cards_won(state: State, seat: int) -> Counter[int]:
    bits = [card_in(word, at) for word in (0, 1) for at in range(64)]
    won = [bit for bit in bits if state.won[2 * seat + bit // 64] >> bit % 64 & 1]
    return Counter(won)


def points_won(case: Case, seat: int, end: State) -> int:
    """Return what the trick brought this seat in Sticheln."""
    pain = colour_of(choice_of(case.before, seat))
    gained = cards_won(end, seat) - cards_won(case.before, seat)
    return sum(-value_of(card) if colour_of(card) == pain else 1 for card in gained)


def piles(state: State, seat: int) -> int:
    return sum(state.tops[6 * seat : 6 * seat + 6])


def takes(case: Case) -> bool:
    return all(end.last_winner == case.seat for end in case.ends)


def takes_not(case: Case) -> bool:
    return all(end.last_winner != case.seat for end in case.ends)


def has_it_now(case: Case) -> bool:
    return case.setting.rules.winning_seat(case.after, 0) == case.seat


def lies_on(case: Case) -> list[int]:
    return case.before.trick_card[: case.before.trick_size[0]]


def under(case: Case) -> bool:
    """Check that the named card holds the trick and ours does not take it."""
    winner = case.setting.rules.winning_seat(case.before, 0)
    plays = {seat: card for trick in case.view.tricks for seat, card in trick.plays}
    return winner is not None and plays[winner] == case.facts["card"] and takes_not(case)


def own_pain(case: Case) -> bool:
    return colour_of(case.card) == colour_of(choice_of(case.before, case.seat))


def hurts(case: Case, sure: bool) -> bool:
    """Check that the card goes to a seat it costs its value: in every ending, or as it stands."""
    victim = case.view.names.index(case.facts["name"])
    if case.facts["points"] != value_of(case.card) or not case.facts["points"]:
        return False
    if colour_of(case.card) != colour_of(choice_of(case.before, victim)):
        return False
    if sure:
        return all(end.last_winner == victim for end in case.ends)
    return case.setting.rules.winning_seat(case.after, 0) == victim


def unseen_of_colour(case: Case) -> int:
    """Return the led colour in other hands and the stock."""
    state, rules = case.before, case.setting.rules
    found = 0
    for other in range(rules.seats):
        held = [card_code(card) for card in rules.hand(state, other)]
        low, high = state.aside[half_slot(other, 0) : half_slot(other, 2)]
        if other != case.seat:
            found += sum(colour_of(card) == colour_of(case.card) for card in held)
            found += values_in(low, high, colour_of(case.card)).bit_count()
    stock = state.stock[state.stock_top : state.stock_top + state.stock_size]
    return found + sum(colour_of(card) == colour_of(case.card) for card in stock)


def higher_elsewhere(case: Case) -> int:
    rules, state = case.setting.rules, case.before
    others = [other for other in range(rules.seats) if other != case.seat]
    held = [card_code(card) for other in others for card in rules.hand(state, other)]
    return sum(colour_of(card) == colour_of(case.card) and card > case.card for card in held)


def place_played_to(case: Case) -> int:
    return place_of(case.move.steps[0])


def owner(case: Case, state: State) -> int | None:
    return case.setting.rules.winning_seat(state, place_played_to(case))


def scoring(case: Case, tricks: int) -> int:
    order = case.before.choice[choice_slot(case.seat, 0) : choice_slot(case.seat, 3)]
    return order[(tricks - 1) % 3] if tricks else 0


def one_more(case: Case) -> tuple[int, int, int]:
    """Tricks gained, what counted before, what counts after."""
    before, after = case.before.tricks_won[case.seat], case.after.tricks_won[case.seat]
    return after - before, scoring(case, before), scoring(case, after)


def of_colour(case: Case, colour: int) -> list[int]:
    return [value_of(card) for card in case.hand if colour_of(card) == colour]


def tops_of(move: Move) -> int:
    """Return the tops after these cards are laid out: the last of each colour."""
    return sum({colour_of(card_of(step)): value_of(step) for step in move.steps}.values())


def lays(case: Case) -> int:
    rules, state = case.setting.rules, case.after.copy()
    if state.phase == 2:  # the others have not chosen yet
        return tops_of(case.move)
    assert rules.phases[state.phase] == "play"
    return piles(state, case.seat)


def most_laid(case: Case) -> int:
    best = 0
    for move in case.setting.rules.moves(case.before, case.seat):
        best = max(best, tops_of(move))
    return best


def mean(values: list[int]) -> float:
    return sum(values) / len(values)


def longest(case: Case) -> bool:
    counts = Counter(colour_of(card) for card in case.hand)
    return bool(case.facts["count"] == counts[colour_of(case.card)] == max(counts.values()))


def low(case: Case) -> bool:
    return mean(of_colour(case, colour_of(case.card))) < mean(
        [value_of(card) for card in case.hand]
    )


def trump(case: Case) -> str | None:
    shown = case.view.table["trump"]
    return None if shown is None else str(shown)


def led_letter(case: Case) -> str:
    return str(case.view.tricks[0].led if case.view.tricks else case.view.table["named"])


def is_trump(case: Case) -> bool:
    return COLOURS[colour_of(case.card)] == trump(case)


def void(case: Case) -> bool:
    """Return whether the hand has no card of the led colour, and the facts name that colour."""
    led = led_letter(case)
    return case.facts["led"] == led and all(COLOURS[colour_of(card)] != led for card in case.hand)


def has_trump(case: Case) -> bool:
    return any(COLOURS[colour_of(card)] == trump(case) for card in case.hand)


def kept_zero(case: Case) -> bool:
    zero, top = card_code(case.facts["card"]), card_code(case.facts["top"])
    rival = case.view.names.index(case.facts["name"])
    fits = (
        value_of(zero) == 0
        and colour_of(zero) == colour_of(top)
        and value_of(top) >= 10
        and rival != case.seat
    )
    return (
        fits
        and zero in case.hand
        and case.before.tops[colour_slot(rival, colour_of(top))] == value_of(top)
    )


def covers(case: Case) -> bool:
    rival = case.view.names.index(case.facts["name"])
    top, pile = card_code(case.facts["top"]), colour_slot(rival, colour_of(case.card))
    was = case.before.tops[pile] == value_of(top) and colour_of(top) == colour_of(case.card)
    return was and case.after.tops[pile] == value_of(case.card) < value_of(top)


def change_of(case: Case, seat: int) -> bool:
    before, after = piles(case.before, seat), piles(case.after, seat)
    return (case.facts["before"], case.facts["after"]) == (before, after)


def partner(case: Case) -> bool:
    mate = case.view.names.index(case.facts["name"])
    return mate % 2 == case.seat % 2 and case.after.last_winner == mate and change_of(case, mate)


def wins_so_far(case: Case) -> bool:
    return has_it_now(case) and case.facts["worth"] == sum(
        -value_of(card) if colour_of(card) == colour_of(choice_of(case.before, case.seat)) else 1
        for card in [*lies_on(case), case.card]
    )


def worth_to_pass(case: Case) -> bool:
    pain = colour_of(choice_of(case.before, case.seat))
    lying = lies_on(case)
    worth = sum(-value_of(card) if colour_of(card) == pain else 1 for card in lying)
    return under(case) and worth == case.facts["worth"] < 0


def reaches(case: Case) -> bool:
    gained, _, now = one_more(case)
    return gained == 1 and now == case.facts["points"] == 3 * case.before.round


def completes(case: Case) -> bool:
    gained, before, now = one_more(case)
    return gained == 1 and (case.facts["before"], case.facts["after"]) == (before, now)


def has_goal(case: Case) -> bool:
    gained, before, _ = one_more(case)
    is_mine = case.after.trick_size[place_played_to(case)] and owner(case, case.after) == case.seat
    return gained == 0 and before == case.facts["points"] == 3 * case.before.round and not is_mine


def completed_for(case: Case) -> bool:
    full = case.after.tricks_done > case.before.tricks_done
    return full and case.named(case.after.last_winner) and case.after.last_winner != case.seat


def is_extreme(case: Case, best: Callable[..., int]) -> bool:
    values = [value_of(card) for card in case.hand]
    return not lies_on(case) and value_of(case.card) == best(values)


def highest_under(case: Case) -> bool:
    most = max(value_of(card) for card in lies_on(case))
    return under(case) and value_of(case.card) == max(
        value_of(card) for card in case.hand if value_of(card) <= most
    )


def symbols(case: Case) -> int:
    values = case.setting.rules.month.values  # type: ignore[attr-defined]
    return sum(value_of(card) in values for card in [*lies_on(case), case.card])


def trick_gained(case: Case) -> int:
    return case.after.tricks_won[case.seat] - case.before.tricks_won[case.seat]


def strikes(case: Case) -> bool:
    return case.move.text == f"veto {case.view.names.index(case.facts['name'])}"


def struck_winner(case: Case) -> bool:
    winner = case.setting.rules.winning_seat(case.before, 0)
    return winner is not None and case.named(winner) and case.after.last_winner != winner


def last_of_colour(case: Case) -> bool:
    return case.named((case.seat + 1) % case.setting.seats) and (
        len(of_colour(case, colour_of(case.card))) == 1
    )


def poorest(case: Case) -> bool:
    target = case.view.names.index(case.facts["name"])
    others = [seat for seat in range(case.setting.seats) if seat != case.seat]
    return case.view.totals[target] == min(case.view.totals[seat] for seat in others)


TRUE: dict[str, Callable[[Case], bool]] = {
    "advice-announces": lambda case: case.move.text == str(case.facts["count"]),
    "advice-best": lambda case: not case.facts,
    "advice-chosen-trump": lambda case: (
        case.facts["trump"] == case.move.text
        and case.facts["count"] == sum(card.startswith(case.move.text) for card in case.view.hand)
    ),
    "advice-completes-for": completed_for,
    "advice-completes-own": completes,
    "advice-covers-pile": covers,
    "advice-discards": lambda case: case.facts["cards"].split(", ") == case.move.text.split(","),
    "advice-ducks": under,
    "advice-ducks-high": highest_under,
    "advice-ducks-pain": worth_to_pass,
    "advice-fills-own": lambda case: owner(case, case.before) == owner(case, case.after),
    "advice-follows": lambda case: COLOURS[colour_of(case.card)] == led_letter(case),
    "advice-follows-pain": lambda case: (
        own_pain(case) and colour_of(lies_on(case)[0]) == colour_of(case.card)
    ),
    "advice-for-partner": partner,
    "advice-gives": lambda case: not poorest(case),
    "advice-gives-last": poorest,
    "advice-gives-pain": lambda case: hurts(case, sure=True),
    "advice-goes-for-it": has_it_now,
    "advice-goes-for-trick": wins_so_far,
    "advice-has-goal": has_goal,
    "advice-keeps-veto": lambda case: case.move.text == "pass",
    "advice-keeps-zero": kept_zero,
    "advice-lays-most": lambda case: case.facts["points"] == lays(case) == most_laid(case),
    "advice-lays-tops": lambda case: case.facts["points"] == lays(case) < most_laid(case),
    "advice-leads-colour": lambda case: case.facts["count"] == unseen_of_colour(case),
    "advice-leads-high": lambda case: is_extreme(case, max),
    "advice-leads-low": lambda case: is_extreme(case, min),
    "advice-leads-low-pain": lambda case: (
        own_pain(case) and value_of(case.card) == min(of_colour(case, colour_of(case.card)))
    ),
    "advice-leads-pain": own_pain,
    "advice-leads-trump": is_trump,
    "advice-leads-zero": lambda case: value_of(case.card) == 0 and takes_not(case),
    "advice-leaves-points": lambda case: case.move.text == "leave",
    "advice-leaves-trick": lambda case: case.named(case.after.last_winner) and takes_not(case),
    "advice-offers-pain": lambda case: hurts(case, sure=False),
    "advice-opens-top": lambda case: higher_elsewhere(case) == 0,
    "advice-opens-trick": lambda case: case.facts["count"] == higher_elsewhere(case) > 0,
    "advice-order": lambda case: (
        int(case.move.text.split(",")[case.facts["count"] - 1]) == case.facts["points"]
    ),
    "advice-pain-long": longest,
    "advice-pain-long-and-low": lambda case: longest(case) and low(case),
    "advice-pain-low": lambda case: (
        low(case) and case.facts["highest"] == max(of_colour(case, colour_of(case.card)))
    ),
    "advice-passes-last": last_of_colour,
    "advice-passes-on": lambda case: not last_of_colour(case),
    "advice-plays-trump": lambda case: is_trump(case) and void(case),
    "advice-plays-zero": lambda case: value_of(case.card) == 0 and takes_not(case),
    "advice-reaches-goal": reaches,
    "advice-saves-trump": lambda case: not is_trump(case) and has_trump(case) and void(case),
    "advice-sheds-pain": lambda case: own_pain(case) and takes_not(case),
    "advice-stays-under": lambda case: owner(case, case.after) not in (None, case.seat),
    "advice-strikes": strikes,
    "advice-strikes-for-trick": lambda case: strikes(case) and takes(case),
    "advice-strikes-winner": lambda case: strikes(case) and struck_winner(case),
    "advice-sure-of-trick": lambda case: (
        owner(case, case.after) == case.seat and higher_elsewhere(case) == 0
    ),
    "advice-takes-it": lambda case: trick_gained(case) >= 1 and symbols(case) == 0,
    "advice-takes-lead": lambda case: (
        owner(case, case.after) == case.seat and case.facts["count"] == higher_elsewhere(case)
    ),
    "advice-takes-piles": lambda case: takes(case) and change_of(case, case.seat),
    "advice-takes-points": lambda case: case.move.text == "take",
    "advice-takes-so-far": lambda case: takes(case) and wins_so_far(case),
    "advice-takes-symbols": lambda case: (
        trick_gained(case) >= 1 and case.facts["count"] == symbols(case)
    ),
    "advice-takes-trick": lambda case: (
        takes(case) and points_won(case, case.seat, case.after) == case.facts["worth"]
    ),
    "advice-takes-unbeaten": takes,
    "advice-throws-card": lambda case: not is_trump(case) and void(case),
    "advice-throws-off": lambda case: owner(case, case.after) == owner(case, case.before),
    "advice-trick-stays": lambda case: (
        case.after.last_winner == case.seat and trick_gained(case) == 0
    ),
    "advice-trumps-in": lambda case: is_trump(case) and has_it_now(case),
}

ELSEWHERE = {"advice-only-move", "advice-random", "advice-style"}


@pytest.mark.slow
@every_setting
def test_every_reason_is_true(setting: Setting) -> None:
    wrong = [
        (case.grounds, case.move.text, case.view.hand, case.view.tricks)
        for case in cases(setting_id(setting))
        if not TRUE[case.grounds.id](case)
    ]
    assert wrong == []


@pytest.mark.slow
def test_every_reason_is_reached() -> None:
    reached = {case.grounds.id for one in SETTINGS for case in cases(setting_id(one))}
    assert set(TRUE) - reached == set()
    contrasts = "advice-other-"  # tests/test_contrast.py
    ids = {id for id in sentences("en") if id.startswith("advice-") and contrasts not in id}
    assert ids == set(TRUE) | ELSEWHERE


@pytest.mark.slow
def test_every_reason_has_its_sentences() -> None:
    examples = {
        case.grounds.id: case.grounds for one in SETTINGS for case in cases(setting_id(one))
    }
    for grounds in examples.values():
        for lang in LANGUAGES:
            said = sentence(grounds, lang)
            assert said
            assert not said.startswith(grounds.id), "facts are missing"


def test_gains_are_shown_with_their_sign() -> None:
    assert (
        sentence(AdviceReason("advice-takes-trick", {"worth": 4}), "en")
        == "takes the trick worth +4"
    )
    assert sentence(AdviceReason("advice-takes-trick", {"worth": -2}), "de").endswith("zählt −2")
    assert sentence(AdviceReason("advice-takes-trick", {"worth": 0}), "en").endswith("worth 0")


def test_a_zero_is_kept_for_a_rivals_eleven() -> None:
    data = {"card": "B0", "top": "B11", "name": "Mia"}
    assert (
        sentence(AdviceReason("advice-keeps-zero", data), "en")
        == "keeps the B0 back: it can still ruin the B11 of Mia"
    )
    assert sentence(AdviceReason("advice-keeps-zero", data), "de") == (
        "hebt die B0 auf: Sie kann Mia noch die B11 verderben"
    )
