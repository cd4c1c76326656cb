"""The content of the pages over the table: rules, scores, log, last trick, the end of a round and
of a match. Functions of the view and the language."""

from collections.abc import Iterable, Iterator

from rich.text import Text

from stichwerk import narration, outlook
from stichwerk.games.stichtag.yearbook import day_rules
from stichwerk.locale import rules_text, text, without_links
from stichwerk.outlook.structs import Situation
from stichwerk.server import wire
from stichwerk.terminal import day, table
from stichwerk.terminal.event_text import event_lines
from stichwerk.terminal.full.game_board import with_sign
from stichwerk.terminal.full.keys import COMMANDS
from stichwerk.terminal.full.picture import painted
from stichwerk.terminal.looking_back import lacks_cards, why_closed
from stichwerk.view import View


def joined(lines: Iterable[str | Text]) -> Text:
    """Join lines into one text, with cards in their colours."""
    shown = [painted(line) if isinstance(line, str) else line for line in lines]
    return Text("\n").join(shown)


# -- Rules -----------------------------------------------------------------------------------------


def rules_page(view: View, lang: str) -> str:
    """Return the rule that applies now, then the rules of the game or the day, as Markdown."""
    moment = "" if lacks_cards(view) else moment_rules(outlook.situation(view, lang))
    return f"{moment}\n\n{whole_rules(view, lang)}".strip()


def moment_rules(moment: Situation) -> str:
    """Return what applies now, in a frame of its own."""
    if not moment.sentences:
        return ""
    lines = [f"**{moment.heading}**", *moment.sentences]
    if moment.section:
        lines.append(f"*→ {moment.section}*")
    return "\n>\n".join(f"> {line}" for line in lines)


def whole_rules(view: View, lang: str) -> str:
    """Return all rules, if there is a text."""
    sheets = day.sheets_today(view.game, view.options)
    if sheets:
        date = view.options["date"]
        return day_rules(
            sheets, lang, view.seats, date if isinstance(date, str) else None, view.rules
        )
    try:
        return without_links(rules_text(view.game, lang))
    except LookupError:
        return text("no-rules", lang, game=view.game)


# -- Scores ----------------------------------------------------------------------------------------


def scores_page(view: View, lang: str) -> Text:
    """Return all rounds and totals, and how the points of the last round came about."""
    lines = list(table.sheet_lines(view, lang))
    if view.scores:
        lines += ["", text("tui-how-scored", lang, round=len(view.scores))]
        lines += tally_lines(view, len(view.scores), lang)
    return joined(lines)


def tally_lines(view: View, round: int, lang: str) -> Iterator[str]:
    """Yield how the points of a round came about, one line per seat."""
    for tally in outlook.tally(view, round, lang):
        items = " · ".join(f"{item.text} {with_sign(item.points)}" for item in tally.items)
        yield f"{table.own_name(view, tally.seat, lang)} {narration.signed(tally.points)}: {items}"


def match_page(view: View, lang: str) -> Text:
    """Return the end of a match: ranking first, then score sheet and last round."""
    lines: list[str | Text] = [*table.ranking_lines(view, lang)]
    lines[-1] = Text(str(lines[-1]), "bold")
    return joined([*lines, "", *scores_page(view, lang).split("\n")])


# -- Log, last trick, help -------------------------------------------------------------------------


def log_page(
    view: View, lang: str, notices: Iterable[str] = (), memory: wire.Memory = "open"
) -> Text:
    """Return everything that happened; of put-away tricks what the table allows."""
    closed = why_closed(view, memory, lang)
    lines = event_lines(view, 0, lang, memory)
    return joined([*lines, *notices, *(["", closed] if closed else [])])


def last_trick_page(view: View, lang: str, memory: wire.Memory = "open") -> Text:
    """Return who played what to the last trick, and who took it."""
    return joined([table.last_trick_line(view, lang, memory)])


def help_page(lang: str, shared: bool = False) -> Text:
    """Return help on keys, mouse and typed moves, and on the additional commands of a web table."""
    lines = [text("tui-help", lang), ""]
    for command in COMMANDS:
        lines.append(f"  {command.key.upper():<4} {command.letter:<2} {text(command.long, lang)}")
    lines += ["", text("tui-help-moves", lang)]
    return joined([*lines, "", text("help-table", lang)] if shared else lines)
