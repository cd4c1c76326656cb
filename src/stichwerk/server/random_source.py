"""Where the server, and a guest at its tables, draw ids, tokens and seeds from."""

import secrets

from stichwerk.fairness import HIGHEST_SEED


class RandomSource:
    """The system's generator for secrets."""

    def id(self) -> str:
        """A name for a table or a match that cannot be guessed."""
        return secrets.token_urlsafe(12)

    def person(self) -> str:
        """A name for a person, known to all at the table."""
        return secrets.token_urlsafe(6)

    def token(self) -> str:
        """What says who someone is: 256 bits."""
        return secrets.token_urlsafe(32)

    def seed(self) -> str:
        """A seed or share of a shuffle, or a salt, in hex."""
        return secrets.token_bytes(32).hex()

    def number(self) -> int:
        """A seed for a match of one's own."""
        return secrets.randbelow(HIGHEST_SEED + 1)

    def fraction(self) -> float:
        """A number from 0 to below 1: how much of a pause to wait, so that not all come at once."""
        return secrets.randbelow(2**53) / 2**53
