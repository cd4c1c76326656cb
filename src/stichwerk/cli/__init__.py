"""The command line: reads what was asked for, calls the one module that does it, prints."""

import datetime
import json
import os
import secrets
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial, wraps
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, TypeVar

import click
from rich.console import Console
from rich.markdown import Markdown
from rich.progress import track

from stichwerk import __version__, locale, own_games
from stichwerk.cli import licences, serve_command
from stichwerk.cli.click_extensions import (
    BadUsageError,
    Flag,
    Group,
    everywhere,
    flag,
    language,
    number,
    say,
    seconds,
)
from stichwerk.errors import (
    BadFileError,
    BadOptionError,
    BadRecordError,
    BadSeatsError,
    StichwerkError,
    UnknownGameError,
)
from stichwerk.fairness import HIGHEST_SEED
from stichwerk.games import registry
from stichwerk.locale import signs
from stichwerk.match import Match, Setting

if TYPE_CHECKING:
    from stichwerk.bots import BadBotError, Listing
    from stichwerk.bots.hosting import Hosting
    from stichwerk.record import Verdict
    from stichwerk.simulate import Tally

Item = TypeVar("Item")

BAD_INPUT = 2
BROKEN = 1
UNCHECKED = 3  # of `verify`: nothing is broken, but something could not be checked
INTERRUPTED = 130
PIPE_CLOSED = 141
MOST_GAMES = 100_000_000
MOST_JOBS = 1000
SHORTEST_LIMIT, LONGEST_LIMIT = 0.01, 3600  # seconds for a move, as in bots/program.py
LONGEST_NAME = 40
WHY_NOT_WRITTEN = {
    FileNotFoundError: "no-folder-to-write",
    IsADirectoryError: "writes-to-folder",
    PermissionError: "may-not-write",
}


SHEET_FOLDER = "STICHWERK_SHEETS"  # the folder of own sheets, in the environment


def main(args: Sequence[str] | None = None) -> int:
    """Run a command; the answer is the exit code. Whatever goes wrong is told in one line."""
    given = list(sys.argv[1:] if args is None else args)
    lang = locale.language(os.environ, requested_language(given))
    open_closed_streams()
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors=signs.ERRORS)  # an odd byte is no reason to stop
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
    """Find the command and run it. Not by click's own `main`: it would tell errors its own way."""
    try:
        with cli.make_context("stichwerk", args, obj=lang) as context:
            code = cli.invoke(context)
    except click.exceptions.Exit as leaving:
        code = leaving.exit_code
    return code if isinstance(code, int) else 0


def open_closed_streams() -> None:
    """Whoever closed one of our streams (`<&-`) means: nothing comes in, nobody listens."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115


def give_up_output() -> None:
    """Python flushes standard output once more at exit; there is nobody, or no room, to take it."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def requested_language(args: Sequence[str]) -> str | None:
    """What `--lang` says, wherever it stands: complaints about the rest are in it too."""
    for at, word in enumerate(args):
        if word.startswith("--lang="):
            return word.partition("=")[2]
        if word == "--lang" and at + 1 < len(args):
            return args[at + 1]
    return None


def complain(error: StichwerkError, lang: str) -> int:
    """One line on standard error."""
    signs.echo(locale.text(error.id, lang, **error.data), err=True)
    return BAD_INPUT


def usage(error: click.UsageError) -> BadUsageError:
    """Click's refusals in our own words."""
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
    """Whether an option is written without a value."""
    params = [param for command in (cli, *cli.commands.values()) for param in command.params]
    return any(isinstance(param, Flag) and param.is_flag and name in param.opts for param in params)


def show_version(ctx: click.Context, _param: click.Parameter, wanted: bool) -> None:
    """`--version`."""
    if wanted:
        signs.echo(f"stichwerk {__version__}")
        ctx.exit()


def use_folder(_ctx: click.Context, _param: click.Parameter, folder: str | None) -> None:
    """Own sheets of Stichtag come from here, as if the environment had said so."""
    if folder is not None:
        os.environ[SHEET_FOLDER] = folder


def sheet_folder(command: Callable[..., Any]) -> Callable[..., Any]:
    """The option of commands that can meet own sheets."""
    settings: dict[str, Any] = {"is_eager": True, "expose_value": False}
    folder = flag(
        "--sheet-folder", callback=use_folder, metavar="DIR", help="flag-sheet-folder", **settings
    )
    return folder(command)  # type: ignore[no-any-return]


def table_flags(
    command: Callable[..., Any], bots_help: str = "flag-bots", bots: str = "random"
) -> Callable[..., Any]:
    """Options of the commands that set up a match."""
    usual = str(registry.USUAL_SEATS)
    for declare in (
        sheet_folder,
        flag("--sheet", "--sheets", "sheets", multiple=True, metavar="NAME", help="flag-sheet"),
        flag("--date", metavar="MM-DD", help="flag-date"),
        flag("--option", "options", multiple=True, metavar="K=V", help="flag-option"),
        number("--seed", 0, HIGHEST_SEED, metavar="S", help="flag-seed"),
        flag("--bots", default=bots, metavar="A,B", help=bots_help),
        number("--seats", 0, 99, default=usual, metavar="N", help="flag-seats"),
    ):
        command = declare(command)
    return command


def bot_flags(command: Callable[..., Any]) -> Callable[..., Any]:
    """Options of the commands that run bots which are not ours; they become one `hosting`."""

    @wraps(command)
    def with_hosting(*args: Any, in_process: bool, time_limit: float, **settings: Any) -> Any:
        from stichwerk.bots.hosting import Hosting

        hosting = Hosting(in_process=in_process, limit=time_limit)
        return command(*args, hosting=hosting, **settings)

    limit = {"default": "5", "metavar": "S", "help": "flag-time-limit"}
    for declare in (
        flag("--in-process", is_flag=True, help="flag-in-process"),
        seconds("--time-limit", SHORTEST_LIMIT, LONGEST_LIMIT, **limit),
    ):
        with_hosting = declare(with_hosting)
    return with_hosting


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
    """Without a command: what there is."""
    if ctx.invoked_subcommand is None:
        signs.echo(ctx.get_help())


# -- Reading what was asked for --------------------------------------------------------------------


def read_setting(
    game: str, seats: int, options: Sequence[str], date: str | None, sheets: Sequence[str]
) -> Setting:
    """The game with its seats and options; date and sheets are options with flags of their own."""
    chosen: dict[str, object] = {}
    known = {option.name: option for option in registry.options_of(own_games.named(game), seats)}
    for option in options:
        name, sign, value = option.partition("=")
        if not (name and sign):
            raise BadOptionError("not-an-option", text=option)
        if name in chosen:
            raise BadOptionError("option-twice", option=name)
        takes_list = name in known and known[name].members
        chosen[name] = read_list(value) if takes_list else read_value(value)
    for name, wish in read_day(game, date, sheets).items():
        if name in chosen:
            raise BadOptionError("option-twice", option=name)
        chosen[name] = wish
    return Setting(own_games.named(game), seats, chosen)


def read_day(game: str, date: str | None, sheets: Sequence[str]) -> dict[str, object]:
    """The date, and the sheets one by one or with commas between them; only what was given."""
    day: dict[str, object] = {}
    if date is not None:
        day["date"] = read_date(game, date)
    if sheets:
        day["sheets"] = [name for names in sheets for name in read_list(names)]
    if _has_calendar(game) and os.environ.get(SHEET_FOLDER):
        put_own_sheets(day)
    return day


def put_own_sheets(day: dict[str, object]) -> None:
    """Own sheets of the folder in place of ours, on a date as well as alone."""
    from stichwerk.games.stichtag.own import option_for, own_sheets

    mine = {name: sheet.option for name, sheet in own_sheets().items()}
    date, alone = day.get("date"), day.get("sheets")
    if isinstance(alone, list):
        day["sheets"] = [mine.get(name, name) for name in alone]
    elif isinstance(date, str) and (own := option_for(date)):
        day["sheets"] = own


def read_date(game: str, date: str) -> str:
    """A date of Stichtag's calendar; other games say by themselves that they have none."""
    from stichwerk.games.stichtag.dates import parse_date

    if not _has_calendar(game):
        return date
    return parse_date(date, datetime.date.today(), secrets.choice)


def _has_calendar(game: str) -> bool:
    from stichwerk.games.registry import has_calendar

    return has_calendar(game)


def read_value(text: str) -> object:
    """`none` is nothing, digits are a number, anything else is itself."""
    if text.lower() == "none":
        return None
    number = text.removeprefix("-")
    if number.isascii() and number.isdigit() and len(number) < 20:
        return int(text)
    return text


def read_list(text: str) -> list[str]:
    """Texts with commas between them; nothing is no text."""
    return [part.strip() for part in text.split(",")] if text.strip() else []


def read_bots(bots: str, hosting: "Hosting", seats: int) -> tuple[str, ...]:
    """The bots for these seats, in order."""
    from stichwerk.simulate import fill_seats

    return fill_seats([name.strip() for name in bots.split(",")], seats, hosting)


def drawn_seed() -> int:
    """Any seed, for those who name none."""
    return secrets.randbelow(2**32)


# -- Files and long work ---------------------------------------------------------------------------


@contextmanager
def writing(path: str) -> Iterator[IO[bytes]]:
    """A file to write to, `-` for standard output; what the system refuses is told as our error."""
    if path == "-":
        yield sys.stdout.buffer
        return
    check_writable(path)
    try:
        with Path(path).open("wb") as file:
            yield file
    except OSError as error:
        raise cannot_write(path, error) from None


def check_writable(path: str) -> None:
    """Refuse a file before work starts that could not be kept in it."""
    try:
        with Path(path).open("ab"):
            pass
    except (OSError, ValueError) as error:
        raise cannot_write(path, error) from None


def cannot_write(path: str, error: Exception) -> BadFileError:
    """Why a file could not be written."""
    for kind, id in WHY_NOT_WRITTEN.items():
        if isinstance(error, kind):
            return BadFileError(id, file=path)
    return BadFileError(
        "cannot-write", file=path, why=getattr(error, "strerror", None) or str(error)
    )


def watched(items: Iterable[Item], total: int | None, id: str) -> Iterable[Item]:
    """The items, with a progress bar where someone sits at standard error."""
    if not sys.stderr.isatty():
        return items
    console = Console(stderr=True)
    return track(items, say(id), total, console=console, transient=True)


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
    """A match at the terminal: a new one, one that was kept, or one at a web table."""
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
    setting = read_setting(game, seats, options, date, sheets)
    if seat >= seats:
        raise BadSeatsError("no-such-seat", seat=seat, highest=seats - 1)
    seating = Seating(seat=seat, bots=read_bots(bots, hosting, seats - 1))
    own = read_name(name)
    seed = drawn_seed() if seed is None else seed
    match = setting.new(seed=seed, names=seat_names(seats, seat, own))
    play_command.play_new(match, seed, seating, run_options)
    return 0


def read_name(name: str | None) -> str:
    """The person's name at the table."""
    own = say("you") if name is None else name.strip()
    if not (own.isprintable() and 0 < len(own) <= LONGEST_NAME):
        raise BadSeatsError("bad-name", most=LONGEST_NAME)
    return own


@cli.command(help="help-simulate")
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
    games: int,
    records: str | None,
    hosting: "Hosting",
) -> None:
    """Matches between bots."""
    from stichwerk.bots.faults import FaultBook, write_on_stderr
    from stichwerk.simulate import Tally, simulate

    setting = read_setting(game, seats, options, date, sheets)
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
    """Count each match and write its record, one a line."""
    from stichwerk.record import encode, record

    with writing(path) as file:
        for match in matches:
            tally.add(match)
            file.write(encode(record(match)) + b"\n")
        file.flush()


def summary(setting: Setting, players: Sequence[str], seed: int, tally: "Tally") -> Iterator[str]:
    """What a simulation adds up to, and on which day."""
    from stichwerk.terminal.day import day_title

    lang, games = language(), tally.games
    title = locale.game_name(setting.name, lang)
    yield say("simulated", count=games, game=title, seats=setting.seats, seed=seed)
    day = day_title(setting.name, setting.options, lang)
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
    **run_options: Any,
) -> None:
    """Which bot is better, and how sure that is."""
    from stichwerk.arena.command import ArenaOptions, run

    setting = read_setting(game, seats, options, date, sheets)
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
    """What the moves of bots give away at fixed decisions."""
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
    """Check records against rules, deals and results, and against what one knows of the deal."""
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
    """What `verify` ends with when these verdicts were found: the worst of them counts."""
    if "broken" in found:
        return BROKEN
    return UNCHECKED if "unchecked" in found else 0


def verdict_text(verdict: "Verdict") -> str:
    """Where a record breaks a rule, and which; or why it cannot be checked."""
    what = say(verdict.id, **verdict.data)
    if verdict.status == "unchecked":
        return f"{say('verified-not')}: {what}"
    return f"{say(verdict.place.id, **verdict.place.data)}: {what}" if verdict.place else what


@cli.command(help="help-review")
@click.argument("file")
@sheet_folder
@number("--match", 1, MOST_GAMES, default="1", metavar="N", help="flag-review-match")
@flag("--bot", default="expert", metavar="NAME", help="flag-review-bot")
@number("--seat", 0, 99, metavar="N", help="flag-review-seat")
@number("--top", 0, 1000, default="3", metavar="N", help="flag-review-top")
@number("--seed", 0, HIGHEST_SEED, default="1", metavar="S", help="flag-review-seed")
@flag("--picture", metavar="FILE", help="flag-review-picture")
@flag("--json", "as_json", is_flag=True, help="flag-json")
@everywhere
def review(file: str, **run_options: Any) -> None:
    """The costliest moves of a match, luck and skill apart."""
    from stichwerk.review.command import ReviewOptions, run

    if run_options["picture"] is not None:
        check_writable(run_options["picture"])
    run(file, ReviewOptions(**run_options), language())


@cli.command(help="help-rules")
@click.argument("game")
@flag("--date", metavar="MM-DD", help="flag-date")
@flag("--sheet", "--sheets", "sheets", multiple=True, metavar="NAME", help="flag-sheet")
@sheet_folder
@everywhere
def rules(game: str, date: str | None, sheets: Sequence[str]) -> None:
    """The rules of a game or a day, set for reading in a terminal, as Markdown into a pipe."""
    game = own_games.named(game)
    registry.kind(game)
    if date is not None or sheets:
        page = rules_of_day(game, read_day(game, date, sheets))
    else:
        page = locale.without_links(rules_of_game(game))
    if sys.stdout.isatty():
        Console().print(Markdown(page))
    else:
        signs.echo(page, nl=False)


def rules_of_game(game: str) -> str:
    """The page of a game; of one's own what its file says about it."""
    try:
        return locale.rules_text(game, language())
    except LookupError:
        page = own_games.rules_text(game)
        if not page:
            raise UnknownGameError("no-rules", game=game) from None
        return page


def rules_of_day(game: str, day: Mapping[str, object]) -> str:
    """The page of a date, or of single sheets over the base rules."""
    from stichwerk.games.stichtag.course import sheet_names
    from stichwerk.games.stichtag.yearbook import day_rules

    options = registry.settle_options(game, registry.kind(game).seat_counts[0], day)
    date = options["date"]
    shown = date if isinstance(date, str) else None
    return day_rules(sheet_names(options), language(), date=shown)


@cli.command(help="help-bots")
@flag("--json", "as_json", is_flag=True, help="flag-json")
@everywhere
def bots(as_json: bool) -> None:
    """The bots there are; a broken one of another package is told about, the rest stays."""
    from stichwerk.bots import BadBotError
    from stichwerk.bots.hosting import listings

    found = list(listings())
    facts = [bot_facts(listing) for listing in found if not isinstance(listing, BadBotError)]
    broken = [listing for listing in found if isinstance(listing, BadBotError)]
    if as_json:
        told = [*facts, *map(broken_bot_facts, broken)]
        click.echo(json.dumps(told, ensure_ascii=False))
    else:
        signs.echo("\n".join(bot_table(facts)))
    for error in broken:
        signs.echo(say(error.id, **error.data), err=True)


def bot_facts(listing: "Listing") -> dict[str, object]:
    """What is told about a bot. A package describes its own bot, in whatever language it likes."""
    words = listing.summary if listing.package else say(listing.description)
    return {
        "name": listing.name,
        "version": listing.version,
        "kind": listing.kind,
        "iterations": listing.iterations,
        "package": listing.package,
        "description": locale.one_line(words),
        "problem": None,
    }


def broken_bot_facts(error: "BadBotError") -> dict[str, object]:
    """The facts about a bot that cannot be used."""
    return {
        "name": error.data["bot"],
        "version": None,
        "kind": "package",
        "iterations": None,
        "package": error.data.get("package", error.data.get("packages")),
        "description": "",
        "problem": {"id": error.id, "text": say(error.id, **error.data)},
    }


def bot_table(facts: Sequence[Mapping[str, object]]) -> Iterator[str]:
    """One bot a line: how to ask for it, its kind, where it comes from, what it does."""
    from stichwerk.bots import KINDS

    rows = [("program:…", "", say("from-outside"), say("bot-program"))]
    for fact in reversed(facts):
        name = f"{fact['name']}-{fact['version']}{'[@N]' if fact['iterations'] else ''}"
        origin = fact["package"] or say("built-in")
        rows.insert(0, (name, say(KINDS[str(fact["kind"])]), str(origin), str(fact["description"])))
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    for row in rows:
        cells = [cell.ljust(width) for cell, width in zip(row[:3], widths, strict=True)]
        yield "  ".join([*cells, row[3]]).rstrip()


@cli.command(help="help-doctor")
@everywhere
def doctor() -> int:
    """Whether this installation is well."""
    from stichwerk import doctor

    signs.echo(say("doctor-version", version=doctor.version(), python=doctor.python()))
    engine = "doctor-compiled" if doctor.compiled() else "doctor-plain"
    signs.echo(say(engine, file=doctor.engine_file()))
    colours = Console().color_system
    signs.echo(say("doctor-colours" if colours else "doctor-no-colours", colours=colours))
    signs.echo(say("doctor-language"))
    return max([self_test(game) for game in registry.GAMES])


def self_test(game: str) -> int:
    """Play and verify one match of a game; 0 if it holds."""
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
@everywhere
def bench(what: str, as_json: bool, repeats: int, experts: bool, **load: int) -> None:
    """How fast the engine is, the server, or the environments."""
    from stichwerk import bench

    if what == "server":
        serve_command.bench_server(as_json, **load)
        return
    console = Console(stderr=True)
    if what == "envs":
        from stichwerk.envs import bench as environments

        with console.status(say("measuring")) as status:
            told = environments.run(
                as_json, repeats, lambda step: status.update(say("measuring-step", step=step))
            )
        signs.echo(told)
        return
    if what != "engine":
        raise BadUsageError("bench-what", what=what)
    with console.status(say("measuring")):
        report = bench.run(as_json, repeats, experts)
    signs.echo(report)


cli.add_command(serve_command.serve)
cli.add_command(serve_command.export)
cli.add_command(serve_command.import_)
cli.add_command(serve_command.backup)
cli.add_command(licences.licences)
