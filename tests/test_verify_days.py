"""Records of calendar days that break a rule are refused, at the right place."""

import json
from functools import lru_cache
from typing import Any

import pytest

import stichwerk
from stichwerk.locale import text
from stichwerk.record import (
    RecordPlace,
    encode,
    record,
)
from tests.verify_setup import Json, fault, judged, play_on, record_json

pytestmark = pytest.mark.game


# Extra entries of Stichtag's days


DAYS = ("01-24", "02-01", "02-18", "04-06", "04-20", "08-02", "08-37", "12-07")


@lru_cache
def day_written(date: str, rules: int) -> str:
    setting = stichwerk.game("stichtag", seats=3, rules=rules, date=date)
    return encode(record(play_on(setting.new(seed=7)))).decode()


def day_record_json(date: str, seed: bool = False, rules: int = 2) -> Json:
    loaded: Json = json.loads(day_written(date, rules))
    if not seed:
        del loaded["seed"]
    return loaded


def entries(round_json: Json) -> list[tuple[str, Any]]:
    """Plays and extra entries in the order of happening."""
    found = []
    extra = list(round_json.get("extra", []))
    for done, play in enumerate([*round_json["plays"], None]):
        while extra and extra[0][0] == done:
            found.append(("extra", extra.pop(0)))
        if play is not None:
            found.append(("plays", play))
    return found


def secret_parts(round_json: Json, date: str) -> set[int]:
    """After how many entries a record cannot stop: some secret moves are in, others are not."""
    order = entries(round_json)
    inside = set()
    for at in range(1, len(order)):
        (before, one), (after, other) = order[at - 1], order[at]
        if before == after == "extra" and one[2] == other[2] and one[0] == other[0]:
            inside |= {at} if one[2] in ("pass", "take") else set()
        plays = sum(kind == "plays" for kind, _ in order[:at])
        if date.endswith("1") and plays % 3 and before == "plays":
            inside.add(at)
    return inside


@pytest.mark.parametrize("date", DAYS)
@pytest.mark.parametrize("seed", [True, False])
def test_a_day_cut_off_at_every_entry(date: str, seed: bool) -> None:
    whole = day_record_json(date)["rounds"][0]
    order = entries(whole)
    draws = sum(kind == "extra" and entry[1] is None for kind, entry in order)
    inside = secret_parts(whole, date)
    for count in range(draws, len(order)):
        cut = day_record_json(date, seed)
        last = cut["rounds"][0]
        last["plays"] = [entry for kind, entry in order[:count] if kind == "plays"]
        last["extra"] = [entry for kind, entry in order[:count] if kind == "extra"]
        del last["scores"], cut["rounds"][1:]
        cut |= {"totals": None, "ranking": None}
        if count in inside:
            assert fault(cut)[1] in ("missing-play", "missing-extra"), count
        else:
            assert judged(cut).status == "unfinished", (count, judged(cut))


@pytest.mark.parametrize("date", DAYS)
def test_changed_entries_are_refused_at_their_place(date: str) -> None:
    """Dropped, doubled, by another seat, of another kind, elsewhere, with another value."""
    count = len(day_record_json(date)["rounds"][0].get("extra", []))
    for at in range(0, count, 4):
        here = f"round 1, extra {at + 1}"
        kind = day_record_json(date)["rounds"][0]["extra"][at][2]
        if kind in ("trumps", "partners", "eggs"):
            continue
        before = day_record_json(date)["rounds"][0]["extra"][at][0]
        for part, value, ids in [
            (0, before + 1, {"missing-extra"}),
            (0, before - 1, {"wrong-extra", "no-extra-here"}),
            (1, 7, {"no-such-seat"}),
            (2, "feast", {"wrong-extra"}),
            (3, {}, {"not-an-extra"}),
        ]:
            loaded = day_record_json(date)
            loaded["rounds"][0]["extra"][at][part] = value
            place, id = fault(loaded)
            assert id in ids
            assert place == here
        for spoil in ("drop", "double", "seat"):
            loaded = day_record_json(date)
            extra = loaded["rounds"][0]["extra"]
            if spoil == "drop":
                del extra[at]
            elif spoil == "double":
                extra.insert(at, list(extra[at]))
            else:
                extra[at][1] = (extra[at][1] + 1) % 3
            assert judged(loaded).status == "broken"


def test_an_entry_that_is_missing_at_the_end() -> None:
    loaded = day_record_json("12-07")
    extra = loaded["rounds"][0]["extra"]
    extra.pop()
    assert fault(loaded) == (f"round 1, extra {len(extra) + 1}", "missing-extra")
    extra += [day_record_json("12-07")["rounds"][0]["extra"][-1]] * 2
    assert fault(loaded)[1] in ("no-extra-here", "wrong-extra")


def test_an_entry_where_nothing_is_asked() -> None:
    loaded = record_json("stichtag", 3)
    loaded["rounds"][0]["extra"] = [[5, 0, "veto", 1]]
    assert fault(loaded) == ("round 1, extra 1", "no-extra-here")
    loaded["rounds"][0]["extra"] = [[99, 0, "veto", 1]]
    assert fault(loaded) == ("round 1, extra 1", "no-extra-here")


def test_a_draw_by_a_seat() -> None:
    """Reported as what it is, not as "trump instead of trump"."""
    loaded = day_record_json("04-20")
    extra = loaded["rounds"][0]["extra"]
    extra.insert(0, [0, 1, *extra[0][2:]])
    assert fault(loaded) == ("round 1, extra 1", "draw-with-seat")


@pytest.mark.parametrize(
    ("date", "kind", "value"),
    [
        ("04-20", "trumps", None),
        ("04-20", "trump", None),  # in version 1 of the rules
        ("04-06", "partners", None),
        ("04-06", "eggs", [3, 2, 2, 1, 1, 0]),
    ],
)
def test_draws_are_those_of_the_seed(date: str, kind: str, value: object) -> None:
    loaded = day_record_json(date, seed=True, rules=1 if kind == "trump" else 2)
    extra = loaded["rounds"][0]["extra"]
    entry = next(entry for entry in extra if entry[2] == kind)
    if kind == "trump":
        value = "B" if entry[3] != "B" else "G"
    if kind == "trumps":
        value = entry[3][::-1]
    if kind == "partners":
        value = [1, 2, 0] if entry[3] != [1, 2, 0] else [2, 0, 1]
    if kind == "eggs" and entry[3] == value:
        value = [0, 1, 1, 2, 2, 3]
    entry[3] = value
    assert fault(loaded) == ("round 1", "special-not-as-drawn")
    for wrong, id in [([], "bad-special"), ("X", "bad-special"), (None, "bad-special")]:
        entry[3] = wrong
        assert fault(loaded) == ("round 1", id)
    entry[:] = [1, None, kind, value]
    assert fault(loaded) == ("round 1", "bad-special")
    extra.remove(entry)
    assert fault(loaded) == ("round 1", "wrong-specials")
    extra.append([0, None, kind, value])
    assert judged(loaded).status == "broken"


def test_face_down_cards_are_in_clockwise_order() -> None:
    loaded = day_record_json("02-01")
    plays = loaded["rounds"][0]["plays"]
    plays[1], plays[2] = plays[2], plays[1]
    assert fault(loaded) == ("round 1, play 2", "not-as-written")
    loaded = day_record_json("02-01")
    second = loaded["rounds"][0]["plays"][1]
    second[1] = second[1].lower()
    assert fault(loaded) == ("round 1, play 2", "not-as-written")


def test_passed_cards_are_in_seat_order() -> None:
    loaded = day_record_json("02-18")
    extra = loaded["rounds"][0]["extra"]
    extra[0], extra[1] = extra[1], extra[0]
    assert fault(loaded) == ("round 1, extra 1", "not-as-written")


def test_a_pair_has_one_spelling() -> None:
    loaded = day_record_json("08-02")
    plays = loaded["rounds"][0]["plays"]
    at = next(at for at, play in enumerate(plays) if isinstance(play[1], list))
    plays[at][1].reverse()
    assert fault(loaded) == (f"round 1, play {at + 1}", "not-as-written")


def test_discards_may_be_in_any_order() -> None:
    loaded = day_record_json("08-02")
    many = [
        e for round_json in loaded["rounds"] for e in round_json.get("extra", []) if len(e[3]) > 1
    ]
    assert many
    for entry in many:
        entry[3].reverse()
    assert judged(loaded).status == "holds"
    many[0][3][0] = many[0][3][0].lower()
    assert fault(loaded)[1] == "not-as-written"


def test_places_are_put_into_words() -> None:
    place = RecordPlace(2, extra=5)
    assert (str(place), place.id) == ("round 2, extra 5", "place-extra")
    assert text(place.id, "de", **place.data) == "Runde 2, Zusatz 5"
