"""The random source for ids, tokens and seeds of the server and its clients."""

import secrets

from stichwerk.fairness import HIGHEST_SEED


class RandomSource:
    """The system's generator for secrets."""

    def id(self) -> str:
        """Return an unguessable id of a table or a match."""
        return secrets.token_urlsafe(12)

    def person(self) -> str:
        """Return the id of a person, which everyone at the table knows."""
        return secrets.token_urlsafe(6)

    def token(self) -> str:
        """Return a token that identifies a person: 256 bits."""
        return secrets.token_urlsafe(32)

    def seed(self) -> str:
        """Return a seed or share of a shuffle, or a salt, in hex."""
        return secrets.token_bytes(32).hex()

    def number(self) -> int:
        """Return a seed for a forked match."""
        return secrets.randbelow(HIGHEST_SEED + 1)

    def fraction(self) -> float:
        """Return a number in [0, 1): the part of a pause to wait, so that not all clients come at
        once."""
        return secrets.randbelow(2**53) / 2**53
