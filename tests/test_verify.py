"""A record that breaks a rule is refused, at the right place; files are judged line by line."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import stichwerk
from stichwerk.errors import BadRecordError
from stichwerk.games import registry
from stichwerk.record import (
    RecordPlace,
    Verdict,
    encode,
    record,
)
from tests.verify_setup import Json, fault, judged, play_on, record_json, unfinished

pytestmark = pytest.mark.game

Change = Callable[[Json], object]


TABLES = [(name, seats) for name in registry.GAMES for seats in registry.kind(name).seat_counts]


# Without a seed the record holds too: every test below changes one thing about it


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_valid_records_hold(name: str, seats: int) -> None:
    assert judged(record_json(name, seats)) == Verdict(status="holds")
    assert judged(record_json(name, seats, seed=True)) == Verdict(status="holds")


# Set-up


@pytest.mark.parametrize(
    ("change", "id"),
    [
        (lambda r: r.update(seats=7), "bad-seats"),
        (lambda r: r.update(seats=2), "bad-seats"),
        (lambda r: r.update(names=["a", "b", "c"]), "bad-names"),
        (lambda r: r.update(names=["a", "b", "c", "d", "e"]), "bad-names"),
        (lambda r: r.update(names=["a", "b", "c", ""]), "bad-names"),
        (lambda r: r["options"].pop("all_zero"), "missing-option"),
        (lambda r: r["options"].pop("starter"), "missing-option"),
        (lambda r: r["options"].update(target=None), "unknown-option"),
        (lambda r: r["options"].update(all_zero="nobdy"), "bad-option"),
        (lambda r: r["options"].update(rounds=0), "bad-option"),
        (lambda r: r["options"].update(rounds=None), "bad-option"),
        (lambda r: r["options"].update(starter=4), "bad-option"),
        (lambda r: r.update(rounds=[]), "no-rounds"),
        (lambda r: r.update(seed=-1), "bad-seed"),
        (lambda r: r.update(seed=2**53), "bad-seed"),
    ],
)
def test_set_up(change: Change, id: str) -> None:
    loaded = record_json("sticheln", 4)
    change(loaded)
    assert fault(loaded) == ("", id)


def test_another_option_is_another_match() -> None:
    """Four rounds cannot end a match of three, nor one of five."""
    loaded = record_json("sticheln", 4)
    loaded["options"]["rounds"] = 3
    assert fault(loaded) == ("round 4", "extra-round")
    loaded["options"]["rounds"] = 5
    assert fault(loaded) == ("round 5", "missing-round")


# Deals


def swap_hands(loaded: Json, round: int) -> None:
    hands = loaded["rounds"][round]["hands"]
    hands[0], hands[1] = hands[1], hands[0]


@pytest.mark.parametrize(
    ("change", "id"),
    [
        (lambda d: d["hands"][0].pop(), "bad-hand"),
        (lambda d: d["hands"].pop(), "bad-hands"),
        (lambda d: d["hands"].append([]), "bad-hands"),
        (lambda d: d["hands"][2].append(d["hands"][1].pop()), "bad-hand"),
        (lambda d: d["hands"][0].__setitem__(0, d["hands"][1][0]), "not-the-deck"),
        (lambda d: d["hands"][0].__setitem__(0, "X9"), "bad-card"),
        (lambda d: d["hands"][0].__setitem__(0, d["hands"][0][0].lower()), "not-as-written"),
        (lambda d: d["stock"].pop(), "not-the-deck"),
        (lambda d: d["stock"].__setitem__(0, d["stock"][1]), "not-the-deck"),
        (lambda d: d.update(starter=(d["starter"] + 1) % 3), "wrong-starter"),
        (lambda d: d.update(starter=9), "wrong-starter"),
        (lambda d: d.update(extra=[[0, None, "trump", "B"]]), "wrong-specials"),
    ],
)
@pytest.mark.parametrize("name", ["null-nichtig", "stichtag"])
def test_deals(name: str, change: Change, id: str) -> None:
    loaded = record_json(name, 3)
    change(loaded["rounds"][1])
    assert fault(loaded) == ("round 2", id)


def test_a_missing_extra_is_fine() -> None:
    loaded = record_json("stichtag", 3)
    loaded["rounds"][0]["extra"] = []
    assert judged(loaded).status == "holds"


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_the_seed_deals_again(name: str, seats: int) -> None:
    """Two cards of one hand change places: the same match to play, but not what the seed deals."""
    loaded = record_json(name, seats)
    hand = loaded["rounds"][1]["hands"][1]
    hand[3], hand[4] = hand[4], hand[3]
    assert judged(loaded).status == "holds"
    loaded["seed"] = 7
    assert fault(loaded) == ("round 2", "hand-not-as-dealt")
    assert judged(loaded).data == {"seat": 1}


def test_the_seed_deals_the_stock_again() -> None:
    loaded = record_json("stichtag", 3)
    loaded["rounds"][2]["stock"].reverse()
    assert judged(loaded).status == "holds"
    loaded["seed"] = 7
    assert fault(loaded) == ("round 3", "stock-not-as-dealt")


def test_another_seed() -> None:
    """One that draws another starter, and one that draws the same."""
    game = stichwerk.game("stichtag", seats=3)
    starters = {seed: game.new(seed=seed).rounds[0].deal.starter for seed in range(8, 40)}
    first = record_json("stichtag", 3)["rounds"][0]["starter"]
    other = next(seed for seed, starter in starters.items() if starter != first)
    same = next(seed for seed, starter in starters.items() if starter == first)
    assert fault(record_json("stichtag", 3) | {"seed": other}) == ("round 1", "wrong-starter")
    assert fault(record_json("stichtag", 3) | {"seed": same}) == ("round 1", "hand-not-as-dealt")


def test_the_starter_option_is_enforced() -> None:
    loaded = record_json("stichtag", 3)
    starter = loaded["rounds"][0]["starter"]
    loaded["options"]["starter"] = starter
    assert judged(loaded).status == "holds"
    loaded["options"]["starter"] = (starter + 1) % 3
    assert fault(loaded) == ("round 1", "wrong-starter")


# Choices


@pytest.mark.parametrize(
    ("name", "choice", "id"),
    [
        ("stichling", [1, 2, 3], "not-an-order"),
        ("stichling", [2, 4, 4], "not-an-order"),
        ("stichling", ["2", "4", "6"], "not-as-written"),
        ("stichling", [2, "4", 6], "not-as-written"),
        ("stichling", "2,4,6", "not-an-order"),
        ("null-nichtig", ["R1", "R2"], None),
        ("null-nichtig", "R1,R2,R3", "not-a-card"),
        ("null-nichtig", [1, 2, 3], "not-a-card"),
        ("sticheln", "X9", "not-a-card"),
        ("sticheln", 7, "not-a-card"),
        ("sticheln", ["R1"], "not-a-card"),
        ("sticheln", "S1", "not-in-deck"),
    ],
)
def test_choices(name: str, choice: object, id: str | None) -> None:
    loaded = record_json(name, 4)
    loaded["rounds"][1]["choices"][2] = choice
    place, found = fault(loaded)
    assert place == "round 2, choice of seat 2"
    assert id is None or found == id


def test_a_chosen_card_must_be_in_hand() -> None:
    for name, choose in [("sticheln", 0), ("null-nichtig", slice(0, 3))]:
        loaded = record_json(name, 3)
        first = loaded["rounds"][0]
        first["choices"][1] = first["hands"][2][choose]
        assert fault(loaded) == ("round 1, choice of seat 1", "not-in-hand")


def test_a_choice_has_one_spelling() -> None:
    for name in ("sticheln", "null-nichtig"):
        loaded = record_json(name, 3)
        choices = loaded["rounds"][0]["choices"]
        plain = json.dumps(choices[0])
        choices[0] = json.loads(plain.lower())
        assert fault(loaded) == ("round 1, choice of seat 0", "not-as-written")
        expected = json.dumps(json.loads(plain), separators=(",", ":"))
        assert judged(loaded).data["expected"] == expected.strip('"'), "as JSON, not as Python"
        choices[0] = json.loads(plain.replace('"', '" ', 1))
        assert fault(loaded) == ("round 1, choice of seat 0", "not-as-written")


def test_laid_cards_of_different_colours_may_change_places() -> None:
    loaded = record_json("null-nichtig", 3)
    laid = loaded["rounds"][0]["choices"]
    seat = next(at for at, cards in enumerate(laid) if len({card[0] for card in cards}) == 3)
    laid[seat].reverse()
    assert judged(loaded).status == "holds"


@pytest.mark.parametrize(
    ("name", "choices"),
    [
        ("sticheln", []),
        ("sticheln", ["R1", "R2"]),
        ("sticheln", ["R1", "R2", "R3", "R4"]),
        ("stichtag", ["R1", "R2", "R3"]),
        ("stichtag", ["R1"]),
    ],
)
def test_the_number_of_choices(name: str, choices: list[str]) -> None:
    loaded = record_json(name, 3)
    loaded["rounds"][2]["choices"] = choices
    assert fault(loaded) == ("round 3", "wrong-choices")


def test_choices_that_are_not_all_in() -> None:
    loaded = unfinished(record_json("sticheln", 3), 0, 0)
    loaded["rounds"][0]["choices"].pop()
    assert fault(loaded) == ("round 1", "wrong-choices")
    loaded["rounds"][0]["choices"] = []
    assert judged(loaded).status == "unfinished"
    loaded["rounds"][0]["scores"] = [0, 0, 0]
    assert fault(loaded) == ("round 1", "wrong-choices")


# Plays


@pytest.mark.slow
@pytest.mark.parametrize(("name", "seats"), TABLES)
@pytest.mark.parametrize("seed", [True, False])
def test_records_cut_off_at_every_play_hold(name: str, seats: int, seed: bool) -> None:
    for round in (0, 1):
        whole = len(record_json(name, seats)["rounds"][round]["plays"])
        for plays in range(whole):
            cut = unfinished(record_json(name, seats, seed), round, plays)
            assert judged(cut).status == "unfinished"
        cut = unfinished(record_json(name, seats, seed), round, whole)
        assert fault(cut) == (f"round {round + 1}", "missing-scores")
        cut["rounds"][round]["scores"] = record_json(name, seats)["rounds"][round]["scores"]
        assert judged(cut).status == "unfinished"


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_one_play_dropped(name: str, seats: int) -> None:
    """The next play is then by the wrong seat, or the last one is missing."""
    count = len(record_json(name, seats)["rounds"][1]["plays"])
    for at in (0, 1, count // 2, count - 2, count - 1):
        loaded = record_json(name, seats)
        plays = loaded["rounds"][1]["plays"]
        dropped = plays.pop(at)
        seats_differ = at < count - 1 and plays[at][0] != dropped[0]
        place, id = fault(loaded)
        if at == count - 1:
            assert (place, id) == (f"round 2, play {count}", "missing-play")
        elif seats_differ:
            assert (place, id) == (f"round 2, play {at + 1}", "wrong-seat")


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_a_card_played_twice(name: str, seats: int) -> None:
    loaded = record_json(name, seats)
    plays = loaded["rounds"][1]["plays"]
    first = plays[0]
    again = next(at for at in range(1, len(plays)) if plays[at][0] == first[0])
    plays[again][1] = first[1]
    place, id = fault(loaded)
    if name != "null-nichtig" or not first[1].endswith("0"):
        assert (place, id) == (f"round 2, play {again + 1}", "not-in-hand")


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_a_play_by_another_seat(name: str, seats: int) -> None:
    loaded = record_json(name, seats)
    play = loaded["rounds"][1]["plays"][16]
    expected = play[0]
    play[0] = (play[0] + 1) % seats
    assert fault(loaded) == ("round 2, play 17", "wrong-seat")
    assert judged(loaded).data == {"seat": play[0], "expected": expected}
    assert judged(loaded).place == RecordPlace(2, 17)
    play[0] = seats
    assert fault(loaded) == ("round 2, play 17", "no-such-seat")
    play[0] = -1
    assert fault(loaded) == ("round 2, play 17", "no-such-seat")


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_a_play_after_the_end_of_the_round(name: str, seats: int) -> None:
    """Even one that would be legal as the first play of the next round."""
    for round in (0, len(record_json(name, seats)["rounds"]) - 1):
        loaded = record_json(name, seats)
        rounds = loaded["rounds"]
        count = len(rounds[round]["plays"])
        rounds[round]["plays"].append(rounds[min(round + 1, len(rounds) - 1)]["plays"][0])
        assert fault(loaded) == (f"round {round + 1}, play {count + 1}", "extra-play")


@pytest.mark.parametrize(
    ("name", "play", "id"),
    [
        ("stichtag", [], "not-a-play"),
        ("stichtag", [0], "not-a-play"),
        ("stichtag", ["R1", 0], "not-a-play"),
        ("stichtag", [None, "R1", 0], "not-a-play"),
        ("stichtag", [None, "S11"], "not-in-deck"),
        ("stichtag", [None, 5], "not-a-card"),
        ("stichtag", [None, ["R1", "R2"]], "one-card"),
        ("stichling", [None, "G1"], "not-a-play"),
        ("stichling", [None, "G1", 4], "not-a-play"),
        ("stichling", [None, "G1", -1], "not-a-play"),
        ("stichling", [None, "G1", "new"], "not-a-play"),
        ("stichling", [None, "R1", 0], "not-in-deck"),
    ],
)
def test_malformed_plays_are_refused(name: str, play: list[object], id: str) -> None:
    loaded = record_json(name, 3)
    plays = loaded["rounds"][0]["plays"]
    plays[0] = [plays[0][0] if part is None else part for part in play]
    assert fault(loaded) == ("round 1, play 1", id)


def test_a_play_has_one_spelling() -> None:
    for name in registry.GAMES:
        for spell in (str.lower, " {}".format, "{}\n".format):
            loaded = record_json(name, 3)
            loaded["rounds"][0]["plays"][5][1] = spell(loaded["rounds"][0]["plays"][5][1])
            assert fault(loaded) == ("round 1, play 6", "not-as-written")


def test_the_duty_to_follow() -> None:
    """Stichtag: a second card that follows is changed for another colour of the same hand."""
    loaded = record_json("stichtag", 3)
    first = loaded["rounds"][0]
    plays = first["plays"]
    at = next(at for at in range(1, 36, 3) if plays[at][1][0] == plays[at - 1][1][0])
    seat, followed = plays[at]
    gone = {card for _, card in plays[:at]}
    left = [card for card in first["hands"][seat] if card not in gone]
    plays[at][1] = next(card for card in left if card[0] != followed[0])
    assert fault(loaded) == (f"round 1, play {at + 1}", "must-follow")


def test_stichling_opens_the_lowest_free_place() -> None:
    loaded = record_json("stichling", 3)
    opening = loaded["rounds"][0]["plays"][0]
    assert opening[2] == 0
    for place in (1, 2, 3):
        opening[2] = place
        assert fault(loaded) == ("round 1, play 1", "place-not-open")


def test_stichling_names_the_place() -> None:
    """Wherever the second card went, the fourth place is not open to it."""
    for seats in (2, 3, 4, 5):
        loaded = record_json("stichling", seats)
        play = loaded["rounds"][0]["plays"][1]
        play[2] = 3
        assert fault(loaded) == ("round 1, play 2", "place-not-open")


# Points and result


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_scores(name: str, seats: int) -> None:
    for round in (0, 1):
        for wrong in (lambda s: s[0] + 1, lambda s: -s[0] - 1, lambda s: 10**30):
            loaded = record_json(name, seats)
            scores = loaded["rounds"][round]["scores"]
            scores[0] = wrong(scores)
            assert fault(loaded) == (f"round {round + 1}", "wrong-scores")
    loaded["rounds"][1]["scores"].pop()
    assert fault(loaded) == ("round 2", "wrong-scores")
    del loaded["rounds"][1]["scores"]
    assert fault(loaded) == ("round 2", "missing-scores")


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_totals_and_ranking(name: str, seats: int) -> None:
    loaded = record_json(name, seats)
    totals, ranking = loaded["totals"], loaded["ranking"]
    assert fault(loaded | {"totals": [totals[0] + 1, *totals[1:]]}) == ("", "wrong-totals")
    assert fault(loaded | {"totals": totals[1:]}) == ("", "wrong-totals")
    assert fault(loaded | {"totals": None}) == ("", "missing-result")
    assert fault(loaded | {"ranking": None}) == ("", "missing-result")
    assert fault(loaded | {"ranking": ranking[::-1] if ranking[1:] else []}) == (
        "",
        "wrong-ranking",
    )
    assert fault(loaded | {"ranking": ranking[1:]}) == ("", "wrong-ranking")
    assert fault(loaded | {"ranking": [*ranking, []]}) == ("", "wrong-ranking")


def test_ties_are_in_rising_order() -> None:
    """Nobody wins a trick of zeros alone, so cut short everyone may be level; here by search."""
    for seed in range(200):
        written = record(play_on(stichwerk.game("stichtag", seats=3, rounds=2).new(seed=seed)))
        tied = [group for group in written.ranking or () if len(group) > 1]
        if tied:
            loaded = json.loads(encode(written))
            for group in loaded["ranking"]:
                group.reverse()
            assert fault(loaded) == ("", "wrong-ranking")
            return
    pytest.fail("no tie in 200 matches")


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_rounds(name: str, seats: int) -> None:
    loaded = record_json(name, seats)
    rounds = loaded["rounds"]
    last = len(rounds)
    assert fault(loaded | {"rounds": [*rounds, rounds[-1]]}) == (f"round {last + 1}", "extra-round")
    assert fault(loaded | {"rounds": rounds[:-1]}) == (f"round {last}", "missing-round")


def test_a_result_of_an_unfinished_match() -> None:
    loaded = unfinished(record_json("sticheln", 3), 1, 20)
    for field, value in [("totals", [0, 0, 0]), ("ranking", [[0, 1, 2]])]:
        assert fault(loaded | {field: value}) == ("round 2, play 21", "missing-play")


def test_an_unfinished_round_before_the_last() -> None:
    loaded = record_json("sticheln", 3)
    del loaded["rounds"][0]["plays"][20:]
    assert fault(loaded) == ("round 1, play 21", "missing-play")
    del loaded["rounds"][0]["scores"]
    assert fault(loaded) == ("round 1, play 21", "missing-play")


@pytest.mark.slow
@given(st.data())
@settings(max_examples=200)
def test_no_single_change_goes_unnoticed(data: st.DataObject) -> None:
    """One card, seat, number or name of the deal's seed is changed: the record breaks."""
    name, seats = data.draw(st.sampled_from(TABLES))
    loaded = record_json(name, seats, seed=True)
    spots = [spot for spot in leaves(loaded) if spot[0][0] != "names" and not is_place(spot[0])]
    path, value = data.draw(st.sampled_from(spots))
    part: Any = loaded
    for step in path[:-1]:
        part = part[step]
    part[path[-1]] = data.draw(others(value))
    try:
        assert judged(loaded).status == "broken", path
    except BadRecordError:
        assert path[0] in ("format", "game", "rules")


def is_place(path: tuple[Any, ...]) -> bool:
    """Drop Stichling's places: another may be just as legal, with the same points."""
    return path[:1] == ("rounds",) and path[2:3] == ("plays",) and path[-1:] == (2,)


def others(value: object) -> st.SearchStrategy[object]:
    """Another value of the same kind."""
    cards = [f"{colour}{number}" for colour in "RYGBLS" for number in range(15)]
    if isinstance(value, int):
        return st.integers(-3, 12).filter(lambda other: other != value)
    return st.sampled_from(cards).filter(lambda other: other != value)


def leaves(part: Any, path: tuple[Any, ...] = ()) -> list[tuple[tuple[Any, ...], object]]:
    if isinstance(part, dict):
        return [leaf for key in part for leaf in leaves(part[key], (*path, key))]
    if isinstance(part, list):
        return [leaf for at, item in enumerate(part) for leaf in leaves(item, (*path, at))]
    return [(path, part)]
