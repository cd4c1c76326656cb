"""A journal of finished deals: an interrupted run continues from it.

JSON Lines: the plan, then one outcome per line in the order of arrival. A line that was only partly
written is cut off; a journal of another plan, or a file that is no journal, is left alone.
"""

from pathlib import Path
from typing import IO

import msgspec

from stichwerk.arena.deals import ArenaError, Outcome, Plan, Task

FORMAT = "stichwerk-arena/1"


class JournalHeader(msgspec.Struct, frozen=True):
    """The first line."""

    format: str
    plan: Plan


class Journal:
    """The outcomes stored in a file, and new ones. Close it, or use it in a `with`."""

    def __init__(self, path: str, plan: Plan) -> None:
        self.path = path
        self.known: dict[Task, Outcome] = {}
        data = Path(path).read_bytes() if Path(path).exists() else b""
        head = msgspec.json.encode(JournalHeader(FORMAT, plan)) + b"\n"
        whole = data[: data.rfind(b"\n") + 1]  # a line after it is incomplete
        if whole:
            check_plan(path, read_head(path, whole).plan, plan)
            self._read(whole, plan.seats)
        elif not head.startswith(data):
            raise ArenaError("arena-no-journal", file=path)
        self._file: IO[bytes] = Path(path).open("ab")  # noqa: SIM115  (closed by `close`)
        self._file.truncate(len(whole))
        if not whole:
            self._write(head)

    def __enter__(self) -> "Journal":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def append(self, outcome: Outcome) -> None:
        """Store an outcome; once this returns, a crash of this process cannot lose it."""
        self.known[Task(outcome.a, outcome.b, outcome.deal)] = outcome
        self._write(msgspec.json.encode(outcome) + b"\n")

    def _write(self, line: bytes) -> None:
        self._file.write(line)
        self._file.flush()

    def _read(self, whole: bytes, seats: int) -> None:
        decoder = msgspec.json.Decoder(Outcome)
        for number, line in enumerate(whole.splitlines()[1:], 2):
            try:
                outcome = decoder.decode(line)
            except (msgspec.DecodeError, UnicodeDecodeError):
                raise ArenaError("arena-bad-line", file=self.path, line=number) from None
            sizes = {len(row) for row in (outcome.scores, outcome.ranks, *outcome.scores)}
            if sizes | {len(row) for row in outcome.ranks} != {seats}:
                raise ArenaError("arena-bad-line", file=self.path, line=number)
            self.known[Task(outcome.a, outcome.b, outcome.deal)] = outcome


def read_head(path: str, data: bytes) -> JournalHeader:
    """Read the first line of a journal."""
    try:
        head = msgspec.json.decode(data.partition(b"\n")[0], type=JournalHeader)
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise ArenaError("arena-no-journal", file=path) from None
    if head.format != FORMAT:
        raise ArenaError("arena-no-journal", file=path)
    return head


def journal_seed(path: str) -> int | None:
    """Return the seed of a journal, for runs that do not name one; None for a new one."""
    data = Path(path).read_bytes() if Path(path).exists() else b""
    return read_head(path, data).plan.seed if b"\n" in data else None


def check_plan(path: str, kept: Plan, wanted: Plan) -> None:
    """Refuse a journal of another plan, and say how they differ."""
    for name in Plan.__struct_fields__:
        theirs, ours = getattr(kept, name), getattr(wanted, name)
        if theirs != ours:
            facts = {"there": shown_fact(theirs), "here": shown_fact(ours)}
            raise ArenaError("arena-other-plan", file=path, fact=name, **facts)


def shown_fact(value: object) -> str:
    """Format a fact of a plan for a sentence."""
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()
