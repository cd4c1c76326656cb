"""`stichwerk play --table`: what must not arrive, and tables that are not there."""

import json
import re
import socket
import stat
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import msgspec
import pytest
from websockets.sync.server import ServerConnection
from websockets.sync.server import serve as serve_sockets

import stichwerk
from stichwerk.engine.events import Event, HandDealt, RoundStarted
from stichwerk.record import decode
from stichwerk.server import wire
from stichwerk.server.clients.deal_messages import DealViolationError
from stichwerk.server.clients.dealt_cards import check_round, rounds_in
from stichwerk.server.clients.table_rules import rules_of
from stichwerk.terminal.links import BadLinkError, SeatStore, parse
from stichwerk.terminal.remote_input import cleaned
from stichwerk.terminal.remote_seat import NoTableError, RemoteSeat
from stichwerk.terminal.remote_session import RemoteSession
from stichwerk.terminal.seat import words_of
from stichwerk.terminal.table_notes import LEVELS, PRESETS, TableNotes, fit_to_show
from tests.server.terminal_table_setup import Server, complaint, play_on, sat_down, until
from tests.server.terminal_table_setup import server_fixture as server_fixture

CARD = re.compile(r'"([RYGBLS]\d{1,2})"')


# -- What must not arrive --------------------------------------------------------------------------


def test_the_cards_of_others_never_arrive(server: Server) -> None:
    """Every message of a match: until a card is out, only its holder hears of it."""
    made = server.table("sticheln", seats=3, options={"rounds": 1}, settings={"level": "easy"})
    received: list[wire.FromServer] = []
    watched: list[wire.FromServer] = []
    with (
        sat_down(made.personal, None, on_message=received.append) as player_seat,
        sat_down(made.link, None, on_message=watched.append),
    ):
        player_seat.begin()
        until(player_seat, lambda: player_seat.playing)
        play_on(player_seat)
        record = decode(server.record(player_seat.match_id))
    hands = record.rounds[0].hands
    for messages, own in ((received, set(hands[0])), (watched, set())):
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
        (f"{here}/t/abc", "This table does not exist (any more)."),
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
