"""A client's own shares of the shuffle: drawn here, kept until the record is checked."""

from collections.abc import Sequence
from typing import Protocol

import msgspec

from stichwerk.fairness import client_commit
from stichwerk.server import wire


class CommitShare(msgspec.Struct, frozen=True):
    """To be sent as `commit`."""

    match: str
    commit: str


class RevealShare(msgspec.Struct, frozen=True):
    """To be sent as `reveal`."""

    match: str
    seed: str


Action = CommitShare | RevealShare


class OwnShare(msgspec.Struct, frozen=True, kw_only=True):
    """A share that this client drew. `told`: the deal as it stood when the share was drawn, and
    from the moment on when all were sealed, as it stood then."""

    match: str
    seat: int
    seed: str
    told: wire.Dealing

    @property
    def commit(self) -> str:
        """What is sealed."""
        return client_commit(self.match, self.seat, bytes.fromhex(self.seed)).hex()


class ShareStore(Protocol):
    """Where own shares are kept. A store that outlives the program allows a restart between seal
    and reveal, and comparing a record later."""

    def keep(self, share: OwnShare) -> None:
        """Remember a share; one of the same match with the same seed is replaced."""

    def of_match(self, match: str) -> Sequence[OwnShare]:
        """The shares drawn for a match; several, if several windows of one person drew one."""


class MemoryShareStore:
    """Shares kept as long as the program runs."""

    def __init__(self) -> None:
        self.shares: dict[tuple[str, str], OwnShare] = {}

    def keep(self, share: OwnShare) -> None:
        """Remember a share."""
        self.shares[share.match, share.seed] = share

    def of_match(self, match: str) -> Sequence[OwnShare]:
        """The shares drawn for a match."""
        return [share for share in self.shares.values() if share.match == match]
