"""Checks of a single message about the deal: complete, consistent, and equal to what came
before."""

import re

from stichwerk.errors import StichwerkError
from stichwerk.fairness import client_commit, options_text, server_commit
from stichwerk.hash_words import fingerprint
from stichwerk.server import wire
from stichwerk.server.clients.table_rules import TableRules, setup, transcript_of

AGREED_ON = ("rules", "options", "deck", "rounds", "server_commits")  # fixed before anyone seals

_HASH = re.compile(r"[0-9a-f]{64}", re.ASCII)


class DealViolationError(StichwerkError):
    """The deal is not what was agreed on. `id` and `data` say what is wrong; `text` says it in the
    person's language, once it has been translated."""

    text = ""


def check_announced(table: wire.Table, dealing: wire.Dealing, rules: TableRules | None) -> None:
    """Check that the deal is complete, consistent, and about this table's match. `rules` are those
    of the table, if this program knows them."""
    if table.match != dealing.match:
        raise DealViolationError("deal-match")
    _check_complete(dealing, table.seats)
    game, _, _ = dealing.rules.rpartition("/")
    if (game, dealing.options) != (table.game, options_text(table.options)):
        raise DealViolationError("deal-rules")
    if rules is not None and rules.setup(dealing.match) != setup(dealing):
        raise DealViolationError("deal-rules")
    _check_order(dealing, table.stage)
    check_open(dealing)
    _check_transcript(dealing)


def _check_complete(dealing: wire.Dealing, seats: int) -> None:
    """Check that all the server's seals are there, and one slot per seat, before anyone seals."""
    per_seat = (dealing.client_commits, dealing.client_seeds, dealing.trusted)
    hashes = [*dealing.server_commits, *dealing.server_seeds]
    hashes += [one for one in (*dealing.client_commits, *dealing.client_seeds) if one is not None]
    complete = len(dealing.server_commits) == dealing.rounds + 1
    if not complete or any(len(values) != seats for values in per_seat):
        raise DealViolationError("deal-incomplete")
    if len(dealing.server_seeds) > len(dealing.server_commits):
        raise DealViolationError("deal-incomplete")
    if not all(_HASH.fullmatch(one) for one in hashes):
        raise DealViolationError("deal-incomplete")


def _check_order(dealing: wire.Dealing, stage: str) -> None:
    """Check the order: shares are opened when all are sealed, the server's when all others are
    open."""
    opened = [seed is not None for seed in dealing.client_seeds]
    if None in dealing.client_commits and (any(opened) or stage != "dealing"):
        raise DealViolationError("deal-early")
    if not all(opened) and (dealing.server_seeds or stage != "dealing"):
        raise DealViolationError("deal-unopened", seat=opened.index(False))
    if stage != "dealing" and not dealing.server_seeds:
        raise DealViolationError("deal-seed-missing", round=0)


def check_open(dealing: wire.Dealing) -> None:
    """Check that every opened share matches its seal."""
    match = dealing.match
    for seat, seed in enumerate(dealing.client_seeds):
        if seed is None:
            continue
        if client_commit(match, seat, bytes.fromhex(seed)).hex() != dealing.client_commits[seat]:
            raise DealViolationError("deal-share-wrong", seat=seat)
    for number, seed in enumerate(dealing.server_seeds):
        sealed = server_commit(match, number, bytes.fromhex(seed)).hex()
        if sealed != dealing.server_commits[number]:
            raise DealViolationError("deal-server-seed", round=number)


def _check_transcript(dealing: wire.Dealing) -> None:
    """Check that the server's hash and words are those computed from the seals."""
    own = transcript_of(dealing)
    if dealing.transcript != (own.hex() if own else None):
        raise DealViolationError("deal-transcript")
    if dealing.words != (fingerprint(own) if own else ()):
        raise DealViolationError("deal-words", words=" ".join(fingerprint(own)) if own else "")


def check_kept(before: wire.Dealing, now: wire.Dealing) -> None:
    """Check that everything announced before about a match still holds."""
    for name in AGREED_ON:
        if getattr(before, name) != getattr(now, name):
            raise DealViolationError("deal-changed", what=name)
    for name in ("client_commits", "client_seeds", "server_seeds"):
        old, kept = getattr(before, name), getattr(now, name)
        for number, value in enumerate(old):
            if value is not None and (number >= len(kept) or kept[number] != value):
                raise DealViolationError("deal-changed", what=name)
    for seat, sealed in enumerate(before.client_commits):
        if sealed is not None and before.trusted[seat] != now.trusted[seat]:
            raise DealViolationError("deal-changed", what="trusted")
    if before.transcript not in (None, now.transcript):
        raise DealViolationError("deal-changed", what="transcript")
