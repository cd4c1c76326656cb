"""Custom sheets, written by owners of the box in a folder of their own.

A data file, `*.toml`, takes the rule of one of our sheets with other symbols, rounds or texts. It
is data and runs no code. A Python file, `*.py`, contains a class of its own; the plain engine plays
it. In options and records such a sheet is `January@…`, with the SHA-256 of the file's bytes: it is
found by its content, and only in the folder that the environment variable `STICHWERK_SHEETS` names
(or that was given here as `folder`). See `docs/own-sheets.md`.
"""

import hashlib
import os
from copy import copy
from pathlib import Path
from typing import TYPE_CHECKING

from stichwerk.errors import BadFileError, BadOptionError, renamed
from stichwerk.games.stichtag.calendar import (
    SHEETS,
    sheets_of_date,
)
from stichwerk.games.stichtag.own_code import read_code
from stichwerk.games.stichtag.own_data import read_data
from stichwerk.games.stichtag.own_sheet import BadSheetError, OwnSheet

__all__ = ["BadSheetError", "OwnSheet", "find", "folder_named", "option_for", "own_sheets"]

VARIABLE = "STICHWERK_SHEETS"
OLD = "old"  # a folder in the folder: found by hash for old records, otherwise not offered
LARGEST_FILE = 1_000_000


_known: dict[str, OwnSheet] = {}  # by hash: no file is run twice


def folder_named(folder: str | os.PathLike[str] | None = None) -> Path | None:
    """Return the folder that was given, or that the environment variable names."""
    named = folder if folder is not None else os.environ.get(VARIABLE)
    return Path(named) if named else None


def own_sheets(folder: str | os.PathLike[str] | None = None) -> dict[str, OwnSheet]:
    """Return all custom sheets of the folder by the sheet they replace. This runs its Python
    files."""
    where = folder_named(folder)
    if where is None:
        return {}
    if not where.is_dir():
        raise BadFileError("own-sheets-no-folder", folder=str(where))
    found: dict[str, OwnSheet] = {}
    for path in _files(where):
        sheet = _load(path, _read(path))
        if sheet.name in found:
            other = found[sheet.name]
            raise BadSheetError(
                "own-sheet-same" if other.digest == sheet.digest else "own-sheet-twice",
                file=str(path),
                line=1,
                sheet=sheet.name,
                other=str(other.path),
            )
        found[sheet.name] = sheet
    return {name: found[name] for name in SHEETS if name in found}


def option_for(date: str, folder: str | os.PathLike[str] | None = None) -> list[str]:
    """Return the option `sheets` that puts all custom sheets of the folder in place of ours on this
    date."""
    mine = own_sheets(folder)
    return [mine[name].option for name in sheets_of_date(date) if name in mine]


def find(name: str, folder: str | os.PathLike[str] | None = None) -> OwnSheet:
    """Return the custom sheet that an option names, by its hash; no other file is run."""
    place, _, digest = name.partition("@")
    where = folder_named(folder)
    known = _known.get(digest)
    if known is None or not _holds(known.path, digest):
        known = None
        for path in (*_files(where), *_files(where / OLD)) if where else ():
            if _holds(path, digest):
                known = _load(path, _read(path))
                break
    if known is None:
        searched = VARIABLE if where is None else str(where)
        raise BadOptionError("own-sheet-missing", sheet=place, hash=digest, folder=searched)
    if known.name != place:
        raise BadOptionError(
            "own-sheet-elsewhere", sheet=place, file=str(known.path), name=known.name
        )
    return known


def _files(folder: Path) -> list[Path]:
    """Return the files of a folder that can be sheets, in the order of their names."""
    try:
        inside = sorted(folder.iterdir())
    except OSError:
        return []
    return [
        path
        for path in inside
        if path.suffix in (".toml", ".py") and path.name[0] not in "._" and path.is_file()
    ]


def _read(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            raw = file.read(LARGEST_FILE + 1)
    except OSError as error:
        why = error.strerror or type(error).__name__
        raise BadSheetError("own-sheet-unreadable", file=str(path), line=1, why=why) from None
    if len(raw) > LARGEST_FILE:
        raise BadSheetError("own-sheet-too-long", file=str(path), line=1, most=LARGEST_FILE)
    return raw


def _holds(path: Path, digest: str) -> bool:
    """Return whether this is the content of the file."""
    try:
        return hashlib.sha256(_read(path)).hexdigest() == digest
    except BadSheetError:
        return False


def _load(path: Path, raw: bytes) -> OwnSheet:
    """Read a sheet and check it, once."""
    digest = hashlib.sha256(raw).hexdigest()
    if digest not in _known:
        read = read_data if path.suffix == ".toml" else read_code
        _known[digest] = read(path, raw, digest)
    elif _known[digest].path != path:  # a copy of a file, or one that was moved
        _known[digest] = copy(_known[digest])
        _known[digest].path = path
    return _known[digest]


if not TYPE_CHECKING:  # names of earlier versions
    __getattr__ = renamed(__name__, {"BadSheet": "BadSheetError"})
