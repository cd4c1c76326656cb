"""What a designer gets wrong in a game: a sentence that says what, and where to look."""

import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

import stichwerk
from stichwerk import cli
from stichwerk.bots.search import part
from stichwerk.bots.tactics import tactics_of
from stichwerk.cards import Deck, card_code
from stichwerk.engine import unseen_cards
from stichwerk.engine.constants import ALL_COLOURS, NONE, PLAY
from stichwerk.engine.plain import Game, Generator, State, twin
from stichwerk.errors import BadGameError, ContradictionError
from stichwerk.games import registry
from stichwerk.games.misspelt import misspelt
from stichwerk.testing import ConformanceError, check_game
from tests.game_fault_setup import four_games as four_games
from tests.game_fault_setup import play_some, run, words
from tests.own_games import HEARTS, NO_DUTY, ODD_EVEN
from tests.own_games.small import Small, small

# -- Voids that contradict the cards ---------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("bot", ["flat@10", "tree@10"])
def test_bots_say_that_no_deal_fits(bot: str) -> None:
    """Voids are marked, but nobody has to follow."""
    run(NO_DUTY)
    with pytest.raises(ContradictionError) as caught:
        play_some(stichwerk.game("odd-even", seats=3), bot)
    facts = caught.value.data
    assert (caught.value.id, facts["game"], facts["method"]) == (
        "no-deal-fits",
        "odd-even",
        "may_play",
    )
    said = words(caught.value)
    assert re.search(rf"Seats? {facts['seats']} (together )?ha", said["en"])
    assert re.search(rf"Sitze? {facts['seats']} ha", said["de"])
    assert int(str(facts["hidden"])) > int(str(facts["fitting"]))


def test_the_conformance_suite_finds_a_wrong_void() -> None:
    run(NO_DUTY)
    fault = r"seed \d, round 1, ply \d+, seat \d: holds \w\d+, which samples may not give it"
    with pytest.raises(ConformanceError, match=fault):
        check_game(stichwerk.game("odd-even", seats=3), matches=2)


def test_a_command_reports_a_contradiction_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "no_duty.py"
    file.write_text(NO_DUTY, "utf-8")
    table = ["--seats", "3", "--games", "20", "--seed", "1", "--lang", "en"]
    assert cli.main(["simulate", str(file), "--bots", "flat@10", *table]) == cli.BAD_INPUT
    said = capsys.readouterr().err
    assert said.startswith("odd-even: No deal fits what the viewer knows (seat ")
    assert "Look at may_play" in said
    assert said.count("\n") == 1


def known_state(rules: Game, hands: list[int], voids: list[int], stock: int) -> State:
    """Return what seat 0 knows with these sizes of hands, and these voids of the others."""
    state = rules.new_state()
    rules.new_round(state, [[] for _ in hands], [NONE] * stock)
    state.hand_size[: len(hands)] = hands
    state.voids[: len(voids)] = voids
    return state


def possible(rules: Game, hands: list[int], voids: list[int], stock: int) -> bool:
    """Return whether the deck can be dealt like this, by trying."""
    live_table = [*hands, stock]

    def place(cards: tuple[int, ...]) -> bool:
        if not cards:
            return True
        for holder, left in enumerate(live_table):
            void = holder < len(voids) and voids[holder] >> (cards[0] >> 4) & 1
            if left and not void:
                live_table[holder] -= 1
                if place(cards[1:]):
                    return True
                live_table[holder] += 1
        return False

    return place(rules.deck.codes)


@pytest.mark.slow
@pytest.mark.parametrize("sweeps", ["as usual", "none"])
def test_sampling_succeeds_if_and_only_if_a_deal_fits(
    sweeps: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also without random exchanges: then cards are only placed by matching."""
    if sweeps == "none":
        monkeypatch.setattr(twin(unseen_cards.__name__), "ENOUGH", 0)
    rules = small(seats=4, cards_used=Deck("RYGB", 1, 3)).rules
    generator, outcomes = Generator(7), {True: 0, False: 0}
    for _ in range(150):
        hands = [1 + generator.number(3) for _ in range(4)]
        voids = [generator.number(16) for _ in range(4)]
        stock = 12 - sum(hands)
        state = known_state(rules, hands, voids, stock)
        expected = possible(rules, hands, voids, stock)
        outcomes[expected] += 1
        if not expected:
            with pytest.raises(ContradictionError):
                rules.complete(state, None, generator)
            continue
        rules.complete(state, None, generator)
        for seat in range(4):
            cards = [card_code(card) for card in rules.hand(state, seat)]
            assert len(cards) == hands[seat]
            assert not [card for card in cards if voids[seat] >> (card >> 4) & 1]
    assert min(outcomes.values()) > 20


def questions(rules: Game, state: State) -> Iterator[Callable[[], object]]:
    """Yield everything that draws deals for seat 0."""
    tactics = tactics_of(rules)
    search, endgame = part(rules, "search").Search, part(rules, "endgame").Endgame
    moves = [(action,) for action in rules.actions(state, 0)]
    yield partial(rules.complete, state, 0, Generator(1))
    yield partial(search(tactics, 1).flat, state, 0, moves, 20)
    yield partial(search(tactics, 1).tree, state, 0, 20)
    yield partial(search(tactics, 1).belief.drawn, state, 0, 1, 2)
    yield partial(endgame(tactics, 1).values, state, 0, 100_000)


@pytest.mark.parametrize("name", ["sticheln", "stichtag"])
def test_compiled_and_plain_games_report_it_alike(name: str) -> None:
    """What a seat knows has impossible voids: samples, searches and endgames all say so."""
    setting = stichwerk.game(name, seats=3)
    made, view = type(setting.rules), setting.new(seed=1).view(0)
    facts = []
    for rules in (setting.rules, getattr(twin(made.__module__), made.__name__)(3, setting.options)):
        state = rules.new_state()
        hands = [[card_code(card) for card in view.hand], [], []]
        rules.new_round(state, hands, [NONE] * view.stock)
        state.phase, state.owes, state.voids = PLAY, 1, [0, ALL_COLOURS, 0, 0, 0, 0]
        for ask in questions(rules, state):
            with pytest.raises(ContradictionError) as caught:
                ask()
            facts.append(caught.value.data)
    assert facts == 10 * facts[:1]
    assert (facts[0]["seats"], facts[0]["possible"]) == ("1", "-")


def test_the_smallest_group_of_seats_is_named() -> None:
    """Seats 1 and 2 hold four cards and may have only the three greens; seat 3 is innocent."""
    rules = small(seats=4, cards_used=Deck("RYGB", 1, 3)).rules
    no_green = 0b0100
    state = known_state(rules, [2, 2, 2, 2], [0, ~no_green & 15, ~no_green & 15, 0], 4)
    with pytest.raises(ContradictionError) as caught:
        rules.complete(state, None, Generator(1))
    facts = caught.value.data
    assert (facts["seats"], facts["hidden"], facts["possible"]) == ("1, 2", 4, "G1, G2, G3")
    assert facts["colours"] == "R, Y, B"
    assert "Seats 1, 2 together have 4 hidden cards" in words(caught.value)["en"]
    assert "Die Sitze 1, 2 haben zusammen 4 verdeckte Karten" in words(caught.value)["de"]


@pytest.mark.parametrize(("hands", "stock"), [([2, 2, 2], 9), ([2, 2, 9], 10), ([2, 2, 2], 12)])
def test_sizes_that_do_not_add_up_are_named(hands: list[int], stock: int) -> None:
    """Too small or too large a stock, or hands that want more cards than there are."""
    rules = small().rules
    state = known_state(rules, hands, [0, 0, 0], stock)
    if sum(hands) + stock > 16 and stock >= 16 - sum(hands) >= 0:
        rules.complete(state, None, Generator(1))  # room to spare in the stock is no contradiction
        return
    with pytest.raises(ContradictionError) as caught:
        rules.complete(state, None, Generator(1))
    facts = caught.value.data
    assert (caught.value.id, facts["hidden"], facts["stock"]) == (
        "no-deal-sizes",
        sum(hands),
        stock,
    )
    assert f"{sum(hands)} cards" in words(caught.value)["en"]


# -- Misspelt names --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("def may_play(", "def may_plays("),
        ("def strength(", "def strenght("),
        ("def score(", "def scores("),
        ("def play_card(", "def playCard("),
        ("    seat_counts =", "    seat_count ="),
        ("    def options(", "    def option("),
    ],
)
def test_a_misspelt_rule_is_refused_with_a_suggestion(right: str, wrong: str) -> None:
    assert right in ODD_EVEN
    name = wrong.strip(" =(").removeprefix("def ").strip()
    with pytest.raises(BadGameError) as caught:
        run(ODD_EVEN.replace(right, wrong))
    assert caught.value.id == "own-game-misspelt"
    assert caught.value.data["name"] == f"OddEven.{name}"
    meant = str(caught.value.data["meant"])
    assert meant == right.strip(" =(").removeprefix("def ").strip()
    assert f"Did you mean {meant}?" in words(caught.value)["en"]
    assert f"Meintest du {meant}?" in words(caught.value)["de"]
    assert "odd-even" not in registry.GAMES


@pytest.mark.parametrize(
    ("wrong", "meant"),
    [("observed_name", "observed_names"), ("step_kind", "step_kinds"), ("place", "places")],
)
def test_a_misspelt_name_for_environments_is_refused(wrong: str, meant: str) -> None:
    right = "    seat_counts = (3, 4, 5)\n"
    assert right in ODD_EVEN
    with pytest.raises(BadGameError) as caught:
        run(ODD_EVEN.replace(right, f"{right}    {wrong} = ()\n"))
    assert caught.value.data["meant"] == meant


def test_a_file_with_a_misspelt_rule_is_named_with_its_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "typo.py"
    file.write_text(ODD_EVEN.replace("def may_play(", "def may_plays("), "utf-8")
    line = ODD_EVEN[: ODD_EVEN.index("def may_play(")].count("\n") + 1
    assert cli.main(["simulate", str(file), "--bots", "flat@10", "--lang", "en"]) == cli.BAD_INPUT
    said = capsys.readouterr().err
    assert f"OddEven.may_plays (typo.py:{line}) is never called" in said
    assert "Did you mean may_play?" in said


class Calm(Small):
    """Names much like those of the frame that are all right: each is used, or begins with _."""

    scores = (1, 2)
    OPTIONS = ("a", "b")
    _strenght = 3

    def strengths(self, state: State) -> list[int]:
        return [self.strength(state, play) for play in range(state.trick_size[0])]

    def strength(self, state: State, play: int) -> int:
        return self.scores[0] + play

    @property
    def most_round(self) -> int:
        return len(self.OPTIONS)

    def most_rounds(self) -> int:
        return self.most_round

    def takes_trick(self, state: State) -> int:
        return 1

    def take_trick(self, state: State, play: int, winner: int) -> None:
        getattr(self, "takes_trick")(state)  # noqa: B009 (so are names used that are looked up)
        super().take_trick(state, play, winner)

    def worth_of_hearts(self, state: State) -> int:
        """Used by nothing, and like nothing."""
        return 0


def strongest(game: Calm, state: State) -> int:
    """Other functions of the file may use a helper."""
    return max(game.strengths(state))


def test_helpers_are_not_reported_as_misspelt() -> None:
    assert misspelt(Calm, registry.KIND_NAMES) is None
    assert registry.register(Calm) is Calm


def extended(base: type, method: str, body: str = "pass") -> type:
    """Return a class with one more method, in a file of its own: in this one tests name the
    method."""
    methods: dict[str, object] = {}
    exec(f"def {method}(self): {body}", {"__name__": "mine"}, methods)
    return type("Mine", (base,), methods)


def test_a_name_that_only_names_itself_is_refused() -> None:
    found = misspelt(extended(Game, "finish_rounds", "super().finish_rounds()"))
    assert found is not None
    assert (found.name, found.meant) == ("finish_rounds", "finish_round")


def test_a_misspelt_rule_of_an_extended_class_is_found() -> None:
    middle = extended(Game, "next_leaders")
    found = misspelt(type("Last", (middle,), {}))
    assert found is not None
    assert (found.owner, found.meant) == (middle, "next_leader")


@pytest.mark.parametrize("source", [ODD_EVEN, HEARTS, NO_DUTY], ids=["odd-even", "hearts", "step"])
def test_games_without_a_mistake_are_registered(source: str) -> None:
    known = set(registry.GAMES)
    run(source)
    assert len(set(registry.GAMES) - known) == 1


@pytest.mark.parametrize("name", registry.GAMES)
def test_our_own_games_can_be_extended(name: str) -> None:
    made = type(stichwerk.game(name, seats=3).rules)
    plain = getattr(twin(made.__module__), made.__name__)
    assert misspelt(type("Mine", (plain,), {"name": "mine"}), registry.KIND_NAMES) is None
