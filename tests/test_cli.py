"""The command line: what it prints, where, and with which exit code."""

import errno
import os
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import stichwerk
from stichwerk import cli, doctor, locale
from stichwerk.errors import BadSeatsError, BadSeedError, UnknownBotError
from stichwerk.games import registry
from stichwerk.hash_words import fingerprint
from stichwerk.locale import signs
from stichwerk.match import Match, Setting
from stichwerk.record import Fairness, Verdict, decode, encode, record, verify
from stichwerk.server.clients.deal_shares import OwnShare
from stichwerk.server.tables.shuffle import Shuffle, seeds_needed
from stichwerk.simulate import Tally, fill_seats, play_match, simulate
from stichwerk.terminal.links import FileShareStore

GAMES = ("stichling", "null-nichtig", "sticheln", "stichtag")
COMMAND = (sys.executable, "-c", "import sys; from stichwerk.cli import main; sys.exit(main())")
LINE_BY_LINE = (  # in a terminal, where the extra for the full screen is not installed
    *COMMAND[:2],
    COMMAND[2].replace("import sys;", "import sys; sys.modules['textual'] = None;"),
)
ENGLISH = {"LC_ALL": "C.UTF-8", "LANG": "C.UTF-8"}


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in ENGLISH.items():
        monkeypatch.setenv(name, value)


SOURCES = Path(stichwerk.__file__).parent


def run(*args: str, stdin: bytes = b"", **environment: str) -> subprocess.CompletedProcess[bytes]:
    """Run the command in a separate process."""
    surroundings = os.environ | ENGLISH | environment
    return subprocess.run(
        [*COMMAND, *args], input=stdin, capture_output=True, env=surroundings, timeout=120
    )


class Outcome:
    """What a command did, run in this process."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err


def call(capsys: pytest.CaptureFixture[str], *args: str) -> Outcome:
    capsys.readouterr()
    code = cli.main(args)
    captured = capsys.readouterr()
    return Outcome(code, captured.out, captured.err)


# -- Bad input: exit code 2, one line on standard error, no traceback ------------------------------

BAD = [
    (("nonsense",), "There is no command 'nonsense'"),
    (("--nonsense",), "There is no --nonsense here"),
    (("--lang", "fr", "bots"), "There is no language 'fr'"),
    (("--lang",), "--lang needs a value"),
    (("bots", "--lang", "xx"), "There is no language 'xx'"),
    (("bots", "more"), "'more' is too much"),
    (("bots", "--help=3"), "--help takes no value"),
    (("play",), "Something is missing: GAME"),
    (("play", "poker"), "There is no game 'poker'"),
    (("play", "a\nb\x1b[2J"), "There is no game 'a\\nb\\x1b[2J'"),
    (("play", "x" * 5000), "There is no game"),
    (("play", "sticheln", "stichling"), "'stichling' is too much"),
    (("play", "sticheln", "--nonsense"), "There is no --nonsense here"),
    (("play", "sticheln", "--seats"), "--seats needs a value"),
    (("play", "sticheln", "--seats", "two"), "--seats needs a whole number"),
    (("play", "sticheln", "--seats", "-4"), "--seats needs a whole number"),
    (("play", "sticheln", "--seats", "²"), "--seats needs a whole number"),
    (("play", "sticheln", "--seats", "9" * 5000), "--seats needs a whole number"),
    (("play", "sticheln", "--seats", "7"), "sticheln cannot be played with 7 seats"),
    (("play", "sticheln", "--seats", "0"), "sticheln cannot be played with 0 seats"),
    (("play", "sticheln", "--seat", "4"), "There is no seat 4; seats go from 0 to 3."),
    (("play", "sticheln", "--bots", "genius"), "There is no bot 'genius'"),
    (("play", "sticheln", "--bots", ""), "There is no bot ''"),
    (("play", "sticheln", "--bots", "random,random,random,random"), "4 bots are too many"),
    (("play", "sticheln", "--seed", "-1"), "--seed needs a whole number"),
    (("play", "sticheln", "--seed", str(2**53)), "--seed needs a whole number"),
    (("play", "sticheln", "--seed", "1.5"), "--seed needs a whole number"),
    (("play", "sticheln", "--option", "rounds"), "'rounds' is not an option"),
    (("play", "sticheln", "--option", "=3"), "'=3' is not an option"),
    (("play", "sticheln", "--option", "rounds=0"), "The option rounds cannot be '0'"),
    (("play", "sticheln", "--option", "rounds=none"), "The option rounds cannot be 'none'"),
    (("play", "sticheln", "--option", "rounds=" + "9" * 5000), "The option rounds cannot be"),
    (("play", "sticheln", "--option", "all_zero=all"), "The option all_zero cannot be 'all'"),
    (("play", "sticheln", "--option", "colour=red"), "This game has no option 'colour'"),
    (("play", "sticheln", "--option", "a=1", "--option", "a=2"), "The option a is given twice"),
    (("play", "sticheln", "--date", "09-14"), "This game has no option 'date'"),
    (("play", "stichtag", "--sheet", "red 44"), "The option sheets cannot be 'red 44'; allowed: g"),
    (("play", "stichtag", "--option", "sheets=red 44"), "The option sheets cannot be 'red 44'"),
    (("play", "stichtag", "--option", "rounds=5"), "cannot be '5'; allowed: 3, 2.\n"),
    (("play", "stichtag", "--date", "14.9.", "--option", "rounds=5"), "allowed: none.\n"),
    (("play", "stichtag", "--date", "32.13."), "is not a date of the calendar"),
    (("play", "sticheln", "--name", "  "), "A name needs at least one visible character"),
    (("play", "sticheln", "--name", "a\nb"), "A name needs at least one visible character"),
    (("play", "sticheln", "--name", "x" * 41), "A name needs at least one visible character"),
    (("play", "sticheln", "--save", "/no/such/folder/x"), "there is no such folder"),
    (("simulate",), "Something is missing: GAME"),
    (("simulate", "poker"), "There is no game 'poker'"),
    (("simulate", "sticheln", "--games", "0"), "--games needs a whole number from 1"),
    (("simulate", "sticheln", "--games", "-5"), "--games needs a whole number from 1"),
    (("simulate", "sticheln", "--games", "1e9"), "--games needs a whole number from 1"),
    (("simulate", "sticheln", "--games", "9" * 30), "--games needs a whole number from 1"),
    (("simulate", "sticheln", "--bots", "random," * 4 + "random"), "5 bots are too many"),
    (("simulate", "sticheln", "--bots", "random,nobody"), "There is no bot 'nobody'"),
    (("simulate", "sticheln", "--seed", str(2**53 - 1), "--games", "2"), "is not a seed"),
    (("simulate", "sticheln", "--records", "/"), "/ is a folder"),
    (("simulate", "sticheln", "--records", "/no/such/x"), "there is no such folder"),
    (("simulate", "sticheln", "--games", "1", "--records", "/dev/full"), "cannot be written"),
    (("simulate", "stichtag", "--date", "soon"), "is not a date of the calendar"),
    (("verify",), "Something is missing: FILE"),
    (("verify", "/no/such/file"), "There is no file /no/such/file"),
    (("verify", "/"), "/ is a folder"),
    (("verify", "a", "b"), "'b' is too much"),
    (("rules",), "Something is missing: GAME"),
    (("rules", "poker"), "There is no game 'poker'"),
    (("rules", "../rules/sticheln"), "There is no game"),
    (("bench", "--repeats", "0"), "--repeats needs a whole number"),
]


@pytest.mark.parametrize(("args", "said"), BAD, ids=[" ".join(args)[:60] for args, _ in BAD])
def test_bad_input(capsys: pytest.CaptureFixture[str], args: tuple[str, ...], said: str) -> None:
    done = call(capsys, *args)
    assert done.code == 2
    assert said in done.err
    assert done.err.count("\n") == 1
    assert len(done.err) < 500
    assert done.out == ""


CONTENTS = {
    "empty": b"",
    "blank": b"\n\n",
    "binary": bytes(range(256)) * 100,
    "zeros": b"\0" * 10_000,
    "text": b"hello\n",
    "list": b"[1, 2]\n",
    "foreign": b'{"format": "other/1"}\n',
    "cut": b'{"format": "stichwerk-game/1", "game":',
    "deep": b"[" * 100_000,
    "number": b'{"format": "stichwerk-game/1", "game": "sticheln", "rules": 99}\n',
}


@pytest.mark.parametrize("content", CONTENTS.values(), ids=list(CONTENTS))
def test_bad_files(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    content: bytes,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("out.jsonl").write_bytes(content)
    for lang in ("de", "en"):
        done = call(capsys, "verify", "out.jsonl", "--lang", lang)
        assert done.code == 2
        assert done.err.count("\n") == 1
        assert "out.jsonl" in done.err
        assert done.out == ""


def test_bad_input_in_a_separate_process(tmp_path: Path) -> None:
    """The real thing, without anything in between."""
    done = run("play", "poker", LC_ALL="de_DE.UTF-8")
    assert done.returncode == 2
    assert done.stdout == b""
    assert done.stderr.decode().startswith("Das Spiel „poker“ gibt es nicht")
    assert done.stderr.count(b"\n") == 1
    undecodable = run("play", os.fsdecode(b"\xff\xfe"))
    assert undecodable.returncode == 2
    assert undecodable.stderr.count(b"\n") == 1
    assert b"Traceback" not in undecodable.stderr


def test_an_unwritable_file_is_reported(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Refused by the system itself; as root, who may write anywhere, by a stand-in."""
    tmp_path.chmod(0o500)
    if os.access(tmp_path, os.W_OK):

        def forbidden(path: Path, *details: object, **more: object) -> None:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))

        monkeypatch.setattr(Path, "open", forbidden)
    done = call(capsys, "simulate", "sticheln", "--records", str(tmp_path / "x"))
    assert done.code == 2
    assert "not allowed" in done.err


# -- Interrupted -----------------------------------------------------------------------------------


def test_ctrl_c_is_quiet() -> None:
    command = [*COMMAND, "simulate", "sticheln", "--games", "100000", "--records", "-"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout
        assert process.stderr
        process.stdout.readline()  # it is at work
        process.send_signal(signal.SIGINT)
        process.stdout.read()
        assert process.stderr.read() == b""
        assert process.wait(60) == 130


def test_a_closed_pipe_is_quiet() -> None:
    command = [*COMMAND, "simulate", "sticheln", "--games", "100000", "--records", "-"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout
        assert process.stderr
        process.stdout.readline()
        process.stdout.close()
        assert process.wait(60) == 141
        assert process.stderr.read() == b""


def test_a_full_disk_at_standard_output() -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run([*COMMAND, "bots"], stdout=full, stderr=subprocess.PIPE, timeout=60)
    assert done.returncode == 2
    assert done.stderr.count(b"\n") == 1


# -- Help and small commands -----------------------------------------------------------------------


def test_version_and_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert call(capsys, "--version").out == f"stichwerk {stichwerk.__version__}\n"
    for args in ((), ("--help",), ("-h",)):
        done = call(capsys, *args)
        assert done.code == 0
        for command in ("play", "simulate", "verify", "rules", "bots", "doctor", "bench"):
            assert f"\n  {command} " in done.out


@pytest.mark.parametrize(
    "command", ["play", "simulate", "verify", "rules", "bots", "doctor", "bench"]
)
def test_every_help_page_speaks_both_languages(
    capsys: pytest.CaptureFixture[str], command: str
) -> None:
    for before, after in ((["--lang", "de"], []), ([], ["--lang=de"])):
        done = call(capsys, *before, command, *after, "--help")
        assert done.out.startswith("Aufruf: stichwerk")
        assert "diese Seite" in done.out
        assert "flag-" not in done.out
    english = call(capsys, command, "--help").out
    assert english.startswith("Usage: stichwerk")
    assert "help-" not in english


@pytest.mark.parametrize("game", GAMES)
def test_rules(capsys: pytest.CaptureFixture[str], game: str) -> None:
    german, english = (call(capsys, "rules", game, "--lang", lang) for lang in ("de", "en"))
    assert german.code == english.code == 0
    assert german.out.startswith("# ")
    assert german.out != english.out


@pytest.mark.parametrize("terminal", [False, True])
def test_rules_have_no_dead_links(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, terminal: bool
) -> None:
    """The pages they lead to in the documentation are not here."""
    monkeypatch.setattr(sys.stdout, "isatty", lambda: terminal)
    for game in GAMES:
        for lang in ("de", "en"):
            shown = call(capsys, "rules", game, "--lang", lang).out
            assert "](" not in shown
            assert "../" not in shown
            assert game != "stichtag" or {"de": "Jahrbuch", "en": "yearbook"}[lang] in shown


def test_links_to_elsewhere_stay() -> None:
    page = "[words](../page.md), [there](https://example.org/x), [below](#part)"
    assert locale.without_links(page) == "words, [there](https://example.org/x), below"


@pytest.mark.parametrize(
    ("encoding", "shown"),
    [
        ("ascii", '-0.81 +/- 0.30 "gross", Tuer -> x ... cafe ?'),
        ("latin-1", '-0.81 ± 0.30 "groß", Tür -> x ... café ?'),
        ("utf-8", "−0.81 ± 0.30 „groß“, Tür → x … café 猫"),
    ],
)
def test_characters_are_replaced_for_every_output(encoding: str, shown: str) -> None:
    assert signs.encodable("−0.81 ± 0.30 „groß“, Tür → x … café 猫", encoding) == shown


def test_every_character_we_use_has_an_ascii_fallback() -> None:
    """A `?` replaces unknown characters, never one that we use."""
    sentences = [each for lang in ("de", "en") for each in locale.sentences(lang).values()]
    rules = [locale.rules_text(game, lang) for game in GAMES for lang in ("de", "en")]
    terminal = [path.read_text("utf-8") for path in (SOURCES / "terminal").rglob("*.py")]
    texts = [*sentences, *rules, *terminal]
    foreign = {sign for text in texts for sign in text if not sign.isascii()}
    assert len(foreign) > 20
    assert {sign for sign in foreign if signs.fallback(sign) == "?"} == set()


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("rules", "sticheln"), "Fuer 3 bis 6 Personen."),
        (("bots",), "gleich wahrscheinlich"),
        (("rules", "skat"), 'Das Spiel "skat" gibt es nicht'),
        (("play", "sticheln", "--plain", "--seed", "1"), "-- Sticheln * Durchgang 1 von 4 --"),
    ],
    ids=lambda part: part if isinstance(part, str) else part[0],
)
def test_output_fits_an_ascii_terminal(args: tuple[str, ...], said: str) -> None:
    """JSON stays UTF-8, whatever the output is called."""
    done = run(*args, "--lang", "de", PYTHONIOENCODING="ascii")
    assert said in done.stdout.decode("ascii") + done.stderr.decode("ascii")


@pytest.mark.slow
def test_figures_in_ascii() -> None:
    arena = ("arena", "sticheln", "--bots", "random,greedy", "--deals", "4", "--seed", "1")
    wide, narrow = run(*arena), run(*arena, PYTHONIOENCODING="ascii")
    assert "−" in wide.stdout.decode()
    said = narrow.stdout.decode("ascii")
    assert "?" not in said
    (row,) = [line for line in said.splitlines() if line.startswith("| random-1") and "ms" in line]
    assert " -" in row
    assert "+/-" in row
    tables = [line for line in said.splitlines() if line[:1] in "|+"]
    assert len({len(line) for line in tables[: tables.index(row) + 2]}) == 1, "columns are straight"


def test_bots(capsys: pytest.CaptureFixture[str]) -> None:
    listed = call(capsys, "bots").out.splitlines()
    assert listed[0].startswith("random-1 ")
    assert listed[0].endswith("  plays any legal move, all equally likely")


def test_doctor(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    done = call(capsys, "doctor")
    assert done.code == 0
    assert stichwerk.__version__ in done.out
    assert ("Engine: compiled" in done.out) == doctor.compiled()
    assert done.out.count("its record holds") == len(registry.GAMES)
    monkeypatch.setattr(doctor, "compiled", lambda: False)
    assert "Engine: plain Python" in call(capsys, "doctor").out
    assert "plain Python" in call(capsys, "doctor", "--lang", "de").out


def test_doctor_finds_a_fault(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = Verdict(status="broken", id="missing-result")
    monkeypatch.setattr(doctor, "verify", lambda _record: broken)
    done = call(capsys, "doctor")
    assert done.code == 1
    assert "Sticheln: the test match does not hold: The match is over" in done.out


def test_bench_is_wired(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from stichwerk import bench

    monkeypatch.setattr(bench, "run", lambda *run_options: " ".join(map(str, run_options)))
    assert call(capsys, "bench", "--json").out == "True 7 False\n"
    assert call(capsys, "bench", "--repeats", "2").out == "False 2 False\n"
    assert call(capsys, "bench", "--experts").out == "False 7 True\n"


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
    assert options == {"teams": 2, "target": None, "starter": 3}


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
    assert record.names[0] == "Du"


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
