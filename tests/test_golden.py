"""Golden records: what was once played is replayed to the same result, byte for byte."""

import shutil
from pathlib import Path

import msgspec
import pytest

from stichwerk.record import BrokenRecordError, Record, decode, encode, record, replay, verify
from tests.strategies import setting_id
from tools import golden

pytestmark = pytest.mark.game

FILES = sorted(golden.FOLDER.glob("*.jsonl"))


def lines(path: Path) -> list[bytes]:
    return path.read_bytes().splitlines()


def test_every_setting_has_a_golden_record() -> None:
    without = [setting_id(setting) for setting in golden.missing()]
    assert not without, "python -m tools.golden adds them"


def test_a_setting_without_one_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for path in FILES:
        shutil.copy(path, tmp_path)
    short = tmp_path / "stichling-4.jsonl"
    short.write_bytes(b"".join(line + b"\n" for line in lines(short)[:-1]))
    monkeypatch.setattr(golden, "FOLDER", tmp_path)
    assert [setting_id(setting) for setting in golden.missing()] == ["stichling-4-starter-3"]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_golden_records_replay_to_the_same_result(path: Path) -> None:
    for line in lines(path):
        match_record = decode(line)
        match = replay(match_record)
        assert match.over
        assert (match.totals, match.ranking) == (match_record.totals, match_record.ranking)
        assert encode(record(match)) == line


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_golden_records_are_verified_and_a_changed_one_is_not(path: Path) -> None:
    match_record = decode(lines(path)[0])
    assert verify(match_record).status == "holds"
    assert verify(with_other_scores(match_record)).id == "wrong-scores"
    with pytest.raises(BrokenRecordError):
        replay(with_other_scores(match_record))


def with_other_scores(match_record: Record) -> Record:
    """Return the same record, with one point more for seat 0 in its last round."""
    last = match_record.rounds[-1]
    assert isinstance(last.scores, tuple)
    scores = (last.scores[0] + 1, *last.scores[1:])
    changed = msgspec.structs.replace(last, scores=scores)
    return msgspec.structs.replace(match_record, rounds=(*match_record.rounds[:-1], changed))


@pytest.mark.parametrize("seats", [3, 4, 5])
@pytest.mark.parametrize("all_zero", ["nobody", "leader"])
def test_golden_sticheln_has_tricks_of_zeros(seats: int, all_zero: str) -> None:
    records = [decode(line) for line in lines(golden.FOLDER / f"sticheln-{seats}.jsonl")]
    matches = [
        replay(match_record)
        for match_record in records
        if match_record.options["all_zero"] == all_zero
    ]
    assert any(golden.worth_keeping(match) for match in matches)
