"""People and seats of a table, and what is stored of tokens and addresses."""

import hashlib

import msgspec


class TablePerson(msgspec.Struct):
    """Someone who takes part."""

    id: str
    name: str
    token: str
    muted: bool = False


class BlockedPerson(msgspec.Struct):
    """Someone who may not join again: by token and by addresses, both as salted hashes."""

    name: str
    token: str
    addresses: tuple[str, ...]


class TableSeat(msgspec.Struct):
    """A seat. With a person and a level the bot plays until the person is back."""

    person: str | None = None
    level: str | None = None

    @property
    def free(self) -> bool:
        """Whether nobody has it."""
        return self.person is None and self.level is None


class TakeBackRequest(msgspec.Struct):
    """A take-back that waits for others to agree."""

    seat: int
    waiting: set[int]


def hash_address(salt: str, address: str) -> str:
    """What is stored of a blocked address. A hash hides it from a glance, not from someone who has
    the database and tries all addresses."""
    return hashlib.sha256(f"{salt}/address/{address}".encode()).hexdigest()[:32]


def hash_token(salt: str, token: str) -> str:
    """What is stored of a token: 256 random bits need no slow hash."""
    return hashlib.sha256(f"{salt}:{token}".encode()).hexdigest()
