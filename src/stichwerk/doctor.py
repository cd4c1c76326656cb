"""Check this installation: which engine runs, and does every game play and verify?"""

import platform
import sys

from stichwerk import __version__, bots
from stichwerk.engine import frame
from stichwerk.games import registry
from stichwerk.match import Setting
from stichwerk.record import Verdict, record, verify


def version() -> str:
    """Return our version."""
    return __version__


def python() -> str:
    """Return which Python runs, and where it is."""
    return f"{platform.python_implementation()} {platform.python_version()} ({sys.executable})"


def compiled() -> bool:
    """Return whether the engine runs compiled; plain Python plays the same, slower."""
    return not (frame.__file__ or "").endswith(".py")


def engine_file() -> str:
    """Return where the engine was loaded from."""
    return frame.__file__ or "?"


def self_test(game: str) -> Verdict:
    """Play matches between random bots and verify their records; return the first that fails,
    or else that of the first."""
    others = registry.info_of(game).trials.self_test  # with extra choices and draws
    verdicts = [trial(Setting(game, registry.USUAL_SEATS, dict(it))) for it in ({}, *others)]
    return next((verdict for verdict in verdicts if verdict.status != "holds"), verdicts[0])


def trial(setting: Setting) -> Verdict:
    """Play one match and verify its record."""
    match = setting.new(seed=1)
    bot = bots.build("random", 1)
    while match.waiting_for:
        seat = match.waiting_for[0]
        match.play(seat, bot.choose(match.view(seat)))
    return verify(record(match))
