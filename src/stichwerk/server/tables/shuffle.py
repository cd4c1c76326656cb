"""The verifiable deal at a table: shares are sealed, then opened; the cards are nobody's choice.

It proves that neither the server nor a player nor both together chose the deck. It does not stop
whoever runs the server from looking at the cards.
"""

from collections.abc import Sequence

from stichwerk.errors import StichwerkError
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
from stichwerk.hash_words import fingerprint
from stichwerk.match import Setting, deal_from
from stichwerk.record import Fairness, Record, RecordedDeals, RoundRecord, moves_of
from stichwerk.server import wire


class BadShareError(StichwerkError):
    """A share of the shuffle that is not what was sealed, or comes out of its turn."""


class Shuffle:
    """The shares of one match, the server's and everyone's, and how far they are known.

    Once all are open, it is where the cards of the match come from (see `match.Deals`).
    """

    seed: int | None = None  # no seed alone makes these deals

    def __init__(
        self,
        match: str,
        setting: Setting,
        server_seeds: Sequence[bytes],
        shares: Sequence[bytes | None],
    ) -> None:
        self.setting = setting
        self.setup = setup_of(match, setting)
        self.server_seeds = tuple(server_seeds)
        self.server_commits = tuple(
            server_commit(match, number, seed) for number, seed in enumerate(server_seeds)
        )
        self.trusted = [share is None for share in shares]
        self.seeds: list[bytes | None] = [None] * setting.seats
        self.commits: list[bytes | None] = [None] * setting.seats
        self.own: list[bytes | None] = list(shares)  # drawn here, opened when all are sealed
        for seat, share in enumerate(shares):
            if share is not None:
                self.commits[seat] = client_commit(match, seat, share)
        self._settle()

    @property
    def match(self) -> str:
        """The id of the match that is dealt."""
        return self.setup.match

    # -- Shares come in ----------------------------------------------------------------------------

    def draw_for(self, seat: int, seed: bytes) -> None:
        """The server's share for someone who sent none."""
        self.trusted[seat] = False
        self.own[seat] = seed
        self.commits[seat] = client_commit(self.match, seat, seed)
        self._settle()

    def seal(self, seat: int, commit: bytes) -> None:
        """Someone's sealed share; only one, and it stays."""
        if self.commits[seat] not in (None, commit):
            raise BadShareError("share-sealed-already")
        self.commits[seat] = commit
        self._settle()

    def check_open(self, seat: int, seed: bytes) -> None:
        """Whether this opens the share that was sealed, now that all are."""
        if not self.sealed:
            raise BadShareError("shares-missing")
        if self.commits[seat] != client_commit(self.match, seat, seed):
            raise BadShareError("share-not-as-sealed")

    def open(self, seat: int, seed: bytes) -> None:
        """Someone's share is known."""
        self.check_open(seat, seed)
        self.seeds[seat] = seed

    def _settle(self) -> None:
        """With the last seal the server's own shares for others are opened at once."""
        if self.sealed:
            for seat, seed in enumerate(self.own):
                if seed is not None:
                    self.seeds[seat] = seed

    # -- How far it is -----------------------------------------------------------------------------

    @property
    def sealed(self) -> bool:
        """Whether all shares are sealed: from now on nobody can choose any more."""
        return None not in self.commits

    @property
    def opened(self) -> bool:
        """Whether all shares are known: the cards can be dealt."""
        return None not in self.seeds

    def unsealed_seats(self) -> tuple[int, ...]:
        """Those whose seal is missing."""
        return tuple(seat for seat, commit in enumerate(self.commits) if commit is None)

    def unopened_seats(self) -> tuple[int, ...]:
        """Those whose share is not opened."""
        return tuple(seat for seat, seed in enumerate(self.seeds) if seed is None)

    @property
    def transcript(self) -> bytes:
        """The hash of everything that is agreed on."""
        commits = [commit for commit in self.commits if commit is not None]
        return transcript(self.setup, self.server_commits, commits)

    # -- Cards -------------------------------------------------------------------------------------

    def first_starter(self) -> int:
        """The seat the options name, or one drawn from stream 0."""
        fixed = self.setting.options["starter"]
        if isinstance(fixed, int):
            return fixed
        return first_starter(self._stream(0), self.setting.seats)

    def deal(self, round: int, starter: int) -> Deal | None:
        """The cards of a round."""
        return deal_from(self._stream(round), self.setting.rules, starter)

    def _stream(self, round: int) -> Stream:
        seeds = [seed for seed in self.seeds if seed is not None]
        return Stream(deal_key(self.server_seeds[round], self.transcript, round, seeds))

    # -- What is told ------------------------------------------------------------------------------

    def describe(self, rounds_over: int) -> wire.Dealing:
        """How far it is, for everyone: the server's seeds only of what is over."""
        agreed = self.transcript if self.sealed else None
        return wire.Dealing(
            match=self.match,
            rules=self.setup.rules,
            options=self.setup.options,
            deck=self.setup.deck,
            rounds=self.setup.rounds,
            server_commits=_hex(self.server_commits),
            client_commits=tuple(map(_hex_or_none, self.commits)),
            trusted=tuple(self.trusted),
            transcript=_hex_or_none(agreed),
            words=fingerprint(agreed) if agreed else (),
            client_seeds=tuple(map(_hex_or_none, self.seeds)),
            server_seeds=_hex(self.server_seeds[: rounds_over + 1]) if self.opened else (),
        )

    def proof(self, rounds_over: int) -> Fairness:
        """What a record needs to prove the deals of the rounds that are over."""
        return Fairness(
            match=self.match,
            server_commits=_hex(self.server_commits),
            client_commits=_hex([commit for commit in self.commits if commit is not None]),
            client_seeds=_hex([seed for seed in self.seeds if seed is not None]),
            server_seeds=_hex(self.server_seeds[: rounds_over + 1]),
            transcript=self.transcript.hex(),
        )


def setup_of(match: str, setting: Setting) -> Setup:
    """What is fixed before anyone seals."""
    rules = setting.rules
    return Setup(
        match=match,
        rules=f"{rules.name}/{rules.version}",
        options=options_text(setting.options),
        deck=rules.deck.text,
        seats=setting.seats,
        rounds=rules.most_rounds(),
    )


def seeds_needed(setting: Setting) -> int:
    """How many seeds the server draws: one for each round there can be, and one for the starter."""
    return setting.rules.most_rounds() + 1


def _hex(values: Sequence[bytes]) -> tuple[str, ...]:
    return tuple(value.hex() for value in values)


def _hex_or_none(value: bytes | None) -> str | None:
    return None if value is None else value.hex()


class ForkedDeals:
    """Deals of a match that goes on from a finished one: recorded as long as it was in a round that
    had begun, then from a seed. Nothing about it can be proved."""

    seed: int | None = None

    def __init__(self, setting: Setting, record: Record, moves: int, seed: int) -> None:
        self.setting = setting
        self.moves = moves_of(record)[:moves]
        self.recorded = RecordedDeals(setting, _without_proof(record))
        self.seeded = setting.new(seed=seed).deals
        self.rounds = rounds_begun(record, moves)

    def first_starter(self) -> int:
        """As in the record."""
        return self.recorded.first_starter()

    def deal(self, round: int, starter: int) -> Deal | None:
        """The cards of a round."""
        source = self.recorded if round <= self.rounds else self.seeded
        return source.deal(round, starter)


def _without_proof(record: Record) -> Record:
    """The deals alone: they were proved when the record was made."""
    fields = {name: getattr(record, name) for name in record.__struct_fields__}
    return Record(
        **{key: value for key, value in fields.items() if key not in ("fairness", "seed")}
    )


def rounds_begun(record: Record, moves: int) -> int:
    """How many rounds have begun after so many moves of a recorded match."""
    done = 0
    for number, told in enumerate(record.rounds, 1):
        done += moves_in(told)
        if moves < done:
            return number
    return len(record.rounds)


def moves_in(told: RoundRecord) -> int:
    """The moves of a recorded round: choices, plays, and extra ones that a seat made."""
    extra = () if not isinstance(told.extra, tuple) else told.extra
    return len(told.choices) + len(told.plays) + sum(entry[1] is not None for entry in extra)
