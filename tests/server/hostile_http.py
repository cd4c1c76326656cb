"""Hostile HTTP requests."""

import asyncio
import json
import random
from collections import Counter
from urllib.parse import quote

import msgspec

from stichwerk.server import wire
from stichwerk.server.network.limits import Limits
from tests.server.hostile_messages import ODD
from tests.server.hostile_server import GAMES, HttpAnswer, Server, ask_http, check_words

# -- HTTP ------------------------------------------------------------------------------------------


ENDPOINTS = (
    *("/api/health", "/api/version", "/api/lobby", "/api/bots", "/api/games", "/api/tables"),
    *("/api/matches/AAAAAAAAAAAAAAAA", "/api/matches/AAAAAAAAAAAAAAAA/fork", "/api/nothing"),
    *(
        "/api/matches/%00",
        "/api/matches/%FF%FE",
        "/api/matches/..%2f..%2fetc",
        "/api/matches//fork",
    ),
    *("/metrics", "/openapi.json", "/api", "/api/", "/", "/ws", "/t/AAAA", "/../../etc/passwd"),
    *("/api/calendar", "/api/calendar/today", "/api/calendar/02-30", "/api/calendar/%2e%2e"),
    *("/api/calendar/99-99", "/api/calendar/%00", "/api/calendar/1.1.1", "/api/calendar/14.9."),
    *("/api/rules/sticheln", "/api/rules/%00", "/api/rules/..%2f..%2fetc", "/api/rules/x.de"),
    *("/api/matches", "/api/matches?table=AAAA", "/api/matches?table=%00", "/api/qr"),
    *("/api/matches/AAAAAAAAAAAAAAAA/replay", "/api/matches/%FF/replay?seat=0"),
    *("/api/matches/AAAAAAAAAAAAAAAA/review", "/api/matches/%00/review?seat=0"),
    *("/stichtag/02-30", "/replay/AAAA/7", "/rules/x", "/offline", "/sw.js", "/%00", "/assets/"),
    *("/assets/..%2f..%2f..%2fapp.py", "/index.html", "/assets/%FF%FE", "/" + "a/" * 400),
)

QUERIES = (
    *("lang=de", "lang=en", "lang=%FF", "lang=" + "x" * 500, "seats=4", "seats=-1", "seats=%00"),
    *("seats=" + "9" * 400, "seat=open", "seat=1e9", "seat=٣", "from=99999999999", "from=", "&&=&"),
    *("table=x&table=y", "seat=0&seat=1", "=", "%", "seats=4;seat=2"),
)

MAKING = ("/api/tables", "/api/tables", "/api/matches/AAAAAAAAAAAAAAAA/fork", "/api/qr")

METHODS = ("GET", "POST", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "FOO", "get")


class HttpFuzz:
    """Requests from a seed."""

    def __init__(self, port: int, seed: object) -> None:
        self.port = port
        self.rng = random.Random(repr(seed))

    def path(self) -> str:
        """Return an endpoint, mostly."""
        found = self.rng.choice(ENDPOINTS)
        kind = self.rng.random()
        if kind < 0.2:
            found += f"{'&' if '?' in found else '?'}{quote(self.rng.choice(QUERIES), '%&=')}"
        elif kind < 0.3:
            found += "/" + "".join(self.rng.choices("abc%/.;?&=~\\'\"", k=9))
        return found

    def headers(self) -> list[tuple[str, str]]:
        """Return a few headers, odd ones among them."""
        odd = "".join(chr(self.rng.randrange(33, 127)) for _ in range(20))
        known = [
            ("Accept-Language", self.rng.choice(["de", "en", "xx", odd])),
            ("Content-Type", self.rng.choice(["application/json", "text/plain", odd])),
            ("Origin", self.rng.choice(["null", "http://evil.example", odd])),
            ("X-Forwarded-For", odd),
            ("Host", self.rng.choice(["[::", "a b", "x" * 300, "evil.example:99999", odd])),
            ("Cookie", odd),
            ("Range", "bytes=5-1"),
            ("Expect", "100-continue"),
            ("If-None-Match", odd),
            ("Upgrade", "h2c"),
        ]
        return self.rng.sample(known, self.rng.choice([0, 0, 1, 1, 2, 4]))

    def body(self) -> bytes | None:
        """Return no body, a request with something wrong, or noise."""
        kind = self.rng.random()
        if kind < 0.3:
            return None
        if kind < 0.4:
            return self.rng.randbytes(self.rng.randrange(300))
        if kind < 0.45:
            return b"x" * self.rng.choice([16_384, 16_385, 50_000])
        if kind < 0.5:
            return b'{"game":' + b"[" * 5000 + b"]" * 5000 + b"}"
        requested: dict[str, object] = {
            "game": self.rng.choice([*GAMES, "chess"]),
            "name": "Eve",
            "seats": self.rng.randrange(1, 8),
            "options": self.rng.choice([{}, {"starter": 1}, {"rounds": 10**30}]),
            "settings": {"watch": "none"},
            "bots": self.rng.choice([{}, {"1": "easy"}, {"x": "hard"}]),
            "seat": 0,
        }
        if self.rng.random() < 0.2:
            requested["moves"] = 3
        for name in self.rng.sample(list(requested), self.rng.randrange(4)):
            requested[name] = self.rng.choice(ODD)(self.rng)
        return json.dumps(requested).encode()

    def link(self) -> bytes:
        """Something to be drawn: a link of the server's, or not."""
        ends = ("", "/t/x#y", "/" + "ä" * 300, "/" + "x" * 500, "@evil.example", "/\0")
        text = f"http://127.0.0.1:{self.port}{self.rng.choice(ends)}"
        return json.dumps({"text": self.rng.choice([text, text[7:], "", "https://x"])}).encode()

    async def one(self) -> tuple[str, bytes | None, HttpAnswer]:
        """Send one; what was asked for and what came."""
        path, body = self.path(), self.body()
        method = self.rng.choice(METHODS)
        if self.rng.random() < 0.2:  # more often what has most to read
            method, path = "POST", self.rng.choice(MAKING)
            if path == "/api/qr" and self.rng.random() < 0.6:
                body = self.link()
        answer = await ask_http(self.port, method, path, headers=self.headers(), body=body)
        check_http(method, path, body, answer)
        return path, body, answer


# What no parser of HTTP takes; the answer is 400 or the end of the connection.
BROKEN = (
    b"\r\n\r\n\r\n",
    b"GET\r\n\r\n",
    b"GET /api/health HTTP/1.1\r\n\r\n",
    b"GET /api/health HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n",
    b"POST /api/tables HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
    b"POST /api/tables HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
    b"POST /api/tables HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    b"GET /api/health HTTP/1.1\r\nHost: x\r\nBad Name: y\r\n\r\n",
    b"GET /api/health HTTP/1.1\r\nHost: x\r\nX: \0\r\n\r\n",
    b"GET /api/health HTTP/1.1\r\nHost: x\r\nX: " + b"y" * 300_000,
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    b"GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
)


def check_http(method: str, path: str, body: bytes | None, answer: HttpAnswer) -> None:
    """Check that there is no server error; refusals of the API are problems in words."""
    assert 200 <= answer.status < 500, (method, path, body, answer)
    if body is not None and len(body) > Limits().body_bytes:
        assert answer.status in (400, 413), answer
    if answer.status < 400 or method == "HEAD" or not path.startswith("/api"):
        return
    if answer.body == b"Invalid HTTP request received.":  # not HTTP: no endpoint was asked
        assert answer.status == 400
        return
    assert b"application/json" in answer.head, (method, path, answer)
    problem = msgspec.json.decode(answer.body, type=wire.Problem)
    check_words(problem.error, problem.text)


async def attack_http(server: Server, requests: int, seed: int = 1) -> Counter[int]:
    """Send this many requests, a few at a time; return how often each status came."""
    seen: Counter[int] = Counter()

    async def some(number: int) -> None:
        fuzz = HttpFuzz(server.port, (seed, number))
        for _ in range(requests // 8):
            seen[(await fuzz.one())[2].status] += 1

    async with asyncio.TaskGroup() as group:
        for number in range(8):
            group.create_task(some(number))
    for raw in BROKEN:
        answer = await ask_http(server.port, "", "", raw=raw)
        assert answer.status in (0, 400, 426, 431), (raw[:80], answer)
    return seen
