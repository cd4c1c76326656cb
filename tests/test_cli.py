"""The command line: what it prints, where, and with which exit code."""

import errno
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import stichwerk
from stichwerk import doctor, locale
from stichwerk.games import registry
from stichwerk.locale import signs
from stichwerk.record import Verdict
from tests.cli_setup import COMMAND, GAMES, call, run
from tests.cli_setup import english as english

SOURCES = Path(stichwerk.__file__).parent


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
        (("play", "sticheln", "--plain", "--seed", "1"), "-- Sticheln * Runde 1 von 4 --"),
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
