"""The HTTP API for the documentation: endpoints, limits, statuses and close codes."""

import re
from collections.abc import Mapping
from typing import Literal

import msgspec

from stichwerk.server import wire
from stichwerk.story import Story

Struct = type[msgspec.Struct]

SOCKET = "/ws"


class Endpoint(msgspec.Struct, frozen=True, kw_only=True):
    """An endpoint of the HTTP API: its input, its response, and its refusals.

    `answers` is a struct, or `Record` (a record in JSON), `text`, `json` or `svg`. `query` names
    the query parameters. `refusals` contains all other responses.
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
        """Return the placeholders in the path."""
        return re.findall(r"{(\w+)}", self.path)

    @property
    def worded(self) -> bool:
        """Whether its texts come in the requested language."""
        return self.path.startswith("/api/")


RULES = "The version of the rules that the texts follow; by default the newest."


def problems(*statuses: int) -> dict[int, Struct]:
    """Return refusals with a reason; too many requests are refused everywhere."""
    return dict.fromkeys(sorted({429, *statuses}), wire.Problem)


ENDPOINTS: tuple[Endpoint, ...] = (
    Endpoint(
        method="GET",
        path="/api/health",
        name="health",
        summary="Return whether the server is healthy.",
        answers=wire.Health,
        refusals={429: wire.Problem, 503: wire.Health},
    ),
    Endpoint(
        method="GET",
        path="/api/version",
        name="version",
        summary="Return the running versions.",
        answers=wire.VersionInfo,
        refusals=problems(),
    ),
    Endpoint(
        method="GET",
        path="/api/lobby",
        name="lobby",
        summary="List the tables that are open to strangers.",
        answers=wire.Lobby,
        refusals=problems(),
    ),
    Endpoint(
        method="GET",
        path="/api/bots",
        name="bots",
        summary="List the available bots.",
        answers=wire.Bots,
        refusals=problems(),
    ),
    Endpoint(
        method="GET",
        path="/api/characters",
        name="characters",
        summary="List the characters: bots with a name and a style.",
        answers=wire.Characters,
        refusals=problems(),
    ),
    Endpoint(
        method="GET",
        path="/api/games",
        name="games",
        summary="List the available games, with their options.",
        answers=wire.Games,
        refusals=problems(),
    ),
    Endpoint(
        method="POST",
        path="/api/tables",
        name="create",
        summary="Create a table and become its host.",
        asks=wire.NewTable,
        answers=wire.TableMade,
        status=201,
        refusals=problems(400, 408, 413, 503),
    ),
    Endpoint(
        method="GET",
        path="/api/rules/{game}",
        name="rules",
        summary="Return the rules of a game.",
        query={"seats": "Limit tables in the rules to this number of seats."},
        answers=wire.Rules,
        refusals=problems(400, 404),
    ),
    Endpoint(
        method="GET",
        path="/api/lessons/{game}",
        name="lesson",
        summary="Return the lesson of a game, and examples of its rules, step by step.",
        answers="json",
        refusals=problems(404),
    ),
    Endpoint(
        method="GET",
        path="/api/calendar",
        name="calendar",
        summary="Return the sheets of the calendar.",
        query={
            "rules": RULES,
            "sheets": "Sheets that are played together, separated by commas: their texts are "
            "without what a cross-note among them cancels.",
        },
        answers=wire.Calendar,
        refusals=problems(400),
    ),
    Endpoint(
        method="GET",
        path="/api/calendar/{date}",
        name="day",
        summary="Return one day of the calendar: `MM-DD`, `today` or `random`.",
        query={"seats": "Limit tables in the rules to this number of seats.", "rules": RULES},
        answers=wire.Day,
        refusals=problems(400, 404),
    ),
    Endpoint(
        method="POST",
        path="/api/qr",
        name="qr",
        summary="Return a link to this server as a QR code.",
        asks=wire.QrText,
        answers="svg",
        refusals=problems(400, 403, 408, 413),
    ),
    Endpoint(
        method="GET",
        path="/api/matches",
        name="matches",
        summary="List the finished matches of a table that anyone may watch.",
        query={"table": "The table; it must exist."},
        answers=wire.Matches,
        refusals=problems(400, 403, 404, 503),
    ),
    Endpoint(
        method="GET",
        path="/api/matches/{id}",
        name="record",
        summary="Return the record of a finished match.",
        answers="Record",
        refusals=problems(404, 503),
    ),
    Endpoint(
        method="GET",
        path="/api/matches/{id}/replay",
        name="replay",
        summary="Return a finished match, step by step.",
        query={
            "seat": "The seat whose view is shown, or `open` (the default): all cards are shown.",
            "from": "The first step to return, if there are more than 4,000.",
            "you": "The seat that the words address in the second person; without it none.",
        },
        answers=wire.Replay,
        refusals=problems(400, 404, 503),
    ),
    Endpoint(
        method="GET",
        path="/api/matches/{id}/review",
        name="review",
        summary="Return what the moves of a match cost. Takes a while: ask until it is done.",
        query={"seat": "The seat to review; without it all seats, which takes longer."},
        answers=wire.Review,
        refusals={202: wire.ReviewProgress, **problems(400, 404, 503)},
    ),
    Endpoint(
        method="GET",
        path="/api/matches/{id}/story",
        name="story",
        summary="Return a finished match in a few sentences, and its tricks worth a second look.",
        query={"seat": "The seat that is addressed; without it, or with `open`, spectators are."},
        answers=Story,
        refusals=problems(400, 404, 503),
    ),
    Endpoint(
        method="POST",
        path="/api/matches/{id}/fork",
        name="fork",
        summary="Create a table that continues a finished match against bots.",
        asks=wire.NewFork,
        answers=wire.TableMade,
        status=201,
        refusals=problems(400, 404, 408, 413, 503),
    ),
    Endpoint(
        method="GET",
        path="/metrics",
        name="metrics",
        summary="Return metrics for Prometheus; by default only to programs on the same machine.",
        answers="text",
        refusals=problems(403, 404),
    ),
    Endpoint(
        method="GET",
        path="/openapi.json",
        name="openapi",
        summary="Return the OpenAPI 3.1 description of this API.",
        answers="json",
        refusals=problems(),
    ),
)


LIMITS = {
    "frame_bytes": "bytes of a message from a client",
    "messages": "messages per connection, at once or in `seconds`",
    "control_frames": (
        "pings, pongs, empty frames and fragments per connection, at once or in `seconds`"
    ),
    "frames_per_address": "frames of any kind from one address, at once or in `seconds`",
    "bytes_per_socket": "bytes received over one connection, at once or in `seconds`",
    "bytes_per_address": "bytes received from one address, at once or in `seconds`",
    "seconds": "seconds for the five limits above",
    "sockets_per_address": "WebSockets per address",
    "sockets": "WebSockets in total",
    "connections_per_address": "connections per address, HTTP or WebSocket",
    "connections": "connections in total",
    "header_bytes": "bytes of all headers of a request",
    "header_seconds": "seconds until the headers of a request must be complete",
    "idle_seconds": "seconds that an HTTP connection stays open between two requests",
    "stalled_seconds": "seconds without reading after which a client is cut off",
    "http_requests": "HTTP requests per address, at once or in `http_seconds`",
    "http_seconds": "seconds for that",
    "creates": "tables created per address, at once or in `create_seconds`",
    "create_seconds": "seconds for that",
    "body_bytes": "bytes of an HTTP request's body",
    "body_seconds": "seconds until the body must be complete",
    "queue": "messages queued for a client that does not read them",
    "queue_bytes": "bytes of these messages; a single one may be larger",
    "hello_seconds": "seconds until the first message must arrive",
    "joins": "people joining tables from one address, at once or in `join_seconds`",
    "join_seconds": "seconds for that",
    "beside_per_address": "people without a seat at one table, per address",
    "changes": "requests per person at a table, without moves, at once or in `change_seconds`",
    "address_changes": "likewise per address at all tables",
    "change_seconds": "seconds for both",
    "beside": "log entries per person between matches, without moves",
    "host_seconds": "seconds until a seated person stands in for an absent host",
    "files": "files of the page per address, at once or in `file_seconds`",
    "file_seconds": "seconds for that",
    "qrs": "QR codes drawn per address, at once or in `qr_seconds`",
    "qr_seconds": "seconds for that",
}
"""Each limit in words; the numbers are those of `limits.Limits`."""


STATUSES = {
    200: "Success",
    201: "Created",
    202: "In progress: ask again in a moment",
    400: "The request cannot be read, or is not possible",
    403: "Not allowed, or not from this origin",
    404: "Not found",
    408: "The body arrived too slowly",
    413: "The body is too large",
    421: "The server is not known by the name in `Host`",
    429: "Too many requests: wait a little",
    503: "Nothing can be stored now, or the server is busy: try again later",
}


CLOSINGS = {
    1001: (
        "The server is stopping, and says so in its `bye` (`server-stops`). Reconnect, and resume "
        "with `since`."
    ),
    1012: (
        "The server is stopping, without a `bye`: no `hello` came, or the client did not read. "
        "Reconnect, and resume with `since`."
    ),
    4400: "The first message was not a valid `hello`, or was of another version.",
    4403: "Nobody at this table has this token.",
    4404: "The table does not exist.",
    4408: "No `hello` arrived in time.",
    4410: "The host removed this person from the table.",
    4413: "The client read its messages too slowly. Reconnect, and resume with `since`.",
    4429: "Too many messages, frames or bytes. Wait a little before reconnecting.",
    4500: "Internal server error. Reconnect, and resume with `since`.",
}
"""WebSocket close codes, with the reason."""


def responses(endpoint: Endpoint) -> dict[int, Struct | str]:
    """Return all possible responses by status."""
    return {endpoint.status: endpoint.answers, **endpoint.refusals}
