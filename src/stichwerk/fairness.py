"""The source of shuffles: `stichwerk-deal-v1`, and the same stream for local seeds.

A shuffle is part of the record format, so that a match replays everywhere and at any time: each
step here is specified to the byte, and nothing depends on Python's own generators. Everything is
pure arithmetic; drawing secrets, sending and storing them is the server's business.
"""

import hashlib
import hmac
import struct
from collections.abc import Mapping, Sequence
from typing import TypeVar

import msgspec

from stichwerk.cards import Deck
from stichwerk.errors import BadDealError, BadSeatsError, BadSeedError, shown
from stichwerk.games.stichtag.calendar import DRAWN

Item = TypeVar("Item")

TAG = "stichwerk-deal-v1"
HIGHEST_SEED = 2**53 - 1


# Bytes


def u32(number: int) -> bytes:
    """Return a count or index as four bytes, most significant first."""
    return struct.pack(">I", number)


def u64(number: int) -> bytes:
    """Return a number as eight bytes, most significant first."""
    return struct.pack(">Q", number)


def lp(*fields: str | bytes) -> bytes:
    """Join all fields into bytes, each after its length: no two lists of fields look alike."""
    raw = [field.encode() if isinstance(field, str) else field for field in fields]
    return b"".join(u32(len(field)) + field for field in raw)


def _sha256(*fields: str | bytes) -> bytes:
    return hashlib.sha256(lp(*fields)).digest()


def _require_32(field: str, *values: bytes) -> None:
    """Require raw bytes for seeds and hashes; hex by mistake would commit to something else."""
    for value in values:
        if len(value) != 32:
            raise BadDealError("not-32-bytes", field=field, length=len(value))


# The stream


class Stream:
    """The endless bytes of one key, and the fair draws made from them.

    The only stateful object here: each draw takes bytes, so the order of draws is part of the
    format.
    """

    __slots__ = ("_at", "_block", "_blocks", "_key")

    def __init__(self, key: bytes) -> None:
        _require_32("key", key)
        self._key = key
        self._blocks = 0
        self._block = b""
        self._at = 0

    def _next_byte(self) -> int:
        if self._at == len(self._block):
            self._block = hmac.digest(self._key, u64(self._blocks), "sha256")
            self._blocks += 1
            self._at = 0
        self._at += 1
        return self._block[self._at - 1]

    def below(self, m: int) -> int:
        """Draw one of 0 … m-1, 2 ≤ m ≤ 256, all equally likely: bytes past the last full run of m
        are rejected."""
        if not 2 <= m <= 256:
            raise ValueError(f"below({m}): one byte decides between 2 and 256 answers")
        fair = 256 - 256 % m
        while (byte := self._next_byte()) >= fair:
            pass
        return byte % m

    def shuffle(self, items: list[Item]) -> None:
        """Shuffle in place by Fisher and Yates, from the last item down to the second."""
        for i in range(len(items) - 1, 0, -1):
            j = self.below(i + 1)
            items[i], items[j] = items[j], items[i]


def seed_key(seed: int, round: int) -> bytes:
    """Return the key of one round of a local match; round 0 is for the first starter."""
    # Check the exact type: True is an int in Python, but not a seed in JSON.
    if type(seed) is not int or not 0 <= seed <= HIGHEST_SEED:
        raise BadSeedError("bad-seed", seed=shown(seed), highest=HIGHEST_SEED)
    return _sha256("stichwerk-seed", f"{seed:d}", u32(round))


# The draws of a round, in the order in which they are made


Special = str | tuple[int | str, ...]
"""A special card or cards drawn after the deal: trump colours, partners, eggs."""


class Deal(msgspec.Struct, frozen=True):
    """What one round starts from: `hands[seat]` in dealing order, `stock` from the top, and the
    special cards that were drawn, by kind."""

    starter: int
    hands: tuple[tuple[str, ...], ...]
    stock: tuple[str, ...] = ()
    specials: tuple[tuple[str, Special], ...] = ()


def _require_seats(seats: int) -> None:
    # With one seat there is nothing to draw, and no partner other than itself.
    if not 2 <= seats <= 256:
        raise BadSeatsError("bad-seat-count", seats=shown(seats))


def first_starter(stream: Stream, seats: int) -> int:
    """Return the seat that leads round 1, from stream 0; only drawn if no option names it."""
    _require_seats(seats)
    return stream.below(seats)


def deal_round(stream: Stream, deck: Deck, seats: int, hand_size: int, starter: int) -> Deal:
    """Shuffle and deal card by card, the starter first; what is left is the stock.

    Afterwards the stream is where special cards are drawn from.
    """
    _require_seats(seats)
    if not 0 <= starter < seats:
        raise BadSeatsError("bad-starter", starter=starter, seats=seats)
    if not 1 <= hand_size <= len(deck) // seats:
        raise BadDealError("bad-hand-size", hand_size=hand_size, seats=seats, cards=len(deck))
    cards = list(deck.texts)
    stream.shuffle(cards)
    dealt = seats * hand_size
    hands = tuple(tuple(cards[(seat - starter) % seats : dealt : seats]) for seat in range(seats))
    return Deal(starter, hands, tuple(cards[dealt:]))


def draw_specials(
    stream: Stream, kinds: Sequence[str], seats: int
) -> tuple[tuple[str, Special], ...]:
    """Draw the special cards of these kinds after the deal, in the order of the calendar."""
    _require_seats(seats)
    wanted = [(kind, sheet) for kind, sheet in DRAWN.items() if kind in kinds]
    return tuple((kind, sheet.draw_special(stream, seats)) for kind, sheet in wanted)


# The verifiable deal: both sides commit, then both reveal


def options_text(options: Mapping[str, object]) -> str:
    """Return the options as the one JSON text both sides hash: keys sorted, no spaces, no escapes
    beyond JSON's own."""
    return msgspec.json.encode(dict(options), order="sorted").decode()


class Setup(msgspec.Struct, frozen=True):
    """What is fixed before anyone commits.

    `options` is `options_text(…)`, `deck` is `Deck.text`, `rounds` the maximum of this match.
    """

    match: str
    rules: str
    options: str
    deck: str
    seats: int
    rounds: int


def server_commit(match: str, round: int, seed: bytes) -> bytes:
    """Return SC_r: it binds the server to S_r before it has seen any player's seed."""
    _require_32("server_seeds", seed)
    return _sha256(TAG, "server-commit", match, u32(round), seed)


def client_commit(match: str, seat: int, seed: bytes) -> bytes:
    """Return CC_i: it binds a player to C_i before anyone reveals, so the last cannot choose."""
    _require_32("client_seeds", seed)
    return _sha256(TAG, "client-commit", match, u32(seat), seed)


def _require_count(field: str, values: Sequence[bytes], expected: int) -> None:
    if len(values) != expected:
        raise BadDealError("bad-count", field=field, count=len(values), expected=expected)


def transcript(
    setup: Setup, server_commits: Sequence[bytes], client_commits: Sequence[bytes]
) -> bytes:
    """Return T: everything agreed on, in one hash; the same T means the same match."""
    _require_count("server_commits", server_commits, setup.rounds + 1)
    _require_count("client_commits", client_commits, setup.seats)
    _require_32("server_commits", *server_commits)
    _require_32("client_commits", *client_commits)
    agreed = (setup.match, setup.rules, setup.options, setup.deck)
    sizes = (u32(setup.seats), u32(setup.rounds))
    return _sha256(TAG, "transcript", *agreed, *sizes, *server_commits, *client_commits)


def deal_key(
    server_seed: bytes, transcript: bytes, round: int, client_seeds: Sequence[bytes]
) -> bytes:
    """Return K_r: it uses every seed, so a single honest one means that nobody chose the deck."""
    _require_32("server_seeds", server_seed)
    _require_32("transcript", transcript)
    _require_32("client_seeds", *client_seeds)
    return hmac.digest(
        server_seed, lp(TAG, "deal-key", transcript, u32(round), *client_seeds), "sha256"
    )
