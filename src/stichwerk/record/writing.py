"""Write a match as a record."""

import msgspec
from msgspec import UNSET

from stichwerk.match import Match, RoundLog
from stichwerk.record.deals import RecordedDeals
from stichwerk.record.format import Choice, Extra, Fairness, Play, Record, RoundRecord


def record(match: Match, fairness: Fairness | None = None) -> Record:
    """Return the record of a match as it stands now, finished or not."""
    deals = match.deals
    if fairness is None and isinstance(deals, RecordedDeals):
        fairness = deals.fairness
    return Record(
        game=match.rules.name,
        rules=match.rules.version,
        seats=match.rules.seats,
        names=match.names,
        options=dict(match.setting.options),
        seed=UNSET if deals.seed is None else deals.seed,
        rounds=tuple(_round_record(log) for log in match.rounds),
        totals=match.totals if match.over else None,
        ranking=match.ranking,
        fairness=UNSET if fairness is None else fairness,
    )


def _round_record(log: RoundLog) -> RoundRecord:
    return RoundRecord(
        starter=log.deal.starter,
        hands=log.deal.hands,
        stock=log.deal.stock,
        choices=msgspec.convert(log.choices, tuple[Choice, ...]),
        plays=msgspec.convert(log.plays, tuple[Play, ...]),
        extra=msgspec.convert(log.extra, tuple[Extra, ...]) if log.extra else UNSET,
        scores=UNSET if log.scores is None else log.scores,
    )
