"""Stories of finished matches: recomputed from scratch, and read as sentences."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import product
from typing import Any

import msgspec
import pytest

import stichwerk
from stichwerk import story
from stichwerk.cards import card_code
from stichwerk.engine import plain
from stichwerk.engine.generator import Generator
from stichwerk.errors import BadSeatsError
from stichwerk.games import registry
from stichwerk.games.stichtag.calendar import SHEETS
from stichwerk.games.stichtag.storage import OWN
from stichwerk.match import Match
from stichwerk.record import Record, record, replay_with_moves
from stichwerk.story.course import Margin, MatchCourse, course_of
from stichwerk.story.telling import Teller
from tests.length import by_length

NAMES = ("Ada", "Ben", "Cleo", "Dora", "Emil", "Fay")
SEEDS = by_length(1, 40)


@lru_cache
def played(game: str, seats: int, seed: int, options: tuple[tuple[str, Any], ...] = ()) -> Record:
    """Play a match of random moves."""
    given = {key: list(value) if isinstance(value, tuple) else value for key, value in options}
    rng = Generator(seed)
    match = stichwerk.game(game, seats=seats, **given).new(seed=seed, names=NAMES[:seats])
    while match.waiting_for:
        seat = match.waiting_for[rng.number(len(match.waiting_for))]
        moves = match.moves(seat)
        match.play(seat, moves[rng.number(len(moves))])
    return record(match)


def all_matches() -> Iterator[Record]:
    """Yield matches of all games and seat counts, teams, and every sheet of the calendar."""
    for info in registry.OUR_GAMES:
        for seats, seed in product(info.rules.seat_counts, range(1, SEEDS + 1)):
            yield played(info.name, seats, seed)
    yield from teams()
    dated = registry.calendar_game().name
    for number, sheet in enumerate(SHEETS):
        yield played(dated, 3 + number % 2, number, (("sheets", (sheet,)),))
    yield played(dated, 4, 5, (("sheets", ("green 2", "red 4")),))


def teams() -> Iterator[Record]:
    """Yield matches of teams."""
    for info in registry.OUR_GAMES:
        for seats in info.rules.seat_counts:
            for option in registry.options_of(info.name, seats):
                values = [value for value in option.values if value]
                if option.name == "teams" and values:
                    yield played(info.name, seats, 3, (("teams", values[0]),))


@pytest.fixture(scope="module")
def courses() -> list[tuple[Record, MatchCourse]]:
    """All matches with what the story found in them."""
    found = [(match_record, course_of(match_record)) for match_record in all_matches()]
    assert {one.game for one, _ in found} == {info.name for info in registry.OUR_GAMES}
    return found


# -- Recomputed from scratch -----------------------------------------------------------------------


class Recount:
    """A match counted again, with the uncompiled rules and a state of its own.

    Nothing is shared with the story but the definitions: every quantity is found by looking at all
    tricks again.
    """

    def __init__(self, match_record: Record) -> None:
        match, moves = replay_with_moves(match_record)
        self.rules = uncompiled(match)
        self.rows: list[dict[str, Any]] = []
        state, number, start = self.dealt(match), 1, None
        for step, (seat, move) in enumerate(moves, 1):
            if start is None and match.phase == "play":
                start = self.counted(state)
            for action in self.rules.judge(state, seat, move).steps:
                self.rules.play(state, seat, action)
            for event in match.play(seat, move):
                if event.kind == "trick":
                    row = {"step": step, "round": number, "start": start}
                    self.rows.append({**row, "points": self.counted(state), "seat": event.seat})
            if len(match.scores) == number:
                self.rows[-1]["points"] = list(match.scores[-1])
                number, start = number + 1, None
                state = state if match.over else self.dealt(match)
        self.scores = [list(points) for points in match.scores]

    def dealt(self, match: Match) -> Any:
        """Return the state after the deal of the running round."""
        deal, state = match.rounds[-1].deal, self.rules.new_state()
        state.round, state.starter = len(match.rounds), deal.starter
        state.totals = [*match.totals, *[0] * (6 - match.rules.seats)]
        hands = [[card_code(card) for card in hand] for hand in deal.hands]
        self.rules.new_round(state, hands, [card_code(card) for card in deal.stock])
        self.rules.place_specials(state, dict(deal.specials))
        return state

    def counted(self, state: Any) -> list[int]:
        """Score the round as it is."""
        ended = state.copy()
        if hasattr(self.rules, "green"):  # own points, then the red sheet, then the green one
            for seat in range(self.rules.seats):
                own = state.tricks_won[seat] + self.rules.month.own_points(state, seat)
                ended.numbers[OWN + seat] = own
                ended.points[seat] = own
            self.rules.red.settle_points(ended)
            return [self.rules.green.score(ended, seat) for seat in range(self.rules.seats)]
        return [self.rules.score(ended, seat) for seat in range(self.rules.seats)]

    def leaders(self, row: dict[str, Any]) -> set[int]:
        """Return the seats in front after a trick."""
        scores = [*self.scores[: row["round"] - 1], row["points"]]
        standings = [self.rules.standing(scores, seat) for seat in range(self.rules.seats)]
        return {seat for seat, one in enumerate(standings) if one == max(standings)}

    def changes(self, at: int) -> list[int]:
        """Return what a trick changed."""
        row, before = self.rows[at], self.rows[at - 1] if at else None
        same = before is not None and before["round"] == row["round"]
        base = before["points"] if same and before else row["start"]
        return [new - old for new, old in zip(row["points"], base, strict=True)]


RECOUNTS: dict[int, Recount] = {}


def recount(match_record: Record) -> Recount:
    """Return a match counted again, once for all tests."""
    known = RECOUNTS.get(id(match_record))
    return known or RECOUNTS.setdefault(id(match_record), Recount(match_record))


def uncompiled(match: Match) -> Any:
    """Return the rules of a match, uncompiled."""
    rules = match.rules
    made = getattr(plain.twin(type(rules).__module__), type(rules).__name__)
    several = len(rules.versions) > 1
    options = dict(match.setting.options)
    return made(rules.seats, options, rules.version) if several else made(rules.seats, options)


def team_of(found: MatchCourse, seat: int) -> set[int]:
    return next(set(side) for side in found.sides if seat in side)


def test_running_points_are_those_of_the_rules(courses: list[tuple[Record, MatchCourse]]) -> None:
    for match_record, found in courses:
        again = recount(match_record)
        assert [(one.index, one.round, list(one.after), one.seat) for one in found.tricks] == [
            (row["step"], row["round"], row["points"], row["seat"]) for row in again.rows
        ]
        assert [list(one.changes) for one in found.tricks] == [
            again.changes(at) for at in range(len(again.rows))
        ]
        for one, row in zip(found.tricks, again.rows, strict=True):
            assert one.front == again.leaders(row)
        assert found.tricks[-1].ranking == match_record.ranking


def test_the_deciding_trick_is_where_the_winners_went_in_front_for_good(
    courses: list[tuple[Record, MatchCourse]],
) -> None:
    kinds = set()
    for match_record, found in courses:
        again = recount(match_record)
        assert match_record.ranking is not None
        winners = set(match_record.ranking[0])
        in_front = [again.leaders(row) == winners for row in again.rows]
        from_here = [all(in_front[at:]) for at in range(len(in_front))]
        first = from_here.index(True)
        expected = found.tricks[first] if first else None
        assert found.deciding == expected
        assert found.always_in_front == (first == 0)
        kinds.add("always" if not first else "last" if first == len(in_front) - 1 else "between")
    assert kinds == {"always", "last", "between"}


def test_changes_of_the_lead_are_counted_without_ties(
    courses: list[tuple[Record, MatchCourse]],
) -> None:
    most = 0
    for match_record, found in courses:
        again = recount(match_record)
        count, last = 0, None
        for row in again.rows:
            leaders = again.leaders(row)
            if leaders != team_of(found, min(leaders)):
                continue
            count += last is not None and leaders != last
            last = leaders
        assert found.lead_changes == count
        most = max(most, count)
    assert most >= 3


def test_the_best_the_sharpest_and_the_swing_round(
    courses: list[tuple[Record, MatchCourse]],
) -> None:
    for match_record, found in courses:
        again = recount(match_record)
        all_changes = [again.changes(at) for at in range(len(again.rows))]
        sign = -1 if found.fewest_win else 1
        for side in found.sides:
            gains = [sign * ahead(changes, set(side), found) for changes in all_changes]
            best = found.best(side)
            if best is None:
                assert max(gains) <= 0
            else:
                assert gains[found.tricks.index(best)] == pytest.approx(max(gains))
        spreads = [spread(changes, found) for changes in all_changes]
        assert found.sharpest is not None
        assert spreads[found.tricks.index(found.sharpest)] == max(spreads)
        by_round = [spread(points, found) for points in again.scores]
        assert by_round[found.swing_round - 1] == max(by_round)


def ahead(changes: Sequence[int], side: set[int], found: MatchCourse) -> float:
    """Return by how much a side gained on the mean of the others."""
    own = sum(change for seat, change in enumerate(changes) if seat in side)
    rest = sum(change for seat, change in enumerate(changes) if seat not in side)
    return own - rest / (len(found.sides) - 1)


def spread(points: Sequence[int], found: MatchCourse) -> int:
    sums = [sum(points[seat] for seat in side) for side in found.sides]
    return max(sums) - min(sums)


# -- In words --------------------------------------------------------------------------------------


def course(scores: Sequence[Sequence[int]], game: str = "sticheln", **options: Any) -> MatchCourse:
    """Return a match of which only the scores are known."""
    setting = stichwerk.game(game, seats=len(scores[0]), **options)
    return MatchCourse(setting.rules, [tuple(points) for points in scores], ())


@pytest.mark.parametrize(
    ("scores", "game", "options", "margin"),
    [
        ([(5, 4, 1)], "sticheln", {}, Margin("points", 1)),
        ([(5, 5, 1), (2, 4, 1), (4, 2, 1)], "stichling", {}, Margin("tie-break")),
        ([(2, 7, 9)], "stichtag", {"sheets": ["green 1"]}, Margin("fewer", 5)),
        ([(5, 3, 3), (5, 4, 3)], "stichtag", {"sheets": ["green 3"]}, Margin("hearts", 1)),
        ([(12, 3, 14)], "stichtag", {"sheets": ["green 2"]}, Margin("goal")),
    ],
)
def test_margins_are_in_what_the_game_is_about(
    scores: list[tuple[int, ...]], game: str, options: dict[str, Any], margin: Margin
) -> None:
    found = course(scores, game, **options)
    first, second = found.ranking[0][0], found.ranking[1][0]
    assert found.margin(first, second) == margin


def test_places_count_sides() -> None:
    team = course([(5, 4, 3, 2)], "null-nichtig", teams=2)
    assert [team.place(seat) for seat in range(4)] == [1, 2, 1, 2]
    level = course([(5, 4, 4, 2)])
    assert [level.place(seat) for seat in range(4)] == [1, 2, 2, 4]


def test_sentences_say_what_was_found(courses: list[tuple[Record, MatchCourse]]) -> None:
    for match_record, found in courses[:: by_length(3, 1)]:
        for seat in (None, *range(match_record.seats)):
            for lang in ("de", "en"):
                told = story.tell(match_record, seat, lang)
                assert 2 <= len(told.sentences) <= 3
                words = " ".join(told.sentences)
                assert not re.search(r"[{}]|story-", words)
                assert all(one.endswith(".") for one in told.sentences)
                if seat is not None:
                    assert re.search(r"\b(you|dich|du|dir|ihr|euch)\b", words, re.IGNORECASE)
                    assert NAMES[seat] not in words, "a reader is addressed, never named"
                    assert told.places[seat] == found.place(seat)
                check_moments(told, found)


def check_moments(told: story.Story, found: MatchCourse) -> None:
    """Every moment is a trick of the match, listed once; the deciding one is always there."""
    assert len({one.index for one in told.moments}) == len(told.moments) <= 3
    tricks = {one.index: one for one in found.tricks}
    for moment in told.moments:
        trick = tricks[moment.index]
        assert (moment.round, moment.trick) == (trick.round, trick.trick)
        assert (moment.seat, moment.card, moment.changes) == (trick.seat, trick.card, trick.changes)
        assert f"{moment.trick}" in moment.text
        assert (moment.card or "") in moment.text
    decided = [one.index for one in told.moments if one.kind == "decided"]
    assert decided == ([found.deciding.index] if found.deciding else [])


def test_the_card_is_one_of_the_trick(courses: list[tuple[Record, MatchCourse]]) -> None:
    shown = 0
    for match_record, found in courses:
        match, moves = replay_with_moves(match_record)
        for seat, move in moves:
            match.play(seat, move)
        taken = [event for event in match.events if event.kind == "trick"]
        for trick, event in zip(found.tricks, taken, strict=True):
            assert trick.cards == event.cards
            assert trick.card is None or trick.card in event.cards
            shown += trick.card is not None
    assert shown > 1000


@pytest.mark.parametrize(
    ("lang", "seat", "begin"),
    [
        ("en", None, "Dora finishes one point ahead of Ada. Trick 9 of round 4 decided it."),
        ("en", 0, "You came second, one point behind Dora. Trick 9 of round 4 decided it."),
        ("en", 3, "You finish one point ahead of Ada. Trick 9 of round 4 decided it."),
        ("de", None, "Am Ende liegt Dora einen Punkt vor Ada. Entschieden hat es Stich 9 in"),
        ("de", 0, "Du landest auf Platz zwei, einen Punkt hinter Dora. Entschieden hat es"),
        (
            "de",
            3,
            "Am Ende liegst du einen Punkt vor Ada. Entschieden hat es Stich 9 in Runde 4.",
        ),
    ],
)
def test_a_match_as_it_is_told(lang: str, seat: int | None, begin: str) -> None:
    told = story.tell(close_match(), seat, lang)
    assert " ".join(told.sentences).startswith(begin)
    assert told.places == (2, 4, 3, 1)


def close_match() -> Record:
    """Return a match won by a point in the last round."""
    match, rng = stichwerk.game("sticheln", seats=4).new(seed=3, names=NAMES[:4]), Generator(3)
    while match.waiting_for:
        seat = match.waiting_for[0]
        moves = match.moves(seat)
        match.play(seat, moves[rng.number(len(moves))])
    return record(match)


def test_impossible_seats_are_refused() -> None:
    for seat in (-1, 4):
        with pytest.raises(BadSeatsError):
            story.tell(close_match(), seat, "en")


def test_partners_do_not_share_the_win() -> None:
    team = course([(5, 4, 3, 2)], "null-nichtig", teams=2)
    told = Teller(team, "null-nichtig", NAMES[:4], 0, "en")
    assert told.ending().startswith("You and Cleo finish 2 points ahead")


def test_names_stay_facts() -> None:
    strange = ("{margin}", "Ben\n", "A" * 300, "Dora")
    told = story.tell(msgspec.structs.replace(close_match(), names=strange), 3, "en")
    assert told.sentences[0] == "You finish one point ahead of {margin}."
