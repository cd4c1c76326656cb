"""`stichwerk train`: train the net of a game."""

import re

import click

from stichwerk import bots, own_games
from stichwerk.cli.click_extensions import LocalizedCommand, everywhere, flag, language, number
from stichwerk.cli.output_files import cannot_write
from stichwerk.engine.net_format import HIDDEN, SECOND

MOST_ITERATIONS = 1_000_000
MOST_THREADS = 256
MOST_MINUTES = 1_000_000


@click.command(cls=LocalizedCommand, help="help-train")
@click.argument("game")
@number("--iterations", 1, MOST_ITERATIONS, default="1000", metavar="N", help="flag-iterations")
@number("--until", 1, MOST_ITERATIONS, metavar="N", help="flag-until")
@number("--seed", 0, 2**31, default="1", metavar="S", help="flag-train-seed")
@number("--hidden", 1, HIDDEN, metavar="N", help="flag-hidden")
@number("--second", 1, SECOND, metavar="N", help="flag-second")
@flag("--against", metavar="BOT", help="flag-against")
@flag("--from", "start", metavar="BOT", help="flag-from")
@number("--minutes", 1, MOST_MINUTES, metavar="M", help="flag-minutes")
@number("--threads", 1, MOST_THREADS, default="2", metavar="N", help="flag-threads")
@flag("--ray", is_flag=True, help="flag-ray")
@flag("--folder", metavar="DIR", help="flag-train-folder")
@flag("--commit", default="", metavar="ID", help="flag-commit")
@everywhere
def train(
    game: str,
    iterations: int,
    until: int | None,
    seed: int,
    hidden: int | None,
    second: int | None,
    against: str | None,
    start: str | None,
    minutes: int | None,
    threads: int,
    ray: bool,
    folder: str | None,
    commit: str,
) -> None:
    """Train a net, or go on with a training."""
    from stichwerk.training.extras import needs_numpy

    with needs_numpy():
        from stichwerk.training.command import TrainOptions, run

    name = own_games.named(game)
    options = TrainOptions(
        iterations=iterations,
        until=until,
        seed=seed,
        hidden=hidden,
        second=second,
        against=against,
        start=start,
        minutes=minutes,
        threads=threads,
        ray=ray,
        folder=folder or default_folder(name, against),
        commit=commit,
    )
    try:
        run(name, options, language())
    except OSError as error:
        raise cannot_write(options.folder, error) from error


def default_folder(game: str, against: str | None) -> str:
    """Return where a training is kept unless the command says otherwise."""
    if against is None:
        return f"training/{game}"
    bot = re.sub(r"[^A-Za-z0-9@-]+", "-", bots.full_name(against))
    return f"training/exploiters/{game}-{bot}"
