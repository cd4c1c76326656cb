"""What `stichwerk verify` compares a record with, and its summary."""

import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence

from msgspec import UNSET

from stichwerk.cli.click_extensions import BadUsageError, say
from stichwerk.cli.play_command import terminal_folder
from stichwerk.hash_words import COUNT
from stichwerk.record import Claims, Record, Verdict, verify_file, verify_stream

_SHARE = re.compile(r"(?:(?P<seat>[0-9]{1,2}):)?(?P<hex>[0-9a-fA-F]{64})", re.ASCII)
_BETWEEN_WORDS = re.compile(r"[\s,;.]+")


class Knowledge:
    """What is known about a deal: shares and words given with the command, and the shares that
    the terminal drew and stored here."""

    def __init__(self, shares: Sequence[str], words: str | None, data: str | None) -> None:
        self.shares = tuple(map(read_share, shares))
        self.words = read_words(words) if words is not None else ()
        self.kept = kept_here(data)

    def about(self, record: Record) -> Claims:
        """Return what must be in this record."""
        match = "" if record.fairness is UNSET else record.fairness.match
        return Claims(shares=(*self.shares, *self.kept.get(match, ())), words=self.words)


def judged(file: str, known: Knowledge) -> Iterator[tuple[int, Verdict]]:
    """Return the verdicts on the records of a file; `-` is standard input."""
    if file == "-":
        return verify_stream(sys.stdin.buffer, file, known.about)
    return verify_file(file, known.about)


def read_share(text: str) -> tuple[int | None, str]:
    """Parse a typed share, perhaps with its seat."""
    found = _SHARE.fullmatch(text.strip())
    if found is None:
        raise BadUsageError("not-a-share", share=text)
    seat = found["seat"]
    return None if seat is None else int(seat), found["hex"].lower()


def read_words(text: str) -> tuple[str, ...]:
    """Parse the six words as typed or pasted."""
    words = tuple(_BETWEEN_WORDS.sub(" ", text).lower().split())
    if len(words) != COUNT:
        raise BadUsageError("not-six-words", count=len(words))
    return words


def kept_here(data: str | None) -> dict[str, tuple[tuple[int | None, str], ...]]:
    """Return the shares that the terminal opened at a web table, by match."""
    from stichwerk.terminal.links import SHARES_FILE, kept_shares

    found: dict[str, tuple[tuple[int | None, str], ...]] = {}
    for one in kept_shares(terminal_folder(data) / SHARES_FILE):
        share = one.share
        if share.announced.transcript is not None:  # all were sealed, this one among them
            found[share.match] = (*found.get(share.match, ()), (share.seat, share.seed))
    return found


def summary(verdicts: Sequence[Verdict]) -> Iterator[str]:
    """Yield how many records there are of each kind."""
    all_checked = all(verdict.status != "unchecked" for verdict in verdicts)
    yield say("verified" if all_checked else "verified-some", count=len(verdicts))
    for kind, count in Counter(map(verdict_kind, verdicts)).items():
        yield f"{count:5}  {kind}"


def verdict_kind(verdict: Verdict) -> str:
    """Return the verdict on a record in a few words."""
    if verdict.status == "unchecked":
        return say("verified-unchecked")
    if not verdict.ok:
        return say("verified-broken")
    parts = [say("verified-holds" if verdict.status == "holds" else "verified-unfinished")]
    parts.append(say("verified-proven" if verdict.proven else "verified-unproven"))
    if verdict.shares:
        parts.append(say("verified-share", count=verdict.shares))
    if verdict.words:
        parts.append(say("verified-words"))
    return "; ".join(parts)
