"""Names: one class name for one thing, and old public names still work."""

import ast
from collections import defaultdict
from importlib import import_module
from pathlib import Path

import pytest

import stichwerk
import tools
from stichwerk import errors

SOURCE = Path(stichwerk.__file__).parent
TOOLS = Path(tools.__file__ or "").parent

RENAMED = [
    ("stichwerk.record", "Place", "RecordPlace"),
    ("stichwerk.record", "BrokenRecord", "BrokenRecordError"),
    ("stichwerk.record", "UncheckableRecord", "UncheckableRecordError"),
    ("stichwerk.record", "told_again", "replay_with_moves"),
    ("stichwerk.bots.advice", "Grounds", "AdviceReason"),
    ("stichwerk.bots", "BadBot", "BadBotError"),
    ("stichwerk.envs", "BadAction", "BadActionError"),
    ("stichwerk.envs", "BadBatch", "BadBatchError"),
    ("stichwerk.envs", "NeedsExtra", "MissingExtraError"),
    ("stichwerk.envs.gym", "Seat", "SeatEnv"),
    ("stichwerk.envs.zoo", "Table", "TrickTakingEnv"),
    ("stichwerk.envs.zoo", "Together", "ParallelTrickTakingEnv"),
    ("stichwerk.games.stichtag.own", "BadSheet", "BadSheetError"),
]
RENAMED_ERRORS = [
    "BadCard",
    "BadOption",
    "BadSeats",
    "UnknownGame",
    "UnknownBot",
    "BadGame",
    "Contradiction",
    "IllegalMove",
    "BadRecord",
    "BadSeed",
    "BadDeal",
    "BadFile",
    "CannotPickle",
]


def test_no_two_top_level_classes_share_a_name() -> None:
    places: dict[str, list[str]] = defaultdict(list)
    for path in sorted([*SOURCE.rglob("*.py"), *TOOLS.rglob("*.py")]):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef):
                places[node.name].append(path.as_posix())
    assert {name: files for name, files in places.items() if len(files) > 1} == {}


@pytest.mark.parametrize(
    ("module", "old", "new"),
    [*RENAMED, *(("stichwerk.errors", name, f"{name}Error") for name in RENAMED_ERRORS)],
)
def test_an_old_public_name_works_with_a_warning(module: str, old: str, new: str) -> None:
    found = import_module(module)
    with pytest.warns(DeprecationWarning, match=f"{module}.{old} is now called {new}"):
        assert getattr(found, old) is getattr(found, new)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="NoSuchName"):
        getattr(errors, "NoSuchName")  # noqa: B009
