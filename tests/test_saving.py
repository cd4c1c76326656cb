"""Matches saved in files: what is in them, how they are resumed, and what happens to bad ones."""

import io
import json
import os
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import pytest

import stichwerk
from stichwerk import cli
from stichwerk.cli.output_files import cannot_write
from stichwerk.cli.play_command import is_stream
from stichwerk.errors import BadFileError, StichwerkError
from stichwerk.match import Match
from stichwerk.record import decode, encode, record, verify
from stichwerk.terminal import saving
from stichwerk.terminal.saving import (
    MatchSaver,
    Seating,
    last_file,
    new_file,
    resume,
    seating_file,
    trusted_bots,
    write_atomically,
)
from stichwerk.terminal.seat import LocalSeat
from stichwerk.terminal.session import seat_names

COMMAND = (sys.executable, "-c", "import sys; from stichwerk.cli import main; sys.exit(main())")
SETTINGS = [
    ("stichling", 3, {}),
    ("null-nichtig", 4, {}),
    ("sticheln", 5, {"rounds": 2}),
    ("stichtag", 3, {"date": "09-14"}),  # an announcement
    ("stichtag", 4, {"date": "06-28"}),
    ("stichtag", 4, {"date": "12-18"}),  # cards laid face down
]
SEED = 11


def bots(seats: int, seat: int) -> dict[int, stichwerk.bots.Bot]:
    others = [other for other in range(seats) if other != seat]
    return {other: stichwerk.bot("medium", SEED + other) for other in others}


def keeper(folder: Path, file: Path | None = None, seats: int = 4) -> MatchSaver:
    where = folder / "terminal"
    return MatchSaver(
        file or where / "match.json",
        Seating(seat=0, bots=("medium-1",) * (seats - 1)),
        folder=where,
        passing=file is None,
        failure=cannot_write,
    )


def sit(match: Match, keep: MatchSaver | None) -> LocalSeat:
    return LocalSeat(match, 0, bots(match.rules.seats, 0), "en", keep=keep)


def play(player_seat: LocalSeat, moves: int | None = None) -> int:
    """Make this many moves of the person, each the middle one of those listed; all, without a
    number."""
    made = 0
    while not player_seat.over and made != moves:
        if player_seat.owes:
            listed = player_seat.view.moves
            player_seat.play(listed[len(listed) // 2])
            made += 1
        else:
            player_seat.wait(None)
    return made


def new(game: str, seats: int, options: dict[str, object]) -> Match:
    setting = stichwerk.game(game, seats=seats, **options)
    return setting.new(seed=SEED, names=seat_names(seats, 0, "Ada"))


# -- Going on --------------------------------------------------------------------------------------


def gone_on(player_seat: LocalSeat, keep: MatchSaver) -> Match:
    """Return the match, saved and read again."""
    saved = resume(Path(player_seat.save()), "en")
    assert verify(decode(keep.file.read_bytes())).status == "unfinished"
    assert saved.seating == keep.seating
    return saved.match


@pytest.mark.slow
@pytest.mark.parametrize(("game", "seats", "options"), SETTINGS)
def test_a_resumed_match_ends_as_if_never_interrupted(
    tmp_path: Path, game: str, seats: int, options: dict[str, object]
) -> None:
    """Left after every few moves of the person, wherever that is: in choices, tricks, between
    rounds."""
    whole = sit(new(game, seats, options), None)
    moves = play(whole)
    keep = keeper(tmp_path, tmp_path / "match.json", seats)
    player_seat = sit(new(game, seats, options), keep)
    left = 0
    while verify(record(player_seat.match)).status == "unfinished":
        player_seat = sit(gone_on(player_seat, keep), keep)
        play(player_seat, 1 + left % 4)
        left += 1
    assert left > moves / 5
    assert encode(record(player_seat.match)) == encode(record(whole.match))
    assert verify(decode(keep.file.read_bytes())).status == "holds"


def test_an_unrevealed_secret_choice_is_made_again(tmp_path: Path) -> None:
    """It is in no record, as the choices of the others are not there yet."""
    keep = keeper(tmp_path, tmp_path / "match.json")
    player_seat = sit(new("sticheln", 4, {}), keep)
    first = player_seat.view
    player_seat.play(first.moves[3])
    assert not player_seat.owes
    again = sit(resume(keep.file, "en").match, keep)
    assert again.view == first
    assert decode(keep.file.read_bytes()).rounds[0].choices == ()
    play(again, 2)
    assert len(decode(Path(again.save()).read_bytes()).rounds[0].choices) == 4


def test_the_match_is_saved_after_every_move_of_ones_own(tmp_path: Path) -> None:
    keep = keeper(tmp_path)
    player_seat = sit(new("stichtag", 4, {"starter": 0}), keep)
    assert not keep.file.exists()
    assert last_file(keep.folder) is None
    play(player_seat, 1)
    assert len(decode(keep.file.read_bytes()).rounds[0].plays) == 1
    play(player_seat, 1)
    assert len(decode(keep.file.read_bytes()).rounds[0].plays) > 1
    assert last_file(keep.folder) == keep.file
    assert seating_file(keep.file).exists()


def test_a_finished_match_cannot_be_resumed(tmp_path: Path) -> None:
    keep = keeper(tmp_path)
    play(sit(new("sticheln", 4, {"rounds": 1}), keep))
    assert [path.name for path in keep.folder.iterdir()] == []
    named = keeper(tmp_path, tmp_path / "mine.json")
    play(sit(new("sticheln", 4, {"rounds": 1}), named))
    assert verify(decode(named.file.read_bytes())).status == "holds"
    assert not seating_file(named.file).exists()
    assert last_file(named.folder) is None


def test_the_last_match_is_the_one_resumed(tmp_path: Path) -> None:
    """Two windows: the one that ends does not take the other's."""
    one = keeper(tmp_path, tmp_path / "one.json")
    other = keeper(tmp_path, tmp_path / "other.json")
    player_seat = sit(new("sticheln", 4, {"rounds": 1}), one)
    play(player_seat, 1)
    play(sit(new("sticheln", 4, {}), other), 2)
    assert last_file(one.folder) == other.file
    play(player_seat)
    assert last_file(one.folder) == other.file


def test_names_of_files(tmp_path: Path) -> None:
    now = datetime(2026, 11, 16, 7, 5, 3, tzinfo=UTC)
    first = new_file(tmp_path, "sticheln", now)
    assert first.name == "sticheln-20261116-070503.json"
    first.touch()
    assert new_file(tmp_path, "sticheln", now).name == "sticheln-20261116-070503-2.json"


# -- Writing at one stroke -------------------------------------------------------------------------


def test_a_file_is_replaced_atomically(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "match.json"
    write_atomically(file, b"old")

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        write_atomically(file, b"new, and much longer")
    assert file.read_bytes() == b"old"
    assert [path.name for path in tmp_path.iterdir()] == ["match.json"]


def test_a_full_disk_does_not_stop_the_match(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    player_seat = sit(new("stichtag", 4, {"starter": 0}), keeper(tmp_path))

    def full(file: Path, data: bytes) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(saving, "write_atomically", full)
    play(player_seat, 1)
    (result,) = player_seat.notices()
    assert "No space left on device" in result
    assert player_seat.notices() == []
    with pytest.raises(BadFileError):
        player_seat.save()


def test_only_the_owner_may_read_all_hands(tmp_path: Path) -> None:
    keep = keeper(tmp_path)
    play(sit(new("sticheln", 4, {}), keep), 1)
    for file in (keep.file, seating_file(keep.file)):
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert len(decode(keep.file.read_bytes()).rounds[0].hands) == 4


def test_a_symlink_stays_a_symlink(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    link = tmp_path / "link.json"
    link.symlink_to(tmp_path / "there" / "match.json")
    write_atomically(link, b"1")
    assert link.is_symlink()
    assert (tmp_path / "there" / "match.json").read_bytes() == b"1"


# -- Bad files -------------------------------------------------------------------------------------


def saved_lines() -> Iterator[tuple[str, bytes]]:
    """Yield files that are no unfinished match, each with the words that say so."""
    match = new("sticheln", 4, {"rounds": 1, "starter": 0})
    unfinished = json.loads(encode(record(match)))
    play(sit(match, None))
    yield "is over", encode(record(match))
    yield "is empty", b" \n"
    yield "This is not JSON", b'{"format":'
    yield "This is not text", b"\xff\xfe"
    yield "only stichwerk-game/1", b'{"format":"chess"}'
    yield "There is no field surprise", json.dumps({**unfinished, "surprise": 1}).encode()
    unseeded = {key: value for key, value in unfinished.items() if key != "seed"}
    yield "has no seed", json.dumps(unseeded).encode()
    other = {**unfinished, "seed": 12}
    yield "round 1: The hand of seat 0 is not the one", json.dumps(other).encode()


def test_bad_files_are_refused_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "match.json"
    for words, raw in saved_lines():
        file.write_bytes(raw)
        assert cli.main(["play", "--resume", str(file), "--lang", "en"]) == 2, words
        result = capsys.readouterr()
        assert (result.out, result.err.count("\n")) == ("", 1)
        assert words in result.err
        assert file.read_bytes() == raw


@pytest.mark.parametrize(
    "note",
    [
        b"{",
        b'{"format":"stichwerk-seat/1","seat":4,"bots":["a","b","c"]}',
        b'{"format":"stichwerk-seat/1","seat":-1,"bots":["a","b","c"]}',
        b'{"format":"stichwerk-seat/1","seat":0,"bots":["a"]}',
        b'{"format":"stichwerk-seat/2","seat":0,"bots":["a","b","c"]}',
        b'{"format":"stichwerk-seat/1","seat":0,"bots":["a","b","c"],"run":"rm"}',
    ],
)
def test_a_note_that_does_not_fit_is_refused(tmp_path: Path, note: bytes) -> None:
    keep = keeper(tmp_path, tmp_path / "match.json")
    play(sit(new("sticheln", 4, {}), keep), 1)
    seating_file(keep.file).write_bytes(note)
    with pytest.raises(BadFileError) as refused:
        resume(keep.file, "en")
    assert refused.value.id == "bad-seat-note"
    seating_file(keep.file).unlink()
    assert resume(keep.file, "en").seating is None


def test_no_program_is_started_because_a_file_says_so(tmp_path: Path) -> None:
    seating = Seating(seat=0, bots=("medium", "program:touch /tmp/oops", "easy"))
    with pytest.raises(BadFileError) as refused:
        trusted_bots(tmp_path / "match.json", seating)
    assert refused.value.id == "seat-note-program"


# -- The command -----------------------------------------------------------------------------------


class Done(NamedTuple):
    """What a command did."""

    returncode: int
    stdout: str
    stderr: str


Run = Callable[..., Done]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """`stichwerk play` with a data folder of its own; what is typed comes as from a pipe."""

    def command(*args: str, stdin: str = "") -> Done:
        monkeypatch.setattr(sys, "stdin", io.StringIO(stdin))
        code = cli.main(["play", "--lang", "en", "--plain", "--data", str(tmp_path), *args])
        result = capsys.readouterr()
        return Done(code, result.out, result.err)

    return command


def test_resume_without_a_file_continues_the_last_match(tmp_path: Path, run: Run) -> None:
    nothing = run("--resume")
    assert (nothing.returncode, nothing.stdout) == (2, "")
    assert nothing.stderr.startswith("There is no unfinished match.")
    args = ("sticheln", "--seats", "3", "--seat", "1", "--name", "Ida", "--seed", "4")
    untouched = run(*args, "--bots", "easy,hard", stdin="q\n")
    assert "--resume" not in untouched.stdout
    assert not (tmp_path / "terminal").exists()
    hand = next(line for line in untouched.stdout.splitlines() if line.startswith("Your hand"))
    first = hand.split()[2]
    left = run(*args, "--bots", "easy,hard", stdin=f"{first}\nw\nq\n")
    assert left.returncode == 0
    assert "Continue with: stichwerk play --resume (Everyone's cards are in the file" in left.stdout
    file = next((tmp_path / "terminal").glob("sticheln-*.json"))
    assert left.stdout.count(f"The record is in {file}.") == 2
    note = json.loads(seating_file(file).read_bytes())
    assert note == {"format": "stichwerk-seat/1", "seat": 1, "bots": ["easy", "hard"]}
    again = run("--resume", stdin="q\n")
    assert f"The match from {file} continues." in again.stdout
    assert decode(file.read_bytes()).names[1] == "Ida"
    assert f"You chose {first}" in again.stdout or f"pain card {first}" in again.stdout
    assert "Choose your pain card" not in again.stdout


def piped(*args: str, stdin: str) -> subprocess.CompletedProcess[str]:
    """Do the same in a separate process."""
    words = [*COMMAND, "play", "--lang", "en", "--plain", *args]
    return subprocess.run(words, input=stdin, capture_output=True, text=True, timeout=120)


@pytest.mark.slow
def test_save_and_resume_by_name(tmp_path: Path) -> None:
    file = tmp_path / "mine.json"
    first = ("stichtag", "--seed", "3", "--save", str(file), "--data", str(tmp_path))
    done = piped(*first, stdin="q\n")
    assert f"The record is in {file}." in done.stdout
    assert verify(decode(file.read_bytes())).status == "unfinished"
    deck = stichwerk.game("stichtag").rules.deck.texts
    whole = piped("--resume", str(file), "--data", str(tmp_path), stdin="\n".join(deck * 60))
    assert whole.returncode == 0, whole.stderr
    assert verify(decode(file.read_bytes())).status == "holds"
    over = piped("--resume", str(file), stdin="")
    assert (over.returncode, over.stderr) == (2, f"The match in {file} is over.\n")


def test_the_record_to_standard_output(tmp_path: Path) -> None:
    done = piped("sticheln", "--seed", "3", "--save", "-", stdin="q\n")
    (line,) = [line for line in done.stdout.splitlines() if line.startswith("{")]
    assert verify(decode(line)).status == "unfinished"
    assert is_stream("-")
    assert is_stream(os.devnull)
    assert not is_stream(str(tmp_path / "no-such-file"))


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("sticheln", "--resume"), "GAME does not go with --resume"),
        (("--resume", "x.json", "--seed", "1"), "--seed does not go with --resume"),
        (("--resume", "x.json", "--name", "Ida"), "--name does not go with --resume"),
        (("--resume", "x.json", "--date", "1.1."), "--date does not go with --resume"),
        (("--resume", "no/such/file"), "There is no file no/such/file."),
        (("--resume", "."), ". is a folder, not a file."),
        (("--resume", "a\0b"), "There is no file"),
        (("sticheln", "--hints", "nobody"), "There is no bot 'nobody'"),
        ((), "Something is missing: GAME"),
    ],
)
def test_incompatible_flags_are_refused(
    capsys: pytest.CaptureFixture[str], args: tuple[str, ...], words: str
) -> None:
    assert cli.main(["--lang", "en", "play", *args]) == 2
    result = capsys.readouterr()
    assert (result.out, result.err.count("\n")) == ("", 1)
    assert words in result.err


def test_another_seat_and_other_bots_can_be_named(tmp_path: Path, run: Run) -> None:
    file = tmp_path / "mine.json"
    run("sticheln", "--seed", "3", "--save", str(file), stdin="q\n")
    seating_file(file).write_text(
        '{"format":"stichwerk-seat/1","seat":0,"bots":["program:x","a","b"]}'
    )
    refused = run("--resume", str(file), stdin="q\n")
    assert refused.returncode == 2
    assert "None is started because of a file" in refused.stderr
    named = run("--resume", str(file), "--seat", "2", "--bots", "easy", stdin="q\n")
    assert named.returncode == 0, named.stderr
    assert json.loads(seating_file(file).read_bytes())["seat"] == 2
    far = run("--resume", str(file), "--seat", "4", stdin="q\n")
    assert "There is no seat 4; seats go from 0 to 3." in far.stderr


def test_seats_without_a_file_say_so() -> None:
    player_seat = sit(new("sticheln", 4, {}), None)
    for ask in (player_seat.save, player_seat.begin, lambda: player_seat.chat("hello")):
        with pytest.raises(StichwerkError):
            ask()
    assert (player_seat.saves, player_seat.may_chat, player_seat.may_begin) == (False, False, False)
