"""The commands of the table, each with its key and the letter to type for it."""

from collections.abc import Sequence
from typing import NamedTuple

from stichwerk.locale import text
from stichwerk.terminal.full.picture import Picture, beside, line, styled


class KeyCommand(NamedTuple):
    """A command: its action, key, letter, and the ids of its short and long name."""

    action: str
    key: str
    letter: str
    short: str
    long: str


COMMANDS = (
    KeyCommand("help", "f1", "h", "tui-key-help", "tui-do-help"),
    KeyCommand("hint", "f2", "t", "tui-key-hint", "tui-do-hint"),
    KeyCommand("last_trick", "f3", "l", "tui-key-last", "tui-do-last"),
    KeyCommand("scores", "f4", "s", "tui-key-scores", "tui-do-scores"),
    KeyCommand("rules", "f5", "r", "tui-key-rules", "tui-do-rules"),
    KeyCommand("log", "f6", "v", "tui-key-log", "tui-do-log"),
    KeyCommand("language", "f7", "x", "tui-key-language", "tui-do-language"),
    KeyCommand("pace", "f8", "z", "tui-key-pace", "tui-do-pace"),
    KeyCommand("save", "f9", "w", "tui-key-save", "tui-do-save"),
    KeyCommand("leave", "f10", "q", "tui-key-leave", "tui-do-leave"),
)
LETTERS = {command.letter: command.action for command in COMMANDS}
MENU = KeyCommand("menu", "escape", "", "tui-key-menu", "tui-do-menu")


FIRST_TO_GO = ("save", "pace", "log", "last_trick", "scores", "rules", "hint", "language", "help")
"""The order in which commands are dropped from a short bar; all of them stay in the menu."""


def key_bar(lang: str, width: int) -> Picture:
    """Return the last line of the screen: what the keys do, clickable as well."""
    commands = [MENU, *COMMANDS]
    for action in FIRST_TO_GO:
        if key_labels(commands, lang).width <= width:
            break
        commands = [command for command in commands if command.action != action]
    return key_labels(commands, lang)


def key_labels(commands: Sequence[KeyCommand], lang: str) -> Picture:
    """Return keys with what they do."""
    return beside([key_label(command, lang) for command in commands], 1)


def key_label(command: KeyCommand, lang: str) -> Picture:
    """Return one key."""
    name = "Esc" if command is MENU else command.key.upper()
    label = styled(name, "bold reverse").append(f" {text(command.short, lang)}")
    return line(label).named(f"command {command.action}")
