"""What a fraud of a dishonest host can reach: the base of all frauds."""

import hashlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any
from unittest.mock import patch

import msgspec
from msgspec.structs import replace

from stichwerk.fairness import Deal
from stichwerk.hash_words import fingerprint
from stichwerk.record import Record
from stichwerk.server import wire
from stichwerk.server.clients.table_rules import transcript_of
from stichwerk.server.network.socket_client import SocketClient
from stichwerk.server.random_source import RandomSource
from stichwerk.server.tables import log_entries as log
from stichwerk.server.tables import requests
from stichwerk.server.tables import table_state as table_module
from stichwerk.server.tables.running_match import RunningMatch
from stichwerk.server.tables.shuffle import Shuffle

HOST, VICTIM = 0, 1

TRIES = 400  # sets of shares of which the best is taken


Decide = Callable[[Any, requests.Requester, RandomSource], list[log.Entries]]

_decoder: msgspec.json.Decoder[wire.FromServer] = msgspec.json.Decoder(wire.FromServer)


def worth(deal: Deal | None, seat: int = HOST) -> int:
    """Rate a hand by its high cards, in all games alike."""
    return 0 if deal is None else sum(int(card[1:]) for card in deal.hands[seat])


def drawn(*names: object) -> bytes:
    """Draw a share of the host's own."""
    return hashlib.sha256(repr(names).encode()).digest()


# -- What a fraud can reach ------------------------------------------------------------------------


class Strategy:
    """A way to cheat; this base class is honest.

    `stops`, `says` and `asks`: the ids with which an unmodified terminal ends play, notifies the
    person, or asks before it continues; `counts` and `page_counts`: what terminal and page call
    each time before that. `page`: what the page does, where that is something else.
    `broken`, `share`, `words`: whether `verify` breaks the record by itself, given the victim's
    share, and given the words that the victim saw.
    """

    name = "honest"
    what = "nothing is wrong"
    shuffle: type[Shuffle] = Shuffle
    stops: tuple[str, ...] = ()
    says: str = ""
    asks: str = ""
    counts: str = ""
    page_counts: str = ""
    page: str = ""
    record_made = True
    broken = share = words = False

    def __init__(self, victim: int = VICTIM) -> None:
        self.victim = victim

    def tells(self, message: wire.FromServer, client: SocketClient) -> list[wire.FromServer]:
        """Return what a client is sent instead of a message."""
        return [self.tell(message, client)]

    def tell(self, message: wire.FromServer, client: SocketClient) -> wire.FromServer:
        """Rewrite what a client is sent."""
        if not isinstance(message, wire.Welcome | wire.Update) or message.table is None:
            return message
        return replace(message, table=self.tell_table(message.table, message.seat))

    def tell_table(self, table: wire.Table, seat: int | None) -> wire.Table:
        """Rewrite the table for one seat."""
        if table.dealing is None:
            return table
        return replace(table, dealing=self.tell_deal(table.dealing, seat))

    def tell_deal(self, dealing: wire.Dealing, seat: int | None) -> wire.Dealing:
        """Rewrite the deal for one seat."""
        return dealing

    def record(self, record: Record) -> Record:
        """Rewrite the record."""
        return record

    def decides(self) -> dict[type, Callable[[Decide], Decide]]:
        """Return dishonest decisions by type of request, made from the honest ones."""
        return {}

    def patches(self) -> list[tuple[object, str, object]]:
        """Return what else is patched in the server: where, its name, and the replacement."""
        return []


@contextmanager
def installed(strategy: Strategy) -> Iterator[None]:
    """Let the server of this process cheat for the duration of the block."""
    send, record = SocketClient.send, RunningMatch.record

    def sent(client: SocketClient, raw: bytes) -> None:
        for message in strategy.tells(_decoder.decode(raw), client):
            send(client, wire.write(message))

    with ExitStack() as stack:
        stack.enter_context(patch.object(table_module, "Shuffle", strategy.shuffle))
        stack.enter_context(patch.object(SocketClient, "send", sent))
        stack.enter_context(
            patch.object(RunningMatch, "record", lambda self: strategy.record(record(self)))
        )
        for where, name, other in strategy.patches():
            stack.enter_context(patch.object(where, name, other))
        for kind, change in strategy.decides().items():
            honest = requests.decide.dispatch(kind)
            requests.decide.register(kind, change(honest))
            stack.callback(requests.decide.register, kind, honest)
        yield


def agreed_again(dealing: wire.Dealing) -> wire.Dealing:
    """Return a deal whose hash and words follow from what it shows."""
    own = transcript_of(dealing)
    words = fingerprint(own) if own else ()
    return replace(dealing, transcript=own.hex() if own else None, words=words)
