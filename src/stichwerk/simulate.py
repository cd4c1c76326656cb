"""Many matches between bots, and their totals."""

import time
from collections.abc import Iterator, Sequence

from stichwerk import bots
from stichwerk.bots.faults import Listener, tell_on_stderr
from stichwerk.bots.hosting import USUAL, Hosting, Player, player_name, seat_bots, vetted
from stichwerk.errors import BadSeatsError
from stichwerk.fairness import seed_key
from stichwerk.match import Match, Setting

BOT_SEEDS = 8  # room for the bots of one match: they draw from seed * 8 + seat


def fill_seats(names: Sequence[str], seats: int, hosting: Hosting = USUAL) -> tuple[str, ...]:
    """Return a bot for every seat: the list as given, repeated until all are filled."""
    for name in names or [""]:
        vetted(name, hosting)
    if len(names) > seats:
        raise BadSeatsError("too-many-bots", bots=len(names), seats=seats)
    return tuple(names[seat % len(names)] for seat in range(seats))


def simulate(
    setting: Setting,
    players: Sequence[Player],
    games: int,
    seed: int,
    *,
    hosting: Hosting = USUAL,
    on_fault: Listener = tell_on_stderr,
) -> Iterator[Match]:
    """Play match after match, match i from seed + i; yield each when it is finished.

    A player is the name of a bot, or a callable that takes a seed and returns a bot. Bots of other
    packages run in separate processes, like programs: their faults go to `on_fault`, and the match
    continues. A callable runs in this process, and its exceptions propagate.
    """
    for last in (seed, seed + games - 1):
        seed_key(last, 0)  # refuses a bad seed before the first match
    return (
        play_match(setting, players, seed + at, hosting=hosting, on_fault=on_fault)
        for at in range(games)
    )


def play_match(
    setting: Setting,
    players: Sequence[Player],
    seed: int,
    *,
    hosting: Hosting = USUAL,
    on_fault: Listener = tell_on_stderr,
) -> Match:
    """Play one whole match; the same seed gives the same match, whatever was played before."""
    match = setting.new(seed=seed, names=[player_name(player) for player in players])
    seeds = [seed * BOT_SEEDS + seat for seat in range(len(players))]
    seated = seat_bots(players, seeds, match_seed=seed, hosting=hosting, on_fault=on_fault)
    try:
        while match.waiting_for:
            seat = match.waiting_for[0]
            match.play(seat, seated[seat].choose(match.view(seat)))
    finally:
        for bot in seated:
            bots.close(bot)
    return match


class Tally:
    """Totals, victories and moves of the matches counted so far, and the time since the first."""

    def __init__(self, seats: int) -> None:
        self.games = 0
        self.moves = 0
        self.totals = [0] * seats
        self.wins = [0.0] * seats
        self.begin = time.perf_counter()

    def add(self, match: Match) -> None:
        """Count a finished match; a victory of k seats counts 1/k for each."""
        self.games += 1
        for log in match.rounds:
            chosen = [entry for entry in log.extra if entry[1] is not None]  # the rest was drawn
            self.moves += len(log.choices) + len(log.plays) + len(chosen)
        for seat, total in enumerate(match.totals):
            self.totals[seat] += total
        winners = match.ranking[0] if match.ranking else ()
        for seat in winners:
            self.wins[seat] += 1 / len(winners)

    @property
    def seconds(self) -> float:
        """Return the time since the tally was started."""
        return time.perf_counter() - self.begin
