"""The commands simulate, verify and play, and days of the calendar."""

import os
import select
import subprocess
import time
from pathlib import Path

import pytest

from stichwerk import cli
from stichwerk.errors import BadSeatsError, BadSeedError, UnknownBotError
from stichwerk.hash_words import fingerprint
from stichwerk.match import Match, Setting
from stichwerk.record import Fairness, decode, encode, record, verify
from stichwerk.server.clients.deal_shares import OwnShare
from stichwerk.server.tables.shuffle import Shuffle, seeds_needed
from stichwerk.simulate import Tally, fill_seats, play_match, simulate
from stichwerk.terminal.links import FileShareStore
from tests.cli_setup import COMMAND, ENGLISH, GAMES, call, run
from tests.cli_setup import english as english

LINE_BY_LINE = (  # in a terminal, where the extra for the full screen is not installed
    *COMMAND[:2],
    COMMAND[2].replace("import sys;", "import sys; sys.modules['textual'] = None;"),
)


# -- simulate and verify ---------------------------------------------------------------------------


def test_seats_are_filled_in_order() -> None:
    assert fill_seats(["random"], 3) == ("random", "random", "random")
    with pytest.raises(BadSeatsError):
        fill_seats(["random"] * 4, 3)
    with pytest.raises(UnknownBotError):
        fill_seats([], 3)


def test_bots_repeat_in_the_order_given(monkeypatch: pytest.MonkeyPatch) -> None:
    from stichwerk.bots import BOTS

    monkeypatch.setitem(BOTS, "other", BOTS["random"])
    assert fill_seats(["other", "random"], 5) == ("other", "random", "other", "random", "other")


def test_match_i_has_seed_s_plus_i() -> None:
    setting = Setting("sticheln", 4, {})
    players = fill_seats(["random"], 4)
    later = list(simulate(setting, players, 3, 5))[2]
    alone = play_match(setting, players, 7)
    assert later.events == alone.events
    with pytest.raises(BadSeedError):
        simulate(setting, players, 2, 2**53 - 1)


def test_tally_shares_victories() -> None:
    setting = Setting("null-nichtig", 4, {"teams": 2})
    tally = Tally(4)
    for match in simulate(setting, fill_seats(["random"], 4), 20, 1):
        tally.add(match)
    assert tally.games == 20
    assert tally.wins[0] == tally.wins[2]
    assert sum(tally.wins) == pytest.approx(20)
    assert tally.moves == 20 * 4 * (4 + 40)


@pytest.mark.parametrize("game", GAMES)
def test_simulate_and_verify(capsys: pytest.CaptureFixture[str], tmp_path: Path, game: str) -> None:
    path = str(tmp_path / "out.jsonl")
    (tmp_path / "out.jsonl").write_text("old\n" * 1000)
    done = call(capsys, "simulate", game, "--games", "3", "--seed", "1", "--records", path)
    assert done.code == 0
    assert done.err == ""
    assert "3 matches from seed 1" in done.out
    records = [decode(line) for line in (tmp_path / "out.jsonl").read_bytes().splitlines()]
    assert [record.seed for record in records] == [1, 2, 3]
    assert {verify(record).status for record in records} == {"holds"}
    checked = call(capsys, "verify", path)
    assert checked.code == 0
    assert checked.out.startswith("3 records checked:\n    3  rules hold; no proof of the deal")
    assert checked.err == ""


def test_records_to_standard_output() -> None:
    done = run("simulate", "stichling", "--games", "2", "--seed", "4", "--records", "-")
    assert done.returncode == 0
    assert [decode(line).seed for line in done.stdout.splitlines()] == [4, 5]
    assert b"2 matches from seed 4" in done.stderr


def test_simulate_draws_a_seed_and_names_it(capsys: pytest.CaptureFixture[str]) -> None:
    done = call(capsys, "simulate", "stichtag", "--games", "1", "--seats", "3", "--lang", "de")
    assert "eine Partie ab Startwert" in done.out
    assert done.out.count("Sitz ") == 3


def test_options_reach_the_game(tmp_path: Path) -> None:
    path = tmp_path / "o"
    args = ["--option", "teams=2", "--option", "target=none", "--option", "starter=3"]
    code = cli.main(["simulate", "null-nichtig", "--games", "1", *args, "--records", str(path)])
    assert code == 0
    options = decode(path.read_bytes()).options
    assert options == {"collect": "clockwise", "teams": 2, "target": None, "starter": 3}


def proven_record() -> bytes:
    """Return a match with a proof of its deal: its match id is `m1`, the share of each seat its
    number."""
    setting = Setting("sticheln", 3, {"rounds": 1})
    shares = [bytes([seat]) * 32 for seat in range(3)]
    seeds = [bytes([100 + number]) * 32 for number in range(seeds_needed(setting))]
    shuffle = Shuffle("m1", setting, seeds, shares)
    match = Match(setting, shuffle, ["Ada", "Ben", "Cleo"])
    while not match.over:
        seat = match.waiting_for[0]
        match.play(seat, match.moves(seat)[0])
    return encode(record(match, shuffle.proof(1)))


def test_verify_with_shares_and_words(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path, own, other = tmp_path / "match.json", "01" * 32, "0f" * 32
    path.write_bytes(proven_record())
    proof = decode(path.read_bytes()).fairness
    assert isinstance(proof, Fairness)
    words = ", ".join(fingerprint(bytes.fromhex(proof.transcript))).upper()

    def verified(*claims: str, lang: str = "en") -> tuple[int, str]:
        done = call(capsys, "--lang", lang, "verify", str(path), "--data", str(tmp_path), *claims)
        return done.code, (done.out or done.err).splitlines()[-1].strip()

    assert verified() == (0, "1  rules hold; deal proven")
    assert verified(lang="de") == (0, "1  Regeln eingehalten; Gabe bewiesen")
    assert verified("--share", own) == (0, "1  rules hold; deal proven; your share is in it")
    assert verified("--share", f"1:{own.upper()}")[0] == 0
    assert verified("--share", f"1:{own}", "--share", f"0:{'00' * 32}", "--words", words) == (
        0,
        "1  rules hold; deal proven; all 2 shares are in it; the six words fit",
    )
    for wrong in (("--share", other), ("--share", f"2:{own}"), ("--words", "arena " * 6)):
        assert verified(*wrong) == (1, "1  broken")
    assert call(capsys, "verify", str(path), "--share", other).out.startswith(
        f"{path}:1: The share {other} is not in this match."
    )
    for bad in (("--share", "12"), ("--share", f"x:{own}"), ("--words", "only four of them")):
        assert verified(*bad)[0] == 2


def test_verify_compares_shares_stored_by_the_terminal(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path, own = tmp_path / "match.json", "01" * 32
    path.write_bytes(proven_record())
    setting = Setting("sticheln", 3, {"rounds": 1})
    seeds = [bytes([100 + number]) * 32 for number in range(seeds_needed(setting))]
    result = Shuffle("m1", setting, seeds, [bytes([seat]) * 32 for seat in range(3)]).describe(0)
    book = FileShareStore(tmp_path / "terminal", "http://cards.example.org/t/abc")
    book.keep(OwnShare(match="m1", seat=1, seed=own, announced=result))
    done = call(capsys, "verify", str(path), "--data", str(tmp_path))
    assert (done.code, "your share is in it" in done.out) == (0, True)
    book.keep(OwnShare(match="m1", seat=1, seed="0f" * 32, announced=result))
    done = call(capsys, "verify", str(path), "--data", str(tmp_path))
    assert (done.code, "In this match seat 1 does not have the share" in done.out) == (1, True)


def test_verify_reports_broken_records(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    cli.main(["simulate", "stichtag", "--games", "3", "--seed", "1", "--records", str(path)])
    lines = path.read_bytes().splitlines()
    first = decode(lines[1]).totals or ()
    old = f'"totals":[{first[0]},'.encode()
    assert old in lines[1]
    lines[1] = lines[1].replace(old, f'"totals":[{first[0] + 1},'.encode())
    path.write_bytes(b"\n".join(lines))
    done = call(capsys, "verify", str(path))
    assert done.code == 1
    assert done.out.startswith(f"{path}:2: ")
    assert (
        "3 records checked:\n    2  rules hold; no proof of the deal\n    1  broken\n" in done.out
    )
    path.write_bytes(b"\n".join([*lines, b"nonsense"]))
    done = call(capsys, "verify", str(path))
    assert done.code == 2
    assert done.err.startswith(f"{path}:4: ")


@pytest.mark.slow
def test_verify_reads_standard_input() -> None:
    made = run("simulate", "sticheln", "--games", "2", "--seed", "1", "--records", "-").stdout
    done = run("verify", "-", stdin=made)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.startswith(b"2 records checked:\n    2  rules hold; no proof of the deal\n")
    first, second, _ = made.split(b"\n")
    done = run(
        "verify", "-", stdin=first + b"\n" + second.replace(b'"starter":', b'"starter":9', 1)
    )
    assert done.returncode == 2
    done = run("verify", "-", stdin=first + b"\n" + second.replace(b'"seed":2', b'"seed":3'))
    assert done.returncode == 1
    assert done.stdout.startswith(b"-:2: ")
    done = run("verify", "-")
    assert (done.returncode, done.stderr) == (2, b"The file - is empty.\n")


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        (b'"game":"sticheln"', b'"game":"odd-even"', "There is no game 'odd-even'"),
        (b'"rules":1', b'"rules":2', "Version 2 of the rules of sticheln is not known here"),
    ],
)
def test_verify_reports_what_cannot_be_checked(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, old: bytes, new: bytes, why: str
) -> None:
    """Rules that are not here are no fault of the record; the others are checked all the same."""
    path = tmp_path / "out.jsonl"
    cli.main(["simulate", "sticheln", "--games", "2", "--seed", "1", "--records", str(path)])
    first, second = path.read_bytes().splitlines()
    path.write_bytes(first.replace(old, new) + b"\n" + second)
    done = call(capsys, "verify", str(path))
    assert done.code == 3
    said, heading, *kinds = done.out.splitlines()
    assert said.startswith(f"{path}:1: cannot be checked: {why}")
    assert heading == "2 records, not all of them checked:"
    assert kinds == ["    1  cannot be checked", "    1  rules hold; no proof of the deal"]
    assert "hier nicht prüfbar: " in call(capsys, "verify", str(path), "--lang", "de").out
    path.write_bytes(first.replace(old, new) + b"\n" + second.replace(b'"seed":2', b'"seed":3'))
    assert call(capsys, "verify", str(path)).code == 1, "a broken one is worse"
    path.write_bytes(first.replace(old, new).replace(b'"names"', b'"nmes"'))
    assert call(capsys, "verify", str(path)).code == 2, "this is no record at all"


def test_verify_names_the_place(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    cli.main(["simulate", "stichtag", "--games", "1", "--seed", "1", "--records", str(path)])
    record = decode(path.read_bytes())
    seat, card = record.rounds[1].plays[16][:2]
    wrong = f'[{seat},"{record.rounds[1].plays[0][1]}"]'.encode()
    head, tail = path.read_bytes().rsplit(f'[{seat},"{card}"]'.encode(), 1)
    parts = path.read_bytes().split(b'"plays":')
    parts[2] = parts[2].replace(f'[{seat},"{card}"]'.encode(), wrong, 1)
    assert head
    assert tail
    path.write_bytes(b'"plays":'.join(parts))
    done = call(capsys, "verify", str(path))
    assert done.code == 1
    assert done.out.startswith(f"{path}:1: round 2, play 17: ")


# -- play ------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_play_without_input_ends_politely(game: str) -> None:
    done = run("play", game, "--seed", "1")
    assert done.returncode == 0
    assert done.stderr == b""
    said = done.stdout.decode()
    assert "Your hand: " in said
    assert "Goodbye!" in said
    assert "\x1b" not in said


def test_play_from_a_pipe(tmp_path: Path) -> None:
    path = tmp_path / "match.json"
    lines = b"1,3,2\n?\n\xff\xfe\nq\n"
    done = run("play", "stichling", "--seed", "1", "--save", str(path), "--lang", "de", stdin=lines)
    said = done.stdout.decode()
    assert done.returncode == 0
    assert done.stderr == b""
    assert "> 1,3,2" in said
    assert "Züge sind möglich" in said
    assert "ist keine Karte" in said
    assert f"Die Aufzeichnung steht in {path}." in said
    record = decode(path.read_bytes())
    assert verify(record).status == "unfinished"
    assert record.names[0] == "Gast"


def test_play_a_whole_match_from_a_pipe(tmp_path: Path) -> None:
    """All cards of the hand again and again: what is not allowed is refused, the rest is played."""
    path = tmp_path / "match.json"
    deck = Setting("stichtag", 3, {}).rules.deck.texts
    lines = "\n".join(deck * 40).encode()
    args = ("--seats", "3", "--seat", "1", "--name", "Ada", "--option", "rounds=2", "--seed", "3")
    done = run("play", "stichtag", *args, "--save", str(path), "--plain", stdin=lines)
    assert done.returncode == 0, done.stderr
    record = decode(path.read_bytes())
    assert verify(record).status == "holds"
    assert record.names[1] == "Ada"
    assert "1. " in done.stdout.decode()
    assert "Seed of this match: 3" in done.stdout.decode()


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "openpty"), reason="no pseudo-terminals here")
def test_in_a_terminal_there_are_colours_and_a_progress_bar() -> None:
    near, far = os.openpty()
    surroundings = os.environ | ENGLISH | {"TERM": "xterm-256color"}
    surroundings.pop("NO_COLOR", None)
    args = [*LINE_BY_LINE, "play", "sticheln", "--seed", "1"]
    with subprocess.Popen(args, stdin=far, stdout=far, stderr=far, env=surroundings) as process:
        os.write(near, b"q\n")
        said = read_until(near, b"Seed of this match")
        assert process.wait(60) == 0
    assert b"\x1b[" in said
    assert "▲".encode() in said
    args = [*COMMAND, "simulate", "sticheln", "--games", "60", "--seed", "1"]
    with subprocess.Popen(args, stdout=subprocess.PIPE, stderr=far, env=surroundings) as process:
        said = read_until(near, b"matches")
        out, _ = process.communicate(timeout=60)
    assert b"60 matches" in out
    assert b"\x1b" not in out
    os.close(near)
    os.close(far)


def read_until(terminal: int, words: bytes) -> bytes:
    said = b""
    end = time.monotonic() + 60
    while words not in said and time.monotonic() < end:
        if select.select([terminal], [], [], 1)[0]:
            said += os.read(terminal, 65536)
    assert words in said
    return said


# -- Days of the calendar --------------------------------------------------------------------------


def test_simulate_names_the_day(capsys: pytest.CaptureFixture[str]) -> None:
    """Also one that was drawn."""
    done = call(capsys, "simulate", "stichtag", "--date", "14.9.", "--games", "1", "--lang", "de")
    assert done.out.splitlines()[1].startswith("14. September: ")
    drawn = call(capsys, "simulate", "stichtag", "--date", "random", "--games", "1")
    assert drawn.code == 0
    assert drawn.out.splitlines()[1].count(" · ") == 2
    base = call(capsys, "simulate", "stichtag", "--games", "1")
    assert base.out.splitlines()[1].startswith("seat 0")


def test_single_sheets(capsys: pytest.CaptureFixture[str]) -> None:
    for sheets in (("--sheet", "red 4", "--sheet", "April"), ("--sheet", "red 4, April")):
        done = call(capsys, "simulate", "stichtag", *sheets, "--games", "1")
        assert done.out.splitlines()[1] == "Red 4 and April: Announcement · Easter eggs"
    for wrong, said in [
        (("--sheet", "red 4", "--date", "09-14"), "a date do not go together"),
        (("--sheet", "red 4", "--sheet", "red 5"), "cannot be played alone together"),
        (("--date", "09-14", "--option", "date=09-15"), "The option date is given twice"),
    ]:
        done = call(capsys, "play", "stichtag", *wrong)
        assert (done.code, done.out) == (2, "")
        assert said in done.err


@pytest.mark.slow
def test_play_shows_the_drawn_day() -> None:
    done = run("play", "stichtag", "--date", "random", "--plain", stdin=b"q\n")
    assert done.returncode == 0
    assert done.stdout.decode().splitlines()[2].count(" · ") == 2
    alone = run("play", "stichtag", "--sheet", "May", "--plain", "--lang", "de", stdin=b"q\n")
    assert "Mai: Der Knall" in alone.stdout.decode().splitlines()
