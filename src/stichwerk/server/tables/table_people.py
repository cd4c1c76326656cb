"""People and seats of a table, and the hashes stored of tokens and addresses."""

import hashlib
from collections.abc import Iterable
from itertools import count, islice

import msgspec


class TablePerson(msgspec.Struct):
    """A person at the table."""

    id: str
    name: str
    token: str
    muted: bool = False


class BlockedPerson(msgspec.Struct):
    """A person who may not join again: by token and by addresses, both as salted hashes."""

    name: str
    token: str
    addresses: tuple[str, ...]


class TableSeat(msgspec.Struct):
    """A seat. With both a person and a level, the bot plays until the person returns. `mark`:
    the number of the colour and letter of its occupant, who keeps it in another seat."""

    mark: int
    person: str | None = None
    level: str | None = None

    @property
    def free(self) -> bool:
        """Whether the seat is free."""
        return self.person is None and self.level is None


def empty_seats(number: int, taken: Iterable["TableSeat"] = ()) -> list["TableSeat"]:
    """Return free seats, with marks that no other seat has."""
    used = {place.mark for place in taken}
    free = (mark for mark in count() if mark not in used)
    return [TableSeat(mark) for mark in islice(free, number)]


class TakeBackRequest(msgspec.Struct):
    """A take-back request that waits for others to agree."""

    seat: int
    waiting: set[int]


def hash_address(salt: str, address: str) -> str:
    """Return the hash of a blocked address. It hides the address from a glance, but not from
    someone who has the database and tries all addresses."""
    return hashlib.sha256(f"{salt}/address/{address}".encode()).hexdigest()[:32]


def hash_token(salt: str, token: str) -> str:
    """Return the hash of a token: 256 random bits need no slow hash."""
    return hashlib.sha256(f"{salt}:{token}".encode()).hexdigest()
