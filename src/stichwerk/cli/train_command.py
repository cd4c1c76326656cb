"""`stichwerk train`: train the net of a game."""

import click

from stichwerk import own_games
from stichwerk.cli.click_extensions import LocalizedCommand, everywhere, flag, language, number
from stichwerk.cli.output_files import cannot_write
from stichwerk.engine.net_format import HIDDEN, SECOND

MOST_ITERATIONS = 1_000_000
MOST_THREADS = 256


@click.command(cls=LocalizedCommand, help="help-train")
@click.argument("game")
@number("--iterations", 1, MOST_ITERATIONS, default="1000", metavar="N", help="flag-iterations")
@number("--until", 1, MOST_ITERATIONS, metavar="N", help="flag-until")
@number("--seed", 0, 2**31, default="1", metavar="S", help="flag-train-seed")
@number("--hidden", 1, HIDDEN, metavar="N", help="flag-hidden")
@number("--second", 1, SECOND, metavar="N", help="flag-second")
@number("--threads", 1, MOST_THREADS, default="2", metavar="N", help="flag-threads")
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
    threads: int,
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
        threads=threads,
        folder=folder or f"training/{name}",
        commit=commit,
    )
    try:
        run(name, options, language())
    except OSError as error:
        raise cannot_write(options.folder, error) from error
