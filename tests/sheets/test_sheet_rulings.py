"""Sheets side by side: rulings, and a referee for every red sheet with every month."""

from collections.abc import Iterable
from itertools import permutations, product
from typing import Any

import pytest

import stichwerk
from stichwerk.engine.events import Event
from stichwerk.engine.generator import Generator
from stichwerk.games.stichtag.sheets.red_0 import TrumpsDrawn
from tests.rulebook.table import random_match
from tests.sheets.desk import desk, play_round, played, rounds, split_plays
from tests.sheets.pairs import PAIR_HANDS, SIX_PAIRS

pytestmark = pytest.mark.game("stichtag")


# -- Rulings, by their ids in docs/rulings.md ------------------------------------------------------


@pytest.mark.parametrize(
    ("rules", "eggs", "points"),
    [
        (1, [3, 2, 1, 0, 1, 2], (7, 6, 5)),
        (1, [0, 1, 2, 2, 1, 3], (4, 5, 8)),
        (2, [3, 2, 1, 0, 1, 2], (4, 7, 7)),
        (2, [0, 1, 2, 2, 1, 3], (4, 4, 7)),
    ],
)
def test_c1_egg_cards_are_taken_from_the_top_in_the_order_of_tricks(
    rules: int, eggs: list[int], points: tuple[int, ...]
) -> None:
    """Egg tricks of the round: Ben, Cem, Cem; in version 1 of the rules first of all Ada."""
    assert played("April", (4, 4, 4), rules=rules, eggs=eggs).scores() == points


def test_c2_a_hand_without_odd_cards_takes_up_when_its_last_even_card_leaves() -> None:
    """The only mask is in the last trick but one; Ada gives away the last card and gets an odd
    one."""
    hands = {
        "Ada": "R0 R2 R4 R8 Y0 Y2 Y4 Y8 G0 G2 R6 L0",
        "Ben": "G4 G8 B0 B2 B4 B8 S0 S2 S4 S8 Y1 Y3",
        "Cem": "L2 L4 L8 Y5 Y7 G1 G3 G5 G7 B1 B3 B5",
    }
    made = desk("February + red 8", hands=hands)
    assert made.fact("aside") == [0, 2, 9]
    while made.hand("Ada") != "R6 L0" or made.view.tricks:
        seat = made.match.waiting_for[0]
        moves = [move.text for move in made.match.moves(seat)]
        made.match.play(seat, next(move for move in moves if move not in ("R6", "L0")))
    while made.phase == "play":
        seat = made.match.waiting_for[0]
        moves = [move.text for move in made.match.moves(seat)]
        made.match.play(seat, next(move for move in moves if move != "L0"))
    odd = made.hand("Cem")
    assert int(odd[1:]) % 2 == 1
    made.play(f"Ada gives L0, Ben gives {made.hand('Ben')}, Cem gives {odd}")
    assert made.hand("Ada") == odd
    assert made.fact("aside") == [0, 0, 0]


def test_c3_discards_are_one_move_in_any_order() -> None:
    plays = "Ada G2, Ben G7, Cem G9, Cem drops S1,Y0"
    made = desk("August", plays, stock="L5 L6")
    assert made.events("discard")[0].move == "Y0,S1"
    assert made.events("drew")[0].cards == ("L5", "L6")
    assert made.fact("discarded") == ["Y0", "S1"]


def test_c4_face_down_cards_stay_and_the_first_played_is_clockwise() -> None:
    made = desk(
        "May + red 1", "Ben G4, Ada G3", starter="Ben", hands={"Cem": "R3"}, without={"Cem": "G"}
    )
    assert made.objection("Ben", "G4") == "already-chosen"
    assert made.objection("Ada", "G3") == "already-chosen"
    made.play("Cem R3")
    assert made.trick == ("Cem", "G4 R3 G3")
    assert made.next == "Cem"
    made = desk("May + red 1", "Ben G4, Ada R3, Cem G3", starter="Ben")
    assert made.winner == "Ada"
    assert made.next == "Cem"


def test_c5_who_hit_with_nothing_is_asked_too() -> None:
    made = rounds("red 4 + green 2", (0, 6, 6))
    made.play("Ada 0, Ben 1, Cem 1")
    for seat, card in split_plays(0, (0, 6, 6)):
        made.match.play(seat, card)
    assert made.waiting == "Ada"
    made.play("Ada leave")
    assert made.scores() == (0, 6, 6)


def test_c6_the_veto_card_moves_when_the_trick_stays() -> None:
    made = desk("September + red 7", "Ada G6, Ben G9, Cem G1, Ada veto Ben")
    assert made.fact("lying_tricks") == 1
    assert made.fact("veto") == 1
    assert made.next == "Ada"


def test_c7_an_empty_hand_that_receives_leads() -> None:
    plays = ", ".join(
        f"Ada {pair}, Ben G{at}, Cem S{at}"
        + (", Ada gives L0, Ben gives B1, Cem gives S9" if "6" in pair else "")
        for at, pair in enumerate(SIX_PAIRS[:5])
    )
    made = desk("February + red 2", plays, hands=PAIR_HANDS)
    made.play("Ada L1, Ben L0, Cem S5, Ada S9, Ben G5, Cem S6")
    assert made.hand("Ada") == ""
    made.play("Ben gives G6, Cem gives R0")
    assert made.next == "Ada"
    assert made.may("Ada") == "R0"


def test_c8_the_only_one_who_can_win_wins() -> None:
    """Ben is out of cards, Ada holds the Sonnenstich card: Cem wins with anything."""
    hands = {
        "Ada": "S0 S1 S2 S3 S4 S5 S6 S7 S8 R0 R1 Y9",
        "Ben": "Y0 Y1 Y2 Y3 Y4 Y5 Y6 Y7 Y8 L0 L1 L2",
        "Cem": "G0 G1 G2 G3 G4 G5 G6 G7 G8 B0 B1 B2",
    }
    made = desk("July + red 2", "Ada Y9, Ben Y0+Y1, Cem G0", hands=hands)
    assert made.fact("sunstroke") == 0
    made.play("Ada S0, Ben Y2+Y3, Cem G1")
    made.play("Ben Y4+Y5, Cem G2, Ada S1, Ben Y6+Y7, Cem G3, Ada S2, Ben L0+L1, Cem G4, Ada S3")
    made.play("Ben Y8, Cem G5, Ada S4, Ben L2, Cem G6, Ada S5")
    assert made.hand("Ben") == ""
    assert made.next == "Cem"
    made.play("Cem B0, Ada R0")
    assert made.winner == "Cem"
    made.play("Cem B1, Ada R1")
    assert made.winner == "Cem"


def test_c9_the_next_round_starts_clockwise_one_seat_on() -> None:
    made = rounds("March", (4, 4, 4), (4, 4, 4))
    for seat, card in split_plays(0, (4, 4, 4), "0134567892")[:33]:
        made.match.play(seat, card)
    assert made.fact("direction") == 1
    made.play("Cem S2, Ada Y2, Ben G2")  # turns in the last trick
    assert made.view.round == 2
    assert made.fact("direction") == 1
    assert made.next == "Ben"
    made.play("Ben Y0")
    assert made.next == "Cem"


def test_c10_a_gift_is_no_trick_and_is_not_given_on() -> None:
    made = desk("December", "Ada G6, Ben G0, Cem S1, Ada G0>Ben, Ada Y1, Ben Y2, Cem Y3")
    assert made.phase == "play"
    assert made.next == "Cem"
    assert [made.tricks(name) for name in made.names] == [1, 0, 1]
    assert made.fact("gifts") == [0, 1, 0]


def test_c11_trump_and_partners_may_come_again() -> None:
    trumps, pairs, mutual = [], [], 0
    for seed in range(20):
        first = random_match("stichtag", 4, seed, rules=1, sheets=["red 0"])
        trumps.append([event.move for event in first.events if event.kind == "trump"])
        match = random_match("stichtag", 4, seed, sheets=["red 0"])
        drawn = [event.colours for event in match.events if isinstance(event, TrumpsDrawn)]
        pairs.append([frozenset(colours) for colours in drawn])
        deal = stichwerk.game("stichtag", 4, sheets=["red 6"]).new(seed=seed).rounds[0].deal
        ((_, partners),) = deal.specials
        assert isinstance(partners, tuple)
        mutual += [partners[int(partner)] for partner in partners] == [0, 1, 2, 3]
    assert any(len(set(colours)) < 3 for colours in trumps)
    assert any(len(set(drawn)) < 3 for drawn in pairs)
    assert 0 < mutual < 20


DRAWS_OF = {
    "red 0": set(permutations("RYGBLS", 2)),
    "red 6": {way for way in permutations(range(4)) if all(way[at] != at for at in range(4))},
}


@pytest.mark.parametrize("rules", [1, 2])
def test_c11_draws_of_simulated_rounds_are_the_same_in_kind(rules: int) -> None:
    """The fast generator draws like the one of records: all pairs of colours, all ways to be
    partners."""
    seen: dict[str, set[tuple[object, ...]]] = {"red 0": set(), "red 6": set(), "April": set()}
    for sheet, found in seen.items():
        game = stichwerk.game("stichtag", 4, rules=rules, sheets=[sheet]).rules
        generator = Generator(7)
        for _ in range(240):
            state = game.new_state()
            game.shuffled_round(state, generator)
            table = game.table(state)
            partners = tuple(game.secrets(state, seat).get("partner") for seat in range(4))
            eggs = tuple(getattr(state, "eggs", ()))
            trumps: Any = table.get("trumps", [table["trump"]])
            found.add({"red 0": tuple(trumps), "red 6": partners, "April": eggs}[sheet])
    single = {(colour,) for colour in "RYGBLS"}
    assert seen["red 0"] == (single if rules == 1 else DRAWS_OF["red 0"])
    assert seen["red 6"] == DRAWS_OF["red 6"]
    assert {tuple(sorted(map(str, eggs))) for eggs in seen["April"]} == {tuple("011223")}
    assert len(seen["April"]) > 40


def test_c12_announcements_need_not_add_up() -> None:
    for announced in ("Ada 12, Ben 12, Cem 12", "Ada 0, Ben 0, Cem 0", "Ada 4, Ben 4, Cem 4"):
        assert desk("red 4", announced).phase == "play"


def test_c13_nothing_is_trump_before_it_is_chosen() -> None:
    made = desk("red 0", without={"Ada": "B"}, trumps="LB")
    for seat in (None, 0, 1, 2):
        assert made.match.view(seat).table["trump"] is None
    assert made.may("Ada") == "B L"
    assert made.objection("Ada", "pass") == "not-a-drawn-trump"
    made.play("Ada B")  # a colour that Ada does not hold
    assert made.fact("trump") == "B"


def test_c14_cards_that_are_neither_go_by_the_rule_of_the_colours() -> None:
    made = desk("July + red 9", "Ada Y0, Ben Y9, Cem Y1, Ada G5, Ben S3, Cem L7")
    assert made.fact("sunstroke") == 0
    assert made.winner == "Ben"


@pytest.mark.parametrize(("rules", "ranks"), [(1, "Ada=Ben, Cem"), (2, "Ben, Ada, Cem")])
def test_c15_points_that_were_left_count_0(rules: int, ranks: str) -> None:
    """Ada leaves the 4 points of round 2; Ben's 2 there are more than nothing."""
    results = ((6, 4, 2), (4, 2, 6), (6, 6, 0))
    made = rounds("red 4 + green 2", *results, rules=rules)
    for tricks, told in zip(results, ("1 1 1", "4 1 1", "1 1 1"), strict=True):
        answers = dict(zip(("Ada", "Ben", "Cem"), told.split(), strict=True))
        announced = {f"announce {name}": number for name, number in answers.items()}
        play_round(made, tricks, {**announced, "take Ada": "leave"})
    assert made.match.scores == ((6, 4, 2), (0, 2, 6), (6, 6, 0))
    assert made.match.totals == (12, 12, 8)
    assert made.ranks() == ranks


def test_c15_a_subtracted_round_is_below_0() -> None:
    game = stichwerk.game("stichtag", 3, sheets=["green 2"]).rules
    assert game.ranking([(9, 4, 0), (-4, 1, 0), (7, 7, 0)]) == [[1], [0], [2]]


# -- A referee of its own for every red sheet with every month -------------------------------------


class Referee:
    """Goes over the events of a round and judges by STICHTAG.md, trick by trick, in either version
    of the rules."""

    def __init__(self, seats: int, red: int, month: str, rules: int, starter: int) -> None:
        self.seats, self.red, self.month, self.rules = seats, red, month, rules
        self.values = (1, 8) if (month, rules) == ("April", 1) else VALUES[month]
        self.trumps: tuple[str, ...] = ()
        self.leader = self.veto = starter
        self.trump, self.direction = "R", 1
        self.lying: list[tuple[int, list[str]]] = []
        self.struck = self.sun = -1
        self.pile: list[str] = []
        self.pile_tricks = 0
        self.hands = [12] * seats
        self.won: list[list[str]] = [[] for _ in range(seats)]
        self.tricks, self.bonus = [0] * seats, [0] * seats
        self.eggs: list[int] = []
        self.announced: list[int] = []
        self.partners: tuple[int, ...] = ()
        self.aside = (0,) * seats
        self.due = 0

    def see(self, event: Event) -> None:
        """Follow one event."""
        seat = -1 if event.seat is None else event.seat
        if event.kind == "trumps":
            self.trumps = event.colours  # type: ignore[attr-defined]
        elif event.kind == "trump" and self.rules == 1:
            self.trump = event.move
        elif event.kind == "trump-chosen":
            assert seat == self.leader
            assert event.move in self.trumps
            assert not any(self.tricks)
            self.trump = event.move
        elif event.kind == "revealed":
            self.announced = [int(choice) for choice in event.choices]
        elif event.kind == "play":
            assert seat == self.expected()
            assert not self.due
            self.lying.append((seat, event.move.split("+")))
            self.hands[seat] -= len(event.move.split("+"))
        elif event.kind == "veto":
            assert seat == self.veto
            assert len(self.lying) == self.seats
            self.struck = -1 if event.move == "pass" else int(event.move.split()[1])
            assert self.struck != seat
            assert self.struck == -1 or self.struck != self.sun
        elif event.kind in ("trick", "stays"):
            self.settle(event)
        elif event.kind == "egg":
            self.eggs.append(seat)
        elif event.kind == "passed":
            assert event.counts == tuple(int(size > 0) for size in self.hands)
            self.due = 0
        elif event.kind == "discard":
            assert seat == self.leader
            assert len(event.move.split(",")) == self.due
            self.due = 0
        elif event.kind == "gift":
            card, _, to = event.move.partition(">")
            assert card in self.won[seat]
            assert int(to) != seat
            self.bonus[int(to)] += 1
            self.due -= 1
        elif event.kind == "aside":
            self.aside = event.counts
        elif event.kind == "partners":
            self.partners = event.counts
        elif event.kind == "eggs":
            for owner, value in zip(self.eggs, event.counts, strict=False):
                self.bonus[owner] += value
        if event.kind == "passed":
            given = list(event.counts)
            self.hands = [size - given[at] + given[at - 1] for at, size in enumerate(self.hands)]
            self.turn_lead()

    def turn_lead(self) -> None:
        """Pass the lead on from a seat without cards."""
        while self.hands[self.leader] == 0 and sum(size > 0 for size in self.hands) > 1:
            self.leader = (self.leader + self.direction) % self.seats

    def expected(self) -> int:
        """Return whose turn it is."""
        if not self.lying:
            self.turn_lead()
            return self.leader
        seat = (self.lying[-1][0] + self.direction) % self.seats
        while self.hands[seat] == 0:
            seat = (seat + self.direction) % self.seats
        return seat

    def symbols(self, cards: Iterable[str], values: tuple[int, ...]) -> int:
        return len([card for card in cards if int(card[1:]) in values])

    def winner(self, live: list[str]) -> int:
        able = [(seat, cards) for seat, cards in self.lying if seat not in (self.struck, self.sun)]
        ghost = self.month == "October" and self.symbols(live, (8,)) > 0
        led = self.lying[0][1][0][0]
        for colour in (self.trump, led):
            fitting = [play for play in able if play[1][0][0] == colour]
            if fitting:
                break
        else:
            fitting = able
        sums = [sum(int(card[1:]) for card in cards) for _, cards in fitting]
        apart = self.rules > 1 and fitting[0][1][0][0] == self.trump  # red 9 leaves trumps alone
        low = ghost != (self.red == 9 and not apart)
        return fitting[sums.index(min(sums) if low else max(sums))][0]

    def settle(self, event: Event) -> None:
        live = [card for seat, cards in self.lying if seat != self.struck for card in cards]
        every = [card for _, cards in self.lying for card in cards]
        assert list(event.cards) == every
        winner = self.winner(live)
        assert event.seat == winner
        last = sum(size > 0 for size in self.hands) < 2
        shown = self.symbols(live, self.values)
        stays = self.month == "September" and shown > 0 and not last
        assert event.kind == ("stays" if stays else "trick")
        self.pile += every
        self.pile_tricks += 1
        if not stays:
            self.won[winner] += self.pile
            self.tricks[winner] += self.pile_tricks
            self.pile, self.pile_tricks = [], 0
        self.leader = winner
        self.veto = self.veto if self.struck == -1 else self.struck
        self.effects(winner, shown, every, last)
        if self.red == 5 and self.symbols(every, (5,)):
            self.trump = "" if self.trump else "R"
        self.lying, self.struck = [], -1

    def effects(self, winner: int, shown: int, every: list[str], last: bool) -> None:
        if self.month == "March" and shown and self.red == 1:
            self.leader = (winner + 1) % self.seats
        elif self.month == "March" and shown:
            self.direction = -self.direction
        elif self.month == "May" and shown:
            bangs = [
                seat
                for seat, cards in self.lying
                if seat != self.struck and self.symbols(cards, (3,))
            ]
            self.leader = bangs[0]
        elif self.month == "July" and shown:
            self.sun = winner
        elif self.month == "November":
            for seat, cards in self.lying:
                if seat not in (winner, self.struck):
                    self.bonus[seat] += self.symbols(cards, (3,))
        elif self.month == "December":
            self.due = self.symbols(every, (0,))
        elif self.month == "August" and not last:
            held = self.hands[winner] - self.aside[winner]
            self.due = min(shown, held or self.hands[winner])  # aside cards are no hand cards
        elif self.month == "February" and not last:
            self.due = min(shown, 1)

    def points(self) -> list[int]:
        own = []
        for seat in range(self.seats):
            lucky = self.symbols(self.won[seat], self.values)
            more = {"January": lucky, "June": lucky * (lucky + 1) // 2}.get(self.month, 0)
            own.append(self.tricks[seat] + more + self.bonus[seat])
        if self.red == 4:
            hits = [5 * (a == b) for a, b in zip(self.announced, self.tricks, strict=True)]
            return [a + b for a, b in zip(own, hits, strict=True)]
        if self.red == 6:
            return [points + own[self.partners[seat]] for seat, points in enumerate(own)]
        if self.red == 3 and min(own) < max(own):
            return [points + max(own) * (points == min(own)) for points in own]
        return own


VALUES = {
    **{"January": (7,), "February": (6,), "March": (2,), "April": (8,), "May": (3,), "June": (4,)},
    **{"July": (9,), "August": (2, 7), "September": (6,), "October": (8,), "November": (3,)},
    "December": (0,),
}
CHANGED = [
    (red, month, 1)
    for red, month in product(range(10), VALUES)
    if red in (0, 9) or month == "April"
]
"""Version 1 of the rules, where a red sheet or a month has changed since."""


@pytest.mark.parametrize(("red", "month", "rules"), [*product(range(10), VALUES, [2]), *CHANGED])
def test_referee_agrees_with_whole_matches(red: int, month: str, rules: int) -> None:
    seats = 3 + (red + len(month)) % 3
    match = random_match("stichtag", seats, red, rules=rules, sheets=[f"red {red}", month])
    checked = 0
    for event in match.events:
        if event.kind == "round":
            referee = Referee(seats, red, month, rules, event.starter or 0)
        referee.see(event)
        if event.kind == "scored":
            assert list(event.scores) == referee.points()
            assert sum(len(cards) for cards in referee.won) == 12 * seats or red == 2
            assert len(referee.eggs) <= 6
            checked += 1
    assert checked == 3
