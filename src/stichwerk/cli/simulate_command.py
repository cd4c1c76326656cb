"""`stichwerk simulate`: matches between bots."""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

import click

from stichwerk import locale
from stichwerk.cli.click_extensions import LocalizedCommand, everywhere, flag, language, number, say
from stichwerk.cli.inputs import drawn_seed, read_bots, read_setting
from stichwerk.cli.output_files import watched, writing
from stichwerk.cli.shared_flags import MOST_GAMES, bot_flags, table_flags
from stichwerk.locale import signs
from stichwerk.match import Match, Setting

if TYPE_CHECKING:
    from stichwerk.bots.hosting import Hosting
    from stichwerk.simulate import Tally


@click.command(cls=LocalizedCommand, help="help-simulate")
@click.argument("game")
@table_flags
@bot_flags
@number("--games", 1, MOST_GAMES, default="100", metavar="M", help="flag-games")
@flag("--records", metavar="FILE|-", help="flag-records")
@everywhere
def simulate(
    game: str,
    seats: int,
    bots: str,
    seed: int | None,
    options: Sequence[str],
    date: str | None,
    sheets: Sequence[str],
    rules: int | None,
    games: int,
    records: str | None,
    hosting: "Hosting",
) -> None:
    """Simulate matches between bots."""
    from stichwerk.bots.faults import FaultBook, write_on_stderr
    from stichwerk.simulate import Tally, simulate

    setting = read_setting(game, seats, options, date, sheets, rules)
    players = read_bots(bots, hosting, seats)
    seed = drawn_seed() if seed is None else seed
    faults = FaultBook(partial(write_on_stderr, lang=language()))
    play_command = simulate(setting, players, games, seed, hosting=hosting, on_fault=faults.note)
    matches = watched(play_command, games, "simulating")
    tally = Tally(seats)
    if records is None:
        for match in matches:
            tally.add(match)
    else:
        write_records(matches, tally, records)
    for line in (*summary(setting, players, seed, tally), *faults.summary(language())):
        signs.echo(line, err=records == "-")


def write_records(matches: Iterable[Match], tally: "Tally", path: str) -> None:
    """Count each match and write its record, one per line."""
    from stichwerk.record import encode, record

    with writing(path) as file:
        for match in matches:
            tally.add(match)
            file.write(encode(record(match)) + b"\n")
        file.flush()


def summary(setting: Setting, players: Sequence[str], seed: int, tally: "Tally") -> Iterator[str]:
    """Yield the totals of a simulation, and its day."""
    from stichwerk.terminal.day import day_title

    lang, games = language(), tally.games
    title = locale.game_name(setting.name, lang)
    yield say("simulated", count=games, game=title, seats=setting.seats, seed=seed)
    day = day_title(setting.name, setting.options, lang, setting.rules.version)
    if day:
        yield day
    width = max(map(len, players))
    for seat, player in enumerate(players):
        total = locale.number(tally.totals[seat] / games, lang, 2)
        share = locale.number(100 * tally.wins[seat] / games, lang, 1)
        facts = {"bot": player.ljust(width), "total": f"{total:>8}", "share": f"{share:>5}"}
        yield say("seat-result", seat=seat, **facts)
    rate = locale.number(tally.moves / tally.seconds, lang)
    yield say("speed", moves=locale.number(tally.moves, lang), rate=rate)
