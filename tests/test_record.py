"""Records: written, read and played again; the published schema says the same as the reader."""

import json
from collections.abc import Iterator
from contextlib import suppress

import msgspec
import pytest

import stichwerk
from stichwerk.engine.events import Event
from stichwerk.errors import BadOptionError, BadRecordError, BadSeatsError
from stichwerk.games import registry
from stichwerk.games.stichtag import record_schema
from stichwerk.games.stichtag.calendar import all_dates
from stichwerk.match import Match, Setting
from stichwerk.record import (
    FORMAT,
    decode,
    encode,
    record,
    replay,
    replay_with_moves,
    schema,
    verify,
)
from tests.record_setup import Json, finished, fits, play_on, record_json, validator

pytestmark = pytest.mark.game


def every_setting() -> Iterator[Setting]:
    """Yield every game with every number of seats, each option's values one after the other."""
    for name in registry.GAMES:
        for seats in registry.kind(name).seat_counts:
            yield stichwerk.game(name, seats=seats)
            for option in registry.options_of(name, seats):
                values = list(option.values)
                if option.lowest is not None and option.highest is not None:
                    values += [option.lowest, min(option.highest, 60)]
                for value in values:
                    with suppress(BadOptionError):  # some values need another option
                        yield stichwerk.game(name, seats=seats, **{option.name: value})


SETTINGS = list({repr(setting): setting for setting in every_setting()}.values())

PLAIN = [setting for setting in SETTINGS if setting.options.get("starter") is None]


# Round trips


@pytest.mark.slow
@pytest.mark.parametrize("setting", SETTINGS, ids=repr)
def test_a_record_is_read_and_played_again(setting: Setting) -> None:
    match = play_on(setting.new(seed=len(repr(setting))))
    written = record(match)
    assert decode(encode(written)) == written
    assert decode(encode(written).decode()) == written
    assert verify(written).status == "holds"
    again = replay(written)
    assert (again.events, again.ranking) == (match.events, match.ranking)
    assert record(again) == written
    assert fits(json.loads(encode(written)))


@pytest.mark.parametrize("setting", PLAIN, ids=repr)
def test_given_deals_have_no_seed_in_the_record(setting: Setting) -> None:
    dealt = [log.deal for log in play_on(setting.new(seed=3)).rounds]
    written = record(play_on(setting.new(deals=dealt[:1])))
    assert "seed" not in json.loads(encode(written))
    assert verify(written).ok
    assert replay(written).rounds[0].deal == dealt[0]
    assert fits(json.loads(encode(written)))


@pytest.mark.slow
@pytest.mark.parametrize("name", registry.GAMES)
def test_every_prefix_of_a_match_is_a_record(name: str) -> None:
    """Also between two secret choices, which stay out of it until all are in."""
    match = stichwerk.game(name, seats=3).new(seed=1)
    while not match.over:
        written = record(match)
        assert verify(written).status == "unfinished"
        assert decode(encode(written)) == written
        assert fits(json.loads(encode(written)))
        assert (written.totals, written.ranking) == (None, None)
        assert written.rounds[-1].scores is msgspec.UNSET
        assert all(len(one_round.choices) in (0, 3) for one_round in written.rounds)
        play_on(match, 1)
    assert verify(record(match)).status == "holds"


@pytest.mark.parametrize("name", registry.GAMES)
def test_an_unfinished_match_can_be_continued(name: str) -> None:
    match = play_on(stichwerk.game(name, seats=4).new(seed=2), 70)
    again = replay(record(match))
    assert (again.events, again.waiting_for) == (match.events, match.waiting_for)
    assert again.view(0) == match.view(0)
    assert record(play_on(again)) == record(play_on(match))


def test_secret_choices_stay_out_until_all_are_in() -> None:
    match = stichwerk.game("sticheln", seats=3).new(seed=1)
    match.play(0, match.moves(0)[0])
    match.play(2, match.moves(2)[0])
    assert record(match).rounds[0].choices == ()
    match.play(1, match.moves(1)[0])
    assert len(record(match).rounds[0].choices) == 3
    assert verify(record(match)).status == "unfinished"


# Days of the calendar


DAYS = [
    *all_dates()[::11],
    *(
        "01-24",
        "02-12",
        "02-18",
        "04-10",
        "04-06",
        "08-22",
        "08-07",
        "12-02",
        "12-27",
        "03-01",
        "09-14",
    ),
]

ALONE = [["red 1"], ["red 2", "December"], ["green 2", "red 4"], ["green 3"], ["red 6", "April"]]

SPREAD = [
    *(stichwerk.game("stichtag", seats=3 + at % 3, date=date) for at, date in enumerate(DAYS)),
    *(stichwerk.game("stichtag", seats=seats, sheets=names) for names in ALONE for seats in (3, 5)),
]


def in_the_open(match: Match) -> list[Event]:
    """Return what happened, but for the order in which secret choices came in: no record keeps
    that."""
    return [event for event in match.events if event.kind not in ("choice", "chosen")]


def setting_id(setting: Setting) -> str:
    return f"{setting.options['date'] or setting.options['sheets']}-{setting.seats}"


@pytest.mark.slow
@pytest.mark.parametrize("setting", SPREAD, ids=setting_id)
def test_a_day_is_read_and_played_again(setting: Setting) -> None:
    match = play_on(setting.new(seed=3))
    written = record(match)
    loaded = json.loads(encode(written))
    assert [error.message for error in validator().iter_errors(loaded)] == []
    assert decode(encode(written)) == written
    assert verify(written).status == "holds"
    again = replay(written)
    assert (in_the_open(again), record(again)) == (in_the_open(match), written)


def test_the_sample_covers_every_kind_of_entry() -> None:
    assert len({setting_id(setting) for setting in SPREAD}) >= 60
    found = set()
    for setting in SPREAD:
        for one_round in json.loads(encode(record(play_on(setting.new(seed=3)))))["rounds"]:
            found |= {entry[2] for entry in one_round.get("extra", [])}
    drawn = {"trumps", "partners", "eggs"}
    assert found == drawn | {"trump", "veto", "pass", "discard", "gift", "take"}


@pytest.mark.slow
@pytest.mark.parametrize("date", ["01-24", "02-01", "02-18", "04-10", "04-36", "08-02", "12-07"])
def test_every_prefix_of_a_day_is_a_record(date: str) -> None:
    match = stichwerk.game("stichtag", seats=3, date=date).new(seed=1)
    while len(match.rounds) == 1:  # all of a round; later ones are no different
        written = record(match)
        assert verify(written).status == "unfinished"
        if len(written.rounds[0].plays) % 6 == 0:
            assert fits(json.loads(encode(written)))
        again = replay(written)
        assert record(again) == written
        if not match.rounds[-1].pending:
            views = [msgspec.structs.replace(one.view(1), history=()) for one in (again, match)]
            assert views[0] == views[1]
        play_on(match, 1)
    assert verify(record(play_on(match))).status == "holds"


def test_how_a_day_is_written() -> None:
    def rounds(date: str, rules: int = 2) -> list[Json]:
        match = play_on(stichwerk.game("stichtag", seats=3, rules=rules, date=date).new(seed=2))
        loaded: list[Json] = json.loads(encode(record(match)))["rounds"]
        return loaded

    assert all(isinstance(number, int) for number in rounds("09-14")[0]["choices"])
    plays = [play for one_round in rounds("05-02") for play in one_round["plays"]]
    assert {len(card) for _, card in plays if isinstance(card, list)} == {2}
    for _, pair in plays:
        if isinstance(pair, list):
            assert pair[0][0] == pair[1][0]
            assert int(pair[0][1:]) < int(pair[1][1:])
    for one_round in rounds("05-01"):
        for at in range(0, 36, 3):  # face down: leader first, then clockwise
            seats = [seat for seat, _ in one_round["plays"][at : at + 3]]
            assert seats == [(seats[0] + step) % 3 for step in range(3)]
    for one_round in rounds("02-08"):
        given = [entry for entry in one_round["extra"] if entry[2] == "pass"]
        for at in {entry[0] for entry in given}:
            assert [entry[1] for entry in given if entry[0] == at] == [0, 1, 2]
    first = rounds("04-06")[0]["extra"]
    assert [entry[:3] for entry in first] == [[0, None, "partners"], [0, None, "eggs"]]
    first = rounds("04-10", rules=1)[0]["extra"]
    assert [entry[:3] for entry in first] == [[0, None, "trump"], [0, None, "eggs"]]
    for one_round in rounds("04-10"):
        starter = one_round["starter"]
        drawn, eggs, chosen = one_round["extra"]
        assert [drawn[:3], eggs[:3]] == [[0, None, "trumps"], [0, None, "eggs"]]
        assert chosen[:3] == [0, starter, "trump"]
        assert chosen[3] in drawn[3]


EXTRAS: list[tuple[str, list[object]]] = [
    ("01-00", [0, None, "trump", "R"]),
    ("01-00", [0, None, "trumps", "RB"]),
    ("01-00", [0, None, "trumps", ["R"]]),
    ("01-00", [0, None, "trumps", ["R", "R"]]),
    ("01-00", [0, None, "trumps", ["R", "X"]]),
    ("01-00", [0, None, "trumps", ["R", "B", "Y"]]),
    ("01-00", [1, None, "trumps", ["R", "B"]]),
    ("01-00", [0, 1, "trumps", ["R", "B"]]),
    ("01-00", [0, 1, "trump", "R"]),  # instead of the draw
    ("01-06", [0, 1, "trump", "R"]),
    ("01-06", [0, None, "partners", [1, 2]]),
    ("01-06", [0, None, "partners", [1, 2, 2]]),
    ("01-06", [0, None, "partners", [1, 3, 0]]),
    ("04-05", [0, None, "eggs", [0, 1, 1, 2, 2, 2]]),
    ("04-05", [0, None, "eggs", [0, 1, 1, 2, 2]]),
    ("01-07", [3, None, "veto", 1]),
    ("01-07", [3, 0, "veto", 3]),
    ("01-07", [3, 0, "veto", "1"]),
    ("01-07", [3, 3, "veto", 1]),
    ("01-07", [0, 0, "veto", 1]),
    ("01-07", [3, 0, "veto"]),
    ("01-07", [3, 0, "veto", 1, 1]),
    ("01-07", [3, 0, "gift", ["G0", 1]]),
    ("01-07", [3, 0, "take", True]),
    ("02-05", [3, 0, "pass", "G10"]),
    ("02-05", [3, 0, "pass", ["G1"]]),
    ("02-05", [3, 0, "pass", None]),
    ("08-05", [3, 0, "discard", "G1"]),
    ("08-05", [3, 0, "discard", []]),
    ("08-05", [3, 0, "discard", ["G1", "G1"]]),
    ("12-05", [3, 0, "gift", ["G1", 1]]),
    ("12-05", [3, 0, "gift", ["G0", 3]]),
    ("12-05", [3, 0, "gift", ["G0"]]),
    ("12-05", [3, 0, "present", ["G0", 1]]),
    ("01-24", [36, 0, "take", 1]),
    ("01-14", [36, 0, "take", True]),
    ("01-05", [37, 0, "veto", 1]),
]


def test_the_committed_schema_is_as_the_sheets_describe_it() -> None:
    """Otherwise run `python -m stichwerk.games.stichtag.record_schema`."""
    assert schema().decode() == record_schema.text()


OLDER_EXTRAS: list[list[object]] = [
    [0, None, "trump", "X"],
    [1, None, "trump", "R"],
    [0, 1, "trump", "R"],
    [0, None, "trumps", ["R", "B"]],
]


@pytest.mark.parametrize("entry", OLDER_EXTRAS)
def test_the_schema_refuses_extras_of_version_1(entry: list[object]) -> None:
    match = stichwerk.game("stichtag", seats=3, rules=1, date="01-00").new(seed=2)
    loaded = json.loads(encode(record(match)))
    assert fits(loaded)
    loaded["rounds"][0]["extra"] = [entry]
    assert not fits(loaded)
    with suppress(BadRecordError):
        assert not verify(decode(json.dumps(loaded))).ok


@pytest.mark.parametrize(
    "choice", [[0, 3, "trump", "R"], [1, 0, "trump", "R"], [0, 0, "trump", "X"]]
)
def test_the_schema_refuses_choices_of_trump(choice: list[object]) -> None:
    match = stichwerk.game("stichtag", seats=3, date="01-00").new(seed=2)
    loaded = json.loads(encode(record(play_on(match, 1))))
    assert fits(loaded)
    loaded["rounds"][0]["extra"][1] = choice
    assert not fits(loaded)


@pytest.mark.parametrize(("date", "entry"), EXTRAS)
def test_the_schema_refuses_extras(date: str, entry: list[object]) -> None:
    """In place of the first entry, or alone where the day had none so far."""
    match = stichwerk.game("stichtag", seats=3, date=date).new(seed=2)
    loaded = json.loads(encode(record(match)))
    assert fits(loaded)
    extra = loaded["rounds"][0].setdefault("extra", [])
    extra[:1] = [entry]
    assert not fits(loaded)
    with suppress(BadRecordError):
        assert not verify(decode(json.dumps(loaded))).ok


@pytest.mark.parametrize(
    ("options", "fine"),
    [
        ({"date": "09-14", "rounds": None}, True),
        ({"date": "12-39", "rounds": None}, True),
        ({"date": "09-14"}, False),
        ({"date": "09-40", "rounds": None}, False),
        ({"date": "13-01", "rounds": None}, False),
        ({"date": "9-14", "rounds": None}, False),
        ({"date": 914, "rounds": None}, False),
        ({"rounds": None}, False),
        ({"rounds": 2}, True),
        ({"sheets": ["red 3"]}, True),
        ({"sheets": ["red 3", "May"], "rounds": 2}, True),
        ({"sheets": ["green 1"], "rounds": None}, True),
        ({"sheets": ["green 1"]}, False),
        ({"sheets": ["red 10"]}, False),
        ({"sheets": ["may"]}, False),
        ({"sheets": ["red 3", "May", "green 1"], "rounds": None}, False),
        ({"sheets": ["red 3@" + "a" * 64]}, True),
        ({"sheets": ["red 3@" + "A" * 64]}, False),
        ({"sheets": ["red 3"], "date": "09-14", "rounds": None}, False),
        ({"sheets": ["red 4@" + "a" * 64], "date": "09-14", "rounds": None}, True),
    ],
)
def test_the_options_of_a_day_in_the_schema(options: Json, fine: bool) -> None:
    loaded = json.loads(encode(record(stichwerk.game("stichtag", seats=3).new(seed=1))))
    loaded["options"] |= options
    assert fits(loaded) is fine


# The form


def test_the_order_of_the_fields() -> None:
    loaded = record_json()
    fields = "format game rules seats names options seed rounds totals ranking"
    assert " ".join(loaded) == fields
    assert " ".join(loaded["rounds"][0]) == "starter hands stock choices plays scores"
    assert loaded["format"] == FORMAT == "stichwerk-game/1"
    assert list(loaded["options"]) == ["all_zero", "rounds", "starter"]


def test_a_record_is_one_line() -> None:
    names = ["Mia\n", "Jakob\u2028", "Größe 9 ", '"']
    match = stichwerk.game("sticheln", seats=4, rounds=1).new(seed=1, names=names)
    written = encode(record(match))
    assert b"\n" not in written
    assert list(decode(written).names) == names


def test_a_replayed_match_has_the_names_of_its_record() -> None:
    names = ("Mia", "Jakob", "Greta")
    match = stichwerk.game("sticheln", seats=3, rounds=1).new(seed=1, names=names)
    again, _ = replay_with_moves(record(match))
    assert again.names == match.names == names


def test_how_choices_and_plays_are_written() -> None:
    stichling = record_json("stichling", 3)["rounds"][1]
    assert sorted(stichling["choices"][0]) == [2, 4, 6]
    assert stichling["plays"][0][2] == 0
    assert len(record_json("null-nichtig", 3)["rounds"][0]["choices"][0]) == 3
    assert len(record_json("null-nichtig", 6)["rounds"][0]["choices"][0]) == 2
    assert isinstance(record_json("sticheln", 3)["rounds"][0]["choices"][0], str)
    assert record_json("stichtag", 3)["rounds"][0]["choices"] == []
    assert all(len(play) == 2 for play in record_json("stichtag", 3)["rounds"][0]["plays"])


def test_records_are_frozen() -> None:
    written = decode(finished("stichtag", 3))
    with pytest.raises(AttributeError):
        written.game = "sticheln"  # type: ignore[misc]
    with pytest.raises(AttributeError):
        written.rounds[0].starter = 1  # type: ignore[misc]


def test_the_deals_of_seed_7() -> None:
    """The check values of the deal streams, all the way through a match into its record."""
    for name, seats, starter, hand in [
        ("sticheln", 4, 3, "G5 R9 G3 L4 B3 R2 Y5 R1 B1 G4 G7 G2 Y8 B5 B11"),
        ("null-nichtig", 3, 2, "B1 Y2 Y7 B8 G8 Y0 R6 G2 G3 Y1 B3 G6 B9"),
        ("stichtag", 5, 0, "Y4 B2 G6 L8 R4 S10 G11 R3 B10 R8 L9 L2"),
        ("stichling", 2, 1, "Y1 L3 Y3 Y6 L4 L1 L6 Y4 G4 B1 G5 L5"),
    ]:
        first = record(stichwerk.game(name, seats=seats).new(seed=7)).rounds[0]
        assert (first.starter, " ".join(first.hands[starter])) == (starter, hand)
    stock = record(stichwerk.game("null-nichtig", seats=3).new(seed=7)).rounds[0].stock
    assert stock[:4] == ("R5", "G9", "Y6", "G0")


def test_names_must_be_text_a_file_can_hold() -> None:
    with pytest.raises(BadSeatsError):
        stichwerk.game("stichtag", seats=3).new(seed=1, names=["a", "b", "\ud800"])


def test_every_game_has_its_rules_version() -> None:
    for setting in SETTINGS:
        assert setting.rules.version in registry.kind(setting.name).versions
