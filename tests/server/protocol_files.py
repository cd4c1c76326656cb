"""The files of the protocol, taken apart."""

from pathlib import Path

import stichwerk
from stichwerk.fairness import client_commit
from stichwerk.server import wire
from stichwerk.server.protocol_generator import (
    files,
    paths,
)
from stichwerk.server.tables import log_entries as log
from stichwerk.server.tables.shuffle import seeds_needed
from stichwerk.server.tables.table_state import TableState

ROOT = Path(__file__).parents[2]

MADE = files.made()

PAGE, OPENAPI, TYPES = (MADE[name] for name in (paths.PAGE, paths.OPENAPI, paths.TYPES))


# -- The order of notes ----------------------------------------------------------------------------


class Notes:
    """A table of two people, Ada and Ben, at which things happen; `last` are the notes of the last
    step, as they are sent."""

    match = "m"
    shares = ("aa" * 32, "bb" * 32)

    def __init__(self, people: int = 2) -> None:
        options = stichwerk.game("stichling", seats=2, starter=0).options
        settings = wire.Settings()
        self.table = TableState(
            log.TableCreated(
                table="t", salt="s", game="stichling", seats=2, options=options, settings=settings
            )
        )
        for seat in range(2):
            if seat < people:
                self.add(log.PersonJoined(person=f"p{seat}", name="AB"[seat], token="", seat=seat))
            else:
                self.add(log.Seated(seat=seat, level="easy"))

    def add(self, *entries: log.Entries) -> tuple[str, ...]:
        for entry in entries:
            step = self.table.apply(entry).describe(None)
        return tuple(str(note.__struct_config__.tag) for note in step.notes)

    def set_up(self, drawn: int) -> tuple[str, ...]:
        """Let the server draw the shares of this many last seats."""
        seeds = tuple(f"{number:064x}" for number in range(seeds_needed(self.table.next_setting)))
        shares = (*[None] * (2 - drawn), *self.shares[2 - drawn :])
        return self.add(log.ShuffleStarted(match=self.match, server_seeds=seeds, shares=shares))

    def begun(self) -> tuple[str, ...]:
        """Ada and Ben seal and open their shares."""
        self.set_up(0)
        for seat, share in enumerate(self.shares):
            commit = client_commit(self.match, seat, bytes.fromhex(share)).hex()
            self.add(log.ShareSealed(seat=seat, commit=commit))
        return self.add(
            *[log.ShareOpened(seat=seat, seed=share) for seat, share in enumerate(self.shares)]
        )

    def play(self, by: str = "", stop: int = 0) -> tuple[str, ...]:
        """Ada and Ben play until the round has ended, or this many moves."""
        added: tuple[str, ...] = ()
        moves = 0
        while self.table.running and not self.table.running.rounds_over and moves != (stop or -1):
            match = self.table.running.match
            seat = match.waiting_for[0]
            added = self.add(log.MovePlayed(seat=seat, move=match.moves(seat)[0].text, by=by))
            moves += 1
        return added

    def asked(self) -> "Notes":
        """Ada has made the first move, and asks to take it back."""
        self.begun()
        self.play(stop=1)
        self.add(log.TakeBackAsked(seat=0))
        return self
