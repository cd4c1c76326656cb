"""Logs tell what happened, and never a secret."""

import ast
import io
import json
import logging
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stichwerk import server
from stichwerk.errors import BadCardError
from stichwerk.server import logs
from stichwerk.server.logs import FIELDS, MOST_LINES, BadFieldError, Log, library_logs_to, mark
from tests.server.manual_clock import ManualClock

SECRETS = ("kT9-secret-token_0123456789abcdefghij", "a3f1" * 16, "G8 R3", "Anna", "hallo du!")


def result(stream: io.StringIO) -> list[dict[str, object]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def test_the_log_has_one_object_per_line() -> None:
    stream = io.StringIO()
    log = Log(stream, strict=True)
    log.info("started", port=8420, public=False, version="0.1.0")
    log.warn("refused", error="must-follow", address="192.0.2.77", seconds=0.1234567891)
    first, second = result(stream)
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", str(first.pop("time")))
    assert first == {
        "level": "info",
        "event": "started",
        "port": 8420,
        "public": False,
        "version": "0.1.0",
    }
    assert second["address"] == "192.0.2.0/24"
    assert second["seconds"] == 0.123457


def test_a_table_cannot_be_found_from_the_log() -> None:
    stream = io.StringIO()
    Log(stream, strict=True).info("opened", table="abcDEF123", match="m-1")
    assert "abcDEF123" not in stream.getvalue()
    assert result(stream)[0]["table"] == mark("abcDEF123")


@pytest.mark.parametrize("name", ["token", "seed", "name", "text", "card", "move", "chat", "cards"])
def test_secret_fields_are_refused_or_dropped(name: str) -> None:
    with pytest.raises(BadFieldError, match=name):
        Log(io.StringIO(), strict=True).info("x", **{name: "anything"})
    stream = io.StringIO()
    Log(stream).info("x", **{name: "anything", "seat": 1})
    (line,) = result(stream)
    assert (line["dropped"], line["seat"]) == (1, 1)
    assert "anything" not in stream.getvalue()


@pytest.mark.parametrize("secret", SECRETS)
@pytest.mark.parametrize("field", sorted(FIELDS))
def test_no_field_accepts_a_secret(field: str, secret: str) -> None:
    stream = io.StringIO()
    Log(stream).info("x", **{field: secret})
    assert secret not in stream.getvalue()


@given(field=st.sampled_from(sorted(FIELDS)), value=st.integers() | st.binary() | st.text())
def test_nothing_breaks_a_line(field: str, value: object) -> None:
    stream = io.StringIO()
    log = Log(stream)
    log.info("x", **{field: value})
    log.info("x\ny", **{field: [value]})
    assert [line["event"] for line in result(stream)] == ["x", "unnamed"]


def test_unknown_exception_kinds_are_not_logged() -> None:
    stream = io.StringIO()
    Log(stream, strict=True).warn(
        "bot-failed", detail="ZeroDivisionError", exception="BadCardError"
    )
    assert result(stream)[0]["detail"] == "ZeroDivisionError"
    with pytest.raises(BadFieldError):
        Log(stream, strict=True).warn("bot-failed", detail="AnnaError")


def test_seeds_are_too_large_for_numbers() -> None:
    with pytest.raises(BadFieldError):
        Log(io.StringIO(), strict=True).info("x", count=2**53 - 1)
    with pytest.raises(BadFieldError):
        Log(io.StringIO(), strict=True).info("x", count=True)


def fail(secret: str) -> None:
    raise ValueError(f"bad token {secret}")


def test_exceptions_are_logged_by_kind_and_place_only() -> None:
    stream = io.StringIO()
    log = Log(stream, strict=True)
    for human in (False, True):
        log = Log(stream, human=human, strict=True)
        try:
            fail(SECRETS[0])
        except ValueError as error:
            log.error("table-failed", error, table="t")
    text = stream.getvalue()
    line = json.loads(text.splitlines()[0])
    assert SECRETS[0] not in text
    assert line["exception"] == "ValueError"
    assert line["level"] == "error"
    assert re.fullmatch(r"server/test_logs\.py:\d+ fail", line["trace"][-1])
    assert "    server/test_logs.py:" in text


@pytest.mark.parametrize(
    ("field", "value", "allowed"),
    [
        ("detail", "ValueError in own_game.py:12", True),
        ("detail", "ValueError", True),
        ("detail", "R7 in own_game.py:12", False),
        ("detail", "ValueError in R7", False),
        ("method", "may_play", True),
        ("method", "may_play, play_card", True),
        ("method", "R7, G8", False),
        ("method", "Mia", False),
    ],
)
def test_faults_of_bots_and_games_are_logged_without_cards(
    field: str, value: str, allowed: bool
) -> None:
    stream = io.StringIO()
    Log(stream).warn("bot-failed", **{field: value})
    assert result(stream)[0].get(field) == (value if allowed else None)


def test_our_own_errors_are_logged_by_id_without_facts() -> None:
    stream = io.StringIO()
    Log(stream, strict=True).error("odd", BadCardError("bad-card", card="G8"))
    assert result(stream)[0]["error"] == "bad-card"
    assert "G8" not in stream.getvalue()


def test_people_get_a_short_line() -> None:
    stream = io.StringIO()
    Log(stream, human=True, strict=True).warn("too-slow", address="2001:db8::1", count=3)
    assert re.fullmatch(
        r"\d\d:\d\d:\d\d warn  too-slow address=2001:db8::/48 count=3\n", stream.getvalue()
    )


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_the_form_follows_the_stream() -> None:
    terminal = Terminal()
    Log(terminal).info("x")
    assert not terminal.getvalue().startswith("{")


def test_a_flood_does_not_fill_the_disk() -> None:
    stream, clock = io.StringIO(), ManualClock()
    log = Log(stream, clock=clock)
    for _ in range(MOST_LINES + 500):
        log.warn("flood")
    assert len(result(stream)) == MOST_LINES
    clock.advance(60 / MOST_LINES)  # time for one more
    log.info("later")
    log.info("too soon")
    last = result(stream)[-1]
    assert (last["event"], last["suppressed"]) == ("later", 500)


def test_lines_have_the_time_of_the_clock() -> None:
    stream, clock = io.StringIO(), ManualClock()
    clock.advance(1.5)
    Log(stream, clock=clock).info("x")
    assert result(stream)[0]["time"] == "2027-01-15T08:00:01.500Z"


class Broken(io.StringIO):
    def write(self, text: str) -> int:
        raise BrokenPipeError


def test_an_unread_log_stops_nothing() -> None:
    Log(Broken()).info("x")
    closed = io.StringIO()
    log = Log(closed)
    closed.close()
    log.info("x")


# -- Logs of others --------------------------------------------------------------------------------


def test_libraries_go_through_the_log_without_their_texts() -> None:
    stream = io.StringIO()
    with library_logs_to(Log(stream, strict=True)):
        logging.getLogger("uvicorn.error").info("192.0.2.7 GET /?token=%s", SECRETS[0])
        logging.getLogger("uvicorn.error").warning("token %s", SECRETS[0])
        logging.getLogger("asyncio").error(f"Task: {SECRETS[0]}")
        try:
            fail(SECRETS[0])
        except ValueError:
            logging.getLogger("uvicorn.error").exception("Exception in ASGI application\n")
    assert SECRETS[0] not in stream.getvalue()
    assert "192.0.2.7" not in stream.getvalue()
    lines = result(stream)
    assert [line["level"] for line in lines] == ["warn", "error", "error"]
    assert {line["event"] for line in lines} == {"library"}
    assert str(lines[0]["at"]).startswith("server/test_logs.py:")
    assert lines[2]["exception"] == "ValueError"


def test_child_loggers_of_libraries_are_filtered() -> None:
    stream = io.StringIO()
    child = logging.getLogger("websockets.stand-in")
    child.setLevel(logging.DEBUG)
    with library_logs_to(Log(stream)):
        child.debug("< TEXT %s", SECRETS[0])
        # Not even built: it would cost time for each frame.
        assert not logging.getLogger("uvicorn.error").isEnabledFor(logging.INFO)
    assert stream.getvalue() == ""


def test_loggers_are_restored() -> None:
    logger = logging.getLogger("uvicorn")
    before = (logger.handlers, logger.level, logger.propagate)
    with library_logs_to(Log(io.StringIO())):
        assert logger.handlers != before[0]
    assert (logger.handlers, logger.level, logger.propagate) == before


# -- Calls in the source ---------------------------------------------------------------------------


def calls() -> Iterator[tuple[str, ast.Call]]:
    """Yield every call of a log in the server."""
    for path in sorted(Path(next(iter(server.__path__))).glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            match node:
                case ast.Call(func=ast.Attribute(value=whose, attr="info" | "warn" | "error")):
                    if ast.unparse(whose).split(".")[-1] in ("log", "_log"):
                        yield path.name, node


def test_every_call_in_the_server_gives_allowed_fields_only() -> None:
    found = list(calls())
    assert found
    for name, call in found:
        where = f"{name}:{call.lineno}"
        assert isinstance(call.args[0], ast.Constant), f"{where}: the event is written out"
        assert logs.word(call.args[0].value), where
        fields = {keyword.arg for keyword in call.keywords}
        assert fields <= set(FIELDS), where
