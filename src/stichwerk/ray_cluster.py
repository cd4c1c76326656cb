"""The connection to a Ray cluster: deals of the arena and shards of a training are played there."""

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from stichwerk.errors import StichwerkError


class MissingRayError(StichwerkError):
    """Ray is not installed."""


@contextmanager
def connected_ray() -> Iterator[Any]:
    """Yield Ray, connected to the cluster this process knows or RAY_ADDRESS names, else a local
    one."""
    ray = import_ray()
    own = not ray.is_initialized()
    if own:
        quiet = {"include_dashboard": False, "log_to_driver": False}
        ray.init(logging_level=logging.ERROR, **quiet)
    try:
        yield ray
    finally:
        if own:
            ray.shutdown()


def import_ray() -> Any:
    """Import Ray, if it is installed, with its usage reports disabled."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        import ray
    except ImportError:
        raise MissingRayError("needs-extra", package="Ray", extra="ray") from None
    return ray


def results(ray: Any, tasks: list[Any]) -> list[Any]:
    """Return what tasks return, in their order; an error of ours is raised as what it was there."""
    try:
        found: list[Any] = ray.get(tasks)
    except ray.exceptions.RayTaskError as error:
        if isinstance(error.cause, StichwerkError):
            raise error.cause from None
        raise
    return found
