"""Refusals of requests at a table.

A refusal has a stable id and data; its texts are in `locale/server.*.json`, those of the rules in
`locale/reasons.*.json`.
"""

from stichwerk.errors import StichwerkError


class RefusalError(StichwerkError):
    """A refused request."""
