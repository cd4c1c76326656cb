"""Refusals of requests at a table.

A refusal has a stable id and the facts; its sentences are in `locale/server.*.json`, those of the
rules in `locale/reasons.*.json`.
"""

from stichwerk.errors import StichwerkError


class RefusalError(StichwerkError):
    """A request that is not granted."""
