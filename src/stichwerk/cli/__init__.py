"""The command line: parses arguments, calls the module that does the work, prints."""

import os
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.console import Console

from stichwerk import __version__, locale, own_games
from stichwerk.cli import (
    bots_command,
    licences,
    rules_command,
    serve_command,
    simulate_command,
    train_command,
)
from stichwerk.cli.click_extensions import (
    BadUsageError,
    Flag,
    Group,
    everywhere,
    flag,
    language,
    number,
    say,
)
from stichwerk.cli.inputs import drawn_seed, read_bots, read_name, read_setting
from stichwerk.cli.output_files import cannot_write, check_writable, watched
from stichwerk.cli.shared_flags import MOST_GAMES, bot_flags, sheet_folder, table_flags
from stichwerk.errors import BadRecordError, BadSeatsError, StichwerkError
from stichwerk.fairness import HIGHEST_SEED
from stichwerk.games import registry
from stichwerk.locale import signs

if TYPE_CHECKING:
    from stichwerk.bots.hosting import Hosting
    from stichwerk.record import Verdict

BAD_INPUT = 2
BROKEN = 1
UNCHECKED = 3  # exit code of `verify`: nothing is broken, but something could not be checked
INTERRUPTED = 130
PIPE_CLOSED = 141
MOST_JOBS = 1000


def main(args: Sequence[str] | None = None) -> int:
    """Run a command and return the exit code. Every error is reported in one line."""
    given = list(sys.argv[1:] if args is None else args)
    lang = locale.language(os.environ, requested_language(given))
    open_closed_streams()
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors=signs.ERRORS)  # an odd byte must not stop us
    try:
        own_games.load()
        code = run(given, lang)
        sys.stdout.flush()
        return code
    except StichwerkError as error:
        return complain(error, lang)
    except click.UsageError as error:
        return complain(usage(error), lang)
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        give_up_output()
        return PIPE_CLOSED
    except OSError as error:
        give_up_output()
        return complain(cannot_write("-", error), lang)


def run(args: list[str], lang: str) -> int:
    """Find the command and run it. Not by click's own `main`, which has its own error messages."""
    try:
        with cli.make_context("stichwerk", args, obj=lang) as context:
            code = cli.invoke(context)
    except click.exceptions.Exit as leaving:
        code = leaving.exit_code
    return code if isinstance(code, int) else 0


def open_closed_streams() -> None:
    """Replace closed streams (`<&-`) by the null device: no input, no output."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115


def give_up_output() -> None:
    """Discard standard output, which Python flushes at exit: nobody, or no disk space, can take
    it."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def requested_language(args: Sequence[str]) -> str | None:
    """Return the language of `--lang`, wherever it is: other error messages use it too."""
    for at, word in enumerate(args):
        if word.startswith("--lang="):
            return word.partition("=")[2]
        if word == "--lang" and at + 1 < len(args):
            return args[at + 1]
    return None


def complain(error: StichwerkError, lang: str) -> int:
    """Print one line on standard error."""
    signs.echo(locale.text(error.id, lang, **error.data), err=True)
    return BAD_INPUT


def usage(error: click.UsageError) -> BadUsageError:
    """Return click's refusals in our own words."""
    command = error.ctx.info_name or "" if error.ctx and error.ctx.parent else ""
    if isinstance(error, click.NoSuchOption):
        return BadUsageError("no-such-flag", flag=error.option_name)
    if isinstance(error, click.BadOptionUsage):
        id = "flag-stands-alone" if stands_alone(error.option_name) else "flag-needs-value"
        return BadUsageError(id, flag=error.option_name)
    if isinstance(error, click.MissingParameter) and error.param:
        return BadUsageError(
            "missing-argument", argument=error.param.human_readable_name, command=command
        )
    return BadUsageError("wrong-usage", why=error.format_message())


def stands_alone(name: str) -> bool:
    """Return whether an option takes no value."""
    params = [param for command in (cli, *cli.commands.values()) for param in command.params]
    return any(isinstance(param, Flag) and param.is_flag and name in param.opts for param in params)


def show_version(ctx: click.Context, _param: click.Parameter, wanted: bool) -> None:
    """Show the version."""
    if wanted:
        signs.echo(f"stichwerk {__version__}")
        ctx.exit()


@click.group(
    cls=Group,
    invoke_without_command=True,
    help="help-stichwerk",
    context_settings={"help_option_names": []},
)
@everywhere
@flag(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=show_version,
    help="flag-version",
)
@click.pass_context
def cli(ctx: click.Context) -> None:
    """Show the list of commands if none is given."""
    if ctx.invoked_subcommand is None:
        signs.echo(ctx.get_help())


# -- Commands --------------------------------------------------------------------------------------


@cli.command(help="help-play")
@click.argument("game", required=False)
@partial(table_flags, bots="medium")
@bot_flags
@number("--seat", 0, 99, default="0", metavar="N", help="flag-seat")
@flag("--name", help="flag-name")
@flag("--plain", is_flag=True, help="flag-plain")
@flag("--hints", metavar="BOT", help="flag-hints")
@flag("--save", metavar="FILE", help="flag-save")
@flag("--resume", is_flag=False, flag_value="", metavar="[FILE]", help="flag-play-resume")
@flag("--table", metavar="URL", help="flag-table")
@flag("--data", metavar="DIR", help="flag-play-data")
@everywhere
def play(
    game: str | None,
    seats: int,
    bots: str,
    seed: int | None,
    options: Sequence[str],
    date: str | None,
    sheets: Sequence[str],
    rules: int | None,
    seat: int,
    name: str | None,
    plain: bool,
    hints: str | None,
    save: str | None,
    resume: str | None,
    table: str | None,
    data: str | None,
    hosting: "Hosting",
) -> int:
    """Play a match in the terminal: a new one, a saved one, or one at a web table."""
    from stichwerk.cli import play_command
    from stichwerk.terminal.saving import Seating
    from stichwerk.terminal.session import seat_names

    run_options = play_command.PlayOptions(
        plain=plain, save=save, hints=hints, data=data, hosting=hosting
    )
    if table is not None:
        play_command.check_together(play_command.NOT_WITH_TABLE, "not-with-table")
        return play_command.play_at(
            table, name, seat if play_command.was_given("seat") else None, run_options
        )
    if save and save != "-":
        check_writable(save)
    if resume is not None:
        play_command.check_together(play_command.NOT_WITH_RESUME, "not-with-resume")
        play_command.play_on(resume, run_options, partial(read_bots, bots, hosting), seat)
        return 0
    if game is None:
        raise BadUsageError("missing-argument", argument="GAME", command="play")
    setting = read_setting(game, seats, options, date, sheets, rules)
    if seat >= seats:
        raise BadSeatsError("no-such-seat", seat=seat, highest=seats - 1)
    seating = Seating(seat=seat, bots=read_bots(bots, hosting, seats - 1))
    own = read_name(name)
    seed = drawn_seed() if seed is None else seed
    match = setting.new(seed=seed, names=seat_names(seats, seat, own, seating.bots))
    play_command.play_new(match, seed, seating, run_options)
    return 0


@cli.command(help="help-arena")
@click.argument("game")
@partial(table_flags, bots_help="flag-arena-bots")
@bot_flags
@number("--deals", 1, MOST_GAMES, default="200", metavar="N", help="flag-deals")
@flag("--unit", metavar="round|match", help="flag-unit")
@flag("--sprt", metavar="LOW,HIGH", help="flag-sprt")
@number("--jobs", 1, MOST_JOBS, metavar="N", help="flag-jobs")
@flag("--on", "where", default="local", metavar="local|ray", help="flag-on")
@flag("--resume", metavar="FILE", help="flag-resume")
@flag("--picture", metavar="FILE", help="flag-picture")
@flag("--json", "as_json", is_flag=True, help="flag-json")
@everywhere
def arena(
    game: str,
    seats: int,
    options: Sequence[str],
    date: str | None,
    sheets: Sequence[str],
    rules: int | None,
    **run_options: Any,
) -> None:
    """Measure which bot is better, and how certain that is."""
    from stichwerk.arena.command import ArenaOptions, run

    setting = read_setting(game, seats, options, date, sheets, rules)
    for path in (run_options["resume"], run_options["picture"]):
        if path is not None:
            check_writable(path)
    run(setting, ArenaOptions(**run_options), drawn_seed, language())


@cli.command(help="help-positions")
@click.argument("game", required=False)
@flag("--bots", default="greedy,flat@200", metavar="A,B", help="flag-positions-bots")
@bot_flags
@flag("--json", "as_json", is_flag=True, help="flag-json")
@everywhere
def positions(game: str | None, bots: str, as_json: bool, hosting: "Hosting") -> int:
    """Measure what the moves of bots give away at fixed decisions."""
    from stichwerk.arena.positions.command import run

    game = None if game is None else own_games.named(game)
    return 0 if run(game, bots, as_json, language(), hosting) else BROKEN


@cli.command(help="help-verify")
@click.argument("file")
@flag("--share", "shares", multiple=True, metavar="[SEAT:]HEX", help="flag-share")
@flag("--words", metavar="WORDS", help="flag-words")
@flag("--data", metavar="FOLDER", help="flag-verify-data")
@sheet_folder
@everywhere
def verify(file: str, shares: Sequence[str], words: str | None, data: str | None) -> int:
    """Check records against rules, deals and results, and against known shares and words."""
    from stichwerk.cli.verify_command import Knowledge, judged, summary

    known = Knowledge(shares, words, data)
    verdicts = []
    try:
        for line, verdict in watched(judged(file, known), None, "verifying"):
            verdicts.append(verdict)
            if not verdict.ok:
                signs.echo(f"{locale.one_line(file)}:{line}: {verdict_text(verdict)}")
    except BadRecordError as error:
        at = error.data.get("line", 1)
        signs.echo(f"{locale.one_line(file)}:{at}: {say(error.id, **error.data)}", err=True)
        return BAD_INPUT
    for line_of_summary in summary(verdicts):
        signs.echo(line_of_summary)
    return exit_code({verdict.status for verdict in verdicts})


def exit_code(found: set[str]) -> int:
    """Return the exit code of `verify` for these verdicts: the worst of them counts."""
    if "broken" in found:
        return BROKEN
    return UNCHECKED if "unchecked" in found else 0


def verdict_text(verdict: "Verdict") -> str:
    """Say where a record breaks a rule, and which; or why it cannot be checked."""
    what = say(verdict.id, **verdict.data)
    if verdict.status == "unchecked":
        return f"{say('verified-not')}: {what}"
    return f"{say(verdict.place.id, **verdict.place.data)}: {what}" if verdict.place else what


@cli.command(help="help-review")
@click.argument("file")
@sheet_folder
@number("--match", 1, MOST_GAMES, default="1", metavar="N", help="flag-review-match")
@flag("--bot", default="", metavar="NAME", help="flag-review-bot")
@number("--seat", 0, 99, metavar="N", help="flag-review-seat")
@number("--top", 0, 1000, default="3", metavar="N", help="flag-review-top")
@number("--seed", 0, HIGHEST_SEED, default="1", metavar="S", help="flag-review-seed")
@flag("--picture", metavar="FILE", help="flag-review-picture")
@flag("--json", "as_json", is_flag=True, help="flag-json")
@everywhere
def review(file: str, **run_options: Any) -> None:
    """Show the costliest moves of a match, luck separated from skill."""
    from stichwerk.review.command import ReviewOptions, run

    if run_options["picture"] is not None:
        check_writable(run_options["picture"])
    run(file, ReviewOptions(**run_options), language())


@cli.command(help="help-doctor")
@everywhere
def doctor() -> int:
    """Check this installation."""
    from stichwerk import doctor

    signs.echo(say("doctor-version", version=doctor.version(), python=doctor.python()))
    engine = "doctor-compiled" if doctor.compiled() else "doctor-plain"
    signs.echo(say(engine, file=doctor.engine_file()))
    colours = Console().color_system
    signs.echo(say("doctor-colours" if colours else "doctor-no-colours", colours=colours))
    signs.echo(say("doctor-language"))
    return max([self_test(game) for game in registry.GAMES])


def self_test(game: str) -> int:
    """Play and verify one match of a game; return 0 if it is valid."""
    from stichwerk import doctor

    title = locale.game_name(game, language())
    verdict = doctor.self_test(game)
    if verdict.status == "holds":
        signs.echo(say("doctor-plays", game=title))
        return 0
    why = verdict_text(verdict)
    signs.echo(say("self-test-failed", game=title, why=why))
    return BROKEN


@cli.command(help="help-bench")
@click.argument("what", default="engine", metavar="[engine|server|envs]")
@flag("--json", "as_json", is_flag=True, help="flag-json")
@number("--repeats", 1, 1000, default="7", metavar="N", help="flag-repeats")
@flag("--experts", is_flag=True, help="flag-experts")
@number("--tables", 1, 5000, default="500", metavar="N", help="flag-load-tables")
@number("--rate", 1, 100_000, default="500", metavar="N", help="flag-load-rate")
@number("--seconds", 1, 600, default="8", metavar="N", help="flag-load-seconds")
@number("--runs", 1, 100, default="5", metavar="N", help="flag-load-runs")
@flag("--store", metavar="ADDRESS", help="flag-load-store")
@everywhere
def bench(what: str, as_json: bool, repeats: int, experts: bool, **load: Any) -> None:
    """Measure how fast the engine, the server, or the environments are."""
    from stichwerk import bench

    if what == "server":
        serve_command.bench_server(as_json, **load)
        return
    console = Console(stderr=True)
    if what == "envs":
        from stichwerk.envs import bench as environments

        with console.status(say("measuring")) as status:
            result = environments.run(
                as_json, repeats, lambda step: status.update(say("measuring-step", step=step))
            )
        signs.echo(result)
        return
    if what != "engine":
        raise BadUsageError("bench-what", what=what)
    with console.status(say("measuring")):
        report = bench.run(as_json, repeats, experts)
    signs.echo(report)


cli.add_command(bots_command.bots)
cli.add_command(rules_command.rules)
cli.add_command(simulate_command.simulate)
cli.add_command(serve_command.serve)
cli.add_command(serve_command.export)
cli.add_command(serve_command.import_)
cli.add_command(serve_command.migrate_store)
cli.add_command(serve_command.backup)
cli.add_command(licences.licences)
cli.add_command(train_command.train)
