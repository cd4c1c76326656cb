"""The last cards once more, as plainly as can be: what exact endgames are checked against.

Nothing here is shared with `engine/endgame.py` but the rules and what a finished round is worth.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from stichwerk.arena.positions.decisions import RecordPoint, cut, records
from stichwerk.bots.position import Position
from stichwerk.cards import card_code
from stichwerk.engine.codes import bit_of, half_of, half_slot, has
from stichwerk.engine.constants import TWIN
from stichwerk.engine.endgame import Endgame
from stichwerk.engine.frame import Game
from stichwerk.engine.generator import Generator
from stichwerk.engine.state import State
from stichwerk.engine.tactics import Tactics
from stichwerk.games import registry
from stichwerk.record import Record, replay
from stichwerk.view import View, sample

MANY_SEATS = 5  # from here on one card fewer
ENDINGS = 12  # positions of a game that are checked
FEW_DEALS = 100  # hidden cards can lie in at most so many ways
ALL_OF_IT = 10**9  # positions; enough for all deals


class Agreement(NamedTuple):
    """How many endings were solved in both ways, and how many came out the same."""

    checked: int
    equal: int


def perfect_values(rules: Game, tactics: Tactics, state: State) -> list[float]:
    """Return the value of an open position to each seat if each makes its best move;
    among equals the first one listed."""
    if not state.owes:
        return [tactics.value(state, seat) for seat in range(rules.seats)]
    seat = next(seat for seat in range(rules.seats) if has(state.owes, seat))
    found: list[float] = []
    for action in rules.actions(state, seat):
        after = state.copy()
        rules.play(after, seat, action)
        values = perfect_values(rules, tactics, after)
        if not found or values[seat] > found[seat]:
            found = values
    return found


def mean_values(view: View) -> dict[int, float]:
    """Return the mean value of each action over all possible deals of the hidden cards."""
    position = Position(view)
    rules, seat = position.rules, position.seat
    sums: dict[int, float] = dict.fromkeys(rules.actions(position.known, seat), 0.0)
    count = 0
    for state in all_deals(view, position.known):
        count += 1
        for action in sums:
            after = state.copy()
            rules.play(after, seat, action)
            sums[action] += perfect_values(rules, position.tactics, after)[seat]
    return {action: total / count for action, total in sums.items()}


def all_deals(view: View, known: State) -> Iterator[State]:
    """Yield every possible deal of the hidden cards to the other hands; there is no stock."""
    cards = unseen_cards(view)
    others = [seat for seat in range(view.seats) if seat != view.seat]
    assert len(cards) == sum(view.hand_sizes[seat] for seat in others), "no stock, nothing aside"
    for hands in splits_into_hands(cards, [view.hand_sizes[seat] for seat in others]):
        state = known.copy()
        for seat, hand in zip(others, hands, strict=True):
            hold(state, seat, hand)
        yield state


def unseen_cards(view: View) -> list[int]:
    """Return the deck without the seat's hand and all cards played this round."""
    begin = max(at for at, event in enumerate(view.history) if event.kind == "round")
    shown = list(view.hand)
    for event in view.history[begin:]:
        if event.kind == "revealed":
            shown += [card for choice in event.choices for card in choice.split(",")]
        elif event.kind == "play":
            shown.append(event.move)
    deck = Position(view).rules.deck.codes
    rest = Counter(deck)
    rest.subtract(map(card_code, shown))
    return sorted(rest.elements())


def splits_into_hands(
    cards: Sequence[int], sizes: Sequence[int]
) -> Iterator[list[tuple[int, ...]]]:
    """Yield all ways to split cards into hands of these sizes, every card being distinct."""
    if not sizes:
        yield []
        return
    places = range(len(cards))
    for taken in combinations(places, sizes[0]):
        rest = [cards[at] for at in places if at not in taken]
        for hands in splits_into_hands(rest, sizes[1:]):
            yield [tuple(cards[at] for at in taken), *hands]


def hold(state: State, seat: int, cards: Sequence[int]) -> None:
    """Put these cards into a hand whose size is known already."""
    hands = list(state.hands)
    for card in cards:
        word, bit = half_slot(seat, half_of(card)), bit_of(card)
        if hands[word] & bit:  # the second of two equal zeros
            bit <<= TWIN
        hands[word] |= bit
    state.hands = hands


# -- Endings of the bench --------------------------------------------------------------------------


def agreement(game: str) -> Agreement:
    """Solve endings of the recorded matches in both ways."""
    checked = equal = 0
    for view in endings(game):
        checked += 1
        equal += same_open(view, seed=checked) and same_hidden(view)
    return Agreement(checked, equal)


def same_open(view: View, seed: int) -> bool:
    """Compare with open cards, in one of the deals that fit."""
    position, state = Position(view), sample(view, Generator(seed))
    solved = Endgame(position.tactics, 0).open_values(state)
    return solved == perfect_values(position.rules, position.tactics, state)


def same_hidden(view: View) -> bool:
    """Compare with hidden cards, over all deals that fit, where these are few and complete."""
    position = Position(view)
    endgame = Endgame(position.tactics, 0)
    deals = endgame.count(position.known, position.seat)
    if not registry.info_of(view.game).trials.only_hands_hidden or deals > FEW_DEALS:
        return True
    solved = endgame.values(position.known, position.seat, ALL_OF_IT)
    plain = mean_values(view)
    return {action: (deals, round(value, 9)) for action, value in plain.items()} == {
        action: (count, round(value, 9)) for action, (count, value, _) in solved.items()
    }


def endings(game: str) -> Iterator[View]:
    """Yield views of the seats to move near the end of recorded rounds, one for each place."""
    known = records(game)
    found = 0
    for round in range(1, max(len(record.rounds) for record in known) + 1):
        for at, record in enumerate(known):
            if found < ENDINGS and round <= len(record.rounds):
                view = ending(record, round, back=at + round)
                if view is not None:
                    found += 1
                    yield view


def ending(record: Record, round: int, back: int) -> View | None:
    """Return the first decision of a round with few cards left, some plays later each time."""
    most = registry.info_of(record.game).trials.ending_cards - (record.seats >= MANY_SEATS)
    round_record = record.rounds[round - 1]
    extra = () if not isinstance(round_record.extra, tuple) else round_record.extra
    for plays in range(
        max(0, len(round_record.plays) - most * record.seats + back % 3), len(round_record.plays)
    ):
        place = RecordPoint(
            round=round,
            choices=len(round_record.choices),
            plays=plays,
            extra=sum(entry[0] <= plays for entry in extra),
        )
        match = replay(cut(record, place))
        view = match.view(match.waiting_for[0])
        if len(view.moves) > 1 and Position(view).cards_left <= most:
            return view
    return None
