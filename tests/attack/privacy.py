"""What strangers get of a private table, what they can do to any table, and how far a log grows.

A stranger with the link, an onlooker, someone who joins a freed seat and someone who was removed
collect everything the server says over its socket and over HTTP. The program looks for what is
none of their business: chat, ids of matches, published seeds, private events, moves of bots, host
rights. Then one address fills a log as fast as it can, and a client says hello at a long table.

A real server on loopback; it ends by itself. `python -m tests.attack.privacy [--short]`
"""

import argparse
import asyncio
import json
import math
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import websockets.asyncio.client as websockets
from websockets.exceptions import ConnectionClosed, InvalidStatus

from stichwerk.server import wire
from stichwerk.server.clock import SYSTEM
from stichwerk.server.network.limits import Limits
from stichwerk.server.storage.store import LogAppend
from stichwerk.server.tables import live_table as live_tables
from stichwerk.server.tables import log_entries as log
from tests.attack.verdict import verdict
from tests.server.harness import Quick, RunningServer, begin, first, running_server

SECRET = "only for us"
PRIVATE = wire.Settings(watch="none")
TABLE: dict[str, Any] = {"game": "sticheln", "seats": 3, "options": {"rounds": 2}}
LONG, SHORT = 360_000, 20_000  # entries of the long table
DAY = 86_400.0
MALLORY = "127.0.0.7"

Report = dict[str, float]

HELLO_BYTES = live_tables.MOST_BYTES + 10_000  # steps, and the rest of a welcome
LARGEST = {  # what the figures may be, by the beginning of their names; all others must be 0
    "messages to strangers during the match": 8,  # the invitation, when a seat changes
    "joins of one address": 70,  # people who leave are forgotten; friends can still join
    "bytes of a hello": HELLO_BYTES,
    "entries of one address in": math.inf,  # the next figure judges it
}


class Spy:
    """A socket that keeps every word."""

    def __init__(self, socket: websockets.ClientConnection) -> None:
        self.socket = socket
        self.received: list[dict[str, Any]] = []
        self.bytes = 0
        self.ids = 0
        self.code: int | None = None
        self._task = asyncio.create_task(self._listen())

    async def _listen(self) -> None:
        try:
            async for raw in self.socket:
                self.bytes += len(raw)
                self.received.append(json.loads(raw))
        except ConnectionClosed:
            pass
        self.code = self.socket.close_code

    async def say(self, type: str, **more: object) -> None:
        """Send a request without waiting for its answer."""
        self.ids += 1
        with suppress(ConnectionClosed):
            await self.socket.send(json.dumps({"type": type, "id": self.ids, **more}))

    async def ask(self, type: str, **more: object) -> dict[str, Any]:
        """Return a request and its answer."""
        await self.say(type, **more)
        number = self.ids
        return await self.wait(lambda one: one.get("id") == number)

    async def wait(self, holds: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """Until such a message is here; empty, if the socket ends before."""
        while True:
            found = next(filter(holds, self.received), None)
            if found is not None:
                return found
            if self._task.done():
                return {}
            await asyncio.sleep(0.005)

    @property
    def text(self) -> str:
        """All of it."""
        return json.dumps(self.received)

    def steps(self) -> list[dict[str, Any]]:
        """Return all steps of all messages."""
        return [step for one in self.received for step in one.get("steps", ())]

    def private_events(self) -> int:
        """Events that were for one seat only."""
        events = [event for step in self.steps() for event in step["events"]]
        for one in self.received:
            events += (one.get("view") or {}).get("history", ())
        return sum(event.get("to") is not None for event in events)


@asynccontextmanager
async def spying(
    home: RunningServer, table: str, token: str | None = None, address: str = "127.0.0.9"
) -> AsyncIterator[Spy]:
    """Connect someone from their own address."""
    async with websockets.connect(
        home.ws, max_size=None, compression=None, local_addr=(address, 0)
    ) as socket:
        hello = {"type": "hello", "version": 1, "table": table, "token": token}
        await socket.send(json.dumps(hello))
        spy = Spy(socket)
        await spy.wait(lambda one: one["type"] == "welcome")
        yield spy


# -- A private match -------------------------------------------------------------------------------


async def private_match(home: RunningServer) -> Report:
    """Let two people and a bot play and talk while others have the link."""
    found: Report = {}
    async with home.party(["Ada", "Ben"], settings=PRIVATE, **TABLE) as (ada, ben):
        table = ada.table_id
        async with spying(home, table) as onlooker, spying(home, table) as stranger:
            await onlooker.ask("join", name="Cleo")
            await onlooker.ask("leave")
            said = len(onlooker.received), len(stranger.received)
            await ada.ask(lambda id: wire.Chat(id=id, text=SECRET))
            await begin(ada, ben)
            await asyncio.gather(*(one.play_on(first, rounds=1) for one in (ada, ben)))
            assert ada.table is not None
            match = str(ada.table.match)
            async with spying(home, table) as late:
                await asyncio.sleep(0.1)
                spies = (onlooker, stranger, late)
                found["chat lines sent to strangers"] = sum(one.text.count(SECRET) for one in spies)
                found["strangers who get the match id"] = sum(match in one.text for one in spies)
                found["seeds sent to strangers"] = seeds_sent(home, table, spies)
                found["messages to strangers during the match"] = (
                    len(onlooker.received) + len(stranger.received) - sum(said)
                )
            await asyncio.gather(*(one.play_on(first) for one in (ada, ben)))
            await ben.ask(lambda id: wire.Leave(id=id))
            found |= await answers(home, table, match if match in stranger.text else "unknown")
            found |= await freed_seat(home, table, match)
    return found


def seeds_sent(home: RunningServer, table: str, spies: tuple[Spy, ...]) -> int:
    """Return how many of the server's seeds were received."""
    running = home.live_table(table).table.running
    assert running is not None
    assert running.shuffle is not None
    seeds = [seed.hex() for seed in running.shuffle.server_seeds]
    return sum(seed in one.text for seed in seeds for one in spies)


async def answers(home: RunningServer, table: str, match: str) -> Report:
    """Return what HTTP says to anyone with the link."""
    paths = [f"/api/matches/{match}", f"/api/matches/{match}/replay", f"/api/matches?table={table}"]
    statuses = [(await home.get(path)).status_code for path in paths]
    return {"HTTP answers about the match": sum(one == 200 for one in statuses)}


async def freed_seat(home: RunningServer, table: str, match: str) -> Report:
    """After the match someone joins a seat that was given up."""
    async with spying(home, table) as joiner:
        await joiner.ask("join", name="Dora")
        await asyncio.sleep(0.05)
        return {
            "private events sent to the next person at a seat": joiner.private_events(),
            "chat lines sent to the next person at a seat": joiner.text.count(SECRET),
            "next person at a seat gets the match id": int(match in joiner.text),
        }


# -- Power over a table ----------------------------------------------------------------------------


async def paused_match(home: RunningServer) -> Report:
    """Everyone is gone, and the match waits; a stranger opens the link."""
    made = await home.table(settings=PRIVATE, **TABLE)
    async with home.guest(made) as ada:
        await begin(ada)
    live_table = home.live_table(made.table)
    await home.away_too_long(made.table, made.person)
    while live_table.tasks:
        await asyncio.sleep(0.01)
    assert live_table.table.running is not None
    before, moves = live_table.table.seq, len(live_table.table.running.moves)
    async with spying(home, made.table):
        await asyncio.sleep(1)
        home.clock.advance(DAY)
        await asyncio.sleep(0.2)
    return {
        "bots' moves after a stranger's visit": len(live_table.table.running.moves) - moves,
        "entries after a stranger's visit": live_table.table.seq - before,
    }


async def host_rights(home: RunningServer) -> Report:
    """Let the owner leave for a day while an onlooker stays."""
    made = await home.table(bots={"1": "easy", "2": "easy"}, **TABLE)
    live_table = home.live_table(made.table)
    async with spying(home, made.table) as mallory:
        async with home.guest(made):
            joined = await mallory.ask("join", name="Mallory")
        while made.person in live_table.here():
            await asyncio.sleep(0.01)
        for _ in range(5):
            home.clock.advance(DAY)
            await asyncio.sleep(0.05)
        passed = live_table.table.host == joined["person"]
        await mallory.ask("free-seat", seat=0)
        thrown_out = live_table.table.places[0].person != made.person
        async with home.guest(made) as ada:
            await ada.ask(lambda id: wire.Ping(id=id))
            kept = live_table.table.host == made.person
    return {
        "host rights passed to an onlooker": int(passed),
        "owner thrown out by an onlooker": int(thrown_out),
        "owner without rights after coming back": int(not kept),
    }


async def many_joins(home: RunningServer) -> Report:
    """Join 70 times from one address, then once as a friend."""
    made = await home.table(**TABLE)
    accepted = 0
    async with home.guest(made):
        for number in range(70):
            async with spying(home, made.table) as spy:
                answer = await spy.ask("join", name=f"N{number}")
                accepted += answer["type"] == "joined"
        async with spying(home, made.table, address="127.0.0.8") as friend:
            answer = await friend.ask("join", name="Ben")
    return {
        "joins of one address at a table": accepted,
        "friend locked out by them": int(answer["type"] != "joined"),
    }


async def removed_person(home: RunningServer) -> Report:
    """Let the host remove and block someone who tries to return."""
    made = await home.table(**TABLE)
    async with home.guest(made) as ada, spying(home, made.table, address=MALLORY) as mallory:
        joined = await mallory.ask("join", name="Mallory")
        async with spying(home, made.table, made.token, "127.0.0.8") as host:
            answer = await host.ask("remove", person=joined["person"], block=True)
            if answer["type"] != "done":
                return {"removed people who come back": 3}
        await mallory.wait(lambda one: one["type"] == "bye")
        received = len(mallory.received)
        await ada.ask(lambda id: wire.Chat(id=id, text=SECRET))
        back = 0
        async with spying(home, made.table, joined["token"], MALLORY) as again:
            back += again.received[0]["type"] == "welcome"
        async with spying(home, made.table, address=MALLORY) as anew:
            back += (await anew.ask("join", name="M."))["type"] == "joined"
        back += len(mallory.received) > received
    return {"removed people who come back": back}


# -- Logs ------------------------------------------------------------------------------------------


async def log_growth(home: RunningServer, seconds: float) -> Report:
    """Let people of one address rename themselves at full speed, on new sockets each time."""
    made = await home.table(**TABLE)
    async with home.guest(made):
        pass
    live_table = home.live_table(made.table)
    tokens = []
    for number in range(10):
        async with spying(home, made.table) as spy:
            tokens.append((await spy.ask("join", name=f"N{number}")).get("token"))
    before, end = live_table.table.seq, time.monotonic() + seconds

    async def rename(who: int, token: str) -> None:
        number = 0
        while time.monotonic() < end:
            try:
                async with spying(home, made.table, token) as spy:
                    for _ in range(90):
                        number += 1
                        await spy.say("rename", name=f"N{who} {number}")
                    await spy.wait(lambda one: time.monotonic() > end or one.get("id") == 90)
            except InvalidStatus:  # too many handshakes
                await asyncio.sleep(0.2)

    await asyncio.gather(*(rename(who, token) for who, token in enumerate(tokens) if token))
    limits = home.lobby.limits
    most = limits.address_changes * (2 + seconds / limits.change_seconds)
    added = live_table.table.seq - before
    return {
        f"entries of one address in {seconds:.0f} s": added,
        "entries above the limit of an address": max(0, added - most),
    }


async def long_table(home: RunningServer, entries: int) -> Report:
    """Measure the welcome of a table with a long log."""
    made = await home.table(**TABLE)
    live_table = home.live_table(made.table)
    first_number = live_table.table.seq + 1
    talk = log.encode(log.ChatSent(person=made.person, text="a line of talk " * 4))
    for at in range(0, entries, 5_000):
        more = (talk,) * min(5_000, entries - at)
        change = LogAppend(
            table=made.table, first=first_number + at, entries=more, at=1, epoch=live_table.epoch
        )
        await home.lobby.store.append(change)
    home.lobby.live_tables.pop(made.table).close()
    async with spying(home, made.table, made.token) as ada:
        return {f"bytes of a hello after {entries:,} entries": ada.bytes}


# -- All of it -------------------------------------------------------------------------------------


async def probe(short: bool) -> Report:
    """Run all probes, one after another."""
    found: Report = {}
    limits = Limits(creates=999)
    with tempfile.TemporaryDirectory() as folder:
        async with running_server(Path(folder), pool=Quick(), limits=limits) as home:
            for part in (private_match, paused_match, host_rights, many_joins, removed_person):
                found |= await part(home)
            found |= await long_table(home, SHORT if short else LONG)
    with tempfile.TemporaryDirectory() as folder:
        clock: Any = SYSTEM  # rates are measured in real time
        async with running_server(Path(folder), pool=Quick(), limits=limits, clock=clock) as home:
            found |= await log_growth(home, 3 if short else 15)
    return found


def run(short: bool = False) -> Report:
    """Return the figures."""
    return asyncio.run(probe(short))


def broken(found: Report) -> list[str]:
    """Return the figures that are larger than they may be."""
    return [f"{name}: {value:,.0f}" for name, value in found.items() if value > largest(name)]


def largest(name: str) -> float:
    """Return the limit of a figure."""
    return next((most for start, most in LARGEST.items() if name.startswith(start)), 0)


def main(words: list[str]) -> int:
    """Run the command."""
    reader = argparse.ArgumentParser(prog="python -m tests.attack.privacy", description=__doc__)
    reader.add_argument("--short", action="store_true")
    found = run(reader.parse_args(words).short)
    for name, value in found.items():
        print(f"{name:<46} {value:>14,.0f}")
    return verdict(broken(found))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
