"""The HTTP API, its limits, statuses and codes of closing, as documentation has them."""

import re
from collections.abc import Mapping
from typing import Literal

import msgspec

from stichwerk.server import wire

Struct = type[msgspec.Struct]

SOCKET = "/ws"


class Endpoint(msgspec.Struct, frozen=True, kw_only=True):
    """One thing the HTTP API does: what it takes, what it answers, and how it may refuse.

    `answers` is a struct, or `Record` (a record in JSON), `text`, `json` or `svg`. `query` names
    what may stand behind the question mark. `refusals` holds all other answers.
    """

    method: Literal["GET", "POST"]
    path: str
    name: str
    summary: str
    query: Mapping[str, str] = {}
    asks: Struct | None = None
    answers: Struct | Literal["Record", "text", "json", "svg"]
    status: int = 200
    refusals: Mapping[int, Struct]

    @property
    def place_holders(self) -> list[str]:
        """What is to be filled in in the path."""
        return re.findall(r"{(\w+)}", self.path)

    @property
    def worded(self) -> bool:
        """Whether its words come in the language asked for."""
        return self.path.startswith("/api/")


def problems(*statuses: int) -> dict[int, Struct]:
    """Refusals that say why; too many requests are refused everywhere."""
    return dict.fromkeys(sorted({429, *statuses}), wire.Problem)


ENDPOINTS: tuple[Endpoint, ...] = (
    Endpoint(
        method="GET",
        path="/api/health",
        name="health",
        summary="Is all well?",
        answers=wire.Health,
        refusals={429: wire.Problem, 503: wire.Health},
    ),
    Endpoint(
        method="GET",
        path="/api/version",
        name="version",
        summary="What runs here.",
        answers=wire.VersionInfo,
        refusals=problems(),
    ),
    Endpoint(
        method="GET",
        path="/api/lobby",
        name="lobby",
        summary="The tables that strangers may come to.",
        answers=wire.Lobby,
        refusals=problems(),
    ),
    Endpoint(
        method="GET",
        path="/api/bots",
        name="bots",
        summary="The bots there are.",
        answers=wire.Bots,
        refusals=problems(),
    ),
    Endpoint(
        method="GET",
        path="/api/games",
        name="games",
        summary="The games there are, with their options.",
        answers=wire.Games,
        refusals=problems(),
    ),
    Endpoint(
        method="POST",
        path="/api/tables",
        name="create",
        summary="Make a table, and be its host.",
        asks=wire.NewTable,
        answers=wire.TableMade,
        status=201,
        refusals=problems(400, 408, 413, 503),
    ),
    Endpoint(
        method="GET",
        path="/api/rules/{game}",
        name="rules",
        summary="The rules of a game.",
        query={"seats": "Tables in the rules tell only of so many."},
        answers=wire.Rules,
        refusals=problems(400, 404),
    ),
    Endpoint(
        method="GET",
        path="/api/lessons/{game}",
        name="lesson",
        summary="The lesson of a game, and examples of its rules, step by step.",
        answers="json",
        refusals=problems(404),
    ),
    Endpoint(
        method="GET",
        path="/api/calendar",
        name="calendar",
        summary="The sheets of the calendar.",
        answers=wire.Calendar,
        refusals=problems(),
    ),
    Endpoint(
        method="GET",
        path="/api/calendar/{date}",
        name="day",
        summary="One day of the calendar: `MM-DD`, `today` or `random`.",
        query={"seats": "Tables in the rules tell only of so many."},
        answers=wire.Day,
        refusals=problems(400, 404),
    ),
    Endpoint(
        method="POST",
        path="/api/qr",
        name="qr",
        summary="A link of this server as a QR code.",
        asks=wire.QrText,
        answers="svg",
        refusals=problems(400, 403, 408, 413),
    ),
    Endpoint(
        method="GET",
        path="/api/matches",
        name="matches",
        summary="The finished matches of a table that anyone may watch.",
        query={"table": "The table; it must be there."},
        answers=wire.Matches,
        refusals=problems(400, 403, 404, 503),
    ),
    Endpoint(
        method="GET",
        path="/api/matches/{id}",
        name="record",
        summary="The record of a finished match.",
        answers="Record",
        refusals=problems(404, 503),
    ),
    Endpoint(
        method="GET",
        path="/api/matches/{id}/replay",
        name="replay",
        summary="A finished match, step by step.",
        query={
            "seat": "The seat that looks on, or `open` (the default): all cards are shown.",
            "from": "The first step wanted, if there are more than 4,000.",
        },
        answers=wire.Replay,
        refusals=problems(400, 404, 503),
    ),
    Endpoint(
        method="GET",
        path="/api/matches/{id}/review",
        name="review",
        summary="What the moves of a finished match cost. It takes a while: ask until it is there.",
        query={"seat": "The seat that is reviewed; left out: all, which takes longer."},
        answers=wire.Review,
        refusals={202: wire.ReviewProgress, **problems(400, 404, 503)},
    ),
    Endpoint(
        method="POST",
        path="/api/matches/{id}/fork",
        name="fork",
        summary="Make a table on which a finished match is played on, against bots.",
        asks=wire.NewFork,
        answers=wire.TableMade,
        status=201,
        refusals=problems(400, 404, 408, 413, 503),
    ),
    Endpoint(
        method="GET",
        path="/metrics",
        name="metrics",
        summary="Figures for Prometheus, for programs on the same machine unless set otherwise.",
        answers="text",
        refusals=problems(403, 404),
    ),
    Endpoint(
        method="GET",
        path="/openapi.json",
        name="openapi",
        summary="This API, described for programs (OpenAPI 3.1).",
        answers="json",
        refusals=problems(),
    ),
)


LIMITS = {
    "frame_bytes": "bytes of a message from a client",
    "messages": "messages of one connection, at once or in `seconds`",
    "control_frames": (
        "pings, pongs, empty frames and fragments of one connection, at once or in `seconds`"
    ),
    "frames_per_address": "frames of any kind from one address, at once or in `seconds`",
    "bytes_per_socket": "bytes received over one connection, at once or in `seconds`",
    "bytes_per_address": "bytes received from one address, at once or in `seconds`",
    "seconds": "seconds for these five",
    "sockets_per_address": "WebSockets of one address",
    "sockets": "WebSockets of all addresses together",
    "connections_per_address": "connections of one address, over HTTP or as WebSockets",
    "connections": "connections of all addresses together",
    "header_bytes": "bytes of all headers of a request",
    "header_seconds": "seconds until the headers of a request must be here",
    "idle_seconds": "seconds that a connection over HTTP stays open between two requests",
    "stalled_seconds": "seconds in which a client takes nothing, then it is cut off",
    "http_requests": "requests over HTTP of one address, at once or in `http_seconds`",
    "http_seconds": "seconds for that",
    "creates": "tables made by one address, at once or in `create_seconds`",
    "create_seconds": "seconds for that",
    "body_bytes": "bytes of a request's body over HTTP",
    "body_seconds": "seconds until that body must be here",
    "queue": "messages that may wait for a client that does not take them",
    "queue_bytes": "bytes of these messages; a single one may be larger",
    "hello_seconds": "seconds until the first message must be here",
    "joins": "people who join tables from one address, at once or in `join_seconds`",
    "join_seconds": "seconds for that",
    "beside_per_address": "people of one address without a seat at one table",
    "changes": "requests of one person at a table, moves aside, at once or in `change_seconds`",
    "address_changes": "the same for one address at all tables",
    "change_seconds": "seconds for both",
    "beside": "entries of one person in a table's log from match to match, moves aside",
    "host_seconds": "seconds until a seated person stands in for a host who is gone",
    "files": "files of the page for one address, at once or in `file_seconds`",
    "file_seconds": "seconds for that",
    "qrs": "QR codes drawn for one address, at once or in `qr_seconds`",
    "qr_seconds": "seconds for that",
}
"""Each limit in words; the numbers are those of `guards.Limits`."""


STATUSES = {
    200: "Here it is",
    201: "It is made",
    202: "It is being worked on: ask again in a moment",
    400: "What was asked for cannot be read, or is not possible",
    403: "That may not be asked for, or not from there",
    404: "There is no such thing",
    408: "The body came too slowly",
    413: "The body is too large",
    421: "The server is not known by the name in `Host`",
    429: "Too many requests: wait a little",
    503: "Nothing can be stored now, or others are being served: try again later",
}


CLOSINGS = {
    1001: (
        "The server stops, and says so in its `bye` (`server-stops`). Come back, and resume with "
        "`since`."
    ),
    1012: (
        "The server stops, without a `bye`: no `hello` had come, or the client took no messages. "
        "Come back, and resume with `since`."
    ),
    4400: "The first message was no `hello` that can be read, or of another version.",
    4403: "Nobody at this table has this token.",
    4404: "There is no such table.",
    4408: "No `hello` came in time.",
    4410: "The host removed this person from the table.",
    4413: "The client took its messages too slowly. Come back, and resume with `since`.",
    4429: "Too many messages, frames or bytes. Wait a little before coming back.",
    4500: "Something broke on the server. Come back, and resume with `since`.",
}
"""Why the server ends a connection, as codes of WebSockets."""


def responses(endpoint: Endpoint) -> dict[int, Struct | str]:
    """What can come back, by status."""
    return {endpoint.status: endpoint.answers, **endpoint.refusals}
