"""One description per game: what the rest of Stichwerk needs to know besides the rules.

Bots, outlook, terminal, environments, server and page ask `GameDescription` instead of comparing
names. Every field has a default, so a game without a description works everywhere. Code of higher
layers is named, not imported: `"module:attribute"`, or `"file.py:attribute"` beside the description
of a custom game. `load` imports it on demand.
"""

import sys
from functools import lru_cache
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any, Literal

import msgspec

from stichwerk.games.options import Value

MEDIUM_SLIPS = 35


# -- Parts of a description ------------------------------------------------------------------------


class Moment(msgspec.Struct, frozen=True):
    """A kind of decision: the section of the rules (its English heading), the ids of the sentences
    that explain the rule, and the id of what the seat is asked to do."""

    section: str
    sentences: tuple[str, ...]
    heading: str = "do-choose"


class Variant(msgspec.Struct, frozen=True):
    """Another sentence for the rule where an option has this value."""

    option: str
    value: Value
    sentence: str


class Form(msgspec.Struct, frozen=True):
    """A form of moves: a pattern, and an example."""

    pattern: str
    example: str
    meaning: str


class Phase(msgspec.Struct, frozen=True, kw_only=True):
    """A phase of a round. `entry`: where a record stores its moves. `where`: the sheets that have
    it; none: always."""

    meaning: str
    forms: tuple[Form, ...]
    entry: str = "plays"
    secret: bool = False
    where: tuple[str, ...] = ()


class Key(msgspec.Struct, frozen=True):
    """A key of `view.table` or `view.mine`: the type of its value, and the sheets that add it."""

    type: Any
    meaning: str
    where: tuple[str, ...] = ()


class Reference(msgspec.Struct, frozen=True, kw_only=True):
    """What a game adds to the reference of events and views (`stichwerk.reference`).

    `events`: kinds that not all games have. `facts`: by kind, facts that only some games give.
    `absent`: by kind, facts that this game sometimes omits.
    """

    phases: dict[str, Phase]
    table: dict[str, Key] = {}
    mine: dict[str, Key] = {}
    events: tuple[str, ...] = ()
    facts: dict[str, tuple[str, ...]] = {}
    absent: dict[str, tuple[str, ...]] = {}


class Ladder(msgspec.Struct, frozen=True, kw_only=True):
    """The contests of a game on the ladder of bots (`arena/ladder.py`): its position on the page,
    the win shares that tactics and search should reach, those of `master` against `expert-1`,
    `ismcts` and `greedy-1`, how many iterations of `ismcts` take about as long as a move of
    `expert-1`, and how many deals each part gets."""

    place: int
    greedy: float
    flat: float
    master: tuple[float, float, float]
    ismcts: int
    deals: dict[str, int]


class Trials(msgspec.Struct, frozen=True, kw_only=True):
    """How bots and speed are measured on a game.

    `unit`: what one deal of the arena is. `positions`: matches from which the bench of positions
    takes its decisions, as seats, options and how many decisions. `ending_cards`: cards in the
    largest hand of an endgame. `only_hands_hidden`: nothing but hands is hidden, with no stock and
    no secret choice during play. `self_test`: options that `doctor` plays besides the default ones.
    `ladder`: contests between bots; None: not on the ladder. `speed`: how many times as fast as
    Hearts in OpenSpiel.
    """

    unit: Literal["round", "match"] = "round"
    positions: tuple[tuple[int, dict[str, Value], int], ...] = ()
    ending_cards: int = 3
    only_hands_hidden: bool = False
    self_test: tuple[dict[str, Value], ...] = ()
    ladder: Ladder | None = None
    speed: float | None = None


class Training(msgspec.Struct, frozen=True, kw_only=True):
    """How the net of a game is trained (`stichwerk.training`).

    `tables`: seats, options and how often they are played, the first one for measuring. `hidden`,
    `second`: units of the two layers.
    """

    tables: tuple[tuple[int, dict[str, Value], float], ...]
    hidden: int = 96
    second: int = 32


class Spaces(msgspec.Struct, frozen=True, kw_only=True):
    """The spaces of the environments: kinds of actions, and blocks of an observation besides those
    of all games, by name (`envs/spec.py`, `envs/blocks.py`)."""

    actions: tuple[str, ...]
    blocks: tuple[str, ...]


# -- The description -------------------------------------------------------------------------------


class GameDescription(msgspec.Struct, frozen=True, kw_only=True):
    """A game for everything but the rules.

    People:
    `authors`; `minutes`: how long a match takes with the default options, from and to;
    `first_choice`: shown first to people who have not chosen a game yet.

    Table:
    `hides_score`: the rules hide the scores until a round is over; `counts`: whether a point in a
    round is identified by its trick or by the seat's card; `places`: how many tricks can be open at
    once; `calendar`: a date and calendar sheets change the rules.

    Texts (ids of sentences):
    `prompts`: by phase, the sentence with which the line terminal asks for a move, with `{example}`
    (a calendar sheet has its own, `questions`); `revealed` introduces secret choices that are
    shown; `events`: by kind of event, the sentence that replaces the default, with `{name}`,
    `{cards}` and `{count}` (and `you-…`, if there is such a sentence, about the reader); `moments`
    and `variants` explain the rule that applies now.

    Code (`"module:attribute"`):
    `tactics` and `small_tactics` (`engine.tactics.Tactics`), `features` (what a net sees,
    `bots.nets.features.Features`; `training` says how it learns), `search_share` (of the usual
    play-outs of `master`: fewer where they are long), `reasons` (a function of position and move),
    `contrast` (a function of what two moves lead to, `bots.reasons.contrast`), `outlook`
    (`outlook.game_outlook.GameOutlook`), `lines` (`terminal.lines.TableLines`: the table in lines),
    `drawer` (`terminal.full.game_board.GameBoard`: full-screen), `narrators` (by kind of event a
    function of event and `narration.Reader`, for the game's own kinds).

    Files:
    `page`: the folder of the page's components, below `frontend/src/games`; `lesson`: a script,
    below `lessons/scripts` or `folder`; `folder`: of a custom game, with its texts
    (`texts.de.json`, `texts.en.json`), its rules (`rules.de.md`, `rules.en.md`) and its code.
    """

    rules: Any
    authors: tuple[str, ...] = ()
    minutes: tuple[int, int] = (20, 40)
    first_choice: bool = False

    hides_score: bool = False
    counts: Literal["trick", "card"] = "trick"
    places: int | None = None
    calendar: bool = False

    prompts: dict[str, str] = {}
    revealed: str = "chosen"
    events: dict[str, str] = {}
    moments: dict[str, Moment] = {}
    variants: dict[str, Variant] = {}

    tactics: str = ""
    small_tactics: str = ""
    features: str = ""
    training: Training | None = None
    reasons: str = ""
    contrast: str = ""
    medium_slips: int = MEDIUM_SLIPS
    search_share: float = 1.0
    outlook: str = ""
    drawer: str = ""
    lines: str = ""
    narrators: str = ""

    page: str = "generic"
    lesson: str = ""
    folder: Path | None = None

    spaces: Spaces | None = None
    trials: Trials = Trials()
    reference: Reference | None = None

    @property
    def name(self) -> str:
        """Its name in records and commands."""
        name: str = self.rules.name
        return name

    @property
    def open_tricks(self) -> int:
        """How many tricks can be open at once; the rules class may define it, too."""
        return self.places or int(getattr(self.rules, "places", 1))

    def load(self, reference: str) -> Any:
        """Return what a field of this description names."""
        module, name = self.parts_of(reference)
        return getattr(import_module(module), name)

    def parts_of(self, reference: str) -> tuple[str, str]:
        """Return module and attribute of a reference; a file beside the description is imported."""
        place, _, name = reference.partition(":")
        if place.endswith(".py") and self.folder is not None:
            return import_file(self.folder / place), name
        return place, name


@lru_cache(maxsize=64)
def import_file(path: Path) -> str:
    """Import a file that belongs to no package; return the name of its module."""
    name = f"stichwerk_own_{path.parent.name}_{path.stem}"
    spec = spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ImportError(name, path=str(path))
    module = module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return name


OVER = Phase(meaning="The match is over; nobody is asked.", forms=(), entry="")
CARD = r"[RYGBLS]\d{1,2}"
ONE_CARD = Form(CARD, "G8", "the card")
SEAT_NUMBER = r"[0-5]"
