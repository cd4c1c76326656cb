"""How fast environments step, compared with PettingZoo's RLCard games, RLCard and Pgx in one run.

Everything runs on one core and one thread, and time is processor time, so that other users of the
machine do not matter. A move is one action of one player, chosen at random among the legal
ones by means of the environment's own mask or list, with everything it needs: masks, observations
where said, and a new game where one ends. Each figure is taken several times, ours and theirs
in turn, and the best counts. What is compiled at first use is compiled before it is measured.
"""

import json
import os
import platform
import random
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from io import StringIO
from pathlib import Path
from typing import Any

from stichwerk.engine import frame
from stichwerk.envs.batch import Batch, numpy
from stichwerk.envs.spec import Spec
from stichwerk.games import registry

GOAL = 2_000_000  # moves per second of Sticheln with masks, on one core
GAME = "sticheln"  # measured most thoroughly
SIZES = (1, 64, 1024, 4096)
SIZE = 1024  # of the games beside Sticheln
SECONDS = 0.4  # of one sample
COMPILED_STEPS = 20_000  # moves in one call of Pgx, at least
PEERS = {"pettingzoo": "PettingZoo", "rlcard": "RLCard", "pgx": "Pgx", "jax": "JAX"}
POKER = ("leduc_holdem_v4", "texas_holdem_v4", "texas_holdem_no_limit_v6")
CARDS = ("bridge", "gin-rummy")
PGX = {"kuhn_poker": SIZES, "leduc_holdem": SIZES, "bridge_bidding": (SIZE,)}
DIFFERENCES = (
    "The games are not the same. Ours are trick-taking games of four with 48 to 65 cards and "
    "rounds of 48 to 60 moves. Leduc hold'em has 6 cards, Kuhn poker 3, and a game of either, or "
    "of Texas hold'em, is over after a few bids; of bridge Pgx has the bidding alone, without a "
    "card being played.",
    "PettingZoo and RLCard step one match at a time in Python; `last()`, the mask and the step are "
    "counted. Pgx steps whole batches inside one compiled call, choice of actions included; our "
    "batch is called from Python once for each step of all matches.",
    "Pgx computes masks and observations with every step; so do PettingZoo and RLCard. Ours are "
    "told apart.",
    "Pgx is made for accelerators; here it runs on one core, as everything else. Its bridge takes "
    "its deals from the sample of 100 that comes with it, since its tables must be downloaded.",
)

Sample = Callable[[float], float]  # seconds -> moves per second


def measure(
    repeats: int = 3,
    progress: Callable[[str], None] = lambda _: None,
    seconds: float | None = None,
) -> dict[str, Any]:
    """Return all figures by their names, in moves per second."""
    with one_core() as core:
        samples = dict(all_samples(progress))
        best: dict[tuple[str, ...], float] = {}
        for at in range(repeats):
            for name, sample in samples.items():
                progress(f"{at + 1}/{repeats} {' '.join(name)}")
                best[name] = max(best.get(name, 0.0), sample(seconds or SECONDS))
    found: dict[str, Any] = {}
    for (who, *rest), rate in best.items():
        found.setdefault(who, {})[" ".join(rest)] = round(rate)
    goal = best["stichwerk", GAME, "masks", str(SIZE)]
    return {
        "machine": {"python": platform.python_version(), "processor": platform.machine()},
        "engine": "plain Python" if plain() else "compiled",
        "core": core,
        "repeats": repeats,
        "versions": {name: installed(package) for package, name in PEERS.items()},
        "goal": {"moves_per_second": GOAL, "reached": round(goal)},
        "moves_per_second": found,
        "differences": DIFFERENCES,
    }


@contextmanager
def one_core() -> Iterator[int | None]:
    """Restrict us to one core and one thread; return the core, if the system can tell."""
    os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false"  # read when JAX is imported
    os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    if not hasattr(os, "sched_setaffinity"):
        yield None
        return
    usual = os.sched_getaffinity(0)
    core = max(usual)
    os.sched_setaffinity(0, {core})
    try:
        yield core
    finally:
        os.sched_setaffinity(0, usual)


def plain() -> bool:
    """Return whether our engine runs uncompiled."""
    return frame.__file__.endswith(".py")


def installed(package: str) -> str | None:
    """Return the version of a peer; None if it is not installed."""
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def absent() -> list[str]:
    """Return the peers that are not installed."""
    return [name for package, name in PEERS.items() if installed(package) is None]


def all_samples(progress: Callable[[str], None]) -> Iterator[tuple[tuple[str, ...], Sample]]:
    """Yield what is measured: whose, which game, how."""
    yield from ours()
    if installed("pettingzoo"):
        yield ("our PettingZoo adapter", GAME), zoo_sample(GAME)
    if installed("pettingzoo") and installed("rlcard"):
        for name in POKER:
            yield ("PettingZoo", name), petting_sample(name)
    if installed("rlcard"):
        for name in CARDS:
            yield ("RLCard", name), rlcard_sample(name)
    if installed("pgx") and installed("jax"):
        for name, sizes in PGX.items():
            for size in sizes:
                progress(f"Pgx compiles {name} {size}")
                yield ("Pgx", name, str(size)), Pgx(name, size).sample


def timed(step: Callable[[], int], seconds: float) -> float:
    """Return the moves per second of a step function, by processor time."""
    moves, begin = 0, time.process_time()
    while (spent := time.process_time() - begin) < seconds:
        moves += step()
    return moves / spent


# -- Ours ------------------------------------------------------------------------------------------


def ours() -> Iterator[tuple[tuple[str, ...], Sample]]:
    """Yield one game in batches of all sizes, the others in one; with and without observations."""
    for what in ("masks", "masks+observations"):
        for name in registry.GAMES:
            for size in SIZES if name == GAME else (SIZE,):
                yield ("stichwerk", name, what, str(size)), batch_sample(name, size, "+" in what)


def batch_sample(game: str, size: int, observations: bool) -> Sample:
    """Return a sample of a batch of four seats stepped at random."""
    batch = Batch(Spec(game, 4), size, observations=observations)
    chosen = numpy().empty(size, numpy().int32)
    often = 1 if plain() else max(1, 4096 // size)

    def step() -> int:
        for _ in range(often):
            batch.random_actions(chosen)
            batch.step(chosen)
        return often * size

    return lambda seconds: timed(step, seconds)


def zoo_sample(game: str) -> Sample:
    """Sample our own PettingZoo environment, with its wrappers as `env` gives it."""
    from stichwerk.envs import zoo

    return aec_sample(zoo.env(game))


# -- Theirs ----------------------------------------------------------------------------------------


def aec_sample(table: Any) -> Sample:
    """Return a sample of a PettingZoo environment stepped at random by its mask."""
    np, rng = numpy(), random.Random(1)
    table.reset(seed=1)

    def step() -> int:
        seen, _, terminated, truncated, _ = table.last()
        if terminated or truncated:
            table.reset()
            return 0
        mask = seen["action_mask"] if "action_mask" in seen else table.infos["action_mask"]
        legal = np.flatnonzero(mask)
        table.step(int(legal[int(rng.random() * len(legal))]))
        return 1

    return lambda seconds: timed(step, seconds)


def petting_sample(name: str) -> Sample:
    """Return a sample of one of PettingZoo's RLCard games."""
    with warnings.catch_warnings():  # about pygame, and about its own spaces
        warnings.simplefilter("ignore")
        table = import_module(f"pettingzoo.classic.{name}").env()
        return aec_sample(table)


def rlcard_sample(name: str) -> Sample:
    """Return a sample of a game of RLCard itself."""
    table, rng = import_module("rlcard").make(name, config={"seed": 1}), random.Random(1)
    seen = table.reset()[0]

    def step() -> int:
        nonlocal seen
        if table.is_over():
            seen = table.reset()[0]
        legal = list(seen["legal_actions"])
        seen = table.step(legal[int(rng.random() * len(legal))])[0]
        return 1

    return lambda seconds: timed(step, seconds)


class Pgx:
    """A game of Pgx: many steps of a whole batch in one compiled call, with new games where one
    ends."""

    def __init__(self, name: str, size: int) -> None:
        jax: Any = import_module("jax")
        game = self.game(name)
        again = import_module("pgx.experimental").auto_reset
        step = jax.vmap(again(game.step, game.init))
        self.moves = max(8, COMPILED_STEPS // size) * size

        def one(carry: Any, _: Any) -> Any:
            state, key = carry
            key, choosing, dealing = jax.random.split(key, 3)
            weights = jax.numpy.where(state.legal_action_mask, 0.0, -jax.numpy.inf)
            actions = jax.random.categorical(choosing, weights, axis=-1)
            return (step(state, actions, jax.random.split(dealing, size)), key), None

        self.run = jax.jit(lambda carry: jax.lax.scan(one, carry, None, self.moves // size)[0])
        self.wait = jax.block_until_ready
        key = jax.random.PRNGKey(1)
        self.carry = self.run((jax.vmap(game.init)(jax.random.split(key, size)), key))
        self.wait(self.carry)  # compiles now

    @staticmethod
    def game(name: str) -> Any:
        """Return the environment; bridge with the deals that come with it."""
        if name != "bridge_bidding":
            return import_module("pgx").make(name)
        bridge = import_module("pgx.bridge_bidding")
        with tempfile.TemporaryDirectory() as folder, redirect_stderr(StringIO()):
            table = Path(folder, "deals.npy")
            numpy().save(table, bridge._load_sample_hash())
            return bridge.BridgeBidding(str(table))

    def sample(self, seconds: float) -> float:
        """Make whole calls until the time is spent."""

        def step() -> int:
            self.carry = self.run(self.carry)
            self.wait(self.carry)
            return self.moves

        return timed(step, seconds)


# -- Reporting -------------------------------------------------------------------------------------


def lines(report: dict[str, Any]) -> list[str]:
    """Return the report as lines for people."""
    goal = report["goal"]
    report_lines = [
        f"{report['engine']}, Python {report['machine']['python']}, one core, best of "
        f"{report['repeats']}; moves/s",
        f"  goal: {goal['moves_per_second'] / 1e6:.0f} M, Sticheln with masks, batches of {SIZE}: "
        f"{goal['reached'] / 1e6:.2f} M",
    ]
    for who, rates in report["moves_per_second"].items():
        report_lines.append(f"{who} {report['versions'].get(who) or ''}".rstrip())
        report_lines += [f"  {name:<38}{rate:>12,}" for name, rate in rates.items()]
    report_lines += [f"- {difference}" for difference in report["differences"]]
    lost = [name for name, found in report["versions"].items() if found is None]
    if lost:
        report_lines.append(f"Not installed: {', '.join(lost)}: pip install 'stichwerk[peers]'")
    return report_lines


def run(as_json: bool, repeats: int, progress: Callable[[str], None] = lambda _: None) -> str:
    """Measure, and print as JSON or for people."""
    report = measure(repeats, progress)
    return json.dumps(report, indent=2) if as_json else "\n".join(lines(report))
