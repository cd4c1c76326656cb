"""Where deals are played: in this process, on the cores of this machine, or on a Ray cluster.

Each of them takes tasks and yields outcomes as they finish, in any order; the outcome of a deal is
the same everywhere. Only a few tasks run at a time, so that little is wasted when the sequential
test stops; a generator that is closed early abandons what it has not finished.
"""

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager, contextmanager, suppress
from multiprocessing.connection import Connection
from multiprocessing.synchronize import Lock
from typing import Any, TypeVar

from stichwerk import own_games
from stichwerk.arena.deals import ArenaError, Outcome, Plan, Task, play_deal
from stichwerk.bots.faults import BotFault, FaultBook, Listener
from stichwerk.bots.hosting import USUAL, Hosting
from stichwerk.ray_cluster import connected_ray, results

Play = Callable[[Iterable[Task]], Generator[Outcome, None, None]]
Handle = TypeVar("Handle")

LISTENING = 0.1  # seconds between two checks whether all is over
AHEAD = 2  # tasks per worker: one running and one waiting
SHEET_FOLDER = "STICHWERK_SHEETS"  # custom sheets are found by it, on a cluster too


def cores() -> int:
    """Return the number of cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


PLACES = ("local", "ray")


def workplace(
    where: str,
    plan: Plan,
    jobs: int | None,
    hosting: Hosting = USUAL,
    tell: Listener | None = None,
) -> AbstractContextManager[Play]:
    """Return the requested place; `jobs` deals at a time, as many as there are cores if None.

    Bots that are debugged in this process play one deal at a time, unless `jobs` is given. On this
    machine `tell` gets faults of bots as they happen; outcomes have them everywhere.
    """
    if where not in PLACES:
        raise ArenaError("arena-no-place", place=where, known=", ".join(PLACES))
    if where == "ray":
        return on_ray(plan, jobs, hosting)
    if jobs is None:
        jobs = 1 if hosting.in_process else cores()
    return here(plan, hosting, tell) if jobs == 1 else on_cores(plan, jobs, hosting, tell)


@contextmanager
def here(plan: Plan, hosting: Hosting = USUAL, tell: Listener | None = None) -> Iterator[Play]:
    """Play one deal after the other."""
    yield lambda tasks: (play_deal(plan, task, hosting, tell) for task in tasks)


# -- All cores -------------------------------------------------------------------------------------


@contextmanager
def on_cores(
    plan: Plan, jobs: int, hosting: Hosting = USUAL, tell: Listener | None = None
) -> Iterator[Play]:
    """Play in a process per core. They end with this process, however it ends."""
    context = multiprocessing.get_context("spawn")
    watched, held = context.Pipe(duplex=False)
    receiver, sender = context.Pipe(duplex=False)
    shared = (watched, sender, context.Lock())
    pool = ProcessPoolExecutor(jobs, context, initializer=start_worker, initargs=shared)

    def play(tasks: Iterable[Task]) -> Generator[Outcome, None, None]:
        def submit(task: Task) -> "Future[Outcome]":
            return pool.submit(play_and_report, plan, task, hosting)

        return under_way(tasks, AHEAD * jobs, submit, finished_futures)

    try:
        with forwarding_faults(receiver, tell):
            yield play
    except BrokenProcessPool:
        raise ArenaError("arena-worker-died") from None
    finally:
        held.close()  # workers that are still busy stop: nobody needs their results
        pool.shutdown(wait=True, cancel_futures=True)
        watched.close()
        sender.close()


@contextmanager
def forwarding_faults(receiver: Connection, tell: Listener | None) -> Iterator[None]:
    """Forward the faults that workers report while they play."""
    over = threading.Event()

    def listen() -> None:
        with suppress(EOFError, OSError):  # all workers are gone
            while not over.is_set():
                if receiver.poll(LISTENING):
                    fault = receiver.recv()
                    if tell is not None:
                        tell(fault)
        receiver.close()

    listener = threading.Thread(target=listen, daemon=True)
    listener.start()
    try:
        yield
    finally:
        over.set()
        listener.join(2 * LISTENING)


_fault_reporters: list[Listener] = []  # of a worker


def play_and_report(plan: Plan, task: Task, hosting: Hosting) -> Outcome:
    """Play a deal in a worker, and report faults to the main process."""
    return play_deal(plan, task, hosting, _fault_reporters[0])


def start_worker(watched: Connection, sender: Connection, lock: Lock) -> None:
    """Ignore Ctrl-C, which is for the parent process, and end when the parent is gone."""

    def tell(fault: BotFault) -> None:
        with lock:
            sender.send(fault)

    _fault_reporters[:] = [FaultBook(tell).note]  # one fault of each kind is enough for a whole run
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    own_games.load()
    threading.Thread(target=exit_with_parent, args=(watched,), daemon=True).start()


def exit_with_parent(watched: Connection) -> None:
    """End at once when the other side of the pipe is closed, on purpose or because it died."""
    try:
        watched.recv()
    except (EOFError, OSError):
        os._exit(0)


def finished_futures(
    running: Sequence["Future[Outcome]"],
) -> tuple[list[Outcome], list["Future[Outcome]"]]:
    """Wait for results; return what is finished and what still runs."""
    done = wait(running, return_when=FIRST_COMPLETED).done
    results = [future.result() for future in running if future in done]
    return results, [future for future in running if future not in done]


def under_way(
    tasks: Iterable[Task],
    most: int,
    submit: Callable[[Task], Handle],
    finished: Callable[[Sequence[Handle]], tuple[list[Outcome], list[Handle]]],
) -> Generator[Outcome, None, None]:
    """Keep this many tasks running. What still runs when the caller stops ends with its place."""
    running: list[Handle] = []
    for task in tasks:
        running.append(submit(task))
        while len(running) >= most:
            outcomes, running = finished(running)
            yield from outcomes
    while running:
        outcomes, running = finished(running)
        yield from outcomes


# -- A Ray cluster ---------------------------------------------------------------------------------


@contextmanager
def on_ray(plan: Plan, jobs: int | None, hosting: Hosting = USUAL) -> Iterator[Play]:
    """Play on the cluster this process is connected to or RAY_ADDRESS names, else a local one.

    Every node needs the same version of Stichwerk. A deal that is lost with its node is played
    again elsewhere, with the same outcome. Deals that nobody needs any more are played to their end
    or end with the connection: `ray.cancel` ends this process when the task completes meanwhile.
    """
    with connected_ray() as ray:
        remote = ray.remote(play_remotely).options(scheduling_strategy="SPREAD")
        folder = os.environ.get(SHEET_FOLDER)
        jobs = int(ray.cluster_resources().get("CPU", 1)) if jobs is None else jobs
        most = AHEAD * jobs

        def finished(running: Sequence[Any]) -> tuple[list[Outcome], list[Any]]:
            done, rest = ray.wait(list(running), num_returns=1)
            return results(ray, done), rest

        def submit(task: Task) -> Any:
            return remote.remote(plan, task, folder, hosting)

        def play(tasks: Iterable[Task]) -> Generator[Outcome, None, None]:
            return under_way(tasks, most, submit, finished)

        yield play


def play_remotely(plan: Plan, task: Task, folder: str | None, hosting: Hosting = USUAL) -> Outcome:
    """Play a deal on a node of the cluster, if it has the requested version."""
    from stichwerk import __version__

    if plan.version != __version__:
        raise ArenaError("arena-other-version", here=plan.version, there=__version__)
    if folder is not None:
        os.environ[SHEET_FOLDER] = folder
    return play_deal(plan, task, hosting)
