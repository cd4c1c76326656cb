"""All 480 settings: matches play to the end and are judged by a second reading of the sheets.

`Reckoner` follows a match by its events alone. It knows nothing of the engine: it is written from
STICHTAG.md, and says who may play what, who wins, who leads, and what it brings, in both versions
of the rules.
"""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations

import pytest

import stichwerk
from stichwerk.engine.events import Event
from stichwerk.games import registry
from stichwerk.games.stichtag import calendar
from stichwerk.games.stichtag.sheet import Sheet
from stichwerk.match import Match, Setting
from stichwerk.record import decode, encode, record, replay, verify
from stichwerk.testing import check_game
from tests.length import by_length
from tests.strategies import (
    all_days,
    all_sheets,
    older_settings,
    pairwise_days,
    setting_id,
    some_combinations,
    some_days,
)

pytestmark = pytest.mark.game("stichtag")

SYMBOLS = {
    "January": {7},
    "February": {6},
    "March": {2},
    "April": {8},  # in version 1 of the rules also 1
    "May": {3},
    "June": {4},
    "July": {9},
    "August": {2, 7},
    "September": {6},
    "October": {8},
    "November": {3},
    "December": {0},
}


CHANGED = {"red 0", "red 9", "green 2", "April"}
"""The sheets that version 2 of the rules has changed."""


def number(card: str) -> int:
    return int(card[1:])


class Hand:
    """A seat's cards; on red 8 odd ones lie aside until the last even one has left."""

    def __init__(self, cards: Sequence[str], odd_later: bool) -> None:
        self.aside = [card for card in cards if odd_later and number(card) % 2]
        self.cards = [card for card in cards if card not in self.aside]
        self.waits = odd_later
        self.left()

    def leave(self, *cards: str) -> None:
        for card in cards:
            assert card in self.cards
            self.cards.remove(card)
        self.left()

    def left(self) -> None:
        if self.waits and not self.cards:
            self.cards, self.aside, self.waits = self.aside, [], False

    def come_in(self, card: str) -> None:
        (self.aside if self.waits and number(card) % 2 else self.cards).append(card)


class Reckoner:
    """One round, reckoned from what happened."""

    def __init__(
        self, names: Sequence[str], seats: int, rules: int, events: Sequence[Event]
    ) -> None:
        self.names = names
        self.rules = rules
        self.month = next((name for name in names if name in SYMBOLS), "")
        self.seats = seats
        self.symbol = SYMBOLS.get(self.month, set())
        if self.month == "April" and rules == 1:
            self.symbol = {1, 8}
        start = events[0]
        assert start.starter is not None
        self.starter = start.starter
        hands = {event.seat: event.cards for event in events if event.kind == "hand"}
        self.hands = [Hand(hands[seat], "red 8" in names) for seat in range(seats)]
        self.stock = start.stock or 0
        self.leader = self.veto = start.starter
        self.trump: str | None = "R"
        self.trumps = ""
        self.choosing = rules > 1 and "red 0" in names
        self.direction = 1
        self.sunstroke: int | None = None
        self.trick: list[tuple[int, list[str]]] = []
        self.struck: int | None = None
        self.pile: list[str] = []
        self.pile_tricks = 0
        self.tricks = [0] * seats
        self.won: list[list[str]] = [[] for _ in range(seats)]
        self.discarded: list[str] = []
        self.drawn = 0
        self.egg_owners: list[int] = []
        self.eggs: Sequence[int] = ()
        self.lanterns = [0] * seats
        self.gifts = [0] * seats
        self.partners: Sequence[int] = ()
        self.revealed: list[Sequence[str]] = []
        self.expected: list[str] = []
        self.due: list[str] = []
        self.asked = 0
        self.finished = False
        self.passing: list[str] = []
        self.givers: list[int] = []
        self.winner = -1
        for event in events[1:]:
            self.follow(event)

    def follow(self, event: Event) -> None:
        """Advance by one event."""
        kind, seat = event.kind, event.seat
        if kind == "trumps":
            assert self.choosing
            assert not self.trumps
            self.trumps = "".join(event.colours)  # type: ignore[attr-defined]
            assert len(set(self.trumps) & set("RYGBLS")) == len(self.trumps) == 2
        elif kind == ("trump" if self.rules == 1 else "trump-chosen"):
            self.set_trump(seat, event.move)
        elif kind == "partners":
            self.partners = event.counts
        elif kind == "eggs":
            self.eggs = event.counts
        elif kind == "revealed":
            self.revealed.append(event.choices)
        elif kind == "aside":
            assert list(event.counts) == [len(hand.aside) for hand in self.hands]
        elif kind == "named":
            assert seat == self.leader
        elif kind == "passed":
            self.passed(event.counts)
        elif kind == "received":
            assert seat is not None
            self.receive(seat, event.cards[0])
        elif seat is not None:
            self.follow_seat(kind, seat, event)

    def set_trump(self, seat: int | None, colour: str) -> None:
        """Draw the trump, or, since version 2, let the starter choose it before anything else."""
        assert "red 0" in self.names
        assert not self.trick
        assert not sum(self.tricks)
        assert not self.revealed
        if self.rules == 1:
            assert seat is None
        else:
            assert self.choosing
            assert seat == self.starter
            assert colour in self.trumps
        self.trump = colour
        self.choosing = False

    def follow_seat(self, kind: str, seat: int, event: Event) -> None:
        """Follow the public actions of one seat."""
        if kind == "play":
            self.play(seat, event.move.split("+"))
        elif kind == "veto":
            self.strike(seat, event.move)
        elif kind in ("trick", "stays"):
            self.settle(kind, seat, event.cards)
        elif kind == "egg":
            self.met("egg", seat)
            self.egg_owners.append(seat)
        elif kind == "discard":
            cards = event.move.split(",")
            self.met("discard", seat)
            assert len(cards) == self.asked
            self.hands[seat].leave(*cards)
            self.discarded += cards
        elif kind == "drew":
            assert len(event.cards) == self.asked
            self.stock -= self.asked
            self.drawn += self.asked
            for card in event.cards:
                self.hands[seat].come_in(card)
        elif kind == "gift":
            self.give(seat, event.move)

    def met(self, what: str, seat: int) -> None:
        """Something came that was expected of the last trick's winner."""
        assert self.expected.pop(0) == what
        assert seat == self.winner

    # -- A trick -----------------------------------------------------------------------------------

    def after(self, seat: int) -> int:
        """Return the next seat in the direction of play that has a card or has led."""
        while True:
            seat = (seat + self.direction) % self.seats
            if self.hands[seat].cards or seat == self.leader:
                return seat

    def play(self, seat: int, cards: list[str]) -> None:
        """Check a play, open or turned up: in turn, of one colour, following where the hand can."""
        assert not self.choosing
        assert not self.expected
        assert not self.finished
        if not self.trick:
            while not self.hands[self.leader].cards:
                self.leader = (self.leader + self.direction) % self.seats
            assert seat == self.leader
            self.struck = None
        else:
            assert seat == self.after(self.trick[-1][0])
        assert 1 <= len(cards) <= (2 if "red 2" in self.names else 1)
        assert len({card[0] for card in cards}) == 1
        led = self.trick[0][1][0][0] if self.trick else cards[0][0]
        can_follow = any(card[0] == led for card in self.hands[seat].cards)
        assert cards[0][0] == led or not can_follow
        self.hands[seat].leave(*cards)
        self.trick.append((seat, cards))

    def strike(self, seat: int, text: str) -> None:
        """Apply the veto card, or its pass."""
        assert "red 7" in self.names
        assert seat == self.veto
        assert len(self.trick) == self.seats
        if text != "pass":
            self.struck = int(text.removeprefix("veto "))
            assert self.struck not in (seat, self.sunstroke)

    def symbols(self, seat: int, cards: Sequence[str]) -> int:
        """Return how many symbols of the month a play shows."""
        return 0 if seat == self.struck else sum(number(card) in self.symbol for card in cards)

    def best(self) -> int:
        """Return who wins: trump, then the led colour, then any; among equals the first played."""
        ghost = self.month == "October" and any(self.symbols(*play) for play in self.trick)
        upside_down = "red 9" in self.names
        low = ghost != upside_down  # in the led colour, and where nothing else decides
        low_trump = ghost if self.rules > 1 else low
        may_win = [play for play in self.trick if play[0] not in (self.struck, self.sunstroke)]
        trumps = [play for play in may_win if play[1][0][0] == self.trump]
        following = [play for play in may_win if play[1][0][0] == self.trick[0][1][0][0]]

        def height(play: tuple[int, list[str]]) -> int:
            return sum(number(card) for card in play[1])

        lowest = low_trump if trumps else low
        return (min if lowest else max)(trumps or following or may_win, key=height)[0]

    def settle(self, kind: str, seat: int, cards: Sequence[str]) -> None:
        """Settle the trick: it is taken or stays, with its effects."""
        assert not self.expected
        assert len(self.trick) >= 2
        assert "red 2" in self.names or len(self.trick) == self.seats
        assert list(cards) == [card for _, play in self.trick for card in play]
        self.winner = self.best()
        assert seat == self.winner
        self.finished = sum(bool(hand.cards) for hand in self.hands) < 2
        shown = sum(self.symbols(*play) for play in self.trick)
        stays = self.month == "September" and shown > 0 and not self.finished
        assert kind == ("stays" if stays else "trick")
        self.pile += cards
        self.pile_tricks += 1
        if not stays:
            self.won[seat] += self.pile
            self.tricks[seat] += self.pile_tricks
            self.pile, self.pile_tricks = [], 0
        if self.struck is not None:
            self.veto = self.struck
        self.leader = seat
        self.apply_month(seat, shown)
        if "red 5" in self.names and any(number(card) == 5 for card in cards):
            self.trump = None if self.trump else "R"
        self.trick = []

    def apply_month(self, winner: int, shown: int) -> None:
        """Apply the month's effect of a trick."""
        if self.month == "December":
            self.due = [card for _, cards in self.trick for card in cards if number(card) == 0]
            self.expected += ["gift"] * len(self.due)
        if not shown:
            return
        if self.month == "February" and not self.finished:
            self.expected.append("passed")
        elif self.month == "March" and "red 1" in self.names:
            self.leader = (winner + 1) % self.seats
        elif self.month == "March":
            self.direction *= -1
        elif self.month == "April" and len(self.egg_owners) < 6:
            self.expected.append("egg")
        elif self.month == "May":
            self.leader = next(seat for seat, cards in self.trick if self.symbols(seat, cards))
        elif self.month == "July":
            self.sunstroke = winner
        elif self.month == "August" and not self.finished:
            self.asked = min(shown, len(self.hands[winner].cards), self.stock)
            self.expected += ["discard"] * bool(self.asked)
        elif self.month == "November":
            for seat, cards in self.trick:
                self.lanterns[seat] += self.symbols(seat, cards) * (seat != winner)

    def passed(self, counts: Sequence[int]) -> None:
        """Everyone who has a card gives one; which one follows from what is received."""
        assert self.expected.pop() == "passed"
        assert list(counts) == [int(bool(hand.cards)) for hand in self.hands]
        self.passing = [""] * self.seats
        self.givers = [seat for seat in range(self.seats) if counts[seat]]

    def receive(self, seat: int, card: str) -> None:
        """Wait for the last pass before receiving: all cards leave before the first comes in."""
        self.passing[(seat - 1) % self.seats] = card
        if all(self.passing[giver] for giver in self.givers):
            for giver in self.givers:
                self.hands[giver].leave(self.passing[giver])
            for giver in self.givers:
                self.hands[(giver + 1) % self.seats].come_in(self.passing[giver])

    def give(self, seat: int, text: str) -> None:
        """Give a gift card of the trick to someone else."""
        card, _, who = text.partition(">")
        self.met("gift", seat)
        assert int(who) != seat
        self.due.remove(card)
        self.won[seat].remove(card)
        self.won[int(who)].append(card)
        self.gifts[int(who)] += 1

    # -- Points ------------------------------------------------------------------------------------

    def cards(self) -> Iterator[str]:
        """Yield every dealt card with its final place, without those of the stock."""
        for hand in self.hands:
            yield from (*hand.cards, *hand.aside)
        for pile in self.won:
            yield from pile
        yield from self.discarded

    def own_points(self, seat: int) -> int:
        """Tricks, and what the month adds."""
        symbols = sum(number(card) in self.symbol for card in self.won[seat])
        eggs = zip(self.egg_owners, self.eggs, strict=False)
        extra = {
            "January": symbols,
            "April": sum(value for owner, value in eggs if owner == seat),
            "June": symbols * (symbols + 1) // 2,
            "November": self.lanterns[seat],
            "December": self.gifts[seat],
        }
        return self.tricks[seat] + extra.get(self.month, 0)

    def points(self, totals: Sequence[int]) -> tuple[int, ...]:
        """Return what the round adds to the totals."""
        own = [self.own_points(seat) for seat in range(self.seats)]
        points = list(own)
        if "red 4" in self.names:
            self.add_announcements(points)
        if "red 6" in self.names:
            points = [mine + own[self.partners[seat]] for seat, mine in enumerate(points)]
        if "red 3" in self.names and min(points) < max(points):
            best, last = max(points), min(points)
            points = [mine + best if mine == last else mine for mine in points]
        if "green 2" in self.names:
            target = target_of(self.seats, self.rules)
            both = zip(points, totals, strict=True)
            points = [-mine if total + mine > target else mine for mine, total in both]
        return tuple(points)

    def add_announcements(self, points: list[int]) -> None:
        """Score announcements: a hit gets five, or loses five, or may leave everything."""
        hits = [int(text) == self.tricks[at] for at, text in enumerate(self.revealed[0])]
        asks = "green 2" in self.names and any(hits)
        assert len(self.revealed) == 1 + asks
        for seat, hit in enumerate(hits):
            if asks:
                answer = self.revealed[1][seat]
                assert answer in (("take", "leave") if hit else ("",))
                points[seat] *= answer != "leave"
            elif hit:
                points[seat] += -5 if "green 1" in self.names else 5


def rounds_of(match: Match) -> list[list[Event]]:
    """Return the events of each round."""
    found: list[list[Event]] = []
    for event in match.events:
        if event.kind == "round":
            found.append([])
        found[-1].append(event)
    return found


def hearts_left(scores: Sequence[Sequence[int]], seats: int) -> list[int]:
    """Return two, less one for each round as one of the last."""
    lost = Counter(
        seat
        for points in scores
        for seat in range(seats)
        if points[seat] == min(points) and len(set(points)) > 1
    )
    return [2 - lost[seat] for seat in range(seats)]


def target_of(seats: int, rules: int) -> int:
    """Return the total that wins on green 2: 12, since version 2 10 for five."""
    return 10 if seats == 5 and rules > 1 else 12


def check_goal(names: Sequence[str], match: Match, rules: int) -> None:
    """Check that the match ended in time, and that the ranking is the green sheet's."""
    seats = range(match.rules.seats)
    target = target_of(len(seats), rules)
    ends = []
    merit: list[tuple[int, ...]] = []
    for rounds in range(1, len(match.scores) + 1):
        scores = match.scores[:rounds]
        totals = [sum(points[seat] for points in scores) for seat in seats]
        hearts = hearts_left(scores, match.rules.seats)
        if "green 2" in names:
            ends.append(rounds == 4 or target in totals)
            merit = [(int(total == target), total) for total in totals]
            if rules > 1:  # then what the last round added, then the one before, and so on
                rows = [[points[seat] for points in scores[::-1]] for seat in seats]
                merit = [(*merit[seat], *rows[seat]) for seat in seats]
        elif "green 3" in names:
            ends.append(rounds == 4 or 0 in hearts)
            merit = list(zip(hearts, totals, strict=True))
        else:
            ends.append(rounds == 3)
            merit = [(0, -total if "green 1" in names else total) for total in totals]
    assert ends == [False] * (len(ends) - 1) + [True]
    groups = sorted(set(merit), reverse=True)
    expected = [tuple(seat for seat in seats if merit[seat] == group) for group in groups]
    assert match.ranking == tuple(expected)


def sheets_in(setting: Setting) -> tuple[str, ...]:
    """Return the sheets in play, from the options alone."""
    date, sheets = setting.options["date"], setting.options["sheets"]
    if isinstance(date, str):
        return f"green {date[3]}", f"red {date[4]}", list(SYMBOLS)[int(date[:2]) - 1]
    assert isinstance(sheets, list)
    return tuple(sheets)


def played(setting: Setting, seed: int) -> Match:
    """Return a match between random bots."""
    match, bot = setting.new(seed=seed), stichwerk.bot("random", seed=seed)
    while match.waiting_for:
        seat = match.waiting_for[seed % len(match.waiting_for)]
        match.play(seat, bot.choose(match.view(seat)))
    return match


def judge(setting: Setting, match: Match) -> None:
    """Recompute the whole match from the sheets."""
    names = sheets_in(setting)
    rules = json.loads(encode(record(match)))["rules"]
    assert rules in (1, 2)
    totals = [0] * setting.seats
    for log, events in zip(match.rounds, rounds_of(match), strict=True):
        reckoner = Reckoner(names, setting.seats, rules, events)
        assert not reckoner.choosing
        assert not reckoner.expected
        assert reckoner.finished
        assert not reckoner.pile
        assert "red 2" in names or not any(hand.cards for hand in reckoner.hands)
        rest = log.deal.stock[reckoner.drawn :]
        assert sorted((*reckoner.cards(), *rest)) == sorted(setting.rules.deck.texts)
        assert log.scores == reckoner.points(totals)
        totals = [total + more for total, more in zip(totals, log.scores, strict=True)]
    assert match.totals == tuple(totals)
    check_goal(names, match, rules)


def in_the_open(match: Match) -> list[Event]:
    """Return the events without the order of simultaneous choices."""
    return [event for event in match.events if event.kind not in ("choice", "chosen")]


def check_setting(setting: Setting, seed: int) -> None:
    """Play, judge, write down, verify, play again."""
    match = played(setting, seed)
    judge(setting, match)
    written = encode(record(match))
    match_record = decode(written)
    assert verify(match_record).status == "holds"
    again = replay(match_record)
    assert encode(record(again)) == written
    assert (again.scores, again.ranking) == (match.scores, match.ranking)
    assert in_the_open(again) == in_the_open(match)


OLDER = [setting for setting in older_settings() if registry.has_calendar(setting.name)]


@pytest.mark.parametrize("setting", [*all_sheets(), *some_combinations(), *OLDER], ids=setting_id)
def test_sheets_alone_play_as_they_are_written(setting: Setting) -> None:
    for seed in range(3):
        check_setting(setting, seed)


@pytest.mark.slow
@pytest.mark.parametrize("rules", [1, 2])
@pytest.mark.parametrize("seats", [3, 4, 5])
def test_days_play_as_they_are_written(seats: int, rules: int) -> None:
    for setting in all_days(rules)[rules - 1 :: 13]:
        if setting.seats == seats:
            check_setting(setting, 1)


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.parametrize("month", range(1, 13))
def test_the_calendar_plays_as_it_is_written(month: int) -> None:
    """Every two sheets together, in version 1 of the rules those of the changed sheets; in the long
    version every day in both versions."""
    days = by_length([*pairwise_days(), *changed_days()], [*all_days(2), *all_days(1)])
    for setting in days:
        if str(setting.options["date"]).startswith(f"{month:02}"):
            for seed in by_length((2,), (2, 3)):
                check_setting(setting, seed)


def changed_days() -> list[Setting]:
    """Return days of version 1 of the rules on which a sheet has changed since, each at one number
    of seats."""
    days = all_days(1)[::3]
    changed = [day for day in days if CHANGED & set(sheets_in(day))]
    return [
        stichwerk.game("stichtag", seats=3 + at % 3, rules=1, date=day.options["date"])
        for at, day in enumerate(changed[::4])
    ]


@pytest.mark.slow
@pytest.mark.parametrize("setting", some_days(149), ids=setting_id)
def test_some_days_conform(setting: Setting) -> None:
    check_game(setting, matches=1, seed=3)


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.parametrize("month", range(1, 13))
def test_the_calendar_conforms(month: int) -> None:
    """Each day at one of its numbers of seats, by turns: all three would take minutes. In the long
    version at all of them, in both versions of the rules."""
    by_turns = [day for at, day in enumerate(pairwise_days()) if at % 3 == at // 3 % 3]
    for setting in by_length(by_turns, [*all_days(2), *all_days(1)]):
        if str(setting.options["date"]).startswith(f"{month:02}"):
            check_game(setting, matches=1, seed=5)


def test_every_two_sheets_meet_in_a_quarter_of_the_days() -> None:
    def pairs(days: Sequence[Setting]) -> set[tuple[str, str, int]]:
        named = [(calendar.sheets_of_date(str(day.options["date"])), day.seats) for day in days]
        return {(*two, seats) for sheets, seats in named for two in combinations(sheets, 2)}

    assert pairs(pairwise_days()) == pairs(all_days())
    assert len(pairwise_days()) == len(all_days()) / 4


def test_every_day_is_settled() -> None:
    dates = calendar.all_dates()
    assert len(dates) == 480
    assert [date for date in dates if calendar.unsettled(calendar.sheets_of_date(date))] == []


def test_an_unsettled_pair_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    class Rude(Sheet):
        name = "rude"
        replaces = ("trump", "low")

    class Polite(Rude):
        name = "polite"

    Polite.notes = {"red 9": ("ja", "yes"), "red 0": ("ja", "yes")}

    newest = calendar.SHEETS_OF[calendar.NEWEST]
    monkeypatch.setitem(newest, "rude", Rude)
    monkeypatch.setitem(newest, "polite", Polite)
    assert calendar.unsettled(("red 0", "rude")) == ["trump"]
    assert calendar.unsettled(("red 9", "rude")) == ["low"]
    assert calendar.unsettled(("red 9", "polite")) == []
    assert calendar.unsettled(("red 3", "rude")) == []
    assert calendar.unsettled(("rude", "red 0")) == ["trump"]
