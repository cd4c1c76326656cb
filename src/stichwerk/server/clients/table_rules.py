"""The rules of a table as this program knows them, and the random stream of its deal."""

from stichwerk.errors import StichwerkError
from stichwerk.fairness import (
    Deal,
    Setup,
    Stream,
    deal_key,
    first_starter,
    options_text,
    transcript,
)
from stichwerk.match import Setting, deal_from
from stichwerk.server import wire
from stichwerk.view import View


def setup(dealing: wire.Dealing) -> Setup:
    """Return what was fixed before anyone sealed."""
    return Setup(
        match=dealing.match,
        rules=dealing.rules,
        options=dealing.options,
        deck=dealing.deck,
        seats=len(dealing.client_commits),
        rounds=dealing.rounds,
    )


def transcript_of(dealing: wire.Dealing) -> bytes | None:
    """Return the transcript, computed from the seals; None while one is missing."""
    clients = [bytes.fromhex(one) for one in dealing.client_commits if one is not None]
    if len(clients) < len(dealing.client_commits):
        return None
    server = [bytes.fromhex(one) for one in dealing.server_commits]
    return transcript(setup(dealing), server, clients)


class TableRules:
    """The rules of a table as this program knows them."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self.name = f"{setting.rules.name}/{setting.rules.version}"

    def setup(self, match: str) -> Setup:
        """Return what must be sealed for a match by these rules."""
        rules = self.setting.rules
        return Setup(
            match=match,
            rules=self.name,
            options=options_text(self.setting.options),
            deck=rules.deck.text,
            seats=self.setting.seats,
            rounds=rules.most_rounds(),
        )

    def first_starter(self, dealing: wire.Dealing) -> int:
        """Return who must begin round 1."""
        fixed = self.setting.options["starter"]
        if isinstance(fixed, int):
            return fixed
        return first_starter(stream_of(dealing, 0), self.setting.seats)

    def deal(self, dealing: wire.Dealing, round: int, starter: int) -> Deal:
        """Return the cards of a round whose seed is published."""
        return deal_from(stream_of(dealing, round), self.setting.rules, starter)

    def match_over(self, view: View) -> bool:
        """Return whether a match with these scores is over."""
        return bool(self.setting.rules.match_over(view.scores))


def rules_of(table: wire.Table, dealing: wire.Dealing) -> TableRules | None:
    """Return the rules of a table; None for a game, a version or sheets that this program lacks."""
    name, _, version = dealing.rules.rpartition("/")
    if name != table.game or not version.isdecimal():
        return None
    try:
        return TableRules(Setting(table.game, table.seats, table.options, int(version)))
    except StichwerkError:
        return None


def stream_of(dealing: wire.Dealing, round: int) -> Stream:
    """Return the stream from which a round was dealt, from all shares; 0 is the draw of the
    starter."""
    agreed = transcript_of(dealing)
    assert agreed is not None, "all are sealed"
    seeds = [bytes.fromhex(seed) for seed in dealing.client_seeds if seed is not None]
    return Stream(deal_key(bytes.fromhex(dealing.server_seeds[round]), agreed, round, seeds))
