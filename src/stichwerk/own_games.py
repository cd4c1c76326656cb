"""Custom games at the tables: Python files that register them (`games/registry.py`).

The person who runs the server names them with `stichwerk serve --game FILE`; nobody else can. Other
commands take the file in place of a name: `stichwerk play FILE`. Bot processes must know the same
games: they get them from the environment.
"""

import os
import sys
from collections.abc import Sequence
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from inspect import cleandoc
from pathlib import Path
from types import CodeType

from stichwerk.errors import BadFileError, StichwerkError
from stichwerk.games import registry

VARIABLE = "STICHWERK_GAMES"

_registered: dict[str, str] = {}  # the first game of each file that was read, by its path


class UncachedLoader(SourceFileLoader):
    """Compiles a file whenever it is loaded.

    Python keeps compiled files and tells them apart by size and second: someone who changes a game
    twice in a second would play the old one.
    """

    def get_code(self, fullname: str) -> CodeType:
        return self.source_to_code(self.get_data(self.path), self.path)


def use(files: Sequence[str]) -> None:
    """Load these games, besides those of the environment, here and in all workers."""
    named = [
        *os.environ.get(VARIABLE, "").split(os.pathsep),
        *(str(Path(it).resolve()) for it in files),
    ]
    wanted = [file for file in dict.fromkeys(named) if file]
    if wanted:
        os.environ[VARIABLE] = os.pathsep.join(wanted)
    load()


def named(game: str) -> str:
    """Return the name of a game; a custom one may be given as its file, which is loaded."""
    if not game.endswith(".py"):
        return game
    use([game])
    return _registered[str(Path(game).resolve())]


def rules_text(game: str) -> str:
    """Return the rules of a custom game as Markdown: the docstring of its file or class."""
    made = registry.kind(game)
    module = sys.modules.get(made.__module__)
    docstring = getattr(module, "__doc__", None) or getattr(made, "__doc__", None)
    return f"# {game}\n\n{cleandoc(docstring)}\n" if docstring else ""


def load() -> None:
    """Load the files that the environment names; each only once."""
    for file in filter(None, os.environ.get(VARIABLE, "").split(os.pathsep)):
        path = Path(file).resolve()
        name = f"stichwerk_own_{path.stem}"
        if name not in sys.modules:
            _read(path, name)
        elif sys.modules[name].__file__ != str(path):
            raise BadFileError(
                "game-file-same-name", file=str(path), other=sys.modules[name].__file__
            )


def _read(file: Path, name: str) -> None:
    """Run a file, which registers its game."""
    if not file.is_file():
        raise BadFileError("no-such-file", file=str(file))
    loader = UncachedLoader(name, str(file))
    spec = spec_from_loader(name, loader)
    if spec is None or file.suffix != ".py":
        raise BadFileError("game-file-broken", file=str(file), why="no Python file")
    module = module_from_spec(spec)
    sys.modules[name] = module
    known = set(registry.GAMES)
    try:
        loader.exec_module(module)
    except Exception as error:
        del sys.modules[name]
        why = error if isinstance(error, StichwerkError) else f"{error!r}"
        raise BadFileError("game-file-broken", file=str(file), why=why) from error
    new = [game for game in registry.GAMES if game not in known]
    if not new:
        del sys.modules[name]
        raise BadFileError("game-file-no-game", file=str(file))
    _registered[str(file)] = new[0]
    for game in new:  # another process that unpickles a match loads the file, too
        registry.LOADED_BY[game] = (use, ([str(file)],))
