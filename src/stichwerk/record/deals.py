"""The source of the cards of a recorded match: a seed, a proof, or only the record."""

import re
from collections.abc import Sequence

from msgspec import UNSET

from stichwerk.errors import BadDealError
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
from stichwerk.match import SeededDeals, Setting, deal_from, read_deal, read_specials
from stichwerk.record.format import Fairness, Record
from stichwerk.record.refusals import BrokenRecordError, RecordPlace, refusals_at, shortened


class RecordedDeals:
    """The deals of a record, each checked when its round begins: against the deck and, if the
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
        """Return the starter: drawn again, or named by the options, or else as recorded."""
        if self.source is not None:
            return self.source.first_starter()
        fixed = self.setting.options["starter"]
        return fixed if isinstance(fixed, int) else self.rounds[0].starter

    def deal(self, round: int, starter: int) -> Deal | None:
        """Return the cards of a round; after the last recorded one those of the seed, if there is
        one."""
        drawn = None if self.source is None else self.source.deal(round, starter)
        if round > len(self.rounds):
            return drawn
        recorded = self.rounds[round - 1]
        with refusals_at(RecordPlace(round)):
            if recorded.starter != starter:
                raise BadDealError("wrong-starter", starter=recorded.starter, expected=starter)
            specials = read_specials(() if recorded.extra is UNSET else recorded.extra)
            given = Deal(recorded.starter, recorded.hands, recorded.stock, specials)
            _check_spelling(read_deal(self.setting, given), given)
            if drawn is not None:
                _check_cards(drawn, given)
        return given


def _check_spelling(read: Deal, given: Deal) -> None:
    """Refuse `g8`: it is understood when typed, but a record has only one form."""
    piles = zip((*read.hands, read.stock), (*given.hands, given.stock), strict=True)
    for pile, given_pile in piles:
        for card, spelling in zip(pile, given_pile, strict=True):
            if card != spelling:
                raise BadDealError("not-as-written", expected=card)


def _check_cards(drawn: Deal, given: Deal) -> None:
    for seat, hand in enumerate(given.hands):
        if hand != drawn.hands[seat]:
            raise BadDealError("hand-not-as-dealt", seat=seat)
    if given.stock != drawn.stock:
        raise BadDealError("stock-not-as-dealt")
    for (kind, recorded), (_, value) in zip(given.specials, drawn.specials, strict=True):
        if recorded != value:
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
        """Check the counts: a seed is published when its round is over, so the last one may be
        missing."""
        most = min(len(record.rounds), self.setting.rules.most_rounds())
        over = min(most, sum(one.scores is not UNSET for one in record.rounds))
        if len(self.client_seeds) != self.setting.seats:
            count, expected = len(self.client_seeds), self.setting.seats
            raise BadDealError("bad-count", field="client_seeds", count=count, expected=expected)
        if not over < len(self.server_seeds) <= most + 1:
            count = len(self.server_seeds)
            raise BadDealError("bad-count", field="server_seeds", count=count, expected=over + 1)

    def _stream(self, round: int) -> Stream:
        return Stream(deal_key(self.server_seeds[round], self.transcript, round, self.client_seeds))

    def first_starter(self) -> int:
        """Return the seat that the options name, or the one drawn from stream 0."""
        fixed = self.setting.options["starter"]
        if isinstance(fixed, int):
            return fixed
        return first_starter(self._stream(0), self.setting.seats)

    def deal(self, round: int, starter: int) -> Deal | None:
        """Return the round's cards; None while its seed is secret."""
        if round >= len(self.server_seeds):
            return None
        return deal_from(self._stream(round), self.setting.rules, starter)


_HASH = re.compile(r"[0-9a-f]{64}")


def _hashes(field: str, texts: Sequence[str]) -> tuple[bytes, ...]:
    """Decode hashes and seeds from hex; lower case only, so that a proof has only one form."""
    for text in texts:
        if not _HASH.fullmatch(text):
            raise BadDealError("not-a-hash", field=field, text=shortened(text))
    return tuple(bytes.fromhex(text) for text in texts)
