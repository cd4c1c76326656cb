"""Records, format `stichwerk-game/1`: writing, reading, replaying and verifying matches.

A record is judged by replaying it: every recorded move goes through `Match`, so that there is no
second set of rules. What is not a record at all is a `BadRecordError`; a record that breaks a rule
is a `BrokenRecordError`, which knows the place; one whose rules are unknown here is an
`UncheckableRecordError`.
"""

from typing import TYPE_CHECKING

from stichwerk.errors import renamed
from stichwerk.record.deals import ProvenDeals, RecordedDeals
from stichwerk.record.format import (
    FORMAT,
    LARGEST,
    Choice,
    Extra,
    Fairness,
    Play,
    Record,
    RoundRecord,
    encode,
    schema,
)
from stichwerk.record.reading import decode
from stichwerk.record.refusals import BrokenRecordError, RecordPlace, UncheckableRecordError
from stichwerk.record.replaying import moves_of, replay, replay_with_moves
from stichwerk.record.verifying import (
    NO_CLAIMS,
    Claims,
    Verdict,
    verify,
    verify_file,
    verify_stream,
)
from stichwerk.record.writing import record

__all__ = [
    "FORMAT",
    "LARGEST",
    "NO_CLAIMS",
    "BrokenRecordError",
    "Choice",
    "Claims",
    "Extra",
    "Fairness",
    "Play",
    "ProvenDeals",
    "Record",
    "RecordPlace",
    "RecordedDeals",
    "RoundRecord",
    "UncheckableRecordError",
    "Verdict",
    "decode",
    "encode",
    "moves_of",
    "record",
    "replay",
    "replay_with_moves",
    "schema",
    "verify",
    "verify_file",
    "verify_stream",
]

if not TYPE_CHECKING:  # names of earlier versions
    __getattr__ = renamed(
        __name__,
        {
            "Place": "RecordPlace",
            "BrokenRecord": "BrokenRecordError",
            "UncheckableRecord": "UncheckableRecordError",
            "told_again": "replay_with_moves",
        },
    )
