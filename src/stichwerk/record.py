"""Records, format `stichwerk-game/1`: a match written down, read, played again and checked.

A record is judged by playing it: every recorded move goes through `Match`, so that there is no
second set of rules. What is not a record at all is a `BadRecordError`; what is one and breaks a
rule is a `BrokenRecordError`, which knows the place; one whose rules are not here is an
`UncheckableRecordError`.
"""

import os
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

import msgspec
from msgspec import UNSET, UnsetType

from stichwerk.engine.events import Event, Move
from stichwerk.errors import (
    BadDealError,
    BadFileError,
    BadRecordError,
    StichwerkError,
    UnknownGameError,
    renamed,
)
from stichwerk.fairness import (
    Deal,
    Setup,
    Stream,
    client_commit,
    deal_key,
    first_starter,
    options_text,
    server_commit,
    transcript,
)
from stichwerk.games import registry
from stichwerk.games.options import Value
from stichwerk.hash_words import fingerprint
from stichwerk.match import (
    Deals,
    Match,
    RoundLog,
    SeededDeals,
    Setting,
    deal_from,
    read_deal,
    read_specials,
)

FORMAT = "stichwerk-game/1"
LARGEST = 8 * 2**20
"""No record has more bytes than this; the longest match there is has a fiftieth of it."""

VERSIONS: dict[str, dict[int, type[Setting]]] = {name: {1: Setting} for name in registry.GAMES}
"""By which rules a record is played again: game, then rules version. Old versions stay here."""

Choice = str | int | tuple[str | int, ...]
Play = tuple[int | str | tuple[str, str], ...]
Extra = tuple[int, int | None, str, object]


# What is written


class RoundRecord(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One round: `hands` in dealing order, `stock` from the top; without `scores` it still runs."""

    starter: int
    hands: tuple[tuple[str, ...], ...]
    stock: tuple[str, ...]
    choices: tuple[Choice, ...]
    plays: tuple[Play, ...]
    extra: tuple[Extra, ...] | UnsetType = UNSET
    scores: tuple[int, ...] | UnsetType = UNSET


class Fairness(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The proof of a verifiable deal, hashes and seeds in lower-case hex."""

    match: str
    server_commits: tuple[str, ...]
    client_commits: tuple[str, ...]
    client_seeds: tuple[str, ...]
    server_seeds: tuple[str, ...]
    transcript: str


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A match written down; `totals` and `ranking` are None while it is unfinished."""

    format: str = FORMAT
    game: str
    rules: int
    seats: int
    names: tuple[str, ...]
    options: dict[str, Value]
    seed: int | UnsetType = UNSET
    rounds: tuple[RoundRecord, ...]
    totals: tuple[int, ...] | None
    ranking: tuple[tuple[int, ...], ...] | None
    fairness: Fairness | UnsetType = UNSET


def record(match: Match, fairness: Fairness | None = None) -> Record:
    """Write a match down as it stands now, finished or not."""
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


def encode(record: Record) -> bytes:
    """A record as one line of JSON, without the line's end."""
    return msgspec.json.encode(record)


def schema() -> bytes:
    """The published JSON Schema of the format."""
    from importlib.resources import files

    return files("stichwerk").joinpath("schema/stichwerk-game-1.json").read_bytes()


# Reading


class _Header(msgspec.Struct):
    """What decides whether the rest can be understood; looked at before it."""

    format: object = None
    game: object = None
    rules: object = None


def decode(data: bytes | str) -> Record:
    """Read a record; anything that is not exactly in the format is refused. Whether it keeps the
    rules is asked of `verify`."""
    raw = _utf8(data)
    try:
        _check_header(msgspec.json.decode(raw, type=_Header), raw)
        return msgspec.json.decode(raw, type=Record)
    except msgspec.ValidationError as error:
        raise _misfit(str(error)) from None
    except msgspec.DecodeError as error:
        raise _not_json(error, raw) from None
    except RecursionError:
        raise BadRecordError("record-too-deep") from None


def _utf8(data: bytes | str) -> bytes:
    """The text as bytes. Its size comes first: a file's reader may have cut it inside a letter."""
    try:
        raw = data.encode() if isinstance(data, str) else data
        if len(raw) > LARGEST:
            raise BadRecordError("record-too-big", most=LARGEST)
        raw.decode()
    except UnicodeError:
        raise BadRecordError("not-utf8") from None
    return raw


def _check_header(header: _Header, raw: bytes) -> None:
    if header.format != FORMAT:
        raise BadRecordError("wrong-format", format=_shown(header.format), expected=FORMAT)
    if isinstance(header.game, str) and type(header.rules) is int:
        try:
            _versions(header.game, header.rules)
        except UncheckableRecordError as error:
            if not _is_record(raw):
                raise BadRecordError(error.id, **error.data) from None
            raise


def _is_record(raw: bytes) -> bool:
    """Whether these bytes are a record, of whatever game."""
    try:
        msgspec.json.decode(raw, type=Record)
    except msgspec.ValidationError:
        return False
    return True


def _versions(game: str, version: int) -> type[Setting]:
    """The rules of this version, if they are known here."""
    try:
        registry.kind(game)
    except UnknownGameError as error:
        raise UncheckableRecordError(
            error.id, game=_shown(game), known=error.data["known"]
        ) from None
    known = VERSIONS.get(game, {1: Setting})  # a game of someone's own is at its first version
    if version not in known:
        versions = ", ".join(str(number) for number in known)
        raise UncheckableRecordError(
            "unknown-rules-version", game=game, version=version, known=versions
        )
    return known[version]


_FIELD = re.compile(r"(unknown|missing required) field `(.*?)`", re.DOTALL)
_PATH = re.compile(r" - at `\$\.?([^`]*)`\Z")
_BYTE = re.compile(r"\(byte (\d+)\)")


def _misfit(problem: str) -> BadRecordError:
    """Which field is wrong, from msgspec's words for it; only our own words reach people."""
    path = _PATH.search(problem)
    at = path[1] if path else ""
    field = _FIELD.search(problem)
    if field:
        known = field[1] != "unknown"
        name = f"{at}.{field[2]}" if at else field[2]
        return BadRecordError("missing-field" if known else "unknown-field", field=_shown(name))
    if not at:
        return BadRecordError("not-an-object")
    return BadRecordError("bad-field", field=_shown(at))


def _not_json(error: msgspec.DecodeError, raw: bytes) -> BadRecordError:
    """The text stops being JSON here; a line of its own for each line break before it."""
    byte = _BYTE.search(str(error))
    end = int(byte[1]) if byte else len(raw.rstrip())
    return BadRecordError("not-json", line=raw.count(b"\n", 0, end) + 1)


def _shown(value: object) -> str:
    """A foreign value as JSON writes it, short enough for one line."""
    text = value if isinstance(value, str) else _json(value)
    return text if len(text) <= 60 else text[:60] + "…"


# Verdicts


class RecordPlace(msgspec.Struct, frozen=True):
    """Where in a record: rounds, plays and entries of `extra` counted from 1, as people count;
    seats from 0."""

    round: int
    play: int | None = None
    seat: int | None = None
    extra: int | None = None

    @property
    def id(self) -> str:
        """The id of its wording in `locale/`."""
        if self.play is not None:
            return "place-play"
        if self.extra is not None:
            return "place-extra"
        return "place-round" if self.seat is None else "place-choice"

    @property
    def data(self) -> dict[str, int]:
        """The facts of its wording."""
        facts = {"round": self.round, "play": self.play, "seat": self.seat, "extra": self.extra}
        return {key: fact for key, fact in facts.items() if fact is not None}

    def __str__(self) -> str:
        if self.play is not None:
            return f"round {self.round}, play {self.play}"
        if self.extra is not None:
            return f"round {self.round}, extra {self.extra}"
        chooser = "" if self.seat is None else f", choice of seat {self.seat}"
        return f"round {self.round}{chooser}"


class BrokenRecordError(BadRecordError):
    """A record in our format that breaks a rule; without a place it is the match as a whole."""

    def __init__(self, id: str, place: RecordPlace | None, /, **data: object) -> None:
        super().__init__(id, **data)
        self.place = place


class UncheckableRecordError(BadRecordError):
    """A record that may hold: its game, version of the rules or own sheet is not here to tell."""


class Claims(msgspec.Struct, frozen=True, kw_only=True):
    """What someone knows about a match besides its record: `shares` of the shuffle, by their seat
    if that is known, in hex, and the six `words`. A record that lacks one of them is broken."""

    shares: tuple[tuple[int | None, str], ...] = ()
    words: tuple[str, ...] = ()


NO_CLAIMS = Claims()


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """What `verify` found: `holds`, `unfinished` (holds so far), `broken`: what, and where, or
    `unchecked`: the rules are not here, so that nothing can be said.

    `proven`: the deal is proven to follow from everyone's shares. Without that the rules hold, and
    nothing is known of how the cards were chosen. `shares` and `words`: how many of the shares and
    words that were claimed are in it.
    """

    status: str
    id: str = ""
    data: dict[str, object] = {}
    place: RecordPlace | None = None
    proven: bool = False
    shares: int = 0
    words: int = 0

    @property
    def ok(self) -> bool:
        """Whether everything that is there was checked and holds."""
        return self.status in ("holds", "unfinished")


def verify(record: Record, claims: Claims = NO_CLAIMS) -> Verdict:
    """Play the match again and compare: deals, moves, points, result; and what someone claims."""
    try:
        match = replay(record)
        _check_claims(record, claims)
    except BrokenRecordError as error:
        return Verdict(status="broken", id=error.id, data=error.data, place=error.place)
    except UncheckableRecordError as error:
        return _unchecked(error)
    except BadRecordError as error:
        return Verdict(status="broken", id=error.id, data=error.data)
    return Verdict(
        status="holds" if match.over else "unfinished",
        proven=record.fairness is not UNSET,
        shares=len(claims.shares),
        words=len(claims.words),
    )


def _unchecked(error: UncheckableRecordError) -> Verdict:
    return Verdict(status="unchecked", id=error.id, data=error.data)


def _check_claims(record: Record, claims: Claims) -> None:
    """The proof holds by now; is it about the same shares?"""
    proof = record.fairness
    if proof is UNSET:
        if claims.shares or claims.words:
            raise BrokenRecordError("no-proof-to-compare", None)
        return
    for seat, share in claims.shares:
        if seat is None and share not in proof.client_seeds:
            raise BrokenRecordError("share-not-in-record", None, share=share)
        if seat is not None and proof.client_seeds[seat : seat + 1] != (share,):
            raise BrokenRecordError("share-not-of-seat", None, share=share, seat=seat)
    words = fingerprint(bytes.fromhex(proof.transcript))
    if claims.words and claims.words != words:
        raise BrokenRecordError("words-not-of-record", None, words=" ".join(words))


@contextmanager
def _refusals_at(place: RecordPlace | None) -> Iterator[None]:
    """Whatever is refused inside is wrong with the record, and here; unless it is an own sheet that
    is not on this machine, or does not run on it."""
    try:
        yield
    except BadRecordError:
        raise
    except BadFileError as error:
        raise UncheckableRecordError(error.id, **error.data) from None
    except StichwerkError as error:
        if error.id == "own-sheet-missing":
            raise UncheckableRecordError(error.id, **error.data) from None
        raise BrokenRecordError(error.id, place, **error.data) from None


# Playing a record again


class _RecordingMatch(Match):
    """A match that remembers the moves made in it, in their order."""

    def __init__(self, setting: Setting, deals: Deals, names: Sequence[str] | None = None) -> None:
        self.heard: list[tuple[int, str]] = []
        super().__init__(setting, deals, names)

    def play(self, seat: int, move: str | Move) -> tuple[Event, ...]:
        """As any match does."""
        events = super().play(seat, move)
        self.heard.append((seat, move.text if isinstance(move, Move) else move))
        return events


def moves_of(record: Record) -> tuple[tuple[int, str], ...]:
    """All moves of a match in their order, as (seat, text), choices and extra ones included."""
    return tuple(_replayed(record).heard)


def told_again(record: Record) -> tuple[Match, tuple[tuple[int, str], ...]]:
    """The same match before its first move, and all its moves: for whoever looks at every step.

    It was played again under every rule before, so that all these moves can be made.
    """
    whole = _replayed(record)
    again = Match(whole.setting, RecordedDeals(whole.setting, record), whole.names)
    return again, tuple(whole.heard)


def replay(record: Record) -> Match:
    """The match a record tells, played again move by move under every rule.

    An unfinished match that was dealt from a seed can be played on.
    """
    return _replayed(record)


def _replayed(record: Record) -> _RecordingMatch:
    setting = _setting(record)
    with _refusals_at(None):
        match = _RecordingMatch(setting, RecordedDeals(setting, record), record.names)
    for number, told in enumerate(record.rounds, 1):
        _replay_round(match, number, told, last=number == len(record.rounds))
    _check_result(match, record)
    return match


def _setting(record: Record) -> Setting:
    """Game, seats and options; a record names every option and no other."""
    if record.format != FORMAT:
        raise BadRecordError("wrong-format", format=_shown(record.format), expected=FORMAT)
    version = _versions(record.game, record.rules)
    with _refusals_at(None):
        setting = version(record.game, record.seats, record.options)
    for option in setting.options:
        if option not in record.options:
            raise BrokenRecordError("missing-option", None, option=option)
    return setting


def _replay_round(match: Match, number: int, told: RoundRecord, last: bool) -> None:
    if len(match.rounds) < number:
        raise BrokenRecordError("extra-round", RecordPlace(number), rounds=len(match.rounds))
    log = match.rounds[number - 1]
    _replay_choices(match, log, number, told)
    _replay_moves(match, log, number, told)
    if log.scores is not None:
        _check_scores(log.scores, RecordPlace(number), told)
    elif told.scores is not UNSET or not last or log.pending:
        raise _missing_move(match, number, told)  # secret moves stand there only when all are in


def _missing_move(match: Match, number: int, told: RoundRecord) -> BrokenRecordError:
    """The round stops before the move that is owed now."""
    if _owes_extra(match):
        return _missing_extra(match, number, len(_extra_of(told)))
    return BrokenRecordError("missing-play", RecordPlace(number, len(told.plays) + 1))


def _owes_extra(match: Match) -> bool:
    """Whether the move owed now is one of those that a record keeps in `extra`."""
    return match.entry_kind not in ("plays", "choices")


def _missing_extra(match: Match, number: int, entries: int) -> BrokenRecordError:
    """After so many entries there should be one more."""
    return BrokenRecordError(
        "missing-extra", RecordPlace(number, extra=entries + 1), kind=match.entry_kind
    )


def _extra_of(told: RoundRecord) -> tuple[Extra, ...]:
    """The extra entries of a round; there may be none."""
    return () if told.extra is UNSET else told.extra


def _replay_moves(match: Match, log: RoundLog, number: int, told: RoundRecord) -> None:
    """Plays and extra choices, each when its turn comes, and written as we write them.

    The draws come first; they were placed with the deal.
    """
    extra = _extra_of(told)
    done, entry = 0, _check_draws(log, number, extra)
    entered = _EnteredCounts(0, entry)
    while done < len(told.plays) or entry < len(extra):
        place = RecordPlace(number, extra=entry + 1)
        due = entry < len(extra) and extra[entry][0] <= done
        if log.scores is None and _owes_extra(match):
            if entry == len(extra) or extra[entry][0] > done:
                raise _missing_extra(match, number, entry)
            _replay_extra(match, place, done, extra[entry])
            entry += 1
        elif due or done == len(told.plays):
            raise BrokenRecordError("no-extra-here", place)
        else:
            _replay_play(match, log, RecordPlace(number, done + 1), told.plays[done])
            done += 1
        entered = _check_entered(log, number, told, entered)


def _check_draws(log: RoundLog, number: int, extra: Sequence[Extra]) -> int:
    """How many draws there are; they stand before everything that a seat did."""
    draws = len(log.deal.specials)
    for at, entry in enumerate(extra[:draws], 1):
        if entry[1] is not None:
            kind = str(log.deal.specials[at - 1][0])
            if entry[2] == kind:
                raise BrokenRecordError("draw-with-seat", RecordPlace(number, extra=at), kind=kind)
            facts = {"given": _shown(entry[2]), "at": entry[0], "expected": kind, "plays": 0}
            raise BrokenRecordError("wrong-extra", RecordPlace(number, extra=at), **facts)
    return draws


def _replay_extra(match: Match, place: RecordPlace, done: int, entry: Extra) -> None:
    """A choice that a day asks for besides the plays."""
    at, seat, kind, value = entry
    asked = match.entry_kind
    if at != done or kind != asked or seat is None:
        facts = {"given": _shown(kind), "at": at, "expected": asked, "plays": done}
        raise BrokenRecordError("wrong-extra", place, **facts)
    _check_turn(match, place, seat)
    typed = match.typed(value)
    if not typed:
        raise BrokenRecordError("not-an-extra", place, kind=kind)
    with _refusals_at(place):
        match.play(seat, typed)


def _check_turn(match: Match, place: RecordPlace, seat: int) -> None:
    """A seat that there is must be one that owes a move; others are refused with the move."""
    if 0 <= seat < match.rules.seats and seat not in match.waiting_for:
        raise BrokenRecordError("wrong-seat", place, seat=seat, expected=match.waiting_for[0])


class _EnteredCounts(NamedTuple):
    """How many entries of a round are known to stand in the record as we write them."""

    plays: int
    extra: int


def _check_entered(
    log: RoundLog, number: int, told: RoundRecord, known: _EnteredCounts
) -> _EnteredCounts:
    """What was entered since then is what the record says, to the letter and in its order.

    Secret moves are entered only when all are in, several at once.
    """
    for at in range(known.plays, len(log.plays)):
        if log.plays[at] != _lists(told.plays[at]):
            expected = _shown(log.plays[at])
            raise BrokenRecordError(
                "not-as-written", RecordPlace(number, at + 1), expected=expected
            )
    extra = _extra_of(told)
    for at in range(known.extra, len(log.extra)):
        if not _same_extra(log.extra[at], _lists(extra[at])):
            expected = _shown(log.extra[at])
            raise BrokenRecordError(
                "not-as-written", RecordPlace(number, extra=at + 1), expected=expected
            )
    return _EnteredCounts(len(log.plays), len(log.extra))


def _lists(value: object) -> object:
    """JSON knows only lists."""
    return [_lists(item) for item in value] if isinstance(value, list | tuple) else value


def _json(value: object) -> str:
    """An entry as it should stand in the record."""
    return msgspec.json.encode(value).decode()


def _same_extra(made: object, told: object) -> bool:
    """Whether an entry is written as we write it; discarded cards may stand in any order.

    `true` is no 1 here, although Python holds them equal.
    """
    return _json(_in_deck_order(made)) == _json(_in_deck_order(told))


def _in_deck_order(entry: object) -> object:
    """An entry with its discarded cards in one order."""
    if isinstance(entry, list) and entry[2] == "discard" and isinstance(entry[3], list):
        return [*entry[:3], sorted(map(str, entry[3]))]
    return entry


def _replay_choices(match: Match, log: RoundLog, number: int, told: RoundRecord) -> None:
    """All choices at once, or none if the round asks for none or stops before them."""
    asked = match.rules.seats if match.entry_kind == "choices" else 0
    goes_on = bool(told.plays) or told.scores is not UNSET
    if len(told.choices) != asked and (told.choices or goes_on):
        count = len(told.choices)
        raise BrokenRecordError("wrong-choices", RecordPlace(number), given=count, expected=asked)
    for seat, choice in enumerate(told.choices):
        with _refusals_at(RecordPlace(number, seat=seat)):
            match.play(seat, match.typed(list(choice) if isinstance(choice, tuple) else choice))
    for seat, (choice, made) in enumerate(zip(told.choices, log.choices, strict=False)):
        if not _same_choice(choice, made):
            expected = _shown(made)
            raise BrokenRecordError(
                "not-as-written", RecordPlace(number, seat=seat), expected=expected
            )


def _same_choice(told: Choice, made: object) -> bool:
    """Whether a choice is written as we write it; cards of different colours may change places."""
    if isinstance(told, tuple):
        return isinstance(made, list) and Counter(told) == Counter(made)
    return told == made


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
    with _refusals_at(place):
        match.play(seat, typed)


def _check_scores(scores: tuple[int, ...], place: RecordPlace, told: RoundRecord) -> None:
    if told.scores is UNSET:
        raise BrokenRecordError("missing-scores", place, expected=_listed(scores))
    if told.scores != scores:
        given = _listed(told.scores)
        raise BrokenRecordError("wrong-scores", place, given=given, expected=_listed(scores))


def _check_result(match: Match, record: Record) -> None:
    """Totals and ranking stand in a record just when the match is over, and are the right ones."""
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
    """There is a result, but the last round stops short or a whole round is missing."""
    last = record.rounds[-1]
    if last.scores is not UNSET:
        return BrokenRecordError("missing-round", RecordPlace(len(record.rounds) + 1))
    return _missing_move(match, len(record.rounds), last)


def _listed(numbers: Sequence[int]) -> str:
    return _shown(", ".join(str(number) for number in numbers))


def _ranked(groups: Sequence[Sequence[int]]) -> str:
    """`1 > 0=3 > 2`"""
    return _shown(" > ".join("=".join(str(seat) for seat in group) for group in groups))


# Where the cards came from


class RecordedDeals:
    """The deals of a record, each checked when its round begins: against the deck and, where the
    record says how it was dealt, against seed or proof."""

    def __init__(self, setting: Setting, record: Record) -> None:
        if not record.rounds:
            raise BrokenRecordError("no-rounds", None)
        self.setting = setting
        self.rounds = record.rounds
        self.seed: int | None = None if record.seed is UNSET else record.seed
        self.fairness = None if record.fairness is UNSET else record.fairness
        self.source: SeededDeals | ProvenDeals | None = None
        if self.seed is not None and self.fairness is not None:
            raise BrokenRecordError("seed-and-fairness", None)
        if self.seed is not None:
            self.source = SeededDeals(setting, self.seed)
        if self.fairness is not None:
            self.source = ProvenDeals(setting, self.fairness, record)

    def first_starter(self) -> int:
        """Drawn again, or named by the options, or else as the record says."""
        if self.source is not None:
            return self.source.first_starter()
        fixed = self.setting.options["starter"]
        return fixed if isinstance(fixed, int) else self.rounds[0].starter

    def deal(self, round: int, starter: int) -> Deal | None:
        """The cards of a round; after the last recorded one those of the seed, if there is one."""
        drawn = None if self.source is None else self.source.deal(round, starter)
        if round > len(self.rounds):
            return drawn
        told = self.rounds[round - 1]
        with _refusals_at(RecordPlace(round)):
            if told.starter != starter:
                raise BadDealError("wrong-starter", starter=told.starter, expected=starter)
            specials = read_specials(() if told.extra is UNSET else told.extra)
            given = Deal(told.starter, told.hands, told.stock, specials)
            _check_spelling(read_deal(self.setting, given), given)
            if drawn is not None:
                _check_cards(drawn, given)
        return given


def _check_spelling(read: Deal, given: Deal) -> None:
    """`g8` is understood where people type, but a record has one form."""
    piles = zip((*read.hands, read.stock), (*given.hands, given.stock), strict=True)
    for pile, told in piles:
        for card, spelling in zip(pile, told, strict=True):
            if card != spelling:
                raise BadDealError("not-as-written", expected=card)


def _check_cards(drawn: Deal, given: Deal) -> None:
    for seat, hand in enumerate(given.hands):
        if hand != drawn.hands[seat]:
            raise BadDealError("hand-not-as-dealt", seat=seat)
    if given.stock != drawn.stock:
        raise BadDealError("stock-not-as-dealt")
    for (kind, told), (_, value) in zip(given.specials, drawn.specials, strict=True):
        if told != value:
            raise BadDealError("special-not-as-drawn", kind=kind)


class ProvenDeals:
    """Deals recomputed from the proof of a verifiable deal, once its commitments are checked."""

    seed: int | None = None

    def __init__(self, setting: Setting, proof: Fairness, record: Record) -> None:
        self.setting = setting
        self.client_seeds = _hashes("client_seeds", proof.client_seeds)
        self.server_seeds = _hashes("server_seeds", proof.server_seeds)
        server_commits = _hashes("server_commits", proof.server_commits)
        client_commits = _hashes("client_commits", proof.client_commits)
        (self.transcript,) = _hashes("transcript", (proof.transcript,))
        setup = Setup(
            match=proof.match,
            rules=f"{record.game}/{record.rules}",
            options=options_text(record.options),
            deck=setting.rules.deck.text,
            seats=setting.seats,
            rounds=setting.rules.most_rounds(),
        )
        if transcript(setup, server_commits, client_commits) != self.transcript:
            raise BadDealError("wrong-transcript")
        self._check_counts(record)
        for seat, secret in enumerate(self.client_seeds):
            if client_commit(proof.match, seat, secret) != client_commits[seat]:
                raise BadDealError("wrong-client-seed", seat=seat)
        for round, secret in enumerate(self.server_seeds):
            if server_commit(proof.match, round, secret) != server_commits[round]:
                raise BadDealError("wrong-server-seed", round=round)

    def _check_counts(self, record: Record) -> None:
        """A seed is published when its round is over, so the last one may still be missing."""
        most = min(len(record.rounds), self.setting.rules.most_rounds())
        over = min(most, sum(told.scores is not UNSET for told in record.rounds))
        if len(self.client_seeds) != self.setting.seats:
            count, expected = len(self.client_seeds), self.setting.seats
            raise BadDealError("bad-count", field="client_seeds", count=count, expected=expected)
        if not over < len(self.server_seeds) <= most + 1:
            count = len(self.server_seeds)
            raise BadDealError("bad-count", field="server_seeds", count=count, expected=over + 1)

    def _stream(self, round: int) -> Stream:
        return Stream(deal_key(self.server_seeds[round], self.transcript, round, self.client_seeds))

    def first_starter(self) -> int:
        """The seat the options name, or the one drawn from stream 0."""
        fixed = self.setting.options["starter"]
        if isinstance(fixed, int):
            return fixed
        return first_starter(self._stream(0), self.setting.seats)

    def deal(self, round: int, starter: int) -> Deal | None:
        """The round's cards; None as long as its seed is secret."""
        if round >= len(self.server_seeds):
            return None
        return deal_from(self._stream(round), self.setting.rules, starter)


_HASH = re.compile(r"[0-9a-f]{64}")


def _hashes(field: str, texts: Sequence[str]) -> tuple[bytes, ...]:
    """Hashes and seeds from hex; only lower case, so that a proof has one form."""
    for text in texts:
        if not _HASH.fullmatch(text):
            raise BadDealError("not-a-hash", field=field, text=_shown(text))
    return tuple(bytes.fromhex(text) for text in texts)


# Files


def verify_file(
    path: str | os.PathLike[str], claims: Callable[[Record], Claims] = lambda record: NO_CLAIMS
) -> Iterator[tuple[int, Verdict]]:
    """Judge the records of a file one by one, each with the line it begins on: one JSON object,
    on as many lines as it likes, or JSON Lines. `claims`: what is known about each from elsewhere.

    What is no record ends it with a `BadRecordError` whose `data["line"]` says where; a file that
    cannot be read is a `BadFileError`.
    """
    with _file_troubles(path), Path(path).open("rb") as file:
        yield from verify_stream(file, os.fspath(path), claims)


def verify_stream(
    file: BinaryIO, name: str, claims: Callable[[Record], Claims] = lambda record: NO_CLAIMS
) -> Iterator[tuple[int, Verdict]]:
    """`verify_file` for a file that is open already; `name` is what refusals call it."""
    with _file_troubles(name):
        found = False
        for line, raw in _pieces(file):
            found = True
            yield line, _judged(line, raw, claims)
        if not found:
            raise BadFileError("file-is-empty", file=name)


def _judged(line: int, raw: bytes, claims: Callable[[Record], Claims]) -> Verdict:
    """The verdict on one record of a file."""
    with _counted_from(line):
        try:
            told = decode(raw)
        except UncheckableRecordError as error:
            return _unchecked(error)
    return verify(told, claims(told))


@contextmanager
def _file_troubles(path: str | os.PathLike[str]) -> Iterator[None]:
    name = os.fspath(path)
    try:
        if "\0" in name:
            raise FileNotFoundError
        yield
    except FileNotFoundError:
        raise BadFileError("no-such-file", file=name) from None
    except IsADirectoryError:
        raise BadFileError("file-is-folder", file=name) from None
    except OSError as error:
        why = error.strerror or type(error).__name__
        raise BadFileError("cannot-read", file=name, why=why) from None


@contextmanager
def _counted_from(line: int) -> Iterator[None]:
    """A refusal inside, with its line counted from the beginning of the file."""
    try:
        yield
    except BadRecordError as error:
        inside = error.data.get("line", 1)
        at = line + inside - 1 if isinstance(inside, int) else line
        facts: Mapping[str, object] = {**error.data, "line": at}
        raise BadRecordError(error.id, **facts) from None


def _pieces(file: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """The records of a file as bytes, never more than one in memory; blank lines do not count."""
    line = 0
    first = True
    while raw := file.readline(LARGEST + 1):
        line += 1
        if not raw.strip(b" \t\r\n") and len(raw) <= LARGEST:
            continue
        if first and _goes_on(_flaw(raw)):
            raw = _to_the_end(file, line, raw)
        first = False
        yield line, raw


def _to_the_end(file: BinaryIO, line: int, raw: bytes) -> bytes:
    """A text that goes on over many lines. What is too big for a record is read as far as one
    could reach, to tell whether it is JSON at all."""
    raw += file.read(max(0, LARGEST + 1 - len(raw)))
    flaw = _flaw(raw)
    if len(raw) > LARGEST and flaw is not None and not _goes_on(flaw):
        with _counted_from(line):
            raise _not_json(flaw, raw)
    return raw


def _flaw(raw: bytes) -> msgspec.DecodeError | None:
    """Why these bytes are no JSON text; what they mean is not asked here."""
    try:
        msgspec.json.decode(raw, type=msgspec.Raw)
    except msgspec.DecodeError as error:
        return error
    except RecursionError:
        return None
    return None


def _goes_on(flaw: msgspec.DecodeError | None) -> bool:
    """Whether the text is only cut off: no byte of it is wrong."""
    return flaw is not None and not _BYTE.search(str(flaw))


if not TYPE_CHECKING:  # names of earlier versions
    __getattr__ = renamed(
        __name__,
        {
            "Place": "RecordPlace",
            "BrokenRecord": "BrokenRecordError",
            "UncheckableRecord": "UncheckableRecordError",
        },
    )
