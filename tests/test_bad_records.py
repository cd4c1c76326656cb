"""Broken records are refused; the published schema says the same as the reader."""

import json
from contextlib import suppress
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import stichwerk
from stichwerk.errors import BadRecordError, StichwerkError
from stichwerk.record import (
    LARGEST,
    Record,
    RoundRecord,
    decode,
    encode,
    record,
    replay,
    verify,
)
from tests.record_setup import Json, finished, fits, play_on, record_json

pytestmark = [pytest.mark.game, pytest.mark.slow]


def refusal(data: bytes | str | Json) -> BadRecordError:
    with pytest.raises(BadRecordError) as caught:
        decode(json.dumps(data) if isinstance(data, dict) else data)
    return caught.value


# Reading what is no record


@pytest.mark.parametrize(
    ("data", "id"),
    [
        (b"", "not-json"),
        (b"{", "not-json"),
        (b"{}x", "not-json"),
        (b"\x00\x01", "not-json"),
        (b'{"format":NaN}', "not-json"),
        (b'{"format":"\\ud800"}', "not-json"),
        (b"\xef\xbb\xbf{}", "not-json"),
        (b"\xff\xfe{\x00}\x00", "not-utf8"),
        (b'{"format":"\xed\xa0\x80"}', "not-utf8"),
        ("\ud800", "not-utf8"),
        (b"[]", "not-an-object"),
        (b"null", "not-an-object"),
        (b"7", "not-an-object"),
        (b"{}", "wrong-format"),
        (b'{"format":"stichwerk-game/2"}', "wrong-format"),
        (b'{"format":1}', "wrong-format"),
        (b'{"format":' + b"[" * 100_000, "record-too-deep"),
        (b'{"x":' + b'{"x":' * 100_000, "record-too-deep"),
        (b" " * (LARGEST + 1), "record-too-big"),
        ("ü" * (LARGEST // 2 + 1), "record-too-big"),
        (b"\xff" * (LARGEST + 1), "record-too-big"),
    ],
    ids=lambda value: repr(value)[:30],
)
def test_data_in_another_format_is_refused(data: bytes | str, id: str) -> None:
    assert refusal(data).id == id


def test_the_largest_record_is_still_read() -> None:
    """Blanks are JSON too; one more byte than allowed is refused above."""
    written = finished("stichtag", 3)
    assert decode(written.ljust(LARGEST)) == decode(written)


@pytest.mark.parametrize("field", ["game", "seats", "names", "options", "rounds"])
def test_missing_fields(field: str) -> None:
    loaded = record_json()
    del loaded[field]
    assert (refusal(loaded).id, refusal(loaded).data) == ("missing-field", {"field": field})
    assert not fits(loaded)


def test_without_a_version_a_record_follows_the_first() -> None:
    loaded = record_json()
    del loaded["rules"]
    assert fits(loaded)
    assert decode(json.dumps(loaded)).rules == 1
    assert decode(json.dumps(loaded)) == decode(json.dumps(loaded | {"rules": 1}))
    assert verify(decode(json.dumps(loaded))).status == "holds"
    newest = record_json("stichtag", 3)
    del newest["rules"]
    assert decode(json.dumps(newest)).rules == 1  # by which the base game is the same


@pytest.mark.parametrize("field", ["starter", "hands", "stock", "choices", "plays"])
def test_missing_fields_of_a_round(field: str) -> None:
    loaded = record_json()
    del loaded["rounds"][1][field]
    assert refusal(loaded).data == {"field": f"rounds[1].{field}"}
    assert not fits(loaded)


def test_unknown_fields() -> None:
    for loaded, part, field in [
        (first := record_json(), first, "winner"),
        (second := record_json(), second["rounds"][2], "rounds[2].winner"),
    ]:
        part["winner"] = 0
        assert (refusal(loaded).id, refusal(loaded).data) == ("unknown-field", {"field": field})
        assert not fits(loaded)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("rules", "1"),
        ("rules", None),
        ("seats", 4.0),
        ("seats", True),
        ("names", "Mia"),
        ("names", [1, 2, 3, 4]),
        ("options", []),
        ("seed", "7"),
        ("seed", None),
        ("seed", 7.5),
        ("rounds", {}),
        ("totals", [1.5, 0, 0, 0]),
        ("totals", "0"),
        ("ranking", [0, 1, 2, 3]),
        ("fairness", None),
        ("fairness", []),
    ],
)
def test_wrong_types(field: str, value: object) -> None:
    loaded = record_json()
    loaded[field] = value
    error = refusal(loaded)
    assert error.id == "bad-field"
    assert str(error.data["field"]).startswith(field)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("starter", "0"),
        ("hands", {}),
        ("hands", ["R0"]),
        ("stock", None),
        ("choices", [None]),
        ("choices", [[1.5]]),
        ("plays", [0, "G8"]),
        ("plays", [[0, 1.0]]),
        ("plays", [[0, ["G8"]]]),
        ("plays", [[0, None]]),
        ("scores", None),
        ("scores", [True, 0, 0, 0]),
    ],
)
def test_wrong_types_in_a_round(field: str, value: object) -> None:
    loaded = record_json()
    loaded["rounds"][3][field] = value
    error = refusal(loaded)
    assert error.id == "bad-field"
    assert str(error.data["field"]).startswith(f"rounds[3].{field}")
    assert not fits(loaded)


@pytest.mark.parametrize(("format", "named"), [("null", "null"), ("[1,true]", "[1,true]")])
def test_an_unknown_format_is_quoted(format: str, named: str) -> None:
    with pytest.raises(BadRecordError) as caught:
        decode(f'{{"format":{format}}}')
    assert caught.value.data["format"] == named


def test_unknown_games_and_versions() -> None:
    assert refusal(record_json() | {"game": "skat"}).id == "unknown-game"
    assert not fits(record_json() | {"game": "skat"})
    error = refusal(record_json() | {"rules": 2})
    assert error.id == "unknown-rules-version"
    assert error.data == {"game": "sticheln", "version": 2, "known": "1"}


@pytest.mark.parametrize(
    ("game", "version", "known"),
    [
        ("stichtag", 3, "1, 2"),
        ("null-nichtig", 3, "1, 2"),
        ("sticheln", 2, "1"),
        ("stichtag", 0, "1, 2"),
    ],
)
def test_versions_are_looked_up_before_a_record_is_played(
    game: str, version: int, known: str
) -> None:
    later = msgspec.structs.replace(decode(finished(game, 3)), rules=version)
    with pytest.raises(BadRecordError, match="unknown-rules-version") as caught:
        replay(later)
    assert caught.value.data == {"game": game, "version": version, "known": known}
    assert verify(later).id == "unknown-rules-version"


@pytest.mark.parametrize("rules", [1, 2])
def test_a_version_has_its_own_options(rules: int) -> None:
    """`collect` came with version 2 of Null & nichtig."""
    setting = stichwerk.game("null-nichtig", seats=3, rules=rules)
    loaded = json.loads(encode(record(play_on(setting.new(seed=7)))))
    assert loaded["rules"] == rules
    assert ("collect" in loaded["options"]) is (rules == 2)
    assert verify(decode(json.dumps(loaded))).status == "holds"
    loaded["rules"] = 3 - rules
    assert not fits(loaded)
    verdict = verify(decode(json.dumps(loaded)))
    assert verdict.id == ("missing-option" if rules == 1 else "unknown-option")


def test_refusals_fit_on_a_line() -> None:
    error = refusal(record_json() | {"x" * 10_000: 0})
    assert len(str(error.data["field"])) < 100


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    with pytest.raises(BadRecordError):
        decode(data)


@given(st.text(max_size=200))
def test_any_text_is_read_or_refused(text: str) -> None:
    with pytest.raises(BadRecordError):
        decode(text)


@given(st.integers(0, 10**6), st.binary(max_size=4), st.integers(0, 3))
@settings(max_examples=300)
def test_a_record_with_other_bytes_in_it(at: int, put: bytes, cut: int) -> None:
    whole = finished("stichling", 2)
    at %= len(whole)
    try:
        changed = decode(whole[:at] + put + whole[at + cut :])
    except StichwerkError:
        return
    assert verify(changed).status in ("holds", "unfinished", "broken")


@given(st.sampled_from(sorted(Record.__struct_fields__)), json_values)
@settings(max_examples=300)
def test_any_value_in_any_field(field: str, value: object) -> None:
    check_changed(record_json("stichtag", 3) | {field: value})


@given(st.sampled_from(sorted(RoundRecord.__struct_fields__)), json_values)
@settings(max_examples=300)
def test_any_value_in_any_field_of_a_round(field: str, value: object) -> None:
    loaded = record_json("stichling", 2)
    loaded["rounds"][1][field] = value
    check_changed(loaded)


def check_changed(loaded: Json) -> None:
    """Read or refused, judged, never anything else; what holds also fits the schema."""
    try:
        verdict = verify(decode(json.dumps(loaded)))
    except StichwerkError:
        return
    if verdict.ok:
        assert fits(loaded)


# The schema alone


@pytest.mark.parametrize(
    ("name", "seats", "path", "value"),
    [
        ("sticheln", 4, ["format"], "stichwerk-game/2"),
        ("sticheln", 4, ["seats"], 3),
        ("sticheln", 4, ["seats"], 2),
        ("sticheln", 4, ["names"], ["a", "b", "c"]),
        ("sticheln", 4, ["names", 0], " "),
        ("sticheln", 4, ["options", "rounds"], 13),
        ("sticheln", 4, ["options", "rounds"], None),
        ("sticheln", 4, ["options", "starter"], 4),
        ("sticheln", 4, ["options", "target"], None),
        ("sticheln", 4, ["options"], {"all_zero": "nobody", "rounds": 4}),
        ("sticheln", 4, ["seed"], -1),
        ("sticheln", 4, ["seed"], 2**53),
        ("sticheln", 4, ["rounds"], []),
        ("sticheln", 4, ["rounds", 0, "starter"], 4),
        ("sticheln", 4, ["rounds", 0, "hands"], []),
        ("sticheln", 4, ["rounds", 0, "hands", 0, 0], "R12"),
        ("sticheln", 4, ["rounds", 0, "hands", 0, 0], "g8"),
        ("sticheln", 4, ["rounds", 0, "stock"], ["R1"]),
        ("sticheln", 4, ["rounds", 0, "choices"], ["R1"]),
        ("sticheln", 4, ["rounds", 0, "choices", 0], ["R1"]),
        ("sticheln", 4, ["rounds", 0, "plays", 5], [0, "R1", 1]),
        ("sticheln", 4, ["rounds", 0, "plays", 5], [4, "R1"]),
        ("sticheln", 4, ["rounds", 0, "plays", 5], [0]),
        ("sticheln", 4, ["rounds", 0, "extra"], [[0, 1, "gift", "G8"]]),
        ("sticheln", 4, ["rounds", 0, "scores"], [1, 2, 3]),
        ("sticheln", 4, ["totals"], None),
        ("sticheln", 4, ["ranking"], None),
        ("sticheln", 4, ["ranking"], [[0, 1, 2, 4]]),
        ("sticheln", 4, ["fairness"], {}),
        ("stichling", 3, ["options", "discard"], "both"),
        ("stichling", 3, ["rounds", 0, "choices", 0], [1, 2, 2]),
        ("stichling", 3, ["rounds", 0, "choices", 0], "1,2,3"),
        ("stichling", 3, ["rounds", 0, "plays", 0, 2], 4),
        ("stichling", 3, ["rounds", 0, "plays", 0], [0, "G8"]),
        ("stichling", 3, ["rounds", 0, "hands", 0, 0], "R1"),
        ("null-nichtig", 5, ["options", "teams"], 2),
        ("null-nichtig", 4, ["options", "teams"], 3),
        ("null-nichtig", 4, ["options", "target"], 0),
        ("null-nichtig", 4, ["rounds", 0, "stock"], []),
        ("null-nichtig", 6, ["rounds", 0, "choices", 0], ["R1", "R2", "R3"]),
        ("stichtag", 5, ["options", "date"], "09-14"),
        ("stichtag", 5, ["options", "rounds"], 4),
        ("stichtag", 5, ["options", "sheets"], ["red-4"]),
        ("stichtag", 5, ["rounds", 0, "choices"], [1, 2, 3, 4, 5]),
    ],
)
def test_the_schema_refuses(name: str, seats: int, path: list[Any], value: object) -> None:
    loaded = record_json(name, seats)
    assert fits(loaded)
    part: Any = loaded
    for step in path[:-1]:
        part = part[step]
    part[path[-1]] = value
    assert not fits(loaded)
    with suppress(BadRecordError):
        assert not verify(decode(json.dumps(loaded))).ok


def test_the_schema_wants_scores_in_a_finished_match() -> None:
    loaded = record_json("stichtag", 3)
    del loaded["rounds"][1]["scores"]
    assert not fits(loaded)
