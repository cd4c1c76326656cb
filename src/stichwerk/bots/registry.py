"""Which bots exist, and under which names: ours, those of other packages, and programs.

A bot is named `NAME[-VERSION][@ITERATIONS]`, as in `random`, `random-1` or `tree-1@2000`, or
`program:COMMAND LINE`. Without a version the newest is meant. Old versions stay in the table and
play as they always did: results are measured against them.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any, Protocol, cast

from stichwerk.errors import BadSeedError, StichwerkError, UnknownBotError, shown

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from stichwerk.bots.advice import Advice
    from stichwerk.view import View

ENTRY_POINTS = "stichwerk.bots"
PROGRAM = "program:"
MOST_ITERATIONS = 100_000_000
KINDS = {
    "rule": "kind-rule",
    "search": "kind-search",
    "net": "kind-net",
    "style": "kind-style",
    "level": "kind-level",
    "character": "kind-character",
    "package": "kind-package",
}
"""The kinds of bots, each with the id of its label."""

# A name may have hyphens, but no part of it begins with a digit: `tree-2` is always a version.
_NAME = re.compile(r"[A-Za-z]\w*(?:-[A-Za-z]\w*)*", re.ASCII)
_REQUEST = re.compile(
    rf"(?P<name>{_NAME.pattern})(?:-(?P<version>\d{{1,9}}))?(?:@(?P<iterations>.*))?",
    re.ASCII | re.DOTALL,
)


class BadBotError(StichwerkError):
    """A bot that exists, but cannot be used like this."""


class Bot(Protocol):
    """Anything that picks one of the moves its view lists."""

    @property
    def name(self) -> str:
        """Its name in lists and tables."""

    @property
    def version(self) -> int:
        """Increases whenever it may choose another move in the same position."""

    def choose(self, view: "View") -> str:
        """Return a move for the seat of this view, which owes one."""


class Adviser(Bot, Protocol):
    """A bot that can also say why: all of ours; programs and bots of other packages need not."""

    def advise(self, view: "View") -> "Advice":
        """Return a move for the seat of this view, what the others are worth, and a reason."""


@dataclass(frozen=True)
class Listing:
    """One line of the registry. Its factory is imported when such a bot is first built."""

    name: str
    version: int
    kind: str
    source: str
    """`module:factory`; the factory takes a seed, the settings, and `iterations` if it says so."""
    iterations: bool = False
    settings: Mapping[str, object] = field(default_factory=dict)
    package: str | None = None
    """The package it comes from; None for ours."""
    summary: str = ""
    """The description by its package, in one line; ours are described by sentences."""

    @property
    def full_name(self) -> str:
        """The name that always means this version."""
        return f"{self.name}-{self.version}"

    @property
    def description(self) -> str:
        """The id of the sentence that describes one of our bots."""
        return f"bot-{self.name}"

    @property
    def factory(self) -> Callable[..., Bot]:
        """The factory that builds it."""
        return cast("Callable[..., Bot]", resolve_name(self.source))


# -- The table -------------------------------------------------------------------------------------


def _search(name: str, version: int = 1, **settings: object) -> Listing:
    """Return a search bot of this kind."""
    source = "stichwerk.bots.search:SearchBot"
    settings = {"name": name, "version": version, **settings}
    return Listing(name, version, "search", source, iterations=True, settings=settings)


def _master(name: str, version: int) -> Listing:
    """Return a version of master or grandmaster."""
    source, settings = f"stichwerk.bots.master:{name}", {"version": version}
    return Listing(name, version, "net", source, iterations=True, settings=settings)


def _level(name: str) -> list[Listing]:
    """Return the versions of a level."""
    source = f"stichwerk.bots.levels:{name}"
    return [
        Listing(name, version, "level", source, settings={"version": version}) for version in (1, 2)
    ]


BUILT_IN = (
    # name, version, kind, module:factory; iterations=True: `NAME@500` builds factory(seed,
    # iterations=500); settings={...}: keywords that the factory always gets.
    Listing("random", 1, "rule", "stichwerk.bots.random:RandomBot"),
    Listing("greedy", 1, "rule", "stichwerk.bots.greedy:GreedyBot", settings={"version": 1}),
    Listing("greedy", 2, "rule", "stichwerk.bots.greedy:GreedyBot", settings={"version": 2}),
    _search("chooser", plays="greedy", style="small", iterations=4000, points=True),
    _search("chooser", 2, plays="greedy", iterations=4000, points=True),
    _search("flat", plays="flat", style="small", effort=16, endgames=False),
    _search("tree", plays="tree", effort=16),
    # The versions are those of the weights; 0 is an early net, to be measured against.
    Listing("net", 0, "net", "stichwerk.bots.net:NetBot", settings={"version": 0}),
    Listing("net", 1, "net", "stichwerk.bots.net:NetBot", settings={"version": 1}),
    _master("master", 1),
    _master("master", 2),
    _master("master", 3),
    _master("grandmaster", 1),
    _master("grandmaster", 2),
    # Strangers: nothing of ours models how they play, so they show what a bot is really worth.
    _search("ismcts", plays="tree", style="none", endgames=False),
    Listing("highest", 1, "style", "stichwerk.bots.styles:highest"),
    Listing("lowest", 1, "style", "stichwerk.bots.styles:lowest"),
    Listing("hoarder", 1, "style", "stichwerk.bots.styles:hoarder"),
    Listing("moody", 1, "style", "stichwerk.bots.styles:moody"),
    *_level("easy"),
    *_level("medium"),
    *_level("hard"),
    *_level("expert"),
    Listing("rocco", 1, "character", "stichwerk.bots.characters:rocco"),
    Listing("tilda", 1, "character", "stichwerk.bots.characters:tilda"),
    Listing("zora", 1, "character", "stichwerk.bots.characters:zora"),
    Listing("otto", 1, "character", "stichwerk.bots.characters:otto"),
    Listing("luna", 1, "character", "stichwerk.bots.characters:luna"),
    Listing("kiki", 1, "character", "stichwerk.bots.characters:kiki"),
)

# By name, in the order of the table, each in its newest version.
BOTS: dict[str, Listing] = {
    name: max((one for one in BUILT_IN if one.name == name), key=lambda one: one.version)
    for name in dict.fromkeys(listing.name for listing in BUILT_IN)
}


# -- By name ---------------------------------------------------------------------------------------


def build(name: str, seed: int = 0) -> Bot:
    """Build a bot by its name; the same seed and the same views give the same moves."""
    if type(seed) is not int:
        raise BadSeedError("bad-bot-seed", seed=shown(seed))
    if isinstance(name, str) and name.startswith(PROGRAM):
        from stichwerk.bots.program import from_text

        return from_text(name, seed)
    listing, iterations = find(name)
    return built(listing, iterations, seed)


def built(listing: Listing, iterations: int | None, seed: int) -> Bot:
    """Build the bot of a listing."""
    settings = dict(listing.settings)
    if iterations is not None:
        settings["iterations"] = iterations
    return _made(listing, seed, settings)


def adviser(name: str, seed: int = 0) -> Adviser:
    """Build a bot by its name that can say why; refuse one that cannot."""
    bot = build(name, seed)
    if not callable(getattr(bot, "advise", None)):
        close(bot)
        raise BadBotError("bot-gives-no-hints", bot=name)
    return cast("Adviser", bot)


def best_bot(game: str) -> str:
    """Return the bot whose advice people get on this game: `master`, with more play-outs than when
    it plays itself, where a net helps it."""
    from stichwerk.bots import nets

    return "master@1200" if nets.has_net(game) else "expert"


def find(name: str) -> tuple[Listing, int | None]:
    """Return the listing that a name means, and the requested iterations."""
    request = _REQUEST.fullmatch(name) if isinstance(name, str) else None
    if request is None:
        raise _unknown(name)
    version = None if request["version"] is None else int(request["version"])
    listing = _listing(request["name"], version, name)
    if request["iterations"] is None:
        return listing, None
    return listing, _iterations(listing, request["iterations"])


def full_name(name: str) -> str:
    """Return a name with its version, as stored in results: `tree@500` becomes `tree-1@500`."""
    if name.startswith(PROGRAM):
        return name
    return full_name_of(*find(name))


def full_name_of(listing: Listing, iterations: int | None) -> str:
    """Return the name with version and iterations, as stored in results."""
    return listing.full_name if iterations is None else f"{listing.full_name}@{iterations}"


def close(bot: Bot) -> None:
    """Release what a bot holds, if anything, such as a program."""
    end = getattr(bot, "close", None)
    if end is not None:
        end()


def _listing(name: str, version: int | None, request: str) -> Listing:
    """Return ours, else that of another package: nobody can take one of our names."""
    newest = BOTS.get(name) or _from_package(_entry_point(name, request))
    if version is None or version == newest.version:
        return newest
    known = [listing for listing in BUILT_IN if listing.name == name] or [newest]
    for listing in known:
        if listing.version == version:
            return listing
    versions = ", ".join(str(listing.version) for listing in known)
    raise UnknownBotError("unknown-bot-version", bot=name, version=version, known=versions)


def _iterations(listing: Listing, text: str) -> int:
    if not listing.iterations:
        raise BadBotError("no-iterations", bot=listing.name, iterations=shown(text))
    digits = text.isascii() and text.isdigit() and len(text) < 20
    if not digits or not 1 <= int(text) <= MOST_ITERATIONS:
        raise BadBotError(
            "bad-iterations", bot=listing.name, iterations=shown(text), highest=MOST_ITERATIONS
        )
    return int(text)


def _made(listing: Listing, seed: int, settings: Mapping[str, object]) -> Bot:
    """Call the factory; if an external one fails, name its package."""
    if listing.package is None:
        return listing.factory(seed, **settings)
    try:
        bot = listing.factory(seed, **settings)
    except (Exception, SystemExit) as error:
        raise _broken(listing.name, listing.package, error) from error
    if not callable(getattr(bot, "choose", None)):
        missing = TypeError("no method `choose`")
        raise _broken(listing.name, listing.package, missing) from missing
    return bot


def _unknown(name: object) -> StichwerkError:
    for point in _all_entry_points():
        if point.name == name and (problem := _name_problem(point)):
            return problem
    known = [*BOTS, *sorted({point.name for point in entry_points()}), f"{PROGRAM}COMMAND"]
    return UnknownBotError("unknown-bot", bot=shown(name), known=", ".join(known))


# -- Bots of other packages ------------------------------------------------------------------------


def listings(
    describe: "Callable[[EntryPoint], Listing] | None" = None,
) -> Iterator[Listing | BadBotError]:
    """Yield every bot, ours first; in place of a broken one, its problem.

    `describe` describes one of another package; without it, the package is imported here.
    """
    yield from BUILT_IN
    points = sorted(_all_entry_points(), key=lambda point: (point.name, package_of(point)))
    for point in points:
        if problem := _name_problem(point):
            yield problem
    for name in sorted({point.name for point in points if not _name_problem(point)}):
        try:
            yield (describe or _from_package)(_entry_point(name, name))
        except BadBotError as error:
            yield error


def entry_point(name: str) -> "EntryPoint | None":
    """Return the entry point of an external bot; None for ours. Nothing is imported."""
    request = _REQUEST.fullmatch(name) if isinstance(name, str) else None
    if request is None:
        raise _unknown(name)
    return None if request["name"] in BOTS else _entry_point(request["name"], name)


def _all_entry_points() -> "Iterable[EntryPoint]":
    from importlib import metadata  # slow to import, and hardly ever needed

    return metadata.entry_points(group=ENTRY_POINTS)


def entry_points() -> list["EntryPoint"]:
    """Return what other packages add under valid names; nothing of theirs is imported yet."""
    return [point for point in _all_entry_points() if not _name_problem(point)]


def _name_problem(point: "EntryPoint") -> BadBotError | None:
    """Return why a bot cannot have this name."""
    facts = {"bot": shown(point.name), "package": package_of(point)}
    if point.name in BOTS:
        return BadBotError("bot-name-taken", **facts)
    if point.name == PROGRAM.removesuffix(":"):
        return BadBotError("bot-name-reserved", **facts)
    if not _NAME.fullmatch(point.name):
        return BadBotError("bad-bot-name", **facts)
    return None


def _entry_point(name: str, request: str) -> "EntryPoint":
    found = [point for point in entry_points() if point.name == name]
    if not found:
        raise _unknown(request)
    if len(found) > 1:
        packages = ", ".join(sorted(map(package_of, found)))
        raise BadBotError("bot-twice", bot=name, packages=packages)
    return found[0]


def _from_package(point: "EntryPoint") -> Listing:
    """Return the listing of an external bot; its factory is loaded, as it knows the version."""
    try:
        factory: Any = point.load()
        if not callable(factory):
            raise TypeError(f"{point.value} is not callable")
        version = getattr(factory, "version", 1)
        if type(version) is not int or version < 0:
            raise TypeError(f"version {shown(version)}")
    except (Exception, SystemExit) as error:  # an import may raise anything
        raise _broken(point.name, package_of(point), error) from error
    return Listing(
        name=point.name,
        version=version,
        kind="package",
        source=f"{point.module}:{point.attr}",
        iterations=getattr(factory, "takes_iterations", False) is True,
        package=package_of(point),
        summary=shown(factory.__doc__ or "", 500).strip().partition("\n")[0],
    )


def package_of(point: "EntryPoint") -> str:
    """Return the package that brings a bot."""
    return point.dist.name if point.dist else point.module


def _broken(name: str, package: str, error: BaseException) -> BadBotError:
    return BadBotError("broken-bot", bot=name, package=package, why=worded(error))


def worded(error: BaseException) -> str:
    """Return what was raised, in one line; for an unusable bot, the reason."""
    if isinstance(error, BadBotError) and "why" in error.data:
        return str(error.data["why"])
    kind, message = type(error).__name__, shown(error, 120)
    return f"{kind}: {message}" if message.strip() else kind
