"""The play command: seats a person at a table."""

import datetime
import os
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING, NamedTuple

import click
from click.core import ParameterSource

from stichwerk.bots import Bot
from stichwerk.bots.faults import FaultBook
from stichwerk.bots.hosting import Hosting, seat_bots, vetted
from stichwerk.cli.click_extensions import BadUsageError, language, say
from stichwerk.errors import BadFileError, BadSeatsError
from stichwerk.locale import signs
from stichwerk.match import Match
from stichwerk.terminal.saving import (
    MatchSaver,
    Seating,
    last_file,
    new_file,
    resume,
    trusted_bots,
)
from stichwerk.terminal.seat import LocalSeat, PlayerSeat

if TYPE_CHECKING:
    from stichwerk.terminal.remote_seat import RemoteSeat
    from stichwerk.terminal.screen import ConsoleScreen

    Lines = SimpleQueue[str | None]

BAD_INPUT = 2
BROKEN = 1  # a deal that does not hold, as with `verify`

# Flags of a new match; a saved match or a web table has decided these already.
OF_A_NEW_MATCH = ("game", "seats", "seed", "options", "date", "sheets", "rules")
NOT_WITH_RESUME = (*OF_A_NEW_MATCH, "name")
NOT_WITH_TABLE = (*OF_A_NEW_MATCH, "bots", "hints", "save", "resume", "in_process", "time_limit")


class PlayOptions(NamedTuple):
    """The person's settings at a table of this process."""

    plain: bool
    save: str | None
    hints: str | None
    data: str | None
    hosting: Hosting


def check_together(flags: Sequence[str], id: str) -> None:
    """Refuse flags that make no sense with `--resume` or `--table`."""
    context = click.get_current_context()
    given = [param for param in context.command.params if param.name in flags]
    for param in given:
        if context.get_parameter_source(param.name or "") is not ParameterSource.DEFAULT:
            name = param.opts[0] if param.opts[0].startswith("-") else param.human_readable_name
            raise BadUsageError(id, flag=name)


def was_given(name: str) -> bool:
    """Return whether someone wrote this flag, rather than left it to its default."""
    return click.get_current_context().get_parameter_source(name) is ParameterSource.COMMANDLINE


def terminal_folder(data: str | None) -> Path:
    """Return where the terminal keeps its matches and its seats at web tables."""
    from stichwerk.server.storage.maintenance import data_folder

    return data_folder(data) / "terminal"


# -- A match in this process -----------------------------------------------------------------------


def play_new(match: Match, seed: int, seating: Seating, run_options: PlayOptions) -> None:
    """Play a new match against bots."""
    folder = terminal_folder(run_options.data)
    file = Path(run_options.save) if run_options.save else new_file(folder, match.rules.name, now())
    play_here(match, seed, seating, run_options, keeper(file, seating, folder))


def play_on(
    given: str, run_options: PlayOptions, bots: Callable[[int], tuple[str, ...]], seat: int
) -> None:
    """Continue a saved match: the one in this file, or (empty) the last one."""
    folder = terminal_folder(run_options.data)
    file = Path(given) if given else last_file(folder)
    if file is None:
        raise BadFileError("nothing-to-resume")
    saved = resume(file, language())
    seating = given_seating(saved.seating, file, bots, seat, saved.match.rules.seats)
    keep = keeper(Path(run_options.save) if run_options.save else file, seating, folder)
    signs.echo(say("goes-on", file=str(file)))
    play_here(saved.match, saved.seed, seating, run_options, keep, again=True)


def given_seating(
    note: Seating | None,
    file: Path,
    bots: Callable[[int], tuple[str, ...]],
    seat: int,
    seats: int,
) -> Seating:
    """Return who sits where: from the command line, else from the note."""
    if note is not None and not was_given("seat"):
        seat = note.seat
    if seat >= seats:
        raise BadSeatsError("no-such-seat", seat=seat, highest=seats - 1)
    if note is None or was_given("bots"):
        return Seating(seat=seat, bots=bots(seats - 1))
    return Seating(seat=seat, bots=trusted_bots(file, note))


def keeper(file: Path, seating: Seating, folder: Path) -> MatchSaver | None:
    """Save the match in a file; one in our own folder is deleted when the match is over."""
    from stichwerk.cli.output_files import cannot_write

    if is_stream(str(file)):
        return None
    passing = file.absolute().parent == folder.absolute()
    return MatchSaver(file, seating, folder=folder, passing=passing, failure=cannot_write)


def play_here(
    match: Match,
    seed: int,
    seating: Seating,
    run_options: PlayOptions,
    keep: MatchSaver | None,
    *,
    again: bool = False,
) -> None:
    """Sit down, play, and report the outcome."""
    hosting, faults = run_options.hosting, FaultBook()
    adviser = "" if run_options.hints is None else vetted(run_options.hints, hosting)
    others = [other for other in range(match.rules.seats) if other != seating.seat]
    seeds = [seed + other for other in others]
    seated_bots = seat_bots(
        seating.bots, seeds, match_seed=seed, hosting=hosting, on_fault=faults.note
    )
    player_seat = LocalSeat(
        match,
        seating.seat,
        dict(zip(others, seated_bots, strict=True)),
        language(),
        adviser=adviser,
        build=partial(adviser_bot, seed, hosting, faults),
        keep=keep,
    )
    faults.tell = player_seat.tell_fault
    player_seat.moved = again
    try:
        ending = show(player_seat, run_options.plain, again=again)
    except (KeyboardInterrupt, Exception):  # an error is a bot's: the match is saved
        signs.echo()
        raise
    finally:
        leave(player_seat, seed, run_options.save, keep)
        tell_faults(faults)
    if ending in ("new", "same"):
        play_once_more(match, seed if ending == "same" else None, seating, run_options)


def adviser_bot(seed: int, hosting: Hosting, faults: FaultBook, name: str) -> Bot:
    """Return the bot that gives hints."""
    (bot,) = seat_bots([name], [0], match_seed=seed, hosting=hosting, on_fault=faults.note)
    return bot


def tell_faults(faults: FaultBook) -> None:
    """Report the faults of the bots with their output, now that the table is closed."""
    for counted in faults.counted:
        for line in counted.first.lines(language()):
            signs.echo(line, err=True)
    for line in faults.summary(language()):
        signs.echo(line, err=True)


def play_once_more(
    match: Match, seed: int | None, seating: Seating, run_options: PlayOptions
) -> None:
    """Play another match at the same table; a named file stays the first one's."""
    from stichwerk.cli.inputs import drawn_seed

    seed = drawn_seed() if seed is None else seed
    another = match.setting.new(seed=seed, names=match.names)
    play_new(another, seed, seating, run_options._replace(save=None))


def show(player_seat: PlayerSeat, plain: bool, *, again: bool = False) -> str:
    """Show the table until the match is `over`, the person has `left`, or wants a `new` one, or the
    `same` cards again: on the whole screen where that can be, else in lines.
    """
    if full_screen(plain):
        from stichwerk.terminal.full.app import run

        return run(player_seat, rematch=isinstance(player_seat, LocalSeat)).value
    from stichwerk.terminal.screen import ConsoleScreen
    from stichwerk.terminal.session import Session

    return "over" if Session(player_seat, ConsoleScreen(plain), again=again).run() else "left"


def full_screen(plain: bool) -> bool:
    """Return whether someone sits at a terminal and the extra is there; if only that is missing,
    one line says how to get it.
    """
    from stichwerk.terminal.full import available

    if plain or not at_terminal():
        return False
    if not available():
        signs.echo(say("tui-missing"))
    return available()


def at_terminal() -> bool:
    """Return whether input and output are a terminal that can do more than lines."""
    return sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


def leave(player_seat: LocalSeat, seed: int, save: str | None, keep: MatchSaver | None) -> None:
    """Leave the table: print the seed, where the record is, and how to continue."""
    player_seat.close()
    signs.echo(say("seed-was", seed=seed))
    if keep is None:
        write_out(player_seat.match, save or "-")
        return
    if save or (not player_seat.over and (player_seat.moved or keep.kept)):
        keep.kept = False  # so that `--resume` means this match, not one in another window
        signs.echo(say("saved", file=player_seat.save()))
        if not player_seat.over:
            signs.echo(say("resume-with"))


def is_stream(file: str) -> bool:
    """Return whether this cannot be rewritten like a file: `-`, a pipe, a device."""
    return file == "-" or (Path(file).exists() and not Path(file).is_file())


def write_out(match: Match, file: str) -> None:
    """Write the record once, at the end."""
    from stichwerk.cli.output_files import writing
    from stichwerk.record import encode, record

    with writing(file) as out:
        out.write(encode(record(match)) + b"\n")
    signs.echo(say("saved", file=file))


# -- A web table -----------------------------------------------------------------------------------


def play_at(url: str, name: str | None, seat: int | None, run_options: PlayOptions) -> int:
    """Join the table of a link, or return to it, until the person leaves."""
    from stichwerk.server.clients.deal_messages import DealViolationError
    from stichwerk.terminal.links import SeatStore, parse
    from stichwerk.terminal.remote_seat import NoTableError, RemoteSeat
    from stichwerk.terminal.screen import ConsoleScreen
    from stichwerk.terminal.seat import words_of

    screen = ConsoleScreen(run_options.plain)
    lines: SimpleQueue[str | None] = SimpleQueue()
    book = SeatStore(terminal_folder(run_options.data))
    link = parse(url)
    full = full_screen(run_options.plain)
    if name is None and link.token is None and book.find(link, None) is None:
        name = prompted_name(screen) if full else asked_name(screen, lines)
    try:
        player_seat = RemoteSeat(url, name, language(), seat=seat, book=book)
        try:
            show(player_seat, run_options.plain) if full else visit(player_seat, screen, lines)
        except KeyboardInterrupt:
            signs.echo("\n" + say("table-again", url=link.address))
            raise
        finally:
            player_seat.close()
    except DealViolationError as error:
        signs.echo(words_of(error, language()), err=True)
        return BROKEN
    except NoTableError as error:
        signs.echo(words_of(error, language()), err=True)
        return BAD_INPUT
    signs.echo(say("table-again", url=link.address))
    return 0


def visit(player_seat: "RemoteSeat", screen: "ConsoleScreen", lines: "Lines") -> None:
    """Play in plain lines, until the person leaves."""
    from stichwerk.terminal.remote_session import RemoteSession

    session = RemoteSession(player_seat, screen, echo=not screen.typed)
    screen.listen(lines.put)
    Thread(target=hand_on, args=(lines, session.typed), daemon=True).start()
    session.run()


def hand_on(lines: "Lines", typed: Callable[[str | None], None]) -> None:
    """Pass every line to the current table."""
    while (line := lines.get()) is not None:
        typed(line)
    typed(None)


def prompted_name(screen: "ConsoleScreen") -> str | None:
    """Ask for the name before a full screen, which reads all later input itself."""
    from stichwerk.terminal.remote_seat import LONGEST_NAME

    screen.say(say("ask-name", most=LONGEST_NAME))
    return (screen.ask() or "").strip() or None


def asked_name(screen: "ConsoleScreen", lines: "Lines") -> str | None:
    """Ask for the person's name at the table; None: they only want to watch."""
    from stichwerk.terminal.remote_seat import LONGEST_NAME

    screen.say(say("ask-name", most=LONGEST_NAME))
    screen.listen(lines.put)
    return (lines.get() or "").strip() or None


def now() -> datetime.datetime:
    """Return the local time, for file names."""
    return datetime.datetime.now().astimezone()
