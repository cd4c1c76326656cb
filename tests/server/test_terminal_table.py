"""`stichwerk play --table`: the terminal at a web table, with a real server and real sockets."""

import os
import re
import signal
import socket
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest

from stichwerk.errors import StichwerkError
from stichwerk.locale import sentences
from stichwerk.record import decode, verify
from stichwerk.terminal import remote_seat
from stichwerk.terminal.remote_seat import NoTableError, PendingError, RemoteSeat
from stichwerk.terminal.seat import words_of
from tests.server.terminal_table_setup import PATIENCE, Server, play_on, sat_down, until
from tests.server.terminal_table_setup import server_fixture as server_fixture

COMMAND = (sys.executable, "-c", "import sys; from stichwerk.cli import main; sys.exit(main())")


# -- A server, a line that can be cut, a person at a keyboard --------------------------------------


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
        """Break all connections."""
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
        while "Your hand" in self.until("Your hand", "starts "):
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
    typist.until("b starts the match")
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
    back.until("Ada, du, Gastgeber")
    back.until("Deine Hand")
    assert back.leave() == (0, "")


@pytest.mark.slow
def test_a_day_of_stichtag_with_choices(server: Server, tmp_path: Path) -> None:
    """An announcement in every round, and cards that are given on."""
    day = {"date": "09-14"}
    made = server.table("stichtag", options=day, settings={"level": "easy"})
    typist = Typist(tmp_path, "--table", made.personal)
    typist.until("starts the match")
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
    ada.until("starts the match")
    ben = Typist(tmp_path / "ben", "--table", made.link, lang="en")
    ben.until("What is your name")
    ben.type("Ben")
    ben.until("Ada starts the next match")
    ada.until("Ben takes a seat.")
    ben.type(": Hallo\tAda \x1b[2J!")
    ada.until("Ben says: Hallo Ada [2J!")
    ben.type("b")
    ben.until("Only the host can do that.")
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
        assert fresh.view.history == history, "nothing was missed, and nothing received twice"
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
        assert words_of(early.value, "de") == "Noch läuft keine Partie."
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
        assert "Ada takes back the last move." in [*ada.notices(), *ben.notices()]
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
        watcher.until("To play: ")
        watcher.type("R3")
        watcher.until("You need a seat for that.")
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
