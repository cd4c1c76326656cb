"""Links to web tables, and who one is there: personal tokens, kept for the next start."""

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
    """A text that leads to no table."""


class Link(NamedTuple):
    """A table's address; `token` is there in a personal link."""

    address: str
    """What friends get: without the token."""
    socket: str
    table: str
    token: str | None


def parse(url: str) -> Link:
    """A link as the web table gives it, `https://host/t/TABLE`, a personal one with `#TOKEN`."""
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
    """Where the server of a table has the record of a match."""
    root = link.address.removesuffix(f"/t/{link.table}")
    return f"{root}/api/matches/{match}"


class OwnSeat(msgspec.Struct, frozen=True, kw_only=True):
    """Who one is at a table: whoever holds the token is this person."""

    address: str
    name: str
    token: str
    at: float
    """When it was used last, in seconds since 1970."""


class SeatStore:
    """The own seats at web tables, in a file that only its owner may read."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.file = folder / FILE

    def find(self, link: Link, name: str | None) -> OwnSeat | None:
        """The seat at this table, under this name, or the one used last."""
        found = [seat for seat in self._seats() if seat.address == link.address]
        wanted = [seat for seat in found if name is None or seat.name == name]
        return max(wanted, key=lambda seat: seat.at, default=None)

    def keep(self, link: Link, name: str, token: str) -> None:
        """Remember a seat; the oldest go when there are very many."""
        others = [seat for seat in self._seats() if seat.token != token]
        new = OwnSeat(address=link.address, name=name, token=token, at=time.time())
        self._write([*sorted(others, key=lambda seat: seat.at)[-MOST_SEATS:], new])

    def forget(self, token: str) -> None:
        """Nobody at the table has this token any more."""
        self._write([seat for seat in self._seats() if seat.token != token])

    def _seats(self) -> Iterator[OwnSeat]:
        """What is in the file; one that cannot be understood is as good as none."""
        try:
            yield from msgspec.json.decode(read(self.file, LARGEST), type=list[OwnSeat])
        except (BadFileError, msgspec.DecodeError, UnicodeError, RecursionError):
            return

    def _write(self, seats: list[OwnSeat]) -> None:
        """Without a place to write to, the seat lasts as long as this connection."""
        try:
            self.file.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(self.file, msgspec.json.encode(seats) + b"\n")
        except OSError:
            return


class StoredShare(msgspec.Struct, frozen=True, kw_only=True):
    """An own share of a shuffle, and at which table."""

    address: str
    share: OwnShare


class FileShareStore:
    """Our shares at one table, in a file that only its owner may read: so that the terminal can
    be restarted between seal and reveal, and a record can be compared later."""

    def __init__(self, folder: Path, address: str) -> None:
        self.file = folder / SHARES_FILE
        self.address = address
        self.here: dict[tuple[str, str], OwnShare] = {}  # where nothing can be written

    def keep(self, share: OwnShare) -> None:
        """Remember a share; the oldest go when there are many."""
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
        """The shares that any window of this person drew for a match of this table."""
        kept = [one.share for one in kept_shares(self.file) if one.address == self.address]
        found = {(one.match, one.seed): one for one in (*kept, *self.here.values())}
        return [one for one in found.values() if one.match == match]


def kept_shares(file: Path) -> list[StoredShare]:
    """What is in a file of shares; one that cannot be understood is as good as none."""
    try:
        return msgspec.json.decode(read(file, LARGEST), type=list[StoredShare])
    except (BadFileError, msgspec.DecodeError, UnicodeError, RecursionError):
        return []
