"""`stichwerk play --table`: the terminal at a web table, with a real server and real sockets."""

import json
import os
import re
import signal
import socket
import stat
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
from websockets.sync.server import ServerConnection
from websockets.sync.server import serve as serve_sockets

import stichwerk
from stichwerk import cli
from stichwerk.engine.events import Event, HandDealt, RoundStarted
from stichwerk.errors import StichwerkError
from stichwerk.locale import sentences
from stichwerk.record import decode, verify
from stichwerk.server import wire
from stichwerk.server.clients.deal_messages import DealViolationError
from stichwerk.server.clients.dealt_cards import check_round, rounds_in
from stichwerk.server.clients.table_rules import rules_of
from stichwerk.terminal import remote_seat
from stichwerk.terminal.links import BadLinkError, SeatStore, parse
from stichwerk.terminal.remote_input import cleaned
from stichwerk.terminal.remote_seat import NoTableError, PendingError, RemoteSeat
from stichwerk.terminal.remote_session import RemoteSession
from stichwerk.terminal.seat import words_of
from stichwerk.terminal.table_notes import LEVELS, NOTE_TEXTS, PRESETS, TableNotes, fit_to_show

# A server that starts again must not draw the same ids; and a busy machine thinks slowly.
SERVER = """
import sys
from functools import partial
from stichwerk.server.bots import bot_pool
from stichwerk.server.run import serve, tables
from stichwerk.server.serve_options import ServeOptions
from tests import fixed_random
bot_pool.BotPool = partial(bot_pool.BotPool, seconds=600)
make = partial(tables, rng=fixed_random.of_test(f"server {sys.argv[1] != '0'} "))
options = ServeOptions(port=int(sys.argv[1]), data=sys.argv[2], pace=0, open_browser=False)
serve(options, "en", make=make)
"""
ROOT = Path(__file__).parents[2]
COMMAND = (sys.executable, "-c", "import sys; from stichwerk.cli import main; sys.exit(main())")
PATIENCE = 300.0  # seconds: only what hangs needs them
CARD = re.compile(r'"([RYGBLS]\d{1,2})"')


# -- A server, a line that can be cut, a person at a keyboard --------------------------------------


class Server:
    """`stichwerk serve` in a process of its own, whose bots do not pause."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = 0
        self.process = self.start()

    def start(self) -> subprocess.Popen[str]:
        """On the port it had before, if there was one."""
        args = [sys.executable, "-c", SERVER, str(self.port), str(self.folder)]
        self.process = subprocess.Popen(
            args, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if found := re.search(r"http://127\.0\.0\.1:(\d+)/", line):
                self.port = int(found[1])
                return self.process
        raise AssertionError("the server did not start")

    def kill(self) -> None:
        """As if the power had failed."""
        self.process.kill()
        self.process.communicate()

    def stop(self) -> None:
        """In good order."""
        self.process.terminate()
        self.process.communicate(timeout=PATIENCE)

    def ask(self, path: str, body: object = None) -> Any:
        """Return the answer of its API."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", data)
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return json.load(answer)

    def table(self, game: str = "sticheln", seats: int = 3, **more: object) -> wire.TableMade:
        """Return a new table; its host is Ada."""
        answer = self.ask("/api/tables", {"game": game, "name": "Ada", "seats": seats, **more})
        return msgspec.convert(answer, wire.TableMade)

    def record(self, match: str | None) -> bytes:
        """Return a finished match, as the server sends it."""
        url = f"http://127.0.0.1:{self.port}/api/matches/{match}"
        with urllib.request.urlopen(url, timeout=PATIENCE) as answer:
            raw: bytes = answer.read()
        return raw


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = Server(tmp_path_factory.mktemp("tables"))
    yield running
    running.stop()


class Relay:
    """A line to a server that can be cut, and held back."""

    def __init__(self, port: int) -> None:
        self.far = port
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.port: int = self.listening.getsockname()[1]
        self.pairs: list[tuple[socket.socket, socket.socket]] = []
        self.open = True
        self.silent = False
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self.listening.accept()
                if not self.open:
                    near.close()
                    continue
                far = socket.create_connection(("127.0.0.1", self.far))
                self.pairs.append((near, far))
                for source, sink in ((near, far), (far, near)):
                    threading.Thread(
                        target=self.carry, args=(source, sink, sink is near), daemon=True
                    ).start()

    def carry(self, source: socket.socket, sink: socket.socket, answers: bool) -> None:
        with suppress(OSError):
            while data := source.recv(65536):
                if answers and self.silent:
                    break  # the request got through, its answer does not
                sink.sendall(data)
        for end in (source, sink):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
        source.close()

    def cut(self) -> None:
        """All connections break."""
        for pair in self.pairs:
            for end in pair:
                with suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)
        self.pairs.clear()


@pytest.fixture
def relay(server: Server) -> Iterator[Relay]:
    line = Relay(server.port)
    yield line
    line.listening.close()
    line.cut()


@contextmanager
def sat_down(url: str, name: str | None, lang: str = "en", **more: Any) -> Iterator[RemoteSeat]:
    player_seat = RemoteSeat(url, name, lang, **more)
    try:
        yield player_seat
    finally:
        player_seat.close()


def until(player_seat: RemoteSeat, holds: Callable[[], bool]) -> None:
    """Wait for the table."""
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end, player_seat.notices()
        player_seat.wait(0.5)


def play_on(*places: RemoteSeat, stop: Callable[[], bool] = lambda: False) -> int:
    """Let all play the middle one of their moves to the end; return the number of moves."""
    made = 0
    while not (places[0].over or stop()):
        for player_seat in places:
            if player_seat.playing and player_seat.owes and not player_seat.over:
                moves = player_seat.view.moves
                if moves:
                    player_seat.play(moves[len(moves) // 2])
                    made += 1
        places[0].wait(0.2)
    return made


class Typist:
    """`stichwerk play --table` in a process of its own, read and typed to over pipes."""

    def __init__(self, folder: Path, *args: str, lang: str = "en") -> None:
        words = [*COMMAND, "play", "--plain", "--lang", lang, "--data", str(folder), *args]
        self.process = subprocess.Popen(
            words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            bufsize=1,
            env=os.environ | {"PYTHONUNBUFFERED": "1", "PYTHONUTF8": "1"},
        )
        self.said: list[str] = []
        self.read = 0
        self.more = threading.Condition()
        self.reader = threading.Thread(target=self.listen, daemon=True)
        self.reader.start()

    def listen(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            with self.more:
                self.said.append(line.rstrip("\n"))
                self.more.notify_all()

    def until(self, *words: str) -> str:
        """Read on to the next line with some of these words."""

        def found() -> bool:
            while self.read < len(self.said):
                self.read += 1
                if any(word in self.said[self.read - 1] for word in words):
                    return True
            return False

        with self.more:
            assert self.more.wait_for(found, PATIENCE), "\n".join(self.said[-30:])
            return self.said[self.read - 1]

    def type(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(line + "\n")

    def play(self) -> int:
        """Play until the result is shown; return the number of moves."""
        made = 0
        while "Your hand" in self.until("Your hand", "begins "):
            self.type("?")
            self.until("possible:")
            first = self.until("  ").split()[0]
            self.type(first)
            made += 1
        return made

    def leave(self) -> tuple[int, str]:
        """Return the exit code and the error output."""
        with suppress(OSError):
            self.type("q")
        assert self.process.stderr is not None
        code = self.process.wait(PATIENCE)
        complaint = self.process.stderr.read()
        self.reader.join(PATIENCE)
        for end in (self.process.stdin, self.process.stdout, self.process.stderr):
            assert end is not None
            with suppress(BrokenPipeError):  # it had already ended
                end.close()
        return code, complaint

    @property
    def text(self) -> str:
        return "\n".join(self.said)


# -- Whole matches, over pipes ---------------------------------------------------------------------


@pytest.mark.slow
def test_a_match_of_sticheln_against_bots(server: Server, tmp_path: Path) -> None:
    made = server.table(options={"rounds": 1}, settings={"level": "easy"})
    typist = Typist(tmp_path, "--table", made.personal)
    typist.until("b begins the match")
    typist.type("B")
    words = typist.until("The six words of this shuffle: ")
    assert len(words.partition(": ")[2].partition(".")[0].split()) == 6
    assert typist.play() == 15  # a pain card and 14 other cards
    typist.type("b")  # once more
    again = typist.until("The six words of this shuffle: ")
    assert again != words
    typist.until("Your hand")
    typist.process.send_signal(signal.SIGINT)
    assert typist.leave() == (130, "")
    assert "Come back with: stichwerk play --table " + made.link in typist.text
    (listed,) = server.ask(f"/api/matches?table={made.table}")["matches"]
    record = decode(server.record(listed["match"]))
    assert verify(record).status == "holds"
    assert " ".join(str(total).replace("-", "−") for total in record.totals or ()) in " ".join(
        typist.text.split()
    )
    book = tmp_path / "terminal" / "seats.json"
    assert stat.S_IMODE(book.stat().st_mode) == 0o600
    back = Typist(tmp_path, "--table", made.link, lang="de")  # without the token: it is kept
    back.until("Ada, du, hat den Tisch eröffnet")
    back.until("Deine Hand")
    assert back.leave() == (0, "")


@pytest.mark.slow
def test_a_day_of_stichtag_with_choices(server: Server, tmp_path: Path) -> None:
    """An announcement in every round, and cards that are given on."""
    day = {"date": "09-14"}
    made = server.table("stichtag", options=day, settings={"level": "easy"})
    typist = Typist(tmp_path, "--table", made.personal)
    typist.until("begins the match")
    typist.type("b")
    typist.until("14 September: ")
    moves = typist.play()
    assert typist.leave() == (0, "")
    assert typist.text.count("Announce in secret how many tricks") == 3
    assert moves >= 3 * 13
    (listed,) = server.ask(f"/api/matches?table={made.table}")["matches"]
    record = decode(server.record(listed["match"]))
    assert record.options["date"] == "09-14"
    assert verify(record).status == "holds"


@pytest.mark.slow
def test_two_people_at_two_terminals(server: Server, tmp_path: Path) -> None:
    """They read the same words, hear one another, and play the match to its end."""
    made = server.table("stichling", seats=2, options={})
    ada = Typist(tmp_path / "ada", "--table", made.personal)
    ada.until("begins the match")
    ben = Typist(tmp_path / "ben", "--table", made.link, lang="en")
    ben.until("What is your name")
    ben.type("Ben")
    ben.until("Ada begins the next match")
    ada.until("Ben takes seat 1.")
    ben.type(": Hallo\tAda \x1b[2J!")
    ada.until("Ben says: Hallo Ada [2J!")
    ben.type("b")
    ben.until("Only the host of the table may do that.")
    ada.type("b")
    words = [one.until("The six words of this shuffle") for one in (ada, ben)]
    assert words[0] == words[1]
    threads = [threading.Thread(target=one.play) for one in (ada, ben)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert [one.leave() for one in (ada, ben)] == [(0, ""), (0, "")]
    totals = [[line for line in one.said if line.startswith("total")][-1] for one in (ada, ben)]
    assert totals[0] == totals[1]
    for one in (ada, ben):
        assert not re.search(r"\b(note|tui|line|ask)-[a-z]+", one.text)
        assert "\x1b" not in one.text


# -- Lost connections ------------------------------------------------------------------------------


def test_a_lost_connection_is_restored_and_no_move_is_doubled(server: Server, relay: Relay) -> None:
    made = server.table(options={"rounds": 1}, settings={"level": "easy"})
    url = made.personal.replace(f":{server.port}/", f":{relay.port}/")
    with sat_down(url, None) as player_seat:
        player_seat.begin()
        until(player_seat, lambda: player_seat.playing and player_seat.owes)
        player_seat.play(player_seat.view.moves[0])
        until(player_seat, lambda: player_seat.owes)
        before, ply = player_seat.view, player_seat.ply
        relay.silent = True  # the move arrives, the answer does not
        move = before.moves[0]
        asking = threading.Thread(target=player_seat.play, args=(move,))
        asking.start()
        until(player_seat, lambda: player_seat.lost)
        relay.silent = False
        asking.join(PATIENCE)
        assert not asking.is_alive()
        until(player_seat, lambda: not player_seat.lost)
        assert player_seat.ply == ply + 1
        for _ in range(3):
            play_on(player_seat, stop=lambda: player_seat.owes and player_seat.ply % 4 == 0)
            relay.cut()
            if not player_seat.over:
                until(
                    player_seat,
                    lambda: not player_seat.lost and (player_seat.owes or player_seat.over),
                )
                if player_seat.owes:
                    player_seat.play(player_seat.view.moves[0])
        play_on(player_seat)
        notices = player_seat.notices()
        assert notices.count("The connection is lost. Reconnecting …") >= 2
        assert notices.count("The connection is back.") >= 2
        match, history = player_seat.match_id, player_seat.view.history
    with sat_down(made.personal, None) as fresh:
        assert fresh.view.history == history, "nothing was missed, and nothing heard twice"
    assert verify(decode(server.record(match))).status == "holds"


@pytest.mark.slow
def test_the_terminal_survives_a_server_restart(tmp_path: Path) -> None:
    own = Server(tmp_path)
    with ExitStack() as stack:
        stack.callback(lambda: own.stop())
        made = own.table("stichtag", options={"rounds": 2}, bots={"2": "easy"})
        ada = stack.enter_context(sat_down(made.personal, None))
        ben = stack.enter_context(sat_down(made.link, "Ben", "de"))
        ada.begin()
        for player_seat in (ada, ben):
            until(player_seat, lambda: player_seat.playing)  # noqa: B023
        play_on(ada, ben, stop=lambda: ada.ply == 5)
        until(ada, lambda: ada.owes or ben.owes)
        words = ada.words
        own.kill()
        until(ben, lambda: ben.lost)
        until(ada, lambda: ada.lost)
        move = next(one for one in (ada, ben) if one.owes)
        monkey = pytest.MonkeyPatch()
        stack.callback(monkey.undo)
        monkey.setattr(remote_seat, "PATIENCE", 0.1)
        ply = move.ply
        with pytest.raises(PendingError):
            move.play(move.view.moves[0])
        own.start()
        until(ada, lambda: not ada.lost)
        until(ben, lambda: not ben.lost)
        until(move, lambda: move.ply == ply + 1)  # without being asked again
        assert ada.words == ben.words == words
        monkey.setattr(remote_seat, "PATIENCE", PATIENCE)
        play_on(ada, ben)
        assert verify(decode(own.record(ada.match_id))).status == "holds"
        assert "Die Verbindung ist wieder da." in ben.notices()


# -- Refusals, hints, taking back, another match ---------------------------------------------------


def test_refused_moves_say_why(server: Server) -> None:
    made = server.table("stichtag", options={"starter": 1}, settings={"level": "easy"})
    with sat_down(made.personal, None, "de") as player_seat:
        with pytest.raises(NoTableError) as early:
            _ = player_seat.view
        assert words_of(early.value, "de") == "Noch ist keine Partie im Gang."
        player_seat.begin()
        until(player_seat, lambda: player_seat.playing and player_seat.owes)
        seen = player_seat.view
        wrong = next((card for card in seen.hand if card not in seen.moves), "R99")
        objection = player_seat.objection(wrong)
        assert objection
        assert player_seat.objection(seen.moves[0].lower()) is None
        with pytest.raises(StichwerkError) as refused:
            player_seat.play(wrong)  # the server objects in the same words
        assert words_of(refused.value, "de") == objection
        assert player_seat.view == seen
        with pytest.raises(StichwerkError) as refused:
            player_seat.chat("  ")
        assert words_of(refused.value, "de") == sentences("de")["nothing-said"]
        with pytest.raises(StichwerkError):
            player_seat.sit(0)


def test_hints_take_backs_and_a_rematch_work(server: Server) -> None:
    made = server.table(options={"rounds": 1, "starter": 0}, bots={"2": "easy"})
    with sat_down(made.personal, None) as ada, sat_down(made.link, "Ben") as ben:
        assert ada.may_begin
        assert not ben.may_begin
        ada.begin()
        for player_seat in (ada, ben):
            until(player_seat, lambda: player_seat.playing)  # noqa: B023
        hint = ada.advise()
        assert hint.move in ada.view.moves
        assert hint.text
        assert hint.alternatives[0].move == hint.move
        until(ben, lambda: "Ada asked for a hint." in ben._notices)
        for player_seat in (ada, ben):
            player_seat.play(player_seat.view.moves[0])
        until(ada, lambda: ada.owes and ada.view.phase == "play")
        before = ada.view
        ada.play(before.moves[0])
        assert ada.view.history != before.history
        ada.take_back()
        until(ben, lambda: ben.asked)
        ben.consent(True)
        until(ada, lambda: ada.owes)
        assert ada.view.history == before.history
        assert "Ada has taken back the last move." in [*ada.notices(), *ben.notices()]
        play_on(ada, ben)
        first, seats = ada.match_id, (ada.seat, ben.seat)
        ada.begin()
        until(ada, lambda: ada.playing and not ada.over)
        until(ben, lambda: ben.playing and not ben.over)
        assert ada.match_id != first
        assert (ada.seat, ben.seat) == (1, 2), f"everyone moves on by one seat from {seats}"
        assert ada.view.seat == ada.seat
        assert [event.kind for event in ada.view.history][:2] == ["round", "hand"]
        quiet = server.table(settings={"hints": False, "chat": False})
        with sat_down(quiet.personal, None) as alone:
            assert not alone.may_advise
            assert not alone.may_chat


def test_at_a_full_table_the_terminal_watches(server: Server, tmp_path: Path) -> None:
    made = server.table(options={"rounds": 1}, bots={"1": "easy", "2": "easy"})
    with sat_down(made.link, "Eve") as eve, sat_down(made.personal, None) as ada:
        assert eve.seat is None
        ada.begin()
        until(eve, lambda: eve.playing)
        assert eve.view.hand == ()
        assert eve.objection("R3") == sentences("en")["no-seat-of-your-own"]
        watcher = Typist(tmp_path, "--table", made.link, "--name", "Tom", lang="en")
        watcher.until("Watching: ")
        watcher.type("")
        watcher.until("To move: ")
        watcher.type("R3")
        watcher.until("That takes a seat at the table.")
        assert watcher.leave() == (0, "")
        assert watcher.said[-2] == "Goodbye!"
        assert "Your hand" not in watcher.text
    bots = {"1": "easy", "2": "easy"}
    closed = server.table(bots=bots, settings={"watch": "none"})
    with pytest.raises(StichwerkError) as refused:
        RemoteSeat(closed.link, "Eve", "de")
    assert words_of(refused.value, "de") == sentences("de")["no-free-seat"]


def test_the_host_removes_blocks_and_hands_over(server: Server) -> None:
    made = server.table(options={"rounds": 1})

    def do(player_seat: RemoteSeat, line: str) -> None:
        deed = player_seat.host_command(line)
        assert deed is not None
        deed()

    with (
        sat_down(made.personal, None) as ada,
        sat_down(made.link, "Ben") as ben,
        sat_down(made.link, "Eve") as eve,
    ):
        assert [ada.host_command(line) for line in ("remove", "R3", "removed Eve")] == [None] * 3
        until(ada, lambda: ada.table_notes.person_called("Eve") is not None)
        until(ben, lambda: ben.table_notes.person_called("Eve") is not None)
        for player_seat, line, why in (
            (ben, "remove Eve", sentences("en")["only-the-host"]),
            (ada, "remove Nobody", "Nobody here is called Nobody."),
            (ada, "unblock Eve", "Nobody here is called Eve."),
        ):
            with pytest.raises(StichwerkError) as refused:
                do(player_seat, line)
            assert words_of(refused.value, "en") == why
        do(ada, "block eve")
        with pytest.raises(NoTableError) as removed:
            until(eve, lambda: False)
        assert removed.value.id == "removed"
        until(ben, lambda: any("Eve was removed" in line for line in ben.notices()))
        with pytest.raises(StichwerkError) as refused:
            RemoteSeat(made.link, "Eve", "en")
        assert words_of(refused.value, "en") == sentences("en")["blocked-here"]
        assert any("Blocked: Eve" in line for line in ada.table_notes.people_lines())
        do(ada, "unblock Eve")
        do(ada, "handover 1")
        until(ben, lambda: ben.may_begin)


# -- What must not arrive --------------------------------------------------------------------------


def test_the_cards_of_others_never_arrive(server: Server) -> None:
    """Every message of a match: until a card is out, only its holder hears of it."""
    made = server.table("sticheln", seats=3, options={"rounds": 1}, settings={"level": "easy"})
    heard: list[wire.FromServer] = []
    watched: list[wire.FromServer] = []
    with (
        sat_down(made.personal, None, on_message=heard.append) as player_seat,
        sat_down(made.link, None, on_message=watched.append),
    ):
        player_seat.begin()
        until(player_seat, lambda: player_seat.playing)
        play_on(player_seat)
        record = decode(server.record(player_seat.match_id))
    hands = record.rounds[0].hands
    for messages, own in ((heard, set(hands[0])), (watched, set())):
        out: set[str] = set()
        counted = 0
        for message in messages:
            if isinstance(message, wire.Welcome | wire.Update):
                counted += 1
                out |= {card for event in events(message) for card in public_cards(event)}
                named = set(CARD.findall(msgspec.json.encode(message).decode()))
                assert named <= out | own, message
        assert counted > 15
        assert out >= {card for hand in hands for card in hand}


def events(message: wire.Welcome | wire.Update) -> Iterator[Event]:
    for step in message.steps:
        yield from step.events
    if isinstance(message, wire.Welcome) and message.view:
        yield from message.view.history


def public_cards(event: Event) -> Iterator[str]:
    """Yield the cards that are public after this event."""
    if event.to is None:
        yield from event.cards
        yield from re.findall(r"[RYGBLS]\d{1,2}", " ".join((event.move, *event.choices)))


def test_a_hand_that_was_not_dealt_is_noticed(server: Server) -> None:
    made = server.table(options={"rounds": 1}, bots={"1": "easy", "2": "easy"})
    with sat_down(made.personal, None) as player_seat:
        player_seat.begin()
        until(player_seat, lambda: player_seat.playing)
        play_on(player_seat)
        assert player_seat.table
        assert player_seat.table.dealing
        until(player_seat, lambda: len(player_seat.table.dealing.server_seeds) == 2)  # type: ignore[union-attr]
        dealing, view = player_seat.table.dealing, player_seat.view
        rules = rules_of(player_seat.table, dealing)
        assert rules is not None
        check_round(rules, dealing, 1, rounds_in(view.history, player_seat.seat)[1])
        at = next(at for at, event in enumerate(view.history) if event.kind == "hand")
        swapped = (*view.history[at].cards[1:], view.history[at].cards[0])
        history = list(view.history)
        history[at] = msgspec.structs.replace(history[at], cards=swapped)
        with pytest.raises(DealViolationError) as found:
            check_round(rules, dealing, 1, rounds_in(history, player_seat.seat)[1])
        # A person who has the seat since the second round knows no hand of the first.
        later = (RoundStarted(2, 0, 0), HandDealt(0, swapped, to=(0,)))
        taken_over = (*(event for event in view.history if event.kind != "hand"), *later)
        check_round(rules, dealing, 1, rounds_in(taken_over, player_seat.seat)[1])
        failure = player_seat._failure_for(found.value)
        assert words_of(failure, "en").startswith("Your cards in round 1 are not those that follow")


def test_the_session_ends_when_the_table_is_gone(server: Server) -> None:
    said: list[str] = []

    class Screen:
        colours = False

        def say(self, line: str = "") -> None:
            said.append(line)

        def ask(self) -> str | None:
            return None

    with sat_down(server.table().personal, None) as player_seat:
        visit = RemoteSession(player_seat, Screen())
        for line in ("R3", "p", "h", "sit 0", "sit 9", "w", "n"):
            visit.typed(line)
        player_seat._fail(NoTableError("table-left"))
        visit.typed("b")
        with pytest.raises(NoTableError, match="table-left"):
            visit.run()
    assert said[0].startswith("Welcome to the web table!")


# -- No table --------------------------------------------------------------------------------------


def complaint(capsys: pytest.CaptureFixture[str], *args: str) -> str:
    """Return the error line of a command."""
    assert cli.main(["play", "--lang", "en", *args]) == 2
    output = capsys.readouterr()
    assert output.err.count("\n") == 1, output.err
    return output.err


def test_a_missing_table_is_reported_clearly(
    server: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        nobody = f"http://127.0.0.1:{free.getsockname()[1]}/t/abc"
    more = ("--name", "Eve", "--data", str(tmp_path))
    here = f"http://127.0.0.1:{server.port}"
    made = server.table()
    for url, words in (
        ("nonsense", "'nonsense' is not a link to a table"),
        (f"{here}/", "is not a link to a table"),
        (f"ftp://127.0.0.1:{server.port}/t/abc", "is not a link to a table"),
        (f"{here}/t/abc#short", "is not a link to a table"),
        (nobody, f"No table can be reached at {nobody}: Connection refused."),
        (f"{here}/x/t/abc", f"No table can be reached at {here}/x/t/abc: HTTP 4"),
        (f"{here}/t/abc", "There is no such table (any more)."),
        (f"{made.link}#{'x' * 43}", "This personal link belongs to nobody at the table."),
    ):
        assert words in complaint(capsys, "--table", url, *more)
    assert "at most 24" in complaint(capsys, "--table", made.link, "--name", "x" * 25)
    taken = complaint(capsys, "--table", made.link, "--seat", "0", *more)
    assert taken == "The seat is taken.\n"
    for wrong in (("sticheln",), ("--seed", "1"), ("--save", "x"), ("--resume",)):
        line = complaint(capsys, *wrong, "--table", made.link)
        assert line.endswith("does not go with --table: the table decides that.\n")


@pytest.mark.parametrize(
    "welcome", [{"type": "bye", "error": "wrong-version", "text": "reload"}, {"type": "surprise"}]
)
def test_a_version_mismatch_is_reported(welcome: dict[str, str]) -> None:
    def answer(connection: ServerConnection) -> None:
        connection.recv()
        connection.send(json.dumps(welcome))
        connection.close(4400, "wrong-version")

    with serve_sockets(answer, "127.0.0.1", 0) as other:
        threading.Thread(target=other.serve_forever, daemon=True).start()
        port = other.socket.getsockname()[1]
        with pytest.raises(NoTableError) as refused:
            RemoteSeat(f"http://127.0.0.1:{port}/t/abc", "Eve", "en")
    assert words_of(refused.value, "en").startswith("This Stichwerk and the server speak different")


def test_a_seat_that_is_gone_is_forgotten(server: Server, tmp_path: Path) -> None:
    made = server.table()
    book = SeatStore(tmp_path)
    book.keep(parse(made.link), "Eve", "x" * 43)
    with sat_down(made.link, "Eve", book=book) as player_seat:
        assert player_seat.seat == 1
        kept = book.find(parse(made.link), "Eve")
        assert kept
        assert kept.token == player_seat._token
    with sat_down(made.link, None, book=book) as again:
        assert again.person == player_seat.person
    with sat_down(made.link, "Tom", book=book) as other:
        assert other.person != player_seat.person


# -- Without a server ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("url", "address", "socket_at", "token"),
    [
        ("https://a.example/t/Ab-_1", "https://a.example/t/Ab-_1", "wss://a.example/ws", None),
        ("http://[::1]:8420/t/x/", "http://[::1]:8420/t/x", "ws://[::1]:8420/ws", None),
        ("a.example:80/t/x", "http://a.example:80/t/x", "ws://a.example:80/ws", None),
        (
            f"https://a.example/t/x#{'t' * 43}",
            "https://a.example/t/x",
            "wss://a.example/ws",
            "t" * 43,
        ),
    ],
)
def test_links_are_parsed(url: str, address: str, socket_at: str, token: str | None) -> None:
    link = parse(url)
    assert (link.address, link.socket, link.token) == (address, socket_at, token)


@pytest.mark.parametrize(
    "url",
    ["", "/t/x", "http://", "http://a/t/", "http://a/t/ä", "http://a:x/t/x", "http://a\x1b/t/x"],
)
def test_invalid_links_are_refused(url: str) -> None:
    with pytest.raises(BadLinkError):
        parse(url)


def test_the_seat_book_stores_tokens(tmp_path: Path) -> None:
    book = SeatStore(tmp_path / "new")
    one, other = parse("http://a/t/one"), parse("http://a/t/other")
    assert book.find(one, None) is None
    book.keep(one, "Ada", "a" * 43)
    book.keep(one, "Ben", "b" * 43)
    book.keep(other, "Ada", "c" * 43)
    newest, named = book.find(one, None), book.find(one, "Ada")
    assert newest
    assert named
    assert (newest.token, named.token) == ("b" * 43, "a" * 43)
    assert stat.S_IMODE(book.file.stat().st_mode) == 0o600
    book.forget("b" * 43)
    assert book.find(one, "Ben") is None
    book.file.write_text("{")
    assert book.find(one, None) is None
    blocked = SeatStore(book.file)  # a file where a folder should be
    blocked.keep(one, "Ada", "a" * 43)
    assert blocked.find(one, None) is None


def a_table() -> wire.Table:
    people = (wire.Person(id="a", name="Ada", here=True), wire.Person(id="b", name="Ben\x1b[2J"))
    places = (wire.Place(person="a"), wire.Place(person="b"), wire.Place(level="easy"))
    return wire.Table(
        id="t",
        game="sticheln",
        seats=3,
        options={},
        settings=wire.Settings(),
        host="a",
        people=people,
        places=places,
        stage="gathering",
    )


NOTES: tuple[wire.Notes, ...] = (
    wire.Joined(person="b", name="Ben", seat=1),
    wire.Joined(person="b", name="Ben", seat=None),
    wire.Moved(seat=1, place=wire.Place()),
    wire.Moved(seat=2, place=wire.Place(level="hard")),
    wire.Renamed(person="b", name="Bea"),
    wire.Changed(),
    wire.Away(seat=1),
    wire.Back(seat=1),
    wire.Sealing(match="m"),
    wire.Agreed(seat=1),
    wire.Begun(match="m"),
    wire.Asked(seat=0),
    wire.Asked(seat=1),
    wire.Declined(seat=1),
    wire.TookBack(seat=1, events=2),
    wire.Hinted(seat=1),
    wire.StoodIn(seat=1, why="clock"),
    wire.StoodIn(seat=2, why="bot"),
    wire.Said(person="b", text="x" * 280),
    *(wire.Said(person="b", preset=preset) for preset in PRESETS),
    wire.Muted(person="b", muted=True),
    wire.Muted(person="b", muted=False),
    *(wire.Hosts(person=person, for_good=owns) for person in "ab" for owns in (True, False)),
    wire.Removed(person="x", name="Eve", blocked=True),
    wire.Said(person="x", text="bye", name="Eve"),
)
SILENT = (
    wire.Joined(person="a", name="Ada", seat=0),  # oneself
    wire.Hinted(seat=0),
    wire.Sealed(seat=1),
    wire.Aborted(match="m", seats=(1,)),  # the deal check reports and counts it
    wire.Opened(seat=1),
    wire.Published(round=1, seed="00"),
)


@pytest.mark.parametrize("lang", ["de", "en"])
def test_every_note_has_a_text(lang: str) -> None:
    table_notes = TableNotes(a_table(), "a", lang)
    lines = [line for note in NOTES for line in table_notes.of(note)]
    assert len(lines) == len(set(lines)) == len(NOTES)
    for line in [*lines, *table_notes.people_lines(), table_notes.words(("one", "two"))]:
        assert line.isprintable()
        assert not re.search(r"note-|preset-|level-|\{", line)
    assert [line for note in SILENT for line in table_notes.of(note)] == []
    covered = {type(note) for note in (*NOTES, *SILENT)}
    assert set(NOTE_TEXTS) <= covered
    assert covered == set(get_args(wire.Notes))
    assert set(PRESETS) == set(get_args(wire.Preset))
    assert set(LEVELS) == set(get_args(wire.Level))


def test_long_messages_are_shown_in_full() -> None:
    assert fit_to_show("ä" * 280) == "ä" * 280
    assert fit_to_show("a\nb") == "a\\nb"


def test_server_texts_are_stripped_of_control_characters() -> None:
    view = stichwerk.game("sticheln").new(seed=1, names=["Ada", "B\x1b[2J", "C", "D"]).view(0)
    assert cleaned(view).names == ("Ada", "B�[2J", "C", "D")
    assert msgspec.structs.replace(cleaned(view), names=view.names) == view
    same = stichwerk.game("sticheln").new(seed=1).view(0)
    assert cleaned(same) is same
