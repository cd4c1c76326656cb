"""Replay a recorded match, move by move, under every rule.

Every recorded move goes through `Match`, so that there is no second set of rules.
"""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from msgspec import UNSET

from stichwerk.engine.events import Event, Move
from stichwerk.errors import BadRecordError
from stichwerk.games.stichtag.calendar import SHEETS
from stichwerk.match import Deals, Match, RoundLog, Setting
from stichwerk.record.deals import RecordedDeals
from stichwerk.record.format import FORMAT, Choice, Extra, Play, Record, RoundRecord
from stichwerk.record.reading import check_version
from stichwerk.record.refusals import (
    BrokenRecordError,
    RecordPlace,
    as_json,
    refusals_at,
    shortened,
)

CARD_SETS = {phase for sheet in SHEETS.values() for phase in sheet.card_sets}


class _RecordingMatch(Match):
    """A match that remembers its moves, in order."""

    def __init__(self, setting: Setting, deals: Deals, names: Sequence[str] | None = None) -> None:
        self.made_moves: list[tuple[int, str]] = []
        super().__init__(setting, deals, names)

    def play(self, seat: int, move: str | Move) -> tuple[Event, ...]:
        """Make a move like any match, and remember it."""
        events = super().play(seat, move)
        self.made_moves.append((seat, move.text if isinstance(move, Move) else move))
        return events


def moves_of(record: Record) -> tuple[tuple[int, str], ...]:
    """Return all moves of a match in order, as (seat, text), including choices and extra ones."""
    return tuple(_replayed(record).made_moves)


def replay_with_moves(record: Record) -> tuple[Match, tuple[tuple[int, str], ...]]:
    """Return the match before its first move, and all its moves, to be made one by one.

    It was replayed under every rule before, so all these moves can be made.
    """
    whole = _replayed(record)
    again = Match(whole.setting, RecordedDeals(whole.setting, record), whole.names)
    return again, tuple(whole.made_moves)


def replay(record: Record) -> Match:
    """Replay the match of a record, move by move, under every rule.

    An unfinished match that was dealt from a seed can be continued.
    """
    return _replayed(record)


def _replayed(record: Record) -> _RecordingMatch:
    setting = _setting(record)
    with refusals_at(None):
        match = _RecordingMatch(setting, RecordedDeals(setting, record), record.names)
    for number, round_record in enumerate(record.rounds, 1):
        _replay_round(match, number, round_record, last=number == len(record.rounds))
    _check_result(match, record)
    return match


def _setting(record: Record) -> Setting:
    """Return game, seats and options; a record names every option and no other."""
    if record.format != FORMAT:
        raise BadRecordError("wrong-format", format=shortened(record.format), expected=FORMAT)
    check_version(record.game, record.rules)
    with refusals_at(None):
        setting = Setting(record.game, record.seats, record.options, record.rules)
    for option in setting.options:
        if option not in record.options:
            raise BrokenRecordError("missing-option", None, option=option)
    return setting


def _replay_round(match: Match, number: int, round_record: RoundRecord, last: bool) -> None:
    if len(match.rounds) < number:
        raise BrokenRecordError("extra-round", RecordPlace(number), rounds=len(match.rounds))
    log = match.rounds[number - 1]
    _replay_choices(match, log, number, round_record)
    _replay_moves(match, log, number, round_record)
    if log.scores is not None:
        _check_scores(log.scores, RecordPlace(number), round_record)
    elif round_record.scores is not UNSET or not last or log.pending:
        raise _missing_move(
            match, number, round_record
        )  # secret moves appear only when all are made


def _missing_move(match: Match, number: int, round_record: RoundRecord) -> BrokenRecordError:
    """Return the error for a round that stops before the next move."""
    if _owes_extra(match):
        return _missing_extra(match, number, len(_extra_of(round_record)))
    return BrokenRecordError("missing-play", RecordPlace(number, len(round_record.plays) + 1))


def _owes_extra(match: Match) -> bool:
    """Return whether the next move is one of those that a record stores in `extra`."""
    return match.entry_kind not in ("plays", "choices")


def _missing_extra(match: Match, number: int, entries: int) -> BrokenRecordError:
    """Return the error for a missing entry after this many."""
    return BrokenRecordError(
        "missing-extra", RecordPlace(number, extra=entries + 1), kind=match.entry_kind
    )


def _extra_of(round_record: RoundRecord) -> tuple[Extra, ...]:
    """Return the extra entries of a round; there may be none."""
    return () if round_record.extra is UNSET else round_record.extra


def _replay_moves(match: Match, log: RoundLog, number: int, round_record: RoundRecord) -> None:
    """Replay plays and extra choices, each in its turn, and compare how they are written.

    The draws come first; they were placed with the deal.
    """
    extra = _extra_of(round_record)
    done, entry = 0, _check_draws(log, number, extra)
    entered = _EnteredCounts(0, entry)
    while done < len(round_record.plays) or entry < len(extra):
        place = RecordPlace(number, extra=entry + 1)
        due = entry < len(extra) and extra[entry][0] <= done
        if log.scores is None and _owes_extra(match):
            if entry == len(extra) or extra[entry][0] > done:
                raise _missing_extra(match, number, entry)
            _replay_extra(match, place, done, extra[entry])
            entry += 1
        elif due or done == len(round_record.plays):
            raise BrokenRecordError("no-extra-here", place)
        else:
            _replay_play(match, log, RecordPlace(number, done + 1), round_record.plays[done])
            done += 1
        entered = _check_entered(log, number, round_record, entered)


def _check_draws(log: RoundLog, number: int, extra: Sequence[Extra]) -> int:
    """Return how many draws there are; they come before everything that a seat did."""
    draws = len(log.deal.specials)
    for at, entry in enumerate(extra[:draws], 1):
        if entry[1] is not None:
            kind = str(log.deal.specials[at - 1][0])
            if entry[2] == kind:
                raise BrokenRecordError("draw-with-seat", RecordPlace(number, extra=at), kind=kind)
            facts = {"given": shortened(entry[2]), "at": entry[0], "expected": kind, "plays": 0}
            raise BrokenRecordError("wrong-extra", RecordPlace(number, extra=at), **facts)
    return draws


def _replay_extra(match: Match, place: RecordPlace, done: int, entry: Extra) -> None:
    """Replay a choice that a day asks for besides the plays."""
    at, seat, kind, value = entry
    asked = match.entry_kind
    if at != done or kind != asked or seat is None:
        facts = {"given": shortened(kind), "at": at, "expected": asked, "plays": done}
        raise BrokenRecordError("wrong-extra", place, **facts)
    _check_turn(match, place, seat)
    typed = match.typed(value)
    if not typed:
        raise BrokenRecordError("not-an-extra", place, kind=kind)
    with refusals_at(place):
        match.play(seat, typed)


def _check_turn(match: Match, place: RecordPlace, seat: int) -> None:
    """Check that an existing seat has to move; other seats are refused with the move."""
    if 0 <= seat < match.rules.seats and seat not in match.waiting_for:
        raise BrokenRecordError("wrong-seat", place, seat=seat, expected=match.waiting_for[0])


class _EnteredCounts(NamedTuple):
    """How many entries of a round are known to be in the record exactly as we write them."""

    plays: int
    extra: int


def _check_entered(
    log: RoundLog, number: int, round_record: RoundRecord, known: _EnteredCounts
) -> _EnteredCounts:
    """Check that the entries added since then equal those in the record, literally and in order.

    Secret moves are added only when all are made, several at once.
    """
    for at in range(known.plays, len(log.plays)):
        if log.plays[at] != _lists(round_record.plays[at]):
            expected = shortened(log.plays[at])
            raise BrokenRecordError(
                "not-as-written", RecordPlace(number, at + 1), expected=expected
            )
    extra = _extra_of(round_record)
    for at in range(known.extra, len(log.extra)):
        if not _same_extra(log.extra[at], _lists(extra[at])):
            expected = shortened(log.extra[at])
            raise BrokenRecordError(
                "not-as-written", RecordPlace(number, extra=at + 1), expected=expected
            )
    return _EnteredCounts(len(log.plays), len(log.extra))


def _lists(value: object) -> object:
    """Convert tuples to lists: JSON has only lists."""
    return [_lists(item) for item in value] if isinstance(value, list | tuple) else value


def _same_extra(made: object, recorded: object) -> bool:
    """Return whether an entry is written as we write it; cards of a set may be in any order.

    `true` is not 1 here, although Python considers them equal.
    """
    return as_json(_in_deck_order(made)) == as_json(_in_deck_order(recorded))


def _in_deck_order(entry: object) -> object:
    """Return an entry with its cards in one order, if theirs does not matter."""
    if isinstance(entry, list) and entry[2] in CARD_SETS and isinstance(entry[3], list):
        return [*entry[:3], sorted(map(str, entry[3]))]
    return entry


def _replay_choices(match: Match, log: RoundLog, number: int, round_record: RoundRecord) -> None:
    """Replay all choices at once, or none if the round asks for none or stops before them."""
    asked = match.rules.seats if match.entry_kind == "choices" else 0
    goes_on = bool(round_record.plays) or round_record.scores is not UNSET
    if len(round_record.choices) != asked and (round_record.choices or goes_on):
        count = len(round_record.choices)
        raise BrokenRecordError("wrong-choices", RecordPlace(number), given=count, expected=asked)
    for seat, choice in enumerate(round_record.choices):
        with refusals_at(RecordPlace(number, seat=seat)):
            match.play(seat, match.typed(list(choice) if isinstance(choice, tuple) else choice))
    for seat, (choice, made) in enumerate(zip(round_record.choices, log.choices, strict=False)):
        if not _same_choice(choice, made):
            expected = shortened(made)
            raise BrokenRecordError(
                "not-as-written", RecordPlace(number, seat=seat), expected=expected
            )


def _same_choice(recorded: Choice, made: object) -> bool:
    """Return whether a choice is written as we write it; cards of different colours may swap
    places."""
    if isinstance(recorded, tuple):
        return isinstance(made, list) and Counter(recorded) == Counter(made)
    return recorded == made


def _replay_play(match: Match, log: RoundLog, place: RecordPlace, play: Play) -> None:
    if log.scores is not None:
        raise BrokenRecordError("extra-play", place)
    if len(play) < 2 or not isinstance(play[0], int):
        raise BrokenRecordError("not-a-play", place)
    seat = play[0]
    _check_turn(match, place, seat)
    typed = match.typed(play[1:])
    if not typed:
        raise BrokenRecordError("not-a-play", place)
    with refusals_at(place):
        match.play(seat, typed)


def _check_scores(scores: tuple[int, ...], place: RecordPlace, round_record: RoundRecord) -> None:
    if round_record.scores is UNSET:
        raise BrokenRecordError("missing-scores", place, expected=_listed(scores))
    if round_record.scores != scores:
        given = _listed(round_record.scores)
        raise BrokenRecordError("wrong-scores", place, given=given, expected=_listed(scores))


def _check_result(match: Match, record: Record) -> None:
    """Check that a record has totals and ranking exactly when the match is over, and the right
    ones."""
    if not match.over:
        if record.totals is not None or record.ranking is not None:
            raise _too_early(match, record)
        return
    if record.totals is None or record.ranking is None:
        raise BrokenRecordError("missing-result", None)
    if record.totals != match.totals:
        given, expected = _listed(record.totals), _listed(match.totals)
        raise BrokenRecordError("wrong-totals", None, given=given, expected=expected)
    if record.ranking != match.ranking:
        ranking = _ranked(match.ranking or ())
        raise BrokenRecordError(
            "wrong-ranking", None, given=_ranked(record.ranking), expected=ranking
        )


def _too_early(match: Match, record: Record) -> BrokenRecordError:
    """Return the error for a result although the last round is incomplete or a round is missing."""
    last = record.rounds[-1]
    if last.scores is not UNSET:
        return BrokenRecordError("missing-round", RecordPlace(len(record.rounds) + 1))
    return _missing_move(match, len(record.rounds), last)


def _listed(numbers: Sequence[int]) -> str:
    return shortened(", ".join(str(number) for number in numbers))


def _ranked(groups: Sequence[Sequence[int]]) -> str:
    """Return `1 > 0=3 > 2`."""
    return shortened(" > ".join("=".join(str(seat) for seat in group) for group in groups))
