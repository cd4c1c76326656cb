"""Links to web tables, and the person's identity there: personal tokens, kept for the next
start."""

import re
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

import msgspec

from stichwerk.errors import BadFileError, StichwerkError, shown
from stichwerk.server.clients.deal_shares import OwnShare
from stichwerk.terminal.saving import read, write_atomically

FILE = "seats.json"
SHARES_FILE = "shares.json"
LARGEST = 1024 * 1024
MOST_SEATS = 200
MOST_SHARES = 100
_PATH = re.compile(r"(?P<root>.*)/t/(?P<table>[A-Za-z0-9_-]{1,40})/?", re.ASCII)
_TOKEN = re.compile(r"[A-Za-z0-9_-]{16,64}", re.ASCII)
_SCHEMES = {"http": "ws", "https": "wss"}


class BadLinkError(StichwerkError):
    """A text that is not a link to a table."""


class Link(NamedTuple):
    """A table's address; a personal link has a `token`."""

    address: str
    """The link for friends: without the token."""
    socket: str
    table: str
    token: str | None


def parse(url: str) -> Link:
    """Parse a link to a web table, `https://host/t/TABLE`; a personal one ends in `#TOKEN`."""
    full = url.strip() if "://" in url else f"http://{url.strip()}"
    try:
        parts = urlsplit(full)
        host, port = parts.hostname, parts.port
    except ValueError:
        raise BadLinkError("not-a-table-link", url=shown(url, 200)) from None
    path = _PATH.fullmatch(parts.path)
    if parts.scheme not in _SCHEMES or not host or path is None or not full.isprintable():
        raise BadLinkError("not-a-table-link", url=shown(url, 200))
    if parts.fragment and not _TOKEN.fullmatch(parts.fragment):
        raise BadLinkError("not-a-table-link", url=shown(url, 200))
    where = f"[{host}]" if ":" in host else host
    where += f":{port}" if port is not None else ""
    return Link(
        address=f"{parts.scheme}://{where}{path['root']}/t/{path['table']}",
        socket=f"{_SCHEMES[parts.scheme]}://{where}{path['root']}/ws",
        table=path["table"],
        token=parts.fragment or None,
    )


def record_address(link: Link, match: str) -> str:
    """Return the address of a match's record on the table's server."""
    root = link.address.removesuffix(f"/t/{link.table}")
    return f"{root}/api/matches/{match}"


class OwnSeat(msgspec.Struct, frozen=True, kw_only=True):
    """A person's identity at a table: the holder of the token is this person."""

    address: str
    name: str
    token: str
    at: float
    """When it was last used, in seconds since 1970."""


class SeatStore:
    """The person's seats at web tables, in a file that only its owner may read."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.file = folder / FILE

    def find(self, link: Link, name: str | None) -> OwnSeat | None:
        """Return the seat at this table under this name, or the one used last."""
        found = [seat for seat in self._seats() if seat.address == link.address]
        wanted = [seat for seat in found if name is None or seat.name == name]
        return max(wanted, key=lambda seat: seat.at, default=None)

    def keep(self, link: Link, name: str, token: str) -> None:
        """Store a seat; the oldest are dropped when there are very many."""
        others = [seat for seat in self._seats() if seat.token != token]
        new = OwnSeat(address=link.address, name=name, token=token, at=time.time())
        self._write([*sorted(others, key=lambda seat: seat.at)[-MOST_SEATS:], new])

    def forget(self, token: str) -> None:
        """Delete a token that is no longer valid."""
        self._write([seat for seat in self._seats() if seat.token != token])

    def _seats(self) -> Iterator[OwnSeat]:
        """Yield the seats in the file; an unreadable file counts as empty."""
        try:
            yield from msgspec.json.decode(read(self.file, LARGEST), type=list[OwnSeat])
        except (BadFileError, msgspec.DecodeError, UnicodeError, RecursionError):
            return

    def _write(self, seats: list[OwnSeat]) -> None:
        """Write the seats; if that fails, the seat lasts as long as this connection."""
        try:
            self.file.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(self.file, msgspec.json.encode(seats) + b"\n")
        except OSError:
            return


class StoredShare(msgspec.Struct, frozen=True, kw_only=True):
    """The person's share of a shuffle, and its table."""

    address: str
    share: OwnShare


class FileShareStore:
    """Our shares at one table, in a file that only its owner may read, so that the terminal can be
    restarted between seal and reveal, and a record can be compared later."""

    def __init__(self, folder: Path, address: str) -> None:
        self.file = folder / SHARES_FILE
        self.address = address
        self.here: dict[tuple[str, str], OwnShare] = {}  # where nothing can be written

    def keep(self, share: OwnShare) -> None:
        """Store a share; the oldest are dropped when there are many."""
        self.here[share.match, share.seed] = share
        others = [
            one
            for one in kept_shares(self.file)
            if (one.share.match, one.share.seed) != (share.match, share.seed)
        ]
        new = StoredShare(address=self.address, share=share)
        try:
            self.file.parent.mkdir(parents=True, exist_ok=True)
            kept = [*others[1 - MOST_SHARES :], new]
            write_atomically(self.file, msgspec.json.encode(kept) + b"\n")
        except OSError:
            return

    def of_match(self, match: str) -> Sequence[OwnShare]:
        """Return the shares that any window of this person generated for a match of this table."""
        kept = [one.share for one in kept_shares(self.file) if one.address == self.address]
        found = {(one.match, one.seed): one for one in (*kept, *self.here.values())}
        return [one for one in found.values() if one.match == match]


def kept_shares(file: Path) -> list[StoredShare]:
    """Return the shares in a file; an unreadable file counts as empty."""
    try:
        return msgspec.json.decode(read(file, LARGEST), type=list[StoredShare])
    except (BadFileError, msgspec.DecodeError, UnicodeError, RecursionError):
        return []
