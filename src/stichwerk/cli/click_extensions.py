"""Click in two languages: commands and options whose help is an id of `locale/`."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import click

from stichwerk import locale
from stichwerk.errors import BadOptionError, StichwerkError
from stichwerk.games import registry
from stichwerk.locale import signs


class BadUsageError(StichwerkError):
    """A command line that cannot be understood."""


def language() -> str:
    """Return the language of the running command."""
    lang: str = click.get_current_context().find_root().obj
    return lang


def say(id: str, **data: object) -> str:
    """Return a sentence in the language of the running command."""
    return locale.text(id, language(), **data)


class Formatter(click.HelpFormatter):
    """Help pages with headings in the reader's language."""

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        """Write the first line."""
        super().write_usage(prog, args, f"{say('heading-usage')}: ")

    @contextmanager
    def section(self, name: str) -> Iterator[None]:
        """Start a part with its heading."""
        ids = {"Options": "heading-options", "Commands": "heading-commands"}
        with super().section(say(ids[name]) if name in ids else name):
            yield


class Context(click.Context):
    """A context whose help pages we format."""

    formatter_class = Formatter


class Flag(click.Option):
    """An option whose help is an id."""

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """Return how it is written, and what it does."""
        record = super().get_help_record(ctx)
        return record and (record[0], say(self.help or ""))


class LocalizedCommand(click.Command):
    """A command whose help is an id."""

    context_class = Context

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments; refuse extra ones with our message."""
        ctx.allow_extra_args = True
        rest = super().parse_args(ctx, args)
        if ctx.args:
            raise BadUsageError("extra-argument", argument=ctx.args[0], command=ctx.info_name)
        return rest

    def get_short_help_str(self, limit: int = 45) -> str:
        """Return the line in the list of commands: the first paragraph of its help."""
        return say(self.help or "").partition("\n")[0]

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the text of the help page."""
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_text(say(self.help or ""))


class Group(click.Group):
    """The group of all commands."""

    context_class = Context
    command_class = LocalizedCommand

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the text of the help page, which names the games."""
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_text(say(self.help or "", games=", ".join(registry.GAMES)))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; refuse an unknown one with our message."""
        if self.get_command(ctx, args[0]) is None:
            known = ", ".join(self.list_commands(ctx))
            raise BadUsageError("no-such-command", command=args[0], known=known)
        return super().resolve_command(ctx, args)


def flag(*names: str, **settings: Any) -> Callable[[Any], Any]:
    """Declare an option."""
    return click.option(*names, cls=Flag, **settings)


def number(name: str, lowest: int, highest: int, **settings: Any) -> Callable[[Any], Any]:
    """Declare an option that is a whole number in a range."""

    def read(_ctx: click.Context, _param: click.Parameter, text: str | None) -> int | None:
        if text is None:
            return None
        # Longer texts are out of range anyway, and slow to read.
        if text.isascii() and text.isdigit() and len(text) < 20 and lowest <= int(text) <= highest:
            return int(text)
        raise BadOptionError("bad-number", flag=name, value=text, lowest=lowest, highest=highest)

    return flag(name, type=str, callback=read, **settings)


def seconds(name: str, lowest: float, highest: float, **settings: Any) -> Callable[[Any], Any]:
    """Declare an option that is a time in seconds."""

    def read(_ctx: click.Context, _param: click.Parameter, text: str) -> float:
        is_number = re.fullmatch(r"\d{1,9}(\.\d{1,9})?", text, re.ASCII)
        if is_number and lowest <= float(text) <= highest:
            return float(text)
        raise BadOptionError("bad-number", flag=name, value=text, lowest=lowest, highest=highest)

    return flag(name, type=str, callback=read, **settings)


def known_language(_ctx: click.Context, _param: click.Parameter, value: str | None) -> None:
    """Check the language, which `main` has read already."""
    if value is not None and value not in locale.LANGUAGES:
        raise BadOptionError("bad-language", value=value, known=", ".join(locale.LANGUAGES))


def show_help(ctx: click.Context, _param: click.Parameter, wanted: bool) -> None:
    """Show help before anything else."""
    if wanted:
        signs.echo(ctx.get_help())
        ctx.exit()


def everywhere(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of every command."""
    eager: dict[str, Any] = {"is_flag": True, "is_eager": True, "expose_value": False}
    command = flag("--help", "-h", callback=show_help, help="flag-help", **eager)(command)
    lang = flag(
        "--lang", callback=known_language, metavar="de|en", expose_value=False, help="flag-lang"
    )
    return lang(command)  # type: ignore[no-any-return]
